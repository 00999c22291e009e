package cards

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
)

// chartColumns is how many columns a curve is reduced to, whatever the number of its points.
const chartColumns = 2048

// curve is values over time, reduced to columns of equal time.
type curve struct {
	title      string
	columns    []column
	least, top float64 // of all values; least > top where there is none
}

// column is the values of a curve in one stretch of time.
type column struct {
	first, last float64 // NaN: no value
	low, high   float64
	hole        bool // before first there is something that is not a number
}

func newCurve(title string) *curve {
	c := &curve{title: title, columns: make([]column, chartColumns), least: math.Inf(1), top: math.Inf(-1)}
	for i := range c.columns {
		c.columns[i].first, c.columns[i].last = math.NaN(), math.NaN()
	}
	return c
}

// add puts a value into a column; columns come in order. What is not a finite number leaves a hole.
func (c *curve) add(at int, v float64) {
	col := &c.columns[max(0, min(at, len(c.columns)-1))]
	empty := math.IsNaN(col.first)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		col.hole = col.hole || empty
		return
	case empty:
		col.first, col.low, col.high = v, v, v
	}
	col.last = v
	col.low, col.high = min(col.low, v), max(col.high, v)
	c.least, c.top = min(c.least, v), max(c.top, v)
}

// snapshot is the curve as it is now, for another goroutine.
func (c *curve) snapshot() *curve {
	s := *c
	s.columns = append([]column(nil), c.columns...)
	return &s
}

// chart draws curves above one another over one axis of time.
type chart struct {
	widget.BaseWidget
	curves     []*curve
	from, to   float64 // time
	least, top float64 // of the value axis
	onTap      func(time float64)
	onHover    func(time float64, at int) // at is the column; -1: the pointer has left
	onWheel    func(time float64, steps float32)
	onDrag     func(part float64) // of the width, to the right

	raster *canvas.Raster
}

func newChart() *chart {
	c := &chart{}
	c.raster = canvas.NewRaster(c.paint)
	c.ExtendBaseWidget(c)
	return c
}

// set shows curves over from … to; all have the value axis least … top.
func (c *chart) set(curves []*curve, from, to, least, top float64) {
	if !(least < top) { // one value: in the middle
		pad := max(math.Abs(least)*0.1, 1)
		least, top = least-pad, least+pad
	}
	c.curves, c.from, c.to, c.least, c.top = curves, from, to, least, top
	c.Refresh()
}

// Measures of a chart in Fyne's units.
const (
	chartPad  = 8
	tickRoom  = 34 // between two values on the value axis, at least
	curveRoom = 6  // between two curves
)

// plotArea is where the curves are, and the height of one.
func (c *chart) plotArea() (pos fyne.Position, size fyne.Size, each float32) {
	text := c.textHeight()
	left := float32(0)
	for _, t := range c.valueTicks() {
		left = max(left, c.textWidth(t.label))
	}
	pos = fyne.NewPos(chartPad+left+chartPad, text/2)
	size = fyne.NewSize(max(c.Size().Width-pos.X-2*chartPad, 0), max(c.Size().Height-pos.Y-text-chartPad, 0))
	n := float32(max(len(c.curves), 1))
	return pos, size, max((size.Height-curveRoom*(n-1))/n, 0)
}

func (c *chart) textSize() float32 { return c.Theme().Size(theme.SizeNameCaptionText) }

func (c *chart) textHeight() float32 {
	return fyne.MeasureText("0", c.textSize(), fyne.TextStyle{Monospace: true}).Height
}

func (c *chart) textWidth(s string) float32 {
	return fyne.MeasureText(s, c.textSize(), fyne.TextStyle{Monospace: true}).Width
}

// tick is a marked value of an axis.
type tick struct {
	at    float64
	label string
}

