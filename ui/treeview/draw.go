package treeview

import (
	"image/color"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// Measures in Fyne's units.
const (
	indent    = 16
	expander  = 16 // room for the expander
	cellPad   = 6
	minColumn = 36
	barWidth  = 12
	minThumb  = 28
)

// metrics is where things are, for one size of the widget.
type metrics struct {
	size        fyne.Size
	text        float32 // text size
	row         float32 // height of a row
	head        float32 // height of the column titles
	view        fyne.Size
	x, width    []float32 // columns, before scrolling sideways
	total       float32   // width of all columns
	vbar, hbar  bool
	wholeRows   int64 // rows that fit whole
	shownRows   int   // rows to draw
	thumb, seat float32
}

func (t *Tree) measure() metrics {
	m := metrics{size: t.Size(), text: t.Theme().Size(theme.SizeNameText)}
	m.row = float32(math.Ceil(float64(fyne.MeasureText("Mg", m.text, fyne.TextStyle{}).Height))) + 3
	m.head = m.row + 3
	m.view = fyne.NewSize(m.size.Width, max(m.size.Height-m.head, 0))
	for range 2 { // a bar takes room, which may call for the other bar
		m.columnsIn(t.columns)
		m.wholeRows = int64(m.view.Height / m.row)
		if !m.hbar && m.total > m.view.Width+0.5 {
			m.hbar = true
			m.view.Height = max(m.view.Height-barWidth, 0)
		}
		if !m.vbar && m.wholeRows < t.out.rows() {
			m.vbar = true
			m.view.Width = max(m.view.Width-barWidth, 0)
		}
	}
	m.columnsIn(t.columns)
	m.wholeRows = int64(m.view.Height / m.row)
	m.shownRows = int(m.view.Height/m.row) + 2
	m.thumb = max(minThumb, float32(float64(m.view.Height)*float64(m.wholeRows)/float64(max(t.out.rows(), 1))))
	m.seat = max(m.view.Height-m.thumb, 0)
	return m
}

// columnsIn places the columns; those that stretch share what is left.
func (m *metrics) columnsIn(columns []Column) {
	m.x, m.width = make([]float32, len(columns)), make([]float32, len(columns))
	var least float32
	shares := 0
	for _, c := range columns {
		least += c.Width
		shares += c.Stretch
	}
	left := max(m.view.Width-least, 0)
	m.total = 0
	for i, c := range columns {
		w := c.Width
		if c.Stretch > 0 {
			w += left * float32(c.Stretch) / float32(shares)
		}
		m.x[i], m.width[i] = m.total, w
		m.total += w
	}
}

// maxTop is the first row when the tree is scrolled to its end.
func (t *Tree) maxTop(m *metrics) int64 { return max(t.out.rows()-m.wholeRows, 0) }

// clamp keeps the scroll position inside the tree.
func (t *Tree) clamp(m *metrics) {
	if last := t.maxTop(m); t.top >= last {
		t.top, t.shift = last, 0
	}
	if t.top < 0 {
		t.top, t.shift = 0, 0
	}
	t.left = max(0, min(t.left, m.total-m.view.Width))
}

// showCursor scrolls as little as brings the cursor into sight; a jump of more than a page puts it at a third.
func (t *Tree) showCursor(m *metrics) {
	row, ok := t.out.row(t.cursor)
	if !ok || row < 0 {
		return
	}
	switch {
	case row >= t.top && (row < t.top+m.wholeRows) && (row > t.top || t.shift == 0):
		return
	case row < t.top-m.wholeRows || row > t.top+2*m.wholeRows:
		t.top, t.shift = row-m.wholeRows/3, 0
	case row <= t.top:
		t.top, t.shift = row, 0
	default:
		t.top, t.shift = row-m.wholeRows+1, 0
	}
}

// rowView is the objects of one row on the screen.
type rowView struct {
	back, bar    *canvas.Rectangle
	match        *canvas.Rectangle
	armA, armB   *canvas.Line
	ring         *canvas.Circle
	mark         *canvas.Image
	shownMark    Mark
	cells        []*canvas.Text
	swatches     map[int]*canvas.Rectangle // by column
	full, elided []string                  // what cells were made of, so that unchanged text is not measured again
	fitted       []float32
}

type renderer struct {
	t         *Tree
	m         metrics
	head      *canvas.Rectangle
	headLine  *canvas.Rectangle
	titles    []*canvas.Text
	dividers  []*canvas.Rectangle
	body      *fyne.Container
	clip      *container.Clip
	headBody  *fyne.Container
	headClip  *container.Clip
	rows      []*rowView
	track     *canvas.Rectangle
	thumb     *canvas.Rectangle
	sideTrack *canvas.Rectangle
	sideThumb *canvas.Rectangle
	tip       *tipView
	objects   []fyne.CanvasObject
}

// CreateRenderer implements fyne.Widget.
func (t *Tree) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{t: t, head: &canvas.Rectangle{}, headLine: &canvas.Rectangle{}, track: &canvas.Rectangle{},
		thumb: &canvas.Rectangle{CornerRadius: 4}, sideTrack: &canvas.Rectangle{},
		sideThumb: &canvas.Rectangle{CornerRadius: 4}, tip: newTipView()}
	r.headBody = container.NewWithoutLayout()
	for range t.columns {
		title := canvas.NewText("", color.Transparent)
		divider := &canvas.Rectangle{}
		r.titles, r.dividers = append(r.titles, title), append(r.dividers, divider)
		r.headBody.Objects = append(r.headBody.Objects, title, divider)
	}
	r.headClip = container.NewClip(r.headBody)
	r.body = container.NewWithoutLayout()
	r.clip = container.NewClip(r.body)
	r.objects = []fyne.CanvasObject{r.clip, r.head, r.headClip, r.headLine, r.track, r.thumb, r.sideTrack, r.sideThumb}
	r.objects = append(r.objects, r.tip.objects()...)
	return r
}

