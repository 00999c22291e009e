package ui

import (
	"iter"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
)

// partsOf are the objects that an object is made of.
func partsOf(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case fyne.Widget:
		return test.WidgetRenderer(o).Objects()
	}
	return nil
}

// all is o and all that it is made of, in the order in which it is drawn.
func all(o fyne.CanvasObject) iter.Seq[fyne.CanvasObject] {
	return func(yield func(fyne.CanvasObject) bool) { through(o, yield) }
}

func through(o fyne.CanvasObject, yield func(fyne.CanvasObject) bool) bool {
	if !yield(o) {
		return false
	}
	for _, part := range partsOf(o) {
		if !through(part, yield) {
			return false
		}
	}
	return true
}

// first is the first object of its type in o; nil: there is none.
func first[T fyne.CanvasObject](o fyne.CanvasObject) (none T) {
	for part := range all(o) {
		if found, ok := part.(T); ok {
			return found
		}
	}
	return none
}

// buttonIn is the first button in o that fits; nil: there is none.
func buttonIn(o fyne.CanvasObject, fits func(*widget.Button) bool) *widget.Button {
	for part := range all(o) {
		if text, ok := part.(*kit.TextButton); ok {
			part = &text.Button
		}
		if button, ok := part.(*widget.Button); ok && fits(button) {
			return button
		}
	}
	return nil
}

// buttonWith is the first button in o whose text begins so; nil: there is none.
func buttonWith(o fyne.CanvasObject, text string) *widget.Button {
	return buttonIn(o, func(b *widget.Button) bool { return strings.HasPrefix(b.Text, text) })
}

// checkIn is the box of a text in o; nil: there is none.
func checkIn(o fyne.CanvasObject, text string) *kit.Check {
	for part := range all(o) {
		if box, ok := part.(*kit.Check); ok && box.Text == text {
			return box
		}
	}
	return nil
}

// entries are the fields in o.
func entries(o fyne.CanvasObject) (out []*widget.Entry) {
	for part := range all(o) {
		switch part := part.(type) {
		case *widget.Entry:
			out = append(out, part)
		case *kit.SelectEntry:
			out = append(out, &part.Entry)
		case *kit.Entry:
			out = append(out, &part.Entry)
		}
	}
	return out
}

// shownTexts is every text on the screen below o, a line each.
func shownTexts(o fyne.CanvasObject) string {
	if !o.Visible() {
		return ""
	}
	switch o := o.(type) {
	case *canvas.Text:
		return o.Text + "\n"
	case *widget.Label:
		return o.Text + "\n"
	case *kit.Selectable:
		return o.Text + "\n"
	case *widget.Entry:
		return o.Text + "\n"
	}
	var b strings.Builder
	for _, part := range partsOf(o) {
		b.WriteString(shownTexts(part))
	}
	return b.String()
}

// press presses the first button below o with a text.
func (b *bench) press(o fyne.CanvasObject, text string) {
	b.Helper()
	button := buttonIn(o, func(b *widget.Button) bool { return b.Text == text })
	if button == nil {
		b.Fatalf("no button %q", text)
	}
	test.Tap(button)
}

// pressMain presses the main button of the dialog in front.
func (b *bench) pressMain() {
	b.Helper()
	top := b.w.Win.Canvas().Overlays().Top()
	if top == nil {
		b.Fatal("there is no dialog")
	}
	button := buttonIn(top, func(b *widget.Button) bool { return b.Importance == widget.HighImportance && b.OnTapped != nil })
	if button == nil {
		b.Fatal("the dialog has no main button")
	}
	button.OnTapped()
}
