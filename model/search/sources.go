package search

import (
	"context"
	"errors"
	"slices"

	"cutaway/model"
)

// EverySource searches all sources of the document: its files and their derived sources, such as decompressed sections
// and payloads, which are made when the walk over the layout reaches them. It searches each source once, as Bytes does.
// If a derived source is incomplete because of damage, the search ends with an *Unread. progress receives the bytes of
// the current source, and its title.
func EverySource(ctx context.Context, doc *model.Document, p *Pattern, progress model.Progress, found func(ctx context.Context, src *model.Source, off, length int64) error) error {
	var unread Unread
	one := func(src *model.Source) error {
		report := func(done, total int64, _ string) { progress.Report(done, total, src.Title()) }
		err := Bytes(ctx, src, p, 0, -1, report, func(off, length int64) error { return found(ctx, src, off, length) })
		var left *Unread
		if !errors.As(err, &left) {
			return err
		}
		unread.merge(left)
		return nil
	}
	for _, src := range doc.Sources {
		if err := one(src); err != nil {
			return err
		}
	}
	walk := model.WalkOptions{Resolve: true, Derived: true, Progress: progress}
	err := model.Walk(ctx, doc.View(model.LayoutView).Place(ctx), walk, func(at *model.Place) error {
		derived := at.Index < 0 && at.Of != nil
		known := derived && isDamaged(at.Parent) // its owner was counted
		if (derived || len(at.Node.Derived) > 0) && isDamaged(at) && !known {
			if unread.Damaged++; unread.Path == "" {
				unread.Path = at.Path()
			}
		}
		if derived {
			return one(at.Of)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return unread.err()
}

func isDamaged(at *model.Place) bool {
	return slices.ContainsFunc(at.Node.Problems, func(p model.Problem) bool { return p.Kind.Severity() == model.Error })
}
