package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/source"
	"cutaway/ui/eventlog"
	"cutaway/ui/kit"
	"cutaway/ui/settings"
	"cutaway/ui/uitest"
)

// bench is a window of the test driver; work that the background posts is run by until and idle. Its tests run in a
// bubble of synctest, whose clock goes on only while every goroutine waits: none depends on the machine's speed.
type bench struct {
	*testing.T
	w     *Window
	queue chan func()
}

func init() { source.KeepZstdDecoders = false }

func newBench(t *testing.T) *bench {
	b := &bench{T: t, queue: make(chan func(), 10000)}
	a := test.NewTempApp(t)
	b.w = newWindow(a, settings.Load(t.TempDir()+"/window.json"), &eventlog.Log{}, func(f func()) { b.queue <- f })
	b.w.Win.Resize(fyne.NewSize(1200, 800))
	t.Cleanup(func() {
		close(b.w.closed)
		b.w.stopListening()
		for _, s := range b.w.sessions {
			s.close()
		}
		b.idle() // what still runs ends now, or synctest fails the test
	})
	return b
}

// fake opens a fake document.
func (b *bench) fake() (*session, *uitest.Document) {
	doc := uitest.New()
	s := newSession(b.w, "fake.bin")
	b.w.add(s)
	s.showDocument(doc.Document)
	b.until("the root's details", func() bool { return s.Pane.Current() != nil && len(s.Pane.Details.Rows.Objects) > 0 })
	return s, doc
}

// until runs what the background posts until ok, or fails when nothing comes of it.
func (b *bench) until(what string, ok func() bool) {
	b.Helper()
	limit := time.After(time.Minute)
	for !ok() {
		select {
		case f := <-b.queue:
			f()
		case <-limit:
			b.Fatalf("never came: %s", what)
		}
	}
}

// idle runs what the background posts until nothing comes for a while.
func (b *bench) idle() {
	for {
		select {
		case f := <-b.queue:
			f()
		case <-time.After(150 * time.Millisecond):
			return
		}
	}
}

// at waits until the node at path is selected.
func (b *bench) at(s *session, path string) {
	b.Helper()
	b.until("selection of "+path, func() bool { return s.Pane.Current() != nil && s.Pane.Current().Path() == path })
}

// menu is the item of the menu with a label.
func (b *bench) menu(label string) *fyne.MenuItem {
	b.Helper()
	for _, m := range b.w.menu.main.Items {
		for _, i := range m.Items {
			if kit.MenuTitle(i) == label {
				return i
			}
		}
	}
	b.Fatalf("no item %q", label)
	return nil
}
