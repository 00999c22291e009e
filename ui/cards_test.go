package ui

import (
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
)

// TestTableCard: a table of ten million rows is a tab of the node's details.
func TestTableCard(t *testing.T) { synctest.Test(t, testTableCard) }

func testTableCard(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.GoTo("layout/table")
	b.at(s, "layout/table")
	b.until("the card", func() bool { return len(s.details.cards.Titles()) == 1 })
	if got := s.details.bar.Tabs[fixedTabs].Title; got != "Rows" {
		t.Fatalf("tab %q", got)
	}
	s.details.choose(fixedTabs)
	list := s.details.cards.Card(0)
	type counted interface{ Rows() int64 }
	if n := list.(counted).Rows(); n != 10_000_000 {
		t.Errorf("%d rows", n)
	}
	s.GoTo("layout/gap")
	b.at(s, "layout/gap")
	b.until("other details", func() bool { return len(s.details.cards.Titles()) == 0 })
	if s.details.shown != tabDetails {
		t.Error("the tab of the card outlives its node")
	}
}

// TestOtherCards draws every other kind of card; one that cannot be made says why.
func TestOtherCards(t *testing.T) { synctest.Test(t, testOtherCards) }

func testOtherCards(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.GoTo("layout/header")
	b.at(s, "layout/header")
	d := s.details
	b.until("the cards", func() bool { return len(d.cards.Titles()) == 5 })
	for i, want := range []string{"some words", "", "This cannot be shown: the pixels are not there", "100,000 points, -500 … 499 m/s over time 0 … 9999.9", "2 channels, 8000 Hz, 12.5 s, 100,000 frames, peak 1 (0.0 dB)"} {
		d.choose(fixedTabs + i)
		b.until(want, func() bool { return strings.Contains(words(d.cards.Card(i)), want) })
	}
	tapButtons(d.cards.Card(0))
	if got := b.w.App.Clipboard().Content(); got != "some words" {
		t.Errorf("%q is copied", got)
	}
	d.choose(fixedTabs + 1)
	list := d.cards.Card(1).(*treeview.Tree)
	list.OnSelected(int64(2)) // marks its bytes, and no more
	b.until("the bytes of the line", func() bool {
		off, n := s.hex.Shown.View.Selection()
		return off == uitest.TableAt+2*uitest.RowSize && n == uitest.RowSize
	})
	if s.current.Path() != "layout/header" || len(d.cards.Titles()) != 5 {
		t.Errorf("a line that is selected leads to %s", s.current.Path())
	}
	list.OnChosen(int64(3)) // jumps
	b.until("the jump", func() bool { return list.Selected() == int64(900) })
	list.OnChosen(int64(5)) // leads to its node
	b.at(s, "layout/table")
}

// tapButtons taps all buttons in o.
func tapButtons(o fyne.CanvasObject) {
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			tapButtons(c)
		}
	case *widget.Button:
		test.Tap(o)
	}
}

// TestScannedFacts: a fact that takes a scan is found when it is asked for.
func TestScannedFacts(t *testing.T) { synctest.Test(t, testScannedFacts) }

func testScannedFacts(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	fact := func() detailRow {
		for _, r := range s.details.gather(t.Context(), s.Doc.Views[0].Place(t.Context())).rows {
			if r.label == "Zero bytes" {
				return r
			}
		}
		return detailRow{}
	}
	r := fact()
	if r.text != "" || len(r.links) != 1 {
		t.Fatalf("before the scan: %+v", r)
	}
	r.links[0].tap()
	b.until("the scan", func() bool { return fact().text == "4092" })
}

// TestSeriesLeads: a click on a plot leads to the point's node.
func TestSeriesLeads(t *testing.T) { synctest.Test(t, testSeriesLeads) }

func testSeriesLeads(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.GoTo("layout/header")
	b.at(s, "layout/header")
	d := s.details
	b.until("the cards", func() bool { return len(d.cards.Titles()) == 5 })
	d.choose(fixedTabs + 3)
	card := d.cards.Card(3).(*fyne.Container)
	b.until("the curve", func() bool { return strings.Contains(words(card), "100,000 points") })
	type plot interface {
		fyne.Tappable
		desktop.Hoverable
	}
	for _, o := range card.Objects {
		if c, ok := o.(plot); ok {
			o.Resize(fyne.NewSize(800, 300))
			at := fyne.PointEvent{Position: fyne.NewPos(400, 100)}
			c.MouseMoved(&desktop.MouseEvent{PointEvent: at})
			if got := words(card); !strings.Contains(got, "at 4") || !strings.Contains(got, "m/s") {
				t.Errorf("under the pointer: %q", got)
			}
			c.Tapped(&at)
		}
	}
	b.until("the point's node", func() bool { return strings.HasPrefix(s.current.Path(), "layout/table/[") })
}
