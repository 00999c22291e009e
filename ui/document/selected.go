package document

import (
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/ui/card"
	"cutaway/ui/hexpane"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/stage"
	"cutaway/ui/task"
)

// A summary holds what card and stage show of a node, gathered in the background.
type summary struct {
	card *card.Detail
	way  []stage.Level
}

// describe shows a node at once, and its card and stage once their content is read. Until then they say that they wait.
func (s *Pane) describe(p *model.Place, how Showing) {
	again := s.Side.Card.Path() == p.Path() // there may be news
	if !again {
		s.wait(p, "reading…")
	}
	known := s.Stage.Known()
	s.Tasks.Try(s.about, "reading "+p.Label(), func(ctx context.Context, _ model.Progress) (func(), error) {
		got := &summary{way: s.Stage.Way(ctx, p, known, again)}
		got.card = s.Side.Card.Gather(ctx, p, got.way[0].Cards)
		return func() {
			s.summary, s.others = got, how.others
			s.Side.Card.Show(p, got.card)
			s.Frame.line.set(got.card.Title, got.card.Sentence)
			s.Lists.Refs.Set(p, got.card.Refs, how.others)
			s.Lists.refresh()
			s.Stage.Set(got.way)
			s.Stage.Resume(how.card, how.marked)
		}, nil
	})
}

// wait says why nothing is known of a node yet. The stage keeps its card.
func (s *Pane) wait(p *model.Place, why string) {
	s.summary = nil
	s.Side.Card.Wait(p, why)
	s.Frame.line.set(s.labelOf(p), why)
	s.Lists.Refs.Wait(p)
	s.Lists.refresh()
}

// stay follows another selection of the node that is shown already, whose panes stay as the user has them.
func (s *Pane) stay(p *model.Place, how Showing) {
	if !slices.Equal(s.others.Paths, how.others.Paths) {
		s.Lists.Refs.Set(p, s.summary.card.Refs, how.others)
		s.Lists.refresh()
	}
	s.others = how.others
	s.Stage.Unpick()
	s.Stage.Resume(how.card, how.marked)
}

// An own holds the bytes of the selected node: its principal bytes, or for a group those of its descendants.
type own struct {
	spans   []model.Span // none of a group
	counted bool         // a group's bytes are known
	reveal  bool         // a group's largest value is to be shown once it is known
}

// ownSpans returns the principal bytes of a node, or none for a group.
func (s *Pane) ownSpans(p *model.Place) []model.Span {
	return nodes.Principal(s.Ctx, &p.Node, s.Doc.Far())
}

// first returns the first of the selected node's bytes, without a source if it has none.
func (o *own) first() model.Span {
	if len(o.spans) == 0 {
		return model.Span{}
	}
	return o.spans[0]
}

// isWhole reports whether a span is all of its source.
func isWhole(at model.Span) bool {
	return at.Source != nil && at.Off == 0 && at.Len == at.Source.Size()
}

// showOwn marks the bytes of the selected node. With reveal they come into sight.
func (s *Pane) showOwn(reveal bool) {
	s.own = own{spans: s.ownSpans(s.current), reveal: reveal}
	s.Hex.Show(s.own.spans, reveal)
	s.showBelow()
	s.sayOwn()
}

// showBelow shows where the bytes of a group are, once they are counted: in the strips, and in the bytes its largest value.
func (s *Pane) showBelow() {
	src := s.Doc.Source()
	if s.current == nil || src == nil || len(s.own.spans) > 0 || s.own.counted {
		return
	}
	if s.current.Parent == nil {
		s.own.counted = true
		s.Hex.ShowBelow(src, [][2]int64{{0, src.Size()}}, src.Span(0, 0), s.own.reveal)
		return
	}
	n := s.Sizes.Below(s.current)
	if n == nil {
		return
	}
	s.own.counted = true
	below := n.Where.Ranges(src.Size())
	s.Hex.ShowBelow(src, below, model.Span{}, false)
	if !s.own.reveal {
		return
	}
	s.Tasks.Go(s.about, "", func(ctx context.Context, _ model.Progress) func() {
		top := n.Largest(1)
		if len(top) == 0 {
			return nil
		}
		p, err := s.Doc.Lookup(ctx, top[0].Path)
		if err != nil {
			return nil
		}
		spans := p.Node.PrincipalSpans(ctx)
		return func() {
			if len(spans) > 0 {
				s.Hex.ShowBelow(src, below, spans[0], true)
				s.CursorMoved()
			}
		}
	})
}

