package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// tab is one tab of a tabBar.
type tab struct {
	title string
	close bool // it has a button that closes it
}

// tabBar is a row of tabs, as low as the window's other bars. What they show is the owner's affair. Tabs that do
// not fit are reached with the wheel and the arrow keys.
type tabBar struct {
	widget.BaseWidget
	onSelect func(i int)
	onClick  func(i int) // besides, when it was done with the mouse; nil: nothing
	onClose  func(i int)

	tabs     []tab
	selected int
	focused  bool
	hover    int
	overX    bool // the mouse is over the closing button of the tab under it
	scroll   float32
}

func newTabBar(onSelect func(i int)) *tabBar {
	b := &tabBar{onSelect: onSelect, hover: -1}
	b.ExtendBaseWidget(b)
	return b
}

// set replaces the tabs.
func (b *tabBar) set(tabs []tab, selected int) {
	for i := range tabs {
		tabs[i].title = short(tabs[i].title, longestTab)
	}
	b.tabs, b.selected = tabs, selected
	b.Refresh()
}

// longestTab is how many characters of a title a tab shows.
const longestTab = 36

const (
	tabPad   = 12
	tabClose = 16
)

func (b *tabBar) textSize() float32 { return b.Theme().Size(theme.SizeNameText) }

func (b *tabBar) height() float32 { return b.textSize() + 15 }

// edges returns where the tabs begin, and where the last one ends, before scrolling.
func (b *tabBar) edges() []float32 {
	x := make([]float32, len(b.tabs)+1)
	for i, t := range b.tabs {
		w := fyne.MeasureText(t.title, b.textSize(), fyne.TextStyle{}).Width + 2*tabPad
		if t.close {
			w += tabClose
		}
		x[i+1] = x[i] + w
	}
	return x
}

func (b *tabBar) clampScroll(edges []float32) {
	b.scroll = max(0, min(b.scroll, edges[len(edges)-1]-b.Size().Width))
}

// at returns the tab at x and whether x is on its closing button.
func (b *tabBar) at(x float32) (i int, onClose bool) {
	edges := b.edges()
	x += b.scroll
	for i := range b.tabs {
		if x >= edges[i] && x < edges[i+1] {
			return i, b.tabs[i].close && x > edges[i+1]-tabClose-6
		}
	}
	return -1, false
}

// choose selects a tab as the user does.
func (b *tabBar) choose(i int) {
	if i < 0 || i >= len(b.tabs) {
		return
	}
	b.selected = i
	edges := b.edges()
	b.scroll = max(min(b.scroll, edges[i]), edges[i+1]-b.Size().Width)
	b.Refresh()
	b.onSelect(i)
}

// MouseDown implements desktop.Mouseable.
func (b *tabBar) MouseDown(e *desktop.MouseEvent) {
	i, onClose := b.at(e.Position.X)
	switch {
	case i < 0:
	case b.tabs[i].close && (onClose || e.Button == desktop.MouseButtonTertiary):
		b.onClose(i)
	default:
		b.choose(i)
		if b.onClick != nil {
			b.onClick(i)
		}
	}
}

// MouseUp implements desktop.Mouseable.
func (b *tabBar) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (b *tabBar) MouseIn(e *desktop.MouseEvent) { b.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (b *tabBar) MouseMoved(e *desktop.MouseEvent) {
	i, x := b.at(e.Position.X)
	if i != b.hover || x != b.overX {
		b.hover, b.overX = i, x
		b.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (b *tabBar) MouseOut() {
	b.hover = -1
	b.Refresh()
}

// Scrolled implements fyne.Scrollable.
func (b *tabBar) Scrolled(e *fyne.ScrollEvent) {
	b.scroll -= e.Scrolled.DY + e.Scrolled.DX
	b.Refresh()
}

// FocusGained implements fyne.Focusable.
func (b *tabBar) FocusGained() { b.focused = true; b.Refresh() }

// FocusLost implements fyne.Focusable.
func (b *tabBar) FocusLost() { b.focused = false; b.Refresh() }

// TypedRune implements fyne.Focusable.
func (b *tabBar) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (b *tabBar) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		b.choose(b.selected - 1)
	case fyne.KeyRight:
		b.choose(b.selected + 1)
	default:
		handOn(b, e)
	}
}

// CreateRenderer implements fyne.Widget.
func (b *tabBar) CreateRenderer() fyne.WidgetRenderer {
	return &tabBarRenderer{b: b, back: &canvas.Rectangle{}, line: &canvas.Rectangle{}, ring: &canvas.Rectangle{StrokeWidth: 1, CornerRadius: 3}}
}

type tabView struct {
	back, under, edge *canvas.Rectangle
	text              *canvas.Text
	x1, x2            *canvas.Line
}

func (v *tabView) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{v.back, v.under, v.edge, v.text, v.x1, v.x2}
}

