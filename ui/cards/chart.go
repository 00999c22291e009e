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

// chartColumns is the number of columns that a curve is reduced to.
const chartColumns = 2048

// curve is values over time, reduced to columns of equal time.
type curve struct {
	title      string
	under      *curve // of the same times, drawn first and in another colour, or nil
	columns    []column
	least, top float64 // of all values; least > top without any
}

// column is the values of a curve in one stretch of time.
type column struct {
	first, last float64 // or NaN without a value
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
	log        bool    // the value axis is logarithmic; what is not above 0 is at its foot
	onTap      func(time float64)
	onHover    func(time float64, at int) // at is the column, or -1 when the pointer has left
	onWheel    func(time float64, steps float32)
	onDrag     func(part float64) // of the width, to the right
	onAll      func()             // shows all there is
	onSpace    func(time float64) // plays from a time on
	focused    bool
	cursor     float64 // of the keyboard, or NaN before it is moved
	mark       float64 // the selected moment, or NaN
	apart      float64 // the least distance of two places, or 0 for no bound
	counts     bool    // the values are whole numbers
	seconds    bool    // the axis of time is in seconds, shown in the unit that keeps them short
	unit       string  // of the axis of time if that is not in seconds, or ""

	raster *canvas.Raster
}

func newChart() *chart {
	c := &chart{cursor: math.NaN(), mark: math.NaN()}
	c.raster = canvas.NewRaster(c.paint)
	c.ExtendBaseWidget(c)
	return c
}

// set shows curves over from … to; all have the value axis least … top. If least is above top there is nothing to show.
func (c *chart) set(curves []*curve, from, to, least, top float64) {
	if least > top {
		curves, from, to, least, top = nil, 0, 1, 0, 1
	}
	if !(least < top) { // one value: in the middle
		pad := max(math.Abs(least)*0.1, 1)
		least, top = least-pad, least+pad
	}
	switch margin := (top - least) * 0.03; {
	case c.log:
		least, top = positive(curves)
	case least != 0: // what is highest and lowest is seen whole
		least, top = least-margin, top+margin
	default:
		top += margin
	}
	c.curves, c.from, c.to, c.least, c.top = curves, from, to, least, top
	c.Refresh()
}

// positive is the range of the values above 0, for a logarithmic axis.
func positive(curves []*curve) (least, top float64) {
	least, top = math.Inf(1), 0
	for _, one := range curves {
		for i := range one.columns {
			for _, v := range []float64{one.columns[i].low, one.columns[i].high} {
				if v > 0 && one.columns[i].first == one.columns[i].first {
					least, top = min(least, v), max(top, v)
				}
			}
		}
	}
	if !(least < top) {
		least, top = max(min(least, 1), 1e-300)/10, max(top, 1)
	}
	return least * 0.9, top
}

// Measures of a chart in Fyne's units.
const (
	chartPad = 8
	tickRoom = 34 // between two values on the value axis, at least
)

// plotArea returns the area of the curves, and the height of one.
func (c *chart) plotArea() (pos fyne.Position, size fyne.Size, each float32) {
	text := kit.CaptionSize("0", digits).Height
	left := float32(0)
	for _, t := range c.valueTicks() {
		left = max(left, kit.CaptionSize(t.Label, digits).Width)
	}
	pos = fyne.NewPos(chartPad+left+chartPad, text/2)
	size = fyne.NewSize(max(c.Size().Width-pos.X-2*chartPad, 0), max(c.Size().Height-pos.Y-text-chartPad, 0))
	n := float32(max(len(c.curves), 1))
	return pos, size, max((size.Height-c.gap(size.Height)*(n-1))/n, 0)
}

// gap returns the distance between two curves, which is less for many.
func (c *chart) gap(height float32) float32 {
	const least, most, part = 6, 13, 0.2
	return min(max(height/float32(max(len(c.curves), 1))*part, least), most)
}

// digits is the style of the labels.
var digits = fyne.TextStyle{Monospace: true}