// labelOf returns the name that the tree shows for a node.
func (s *Pane) labelOf(p *model.Place) string {
	return s.Doc.View(nodes.ViewOf(p)).LabelOf(s.Ctx, p)
}

// ownWords says which bytes are those of the selected node, or nothing while those of a group are not counted.
func (s *Pane) ownWords() string {
	p := s.current
	label := phrase.Short(s.labelOf(p), longestOwner)
	src := s.Doc.Source()
	switch at := s.own.first(); {
	case isWhole(at):
		return "all " + phrase.Bytes(at.Len)
	case at.Source != nil:
		n, _ := nodes.Extent(s.own.spans)
		return fmt.Sprintf("%s of %s", phrase.Bytes(n), label)
	case p.Parent == nil && src != nil:
		return "all " + phrase.Bytes(src.Size())
	}
	if n := s.Sizes.Below(p); n != nil {
		return fmt.Sprintf("%s below %s", phrase.Bytes(n.Stored), label)
	}
	return ""
}

// longestOwner is the most characters of a node's name in the head of the bytes.
const longestOwner = 28

// sayOwn says which bytes are those of the selected node in the head of the bytes.
func (s *Pane) sayOwn() {
	at := s.own.first()
	s.Hex.Say(s.ownWords(), func() {
		if at.Source != nil {
			s.Nav.VisitSpan(at)
		}
	})
}

// ownCounted follows that more is known of sizes.
func (s *Pane) ownCounted() {
	if s.current != nil && len(s.own.spans) == 0 {
		s.showBelow()
		s.sayOwn()
		s.CursorMoved()
	}
}

// CursorMoved brings the place in the status bar and the location bar up to date.
func (s *Pane) CursorMoved() {
	if !s.host.InFront() || s.Hex == nil || s.Hex.Shown == nil {
		return
	}
	s.Side.Follow()
	t := s.Hex.Shown
	text := s.placeText(t)
	if s.Origin.OriginText != "" && s.current != nil && s.own.first().Source.Same(t.Src) {
		text += s.Origin.OriginText
	}
	path := ""
	if s.current != nil {
		path = s.current.Path()
	}
	s.host.ShowPlace(text+s.Trees.PickedText(), path)
}

// placeText returns the offset of the selected bytes or the cursor, and the number of the bytes that are selected or the node's.
func (s *Pane) placeText(t *hexpane.Tab) string {
	off, n := t.View.Selection()
	places := 0
	if n == 0 {
		off = t.View.Cursor()
		if at := s.own.first(); at.Source.Same(t.Src) && at.Source != nil && at.Off == off {
			n, places = nodes.Extent(s.own.spans)
		}
	}
	text := fmt.Sprintf("%#x (%s)", off, model.Grouped(off))
	switch {
	case n > 0:
		text += "  ·  " + phrase.Bytes(n)
	case s.current != nil && len(s.own.spans) == 0 && s.ownWords() != "":
		text += "  ·  " + s.ownWords()
	}
	if places > 1 {
		text += fmt.Sprintf(" in %d places", places)
	}
	return text + "  ·  " + phrase.Short(t.Title(), kit.LongestTab)
}

// logPlaces logs the places of the selected row and byte for end-to-end tests, once they are on the screen.
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
	s.Frame.storeDivider()
	s.Lists.storeDivider()
	s.Side.storeDivider()
}
