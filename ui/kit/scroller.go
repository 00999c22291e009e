package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Scroller scrolls content by the keyboard too, which Fyne's scroll container does not.
type Scroller struct {
	widget.BaseWidget
	inner *container.Scroll
	keys  *scrollKeys
}

// scrollKeys has the keyboard for a Scroller, and a frame that says so. It is beside the content: around it, Tab forward and
// back would differ.
type scrollKeys struct {
	widget.BaseWidget
	frame *fyne.Container
	inner *container.Scroll
}

// NewScroller scrolls content down, and with wide to the right too.
func NewScroller(content fyne.CanvasObject, wide bool) *Scroller {
	s := &Scroller{inner: container.NewVScroll(content)}
	if wide {
		s.inner = container.NewScroll(content)
	}
	s.keys = &scrollKeys{frame: NewEdges(1), inner: s.inner}
	s.keys.frame.Hide()
	s.keys.ExtendBaseWidget(s.keys)
	s.ExtendBaseWidget(s)
	return s
}

// Content returns the object that scrolls.
func (s *Scroller) Content() fyne.CanvasObject { return s.inner.Content }

// Parts returns the object for the keyboard, and the content.
func (s *Scroller) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{s.keys, s.inner.Content} }

// Offset returns the position of the scrolling.
func (s *Scroller) Offset() fyne.Position { return s.inner.Offset }

// ScrollToTop shows the beginning of the content.
func (s *Scroller) ScrollToTop() { s.inner.ScrollToTop() }

// CreateRenderer makes the objects of the widget.
func (s *Scroller) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewStack(s.keys, s.inner))
}

// Scrolled follows the wheel.
func (s *Scroller) Scrolled(e *fyne.ScrollEvent) { s.inner.Scrolled(e) }

// Tapped takes the keyboard.
func (s *Scroller) Tapped(*fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s.keys)
	}
}

func (s *scrollKeys) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(s.frame) }

func (s *scrollKeys) FocusGained() {
	PaintEdges(s.frame, Paint(theme.ColorNamePrimary))
	s.frame.Show()
}

func (s *scrollKeys) FocusLost() { s.frame.Hide() }

func (s *scrollKeys) TypedRune(r rune) { HandOnRune(s, r) }

// TypedKey scrolls by a line with arrows, and by all but a line with the keys of pages.
func (s *scrollKeys) TypedKey(k *fyne.KeyEvent) {
	line := 2 * theme.TextSize()
	page := max(s.inner.Size().Height-line, line)
	by := fyne.Delta{}
	switch k.Name {
	case fyne.KeyUp:
		by.DY = line
	case fyne.KeyDown:
		by.DY = -line
	case fyne.KeyLeft:
		by.DX = line
	case fyne.KeyRight:
		by.DX = -line
	case fyne.KeyPageUp:
		by.DY = page
	case fyne.KeyPageDown, fyne.KeySpace:
		by.DY = -page
	case fyne.KeyHome:
		s.inner.ScrollToOffset(fyne.NewPos(0, 0))
		return
	case fyne.KeyEnd:
		s.inner.ScrollToBottom()
		return
	default:
		HandOn(s, k)
		return
	}
	s.inner.Scrolled(&fyne.ScrollEvent{Scrolled: by})
}
