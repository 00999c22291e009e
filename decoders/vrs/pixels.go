package vrs

import (
	"image/color"

	"cutaway/decoders/grammar"

	"cutaway/decoders/vrs/layout"
)

// Chapter 7.3: pixel formats, and chapter 7.4: audio sample formats.

// planes says how the bytes of an image are divided.
type planes uint8

const (
	onePlane    planes = iota // rows of pixels
	planarYUV                 // Y, U, V
	interleaved               // Y, then pairs of U and V
)

// pixelFormat is a rule for the bytes of pixels.
type pixelFormat struct {
	name     string
	bytes    int64 // for each pixel, or 0 if group has them
	group    int64 // pixels that groupLen bytes hold together
	groupLen int64
	planes   planes
	picture  pictureConversion
}

// pixelFormats are the formats by their code.
var pixelFormats = [...]pixelFormat{
	0:  {name: "undefined"},
	1:  {name: "grey8", bytes: 1, picture: pictureConversion{grey: byteAt}},
	2:  {name: "bgr8", bytes: 3, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{p[2], p[1], p[0], opaque} }}},
	3:  {name: "depth32f", bytes: 4, picture: pictureConversion{real: func(row []byte, x int) float64 { return float64(readF32(row[4*x:])) }}},
	4:  {name: "rgb8", bytes: 3, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{p[0], p[1], p[2], opaque} }}},
	5:  {name: "yuv_i420_split", bytes: 1, planes: planarYUV},
	6:  {name: "rgba8", bytes: 4, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{p[0], p[1], p[2], p[3]} }}},
	7:  {name: "rgb10", bytes: 6, picture: pictureConversion{colour: wideColour(2)}},
	8:  {name: "rgb12", bytes: 6, picture: pictureConversion{colour: wideColour(4)}},
	9:  {name: "grey10", bytes: 2, picture: pictureConversion{wide: wideAt(6)}},
	10: {name: "grey12", bytes: 2, picture: pictureConversion{wide: wideAt(4)}},
	11: {name: "grey16", bytes: 2, picture: pictureConversion{wide: wideAt(0)}},
	12: {name: "rgb32F", bytes: 12, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{unitAt(p, 0), unitAt(p, 1), unitAt(p, 2), opaque} }}},
	13: {name: "scalar64F", bytes: 8, picture: pictureConversion{real: func(row []byte, x int) float64 { return readF64(row[8*x:]) }}},
	14: {name: "yuy2", group: 2, groupLen: 4},
	15: {name: "rgb_ir_4x4", bytes: 1, picture: pictureConversion{grey: byteAt}},
	16: {name: "rgba32F", bytes: 16, picture: pictureConversion{colour: func(p []byte) color.NRGBA { return color.NRGBA{unitAt(p, 0), unitAt(p, 1), unitAt(p, 2), unitAt(p, 3)} }}},
	17: {name: "bayer8_rggb", bytes: 1, picture: pictureConversion{mosaic: "RGGB", grey: byteAt}},
	18: {name: "raw10", group: 4, groupLen: 5, picture: pictureConversion{wide: raw10At}},
	19: {name: "raw10_bayer_rggb", group: 4, groupLen: 5, picture: pictureConversion{mosaic: "RGGB", wide: raw10At}},
	20: {name: "raw10_bayer_bggr", group: 4, groupLen: 5, picture: pictureConversion{mosaic: "BGGR", wide: raw10At}},
	21: {name: "yuv_420_nv21", bytes: 1, planes: interleaved},
	22: {name: "yuv_420_nv12", bytes: 1, planes: interleaved},
	23: {name: "grey10packed", group: 4, groupLen: 5, picture: pictureConversion{wide: packed10At}},
	24: {name: "bayer8_bggr", bytes: 1, picture: pictureConversion{mosaic: "BGGR", grey: byteAt}},
	25: {name: "bayer10_gbrg", bytes: 2, picture: pictureConversion{mosaic: "GBRG", wide: wideAt(6)}},
	26: {name: "bayer8_gbrg", bytes: 1, picture: pictureConversion{mosaic: "GBRG", grey: byteAt}},
}

