package diff

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"cutaway/model"
)

// fieldsOf are what is told of files, a line each.
func fieldsOf(t *testing.T, files [][]byte) (lines []string) {
	t.Helper()
	var spans []model.Span
	for k, b := range files {
		spans = append(spans, model.NewFileSource(fmt.Sprint(k), model.BytesReader(b)).Whole())
	}
	end := int64(0)
	if err := Together(t.Context(), spans, nil, func(f *Field) error {
		if f.Off != end {
			t.Errorf("a field at %d after %d", f.Off, end)
		}
		end = f.Off + f.Len
		lines = append(lines, fmt.Sprintf("%d+%d %s %s", f.Off, f.Len, f.Type, f.What()))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	shortest := len(slices.MinFunc(files, func(a, b []byte) int { return len(a) - len(b) }))
	if end != int64(shortest) {
		t.Errorf("told of %d bytes of %d", end, shortest)
	}
	return lines
}

// TestTogether makes files of an unknown kind, and finds what their fields are.
func TestTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		be := ""
		if order == binary.AppendByteOrder(binary.BigEndian) {
			be = "be"
		}
		var files [][]byte
		for k := range 4 {
			records := 300 + random.IntN(500)
			size := 48 + 12*records
			b := append([]byte("KIND\x01\x02"), order.AppendUint16(nil, uint16(7+k))...) // 0, 6
			b = order.AppendUint32(b, uint32(size))                                      // 8
			b = order.AppendUint32(b, uint32(size-16))                                   // 12
			b = order.AppendUint32(b, uint32(records))                                   // 16
			b = order.AppendUint32(b, uint32(size-8))                                    // 20: of the footer, 8 bytes before the end
			for range 16 {
				b = append(b, byte(random.Uint32())) // 24
			}
			b = append(b, bytes.Repeat([]byte{'.'}, 8*12)...) // 40
			for len(b) < size-8 {
				b = append(b, byte(random.Uint32()))
			}
			files = append(files, append(b, "FOOTER\x00\x00"...))
		}
		got := fieldsOf(t, files)
		for _, want := range []string{"0+6  constant", "6+2 u16" + be + " counts by +1", "8+4 u32" + be + " length of the file", "12+4 u32" + be + " length of the file, less 16",
			"16+4 u32" + be + " length: the file has 12 × it + 48 bytes", "20+4 u32" + be + " length of the file, less 8", "24+16  varies", "40+96  constant"} {
			if !slices.Contains(got, want) {
				t.Errorf("%s: no %q in %q", order, want, got[:min(len(got), 16)])
			}
		}
	}
}

// TestSerialIsNoLength: the numbers of files whose lengths grow as evenly are no lengths.
func TestSerialIsNoLength(t *testing.T) {
	var files [][]byte
	for k := range 4 {
		b := binary.LittleEndian.AppendUint32([]byte("KIND"), uint32(1+k))
		files = append(files, append(b, make([]byte, 40+548*k)...))
	}
	if got := fieldsOf(t, files); !slices.Contains(got, "4+4 u32 counts by +1") {
		t.Errorf("%q", got)
	}
}

// TestTogetherPlaces: an offset leads to the same bytes in each file, at a place of its own.
func TestTogetherPlaces(t *testing.T) {
	var files [][]byte
	for _, at := range []int{300, 411, 77777} {
		b := binary.LittleEndian.AppendUint32([]byte("OFFS"), uint32(at))
		b = append(b, make([]byte, at-len(b))...)
		b = append(b, "INDEX"...)
		files = append(files, append(b, make([]byte, 100_000-len(b))...))
	}
	if got := fieldsOf(t, files); got[0] != "0+4  constant" || got[1] != "4+4 u32 offset, where all have the same bytes" {
		t.Errorf("%q", got)
	}
	if got := fieldsOf(t, [][]byte{files[0], files[0]}); len(got) != 1 || got[0] != "0+100000  constant" {
		t.Errorf("the same file twice: %q", got)
	}
}