// Destroy implements fyne.WidgetRenderer.
func (r *renderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(160, 80) }

// Objects implements fyne.WidgetRenderer.
func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }

// Layout implements fyne.WidgetRenderer.
func (r *renderer) Layout(fyne.Size) { r.Refresh() }

// Refresh implements fyne.WidgetRenderer.
func (r *renderer) Refresh() {
	t := r.t
	r.m = t.measure()
	m := &r.m
	if m.wholeRows > 0 && t.reveal {
		t.reveal = false
		t.showCursor(m)
	}
	t.clamp(m)
	t.fill(t.top, m.shownRows)
	pal := t.palette()
	r.drawHead(pal)
	r.clip.Move(fyne.NewPos(0, m.head))
	r.clip.Resize(m.view)
	for len(r.rows) < m.shownRows {
		v := newRowView(len(t.columns))
		r.rows = append(r.rows, v)
		r.body.Objects = append(r.body.Objects, v.objects()...)
	}
	for i, v := range r.rows {
		row := t.top + int64(i)
		if i >= m.shownRows || row >= t.out.rows() {
			v.hide()
			continue
		}
		r.drawRow(v, row, float32(i)*m.row-t.shift, pal)
	}
	r.drawBars(pal)
	r.tip.draw(t, m, pal)
	canvas.Refresh(r.clip)
}

// palette is the theme's colours for the tree.
type palette struct {
	text, quiet, line, head, hover, selected, selectedOff, accent, match, bar, thumb, tip color.Color
}

func (t *Tree) palette() *palette {
	th, v := t.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	return &palette{
		text:        th.Color(theme.ColorNameForeground, v),
		quiet:       th.Color(theme.ColorNamePlaceHolder, v),
		line:        th.Color(theme.ColorNameSeparator, v),
		head:        th.Color(theme.ColorNameHeaderBackground, v),
		hover:       th.Color(theme.ColorNameHover, v),
		selected:    th.Color(theme.ColorNameSelection, v),
		selectedOff: th.Color(theme.ColorNamePressed, v),
		accent:      th.Color(theme.ColorNamePrimary, v),
		match:       faint(th.Color(theme.ColorNameWarning, v), 0x58),
		bar:         th.Color(theme.ColorNameScrollBarBackground, v),
		thumb:       th.Color(theme.ColorNameScrollBar, v),
		tip:         th.Color(theme.ColorNameOverlayBackground, v),
	}
}

// faint is a colour with so much of it, 0 to 0xff.
func faint(c color.Color, much uint8) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = much
	return n
}

