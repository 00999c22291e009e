package ui

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/nodes"
)

// tried opens a copy of a crate and lets bytes be typed over its own.
func (b *bench) tried() (s *session, path string) {
	b.Helper()
	const file = "../testdata/usdc/arcs.usdc"
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	path = write(b.T, filepath.Base(file), data)
	s = b.open(Target{File: path})
	b.idle()
	b.menu("Try bytes").Action()
	return s, path
}

// types types over the bytes at an offset of the file.
func (b *bench) types(s *session, off int64, text string) {
	s.Pane.Hex.Choose(s.Pane.Hex.Tabs[0])
	v := s.Pane.Hex.Shown.View
	b.w.Focus(v)
	v.SetCursor(off)
	for _, r := range text {
		v.TypedRune(r)
	}
	b.decoded(s)
}

// decoded waits until what is shown is decoded with all that was typed.
func (b *bench) decoded(s *session) {
	b.Helper()
	b.until("the decoding", func() bool { return s.decoded == s.edits.Patch() })
	b.idle()
}

// minorOf is the minor version that a crate says.
func minorOf(t *testing.T, s *session) string {
	t.Helper()
	p, err := s.Pane.Doc.Lookup(t.Context(), "layout/bootstrap/version/minor")
	if err != nil {
		t.Fatal(err)
	}
	return nodes.ValueText(t.Context(), &p.Node, 80)
}

// TestTryBytes: what is typed over bytes is decoded in their place, where the user was; undo and redo go back and forth, and
// the file stays as it is.
func TestTryBytes(t *testing.T) { synctest.Test(t, testTryBytes) }

