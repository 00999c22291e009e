// Package picture shows a picture: fitted or pixel by pixel, zoomed and turned, each pixel with its numbers.
package picture

import (
	"image"
	"image/color"
	"math"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"cutaway/ui/kit"
)

// View draws a picture.
type View struct {
	widget.BaseWidget
	Look    *Look
	OnLook  func()                  // it is looked at otherwise
	OnPoint func(x, y int)          // the pixel under the pointer or the cursor; outside: there is none
	OnPixel func(x, y int)          // it was clicked, or Enter was pressed
	OnKey   func(fyne.KeyName) bool // of keys that do nothing here
	OnRune  func(rune) bool

	tones         *Tones // nil: there is none yet
	width, height int
	cursor        image.Point // the pixel that was chosen; outside: none

	raster  *canvas.Raster
	focused bool
	mu      sync.Mutex // the raster is painted elsewhere
	seen    scene
}

// A scene is a picture with its place on the screen, for the raster.
type scene struct {
	tones   *Tones
	to      f64.Aff3 // from the picture to units of the widget
	width   float32  // of the widget, in Fyne's units
	scale   float64
	box     image.Point // the pixel with a frame
	focused bool
}

// New makes a view without a picture.
func New(look *Look) *View {
	v := &View{Look: look, cursor: image.Pt(-1, -1)}
	v.raster = canvas.NewRaster(v.paint)
	v.ExtendBaseWidget(v)
	return v
}

// Set shows a picture of so many pixels. A chosen pixel stays.
func (v *View) Set(t *Tones, width, height int) {
	v.tones, v.width, v.height = t, width, height
	if v.Look.Scale == 0 {
		v.Look.Scale, v.Look.X, v.Look.Y = 1, float64(width)/2, float64(height)/2
	}
	v.Refresh()
}

// Cursor is the pixel that was chosen; ok is false where none is.
func (v *View) Cursor() (x, y int, ok bool) { return v.cursor.X, v.cursor.Y, v.holds(v.cursor) }

func (v *View) holds(p image.Point) bool { return p.In(image.Rect(0, 0, v.width, v.height)) }

// The least and the greatest scale.
const leastScale, mostScale = 1.0 / 64, 64

// scale returns the size of the picture's pixels in Fyne's units.
func (v *View) scale() float64 {
	if !v.Look.Fit {
		return v.Look.Scale * kit.Pixel(v)
	}
	w, h := float64(v.width), float64(v.height)
	if v.Look.Turns%2 != 0 {
		w, h = h, w
	}
	size := v.Size()
	return max(min(float64(size.Width)/w, float64(size.Height)/h), 1e-6)
}

// place maps pixels of the picture to units of the widget: turned, scaled, with what is looked at in the middle.
func (v *View) place() f64.Aff3 {
	s, size := v.scale(), v.Size()
	x, y := v.Look.X, v.Look.Y
	if v.Look.Fit {
		x, y = float64(v.width)/2, float64(v.height)/2
	}
	cos := [4]float64{1, 0, -1, 0}[v.Look.Turns&3] * s
	sin := [4]float64{0, 1, 0, -1}[v.Look.Turns&3] * s
	return f64.Aff3{cos, -sin, float64(size.Width)/2 - cos*x + sin*y, sin, cos, float64(size.Height)/2 - sin*x - cos*y}
}

// pixelAt is the place in the picture that is at one of the widget.
func (v *View) pixelAt(at fyne.Position) (x, y float64) {
	m := v.place()
	return v.inPicture(float64(at.X)-m[2], float64(at.Y)-m[5])
}

// inPicture converts a distance in Fyne's units to pixels of the picture.
func (v *View) inPicture(dx, dy float64) (x, y float64) {
	m := v.place()
	s := m[0]*m[0] + m[1]*m[1]
	return (m[0]*dx + m[3]*dy) / s, (m[1]*dx + m[4]*dy) / s
}

func (v *View) changed() {
	v.Refresh()
	if v.OnLook != nil {
		v.OnLook()
	}
}

// FitIn shows all of the picture.
func (v *View) FitIn() {
	v.Look.Fit = true
	v.changed()
}

// ZoomTo shows the picture at a scale around a place of the widget, which stays where it is.
func (v *View) ZoomTo(scale float64, around fyne.Position) {
	x, y := v.pixelAt(around)
	v.Look.Fit, v.Look.Scale = false, min(max(scale, leastScale), mostScale)
	v.Look.X, v.Look.Y = x, y // in the middle; from there to where it was
	size := v.Size()
	v.moveBy(float64(size.Width/2-around.X), float64(size.Height/2-around.Y))
}

// moveBy moves the middle of the sight by Fyne's units, within the picture.
func (v *View) moveBy(dx, dy float64) {
	x, y := v.inPicture(dx, dy)
	v.Look.X = min(max(v.Look.X+x, 0), float64(v.width))
	v.Look.Y = min(max(v.Look.Y+y, 0), float64(v.height))
	v.changed()
}

