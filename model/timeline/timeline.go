// Package timeline analyses the times of a view: the rate of each track, its gaps and moments out of order, counters
// that jump, and the drift of two tracks.
package timeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"cutaway/model"
)

// A Gap is a pair of successive moments of a track, and the node of the second.
type Gap struct {
	From, To float64
	Path     string
}

// A Jump is an unusual step of a counter.
type Jump struct {
	Field    string
	From, To model.Value // integers, with all their digits
	Path     string
}

// Facts holds the rate, gaps and order of a track.
type Facts struct {
	Track       *model.Track
	First, Last float64 // the least and the greatest time, or NaN
	Median      float64 // of the intervals, or NaN
	Gaps        []Gap   // longer than 1.5 times the median
	Unordered   []Gap   // earlier than their predecessor in the file
	Jumps       []Jump  // of counters
}

// A Finding is a remarkable place of a track.
type Finding struct {
	What string // "gap", "out of order", "jump", "drift"
	Of   string // name of the track
	Text string
	Path string // of the moment after it, or of the track for a drift
}

// Findings returns the gaps, the moments out of order, and the jumps, in this order.
func (f *Facts) Findings() []Finding {
	var list []Finding
	name, unit := f.Track.Name, ""
	if f.Track.Unit != "" {
		unit = " " + f.Track.Unit
	}
	at := func(t float64) string {
		if isEnd(t) {
			return model.FormatTime(t)
		}
		return model.FormatTime(t) + unit
	}
	for _, g := range f.Gaps {
		list = append(list, Finding{"gap", name, model.FormatDigits(g.To-g.From, 6) + unit + " long, from " + at(g.From) + " to " + at(g.To), g.Path})
	}
	for _, g := range f.Unordered {
		list = append(list, Finding{"out of order", name, at(g.To) + " after " + at(g.From), g.Path})
	}
	for _, j := range f.Jumps {
		from, to := model.ShowHeld(j.From, 40), model.ShowHeld(j.To, 40)
		text := j.Field + " from " + from + " to " + to
		if from == to {
			text = j.Field + " stays at " + to
		}
		list = append(list, Finding{"jump", name, text, j.Path})
	}
	return list
}

// mostListed is the most gaps, jumps and moments out of order that are listed for a track.
const mostListed = 10_000

// longGap is the ratio to the median interval above which an interval is a gap.
const longGap = 1.5

// errGone is the error that a moment can no longer be read.
var errGone = errors.New("the moment cannot be read")

// Of returns the facts of a track. It needs 28 bytes for each moment.
func Of(ctx context.Context, t *model.Track) (*Facts, error) {
	moments, _, err := readAll(ctx, t)
	if err != nil {
		return &Facts{Track: t, First: math.NaN(), Last: math.NaN(), Median: math.NaN()}, err
	}
	return factsOf(t, moments), ctx.Err()
}

// factsOf returns the facts of a track with these moments, which it sorts.
func factsOf(t *model.Track, moments []model.Moment) *Facts {
	f := &Facts{Track: t, First: math.NaN(), Last: math.NaN(), Median: math.NaN()}
	for i := 1; i < len(moments); i++ {
		if before, m := moments[i-1], moments[i]; m.Time < before.Time && len(f.Unordered) < mostListed {
			f.Unordered = append(f.Unordered, Gap{before.Time, m.Time, t.PathOf(m)})
		}
	}
	slices.SortStableFunc(moments, func(a, b model.Moment) int { return compare(a.Time, b.Time) })
	if len(moments) == 0 {
		return f
	}
	f.First, f.Last = moments[0].Time, moments[len(moments)-1].Time
	for len(moments) > 0 && isEnd(moments[0].Time) {
		moments = moments[1:]
	}
	for len(moments) > 0 && isEnd(moments[len(moments)-1].Time) {
		moments = moments[:len(moments)-1]
	}
	intervals := make([]float64, max(len(moments), 1)-1)
	for i := range intervals {
		intervals[i] = moments[i+1].Time - moments[i].Time
	}
	f.Median = median(intervals)
	for i := 1; i < len(moments) && len(f.Gaps) < mostListed; i++ {
		if by := moments[i].Time - moments[i-1].Time; f.Median > 0 && by > longGap*f.Median {
			f.Gaps = append(f.Gaps, Gap{moments[i-1].Time, moments[i].Time, t.PathOf(moments[i])})
		}
	}
	return f
}

// isEnd reports whether a time means before or after all others, which makes no gap.
func isEnd(t float64) bool { return math.Abs(t) == math.MaxFloat64 }

