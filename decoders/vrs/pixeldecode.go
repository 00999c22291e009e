package vrs

import (
	"errors"
	"image"
	"image/color"
	"math"
)

// Raw pixels as pictures (chapter 7.3).

// raster reads the pixels of a raw image.
type raster struct {
	b             []byte
	width, height int
	stride        int
	planes        []plane
}

func (r *raster) row(y int) []byte { return r.b[y*r.stride:] }

var errStride = errors.New("the stride of the image is smaller than a row")

// decodePixels makes a picture of a raw image. Its bytes are exactly those that the format needs.
func decodePixels(s *imageSpec, b []byte) (image.Image, error) {
	f := &pixelFormats[s.pixels]
	planes := imagePlanes(f, s.width, s.height, s.stride, s.stride2)
	r := &raster{b: b, width: int(s.width), height: int(s.height), stride: int(planes[0].stride), planes: planes}
	if int64(r.stride) < f.stride(s.width) || len(planes) > 1 && planes[1].stride < f.stride2(s.width) {
		return nil, errStride
	}
	switch how := &f.picture; {
	case how.mosaic != "":
		return r.mosaic(how.mosaic, how.grey), nil
	case how.grey != nil:
		return r.grey(how.grey), nil
	case how.real != nil:
		return r.scaled(how.real), nil
	case how.colour != nil:
		return r.colours(how.colour, int(f.bytes)), nil
	}
	return r.yuv(f), nil
}

// picturing is how the pixels of a format become a picture; all are nil for brightness with colour difference.
type picturing struct {
	grey   func(row []byte, x int) uint8
	mosaic string // colours of the pixels that repeat, row by row, of which grey gives the levels; I: infrared
	real   func(row []byte, x int) float64
	colour func(p []byte) color.NRGBA
}

const opaque = math.MaxUint8

func byteAt(row []byte, x int) uint8  { return row[x] }
func raw10At(row []byte, x int) uint8 { return row[x/4*5+x%4] }

// wideAt reads u16 samples and drops so many low bits.
func wideAt(drop int) func(row []byte, x int) uint8 {
	return func(row []byte, x int) uint8 { return uint8(min(le.Uint16(row[2*x:])>>drop, math.MaxUint8)) }
}

// packed10At reads a value of 10 consecutive bits, the least significant first, and drops the low two.
func packed10At(row []byte, x int) uint8 {
	bit := 10 * (x % 4)
	group := row[x/4*5:]
	v := uint16(group[bit/8])>>(bit%8) | uint16(group[bit/8+1])<<(8-bit%8)
	return uint8(v & 0x3ff >> 2)
}

// wideColour reads pixels of three u16 and drops so many low bits of each.
func wideColour(drop int) func(p []byte) color.NRGBA {
	at := wideAt(drop)
	return func(p []byte) color.NRGBA { return color.NRGBA{at(p, 0), at(p, 1), at(p, 2), opaque} }
}

// unitAt reads a float of 0 to 1.
func unitAt(p []byte, n int) uint8 {
	v := float64(readF32(p[4*n:]))
	if !(v > 0) {
		return 0
	}
	return uint8(min(v, 1) * math.MaxUint8)
}

func (r *raster) grey(at func(row []byte, x int) uint8) image.Image {
	out := image.NewGray(image.Rect(0, 0, r.width, r.height))
	for y := range r.height {
		row := r.row(y)
		for x := range r.width {
			out.Pix[y*out.Stride+x] = at(row, x)
		}
	}
	return out
}

// scaled shows numbers of any range: the least black, the most white, what is no number black.
func (r *raster) scaled(at func(row []byte, x int) float64) image.Image {
	lo, hi := math.Inf(1), math.Inf(-1)
	for y := range r.height {
		row := r.row(y)
		for x := range r.width {
			if v := at(row, x); !math.IsInf(v, 0) && !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	return r.grey(func(row []byte, x int) uint8 {
		v := at(row, x)
		switch {
		case math.IsNaN(v) || v <= lo:
			return 0
		case v >= hi:
			return math.MaxUint8
		}
		return uint8((v/2 - lo/2) / (hi/2 - lo/2) * math.MaxUint8)
	})
}

// colours shows formats that keep each pixel's channels together in so many bytes.
func (r *raster) colours(at func(p []byte) color.NRGBA, bytes int) image.Image {
	out := image.NewNRGBA(image.Rect(0, 0, r.width, r.height))
	for y := range r.height {
		row := r.row(y)
		for x := range r.width {
			out.SetNRGBA(x, y, at(row[x*bytes:]))
		}
	}
	return out
}

// channels are the places of colours in a pixel, by their letter.
var channels = [256]uint8{'R': 0, 'G': 1, 'B': 2}

// mosaic shows a Bayer mosaic, in which each pixel gets the colours of itself and those to the right and below, or one
// of 4 × 4 pixels, some of them infrared, in which it gets those of the 3 × 3 around it.
func (r *raster) mosaic(order string, at func(row []byte, x int) uint8) image.Image {
	side, before := 2, 0
	if len(order) == 4*4 {
		side, before = 4, 1
	}
	out := image.NewNRGBA(image.Rect(0, 0, r.width, r.height))
	for y := range r.height {
		for x := range r.width {
			var sum, n [3]int
			for py := max(y-before, 0); py <= min(y+1, r.height-1); py++ {
				for px := max(x-before, 0); px <= min(x+1, r.width-1); px++ {
					if c := order[py%side*side+px%side]; c != 'I' {
						sum[channels[c]] += int(at(r.row(py), px))
						n[channels[c]]++
					}
				}
			}
			out.SetNRGBA(x, y, color.NRGBA{mean(sum[0], n[0]), mean(sum[1], n[1]), mean(sum[2], n[2]), opaque})
		}
	}
	return out
}

func mean(sum, n int) uint8 {
	if n == 0 {
		return 0
	}
	return uint8(sum / n)
}

// yuv shows brightness and colour difference.
func (r *raster) yuv(f *pixelFormat) image.Image {
	out := image.NewYCbCr(image.Rect(0, 0, r.width, r.height), image.YCbCrSubsampleRatio444)
	second := func(p, y int) []byte { return r.b[r.planes[p].off+int64(y/2)*r.planes[p].stride:] }
	for y := range r.height {
		row := r.row(y)
		for x := range r.width {
			var luma, u, v uint8
			switch f.name {
			case "yuy2":
				luma, u, v = row[2*x], row[x/2*4+1], row[x/2*4+3]
			case "yuv_i420_split":
				luma, u, v = row[x], second(1, y)[x/2], second(2, y)[x/2]
			case "yuv_420_nv12":
				luma, u, v = row[x], second(1, y)[x/2*2], second(1, y)[x/2*2+1]
			default:
				luma, v, u = row[x], second(1, y)[x/2*2], second(1, y)[x/2*2+1]
			}
			i := y*out.YStride + x
			out.Y[i], out.Cb[i], out.Cr[i] = luma, u, v
		}
	}
	return out
}
