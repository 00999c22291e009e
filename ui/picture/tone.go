package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"cutaway/model"
)

// Look chooses plane, range and colours of a picture. All pictures of a stream share one.
type Look struct {
	Fit   bool
	Scale float64 // pixels of the screen for one of the picture, unless it is fitted
	X, Y  float64 // what is in the middle, in pixels of the picture
	Turns int     // by a quarter, to the right
	Plane string  // the number that is shown, or "" for all as colours
	Range Range
	Black float64 // of a range that was set by hand
	White float64
}

// Range chooses the numbers that are drawn black and white.
type Range int

// The ranges.
const (
	Usual     Range = iota // those of the format, or the least and the greatest where it has none
	Automatic              // the least and the greatest of the picture
	ByHand
)

// Tones is a picture as it is drawn.
type Tones struct {
	levels       []*image.RGBA // the whole, then half as large and so on
	through      bool          // something shows through it
	Black, White float64       // how it was drawn; equal: its colours are as they are
	Bounded      bool          // the numbers have bounds by their format
}

// plane is the plane that is shown, or nil for all.
func (l *Look) plane(p *model.Pixels) *model.Plane {
	for k := range p.Planes {
		if p.Planes[k].Name == l.Plane || len(p.Planes) == 1 {
			return &p.Planes[k]
		}
	}
	return nil
}

// Tone makes colours of numbers.
func Tone(p *model.Pixels, l Look) *Tones {
	t := &Tones{}
	img := image.NewRGBA(image.Rect(0, 0, p.Width, p.Height))
	one := l.plane(p)
	switch {
	case one == nil && p.Colours != nil:
		draw.Draw(img, img.Bounds(), p.Colours, p.Colours.Bounds().Min, draw.Src)
	case one != nil:
		t.Black, t.White = bounds(p, []model.Plane{*one}, &l)
		t.Bounded = one.Black < one.White
		t.paint(img, p, []model.Plane{*one})
	default:
		planes := colourPlanes(p)
		t.Black, t.White = bounds(p, planes[:3], &l)
		t.Bounded = planes[0].Black < planes[0].White
		t.through = len(planes) > 3
		t.paint(img, p, planes)
	}
	t.levels = []*image.RGBA{img}
	for side := max(p.Width, p.Height); side > 256; side /= 2 {
		t.levels = append(t.levels, halved(t.levels[len(t.levels)-1]))
	}
	return t
}

// colourPlanes are red, green, blue and alpha, where there is one.
func colourPlanes(p *model.Pixels) []model.Plane {
	var list []model.Plane
	for _, name := range []string{"R", "G", "B", "A"} {
		for _, plane := range p.Planes {
			if plane.Name == name {
				list = append(list, plane)
			}
		}
	}
	for len(list) < 3 {
		list = append(list, p.Planes[0])
	}
	return list
}

// bounds returns the numbers of the planes that are drawn black and white.
func bounds(p *model.Pixels, planes []model.Plane, l *Look) (black, white float64) {
	if l.Range == ByHand {
		return l.Black, l.White
	}
	if l.Range == Usual && planes[0].Black < planes[0].White {
		return planes[0].Black, planes[0].White
	}
	black, white = math.Inf(1), math.Inf(-1)
	row := make([]float64, p.Width)
	for _, plane := range planes {
		for y := range p.Height {
			plane.Row(y, row)
			for _, v := range row {
				if v-v == 0 { // neither infinite nor NaN
					black, white = min(black, v), max(white, v)
				}
			}
		}
	}
	if black > white {
		return 0, 1
	}
	return black, white
}

// noNumber is the colour of NaN.
var noNumber = color.RGBA{0x80, 0x00, 0x50, 0xff}

// paint draws planes as red, green, blue and alpha, or one as grey.
func (t *Tones) paint(img *image.RGBA, p *model.Pixels, planes []model.Plane) {
	rows := make([][]float64, len(planes))
	for k := range rows {
		rows[k] = make([]float64, p.Width)
	}
	ramp := model.Ramp(t.Black, t.White)
	last, was := math.NaN(), uint8(0)
	level := func(v float64) uint8 {
		if v != last { // neighbours are often the same
			last, was = v, uint8(min(max(ramp(v)*math.MaxUint8+0.5, 0), math.MaxUint8))
		}
		return was
	}
	for y := range p.Height {
		for k := range planes {
			planes[k].Row(y, rows[k])
		}
		for x := range p.Width {
			at := img.Pix[y*img.Stride+4*x:][:4]
			at[3] = math.MaxUint8
			if len(rows) == 1 {
				grey := level(rows[0][x])
				at[0], at[1], at[2] = grey, grey, grey
			} else {
				at[0], at[1], at[2] = level(rows[0][x]), level(rows[1][x]), level(rows[2][x])
			}
			if v := rows[0][x]; v != v {
				at[0], at[1], at[2] = noNumber.R, noNumber.G, noNumber.B
			}
			if len(rows) > 3 {
				fade(at, rows[3][x]/planes[3].White)
			}
		}
	}
}

// fade multiplies a pixel by its alpha.
func fade(at []uint8, alpha float64) {
	alpha = min(max(alpha, 0), 1)
	for k := range at {
		at[k] = uint8(float64(at[k])*alpha + 0.5)
	}
}

// halved is a picture of half the width and height, each pixel the mean of up to four.
func halved(in *image.RGBA) *image.RGBA {
	w, h := in.Rect.Dx(), in.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, max((w+1)/2, 1), max((h+1)/2, 1)))
	for y := range out.Rect.Dy() {
		above, below := in.Pix[2*y*in.Stride:], in.Pix[min(2*y+1, h-1)*in.Stride:]
		for x := range out.Rect.Dx() {
			a, b := 8*x, 4*min(2*x+1, w-1)
			for k := range 4 {
				sum := int(above[a+k]) + int(above[b+k]) + int(below[a+k]) + int(below[b+k])
				out.Pix[y*out.Stride+4*x+k] = uint8((sum + 2) / 4)
			}
		}
	}
	return out
}
