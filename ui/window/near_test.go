package window_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"cutaway/ui/window/windowtest"
)

// TestNearPaths: a path may be from the selected node or one above it, or in the format's own notation; [n] at its end is an element.
func TestNearPaths(t *testing.T) {
	windowtest.Run(t, func(_ *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		s.Pane.Nav.GoTo("scene/Prototypes/Leg")
		b.At(s, "scene/Prototypes/Leg")
		for _, c := range []struct{ text, path string }{
			{".points[12]", "scene/Prototypes/Leg/.points/default/[12]"},
			{".normals", "scene/Prototypes/Leg/.normals"},
			{"[3]", "scene/Prototypes/Leg/.normals/default/[3]"},
			{"Workshop/Table", "scene/Workshop/Table"},
			{"/Prototypes/Leg.points[2]", "scene/Prototypes/Leg/.points/default/[2]"},
		} {
			b.W.Place.GoTo(c.text)
			b.At(s, c.path)
			b.Idle()
		}
		for _, text := range []string{".points[84000]", "nothing/of/this", ".nope[2]"} {
			b.W.Place.GoTo(text)
			b.Until("the refusal of "+text, b.W.Place.Refused.Visible)
			b.W.Place.Entry.OnChanged("")
		}
	})
}

// TestCompletePath: Tab goes on with what all paths that begin so have in common, and tells which these are; Shift+Tab and an
// unchanged path go on to the next field.
func TestCompletePath(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Sample()
		e := b.W.Place.Entry
		b.W.Shell.Focus(e)
		if e.AcceptsTab() {
			t.Error("Tab is taken before anything is typed")
		}
		tab := func(text string) {
			t.Helper()
			e.SetText(text)
			if !e.AcceptsTab() {
				t.Fatal("Tab goes on though a path is typed")
			}
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyTab})
			b.Idle()
		}
		for _, c := range []struct{ text, longer, said string }{
			{"sc", "scene/", ""},
			{"scene/Pro", "scene/Prototypes/", ""},
			{"scene/Workshop/Table/L", "scene/Workshop/Table/Leg_", "4 begin so: Leg_0  Leg_1  Leg_2  Leg_3"},
			{"scene/Prototypes/Leg/.po", "scene/Prototypes/Leg/.points/", ""},
			{"scene/zz", "scene/zz", "Nothing begins with scene/zz."},
		} {
			tab(c.text)
			if e.Text != c.longer || strings.TrimSpace(b.W.Place.Refused.Text) != c.said || b.W.Place.Refused.Visible() != (c.said != "") {
				t.Errorf("%s: becomes %s, want %s; said %q, want %q", c.text, e.Text, c.longer, b.W.Place.Refused.Text, c.said)
			}
		}
	})
}
