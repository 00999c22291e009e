package stage

import (
	"context"

	"cutaway/model"
	"cutaway/ui/cards"
)

// How much of a document is looked at for the kinds of cards that its nodes have: so many nodes, and of each so many children, fewer the
// deeper it is. Kinds that are found later, by going there, get their places then.
const (
	mostSurveyed = 600
	broad, few   = 32, 4
	deep         = 12
)

// Survey finds the kinds of cards that nodes of a view have, in the background, so that the strip has them from the beginning. Nothing
// is read of a file of a server for that.
func (p *Pane) Survey(v *model.View) {
	if p.Doc.Far() {
		return
	}
	p.Tasks.Go(p.Ctx, "", func(ctx context.Context, _ model.Progress) func() {
		s := &survey{left: mostSurveyed, kinds: make(map[string]map[string]bool)}
		s.look(ctx, v.Place(ctx), 0)
		return func() {
			for kind, names := range s.kinds {
				for name := range names {
					p.note(map[string]string{kind: name})
				}
			}
			p.arrange()
			p.Log.Write("surveyed", mostSurveyed-s.left)
		}
	})
}

// A survey collects the kinds of cards that were found so far.
type survey struct {
	left  int // nodes that may still be looked at
	kinds map[string]map[string]bool
}

// look looks at a node, and at some of those below it.
func (s *survey) look(ctx context.Context, at *model.Place, depth int) {
	if s.left--; s.left < 0 || ctx.Err() != nil {
		return
	}
	found := cards.Found{}
	if at.Node.Cards != nil {
		found.Cards = at.Node.Cards(ctx)
	}
	for kind, name := range found.Offered() {
		s.add(kind, name)
	}
	if a, is := at.Node.Value.(model.Array); is && a.Len() > 0 {
		s.add("Table", "Table")
		s.add("Plot", "Plot")
		return
	}
	if at.Node.IsPending() { // decoding it is for those who go there
		return
	}
	n, _ := at.Len(ctx)
	if depth == deep || at.Node.Elements {
		return
	}
	most := int64(few)
	if depth < 2 {
		most = broad
	}
	for i := range min(n, most) {
		s.look(ctx, at.Child(ctx, i), depth+1)
	}
}

func (s *survey) add(kind, name string) {
	if s.kinds[kind] == nil {
		s.kinds[kind] = make(map[string]bool)
	}
	s.kinds[kind][name] = true
}
