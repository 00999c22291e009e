package treeview

import (
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"cutaway/ui/kit"
)

// rowView is the objects of one row on the screen.
type rowView struct {
	back, bar    *canvas.Rectangle
	match        *canvas.Rectangle
	armA, armB   *canvas.Line
	ring         *canvas.Circle
	mark, icon   *canvas.Image
	shownMark    Mark
	cells        []*canvas.Text
	swatches     map[int]*canvas.Rectangle // by column
	bars         map[int]*canvas.Rectangle // by column
	inks         []*inkView
	strokes      []*canvas.Line
	full, elided []string // the texts in cells, so that unchanged ones are not measured again
	fitted       []float32
}

func newRowView(columns int) *rowView {
	v := &rowView{back: &canvas.Rectangle{}, match: &canvas.Rectangle{CornerRadius: 2}, bar: &canvas.Rectangle{CornerRadius: 3}, armA: &canvas.Line{StrokeWidth: 1.5},
		armB: &canvas.Line{StrokeWidth: 1.5}, ring: &canvas.Circle{StrokeWidth: 1.5}, mark: &canvas.Image{FillMode: canvas.ImageFillContain},
		icon:     &canvas.Image{FillMode: canvas.ImageFillContain},
		swatches: make(map[int]*canvas.Rectangle), bars: make(map[int]*canvas.Rectangle), full: make([]string, columns), elided: make([]string, columns), fitted: make([]float32, columns)}
	for range columns {
		v.cells = append(v.cells, &canvas.Text{})
	}
	return v
}

func (v *rowView) objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{v.back, v.match, v.bar, v.armA, v.armB, v.ring, v.mark, v.icon}
	for _, c := range v.cells {
		o = append(o, c)
	}
	for _, s := range v.swatches {
		o = append(o, s)
	}
	for _, s := range v.bars {
		o = append(o, s)
	}
	for _, s := range v.inks {
		o = append(o, s.box, s.text)
	}
	for _, s := range v.strokes {
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
	p := t.out.place(row)
	ready := t.rows.made[p]
	v.drawBack(t, p, row == t.pointer.row, pal)
	if ready != nil && ready.row.Lit && v.back.FillColor == color.Transparent {
		v.back.FillColor = pal.lit
	}
	kit.Put(v.back, 0, y, m.view.Width, m.row)
	v.back.Show()
	v.back.Refresh()

	nameAt := m.nameAt(p)
	show(v.bar, ready == nil && !p.isTail())
	v.hideDrawn()
	if ready == nil {
		v.drawPlain(p, m, nameAt, y, pal)
		return
	}
	v.drawExpander(p, &ready.row, nameAt-expander, y, m, pal)
	v.drawMark(&ready.row, m.markAt(), y+(m.row-markWide)/2)
	v.drawIcon(ready.row.Icon, nameAt, y+(m.row-iconWide)/2)
	for i := range v.cells {
		r.drawCell(v, i, p, &ready.row, y, pal)
	}
	v.drawMatch(ready.row.Match, y, m, pal)
	r.drawInks(v, &ready.row, y, pal)
	r.drawFlow(v, ready.row.Flow, y)
}

// drawCell sets the text of column i.
func (r *renderer) drawCell(v *rowView, i int, p pos, row *Row, y float32, pal *palette) {
	m, t := &r.m, r.t
	text := ""
	if i < len(row.Cells) {
		text = oneLine(row.Cells[i])
	}
	notYet := row.NoValue && i == 1
	style := fyne.TextStyle{Monospace: t.columns[i].Mono && !notYet, Bold: i == 0 && row.Strong} // italics are a font of their own: 5 MB of memory
	col := pal.text
	if row.Dim || notYet || t.columns[i].Quiet {
		col = pal.quiet
	}
	x, w := m.cellBox(i, p, row)
	if taken := r.drawSwatch(v, i, row, x, y, pal); taken > 0 {
		x, w = x+taken, w-taken
	}
	r.drawPart(v, i, row, x, y, w, pal)
	v.setCell(i, text, style, m, x, w, y, col, t.columns[i].Right)
}

// drawPart draws the bar of column i of a row below its text, from the right: the texts are numbers.
func (r *renderer) drawPart(v *rowView, i int, row *Row, x, y, w float32, pal *palette) {
	const high = 2
	s := v.bars[i]
	if i >= len(row.Bars) || row.Bars[i] <= 0 || w <= 0 {
		if s != nil {
			s.Hide()
		}
		return
	}
	if s == nil {
		s = &canvas.Rectangle{}
		v.bars[i] = s
		r.body.Objects = slices.Insert(r.body.Objects, slices.Index(r.body.Objects, fyne.CanvasObject(v.back))+1, fyne.CanvasObject(s)) // behind all texts
	}
	s.FillColor = pal.share
	wide := max(w*min(row.Bars[i], 1), 1)
	kit.Put(s, x+w-wide, y+r.m.row-high-1, wide, high)
	s.Show()
	s.Refresh()
}

