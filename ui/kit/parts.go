// Package kit provides the widgets and layouts that panes share: bars, tabs, links, entries, tips.
package kit

import (
	"image/color"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/phrase"
)

// Backed is content on a ground of one of the theme's colours.
type Backed struct {
	widget.BaseWidget
	ground  fyne.ThemeColorName
	content fyne.CanvasObject
	back    Ground
}

// NewBacked puts content on a ground.
func NewBacked(ground fyne.ThemeColorName, content fyne.CanvasObject) *Backed {
	b := &Backed{ground: ground, content: content, back: NewGround()}
	b.ExtendBaseWidget(b)
	return b
}

// Parts returns the content.
func (b *Backed) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{b.content} }

// Refresh paints anew.
func (b *Backed) Refresh() {
	b.back.Paint(b.Theme().Color(b.ground, fyne.CurrentApp().Settings().ThemeVariant()))
	b.BaseWidget.Refresh()
}

// CreateRenderer makes the objects of the widget.
func (b *Backed) CreateRenderer() fyne.WidgetRenderer {
	b.back.Paint(b.Theme().Color(b.ground, fyne.CurrentApp().Settings().ThemeVariant()))
	return widget.NewSimpleRenderer(container.NewStack(b.back.Object, b.content))
}

// pillRadius is more than half the height of a low button, which is the radius then.
const pillRadius = 20

// Frame is the edge of a dialog, whose ground is that of the window with high contrast.
type Frame struct {
	widget.BaseWidget
	rect *canvas.Rectangle
	pill bool
}

// NewPill makes a frame with round ends for a low button, to be stacked with the button.
func NewPill() *Frame {
	f := NewFrame()
	f.pill = true
	return f
}

// NewFrame makes a frame, to be stacked with what it is around.
func NewFrame() *Frame {
	f := &Frame{rect: &canvas.Rectangle{StrokeWidth: 1, FillColor: color.Transparent}}
	f.ExtendBaseWidget(f)
	return f
}

// CreateRenderer makes the objects of the widget.
func (f *Frame) CreateRenderer() fyne.WidgetRenderer {
	f.paint()
	return widget.NewSimpleRenderer(f.rect)
}

// Refresh paints anew.
func (f *Frame) Refresh() {
	f.paint()
	f.BaseWidget.Refresh()
}

func (f *Frame) paint() {
	f.rect.StrokeColor, f.rect.CornerRadius = Paint(theme.ColorNameSeparator), f.Theme().Size(theme.SizeNamePopupRadius)
	if f.pill {
		f.rect.StrokeColor, f.rect.CornerRadius = Paint(theme.ColorNameInputBorder), pillRadius
	}
}

// NewRule makes a line between two parts, in the theme's colour.
func NewRule() *Backed { return NewBacked(theme.ColorNameSeparator, container.NewWithoutLayout()) }

// NewEdges makes a frame of four lines of a width. A rectangle would be painted as a whole, which takes long.
func NewEdges(width float32) *fyne.Container {
	return container.New(edges(width), &canvas.Rectangle{}, &canvas.Rectangle{}, &canvas.Rectangle{}, &canvas.Rectangle{})
}

// PaintEdges gives edges their colour.
func PaintEdges(e *fyne.Container, c color.Color) {
	for _, line := range e.Objects {
		line.(*canvas.Rectangle).FillColor = c
		line.Refresh()
	}
}

type edges float32

func (edges) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (e edges) Layout(lines []fyne.CanvasObject, size fyne.Size) {
	w, inner := float32(e), max(size.Height-2*float32(e), 0)
	Put(lines[0], 0, 0, size.Width, w)
	Put(lines[1], 0, size.Height-w, size.Width, w)
	Put(lines[2], 0, w, w, inner)
	Put(lines[3], size.Width-w, w, w, inner)
}

// Line is a line of text. If it is too long, it lacks its middle, and a tip shows the whole.
type Line struct {
	widget.BaseWidget
	Text  *canvas.Text
	whole string
	under *canvas.Rectangle // of a link, below the text while the mouse is over
	tip   Tip
	Name  fyne.ThemeColorName
	Scale fyne.ThemeSizeName
}

// NewLine makes a line of text in a colour and a size of the theme.
func NewLine(text string, style fyne.TextStyle, ink fyne.ThemeColorName, size fyne.ThemeSizeName) *Line {
	l := &Line{}
	l.init(text, style, ink, size)
	l.ExtendBaseWidget(l)
	return l
}

func (l *Line) init(text string, style fyne.TextStyle, ink fyne.ThemeColorName, size fyne.ThemeSizeName) {
	l.Text, l.whole, l.under, l.Name, l.Scale = canvas.NewText(text, nil), text, &canvas.Rectangle{}, ink, size
	l.Text.TextStyle = style
	l.under.Hide()
}

// Whole returns the whole text of the line.
func (l *Line) Whole() string { return l.whole }

