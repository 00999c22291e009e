package decoders

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cutaway/model"
	"cutaway/model/export"
)

// servedFiles are the files of the corpus and of testdata, as paths below a folder.
func servedFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			rel, relErr := filepath.Rel(dir, name)
			files = append(files, filepath.ToSlash(rel))
			return relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// fewNodes are the nodes of each view that are compared where not all are.
const fewNodes = 2000

// told is what a document tells of itself, as a hash: up to so many nodes of each view as JSON; or why it does not open.
func told(t *testing.T, name string, nodes int) string {
	t.Helper()
	doc, err := OpenFile(t.Context(), name, OpenOptions{})
	var unknown *model.ErrUnrecognized
	if errors.As(err, &unknown) {
		return unknown.Error()
	}
	if err != nil {
		return "fails" // with another name in it
	}
	defer doc.Close()
	out, total := sha256.New(), 0
	fmt.Fprintln(out, doc.Format, doc.Version, doc.Why, doc.Source().Size())
	for _, v := range doc.Views {
		lines, left := export.NewLines(t.Context(), out, export.LineOptions{}), nodes
		err := model.Walk(t.Context(), v.Place(t.Context()), model.WalkOptions{Derived: true}, func(p *model.Place) error {
			if left--; left < 0 {
				return errEnoughNodes
			}
			total++
			return lines.Write(p)
		})
		if err := errors.Join(lines.Flush()); err != nil {
			t.Fatal(err)
		}
		if err != nil && !errors.Is(err, errEnoughNodes) {
			fmt.Fprintln(out, err)
		}
	}
	return fmt.Sprintf("%s, %d nodes, %x", doc.Format, total, out.Sum(nil))
}

var errEnoughNodes = errors.New("enough nodes")

// sameByAddress holds files below dir, each step-th of them, against what a server that serves dir gives.
func sameByAddress(t *testing.T, dir, base string, step, nodes int) {
	t.Helper()
	for i, rel := range servedFiles(t, dir) {
		if i%step != 0 {
			continue
		}
		here, there := told(t, withoutSchemas(t, filepath.Join(dir, rel)), nodes), told(t, base+"/"+(&url.URL{Path: rel}).EscapedPath(), nodes)
		if here != there {
			t.Errorf("%s: another document by %s: %s, not %s", rel, base, there, here)
		}
	}
}

// withoutSchemas is a copy of a file that has schemas of FlatBuffers beside it: a server does not say what files it has, so
// that none is found there.
func withoutSchemas(t *testing.T, file string) string {
	t.Helper()
	for _, pattern := range []string{"*.fbs", "*.bfbs"} {
		if beside, _ := filepath.Glob(filepath.Join(filepath.Dir(file), pattern)); len(beside) > 0 {
			alone := filepath.Join(t.TempDir(), filepath.Base(file))
			data, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile(alone, data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			return alone
		}
	}
	return file
}

const farTestdata, farCorpus = "../testdata", "../../shared/corpus"

// TestFarDocuments: by an address every file is the document that it is here, to its last node (with -short up to some).
func TestFarDocuments(t *testing.T) {
	nodes := math.MaxInt
	if testing.Short() {
		nodes = fewNodes
	}
	for _, dir := range []string{farTestdata, farCorpus} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if _, err := os.Stat(dir); err != nil {
				t.Skip("without " + dir)
			}
			web := httptest.NewServer(http.FileServer(http.Dir(dir)))
			defer web.Close()
			sameByAddress(t, dir, web.URL, 1, nodes)
		})
	}
}

// TestFarServers does the same with the servers nginx and caddy, where they are installed: the beginning of all files of
// testdata, and of some of the corpus.
func TestFarServers(t *testing.T) {
	for _, k := range []struct {
		program, config string
		args            []string
	}{
		{"nginx", "daemon off; master_process off; pid %[1]s/pid; error_log stderr; events {}\nhttp { access_log off; client_body_temp_path %[1]s; " +
			"proxy_temp_path %[1]s; fastcgi_temp_path %[1]s; uwsgi_temp_path %[1]s; scgi_temp_path %[1]s;\nserver { listen %[2]s; root %[3]s; } }\n",
			[]string{"-p", "%[1]s", "-e", "stderr", "-c"}},
		{"caddy", "{\n admin off\n auto_https off\n}\nhttp://%[2]s {\n bind 127.0.0.1\n root * %[3]s\n file_server\n}\n",
			[]string{"run", "--adapter", "caddyfile", "--config"}},
	} {
		t.Run(k.program, func(t *testing.T) {
			program, err := exec.LookPath(k.program)
			if err != nil {
				t.Skip("without " + k.program + " (apt-get install " + k.program + ")")
			}
			for dir, step := range map[string]int{farTestdata: 1, farCorpus: 20} {
				if _, err := os.Stat(dir); err != nil {
					t.Logf("without %s", dir)
					continue
				}
				serve(t, program, k.config, k.args, dir, func(base string) { sameByAddress(t, dir, base, step, fewNodes) })
			}
		})
	}
}

// serve runs a server of the files below dir while then runs.
func serve(t *testing.T, program, config string, args []string, dir string, then func(base string)) {
	address := freeAddress(t)
	root, err := filepath.Abs(dir)
	temporary := t.TempDir()
	file := filepath.Join(temporary, "config")
	if err = errors.Join(err, os.WriteFile(file, fmt.Appendf(nil, config, temporary, address, root), 0o600)); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, a := range append(args, file) {
		all = append(all, strings.ReplaceAll(a, "%[1]s", temporary))
	}
	ctx, stop := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, program, all...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = append(os.Environ(), "HOME="+temporary, "XDG_DATA_HOME="+temporary, "XDG_CONFIG_HOME="+temporary)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is stopped below
		close(ended)
	}()
	defer func() {
		stop()
		<-ended
	}()
	for there := false; !there; time.Sleep(10 * time.Millisecond) { // until it listens
		c, err := net.Dial("tcp", address)
		if there = err == nil; there {
			_ = c.Close()
		}
		select {
		case <-ended:
			t.Fatalf("%s has ended: %s", program, said.String())
		default:
		}
	}
	if told(t, "http://"+address+"/usdc/nothing", fewNodes) != "fails" {
		t.Error("what is not there opens")
	}
	then("http://" + address)
	if t.Failed() {
		t.Logf("%s said: %s", program, said.String())
	}
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