// compare orders times other than NaN.
func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// readAll returns the moments of a track that have a time, and their positions in Read.
func readAll(ctx context.Context, t *model.Track) (moments []model.Moment, at []uint32, err error) {
	const window = 4096
	dst := make([]model.Moment, window)
	for first := int64(0); first < min(t.Count, math.MaxUint32); {
		n, err := t.Read(ctx, first, dst[:min(window, t.Count-first)])
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		for i, m := range dst[:n] {
			if m.Time == m.Time && !math.IsInf(m.Time, 0) {
				moments, at = append(moments, m), append(at, uint32(first)+uint32(i))
			}
		}
		if first += int64(n); n == 0 || err != nil {
			break // damaged: later moments have no times
		}
	}
	return moments, at, nil
}

// median sorts a list and returns its middle.
func median(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	if k := len(list) / 2; len(list)%2 == 1 {
		return list[k]
	}
	k := len(list) / 2
	return (list[k-1] + list[k]) / 2
}

// A Drift is the change of the offset between the times of two tracks.
type Drift struct {
	A, B    *model.Track
	Pairs   int64
	Offset  float64 // of the first pair, in seconds
	Rate    float64 // growth of the offset per second
	Largest float64 // greatest distance of an offset from the line
}

// Finding returns the drift as a finding.
func (d *Drift) Finding() Finding {
	const million, sure = 1e6, 6
	start := "starts with"
	if d.Offset != 0 {
		by := math.Abs(d.Offset)
		digits := sure + max(0, int(math.Log10(by))+1)
		start = "starts " + model.FormatDigits(by, digits) + " s " + map[bool]string{true: "before", false: "after"}[d.Offset < 0]
	}
	return Finding{"drift", d.B.Name, fmt.Sprintf("%s %s, drifts by %.6g ppm; %s pairs, at most %.6g s off that line", start, d.A.Name,
		d.Rate*million, model.Grouped(d.Pairs), d.Largest), d.B.Path}
}

// Between compares two tracks of one rate, moment by moment.
func Between(ctx context.Context, a, b *model.Track) (*Drift, error) {
	var times [2][]float64 // since the first
	var first [2]model.Moment
	for i, t := range []*model.Track{a, b} {
		moments, _, err := readAll(ctx, t)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(moments, func(a, b model.Moment) int { return compare(a.Since(b), 0) })
		for _, m := range moments {
			times[i], first[i] = append(times[i], m.Since(moments[0])), moments[0]
		}
	}
	n := min(len(times[0]), len(times[1]))
	if n < 2 {
		return nil, errors.New("two tracks with two times at least are wanted")
	}
	x, y := times[0][:n], times[1][:n]
	stepA, stepB := x[n-1]/float64(n-1), y[n-1]/float64(n-1)
	if math.Abs(stepA-stepB) > 0.1*max(stepA, stepB) {
		return nil, fmt.Errorf("%s and %s have not one rate: a time every %s and every %s", a.Name, b.Name,
			model.FormatFloat(stepA, 32), model.FormatFloat(stepB, 32))
	}
	d := &Drift{A: a, B: b, Pairs: int64(n), Offset: first[1].Since(first[0])}
	var sumX, sumY, sumXX, sumXY float64
	for i := range x {
		u, v := x[i], y[i]-x[i]
		sumX, sumY, sumXX, sumXY = sumX+u, sumY+v, sumXX+u*u, sumXY+u*v
	}
	if below := float64(n)*sumXX - sumX*sumX; below > 0 {
		d.Rate = (float64(n)*sumXY - sumX*sumY) / below
	}
	at := (sumY - d.Rate*sumX) / float64(n)
	for i := range x {
		d.Largest = max(d.Largest, math.Abs(y[i]-x[i]-at-d.Rate*x[i]))
	}
	return d, ctx.Err()
}

// Find returns the track with a name, or the only track whose name contains it.
func Find(tracks []model.Track, name string) (*model.Track, error) {
	var found *model.Track
	for i := range tracks {
		switch t := &tracks[i]; {
		case t.Name == name || t.Path == name:
			return t, nil
		case strings.Contains(t.Name, name) && found != nil:
			return nil, fmt.Errorf("there are several tracks %q: %q and %q", name, found.Name, t.Name)
		case strings.Contains(t.Name, name):
			found = t
		}
	}
	if found == nil {
		return nil, fmt.Errorf("there is no track %q", name)
	}
	return found, nil
}
