package media

import (
	"image/color"

	"cutaway/decoders/grammar"
	"cutaway/decoders/vrs/layout"
)

// Chapter 7.3: pixel formats, and chapter 7.4: audio sample formats.

// planes is the division of the bytes of an image.
type planes uint8

// The divisions of images.
const (
	OnePlane    planes = iota // rows of pixels
	planarYUV                 // Y, U, V
	interleaved               // Y, then pairs of U and V
)

// A PixelFormat is a rule for the bytes of pixels.
type PixelFormat struct {
	Name     string
	bytes    int64 // for each pixel, or 0 if group has them
	group    int64 // pixels that groupLen bytes hold together
	groupLen int64
	Planes   planes
	picture  pictureConversion
}

// PixelFormats are the formats by their code.
var PixelFormats = [...]PixelFormat{
	0:  {Name: "undefined"},
	1:  {Name: "grey8", bytes: 1, picture: pictureConversion{grey: byteAt}},
	2:  {Name: "bgr8", bytes: 3, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{p[2], p[1], p[0], opaque} }}},
	3:  {Name: "depth32f", bytes: 4, picture: pictureConversion{real: func(row []byte, x int) float64 { return float64(readF32(row[4*x:])) }}},
	4:  {Name: "rgb8", bytes: 3, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{p[0], p[1], p[2], opaque} }}},
	5:  {Name: "yuv_i420_split", bytes: 1, Planes: planarYUV},
	6:  {Name: "rgba8", bytes: 4, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{p[0], p[1], p[2], p[3]} }}},
	7:  {Name: "rgb10", bytes: 6, picture: pictureConversion{colour: wideColour(2)}},
	8:  {Name: "rgb12", bytes: 6, picture: pictureConversion{colour: wideColour(4)}},
	9:  {Name: "grey10", bytes: 2, picture: pictureConversion{wide: wideAt(6)}},
	10: {Name: "grey12", bytes: 2, picture: pictureConversion{wide: wideAt(4)}},
	11: {Name: "grey16", bytes: 2, picture: pictureConversion{wide: wideAt(0)}},
	12: {Name: "rgb32F", bytes: 12, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{unitAt(p, 0), unitAt(p, 1), unitAt(p, 2), opaque} }}},
	13: {Name: "scalar64F", bytes: 8, picture: pictureConversion{real: func(row []byte, x int) float64 { return readF64(row[8*x:]) }}},
	14: {Name: "yuy2", group: 2, groupLen: 4},
	15: {Name: "rgb_ir_4x4", bytes: 1, picture: pictureConversion{grey: byteAt}},
	16: {Name: "rgba32F", bytes: 16, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{unitAt(p, 0), unitAt(p, 1), unitAt(p, 2), unitAt(p, 3)} }}},
	17: {Name: "bayer8_rggb", bytes: 1, picture: pictureConversion{mosaic: "RGGB", grey: byteAt}},
	18: {Name: "raw10", group: 4, groupLen: 5, picture: pictureConversion{wide: raw10At}},
	19: {Name: "raw10_bayer_rggb", group: 4, groupLen: 5, picture: pictureConversion{mosaic: "RGGB", wide: raw10At}},
	20: {Name: "raw10_bayer_bggr", group: 4, groupLen: 5, picture: pictureConversion{mosaic: "BGGR", wide: raw10At}},
	21: {Name: "yuv_420_nv21", bytes: 1, Planes: interleaved},
	22: {Name: "yuv_420_nv12", bytes: 1, Planes: interleaved},
	23: {Name: "grey10packed", group: 4, groupLen: 5, picture: pictureConversion{wide: packed10At}},
	24: {Name: "bayer8_bggr", bytes: 1, picture: pictureConversion{mosaic: "BGGR", grey: byteAt}},
	25: {Name: "bayer10_gbrg", bytes: 2, picture: pictureConversion{mosaic: "GBRG", wide: wideAt(6)}},
	26: {Name: "bayer8_gbrg", bytes: 1, picture: pictureConversion{mosaic: "GBRG", grey: byteAt}},
}

// Enumerations are the names of the numbers of fields that say how images and audio are written, by type and name
// (chapter 7.7).
var Enumerations = layout.Names{
	{"DataPieceValue<uint32_t>", "image_pixel_format"}: namesOf(PixelFormats[:], func(f *PixelFormat) string { return f.Name }),
	{"DataPieceValue<uint8_t>", "audio_sample_format"}: namesOf(SampleFormats[:], func(f *SampleFormat) string { return f.Name }),
	{"DataPieceValue<uint8_t>", "audio_format"}:        AudioFormatNames[:],
}

