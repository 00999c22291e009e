package document

import (
	"context"
	"fmt"

	"cutaway/model"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
)

// own is the bytes of the selected node: its principal bytes, or for a group those of its descendants.
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

// ownWords says which bytes are those of the selected node, or nothing while those of a group are not counted.
func (s *Pane) ownWords() string {
	p := s.current
	label := phrase.Short(nodes.Label(nodes.ItemOf(p)), longestOwner)
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
