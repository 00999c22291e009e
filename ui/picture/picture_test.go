package picture

import (
	"image"
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
	"cutaway/ui/kit"
)

// depths are numbers without bounds, one of them NaN.
func depths() *model.Pixels {
	return &model.Pixels{Width: 3, Height: 2, Planes: []model.Plane{{Name: "depth", Row: func(y int, dst []float64) {
		copy(dst, [][]float64{{2, 3, 4}, {math.NaN(), math.Inf(1), 6}}[y])
	}}}}
}

// TestTone: numbers without bounds go from the least to the greatest, others from black to white; by hand from what is set.
func TestTone(t *testing.T) {
	for _, k := range []struct {
		look Look
		want [6]uint8 // red
	}{
		{Look{}, [6]uint8{0, 64, 128, noNumber.R, 255, 255}},
		{Look{Range: ByHand, Black: 4, White: 2}, [6]uint8{255, 128, 0, noNumber.R, 0, 0}},
	} {
		tones := Tone(depths(), k.look)
		for i, want := range k.want {
			if got := tones.levels[0].RGBAAt(i%3, i/3).R; got != want {
				t.Errorf("%+v: pixel %d is %d, want %d", k.look, i, got, want)
			}
		}
	}
	const least = math.SmallestNonzeroFloat64 // integers in bytes that are said to be of floating point
	tiny := &model.Pixels{Width: 3, Height: 1, Planes: []model.Plane{{Row: func(_ int, dst []float64) { copy(dst, []float64{0, 1000 * least, 2000 * least}) }}}}
	if got := Tone(tiny, Look{}).levels[0]; got.RGBAAt(0, 0).R != 0 || got.RGBAAt(1, 0).R != 128 || got.RGBAAt(2, 0).R != 255 {
		t.Errorf("the smallest numbers are drawn as %v", got.Pix)
	}
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.SetNRGBA(0, 0, color.NRGBA{10, 20, 30, 255})
	img.SetNRGBA(1, 0, color.NRGBA{50, 20, 90, 0})
	p := model.PixelsOfImage(img)
	if got := Tone(p, Look{}).levels[0]; got.RGBAAt(0, 0) != (color.RGBA{10, 20, 30, 255}) || got.RGBAAt(1, 0) != (color.RGBA{}) {
		t.Errorf("colours %v", got.Pix)
	}
	if got := Tone(p, Look{Plane: "B"}).levels[0]; got.RGBAAt(1, 0) != (color.RGBA{90, 90, 90, 255}) {
		t.Errorf("blue alone: %v", got.Pix)
	}
	if got := Tone(p, Look{Plane: "B", Range: Automatic}); got.Black != 30 || got.White != 90 {
		t.Errorf("from %v to %v", got.Black, got.White)
	}
}

// newView shows 400 × 200 pixels in 200 × 200 units.
func newView(t *testing.T) *View {
	test.NewTempApp(t)
	v := New(&Look{Fit: true})
	v.OnPoint, v.OnPixel = func(int, int) {}, func(int, int) {}
	win := test.NewTempWindow(t, v)
	win.SetPadded(false)
	win.Resize(fyne.NewSize(200, 200))
	v.Resize(fyne.NewSize(200, 200))
	p := model.PixelsOfImage(image.NewGray(image.Rect(0, 0, 400, 200)))
	v.Set(Tone(p, *v.Look), p.Width, p.Height)
	return v
}

// TestView: fitted, zoomed at the pointer, dragged, turned; a click chooses a pixel and arrows go on from it.
func TestView(t *testing.T) {
	v := newView(t)
	var chosen image.Point
	v.OnPixel = func(x, y int) { chosen = image.Pt(x, y) }
	tap := func(x, y float32, want image.Point) {
		t.Helper()
		test.TapAt(v, fyne.NewPos(x, y))
		if chosen != want {
			t.Errorf("at (%v, %v) is %v, want %v", x, y, chosen, want)
		}
	}
	tap(10.1, 60.1, image.Pt(20, 20)) // 50 above and below
	chosen = image.Point{}
	tap(10.1, 40, image.Point{}) // beside it
	v.Turn(1)
	tap(149.6, 0.1, image.Pt(0, 0)) // it fills 50 to 150 across
	v.Turn(-1)
	for range 12 {
		before := v.pointed(fyne.NewPos(60, 90))
		v.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(60, 90)}, Scrolled: fyne.NewDelta(0, 10)})
		if after := v.pointed(fyne.NewPos(60, 90)); after != before {
			t.Fatalf("the wheel moves what is under the pointer from %v to %v", before, after)
		}
	}
	before := v.pointed(fyne.NewPos(60, 90))
	v.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-25, 10)})
	if after := v.pointed(fyne.NewPos(35, 100)); after != before {
		t.Errorf("a drag moves %v to %v", before, after)
	}
	v.TypedRune('0')
	tap(100.1, 100.1, image.Pt(200, 100))
	v.Turn(1)
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) // to the right in the picture
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if chosen != image.Pt(201, 100) {
		t.Errorf("the arrow leads to %v", chosen)
	}
	v.TypedRune('1')
	if v.scale() != kit.Pixel(v) {
		t.Errorf("1 shows a pixel as %v", v.scale())
	}
}

// TestLabels: each number has one colour, and neighbouring ones differ.
func TestLabels(t *testing.T) {
	p := &model.Pixels{Width: 4, Height: 1, Planes: []model.Plane{{Name: "grey", Row: func(_ int, dst []float64) { copy(dst, []float64{0, 7, 8, 7}) }}}}
	tones := Tone(p, Look{Range: Labels})
	at := func(x int) color.RGBA { return tones.levels[0].RGBAAt(x, 0) }
	if at(0) != (color.RGBA{A: 255}) || at(1) != at(3) || at(1) == at(2) || at(1) == at(0) || !tones.One {
		t.Errorf("%v %v %v %v", at(0), at(1), at(2), at(3))
	}
	low := color.RGBA{}
	for v := range 50 {
		c := labelColor(float64(v))
		if d := math.Abs(float64(c.R)-float64(low.R)) + math.Abs(float64(c.G)-float64(low.G)) + math.Abs(float64(c.B)-float64(low.B)); v > 0 && d < 60 {
			t.Errorf("%d is as %d: %v, %v", v, v-1, c, low)
		}
		low = c
	}
}
