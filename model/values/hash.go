package values

import (
	"context"
)

// Hash returns the xxHash64 of a column's values, as in Facts.
func Hash(ctx context.Context, c *Column) (uint64, error) {
	s := newStats(c)
	s.components = nil // skip their statistics
	if s.words != nil {
		s.words.stopped, s.words.said = true, nil
	}
	err := s.run(ctx, nil)
	if _, unlike := err.(errUnlike); unlike {
		return Hash(ctx, c.mixed())
	}
	return s.hash.Sum64(), err
}
