package hexview

import (
	"image"
	"math"
	"strconv"
	"testing"
)

// modes are all ways to show numbers.
func modes() []Mode {
	var all []Mode
	for number := range numberChars {
		for _, group := range []int{1, 2, 4, 8} {
			for _, big := range []bool{false, true} {
				if m := (Mode{RowWidth: 16, Group: group, Number: number, BigEndian: big}); m.chars() > 0 {
					all = append(all, m.normal())
				}
			}
		}
	}
	return all
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		mode  Mode
		bytes string
		want  string
	}{
		{Mode{Group: 1, Number: Unsigned}, "\xff", "255"},
		{Mode{Group: 1, Number: Signed}, "\xff", "-1"},
		{Mode{Group: 2, Number: Unsigned}, "\x01\x02", "513"},
		{Mode{Group: 2, Number: Unsigned, BigEndian: true}, "\x01\x02", "258"},
		{Mode{Group: 2, Number: Signed}, "\x00\x80", "-32768"},
		{Mode{Group: 2, Number: Float}, "\x00\x3c", "1"},
		{Mode{Group: 2, Number: Float}, "\xff\xfb", "-65504"},
		{Mode{Group: 2, Number: Float}, "\x01\x80", "-5.96e-08"},
		{Mode{Group: 2, Number: Float}, "\x00\xfc", "-Inf"},
		{Mode{Group: 2, Number: Float}, "\x01\x7c", "NaN"},
		{Mode{Group: 4, Number: Float, BigEndian: true}, "\x3f\x80\x00\x00", "1"},
		{Mode{Group: 4, Number: Float}, "\xcd\xcc\xcc\x3d", "0.1"},
		{Mode{Group: 4, Number: Signed}, "\xfe\xff\xff\xff", "-2"},
		{Mode{Group: 8, Number: Unsigned}, "\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615"},
		{Mode{Group: 8, Number: Float}, "\x00\x00\x00\x00\x00\x00\xf0\xbf", "-1"},
	} {
		if got := string(c.mode.format(nil, []byte(c.bytes))); got != c.want {
			t.Errorf("% x as %+v is %q, want %q", c.bytes, c.mode, got, c.want)
		}
	}
}

// Every number fits into the cell of its group.
func TestNumbersFit(t *testing.T) {
	for _, m := range modes() {
		if m.digits() {
			continue
		}
		b := make([]byte, m.Group)
		for i := range 1 << 16 {
			for k := range b { // all values of one and two bytes, and of more what is long
				b[k] = [2]byte{byte(i), byte(i >> 8)}[k%2]
			}
			if text := m.format(nil, b); len(text) > m.Group*m.chars() {
				t.Fatalf("%q takes %d characters, has %d", text, len(text), m.Group*m.chars())
			}
		}
	}
	longest := [][2]string{
		{strconv.FormatFloat(-math.Float64frombits(0x0010000000000001), 'g', -1, 64), "24"},
		{strconv.FormatInt(math.MinInt64, 10), "24"}, {strconv.FormatInt(math.MinInt32, 10), "12"},
		{strconv.FormatFloat(-1.17549435e-38, 'g', -1, 32), "16"},
	}
	for _, l := range longest {
		if most, _ := strconv.Atoi(l[1]); len(l[0]) > most {
			t.Errorf("%s takes %d characters, has %d", l[0], len(l[0]), most)
		}
	}
}

// Whatever bytes are shown as, every byte is hit by the pixels of its cells, and marked, selected and lit there.
func TestModesFindBytes(t *testing.T) {
	for _, m := range modes() {
		g := newGrid(900, 300, 1, cell8, 5003, m)
		for row := range g.full {
			for col := range g.cols {
				want := int64(row)*int64(g.cols) + int64(col)
				hex, text := g.hexCell(col), g.textCell(col)
				for _, x := range []int{hex.from, (hex.from + hex.to) / 2, hex.to - 1, text.from, text.to - 1} {
					if x >= g.strip.from {
						continue
					}
					if _, off, inside := g.hit(x, row*cell8.row, 0, 0); off != want || !inside {
						t.Fatalf("%+v: pixel %d is byte %d (inside: %v), want %d", m, x, off, inside, want)
					}
				}
			}
		}
	}
}