func (r *renderer) drawHead(pal *palette) {
	m, t := &r.m, r.t
	r.head.FillColor = pal.head
	place(r.head, 0, 0, m.size.Width, m.head)
	r.head.Refresh()
	r.headLine.FillColor = pal.line
	place(r.headLine, 0, m.head-1, m.size.Width, 1)
	r.headLine.Refresh()
	r.headClip.Resize(fyne.NewSize(m.view.Width, m.head-1))
	for i, c := range t.columns {
		x := m.x[i] - t.left
		pad := float32(cellPad)
		if i == 0 {
			pad = 10
		}
		title := r.titles[i]
		title.TextSize, title.Color = m.text-1, pal.quiet
		text := c.Title
		if i == t.sortBy {
			text += t.sorted
		}
		title.Text = elide(text, m.width[i]-pad-cellPad, title.TextSize, fyne.TextStyle{})
		title.Alignment = fyne.TextAlignLeading
		if c.Right {
			title.Alignment = fyne.TextAlignTrailing
		}
		place(title, x+pad, 1, m.width[i]-pad-cellPad, m.head-2)
		title.Refresh()
		r.dividers[i].FillColor = pal.line
		place(r.dividers[i], x+m.width[i]-1, 4, 1, m.head-9)
		r.dividers[i].Refresh()
		show(r.dividers[i], i < len(t.columns)-1)
	}
}

func (r *renderer) drawBars(pal *palette) {
	m, t := &r.m, r.t
	show(r.track, m.vbar)
	show(r.thumb, m.vbar)
	if m.vbar {
		r.track.FillColor, r.thumb.FillColor = pal.bar, pal.thumb
		place(r.track, m.view.Width, m.head, barWidth, m.size.Height-m.head)
		place(r.thumb, m.view.Width+2, m.head+t.thumbAt(m), barWidth-4, m.thumb)
		r.track.Refresh()
		r.thumb.Refresh()
	}
	show(r.sideTrack, m.hbar)
	show(r.sideThumb, m.hbar)
	if m.hbar {
		r.sideTrack.FillColor, r.sideThumb.FillColor = pal.bar, pal.thumb
		y := m.head + m.view.Height
		place(r.sideTrack, 0, y, m.view.Width, barWidth)
		place(r.sideThumb, t.left*m.view.Width/m.total, y+2, m.view.Width*m.view.Width/m.total, barWidth-4)
		r.sideTrack.Refresh()
		r.sideThumb.Refresh()
	}
}

// thumbAt is where the scrollbar's thumb begins, from the top of its track.
func (t *Tree) thumbAt(m *metrics) float32 {
	last := t.maxTop(m)
	if last == 0 {
		return 0
	}
	return float32((float64(t.top) + float64(t.shift/m.row)) / float64(last) * float64(m.seat))
}

func newRowView(columns int) *rowView {
	v := &rowView{back: &canvas.Rectangle{}, match: &canvas.Rectangle{CornerRadius: 2}, bar: &canvas.Rectangle{CornerRadius: 3}, armA: &canvas.Line{StrokeWidth: 1.5},
		armB: &canvas.Line{StrokeWidth: 1.5}, ring: &canvas.Circle{StrokeWidth: 1.5}, mark: &canvas.Image{FillMode: canvas.ImageFillContain},
		swatches: make(map[int]*canvas.Rectangle), full: make([]string, columns), elided: make([]string, columns), fitted: make([]float32, columns)}
	for range columns {
		v.cells = append(v.cells, &canvas.Text{})
	}
	return v
}

func (v *rowView) objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{v.back, v.match, v.bar, v.armA, v.armB, v.ring, v.mark}
	for _, c := range v.cells {
		o = append(o, c)
	}
	for _, s := range v.swatches {
		o = append(o, s)
	}
	return o
}

func (v *rowView) hide() {
	for _, o := range v.objects() {
		o.Hide()
	}
}

