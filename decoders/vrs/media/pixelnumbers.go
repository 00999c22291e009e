package media

import (
	"context"
	"math"
	"strings"

	"cutaway/model"
)

// The numbers of raw pixels as they are stored (chapter 7.3).

// numbering is the numbers of each pixel of a format: so many bytes each, one after another; where pixels are coded in
// groups, all of a group's bytes.
type numbering struct {
	names string  // with spaces between them
	size  int64   // bytes
	white float64 // 0: numbers of any size
	read  func(b []byte, x int) float64
}

// pixelNumbers are those of the formats by their code; the planes of brightness and colour difference are divided otherwise.
var pixelNumbers = [len(PixelFormats)]numbering{
	1:  {"grey", 1, 1<<8 - 1, byteNumber},
	2:  {"B G R", 1, 1<<8 - 1, byteNumber},
	3:  {"depth", 4, 0, floatNumber},
	4:  {"R G B", 1, 1<<8 - 1, byteNumber},
	6:  {"R G B A", 1, 1<<8 - 1, byteNumber},
	7:  {"R G B", 2, 1<<10 - 1, wideNumber},
	8:  {"R G B", 2, 1<<12 - 1, wideNumber},
	9:  {"grey", 2, 1<<10 - 1, wideNumber},
	10: {"grey", 2, 1<<12 - 1, wideNumber},
	11: {"grey", 2, 1<<16 - 1, wideNumber},
	12: {"R G B", 4, 1, floatNumber},
	13: {"value", 8, 0, func(b []byte, _ int) float64 { return readF64(b) }},
	15: {"level", 1, 1<<8 - 1, byteNumber},
	16: {"R G B A", 4, 1, floatNumber},
	17: {"level", 1, 1<<8 - 1, byteNumber},
	18: {"level", 5, 1<<10 - 1, raw10Number},
	19: {"level", 5, 1<<10 - 1, raw10Number},
	20: {"level", 5, 1<<10 - 1, raw10Number},
	23: {"grey", 5, 1<<10 - 1, packed10Number},
	24: {"level", 1, 1<<8 - 1, byteNumber},
	25: {"level", 2, 1<<10 - 1, wideNumber},
	26: {"level", 1, 1<<8 - 1, byteNumber},
}

// Reduced says what of the numbers of raw pixels a picture lacks.
func (s *ImageSpec) Reduced() string {
	if s.Format != RawImage {
		return ""
	}
	n, how := &pixelNumbers[s.Pixels], &PixelFormats[s.Pixels].picture
	switch {
	case how.mosaic != "":
		return "the colours of the mosaic are mixed"
	case how.real != nil:
		return "numbers are levels of 16 bits, from the least to the greatest"
	case n.white == 1:
		return "numbers are levels of 8 bits, from 0 to 1"
	case how.colour != nil && n.white > math.MaxUint8:
		return "levels have 8 bits"
	case n.names == "":
		return "brightness and colour difference are red, green and blue"
	}
	return ""
}

func byteNumber(b []byte, _ int) float64     { return float64(b[0]) }
func wideNumber(b []byte, _ int) float64     { return float64(le.Uint16(b)) }
func floatNumber(b []byte, _ int) float64    { return float64(readF32(b)) }
func raw10Number(b []byte, x int) float64    { return float64(raw10At(b, x%4) >> 6) }
func packed10Number(b []byte, x int) float64 { return float64(packed10At(b, x%4) >> 6) }

// channel is one number of every pixel, and where it is.
type channel struct {
	name  string
	white float64
	plane *Plane
	half  bool // it has a row for two rows of pixels
	at    func(x int64) int64
	size  int64
	read  func(b []byte, x int) float64
}

// row returns the offset of its row for row y of the picture.
func (c *channel) row(y int) int64 {
	if c.half {
		y /= 2
	}
	return c.plane.Off + int64(y)*c.plane.Stride
}

// channelsOf are the numbers of a format with such planes.
func channelsOf(code int, planes []Plane) (list []channel) {
	f, n := &PixelFormats[code], &pixelNumbers[code]
	names := strings.Fields(n.names)
	for k, name := range names {
		at := func(x int64) int64 { return (x*int64(len(names)) + int64(k)) * n.size }
		if f.group > 0 {
			at = func(x int64) int64 { return x / f.group * f.groupLen }
		}
		list = append(list, channel{name, n.white, &planes[0], false, at, n.size, n.read})
	}
	if len(names) > 0 {
		return list
	}
	add := func(name string, p int, at func(x int64) int64) {
		list = append(list, channel{name, math.MaxUint8, &planes[p], p > 0, at, 1, byteNumber})
	}
	pair := func(k int64) func(int64) int64 { return func(x int64) int64 { return x/2*2 + k } }
	switch f.Name {
	case "yuy2":
		add("Y", 0, func(x int64) int64 { return 2 * x })
		add("U", 0, func(x int64) int64 { return x/2*4 + 1 })
		add("V", 0, func(x int64) int64 { return x/2*4 + 3 })
	case "yuv_i420_split":
		add("Y", 0, func(x int64) int64 { return x })
		add("U", 1, func(x int64) int64 { return x / 2 })
		add("V", 2, func(x int64) int64 { return x / 2 })
	case "yuv_420_nv12", "yuv_420_nv21":
		add("Y", 0, func(x int64) int64 { return x })
		add(planes[1].Name[:1], 1, pair(0))
		add(planes[1].Name[1:], 1, pair(1))
	}
	return list
}

// Pixels returns the stored numbers of the pixels.
func (p *Picture) Pixels(ctx context.Context) (*model.Pixels, error) {
	if p.Spec.Format != RawImage {
		img, err := p.Decode(ctx)
		if err != nil {
			return nil, err
		}
		return model.PixelsOfImage(img), nil
	}
	b, err := p.raw(ctx)
	if err != nil {
		return nil, err
	}
	planes, err := p.Spec.planes()
	if err != nil {
		return nil, err
	}
	f, channels := &PixelFormats[p.Spec.Pixels], channelsOf(p.Spec.Pixels, planes)
	got := &model.Pixels{Width: int(p.Spec.Width), Height: int(p.Spec.Height), Bytes: func(x, y, k int) model.Span {
		c := &channels[k]
		return p.At.Source.Span(p.At.Off+c.row(y)+c.at(int64(x)), c.size)
	}}
	if f.picture.mosaic != "" || pixelNumbers[p.Spec.Pixels].names == "" {
		if got.Colours, err = decodePixels(p.Spec, b); err != nil {
			return nil, err
		}
	}
	for k := range channels {
		c := &channels[k]
		got.Planes = append(got.Planes, model.Plane{Name: c.name, White: c.white, Row: func(y int, dst []float64) {
			row := b[c.row(y):]
			for x := range dst[:got.Width] {
				dst[x] = c.read(row[c.at(int64(x)):], x)
			}
		}})
	}
	return got, nil
}
