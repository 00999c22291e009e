package document

import (
	"context"

	"cutaway/model"
	"cutaway/ui/filter"
	"cutaway/ui/nodes"
)

// OpenBranches lists the paths of open branches of all trees, those above before those below, at most limit of each tree.
func (s *Pane) OpenBranches(limit int) []string {
	var paths []string
	for _, v := range s.Doc.Views {
		t := s.trees[v.Name]
		if t == nil {
			continue
		}
		for _, it := range t.OpenInSight(limit) {
			if p := filter.PlaceOf(it); !p.IsStub() && p.Place.Parent != nil {
				paths = append(paths, p.Path())
			}
		}
	}
	return paths
}

// ComeBack opens branches that were open before, and goes to the node that was selected, as far as they are still there.
func (s *Pane) ComeBack(branches []string, path string) {
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		var open []*model.Place
		for _, b := range branches {
			if p, err := s.Doc.Lookup(ctx, b); err == nil {
				open = append(open, p)
			}
		}
		return func() {
			for _, p := range open {
				if v := s.Doc.View(nodes.ViewOf(p)); v != nil {
					t := s.Tree(v)
					t.Open(s.sorted[v.Name].Way(p))
				}
			}
			if path != "" {
				s.GoToAgain(path)
			}
		}, ctx.Err()
	})
}
