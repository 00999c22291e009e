package usdc

import (
	"context"
	"fmt"
	"slices"

	"cutaway/model"
)

// check reports what a walk over the layout does not see.
func (c *crate) check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	if err := checkSpecs(ctx, c, c, progress, report); err != nil {
		return err
	}
	return c.checkValues(ctx, progress, report)
}

// stats are bytes and counts by section, by value type or by subtree: each prim under the root with all below it.
func (c *crate) stats(ctx context.Context, by string, progress model.Progress) ([]model.Stat, error) {
	switch by {
	case "section":
		return c.sectionStats(ctx, progress)
	case "type":
		return c.valueStats(ctx, progress)
	case "subtree":
		return c.subtreeStats(ctx, progress)
	}
	return nil, fmt.Errorf("there are no statistics by %q", by)
}

// sectionStats counts the entries of each section, and what else the file consists of; logical bytes are those after
// decompression.
func (c *crate) sectionStats(ctx context.Context, progress model.Progress) ([]model.Stat, error) {
	var stats []model.Stat
	values, err := c.scanValues(ctx, progress)
	if err != nil {
		return nil, err
	}
	parts, _ := c.root.Len(ctx)
	for i := range parts {
		part := c.root.At(ctx, i)
		stat := model.Stat{Key: part.Name, Count: 1, Stored: part.Span().Len, Logical: part.Span().Len + values.grownBy(part.Name)}
		if part.Name == "toc" {
			stat.Count = int64(len(c.toc.sections))
		} else if slices.Contains(required[:], part.Name) {
			stat.Count, _ = c.sectionCount(ctx, part.Name)
		}
		buffers, err := c.buffersOf(ctx, part.Name, progress)
		if err != nil {
			return nil, err
		}
		for _, b := range buffers {
			in, err := b.inflate(ctx)
			if err != nil {
				return nil, err
			}
			stat.Logical += in.src.Size() - b.span.Len
		}
		stats = append(stats, stat)
	}
	return stats, nil
}
