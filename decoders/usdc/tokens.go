package usdc

import (
	"context"

	"cutaway/model"
)

// tokens is the token table (chapter 6).
type tokens struct {
	claimed int64
}

func (c *crate) tokens(ctx context.Context, progress model.Progress) (*tokens, error) {
	return c.tokenTable.get(ctx, progress, func(context.Context, model.Progress) (*tokens, error) { return &tokens{}, nil })
}

func (t *tokens) text(i uint32) (string, error) { return "", outOfRange("token", i, t.claimed) }
