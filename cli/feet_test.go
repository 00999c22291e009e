package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"cutaway/decoders"
	"cutaway/model"
)

// small is a file of each format that we read.
var small = []struct{ format, file, schema string }{
	{"usdc", "usdc/relocates.usdc", ""},
	{"usdz", "usdc/several.usdz", ""},
	{"usda", "usda/values.usda", ""},
	{"udm", "udm/twin.udm_b", ""},
	{"udm as text", "udm/ok-crlf.udm", ""},
	{"odin", "odin/every-entry.odin", ""},
	{"odin in an asset", "odin/nodes.asset", ""},
	{"vrs", "vrs/pieces.vrs", ""},
	{"vrs without index", "vrs/index-none.vrs", ""},
	{"omnilive", "omnilive/world.oodf", ""},
	{"flatbuffer", "flatbuffer/stall.mrkt", "flatbuffer/market.bfbs"},
	{"ksy", "ksy/archive.zip", "ksy/zip.ksy"},
	{"bytes", "ksy/solid.stl", "bytes"},
}

// changes are what happens to an open file. Where lost is set, bytes that it had are not there any more.
var changes = []struct {
	name string
	lost bool
	do   func(path string, b []byte) error
}{
	{"truncated", true, func(path string, b []byte) error { return os.Truncate(path, int64(len(b)/2)) }},
	{"emptied", true, func(path string, _ []byte) error { return os.Truncate(path, 0) }},
	{"grown", false, func(path string, b []byte) error {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(b)
		return errors.Join(err, f.Close())
	}},
	{"replaced", false, func(path string, b []byte) error {
		_ = os.Remove(path + ".old")
		if err := os.Rename(path, path+".old"); err != nil { // Windows lets nothing be moved onto an open file, but that away
			return err
		}
		return os.WriteFile(path, bytes.Repeat([]byte{0xA5}, len(b)), 0o600)
	}},
	{"deleted", false, func(path string, _ []byte) error { return os.Remove(path) }},
	{"unreadable", true, nil}, // from its middle on, see failing
}

// errDisk is what a disk that fails says.
var errDisk = errors.New("the disk gave up")

// failing is a file of which the bytes [from, to) cannot be read, once it is broken.
type failing struct {
	model.Reader
	from, to int64
	broken   atomic.Bool
}

func (f *failing) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if !f.broken.Load() || off+int64(len(p)) <= f.from || off >= f.to {
		return f.Reader.ReadAt(ctx, p, off)
	}
	good := max(f.from-off, 0)
	n, err := f.Reader.ReadAt(ctx, p[:good], off)
	return n, errors.Join(err, errDisk)
}

// feet are a library by which the file changes as soon as it is open.
type feet struct {
	decoderLibrary
	path   string
	change func() error // nil: some of it cannot be read
	from   float64      // share of it from which on that is so, and to which
	to     float64
}

func (l feet) open(ctx context.Context, t decoders.Target, opt decoders.OpenOptions) (*model.Document, error) {
	if t.File != l.path {
		return decoders.OpenTarget(ctx, t, opt)
	}
	if l.change != nil {
		d, err := decoders.OpenTarget(ctx, t, opt)
		return d, errors.Join(err, l.change())
	}
	b, err := os.ReadFile(t.File)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(t.File)
	r := &failing{Reader: model.BytesReader(b), from: int64(l.from * float64(len(b))), to: int64(l.to * float64(len(b)))}
	d, err := decoders.Opener{}.OpenWith(ctx, model.NewFileSource(name, r), name, opt.Options)
	r.broken.Store(true)
	return d, err
}

