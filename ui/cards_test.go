package ui

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/treeview"
)

// TestTableCard: a table of ten million rows is a tab of the node's details.
func TestTableCard(t *testing.T) { synctest.Test(t, testTableCard) }

func testTableCard(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.goTo("layout/table")
	b.at(s, "layout/table")
	b.until("the card", func() bool { return len(s.details.cards) == 1 })
	if got := s.details.bar.Tabs[fixedTabs].Title; got != "Rows" {
		t.Fatalf("tab %q", got)
	}
	s.details.choose(fixedTabs)
	list := s.details.cardView[0].object
	if list == nil {
		t.Fatal("no view")
	}
	type counted interface{ Rows() int64 }
	if n := list.(counted).Rows(); n != 10_000_000 {
		t.Errorf("%d rows", n)
	}
	if row := tableRow(t.Context(), readTable(t.Context(), &fakeTable{}), 7); row.Cells[1] != "49" {
		t.Errorf("row 7: %q", row.Cells)
	}
	s.goTo("layout/gap")
	b.at(s, "layout/gap")
	b.until("other details", func() bool { return len(s.details.cards) == 0 })
	if s.details.shown != tabDetails {
		t.Error("the tab of the card outlives its node")
	}
}

// TestOtherCards draws every other kind of card; one that cannot be made says why.
func TestOtherCards(t *testing.T) { synctest.Test(t, testOtherCards) }

func testOtherCards(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.goTo("layout/header")
	b.at(s, "layout/header")
	d := s.details
	b.until("the cards", func() bool { return len(d.cards) == 5 })
	for i, want := range []string{"some words", "", "This cannot be shown: the pixels are not there", "100,000 points, -500 … 499 m/s over time 0 … 9999.9", "2 channels, 8000 Hz, 12.5 s, 100,000 frames, peak 1 (0.0 dB)"} {
		d.choose(fixedTabs + i)
		b.until(want, func() bool { return strings.Contains(words(d.cardView[i].object), want) })
	}
	tapButtons(d.cardView[0].object)
	if got := b.w.App.Clipboard().Content(); got != "some words" {
		t.Errorf("%q is copied", got)
	}
	d.choose(fixedTabs + 1)
	list := d.cardView[1].object.(*treeview.Tree)
	list.OnSelected(int64(2)) // marks its bytes, and no more
	b.until("the bytes of the line", func() bool {
		off, n := s.hex.shown.view.Selection()
		return off == tableAt+2*rowSize && n == rowSize
	})
	if s.current.Path() != "layout/header" || len(d.cards) != 5 {
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
		for _, r := range s.details.gather(t.Context(), s.doc.Views[0].Place(t.Context())).rows {
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

// TestRowBytes: the bytes of a row are those of its cells that lie together.
func TestRowBytes(t *testing.T) {
	src, other := model.NewFileSource("a", model.BytesReader("")), model.NewFileSource("b", model.BytesReader(""))
	cell := func(s *model.Source, off, n int64) model.Cell { return model.Cell{Spans: []model.Span{s.Span(off, n)}} }
	for _, c := range []struct {
		cells    []model.Cell
		off, len int64
	}{
		{[]model.Cell{cell(src, 100, 12), cell(src, 112, 8)}, 100, 20},
		{[]model.Cell{{}, cell(src, 100, 12), cell(src, 116, 8)}, 100, 24},
		{[]model.Cell{cell(src, 100, 4), cell(src, 5000, 8), cell(other, 104, 4)}, 100, 4},
		{nil, 0, 0},
	} {
		if got := spanOf(c.cells); got.Off != c.off || got.Len != c.len {
			t.Errorf("%v, want %d+%d", got, c.off, c.len)
		}
	}
}

// TestWindowedErrors: rows before an error are there, those behind it tell of it.
func TestWindowedErrors(t *testing.T) {
	reads := 0
	w := windowed[int]{read: func(first int64, dst []int) (int, error) {
		reads++
		for i := range 10 {
			dst[i] = int(first) + i
		}
		return 10, errors.New("broken")
	}}
	if v, err := w.at(9); v != 9 || err != nil {
		t.Errorf("row 9: %d, %v", v, err)
	}
	if _, err := w.at(10); err == nil {
		t.Error("row 10 is there")
	}
	if reads != 1 {
		t.Errorf("read %d times", reads)
	}
	faulty := windowed[int]{read: func(int64, []int) (int, error) { panic("lost") }}
	if _, err := faulty.at(3); err == nil || !strings.Contains(err.Error(), "fault of the program") {
		t.Errorf("a panic gives %v", err)
	}
	for i := range int64(20) {
		w.at(i * windowRows)
	}
	if len(w.kept) > 8 {
		t.Errorf("%d windows are kept", len(w.kept))
	}
}