type tabBarRenderer struct {
	b          *tabBar
	back, line *canvas.Rectangle
	ring       *canvas.Rectangle
	views      []*tabView
}

// Destroy implements fyne.WidgetRenderer.
func (r *tabBarRenderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (r *tabBarRenderer) MinSize() fyne.Size { return fyne.NewSize(60, r.b.height()) }

// Layout implements fyne.WidgetRenderer.
func (r *tabBarRenderer) Layout(fyne.Size) { r.Refresh() }

// Objects implements fyne.WidgetRenderer.
func (r *tabBarRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.back, r.line}
	for i := range min(len(r.views), len(r.b.tabs)) {
		o = append(o, r.views[i].objects()...)
	}
	return append(o, r.ring)
}

// IsClip makes the painter cut off the tabs that do not fit.
func (r *tabBarRenderer) IsClip() {}

// Refresh implements fyne.WidgetRenderer.
func (r *tabBarRenderer) Refresh() {
	b, th, variant := r.b, r.b.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	paint := func(n fyne.ThemeColorName) color.Color { return th.Color(n, variant) }
	size, h := b.Size(), b.height()
	edges := b.edges()
	b.clampScroll(edges)
	r.back.FillColor, r.line.FillColor = paint(theme.ColorNameHeaderBackground), paint(theme.ColorNameSeparator)
	put(r.back, 0, 0, size.Width, size.Height)
	put(r.line, 0, size.Height-1, size.Width, 1)
	for len(r.views) < len(b.tabs) {
		r.views = append(r.views, &tabView{&canvas.Rectangle{}, &canvas.Rectangle{}, &canvas.Rectangle{}, &canvas.Text{},
			&canvas.Line{StrokeWidth: 1.2}, &canvas.Line{StrokeWidth: 1.2}})
	}
	r.ring.Hide()
	for i, t := range b.tabs {
		v := r.views[i]
		x, w := edges[i]-b.scroll, edges[i+1]-edges[i]
		v.back.FillColor, v.under.FillColor, v.edge.FillColor = color.Transparent, color.Transparent, paint(theme.ColorNameSeparator)
		v.text.Text, v.text.TextSize, v.text.Color = t.title, b.textSize(), paint(theme.ColorNamePlaceHolder)
		switch {
		case i == b.selected:
			v.back.FillColor, v.under.FillColor = paint(theme.ColorNameBackground), paint(theme.ColorNamePrimary)
			v.text.Color = paint(theme.ColorNameForeground)
		case i == b.hover:
			v.back.FillColor = paint(theme.ColorNameHover)
			v.text.Color = paint(theme.ColorNameForeground)
		}
		put(v.back, x, 0, w-1, h)
		put(v.under, x, h-2, w-1, 2)
		put(v.edge, x+w-1, 5, 1, h-10)
		put(v.text, x+tabPad, 0, w-2*tabPad, h)
		r.drawClose(v, x+w-tabPad-4, h/2, t.close, i == b.hover && b.overX, paint)
		if i == b.selected && b.focused {
			r.ring.StrokeColor = paint(theme.ColorNamePrimary)
			put(r.ring, x+2, 3, w-5, h-7)
			r.ring.Show()
		}
		for _, o := range v.objects() {
			canvas.Refresh(o)
		}
	}
	canvas.Refresh(b)
}

func (r *tabBarRenderer) drawClose(v *tabView, cx, cy float32, has, hot bool, paint func(fyne.ThemeColorName) color.Color) {
	const arm = 3.5
	for _, l := range []*canvas.Line{v.x1, v.x2} {
		l.StrokeColor = paint(theme.ColorNamePlaceHolder)
		if hot {
			l.StrokeColor = paint(theme.ColorNameError)
		}
		if has {
			l.Show()
		} else {
			l.Hide()
		}
	}
	v.x1.Position1, v.x1.Position2 = fyne.NewPos(cx-arm, cy-arm), fyne.NewPos(cx+arm, cy+arm)
	v.x2.Position1, v.x2.Position2 = fyne.NewPos(cx-arm, cy+arm), fyne.NewPos(cx+arm, cy-arm)
}

func put(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}
