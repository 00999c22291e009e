package trying_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/nodes"
)

// tried opens a copy of a crate and lets bytes be typed over its own.
func tried(b *windowtest.Bench) (s *tab.Tab, path string) {
	b.Helper()
	const file = "../../testdata/usdc/arcs.usdc"
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	path = windowtest.WriteFile(b.T, filepath.Base(file), data)
	s = b.Open(opening.Target{File: path})
	b.Idle()
	b.Menu("Try bytes").Action()
	return s, path
}

// types types over the bytes at an offset of the file.
func types(b *windowtest.Bench, s *tab.Tab, off int64, text string) {
	s.Pane.Hex.Choose(s.Pane.Hex.Tabs[0])
	v := s.Pane.Hex.Shown.View
	b.W.Shell.Focus(v)
	v.SetCursor(off)
	for _, r := range text {
		v.TypedRune(r)
	}
	decoded(b, s)
}

// decoded waits until what is shown is decoded with all that was typed.
func decoded(b *windowtest.Bench, s *tab.Tab) {
	b.Helper()
	b.Until("the decoding", func() bool { return s.Decoded() })
	b.Idle()
}

// minorOf is the minor version that a crate says.
func minorOf(t *testing.T, s *tab.Tab) string {
	t.Helper()
	p, err := s.Pane.Doc.Lookup(t.Context(), "layout/bootstrap/version/minor")
	if err != nil {
		t.Fatal(err)
	}
	return nodes.ValueText(t.Context(), &p.Node, 80)
}

// TestTryBytes: what is typed over bytes is decoded in their place, where the user was; undo and redo go back and forth, and
// the file stays as it is.
func TestTryBytes(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, path := tried(b)
		was, _ := os.ReadFile(path)
		layout := s.Pane.Doc.View(model.LayoutView)
		s.Pane.ShowView(layout, true)
		const version, minor = "layout/bootstrap/version", "layout/bootstrap/version/minor"
		s.Pane.Nav.GoTo(minor)
		b.At(s, minor)
		s.Pane.Lists.Show(document.ListProblems)
		b.Idle()
		before := s.Pane
		types(b, s, 9, "63")
		if s.Pane == before || minorOf(t, s) != "99" || s.Pane.Current().Path() != minor || s.Pane.Trees.View().Name != model.LayoutView {
			t.Errorf("minor is %s, %s in %s is selected", minorOf(t, s), s.Pane.Current().Path(), s.Pane.Trees.View().Name)
		}
		if s.Pane.Lists.Open != document.ListProblems || s.Pane.Lists.Problems.Errors == 0 {
			t.Errorf("%d errors", s.Pane.Lists.Problems.Errors)
		}
		if !strings.Contains(strings.Join(s.Pane.Trees.OpenBranches(100), " "), version) {
			t.Errorf("open are %v", s.Pane.Trees.OpenBranches(100))
		}
		if b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(s.Pane.Hex.Shown.View) || s.Pane.Hex.Shown.View.Cursor() != 10 {
			t.Errorf("the keyboard is elsewhere, or the cursor at %d", s.Pane.Hex.Shown.View.Cursor())
		}
		if got := b.W.Status.What.Text; !strings.HasPrefix(got, "1 byte changed, not in the file") {
			t.Errorf("status %q", got)
		}
		if got := windowtest.ShownTexts(s.Pane.Notice); !strings.HasPrefix(got, "Damaged with the bytes tried") {
			t.Errorf("the alarm says %q", got)
		}
		types(b, s, 0, "00") // the magic
		if s.Pane.Doc.Format != "usdc" || s.Editor.Len() != 2 {
			t.Errorf("it is %s, %d bytes are changed", s.Pane.Doc.Format, s.Editor.Len())
		}
		for range 2 {
			b.Menu("Undo").Action()
			decoded(b, s)
		}
		if minorOf(t, s) != "8" || s.Editor.Len() != 0 || s.Pane.Lists.Problems.Errors != 0 || s.Pane.Hex.Shown.View.Cursor() != 9 {
			t.Errorf("undone: minor %s, %d bytes changed, %d errors, cursor at %d", minorOf(t, s), s.Editor.Len(), s.Pane.Lists.Problems.Errors, s.Pane.Hex.Shown.View.Cursor())
		}
		b.Menu("Redo").Action()
		decoded(b, s)
		if minorOf(t, s) != "99" {
			t.Errorf("done again: minor %s", minorOf(t, s))
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, was) {
			t.Error("the file has changed")
		}
		s.Reload()
		s = b.W.Active
		b.Until("the file again", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
		if minorOf(t, s) != "99" || s.Editor.Len() != 1 {
			t.Error("a reload has dropped what was tried")
		}
	})
}

