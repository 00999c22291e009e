package treeview

import (
	"image/color"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"cutaway/ui/kit"
	"cutaway/ui/look"
)

// An inkView is the objects of a coloured part of a text.
type inkView struct {
	box  *canvas.Rectangle
	text *canvas.Text
}

// filled returns the inks of a text with others, without a colour, for the parts between and around them.
func filled(text string, inks []Ink) (all []Ink) {
	at := 0
	for _, ink := range inks {
		if ink.From < at || ink.To > len(text) || ink.From > ink.To {
			continue
		}
		all = append(all, Ink{From: at, To: ink.From}, ink)
		at = ink.To
	}
	return append(all, Ink{From: at, To: len(text)})
}

// hideDrawn hides the coloured parts and arrows of a row.
func (v *rowView) hideDrawn() {
	for _, s := range v.inks {
		s.box.Hide()
		s.text.Hide()
	}
	for _, s := range v.strokes {
		s.Hide()
	}
}

// drawInks draws the coloured parts of the last text of a row, and those between, instead of the text in one colour.
func (r *renderer) drawInks(v *rowView, row *Row, y float32, pal *palette) {
	if len(row.Inks) == 0 {
		return
	}
	m, n := &r.m, 0
	style := fyne.TextStyle{Monospace: true}
	letter := fyne.MeasureText("0", m.text, style).Width
	text, base := oneLine(row.Cells[len(row.Cells)-1]), v.cells[len(row.Cells)-1]
	base.Hide()
	x, end := base.Position().X, base.Position().X+base.Size().Width
	for _, ink := range filled(text, row.Inks) {
		if ink.From == ink.To || x >= end {
			continue
		}
		if n == len(v.inks) {
			v.inks = append(v.inks, &inkView{&canvas.Rectangle{StrokeWidth: 1, CornerRadius: 3, FillColor: color.Transparent}, &canvas.Text{TextStyle: style}})
			r.body.Objects = append(r.body.Objects, v.inks[n].box, v.inks[n].text)
		}
		s, wide := v.inks[n], float32(utf8.RuneCountInString(text[ink.From:ink.To]))*letter
		n++
		s.text.Text, s.text.TextSize, s.text.Color = elide(text[ink.From:ink.To], end-x, m.text, style), m.text, pal.text
		if ink.Color != "" {
			s.text.Color = kit.Paint(ink.Color)
		}
		kit.Put(s.text, x, base.Position().Y, min(wide, end-x), m.row)
		s.text.Show()
		s.text.Refresh()
		if ink.Boxed {
			s.box.StrokeColor = pal.accent
			kit.Put(s.box, x-2, y+1, min(wide, end-x)+4, m.row-2)
			s.box.Show()
			s.box.Refresh()
		}
		x += wide
	}
}

// Measures of arrows.
const (
	laneWide = 9
	laneLast = 10 // room between the first lane and the text
	headArm  = 4
)

// FlowWidth returns the width of a column with so many lanes.
func FlowWidth(lanes int) float32 { return float32(lanes)*laneWide + laneLast + cellPad }

// drawFlow draws the parts of arrows in a row.
func (r *renderer) drawFlow(v *rowView, lanes []Lane, y float32) {
	n := 0
	stroke := func(x1, y1, x2, y2 float32) {
		if n == len(v.strokes) {
			v.strokes = append(v.strokes, &canvas.Line{StrokeWidth: 1.5})
			r.body.Objects = append(r.body.Objects, v.strokes[n])
		}
		s := v.strokes[n]
		s.StrokeColor = kit.Paint(look.Code)
		line(s, x1, y1, x2, y2)
		s.Show()
		s.Refresh()
		n++
	}
	end, middle := r.m.left(0)+r.m.width[0], y+r.m.row/2
	for _, lane := range lanes {
		x := end - laneLast - float32(lane.At+1)*laneWide + laneWide/2
		from, to := middle, middle
		if lane.Up {
			from = y
		}
		if lane.Down {
			to = y + r.m.row
		}
		if from != to {
			stroke(x, from, x, to)
		}
		if lane.Turn {
			stroke(x, middle, end, middle)
		}
		if lane.Head {
			stroke(end-headArm, middle-headArm, end, middle)
			stroke(end-headArm, middle+headArm, end, middle)
		}
	}
	for _, s := range v.strokes[n:] {
		s.Hide()
	}
}
