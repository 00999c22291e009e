package ui

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// TestDescription reads an unknown file by a description, and again when that changes; one that is wrong is told, and the tree stays.
func TestDescription(t *testing.T) { synctest.Test(t, testDescription) }

func testDescription(t *testing.T) {
	b := newBench(t)
	b.open(Target{File: write(t, "a.bin", []byte("\x01\x02\x03\x04"))})
	b.menu("Read by a description…")
	file := filepath.Join(t.TempDir(), "tide.ksy")
	change := func(text string, at int64) {
		if err := os.WriteFile(file, []byte("meta: {id: tide}\nseq: ["+text+"]"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Unix(at, 0), time.Unix(at, 0)); err != nil {
			t.Fatal(err)
		}
	}
	change("{id: level, type: u1}", 1_000_000)
	b.w.active.readBy(file)
	b.until("the description", func() bool { return b.w.active.description() == file })
	s := b.w.active
	s.GoTo("fields/level")
	b.at(s, "fields/level")
	s.lookForDescription()

	change("{id: level, type: nothing}", 2_000_000)
	s.lookForDescription()
	b.until("what is wrong", func() bool { return len(s.Notice.Objects) == 1 })
	if b.w.active != s || s.Current().Path() != "fields/level" {
		t.Error("the tree did not stay")
	}

	change("{id: level, type: u2le}", 3_000_000)
	s.lookForDescription()
	b.until("the new description", func() bool { return b.w.active != s && b.w.active.Pane != nil })
	b.at(b.w.active, "fields/level")
	if got := b.w.active.Current().Node.Type; got != "u2le" {
		t.Errorf("level is %s", got)
	}
	for _, i := range b.w.menu.view.Items {
		if i.Label == "Read by a description…" {
			t.Error("the item is there beside the setting")
		}
	}
}
