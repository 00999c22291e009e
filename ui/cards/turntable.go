package cards

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"slices"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
)

// turntable draws a shape, seen from afar, in software: points, wires, or faces by a depth buffer.
type turntable struct {
	widget.BaseWidget
	solid      *solid // or nil before it is read
	mode       string // "Points", "Wireframe", "Flat"
	zUp        bool
	yaw, pitch float64
	zoom       float64
	moved      fyne.Delta // from the middle, in Fyne's units
	chosen     int        // the point that was clicked or is selected, of those that are drawn, or -1
	marked     int64      // the point that is selected, of all, or -1
	onMark     func(i int64)
	box        bool // the bounds are drawn
	focused    bool
	onTap      func(point int)
	onFace     func(part int) // a part was clicked, or nil if points are
	twin       *turntable     // turns alike, or nil

	raster *canvas.Raster
	mu     sync.Mutex // the raster is painted elsewhere
	seen   pose
	depth  []float32 // of the last picture, for reuse by the next
	xyz    []vec
}

// A pose holds the settings of a picture of the raster.
type pose struct {
	solid  *solid
	mode   string
	turn   [3]vec // rows: to the right, up, towards the eye
	zoom   float64
	moved  fyne.Delta // from the middle
	chosen int
	box    bool
	focus  bool
	width  float32 // of the widget
}

func newTurntable() *turntable {
	t := &turntable{yaw: 0.6, pitch: 0.4, zoom: 1, chosen: -1, marked: -1}
	t.raster = canvas.NewRaster(t.paint)
	t.ExtendBaseWidget(t)
	return t
}

func (t *turntable) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewDrawing(t, t.raster, fyne.NewSize(120, 80), func(size fyne.Size) []fyne.CanvasObject {
		kit.PutRaster(t, t.raster, 0, 0, size.Width, size.Height)
		t.mu.Lock()
		t.seen = t.pose()
		t.mu.Unlock()
		return nil
	})
}

func (t *turntable) pose() pose {
	cy, sy, cp, sp := math.Cos(t.yaw), math.Sin(t.yaw), math.Cos(t.pitch), math.Sin(t.pitch)
	turn := [3]vec{{cy, 0, -sy}, {-sy * sp, cp, -cy * sp}, {sy * cp, sp, cy * cp}}
	if t.zUp { // Z takes the place of Y, and Y that of −Z
		for i, r := range turn {
			turn[i] = vec{r[0], -r[2], r[1]}
		}
	}
	return pose{t.solid, t.mode, turn, t.zoom, t.moved, t.chosen, t.box, t.focused, max(t.Size().Width, 1)}
}

// project returns the place of a point in a picture, and its nearness.
func (v *pose) project(p vec, w, h int) (x, y, near float64) {
	scale := v.zoom * float64(min(w, h)) / 2
	var q vec
	for i, r := range v.turn {
		q[i] = r[0]*p[0] + r[1]*p[1] + r[2]*p[2]
	}
	unit := float64(w) / float64(v.width)
	return float64(w)/2 + q[0]*scale + float64(v.moved.DX)*unit, float64(h)/2 - q[1]*scale + float64(v.moved.DY)*unit, q[2]
}

// Dragged implements fyne.Draggable: it turns the shape, or with Shift moves it.
func (t *turntable) Dragged(e *fyne.DragEvent) {
	const perUnit = 0.01
	if kit.ShiftHeld() {
		t.moved = fyne.NewDelta(t.moved.DX+e.Dragged.DX, t.moved.DY+e.Dragged.DY)
		t.turned()
		return
	}
	t.yaw += float64(e.Dragged.DX) * perUnit
	t.pitch = min(max(t.pitch+float64(e.Dragged.DY)*perUnit, -math.Pi/2), math.Pi/2)
	t.turned()
}

// turned draws the shape as it is seen now, and its twin alike.
func (t *turntable) turned() {
	t.Refresh()
	if o := t.twin; o != nil {
		o.yaw, o.pitch, o.zoom, o.moved, o.zUp, o.mode = t.yaw, t.pitch, t.zoom, t.moved, t.zUp, t.mode
		o.Refresh()
	}
}

func (t *turntable) DragEnd() {}

// Scrolled implements fyne.Scrollable: it zooms at the pointer.
func (t *turntable) Scrolled(e *fyne.ScrollEvent) {
	t.zoomBy(e.Scrolled.DY/wheelNotch, e.Position.SubtractXY(t.Size().Width/2, t.Size().Height/2))
}

