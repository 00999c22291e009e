package values

import (
	"context"
)

// Hash is the xxHash64 of a column's values, as Facts have it.
func Hash(ctx context.Context, c *Column) (uint64, error) {
	s := newStats(c)
	s.components = nil // their statistics are not asked for
	if s.words != nil {
		s.words.stopped, s.words.said = true, nil
	}
	err := s.run(ctx, nil)
	if _, unlike := err.(errUnlike); unlike {
		return Hash(ctx, c.mixed())
	}
	return s.hash.Sum64(), err
}