// enumerations are the names of the numbers of fields that say how images and audio are written, by type and name
// (chapter 7.7).
var enumerations = layout.Names{
	{"DataPieceValue<uint32_t>", "image_pixel_format"}: namesOf(pixelFormats[:], func(f *pixelFormat) string { return f.name }),
	{"DataPieceValue<uint8_t>", "audio_sample_format"}: namesOf(sampleFormats[:], func(f *sampleFormat) string { return f.name }),
	{"DataPieceValue<uint8_t>", "audio_format"}:        audioFormatNames[:],
}

func namesOf[F any](formats []F, name func(*F) string) (names []string) {
	for i := range formats {
		names = append(names, name(&formats[i]))
	}
	return names
}

// pixelFormatCode finds a format by its name. It returns 0 if no format has the name.
func pixelFormatCode(name string) int {
	for i, f := range pixelFormats {
		if f.name == name {
			return i
		}
	}
	return 0
}

// stride is the default distance in bytes between two rows of the first plane.
func (f *pixelFormat) stride(width int64) int64 {
	if f.group > 0 {
		return (width + f.group - 1) / f.group * f.groupLen
	}
	return width * f.bytes
}

// stride2 is the default distance in bytes between two rows of the other planes.
func (f *pixelFormat) stride2(width int64) int64 {
	switch f.planes {
	case planarYUV:
		return (width + 1) / 2
	case interleaved:
		return (width + 1) / 2 * 2
	}
	return 0
}

// plane is one plane of an image.
type plane struct {
	name              string
	off, stride, rows int64 // off counts from the image's first byte
}

func (p *plane) size() int64 {
	if p.rows > 0 && p.stride > layout.TooLarge/p.rows {
		return layout.TooLarge
	}
	return p.stride * p.rows
}

// imagePlanes divides an image into planes; strides of 0 are the default.
func imagePlanes(f *pixelFormat, width, height, stride, stride2 int64) []plane {
	if stride == 0 {
		stride = f.stride(width)
	}
	if stride2 == 0 {
		stride2 = f.stride2(width)
	}
	list := []plane{{"pixels", 0, stride, height}}
	half := (height + 1) / 2
	switch f.planes {
	case planarYUV:
		list = []plane{{"Y", 0, stride, height}, {"U", 0, stride2, half}, {"V", 0, stride2, half}}
	case interleaved:
		list = []plane{{"Y", 0, stride, height}, {"UV", 0, stride2, half}}
		if f.name == "yuv_420_nv21" {
			list[1].name = "VU"
		}
	}
	for i := 1; i < len(list); i++ {
		list[i].off = list[i-1].off + list[i-1].size()
	}
	return list
}

// imageSize is the number of bytes of an image.
func imageSize(f *pixelFormat, width, height, stride, stride2 int64) int64 {
	list := imagePlanes(f, width, height, stride, stride2)
	last := &list[len(list)-1]
	return last.off + last.size()
}

// sampleFormat is a way of writing audio samples.
type sampleFormat struct {
	name   string
	number *grammar.Scalar
}

// bytes is the size of a sample.
func (f *sampleFormat) bytes() int64 {
	if f.number == nil {
		return 0
	}
	return f.number.Size()
}

// sampleFormats are the formats by their code.
var sampleFormats = [...]sampleFormat{
	0: {"undefined", nil},
	1: {"int8", grammar.I8}, 2: {"uint8", grammar.U8}, 3: {"uint8alaw", grammar.U8}, 4: {"uint8mulaw", grammar.U8},
	5: {"int16le", grammar.I16}, 6: {"uint16le", grammar.U16}, 7: {"int16be", grammar.I16.BigEndian()}, 8: {"uint16be", grammar.U16.BigEndian()},
	9: {"int24le", grammar.I24}, 10: {"uint24le", grammar.U24}, 11: {"int24be", grammar.I24.BigEndian()}, 12: {"uint24be", grammar.U24.BigEndian()},
	13: {"int32le", grammar.I32}, 14: {"uint32le", grammar.U32}, 15: {"int32be", grammar.I32.BigEndian()}, 16: {"uint32be", grammar.U32.BigEndian()},
	17: {"float32le", grammar.F32}, 18: {"float32be", grammar.F32.BigEndian()}, 19: {"float64le", grammar.F64}, 20: {"float64be", grammar.F64.BigEndian()},
}

// sampleFormatCode finds a format by its name. It returns 0 if no format has the name.
func sampleFormatCode(name string) int {
	for i, f := range sampleFormats {
		if f.name == name {
			return i
		}
	}
	return 0
}
