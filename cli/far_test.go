package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cutaway/internal/vrsgen"
)

// TestFarFiles: every kind of verb takes addresses; nothing that is printed has what is secret in them.
func TestFarFiles(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("sig") != "hush" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		if r.URL.Query().Has("bare") { // no Last-Modified
			b, _ := os.ReadFile("../assets" + r.URL.Path)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
			return
		}
		http.ServeFile(w, r, "../assets"+r.URL.Path)
	}))
	defer web.Close()
	good := web.URL + "/sample.usdc?sig=hush"
	for _, k := range []struct {
		status int
		says   string
		args   []string
	}{
		{0, "sample.usdc", []string{"info", good}},
		{0, "neither ETag nor Last-Modified", []string{"info", good + "&bare"}},
		{0, "Prototypes", []string{"tree", good + "#scene"}},
		{0, `/sample.usdc?…"`, []string{"check", "--json", good, "../assets/sample.usdc"}},
		{0, `/sample.usdc?…"`, []string{"scan", "--json", good}},
		{0, "the same content", []string{"diff", good, "../assets/sample.usdc"}},
		{0, "magic", []string{"at", good, "3"}},
		{2, "403 Forbidden", []string{"info", web.URL + "/sample.usdc?sig=hushed"}},
		{3, "about a whole file", []string{"check", good + "#scene"}},
		{3, "unexpected argument", []string{"info", good, good}},
		{2, "a PNG image, which no format here reads", []string{"info", web.URL + "/icon.png?sig=hush"}},
		{2, "its port is 99999, not one of 1 to 65535", []string{"info", "http://127.0.0.1:99999/sample.usdc"}},
		{2, "only http:// and https:// are read", []string{"info", "s3://bucket/sample.usdc"}},
	} {
		var out, errs bytes.Buffer
		status := Main(t.Context(), "test", k.args, &out, &errs)
		all := out.String() + errs.String()
		if status != k.status || !strings.Contains(all, k.says) {
			t.Errorf("%q: status %d: %.600s", k.args, status, all)
		}
		if strings.Contains(all, "hush") {
			t.Errorf("%q tells the secret: %.600s", k.args, all)
		}
	}
}

// TestFarAssets: what a file of a server names beside itself is asked of the server; what it cannot be asked for is said.
func TestFarAssets(t *testing.T) {
	layer := "#usda 1.0\n(\n    subLayers = [@./below.usda@, @gone.usda@]\n)\ndef Shader \"S\"\n{\n    asset[] inputs:all = [@tex/old.tx@, @tile.<UDIM>.tx@, @https://h/x@, @/root.tx@]\n}\n"
	var asked []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		text := map[string]string{"/a/one.usda": layer, "/a/below.usda": "#usda 1.0\n", "/a/tex/old.tx": "x"}[r.URL.Path]
		if text == "" {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	defer web.Close()
	r := execute(t.Context(), decoderLibrary{}, "check", "--assets", web.URL+"/a/one.usda")
	if r.status != StatusSound || strings.Count(r.out, "is not there") != 1 || !strings.Contains(r.out, "the file gone.usda is not there") || !strings.HasPrefix(r.err, "cutaway: 3 asset paths could not be looked for, ") {
		t.Errorf("status %d, asked for %q: %s%s", r.status, asked, r.out, r.err)
	}
	signed := execute(t.Context(), decoderLibrary{}, "check", "--assets", web.URL+"/a/one.usda?sig=hush")
	if signed.status != StatusSound || strings.Contains(signed.out, "is not there") || !strings.Contains(signed.err, "6 asset paths could not be looked for") || strings.Contains(signed.out+signed.err, "hush") {
		t.Errorf("signed: status %d: %s%s", signed.status, signed.out, signed.err)
	}
}

// TestFarLoss: what a server does not give any more since the file was opened is told as that, with the server's answer and the
// place; nothing is said to be wrong with the bytes.
func TestFarLoss(t *testing.T) {
	file := filepath.Join(t.TempDir(), "recording.vrs")
	if err := vrsgen.BulkFile(file, vrsgen.Bulk{Records: 5000, Index: true}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	serve := func(w http.ResponseWriter, r *http.Request, b []byte, etag string) {
		w.Header().Set("ETag", etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
	}
	for _, k := range []struct {
		says string
		then func(w http.ResponseWriter, r *http.Request)
	}{
		{"has changed since it was opened: its ETag was", func(w http.ResponseWriter, r *http.Request) {
			serve(w, r, bytes.Repeat([]byte{0xA5}, len(whole)), `"b"`)
		}},
		{"has changed since it was opened: its size was", func(w http.ResponseWriter, r *http.Request) { serve(w, r, whole[:len(whole)/3], `"a"`) }},
		{"the server answers 404 Not Found", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }},
		{"the server answers 403 Forbidden", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }},
	} {
		for good := int64(1); good <= 8; good++ {
			var asked atomic.Int64
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1) > good {
					k.then(w, r)
					return
				}
				serve(w, r, whole, `"a"`)
			}))
			for _, verb := range []string{"check", "scan"} {
				asked.Store(0)
				r := execute(t.Context(), decoderLibrary{}, verb, "--json", web.URL+"/recording.vrs")
				all := fmt.Sprintf("%s with %d good answers: status %d: %.2000s%s", verb, good, r.status, r.out, r.err)
				if asked.Load() <= good {
					if r.status != 0 {
						t.Errorf("read to its end, %s", all)
					}
					continue
				}
				if r.status != StatusUnreadable || !strings.Contains(r.out+r.err, k.says) {
					t.Errorf("not told, %s", all)
				}
				if strings.Contains(r.out, `"severity":"error"`) || strings.Contains(r.out, `"sound":true`) || strings.Contains(r.out, `"sound":false`) {
					t.Errorf("a verdict, %s", all)
				}
				if verb == "check" && r.out != "" && !strings.Contains(r.out, `"kind":"unread"`) {
					t.Errorf("no place, %s", all)
				}
				if r.out != "" && !json.Valid([]byte(strings.TrimSpace(r.out))) {
					t.Errorf("no JSON, %s", all)
				}
			}
			web.Close()
		}
	}
}
