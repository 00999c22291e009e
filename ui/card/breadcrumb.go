package card

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
)

// breadcrumb shows the way to a node; each step can be clicked. Where it is too long, steps in the middle are left
// out.
type breadcrumb struct {
	widget.BaseWidget
	onTap func(p *model.Place)
	steps []*model.Place
}

func newBreadcrumb(onTap func(p *model.Place)) *breadcrumb {
	b := &breadcrumb{onTap: onTap}
	b.ExtendBaseWidget(b)
	return b
}

func (b *breadcrumb) set(p *model.Place) {
	b.steps = nil
	if p != nil {
		b.steps = p.Segments()
	}
	b.Refresh()
}

// Path is that of the node; "" for none.
func (b *breadcrumb) Path() string {
	if len(b.steps) == 0 {
		return ""
	}
	return b.steps[len(b.steps)-1].Path()
}

func (b *breadcrumb) CreateRenderer() fyne.WidgetRenderer {
	return &breadcrumbRenderer{b: b}
}

type breadcrumbRenderer struct {
	b       *breadcrumb
	objects []fyne.CanvasObject
	width   float32
}

func (r *breadcrumbRenderer) Destroy() {}

func (r *breadcrumbRenderer) MinSize() fyne.Size {
	return fyne.NewSize(60, r.b.Theme().Size(theme.SizeNameText)+8)
}

func (r *breadcrumbRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *breadcrumbRenderer) Layout(size fyne.Size) {
	if size.Width != r.width {
		r.width = size.Width
		r.build()
	}
}

func (r *breadcrumbRenderer) Refresh() {
	r.build()
	canvas.Refresh(r.b)
}

// IsClip makes the painter cut off what does not fit.
func (r *breadcrumbRenderer) IsClip() {}

const crumbGap = 18 // room for the arrow between two steps

// build makes the objects for the steps that fit: the first, and the last ones.
func (r *breadcrumbRenderer) build() {
	r.objects = nil
	steps := r.b.steps
	if len(steps) == 0 {
		return
	}
	size := r.b.Theme().Size(theme.SizeNameText)
	quiet := r.b.Theme().Color(theme.ColorNamePlaceHolder, fyne.CurrentApp().Settings().ThemeVariant())
	names := make([]string, len(steps))
	widths := make([]float32, len(steps))
	for i, p := range steps {
		names[i] = crumbName(p)
		widths[i] = fyne.MeasureText(names[i], size, fyne.TextStyle{Bold: i == len(steps)-1}).Width + crumbGap
	}
	room := r.b.Size().Width - widths[0] - 30
	from := len(steps)
	for from > 1 && (room >= widths[from-1] || from == len(steps)) {
		from--
		room -= widths[from]
	}
	x := float32(0)
	h := r.MinSize().Height
	add := func(i int, last bool) {
		l := kit.NewLink(names[i], false, func() { r.b.onTap(steps[i]) })
		if last {
			l.Name = theme.ColorNameForeground
			l.Text.TextStyle.Bold = true
		}
		kit.Put(l, x, 0, widths[i]-crumbGap+2, h)
		r.objects = append(r.objects, l)
		x += l.MinSize().Width
	}
	arrow := func() {
		r.objects = append(r.objects, arrowAt(x, h, quiet)...)
		x += crumbGap
	}
	add(0, len(steps) == 1)
	if from > 1 {
		arrow()
		dots := canvas.NewText("…", quiet)
		dots.TextSize = size
		kit.Put(dots, x, 0, 12, h)
		r.objects = append(r.objects, dots)
		x += 12
	}
	for i := max(from, 1); i < len(steps); i++ {
		arrow()
		add(i, i == len(steps)-1)
	}
}

// arrowAt is the arrow between two steps, at x in a line of a height.
func arrowAt(x, height float32, ink color.Color) (lines []fyne.CanvasObject) {
	for k := range 2 {
		y := height/2 + 0.5
		l := &canvas.Line{StrokeColor: ink, StrokeWidth: 1.2}
		l.Position1 = fyne.NewPos(x+7, y-3.5+7*float32(k))
		l.Position2 = fyne.NewPos(x+10.5, y)
		lines = append(lines, l)
	}
	return lines
}

// crumbName is a step's name, shortened where it is very long.
func crumbName(p *model.Place) string {
	name := p.Label()
	if p.Parent == nil {
		name = p.Path()
	}
	if runes := []rune(name); len(runes) > 40 {
		name = string(runes[:24]) + "…" + string(runes[len(runes)-14:])
	}
	return name
}
