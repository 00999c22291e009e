package description_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/treeview"
)

// text waits until a row of the description's text is as it should be.
func text(b *windowtest.Bench, what string, ok func(treeview.Row) bool) {
	b.Helper()
	b.Until(what, func() bool { return slices.ContainsFunc(b.W.Active.Pane.Text.Rows(), ok) })
}

// TestDescription reads an unknown file by a description, and again when that changes; one that is wrong is told, and the tree stays.
func TestDescription(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Open(opening.Target{File: windowtest.WriteFile(t, "a.bin", []byte("\x01\x02\x03\x04"))})
		b.Menu("Read by a description…")
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
		b.W.Active.ReadBy(file)
		b.Until("the description", func() bool { return b.W.Active.Described() && opening.DescriptionOf(b.W.Active.Pane.Doc) == file })
		s := b.W.Active
		s.Pane.Nav.GoTo("fields/level")
		b.At(s, "fields/level")
		s.Look()
		b.Menu("Description").Action()
		text(b, "the line of the node", func(r treeview.Row) bool { return r.Lit && r.Cells[0] == "2" })
		s.Pane.Nav.GoTo("fields")
		text(b, "the lines of the root", func(r treeview.Row) bool { return r.Lit && r.Cells[0] == "1" })
		s.Pane.Text.List.SelectIndex(1, false)
		b.At(s, "fields/level")

		change("{id: level, type: nothing}", 2_000_000)
		s.Look()
		b.Until("what is wrong", func() bool { return len(s.Pane.Notice.Objects) == 1 })
		if b.W.Active != s || s.Pane.Current().Path() != "fields/level" {
			t.Error("the tree did not stay")
		}
		text(b, "what is wrong in the text", func(r treeview.Row) bool {
			return r.Cells[0] == "2" && r.Mark == treeview.Error && r.Match.To > r.Match.From
		})
		text(b, "in words", func(r treeview.Row) bool { return r.Cells[0] == "" && strings.Contains(r.Cells[1], "nothing") })

		change("{id: level, type: u2le}", 3_000_000)
		s.Look()
		b.Until("the new description", func() bool { return b.W.Active != s && b.W.Active.Pane != nil })
		b.At(b.W.Active, "fields/level")
		if got := b.W.Active.Pane.Current().Node.Type; got != "u2le" {
			t.Errorf("level is %s", got)
		}
		for _, i := range b.W.Actions.Main.Items[2].Items {
			if i.Label == "Read by a description…" {
				t.Error("the item is there beside the setting")
			}
		}
	})
}

// TestDescriptionSettings keeps folders, programs and an editor, and opens the text in that.
func TestDescriptionSettings(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		t.Cleanup(func() { decoders.UseDescriptions(); _ = decoders.UseCodecs() })
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "tide.ksy"), []byte("meta: {id: tide, file-extension: tide}\nseq: [{id: level, type: u1}]"), 0o600); err != nil {
			t.Fatal(err)
		}
		b.Menu("Descriptions and codecs…").Action()
		fields := windowtest.Entries(b.W.Shell.Win.Canvas().Overlays().Top())[1:] // the first one searches
		fields[0].SetText(folder)
		fields[1].SetText("nonsense")
		b.PressMain()
		if b.W.Shell.Store.Codecs != nil || b.W.Shell.Win.Canvas().Overlays().Top() == nil {
			t.Error("a codec that is none was kept, or the dialog is closed")
		}
		fields[1].SetText("mine=cat")
		fields[2].SetText("no-such-editor --at {line}")
		b.PressMain()
		if got := b.W.Shell.Store; !slices.Equal(got.Formats, []string{folder}) || !slices.Equal(got.Codecs, []string{"mine=cat"}) {
			t.Errorf("%v %v are kept", got.Formats, got.Codecs)
		}
		b.Open(opening.Target{File: windowtest.WriteFile(t, "a.tide", []byte("x"))})
		b.Until("the description", func() bool { return b.W.Active.Pane != nil && b.W.Active.Described() })
		b.W.Active.Pane.Text.Edit()
		if b.W.Shell.Win.Canvas().Overlays().Top() == nil {
			t.Error("an editor that is not there is not told of")
		}
	})
}

// TestNewDescription begins a description of an unknown file, with a mark, and reads the file by it.
func TestNewDescription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Setenv("XDG_STATE_HOME", t.TempDir())
		b := windowtest.New(t)
		b.Open(opening.Target{File: windowtest.WriteFile(t, "log.tide", []byte("TIDE\x02\x00rest"))})
		s := b.W.Active
		b.Idle()
		s.Pane.Hex.Shown.View.Select(4, 2)
		s.Pane.Lists.Kept.Add()
		fields := windowtest.Entries(b.W.Shell.Win.Canvas().Overlays().Top())
		fields[0].SetText("Version of the log")
		for _, e := range fields {
			if strings.Contains(e.PlaceHolder, "u16") {
				e.SetText("u16")
			}
		}
		b.PressMain()
		b.Until("the mark", func() bool { return len(s.Pane.Lists.Kept.All()) == 1 })
		b.Menu("New description…").Action()
		file := filepath.Join(t.TempDir(), "tide.ksy")
		windowtest.Entries(b.W.Shell.Win.Canvas().Overlays().Top())[0].SetText(file)
		b.PressMain()
		b.Until("the description", func() bool { return b.W.Active != s && b.W.Active.Pane != nil && b.W.Active.Pane.Text != nil })
		b.W.Active.Pane.Nav.GoTo("fields/version_of_the_log")
		b.At(b.W.Active, "fields/version_of_the_log")
		if got := model.Show(t.Context(), b.W.Active.Pane.Current().Node.Value, 20); got != "2" {
			t.Errorf("the version is %s", got)
		}
		text(b, "its line", func(r treeview.Row) bool { return r.Lit && strings.Contains(r.Cells[1], "version_of_the_log") })
		s = b.W.Active
		b.Menu("New description…").Action()
		top := b.W.Shell.Win.Canvas().Overlays().Top()
		windowtest.Entries(top)[0].SetText(file)
		b.PressMain()
		b.Idle()
		if b.W.Active != s || b.W.Shell.Win.Canvas().Overlays().Top() == nil {
			t.Error("a file that is there was written over")
		}
	})
}

// TestProcessedTab: what a description inflates has a tab of its own, from its bytes and back, and a click there selects its
// field.
func TestProcessedTab(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/ksy/members.zip"})
		s.ReadBy("../../testdata/ksy/zip_members.ksy")
		b.Until("the members", func() bool {
			s = b.W.Active
			return s.Pane != nil && s.Pane.Doc.Format == "ksy" && s.Pane.Current() != nil
		})
		b.Idle()
		const member = "fields/members/[2]/inflated"
		s.Pane.Nav.GoTo(member)
		b.At(s, member)
		b.Idle()
		s.Pane.Origin.ToOrigin(-1)
		b.At(s, member+"@kaitai.compress.zlib")
		b.Idle()
		if src := s.Pane.Hex.Shown.Src; src.Size() != 18_889 || len(s.Pane.Hex.Tabs) != 2 {
			t.Fatalf("%d bytes are shown in %d tabs", src.Size(), len(s.Pane.Hex.Tabs))
		}
		s.Pane.Nav.Tapped(s.Pane.Hex.Shown.Src, 100, false)
		b.At(s, member)
	})
}
