package hexpane_test

import (
	"strings"
	"testing"
	"time"

	"cutaway/ui/window/windowtest"

	"cutaway/hexview"
	"cutaway/ui/settings"
)

// TestBytesMenu: each choice changes every pane of bytes, also those made later and those of the next start.
func TestBytesMenu(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		for _, c := range [][2]string{{"Bytes per row", "24"}, {"Shown as", "Floating point"}, {"Group", "8 bytes"}, {"Byte order", "Big endian"},
			{"Offsets", "Decimal"}, {"Text", "Shift-JIS"}} {
			if b.BytesItem(c[0], c[1]).Checked {
				t.Errorf("%s has a check mark before it is chosen", c[1])
			}
			b.BytesItem(c[0], c[1]).Action()
			if !b.BytesItem(c[0], c[1]).Checked {
				t.Errorf("%s has no check mark", c[1])
			}
		}
		want := hexview.Mode{RowWidth: 24, Group: 8, Number: hexview.Float, BigEndian: true, DecimalOffsets: true, Encoding: hexview.ShiftJIS}
		if got := s.Pane.Hex.Shown.View.Mode(); got != want {
			t.Errorf("the bytes are shown as %+v, want %+v", got, want)
		}
		s.Pane.Nav.GoTo("layout/packed@inflated/[3]")
		b.At(s, "layout/packed@inflated/[3]")
		if got := s.Pane.Hex.Follow.View.Mode(); got != want {
			t.Errorf("a later tab shows bytes as %+v", got)
		}
		time.Sleep(time.Second)
		b.Idle()
		if got := settings.Load(b.W.Shell.Store.Path).Mode; got != want {
			t.Errorf("remembered is %+v", got)
		}
		b.BytesItem("Group", "1 byte").Action() // there is no float of one byte
		if got := s.Pane.Hex.Shown.View.Mode(); got.Number != hexview.Bytes || got.Group != 1 {
			t.Errorf("one byte a group is shown as %+v", got)
		}
		b.BytesItem("Shown as", "Floating point").Action()
		if got := s.Pane.Hex.Shown.View.Mode(); got.Number != hexview.Float || got.Group != 4 {
			t.Errorf("floats after that are %+v", got)
		}
	})
}

// TestMenuOfAByte: what can be done with bytes can be done with one that is not selected.
func TestMenuOfAByte(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		shown := s.Pane.Hex.Shown
		for selected := range int64(3) {
			shown.View.Select(5, selected)
			var labels []string
			for _, i := range s.Pane.Actions.BytesItems(shown, 5) {
				labels = append(labels, i.Label)
			}
			text := strings.Join(labels, "|")
			for _, want := range []string{"Mark…", "Inspect", "Read "} {
				if !strings.Contains(text, want) {
					t.Errorf("with %d bytes selected the menu has %q, not %q", selected, text, want)
				}
			}
		}
	})
}
