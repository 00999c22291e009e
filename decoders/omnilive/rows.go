package omnilive

import (
	"context"
	"sort"

	"cutaway/model"
)

// rows is items of different sizes; the place of every so many is kept. It implements model.Children, and finds a
// byte's item through the places.
type rows struct {
	v        *values
	s        *shape
	off, end int64
	count    int64
	depth    int
	places   []int64 // of items 0, placeStep, …
}

// placeStep is every so many items the place of one is kept: of very many fewer, so that they take little memory.
func placeStep(count int64) int64 {
	if count > 1<<20 {
		return 256
	}
	return 16
}

// find measures the items, which may be many. The error is ctx's.
func (x *rows) find(ctx context.Context, progress model.Progress) (model.Children, error) {
	sc := x.v.longScan(ctx, progress, x.off, x.end)
	defer x.v.release(sc)
	found := *x
	found.places = nil
	x.v.measureItems(sc, x.s, x.off, x.end, x.count, &found.places)
	return &found, sc.err
}

// place is the range of item i.
func (x *rows) place(ctx context.Context, i int64) (off, end int64) {
	sc := x.v.scan(ctx)
	defer x.v.release(sc)
	step := placeStep(x.count)
	off = x.places[i/step]
	for range i % step {
		off, _ = x.v.measure(sc, x.s, off, x.end)
	}
	end, _ = x.v.measure(sc, x.s, off, x.end)
	return off, end
}

// span is place as a span.
func (x *rows) span(ctx context.Context, i int64) model.Span {
	off, end := x.place(ctx, i)
	return x.v.src.Span(off, end-off)
}

// Len implements model.Children.
func (x *rows) Len(context.Context) (int64, bool) { return x.count, true }

// At implements model.Children.
func (x *rows) At(ctx context.Context, i int64) model.Node {
	off, end := x.place(ctx, i)
	return x.v.group(ctx, model.IndexName(i), x.s, off, end, x.depth)
}

// Find implements model.Finder.
func (x *rows) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return x.locate(ctx, q.Source, q.Off)
	}
	return x.index(ctx, q.Name)
}

func (x *rows) index(_ context.Context, name string) (int64, bool) {
	i, ok := model.ParseIndex(name)
	return i, ok && i < x.count
}

func (x *rows) locate(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(x.v.src) || off < x.off || off >= x.end {
		return 0, false
	}
	k := int64(sort.Search(len(x.places), func(i int) bool { return x.places[i] > off }) - 1)
	sc := x.v.scan(ctx)
	defer x.v.release(sc)
	for i, at := k*placeStep(x.count), x.places[k]; i < x.count; i++ {
		next, _ := x.v.measure(sc, x.s, at, x.end)
		if off >= at && off < next {
			return i, true
		}
		at = next
	}
	return 0, false
}
