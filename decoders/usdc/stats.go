package usdc

import (
	"context"

	"cutaway/model"
)

func (c *crate) stats(ctx context.Context, by string, progress model.Progress) ([]model.Stat, error) {
	return nil, nil
}

func (c *crate) check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	return nil
}
