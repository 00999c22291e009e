package kit

import (
	"image/color"
	"slices"
	"time"

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
	Close bool          // it has a button that closes it
	Icon  fyne.Resource // before the title, or nil
	Bad   bool          // it has the sign of an error
	Why   string        // it cannot be chosen now, and why

	whole string // the title before it was shortened
}

// TabBar is a row of tabs. The owner shows their content. Tabs that do not fit are reached with the wheel, the arrow keys, and buttons at the right: two that scroll, and one that lists all.
type TabBar struct {
	widget.BaseWidget
	onSelect func(i int)
	// OnClick is called after onSelect if the mouse selected the tab. It may be nil.
	OnClick func(i int)
	// OnDouble is called for a double click on the bar. It may be nil.
	OnDouble func()
	// OnClose is called for a click on a closing button.
	OnClose func(i int)
	// OnAdd is called for a click on the sign after the last tab. If it is nil, there is no sign.
	OnAdd func()
	// OnMenu is called for the secondary button, at a place of the canvas. It may be nil.
	OnMenu func(i int, at fyne.Position)

	Tabs     []Tab
	Selected int
	focused  bool
	keys     fyne.Focusable // has the keyboard after a button was pressed here, or is nil
	post     func(func())   // the way to do something once Fyne is through with an event
	clicked  bool           // a tab was, and the button is not released yet
	pressed  time.Time      // the last time, and which tab
	last     int
	hover    int
	overX    bool // the mouse is over the closing button of the tab under it
	Scroll   float32
	tip      Tip
	settled  float32 // the width at which the selected tab was brought into sight last
}

// NewTabBar makes a bar without tabs, which calls onSelect when another tab is selected.
func NewTabBar(onSelect func(i int)) *TabBar {
	b := &TabBar{onSelect: onSelect, hover: -1, post: fyne.Do}
	b.ExtendBaseWidget(b)
	return b
}

// Set replaces the tabs.
func (b *TabBar) Set(tabs []Tab, selected int) {
	for i := range tabs {
		tabs[i].whole = tabs[i].Title
		tabs[i].Title = phrase.Short(tabs[i].Title, LongestTab)
	}
	was := b.Edges()
	b.Tabs = tabs
	if selected != b.Selected || !slices.Equal(was, b.Edges()) {
		b.settled = 0
	}
	b.Selected = selected
	b.Refresh()
}

// LongestTab is the most characters of a title that a tab shows.
const LongestTab = 36

// Measures of a tab in Fyne's units: beside its title, and its closing button.
const (
	TabPad   = 12
	tabClose = 16
	tabSign  = 18
	tabMore  = 22 // one of the three buttons at the right
	tabAdd   = 30 // the sign that adds one
	tabInset = 3  // between a tab and the edges of the bar
)

func (b *TabBar) textSize() float32 { return b.Theme().Size(theme.SizeNameText) }

// Height is that of the bar.
func (b *TabBar) Height() float32 { return b.textSize() + 16 }

// Edges returns where the tabs begin, and where the last one ends, before scrolling.
func (b *TabBar) Edges() []float32 {
	x := make([]float32, len(b.Tabs)+1)
	for i, t := range b.Tabs {
		w := fyne.MeasureText(t.Title, b.textSize(), fyne.TextStyle{Bold: true}).Width + 2*TabPad // whether it is selected or not
		if t.Close {
			w += tabClose
		}
		if t.Bad || t.Icon != nil {
			w += tabSign
		}
		x[i+1] = x[i] + w
	}
	return x
}

// Room is the width for tabs: all but for the sign that adds one, or what the buttons at the right leave.
func (b *TabBar) Room(edges []float32) float32 {
	width := b.Size().Width
	if b.OnAdd != nil {
		width -= tabAdd
	}
	if edges[len(edges)-1] > width {
		width -= 3 * tabMore
	}
	return max(width, 0)
}

// adds returns where the sign that adds a tab begins.
func (b *TabBar) adds() float32 {
	edges := b.Edges()
	return min(edges[len(edges)-1]-b.Scroll, b.Room(edges))
}

// moreAt returns which button at the right is at x, or -1.
func (b *TabBar) moreAt(x float32) int {
	edges := b.Edges()
	if from := b.Size().Width - 3*tabMore; edges[len(edges)-1] > b.Room(edges) && x >= from {
		return min(int((x-from)/tabMore), 2)
	}
	return -1
}

