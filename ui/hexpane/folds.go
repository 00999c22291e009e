package hexpane

import (
	"cmp"
	"context"
	"slices"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/inspect"
	"cutaway/ui/task"
)

// Limits on folds. Nothing is read for folds from a server's file, nor from a derived source above largestProfiled.
const (
	leastRun     = 64     // bytes of a run or gap
	mostFolds    = 10_000 // runs, the longest ones
	mostNodes    = 20_000 // of the layout that are searched for gaps, the upper ones first
	mostChildren = 4_000  // of a node that are searched for gaps
)

// A folding finds the bytes of a source that can be folded: runs of equal bytes, and gaps in the layout.
type folding struct {
	pane   *Pane
	src    *model.Source
	ctx    context.Context
	end    context.CancelFunc
	runs   []inspect.Run
	gaps   []hexview.Range // bytes that the layout does not explain
	asking task.Latest     // the search for gaps
}

// Fold folds runs and gaps in the tabs, or unfolds them, as the user has set. It finds them in the background, once for
// a source.
func (p *Pane) Fold() {
	p.foldings = slices.DeleteFunc(p.foldings, func(f *folding) bool {
		if p.Store.Fold && slices.ContainsFunc(p.All(), func(t *Tab) bool { return t.Src.Same(f.src) }) {
			return false
		}
		f.end()
		return true
	})
	if !p.Store.Fold {
		return
	}
	for _, t := range p.All() {
		f := p.foldingOf(t.Src)
		if f == nil {
			f = &folding{pane: p, src: t.Src}
			f.ctx, f.end = context.WithCancel(p.Ctx)
			p.foldings = append(p.foldings, f)
			f.findGaps()
			f.findRuns()
		}
		t.View.SetFolds(f.folds())
	}
}

func (p *Pane) foldingOf(src *model.Source) *folding {
	if i := slices.IndexFunc(p.foldings, func(f *folding) bool { return f.src.Same(src) }); i >= 0 {
		return p.foldings[i]
	}
	return nil
}

// findRuns finds runs of equal bytes.
func (f *folding) findRuns() {
	p := f.pane
	if f.src.Far() || f.src.Origin() != nil && f.src.Size() > largestProfiled {
		return
	}
	p.Tasks.Go(f.ctx, "Finding equal bytes", func(ctx context.Context, progress model.Progress) func() {
		all := inspect.Runs(ctx, f.src, leastRun, mostFolds, progress, func(some []inspect.Run) {
			p.Tasks.Show(f.ctx, func() { f.setRuns(some) })
		})
		return func() {
			f.setRuns(all)
			p.Log.Write("folds", f.src.Name(), len(all))
		}
	})
}

func (f *folding) setRuns(runs []inspect.Run) {
	f.runs = runs
	f.show()
}

// findGaps finds bytes that the layout does not explain, as far as the layout is decoded.
func (f *folding) findGaps() {
	p := f.pane
	p.Tasks.Go(f.asking.Next(f.ctx), "", func(ctx context.Context, _ model.Progress) func() {
		found := unexplained(ctx, p.Doc, f.src)
		return func() {
			if !slices.Equal(f.gaps, found) {
				f.gaps = found
				f.show()
			}
		}
	})
}

// show folds the runs and gaps so far in the tabs.
func (f *folding) show() {
	folds := f.folds()
	for _, t := range f.pane.All() {
		if t.Src.Same(f.src) {
			t.View.SetFolds(folds)
		}
	}
}

// folds returns the runs and gaps so far in the order that a view needs.
func (f *folding) folds() []hexview.Fold {
	all := make([]hexview.Fold, 0, len(f.runs)+len(f.gaps))
	for _, r := range f.runs {
		all = append(all, hexview.Fold{Range: hexview.Range{Off: r.Off, Len: r.Len}, Equal: true, Byte: r.Byte})
	}
	for _, r := range f.gaps {
		all = append(all, hexview.Fold{Range: r})
	}
	slices.SortStableFunc(all, func(a, b hexview.Fold) int {
		return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(b.Len, a.Len))
	})
	return all
}

// unexplained returns the ranges of src that the layout marks as unknown or unreferenced, unless a range is all of src.
// It decodes nothing.
func unexplained(ctx context.Context, doc *model.Document, src *model.Source) []hexview.Range {
	root, err := doc.Lookup(ctx, src.LayoutPath())
	if err != nil {
		return nil
	}
	var found []hexview.Range
	places := []*model.Place{root}
	for i := 0; i < len(places) && ctx.Err() == nil; i++ {
		n := &places[i].Node
		s := n.Span()
		if n.Role == model.Unknown || n.Role == model.Unreferenced {
			if s.Source.Same(src) && s.Len >= leastRun && s.Len < src.Size() {
				found = append(found, hexview.Range{Off: s.Off, Len: s.Len})
			}
			continue
		}
		if n.Elements || n.IsPending() || n.Children == nil {
			continue
		}
		count, _ := places[i].Len(ctx)
		for k := range min(count, mostChildren, int64(mostNodes-len(places))) {
			places = append(places, places[i].Child(ctx, k))
		}
	}
	slices.SortFunc(found, func(a, b hexview.Range) int { return cmp.Compare(a.Off, b.Off) })
	return found
}
