package tab_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"cutaway/ui/document"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/storage"

	"cutaway/assets"
	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/nodes"
	"cutaway/ui/settings"
)

// TestSample: the sample opens without any file, beside a welcome that can be hidden for good.
func TestSample(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		if s.Pane.Doc.Format != "usdc" || s.Title() != "Sample" {
			t.Errorf("%s %s", s.Pane.Doc.Format, s.Title())
		}
		if !s.Pane.HasAbove() {
			t.Error("no welcome")
		}
		b.W.Setting("no_welcome").Switch.Set(false)
		if s.Pane.HasAbove() {
			t.Error("the welcome stays")
		}
		for _, i := range b.W.Actions.Main.Items[0].Items {
			if i.Label == "Open the sample" {
				i.Action()
			}
		}
		if len(b.W.Pages.All) != 1 || !s.Pane.HasAbove() {
			t.Error("the menu opens the sample twice, or without its welcome")
		}
	})
}

// TestUnknown: a file of no format is shown as plain bytes, and says why each format was refused.
func TestUnknown(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "unknown.bin", []byte(strings.Repeat("nothing known ", 20)))})
		if s.Pane.Doc.Format != decoders.PlainBytes || !s.Pane.Stage.Has(document.WhatIsIt) {
			t.Fatalf("opened as %s", s.Pane.Doc.Format)
		}
		b.Until("the card", func() bool { return len(s.Pane.Side.Card.Rows.Objects) > 0 })
		b.Idle()
		if s.Pane.Stage.Kind() != document.WhatIsIt || s.Pane.Stage.Strip.Tabs[0].Title != document.WhatIsIt {
			t.Errorf("%s is on the stage", s.Pane.Stage.Kind())
		}
	})
}

// TestMissing: a file that is not there is told of in its tab, with no place of the tab before, and can be tried again.
func TestMissing(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		path := filepath.Join(t.TempDir(), "gone.usdc")
		b.Open(opening.Target{File: "../../assets/sample.usdc"})
		b.Until("a place", func() bool { return b.W.Place.Entry.Text != "" && b.W.Status.Where.Text != "" })
		b.W.Open(opening.Target{File: path})
		s := b.W.Active
		if at, where := b.W.Place.Entry.Text, b.W.Status.Where.Text; at != "" || where != "" {
			t.Errorf("the window is at %q, %q", at, where)
		}
		b.Until("the message", func() bool { return strings.Contains(windowtest.Words(s.Object), "gone.usdc is not there") })
		if got := windowtest.Words(s.Object); !strings.Contains(got, path) || !strings.Contains(got, "moved or renamed") || !strings.Contains(got, "Try again") {
			t.Errorf("%q", got)
		}
		if err := os.WriteFile(path, []byte("some bytes"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.Load(opening.Target{})
		b.Until("the file", func() bool { return s.Pane != nil && b.W.Place.Entry.Text != "" && b.W.Status.Where.Text != "" })
	})
}

// TestOpenAt opens at an offset, and twice the same file.
func TestOpenAt(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		path := windowtest.WriteFile(t, "a.bin", make([]byte, 1000))
		s := b.Open(opening.Target{File: path, Offset: 0x123, HasOffset: true})
		b.Until("the offset", func() bool { return s.Pane.Hex.Shown.View.Cursor() == 0x123 })
		b.W.Open(opening.Target{File: path, Offset: 5, HasOffset: true})
		if len(b.W.Pages.All) != 1 {
			t.Error("the file has two tabs")
		}
		b.Until("the other offset", func() bool { return s.Pane.Hex.Shown.View.Cursor() == 5 })
		b.W.Open(opening.Target{File: path, Offset: 5000, HasOffset: true})
		if b.W.Shell.Win.Canvas().Overlays().Top() == nil {
			t.Error("nothing is told of an offset outside the file")
		}
	})
}

// TestOpenAs opens a file as another format.
func TestOpenAs(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "a.bin", make([]byte, 1000))})
		b.W.Opener.Subject(opening.Subject{File: s.Subject.File, Options: decoders.Options{Format: decoders.PlainBytes, At: 100}})
		again := b.W.Active
		b.Until("the file", func() bool { return again.Pane != nil })
		if got := again.Pane.Doc.Source().Size(); got != 900 {
			t.Errorf("%d bytes from offset 100 on, want 900", got)
		}
		if got := b.W.Pages.Bar.Tabs[1].Title; got != "a.bin as bytes" {
			t.Errorf("tab %q", got)
		}
	})
}

