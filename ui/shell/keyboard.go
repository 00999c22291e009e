package shell

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"cutaway/ui/treeview"
)

// partsOf returns what a container has on the screen.
func partsOf(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case *container.Split:
		return []fyne.CanvasObject{o.Leading, o.Trailing}
	case *container.Scroll:
		return []fyne.CanvasObject{o.Content}
	case interface{ Parts() []fyne.CanvasObject }:
		return o.Parts()
	}
	return nil
}

// Holds reports whether f is o or a part of o.
func Holds(o fyne.CanvasObject, f fyne.Focusable) bool {
	is, _ := o.(fyne.Focusable)
	return f != nil && (is == f || slices.ContainsFunc(partsOf(o), func(part fyne.CanvasObject) bool { return Holds(part, f) }))
}

// KeyboardOf returns what of o takes the keyboard: a list, or else a drawing, or else the first thing that does, or nil.
func KeyboardOf(o fyne.CanvasObject) (best fyne.Focusable) {
	if !o.Visible() {
		return nil
	}
	if f, is := o.(fyne.Focusable); is {
		return f
	}
	for _, part := range partsOf(o) {
		if to := KeyboardOf(part); keyboardRank(to) > keyboardRank(best) {
			best = to
		}
	}
	return best
}

// keyboardRank returns the higher numbers for objects that get the keyboard of a pane sooner; those that scroll come first.
func keyboardRank(o fyne.Focusable) int {
	switch o.(type) {
	case nil:
		return 0
	case *treeview.Tree:
		return 3
	case fyne.Scrollable:
		return 2
	}
	return 1
}