// ticksOf marks from … to at 1, 2 or 5 times a power of ten, with at most about most marks. Labels have the decimals
// that tell neighbours apart, and no more.
func ticksOf(from, to float64, most int) []tick {
	if !(from < to) || most < 1 || math.IsInf(to-from, 0) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10((to-from)/float64(most))))
	for _, k := range []float64{1, 2, 5, 10} {
		if (to-from)/(step*k) <= float64(most) {
			step *= k
			break
		}
	}
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	format, large := byte('f'), max(math.Abs(from), math.Abs(to))
	if decimals > 9 || large >= 1e15 {
		format, decimals = 'g', -1
	}
	var ticks []tick
	for k := math.Ceil(from/step - 1e-9); k*step <= to+step*1e-9 && len(ticks) <= most+1; k++ {
		v := k * step
		if k == 0 {
			v = 0 // not -0
		}
		if format == 'g' {
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
		}
		ticks = append(ticks, tick{v, strconv.FormatFloat(v, format, decimals, 64)})
	}
	return ticks
}

func (c *chart) valueTicks() []tick {
	n := float32(max(len(c.curves), 1))
	return ticksOf(c.least, c.top, max(2, int(c.Size().Height/n/tickRoom)))
}

// timeTicks marks the time axis as densely as the labels leave room.
func (c *chart) timeTicks(width float32) []tick {
	for most := 12; most > 1; most-- {
		ticks := ticksOf(c.from, c.to, most)
		room := float32(0)
		for _, t := range ticks {
			room = max(room, c.textWidth(t.label)+3*chartPad)
		}
		if room*float32(len(ticks)) <= width {
			return ticks
		}
	}
	return nil
}

// paint is the raster: grid and curves, in pixels.
func (c *chart) paint(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	_, size, each := c.plotArea()
	if size.Width <= 0 || size.Height <= 0 || len(c.curves) == 0 {
		return img
	}
	th, v := c.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	grid, ink := th.Color(theme.ColorNameSeparator, v), th.Color(theme.ColorNamePrimary, v)
	scale := float64(w) / float64(size.Width)
	p := pen{img, max(1, int(scale+0.25))}
	for _, t := range c.timeTicks(size.Width) {
		x := int((t.at - c.from) / (c.to - c.from) * float64(w-p.width))
		p.fill(x, 0, x+p.width, h, grid)
	}
	for i, one := range c.curves {
		y0 := int(float64(float32(i)*(each+curveRoom)) * scale)
		y1 := y0 + int(float64(each)*scale)
		for _, t := range c.valueTicks() {
			y := c.level(t.at, y0, y1-p.width)
			p.fill(0, y, w, y+p.width, grid)
		}
		c.paintCurve(p, one, y0, y1-p.width, ink)
	}
	return img
}

// level is the pixel row of a value between y1, the least, and y0.
func (c *chart) level(v float64, y0, y1 int) int {
	return y1 - int(math.Round((v-c.least)/(c.top-c.least)*float64(y1-y0)))
}

// paintCurve draws what is in each column, and joins it to what was before.
func (c *chart) paintCurve(p pen, one *curve, y0, y1 int, ink color.Color) {
	w := p.img.Bounds().Dx()
	lastX, lastY, open := 0, 0, false
	hole := false
	for i := range one.columns {
		col := &one.columns[i]
		hole = hole || col.hole
		if math.IsNaN(col.first) {
			continue
		}
		x, y := i*max(w-p.width, 0)/(len(one.columns)-1), c.level(col.first, y0, y1)
		if open && !hole {
			p.line(lastX, lastY, x, y, ink)
		}
		p.fill(x, c.level(col.high, y0, y1), x+p.width, c.level(col.low, y0, y1)+p.width, ink)
		lastX, lastY, open, hole = x, c.level(col.last, y0, y1), true, false
	}
}

// pen draws on a picture with lines of a width in pixels.
type pen struct {
	img   *image.RGBA
	width int
}

func (p pen) fill(x0, y0, x1, y1 int, ink color.Color) {
	r, g, b, a := ink.RGBA()
	at := image.Rect(x0, y0, x1, y1).Intersect(p.img.Bounds())
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			k := p.img.PixOffset(x, y)
			for i, c := range [4]uint32{r, g, b, a} { // premultiplied, over what is there
				p.img.Pix[k+i] = uint8((c + uint32(p.img.Pix[k+i])*257*(0xffff-a)/0xffff) >> 8)
			}
		}
	}
}

// line draws from left to right, a run of rows for each column.
func (p pen) line(x0, y0, x1, y1 int, ink color.Color) {
	last := y0
	for x := x0; x <= x1; x++ {
		y := y1
		if x1 > x0 {
			y = y0 + (y1-y0)*(x-x0)/(x1-x0)
		}
		p.fill(x, min(last, y), x+1, max(last, y)+p.width, ink)
		last = y
	}
}

