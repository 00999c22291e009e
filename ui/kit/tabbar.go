package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/phrase"
)

// Tab is one tab of a tabBar.
type Tab struct {
	Title string
	Close bool // it has a button that closes it
}

// TabBar is a row of tabs, as low as the window's other bars. What they show is the owner's affair. Tabs that do
// not fit are reached with the wheel and the arrow keys.
type TabBar struct {
	widget.BaseWidget
	onSelect func(i int)
	OnClick  func(i int) // besides, when it was done with the mouse; nil: nothing
	OnClose  func(i int)

	Tabs     []Tab
	Selected int
	focused  bool
	hover    int
	overX    bool // the mouse is over the closing button of the tab under it
	Scroll   float32
}

// NewTabBar makes a bar without tabs, which tells when another tab is selected.
func NewTabBar(onSelect func(i int)) *TabBar {
	b := &TabBar{onSelect: onSelect, hover: -1}
	b.ExtendBaseWidget(b)
	return b
}

// Set replaces the tabs.
func (b *TabBar) Set(tabs []Tab, selected int) {
	for i := range tabs {
		tabs[i].Title = phrase.Short(tabs[i].Title, LongestTab)
	}
	b.Tabs, b.Selected = tabs, selected
	b.Refresh()
}

// LongestTab is how many characters of a title a tab shows.
const LongestTab = 36

// Measures of a tab in Fyne's units: beside its title, and its closing button.
const (
	TabPad   = 12
	tabClose = 16
)

func (b *TabBar) textSize() float32 { return b.Theme().Size(theme.SizeNameText) }

// Height is that of the bar.
func (b *TabBar) Height() float32 { return b.textSize() + 15 }

// Edges returns where the tabs begin, and where the last one ends, before scrolling.
func (b *TabBar) Edges() []float32 {
	x := make([]float32, len(b.Tabs)+1)
	for i, t := range b.Tabs {
		w := fyne.MeasureText(t.Title, b.textSize(), fyne.TextStyle{}).Width + 2*TabPad
		if t.Close {
			w += tabClose
		}
		x[i+1] = x[i] + w
	}
	return x
}

func (b *TabBar) clampScroll(edges []float32) {
	b.Scroll = max(0, min(b.Scroll, edges[len(edges)-1]-b.Size().Width))
}

// at returns the tab at x and whether x is on its closing button.
func (b *TabBar) at(x float32) (i int, onClose bool) {
	edges := b.Edges()
	x += b.Scroll
	for i := range b.Tabs {
		if x >= edges[i] && x < edges[i+1] {
			return i, b.Tabs[i].Close && x > edges[i+1]-tabClose-6
		}
	}
	return -1, false
}

// Choose selects a tab as the user does.
func (b *TabBar) Choose(i int) {
	if i < 0 || i >= len(b.Tabs) {
		return
	}
	b.Selected = i
	edges := b.Edges()
	b.Scroll = max(min(b.Scroll, edges[i]), edges[i+1]-b.Size().Width)
	b.Refresh()
	b.onSelect(i)
}

// MouseDown implements desktop.Mouseable.
func (b *TabBar) MouseDown(e *desktop.MouseEvent) {
	i, onClose := b.at(e.Position.X)
	switch {
	case i < 0:
	case b.Tabs[i].Close && (onClose || e.Button == desktop.MouseButtonTertiary):
		b.OnClose(i)
	default:
		b.Choose(i)
		if b.OnClick != nil {
			b.OnClick(i)
		}
	}
}

// MouseUp implements desktop.Mouseable.
func (b *TabBar) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (b *TabBar) MouseIn(e *desktop.MouseEvent) { b.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (b *TabBar) MouseMoved(e *desktop.MouseEvent) {
	i, x := b.at(e.Position.X)
	if i != b.hover || x != b.overX {
		b.hover, b.overX = i, x
		b.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (b *TabBar) MouseOut() {
	b.hover = -1
	b.Refresh()
}

// Scrolled implements fyne.Scrollable.
func (b *TabBar) Scrolled(e *fyne.ScrollEvent) {
	b.Scroll -= e.Scrolled.DY + e.Scrolled.DX
	b.Refresh()
}

// FocusGained implements fyne.Focusable.
func (b *TabBar) FocusGained() { b.focused = true; b.Refresh() }

// FocusLost implements fyne.Focusable.
func (b *TabBar) FocusLost() { b.focused = false; b.Refresh() }

// TypedRune implements fyne.Focusable.
func (b *TabBar) TypedRune(rune) {}

// TypedKey implements fyne.Focusable.
func (b *TabBar) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		b.Choose(b.Selected - 1)
	case fyne.KeyRight:
		b.Choose(b.Selected + 1)
	default:
		HandOn(b, e)
	}
}

// CreateRenderer implements fyne.Widget.
func (b *TabBar) CreateRenderer() fyne.WidgetRenderer {
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
	b          *TabBar
	back, line *canvas.Rectangle
	ring       *canvas.Rectangle
	views      []*tabView
}

// Destroy implements fyne.WidgetRenderer.
func (r *tabBarRenderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (r *tabBarRenderer) MinSize() fyne.Size { return fyne.NewSize(60, r.b.Height()) }

// Layout implements fyne.WidgetRenderer.
func (r *tabBarRenderer) Layout(fyne.Size) { r.Refresh() }

// Objects implements fyne.WidgetRenderer.
func (r *tabBarRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.back, r.line}
	for i := range min(len(r.views), len(r.b.Tabs)) {
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
	size, h := b.Size(), b.Height()
	edges := b.Edges()
	b.clampScroll(edges)
	r.back.FillColor, r.line.FillColor = paint(theme.ColorNameHeaderBackground), paint(theme.ColorNameSeparator)
	Put(r.back, 0, 0, size.Width, size.Height)
	Put(r.line, 0, size.Height-1, size.Width, 1)
	for len(r.views) < len(b.Tabs) {
		r.views = append(r.views, &tabView{&canvas.Rectangle{}, &canvas.Rectangle{}, &canvas.Rectangle{}, &canvas.Text{},
			&canvas.Line{StrokeWidth: 1.2}, &canvas.Line{StrokeWidth: 1.2}})
	}
	r.ring.Hide()
	for i, t := range b.Tabs {
		v := r.views[i]
		x, w := edges[i]-b.Scroll, edges[i+1]-edges[i]
		v.back.FillColor, v.under.FillColor, v.edge.FillColor = color.Transparent, color.Transparent, paint(theme.ColorNameSeparator)
		v.text.Text, v.text.TextSize, v.text.Color = t.Title, b.textSize(), paint(theme.ColorNamePlaceHolder)
		switch i {
		case b.Selected:
			v.back.FillColor, v.under.FillColor = paint(theme.ColorNameBackground), paint(theme.ColorNamePrimary)
			v.text.Color = paint(theme.ColorNameForeground)
		case b.hover:
			v.back.FillColor = paint(theme.ColorNameHover)
			v.text.Color = paint(theme.ColorNameForeground)
		}
		Put(v.back, x, 0, w-1, h)
		Put(v.under, x, h-2, w-1, 2)
		Put(v.edge, x+w-1, 5, 1, h-10)
		Put(v.text, x+TabPad, 0, w-2*TabPad, h)
		r.drawClose(v, x+w-TabPad-4, h/2, t.Close, i == b.hover && b.overX, paint)
		if i == b.Selected && b.focused {
			r.ring.StrokeColor = paint(theme.ColorNamePrimary)
			Put(r.ring, x+2, 3, w-5, h-7)
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
