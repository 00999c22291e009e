package document

import (
	"context"
	"slices"

	"cutaway/model"
	"cutaway/ui/card"
	"cutaway/ui/stage"
)

// told is what is said of a node, gathered in the background.
type told struct {
	card *card.Detail
	way  []stage.Level
}

// tell shows a node: what it is at once, and what is said of it when that is read. Until then nothing says what another node was.
func (s *Pane) tell(p *model.Place, how Showing) {
	anew := s.Side.Card.Path() == p.Path() // more may be known of it
	if !anew {
		s.wait(p, "reading…")
	}
	known := s.Stage.Known()
	s.Tasks.Try(s.about, "reading "+p.Label(), func(ctx context.Context, _ model.Progress) (func(), error) {
		got := &told{way: s.Stage.Way(ctx, p, known, anew)}
		got.card = s.Side.Card.Gather(ctx, p, got.way[0].Cards)
		return func() {
			s.told, s.others = got, how.others
			s.Side.Card.Show(p, got.card)
			s.Frame.line.set(p, got.card.Sentence)
			s.Lists.Refs.Set(p, got.card.Refs, how.others)
			s.Lists.again()
			s.Stage.Set(got.way)
			s.Stage.Resume(how.card, how.marked)
		}, nil
	})
}

// wait shows that nothing is known of a node yet, and why. The stage keeps its card.
func (s *Pane) wait(p *model.Place, why string) {
	s.told = nil
	s.Side.Card.Wait(p, why)
	s.Frame.line.set(p, why)
	s.Lists.Refs.Wait(p)
	s.Lists.again()
}

// stay follows that the node is selected again which is shown already: what is shown of it stays as the user has it.
func (s *Pane) stay(p *model.Place, how Showing) {
	if !slices.Equal(s.others.Paths, how.others.Paths) {
		s.Lists.Refs.Set(p, s.told.card.Refs, how.others)
		s.Lists.again()
	}
	s.others = how.others
	s.Stage.Unpick()
	s.Stage.Resume(how.card, how.marked)
}
