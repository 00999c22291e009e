package timeline

import (
	"context"
	"math"
	"testing"

	"cutaway/model"
)

// clocks is a table of two clocks, a number that only grows, and a word.
type clocks struct {
	model.CardBase
	rows int64
}

func (clocks) Columns() []model.Column {
	return []model.Column{{Name: "ns"}, {Name: "late"}, {Name: "bytes"}, {Name: "word"}}
}
func (c clocks) Rows() (int64, bool) { return c.rows, true }
func (c clocks) Read(_ context.Context, first int64, dst [][]model.Cell) (int, error) {
	n := 0
	for ; n < len(dst) && first+int64(n) < c.rows; n++ {
		at := first + int64(n)
		for k, v := range []model.Value{model.Int(at*100_000_000 + 5), model.Float64(float64(at)*0.1*1.0001 + 2), model.Int(at * 17), model.Text("x")} {
			dst[n][k] = model.Cell{Value: v}
		}
	}
	return n, nil
}

// TestFields: columns that go on as the records do are times in seconds, and drift from them as they do.
func TestFields(t *testing.T) {
	var times []float64
	for i := range 1000 {
		times = append(times, float64(i)*0.1)
	}
	tr := track(times...)
	tr.Unit = "s"
	root := &model.View{Name: "v", Root: func(context.Context) model.Node {
		return model.Node{Cards: func(context.Context) []model.Card { return []model.Card{clocks{rows: 1000}} }}
	}}
	p := root.Place(t.Context())
	fields, err := Fields(t.Context(), tr, p)
	if err != nil || len(fields) != 2 || fields[0].Name != tr.Name+":ns" || fields[1].Name != tr.Name+":late" {
		t.Fatalf("%v, %v", fields, err)
	}
	drifts, err := Drifts(t.Context(), []*model.Track{tr}, func(context.Context, string) (*model.Place, error) { return p, nil }, nil)
	if err != nil || len(drifts) != 2 {
		t.Fatalf("%v, %v", drifts, err)
	}
	if d := drifts[0]; math.Abs(d.Offset-5e-9) > 1e-12 || math.Abs(d.Rate) > 1e-9 || d.Pairs != 1000 {
		t.Errorf("of nanoseconds %+v", d)
	}
	if d := drifts[1]; math.Abs(d.Offset-2) > 1e-9 || math.Abs(d.Rate-1e-4) > 1e-9 {
		t.Errorf("of the late clock %+v", d)
	}
}
