package hexview

import (
	"image"
	"testing"

	"fyne.io/fyne/v2/theme"

	"cutaway/model"
)

// busyScene is 60 rows of 16 bytes with every kind of mark.
func busyScene(p *painter, scale float64) (*scene, *image.RGBA) {
	cell := p.face.cells(14 * scale)
	w, h := int(760*scale), 60*cell.row
	g := newGrid(w, h, scale, cell, 1<<32, 16)
	s := &scene{grid: g, top: 1 << 20, first: 1 << 24, cursor: 1<<24 + 40, focused: true}
	n := g.shown * g.cols
	s.data, s.state = make([]byte, n), make([]cellState, n)
	for i := range s.data {
		s.data[i] = byte(i * 7)
		if i%16 < 3 {
			s.data[i] = 0
		}
	}
	at := func(off, length int64) Range { return Range{s.first + off, length} }
	for i := int64(0); i < int64(n); i += 12 {
		s.bands = append(s.bands, Band{at(i, 12), i/12%2 == 1})
	}
	s.selected = spanSet{at(100, 60)}
	s.parent = spanSet{at(60, 300)}
	s.mapped = spanSet{at(400, 100)}
	s.lit = spanSet{at(140, 40)}
	s.picked = at(520, 70)
	s.flaws = []Flaw{{at(16, 8), model.Error}, {at(32, 8), model.Warning}, {at(48, 8), model.Note}}
	s.strip = strip{size: g.size, marks: []Mark{{Range{0, 1 << 30}, MarkSection}, {Range{1 << 30, 1 << 31}, MarkSectionOdd}, {Range{1 << 31, 8}, MarkError}}}
	return s, image.NewRGBA(image.Rect(0, 0, w, h))
}

func testPainter(tb testing.TB) *painter {
	tb.Helper()
	p := &painter{}
	p.setFont(theme.DefaultTextMonospaceFont().Content())
	p.setPalette(newPalette(lightColors))
	return p
}

func TestPaintTakesNoMemory(t *testing.T) {
	p := testPainter(t)
	s, img := busyScene(p, 1)
	p.Paint(img, s)
	if n := testing.AllocsPerRun(20, func() { p.Paint(img, s) }); n != 0 {
		t.Errorf("painting allocates %v times, want 0", n)
	}
}

func benchmarkPaint(b *testing.B, scale float64) {
	p := testPainter(b)
	s, img := busyScene(p, scale)
	p.Paint(img, s)
	b.ReportAllocs()
	for b.Loop() {
		p.Paint(img, s)
	}
}

func BenchmarkPaint60x16(b *testing.B)       { benchmarkPaint(b, 1) }
func BenchmarkPaint60x16Scale2(b *testing.B) { benchmarkPaint(b, 2) }
