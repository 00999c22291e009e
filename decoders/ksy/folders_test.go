package ksy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cutaway/model"
)

// testTime is when a description was changed.
var testTime = time.Unix(1_000_000_000, 0)

func put(t *testing.T, folder, name, text string) string {
	t.Helper()
	file := filepath.Join(folder, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A file is known by the longest magic among the descriptions of the folders, or by its extension; a bad description
// harms none of the others, and a changed one is read again.
func TestFolders(t *testing.T) {
	folder := t.TempDir()
	t.Setenv(FoldersVariable, folder)
	put(t, folder, "tide.ksy", "meta: {id: tide, file-extension: tid}\nseq: [{id: magic, contents: TIDE}, {id: level, type: u1}]")
	put(t, folder, "tide2.ksy", "meta: {id: tide2}\nseq: [{id: pad, type: u4be}, {id: head, type: head}]\n"+
		"types: {head: {seq: [{id: magic, contents: two!}]}}")
	put(t, folder, "log.ksy", "meta: {id: log, file-extension: log}\nseq: [{id: first, type: u1}]")
	bad := put(t, folder, "bad.ksy", "meta: {id: bad}\nseq: [{id: BAD}]")
	for _, k := range []struct{ name, head, want string }{
		{"a.bin", "TIDE\x01", "tide.ksy"},
		{"a.bin", "TIDEtwo!", "tide.ksy"},
		{"a.bin", "xxxxtwo!", "tide2.ksy"},
		{"a.tid", "other", ""},
		{"a.log", "other", "log.ksy"},
		{"a.bin", "other", ""},
	} {
		d := detect(t.Context(), &model.Probe{Name: k.name, Head: []byte(k.head)})
		file, _ := recognise(&model.Probe{Name: k.name, Head: []byte(k.head)})
		if (d.Confidence == model.Guess) != (k.want != "") || filepath.Base(file) != k.want && file+k.want != "" {
			t.Errorf("%s with %q: %+v, %s, want %s", k.name, k.head, d, file, k.want)
		}
	}
	for _, l := range List() {
		if (l.Err != nil) != (l.File == bad) {
			t.Errorf("%s: %v", l.File, l.Err)
		}
	}
	put(t, folder, "bad.ksy", "meta: {id: good, title: Now good}\nseq: [{id: good, contents: GOOD}]")
	if err := os.Chtimes(bad, testTime, testTime); err != nil {
		t.Fatal(err)
	}
	src := model.NewFileSource("x", model.BytesReader("GOOD"))
	d, err := open(t.Context(), &model.OpenRequest{Source: src, Name: "x"})
	if err != nil || d.Title != "Now good" {
		t.Fatalf("%v, %v", d, err)
	}
	if _, err := open(t.Context(), &model.OpenRequest{Source: model.NewFileSource("x", model.BytesReader("?")), Name: "x"}); err == nil ||
		!strings.Contains(err.Error(), "--schema") {
		t.Error(err)
	}
}
