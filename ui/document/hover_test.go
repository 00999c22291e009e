package document_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/hexview"
	"cutaway/ui/phrase"
	"cutaway/ui/uitest"
)

// TestHoverRow: the bytes of the row that the pointer is over are lit, apart from the selection, and no longer than it is there.
func TestHoverRow(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/table/[7]")
		b.At(s, "layout/table/[7]")
		b.Idle()
		tree, view := s.Pane.Trees.Front(s.Pane.Trees.View()), s.Pane.Hex.Shown.View
		b.W.Shell.Win.Canvas().Capture() // which makes the rows
		b.Idle()
		hover := func(row int64) {
			at, size, ok := tree.RowRect(row)
			if !ok {
				t.Fatalf("row %d is not in sight", row)
			}
			e := &desktop.MouseEvent{}
			e.Position = at.Add(fyne.NewPos(size.Width/2, size.Height/2))
			tree.MouseMoved(e)
		}
		hover(1)
		if got := view.Hovered(); !slices.Equal(got, []hexview.Range{{Off: 0, Len: 16}}) {
			t.Errorf("over the header %v is lit", got)
		}
		if got := s.Pane.Hex.Shown.Ranges.Selected; len(got) != 1 || got[0].Off != uitest.TableAt+7*uitest.RowSize {
			t.Errorf("selected is %v: the pointer changed it", got)
		}
		s.Pane.Trees.NextView()
		if got := view.Hovered(); len(got) > 0 {
			t.Errorf("of a tree that is hidden %v is lit", got)
		}
		for s.Pane.Trees.Front(s.Pane.Trees.View()) != tree {
			s.Pane.Trees.NextView()
		}
		b.Idle()
		hover(0)
		if got := view.Hovered(); len(got) > 0 {
			t.Errorf("over the root, which has all bytes, %v is lit", got)
		}
		hover(1)
		tree.MouseOut()
		if got := view.Hovered(); len(got) > 0 {
			t.Errorf("without the pointer %v is lit", got)
		}
	})
}

// TestHoverByte: the element of an array has its name, also one that is decoded for it; a question that nobody waits for ends.
func TestHoverByte(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		src := s.Pane.Doc.Sources[0]
		if text, span := s.Pane.HoverText(t.Context(), src, uitest.TableAt+3*uitest.RowSize+5); !strings.HasPrefix(text, "layout/table/[3]\n") || span.Len != uitest.RowSize {
			t.Errorf("a byte of a row is %q, %v", text, span)
		}
		ctx, gone := context.WithCancel(t.Context())
		gone()
		if text, _ := s.Pane.HoverText(ctx, src, 2200); !strings.HasPrefix(text, "layout/slow\n") || !strings.HasSuffix(text, "not decoded yet") {
			t.Errorf("a byte that is not decoded, and is not waited for, is %q", text)
		}
		close(doc.Gate)
		if text, _ := s.Pane.HoverText(t.Context(), src, 2200); !strings.HasPrefix(text, "layout/slow/inside\n") {
			t.Errorf("a byte that is not decoded is %q", text)
		}
	})
}