// Zoom makes the picture larger by a factor around the cursor, or the middle.
func (v *View) Zoom(factor float64) {
	around := fyne.NewPos(v.Size().Width/2, v.Size().Height/2)
	if v.holds(v.cursor) {
		m, x, y := v.place(), float64(v.cursor.X)+0.5, float64(v.cursor.Y)+0.5
		if at := fyne.NewPos(float32(m[0]*x+m[1]*y+m[2]), float32(m[3]*x+m[4]*y+m[5])); v.inside(at) {
			around = at
		}
	}
	v.ZoomTo(v.scale()/kit.Pixel(v)*factor, around)
}

func (v *View) inside(at fyne.Position) bool {
	size := v.Size()
	return at.X >= 0 && at.Y >= 0 && at.X < size.Width && at.Y < size.Height
}

// Turn turns the picture by quarters to the right.
func (v *View) Turn(quarters int) {
	v.Look.Turns = (v.Look.Turns + quarters) & 3
	v.changed()
}

// Scrolled implements fyne.Scrollable: it zooms at the pointer.
func (v *View) Scrolled(e *fyne.ScrollEvent) {
	const notch = 10
	if v.tones != nil {
		v.ZoomTo(v.scale()/kit.Pixel(v)*math.Pow(1.25, float64(e.Scrolled.DY/notch)), e.Position)
	}
}

// Dragged implements fyne.Draggable: it moves the picture.
func (v *View) Dragged(e *fyne.DragEvent) {
	if v.tones == nil {
		return
	}
	if v.Look.Fit {
		v.Look.Scale, v.Look.X, v.Look.Y = v.scale()/kit.Pixel(v), float64(v.width)/2, float64(v.height)/2
		v.Look.Fit = false
	}
	v.moveBy(-float64(e.Dragged.DX), -float64(e.Dragged.DY))
}

// DragEnd ends a drag.
func (v *View) DragEnd() {}

// pointed names the pixel under the pointer.
func (v *View) pointed(at fyne.Position) image.Point {
	x, y := v.pixelAt(at)
	if v.tones == nil {
		return image.Pt(-1, -1)
	}
	return image.Pt(int(math.Floor(x)), int(math.Floor(y)))
}

// Tapped implements fyne.Tappable: it chooses a pixel.
func (v *View) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		c.Focus(v)
	}
	if p := v.pointed(e.Position); v.holds(p) {
		v.choose(p)
	}
}

func (v *View) choose(p image.Point) {
	v.cursor = p
	v.Refresh()
	v.OnPoint(p.X, p.Y)
	v.OnPixel(p.X, p.Y)
}

// MouseIn names the pixel under the pointer.
func (v *View) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }

// MouseMoved names the pixel under the pointer.
func (v *View) MouseMoved(e *desktop.MouseEvent) {
	p := v.pointed(e.Position)
	v.OnPoint(p.X, p.Y)
}

// MouseOut names no pixel.
func (v *View) MouseOut() { v.OnPoint(-1, -1) }

// FocusGained shows the ring of the keyboard.
func (v *View) FocusGained() { v.focused = true; v.Refresh() }

// FocusLost hides the ring of the keyboard.
func (v *View) FocusLost() { v.focused = false; v.Refresh() }

// TypedRune zooms.
func (v *View) TypedRune(r rune) {
	switch r {
	case '+', '=':
		v.Zoom(1.25)
	case '-':
		v.Zoom(0.8)
	case '0':
		v.FitIn()
	case '1':
		v.Zoom(kit.Pixel(v) / v.scale())
	case 'r':
		v.Turn(1)
	case 'R':
		v.Turn(-1)
	default:
		if v.OnRune != nil {
			v.OnRune(r)
		}
		kit.HandOnRune(v, r)
	}
}

// steps are the directions of the arrow keys on the screen.
var steps = map[fyne.KeyName]image.Point{
	fyne.KeyLeft: {X: -1}, fyne.KeyRight: {X: 1}, fyne.KeyUp: {Y: -1}, fyne.KeyDown: {Y: 1},
}

// TypedKey implements fyne.Focusable: arrows move the cursor from pixel to pixel, with Shift by sixteen.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	step, arrow := steps[e.Name]
	switch {
	case arrow && v.tones != nil:
		v.move(step)
	case (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && v.holds(v.cursor):
		v.OnPixel(v.cursor.X, v.cursor.Y)
	case v.OnKey != nil && v.OnKey(e.Name):
	default:
		kit.HandOn(v, e)
	}
}

