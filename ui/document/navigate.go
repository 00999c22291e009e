package document

import (
	"context"

	"cutaway/model"
)

// GoToAgain goes to a path that was there before, if it still is.
func (s *Pane) GoToAgain(path string) {
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.Doc.Lookup(ctx, path)
		if err != nil {
			return func() {}, ctx.Err()
		}
		return func() { s.Show(p, Showing{tree: true, hex: true}) }, nil
	})
}
