package media

import (
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"math"

	"cutaway/model"
)

// Raw pixels as pictures (chapter 7.3).

// raster reads the pixels of a raw image.
type raster struct {
	b             []byte
	width, height int
	stride        int
	planes        []Plane
}

func (r *raster) row(y int) []byte { return r.b[y*r.stride:] }

var errStride = errors.New("the stride of the image is smaller than a row")

// planes are those of a raw image, whose rows have room for its pixels.
func (s *ImageSpec) planes() ([]Plane, error) {
	f := &PixelFormats[s.Pixels]
	list := ImagePlanes(f, s.Width, s.Height, s.Stride, s.Stride2)
	if list[0].Stride < f.Stride(s.Width) || len(list) > 1 && list[1].Stride < f.Stride2(s.Width) {
		return nil, errStride
	}
	return list, nil
}

// decodePixels makes a picture of a raw image. Its bytes are exactly those that the format needs.
func decodePixels(s *ImageSpec, b []byte) (image.Image, error) {
	f := &PixelFormats[s.Pixels]
	planes, err := s.planes()
	if err != nil {
		return nil, err
	}
	r := &raster{b: b, width: int(s.Width), height: int(s.Height), stride: int(planes[0].Stride), planes: planes}
	switch how := &f.picture; {
	case how.mosaic != "":
		return r.mosaic(how.mosaic, how.levels()), nil
	case how.grey != nil || how.wide != nil:
		return r.grey(how), nil
	case how.real != nil:
		return r.scaled(how.real), nil
	case how.colour != nil:
		return r.colours(how.colour, int(f.bytes)), nil
	}
	return r.yuv(f), nil
}

// A pictureConversion makes a picture of the pixels of a format. All are nil for brightness with colour difference.
type pictureConversion struct {
	grey   func(row []byte, x int) uint8  // levels of 8 bits
	wide   func(row []byte, x int) uint16 // or of 16
	mosaic string                         // colours of the 2 × 2 pixels that repeat, row by row; grey or wide gives the levels
	real   func(row []byte, x int) float64
	colour func(p []byte) color.NRGBA
}

// levels gives levels of 16 bits, whatever the format has.
func (p *pictureConversion) levels() func(row []byte, x int) uint16 {
	if p.wide != nil {
		return p.wide
	}
	return func(row []byte, x int) uint16 { return uint16(p.grey(row, x)) * 0x101 }
}

const opaque = math.MaxUint8

func byteAt(row []byte, x int) uint8 { return row[x] }

// wideAt reads u16 samples that lack so many bits of 16.
func wideAt(lack int) func(row []byte, x int) uint16 {
	return func(row []byte, x int) uint16 { return le.Uint16(row[2*x:]) << lack }
}

// raw10At reads one of four values that a byte follows with the low two bits of each.
func raw10At(row []byte, x int) uint16 {
	group := row[x/4*5:]
	return uint16(group[x%4])<<8 | uint16(group[4])>>(2*(x%4))&3<<6
}

// packed10At reads a value of 10 consecutive bits, the least significant first.
func packed10At(row []byte, x int) uint16 {
	bit := 10 * (x % 4)
	group := row[x/4*5:]
	return (uint16(group[bit/8])>>(bit%8) | uint16(group[bit/8+1])<<(8-bit%8)) << 6
}

