package kit

import (
	"image/color"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// TestScroller: keys scroll as far as there is something.
func TestScroller(t *testing.T) {
	test.NewTempApp(t)
	high := canvas.NewRectangle(color.Black)
	high.SetMinSize(fyne.NewSize(400, 1000))
	s := NewScroller(high, true)
	w := test.NewTempWindow(t, s)
	w.Resize(fyne.NewSize(200, 200))
	s.Tapped(nil)
	keys := w.Canvas().Focused()
	for _, step := range []struct {
		key   fyne.KeyName
		right func(fyne.Position) bool
	}{
		{fyne.KeyDown, func(p fyne.Position) bool { return p.Y > 0 && p.Y < 100 }},
		{fyne.KeyPageDown, func(p fyne.Position) bool { return p.Y > 100 && p.Y < 400 }},
		{fyne.KeyRight, func(p fyne.Position) bool { return p.X > 0 }},
		{fyne.KeyEnd, func(p fyne.Position) bool { return p.Y == 1000-s.Size().Height }},
		{fyne.KeyUp, func(p fyne.Position) bool { return p.Y < 1000-s.Size().Height }},
		{fyne.KeyHome, func(p fyne.Position) bool { return p == fyne.Position{} }},
	} {
		keys.TypedKey(&fyne.KeyEvent{Name: step.key})
		if !step.right(s.Offset()) {
			t.Errorf("%s scrolls to %v", step.key, s.Offset())
		}
	}
}

// TestLinkFits: a link that has no room loses its middle, and has it again where there is room.
func TestLinkFits(t *testing.T) {
	test.NewTempApp(t)
	const whole = "layout/PATHS/elementTokenIndexes@inflated/integers/[12]"
	l := NewLink(whole, true, func() {})
	box := container.New(AsWide{}, l)
	w := test.NewTempWindow(t, box)
	w.Resize(fyne.NewSize(200, 60))
	if l.Text.MinSize().Width > box.Size().Width+1 || l.Text.Text[:6] != "layout" || l.Text.Text[len(l.Text.Text)-4:] != "[12]" {
		t.Errorf("%q in %v", l.Text.Text, box.Size())
	}
	w.Resize(fyne.NewSize(900, 60))
	if l.Text.Text != whole || l.Size().Width > l.MinSize().Width {
		t.Errorf("%q in %v", l.Text.Text, box.Size())
	}
}

// TestBar: a field gives way before the words beside it are cut, and only as far as it must.
func TestBar(t *testing.T) {
	test.NewTempApp(t)
	text, field := widget.NewLabel("as long as it is"), NewEntry(nil)
	words := widget.NewLabel(text.Text).MinSize().Width
	bar := NewBar(text, field, text, NewCheck("other", nil), field)
	for _, c := range []struct{ width, text, field float32 }{{800, words, FieldWide}, {words + 300, words, fieldNarrow + 1}, {200, 0, fieldNarrow}} {
		bar.Box.Resize(fyne.NewSize(c.width, 40))
		if text.Size().Width < c.text || field.Size().Width < c.field || field.Size().Width > FieldWide {
			t.Errorf("in %v the text has %v, the field %v; want at least %v and %v", c.width, text.Size().Width, field.Size().Width, c.text, c.field)
		}
	}
}

// TestPadded: where there is less room than the padding, nothing has a negative size.
func TestPadded(t *testing.T) {
	test.NewTempApp(t)
	content := canvas.NewRectangle(nil)
	Padded(3, 4, 5, 6, content).Resize(fyne.NewSize(8, 2))
	if size := content.Size(); size.Width < 0 || size.Height < 0 {
		t.Errorf("%v", size)
	}
}

// TestEntryEnd: of a text that has no room an entry shows the end, of a path by whole names, while the keyboard is elsewhere; the text
// stays as it is.
func TestEntryEnd(t *testing.T) {
	test.NewTempApp(t)
	const path = "streams/999-1/data/[0]/data_layout/number"
	e := NewEntry(nil)
	w := test.NewTempWindow(t, e)
	shown := func(width float32) (text string) {
		w.Resize(fyne.NewSize(width, 40))
		for _, o := range test.WidgetRenderer(e).Objects() {
			if is, ok := o.(*canvas.Text); ok {
				text = is.Text
			}
		}
		return text
	}
	e.SetText(path)
	if got := shown(260); len(got) < 6 || got[:4] != "…/" || path[len(path)-len(got)+3:] != got[3:] || e.Text != path {
		t.Errorf("%q of %q is shown", got, e.Text)
	}
	if got := shown(700); got != "" {
		t.Errorf("%q is shown where there is room for all", got)
	}
	w.Canvas().Focus(e)
	if got := shown(260); got != "" {
		t.Errorf("%q is shown in place of what is typed", got)
	}
	w.Canvas().Unfocus()
	if e.SetText("short"); shown(260) != "" {
		t.Error("a short text is cut")
	}
}

// TestMenuKeysEnd: the keys of a menu stand in a column of their own, and do not touch its edge.
func TestMenuKeysEnd(t *testing.T) {
	test.NewTempApp(t)
	menu := fyne.NewMenu("", MenuItem("Open", fyne.KeyO, fyne.KeyModifierShortcutDefault, nil), MenuItem("A long title", fyne.KeyE, fyne.KeyModifierShortcutDefault, nil))
	WriteKeys(menu)
	for _, i := range menu.Items {
		if keys := strings.TrimRight(i.Label, " "); !strings.HasSuffix(keys, "Ctrl+"+string(i.Shortcut.(*menuKey).Shortcut.(*desktop.CustomShortcut).KeyName)) || len(i.Label) < len(keys)+2 {
			t.Errorf("%q", i.Label)
		}
	}
}

// TestCrumbs: the first and the last steps are shown whole, what fits between them too, and each leads to its own.
func TestCrumbs(t *testing.T) {
	test.NewTempApp(t)
	stepped, beside := -1, 0
	c := NewCrumbs(func(i int) { stepped = i }, func() { beside++ })
	names := []string{"a file.usdc", "World", "A long name of a prim", "Another of them", ".points"}
	c.Set(names)
	for _, width := range []float32{900, 300, 140} {
		c.Resize(fyne.NewSize(width, 30))
		var shown []string
		end := float32(0)
		for _, o := range test.TempWidgetRenderer(t, c).Objects() {
			if l, is := o.(*Link); is {
				shown = append(shown, l.whole)
				l.Tap()
				if end = o.Position().X + o.Size().Width; names[stepped] != l.whole {
					t.Errorf("%s leads to %s", l.whole, names[stepped])
				}
			}
		}
		if n := len(shown); shown[0] != names[0] || shown[n-1] != names[len(names)-1] || width == 900 && n != len(names) || width < 900 && (n == len(names) || width == 300 && end > width) {
			t.Errorf("of %g are shown %q, to %g", width, shown, end)
		}
	}
	c.Tapped(nil)
	if beside != 1 {
		t.Error("a click beside the steps is not told")
	}
}

// TestAddTab: the sign after the last tab adds one, also where not all tabs fit.
func TestAddTab(t *testing.T) {
	test.NewTempApp(t)
	for _, width := range []float32{600, 160} {
		added, chosen := 0, -1
		b := NewTabBar(func(i int) { chosen = i })
		b.OnAdd = func() { added++ }
		b.Set([]Tab{{Title: "one of them"}, {Title: "another one"}}, 0)
		b.Resize(fyne.NewSize(width, b.Height()))
		press := func(x float32) {
			b.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 8)}, Button: desktop.MouseButtonPrimary})
		}
		press(b.adds() + tabAdd/2)
		press(b.adds() - 2)
		if added != 1 || chosen < 0 || b.adds()+tabAdd > width {
			t.Errorf("in %g: added %d, chosen %d", width, added, chosen)
		}
	}
}