func testTryBytes(t *testing.T) {
	b := newBench(t)
	s, path := b.tried()
	was, _ := os.ReadFile(path)
	layout := s.Pane.Doc.View(model.LayoutView)
	s.Pane.ShowView(layout, true)
	const version, minor = "layout/bootstrap/version", "layout/bootstrap/version/minor"
	s.Pane.Nav.GoTo(minor)
	b.at(s, minor)
	s.Pane.Details.Choose(document.TabProblems)
	b.idle()
	before := s.Pane
	b.types(s, 9, "63")
	if s.Pane == before || minorOf(t, s) != "99" || s.Pane.Current().Path() != minor || s.Pane.Trees.View().Name != model.LayoutView {
		t.Errorf("minor is %s, %s in %s is selected", minorOf(t, s), s.Pane.Current().Path(), s.Pane.Trees.View().Name)
	}
	if s.Pane.Details.Front != document.TabProblems || s.Pane.Details.Problems.Errors == 0 {
		t.Errorf("%d errors", s.Pane.Details.Problems.Errors)
	}
	if !strings.Contains(strings.Join(s.Pane.Trees.OpenBranches(100), " "), version) {
		t.Errorf("open are %v", s.Pane.Trees.OpenBranches(100))
	}
	if b.w.Win.Canvas().Focused() != fyne.Focusable(s.Pane.Hex.Shown.View) || s.Pane.Hex.Shown.View.Cursor() != 10 {
		t.Errorf("the keyboard is elsewhere, or the cursor at %d", s.Pane.Hex.Shown.View.Cursor())
	}
	if got := b.w.status.what.Text; !strings.HasPrefix(got, "1 byte changed, not in the file") {
		t.Errorf("status %q", got)
	}
	if got := shownTexts(s.Pane.Notice); !strings.HasPrefix(got, "With the bytes tried the file is damaged") {
		t.Errorf("the alarm says %q", got)
	}
	b.types(s, 0, "00") // the magic
	if s.Pane.Doc.Format != "usdc" || s.edits.Len() != 2 {
		t.Errorf("it is %s, %d bytes are changed", s.Pane.Doc.Format, s.edits.Len())
	}
	for range 2 {
		b.menu("Undo").Action()
		b.decoded(s)
	}
	if minorOf(t, s) != "8" || s.edits.Len() != 0 || s.Pane.Details.Problems.Errors != 0 || s.Pane.Hex.Shown.View.Cursor() != 9 {
		t.Errorf("undone: minor %s, %d bytes changed, %d errors, cursor at %d", minorOf(t, s), s.edits.Len(), s.Pane.Details.Problems.Errors, s.Pane.Hex.Shown.View.Cursor())
	}
	b.menu("Redo").Action()
	b.decoded(s)
	if minorOf(t, s) != "99" {
		t.Errorf("done again: minor %s", minorOf(t, s))
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, was) {
		t.Error("the file has changed")
	}
	s.reload()
	s = b.w.active
	b.until("the file again", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	if minorOf(t, s) != "99" || s.edits.Len() != 1 {
		t.Error("a reload has dropped what was tried")
	}
}

// TestTryRefused: bytes that are not in the file are not typed over, and it is said why; what they were made from is, and
// the tab of what is made of it stays.
func TestTryRefused(t *testing.T) { synctest.Test(t, testTryRefused) }

func testTryRefused(t *testing.T) {
	b := newBench(t)
	s, _ := b.tried()
	const inflated = "layout/TOKENS/text@inflated"
	s.Pane.Nav.GoTo(inflated)
	b.at(s, inflated)
	b.idle()
	if s.Pane.Hex.Shown.Src.Origin() == nil {
		t.Fatal("the inflated bytes are not shown")
	}
	b.w.Win.Canvas().Capture() // what is not seen is not typed over
	b.idle()
	s.Pane.Hex.Shown.View.SetCursor(3)
	s.Pane.Hex.Shown.View.TypedRune('1')
	if s.edits.Len() != 0 || !strings.Contains(shownTexts(s.Pane.Notice), "are not in the file") {
		t.Errorf("%d bytes are changed; %q", s.edits.Len(), shownTexts(s.Pane.Notice))
	}
	b.types(s, 10, "01") // the version is 0.8.1
	if n := len(s.Pane.Hex.Tabs); n != 2 || s.Pane.Current().Path() != inflated || s.Pane.Hex.Shown != s.Pane.Hex.Tabs[0] || s.edits.Len() != 1 {
		t.Errorf("%d tabs, at %s, %d bytes are changed", n, s.Pane.Current().Path(), s.edits.Len())
	}
}

// TestTrySave: the changed bytes are saved as a new file or as a list that is read again, never over the open file; a tab with
// unsaved ones is not closed without a question.
func TestTrySave(t *testing.T) { synctest.Test(t, testTrySave) }

func testTrySave(t *testing.T) {
	b := newBench(t)
	s, path := b.tried()
	was, _ := os.ReadFile(path)
	b.types(s, 9, "6364")
	b.w.close(s)
	if len(b.w.sessions) != 1 || b.w.Win.Canvas().Overlays().Top() == nil {
		t.Fatal("closed without a question, changed: ", s.edits.Len())
	}
	b.pressMain() // Cancel
	b.w.quit()
	if b.w.closing {
		t.Fatal("quit without a question")
	}
	b.pressMain()
	save := func(label, to string) {
		b.menu(label).Action()
		b.w.Win.Canvas().Focused().(interface{ SetText(string) }).SetText(to)
		b.pressMain()
		b.idle()
	}
	save("Save as a new file…", path)
	if now, _ := os.ReadFile(path); !bytes.Equal(now, was) || !s.edits.Unsaved() {
		t.Fatal("the open file was written")
	}
	b.w.Win.Canvas().Overlays().Top().Hide()
	want := bytes.Clone(was)
	want[9], want[10] = 0x63, 0x64
	copied, list := filepath.Join(t.TempDir(), "copy.usdc"), filepath.Join(t.TempDir(), "list.patch")
	save("Save as a new file…", copied)
	if got, err := os.ReadFile(copied); err != nil || !bytes.Equal(got, want) || s.edits.Unsaved() {
		t.Errorf("the copy is another: %v", err)
	}
	b.types(s, 9, "65")
	save("Save patch list…", list)
	if got, _ := os.ReadFile(list); string(got) != fmt.Sprintf("# arcs.usdc, %d bytes\n0x9 65 64\n", len(was)) {
		t.Errorf("the list is %q", got)
	}
	b.menu("Drop all changes").Action()
	b.decoded(s)
	if s.edits.Len() != 0 {
		t.Error("not dropped")
	}
	s.readListOf(list)
	b.until("the list", func() bool { return s.edits.Len() == 2 })
	b.decoded(s)
	if got := minorOf(t, s); got != "101" {
		t.Errorf("minor is %s", got)
	}
	b.w.close(s)
	if len(b.w.sessions) != 0 {
		t.Error("a tab whose bytes are saved asks")
	}
}

// TestTryWholeDisk: a file that cannot be written whole leaves nothing, and says so.
func TestTryWholeDisk(t *testing.T) { synctest.Test(t, testTryWholeDisk) }

func testTryWholeDisk(t *testing.T) {
	src := model.NewFileSource("gone", failing{})
	var w bytes.Buffer
	if err := copyAll(t.Context(), &w, src, nil); err == nil {
		t.Error("bytes that cannot be read are written")
	}
	if err := copyAll(t.Context(), full{}, model.NewFileSource("some", model.BytesReader(make([]byte, 10))), nil); err == nil {
		t.Error("a full disk is none")
	}
}

type failing struct{}

func (failing) Size() int64 { return 10 }

func (failing) ReadAt(context.Context, []byte, int64) (int, error) { return 0, os.ErrClosed }

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrInvalid }

