package media

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"cutaway/internal/vrsgen"
	"cutaway/model"
)

// TestReducedPictures: where pixels of different numbers look alike, the picture says what it lacks, for every format.
func TestReducedPictures(t *testing.T) {
	told := 0
	for code := 1; code < len(vrsgen.PixelSizes); code++ {
		f := &PixelFormats[code]
		spec := &ImageSpec{Format: RawImage, Pixels: code, Width: 16, Height: 16}
		b := make([]byte, imageSize(f, 16, 16, 0, 0))
		for i := range b {
			b[i] = byte(i * 167 >> 3)
		}
		pic := &Picture{At: model.NewFileSource("pixels", model.BytesReader(b)).Whole(), Spec: spec}
		img, err := pic.Decode(t.Context())
		if err != nil {
			t.Fatal(f.Name, err)
		}
		px, err := pic.Pixels(t.Context())
		if err != nil {
			t.Fatal(f.Name, err)
		}
		numbers := make(map[color.Color]string)
		alike := false
		rows := make([][]float64, len(px.Planes))
		for y := range px.Height {
			for k, plane := range px.Planes {
				rows[k] = make([]float64, px.Width)
				plane.Row(y, rows[k])
			}
			for x := range px.Width {
				stored := ""
				for k := range rows {
					stored += fmt.Sprint(rows[k][x], " ")
				}
				at := img.At(x, y)
				alike = alike || numbers[at] != "" && numbers[at] != stored
				numbers[at] = stored
			}
		}
		if less := pic.Reduced(); alike && less == "" {
			t.Errorf("%s: pixels of different numbers are of one colour, and nothing says so", f.Name)
		} else if less != "" {
			told++
		}
	}
	if told == 0 || told == len(vrsgen.PixelSizes)-1 {
		t.Errorf("%d formats are reduced", told)
	}
}

// TestReducedSound: where samples that differ become the same float, the sound says so, and nowhere else.
func TestReducedSound(t *testing.T) {
	for code := 1; code < len(SampleFormats); code++ {
		f := &SampleFormats[code]
		one := make([]byte, f.bytes())
		next := slices.Clone(one)
		high, low := len(one)-1, 0
		if strings.HasSuffix(f.Name, "be") {
			high, low = low, high
		}
		one[high], next[high] = 0x41, 0x41
		next[low]++
		s := &AudioSpec{Format: PcmAudio, Samples: code}
		if alike := sampleLevel(f, one) == sampleLevel(f, next); alike != (s.Reduced() != "") {
			t.Errorf("%s: samples that differ are alike: %v, reduced: %q", f.Name, alike, s.Reduced())
		}
	}
}
