package omnilive

import (
	"sort"

	"cutaway/model"
)

// rows is items of different sizes; every itemStep-th place is kept. It implements model.Children, and finds a
// byte's item through the places.
type rows struct {
	v        *values
	s        *shape
	off, end int64
	count    int64
	depth    int
	places   []int64 // of items 0, itemStep, …
}

// newRows finds the places of items that were measured.
func (v *values) newRows(s *shape, off, end, count int64, depth int) *rows {
	x := &rows{v: v, s: s, off: off, end: end, count: count, depth: depth}
	r := v.b.Reader()
	defer v.b.Release(r)
	for i := range count {
		if i%itemStep == 0 {
			x.places = append(x.places, off)
		}
		off, _ = v.measure(r, s, off, end)
	}
	return x
}

// place is the range of item i.
func (x *rows) place(i int64) (off, end int64) {
	r := x.v.b.Reader()
	defer x.v.b.Release(r)
	off = x.places[i/itemStep]
	for range i % itemStep {
		off, _ = x.v.measure(r, x.s, off, x.end)
	}
	end, _ = x.v.measure(r, x.s, off, x.end)
	return off, end
}

// Len implements model.Children.
func (x *rows) Len() (int64, bool) { return x.count, true }

// At implements model.Children.
func (x *rows) At(i int64) model.Node {
	off, end := x.place(i)
	return x.v.group(model.IndexName(i), x.s, off, end, x.depth)
}

// Index implements model.Indexer.
func (x *rows) Index(name string) (int64, bool) {
	i, ok := model.ParseIndex(name)
	return i, ok && i < x.count
}

// Locate implements model.Locator.
func (x *rows) Locate(src *model.Source, off int64) (int64, bool) {
	if !src.Same(x.v.src) || off < x.off || off >= x.end {
		return 0, false
	}
	step := int64(sort.Search(len(x.places), func(i int) bool { return x.places[i] > off }) - 1)
	for i := step * itemStep; i < x.count; i++ {
		if lo, hi := x.place(i); off >= lo && off < hi {
			return i, true
		}
	}
	return 0, false
}
