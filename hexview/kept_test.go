package hexview

import (
	"image"
	"image/color"
	"testing"
	"testing/synctest"
)

// TestKeptColours: each mark of a person has a line in its own colour below it, and a bar in the strip.
func TestKeptColours(t *testing.T) { synctest.Test(t, testKeptColours) }

func testKeptColours(t *testing.T) {
	b := newBench(t, counting(300))
	red, blue := color.NRGBA{R: 0xd6, G: 0x45, B: 0x50, A: 0xff}, color.NRGBA{R: 0x3b, G: 0x7d, B: 0xd8, A: 0xff}
	kept := []Kept{{Range{0x21, 3}, red}, {Range{0x42, 2}, blue}, {Range{0x70, 1}, nil}}
	b.SetRanges(Ranges{Kept: kept})
	b.SetOverview(func() (marks []Mark) {
		for _, k := range kept {
			marks = append(marks, Mark{Range: k.Range, Kind: MarkKept, Color: k.Color})
		}
		return marks
	})
	b.paint()
	seen := b.paint()
	inks := []color.RGBA{b.painter.keptInk(plainColor(red)), b.painter.keptInk(plainColor(blue)), b.painter.palette.Kept}
	count := func(at image.Rectangle, ink color.RGBA) (n int) {
		for y := at.Min.Y; y < at.Max.Y; y++ {
			for x := at.Min.X; x < at.Max.X; x++ {
				if r, g, bl, _ := seen.At(x, y).RGBA(); uint8(r>>8) == ink.R && uint8(g>>8) == ink.G && uint8(bl>>8) == ink.B {
					n++
				}
			}
		}
		return n
	}
	for i, k := range kept {
		hex, text, _ := b.CellRect(k.Off)
		for _, r := range []Rect{hex, text} {
			at := image.Rect(int(r.X), int(r.Y+r.Height)-4, int(r.X+r.Width), int(r.Y+r.Height))
			for j, ink := range inks {
				if n := count(at, ink); (n > 0) != (i == j) {
					t.Errorf("%d pixels of colour %d below mark %d", n, j, i)
				}
			}
		}
	}
	strip := image.Rect(b.grid.strip.from, 0, b.grid.strip.to, b.grid.h)
	for j, ink := range inks {
		if count(strip, ink) == 0 {
			t.Errorf("colour %d is not in the strip", j)
		}
	}
}
