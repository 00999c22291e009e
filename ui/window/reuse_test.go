package window_test

import (
	"os"
	"path/filepath"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window"
	"cutaway/ui/window/windowtest"

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
	b := windowtest.New(t)
	targets := func() []opening.Target {
		return []opening.Target{{File: "one.bin"}, {File: "two.bin", Offset: 16, HasOffset: true}}
	}
	t.Chdir(work)
	if window.Give(targets()) {
		t.Fatal("a window that does not listen has taken files")
	}
	b.W.Setting("reuse_window").Switch.Set(true)
	if !b.W.Setting("reuse_window").Switch.On() {
		t.Error("the setting is not shown")
	}
	b.Until("the setting", func() bool { return settings.Load(b.W.Shell.Store.Path).Reuse })
	given := make(chan bool)
	go func() { given <- window.Give(targets()) }()
	b.Until("two files", func() bool { return len(b.W.Pages.All) == 2 && b.W.Active.Pane != nil })
	if !<-given {
		t.Error("the window has taken the files, and the giver does not know it")
	}
	s := b.W.Active
	if s.Subject.File != filepath.Join(work, "two.bin") {
		t.Errorf("shows %s", s.Subject.File)
	}
	b.Until("the offset", func() bool { return s.Pane.Hex.Shown.View.Cursor() == 16 })

	// Another window that never knew of the setting leaves it as it is when it saves.
	other := settings.Load(b.W.Shell.Store.Path)
	other.Reuse = false
	if err := other.Save(); err != nil || !settings.Load(b.W.Shell.Store.Path).Reuse {
		t.Errorf("another window has changed the setting, %v", err)
	}
	b.W.Setting("reuse_window").Switch.Set(false)
	if b.W.Setting("reuse_window").Switch.On() || window.Give(targets()) {
		t.Error("the setting cannot be taken back")
	}
	b.Until("the setting", func() bool { return !settings.Load(b.W.Shell.Store.Path).Reuse })
}
