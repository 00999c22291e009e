package ui

import (
	"errors"
	"image/color"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"cutaway/ui/treeview"
)

// TestTableCard: a table of ten million rows is a tab of the node's details.
func TestTableCard(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.goTo("layout/table")
	b.at(s, "layout/table")
	b.until("the card", func() bool { return len(s.details.cards) == 1 })
	if got := s.details.bar.tabs[fixedTabs].title; got != "Rows" {
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
	s.goTo("layout/gap")
	b.at(s, "layout/gap")
	b.until("other details", func() bool { return len(s.details.cards) == 0 })
	if s.details.shown != tabDetails {
		t.Error("the tab of the card outlives its node")
	}
}

// TestOtherCards draws every other kind of card; one that cannot be made says why.
func TestOtherCards(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.goTo("layout/header")
	b.at(s, "layout/header")
	d := s.details
	b.until("the cards", func() bool { return len(d.cards) == 4 })
	for i, want := range []string{"some words", "", "This cannot be shown: the pixels are not there", "100,000 points, -500 … 499 m/s, time 0 … 9999.9"} {
		d.choose(fixedTabs + i)
		b.until(want, func() bool { return strings.Contains(allWords(d.cardView[i].object), want) })
	}
	d.choose(fixedTabs + 1)
	list := d.cardView[1].object.(*treeview.Tree)
	list.OnChosen(int64(3)) // jumps
	b.until("the jump", func() bool { return list.Selected() == int64(900) })
	list.OnChosen(int64(5)) // leads to its node
	b.at(s, "layout/table")
}

// allWords joins the texts of labels, also those within scrolled boxes.
func allWords(o fyne.CanvasObject) string {
	if scroll, ok := o.(*container.Scroll); ok {
		return allWords(scroll.Content)
	}
	return words(o)
}

// TestReduce: each column of a plot keeps its extremes, and what is no number leaves a hole.
func TestReduce(t *testing.T) {
	p, err := reduce(t.Context(), &fakeSeries{}, nil)
	if err != nil || p.points != 100_000 || p.least != -500 || p.top != 499 || p.from != 0 || p.to != 9999.9 {
		t.Fatalf("%d points, %g … %g, %g … %g, %v", p.points, p.least, p.top, p.from, p.to, err)
	}
	for i := range p.low {
		if p.low[i] > p.high[i] {
			t.Fatalf("column %d: %g > %g", i, p.low[i], p.high[i])
		}
	}
	hole := &plot{least: math.Inf(1), top: math.Inf(-1)}
	hole.low[0], hole.high[0] = math.NaN(), math.NaN()
	hole.add(0, math.NaN())
	hole.add(0, math.Inf(1))
	if !math.IsNaN(hole.low[0]) || !math.IsInf(hole.least, 1) {
		t.Error("what is no number is drawn")
	}
	if img := p.draw(200, 50, color.Black); img.Bounds().Dx() != 200 || img.Bounds().Dy() != 50 {
		t.Errorf("drawn %v", img.Bounds())
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
	for i := range int64(20) {
		w.at(i * windowRows)
	}
	if len(w.kept) > 8 {
		t.Errorf("%d windows are kept", len(w.kept))
	}
}
