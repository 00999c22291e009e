package media

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"testing"
)

// TestPixels looks at pixels that are easy to work out by hand.
func TestPixels(t *testing.T) {
	for _, k := range []struct {
		format        string
		width, height int64
		bytes         []byte
		x, y          int
		want          color.Color
	}{
		{"grey8", 2, 1, []byte{1, 200}, 1, 0, color.Gray{200}},
		{"bgr8", 1, 1, []byte{1, 2, 3}, 0, 0, color.NRGBA{3, 2, 1, 255}},
		{"rgba8", 1, 1, []byte{1, 2, 3, 4}, 0, 0, color.NRGBA{1, 2, 3, 4}},
		{"rgb10", 1, 1, []byte{0xff, 3, 0, 2, 4, 0}, 0, 0, color.NRGBA{255, 128, 1, 255}},
		{"grey10", 1, 1, []byte{0xff, 0x03}, 0, 0, color.Gray16{0xffc0}},
		{"grey12", 1, 1, []byte{0xf1, 0x0f}, 0, 0, color.Gray16{0xff10}},
		{"grey16", 1, 1, []byte{0, 0x80}, 0, 0, color.Gray16{0x8000}},
		{"raw10", 4, 1, []byte{10, 20, 30, 40, 0xdf}, 2, 0, color.Gray16{30<<8 | 0x40}},
		{"depth32f", 3, 1, []byte{0, 0, 0, 0, 0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f}, 1, 0, color.Gray16{0x7fff}},
		{"rgb_ir_4x4", 2, 1, []byte{1, 200}, 1, 0, color.Gray{200}},
		{"grey10packed", 4, 1, []byte{0, 0, 0, 0, 0xff}, 3, 0, color.Gray16{0xff00}},
		{"grey10packed", 4, 1, []byte{0, 0xfc, 0x0f, 0, 0}, 1, 0, color.Gray16{0xffc0}},
		{"rgb32F", 1, 1, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0x3f, 0, 0, 0x80, 0xbf}, 0, 0, color.NRGBA{255, 127, 0, 255}},
		{"bayer8_rggb", 2, 2, []byte{100, 50, 70, 200}, 0, 0, color.NRGBA64{100 * 0x101, 60 * 0x101, 200 * 0x101, 0xffff}},
		{"bayer8_bggr", 2, 2, []byte{100, 50, 70, 200}, 0, 0, color.NRGBA64{200 * 0x101, 60 * 0x101, 100 * 0x101, 0xffff}},
		{"yuy2", 2, 1, []byte{10, 128, 20, 128}, 1, 0, color.NRGBA{4, 5, 4, 255}},
		{"yuv_i420_split", 2, 2, []byte{1, 2, 3, 204, 90, 160}, 1, 1, color.NRGBA{255, 207, 142, 255}},
		{"yuv_420_nv12", 2, 2, []byte{1, 2, 3, 204, 90, 160}, 1, 1, color.NRGBA{255, 209, 144, 255}},
		{"yuv_420_nv21", 2, 2, []byte{1, 2, 3, 204, 160, 90}, 1, 1, color.NRGBA{255, 209, 144, 255}},
	} {
		s := &ImageSpec{Format: RawImage, Width: k.width, Height: k.height, Pixels: PixelFormatCode(k.format)}
		if s.Size() != int64(len(k.bytes)) {
			t.Errorf("%s has %d bytes", k.format, s.Size())
			continue
		}
		img, err := decodePixels(s, k.bytes)
		if err != nil {
			t.Error(err)
		} else if got := img.At(k.x, k.y); got != k.want {
			t.Errorf("%s: %v, want %v", k.format, got, k.want)
		}
	}
}

// TestSamples looks at samples that are easy to work out by hand.
func TestSamples(t *testing.T) {
	for _, k := range []struct {
		format string
		bytes  []byte
		want   float32
	}{
		{"int8", []byte{0x80}, -1}, {"uint8", []byte{0x80}, 0}, {"uint8", []byte{0}, -1},
		{"int16le", []byte{0, 0x40}, 0.5}, {"int16be", []byte{0xc0, 0}, -0.5}, {"uint16le", []byte{0, 0xc0}, 0.5},
		{"int24le", []byte{0, 0, 0xc0}, -0.5}, {"int24be", []byte{0x40, 0, 0}, 0.5}, {"uint24be", []byte{0x40, 0, 0}, -0.5},
		{"int32le", []byte{0, 0, 0, 0x40}, 0.5}, {"uint32be", []byte{0xc0, 0, 0, 0}, 0.5},
		{"float32le", []byte{0, 0, 0, 0x3f}, 0.5}, {"float64be", []byte{0x3f, 0xe0, 0, 0, 0, 0, 0, 0}, 0.5},
		{"uint8mulaw", []byte{0xff}, 0}, {"uint8mulaw", []byte{0x00}, -32124.0 / 32768}, {"uint8alaw", []byte{0xd5}, 8.0 / 32768}, {"uint8alaw", []byte{0x2a}, -32256.0 / 32768},
	} {
		if got := sampleLevel(&SampleFormats[SampleFormatCode(k.format)], k.bytes); got != k.want {
			t.Errorf("%s % x: %v, want %v", k.format, k.bytes, got, k.want)
		}
	}
}

// TestLevels counts the levels of a picture of many, whose PNG has 16 bits.
func TestLevels(t *testing.T) {
	const width, height = 100, 60
	for format, most := range map[string]int{
		"depth32f": width * height, "grey16": width * height, "scalar64F": width * height, "grey12": 1 << 12,
		"grey10": 1 << 10, "raw10": 1 << 10, "grey10packed": 1 << 10,
	} {
		s := &ImageSpec{Format: RawImage, Width: width, Height: height, Pixels: PixelFormatCode(format)}
		b := make([]byte, s.Size())
		for i := range width * height {
			switch level := i % most; format {
			case "depth32f":
				le.PutUint32(b[4*i:], math.Float32bits(1+float32(level)/1000))
			case "scalar64F":
				le.PutUint64(b[8*i:], math.Float64bits(float64(level)*1e-9))
			case "raw10":
				b[i/4*5+i%4] = byte(level >> 2)
				b[i/4*5+4] |= byte(level&3) << (2 * (i % 4))
			case "grey10packed":
				for bit := range 10 {
					b[i/4*5+(i%4*10+bit)/8] |= byte(level>>bit&1) << ((i%4*10 + bit) % 8)
				}
			default:
				le.PutUint16(b[2*i:], uint16(level))
			}
		}
		img, err := decodePixels(s, b)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := png.Encode(&file, img); err != nil {
			t.Fatal(err)
		}
		if img, err = png.Decode(&file); err != nil {
			t.Fatal(err)
		}
		levels := map[color.Color]bool{}
		for i := range width * height {
			levels[img.At(i%width, i/width)] = true
		}
		if len(levels) != most {
			t.Errorf("%s: %d levels of %d are left", format, len(levels), most)
		}
	}
}