// TestUnderTheFeet changes a file of each format between its opening and what is done with it: what is read is what the
// file held, or the change is told; an export is whole or not there.
func TestUnderTheFeet(t *testing.T) {
	for _, s := range small {
		old, err := os.ReadFile(filepath.Join("..", "testdata", s.file))
		if err != nil {
			t.Fatal(err)
		}
		g := ground{path: filepath.Join(t.TempDir(), filepath.Base(s.file)), twin: filepath.Join(t.TempDir(), filepath.Base(s.file)), old: old, steady: map[string]result{}}
		switch s.schema {
		case "":
		case "bytes":
			g.flags = []string{"--format", "bytes"}
		default:
			g.flags = []string{"--schema", filepath.Join("..", "testdata", s.schema)}
		}
		if err := os.WriteFile(g.twin, old, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			t.Run(s.format+" "+c.name, func(t *testing.T) {
				g.t, g.lost, g.lib = t, c.lost, feet{path: g.path, from: 0.5, to: 1}
				if c.do != nil {
					g.lib.change = func() error { return c.do(g.path, old) }
				}
				for _, args := range [][]string{
					{"tree", "FILE", "--json", "--view", "layout", "--whole"}, {"tree", "FILE", "--json", "--whole"}, {"search", "FILE", "path:*", "--json"},
					{"search", "FILE", "00", "--in", "bytes", "--json"}, {"check", "FILE", "--json"}, {"diff", "FILE", g.twin, "--json"},
					{"diff", "FILE", g.twin, "--bytes", "--json"}, {"scan", "--deep", "--json", "FILE"},
				} {
					g.verb(args)
				}
				g.export("raw")
				g.export("json")
			})
		}
	}
}

// ground is a file that changes.
type ground struct {
	t          *testing.T
	lib        feet
	lost       bool
	path, twin string
	old        []byte
	flags      []string
	steady     map[string]result // by arguments, of the file as it was
}

// run does args with the file as it was, and with the file that changes.
func (g *ground) run(args []string) (steady, changed result) {
	g.t.Helper()
	list := append([]string{args[0]}, g.flags...)
	for _, a := range args[1:] {
		list = append(list, strings.Replace(a, "FILE", g.path, 1))
	}
	do := func(lib library) result {
		if err := os.WriteFile(g.path, g.old, 0o600); err != nil {
			g.t.Fatal(err)
		}
		return execute(g.t.Context(), lib, list...)
	}
	steady, known := g.steady[strings.Join(args, " ")]
	if !known {
		steady = do(decoderLibrary{})
		g.steady[strings.Join(args, " ")] = steady
	}
	return steady, do(g.lib)
}

// told reports whether r names the change.
func told(r result) bool {
	all := r.out + r.err
	return strings.Contains(all, "has shrunk since it was opened") || strings.Contains(all, errDisk.Error())
}

// verb holds what a verb prints of a file that changes against what it prints of one that stays.
func (g *ground) verb(args []string) {
	t := g.t
	t.Helper()
	steady, changed := g.run(args)
	if all := changed.out + changed.err; strings.Contains(all, "internal fault") {
		t.Errorf("%q: %s", args, all)
	}
	same := changed.status == steady.status && timeFree(changed.out) == timeFree(steady.out)
	switch {
	case !g.lost && !same:
		t.Errorf("%q: status %d, not %d; %s\n%s\nnot\n%s", args, changed.status, steady.status, changed.err, cutTo(changed.out), cutTo(steady.out))
	case !same && !told(changed):
		t.Errorf("%q: status %d, and not told: %s\n%s\nnot\n%s", args, changed.status, changed.err, cutTo(changed.out), cutTo(steady.out))
	}
}

func cutTo(s string) string { return s[:min(len(s), 1500)] }

// timeFree is the output without how long it took.
func timeFree(out string) string {
	var all strings.Builder
	for line := range strings.Lines(out) {
		if at := strings.Index(line, `"seconds":`); at >= 0 {
			line = line[:at]
		}
		all.WriteString(line)
	}
	return all.String()
}