// move moves the cursor, and the picture where it would leave the screen.
func (v *View) move(step image.Point) {
	for range v.Look.Turns {
		step = image.Pt(step.Y, -step.X) // back from the screen to the picture
	}
	if kit.ShiftHeld() {
		step = step.Mul(16)
	}
	if !v.holds(v.cursor) {
		v.cursor = image.Pt(int(v.Look.X), int(v.Look.Y))
		if v.Look.Fit {
			v.cursor = image.Pt(v.width/2, v.height/2)
		}
		step = image.Point{}
	}
	v.cursor = v.cursor.Add(step)
	v.cursor.X, v.cursor.Y = min(max(v.cursor.X, 0), v.width-1), min(max(v.cursor.Y, 0), v.height-1)
	x, y := float64(v.cursor.X)+0.5, float64(v.cursor.Y)+0.5
	m := v.place()
	if !v.inside(fyne.NewPos(float32(m[0]*x+m[1]*y+m[2]), float32(m[3]*x+m[4]*y+m[5]))) {
		v.Look.X, v.Look.Y = x, y
	}
	v.changed()
	v.OnPoint(v.cursor.X, v.cursor.Y)
}

// CreateRenderer makes the raster with the picture.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewDrawing(v, v.raster, fyne.NewSize(80, 60), func(size fyne.Size) []fyne.CanvasObject {
		kit.PutRaster(v, v.raster, 0, 0, size.Width, size.Height)
		s := scene{tones: v.tones, width: size.Width, box: image.Pt(-1, -1), focused: v.focused}
		if v.tones != nil {
			s.to, s.scale = v.place(), v.scale()
			if v.holds(v.cursor) {
				s.box = v.cursor
			}
		}
		v.mu.Lock()
		v.seen = s
		v.mu.Unlock()
		return nil
	})
}

// paint is the raster.
func (v *View) paint(w, h int) image.Image {
	v.mu.Lock()
	s := v.seen
	v.mu.Unlock()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == 0 || h == 0 || s.width <= 0 {
		return img
	}
	unit := float64(w) / float64(s.width) // pixels
	p := kit.Pen{Img: img, Width: max(1, int(unit+0.25))}
	if s.tones != nil {
		s.picture(img, unit)
		// A picture may have the colour of its surroundings.
		p.Frame(s.area(s.tones.levels[0].Rect, unit).Inset(-p.Width), kit.Paint(theme.ColorNameSeparator))
		s.frame(p, unit)
	}
	if s.focused {
		p.Frame(img.Bounds(), kit.Paint(theme.ColorNameFocus))
	}
	return img
}

// picture draws the picture, from the level whose pixels are as large as those of the screen, or larger than them.
func (s *scene) picture(img *image.RGBA, unit float64) {
	k, scale := 0, s.scale*unit
	for k+1 < len(s.tones.levels) && scale <= 0.5 {
		k, scale = k+1, scale*2
	}
	in, whole := s.tones.levels[k], s.tones.levels[0].Rect
	fx, fy := float64(whole.Dx())/float64(in.Rect.Dx()), float64(whole.Dy())/float64(in.Rect.Dy())
	m := f64.Aff3{s.to[0] * fx * unit, s.to[1] * fy * unit, s.to[2] * unit, s.to[3] * fx * unit, s.to[4] * fy * unit, s.to[5] * unit}
	var how draw.Transformer = draw.ApproxBiLinear
	if scale >= 1 {
		how = draw.NearestNeighbor
	}
	op := draw.Src
	if s.tones.through {
		s.squares(img, unit)
		op = draw.Over
	}
	how.Transform(img, m, in, in.Rect, op, nil)
}

// area returns the place of a part of the picture on the screen, in pixels.
func (s *scene) area(part image.Rectangle, unit float64) image.Rectangle {
	at := func(p image.Point) image.Point {
		x, y := float64(p.X), float64(p.Y)
		return image.Pt(int(math.Round((s.to[0]*x+s.to[1]*y+s.to[2])*unit)), int(math.Round((s.to[3]*x+s.to[4]*y+s.to[5])*unit)))
	}
	a, b := at(part.Min), at(part.Max)
	return image.Rect(a.X, a.Y, b.X, b.Y)
}

// squares draws what is seen through a picture.
func (s *scene) squares(img *image.RGBA, unit float64) {
	side := max(int(8*unit), 2)
	at := s.area(s.tones.levels[0].Rect, unit).Intersect(img.Rect)
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			level := uint8(0x99)
			if (x/side+y/side)%2 == 0 {
				level = 0x66
			}
			img.SetRGBA(x, y, color.RGBA{level, level, level, 0xff})
		}
	}
}

// frame draws a frame around the chosen pixel, which is seen over every colour.
func (s *scene) frame(p kit.Pen, unit float64) {
	if s.box.X < 0 {
		return
	}
	const least = 7 // pixels
	at := s.area(image.Rectangle{s.box, s.box.Add(image.Pt(1, 1))}, unit)
	for at.Dx() < least {
		at = at.Inset(-1)
	}
	p.Frame(at.Inset(-2*p.Width), color.Black)
	p.Frame(at.Inset(-p.Width), color.White)
}