func (b *TabBar) clampScroll(edges []float32) {
	room := b.Room(edges)
	if i := b.Selected; b.settled != room && i < len(b.Tabs) { // another tab is selected, or the room is another
		b.settled = room
		b.Scroll = max(min(b.Scroll, edges[i]), edges[i+1]-room)
	}
	b.Scroll = max(0, min(b.Scroll, edges[len(edges)-1]-room))
}

// ground returns the colour of the bar: that of the window's bars, or of the pane that it is of.
func (b *TabBar) ground() fyne.ThemeColorName {
	if b.OnAdd != nil {
		return theme.ColorNameHeaderBackground
	}
	return theme.ColorNameBackground
}

// tabAt returns the tab at x and whether x is on its closing button.
func (b *TabBar) tabAt(x float32) (i int, onClose bool) {
	edges := b.Edges()
	if x >= b.Room(edges) {
		return -1, false
	}
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
	if i < 0 || i >= len(b.Tabs) || b.Tabs[i].Why != "" {
		return
	}
	b.Selected, b.settled = i, 0
	b.Refresh()
	b.onSelect(i)
}

// More does what button k at the right does: scroll by half the room, back and forth, or list all tabs.
func (b *TabBar) More(k int) {
	if k < 2 {
		b.Scroll += (float32(k) - 0.5) * b.Room(b.Edges())
		b.Refresh()
		return
	}
	var items []*fyne.MenuItem
	for i, t := range b.Tabs {
		item := MenuItem(t.Title, "", 0, func() { b.Choose(i) })
		item.Checked = i == b.Selected
		items = append(items, item)
	}
	driver := fyne.CurrentApp().Driver()
	at := driver.AbsolutePositionForObject(b).AddXY(b.Size().Width-tabMore, b.Height())
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), driver.CanvasForObject(b), at)
}

// MouseDown handles a button at once.
func (b *TabBar) MouseDown(e *desktop.MouseEvent) {
	b.tip.Hide()
	i, onClose := b.tabAt(e.Position.X)
	add, more := b.adds(), b.moreAt(e.Position.X)
	again := i == b.last && time.Since(b.pressed) < fyne.CurrentApp().Driver().DoubleTapDelay()
	b.pressed, b.last = time.Now(), i
	switch {
	case again && b.OnDouble != nil:
		b.pressed = time.Time{}
		b.OnDouble()
	case more >= 0:
		b.More(more)
	case b.OnAdd != nil && e.Position.X >= add && e.Position.X < add+tabAdd:
		b.OnAdd()
	case i < 0:
	case e.Button == desktop.MouseButtonSecondary && b.OnMenu != nil:
		b.OnMenu(i, e.AbsolutePosition)
	case b.Tabs[i].Close && (onClose || e.Button == desktop.MouseButtonTertiary):
		b.OnClose(i)
	default:
		b.Choose(i)
		b.clicked = true
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(b); c != nil {
		b.keys = c.Focused()
	}
}

// Tapped follows a click, after Fyne has taken the keyboard away.
func (b *TabBar) Tapped(*fyne.PointEvent) {
	if b.clicked && b.OnClick != nil {
		b.OnClick(b.Selected)
	}
	b.clicked = false
}

// MouseUp gives the keyboard back. Fyne takes it away when a button is pressed and when it is released.
func (b *TabBar) MouseUp(*desktop.MouseEvent) {
	c, keys := fyne.CurrentApp().Driver().CanvasForObject(b), b.keys
	b.keys = nil
	if c == nil || keys == nil {
		return
	}
	b.post(func() {
		if c.Focused() == nil {
			c.Focus(keys)
		}
	})
}

// MouseIn does what MouseMoved does.
func (b *TabBar) MouseIn(e *desktop.MouseEvent) { b.MouseMoved(e) }

// MouseMoved follows the pointer.
func (b *TabBar) MouseMoved(e *desktop.MouseEvent) {
	i, x := b.tabAt(e.Position.X)
	if i != b.hover || x != b.overX {
		b.hover, b.overX = i, x
		b.Refresh()
	}
	if text := b.tipAt(i, x, e.Position.X); text == "" {
		b.tip.Hide()
	} else if text != b.tip.text {
		b.tip.Wait(b, text, fyne.NewPos(e.Position.X, b.Height()))
	}
}

// tipAt returns the tip of tab i, its closing button, or a button at the right, or "".
func (b *TabBar) tipAt(i int, onClose bool, x float32) string {
	more, add := b.moreAt(x), b.adds()
	switch {
	case onClose:
		return "Close"
	case i >= 0 && b.Tabs[i].Why != "":
		return b.Tabs[i].Why
	case i >= 0 && b.Tabs[i].whole != b.Tabs[i].Title:
		return b.Tabs[i].whole
	case more >= 0:
		return [...]string{"Tabs to the left", "Tabs to the right", "All tabs"}[more]
	case b.OnAdd != nil && x >= add && x < add+tabAdd:
		return "Open a file (Ctrl+O)"
	}
	return ""
}

// MouseOut hides the tip.
func (b *TabBar) MouseOut() {
	b.tip.Hide()
	b.hover, b.keys = -1, nil
	b.Refresh()
}

// Scrolled follows the wheel.
func (b *TabBar) Scrolled(e *fyne.ScrollEvent) {
	b.Scroll -= e.Scrolled.DY + e.Scrolled.DX
	b.Refresh()
}

// FocusGained shows that the keyboard is here.
func (b *TabBar) FocusGained() { b.focused = true; b.Refresh() }

// FocusLost shows that the keyboard is elsewhere.
func (b *TabBar) FocusLost() { b.focused = false; b.Refresh() }

// TypedRune hands on characters.
func (b *TabBar) TypedRune(r rune) { HandOnRune(b, r) }

// TypedKey handles a key, or hands it on.
func (b *TabBar) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		b.step(-1)
	case fyne.KeyRight:
		b.step(1)
	default:
		HandOn(b, e)
	}
}

