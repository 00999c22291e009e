package ui

import (
	"os"
	"path/filepath"
	"testing"

	"cutaway/ui/settings"
)

// TestReuse: what a second start is asked to open is opened in this window, at the right place, once the user wants it.
func TestReuse(t *testing.T) {
	run, err := os.MkdirTemp("", "re") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	t.Setenv("XDG_RUNTIME_DIR", run)
	work := t.TempDir()
	for _, name := range []string{"one.bin", "two.bin"} {
		if err := os.WriteFile(filepath.Join(work, name), make([]byte, 64), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := newBench(t)
	targets := func() []Target {
		return []Target{{File: "one.bin"}, {File: "two.bin", Offset: 16, HasOffset: true}}
	}
	t.Chdir(work)
	if giveToWindow(targets()) {
		t.Fatal("a window that does not listen has taken files")
	}
	b.w.menu.reuse.Action()
	if !b.w.menu.reuse.Checked || !settings.Load(b.w.Store.Path).Reuse {
		t.Error("the setting is not remembered")
	}
	given := make(chan bool)
	go func() { given <- giveToWindow(targets()) }()
	b.until("two files", func() bool { return len(b.w.sessions) == 2 && b.w.active.Pane != nil })
	if !<-given {
		t.Error("the window has taken the files, and the giver does not know it")
	}
	s := b.w.active
	if s.file != filepath.Join(work, "two.bin") {
		t.Errorf("shows %s", s.file)
	}
	b.until("the offset", func() bool { return s.Pane.Hex.Shown.View.Cursor() == 16 })

	// Another window that never knew of the setting leaves it as it is when it saves.
	other := settings.Load(b.w.Store.Path)
	other.Reuse = false
	if err := other.Save(); err != nil || !settings.Load(b.w.Store.Path).Reuse {
		t.Errorf("another window has changed the setting, %v", err)
	}
	b.w.menu.reuse.Action()
	if b.w.menu.reuse.Checked || settings.Load(b.w.Store.Path).Reuse || giveToWindow(targets()) {
		t.Error("the setting cannot be taken back")
	}
}
