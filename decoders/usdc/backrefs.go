package usdc

import (
	"context"

	"cutaway/model"
)

func (c *crate) referencedBy(ctx context.Context, path string, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	return nil, 0, nil
}

func (c *crate) findInScene(ctx context.Context, s model.Span) ([]string, error)    { return nil, nil }
func (c *crate) findInPathTree(ctx context.Context, s model.Span) ([]string, error) { return nil, nil }