func namesOf[F any](formats []F, name func(*F) string) (names []string) {
	for i := range formats {
		names = append(names, name(&formats[i]))
	}
	return names
}

// PixelFormatCode finds a format by its name. It returns 0 if no format has the name.
func PixelFormatCode(name string) int {
	for i, f := range PixelFormats {
		if f.Name == name {
			return i
		}
	}
	return 0
}

// Stride is the default distance in bytes between two rows of the first plane.
func (f *PixelFormat) Stride(width int64) int64 {
	if f.group > 0 {
		return (width + f.group - 1) / f.group * f.groupLen
	}
	return width * f.bytes
}

// Stride2 is the default distance in bytes between two rows of the other planes.
func (f *PixelFormat) Stride2(width int64) int64 {
	switch f.Planes {
	case planarYUV:
		return (width + 1) / 2
	case interleaved:
		return (width + 1) / 2 * 2
	}
	return 0
}

// A Plane is one plane of an image.
type Plane struct {
	Name              string
	Off, Stride, Rows int64 // Off counts from the image's first byte
}

// Size returns the bytes of the plane.
func (p *Plane) Size() int64 {
	if p.Rows > 0 && p.Stride > layout.TooLarge/p.Rows {
		return layout.TooLarge
	}
	return p.Stride * p.Rows
}

// ImagePlanes divides an image into planes; strides of 0 are the default.
func ImagePlanes(f *PixelFormat, width, height, stride, stride2 int64) []Plane {
	if stride == 0 {
		stride = f.Stride(width)
	}
	if stride2 == 0 {
		stride2 = f.Stride2(width)
	}
	list := []Plane{{"pixels", 0, stride, height}}
	half := (height + 1) / 2
	switch f.Planes {
	case planarYUV:
		list = []Plane{{"Y", 0, stride, height}, {"U", 0, stride2, half}, {"V", 0, stride2, half}}
	case interleaved:
		list = []Plane{{"Y", 0, stride, height}, {"UV", 0, stride2, half}}
		if f.Name == "yuv_420_nv21" {
			list[1].Name = "VU"
		}
	}
	for i := 1; i < len(list); i++ {
		list[i].Off = list[i-1].Off + list[i-1].Size()
	}
	return list
}

// imageSize is the number of bytes of an image.
func imageSize(f *PixelFormat, width, height, stride, stride2 int64) int64 {
	list := ImagePlanes(f, width, height, stride, stride2)
	last := &list[len(list)-1]
	return last.Off + last.Size()
}

// A SampleFormat is a way of writing audio samples.
type SampleFormat struct {
	Name   string
	Number *grammar.Scalar
}

// bytes is the size of a sample.
func (f *SampleFormat) bytes() int64 {
	if f.Number == nil {
		return 0
	}
	return f.Number.Size()
}

// SampleFormats are the formats by their code.
var SampleFormats = [...]SampleFormat{
	0: {"undefined", nil},
	1: {"int8", grammar.I8}, 2: {"uint8", grammar.U8}, 3: {"uint8alaw", grammar.U8}, 4: {"uint8mulaw", grammar.U8},
	5: {"int16le", grammar.I16}, 6: {"uint16le", grammar.U16}, 7: {"int16be", grammar.I16.BigEndian()}, 8: {"uint16be", grammar.U16.BigEndian()},
	9: {"int24le", grammar.I24}, 10: {"uint24le", grammar.U24}, 11: {"int24be", grammar.I24.BigEndian()}, 12: {"uint24be", grammar.U24.BigEndian()},
	13: {"int32le", grammar.I32}, 14: {"uint32le", grammar.U32}, 15: {"int32be", grammar.I32.BigEndian()}, 16: {"uint32be", grammar.U32.BigEndian()},
	17: {"float32le", grammar.F32}, 18: {"float32be", grammar.F32.BigEndian()}, 19: {"float64le", grammar.F64}, 20: {"float64be", grammar.F64.BigEndian()},
}

// SampleFormatCode finds a format by its name. It returns 0 if no format has the name.
func SampleFormatCode(name string) int {
	for i, f := range SampleFormats {
		if f.Name == name {
			return i
		}
	}
	return 0
}
