package timeline

import (
	"context"
	"math"
	"slices"
	"strings"

	"cutaway/model"
)

// An Index finds the moments of a track by time. It keeps nothing if the moments are in order of time, and otherwise 4
// bytes for each.
type Index struct {
	Track *model.Track
	Facts *Facts
	n     int64
	order []uint32 // numbers of the moments in order of time, or nil if they are in order
}

// NewIndex reads the times of a track once, and computes its Facts.
func NewIndex(ctx context.Context, t *model.Track) (*Index, error) {
	moments, at, err := readAll(ctx, t)
	if err != nil {
		return nil, err
	}
	x := &Index{Track: t, n: int64(len(moments))}
	byTime := func(a, b int) int { return compare(moments[a].Time, moments[b].Time) }
	inOrder := len(moments) == 0 || at[len(at)-1] == uint32(len(at)-1)
	for i := 1; inOrder && i < len(moments); i++ {
		inOrder = byTime(i-1, i) <= 0
	}
	if !inOrder {
		k := make([]int, len(moments))
		for i := range k {
			k[i] = i
		}
		slices.SortStableFunc(k, byTime)
		x.order = make([]uint32, len(k))
		for i := range k {
			x.order[i] = at[k[i]]
		}
	}
	x.Facts = factsOf(t, moments)
	return x, ctx.Err()
}

// Len returns the number of moments that have a time.
func (x *Index) Len() int64 { return x.n }

// At returns moment k in order of time.
func (x *Index) At(ctx context.Context, k int64) (model.Moment, error) {
	if x.order != nil {
		k = int64(x.order[k])
	}
	var one [1]model.Moment
	n, err := x.Track.Read(ctx, k, one[:])
	if n == 0 && err == nil {
		err = errGone
	}
	return one[0], err
}

// Search returns the number of moments before a time, or if at is set up to the time.
func (x *Index) Search(ctx context.Context, time float64, at bool) (int64, error) {
	low, high := int64(0), x.n
	for low < high {
		mid := low + (high-low)/2
		m, err := x.At(ctx, mid)
		switch {
		case err != nil:
			return 0, err
		case m.Time < time || at && m.Time == time:
			low = mid + 1
		default:
			high = mid
		}
	}
	return low, nil
}

// Density counts the moments in each of len(dst) equal parts of from … to; those at to are in the last.
func (x *Index) Density(ctx context.Context, from, to float64, dst []int64) error {
	clear(dst)
	first, err := x.Search(ctx, from, false)
	if err != nil {
		return err
	}
	end, err := x.Search(ctx, to, true)
	if err != nil || !(from < to) {
		return err
	}
	part := func(t float64) int { return min(max(int((t-from)/(to-from)*float64(len(dst))), 0), len(dst)-1) }
	const searchCost = 24 // reading so many moments takes as long as a search
	for k := first; k < end; {
		m, err := x.At(ctx, k)
		if err != nil {
			return err
		}
		p := part(m.Time)
		next := k + 1
		if (end - first) > searchCost*int64(len(dst)) { // many moments in a part: search its end
			next = x.partEnd(ctx, k+1, end, func(t float64) bool { return part(t) > p })
		}
		dst[p] += next - k
		k = next
	}
	return ctx.Err()
}

// partEnd returns the first of the moments from … end-1 that is past, or end.
func (x *Index) partEnd(ctx context.Context, from, end int64, past func(float64) bool) int64 {
	for from < end {
		mid := from + (end-from)/2
		if m, err := x.At(ctx, mid); err != nil || past(m.Time) {
			end = mid
		} else {
			from = mid + 1
		}
	}
	return from
}

// Range returns the least and the greatest time of several tracks, or NaN if none has a time.
func Range(tracks []*Index) (from, to float64) {
	from, to = math.NaN(), math.NaN()
	for _, x := range tracks {
		if x.n > 0 {
			if !(from <= x.Facts.First) {
				from = x.Facts.First
			}
			if !(to >= x.Facts.Last) {
				to = x.Facts.Last
			}
		}
	}
	return from, to
}

// Rated returns the tracks that have a rate: more than two moments at more than one time. Records of configuration,
// written once or twice and often outside of the recording's time, have none.
func Rated(tracks []*Index) []*Index {
	var list []*Index
	for _, x := range tracks {
		if x.n > 2 && x.Facts.Median > 0 {
			list = append(list, x)
		}
	}
	return list
}

