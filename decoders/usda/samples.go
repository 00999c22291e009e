package usda

import (
	"context"
	"math"

	"cutaway/model"
)

// Samples are the time samples of an attribute, however they are stored.
type Samples struct {
	Count int64
	// Time and Value are the nodes of sample i; a time without a value is not known.
	Time  func(ctx context.Context, i int64) model.Node
	Value func(ctx context.Context, i int64) model.Node
}

// Bounds of what has plots: how many numbers a value may have, and how many samples are looked at for one that is not blocked.
const mostPlots, mostBlocked = 16, 1000

// Cards are a table of the samples, and of numbers and vectors their values over time, a series for each component.
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

// numbersOf are the numbers that a value is made of; none where it is something else, or of too many.
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

// each calls do for the times and values of at most n samples from first on, and returns how many they were.
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

// sampleTable is samples as rows of time and value.
type sampleTable struct {
	model.CardBase
	s *Samples
}

// Columns implements model.Table.
func (t *sampleTable) Columns() []model.Column {
	return []model.Column{{Name: "time", Type: "double"}, {Name: "value"}}
}

// Rows implements model.Table.
func (t *sampleTable) Rows() (int64, bool) { return t.s.Count, true }

// Read implements model.Table.
func (t *sampleTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	return t.s.each(ctx, first, len(dst), func(k int, time, v model.Node) {
		shown := v.Value
		if shown == nil {
			shown = model.Text(v.Brief)
		}
		dst[k] = append(dst[k][:0], model.Cell{Value: time.Value, Spans: time.Spans}, model.Cell{Value: shown, Spans: v.Spans})
	})
}

// sampleSeries is one number of samples over time; a sample that is blocked has none, and what is no number is NaN.
type sampleSeries struct {
	model.CardBase
	s         *Samples
	component int
}

// Unit implements model.Series.
func (t *sampleSeries) Unit() string { return "" }

// Points implements model.Series.
func (t *sampleSeries) Points() (int64, bool) { return t.s.Count, true }

// Read implements model.Series.
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