// valueTicks marks the value axis: at two values at least, or none could be read.
func (c *chart) valueTicks() []kit.Tick {
	if powers := powerTicks(c.least, c.top); c.log && len(powers) > 1 {
		return powers
	}
	n := float32(max(len(c.curves), 1))
	ticks := kit.Ticks(c.least, c.top, max(2, int(c.Size().Height/n/tickRoom)))
	if c.counts {
		return kit.WholeTicks(ticks)
	}
	if len(ticks) > 1 {
		return ticks
	}
	const fine = 10
	ticks = kit.Ticks(c.least, c.top, fine)
	var ends []kit.Tick // and what is neither above 0 nor below
	for i, t := range ticks {
		if i == 0 || t.At == 0 || i == len(ticks)-1 {
			ends = append(ends, t)
		}
	}
	return ends
}

// placeTicks marks the axis of time, which has a width.
func (c *chart) placeTicks(width float32) []kit.Tick {
	if unit, per := c.timeUnit(); unit != "" {
		const numbers = 0.75 // of the labels; the rest is the unit's
		ticks := kit.FittingTicks(c.from*per, c.to*per, width*numbers)
		for i := range ticks {
			ticks[i] = kit.Tick{At: ticks[i].At / per, Label: ticks[i].Label + " " + unit}
		}
		return ticks
	}
	ticks := kit.FittingTicks(c.from, c.to, width)
	if c.apart > 0 {
		return kit.WholeTicks(ticks)
	}
	return ticks
}

// timeUnit returns the unit of the axis of time or "", and the factor from its numbers to that unit.
func (c *chart) timeUnit() (unit string, per float64) {
	switch {
	case c.counts: // it is an axis of values
		return "", 1
	case c.seconds:
		return secondsIn(c.to)
	}
	return c.unit, 1
}

// paint is the raster: grid and curves, in pixels.
func (c *chart) paint(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	_, size, each := c.plotArea()
	if size.Width <= 0 || size.Height <= 0 || len(c.curves) == 0 {
		return img
	}
	grid, ink := kit.GridInk(), kit.Paint(theme.ColorNamePrimary)
	scale := float64(w) / float64(size.Width)
	p := kit.Pen{Img: img, Width: max(1, int(scale+0.25))}
	gap := c.gap(size.Height)
	for i, one := range c.curves {
		y0 := int(float64(float32(i)*(each+gap)) * scale)
		y1 := y0 + int(float64(each)*scale)
		for _, t := range c.placeTicks(size.Width) {
			x := int((t.At - c.from) / (c.to - c.from) * float64(w-p.Width))
			p.Fill(x, y0, x+p.Width, y1, grid)
		}
		for _, t := range c.valueTicks() {
			y := c.level(t.At, y0, y1-p.Width)
			p.Fill(0, y, w, y+p.Width, grid)
		}
		if one.under != nil {
			c.paintCurve(p, one.under, y0, y1-p.Width, kit.Paint(theme.ColorNameWarning))
			one.paintParting(p, y1, kit.Paint(theme.ColorNameWarning))
		}
		c.paintCurve(p, one, y0, y1-p.Width, ink)
	}
	if c.mark >= c.from && c.mark <= c.to {
		x := int((c.mark - c.from) / (c.to - c.from) * float64(w-2*p.Width))
		p.Fill(x, 0, x+2*p.Width, h, kit.Paint(theme.ColorNamePlaceHolder))
	}
	if c.focused {
		x := int((c.cursorAt() - c.from) / (c.to - c.from) * float64(w-p.Width))
		p.Fill(x, 0, x+p.Width, h, kit.Paint(theme.ColorNameForeground))
		p.Frame(img.Rect, kit.Paint(theme.ColorNameFocus))
	}
	return img
}

// level is the pixel row of a value between y1, the least, and y0.
func (c *chart) level(v float64, y0, y1 int) int {
	return y1 - int(math.Round(c.part(v)*float64(y1-y0)))
}

// part returns the place of a value on the value axis, from 0 at its foot to 1.
func (c *chart) part(v float64) float64 {
	if !c.log {
		return (v - c.least) / (c.top - c.least)
	}
	return math.Log(max(v, c.least)/c.least) / math.Log(c.top/c.least)
}

// powerTicks marks powers of ten, at most six or so.
func powerTicks(from, to float64) []kit.Tick {
	first, last := math.Ceil(math.Log10(from)-1e-9), math.Floor(math.Log10(to)+1e-9)
	const most = 5
	step := max(1, math.Ceil((last-first)/most))
	var ticks []kit.Tick
	for e := first; e <= last; e += step {
		v, err := strconv.ParseFloat("1e"+strconv.Itoa(int(e)), 64)
		if err == nil && v > 0 {
			ticks = append(ticks, kit.Tick{At: v, Label: strconv.FormatFloat(v, 'g', -1, 64)})
		}
	}
	return ticks
}