// TestReload: a change of the file is offered for reload, which keeps the selection.
func TestReload(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		path := windowtest.WriteFile(t, "a.bin", make([]byte, 1000))
		s := b.Open(opening.Target{File: path})
		s.Look()
		if len(s.Pane.Notice.Objects) != 0 {
			t.Fatal("a change is told of that was none")
		}
		if err := os.WriteFile(path, make([]byte, 1200), 0o600); err != nil {
			t.Fatal(err)
		}
		s.Look()
		if len(s.Pane.Notice.Objects) != 1 {
			t.Fatal("the change is not told of")
		}
		place := fyne.CurrentApp().Driver().AbsolutePositionForObject
		if place(s.Pane.Frame.Object).Y-place(s.Pane.Object).Y < s.Pane.Notice.Objects[0].MinSize().Height {
			t.Error("the panes cover what is told")
		}
		s.Reload()
		fresh := b.W.Active
		b.Until("the file", func() bool { return fresh != s && fresh.Pane != nil && fresh.Pane.Current() != nil })
		if fresh.Pane.Doc.Source().Size() != 1200 || len(b.W.Pages.All) != 1 || !s.Ended() {
			t.Error("not the new file, or the old one is still open")
		}
	})
}

// TestLostBytes: a file that shrinks below what is read of it is said to lack bytes, and is not sound; once told of it stays told.
func TestLostBytes(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		path := windowtest.WriteFile(t, "a.usdc", bytes.Clone(assets.Sample))
		s := b.Open(opening.Target{File: path})
		b.Until("its check", func() bool { return s.Pane.Lists.Problems.Whole })
		if !strings.Contains(b.W.Status.Verdict.Text, "No problems") {
			t.Fatalf("the status of a sound file is %q", b.W.Status.Verdict.Text)
		}
		if err := os.Truncate(path, 1000); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Pane.Doc.Source().Bytes(t.Context(), 20_000, 9); err == nil {
			t.Fatal("bytes are read that are not there")
		}
		s.Look()
		told := windowtest.ShownTexts(s.Pane.Notice)
		if lost := model.FailedRead(s.Pane.Doc); !strings.Contains(told, "could not be read") || !strings.Contains(told, lost.Error()) || !strings.Contains(told, "Reload") {
			t.Errorf("%v is told as\n%s", lost, told)
		}
		if got := b.W.Status.Verdict.Text; strings.Contains(got, "No problems") || !strings.Contains(got, "could not be read") {
			t.Errorf("the status of a file that lacks bytes is %q", got)
		}
		s.Pane.Notice.Objects = nil
		s.Look()
		if len(s.Pane.Notice.Objects) != 0 {
			t.Error("what was closed is told again")
		}
	})
}

// TestDrop opens dropped files, whose names come percent-encoded.
func TestDrop(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		path := windowtest.WriteFile(t, "two words.bin", make([]byte, 10))
		b.W.Dropped([]fyne.URI{storage.NewFileURI(strings.ReplaceAll(path, " ", "%20"))})
		s := b.W.Active
		b.Until("the file", func() bool { return s.Pane != nil })
		if s.Subject.File != path {
			t.Errorf("opened %s", s.Subject.File)
		}
	})
}

// TestTabs opens and closes files.
func TestTabs(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		first := b.Open(opening.Target{File: windowtest.WriteFile(t, "a.bin", make([]byte, 10))})
		second := b.Open(opening.Target{File: windowtest.WriteFile(t, "b.bin", make([]byte, 10))})
		b.W.Pages.Bar.Choose(0)
		if b.W.Active != first || b.W.Shell.Win.Title() != "a.bin · Cutaway" {
			t.Errorf("shown %s", b.W.Shell.Win.Title())
		}
		b.W.Pages.Close(first)
		if b.W.Active != second || !first.Ended() {
			t.Error("the other file is not shown, or the closed one still works")
		}
		b.W.Pages.Close(second)
		if b.W.Active != nil || !strings.Contains(windowtest.Words(b.W.Pages.Stack), "Recent") {
			t.Error("no empty window with the recent files")
		}
		if got := settings.There(b.W.Shell.Store.RecentNames()); len(got) != 2 || got[0].Title() != "b.bin" {
			t.Errorf("recent %v", got)
		}
	})
}

