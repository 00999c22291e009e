package model

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"
)

// Pixels is a picture as the stored numbers, not those of a screen.
type Pixels struct {
	Width, Height int
	Planes        []Plane
	// Colours is the visible picture. It is nil if the planes are red, green, blue and possibly alpha, or if there is
	// only one.
	Colours image.Image
	// Bytes returns the bytes of a number, including the pixel's part of a coded group, or no Source if a pixel has
	// none, as in a JPEG. It may be nil.
	Bytes func(x, y, plane int) Span
}

// A Plane is one number of every pixel.
type Plane struct {
	Name         string  // "R", "G", "B", "A", "grey", "depth", "Y", "U", "V"
	Black, White float64 // numbers drawn as black and white by default; equal for unbounded numbers such as depths
	// Row fills dst, whose length is Width, with the numbers of row y. It is safe for concurrent use.
	Row func(y int, dst []float64)
}

// Ramp returns the linear function that maps black to 0 and white to 1, or all to 0 if they are equal. Numbers of any
// size keep their digits, even subnormal ones, which processors handle a hundred times slower.
func Ramp(black, white float64) func(v float64) float64 {
	const most = 1000
	_, exp := math.Frexp(max(math.Abs(black), math.Abs(white)))
	lift, by := math.Ldexp(1, min(-exp, most)), 0.0
	from := black * lift
	if black != white {
		by = 1 / (white*lift - from)
	}
	return func(v float64) float64 { return (v*lift - from) * by }
}

// A RawPicture is a Picture that has its numbers too.
type RawPicture interface {
	Picture
	Pixels(ctx context.Context) (*Pixels, error)
}

// PixelsOf returns a picture as numbers: those of its file if it has them, otherwise decoded ones.
func PixelsOf(ctx context.Context, p Picture) (*Pixels, error) {
	if raw, ok := p.(RawPicture); ok {
		return raw.Pixels(ctx)
	}
	img, err := p.Decode(ctx)
	if err != nil {
		return nil, err
	}
	return PixelsOfImage(img), nil
}

// PixelsOfImage returns the numbers of a decoded picture: levels of 8 or 16 bits, not premultiplied by alpha.
func PixelsOfImage(img image.Image) *Pixels {
	b := img.Bounds()
	p := &Pixels{Width: b.Dx(), Height: b.Dy()}
	switch img.ColorModel() {
	case color.GrayModel:
		grey := converted(img, image.NewGray)
		p.Planes = []Plane{levels("grey", p.Width, grey.Pix, grey.Stride, 1, 0)}
	case color.Gray16Model:
		grey := converted(img, image.NewGray16)
		p.Planes = []Plane{wideLevels("grey", p.Width, grey.Pix, grey.Stride, 2, 0)}
	case color.RGBA64Model, color.NRGBA64Model:
		rgb := converted(img, image.NewNRGBA64)
		for k, name := range colourNames(img) {
			p.Planes = append(p.Planes, wideLevels(name, p.Width, rgb.Pix, rgb.Stride, 8, 2*k))
		}
	default:
		rgb := converted(img, image.NewNRGBA)
		for k, name := range colourNames(img) {
			p.Planes = append(p.Planes, levels(name, p.Width, rgb.Pix, rgb.Stride, 4, k))
		}
	}
	return p
}

// converted returns a picture in another form, with its origin at (0, 0).
func converted[T draw.Image](img image.Image, made func(image.Rectangle) T) T {
	b := img.Bounds()
	if same, ok := img.(T); ok && b.Min == (image.Point{}) {
		return same
	}
	out := made(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(out, out.Bounds(), img, b.Min, draw.Src)
	return out
}

// colourNames returns the names of the planes of a picture, with alpha only if some pixel is not opaque.
func colourNames(img image.Image) []string {
	if o, ok := img.(interface{ Opaque() bool }); ok && !o.Opaque() {
		return []string{"R", "G", "B", "A"}
	}
	return []string{"R", "G", "B"}
}

// levels returns a plane of bytes, step bytes from one pixel to the next.
func levels(name string, width int, pix []byte, stride, step, off int) Plane {
	return Plane{Name: name, White: math.MaxUint8, Row: func(y int, dst []float64) {
		row := pix[y*stride+off:]
		for x := range dst[:width] {
			dst[x] = float64(row[x*step])
		}
	}}
}

// wideLevels returns a plane of big-endian 16-bit numbers.
func wideLevels(name string, width int, pix []byte, stride, step, off int) Plane {
	return Plane{Name: name, White: math.MaxUint16, Row: func(y int, dst []float64) {
		row := pix[y*stride+off:]
		for x := range dst[:width] {
			dst[x] = float64(uint16(row[x*step])<<8 | uint16(row[x*step+1]))
		}
	}}
}
