package decodertest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cutaway/model"
)

// changeSeen reports whether the change of one byte is visible: as another value or problem of its leaf, in a source
// derived from that leaf, or as a new problem elsewhere that names the byte. Bytes that the layout does not explain are
// shown as they are.
func (m mutation) changeSeen(ctx context.Context, doc *model.Document, report *model.Report) error {
	was, _ := m.of.doc.At(ctx, m.of.doc.Source(), m.off)
	now, _ := doc.At(ctx, doc.Source(), m.off)
	if was == nil || now == nil {
		return fmt.Errorf("no node over the byte")
	}
	if differ(ctx, was, now) || now.Node.Role != model.Explained || len(now.Node.Problems) > 0 {
		return nil
	}
	for i := range report.Problems {
		p := &report.Problems[i]
		if !m.of.known[problemKey(p)] && madeFrom(ctx, p.Span, m.off) {
			return nil
		}
	}
	if seen, err := derivedDiffer(ctx, was, now); seen || err != nil {
		return err
	}
	if excepted(m.of.opt.Exceptions, was.Path(), m.cut, false) || hasNaN(was.Node.Value) && hasNaN(now.Node.Value) {
		return nil
	}
	return fmt.Errorf("the change is not seen at %s", describe(ctx, was))
}

// hasNaN reports whether a value is NaN or contains one. The other bits of a NaN are not shown.
func hasNaN(v model.Value) bool {
	switch v := v.(type) {
	case model.Float64:
		return v != v
	case model.Float32:
		return v != v
	case model.Half:
		return v.Float() != v.Float()
	case model.Tuple:
		return slices.ContainsFunc(v, hasNaN)
	}
	return false
}

// differ reports whether two nodes differ in anything that is shown, or their ancestors in their problems.
func differ(ctx context.Context, was, now *model.Place) bool {
	if shown(ctx, was) != shown(ctx, now) {
		return true
	}
	for was, now = was.Parent, now.Parent; was != nil && now != nil; was, now = was.Parent, now.Parent {
		if len(was.Node.Problems) != len(now.Node.Problems) {
			return true
		}
	}
	return false
}

// shown returns everything of a node that is shown, with its whole value. It omits raw bytes that another source is
// derived from: that source shows them.
func shown(ctx context.Context, p *model.Place) string {
	if _, raw := p.Node.Value.(model.Blob); raw && len(p.Node.Derived) > 0 {
		bare := p.Copy()
		bare.Node.Value = nil
		return describe(ctx, bare)
	}
	if s := p.Node.Span(); s.Mask != 0 && p.Parent != nil {
		return fields(ctx, p.Parent, s)
	}
	return describe(ctx, p) + model.Show(ctx, p.Node.Value, 1<<16)
}

// fields returns all bit fields of a range, since any may have changed.
func fields(ctx context.Context, owner *model.Place, at model.Span) string {
	var b strings.Builder
	n, _ := owner.Len(ctx)
	for i := range n {
		if c := owner.Child(ctx, i); c.Node.Span().Off == at.Off && c.Node.Span().Len == at.Len {
			b.WriteString(describe(ctx, c))
		}
	}
	return b.String()
}

// madeFrom reports whether the bytes of a span include, or are derived from, the byte at off of the file.
func madeFrom(ctx context.Context, s model.Span, off int64) bool {
	if s.Source == nil {
		return false
	}
	o := s.Source.Origin()
	if o == nil {
		return off >= s.Off && off < max(s.End(), s.Off+1)
	}
	if o.Map != nil {
		pieces, err := o.Map.From(ctx, s.Off, s.Len)
		if err == nil && len(pieces) > 0 {
			for _, p := range pieces {
				for _, in := range append(p.In, p.Unit) {
					if madeFrom(ctx, in, off) {
						return true
					}
				}
			}
			return false
		}
	}
	for _, in := range o.Spans {
		if madeFrom(ctx, in, off) {
			return true
		}
	}
	return false
}

// derivedDiffer reports whether the change is visible in the sources derived from the leaf or its ancestors: at the
// first byte that differs.
func derivedDiffer(ctx context.Context, was, now *model.Place) (bool, error) {
	for ; was != nil && now != nil; was, now = was.Parent, now.Parent {
		for k := range min(len(was.Node.Derived), len(now.Node.Derived)) {
			before, err := was.Derive(ctx, k)
			if err != nil {
				continue
			}
			after, err := now.Derive(ctx, k)
			if err != nil {
				return true, nil // the leaf gets a problem when it is walked
			}
			off, differ := firstDifference(ctx, before.Of, after.Of)
			if differ {
				a, b := deepest(ctx, before, off), deepest(ctx, after, off)
				if a == nil || b == nil || shown(ctx, a) != shown(ctx, b) {
					return true, nil
				}
				return derivedDiffer(ctx, a, b)
			}
		}
		if was.Index < 0 {
			break // the root of a derived source, whose owner was compared already
		}
	}
	return false, nil
}

// deepest returns the deepest node with a byte, or nil if off is after the end.
func deepest(ctx context.Context, root *model.Place, off int64) *model.Place {
	src := root.Of
	if off >= src.Size() {
		return nil
	}
	p := root
	for {
		if p.Resolve(ctx, nil) != nil || p.Node.Children == nil {
			return p
		}
		i, ok := model.Locate(ctx, p.Node.Children, src, off)
		if !ok {
			return p
		}
		p = p.Child(ctx, i)
	}
}

// firstDifference returns the first offset at which two sources differ. If one is longer, this is the end of the other.
func firstDifference(ctx context.Context, a, b *model.Source) (int64, bool) {
	const run = 64 << 10
	for off := int64(0); off < min(a.Size(), b.Size()); off += run {
		n := min(run, a.Size()-off, b.Size()-off)
		x, errX := a.Bytes(ctx, off, n)
		y, errY := b.Bytes(ctx, off, n)
		if errX != nil || errY != nil {
			return off, true
		}
		for i := range x {
			if x[i] != y[i] {
				return off + int64(i), true
			}
		}
	}
	return min(a.Size(), b.Size()), a.Size() != b.Size()
}
