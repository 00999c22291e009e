package usdc

import (
	"context"

	"cutaway/model"
)

// stringTable is the table of strings (chapter 6): token indexes.
type stringTable struct{ count int64 }

func (c *crate) strings(ctx context.Context, progress model.Progress) (*stringTable, error) {
	return c.stringTable.get(ctx, progress, func(context.Context, model.Progress) (*stringTable, error) { return &stringTable{}, nil })
}

// token is the token index of string i.
func (s *stringTable) token(i uint32) (uint32, error) { return 0, outOfRange("string", i, s.count) }
