package kit

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Fyne's boxes keep every key, also those that mean nothing to them: Escape did not leave a dialog from there. These hand such
// keys on to the window or the dialog. Nothing may have them inside of it: the driver knows only the outer widget.

// Select is a box to choose from; Enter opens it as Space does.
type Select struct {
	widget.Select
	OnFocus func() // is called when it gets the keyboard, or is nil
}

// NewSelect makes a box to choose one of the options.
func NewSelect(options []string, changed func(string)) *Select {
	s := &Select{}
	s.Options, s.OnChanged, s.PlaceHolder = options, changed, "(Select one)"
	s.ExtendBaseWidget(s)
	return s
}

// CreateRenderer adds an edge to Fyne's objects.
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	r := &edged{s.Select.CreateRenderer(), canvas.NewRectangle(color.Transparent)}
	r.edge.StrokeWidth = 1
	r.paint()
	return r
}

// edged renders a box with the edge that fields have.
type edged struct {
	fyne.WidgetRenderer
	edge *canvas.Rectangle
}

func (r *edged) paint() {
	r.edge.StrokeColor, r.edge.CornerRadius = Paint(theme.ColorNameInputBorder), theme.Size(theme.SizeNameInputRadius)
}

func (r *edged) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.edge.Resize(size)
}

func (r *edged) Objects() []fyne.CanvasObject {
	return append(slices.Clip(r.WidgetRenderer.Objects()), r.edge)
}

func (r *edged) Refresh() {
	r.WidgetRenderer.Refresh()
	r.paint()
	r.edge.Refresh()
}

// TypedKey handles a key, or hands it on.
func (s *Select) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight:
		s.Select.TypedKey(k)
	case fyne.KeyReturn, fyne.KeyEnter:
		s.Select.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		HandOn(s, k)
	}
}

// FocusGained calls OnFocus too.
func (s *Select) FocusGained() {
	s.Select.FocusGained()
	if s.OnFocus != nil {
		s.OnFocus()
	}
}

// Check is a box to tick; Enter does so as Space does.
type Check struct {
	widget.Check
	OnFocus func() // is called when it gets the keyboard, or is nil
}

// NewCheck makes a box to tick.
func NewCheck(label string, changed func(bool)) *Check {
	c := &Check{}
	c.Text, c.OnChanged = label, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey handles a key, or hands it on.
func (c *Check) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace: // which comes as a character too
	case fyne.KeyReturn, fyne.KeyEnter:
		c.SetChecked(!c.Checked)
	default:
		HandOn(c, k)
	}
}

// FocusGained calls OnFocus too.
func (c *Check) FocusGained() {
	c.Check.FocusGained()
	if c.OnFocus != nil {
		c.OnFocus()
	}
}

// SelectEntry is an entry that offers what may be typed.
type SelectEntry struct{ widget.SelectEntry }

// NewSelectEntry makes an entry that offers options.
func NewSelectEntry(options []string) *SelectEntry {
	s := &SelectEntry{}
	s.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	s.ExtendBaseWidget(s)
	s.SetOptions(options)
	if list, ok := s.ActionItem.(*widget.Button); ok {
		s.ActionItem = IconButton(list.Icon, "Show what may be typed", list.OnTapped)
	}
	return s
}

// TypedKey handles a key, or hands it on.
func (s *SelectEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape || s.OnSubmitted == nil && (k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter) {
		HandOn(s, k)
		return
	}
	s.SelectEntry.TypedKey(k)
}