// export writes over a file that is there: afterwards it is what the file that stays gives, or what it was.
func (g *ground) export(form string) {
	t := g.t
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	var written [2]string
	for i, lib := range []library{decoderLibrary{}, g.lib} {
		if err := errors.Join(os.WriteFile(g.path, g.old, 0o600), os.WriteFile(out, []byte("before"), 0o600)); err != nil {
			t.Fatal(err)
		}
		r := execute(t.Context(), lib, append([]string{"export", g.path, "layout", "--as", form, "-o", out}, g.flags...)...)
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		written[i] = string(b)
		switch {
		case i == 0 && r.status > StatusErrors, !g.lost && r.status > StatusErrors:
			t.Errorf("%s: status %d: %s", form, r.status, r.err)
		case r.status > StatusErrors && written[i] != "before":
			t.Errorf("%s: status %d, and the file that was there is gone", form, r.status)
		case r.status > StatusErrors && !told(r):
			t.Errorf("%s: status %d, and not told: %s", form, r.status, r.err)
		case r.status <= StatusErrors && i == 1 && written[1] != written[0]:
			t.Errorf("%s: status %d, but it is not what the file held: %s", form, r.status, cutTo(written[1]))
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%s: left are %v, %v", form, left, err)
	}
}

// TestUnreadIsNoDamage: where a part of a file cannot be read, the check says so at the place, and finds no error that it does not
// find of the file when it can be read.
func TestUnreadIsNoDamage(t *testing.T) {
	type problem struct{ Kind, Severity, Rule, Path, Message string }
	check := func(lib library, args []string) (problems []problem, r result) {
		r = execute(t.Context(), lib, append([]string{"check", "--json"}, args...)...)
		var report struct{ Problems []problem }
		if err := json.Unmarshal([]byte(r.out), &report); err != nil {
			t.Fatalf("%q: %v: %s %s", args, err, r.out, r.err)
		}
		return report.Problems, r
	}
	for _, s := range small {
		file := filepath.Join("..", "testdata", s.file)
		args := []string{file}
		switch s.schema {
		case "":
		case "bytes":
			args = append(args, "--format", "bytes")
		default:
			args = append(args, "--schema", filepath.Join("..", "testdata", s.schema))
		}
		steady, _ := check(decoderLibrary{}, args)
		const parts = 16
		for part := range parts {
			got, r := check(feet{path: file, from: float64(part) / parts, to: float64(part+1) / parts}, args)
			unread := false
			for _, p := range got {
				unread = unread || p.Kind == "unread"
				if p.Severity == "error" && !slices.Contains(steady, p) {
					t.Errorf("%s: without part %d it is said to be damaged: %+v", s.format, part, p)
				}
			}
			if lost := r.status == StatusUnreadable && strings.Contains(r.err, errDisk.Error()); lost != unread || r.status > StatusUnreadable {
				t.Errorf("%s: without part %d: status %d, unread places: %t: %s", s.format, part, r.status, unread, r.err)
			}
		}
	}
}

// TestFullDisk exports by a program that may write files of 64 bytes only: the file is not there, or it is the one that
// was, and no part of another lies beside it.
func TestFullDisk(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip("no prlimit here, which sets the largest size of a file")
	}
	file := filepath.Join("..", "testdata", "usdc", "relocates.usdc")
	for _, form := range []string{"json", "yaml", "text", "raw", "decoded", "c", "html"} {
		for _, before := range []string{"", "before"} {
			dir := t.TempDir()
			out := filepath.Join(dir, "out")
			if before != "" {
				if err := os.WriteFile(out, []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c := exec.CommandContext(t.Context(), "prlimit", "--fsize=64", self, "export", file, "layout", "--as", form, "-o", out)
			c.Env = append(os.Environ(), asProgram+"=1")
			told, err := c.CombinedOutput()
			left, rerr := os.ReadDir(dir)
			b, _ := os.ReadFile(out) // a file that is not there is as good as an empty one
			if err == nil || rerr != nil || string(b) != before || len(left) != len(before)/len("before") {
				t.Errorf("%s: %v, %v, left are %v, %q: %s", form, err, rerr, left, b, told)
			}
			if !strings.Contains(string(told), "cannot write "+out+": file too large") {
				t.Errorf("%s: told is %s", form, told)
			}
		}
	}
}