// TestChangeValue: a value that is typed is written as its field is, which is found out by decoding; a row of the inspector is
// written as it is read.
func TestChangeValue(t *testing.T) { synctest.Test(t, testChangeValue) }

func testChangeValue(t *testing.T) {
	b := newBench(t)
	s, _ := b.tried()
	b.menu("Try bytes").Action() // off
	change := func(path, text string) string {
		s.Pane.Nav.GoTo(path)
		b.at(s, path)
		b.idle()
		b.menu("Change value…").Action()
		b.w.Win.Canvas().Focused().(interface{ SetText(string) }).SetText(text)
		b.pressMain()
		b.idle()
		if top := b.w.Win.Canvas().Overlays().Top(); top != nil {
			told := shownTexts(top)
			top.Hide()
			return told
		}
		b.decoded(s)
		p, err := s.Pane.Doc.Lookup(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return nodes.ValueText(t.Context(), &p.Node, 80)
	}
	if got := change("layout/bootstrap/version/minor", "7"); got != "7" || !s.edits.On {
		t.Errorf("minor is %s", got)
	}
	if got := change("layout/bootstrap/tocOffset", "0x100"); got != "256" {
		t.Errorf("the offset of the table of contents is %s", got)
	}
	if s.edits.Len() != 3 {
		t.Errorf("%d bytes are changed", s.edits.Len())
	}
	b.menu("Undo").Action()
	b.decoded(s)
	if got := change("layout/bootstrap/version/minor", "256"); !strings.Contains(got, "does not fit") {
		t.Errorf("a number that does not fit: %q", got)
	}
	s.Pane.Hex.Choose(s.Pane.Hex.Tabs[0])
	s.Pane.Details.Choose(document.TabInspector)
	s.Pane.Hex.Shown.View.SetCursor(0x20) // reserved
	s.Pane.CursorMoved()
	i := s.Pane.Details.Inspector
	b.until("the rows", func() bool { return len(i.RowData.All()) > 0 && i.At.Off == 0x20 })
	b.idle()
	for _, row := range i.RowData.All() {
		if row.Name == "u32" {
			s.ChangeReading(i.At, row)
		}
	}
	b.w.Win.Canvas().Focused().(interface{ SetText(string) }).SetText("0xabcd")
	b.pressMain()
	b.idle()
	b.decoded(s)
	got, err := s.Pane.Doc.Source().Bytes(t.Context(), 0x20, 4)
	if err != nil || fmt.Sprintf("%x", got) != "cdab0000" {
		t.Errorf("% x, %v", got, err)
	}
}
