package media

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// TestJPEG holds pixels against those of libjpeg: all but one in a thousand within 2 levels, none more than 3 away.
func TestJPEG(t *testing.T) {
	for _, name := range []string{"444", "422", "420", "440", "grey"} {
		file := filepath.Join("../../../testdata/vrs/jpeg", name)
		in, err := os.Open(file + ".jpg")
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeJPEG(in)
		if err != nil {
			t.Fatal(err)
		}
		reference, err := os.Open(file + ".png")
		if err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(reference)
		if err != nil || want.Bounds() != got.Bounds() {
			t.Fatal(err, got.Bounds())
		}
		over, most, all := 0, 0, 0
		for y := range got.Bounds().Dy() {
			for x := range got.Bounds().Dx() {
				r, g, b, _ := got.At(x, y).RGBA()
				r2, g2, b2, _ := want.At(x, y).RGBA()
				for _, d := range []int{int(r>>8) - int(r2>>8), int(g>>8) - int(g2>>8), int(b>>8) - int(b2>>8)} {
					d = max(d, -d)
					most = max(most, d)
					if all++; d > 2 {
						over++
					}
				}
			}
		}
		t.Logf("%s: %d of %d samples are more than 2 levels away, the farthest %d", name, over, all, most)
		if most > 3 || over*1000 > all {
			t.Errorf("%s: %d of %d samples are more than 2 levels away, the farthest %d", name, over, all, most)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if err := reference.Close(); err != nil {
			t.Error(err)
		}
	}
}