// wideColour reads pixels of three u16 and drops so many low bits of each.
func wideColour(drop int) func(p []byte) color.NRGBA {
	at := func(p []byte, n int) uint8 { return uint8(min(le.Uint16(p[2*n:])>>drop, math.MaxUint8)) }
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

// grey shows levels with as many bits as they have.
func (r *raster) grey(how *pictureConversion) image.Image {
	if how.wide != nil {
		return r.wide(how.wide)
	}
	out := image.NewGray(image.Rect(0, 0, r.width, r.height))
	for y := range r.height {
		row := r.row(y)
		for x := range r.width {
			out.Pix[y*out.Stride+x] = how.grey(row, x)
		}
	}
	return out
}

func (r *raster) wide(at func(row []byte, x int) uint16) image.Image {
	out := image.NewGray16(image.Rect(0, 0, r.width, r.height))
	for y := range r.height {
		row := r.row(y)
		for x := range r.width {
			binary.BigEndian.PutUint16(out.Pix[y*out.Stride+2*x:], at(row, x))
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
	ramp := model.Ramp(lo, hi)
	return r.wide(func(row []byte, x int) uint16 {
		v := ramp(at(row, x))
		switch {
		case math.IsNaN(v):
			return 0
		case lo == hi && at(row, x) >= hi:
			return math.MaxUint16
		}
		return uint16(min(max(v, 0), 1) * math.MaxUint16)
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

// mosaic shows a Bayer mosaic: each pixel gets the colours of itself and of those to the right and below.
func (r *raster) mosaic(order string, at func(row []byte, x int) uint16) image.Image {
	out := image.NewNRGBA64(image.Rect(0, 0, r.width, r.height))
	for y := range r.height {
		for x := range r.width {
			var sum, n [3]uint32
			for py := y; py <= min(y+1, r.height-1); py++ {
				for px := x; px <= min(x+1, r.width-1); px++ {
					c := channels[order[py%2*2+px%2]]
					sum[c] += uint32(at(r.row(py), px))
					n[c]++
				}
			}
			out.SetNRGBA64(x, y, color.NRGBA64{mean(sum[0], n[0]), mean(sum[1], n[1]), mean(sum[2], n[2]), math.MaxUint16})
		}
	}
	return out
}

func mean(sum, n uint32) uint16 {
	if n == 0 {
		return 0
	}
	return uint16(sum / n)
}

// A conversion makes red, green and blue of brightness of 16 to 235 and colour difference (ITU-R BT.601): factors and what
// is added, of so many bits, as Meta's library has them: of 6 bits for NV12 and NV21, of 10 for the others.
type conversion struct {
	bits, y, rv, gu, gv, bu int
	r, g, b                 int
	towardsZero             bool // what is negative before r, g or b is added loses its fraction upwards
}

var (
	interleavedColours = conversion{bits: 6, y: 75, rv: 102, gu: -25, gv: -52, bu: 128, r: -14256, g: 8656, b: -17584}
	planarColours      = conversion{bits: 10, y: 1192, rv: 1634, gu: -400, gv: -833, bu: 2066, r: -223 << 10, g: 135 << 10, b: -277 << 10}
	packedColours      = conversion{bits: 10, y: 1192, rv: 1634, gu: -400, gv: -833, bu: 2066, r: -223 << 10, g: 135 << 10, b: -277 << 10, towardsZero: true}
)

func (c *conversion) colour(luma, cb, cr uint8) color.NRGBA {
	y, u, v := c.y*int(luma), int(cb), int(cr)
	level := func(n, more int) uint8 {
		if c.towardsZero && n < 0 {
			n += 1<<c.bits - 1
		}
		return uint8(min(max((n+more)>>c.bits, 0), math.MaxUint8))
	}
	return color.NRGBA{level(y+c.rv*v, c.r), level(y+c.gu*u+c.gv*v, c.g), level(y+c.bu*u, c.b), opaque}
}

// yuv shows brightness and colour difference.
func (r *raster) yuv(f *PixelFormat) image.Image {
	out := image.NewNRGBA(image.Rect(0, 0, r.width, r.height))
	second := func(p, y int) []byte { return r.b[r.planes[p].Off+int64(y/2)*r.planes[p].Stride:] }
	how := &planarColours
	switch f.Planes {
	case interleaved:
		how = &interleavedColours
	case OnePlane:
		how = &packedColours
	}
	for y := range r.height {
		row := r.row(y)
		for x := range r.width {
			var luma, u, v uint8
			switch f.Name {
			case "yuy2":
				luma, u, v = row[2*x], row[x/2*4+1], row[x/2*4+3]
			case "yuv_i420_split":
				luma, u, v = row[x], second(1, y)[x/2], second(2, y)[x/2]
			case "yuv_420_nv12":
				luma, u, v = row[x], second(1, y)[x/2*2], second(1, y)[x/2*2+1]
			default:
				luma, v, u = row[x], second(1, y)[x/2*2], second(1, y)[x/2*2+1]
			}
			out.SetNRGBA(x, y, how.colour(luma, u, v))
		}
	}
	return out
}
