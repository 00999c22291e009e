package document

import (
	"fmt"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/ui/hexpane"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
)

// CursorMoved brings the place in the status bar and the location bar up to date.
func (s *Pane) CursorMoved() {
	if !s.host.InFront() || s.Hex == nil || s.Hex.Shown == nil {
		return
	}
	s.Side.Follow()
	t := s.Hex.Shown
	text := s.placeText(t)
	if s.Origin.OriginText != "" && s.current != nil && s.current.Node.Span().Source.Same(t.Src) {
		text += s.Origin.OriginText
	}
	path := ""
	if s.current != nil {
		path = s.current.Path()
	}
	s.host.ShowPlace(text+s.Trees.PickedText(), path)
}

// ownSpans returns the principal bytes of a node, or for a group all of its spans.
func (s *Pane) ownSpans(p *model.Place) []model.Span {
	if own := nodes.Principal(s.Ctx, &p.Node, s.Doc.Far()); len(own) > 0 {
		return own
	}
	return p.Node.Spans
}

// placeText says where in a source the selected bytes are, or the cursor, and how many bytes it is that the selected node has there.
func (s *Pane) placeText(t *hexpane.Tab) string {
	off, n := t.View.Selection()
	places := 0
	if n == 0 {
		off = t.View.Cursor()
		if s.current != nil {
			if own := s.ownSpans(s.current); len(own) > 0 && own[0].Source.Same(t.Src) && own[0].Off == off {
				n, places = nodes.Extent(own)
			}
		}
	}
	text := fmt.Sprintf("%#x (%s)", off, model.Grouped(off))
	if n > 0 {
		text += "  ·  " + phrase.Bytes(n)
	}
	if places > 1 {
		text += fmt.Sprintf(" in %d places", places)
	}
	return text + "  ·  " + phrase.Short(t.Title(), kit.LongestTab)
}

// logPlaces tells an end-to-end test where the row and the first byte of the selection are, once they are on the
// screen.
func (s *Pane) logPlaces(span model.Span) {
	about := s.about
	s.LogLater(task.ShownAfter, func() {
		if about.Err() == nil {
			logRow(s)
			logCell(s, span)
		}
	})
}

func logRow(s *Pane) {
	tree := s.Trees.Front(s.Trees.view)
	if row, size, ok := tree.CursorRect(); ok {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(tree).Add(row)
		s.Log.Write("row", at.X, at.Y, size.Width, size.Height)
	}
}

func logCell(s *Pane, span model.Span) {
	t := s.Hex.Shown
	if hex, text, ok := t.View.CellRect(span.Off); ok && t.Src.Same(span.Source) {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(t.View)
		fill := t.View.Colors().Selected
		s.Log.Write("cell", t.Src.Name(), span.Off, at.X+hex.X, at.Y+hex.Y, hex.Width, hex.Height,
			at.X+text.X, text.Width, t.View.BytesPerRow(), fmt.Sprintf("%02x%02x%02x", fill.R, fill.G, fill.B))
	}
}

// KeepDividers remembers where the dividers are.
func (s *Pane) KeepDividers() {
	s.Frame.keep()
	s.Lists.keep()
	s.Side.keep()
}
