package hexview

import (
	"image/color"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/model/inspect"
)

// TestProfileStrip: bars as long as the entropy, in the colour of what most bytes are; words for the pointer; a click goes there.
func TestProfileStrip(t *testing.T) { synctest.Test(t, testProfileStrip) }

func testProfileStrip(t *testing.T) {
	b := newBench(t, counting(1<<16))
	b.Profiled = true
	b.SetSource(b.Source())
	b.SetProfile([]inspect.Profile{{Zero: 1, Known: true}, {Entropy: 4, Text: 0.7, Zero: 0.3, Known: true}, {Entropy: 7.9, High: 0.5, Known: true}, {}})
	img := b.paint()
	g := b.grid
	at := func(part int, x int) color.Color {
		return color.RGBAModel.Convert(img.At(x, (2*part+1)*g.h/8))
	}
	left, middle, right := g.profile.from+g.line, (g.profile.from+g.profile.to)/2+1, g.profile.to-2*g.line
	p := b.painter.palette
	for _, c := range []struct {
		part, x int
		want    color.RGBA
	}{{0, left, p.bytes[mostZero]}, {0, middle, p.track}, {1, left, p.bytes[mostText]}, {1, right, p.track}, {2, right - g.line, p.bytes[packed]},
		{3, left, p.track}} {
		if got := at(c.part, c.x); got != c.want {
			t.Errorf("part %d at %d is %v, want %v", c.part, c.x, got, c.want)
		}
	}
	over := &desktop.MouseEvent{}
	over.Position = fyne.NewPos(b.dp(left), b.dp(3*g.h/8))
	b.MouseMoved(over)
	if got := b.tip.text; !strings.HasPrefix(got, "0x4000 … 0x7fff\nentropy 4.00 of 8") || !strings.Contains(got, "70 % ASCII text") {
		t.Errorf("over the second part: %q", got)
	}
	b.click(over.Position, 0)
	if first, n := b.VisibleBytes(); first > 0x6000 || first+n < 0x6000 {
		t.Errorf("a click shows %d bytes at %#x", n, first)
	}
	wide := g.strip.len()
	b.SetMode(Mode{HideProfile: true})
	if b.grid.strip.len() >= wide || b.grid.profile.len() != 0 {
		t.Error("the strip that is not wanted takes room")
	}
}
