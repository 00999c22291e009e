package document

import (
	"context"

	"fyne.io/fyne/v2/theme"

	"cutaway/model"
)

// OpenDerived opens what is derived from a node in a tab of its own.
func (s *Pane) OpenDerived(p *model.Place, k int) {
	der := p.Node.Derived[k]
	s.Tasks.Try(s.Ctx, "opening "+der.Title, func(ctx context.Context, _ model.Progress) (func(), error) {
		src, _, err := der.Open(ctx)
		if err != nil {
			return nil, err
		}
		return func() { s.host.OpenPart(der.Title, src.Whole()) }, nil
	})
}

// chosenSpan is the bytes that are selected in the hex pane, else those of the selected node there.
func (s *Pane) chosenSpan() (model.Span, bool) {
	t := s.Hex.Shown
	if off, n := t.View.Selection(); n > 0 {
		return t.Src.Span(off, n), true
	}
	if s.current != nil {
		if span := s.current.Node.Span(); span.Len > 0 && span.Source.Same(t.Src) {
			return span, true
		}
	}
	return model.Span{}, false
}

// DecodeSelection decodes the bytes that are selected.
func (s *Pane) DecodeSelection() {
	if at, ok := s.chosenSpan(); ok {
		s.host.DecodeSpan(at)
	} else {
		s.TellWords("No bytes are selected", theme.InfoIcon(), "Drag over bytes, or select a node that has some, and try again.")
	}
}
