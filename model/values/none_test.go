package values

import (
	"context"
	"math"
	"testing"

	"cutaway/model"
)

// listed is an array of values.
func listed(t *testing.T, typ string, list ...model.Value) *Column {
	t.Helper()
	c, err := ArrayColumn(t.Context(), &model.Elements{Type: typ, Count: int64(len(list)), Make: func(_ context.Context, i int64) (model.Value, error) { return list[i], nil }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// meanOf is a mean as a float64.
func meanOf(c *Component) float64 {
	f, _ := model.FloatOf(c.Mean)
	return f
}

// TestNone: numbers of which some have no value stay numbers; those without are counted, left out of the rest, and gaps of a plot.
func TestNone(t *testing.T) {
	none := model.None{}
	c := listed(t, "float", none, model.Float32(1), model.Float32(2), none, model.Float32(4))
	f, err := Summarize(t.Context(), c, nil)
	if err != nil || f.Components != 1 || f.Count != 5 || f.None != 2 || f.By[0].Finite != 3 || f.By[0].NaN != 0 || math.Abs(meanOf(&f.By[0])-7.0/3) > 1e-12 || f.By[0].Sorted != "ascending" {
		t.Fatalf("%+v, %v", f, err)
	}
	if f.First != model.Value(none) || f.Last != model.Value(model.Float32(4)) {
		t.Errorf("first %v, last %v", f.First, f.Last)
	}
	b, err := Bands(t.Context(), c, 0, 5, 5)
	if err != nil || !math.IsNaN(b.Low[0][0]) || b.Low[0][1] != 1 || !math.IsNaN(b.High[0][3]) || b.High[0][4] != 4 {
		t.Errorf("%+v, %v", b, err)
	}
	hashes := map[uint64]bool{f.Hash: true}
	for _, other := range []*Column{
		listed(t, "float", model.Float32(1), model.Float32(2), model.Float32(4)), listed(t, "float", model.Float32(1), none, model.Float32(2), none, model.Float32(4)),
		listed(t, "float", model.Float32(0), model.Float32(1), model.Float32(2), model.Float32(0), model.Float32(4)),
	} {
		h, err := Hash(t.Context(), other)
		if err != nil || hashes[h] {
			t.Errorf("the hash %x again, %v", h, err)
		}
		hashes[h] = true
	}
	late := make([]model.Value, 1000)
	for i := range late {
		late[i] = none
	}
	late[900] = model.Int(7)
	if f, err := Summarize(t.Context(), listed(t, "int", late...), nil); err != nil || f.Components != 1 || f.None != 999 || f.By[0].Max != model.Value(model.Int(7)) {
		t.Errorf("%+v, %v", f, err)
	}
	mixed, err := Summarize(t.Context(), listed(t, "", model.Int(7), none, model.Text("a"), model.Text("a")), nil)
	if err != nil || mixed.Components != 0 || mixed.None != 1 || len(mixed.Text.Said) != 2 || mixed.Text.Said[0] != (Said{"a", 2, 2}) {
		t.Errorf("%+v, %v", mixed, err)
	}
}
