package ui

import (
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"

	"cutaway/hexview"
	"cutaway/ui/kit"
	"cutaway/ui/settings"
)

// ofBytes is an item of the menu View › Bytes.
func (b *bench) ofBytes(labels ...string) *fyne.MenuItem {
	b.Helper()
	item := b.menu("Bytes")
next:
	for _, l := range labels {
		for _, i := range item.ChildMenu.Items {
			if kit.MenuTitle(i) == l {
				item = i
				continue next
			}
		}
		b.Fatalf("no item %q below %q", l, kit.MenuTitle(item))
	}
	return item
}

// TestBytesMenu: each choice changes every pane of bytes, also those made later and those of the next start.
func TestBytesMenu(t *testing.T) { synctest.Test(t, testBytesMenu) }

func testBytesMenu(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	for _, c := range [][2]string{{"Bytes per row", "24"}, {"Shown as", "Floating point"}, {"Group", "8 bytes"}, {"Byte order", "Big endian"},
		{"Offsets", "Decimal"}, {"Text", "Shift-JIS"}} {
		if b.ofBytes(c[0], c[1]).Checked {
			t.Errorf("%s has a check mark before it is chosen", c[1])
		}
		b.ofBytes(c[0], c[1]).Action()
		if !b.ofBytes(c[0], c[1]).Checked {
			t.Errorf("%s has no check mark", c[1])
		}
	}
	want := hexview.Mode{RowWidth: 24, Group: 8, Number: hexview.Float, BigEndian: true, DecimalOffsets: true, Encoding: hexview.ShiftJIS}
	if got := s.Pane.Hex.Shown.View.Mode(); got != want {
		t.Errorf("the bytes are shown as %+v, want %+v", got, want)
	}
	s.Pane.Nav.GoTo("layout/packed@inflated/[3]")
	b.at(s, "layout/packed@inflated/[3]")
	if got := s.Pane.Hex.Follow.View.Mode(); got != want {
		t.Errorf("a later tab shows bytes as %+v", got)
	}
	time.Sleep(time.Second)
	b.idle()
	if got := settings.Load(b.w.Store.Path).Mode; got != want {
		t.Errorf("remembered is %+v", got)
	}
	b.ofBytes("Group", "1 byte").Action() // there is no float of one byte
	if got := s.Pane.Hex.Shown.View.Mode(); got.Number != hexview.Bytes || got.Group != 1 {
		t.Errorf("one byte a group is shown as %+v", got)
	}
	b.ofBytes("Shown as", "Floating point").Action()
	if got := s.Pane.Hex.Shown.View.Mode(); got.Number != hexview.Float || got.Group != 4 {
		t.Errorf("floats after that are %+v", got)
	}
}
