package value

import (
	"context"
	"fmt"
	"math"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// countTimes returns the number of the sample times that a rep leads to.
func countTimes(s grammar.Scope, args []grammar.Value) grammar.Value {
	vs := valuesOf(s)
	bits, _ := args[0].Uint()
	r := table.Rep(bits)
	if !holdsTimes(r) || r.Payload() >= vs.crate.Size {
		return grammar.IntValue(0)
	}
	n, _ := vs.crate.CountAt(s.Reading().Context(), r.Payload(), vs.crate.Size-r.Payload())
	return grammar.UintValue(n)
}

// holdsTimes reports whether readers take a value for sample times: some writers have a double[] instead of a DoubleVector.
func holdsTimes(r table.Rep) bool {
	placed := r.Placement()
	return placed == table.PlacedAt && r.Type() == table.TypeDoubleVector || placed == table.PlacedArray && r.Type() == table.TypeDouble
}

// showReps makes the rows of the reps of the values of TimeSamples.
func showReps(s grammar.Scope, _ grammar.Value, n *model.Node) {
	vs, at := valuesOf(s), n.Span()
	count := at.Len / table.RepSize
	n.Value, n.Brief, n.Elements = nil, usda.Plural(count, "rep", "reps"), true
	n.Children = vs.crate.RepRows(vs.crate.Src, at.Off, count, func(context.Context, int64, *model.Node) {})
}

// samples is the times and the values of TimeSamples, and what is wrong between them.
type samples struct {
	values   *Values
	times    elementData // the times; without elements if they cannot be read
	timesRep table.Rep   // of the times
	reps     model.Span  // of the values
	count    int64
	problems []model.Problem
	outer    *nodes
}

// samplesOf finds the times and the values of TimeSamples.
func (vs *Values) samplesOf(ctx context.Context, t *storedValue) *samples {
	s := &samples{values: vs, reps: t.span(ctx, "values")}
	s.count = s.reps.Len / table.RepSize
	span := t.span(ctx, "times")
	if span.Len == 0 {
		return s
	}
	r := table.Rep(t.number(ctx, "times"))
	s.timesRep = r
	switch {
	case !holdsTimes(r):
		s.problems = append(s.problems, model.Problemf(model.Malformed, "usdc.samples.times-type", span,
			"the sample times are of type %s", r.TypeName()).Want("DoubleVector at an offset", r.Brief()))
		return s
	case r.Payload() >= vs.crate.Size:
		return s // a problem of the rep
	case r.IsArray():
		s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.samples.times-type", span,
			"the sample times are of type %s, which readers take as well", r.TypeName()).Want("DoubleVector", r.TypeName()))
	}
	times := vs.stored(ctx, r)
	s.problems = append(s.problems, times.problems...)
	s.times = vs.elementsOf(ctx, times)
	if count := t.span(ctx, "count"); count.Len > 0 && s.times.count != s.count && len(times.problems) == 0 {
		s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.samples.count",
			count, "there are %d values for %d times", s.count, s.times.count).
			Want(s.times.count, s.count))
	}
	return s
}

// fillSamples makes a child of each sample, and a table.
func (in *nodes) fillSamples(ctx context.Context, n *model.Node, t *storedValue) {
	s := in.values.samplesOf(ctx, t)
	s.outer = in
	n.Brief = usda.Plural(s.count, "sample", "samples")
	n.Problems = append(n.Problems, s.problems...)
	if s.times.count > 0 {
		n.Refs = func(context.Context) []model.Ref {
			ref := in.values.crate.ValueRef(s.timesRep.Payload())
			ref.Kind = "times"
			return []model.Ref{ref}
		}
	}
	if s.count == 0 {
		return
	}
	n.Children = &model.Rows{Count: s.count, Make: s.node}
	n.Cards = (&usda.Samples{Count: s.count, Value: s.value, Time: func(ctx context.Context, i int64) model.Node {
		n, _ := s.time(ctx, i)
		return n
	}}).Cards
}

// node returns sample i: its time and its value.
func (s *samples) node(ctx context.Context, i int64) model.Node {
	n := model.Node{Name: model.IndexName(i), Type: "sample"}
	v := s.value(ctx, i)
	n.Value, n.Brief, n.Problems = v.Value, v.Brief, v.Problems
	n.Spans = append(n.Spans, v.Spans...)
	t, ok := s.time(ctx, i)
	if !ok {
		n.Children = model.NewList(v)
		return n
	}
	if v.Value != nil {
		n.Value = model.Tuple{t.Value, v.Value}
	} else {
		n.Brief = model.Show(ctx, t.Value, 32) + ": " + v.Brief
	}
	n.Spans = append(n.Spans, t.Spans...)
	n.Children = model.NewList(t, v)
	return n
}

// time returns the node of the time of sample i.
func (s *samples) time(ctx context.Context, i int64) (model.Node, bool) {
	if i >= s.times.count {
		return model.Node{}, false
	}
	n := s.values.rows(s.times).At(ctx, i)
	n.Name = "time"
	return n, n.Value != nil
}

// value returns the node of the value of sample i.
func (s *samples) value(ctx context.Context, i int64) model.Node {
	r, span, err := table.ReadRep(ctx, s.values.crate.Src, s.reps.Off+8*i)
	if err != nil {
		return model.Node{Name: "value", Spans: []model.Span{span}, Problems: []model.Problem{coding.ProblemAt(err, span)}}
	}
	return s.values.value(ctx, "value", r, holder{span: span, outer: s.outer})
}

// checkTimes reports the first time that is not later than the one before.
func (vs *Values) checkTimes(ctx context.Context, times elementData, report func(model.Problem)) error {
	a := vs.array(times)
	var buf [1024]model.Value
	last := math.Inf(-1)
	for first := int64(0); first < a.Len(); {
		n, err := a.Read(ctx, first, buf[:])
		for i := range n {
			at := float64(buf[i].(model.Float64))
			if !(at > last) && first+int64(i) > 0 {
				n := vs.rows(times).At(ctx, first+int64(i))
				report(model.Problemf(model.Suspicious, "usdc.samples.times-order", n.Span(), "the sample times are not ascending").
					Want(fmt.Sprintf("more than %v", last), at))
				return nil
			}
			last = at
		}
		if err != nil {
			return ctx.Err()
		}
		first += int64(n)
	}
	return nil
}
