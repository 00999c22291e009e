package usda

import (
	"context"
	"math"

	"cutaway/model"
)

// Samples are the time samples of an attribute, however they are stored.
type Samples struct {
	Count int64
	// Time and Value return the nodes of sample i; a time without a value is unknown.
	Time  func(ctx context.Context, i int64) model.Node
	Value func(ctx context.Context, i int64) model.Node
}

// mostPlots is the most components that are plotted, mostBlocked the most samples that are searched for one with a
// value.
const mostPlots, mostBlocked = 16, 1000

// Cards returns a table of the samples, and for numbers and vectors a series for each component.
func (s *Samples) Cards(ctx context.Context) []model.Card {
	cards := []model.Card{&sampleTable{model.CardBase{Title: "samples"}, s}}
	for i := range min(s.Count, mostBlocked) {
		v := s.Value(ctx, i).Value
		if _, blocked := v.(model.None); blocked {
			continue
		}
		n := len(numbersOf(v))
		for k := range n {
			title := "values over time"
			if n > 1 {
				title = model.IndexName(int64(k))
			}
			cards = append(cards, &sampleSeries{model.CardBase{Title: title}, s, k})
		}
		break
	}
	return cards
}

// numbersOf returns the components of a number or vector, or nil for other values and for more than mostPlots.
func numbersOf(v model.Value) []model.Value {
	switch v := v.(type) {
	case model.Bool, model.Int, model.Uint, model.Half, model.Float32, model.Float64:
		return []model.Value{v}
	case model.Tuple:
		var list []model.Value
		for _, part := range v {
			some := numbersOf(part)
			if some == nil || len(list)+len(some) > mostPlots {
				return nil
			}
			list = append(list, some...)
		}
		return list
	}
	return nil
}

// each calls do for at most n samples from first on, and returns their number.
func (s *Samples) each(ctx context.Context, first int64, n int, do func(k int, time, v model.Node)) (int, error) {
	for k := range n {
		i := first + int64(k)
		if i >= s.Count || ctx.Err() != nil {
			return k, ctx.Err()
		}
		do(k, s.Time(ctx, i), s.Value(ctx, i))
	}
	return n, nil
}

// A sampleTable shows samples as rows of time and value.
type sampleTable struct {
	model.CardBase
	s *Samples
}

var _ model.Table = (*sampleTable)(nil)

func (t *sampleTable) Columns() []model.Column {
	return []model.Column{{Name: "time", Type: "double"}, {Name: "value"}}
}

func (t *sampleTable) Rows() (int64, bool) { return t.s.Count, true }

func (t *sampleTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	return t.s.each(ctx, first, len(dst), func(k int, time, v model.Node) {
		shown := v.Value
		if shown == nil {
			shown = model.Text(v.Brief)
		}
		dst[k] = append(dst[k][:0], model.Cell{Value: time.Value, Spans: time.Spans}, model.Cell{Value: shown, Spans: v.Spans})
	})
}

// A sampleSeries is one component over time. Blocked samples have no point; values that are no numbers are NaN.
type sampleSeries struct {
	model.CardBase
	s         *Samples
	component int
}

var _ model.Series = (*sampleSeries)(nil)

func (t *sampleSeries) Unit() string { return "" }

func (t *sampleSeries) Points() (int64, bool) { return t.s.Count, true }

func (t *sampleSeries) Read(ctx context.Context, first int64, dst []model.Point) (int, error) {
	return t.s.each(ctx, first, len(dst), func(k int, time, v model.Node) {
		_, none := v.Value.(model.None)
		dst[k] = model.Point{Time: math.NaN(), Value: math.NaN(), None: none}
		if at, ok := model.FloatOf(time.Value); ok {
			dst[k].Time = at
		}
		if numbers := numbersOf(v.Value); t.component < len(numbers) {
			dst[k].SetNumber(numbers[t.component])
		}
		if len(v.Spans) > 0 {
			dst[k].Span = v.Spans[0]
		}
	})
}
