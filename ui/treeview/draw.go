package treeview

import (
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cutaway/ui/kit"
	"cutaway/ui/look"
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
	drop        float32 // by which equally wide letters stand lower, so that all of a row are on one line; set to draw
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
	m.row = float32(math.Ceil(float64(fyne.MeasureText("Mg", m.text, fyne.TextStyle{}).Height))) + float32(math.Round(float64(t.Theme().Size(theme.SizeNamePadding))*3/4))
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

// lower is by how much equally wide letters must stand lower to be on one line with others: Fyne puts a text's middle on the
// row's, and its letters on the next whole pixel below their line.
func lower(text, scale float32) float32 {
	line := func(style fyne.TextStyle) float32 {
		box, baseline := fyne.CurrentApp().Driver().RenderedTextSize("0", text, style, nil)
		return float32(math.Ceil(float64(baseline*scale)))/scale - box.Height/2
	}
	return line(fyne.TextStyle{}) - line(fyne.TextStyle{Monospace: true})
}

// leastStretch is to what columns that stretch give way, unless they say otherwise.
const leastStretch = 90

// leastSeen is the width below which nothing can be read in a column: one that gives way further has no room at all, that which would
// give way most before the others.
const leastSeen = 44

// columnsIn places the columns; those that stretch share what is left, and what lacks, since their texts are elided and numbers are not.
func (m *metrics) columnsIn(columns []Column) {
	for m.place(columns); ; m.place(columns) {
		least := -1
		for i, c := range columns {
			if c.Least > 0 && c.Least < leastSeen && m.width[i] < leastSeen && (least < 0 || c.Least < columns[least].Least) {
				least = i
			}
		}
		if least < 0 {
			return
		}
		columns = slices.Clone(columns)
		columns[least] = Column{}
	}
}

// place gives the columns their places, each of them at least as wide as it gives way to.
func (m *metrics) place(columns []Column) {
	m.x, m.width = make([]float32, len(columns)), make([]float32, len(columns))
	var least, spare float32
	shares := 0
	for _, c := range columns {
		least += c.Width
		shares += c.Stretch
		spare += c.spare()
	}
	left, lack := max(m.view.Width-least, 0), min(max(least-m.view.Width, 0), spare)
	m.total = 0
	for i, c := range columns {
		w := c.Width
		if c.Stretch > 0 {
			w += left * float32(c.Stretch) / float32(shares)
		}
		if lack > 0 {
			w -= lack * c.spare() / spare
		}
		m.x[i], m.width[i] = m.total, w
		m.total += w
	}
}

// spare is how much of its width a column gives way.
func (c *Column) spare() float32 {
	switch {
	case c.Least > 0:
		return max(c.Width-c.Least, 0)
	case c.Stretch > 0:
		return max(c.Width-leastStretch, 0)
	}
	return 0
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

type renderer struct {
	t         *Tree
	m         metrics
	whole     int64 // how many rows were whole when it was drawn last
	head      kit.Ground
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
	frame     *fyne.Container // around the rows, where the keyboard is at none of them
	tip       *tipView
	objects   []fyne.CanvasObject
}

// CreateRenderer implements fyne.Widget.
func (t *Tree) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{t: t, head: kit.NewGround(), headLine: &canvas.Rectangle{}, track: &canvas.Rectangle{},
		thumb: &canvas.Rectangle{CornerRadius: 4}, sideTrack: &canvas.Rectangle{},
		sideThumb: &canvas.Rectangle{CornerRadius: 4}, frame: kit.NewEdges(2), tip: newTipView()}
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
	r.objects = []fyne.CanvasObject{r.clip, r.head.Object, r.headClip, r.headLine, r.track, r.thumb, r.sideTrack, r.sideThumb, r.frame}
	r.objects = append(r.objects, r.tip.objects()...)
	return r
}

func (r *renderer) Destroy() {}

func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(160, 66) } // titles and two rows

func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *renderer) Layout(fyne.Size) { r.Refresh() }

// keepCursor has the cursor's row brought back into sight where the widget has become so low that it is not in sight any more.
func (r *renderer) keepCursor() {
	was, now := r.whole, r.m.wholeRows
	if row, ok := r.t.out.row(r.t.cursor); ok && 0 < now && row >= r.t.top+now && row < r.t.top+was {
		r.t.reveal = true
	}
	r.whole = now
}