// paintCurve draws what is in each column, and joins it to what was before.
func (c *chart) paintCurve(p kit.Pen, one *curve, y0, y1 int, ink color.Color) {
	w := p.Img.Bounds().Dx()
	lastX, lastY, open := 0, 0, false
	hole, few := false, one.isFew(w/(10*p.Width))
	for i := range one.columns {
		col := &one.columns[i]
		hole = hole || col.hole
		if math.IsNaN(col.first) {
			continue
		}
		x, y := i*max(w-p.Width, 0)/(len(one.columns)-1), c.level(col.first, y0, y1)
		if open && !hole {
			p.Line(lastX, lastY, x, y, ink)
		}
		p.Fill(x, c.level(col.high, y0, y1), x+p.Width, c.level(col.low, y0, y1)+p.Width, ink)
		if few {
			p.Fill(x-p.Width, y-p.Width, x+2*p.Width, y+2*p.Width, ink)
		}
		lastX, lastY, open, hole = x, c.level(col.last, y0, y1), true, false
	}
}

// isFew reports whether at most so many columns have values: then each is a dot, so that one by itself is seen.
func (c *curve) isFew(most int) bool {
	n := 0
	for i := range c.columns {
		if !math.IsNaN(c.columns[i].first) {
			n++
		}
	}
	return n <= most
}

// paintParting marks at the foot of a curve where it and the one under it are not the same.
func (c *curve) paintParting(p kit.Pen, foot int, ink color.Color) {
	w := p.Img.Bounds().Dx()
	for i := range c.columns {
		if !c.columns[i].same(&c.under.columns[i]) {
			x := i * max(w-p.Width, 0) / (len(c.columns) - 1)
			p.Fill(x-p.Width, foot-5*p.Width, x+2*p.Width, foot, ink)
		}
	}
}

// same reports whether two columns have the same range of values, or none.
func (c *column) same(d *column) bool {
	if math.IsNaN(c.first) || math.IsNaN(d.first) {
		return math.IsNaN(c.first) == math.IsNaN(d.first)
	}
	return c.low == d.low && c.high == d.high
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

func (c *chart) Tapped(e *fyne.PointEvent) {
	t, _, ok := c.timeAt(e.Position)
	if !ok || c.onTap == nil {
		return
	}
	c.cursor = t
	if on := fyne.CurrentApp().Driver().CanvasForObject(c); on != nil {
		on.Focus(c)
	}
	c.Refresh()
	c.onTap(t)
}

func (c *chart) Scrolled(e *fyne.ScrollEvent) {
	if t, _, ok := c.timeAt(e.Position); ok && c.onWheel != nil {
		c.onWheel(t, e.Scrolled.DY/wheelStep)
	}
}

// wheelNotch is the scrolling of a notch of the wheel, wheelStep that of a zoom step of an axis. A notch zooms by several steps, since an axis
// may have millions of elements.
const wheelNotch, wheelStep = 25, 10

func (c *chart) Dragged(e *fyne.DragEvent) {
	if _, size, _ := c.plotArea(); c.onDrag != nil && size.Width > 0 {
		c.onDrag(float64(e.Dragged.DX / size.Width))
	}
}

func (c *chart) DragEnd() {}

func (c *chart) MouseIn(e *desktop.MouseEvent) { c.MouseMoved(e) }

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

func (c *chart) MouseOut() {
	if c.onHover != nil {
		c.onHover(0, -1)
	}
}

func (c *chart) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewDrawing(c, c.raster, fyne.NewSize(120, 60), c.arrange)
}

