package timeline

import (
	"context"
	"math"
	"math/big"

	"cutaway/model"
)

// units are the units of fields with times, as parts of a second.
var units = []float64{1, 1e3, 1e6, 1e9}

// Fields returns the columns with times in the tables of a track's node, as tracks in seconds. Such a column advances
// like the track, in seconds or thousandths, millionths or billionths of one.
func Fields(ctx context.Context, t *model.Track, p *model.Place) ([]model.Track, error) {
	if t.Unit != "s" {
		return nil, nil
	}
	var found []model.Track
	for _, table := range model.CardsOf[model.Table](ctx, &p.Node) {
		n, exact := table.Rows()
		if n < 3 || !exact || n != t.Count {
			continue
		}
		own, rows, err := samples(ctx, t, table, n)
		if err != nil {
			return nil, err
		}
		for k, c := range table.Columns() {
			if unit := unitOf(own, rows, k); unit > 0 {
				found = append(found, field(t, table, c.Name, k, unit))
			}
		}
	}
	return found, nil
}

// samples returns some moments of a track, and the table rows of the same records.
func samples(ctx context.Context, t *model.Track, table model.Table, n int64) (own []float64, rows [][]model.Cell, err error) {
	const most = 16
	columns := len(table.Columns())
	for i := range min(n, most) {
		at := i * (n - 1) / (min(n, most) - 1)
		var m [1]model.Moment
		row := [][]model.Cell{make([]model.Cell, columns)}
		if got, err := t.Read(ctx, at, m[:]); got == 0 || err != nil {
			return nil, nil, orGone(err)
		}
		if got, err := table.Read(ctx, at, row); got == 0 || err != nil {
			return nil, nil, orGone(err)
		}
		own, rows = append(own, m[0].Time), append(rows, row[0])
	}
	return own, rows, ctx.Err()
}

func orGone(err error) error {
	if err == nil {
		return errGone
	}
	return err
}

// unitOf returns the number of units of column k in a second, or 0 for a column without times.
func unitOf(own []float64, rows [][]model.Cell, k int) float64 {
	const alike = 0.05 // relative difference of elapsed times
	first, last := timeIn(rows[0], k), timeIn(rows[len(rows)-1], k)
	passed := own[len(own)-1] - own[0]
	before := first
	for _, row := range rows {
		at := timeIn(row, k)
		if !(at >= before) {
			return 0
		}
		before = at
	}
	for _, unit := range units {
		if passed > 0 && math.Abs((last-first)/unit-passed) < alike*passed {
			return unit
		}
	}
	return 0
}

// timeIn returns number k of a row, or NaN if it is none.
func timeIn(row []model.Cell, k int) float64 {
	if f, ok := model.FloatOf(row[k].Value); ok {
		return f
	}
	return math.NaN()
}

// moment returns a number in a unit as a moment.
func moment(v model.Value, unit float64, index int64) model.Moment {
	f, ok := model.FloatOf(v)
	if !ok {
		return model.Moment{Time: math.NaN(), Index: index}
	}
	m := model.Moment{Time: f / unit, Index: index}
	over := math.FMA(-m.Time, unit, f) // in the unit
	switch v := v.(type) {
	case model.Int:
		over += float64(new(big.Int).Sub(big.NewInt(int64(v)), integerOf(f)).Int64())
	case model.Uint:
		over += float64(new(big.Int).Sub(new(big.Int).SetUint64(uint64(v)), integerOf(f)).Int64())
	}
	m.Rest = over / unit
	return m
}

// integerOf returns a float64 that is an integer as such.
func integerOf(f float64) *big.Int {
	i, _ := big.NewFloat(f).Int(nil)
	return i
}

// field returns a column as a track.
func field(t *model.Track, table model.Table, name string, k int, unit float64) model.Track {
	columns := len(table.Columns())
	return model.Track{Name: t.Name + ":" + name, Label: t.Title() + ": " + name, Path: t.Path, Count: t.Count, Unit: "s",
		Read: func(ctx context.Context, first int64, dst []model.Moment) (int, error) {
			rows := make([][]model.Cell, len(dst))
			for i := range rows {
				rows[i] = make([]model.Cell, columns)
			}
			n, err := table.Read(ctx, first, rows)
			for i, row := range rows[:n] {
				dst[i] = moment(row[k].Value, unit, first+int64(i))
			}
			return n, err
		}}
}

// Drifts compares every track with the first one of its rate, and the fields with times with the times of their
// records. place returns the node of a track.
func Drifts(ctx context.Context, tracks []*model.Track, place func(ctx context.Context, path string) (*model.Place, error), progress model.Progress) ([]*Drift, error) {
	var found []*Drift
	var leaders []*model.Track
	for i, t := range tracks {
		progress.Report(int64(i), int64(len(tracks)), "drift")
		p, err := place(ctx, t.Path)
		if err != nil {
			return found, err
		}
		fields, err := Fields(ctx, t, p)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if err == nil {
			for k := range fields {
				if d, err := Between(ctx, t, &fields[k]); err == nil {
					found = append(found, d)
				}
			}
		}
		if t.Unit != "s" || t.Count < 2 {
			continue // samples of an animation are no clock
		}
		if d := firstOf(ctx, leaders, t); d != nil {
			found = append(found, d)
		} else {
			leaders = append(leaders, t)
		}
	}
	return found, ctx.Err()
}

// firstOf returns the drift from the first track that has the rate of t, or nil.
func firstOf(ctx context.Context, leaders []*model.Track, t *model.Track) *Drift {
	for _, l := range leaders {
		if d, err := Between(ctx, l, t); err == nil {
			return d
		}
	}
	return nil
}
