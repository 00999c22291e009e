package compare

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/decoders"
	"cutaway/ui/eventlog"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

const folder = "../../testdata/usdc/"

func TestMerged(t *testing.T) {
	docs, m, more, err := compareFiles(t.Context(), folder+"arcs.usdc", folder+"variants.usdc", decoders.OpenOptions{}, nil)
	if err != nil || more {
		t.Fatal(err, more)
	}
	for _, d := range docs {
		defer d.Close()
	}
	var names []string
	for _, b := range m.order {
		names = append(names, b.change.Kind.Sign()+b.name)
		way := b.way()
		at := m.Root()
		for _, step := range way[1:] {
			if at = m.Child(at, step.Index); at != step.Item {
				t.Fatalf("the way to %s goes astray", b.name)
			}
		}
		if row := m.Row(b); row.Cells[0] != b.name || row.Cells[1] == "" || row.Swatches[1] == nil {
			t.Errorf("the row of %s is %+v", b.name, row)
		}
	}
	if !slices.Contains(names, "-B") || !slices.Contains(names, "+{look=big}") {
		t.Errorf("changes %q", names)
	}
	sum := int64(0)
	for _, n := range m.root.counts {
		sum += n
	}
	if sum != int64(len(m.order)) {
		t.Errorf("%d changes are counted, of %d", sum, len(m.order))
	}
	if steps := m.Unfolds(m.root, 0); len(steps) == 0 || steps[0].Item != treeview.Item(m.root.kids[steps[0].Index]) {
		t.Errorf("unfolds %v", steps)
	}
}

// window opens a comparison with Fyne's driver for tests, and waits for its end.
func window(t *testing.T, a, b string) *Window {
	t.Helper()
	app := test.NewTempApp(t)
	posted := make(chan func(), 64)
	sh := &shell.Shell{App: app, Win: test.NewTempWindow(t, nil), Post: func(f func()) { posted <- f }, Store: settings.Load(filepath.Join(t.TempDir(), "window.json")), Notify: func(string) {}, Log: &eventlog.Log{}}
	w := Show(sh, a, b, decoders.OpenOptions{})
	t.Cleanup(w.win.Close)
	for end := time.After(time.Minute); w.stop.Visible(); {
		select {
		case f := <-posted:
			f()
		case <-end:
			t.Fatal("the comparison does not end")
		}
	}
	go func() {
		for range posted { // what is read of the sides is not shown: the test is the thread of the window
		}
	}()
	return w
}

func TestWindow(t *testing.T) {
	w := window(t, folder+"arcs.usdc", folder+"variants.usdc")
	if w.at != 0 || w.status.Text != "7 added, 5 removed" {
		t.Errorf("at %d, %q", w.at, w.status.Text)
	}
	w.typedKey(&fyne.KeyEvent{Name: fyne.KeyF8})
	if w.at != 1 || w.tree.Selected() != treeview.Item(w.changes.order[1]) {
		t.Errorf("after F8 at %d, %v", w.at, w.tree.Selected())
	}
	w.typedKey(&fyne.KeyEvent{Name: fyne.KeyF7})
	w.typedKey(&fyne.KeyEvent{Name: fyne.KeyF7})
	if w.at != len(w.changes.order)-1 {
		t.Errorf("before the first comes %d", w.at)
	}
	title, both := readSides(t.Context(), w.changes.order[0].change)
	if title == "" || both[0].place == "" || both[1].value != "–" || len(both[0].marks) != 1 {
		t.Errorf("%q: %+v", title, both)
	}
}

func TestNothingToShow(t *testing.T) {
	same := window(t, folder+"arcs.usdc", folder+"arcs.usdc")
	if same.status.Text != "The same content" || same.tree != nil {
		t.Errorf("%q", same.status.Text)
	}
	same.Step(1) // does nothing
	unknown := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(unknown, []byte("no format"), 0o600); err != nil {
		t.Fatal(err)
	}
	if w := window(t, folder+"arcs.usdc", unknown); w.status.Text != "Nothing was compared" {
		t.Errorf("%q", w.status.Text)
	}
}