// TestTryRefused: bytes that are not in the file are not typed over, and it is said why; what they were made from is, and
// the tab of what is made of it stays.
func TestTryRefused(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := tried(b)
		const inflated = "layout/TOKENS/text@inflated"
		s.Pane.Nav.GoTo(inflated)
		b.At(s, inflated)
		b.Idle()
		if s.Pane.Hex.Shown.Src.Origin() == nil {
			t.Fatal("the inflated bytes are not shown")
		}
		b.W.Shell.Win.Canvas().Capture() // what is not seen is not typed over
		b.Idle()
		s.Pane.Hex.Shown.View.SetCursor(3)
		s.Pane.Hex.Shown.View.TypedRune('1')
		if s.Editor.Len() != 0 || !strings.Contains(windowtest.ShownTexts(s.Pane.Notice), "are not in the file") {
			t.Errorf("%d bytes are changed; %q", s.Editor.Len(), windowtest.ShownTexts(s.Pane.Notice))
		}
		types(b, s, 10, "01") // the version is 0.8.1
		if n := len(s.Pane.Hex.Tabs); n != 2 || s.Pane.Current().Path() != inflated || s.Pane.Hex.Shown != s.Pane.Hex.Tabs[0] || s.Editor.Len() != 1 {
			t.Errorf("%d tabs, at %s, %d bytes are changed", n, s.Pane.Current().Path(), s.Editor.Len())
		}
	})
}

// TestTrySave: the changed bytes are saved as a new file or as a list that is read again, never over the open file; a tab with
// unsaved ones is not closed without a question.
func TestTrySave(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, path := tried(b)
		was, _ := os.ReadFile(path)
		types(b, s, 9, "6364")
		b.W.Pages.Close(s)
		if len(b.W.Pages.All) != 1 || b.W.Shell.Win.Canvas().Overlays().Top() == nil {
			t.Fatal("closed without a question, changed: ", s.Editor.Len())
		}
		b.Press(b.W.Shell.Win.Canvas().Overlays().Top(), "Cancel")
		b.W.Quit()
		if b.W.Closing {
			t.Fatal("quit without a question")
		}
		b.Press(b.W.Shell.Win.Canvas().Overlays().Top(), "Cancel")
		save := func(label, to string) {
			b.Menu(label).Action()
			b.W.Shell.Win.Canvas().Focused().(interface{ SetText(string) }).SetText(to)
			b.PressMain()
			b.Idle()
		}
		save("Save as a new file…", path)
		if now, _ := os.ReadFile(path); !bytes.Equal(now, was) || !s.Editor.Unsaved() {
			t.Fatal("the open file was written")
		}
		b.W.Shell.Win.Canvas().Overlays().Top().Hide()
		want := bytes.Clone(was)
		want[9], want[10] = 0x63, 0x64
		copied, list := filepath.Join(t.TempDir(), "copy.usdc"), filepath.Join(t.TempDir(), "list.patch")
		save("Save as a new file…", copied)
		if got, err := os.ReadFile(copied); err != nil || !bytes.Equal(got, want) || s.Editor.Unsaved() {
			t.Errorf("the copy is another: %v", err)
		}
		types(b, s, 9, "65")
		save("Save patch list…", list)
		if got, _ := os.ReadFile(list); string(got) != fmt.Sprintf("# arcs.usdc, %d bytes\n0x9 65 64\n", len(was)) {
			t.Errorf("the list is %q", got)
		}
		b.Menu("Discard changes").Action()
		decoded(b, s)
		if s.Editor.Len() != 0 {
			t.Error("not dropped")
		}
		s.Editor.ReadList(list)
		b.Until("the list", func() bool { return s.Editor.Len() == 2 })
		decoded(b, s)
		if got := minorOf(t, s); got != "101" {
			t.Errorf("minor is %s", got)
		}
		b.W.Pages.Close(s)
		if len(b.W.Pages.All) != 0 {
			t.Error("a tab whose bytes are saved asks")
		}
	})
}