// The digits of a little-endian number are those of its bytes from the last to the first, and so are their marks.
func TestReversedDigits(t *testing.T) {
	p := testPainter(t)
	s, img := goldenScene(p, 1)
	s.grid = newGrid(s.grid.w, s.grid.h, 1, s.grid.cell, 0x1234, Mode{RowWidth: 8, Group: 4, Number: Hex})
	s.selected, s.parent, s.lit, s.matches, s.picked = spanSet{{0x101, 1}}, nil, nil, nil, Range{}
	p.Paint(img, s)
	cell := s.grid.hexSlot(2) // of the bytes 0x103, 0x102, 0x101, 0x100
	if got := img.RGBAAt(cell.from+1, 1); got != p.palette.Selected {
		t.Errorf("the third pair of digits is on %v, want %v", got, p.palette.Selected)
	}
	if got := img.RGBAAt(s.grid.hexSlot(1).from+1, 1); got == p.palette.Selected {
		t.Error("the second pair is selected too")
	}
}

// Panes of any mode are painted, also where a group is cut by the end, not read yet or not to be read.
func TestPaintAnyMode(t *testing.T) {
	p := testPainter(t)
	for _, m := range modes() {
		for _, encoding := range Encodings {
			for _, n := range []int{41, 47, 56} {
				s, img := goldenScene(p, 1)
				m.Encoding = encoding.Encoding
				s.grid = newGrid(s.grid.w, s.grid.h, 1, s.grid.cell, 0x100+int64(n), m)
				s.data, s.state, s.letters = s.data[:n], s.state[:n], s.letters[:n]
				m.Encoding.letters(s.letters, s.data, 0, s.first, s.bands)
				p.Paint(img, s)
			}
		}
	}
}

func lettersOf(e Encoding, data string, from int, off int64, bands ...Band) string {
	ls := make([]letter, len(data)-from)
	e.letters(ls, []byte(data), from, off, bands)
	var text []rune
	for _, l := range ls {
		switch {
		case l.n == 0:
			text = append(text, '_')
		case l.r == 0:
			text = append(text, '.')
		default:
			text = append(text, l.r)
		}
	}
	return string(text)
}

// Each byte says what the column shows there: a character, nothing where one goes on (here _), or that there is none (.).
func TestLetters(t *testing.T) {
	for _, c := range []struct {
		e    Encoding
		data string
		from int
		off  int64
		want string
	}{
		{ASCII, "aé\x00~", 0, 0, "a...~"},
		{Latin1, "a\xe9\x80~", 0, 0, "aé.~"},
		{UTF8, "aé€\xff𝄞", 0, 0, "aé_€__.𝄞___"},
		{UTF8, "aé€b", 2, 100, "_€__b"}, // é begins before those in sight
		{UTF8, "a€b", 3, 100, "_b"},
		{UTF8, "\xa9\xa9b", 2, 2, "b"},
		{UTF16LE, "a\x00\x42\x30", 0, 0, "a_あ_"},
		{UTF16LE, "\x34\xd8\x1e\xddb\x00", 2, 2, "__b_"}, // the second half of a pair of surrogates
		{UTF16BE, "\x00a\x30\x42", 1, 1, "_あ_"},
		{UTF16BE, "\xd8\x34\xdd\x1e\x00", 0, 0, "𝄞___."},
		{ShiftJIS, "\x93\xfa\x96{a\xb1\xff", 0, 0, "日_本_aｱ."},
		{ShiftJIS, " \x93\xfa\x96{a", 2, 100, "_本_a"}, // a letter as second byte is found to be one
	} {
		if got := lettersOf(c.e, c.data, c.from, c.off); got != c.want {
			t.Errorf("%s %q from %d on is %q, want %q", c.e, c.data, c.from, got, c.want)
		}
	}
}

