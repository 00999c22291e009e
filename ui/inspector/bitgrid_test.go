package inspector

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"cutaway/model/inspect"
)

// TestInspectorRows: a value in the byte order that is set, or why there is none, and the swatch of a colour.
func TestInspectorRows(t *testing.T) {
	p := &Pane{}
	for _, r := range inspect.Read([]byte{0xff, 0, 0, 0x80, 0, 0, 0, 0}) {
		p.big.Store(false)
		little := p.row(r)
		p.big.Store(true)
		big := p.row(r)
		switch r.Name {
		case "u8":
			if big.Cells[1] != "255   0xff" || big.Dim {
				t.Errorf("%+v", big)
			}
		case "u16":
			if little.Cells[1] == big.Cells[1] {
				t.Errorf("%q in both orders", big.Cells[1])
			}
		case "GUID":
			if big.Cells[1] != "—  only 8 of 16 bytes" || !big.Dim {
				t.Errorf("%+v", big)
			}
		case "RGBA, u8":
			if big.Swatches[0] != nil || big.Swatches[1] != swatch(inspect.Value{Color: r.Big.Color}) {
				t.Errorf("%+v", big)
			}
			if _, _, _, a := big.Swatches[1].RGBA(); a != 0xffff {
				t.Error("a swatch that shows through")
			}
		}
	}
}

// TestBitGrid: every bit is where a click on it is looked for.
func TestBitGrid(t *testing.T) {
	test.NewTempApp(t)
	g := newBitGrid(nil)
	g.set(make([]byte, 8), 1<<40, []uint64{0xf0, 1 << 63}, 1)
	for bit := range 64 {
		if got := g.BitAt(g.CellAt(bit).AddXY(1, 1)); got != bit {
			t.Errorf("bit %d is found as %d", bit, got)
		}
	}
	if g.fieldOf(4) != 0 || g.fieldOf(63) != 1 || g.fieldOf(8) != -1 {
		t.Error("wrong fields")
	}
	size := g.MinSize()
	if last := g.CellAt(0).AddXY(BitWide, BitHigh); last.X > size.Width || g.CellAt(56).Y+BitHigh > size.Height {
		t.Errorf("the bits do not fit in %v", size)
	}
}

func TestBitsText(t *testing.T) {
	for mask, want := range map[uint64]string{1: "0", 0xf0: "4…7", 1 << 63: "63", 0x81: "0 … 7", 1<<48 - 1: "0…47"} {
		if got := bitsText(mask); got != want {
			t.Errorf("%#x: %s, want %s", mask, got, want)
		}
	}
}