// step selects the next tab in a direction that can be.
func (b *TabBar) step(by int) {
	for i := b.Selected + by; i >= 0 && i < len(b.Tabs); i += by {
		if b.Tabs[i].Why == "" {
			b.Choose(i)
			return
		}
	}
}

// CreateRenderer makes the objects of the widget.
func (b *TabBar) CreateRenderer() fyne.WidgetRenderer {
	r := &tabBarRenderer{b: b, back: NewGround(), line: &canvas.Rectangle{}, ring: &canvas.Rectangle{StrokeWidth: 1, CornerRadius: 6},
		add: [2]*canvas.Line{{StrokeWidth: 1.2}, {StrokeWidth: 1.2}}}
	r.more = []fyne.CanvasObject{&canvas.Rectangle{}}
	for range 6 {
		r.more = append(r.more, &canvas.Line{StrokeWidth: 1.5})
	}
	return r
}

// sign returns the picture before the title of a tab, or nil.
func (t *Tab) sign() fyne.Resource {
	if t.Bad {
		return theme.NewErrorThemedResource(theme.ErrorIcon())
	}
	return t.Icon
}

type tabView struct {
	back   *canvas.Rectangle
	text   *canvas.Text
	x1, x2 *canvas.Line
	sign   *widget.Icon
}

func (v *tabView) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{v.back, v.text, v.x1, v.x2, v.sign}
}

type tabBarRenderer struct {
	b          *TabBar
	back       Ground
	line, ring *canvas.Rectangle
	add        [2]*canvas.Line
	views      []*tabView
	more       []fyne.CanvasObject // the buttons at the right: their ground, and two lines of each
}

func (r *tabBarRenderer) Destroy() {}

func (r *tabBarRenderer) MinSize() fyne.Size { return fyne.NewSize(60, r.b.Height()) }

func (r *tabBarRenderer) Layout(fyne.Size) { r.Refresh() }

func (r *tabBarRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.back.Object, r.line}
	for i := range min(len(r.views), len(r.b.Tabs)) {
		o = append(o, r.views[i].objects()...)
	}
	return append(append(o, r.ring, r.add[0], r.add[1]), r.more...)
}

// IsClip makes the painter cut off the tabs that do not fit.
func (r *tabBarRenderer) IsClip() {}

