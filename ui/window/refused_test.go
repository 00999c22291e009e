package window_test

import (
	"testing"

	"cutaway/ui/window/windowtest"

	searchpane "cutaway/ui/search"
)

// TestWrongAddress: why the location leads nowhere is said below it, without a dialog, until what it says is changed.
func TestWrongAddress(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Fake()
		for _, text := range []string{"layout/nothing of that name", "0x99999", "12 apples"} {
			b.W.Place.Entry.SetText(text)
			if b.W.Place.Refused.Visible() {
				t.Errorf("before Enter %q is refused: %s", text, b.W.Place.Refused.Text)
			}
			b.W.Place.Entry.OnSubmitted(text)
			b.Until("the refusal of "+text, func() bool { return b.W.Place.Refused.Visible() })
			if b.W.Place.Refused.Text == "" || b.W.Shell.Win.Canvas().Overlays().Top() != nil {
				t.Errorf("%q: said %q, or in a dialog", text, b.W.Place.Refused.Text)
			}
		}
		b.W.Place.Entry.SetText("layout/header")
		if b.W.Place.Refused.Visible() {
			t.Error("a changed location is still refused")
		}
		b.W.Place.Entry.OnSubmitted("layout/header")
		b.At(b.W.Active, "layout/header")
		if b.W.Place.Refused.Visible() {
			t.Error("a right location is refused")
		}
	})
}

// TestWiderSearch: a search that found nothing offers the next wider one, up to all bytes.
func TestWiderSearch(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		p := s.Pane.Lists.Search
		b.Find(s, searchpane.Query{Text: "nowhere"})
		for _, want := range []string{"Decode all, search elements too", "Search the bytes everywhere"} {
			if said := p.Said.Position().X + p.Said.Size().Width; !p.Offer.Visible() || p.Offer.Text != want || p.Offer.Position().X < said {
				t.Fatalf("%q is not offered behind what is said, but %q", want, p.Offer.Text)
			}
			before := p.Run
			b.Press(p.Object(), want)
			b.Until("the wider search", func() bool { return p.Run != before && p.Run.Over })
		}
		if got := p.Want(); got.Scope != searchpane.InAll {
			t.Errorf("the fields say %+v", got)
		}
		if p.Offer.Visible() {
			t.Errorf("after all bytes is offered: %s", p.Offer.Text)
		}
	})
}