// timeAt is the time at a place of the widget, and its column; ok is false outside the curves.
func (c *chart) timeAt(at fyne.Position) (time float64, col int, ok bool) {
	pos, size, _ := c.plotArea()
	part := float64((at.X - pos.X) / size.Width)
	if part < 0 || part > 1 || size.Width <= 0 || len(c.curves) == 0 {
		return 0, -1, false
	}
	return c.from + part*(c.to-c.from), int(part * (chartColumns - 1)), true
}

// Tapped implements fyne.Tappable.
func (c *chart) Tapped(e *fyne.PointEvent) {
	if t, _, ok := c.timeAt(e.Position); ok && c.onTap != nil {
		c.onTap(t)
	}
}

// Scrolled implements fyne.Scrollable.
func (c *chart) Scrolled(e *fyne.ScrollEvent) {
	if t, _, ok := c.timeAt(e.Position); ok && c.onWheel != nil {
		c.onWheel(t, e.Scrolled.DY/wheelStep)
	}
}

// wheelStep is what a notch of a wheel scrolls.
const wheelStep = 10

// Dragged implements fyne.Draggable.
func (c *chart) Dragged(e *fyne.DragEvent) {
	if _, size, _ := c.plotArea(); c.onDrag != nil && size.Width > 0 {
		c.onDrag(float64(e.Dragged.DX / size.Width))
	}
}

// DragEnd implements fyne.Draggable.
func (c *chart) DragEnd() {}

// MouseIn implements desktop.Hoverable.
func (c *chart) MouseIn(e *desktop.MouseEvent) { c.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (c *chart) MouseMoved(e *desktop.MouseEvent) {
	if c.onHover == nil {
		return
	}
	if t, col, ok := c.timeAt(e.Position); ok {
		c.onHover(t, col)
	} else {
		c.onHover(0, -1)
	}
}

// MouseOut implements desktop.Hoverable.
func (c *chart) MouseOut() {
	if c.onHover != nil {
		c.onHover(0, -1)
	}
}

// CreateRenderer implements fyne.Widget.
func (c *chart) CreateRenderer() fyne.WidgetRenderer { return &chartRenderer{c: c} }

type chartRenderer struct {
	c      *chart
	labels []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *chartRenderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (r *chartRenderer) MinSize() fyne.Size { return fyne.NewSize(120, 60) }

// Objects implements fyne.WidgetRenderer.
func (r *chartRenderer) Objects() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{r.c.raster}, r.labels...)
}

// Refresh implements fyne.WidgetRenderer.
func (r *chartRenderer) Refresh() {
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
	r.c.raster.Refresh()
}

// Layout implements fyne.WidgetRenderer: the raster, and labels at its left and below.
func (r *chartRenderer) Layout(fyne.Size) {
	c := r.c
	pos, size, each := c.plotArea()
	kit.Put(c.raster, pos.X, pos.Y, size.Width, size.Height)
	r.labels = nil
	if len(c.curves) == 0 {
		return
	}
	th, v := c.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	height := c.textHeight()
	label := func(text string, x, y float32, name fyne.ThemeColorName) {
		t := canvas.NewText(text, th.Color(name, v))
		t.TextSize, t.TextStyle.Monospace = c.textSize(), true
		kit.Put(t, x, y, c.textWidth(text), height)
		r.labels = append(r.labels, t)
	}
	for i, one := range c.curves {
		top := pos.Y + float32(i)*(each+curveRoom)
		for _, t := range c.valueTicks() {
			y := top + each*float32((c.top-t.at)/(c.top-c.least))
			label(t.label, pos.X-chartPad-c.textWidth(t.label), y-height/2, theme.ColorNamePlaceHolder)
		}
		if one.title != "" {
			label(one.title, pos.X+chartPad/2, top, theme.ColorNameForeground)
		}
	}
	for _, t := range c.timeTicks(size.Width) {
		x := pos.X + size.Width*float32((t.at-c.from)/(c.to-c.from))
		w := c.textWidth(t.label)
		label(t.label, min(x-w/2, c.Size().Width-w), pos.Y+size.Height+chartPad/2, theme.ColorNamePlaceHolder)
	}
}
