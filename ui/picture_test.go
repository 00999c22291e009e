package ui

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/document"
	"cutaway/ui/picture"
)

// viewOf finds the picture on a card.
func viewOf(o fyne.CanvasObject) *picture.View {
	switch o := o.(type) {
	case *picture.View:
		return o
	case *fyne.Container:
		for _, c := range o.Objects {
			if v := viewOf(c); v != nil {
				return v
			}
		}
	}
	return nil
}

// TestPicture: a record's picture has the numbers of its pixels; a click selects the bytes of one, letters choose planes.
func TestPicture(t *testing.T) { synctest.Test(t, testPicture) }

func testPicture(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../testdata/vrs/pixels.vrs"})
	s.GoTo("streams/999-7/data/[0]") // rgb10
	b.at(s, "streams/999-7/data/[0]")
	b.idle()
	k := slices.Index(s.Details.Cards.Titles(), "image")
	if k < 0 {
		t.Fatalf("cards %q", s.Details.Cards.Titles())
	}
	s.Details.Choose(document.FixedTabs + k)
	card := s.Details.Cards.Card(k)
	b.until("the picture", func() bool { return strings.Contains(words(card), "0 black, 1023 white") })
	v := viewOf(card)
	test.TapAt(v, fyne.NewPos(v.Size().Width/2, v.Size().Height/2))
	if got := words(card); !strings.Contains(got, "R ") || !strings.Contains(got, "B ") {
		t.Errorf("of the pixel: %q", got)
	}
	off, n := s.Hex.Shown.View.Selection()
	if n != 6 {
		t.Fatalf("%d bytes of the pixel are marked", n)
	}
	v.TypedRune('c')
	v.TypedRune('c') // green
	b.idle()
	v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if at, n := s.Hex.Shown.View.Selection(); at != off+2 || n != 2 {
		t.Errorf("%d bytes from %+d on are marked for green", n, at-off)
	}
}