func (r *renderer) Refresh() {
	t := r.t
	r.m = t.measure()
	r.m.drop = lower(r.m.text, float32(1/kit.Pixel(t)))
	m := &r.m
	r.keepCursor()
	switch {
	case t.askedTop >= 0:
		t.top, t.shift, t.reveal = t.askedTop, 0, false
	case m.wholeRows > 0 && t.reveal:
		t.reveal = false
		t.showCursor(m)
	}
	t.clamp(m)
	if t.hover >= t.top+int64(m.shownRows) {
		t.hoverRow(-1) // the tree has become lower
	}
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
	for i := range r.rows {
		row := t.top + int64(i)
		v := r.rows[row%int64(len(r.rows))] // a row that is still in sight keeps its objects, whose letters are drawn already
		if i >= m.shownRows || row >= t.out.rows() {
			v.hide()
			continue
		}
		r.drawRow(v, row, float32(i)*m.row-t.shift, pal)
	}
	r.drawBars(pal)
	r.drawFrame(pal)
	r.tip.draw(t, m, pal)
	canvas.Refresh(r.clip)
}

// palette is the theme's colours for the tree.
type palette struct {
	text, quiet, line, head, hover, selected, selectedOff, accent, match, lit, share, bar, thumb, tip color.Color

	strong bool // of high contrast
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
		lit:         faint(th.Color(theme.ColorNamePrimary, v), 0x2c),
		share:       th.Color(look.Share, v),
		bar:         th.Color(theme.ColorNameScrollBarBackground, v),
		thumb:       th.Color(theme.ColorNameScrollBar, v),
		tip:         th.Color(theme.ColorNameOverlayBackground, v),
		strong:      kit.IsStrong(),
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
	r.head.Paint(pal.head)
	kit.Put(r.head.Object, 0, 0, m.size.Width, m.head)
	r.headLine.FillColor = pal.line
	kit.Put(r.headLine, 0, m.head-1, m.size.Width, 1)
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
		kit.Put(title, x+pad, 1, max(m.width[i]-pad-cellPad, 0), m.head-2)
		title.Refresh()
		r.dividers[i].FillColor = pal.line
		kit.Put(r.dividers[i], x+m.width[i]-1, 4, 1, m.head-9)
		r.dividers[i].Refresh()
		show(r.dividers[i], i < len(t.columns)-1 && m.width[i] > 0) // a column without a width is not shown
	}
}

func (r *renderer) drawBars(pal *palette) {
	m, t := &r.m, r.t
	show(r.track, m.vbar)
	show(r.thumb, m.vbar)
	if m.vbar {
		r.track.FillColor, r.thumb.FillColor = pal.bar, pal.thumb
		kit.Put(r.track, m.view.Width, m.head, barWidth, max(m.size.Height-m.head, 0))
		kit.Put(r.thumb, m.view.Width+2, m.head+t.thumbAt(m), barWidth-4, m.thumb)
		r.track.Refresh()
		r.thumb.Refresh()
	}
	show(r.sideTrack, m.hbar)
	show(r.sideThumb, m.hbar)
	if m.hbar {
		r.sideTrack.FillColor, r.sideThumb.FillColor = pal.bar, pal.thumb
		y := m.head + m.view.Height
		kit.Put(r.sideTrack, 0, y, m.view.Width, barWidth)
		kit.Put(r.sideThumb, t.left*m.view.Width/m.total, y+2, m.view.Width*m.view.Width/m.total, barWidth-4)
		r.sideTrack.Refresh()
		r.sideThumb.Refresh()
	}
}

// drawFrame draws a frame around the tree while it has the keyboard and no row in sight does.
func (r *renderer) drawFrame(pal *palette) {
	m, t := &r.m, r.t
	row, ok := t.out.row(t.cursor)
	seen := ok && row >= t.top && row < t.top+int64(m.shownRows)
	show(r.frame, t.focused && !seen)
	if r.frame.Visible() {
		kit.PaintEdges(r.frame, pal.accent)
		kit.Put(r.frame, 1, 1, max(m.view.Width-2, 0), max(m.head+m.view.Height-2, 0)) // around the titles too: the first row is read
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
