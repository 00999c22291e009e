package vrs

import "math"

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
	bytes    int64 // for each pixel; 0: see group
	group    int64 // pixels that groupLen bytes hold together
	groupLen int64
	planes   planes
}

// pixelFormats are the formats by their code.
var pixelFormats = [...]pixelFormat{
	0:  {name: "undefined"},
	1:  {name: "grey8", bytes: 1},
	2:  {name: "bgr8", bytes: 3},
	3:  {name: "depth32f", bytes: 4},
	4:  {name: "rgb8", bytes: 3},
	5:  {name: "yuv_i420_split", bytes: 1, planes: planarYUV},
	6:  {name: "rgba8", bytes: 4},
	7:  {name: "rgb10", bytes: 6},
	8:  {name: "rgb12", bytes: 6},
	9:  {name: "grey10", bytes: 2},
	10: {name: "grey12", bytes: 2},
	11: {name: "grey16", bytes: 2},
	12: {name: "rgb32F", bytes: 12},
	13: {name: "scalar64F", bytes: 8},
	14: {name: "yuy2", group: 2, groupLen: 4},
	15: {name: "rgb_ir_4x4", bytes: 1},
	16: {name: "rgba32F", bytes: 16},
	17: {name: "bayer8_rggb", bytes: 1},
	18: {name: "raw10", group: 4, groupLen: 5},
	19: {name: "raw10_bayer_rggb", group: 4, groupLen: 5},
	20: {name: "raw10_bayer_bggr", group: 4, groupLen: 5},
	21: {name: "yuv_420_nv21", bytes: 1, planes: interleaved},
	22: {name: "yuv_420_nv12", bytes: 1, planes: interleaved},
	23: {name: "grey10packed", group: 4, groupLen: 5},
	24: {name: "bayer8_bggr", bytes: 1},
	25: {name: "bayer10_gbrg", bytes: 2},
	26: {name: "bayer8_gbrg", bytes: 1},
}

// pixelFormatCode finds a format by its name; 0: there is none.
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

// tooLarge stands for sizes beyond any file; a few of them can be added up.
const tooLarge = math.MaxInt64 / 8

func (p *plane) size() int64 {
	if p.rows > 0 && p.stride > tooLarge/p.rows {
		return tooLarge
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
	name  string
	bytes int64
}

// sampleFormats are the formats by their code.
var sampleFormats = [...]sampleFormat{
	0: {"undefined", 0},
	1: {"int8", 1}, 2: {"uint8", 1}, 3: {"uint8alaw", 1}, 4: {"uint8mulaw", 1},
	5: {"int16le", 2}, 6: {"uint16le", 2}, 7: {"int16be", 2}, 8: {"uint16be", 2},
	9: {"int24le", 3}, 10: {"uint24le", 3}, 11: {"int24be", 3}, 12: {"uint24be", 3},
	13: {"int32le", 4}, 14: {"uint32le", 4}, 15: {"int32be", 4}, 16: {"uint32be", 4},
	17: {"float32le", 4}, 18: {"float32be", 4}, 19: {"float64le", 8}, 20: {"float64be", 8},
}

// sampleFormatCode finds a format by its name; 0: there is none.
func sampleFormatCode(name string) int {
	for i, f := range sampleFormats {
		if f.name == name {
			return i
		}
	}
	return 0
}
