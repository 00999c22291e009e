package value

import (
	"context"
	"fmt"
	"math"
	"sync"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// maxDepth is the deepest nesting of values that is followed. Each level of a view looks at those above it for a cycle.
const maxDepth = 1024

// leastExpansion is a number of nested values that is always let pass.
const leastExpansion = 1 << 16

// maxExpansion returns the number of values that one value may unfold to. Values are shared, so that a small file could unfold to
// more than any time suffices for; one that shares nothing has at most as many as there is room for.
func (vs *Values) maxExpansion() uint64 {
	return max(leastExpansion, uint64(vs.crate.Size)/uint64(vs.plan.Record("nested value").Least()))
}

// unfoldedCounts remembers to how many values the values looked at unfold.
type unfoldedCounts struct {
	mu   sync.Mutex
	walk *NestWalk
}

// nested returns the reason for not showing the inside of a value: it contains itself, is nested too deeply, or unfolds to too much.
// span is the place of its rep.
func (in *nodes) nested(ctx context.Context, span model.Span) (model.Problem, bool) {
	if !in.r.Unfolds() {
		return model.Problem{}, false
	}
	for o := in.up; o != nil; o = o.up {
		if o.r == in.r {
			return cycleProblem(in.r.TypeName(), span), true
		}
	}
	if in.depth > maxDepth {
		return depthProblem(in.r.TypeName(), span), true
	}
	if in.r.Type() == table.TypeTimeSamples {
		if in.up == nil {
			return model.Problem{}, false // its samples are looked at one by one
		}
		return model.Problemf(model.Suspicious, "usdc.samples.nested", span,
			"TimeSamples inside another value are not shown here"), true
	}
	in.values.unfolded.mu.Lock()
	defer in.values.unfolded.mu.Unlock()
	w := in.values.unfolded.walk
	if w == nil || len(w.known) > 1<<20 {
		w = newNestWalk(ctx, in.values)
		in.values.unfolded.walk = w
	}
	w.Visit(ctx, in.r, 0)
	weight := w.known[in.r]
	if ctx.Err() != nil {
		in.values.unfolded.walk = nil // what it counted last may be too few
	}
	if weight > in.values.maxExpansion() {
		return in.values.expansionProblem(in.r, weight), true
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

func (vs *Values) expansionProblem(r table.Rep, n uint64) model.Problem {
	found := fmt.Sprint(n)
	if n == math.MaxUint64 {
		found = "more than can be counted"
	}
	return model.Problemf(model.Malformed, "usdc.value.expansion", vs.crate.Src.Span(r.Payload(), min(8, vs.crate.Size-r.Payload())),
		"the value of type %s unfolds to too many values, since it holds the same ones again and again", r.TypeName()).
		WantAtMost(vs.maxExpansion(), found)
}

// A NestWalk visits values and the values nested inside, each distinct one once, with a stack of its own.
type NestWalk struct {
	values *Values
	limit  uint64 // number of values that one may unfold to
	pass   *grammar.Reading
	known  map[table.Rep]uint64 // values done or begun, with the number of values they unfold to, themselves included
	open   map[table.Rep]bool   // values begun and not done
	// samples says to go into TimeSamples; else they count as one.
	samples bool
	// found is called for each rep that a value holds, with its offset. It may be nil.
	found func(ctx context.Context, r table.Rep, at int64)
	// wrong is called for problems of nesting. It may be nil.
	wrong func(p model.Problem)
}

func newNestWalk(ctx context.Context, vs *Values) *NestWalk {
	return &NestWalk{values: vs, limit: vs.maxExpansion(), pass: grammar.NewReading(ctx, grammar.Near), known: map[table.Rep]uint64{}, open: map[table.Rep]bool{}}
}

// NewSampleWalk returns a walk that goes into TimeSamples too, and calls found for each rep that a value holds, with its offset.
func NewSampleWalk(ctx context.Context, vs *Values, found func(ctx context.Context, r table.Rep, at int64)) *NestWalk {
	w := newNestWalk(ctx, vs)
	w.samples, w.found = true, found
	return w
}

// nestFrame is a value whose nested values are being visited.
type nestFrame struct {
	r      table.Rep
	weight uint64
	inner  []innerRep
	next   int
}

// innerRep is a nested value that holds others, and the offset of its rep.
type innerRep struct {
	r  table.Rep
	at int64
}

// Visit visits the value of r, which unfolds, unless it was visited before. base is the depth at which r itself is nested.
func (w *NestWalk) Visit(ctx context.Context, r table.Rep, base int) {
	r = w.values.crate.Normal(r)
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
			w.report(cycleProblem(i.r.TypeName(), w.values.crate.Src.Span(i.at, 8)))
		case known:
			f.add(weight)
		default:
			stack = append(stack, w.begin(ctx, i.r))
			if base+len(stack) > maxDepth && !tooDeep {
				tooDeep = true
				w.report(depthProblem(i.r.TypeName(), w.values.crate.Src.Span(i.at, 8)))
			}
		}
	}
}

func (w *NestWalk) report(p model.Problem) {
	if w.wrong != nil {
		w.wrong(p)
	}
}

// add adds without overflow.
func (f *nestFrame) add(weight uint64) {
	f.weight += min(weight, math.MaxUint64-f.weight)
}

// begin walks the value of r and collects what it holds.
func (w *NestWalk) begin(ctx context.Context, r table.Rep) nestFrame {
	w.known[r], w.open[r] = 1, true
	f := nestFrame{r: r, weight: 1}
	w.pass.Resume(ctx)
	w.values.Leaves(w.pass, r, func(l *grammar.Leaf) bool {
		switch {
		case l.Field == nil:
		case l.Field.Entries != "values":
		case l.Field.Repeat == nil:
			if !w.note(ctx, &f, table.Rep(l.Bits), l.Off) && l.Field.Name == "value" {
				f.weight++
			}
		case w.samples:
			// What cannot be read is reported where the value is decoded.
			_ = table.EachRecord(ctx, w.values.crate.Src, l.Off, table.RepSize, l.Len/table.RepSize, func(i int64, b []byte) { w.note(ctx, &f, table.RepOf(b), l.Off+i*table.RepSize) })
		}
		return true
	})
	return f
}

// note notes a rep that the value of f holds and reports whether its value holds others.
func (w *NestWalk) note(ctx context.Context, f *nestFrame, r table.Rep, at int64) bool {
	if w.found != nil {
		w.found(ctx, r, at)
	}
	if r.Unfolds() && (w.samples || r.Type() != table.TypeTimeSamples) && r.Payload() < w.values.crate.Size {
		f.inner = append(f.inner, innerRep{w.values.crate.Normal(r), at})
		return true
	}
	return false
}

// end settles to how much the value of f unfolds.
func (w *NestWalk) end(f *nestFrame) {
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
	w.report(w.values.expansionProblem(f.r, f.weight))
}
