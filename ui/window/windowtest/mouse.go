package windowtest

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/ui/kit"
)

// A Target is an object on the canvas, with the part that is in sight.
type Target struct {
	Object    fyne.CanvasObject
	At, Seen  fyne.Position
	SeenUntil fyne.Position
}

// Targets lists the objects in sight that match, those in front last.
func Targets(c fyne.Canvas, matches func(o fyne.CanvasObject) bool) []Target {
	var list []Target
	var walk func(o fyne.CanvasObject, at, from, to fyne.Position)
	walk = func(o fyne.CanvasObject, at, from, to fyne.Position) {
		at = at.Add(o.Position())
		end := at.Add(o.Size())
		seen, until := fyne.NewPos(max(at.X, from.X), max(at.Y, from.Y)), fyne.NewPos(min(end.X, to.X), min(end.Y, to.Y))
		if !o.Visible() {
			return
		}
		if matches(o) && seen.X < until.X && seen.Y < until.Y {
			list = append(list, Target{o, at, seen, until})
		}
		if _, clips := o.(*container.Scroll); clips {
			from, to = seen, until
		}
		for _, part := range PartsOf(o) {
			walk(part, at, from, to)
		}
	}
	root := c.Overlays().Top()
	if root == nil {
		root = c.Content()
	}
	walk(root, fyne.Position{}, fyne.Position{}, fyne.NewPos(c.Size().Width, c.Size().Height))
	return list
}

// Front returns the front object at a place among those that match, and the place inside.
func Front(c fyne.Canvas, at fyne.Position, matches func(o fyne.CanvasObject) bool) (fyne.CanvasObject, fyne.Position) {
	all := Targets(c, matches)
	for i := len(all) - 1; i >= 0; i-- {
		if t := all[i]; at.X >= t.Seen.X && at.Y >= t.Seen.Y && at.X < t.SeenUntil.X && at.Y < t.SeenUntil.Y {
			return t.Object, at.Subtract(t.At)
		}
	}
	return nil, fyne.Position{}
}

// TakesClicks reports what the window's driver sends a click to.
func TakesClicks(o fyne.CanvasObject) bool {
	switch o.(type) {
	case fyne.Tappable, fyne.SecondaryTappable, fyne.DoubleTappable, fyne.Focusable, desktop.Mouseable:
		return true
	}
	return false
}

// Click presses and releases a button of the mouse, as the window's driver sends it.
func Click(c fyne.Canvas, at fyne.Position, button desktop.MouseButton, mod fyne.KeyModifier) {
	o, p := Front(c, at, TakesClicks)
	if f, ok := o.(fyne.Focusable); !ok || f != c.Focused() {
		c.Unfocus()
	}
	if o == nil {
		return
	}
	e := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: p, AbsolutePosition: at}, Button: button, Modifier: mod}
	if mouseable, ok := o.(desktop.Mouseable); ok {
		mouseable.MouseDown(e)
		defer mouseable.MouseUp(e)
	}
	switch tapped := o.(type) {
	case fyne.SecondaryTappable:
		if button == desktop.MouseButtonSecondary {
			tapped.TappedSecondary(&e.PointEvent)
		}
	}
	if tapped, ok := o.(fyne.Tappable); ok && button == desktop.MouseButtonPrimary {
		tapped.Tapped(&e.PointEvent)
	}
}

// ClickTab clicks tab i of a bar.
func (b *Bench) ClickTab(bar *kit.TabBar, i int) {
	b.Helper()
	c := b.W.Shell.Win.Canvas()
	c.Capture() // which lays the tabs out
	edges := bar.Edges()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(bar).AddXY((edges[i]+edges[i+1])/2-bar.Scroll, bar.Size().Height/2)
	Click(c, at, desktop.MouseButtonPrimary, 0)
}

// Type types a text where the keyboard is; "\n" is Enter.
func (b *Bench) Type(text string) {
	b.Helper()
	for _, r := range text {
		switch f := b.W.Shell.Win.Canvas().Focused(); {
		case f == nil:
			b.Fatalf("nothing has the keyboard for %q", text)
		case r == '\n':
			f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		default:
			f.TypedRune(r)
		}
	}
}