// zoomBy enlarges the shape around a fixed place, given from the middle.
func (t *turntable) zoomBy(notches float32, around fyne.Position) {
	const least, most = 0.2, 200
	was := t.zoom
	t.zoom = min(max(t.zoom*math.Pow(1.25, float64(notches)), least), most)
	by := float32(t.zoom / was)
	t.moved = fyne.NewDelta(around.X-(around.X-t.moved.DX)*by, around.Y-(around.Y-t.moved.DY)*by)
	t.turned()
}

// showAll shows the shape whole and in the middle.
func (t *turntable) showAll() {
	t.zoom, t.moved = 1, fyne.Delta{}
	t.turned()
}

// turn chooses the first view of a shape: a plane from the front, others with the third axis up or not, as the box shows.
func (t *turntable) turn(plane, zUp bool, box *kit.Check) {
	if kit.SetVisible(box, !plane); plane {
		t.yaw, t.pitch = 0, 0
		return
	}
	box.SetChecked(zUp)
}

func (t *turntable) FocusGained() { t.focused = true; t.Refresh() }

func (t *turntable) FocusLost() { t.focused = false; t.Refresh() }

// TypedRune implements fyne.Focusable: + and - zoom, 0 shows all, . and , go to the next point and the one before.
func (t *turntable) TypedRune(r rune) {
	switch r {
	case '+', '=':
		t.zoomBy(1, fyne.Position{})
	case '-':
		t.zoomBy(-1, fyne.Position{})
	case '0':
		t.showAll()
	case '.':
		t.choose(t.chosen + 1)
	case ',':
		t.choose(t.chosen - 1)
	default:
		kit.HandOnRune(t, r)
	}
}

// TypedKey implements fyne.Focusable: arrows turn, with Shift they move.
func (t *turntable) TypedKey(e *fyne.KeyEvent) {
	const step = 15 // Fyne's units of a drag
	by := map[fyne.KeyName]fyne.Delta{fyne.KeyLeft: {DX: -step}, fyne.KeyRight: {DX: step}, fyne.KeyUp: {DY: -step}, fyne.KeyDown: {DY: step}}
	if d, ok := by[e.Name]; ok {
		t.Dragged(&fyne.DragEvent{Dragged: d})
		return
	}
	kit.HandOn(t, e)
}

// mark marks the point of a number among all, or with -1 none, once the shape is read.
func (t *turntable) mark(i int64) {
	was := t.chosen
	if t.marked = i; t.solid == nil || t.onMark == nil {
		return
	}
	if t.chosen = -1; i >= 0 && i%t.solid.Step == 0 {
		t.chosen = int(i / t.solid.Step)
	}
	if t.chosen != was {
		t.onMark(i)
		t.Refresh()
	}
}

// choose chooses a point by its number among those that are drawn.
func (t *turntable) choose(i int) {
	if t.solid == nil || t.onTap == nil || i < 0 || i >= len(t.solid.Points) {
		return
	}
	t.chosen = i
	t.Refresh()
	t.onTap(i)
}

