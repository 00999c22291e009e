package odin

import (
	"context"
	"slices"
	"sort"

	"cutaway/model"
)

// survey finds the entries of a binary stream whose nodes may have a problem, in one pass: by the rules of their records
// and of the stream, and by the nesting. What it is not sure of it takes as odd, and the nodes tell.
type survey struct {
	s     *stream
	heads heads
	nodes nodeIDs
	open  []openFrame
	odd   []uint32
}

// openFrame is a container around the present entry.
type openFrame struct {
	entry, last int64
	children    int64
	announced   int64 // of an array
	array       bool
	named       bool // it begins with a named string, which may say what is in it
}

// maxOdd bounds the odd entries that are kept. A stream with more is gone through node by node.
const maxOdd = 1 << 20

// oddEntries are in ascending order. Where they are too many, all is odd.
func (s *stream) oddEntries(ctx context.Context, progress model.Progress) (odd []uint32, all bool, err error) {
	got, err := s.odd.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*[]uint32, error) {
		if err := s.all(ctx, progress); err != nil {
			return nil, err
		}
		v := &survey{s: s, heads: newHeads(s)}
		if err := v.pass(ctx, progress); err != nil {
			return nil, err
		}
		slices.Sort(v.odd)
		return &v.odd, nil
	})
	if err != nil {
		return nil, false, err
	}
	return *got, len(*got) > maxOdd, nil
}

func (v *survey) pass(ctx context.Context, progress model.Progress) error {
	x := &v.s.x // scanned to its end, so it stays as it is
	var h head
	for i, at := int64(0), x.start; i < x.n && len(v.odd) <= maxOdd; i++ {
		if i%scanBatch == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(i, x.n, "checking the entries")
		}
		if !v.heads.read(ctx, i, at, &h) {
			for ; i < x.n && len(v.odd) <= maxOdd; i++ {
				v.add(i)
			}
			return nil
		}
		v.entry(ctx, i, at, &h)
		at = h.end
	}
	return nil
}

func (v *survey) add(i int64) { v.odd = append(v.odd, uint32(i)) }

func (v *survey) entry(ctx context.Context, i, at int64, h *head) {
	x := &v.s.x
	for n := len(v.open); n > 0 && v.open[n-1].last < i; n-- {
		v.open = v.open[:n-1] // never closed, which is odd
	}
	isEnd := h.code.kind == kEndNode || h.code.kind == kEndArray
	if n := len(v.open); n > 0 {
		top := &v.open[n-1]
		if isEnd && top.last == i {
			v.close(ctx, top)
			v.open = v.open[:n-1]
			return
		}
		if top.children++; top.children == 1 {
			top.named = h.code.kind == kString && h.code.named
		}
	}
	_, deep := x.deep[i]
	if isEnd || deep || x.unclosed[i] || !v.sound(i, at, h) {
		v.add(i)
	}
	if c := x.class(i); c != plain {
		v.open = append(v.open, openFrame{entry: i, last: x.last(i), array: c == array, announced: h.announced})
	}
}

// close compares what an array announces with what it holds.
func (v *survey) close(ctx context.Context, f *openFrame) {
	switch {
	case !f.array:
	case f.named:
		e := v.s.entry(ctx, f.entry)
		if _, bad := v.s.arrayProblem(ctx, &e, model.Span{}); bad {
			v.add(f.entry)
		}
	case f.children != f.announced:
		v.add(f.entry)
	}
}

// sound reports whether no rule of the entry's record and none of the stream is broken. References are looked up among
// the ids so far, which is faster than finding each again.
func (v *survey) sound(i, at int64, h *head) bool {
	if h.code.kind == kRefNode && h.node >= 0 {
		v.nodes.add(int64(h.node), i)
	}
	if h.object != nil {
		return h.object.Sound(v.heads.r)
	}
	switch h.code.kind {
	case kInternal:
		_, ok := v.nodes.find(int64(h.ref))
		return ok
	case kRefNode, kStructNode:
		_, odd := v.s.typeFault(i, h.tag, h.typeID)
		return !odd && !v.s.x.backNodes[i]
	}
	if !h.code.checked {
		return true
	}
	o := v.s.object(v.heads.r, i, at, h.end)
	defer o.Release(v.heads.r)
	return o.Sound(v.heads.r)
}

// Survey implements model.Surveyor.
func (k *kids) Survey(ctx context.Context, progress model.Progress) (c model.Coverage, plain bool, err error) {
	if _, binary := k.s.form.(*binaryForm); !binary || !k.layout || k.Pending() {
		return c, false, nil
	}
	odd, all, err := k.s.oddEntries(ctx, progress)
	if err != nil || all {
		return c, false, err
	}
	x := &k.s.x
	at := k.s.whole()
	first, last := max(k.c, 0), x.last(k.c)
	if k.c != rootEntry {
		at = k.s.span(k.c)
	} else if x.start != at.Off || x.end != at.End() {
		return c, false, nil // what cannot be followed is told behind the entries
	}
	if n := sort.Search(len(odd), func(n int) bool { return int64(odd[n]) >= first }); n < len(odd) && int64(odd[n]) <= last {
		return c, false, nil
	}
	return model.Coverage{Explained: at.Len}, true, nil
}
