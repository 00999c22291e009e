package profile

import (
	"context"
	"sort"
	"strings"

	"cutaway/model"
)

// OverTime returns the table of the values of a node over time, with its times first, or nil if there is none.
func OverTime(cards []model.Card) model.Table {
	for _, c := range cards {
		if t, is := c.(model.Table); is && len(t.Columns()) == 2 && strings.Contains(strings.ToLower(t.Columns()[0].Name), "time") {
			return t
		}
	}
	return nil
}

// At returns the value of a table over time at a time, which is that of its last row that is not later. It returns
// nothing if all rows are later. Times must not decrease.
func At(ctx context.Context, t model.Table, time float64) (lines []model.Said) {
	var failed error
	row := [][]model.Cell{make([]model.Cell, 2)}
	timeOf := func(i int) float64 {
		if n, err := t.Read(ctx, int64(i), row); n == 0 || err != nil {
			failed = err
			return 0
		}
		at, _ := model.FloatOf(row[0][0].Value)
		return at
	}
	rows, _ := t.Rows()
	last := sort.Search(int(rows), func(i int) bool { return timeOf(i) > time }) - 1
	if last < 0 || failed != nil {
		return nil
	}
	at := timeOf(last)
	text := model.Show(ctx, row[0][1].Value, shownValue)
	if at != time {
		text += ", since " + model.ShowHeld(model.Float64(at), shownOfBounds)
	}
	var refs []model.Ref
	if path := row[0][1].Path; path != "" {
		refs = []model.Ref{{Path: path}}
	}
	return model.Say(nil, "at "+model.ShowHeld(model.Float64(time), shownOfBounds), text, refs...)
}
