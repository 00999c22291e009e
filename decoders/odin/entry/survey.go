package entry

import (
	"context"
	"slices"
	"sort"

	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// A survey finds the entries of a binary stream whose nodes may have a problem, in one pass. It knows the rules of
// their records and of the stream, and their nesting. Entries that it cannot decide are odd: their nodes have the
// problem or none.
type survey struct {
	s       *Stream
	r       *grammar.Reading
	nodes   NodeIDs
	open    []openFrame
	unruled [256]bool // ids of entries that no rule is about, besides their names
	odd     []uint32
	all     bool
}

// An openFrame is a container around the current entry.
type openFrame struct {
	entry, last int64
	children    int64
	announced   int64 // of an array
	array       bool
	named       bool // it begins with a named string, which may describe the rest
}

// maxOdd bounds the odd entries that are kept. A stream with more is checked node by node.
const maxOdd = 1 << 20

// oddEntries returns the odd entries in ascending order. all reports that they are too many, or that one could not be
// read.
func (s *Stream) oddEntries(ctx context.Context, progress model.Progress) (odd []uint32, all bool, err error) {
	got, err := s.odd.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*survey, error) {
		v := &survey{s: s, r: grammar.NewReading(ctx, grammar.Near)}
		err := s.Each(ctx, progress, "checking the entries", func(h *Head) { v.entry(ctx, h) })
		v.all = err != nil || len(v.odd) > maxOdd
		slices.Sort(v.odd)
		return v, ctx.Err()
	})
	if err != nil {
		return nil, false, err
	}
	return got.odd, got.all, nil
}

// add adds an odd entry.
func (v *survey) add(i int64) {
	if len(v.odd) <= maxOdd {
		v.odd = append(v.odd, uint32(i))
	}
}

// entry looks at the next entry.
func (v *survey) entry(ctx context.Context, h *Head) {
	x, i := &v.s.x, h.Number // scanned to its end, so it stays as it is
	for n := len(v.open); n > 0 && v.open[n-1].last < i; n-- {
		v.open = v.open[:n-1] // never closed, which is odd
	}
	isEnd := h.Kind == kind.EndOfNode || h.Kind == kind.EndOfArray
	if n := len(v.open); n > 0 {
		top := &v.open[n-1]
		if isEnd && top.last == i {
			v.close(ctx, top)
			v.open = v.open[:n-1]
			return
		}
		if top.children++; top.children == 1 {
			top.named = h.Kind == kind.String && kind.Codes[h.id].Named
		}
	}
	_, deep := x.deep[i]
	if isEnd || deep || x.unclosed[i] || !v.sound(h) {
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
		e := v.s.Entry(ctx, f.entry)
		if _, bad := v.s.ArrayProblem(ctx, &e, model.Span{}); bad {
			v.add(f.entry)
		}
	case f.children != f.announced:
		v.add(f.entry)
	}
}

// sound reports whether no rule of the entry's record and none of the stream is broken. References are looked up among
// the ids so far, which is faster than finding each again.
func (v *survey) sound(h *Head) bool {
	if h.Kind == kind.ReferenceNode && h.Node >= 0 {
		v.nodes.Add(h.Node, h.Number)
	}
	if h.object != nil {
		return h.object.Sound(v.r)
	}
	switch h.Kind {
	case kind.InternalReference:
		_, ok := v.nodes.Find(h.Ref)
		return ok
	case kind.ReferenceNode, kind.StructNode:
		_, odd := v.s.typeFault(h.Number, h.Tag, h.TypeID)
		return !odd && !v.s.x.backNodes[h.Number]
	}
	if v.unruled[h.id] {
		return true
	}
	o := v.s.object(v.r, h.Number, h.off, h.end)
	defer o.Release(v.r)
	v.unruled[h.id] = !isRuled(o.Record())
	return o.Sound(v.r)
}

// isRuled reports whether rules are about an entry, besides its name.
func isRuled(rec *grammar.Record) bool {
	return slices.ContainsFunc(rec.Fields, func(f *grammar.Field) bool {
		_, inside := f.Of.(*grammar.Record)
		return f.Name != "name" && (inside || len(f.Checks) > 0)
	})
}

// Bulk surveys a container without nodes.
func (*containerChildren) Bulk() *model.BulkFuncs { return containerBulk }

var containerBulk = &model.BulkFuncs{
	Survey: func(ctx context.Context, c model.Children, progress model.Progress) (model.Coverage, bool, error) {
		return c.(*containerChildren).survey(ctx, progress)
	},
}

// survey reports the coverage of a container, or false if it may have a problem.
func (k *containerChildren) survey(ctx context.Context, progress model.Progress) (c model.Coverage, plain bool, err error) {
	if k.s.Encoding() != EncodingBinary || !k.layout || k.Pending() {
		return c, false, nil
	}
	odd, all, err := k.s.oddEntries(ctx, progress)
	if err != nil || all {
		return c, false, err
	}
	x := &k.s.x
	at := k.s.Bounds()
	first, last := max(k.c, 0), x.last(k.c)
	if k.c != Root {
		at = k.s.Span(k.c)
	} else if x.start != at.Off || x.end != at.End() {
		return c, false, nil // the nodes after the entries have the problem
	}
	if n := sort.Search(len(odd), func(n int) bool { return int64(odd[n]) >= first }); n < len(odd) && int64(odd[n]) <= last {
		return c, false, nil
	}
	return model.Coverage{Explained: at.Len}, true, nil
}
