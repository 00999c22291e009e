package ui

import (
	"context"

	"cutaway/model"
)

// goToAgain goes to a path that was there before, if it still is.
func (s *document) goToAgain(path string) {
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.Doc.Lookup(ctx, path)
		if err != nil {
			return func() {}, ctx.Err()
		}
		return func() { s.show(p, showing{tree: true, hex: true}) }, nil
	})
}
