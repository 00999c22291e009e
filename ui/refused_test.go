package ui

import (
	"testing"
	"testing/synctest"

	searchpane "cutaway/ui/search"
)

// TestWrongAddress: why the location leads nowhere is said below it, without a dialog, until what it says is changed.
func TestWrongAddress(t *testing.T) { synctest.Test(t, testWrongAddress) }

func testWrongAddress(t *testing.T) {
	b := newBench(t)
	b.fake()
	for _, text := range []string{"layout/nothing of that name", "0x99999", "12 apples"} {
		b.w.location.SetText(text)
		if b.w.refused.Visible() {
			t.Errorf("before Enter %q is refused: %s", text, b.w.refused.Text)
		}
		b.w.location.OnSubmitted(text)
		b.until("the refusal of "+text, func() bool { return b.w.refused.Visible() })
		if b.w.refused.Text == "" || b.w.Win.Canvas().Overlays().Top() != nil {
			t.Errorf("%q: said %q, or in a dialog", text, b.w.refused.Text)
		}
	}
	b.w.location.SetText("layout/header")
	if b.w.refused.Visible() {
		t.Error("a changed location is still refused")
	}
	b.w.location.OnSubmitted("layout/header")
	b.at(b.w.active, "layout/header")
	if b.w.refused.Visible() {
		t.Error("a right location is refused")
	}
}

// TestWiderSearch: a search that found nothing offers the next wider one, up to all bytes.
func TestWiderSearch(t *testing.T) { synctest.Test(t, testWiderSearch) }

func testWiderSearch(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	close(doc.Gate)
	p := s.Pane.Details.Search
	b.find(s, searchpane.Query{Text: "nowhere"})
	for _, want := range []string{"Search what is not decoded yet too", "Search the bytes everywhere"} {
		if said := p.Said.Position().X + p.Said.Size().Width; !p.Offer.Visible() || p.Offer.Text != want || p.Offer.Position().X < said {
			t.Fatalf("%q is not offered behind what is said, but %q", want, p.Offer.Text)
		}
		before := p.Run
		b.press(p.Object(), want)
		b.until("the wider search", func() bool { return p.Run != before && p.Run.Over })
	}
	if got := p.Want(); got.Scope != searchpane.InAll {
		t.Errorf("the fields say %+v", got)
	}
	if p.Offer.Visible() {
		t.Errorf("after all bytes is offered: %s", p.Offer.Text)
	}
}