func (r *tabBarRenderer) Refresh() {
	b, th, variant := r.b, r.b.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	paint := func(n fyne.ThemeColorName) color.Color { return th.Color(n, variant) }
	size, h := b.Size(), b.Height()
	edges := b.Edges()
	b.clampScroll(edges)
	r.back.Paint(paint(b.ground()))
	r.line.FillColor = paint(theme.ColorNameSeparator)
	Put(r.back.Object, 0, 0, size.Width, size.Height)
	Put(r.line, 0, size.Height-1, size.Width, 1)
	for len(r.views) < len(b.Tabs) {
		r.views = append(r.views, &tabView{&canvas.Rectangle{CornerRadius: 6}, &canvas.Text{}, &canvas.Line{StrokeWidth: 1.2}, &canvas.Line{StrokeWidth: 1.2}, widget.NewIcon(nil)})
	}
	r.ring.Hide()
	for i, t := range b.Tabs {
		v := r.views[i]
		x, w := edges[i]-b.Scroll, edges[i+1]-edges[i]
		v.text.Text, v.text.TextSize = t.Title, b.textSize()
		r.color(i, paint)
		if Put(v.back, x+2, tabInset, w-4, h-2*tabInset); b.OnAdd != nil {
			Put(v.back, x, tabInset, w-1, h+tabInset) // down to what it is of
		}
		sign := v.drawSign(&t, x+TabPad-3, h)
		Put(v.text, x+TabPad+sign, 0, w-2*TabPad-sign, h)
		r.drawClose(v, x+w-TabPad-4, h/2, t.Close, i == b.hover && b.overX, paint)
		if i == b.Selected && b.focused {
			r.ring.StrokeColor = paint(theme.ColorNamePrimary)
			Put(r.ring, x+2, tabInset, w-4, h-2*tabInset)
			r.ring.Show()
		}
		for _, o := range v.objects() {
			canvas.Refresh(o)
		}
	}
	r.drawAdd(h, paint)
	r.drawMore(size.Width, h, paint)
	canvas.Refresh(b)
}

// color gives a tab its colours.
func (r *tabBarRenderer) color(i int, paint func(fyne.ThemeColorName) color.Color) {
	b, t, v := r.b, &r.b.Tabs[i], r.views[i]
	v.back.FillColor = color.Transparent
	v.text.Color, v.text.TextStyle.Bold = paint(theme.ColorNamePlaceHolder), i == b.Selected
	switch {
	case i == b.Selected && b.OnAdd != nil:
		v.back.FillColor = paint(theme.ColorNameBackground)
		v.text.Color = paint(theme.ColorNameForeground)
	case i == b.Selected:
		v.back.FillColor = paint(theme.ColorNameButton)
		v.text.Color = paint(theme.ColorNameForeground)
	case i == b.hover && t.Why == "":
		v.back.FillColor = paint(theme.ColorNameHover)
		v.text.Color = paint(theme.ColorNameForeground)
	}
	switch {
	case t.Bad:
		v.text.Color = paint(theme.ColorNameError)
	case t.Why != "":
		v.text.Color = Mix(paint(b.ground()), paint(theme.ColorNamePlaceHolder), 1)
	}
}

// drawSign draws the sign of a tab, if it has one, and returns the width that it takes.
func (v *tabView) drawSign(t *Tab, x, height float32) float32 {
	sign := t.sign()
	SetVisible(v.sign, sign != nil)
	if sign == nil {
		return 0
	}
	if v.sign.Resource == nil || v.sign.Resource.Name() != sign.Name() {
		v.sign.SetResource(sign)
	}
	Put(v.sign, x, (height-15)/2, 15, 15)
	return tabSign
}

// drawAdd draws the sign that adds a tab.
func (r *tabBarRenderer) drawAdd(h float32, paint func(fyne.ThemeColorName) color.Color) {
	const arm = 5
	cx, cy := r.b.adds()+tabAdd/2, h/2
	ends := [...]fyne.Position{{X: arm}, {Y: arm}}
	for k, l := range r.add {
		SetVisible(l, r.b.OnAdd != nil)
		l.StrokeColor = paint(theme.ColorNamePlaceHolder)
		l.Position1, l.Position2 = fyne.NewPos(cx-ends[k].X, cy-ends[k].Y), fyne.NewPos(cx+ends[k].X, cy+ends[k].Y)
	}
}

// drawMore draws the buttons at the right, if not all tabs fit: two angles that point to the sides, and one down.
func (r *tabBarRenderer) drawMore(width, h float32, paint func(fyne.ThemeColorName) color.Color) {
	from := width - 3*tabMore
	r.more[0].(*canvas.Rectangle).FillColor = paint(r.b.ground())
	Put(r.more[0], from, 0, 3*tabMore, h-1)
	for k, o := range r.more {
		SetVisible(o, r.b.moreAt(width) >= 0)
		if l, ok := o.(*canvas.Line); ok {
			l.StrokeColor = paint(theme.ColorNameForeground)
			button, part := (k-1)/2, float32(k%2*2-1) // part: the two halves of an angle
			cx, cy := from+(float32(button)+0.5)*tabMore, h/2
			tip := [...]fyne.Position{{X: -2}, {X: 2}, {Y: 2}}[button]
			end := [...]fyne.Position{{X: 2, Y: 4 * part}, {X: -2, Y: 4 * part}, {X: 4 * part, Y: -2}}[button]
			l.Position1, l.Position2 = tip.AddXY(cx, cy), end.AddXY(cx, cy)
		}
	}
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