// arrange places the raster, and labels at its left and below.
func (c *chart) arrange(fyne.Size) (labels []fyne.CanvasObject) {
	pos, size, each := c.plotArea()
	kit.PutRaster(c, c.raster, pos.X, pos.Y, size.Width, size.Height)
	if len(c.curves) == 0 {
		return nil
	}
	gap := c.gap(size.Height)
	for i, one := range c.curves {
		top := pos.Y + float32(i)*(each+gap)
		if i > 0 {
			labels = append(labels, lineBetween(top-gap/2, c.Size().Width))
		}
		labels = append(labels, c.values(pos.X-chartPad, top, each, gap/3)...)
		labels = append(labels, c.titles(one, fyne.NewPos(pos.X, top), fyne.NewSize(size.Width, each))...)
	}
	for _, t := range c.placeTicks(size.Width) {
		x, w := pos.X+size.Width*float32((t.At-c.from)/(c.to-c.from)), kit.CaptionSize(t.Label, digits).Width
		labels = append(labels, kit.Caption(t.Label, digits, theme.ColorNamePlaceHolder, max(min(x-w/2, c.Size().Width-w-chartPad/2), pos.X-chartPad/2), pos.Y+size.Height+chartPad/2, w))
	}
	return labels
}

// lineBetween is the line between two curves, over the labels of their axes too.
func lineBetween(y, width float32) fyne.CanvasObject {
	line := canvas.NewRectangle(kit.Paint(theme.ColorNameInputBorder))
	kit.Put(line, 0, y, width, 1)
	return line
}

// values returns the labels of the value axis of the curve at top, left of x. They do not overlap, and reach at most so far over the room
// of the curve.
func (c *chart) values(x, top, each, over float32) (labels []fyne.CanvasObject) {
	height := kit.CaptionSize("0", digits).Height
	above := float32(math.Inf(1)) // the label before, which is below
	for _, t := range c.valueTicks() {
		y, w := top+each*float32(1-c.part(t.At))-height/2, kit.CaptionSize(t.Label, digits).Width
		y = max(min(y, top+each+over-height), top-over)
		if y+height <= above+1 {
			labels = append(labels, kit.Caption(t.Label, digits, theme.ColorNamePlaceHolder, x-w, y, w))
			above = y
		}
	}
	return labels
}

// titles returns the title of a curve and before it that of the curve under it, in their colours. They are in an empty corner if there is
// one, else at the top left.
func (c *chart) titles(one *curve, pos fyne.Position, room fyne.Size) (labels []fyne.CanvasObject) {
	if one.title == "" || room.Width <= 0 {
		return nil
	}
	type part struct {
		title string
		ink   fyne.ThemeColorName
	}
	parts := []part{{one.title, theme.ColorNameForeground}}
	if one.under != nil {
		parts = []part{{one.under.title, theme.ColorNameWarning}, {one.title, theme.ColorNamePrimary}}
	}
	var box fyne.Size
	for _, part := range parts {
		size := kit.CaptionSize(part.title, digits)
		box = fyne.NewSize(box.Width+size.Width+chartPad, size.Height)
	}
	right, foot := max(room.Width-box.Width, 0), max(room.Height-box.Height, 0)
	at, free := fyne.Position{}, false
	for _, corner := range []fyne.Position{{}, {X: right}, {Y: foot}, {X: right, Y: foot}} {
		if free = c.isFree(one, corner, box, room); free {
			at = corner
			break
		}
	}
	x := pos.X + at.X + chartPad/2
	if free { // no line of the grid crosses it
		ground := canvas.NewRectangle(kit.Paint(theme.ColorNameBackground))
		kit.Put(ground, x-1, pos.Y+at.Y, box.Width-chartPad+2, box.Height)
		labels = append(labels, ground)
	}
	for _, part := range parts {
		width := kit.CaptionSize(part.title, digits).Width
		labels = append(labels, kit.Caption(part.title, digits, part.ink, x, pos.Y+at.Y, width))
		x += width + chartPad
	}
	return labels
}

// isFree reports whether nothing of a curve and of the one under it is in a box of its room.
func (c *chart) isFree(one *curve, at fyne.Position, box, room fyne.Size) bool {
	for ; one != nil; one = one.under {
		last := len(one.columns) - 1
		from := one.near(int(at.X / room.Width * float32(last)))
		end := float32(last) * (at.X + box.Width) / room.Width
		for i := from; i <= last; i++ {
			col := &one.columns[i]
			if math.IsNaN(col.first) {
				continue
			}
			top, foot := room.Height*float32(1-c.part(col.high)), room.Height*float32(1-c.part(col.low))
			if top <= at.Y+box.Height && foot >= at.Y {
				return false
			}
			if float32(i) > end { // the next column was checked too
				break
			}
		}
	}
	return true
}
