package vrs

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
	"path/filepath"
	"testing"

	"cutaway/decoders/vrs/media"
	"cutaway/internal/vrsgen"
	"cutaway/model"
)

// TestPixelNumbers holds the numbers of every pixel of an image of every format against the bytes that they are said to be
// from, which together are the image.
func TestPixelNumbers(t *testing.T) {
	doc, _ := checked(t, filepath.Join(fixtures, "pixels.vrs"))
	for code := 1; code < len(vrsgen.PixelSizes); code++ {
		p := node(t, doc, fmt.Sprintf("streams/999-%d/data/[0]", code))
		f := &media.PixelFormats[code]
		pic := p.Node.Cards(t.Context())[0].(model.Picture)
		img, err := pic.Decode(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		px, err := model.PixelsOf(t.Context(), pic)
		if err != nil || len(px.Planes) == 0 {
			t.Fatalf("%s: %v, %v", f.Name, err, px)
		}
		seen := map[int64]bool{}
		row := make([]float64, px.Width)
		for k, plane := range px.Planes {
			for y := range px.Height {
				plane.Row(y, row)
				for x, got := range row {
					at := px.Bytes(x, y, k)
					for i := range at.Len {
						seen[at.Off+i] = true
					}
					b, err := at.Source.Bytes(t.Context(), at.Off, at.Len)
					if want := storedNumber(f.Name, b, x); err != nil || got != want && want == want {
						t.Fatalf("%s: %s of (%d, %d) is %v, its bytes % x say %v", f.Name, plane.Name, x, y, got, b, want)
					}
					if want, ok := seenLevel(img, plane.Name, x, y); ok && f.Planes == media.OnePlane && plane.White == math.MaxUint8 && px.Colours == nil && got != want {
						t.Fatalf("%s: %s of (%d, %d) is %v, in the picture %v", f.Name, plane.Name, x, y, got, want)
					}
				}
			}
		}
		want := vrsgen.PixelSizes[code]
		if f.Name == "yuy2" && px.Width%2 == 1 {
			want -= px.Height // the brightness of a pixel that is not there
		}
		if len(seen) != want {
			t.Errorf("%s: the pixels are %d bytes of %d", f.Name, len(seen), want)
		}
	}
}

// storedNumber reads a number as the page of pixel formats says.
func storedNumber(format string, b []byte, x int) float64 {
	switch len(b) {
	case 1:
		return float64(b[0])
	case 2:
		return float64(binary.LittleEndian.Uint16(b))
	case 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case 8:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	if format == "grey10packed" {
		all := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32
		return float64(all >> (10 * (x % 4)) & 1023)
	}
	return float64(int(b[x%4])<<2 | int(b[4])>>(2*(x%4))&3)
}

// seenLevel is a level of the decoded picture.
func seenLevel(img image.Image, plane string, x, y int) (float64, bool) {
	c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
	switch plane {
	case "R", "grey", "level":
		return float64(c.R), true
	case "G":
		return float64(c.G), true
	case "B":
		return float64(c.B), true
	case "A":
		return float64(c.A), true
	}
	return 0, false
}