// TestTip: a tip stays inside of its window, also at its lower right corner, and one text follows another at once.
func TestTip(t *testing.T) {
	test.NewTempApp(t)
	over := canvas.NewRectangle(color.Black)
	win := test.NewTempWindow(t, WithTips(over))
	win.SetPadded(false)
	win.Resize(fyne.NewSize(500, 300))
	show := TipOver(over)
	for _, text := range []string{"short", "two\nlines", strings.Repeat("a long path/", 500), strings.Repeat("line\n", 40)} {
		for _, at := range []fyne.Position{{X: 0, Y: 0}, {X: 499, Y: 299}} {
			show(text, at)
			shown := TipsOf(win.Canvas()).Objects
			if len(shown) < 2 {
				t.Fatalf("%.20q is not shown", text)
			}
			from := shown[0].Position()
			if to := from.Add(shown[0].Size()); from.X < 0 || from.Y < 0 || to.X > 500 || to.Y > 300 {
				t.Errorf("%.20q reaches from %v to %v", text, from, to)
			}
			for _, line := range shown[1:] {
				if words := line.(*canvas.Text); words.MinSize().Width > shown[0].Size().Width {
					t.Errorf("%q is wider than its ground", words.Text)
				}
			}
		}
	}
	if show("", fyne.Position{}); len(TipsOf(win.Canvas()).Objects) != 0 {
		t.Error("the tip stays")
	}
}

// TestWrap: words stay whole, and an ellipsis says that there is more.
func TestWrap(t *testing.T) {
	if got := wrap("some words that are whole", 12, 3); len(got) != 3 || got[0] != "some words " {
		t.Errorf("wrapped as %q", got)
	}
	for _, n := range []int{29, 30, 31, 100} {
		got := wrap(strings.Repeat("x", n), 10, 3)
		if len(got) != 3 || strings.HasSuffix(got[2], "…") != (n > 30) || len([]rune(got[2])) > 10 {
			t.Errorf("%d letters are wrapped as %q", n, got)
		}
	}
	if got := wrap(strings.Repeat("word ", 10), 12, 2); len(got) != 2 || !strings.HasSuffix(got[1], "…") {
		t.Errorf("wrapped as %q", got)
	}
}
