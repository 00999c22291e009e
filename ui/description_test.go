package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/treeview"
)

// text waits until a row of the description's text is as it should be.
func (b *bench) text(what string, ok func(treeview.Row) bool) {
	b.Helper()
	b.until(what, func() bool { return slices.ContainsFunc(b.w.active.Pane.Text.Rows(), ok) })
}

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
	s.Pane.Nav.GoTo("fields/level")
	b.at(s, "fields/level")
	s.look()
	b.menu("Description").Action()
	b.text("the line of the node", func(r treeview.Row) bool { return r.Lit && r.Cells[0] == "2" })
	s.Pane.Nav.GoTo("fields")
	b.text("the lines of the root", func(r treeview.Row) bool { return r.Lit && r.Cells[0] == "1" })
	s.Pane.Text.List.SelectIndex(1, false)
	b.at(s, "fields/level")

	change("{id: level, type: nothing}", 2_000_000)
	s.look()
	b.until("what is wrong", func() bool { return len(s.Pane.Notice.Objects) == 1 })
	if b.w.active != s || s.Pane.Current().Path() != "fields/level" {
		t.Error("the tree did not stay")
	}
	b.text("what is wrong in the text", func(r treeview.Row) bool {
		return r.Cells[0] == "2" && r.Mark == treeview.Error && r.Match.To > r.Match.From
	})
	b.text("in words", func(r treeview.Row) bool { return r.Cells[0] == "" && strings.Contains(r.Cells[1], "nothing") })

	change("{id: level, type: u2le}", 3_000_000)
	s.look()
	b.until("the new description", func() bool { return b.w.active != s && b.w.active.Pane != nil })
	b.at(b.w.active, "fields/level")
	if got := b.w.active.Pane.Current().Node.Type; got != "u2le" {
		t.Errorf("level is %s", got)
	}
	for _, i := range b.w.menu.view.Items {
		if i.Label == "Read by a description…" {
			t.Error("the item is there beside the setting")
		}
	}
}

// TestDescriptionSettings keeps folders, programs and an editor, and opens the text in that.
func TestDescriptionSettings(t *testing.T) { synctest.Test(t, testDescriptionSettings) }

func testDescriptionSettings(t *testing.T) {
	b := newBench(t)
	t.Cleanup(func() { decoders.UseDescriptions(); _ = decoders.UseCodecs() })
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "tide.ksy"), []byte("meta: {id: tide, file-extension: tide}\nseq: [{id: level, type: u1}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.menu("Descriptions and codecs…").Action()
	fields := entries(b.w.Win.Canvas().Overlays().Top())[1:] // the first one searches
	fields[0].SetText(folder)
	fields[1].SetText("nonsense")
	b.pressMain()
	if b.w.Store.Codecs != nil || b.w.Win.Canvas().Overlays().Top() == nil {
		t.Error("a codec that is none was kept, or the dialog is closed")
	}
	fields[1].SetText("mine=cat")
	fields[2].SetText("no-such-editor --at {line}")
	b.pressMain()
	if got := b.w.Store; !slices.Equal(got.Formats, []string{folder}) || !slices.Equal(got.Codecs, []string{"mine=cat"}) {
		t.Errorf("%v %v are kept", got.Formats, got.Codecs)
	}
	b.open(Target{File: write(t, "a.tide", []byte("x"))})
	b.until("the description", func() bool { return b.w.active.Pane != nil && b.w.active.description() != "" })
	b.w.active.Pane.Text.Edit()
	if b.w.Win.Canvas().Overlays().Top() == nil {
		t.Error("an editor that is not there is not told of")
	}
}

// TestNewDescription begins a description of an unknown file, with a mark, and reads the file by it.
func TestNewDescription(t *testing.T) { synctest.Test(t, testNewDescription) }

func testNewDescription(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	b := newBench(t)
	b.open(Target{File: write(t, "log.tide", []byte("TIDE\x02\x00rest"))})
	s := b.w.active
	b.idle()
	s.Pane.Hex.Shown.View.Select(4, 2)
	s.Pane.Details.Kept.Add()
	fields := entries(b.w.Win.Canvas().Overlays().Top())
	fields[0].SetText("Version of the log")
	for _, e := range fields {
		if strings.Contains(e.PlaceHolder, "u16") {
			e.SetText("u16")
		}
	}
	b.pressMain()
	b.until("the mark", func() bool { return len(s.Pane.Details.Kept.All()) == 1 })
	b.menu("New description…").Action()
	file := filepath.Join(t.TempDir(), "tide.ksy")
	entries(b.w.Win.Canvas().Overlays().Top())[0].SetText(file)
	b.pressMain()
	b.until("the description", func() bool { return b.w.active != s && b.w.active.Pane != nil && b.w.active.Pane.Text != nil })
	b.w.active.Pane.Nav.GoTo("fields/version_of_the_log")
	b.at(b.w.active, "fields/version_of_the_log")
	if got := model.Show(t.Context(), b.w.active.Pane.Current().Node.Value, 20); got != "2" {
		t.Errorf("the version is %s", got)
	}
	b.text("its line", func(r treeview.Row) bool { return r.Lit && strings.Contains(r.Cells[1], "version_of_the_log") })
	s = b.w.active
	b.menu("New description…").Action()
	top := b.w.Win.Canvas().Overlays().Top()
	entries(top)[0].SetText(file)
	b.pressMain()
	b.idle()
	if b.w.active != s || b.w.Win.Canvas().Overlays().Top() == nil {
		t.Error("a file that is there was written over")
	}
}

// TestProcessedTab: what a description inflates has a tab of its own, from its bytes and back, and a click there selects its
// field.
func TestProcessedTab(t *testing.T) { synctest.Test(t, testProcessedTab) }

func testProcessedTab(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../testdata/ksy/members.zip"})
	s.readBy("../testdata/ksy/zip_members.ksy")
	b.until("the members", func() bool {
		s = b.w.active
		return s.Pane != nil && s.Pane.Doc.Format == "ksy" && s.Pane.Current() != nil
	})
	b.idle()
	const member = "fields/members/[2]/inflated"
	s.Pane.Nav.GoTo(member)
	b.at(s, member)
	b.idle()
	s.Pane.Origin.ToOrigin(-1)
	b.at(s, member+"@kaitai.compress.zlib")
	b.idle()
	if src := s.Pane.Hex.Shown.Src; src.Size() != 18_889 || len(s.Pane.Hex.Tabs) != 2 {
		t.Fatalf("%d bytes are shown in %d tabs", src.Size(), len(s.Pane.Hex.Tabs))
	}
	s.Pane.Nav.Tapped(s.Pane.Hex.Shown.Src, 100, false)
	b.at(s, member)
}
