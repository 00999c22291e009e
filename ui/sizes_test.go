package ui

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/document"
)

// TestSizesPane: the view's nodes are measured when the pane is looked at; a click on a box or a row selects its node, a
// double click fills the map with it, and the list follows.
func TestSizesPane(t *testing.T) { synctest.Test(t, testSizesPane) }

func testSizesPane(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../assets/sample.usdc"})
	p := s.Details.Sizes
	if p.Tree != nil {
		t.Fatal("it is measured before it is looked at")
	}
	s.Details.Choose(document.TabSizes)
	b.until("sizes", func() bool { return p.Tree != nil })
	sum := p.Tree.Root.Stored
	for _, part := range p.Tree.Free {
		sum += part.Size
	}
	if size := s.Doc.Source().Size(); sum != size || p.Tree.Total != size {
		t.Errorf("%d of %d bytes", sum, size)
	}
	rows := p.Data.All()
	if len(rows) < 10 || rows[0].Own < rows[1].Own {
		t.Fatalf("%d rows", len(rows))
	}
	p.List.SelectIndex(0, false)
	b.at(s, rows[0].Path)

	s.GoTo("scene")
	b.at(s, "scene")
	b.idle()
	at := fyne.NewPos(p.Map.Size().Width/2, p.Map.Size().Height/2)
	test.TapAt(p.Map, at)
	b.until("another node", func() bool { return s.Current().Path() != "scene" })
	p.Map.DoubleTapped(&fyne.PointEvent{Position: at})
	if !p.Map.Zoomed() || p.Data.All()[0].Stored > p.Map.Root().Stored {
		t.Errorf("zoomed: %t, %d rows", p.Map.Zoomed(), len(p.Data.All()))
	}
	p.Map.Zoom(nil)
	if p.Map.Zoomed() || len(p.Data.All()) != len(rows) {
		t.Error("it does not come back to the whole file")
	}
}

// TestValuesOfArray: an array's facts are in the details, its rows and a plot are cards, and a row marks its bytes.
func TestValuesOfArray(t *testing.T) { synctest.Test(t, testValuesOfArray) }

func testValuesOfArray(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../assets/sample.usdc"})
	s.GoTo("scene/Prototypes/Leg/.points")
	b.at(s, "scene/Prototypes/Leg/.points")
	d := s.Details
	b.until("facts", func() bool { return strings.Contains(words(d.Rows), "mean") })
	plot := slices.Index(d.Cards.Titles(), "Plot")
	if plot < 1 || d.Cards.Titles()[plot-1] != "Values" {
		t.Fatalf("cards %q", d.Cards.Titles())
	}
	for i := plot - 1; i <= plot; i++ {
		d.Choose(document.FixedTabs + i)
		b.idle()
		if o := d.Cards.Card(i); o.MinSize().Width > 420 {
			t.Errorf("card %d takes %g", i, o.MinSize().Width)
		}
	}
	d.Choose(document.FixedTabs + plot - 1)
	b.idle()
	elements := s.Current()
	n, _ := elements.Len(t.Context())
	for i := range n {
		if c := s.Current().Child(t.Context(), i); c.Node.Elements {
			elements = c
		}
	}
	third := elements.Child(t.Context(), 3).Node.Span()
	s.Tapped(third.Source, third.Off+1, false)
	b.until("the bytes of the row", func() bool {
		off, n := s.Hex.Shown.View.Selection()
		return off == third.Off && n == third.Len
	})
	if s.Current().Path() != "scene/Prototypes/Leg/.points" {
		t.Errorf("the click leaves the array for %s", s.Current().Path())
	}
	if text := words(d.Cards.Card(plot)); !strings.Contains(text, "wheel zooms") {
		t.Errorf("the plot says %q", text)
	}
}

// TestSavings: the pane of sizes lists what the file could do without; a place is gone to.
func TestSavings(t *testing.T) { synctest.Test(t, testSavings) }

func testSavings(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../testdata/usdc/samples.usdc"})
	s.Details.Choose(document.TabSizes)
	p := s.Details.Sizes
	b.until("sizes", func() bool { return p.Tree != nil })
	p.ShowSavings()
	b.until("savings", func() bool { return len(p.Savings.Data.All()) > 1 })
	b.idle()
	p.Savings.List.SelectIndex(1, false)
	b.at(s, "scene/World/.same/timeSamples")
}

// TestHistogram: the plot of an array shows on demand how its values are distributed, and goes back.
func TestHistogram(t *testing.T) { synctest.Test(t, testHistogram) }

func testHistogram(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../assets/sample.usdc"})
	s.GoTo("scene/Prototypes/Leg/.points")
	b.at(s, "scene/Prototypes/Leg/.points")
	d := s.Details
	b.until("facts", func() bool { return strings.Contains(words(d.Rows), "mean") })
	plot := slices.Index(d.Cards.Titles(), "Plot")
	d.Choose(document.FixedTabs + plot)
	b.idle()
	card := d.Cards.Card(plot)
	checkIn(card, "histogram").SetChecked(true)
	b.until("the counts", func() bool { return strings.Contains(words(card), "in each range") })
	checkIn(card, "log").SetChecked(true)
	checkIn(card, "[1]").SetChecked(false)
	b.idle()
	checkIn(card, "histogram").SetChecked(false)
	if text := words(card); !strings.Contains(text, "wheel zooms") {
		t.Errorf("back at the values it says %q", text)
	}
}