// drawRow sets the objects of one row.
func (r *renderer) drawRow(v *rowView, row int64, y float32, pal *palette) {
	m, t := &r.m, r.t
	p := t.out.at(row)
	several := len(t.picked) > 0
	lit := p == t.cursor && !several || several && t.isPicked(p)
	v.back.FillColor = color.Transparent
	v.back.StrokeWidth, v.back.StrokeColor = 0, color.Transparent
	if several && p == t.cursor {
		v.back.StrokeWidth, v.back.StrokeColor = 1, pal.quiet
		if t.focused {
			v.back.StrokeColor = pal.accent
		}
	}
	switch {
	case lit && t.focused:
		v.back.FillColor = pal.selected
	case lit:
		v.back.FillColor = pal.selectedOff
	case row == t.hover:
		v.back.FillColor = pal.hover
	}
	place(v.back, 0, y, m.view.Width, m.row)
	v.back.Show()
	v.back.Refresh()

	nameAt := t.nameAt(m, p)
	ready := t.rows[p]
	show(v.bar, ready == nil && !p.isTail())
	if ready == nil {
		v.drawPlain(t, p, m, nameAt, y, pal)
		return
	}
	v.drawExpander(t, p, &ready.row, nameAt-expander, y, m, pal)
	v.drawMark(&ready.row, t.markAt(m), y+(m.row-14)/2)
	for i := range v.cells {
		text := ""
		if i < len(ready.row.Cells) {
			text = oneLine(ready.row.Cells[i])
		}
		notYet := ready.row.Pending && i == 1
		style := fyne.TextStyle{Monospace: t.columns[i].Mono && !notYet} // italics are a font of their own: 5 MB of memory
		col := pal.text
		if ready.row.Dim || notYet || t.columns[i].Quiet {
			col = pal.quiet
		}
		x, w := t.cellBox(m, i, p, &ready.row)
		if taken := r.drawSwatch(v, i, &ready.row, x, y, pal); taken > 0 {
			x, w = x+taken, w-taken
		}
		v.setCell(i, text, style, m, x, w, y, col, t.columns[i].Right)
	}
	v.drawMatch(ready.row.Match, y, m, pal)
}

// drawMatch marks a part of a text that is shown whole, or that the ellipsis has left in sight.
func (v *rowView) drawMatch(hit Match, y float32, m *metrics, pal *palette) {
	v.match.Hide()
	if hit.From >= hit.To || hit.Cell >= len(v.cells) || hit.To > len(v.full[hit.Cell]) {
		return
	}
	c, full := v.cells[hit.Cell], v.full[hit.Cell]
	from, to := hit.From, hit.To
	if head, tail, _ := strings.Cut(c.Text, "…"); c.Text != full {
		if behind := len(full) - len(tail); from < len(head) {
			to = min(to, len(head))
		} else if to > behind {
			from, to = max(from, behind)+len(c.Text)-len(full), to+len(c.Text)-len(full)
		} else {
			return
		}
	}
	wide := func(s string) float32 { return fyne.MeasureText(s, c.TextSize, c.TextStyle).Width }
	x := c.Position().X + wide(c.Text[:from])
	if c.Alignment == fyne.TextAlignTrailing {
		x += c.Size().Width - wide(c.Text)
	}
	v.match.FillColor = pal.match
	place(v.match, x-1, y+2, wide(c.Text[from:to])+2, m.row-4)
	v.match.Show()
	v.match.Refresh()
}

// drawSwatch draws the colour of column i of a row before its text, and returns the room that it takes.
func (r *renderer) drawSwatch(v *rowView, i int, row *Row, x, y float32, pal *palette) float32 {
	const wide, gap, inset = 20, 6, 3
	s := v.swatches[i]
	if i >= len(row.Swatches) || row.Swatches[i] == nil {
		if s != nil {
			s.Hide()
		}
		return 0
	}
	if s == nil {
		s = &canvas.Rectangle{StrokeWidth: 1, CornerRadius: 2}
		v.swatches[i] = s
		r.body.Add(s)
	}
	s.FillColor, s.StrokeColor = row.Swatches[i], pal.quiet
	place(s, x, y+inset, wide, r.m.row-2*inset)
	s.Show()
	s.Refresh()
	return wide + gap
}

// cellBox is where the text of column i of a row goes.
func (t *Tree) cellBox(m *metrics, i int, p pos, row *Row) (x, w float32) {
	x, w = m.x[i]-t.left+cellPad, m.width[i]-2*cellPad
	if i == 0 {
		x = t.nameAt(m, p)
		end := m.x[0] - t.left + m.width[0] - cellPad
		if max(row.Mark, row.Below) > Sound {
			end = t.markAt(m) - 4
		}
		w = end - x
	}
	return x, w
}

// nameAt is where the name of a row begins; the indent of deep rows is bounded by the column.
func (t *Tree) nameAt(m *metrics, p pos) float32 {
	if t.flat {
		return m.x[0] - t.left + cellPad + 2
	}
	return m.x[0] - t.left + min(float32(p.depth())*indent, m.width[0]/2) + expander + 4
}