// drawBack colours the ground of a row that is selected, that the mouse is over, or that the keyboard is at.
func (v *rowView) drawBack(t *Tree, p pos, hovered bool, pal *palette) {
	several, cursor := len(t.Selection.picked) > 0, p == t.Selection.cursor
	lit := cursor && !several || t.Selection.holds(p)
	active := t.focused || t.Led
	v.back.FillColor = color.Transparent
	v.back.StrokeWidth, v.back.StrokeColor = 0, color.Transparent
	if edged := (several || t.Led) && cursor || lit && pal.strong; edged {
		v.back.StrokeWidth, v.back.StrokeColor = 1, pal.quiet
		if active {
			v.back.StrokeColor = pal.accent
		}
	}
	switch {
	case lit && active:
		v.back.FillColor = pal.selected
	case lit:
		v.back.FillColor = pal.selectedOff
	case hovered:
		v.back.FillColor = pal.hover
	}
}

// drawMatch marks a part of a text that is shown whole, or that the ellipsis has left in sight.
func (v *rowView) drawMatch(hit Match, y float32, m *metrics, pal *palette) {
	v.match.Hide()
	if hit.From >= hit.To || hit.Cell >= len(v.cells) || hit.To > len(v.full[hit.Cell]) {
		return
	}
	c, full := v.cells[hit.Cell], v.full[hit.Cell]
	from, to := hit.From, hit.To
	if c.Text != full {
		head, tail := c.Text, ""                             // of no letter, or of parts that were moved together
		if cut := strings.LastIndex(c.Text, "…"); cut >= 0 { // an earlier one is the text's own
			head, tail = c.Text[:cut], c.Text[cut+len("…"):]
		}
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
	kit.Put(v.match, x-1, y+2, wide(c.Text[from:to])+2, m.row-4)
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
	kit.Put(s, x, y+inset, wide, r.m.row-2*inset)
	s.Show()
	s.Refresh()
	return wide + gap
}

// drawIcon draws the icon of a row, if it has one.
func (v *rowView) drawIcon(icon fyne.Resource, x, y float32) {
	show(v.icon, icon != nil)
	if icon == nil {
		return
	}
	v.icon.Resource = icon
	kit.Put(v.icon, x, y, iconWide, iconWide)
	v.icon.Refresh()
}

// drawPlain draws a row that is not made yet as a quiet bar, or the row after children that may grow.
func (v *rowView) drawPlain(p pos, m *metrics, x, y float32, pal *palette) {
	for _, o := range []fyne.CanvasObject{v.armA, v.armB, v.ring, v.mark, v.icon, v.match} {
		o.Hide()
	}
	for _, s := range v.swatches {
		s.Hide()
	}
	for _, s := range v.bars {
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
	kit.Put(v.bar, x, y+m.row/2-4, min(90, max(m.width[0]-x, 20)), 8)
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
	if style.Monospace {
		y += m.drop
	}
	kit.Put(c, x, y, max(w, 0), m.row)
	c.Show()
	if changed {
		c.Refresh()
	}
}

// drawExpander draws the shape before the name: an arrow, or a ring where what is below is not decoded yet.
func (v *rowView) drawExpander(p pos, row *Row, x, y float32, m *metrics, pal *palette) {
	kid := p.b.kid(p.i)
	open := kid != nil && kid.open
	arrow := row.Branch && (!row.Pending || open)
	show(v.armA, arrow)
	show(v.armB, arrow)
	show(v.ring, row.Branch && !arrow)
	cx, cy := x+expander/2-2, y+m.row/2
	if !arrow {
		v.ring.StrokeColor, v.ring.FillColor = pal.quiet, color.Transparent
		kit.Put(v.ring, cx-3.5, cy-3.5, 7, 7)
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

// drawMark draws the worst mark: full for the row's own problems, faint for those further down.
func (v *rowView) drawMark(row *Row, x, y float32) {
	worst := max(row.Mark, row.Below)
	show(v.mark, worst > Sound)
	if worst == Sound {
		return
	}
	if v.shownMark != worst || v.mark.Resource == nil {
		v.shownMark = worst
		v.mark.Resource = MarkIcon(worst)
	}
	v.mark.Translucency = 0
	if row.Mark < worst {
		v.mark.Translucency = 0.45
	}
	kit.Put(v.mark, x, y, markWide, markWide)
	v.mark.Refresh()
}

// MarkIcon returns the picture of a mark.
func MarkIcon(m Mark) fyne.Resource {
	switch m {
	case Error:
		return theme.NewErrorThemedResource(theme.ErrorIcon())
	case Warning:
		return theme.NewWarningThemedResource(theme.WarningIcon())
	default:
		return theme.NewDisabledResource(theme.InfoIcon())
	}
}