// TestStore: what is remembered survives, damaged files do not hurt, and the list is bounded.
func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cutaway", "window.json")
	s := settings.Load(path)
	s.Choice = look.Dark
	s.Columns["tree"] = []float32{1, 2}
	for i := range 20 {
		if err := s.Opened(windowtest.WriteFile(t, string(rune('a'+i)), nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	again := settings.Load(path)
	if len(settings.There(again.RecentNames())) != settings.MaxRecent || again.Choice != look.Dark || again.Columns["tree"][1] != 2 {
		t.Errorf("%+v", again)
	}
	if filepath.Base(again.Recent[0]) != "t" {
		t.Errorf("last is %s", again.Recent[0])
	}
	if err := again.Opened(again.Recent[3]); err != nil || len(again.Recent) != settings.MaxRecent {
		t.Errorf("%v, %d", err, len(again.Recent))
	}
	if err := again.End(); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Dir(path) + "/window*.json"); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
	if err := os.WriteFile(path, []byte("{half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := settings.Load(path); len(got.Recent) != 0 || got.Columns == nil || got.Damage == "" {
		t.Errorf("from a damaged file: %+v", got)
	}
}

// TestTwoWindows: two windows do not lose each other's recent files.
func TestTwoWindows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	one, two := settings.Load(path), settings.Load(path)
	if err := one.Opened("/a"); err != nil {
		t.Fatal(err)
	}
	if err := two.Opened("/b"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(one.End(), two.End()); err != nil {
		t.Fatal(err)
	}
	if got := settings.Load(path).Recent; len(got) != 2 {
		t.Errorf("recent %v", got)
	}
}

// TestPendingAndCancel: a pending part is decoded in the background, its progress is shown after a moment, cancelling
// keeps the rest, and it can be tried again.
func TestPendingAndCancel(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.W.Shell.Store.CheckLimit = -1 // nothing else decodes it
		s, doc := b.Fake()
		s.Pane.Nav.GoTo("layout/slow")
		b.At(s, "layout/slow")
		tree := s.Pane.Trees.Tree(s.Pane.Trees.View())
		rows := tree.Rows()
		tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		if tree.Rows() != rows+1 {
			t.Fatalf("%d rows, want one more that tells of the work", tree.Rows())
		}
		b.Until("progress", func() bool { return b.W.Status.Work.Visible() && b.W.Status.Bar.Value == 0.25 })
		if got := b.W.Status.Doing.Text; !strings.HasPrefix(got, "decoding layout/slow: rows") {
			t.Errorf("says %q", got)
		}
		b.W.Status.Cancel.OnTapped()
		b.Until("the end of the work", func() bool { return !b.W.Status.Work.Visible() })
		if s.Pane == nil || tree.Rows() != rows+1 {
			t.Error("cancelling lost something")
		}
		close(doc.Gate)
		tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		b.Idle()
		tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
		b.Until("what is inside", func() bool {
			s.Pane.Nav.GoTo("layout/slow/inside")
			b.Idle()
			return s.Pane.Current().Path() == "layout/slow/inside"
		})
	})
}

func TestTexts(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567"} {
		if got := model.Grouped(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for path, want := range map[string]string{"layout/a@x/[3]": "layout/a@x", "layout/a@x": "layout/a", "layout/a": "layout", "layout": "", "layout/a@x@y": "layout/a@x"} {
		if got := nodes.ParentPath(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestMenus: every item does something, and every shortcut is there once.
func TestMenus(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Fake()
		keys := make(map[string]string)
		var walk func(m *fyne.Menu)
		walk = func(m *fyne.Menu) {
			for _, i := range m.Items {
				if i.IsSeparator {
					continue
				}
				if i.Action == nil && i.ChildMenu == nil {
					t.Errorf("%s does nothing", i.Label)
				}
				if i.Shortcut != nil {
					if other, taken := keys[i.Shortcut.ShortcutName()]; taken {
						t.Errorf("%s and %s have the same key", i.Label, other)
					}
					keys[i.Shortcut.ShortcutName()] = i.Label
				}
				if i.ChildMenu != nil {
					walk(i.ChildMenu)
				}
			}
		}
		for _, m := range b.W.Actions.Main.Items {
			walk(m)
		}
		if len(keys) < 12 {
			t.Errorf("%d keys", len(keys))
		}
		b.W.Actions.Find("help.keys").Do()
		b.W.Actions.Find("help.about").Do()
		b.W.Actions.Find("view.as").Do()
		if n := len(b.W.Shell.Win.Canvas().Overlays().List()); n != 3 {
			t.Errorf("%d windows over the window, want 3", n)
		}
	})
}

// TestEscapeLocation: Escape leaves the location bar as it was.
func TestEscapeLocation(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/table")
		b.At(s, "layout/table")
		b.W.Actions.Find("go.offset").Do()
		b.W.Place.Entry.TypedRune('x')
		b.W.Place.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if got := b.W.Place.Entry.Text; got != "layout/table" || b.W.Shell.Win.Canvas().Focused() != s.Pane.Trees.Tree(s.Pane.Trees.View()) {
			t.Errorf("location %q", got)
		}
	})
}

