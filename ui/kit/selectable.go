package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Selectable is a label whose text can be selected with the mouse and copied. All keys but that of Copy go to the window, and
// Tab passes it. Fyne's own keeps every key once it was clicked, and is an invisible stop of Tab.
type Selectable struct{ widget.Label }

// NewSelectable makes a label.
func NewSelectable(text string) *Selectable {
	l := &Selectable{}
	l.Text, l.Selectable = text, true
	l.ExtendBaseWidget(l)
	return l
}

// CreateRenderer replaces the first object of the label's renderer, its selection, by one that hands on keys. Fyne's is kept
// out of the tree of objects, so that it cannot take the keyboard.
func (l *Selectable) CreateRenderer() fyne.WidgetRenderer {
	of := l.Label.CreateRenderer()
	objects := of.Objects()
	inner := objects[0].(selecting)
	s := &selection{inner: inner, drawn: inner.CreateRenderer()}
	s.ExtendBaseWidget(s)
	return &selectableRenderer{of, s, append([]fyne.CanvasObject{s}, objects[1:]...)}
}

// selecting is the interface of Fyne's selection.
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

// Refresh paints this selection too: Fyne's is on no canvas.
func (r *selectionRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	canvas.Refresh(r.s)
}

func (s *selection) Refresh() {
	if s.focused || s.text() != "" {
		s.BaseWidget.Refresh()
	}
}

// text returns the selected text. Fyne panics where the label has become shorter since; then nothing is selected.
func (s *selection) text() (selected string) {
	defer func() {
		if recover() != nil {
			selected = ""
		}
	}()
	return s.inner.SelectedText()
}

// focus takes the keyboard, so that Copy copies what is selected.
func (s *selection) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		s.taking = true
		c.Focus(s)
		s.taking = false
	}
	s.Refresh()
}

// Disabled makes Tab pass the widget, which is enabled only while it takes or has the keyboard.
func (s *selection) Disabled() bool { return !s.taking && !s.focused }

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
	s.focus()
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
	s.focus()
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