// Characters of two bytes begin where their field does, and none reaches from one field into the next.
func TestLettersFollowFields(t *testing.T) {
	band := func(off, n int64) Band { return Band{Range: Range{off, n}} }
	if got := lettersOf(UTF16LE, "xa\x00b\x00", 0, 0, band(0, 1), band(1, 4)); got != ".a_b_" {
		t.Errorf("text at an odd offset is %q", got)
	}
	if got := lettersOf(UTF16LE, "a\x00b\x00", 2, 7, band(5, 40)); got != "b_" {
		t.Errorf("scrolled into text at an odd offset: %q", got)
	}
	if got := lettersOf(UTF8, "é\xc3\xa9", 0, 0, band(0, 3), band(3, 1)); got != "é_.." {
		t.Errorf("a character over the border of two fields is %q", got)
	}
}

// A view shows, copies and selects in every mode what it does in the first.
func TestModesKeepThePlace(t *testing.T) {
	b := newBench(t, counting(1<<14))
	b.ScrollTo(0x1000)
	for _, m := range modes() {
		b.SetMode(m)
		b.paint()
		if off, _ := b.VisibleBytes(); off != 0x1000 {
			t.Fatalf("%+v shows %#x first, want 0x1000", m, off)
		}
		b.SetCursor(0)
		b.click(b.at(0x1013), 0)
		b.wantCursor(0x1013)
		b.drag(b.at(0x1010), b.at(0x1017))
		b.wantSelection(0x1010, 8)
		if text, err := b.CopyAs("hex"); text != "10 11 12 13 14 15 16 17" || err != nil {
			t.Fatalf("%+v copies %q, %v", m, text, err)
		}
	}
}

func TestDecimalOffsets(t *testing.T) {
	for size, want := range map[int64]int{0: 8, 1: 8, 100_000_000: 8, 100_000_001: 9, 1 << 62: 19} {
		if g := newGrid(900, 300, 1, cell8, size, Mode{RowWidth: 16, DecimalOffsets: true}); g.digits != want {
			t.Errorf("%d bytes: %d digits, want %d", size, g.digits, want)
		}
	}
	p := testPainter(t)
	s, img := goldenScene(p, 1)
	s.grid = newGrid(s.grid.w, s.grid.h, 1, s.grid.cell, 0x1234, Mode{RowWidth: 8, DecimalOffsets: true})
	p.Paint(img, s)
	nine := image.NewRGBA(img.Rect) // 0x100 is 256: its last digit is a 6
	p.img, p.clip, p.bottom = nine, span{0, s.grid.w}, s.grid.h
	x := s.grid.pad + (s.grid.digits-1)*p.cell.char
	p.glyph(x, 0, glyphOfDigit[6], p.ground(fillGutter, inkText), p.clip)
	for y := range p.cell.row {
		for i := range p.cell.char {
			if got, want := img.RGBAAt(x+i, y), nine.RGBAAt(x+i, y); got != want {
				t.Fatalf("the last digit of the first row differs at %d,%d: %v, want %v", i, y, got, want)
			}
		}
	}
}

// A row has the most bytes of the usual lengths that fit in whole groups, and cells are as wide in every pane.
func TestRowsFillThePane(t *testing.T) {
	for _, m := range append(modes(), Mode{}) {
		m.RowWidth = 0
		for w := 700; w < 2600; w += 61 {
			g := newGrid(w, 300, 1, cell8, 1<<20, m)
			for _, n := range rowLengths {
				if n <= g.cols || n%g.mode.unit() != 0 {
					continue
				}
				if more := newGrid(w, 300, 1, cell8, 1<<20, Mode{RowWidth: n, Group: m.Group, Number: m.Number}); more.foot == 0 {
					t.Fatalf("%+v: %d pixels have room for %d bytes, not only for %d", m, w, n, g.cols)
				}
			}
			if least := newGrid(300, 300, 1, cell8, 1<<20, m); g.gap != least.gap || g.wide != least.wide {
				t.Fatalf("%+v: cells of %d pixels are %d wide with gaps of %d, elsewhere %d and %d", m, w, g.wide, g.gap, least.wide, least.gap)
			}
		}
	}
	if g := newGrid(574, 300, 1, cell8, 1<<20, Mode{}); g.cols != 16 {
		t.Errorf("the pane of a window of 1,280 has %d bytes in a row, want 16", g.cols)
	}
}
