package usdc

import (
	"context"
	"fmt"
	"math"
	"sync"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// maxDepth is the deepest nesting of values that is followed. Each level of a view looks at those above it for a cycle.
const maxDepth = 1024

// leastExpansion is a number of nested values that is always let pass.
const leastExpansion = 1 << 16

// maxExpansion returns the number of values that one value may unfold to. Values are shared, so that a small file could unfold to
// more than any time suffices for; one that shares nothing has at most as many as there is room for.
func (c *crate) maxExpansion() uint64 {
	return max(leastExpansion, uint64(c.size)/uint64(c.valuePlan.Record("nested value").Least()))
}

// unfoldedCounts remembers to how many values the values looked at unfold.
type unfoldedCounts struct {
	mu   sync.Mutex
	walk *nestWalk
}

// nested returns the reason for not showing the inside of a value: it contains itself, it is nested too deeply, or
// it unfolds to too much. span is the rep that led to it.
func (c *crate) nested(ctx context.Context, in *enclosing, span model.Span) (model.Problem, bool) {
	if !in.r.unfolds() {
		return model.Problem{}, false
	}
	for o := in.up; o != nil; o = o.up {
		if o.r == in.r {
			return cycleProblem(in.r.typeName(), span), true
		}
	}
	if in.depth > maxDepth {
		return depthProblem(in.r.typeName(), span), true
	}
	if in.r.typ() == typeTimeSamples {
		if in.up == nil {
			return model.Problem{}, false // its samples are looked at one by one
		}
		return model.Problemf(model.Suspicious, "usdc.samples.nested", span,
			"TimeSamples inside another value are not shown here"), true
	}
	c.unfolded.mu.Lock()
	defer c.unfolded.mu.Unlock()
	w := c.unfolded.walk
	if w == nil || len(w.known) > 1<<20 {
		w = newNestWalk(ctx, c)
		c.unfolded.walk = w
	}
	w.visit(ctx, in.r, 0)
	weight := w.known[in.r]
	if ctx.Err() != nil {
		c.unfolded.walk = nil // what it counted last may be too few
	}
	if weight > c.maxExpansion() {
		return c.expansionProblem(in.r, weight), true
	}
	return model.Problem{}, false
}

func cycleProblem(typ string, span model.Span) model.Problem {
	return model.Problemf(model.Malformed, "usdc.value.cycle", span, "a value of type %s contains itself", typ)
}

func depthProblem(typ string, span model.Span) model.Problem {
	return model.Problemf(model.Limit, "usdc.value.depth", span,
		"a value of type %s is nested more than %d deep, which is this program's limit", typ, maxDepth)
}

func (c *crate) expansionProblem(r rep, n uint64) model.Problem {
	found := fmt.Sprint(n)
	if n == math.MaxUint64 {
		found = "more than can be counted"
	}
	return model.Problemf(model.Malformed, "usdc.value.expansion", c.src.Span(r.payload(), min(8, c.size-r.payload())),
		"the value of type %s unfolds to too many values, since it holds the same ones again and again", r.typeName()).
		WantAtMost(c.maxExpansion(), found)
}

// nestWalk visits values and those nested in them, each distinct one once, with a stack of its own.
type nestWalk struct {
	c     *crate
	limit uint64 // number of values that one may unfold to
	pass  *grammar.Reading
	known map[rep]uint64 // values done or begun, with the number of values they unfold to, themselves included
	open  map[rep]bool   // values begun and not done
	// samples says to go into TimeSamples; else they count as one.
	samples bool
	// found is called for each rep that a value holds, with its offset. It may be nil.
	found func(ctx context.Context, r rep, at int64)
	// wrong is called for problems of nesting. It may be nil.
	wrong func(p model.Problem)
}

func newNestWalk(ctx context.Context, c *crate) *nestWalk {
	return &nestWalk{c: c, limit: c.maxExpansion(), pass: grammar.NewReading(ctx, grammar.Near), known: map[rep]uint64{}, open: map[rep]bool{}}
}

// newSampleWalk returns a walk that goes into TimeSamples too, and calls found for each rep that a value holds, with its offset.
func newSampleWalk(ctx context.Context, c *crate, found func(ctx context.Context, r rep, at int64)) *nestWalk {
	w := newNestWalk(ctx, c)
	w.samples, w.found = true, found
	return w
}

// nestFrame is a value whose nested values are being visited.
type nestFrame struct {
	r      rep
	weight uint64
	inner  []innerRep
	next   int
}

// innerRep is a nested value that holds others, and the offset of its rep.
type innerRep struct {
	r  rep
	at int64
}

// visit visits the value of r, which unfolds, unless that is known. base is how deep r itself is nested.
func (w *nestWalk) visit(ctx context.Context, r rep, base int) {
	r = w.c.normal(r)
	if _, known := w.known[r]; known {
		return
	}
	stack := []nestFrame{w.begin(ctx, r)}
	tooDeep := false
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == len(f.inner) {
			w.end(f)
			weight := f.weight
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				stack[len(stack)-1].add(weight)
			}
			continue
		}
		i := f.inner[f.next]
		f.next++
		weight, known := w.known[i.r]
		switch {
		case w.open[i.r]:
			w.report(cycleProblem(i.r.typeName(), w.c.src.Span(i.at, 8)))
		case known:
			f.add(weight)
		default:
			stack = append(stack, w.begin(ctx, i.r))
			if base+len(stack) > maxDepth && !tooDeep {
				tooDeep = true
				w.report(depthProblem(i.r.typeName(), w.c.src.Span(i.at, 8)))
			}
		}
	}
}

func (w *nestWalk) report(p model.Problem) {
	if w.wrong != nil {
		w.wrong(p)
	}
}

// add adds without overflow.
func (f *nestFrame) add(weight uint64) {
	f.weight += min(weight, math.MaxUint64-f.weight)
}

// begin walks the value of r and collects what it holds.
func (w *nestWalk) begin(ctx context.Context, r rep) nestFrame {
	w.known[r], w.open[r] = 1, true
	f := nestFrame{r: r, weight: 1}
	w.pass.Resume(ctx)
	w.c.leaves(w.pass, r, func(l *grammar.Leaf) bool {
		switch {
		case l.Field == nil:
		case l.Field.Entries != "values":
		case l.Field.Repeat == nil:
			if !w.note(ctx, &f, rep(l.Bits), l.Off) && l.Field.Name == "value" {
				f.weight++
			}
		case w.samples:
			// What cannot be read is reported where the value is decoded.
			_ = eachRecord(ctx, w.c.src, l.Off, repSize, l.Len/repSize, func(i int64, b []byte) { w.note(ctx, &f, repOfBytes(b), l.Off+i*repSize) })
		}
		return true
	})
	return f
}

// note notes a rep that the value of f holds and reports whether its value holds others.
func (w *nestWalk) note(ctx context.Context, f *nestFrame, r rep, at int64) bool {
	if w.found != nil {
		w.found(ctx, r, at)
	}
	if r.unfolds() && (w.samples || r.typ() != typeTimeSamples) && r.payload() < w.c.size {
		f.inner = append(f.inner, innerRep{w.c.normal(r), at})
		return true
	}
	return false
}

// end settles to how much the value of f unfolds.
func (w *nestWalk) end(f *nestFrame) {
	delete(w.open, f.r)
	w.known[f.r] = f.weight
	limit := w.limit
	if f.weight <= limit {
		return
	}
	for _, i := range f.inner {
		if w.known[i.r] > limit {
			return // reported there
		}
	}
	w.report(w.c.expansionProblem(f.r, f.weight))
}
