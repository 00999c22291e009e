package inspector_test

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"cutaway/hexview"
	"cutaway/ui/inspector"
)

// TestChecksumOf: the selected bytes are found to be the checksum of those before them, which are lit, and selected by Enter.
func TestChecksumOf(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		file := []byte("neither of a format, nor text \xff\xfe, but with a checksum")
		file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file))
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "summed.bin", file)})
		s.Pane.Side.InspectAs(inspector.Sums)
		sums, view := s.Pane.Side.Inspector.Sums, s.Pane.Hex.Shown.View
		select4 := func(off int64) {
			view.Select(off, 4)
			view.OnSelect(off, 4)
			b.Until("the button", func() bool { return sums.Find.Visible() })
			sums.Find.OnTapped()
			b.Until("the end of the search", func() bool { return !sums.Running })
		}
		select4(int64(len(file)) - 4)
		rows := sums.Data.All()
		at := slices.IndexFunc(rows, func(r inspector.SumRow) bool { return r.Name == "CRC-32/ISO-HDLC, big endian" })
		if at < 0 || !strings.Contains(rows[at].Value, "before it") {
			t.Fatalf("found %v; %s", rows, sums.Of.Text)
		}
		sums.List.SelectIndex(int64(at), false)
		before := hexview.Range{Off: 0, Len: int64(len(file)) - 4}
		if got := view.Hovered(); !slices.Equal(got, []hexview.Range{before}) {
			t.Errorf("lit is %v, want %v", got, before)
		}
		sums.List.OnChosen(int64(at))
		if off, n := view.Selection(); off != 0 || n != before.Len {
			t.Errorf("selected are %d bytes at %d", n, off)
		}
		select4(3)
		if !strings.HasPrefix(sums.Of.Text, "none found") {
			t.Errorf("other bytes: %s", sums.Of.Text)
		}
	})
}
