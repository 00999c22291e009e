package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Crumbs shows the way to a thing: a name for each step, which can be clicked. Steps in the middle are left out where it is too long.
type Crumbs struct {
	widget.BaseWidget
	onStep func(i int) // a step was clicked
	onElse func()      // what is beside them was
	Names  []string
}

// NewCrumbs makes a way of no steps.
func NewCrumbs(onStep func(i int), onElse func()) *Crumbs {
	c := &Crumbs{onStep: onStep, onElse: onElse}
	c.ExtendBaseWidget(c)
	return c
}

// Set replaces the steps.
func (c *Crumbs) Set(names []string) {
	c.Names = names
	c.Refresh()
}

// Tapped is called for a click beside the steps.
func (c *Crumbs) Tapped(*fyne.PointEvent) { c.onElse() }

// Cursor returns that of a field.
func (c *Crumbs) Cursor() desktop.Cursor { return desktop.TextCursor }

// CreateRenderer makes the ground; the steps are made when it is laid out.
func (c *Crumbs) CreateRenderer() fyne.WidgetRenderer {
	return &crumbsRenderer{c: c, ground: &canvas.Rectangle{}}
}

type crumbsRenderer struct {
	c       *Crumbs
	ground  *canvas.Rectangle
	objects []fyne.CanvasObject
}

func (r *crumbsRenderer) Destroy() {}

func (r *crumbsRenderer) MinSize() fyne.Size {
	return fyne.NewSize(60, r.c.Theme().Size(theme.SizeNameText))
}

func (r *crumbsRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *crumbsRenderer) Layout(fyne.Size) { r.build() }

func (r *crumbsRenderer) Refresh() {
	r.build()
	canvas.Refresh(r.c)
}

// IsClip makes the painter cut off what does not fit.
func (r *crumbsRenderer) IsClip() {}

const (
	crumbPad  = 10 // before the first step
	crumbGap  = 28 // between two steps, for an arrow
	crumbDots = 12 // the width of the sign for those that are left out
)

// build makes the objects of the steps that fit: the first, and the last ones.
func (r *crumbsRenderer) build() {
	names, size := r.c.Names, r.c.Theme().Size(theme.SizeNameText)
	r.ground.FillColor = Paint(theme.ColorNameInputBackground)
	r.ground.Resize(r.c.Size())
	r.objects = []fyne.CanvasObject{r.ground}
	last := len(names) - 1
	style := func(i int) fyne.TextStyle { return fyne.TextStyle{Bold: i == last} }
	width := func(i int) float32 { return fyne.MeasureText(names[i], size, style(i)).Width }
	from, x, height := last, float32(crumbPad), r.c.Size().Height
	if last > 0 {
		for room := r.c.Size().Width - x - width(0) - crumbGap - crumbDots - width(last); from > 1; from-- {
			if room -= width(from-1) + crumbGap; room < crumbGap {
				break
			}
		}
	}
	arrow := func() {
		for k := range 2 {
			l := &canvas.Line{StrokeColor: Paint(theme.ColorNamePlaceHolder), StrokeWidth: 1.2}
			l.Position1, l.Position2 = fyne.NewPos(x+crumbGap/2-2, height/2-3.5+7*float32(k)), fyne.NewPos(x+crumbGap/2+1.5, height/2)
			r.objects = append(r.objects, l)
		}
		x += crumbGap
	}
	for i, name := range names {
		switch {
		case i == 1 && from > 1:
			arrow()
			dots := canvas.NewText("…", Paint(theme.ColorNamePlaceHolder))
			dots.TextSize = size
			Put(dots, x, 0, crumbDots, height)
			r.objects = append(r.objects, dots)
			x += crumbDots
			continue
		case i > 0 && i < from:
			continue
		case i > 0:
			arrow()
		}
		step := NewLink(name, false, func() { r.c.onStep(i) })
		step.Name, step.Text.TextStyle = theme.ColorNameForeground, style(i)
		Put(step, x, 0, width(i), height)
		r.objects = append(r.objects, step)
		x += width(i)
	}
}
