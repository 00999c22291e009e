package ui

import (
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/document"
	"cutaway/ui/hexpane"
)

// clickByte clicks the cell of a byte.
func (b *bench) clickByte(t *hexpane.Tab, off int64) {
	b.Helper()
	b.w.Win.Canvas().Capture() // which lays the cells out
	cell, _, ok := t.View.CellRect(off)
	if !ok {
		b.Fatalf("byte %#x of %s is not in sight", off, t.Title())
	}
	at := fyne.PointEvent{Position: cell.AddXY(cell.Width/2, cell.Height/2)}
	t.View.MouseDown(&desktop.MouseEvent{PointEvent: at, Button: desktop.MouseButtonPrimary})
	t.View.MouseUp(nil)
	t.View.Tapped(&at)
}

// card is what the first steps say, and whether they are in sight.
func (b *bench) card() (string, bool) {
	return b.w.guide.Text.String(), b.w.guide.Object.Objects[1].Visible()
}

// onStep fails unless step n, from 1, is in sight.
func (b *bench) onStep(n int, title string) {
	b.Helper()
	b.idle()
	if text, shown := b.card(); b.w.guide.Step != n-1 || !shown || !strings.Contains(text, title) {
		b.Fatalf("step %d, in sight %v: %q; want %d, %q", b.w.guide.Step+1, shown, text, n, title)
	}
}

// TestStartHere: ? begins the first steps on the sample, in whatever tab; each goes on when it is done, and not before.
func TestStartHere(t *testing.T) { synctest.Test(t, testStartHere) }

func testStartHere(t *testing.T) {
	b := newBench(t)
	fake, _ := b.fake()
	if _, shown := b.card(); shown {
		t.Error("the steps are there unasked")
	}
	fake.Pane.Trees.Front(fake.Pane.Trees.View()).TypedRune('?')
	s := b.w.active
	b.until("the sample", func() bool { return s.isSample() && s.Pane != nil && s.Pane.Current() != nil })
	tree := s.Pane.Trees.Front(s.Pane.Trees.View())
	key := func(k fyne.KeyName) { tree.TypedKey(&fyne.KeyEvent{Name: k}) }
	b.onStep(1, "A value")
	s.Pane.Details.Choose(document.TabProblems)
	s.Pane.Nav.GoTo("scene/Workshop")
	b.at(s, "scene/Workshop")
	b.onStep(1, "A value") // a prim is none, and problems come later
	s.Pane.Nav.GoTo("scene")
	b.at(s, "scene")
	key(fyne.KeyDown)
	key(fyne.KeyDown)
	b.at(s, "scene/metersPerUnit")
	b.onStep(2, "Its bytes")

	key(fyne.KeyUp)
	b.at(s, "scene/upAxis")
	b.onStep(2, "Its bytes")
	b.clickByte(s.Pane.Hex.Shown, 9)
	b.at(s, "scene/metersPerUnit")
	b.onStep(3, "Through compression")

	b.clickByte(s.Pane.Hex.Shown, 2)
	b.at(s, "scene/upAxis")
	b.clickByte(s.Pane.Hex.Shown, 9)
	b.at(s, "scene/metersPerUnit")
	b.idle()
	b.menu("To the bytes it was made from").Action()
	if s.Pane.Hex.Shown.Src.Origin() != nil {
		t.Fatal("Alt+↑ does not lead to the file")
	}
	b.onStep(3, "Through compression")
	b.menu("To what is made from these bytes").Action()
	b.until("the decompressed bytes", func() bool { return s.Pane.Hex.Shown.Src.Origin() != nil })
	b.onStep(4, "A reference")

	b.menu("Follow reference").Action()
	b.until("the menu", func() bool { return b.w.Win.Canvas().Overlays().Top() != nil })
	b.onStep(4, "A reference")
	b.w.typedRune('?') // means nothing over a menu
	b.w.Win.Canvas().Overlays().Top().Hide()
	s.Pane.Actions.RefItems(s.Pane.Current().Node.Refs(t.Context()), "")[0].Action() // as the menu's first item does
	b.until("the end of the reference", func() bool { return s.Pane.Current().Path() != "scene/metersPerUnit" })
	b.onStep(5, "A problem")

	b.menu("Check everything").Action()
	b.until("the list of problems", func() bool { return s.Pane.Details.Front == document.TabProblems })
	b.onStep(6, "That was all")
	test.Tap(b.w.guide.Close)
	if _, shown := b.card(); shown {
		t.Error("the steps cannot be closed")
	}
	b.menu("Start here").Action()
	b.onStep(1, "A value")
}

// TestStartInto: a source that was derived is gone into by its link too, and by Alt+↓ from the file's bytes.
func TestStartInto(t *testing.T) { synctest.Test(t, testStartInto) }

func testStartInto(t *testing.T) {
	b := newBench(t)
	b.menu("Start here").Action()
	s := b.w.active
	b.until("the sample", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	test.Tap(b.w.guide.Skip)
	test.Tap(b.w.guide.Skip)
	s.Pane.Nav.GoTo("layout/FIELDS/reps")
	b.at(s, "layout/FIELDS/reps")
	b.onStep(3, "Through compression")
	b.menu("To what is made from these bytes").Action()
	b.until("what is made of them", func() bool { return s.Pane.Current().Index < 0 })
	b.onStep(4, "A reference")
	test.Tap(b.w.guide.Back)
	s.Pane.Nav.GoTo("layout/FIELDS/reps@inflated") // as the link in the details does
	b.at(s, "layout/FIELDS/reps@inflated")
	b.onStep(4, "A reference")
}

// TestStartSteps: the steps can be gone through without doing them, are there beside the sample only, and take their room from
// the panes, however narrow the window is.
func TestStartSteps(t *testing.T) { synctest.Test(t, testStartSteps) }

func testStartSteps(t *testing.T) {
	b := newBench(t)
	fake, _ := b.fake()
	b.menu("Start here").Action()
	g := b.w.guide
	if g.Back.Visible() {
		t.Error("Back is offered at the first step")
	}
	test.Tap(g.Skip)
	test.Tap(g.Skip)
	test.Tap(g.Back)
	b.onStep(2, "Its bytes")
	b.w.activate(fake)
	if _, shown := b.card(); shown {
		t.Error("the steps are there beside another file")
	}
	fake.Pane.Nav.GoToOffset(3)
	b.idle()
	b.w.typedRune('?')
	b.onStep(2, "Its bytes") // what was done in another tab does not count
	for range 4 {
		test.Tap(g.Skip)
	}
	b.onStep(6, "That was all")
	if g.Skip.Visible() {
		t.Error("Skip is offered at the end")
	}
	test.Tap(g.Back)
	test.Tap(g.Back)
	test.Tap(g.Back)
	for _, width := range []float32{1200, 480} {
		b.w.Win.Resize(fyne.NewSize(width, 480))
		b.onStep(3, "Through compression")
		content, card := g.Object.Objects[0], g.Object.Objects[1]
		if end := content.Position().Y + content.Size().Height; end > card.Position().Y+0.5 || card.Size().Height < g.Text.MinSize().Height {
			t.Errorf("at %.0f the card is at %.0f, %.0f high for a text of %.0f, over panes that end at %.0f",
				width, card.Position().Y, card.Size().Height, g.Text.MinSize().Height, end)
		}
	}
}
