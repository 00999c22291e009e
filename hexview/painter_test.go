package hexview

import (
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/model/inspect"
)

// busyScene is 60 rows of 16 bytes with every kind of mark.
func busyScene(p *painter, scale float64) (*scene, *image.RGBA) {
	cell := p.face.cells(14 * scale)
	w, h := int(760*scale), 60*cell.row
	g := newGrid(w, h, scale, cell, 1<<32, Mode{RowWidth: 16})
	s := &scene{grid: g, top: 1 << 20, runs: []rowRun{{first: 1 << 24}}, cursor: 1<<24 + 40, focused: true, pointed: -1}
	s.rowRun = &s.runs[0]
	n := g.shown * g.cols
	s.letters = make([]letter, n)
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
	s.matches = []Range{at(110, 8), at(700, 5)}
	s.flaws = []Flaw{{at(16, 8), model.Error}, {at(32, 8), model.Warning}, {at(48, 8), model.Note}}
	s.segments = []model.Segment{{File: "a.vrs"}, {File: "a.vrs_with_a_long_name_1", Start: s.first + 0x155}}
	s.strip = strip{size: g.size, marks: []Mark{{Range: Range{0, 1 << 30}, Kind: MarkSection}, {Range: Range{1 << 30, 1 << 31}, Kind: MarkSectionOdd}, {Range: Range{1 << 31, 8}, Kind: MarkError}}}
	s.n, s.seen = len(s.data), Range{s.first, int64(len(s.data))}
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

var update = flag.Bool("update", false, "write the golden pictures anew")

// goldenScene is seven rows of eight bytes with each kind of mark once.
func goldenScene(p *painter, scale float64) (*scene, *image.RGBA) {
	cell := p.face.cells(14 * scale)
	g := newGrid(int(400*scale), 7*cell.row, scale, cell, 0x1234, Mode{RowWidth: 8})
	s := &scene{grid: g, runs: []rowRun{{first: 0x100}}, top: 0x20, cursor: 0x133, focused: true, pointed: -1}
	s.rowRun = &s.runs[0]
	s.data = []byte("PXR-USDC\x00\x08\x00\x00\x10\xffAz~|_jgq, é.0123456789abcdef")
	s.data = append(s.data, make([]byte, 56-len(s.data))...)
	s.state = make([]cellState, len(s.data))
	s.letters = make([]letter, len(s.data))
	ASCII.letters(s.letters, s.data, 0, s.first, nil)
	s.state[54], s.state[55] = cellPending, cellFailed
	s.bands = []Band{{Range{0x100, 8}, false}, {Range{0x108, 4}, true}, {Range{0x10c, 8}, false}}
	s.selected, s.parent = spanSet{{0x116, 4}}, spanSet{{0x112, 14}}
	s.lit, s.picked = spanSet{{0x118, 4}}, Range{0x131, 3}
	s.mapped = spanSet{{0x120, 3}}
	s.matches = []Range{{0x117, 2}, {0x10e, 3}}
	s.flaws = []Flaw{{Range{0x124, 2}, model.Error}, {Range{0x128, 2}, model.Warning}, {Range{0x12b, 2}, model.Note}}
	s.segments = []model.Segment{{File: "a_1", Start: 0x12e, Missing: true}, {File: "a_2", Start: 0x12e, Length: 9}}
	s.strip = strip{size: g.size, selected: spanSet{{0x200, 0x100}}, marks: []Mark{
		{Range: Range{0, 0x500}, Kind: MarkSection}, {Range: Range{0x500, 0x300}, Kind: MarkSectionOdd}, {Range: Range{0x800, 0x400}, Kind: MarkUnknown},
		{Range: Range{0x600, 1}, Kind: MarkNote}, {Range: Range{0x700, 1}, Kind: MarkWarning}, {Range: Range{0xd00, 1}, Kind: MarkError}, {Range: Range{0xe00, 9}, Kind: MarkMatch},
	}}
	s.profile = []inspect.Profile{{Zero: 1, Known: true}, {Entropy: 4.5, Text: 1, Known: true}, {Entropy: 6, High: 0.8, Known: true}, {}, {Entropy: 7.9, Known: true}}
	s.n, s.seen = len(s.data), Range{s.first, int64(len(s.data))}
	return s, image.NewRGBA(image.Rect(0, 0, g.w, g.h))
}

func TestGoldenPictures(t *testing.T) {
	for theme, colors := range map[string]themeColors{"light": lightColors, "dark": darkColors} {
		for _, scale := range []float64{1, 2} {
			p := testPainter(t)
			p.setPalette(newPalette(colors))
			s, img := goldenScene(p, scale)
			p.Paint(img, s)
			file := filepath.Join("testdata", fmt.Sprintf("%s-%gx.png", theme, scale))
			if *update {
				writePNG(t, file, img)
				continue
			}
			comparePNG(t, file, img)
		}
	}
}

func writePNG(t *testing.T, file string, img image.Image) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// comparePNG allows for the rounding of other processors when outlines are filled.
func comparePNG(t *testing.T, file string, got *image.RGBA) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if want.Bounds() != got.Bounds() {
		t.Fatalf("%s is %v, painted %v", file, want.Bounds(), got.Bounds())
	}
	const tolerance = 4 << 8
	near := func(a, b uint32) bool { return a <= b+tolerance && b <= a+tolerance }
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			r, g, b, _ := got.At(x, y).RGBA()
			r2, g2, b2, _ := want.At(x, y).RGBA()
			if !near(r, r2) || !near(g, g2) || !near(b, b2) {
				t.Errorf("%s differs at %d,%d: %v, want %v (-update writes it anew)", file, x, y, got.At(x, y), want.At(x, y))
				return
			}
		}
	}
}

// Panes of any size are painted, with whatever of the parts has room.
func TestPaintAnySize(t *testing.T) {
	p := testPainter(t)
	cell := p.face.cells(14)
	for w := 1; w < 500; w += 13 {
		for h := 1; h < 120; h += 7 {
			for _, left := range []int{0, 31} {
				s, _ := goldenScene(p, 1)
				s.grid, s.left = newGrid(w, h, 1, cell, 0x1234, Mode{RowWidth: 8}), left
				n := min(len(s.data), s.grid.shown*8)
				s.data, s.state = s.data[:n], s.state[:n]
				p.Paint(image.NewRGBA(image.Rect(0, 0, w, h)), s)
			}
		}
	}
}

// Marks of one line and more are seen in the strip, whatever the source's size.
func TestStripShowsEveryMark(t *testing.T) {
	const h = 300
	for _, size := range []int64{1, 100, 1 << 40, 1 << 62} {
		for _, off := range []int64{0, size / 3, size - 1} {
			s := strip{size: size, selected: spanSet{{off, 1}}, marks: []Mark{{Range: Range{off, 1}, Kind: MarkError}, {Range: Range{off, 1}, Kind: MarkMatch}, {Range: Range{off, 1}, Kind: MarkSection}}}
			s.arrange(h, 2)
			seen := 0
			for y, l := range s.lines {
				if l.selected && l.match && l.flaw > 0 {
					seen++
					at := int64(float64(y) / h * float64(size))
					if d := float64(at-off) / float64(size) * h; size >= h && (d < -2.01 || d > 2.01) {
						t.Errorf("%d of %d bytes is shown at line %d", off, size, y)
					}
				}
			}
			if seen < 2 {
				t.Errorf("%d of %d bytes has %d lines, want 2 at least", off, size, seen)
			}
		}
	}
}
