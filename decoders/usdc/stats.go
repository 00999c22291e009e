package usdc

import (
	"context"
	"fmt"
	"slices"

	"cutaway/decoders/usda/data"
	"cutaway/decoders/usdc/scene"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/verdict"
	"cutaway/model"
)

// check reports what a walk over the layout does not see.
func (d *document) check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	if err := verdict.Check(ctx, d.crate, d.values, progress, report); err != nil {
		return err
	}
	if t := &d.crate.Contents; t.Known {
		if end := t.Node.Span().End(); end < d.crate.Size {
			report(d.crate.Layout+"/toc", model.Problemf(model.Assumed, "usdc.toc.not-last", d.crate.Src.Span(end, d.crate.Size-end),
				"%s after the table of contents, which the standard has at the end of the file", model.GroupedCount(d.crate.Size-end, "byte")))
		}
	}
	return d.values.Check(ctx, progress, report)
}

// checkData reports what is wrong with the data of the scene.
func (d *document) checkData(ctx context.Context, root bool, progress model.Progress, report func(path string, p model.Problem)) error {
	dull, err := d.scene.Dull(ctx, progress)
	if err != nil || dull == nil && !root {
		return err
	}
	if err := d.scene.Top.Resolve(ctx, progress); err != nil {
		return err
	}
	return data.Check(ctx, &data.Layer{View: scene.View, Children: d.scene.Top.Resolved(), Dull: dull}, root, progress, report)
}

// stats returns bytes and counts by section, by value type or by subtree: each prim under the root with all below it.
func (d *document) stats(ctx context.Context, by string, progress model.Progress) ([]model.Stat, error) {
	switch by {
	case "section":
		return d.sectionStats(ctx, progress)
	case "type":
		return d.values.Stats(ctx, progress)
	case "subtree":
		return d.scene.SubtreeStats(ctx, progress)
	}
	return nil, fmt.Errorf("there are no statistics by %q", by)
}

// sectionStats counts the entries of each section, and what else the file consists of; logical bytes are those after
// decompression.
func (d *document) sectionStats(ctx context.Context, progress model.Progress) ([]model.Stat, error) {
	var stats []model.Stat
	values, err := d.values.Scan(ctx, progress)
	if err != nil {
		return nil, err
	}
	parts, _ := d.root.Len(ctx)
	for i := range parts {
		part := d.root.At(ctx, i)
		stat := model.Stat{Key: part.Name, Count: 1, Stored: part.Span().Len, Logical: part.Span().Len + values.GrownBy(part.Name)}
		if part.Name == "toc" {
			stat.Count = int64(len(d.crate.Contents.Sections))
		} else if slices.Contains(table.Required[:], part.Name) {
			stat.Count, _ = d.crate.SectionCount(ctx, part.Name)
		}
		buffers, err := d.crate.Buffers(ctx, part.Name, progress)
		if err != nil {
			return nil, err
		}
		for _, b := range buffers {
			in, err := b.Inflate(ctx)
			if err != nil {
				return nil, err
			}
			stat.Logical += in.Src.Size() - b.Span.Len
		}
		stats = append(stats, stat)
	}
	return stats, nil
}
