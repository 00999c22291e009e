package window_test

import (
	"testing"

	"cutaway/ui/window/windowtest"
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