// TestChooser goes into folders and opens a file.
func TestChooser(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		path := windowtest.WriteFile(t, "a.bin", make([]byte, 10))
		if err := os.Mkdir(filepath.Join(filepath.Dir(path), "folder"), 0o700); err != nil {
			t.Fatal(err)
		}
		c := files.ChooseHere(b.W.Shell, "Open a file", b.W.Folder(), nil, false, func(path string) { b.W.Open(opening.Target{File: path}) })
		c.Show(filepath.Dir(path))
		if rows := c.Data.All(); len(rows) != 2 || rows[0].Name != "folder" || c.Row(rows[1]).Cells[1] != "10" {
			t.Fatalf("%v", rows)
		}
		if c.Take(filepath.Join(c.Folder, "folder")) || filepath.Base(c.Folder) != "folder" {
			t.Error("a folder is not gone into")
		}
		if c.Take(filepath.Join(c.Folder, "nothing")) || c.Told.Text == "" {
			t.Error("nothing is told of a file that is not there")
		}
		if !c.Take(path) {
			t.Error("the file is not taken")
		}
		s := b.W.Active
		b.Until("the file", func() bool { return s != nil && s.Pane != nil })
	})
}

// TestTabBar: keys, closing and scrolling to the selected tab.
func TestTabBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		windowtest.New(t)
		var chosen, closed []int
		bar := kit.NewTabBar(func(i int) { chosen = append(chosen, i) })
		bar.OnClose = func(i int) { closed = append(closed, i) }
		bar.Set([]kit.Tab{{Title: "one", Close: true}, {Title: "two"}, {Title: "a long title that does not fit"}}, 0)
		bar.Resize(fyne.NewSize(150, bar.Height()))
		bar.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
		bar.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		bar.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		bar.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		if len(chosen) != 2 || bar.Selected != 2 || bar.Scroll == 0 {
			t.Errorf("chosen %v, scrolled %g", chosen, bar.Scroll)
		}
		bar.Scroll = 0
		edge := bar.Edges()[1]
		bar.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(edge-kit.TabPad, 5)}, Button: desktop.MouseButtonPrimary})
		bar.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(edge+5, 5)}, Button: desktop.MouseButtonPrimary})
		if len(closed) != 1 || closed[0] != 0 || bar.Selected != 1 {
			t.Errorf("closed %v, selected %d", closed, bar.Selected)
		}
	})
}

// TestColumnWidths: only widths that the user has chosen are kept; a large file gets room for its numbers.
func TestColumnWidths(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		layout := doc.View(model.LayoutView)
		tree := s.Pane.Trees.Tree(layout)
		widths := tree.Widths()
		widths[0] += 50
		tree.OnColumns(widths)
		kept := b.W.Shell.Store.Columns["tree"]
		if kept[0] != nodes.TreeColumns[0].Width+50 || kept[3] != 0 {
			t.Errorf("kept %v", kept)
		}
		if got := s.Pane.Trees.Tree(doc.View("scene")).Widths(); got[0] == kept[0] || got[3] != 0 {
			t.Errorf("a tree that tells the meaning has %v", got)
		}
		terabyte := &model.Document{Sources: []*model.Source{model.NewFileSource("large", model.NewWindow(nil, 0, 1<<40))}}
		if large := nodes.ColumnsFor(terabyte, layout); large[3].Width <= nodes.TreeColumns[3].Width || large[4].Width <= nodes.TreeColumns[4].Width {
			t.Errorf("a large file has %v", large)
		}
	})
}