// Tapped implements fyne.Tappable: it chooses the nearest of the points under the pointer.
func (t *turntable) Tapped(e *fyne.PointEvent) {
	const reach = 8
	size := t.Size()
	if t.solid == nil || t.onTap == nil && t.onFace == nil {
		return
	}
	v := t.pose()
	if t.onFace != nil {
		if part := v.partAt(e.Position, size); part >= 0 {
			t.onFace(part)
		}
		return
	}
	best, score := -1, math.Inf(1)
	for i, p := range t.solid.Points {
		x, y, near := v.project(p, int(size.Width), int(size.Height))
		if by := math.Hypot(x-float64(e.Position.X), y-float64(e.Position.Y)); by <= reach && by-near < score {
			best, score = i, by-near
		}
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil {
		c.Focus(t)
	}
	t.choose(best)
}

// partAt returns the nearest of the faces under a place, or -1.
func (v *pose) partAt(at fyne.Position, size fyne.Size) int {
	seen := make([]vec, len(v.solid.Points))
	for i, p := range v.solid.Points {
		seen[i][0], seen[i][1], seen[i][2] = v.project(p, int(size.Width), int(size.Height))
	}
	best, near := -1, math.Inf(-1)
	for k := range len(v.solid.Parts) - 1 {
		part := v.solid.Corner[v.solid.Parts[k]:v.solid.Parts[k+1]]
		for i := 2; i < len(part); i++ {
			f := newFacet(seen[part[0]], seen[part[i-1]], seen[part[i]])
			if z, in := f.depthAt(float64(at.X), float64(at.Y)); in && z > near {
				best, near = k, z
			}
		}
	}
	return best
}

// facet is a triangle as it is seen: its depth at a pixel follows from the weights of its second and third corner there.
type facet struct {
	a           vec
	wb, wd      [2]float64 // how the weights change to the right and down
	near        [2]float64 // by the weights, how much nearer than the first corner
	area        float64
	least, most [2]float64
}

func newFacet(a, b, d vec) facet {
	f := facet{a: a, area: (b[0]-a[0])*(d[1]-a[1]) - (b[1]-a[1])*(d[0]-a[0])}
	scale := 1 / f.area
	f.wb = [2]float64{(d[1] - a[1]) * scale, (a[0] - d[0]) * scale}
	f.wd = [2]float64{(a[1] - b[1]) * scale, (b[0] - a[0]) * scale}
	f.near = [2]float64{b[2] - a[2], d[2] - a[2]}
	for k := range 2 {
		f.least[k], f.most[k] = min(a[k], b[k], d[k]), max(a[k], b[k], d[k])
	}
	return f
}

// depthAt returns the depth of the triangle at a place, and whether it covers the place.
func (f *facet) depthAt(x, y float64) (near float64, in bool) {
	x, y = x-f.a[0], y-f.a[1]
	wb, wd := f.wb[0]*x+f.wb[1]*y, f.wd[0]*x+f.wd[1]*y
	return f.a[2] + wb*f.near[0] + wd*f.near[1], wb >= 0 && wd >= 0 && wb+wd <= 1
}

// paint is the raster.
func (t *turntable) paint(w, h int) image.Image {
	t.mu.Lock()
	v := t.seen
	t.mu.Unlock()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	if v.solid == nil || w == 0 || h == 0 {
		return img
	}
	t.depth, t.xyz = slices.Grow(t.depth[:0], w*h)[:w*h], slices.Grow(t.xyz[:0], len(v.solid.Points))[:len(v.solid.Points)]
	c := &camera{pose: v, img: img, w: w, h: h, depth: t.depth, xyz: t.xyz}
	for i := range c.depth {
		c.depth[i] = float32(math.Inf(-1))
	}
	for i, p := range v.solid.Points {
		c.xyz[i][0], c.xyz[i][1], c.xyz[i][2] = v.project(p, w, h)
	}
	ink := color.NRGBAModel.Convert(kit.Paint(theme.ColorNamePrimary)).(color.NRGBA)
	unit := max(1, int(float32(w)/v.width+0.25)) // pixels of one of Fyne's units
	switch {
	case v.mode == "Flat" && v.solid.Parts != nil:
		c.faces(clay)
	case v.mode == "Wireframe" && v.solid.Parts != nil:
		c.wires(ink)
	default:
		for i, p := range c.xyz {
			c.dot(p, unit*v.solid.radius(), c.fade(v.solid.ofPoint(i, ink), p[2]))
		}
	}
	if v.box {
		c.bounds(color.NRGBAModel.Convert(kit.Paint(theme.ColorNameSuccess)).(color.NRGBA))
	}
	if v.focus {
		kit.Pen{Img: img, Width: unit}.Frame(img.Rect, kit.Paint(theme.ColorNameFocus))
	}
	if v.chosen >= 0 && v.chosen < len(c.xyz) {
		p := c.xyz[v.chosen]
		p[2] = math.MaxFloat32
		c.dot(p, 3*unit, color.NRGBAModel.Convert(kit.Paint(theme.ColorNameWarning)).(color.NRGBA))
	}
	return img
}

// camera draws a pose into a picture.
type camera struct {
	pose
	img   *image.RGBA
	w, h  int
	depth []float32 // of each pixel; larger is nearer
	xyz   []vec     // of each point: pixel and depth
}

// fade is a colour that is fainter the farther away it is.
func (c *camera) fade(ink color.NRGBA, near float64) color.NRGBA {
	ink.A = uint8(95 + 160*min(max((near+1)/2, 0), 1))
	return ink
}

// set draws a pixel unless it shows something nearer.
func (c *camera) set(x, y int, near float64, ink color.NRGBA) {
	if x < 0 || y < 0 || x >= c.w || y >= c.h || c.depth[y*c.w+x] > float32(near) {
		return
	}
	c.depth[y*c.w+x] = float32(near)
	a := uint32(ink.A)
	pix := c.img.Pix[y*c.img.Stride+4*x:][:4]
	pix[0], pix[1], pix[2], pix[3] = uint8(uint32(ink.R)*a/255), uint8(uint32(ink.G)*a/255), uint8(uint32(ink.B)*a/255), ink.A
}

func (c *camera) dot(p vec, radius int, ink color.NRGBA) {
	if !p.Finite() {
		return
	}
	for y := -radius; y < radius; y++ {
		for x := -radius; x < radius; x++ {
			c.set(int(p[0])+x, int(p[1])+y, p[2], ink)
		}
	}
}

// wires draws the edges of the parts.
func (c *camera) wires(ink color.NRGBA) {
	s := c.solid
	for k := range len(s.Parts) - 1 {
		part := s.Corner[s.Parts[k]:s.Parts[k+1]]
		for i := range part {
			next := i + 1
			if next == len(part) {
				if !s.Closed {
					break
				}
				next = 0
			}
			c.line(c.xyz[part[i]], c.xyz[part[next]], s.ofPart(k, []int32{part[i], part[next]}, ink))
		}
	}
}

// bounds draws the edges of the box.
func (c *camera) bounds(ink color.NRGBA) {
	at := func(i int) (p vec) {
		p[0], p[1], p[2] = c.project(c.solid.Box[i], c.w, c.h)
		return p
	}
	for i := range c.solid.Box {
		for k := range 3 {
			if i>>k&1 == 0 {
				c.line(at(i), at(i|1<<k), ink)
			}
		}
	}
}

func (c *camera) line(a, b vec, ink color.NRGBA) {
	steps := math.Max(math.Abs(b[0]-a[0]), math.Abs(b[1]-a[1]))
	n := int(min(steps, float64(4*(c.w+c.h)))) + 1 // zoomed in, most of a line is out of sight
	for i := 0; i <= n; i++ {
		part := float64(i) / float64(n)
		near := a[2] + (b[2]-a[2])*part
		c.set(int(a[0]+(b[0]-a[0])*part), int(a[1]+(b[1]-a[1])*part), near, c.fade(ink, near))
	}
}

// faces fills the parts, each as a fan of triangles, the lighter the more it looks at the eye. Parts of two corners are lines, of one points.
func (c *camera) faces(ink color.NRGBA) {
	s := c.solid
	for k := range len(s.Parts) - 1 {
		part := s.Corner[s.Parts[k]:s.Parts[k+1]]
		if len(part) < 3 {
			c.line(c.xyz[part[0]], c.xyz[part[len(part)-1]], s.ofPart(k, part, ink))
		}
		for i := 2; i < len(part); i++ {
			c.triangle(c.xyz[part[0]], c.xyz[part[i-1]], c.xyz[part[i]], s.ofPart(k, []int32{part[0], part[i-1], part[i]}, ink))
		}
	}
}

// triangle fills a triangle by its barycentric coordinates.
func (c *camera) triangle(a, b, d vec, ink color.NRGBA) {
	f := newFacet(a, b, d)
	x0, x1 := max(int(f.least[0]), 0), min(int(f.most[0]), c.w-1)
	y0, y1 := max(int(f.least[1]), 0), min(int(f.most[1]), c.h-1)
	if f.area == 0 || x0 > x1 || y0 > y1 {
		return
	}
	scale := c.zoom * float64(min(c.w, c.h)) / 2
	u, v := vec{b[0] - a[0], b[1] - a[1], (b[2] - a[2]) * scale}, vec{d[0] - a[0], d[1] - a[1], (d[2] - a[2]) * scale}
	n := vec{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], f.area}
	const ambient = 0.3
	light := ambient + (1-ambient)*math.Abs(n[2])/math.Sqrt(n[0]*n[0]+n[1]*n[1]+n[2]*n[2])
	bits := uint32(float64(ink.R)*light) | uint32(float64(ink.G)*light)<<8 | uint32(float64(ink.B)*light)<<16 | 0xff<<24
	for y := y0; y <= y1; y++ {
		px, py := float64(x0)+0.5-a[0], float64(y)+0.5-a[1]
		wb, wd := f.wb[0]*px+f.wb[1]*py, f.wd[0]*px+f.wd[1]*py
		depth, pix := c.depth[y*c.w+x0:y*c.w+x1+1], c.img.Pix[y*c.img.Stride+4*x0:]
		for i := range depth {
			if wb >= 0 && wd >= 0 && wb+wd <= 1 {
				if near := float32(a[2] + wb*f.near[0] + wd*f.near[1]); near >= depth[i] {
					depth[i] = near
					binary.LittleEndian.PutUint32(pix[4*i:], bits)
				}
			}
			wb, wd = wb+f.wb[0], wd+f.wd[0]
		}
	}
}