// Refresh paints the text anew.
func (l *Line) Refresh() {
	l.paint()
	l.BaseWidget.Refresh()
}

func (l *Line) paint() {
	l.Text.Color = l.Theme().Color(l.Name, fyne.CurrentApp().Settings().ThemeVariant())
	l.Text.TextSize = l.Theme().Size(l.Scale)
	l.under.FillColor = l.Text.Color
}

// CreateRenderer makes the text.
func (l *Line) CreateRenderer() fyne.WidgetRenderer {
	l.paint()
	return widget.NewSimpleRenderer(container.New(shortened{l}, l.Text, l.under))
}

// MouseIn shows a tip if the text is shortened.
func (l *Line) MouseIn(*desktop.MouseEvent) {
	if l.Text.Text != l.whole {
		l.tip.Wait(l.Text, l.whole, fyne.NewPos(0, l.Text.Size().Height))
	}
}

// MouseMoved does nothing.
func (l *Line) MouseMoved(*desktop.MouseEvent) {}

// MouseOut hides the tip.
func (l *Line) MouseOut() { l.tip.Hide() }

// shortened lays out the text of a line, and the line below it.
type shortened struct{ l *Line }

func (s shortened) Layout(o []fyne.CanvasObject, size fyne.Size) {
	s.l.Text.Text = s.l.whole
	if s.width(s.l.whole) > size.Width+1 {
		const least = 4 // letters, however narrow
		over := sort.Search(len([]rune(s.l.whole))-least, func(n int) bool { return s.width(phrase.Short(s.l.whole, least+n)) > size.Width+1 })
		s.l.Text.Text = phrase.Short(s.l.whole, max(least+over-1, least))
	}
	Put(o[0], 0, 0, size.Width, size.Height)
	Put(o[1], 0, size.Height-2, o[0].MinSize().Width, 1)
}

func (s shortened) width(text string) float32 {
	return fyne.MeasureText(text, s.l.Text.TextSize, s.l.Text.TextStyle).Width
}

func (s shortened) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.MeasureText(s.l.whole, s.l.Text.TextSize, s.l.Text.TextStyle)
}

// Link is a line that can be clicked.
type Link struct {
	Line
	Tap func()
}

// NewLink makes a link that calls tap.
func NewLink(text string, mono bool, tap func()) *Link {
	l := &Link{Tap: tap}
	l.init(text, fyne.TextStyle{Monospace: mono}, theme.ColorNameHyperlink, theme.SizeNameText)
	l.ExtendBaseWidget(l)
	return l
}

// AsWide lays out one object as wide as it is, or as there is room.
type AsWide struct{}

// Layout places the objects.
func (AsWide) Layout(o []fyne.CanvasObject, size fyne.Size) {
	Put(o[0], 0, 0, min(size.Width, o[0].MinSize().Width), size.Height)
}

// MinSize returns the least size.
func (AsWide) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, o[0].MinSize().Height) }

// Tapped calls Tap.
func (l *Link) Tapped(*fyne.PointEvent) { l.Tap() }

// Cursor returns a hand.
func (l *Link) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn underlines the link.
func (l *Link) MouseIn(e *desktop.MouseEvent) {
	l.under.Show()
	l.Line.MouseIn(e)
}

// MouseOut removes the line.
func (l *Link) MouseOut() {
	l.under.Hide()
	l.Line.MouseOut()
}

// QuietLabel returns a label in the colour of secondary text.
func QuietLabel(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Importance = widget.LowImportance
	return l
}

// QuietButton returns a button without a ground; icon may be nil.
func QuietButton(text string, icon fyne.Resource, tap func()) *widget.Button {
	b := widget.NewButtonWithIcon(text, icon, tap)
	b.Importance = widget.LowImportance
	return b
}

// Message returns a short text for the middle of an empty pane.
func Message(text string) fyne.CanvasObject {
	l := QuietLabel(text)
	l.Alignment = fyne.TextAlignCenter
	l.Wrapping = fyne.TextWrapWord
	return Padded(18, 18, 24, 24, l)
}

// Centered puts content at half the height of its room, but not over the first rows of a list there; as wide as that is.
func Centered(o fyne.CanvasObject) fyne.CanvasObject { return container.New(centered{}, o) }

type centered struct{}

// firstRows is the height of a list's titles and its first row.
const firstRows = 44

func (centered) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(size.Width, o[0].Size().Height)) // wrapped text gets its height from its width
	h := o[0].MinSize().Height
	Put(o[0], 0, max((size.Height-h)/2, firstRows), size.Width, h)
}

// MinSize returns nothing: the content is cut where there is too little room.
func (centered) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Swap shows o as the only content of a box. The keyboard goes from the former content to o, if both take it.
func Swap(box *fyne.Container, o fyne.CanvasObject) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(box); c != nil && len(box.Objects) > 0 && box.Objects[0] != o {
		was, focusable := box.Objects[0].(fyne.Focusable)
		if next, ok := o.(fyne.Focusable); ok && focusable && c.Focused() == was {
			defer c.Focus(next)
		}
	}
	box.Objects = []fyne.CanvasObject{o}
	box.Refresh()
}