func (t *Tree) markAt(m *metrics) float32 { return m.x[0] - t.left + m.width[0] - cellPad - 14 }

// drawPlain draws a row that is not made yet as a quiet bar, or the row that tells that there may be more.
func (v *rowView) drawPlain(t *Tree, p pos, m *metrics, x, y float32, pal *palette) {
	for _, o := range []fyne.CanvasObject{v.armA, v.armB, v.ring, v.mark, v.match} {
		o.Hide()
	}
	for _, s := range v.swatches {
		s.Hide()
	}
	for i := range v.cells {
		text := ""
		if i == 0 && p.isTail() {
			text = p.b.tail
		}
		v.setCell(i, text, fyne.TextStyle{}, m, x, m.view.Width-x, y, pal.quiet, false)
	}
	v.bar.FillColor = pal.selectedOff
	place(v.bar, x, y+m.row/2-4, min(90, max(m.width[0]-x, 20)), 8)
	v.bar.Refresh()
}

func (v *rowView) setCell(i int, text string, style fyne.TextStyle, m *metrics, x, w, y float32, col color.Color, right bool) {
	c := v.cells[i]
	if text != v.full[i] || w != v.fitted[i] || c.TextStyle != style || c.TextSize != m.text {
		v.full[i], v.fitted[i] = text, w
		v.elided[i] = elide(text, w, m.text, style)
	}
	changed := c.Text != v.elided[i] || c.Color != col || c.TextStyle != style || c.TextSize != m.text
	c.Text, c.Color, c.TextStyle, c.TextSize = v.elided[i], col, style, m.text
	c.Alignment = fyne.TextAlignLeading
	if right {
		c.Alignment = fyne.TextAlignTrailing
	}
	place(c, x, y, max(w, 0), m.row)
	c.Show()
	if changed {
		c.Refresh()
	}
}

// drawExpander draws the shape before the name: an arrow, or a ring where what is below is not decoded yet.
func (v *rowView) drawExpander(t *Tree, p pos, row *Row, x, y float32, m *metrics, pal *palette) {
	kid := p.b.kid(p.i)
	open := kid != nil && kid.open
	arrow := row.Branch && (!row.Pending || open)
	show(v.armA, arrow)
	show(v.armB, arrow)
	show(v.ring, row.Branch && !arrow)
	cx, cy := x+expander/2-2, y+m.row/2
	if !arrow {
		v.ring.StrokeColor, v.ring.FillColor = pal.quiet, color.Transparent
		place(v.ring, cx-3.5, cy-3.5, 7, 7)
		v.ring.Refresh()
		return
	}
	v.armA.StrokeColor, v.armB.StrokeColor = pal.quiet, pal.quiet
	if open {
		line(v.armA, cx-4, cy-2, cx, cy+2)
		line(v.armB, cx, cy+2, cx+4, cy-2)
	} else {
		line(v.armA, cx-2, cy-4, cx+2, cy)
		line(v.armB, cx+2, cy, cx-2, cy+4)
	}
	v.armA.Refresh()
	v.armB.Refresh()
}

// drawMark draws how bad the problems are: full for the row's own, faint for those further down.
func (v *rowView) drawMark(row *Row, x, y float32) {
	worst := max(row.Mark, row.Below)
	show(v.mark, worst > Sound)
	if worst == Sound {
		return
	}
	if v.shownMark != worst || v.mark.Resource == nil {
		v.shownMark = worst
		v.mark.Resource = markIcon(worst)
	}
	v.mark.Translucency = 0
	if row.Mark < worst {
		v.mark.Translucency = 0.45
	}
	place(v.mark, x, y, 14, 14)
	v.mark.Refresh()
}

func markIcon(m Mark) fyne.Resource {
	switch m {
	case Error:
		return theme.NewErrorThemedResource(theme.ErrorIcon())
	case Warning:
		return theme.NewWarningThemedResource(theme.WarningIcon())
	default:
		return theme.NewDisabledResource(theme.InfoIcon())
	}
}

func place(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}

func line(l *canvas.Line, x1, y1, x2, y2 float32) {
	l.Position1, l.Position2 = fyne.NewPos(x1, y1), fyne.NewPos(x2, y2)
}

func show(o fyne.CanvasObject, yes bool) {
	if yes {
		o.Show()
	} else {
		o.Hide()
	}
}