// Core returns the range of the tracks that have a rate, without moments far from the others of their track. It
// includes tracks with two times if they are closer than the length of that range. If no track has a rate, it returns
// the Range of those with two times.
func Core(tracks []*Index) (from, to float64) {
	rated := Rated(tracks)
	if len(rated) == 0 { // use tracks with two times
		var two []*Index
		for _, x := range tracks {
			if x.n > 0 && x.Facts.First < x.Facts.Last {
				two = append(two, x)
			}
		}
		if len(two) == 0 {
			two = tracks
		}
		return Range(two)
	}
	from, to = math.Inf(1), math.Inf(-1)
	for _, x := range rated {
		first, last := x.Facts.core()
		from, to = min(from, first), max(to, last)
	}
	span, first, last := to-from, from, to
	for _, x := range tracks { // two moments close to the others
		if x.Facts.First < x.Facts.Last && x.Facts.First >= from-span && x.Facts.Last <= to+span {
			first, last = min(first, x.Facts.First), max(last, x.Facts.Last)
		}
	}
	return first, last
}

// core returns the range of the track without moments beyond a gap many times longer than the rest.
func (f *Facts) core() (first, last float64) {
	const far = 10
	first, last = f.First, f.Last
	for _, g := range f.Gaps {
		before, after := g.From-first, last-g.To
		switch {
		case g.To-g.From <= far*max(before, after):
		case before <= after:
			first = g.To
		default:
			return first, g.From
		}
	}
	return first, last
}

// TrackOf returns the track around a node: the child of the track's node at or above the path, and the rest of the
// path. The track is nil if there is none.
func TrackOf(tracks []*Index, path string) (x *Index, child int64, rest string) {
	for _, x := range tracks {
		below, inside := strings.CutPrefix(path, x.Track.Path+"/")
		name, rest, deeper := strings.Cut(below, "/")
		if i, ok := model.ParseIndex(name); inside && ok {
			if deeper {
				rest = "/" + rest
			}
			return x, i, rest
		}
	}
	return nil, 0, ""
}

// A Stop is a moment of a track, with its number in order of time.
type Stop struct {
	Track  *Index
	Number int64
	Moment model.Moment
}

// Path returns the path of the node.
func (s *Stop) Path() string { return s.Track.Track.PathOf(s.Moment) }

// Nearest returns the moment of several tracks that is nearest to a time, or nil.
func Nearest(ctx context.Context, tracks []*Index, time float64) (*Stop, error) {
	return closest(ctx, tracks, time, false, func(a, b float64) bool { return math.Abs(a-time) < math.Abs(b-time) })
}

// Before returns the last moment of several tracks up to a time, or else the first after it, or nil without any.
func Before(ctx context.Context, tracks []*Index, time float64) (*Stop, error) {
	return closest(ctx, tracks, time, true, func(a, b float64) bool {
		if late := a > time; late != (b > time) {
			return !late
		}
		return math.Abs(a-time) < math.Abs(b-time)
	})
}

// closest returns the closest moment to a time, from the last one before and the first one after it of each track. at
// means that moments at the time count as before.
func closest(ctx context.Context, tracks []*Index, time float64, at bool, closer func(a, b float64) bool) (*Stop, error) {
	var best *Stop
	for _, x := range tracks {
		next, err := x.Search(ctx, time, at)
		if err != nil {
			return nil, err
		}
		for k := max(next-1, 0); k <= min(next, x.n-1); k++ {
			m, err := x.At(ctx, k)
			if err != nil {
				return nil, err
			}
			if best == nil || closer(m.Time, best.Moment.Time) {
				best = &Stop{x, k, m}
			}
		}
	}
	return best, nil
}

// Beside returns the moment of several tracks after from, or if back is set before it, or nil. Moments at the same time
// are in the order of the tracks.
func Beside(ctx context.Context, tracks []*Index, from *Stop, back bool) (*Stop, error) {
	own := slices.Index(tracks, from.Track)
	var best *Stop
	for i, x := range tracks {
		var k int64
		switch {
		case i == own && back:
			k = from.Number - 1
		case i == own:
			k = from.Number + 1
		default: // moments of later tracks at the same time come after this one
			n, err := x.Search(ctx, from.Moment.Time, i < own)
			if err != nil {
				return nil, err
			}
			if k = n; back {
				k--
			}
		}
		if k < 0 || k >= x.n {
			continue
		}
		m, err := x.At(ctx, k)
		if err != nil {
			return nil, err
		}
		if best == nil || !back && m.Time < best.Moment.Time || back && m.Time >= best.Moment.Time {
			best = &Stop{x, k, m}
		}
	}
	return best, nil
}

// Of returns the moment of child i of the track's node, or nil if it has no time.
func (x *Index) Of(ctx context.Context, i int64) (*Stop, error) {
	for d := int64(0); d <= x.n; d++ { // most often its number is the position
		for _, k := range []int64{i - d, i + d} {
			if k < 0 || k >= x.n {
				continue
			}
			m, err := x.At(ctx, k)
			if err != nil {
				return nil, err
			}
			if m.Index == i {
				return &Stop{x, k, m}, nil
			}
		}
	}
	return nil, ctx.Err()
}