// SetVisible shows or hides a part of a bar.
func SetVisible(o fyne.CanvasObject, yes bool) {
	switch {
	case yes == o.Visible():
	case yes:
		o.Show()
	default:
		o.Hide()
	}
}

// Tight stacks a bar, content that takes the room that is left, and perhaps a bar below, without gaps. Hidden objects take no
// room.
type Tight struct {
	// Yields makes the bar below give way where there is too little room.
	Yields bool
	// Shrinks makes it as low as one line before that, and the content, a list, as low as its first row.
	Shrinks bool
	// GaveWay is called by Layout when the bar has given way. It may be nil.
	GaveWay func()
}

// oneLine is the height of a line of small text.
const oneLine = 18

// farAway is more than any window is high.
const farAway = 1 << 16

// Under puts content below a bar.
func Under(bar, content fyne.CanvasObject) *fyne.Container {
	return container.New(Tight{}, bar, content)
}

// Layout places the objects.
func (t Tight) Layout(o []fyne.CanvasObject, size fyne.Size) {
	height := func(bar fyne.CanvasObject) float32 {
		bar.Resize(fyne.NewSize(size.Width, bar.Size().Height)) // what flows gets its height from its width
		return bar.MinSize().Height
	}
	top, bottom := float32(0), float32(0)
	if o[0].Visible() {
		top = height(o[0])
	}
	Put(o[0], 0, 0, size.Width, top)
	if len(o) > 2 && o[2].Visible() {
		bottom = height(o[2])
		least := o[1].MinSize().Height
		if t.Shrinks {
			least = firstRows
			bottom = min(bottom, max(size.Height-top-least, oneLine))
		}
		Put(o[2], 0, size.Height-bottom, size.Width, bottom)
		if t.Yields && size.Height < top+least+bottom {
			o[2].Move(fyne.NewPos(0, -farAway)) // out of sight: its owner says whether it is hidden
			bottom = 0
			if t.GaveWay != nil {
				t.GaveWay()
			}
		}
	}
	Put(o[1], 0, top, size.Width, max(size.Height-top-bottom, 0))
}

// MinSize returns the least size.
func (t Tight) MinSize(o []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for i, c := range o {
		if c.Visible() && (i < 2 || !t.Yields) {
			least := c.MinSize()
			size = fyne.NewSize(max(size.Width, least.Width), size.Height+least.Height)
		}
	}
	return size
}

// Dense gives a label half the theme's room around its text. A container.ThemeOverride reads and keeps every font with each
// refresh: 2 MB.
func Dense(l fyne.CanvasObject) fyne.CanvasObject { return container.New(trimmed(0.5), l) }

// Bare gives a label no room around its text.
func Bare(l fyne.CanvasObject) fyne.CanvasObject { return container.New(trimmed(1), l) }

// trimmed lays out one label over a part of its own margin.
type trimmed float32

func (t trimmed) margin() float32 { return theme.InnerPadding() * float32(t) }

func (t trimmed) Layout(o []fyne.CanvasObject, size fyne.Size) {
	Put(o[0], -t.margin(), -t.margin(), size.Width+2*t.margin(), size.Height+2*t.margin())
}

func (t trimmed) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].MinSize().SubtractWidthHeight(2*t.margin(), 2*t.margin())
}

// MenuItem makes an item of a menu, without a shortcut if key is "".
func MenuItem(label string, key fyne.KeyName, mod fyne.KeyModifier, act func()) *fyne.MenuItem {
	m := fyne.NewMenuItem(label, act)
	if key != "" {
		m.Shortcut = &desktop.CustomShortcut{KeyName: key, Modifier: mod}
	}
	return m
}

// ShiftHeld reports whether a Shift key is held.
func ShiftHeld() bool {
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// IsMenuKey reports whether a key calls for the context menu: the menu key, or F10 with Shift.
func IsMenuKey(key fyne.KeyName) bool {
	return key == desktop.KeyMenu || key == fyne.KeyF10 && ShiftHeld()
}

// TextButton is a button that Enter presses too, and that leaves other keys to its modal or the window.
type TextButton struct{ widget.Button }

// NewTextButton makes a button that calls tap.
func NewTextButton(text string, tap func()) *TextButton {
	b := &TextButton{widget.Button{Text: text, OnTapped: tap}}
	b.ExtendBaseWidget(b)
	return b
}

// TypedKey presses the button by Enter too, and hands on other keys.
func (b *TextButton) TypedKey(k *fyne.KeyEvent) { press(b, &b.Button, k) }

// press does what a key means to a button, which is a part of o.
func press(o fyne.CanvasObject, b *widget.Button, k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		HandOn(o, k)
	}
}