// TestSaveAtClose: closing a tab whose bytes are not saved offers to save them first, with the name selected.
func TestSaveAtClose(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, path := tried(b)
		types(b, s, 9, "63")
		b.W.Pages.Close(s)
		b.Type("\n") // the button that is meant
		b.Idle()
		if len(b.W.Pages.All) != 1 {
			t.Fatal("the tab is closed before anything is saved")
		}
		b.Type("other\n")
		b.Idle()
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "other.usdc")); err != nil || len(b.W.Pages.All) != 0 {
			t.Errorf("%d tabs are open, the copy: %v", len(b.W.Pages.All), err)
		}
	})
}

// TestChangeValue: a value that is typed is written as its field is, which is found out by decoding; a row of the inspector is
// written as it is read.
func TestChangeValue(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := tried(b)
		b.Menu("Try bytes").Action() // off
		change := func(path, text string) string {
			s.Pane.Nav.GoTo(path)
			b.At(s, path)
			b.Idle()
			b.Menu("Change value…").Action()
			b.W.Shell.Win.Canvas().Focused().(interface{ SetText(string) }).SetText(text)
			b.PressMain()
			b.Idle()
			if top := b.W.Shell.Win.Canvas().Overlays().Top(); top != nil {
				told := windowtest.ShownTexts(top)
				top.Hide()
				return told
			}
			decoded(b, s)
			p, err := s.Pane.Doc.Lookup(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			return nodes.ValueText(t.Context(), &p.Node, 80)
		}
		if got := change("layout/bootstrap/version/minor", "7"); got != "7" || !s.Editor.On {
			t.Errorf("minor is %s", got)
		}
		if got := change("layout/bootstrap/tocOffset", "0x100"); got != "256" {
			t.Errorf("the offset of the table of contents is %s", got)
		}
		if s.Editor.Len() != 3 {
			t.Errorf("%d bytes are changed", s.Editor.Len())
		}
		b.Menu("Undo").Action()
		decoded(b, s)
		if got := change("layout/bootstrap/version/minor", "256"); !strings.Contains(got, "does not fit") {
			t.Errorf("a number that does not fit: %q", got)
		}
		s.Pane.Hex.Choose(s.Pane.Hex.Tabs[0])
		s.Pane.Side.Inspect()
		s.Pane.Hex.Shown.View.SetCursor(0x20) // reserved
		s.Pane.CursorMoved()
		i := s.Pane.Side.Inspector
		b.Until("the rows", func() bool { return len(i.RowData.All()) > 0 && i.At.Off == 0x20 })
		b.Idle()
		for _, row := range i.RowData.All() {
			if row.Name == "u32" {
				s.Editor.ChangeReading(i.At.Source, i.At.Off, row)
			}
		}
		b.W.Shell.Win.Canvas().Focused().(interface{ SetText(string) }).SetText("0xabcd")
		b.PressMain()
		b.Idle()
		decoded(b, s)
		got, err := s.Pane.Doc.Source().Bytes(t.Context(), 0x20, 4)
		if err != nil || fmt.Sprintf("%x", got) != "cdab0000" {
			t.Errorf("% x, %v", got, err)
		}
	})
}