// TestHoverCompressed: of a row whose bytes are in a source that is made from the file's, the bytes of the file are lit, and a line is on
// the tab behind that has them; a byte of the file names what it was made into.
func TestHoverCompressed(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc", Path: "scene"})
		b.At(s, "scene")
		b.Idle()
		file := s.Pane.Hex.Tabs[0]
		hover := func(row int64) {
			t.Helper()
			tree := s.Pane.Trees.Front(s.Pane.Trees.View())
			b.W.Shell.Win.Canvas().Capture() // which makes the rows
			b.Idle()
			at, size, ok := tree.RowRect(row)
			if !ok {
				t.Fatalf("row %d is not in sight", row)
			}
			e := &desktop.MouseEvent{}
			e.Position = at.Add(fyne.NewPos(size.Width/2, size.Height/2))
			tree.MouseMoved(e)
			b.Idle()
		}
		view := s.Pane.Trees.View()
		way := s.Pane.Trees.Sorted(view).Way(windowtest.MustLookup(t, s.Pane.Doc, "scene/upAxis"))
		s.Pane.Trees.Tree(view).Open(way[:2]) // the row of the fields
		b.Idle()
		const field = 6 // the row of the first one
		hover(field)
		lit := file.View.Hovered()
		if len(s.Pane.Hex.Tabs) != 1 || len(lit) == 0 || len(s.Pane.Hex.LitTabs.Objects) != 0 {
			t.Fatalf("%v is lit, with %d tabs, %d lines on them", lit, len(s.Pane.Hex.Tabs), len(s.Pane.Hex.LitTabs.Objects))
		}
		text, span := s.Pane.HoverText(t.Context(), file.Src, lit[0].Off)
		if !strings.Contains(text, "\n→ layout/FIELDS/reps@inflated/") || !span.Covers(file.Src, lit[0].Off) || span.Len > 64 {
			t.Errorf("a compressed byte is %q, %v", text, span)
		}
		s.Pane.Nav.GoTo("scene/metersPerUnit")
		b.At(s, "scene/metersPerUnit")
		b.Idle()
		hover(field)
		if got := file.View.Hovered(); !slices.Equal(got, lit) || s.Pane.Hex.Shown == file || len(s.Pane.Hex.LitTabs.Objects) != 1 {
			t.Errorf("behind %s %v is lit, with %d lines on tabs", s.Pane.Hex.Shown.Title(), got, len(s.Pane.Hex.LitTabs.Objects))
		}
		s.Pane.Trees.Front(s.Pane.Trees.View()).MouseOut()
		if got := file.View.Hovered(); len(got) > 0 || len(s.Pane.Hex.LitTabs.Objects) > 0 {
			t.Errorf("without the pointer %v is lit, with %d lines on tabs", got, len(s.Pane.Hex.LitTabs.Objects))
		}
	})
}

// TestOffsetsOfFile: an offset that decompressed bytes do not have is the file's with Enter once more, and where no node of the tree has
// that byte for its own the way to Layout is offered.
func TestOffsetsOfFile(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		s.Pane.Nav.GoTo("scene/metersPerUnit")
		b.At(s, "scene/metersPerUnit")
		b.Idle()
		derived := s.Pane.Hex.Shown
		off := s.Pane.Origin.Origins[0][0].Off // a byte that metersPerUnit was made from
		if off < derived.Src.Size() {
			t.Fatalf("%s has a byte at %#x", derived.Title(), off)
		}
		b.W.Place.GoTo(phrase.Hex(off))
		if !strings.HasSuffix(b.W.Place.Refused.Text, "; Enter once more goes there in File.") || s.Pane.Hex.Shown != derived {
			t.Fatalf("%q in %s", b.W.Place.Refused.Text, s.Pane.Hex.Shown.Title())
		}
		b.W.Place.GoTo("0x7fffffff")
		if !strings.Contains(b.W.Place.Refused.Text, ", and outside ") {
			t.Errorf("%q", b.W.Place.Refused.Text)
		}
		b.W.Place.GoTo(phrase.Hex(off))
		b.Idle()
		if s.Pane.Hex.Shown != s.Pane.Hex.Tabs[0] || s.Pane.Hex.Shown.View.Cursor() != off || b.W.Place.Refused.Visible() {
			t.Errorf("at %#x of %s, %q", s.Pane.Hex.Shown.View.Cursor(), s.Pane.Hex.Shown.Title(), b.W.Place.Refused.Text)
		}
		if v := s.Pane.Nav.Elsewhere(); v == nil || v.Name != "layout" || !s.Pane.Current().Node.Span().Covers(s.Pane.Hex.Shown.Src, off) || !b.W.Place.InTree.Visible() {
			t.Errorf("%s is shown of a compressed byte, elsewhere in %v", s.Pane.Current().Path(), v)
		}
		s.Pane.Nav.GoTo("scene/primChildren")
		b.At(s, "scene/primChildren")
		b.W.Place.GoTo(phrase.Hex(s.Pane.Current().Node.Span().Off)) // of the count in it, which the tree has no node for
		b.Idle()
		if s.Pane.Current().Path() != "scene/primChildren" || !b.W.Place.InTree.Visible() {
			t.Fatalf("%s is shown, the way to another tree: %t", s.Pane.Current().Path(), b.W.Place.InTree.Visible())
		}
		s.Pane.Nav.ShowInTree()
		b.Idle()
		if s.Pane.Trees.View().Name != "layout" || s.Pane.Current().Node.Span().Len != 8 {
			t.Errorf("%s is shown in %s", s.Pane.Current().Path(), s.Pane.Trees.View().Name)
		}
	})
}
