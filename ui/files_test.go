package ui

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/widget"

	"cutaway/assets"
	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/nodes"
	"cutaway/ui/settings"
)

// write makes a file and returns its path.
func write(t *testing.T, name string, data []byte) string {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (b *bench) open(t Target) *session {
	b.Helper()
	b.w.open(t)
	s := b.w.active
	b.until("the file", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	return s
}

// sample opens the built-in sample.
func (b *bench) sample() *session {
	b.Helper()
	b.w.openSample()
	s := b.w.active
	b.until("the sample", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	return s
}

// atPoints opens the sample at an array of its, whose path it returns.
func (b *bench) atPoints() (s *session, path string) {
	b.Helper()
	path = "scene/Prototypes/Leg/.points/default"
	s = b.open(Target{File: "../assets/sample.usdc"})
	s.Pane.Nav.GoTo(path)
	b.at(s, path)
	b.idle()
	return s, path
}

// words joins all texts of labels below o.
func words(o fyne.CanvasObject) string {
	switch o := o.(type) {
	case *fyne.Container:
		var all []string
		for _, c := range o.Objects {
			all = append(all, words(c))
		}
		return strings.Join(all, "\n")
	case *container.Scroll:
		return words(o.Content)
	case *kit.Scroller:
		return words(o.Content())
	case *widget.Label:
		return o.Text
	case *kit.Selectable:
		return o.Text
	case *widget.Button:
		return o.Text
	case *kit.TextButton:
		return o.Text
	}
	return ""
}

// TestSample: the sample opens without any file, beside a welcome that can be hidden for good.
func TestSample(t *testing.T) { synctest.Test(t, testSample) }

func testSample(t *testing.T) {
	b := newBench(t)
	s := b.sample()
	if s.Pane.Doc.Format != "usdc" || s.Title() != "Sample" {
		t.Errorf("%s %s", s.Pane.Doc.Format, s.Title())
	}
	if len(b.w.body.Objects) != 1 || b.w.body.Objects[0] == b.w.stack {
		t.Error("no welcome")
	}
	b.w.Store.NoHello = true
	b.w.updateHello()
	if b.w.body.Objects[0] != b.w.stack {
		t.Error("the welcome stays")
	}
	for _, i := range b.w.menu.main.Items[0].Items {
		if i.Label == "Open the sample" {
			i.Action()
		}
	}
	if len(b.w.sessions) != 1 || b.w.body.Objects[0] == b.w.stack {
		t.Error("the menu opens the sample twice, or without its welcome")
	}
}

// TestUnknown: a file of no format is shown as plain bytes, and says why each format was refused.
func TestUnknown(t *testing.T) { synctest.Test(t, testUnknown) }

func testUnknown(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: write(t, "unknown.bin", []byte(strings.Repeat("nothing known ", 20)))})
	if s.Pane.Doc.Format != decoders.PlainBytes || s.Pane.Details.Refused == nil {
		t.Fatalf("opened as %s", s.Pane.Doc.Format)
	}
	last := s.Pane.Details.Bar.Tabs[len(s.Pane.Details.Bar.Tabs)-1].Title
	if last != "What is it?" {
		t.Errorf("last tab %q", last)
	}
	b.until("the tab to stay in front", func() bool { return len(s.Pane.Details.Rows.Objects) > 0 })
	if s.Pane.Details.Front != len(s.Pane.Details.Bar.Tabs)-1 {
		t.Error("the tab is not in front")
	}
}

// TestMissing: a file that is not there is told of in its tab, with no place of the tab before, and can be tried again.
func TestMissing(t *testing.T) { synctest.Test(t, testMissing) }

func testMissing(t *testing.T) {
	b := newBench(t)
	path := filepath.Join(t.TempDir(), "gone.usdc")
	b.open(Target{File: "../assets/sample.usdc"})
	b.until("a place", func() bool { return b.w.location.Text != "" && b.w.status.where.Text != "" })
	b.w.open(Target{File: path})
	s := b.w.active
	if at, where := b.w.location.Text, b.w.status.where.Text; at != "" || where != "" {
		t.Errorf("the window is at %q, %q", at, where)
	}
	b.until("the message", func() bool { return strings.Contains(words(s.object), "gone.usdc is not there") })
	if got := words(s.object); !strings.Contains(got, path) || !strings.Contains(got, "moved or renamed") || !strings.Contains(got, "Try again") {
		t.Errorf("%q", got)
	}
	if err := os.WriteFile(path, []byte("some bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.load(Target{})
	b.until("the file", func() bool { return s.Pane != nil && b.w.location.Text != "" && b.w.status.where.Text != "" })
}

// TestOpenAt opens at an offset, and twice the same file.
func TestOpenAt(t *testing.T) { synctest.Test(t, testOpenAt) }

func testOpenAt(t *testing.T) {
	b := newBench(t)
	path := write(t, "a.bin", make([]byte, 1000))
	s := b.open(Target{File: path, Offset: 0x123, HasOffset: true})
	b.until("the offset", func() bool { return s.Pane.Hex.Shown.View.Cursor() == 0x123 })
	b.w.open(Target{File: path, Offset: 5, HasOffset: true})
	if len(b.w.sessions) != 1 {
		t.Error("the file has two tabs")
	}
	b.until("the other offset", func() bool { return s.Pane.Hex.Shown.View.Cursor() == 5 })
	b.w.open(Target{File: path, Offset: 5000, HasOffset: true})
	if b.w.Win.Canvas().Overlays().Top() == nil {
		t.Error("nothing is told of an offset outside the file")
	}
}

// TestOpenAs opens a file as another format.
func TestOpenAs(t *testing.T) { synctest.Test(t, testOpenAs) }

func testOpenAs(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: write(t, "a.bin", make([]byte, 1000))})
	b.w.openWith(s, decoders.Options{Format: decoders.PlainBytes, At: 100})
	again := b.w.active
	b.until("the file", func() bool { return again.Pane != nil })
	if got := again.Pane.Doc.Source().Size(); got != 900 {
		t.Errorf("%d bytes from offset 100 on, want 900", got)
	}
	if got := b.w.tabs.Tabs[1].Title; got != "a.bin as bytes" {
		t.Errorf("tab %q", got)
	}
}

// TestReload: a change of the file is offered for reload, which keeps the selection.
func TestReload(t *testing.T) { synctest.Test(t, testReload) }

func testReload(t *testing.T) {
	b := newBench(t)
	path := write(t, "a.bin", make([]byte, 1000))
	s := b.open(Target{File: path})
	s.look()
	if len(s.Pane.Notice.Objects) != 0 {
		t.Fatal("a change is told of that was none")
	}
	if err := os.WriteFile(path, make([]byte, 1200), 0o600); err != nil {
		t.Fatal(err)
	}
	s.look()
	if len(s.Pane.Notice.Objects) != 1 {
		t.Fatal("the change is not told of")
	}
	place := fyne.CurrentApp().Driver().AbsolutePositionForObject
	if place(s.Pane.Below.Split).Y-place(s.Pane.Object).Y < s.Pane.Notice.Objects[0].MinSize().Height {
		t.Error("the panes cover what is told")
	}
	s.reload()
	fresh := b.w.active
	b.until("the file", func() bool { return fresh != s && fresh.Pane != nil && fresh.Pane.Current() != nil })
	if fresh.Pane.Doc.Source().Size() != 1200 || len(b.w.sessions) != 1 || s.ctx.Err() == nil {
		t.Error("not the new file, or the old one is still open")
	}
}

// TestLostBytes: a file that shrinks below what is read of it is said to lack bytes, and is not sound; once told of it stays told.
func TestLostBytes(t *testing.T) { synctest.Test(t, testLostBytes) }

func testLostBytes(t *testing.T) {
	b := newBench(t)
	path := write(t, "a.usdc", bytes.Clone(assets.Sample))
	s := b.open(Target{File: path})
	b.until("its check", func() bool { return s.Pane.Details.Problems.Whole })
	if !strings.Contains(b.w.status.what.Text, "no problems") {
		t.Fatalf("the status of a sound file is %q", b.w.status.what.Text)
	}
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Pane.Doc.Source().Bytes(t.Context(), 20_000, 9); err == nil {
		t.Fatal("bytes are read that are not there")
	}
	s.look()
	told := shownTexts(s.Pane.Notice)
	if lost := model.FailedRead(s.Pane.Doc); !strings.Contains(told, "could not be read") || !strings.Contains(told, lost.Error()) || !strings.Contains(told, "Reload") {
		t.Errorf("%v is told as\n%s", lost, told)
	}
	if got := b.w.status.what.Text; strings.Contains(got, "no problems") || !strings.Contains(got, "could not be read") {
		t.Errorf("the status of a file that lacks bytes is %q", got)
	}
	s.Pane.Notice.Objects = nil
	s.look()
	if len(s.Pane.Notice.Objects) != 0 {
		t.Error("what was closed is told again")
	}
}

// TestDrop opens dropped files, whose names come percent-encoded.
func TestDrop(t *testing.T) { synctest.Test(t, testDrop) }

func testDrop(t *testing.T) {
	b := newBench(t)
	path := write(t, "two words.bin", make([]byte, 10))
	b.w.dropped([]fyne.URI{storage.NewFileURI(strings.ReplaceAll(path, " ", "%20"))})
	s := b.w.active
	b.until("the file", func() bool { return s.Pane != nil })
	if s.file != path {
		t.Errorf("opened %s", s.file)
	}
}

// TestTabs opens and closes files.
func TestTabs(t *testing.T) { synctest.Test(t, testTabs) }

func testTabs(t *testing.T) {
	b := newBench(t)
	first := b.open(Target{File: write(t, "a.bin", make([]byte, 10))})
	second := b.open(Target{File: write(t, "b.bin", make([]byte, 10))})
	b.w.tabs.Choose(0)
	if b.w.active != first || b.w.Win.Title() != "a.bin · Cutaway" {
		t.Errorf("shown %s", b.w.Win.Title())
	}
	b.w.close(first)
	if b.w.active != second || first.ctx.Err() == nil {
		t.Error("the other file is not shown, or the closed one still works")
	}
	b.w.close(second)
	if b.w.active != nil || !strings.Contains(words(b.w.stack), "Recent") {
		t.Error("no empty window with the recent files")
	}
	if got := settings.There(b.w.Store.RecentNames()); len(got) != 2 || got[0].Title() != "b.bin" {
		t.Errorf("recent %v", got)
	}
}

// TestStore: what is remembered survives, damaged files do not hurt, and the list is bounded.
func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cutaway", "window.json")
	s := settings.Load(path)
	s.Choice = look.Dark
	s.Columns["tree"] = []float32{1, 2}
	for i := range 20 {
		if err := s.Opened(write(t, string(rune('a'+i)), nil)); err != nil {
			t.Fatal(err)
		}
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
	if got := settings.Load(path).Recent; len(got) != 2 {
		t.Errorf("recent %v", got)
	}
}

// TestPendingAndCancel: a pending part is decoded in the background, its progress is shown after a moment, cancelling
// keeps the rest, and it can be tried again.
func TestPendingAndCancel(t *testing.T) { synctest.Test(t, testPendingAndCancel) }

func testPendingAndCancel(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	s.Pane.Nav.GoTo("layout/slow")
	b.at(s, "layout/slow")
	tree := s.Pane.Trees.Tree(s.Pane.Trees.View())
	rows := tree.Rows()
	tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if tree.Rows() != rows+1 {
		t.Fatalf("%d rows, want one more that tells of the work", tree.Rows())
	}
	b.until("progress", func() bool { return b.w.status.work.Visible() && b.w.status.bar.Value == 0.25 })
	if got := b.w.status.doing.Text; !strings.HasPrefix(got, "decoding layout/slow: rows") {
		t.Errorf("says %q", got)
	}
	b.w.status.cancel.OnTapped()
	b.until("the end of the work", func() bool { return !b.w.status.work.Visible() })
	if s.Pane == nil || tree.Rows() != rows+1 {
		t.Error("cancelling lost something")
	}
	close(doc.Gate)
	tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.idle()
	tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	b.until("what is inside", func() bool {
		s.Pane.Nav.GoTo("layout/slow/inside")
		b.idle()
		return s.Pane.Current().Path() == "layout/slow/inside"
	})
}

func TestParseGoal(t *testing.T) {
	views := []string{"scene", "layout"}
	for _, c := range []struct {
		text string
		want destination
		err  string
	}{
		{"1234", destination{off: 1234}, ""},
		{" 0x4d2 ", destination{off: 1234}, ""},
		{"0X4D2", destination{off: 1234}, ""},
		{"4d2h", destination{off: 1234}, ""},
		{"1,000", destination{off: 1000}, ""},
		{"1_000", destination{off: 1000}, ""},
		{"+16", destination{off: 116}, ""},
		{"+0x10", destination{off: 116}, ""},
		{"-16", destination{off: 84}, ""},
		{"end", destination{off: 9999}, ""},
		{"end-16", destination{off: 9984}, ""},
		{"END - 0x10", destination{}, "neither"},
		{"layout/TOC/[3]", destination{path: "layout/TOC/[3]"}, ""},
		{"scene", destination{path: "scene"}, ""},
		{"scene/", destination{path: "scene"}, ""},
		{"", destination{}, "type a path"},
		{"10000", destination{}, "outside a.bin, which has 10,000 bytes"},
		{"-101", destination{}, "outside"},
		{"end-10001", destination{}, "outside"},
		{"end+1", destination{}, "neither"},
		{"nonsense", destination{}, "neither"},
		{"nowhere/x", destination{}, "no view"},
		{"0x", destination{}, "neither"},
		{"99999999999999999999", destination{}, "neither"},
		{"-9223372036854775807", destination{}, "neither"},
	} {
		got, err := parseDestination(c.text, views, "a.bin", 100, 10000)
		switch {
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%q: %+v, %v, want %+v", c.text, got, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q: %v, want %q", c.text, err, c.err)
		}
	}
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
func TestMenus(t *testing.T) { synctest.Test(t, testMenus) }

func testMenus(t *testing.T) {
	b := newBench(t)
	b.fake()
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
	for _, m := range b.w.menu.main.Items {
		walk(m)
	}
	if len(keys) < 12 {
		t.Errorf("%d keys", len(keys))
	}
	b.w.showKeys()
	b.w.showAbout()
	b.w.openAs()
	if n := len(b.w.Win.Canvas().Overlays().List()); n != 3 {
		t.Errorf("%d windows over the window, want 3", n)
	}
}

// TestEscapeLocation: Escape leaves the location bar as it was.
func TestEscapeLocation(t *testing.T) { synctest.Test(t, testEscapeLocation) }

func testEscapeLocation(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.Pane.Nav.GoTo("layout/table")
	b.at(s, "layout/table")
	b.w.focusLocation("")
	b.w.location.TypedRune('x')
	b.w.location.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if got := b.w.location.Text; got != "layout/table" || b.w.Win.Canvas().Focused() != s.Pane.Trees.Tree(s.Pane.Trees.View()) {
		t.Errorf("location %q", got)
	}
}

// TestChooser goes into folders and opens a file.
func TestChooser(t *testing.T) { synctest.Test(t, testChooser) }

func testChooser(t *testing.T) {
	b := newBench(t)
	path := write(t, "a.bin", make([]byte, 10))
	if err := os.Mkdir(filepath.Join(filepath.Dir(path), "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := files.ChooseHere(b.w.Shell, "Open a file", b.w.lastFolder(), nil, false, func(path string) { b.w.open(Target{File: path}) })
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
	s := b.w.active
	b.until("the file", func() bool { return s != nil && s.Pane != nil })
}

// TestTabBar: keys, closing and scrolling to the selected tab.
func TestTabBar(t *testing.T) { synctest.Test(t, testTabBar) }

func testTabBar(t *testing.T) {
	newBench(t)
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
}

// TestColumnWidths: only widths that the user has chosen are kept; a large file gets room for its numbers.
func TestColumnWidths(t *testing.T) { synctest.Test(t, testColumnWidths) }

func testColumnWidths(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	tree := s.Pane.Trees.Tree(s.Pane.Trees.View())
	widths := tree.Widths()
	widths[0] += 50
	tree.OnColumns(widths)
	kept := b.w.Store.Columns["tree"]
	if kept[0] != nodes.TreeColumns[0].Width+50 || kept[3] != 0 {
		t.Errorf("kept %v", kept)
	}
	if got := s.Pane.Trees.Tree(doc.Views[1]).Widths(); got[0] != kept[0] || got[3] != nodes.TreeColumns[3].Width {
		t.Errorf("another tree has %v", got)
	}
	terabyte := &model.Document{Sources: []*model.Source{model.NewFileSource("large", model.NewWindow(nil, 0, 1<<40))}}
	if large := nodes.ColumnsFor(terabyte); large[3].Width <= nodes.TreeColumns[3].Width || large[4].Width <= nodes.TreeColumns[4].Width {
		t.Errorf("a large file has %v", large)
	}
}
