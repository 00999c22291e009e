package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Selectable is a label of which parts can be selected with the mouse and copied. Fyne's own, once it was clicked, keeps every
// key to itself, Escape and the window's shortcuts too, and is a stop of Tab that nothing shows. Of this one all keys but that
// of Copy go to the window, and Tab passes it.
type Selectable struct{ widget.Label }

// NewSelectable makes a label.
func NewSelectable(text string) *Selectable {
	l := &Selectable{}
	l.Text, l.Selectable = text, true
	l.ExtendBaseWidget(l)
	return l
}

// CreateRenderer implements fyne.Widget. The first object of a label's renderer is its selection, which is kept out of the tree
// of objects, so that it cannot take the keyboard; what it draws is drawn by another widget, which hands it the mouse.
func (l *Selectable) CreateRenderer() fyne.WidgetRenderer {
	of := l.Label.CreateRenderer()
	objects := of.Objects()
	inner := objects[0].(selecting)
	s := &selection{inner: inner, drawn: inner.CreateRenderer()}
	s.ExtendBaseWidget(s)
	return &selectableRenderer{of, s, append([]fyne.CanvasObject{s}, objects[1:]...)}
}

// selecting is what Fyne's selection does.
type selecting interface {
	fyne.Widget
	fyne.Focusable
	fyne.Shortcutable
	fyne.DoubleTappable
	fyne.Draggable
	desktop.Mouseable
	desktop.Cursorable
	SelectedText() string
}

type selectableRenderer struct {
	fyne.WidgetRenderer // of the label
	selection           *selection
	objects             []fyne.CanvasObject
}

func (r *selectableRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.selection.Resize(size)
}

func (r *selectableRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *selectableRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.selection.Refresh()
}

// selection takes the mouse and the keyboard for Fyne's selection, and draws it.
type selection struct {
	widget.BaseWidget
	inner   selecting
	drawn   fyne.WidgetRenderer // of inner
	focused bool
	taking  bool // the keyboard
}

func (s *selection) CreateRenderer() fyne.WidgetRenderer { return &selectionRenderer{s.drawn, s} }

type selectionRenderer struct {
	fyne.WidgetRenderer // of Fyne's selection
	s                   *selection
}

// Refresh implements fyne.WidgetRenderer. Fyne's asks for a painting of a widget that is on no canvas.
func (r *selectionRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	canvas.Refresh(r.s)
}

func (s *selection) Refresh() {
	if s.focused || s.text() != "" {
		s.BaseWidget.Refresh()
	}
}

// text is what is selected; nothing where the label has got a shorter text since: Fyne keeps the place, and would panic.
func (s *selection) text() (selected string) {
	defer func() {
		if recover() != nil {
			selected = ""
		}
	}()
	return s.inner.SelectedText()
}

// take takes the keyboard, so that Copy copies what is selected.
func (s *selection) take() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		s.taking = true
		c.Focus(s)
		s.taking = false
	}
	s.Refresh()
}

// Disabled implements fyne.Disableable, which is how Tab passes a widget: it is enabled only when it takes the keyboard, and has it.
func (s *selection) Disabled() bool { return !s.taking && !s.focused }

// Enable and Disable implement fyne.Disableable.
func (s *selection) Enable()  {}
func (s *selection) Disable() {}

func (s *selection) FocusGained() {
	s.focused = true
	s.inner.FocusGained()
	s.BaseWidget.Refresh()
}

func (s *selection) FocusLost() {
	s.focused = false
	s.inner.FocusLost()
	s.BaseWidget.Refresh()
}

func (s *selection) TypedKey(k *fyne.KeyEvent) { HandOn(s, k) }

func (s *selection) TypedRune(r rune) { HandOnRune(s, r) }

func (s *selection) TypedShortcut(sh fyne.Shortcut) {
	if _, copies := sh.(*fyne.ShortcutCopy); copies && s.text() != "" {
		s.inner.TypedShortcut(sh)
	} else {
		HandOnShortcut(s, sh)
	}
}

func (s *selection) MouseDown(e *desktop.MouseEvent) {
	s.inner.MouseDown(e)
	s.take()
}

func (s *selection) MouseUp(e *desktop.MouseEvent) {
	s.inner.MouseUp(e)
	s.BaseWidget.Refresh()
}

func (s *selection) Dragged(e *fyne.DragEvent) {
	s.inner.Dragged(e)
	s.Refresh()
}

func (s *selection) DragEnd() {
	s.inner.DragEnd()
	s.BaseWidget.Refresh()
}

func (s *selection) DoubleTapped(e *fyne.PointEvent) {
	s.inner.DoubleTapped(e)
	s.take()
}

func (s *selection) TappedSecondary(e *fyne.PointEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(s)
	text := s.text()
	if c == nil || text == "" {
		return
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", fyne.NewMenuItem("Copy", func() { fyne.CurrentApp().Clipboard().SetContent(text) })),
		c, e.AbsolutePosition)
}

func (s *selection) Cursor() desktop.Cursor { return s.inner.Cursor() }
