package document_test

import (
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"
)

// TestGroups: a group marks no bytes of its own: the strip and the head of the bytes have what is below it, and the bytes its largest value.
func TestGroups(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		doc := s.Pane.Doc
		said := func() (all string) {
			for o := range windowtest.All(s.Pane.Hex.Object) {
				if link, is := o.(*kit.Link); is {
					all += link.Text.Text
				}
			}
			return all
		}
		b.Until("the whole file", func() bool { return strings.Contains(said(), "all 36,007 bytes") })
		s.Pane.Nav.GoTo("scene/Workshop/Table/Top")
		b.At(s, "scene/Workshop/Table/Top")
		b.Until("what is below", func() bool {
			return strings.Contains(said(), "bytes below Top") && len(s.Pane.Hex.Shown.Ranges.Below) > 0
		})
		largest := model.Span{}
		top := windowtest.MustLookup(t, doc, "scene/Workshop/Table/Top")
		n, _ := top.Len(t.Context())
		for i := range n {
			c := top.Child(t.Context(), i)
			if at := c.Node.PrincipalSpans(t.Context()); len(at) > 0 && at[0].Len > largest.Len && at[0].Source.Origin() == nil {
				largest = at[0]
			}
		}
		b.Until("its largest value", func() bool { return s.Pane.Hex.Shown.View.Cursor() == largest.Off })
		if got := s.Pane.Hex.Shown.Ranges.Selected; len(got) > 0 {
			t.Errorf("bytes %v of a prim are marked", got)
		}
		if got := b.W.Status.Where.Text; !strings.Contains(got, "bytes below Top") {
			t.Errorf("status %q", got)
		}
		covered := false
		for _, r := range s.Pane.Hex.Shown.Ranges.Below {
			covered = covered || r.Off <= largest.Off && r.End() >= largest.End()
		}
		if !covered {
			t.Errorf("%v has not the value at %v", s.Pane.Hex.Shown.Ranges.Below, largest)
		}
	})
}

// TestByteOfValue: a click on a byte selects the node whose value it is, again its parent, and where a view only follows from the byte the
// card has the layout's node while the tree stays.
func TestByteOfValue(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Stage.Choose(document.Sizes) // tables take clicks on their rows
		points := windowtest.MustLookup(t, s.Pane.Doc, "scene/Workshop/Table/Top/.points")
		at := points.Node.PrincipalSpans(t.Context())[0]
		s.Pane.Nav.Tapped(at.Source, at.Off+20, false)
		b.Until("the value", func() bool { return strings.HasPrefix(s.Pane.Current().Path(), points.Path()) })
		way := s.Pane.Current().Parent.Path()
		s.Pane.Nav.Tapped(at.Source, at.Off+20, true)
		b.At(s, way)
		bits := points.Node.Spans[0]
		s.Pane.Nav.Tapped(bits.Source, bits.Off, false)
		b.Until("the layout's node", func() bool { return strings.HasPrefix(s.Pane.Current().Path(), "layout/") })
		if s.Pane.Trees.View().Name != "scene" || s.Pane.Nav.Elsewhere() == nil {
			t.Errorf("%s is shown of %s", s.Pane.Trees.View().Name, s.Pane.Current().Path())
		}
	})
}
