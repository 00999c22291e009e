package treeview

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cutaway/ui/kit"
	"cutaway/ui/look"
)

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
	objects   []fyne.CanvasObject
}

// CreateRenderer makes the objects of the tree.
func (t *Tree) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{t: t, head: kit.NewGround(), headLine: &canvas.Rectangle{}, track: &canvas.Rectangle{},
		thumb: &canvas.Rectangle{CornerRadius: 4}, sideTrack: &canvas.Rectangle{},
		sideThumb: &canvas.Rectangle{CornerRadius: 4}, frame: kit.NewEdges(2)}
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
	return r
}

func (r *renderer) Destroy() {}

func (r *renderer) MinSize() fyne.Size { return fyne.NewSize(160, 66) } // titles and two rows

func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *renderer) Layout(fyne.Size) { r.Refresh() }

// keepCursor brings the cursor's row back into sight where the widget has become too low.
func (r *renderer) keepCursor() {
	was, now, s := r.whole, r.m.wholeRows, &r.t.scroll
	if row, ok := r.t.out.row(r.t.Selection.cursor); ok && 0 < now && row >= s.top+now && row < s.top+was {
		s.reveal = true
	}
	r.whole = now
}

// Refresh draws all that is in sight, after what is to be shown has been scrolled to.
func (r *renderer) Refresh() {
	t, s := r.t, &r.t.scroll
	r.m = t.measure()
	r.m.drop = lower(r.m.text, float32(1/kit.Pixel(t)))
	m := &r.m
	r.keepCursor()
	switch {
	case s.asked >= 0:
		s.top, s.shift, s.reveal = s.asked, 0, false
	case m.wholeRows > 0 && s.reveal:
		s.reveal = false
		if row, ok := t.out.row(t.Selection.cursor); ok && row >= 0 {
			s.show(row, m)
		}
	}
	s.clamp(m)
	if t.pointer.row >= s.top+int64(m.shownRows) {
		t.pointer.light(-1) // the tree has become lower
	}
	t.rows.fill(s.top, m.shownRows, t.Selection.cursor)
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
		row := s.top + int64(i)
		v := r.rows[row%int64(len(r.rows))] // a row that is still in sight keeps its objects, whose letters are drawn already
		if i >= m.shownRows || row >= m.rows {
			v.hide()
			continue
		}
		r.drawRow(v, row, float32(i)*m.row-s.shift, pal)
	}
	r.drawBars(pal)
	r.drawFrame(pal)
	canvas.Refresh(r.clip)
}

// palette is the theme's colours for the tree.
type palette struct {
	text, quiet, line, head, hover, selected, selectedOff, accent, match, lit, share, bar, thumb color.Color

	strong bool // of high contrast
}

func (t *Tree) palette() *palette {
	th, v := t.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	return &palette{
		text:        th.Color(theme.ColorNameForeground, v),
		quiet:       th.Color(theme.ColorNamePlaceHolder, v),
		line:        th.Color(theme.ColorNameSeparator, v),
		head:        th.Color(theme.ColorNameBackground, v),
		hover:       th.Color(theme.ColorNameHover, v),
		selected:    th.Color(theme.ColorNameSelection, v),
		selectedOff: th.Color(theme.ColorNamePressed, v),
		accent:      th.Color(theme.ColorNamePrimary, v),
		match:       faint(th.Color(theme.ColorNameWarning, v), 0x58),
		lit:         faint(th.Color(theme.ColorNamePrimary, v), 0x2c),
		share:       th.Color(look.Share, v),
		bar:         th.Color(theme.ColorNameScrollBarBackground, v),
		thumb:       th.Color(theme.ColorNameScrollBar, v),
		strong:      kit.IsStrong(),
	}
}

// faint returns a colour with an alpha of 0 to 0xff.
func faint(c color.Color, much uint8) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = much
	return n
}

func (r *renderer) drawHead(pal *palette) {
	m, t := &r.m, r.t
	titled := m.head > 0 // a list may have no titles
	for _, o := range []fyne.CanvasObject{r.head.Object, r.headLine, r.headClip} {
		show(o, titled)
	}
	if !titled {
		return
	}
	r.head.Paint(pal.head)
	kit.Put(r.head.Object, 0, 0, m.size.Width, m.head)
	r.headLine.FillColor = pal.line
	kit.Put(r.headLine, 0, m.head-1, m.size.Width, 1)
	r.headLine.Refresh()
	r.headClip.Resize(fyne.NewSize(m.view.Width, m.head-1))
	for i, c := range t.columns {
		x := m.left(i)
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
		kit.Put(r.thumb, m.view.Width+2, m.head+m.thumbAt(), barWidth-4, m.thumb)
		r.track.Refresh()
		r.thumb.Refresh()
	}
	show(r.sideTrack, m.hbar)
	show(r.sideThumb, m.hbar)
	if m.hbar {
		r.sideTrack.FillColor, r.sideThumb.FillColor = pal.bar, pal.thumb
		y := m.head + m.view.Height
		kit.Put(r.sideTrack, 0, y, m.view.Width, barWidth)
		kit.Put(r.sideThumb, t.scroll.left*m.view.Width/m.total, y+2, m.view.Width*m.view.Width/m.total, barWidth-4)
		r.sideTrack.Refresh()
		r.sideThumb.Refresh()
	}
}

// drawFrame draws a frame around the tree while it has the keyboard and no row in sight does.
func (r *renderer) drawFrame(pal *palette) {
	m, t := &r.m, r.t
	row, ok := t.out.row(t.Selection.cursor)
	seen := ok && row >= t.scroll.top && row < t.scroll.top+int64(m.shownRows)
	show(r.frame, t.focused && !seen)
	if r.frame.Visible() {
		kit.PaintEdges(r.frame, pal.accent)
		kit.Put(r.frame, 1, 1, max(m.view.Width-2, 0), max(m.head+m.view.Height-2, 0)) // around the titles too: the first row is read
	}
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
