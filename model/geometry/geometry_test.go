package geometry

import (
	"context"
	"math"
	"slices"
	"testing"

	"cutaway/model"
)

func ints(list ...int64) model.Array {
	values := make([]model.Value, len(list))
	for i, n := range list {
		values[i] = model.Int(n)
	}
	return &model.Elements{Type: "int", Count: int64(len(values)), Make: func(_ context.Context, i int64) (model.Value, error) { return values[i], nil }}
}

func vectors(list ...Vec) model.Array {
	return &model.Elements{Type: "float3", Count: int64(len(list)), Make: func(_ context.Context, i int64) (model.Value, error) {
		return model.Tuple{model.Float32(list[i][0]), model.Float32(list[i][1]), model.Float32(list[i][2])}, nil
	}}
}

// flat is a scene of squares, one above the other, and a line.
type flat struct{ model.CardBase }

func (f flat) ZUp(context.Context) bool { return true }

func (f flat) Shapes(_ context.Context, time float64, give func(model.Placed) error) (bool, error) {
	place := func(z float64) [16]float64 { return [16]float64{0: 1, 5: 1, 10: 1, 14: z, 15: 1} }
	one := &joinedPoints{points: vectors(Vec{0, 0}, Vec{1, 0}, Vec{1, 1}, Vec{0, 1}), counts: ints(4), indices: ints(0, 1, 2, 3), closed: true}
	line := &joinedPoints{points: vectors(Vec{0, 0}, Vec{1, 1}, Vec{2, 0}), counts: ints(3)}
	for _, p := range []model.Placed{
		{Shape: one, Kind: "mesh", Paths: []string{"A/Low"}, To: place(0)},
		{Shape: one, Kind: "mesh", Paths: []string{"A/{v=1}/High", "A/High"}, To: place(2 + time), Color: []float64{1, 0, 0}},
		{Shape: line, Kind: "curves", Paths: []string{"B"}, To: place(1)},
	} {
		if err := give(p); err != nil {
			return true, err
		}
	}
	return true, nil
}

// joinedPoints is a shape of some arrays.
type joinedPoints struct {
	model.CardBase
	points, counts, indices model.Array
	closed                  bool
}

func (j *joinedPoints) Points(context.Context) model.Array { return j.points }

func (j *joinedPoints) Parts(context.Context) (counts, indices model.Array, closed bool) {
	return j.counts, j.indices, j.closed
}

// TestScene: the shapes of a scene are at their places in one solid, each part of its shape; those at or below a path are known.
func TestScene(t *testing.T) {
	c, err := ReadScene(t.Context(), flat{}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Text(); got != "Whole scene at time 1  ·  2 meshes, 1 curves" {
		t.Errorf("%q", got)
	}
	if n := len(c.Solid.Parts) - 1; n != 4 || len(c.Solid.Points) != 11 {
		t.Fatalf("%d parts of %d points", n, len(c.Solid.Points))
	}
	var owners []int
	for k := range 4 {
		owners = append(owners, c.Of(k))
	}
	if !slices.Equal(owners, []int{0, 1, 2, 2}) {
		t.Errorf("parts of %v", owners)
	}
	if low, high := c.Solid.Points[0], c.Solid.Points[4]; math.Abs((high[2]-low[2])*c.Solid.Reach/0.95-3) > 1e-9 {
		t.Errorf("at %v and %v", low, high)
	}
	for path, want := range map[string][]bool{
		"": {true, true, true}, "A": {true, true, false}, "A/High": {false, true, false}, "A/{v=1}": {false, true, false},
		"A/Low/.points": {true, false, false}, "A/Other": {true, true, false}, "C": {true, true, true},
	} {
		if got := c.Within(path); !slices.Equal(got, want) {
			t.Errorf("%q: %v", path, got)
		}
	}
	if c.List[0].Color != nil || c.List[1].Color == nil {
		t.Errorf("colours %v", c.List)
	}
}

// plain is a scene of two squares on a ground so many times as wide; solid is one of two cubes on such a ground.
type (
	plain float64
	solid float64
)

func (solid) CardTitle() string { return "" }

func (solid) ZUp(context.Context) bool { return true }

func (s solid) Shapes(_ context.Context, _ float64, give func(model.Placed) error) (bool, error) {
	cube := &joinedPoints{points: vectors(Vec{-1, -1, -1}, Vec{1, -1, -1}, Vec{1, 1, 1}, Vec{-1, 1, 1}), counts: ints(4), closed: true}
	for i, wide := range []float64{1, float64(s), 1} {
		to := [16]float64{0: wide, 5: wide, 10: 1, 12: float64(i), 15: 1}
		if i == 1 {
			to[10] = 0
		}
		if err := give(model.Placed{Shape: cube, Kind: "mesh", Paths: []string{"A"}, To: to}); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (plain) CardTitle() string { return "" }

func (plain) ZUp(context.Context) bool { return true }

func (p plain) Shapes(_ context.Context, _ float64, give func(model.Placed) error) (bool, error) {
	square := &joinedPoints{points: vectors(Vec{-1, -1}, Vec{1, -1}, Vec{1, 1}, Vec{-1, 1}), counts: ints(4), closed: true}
	for i, wide := range []float64{1, float64(p), 1} {
		err := give(model.Placed{Shape: square, Kind: "mesh", Paths: []string{"A"}, To: [16]float64{0: wide, 5: wide, 10: 1, 12: float64(i), 15: 1}})
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// TestFramed: a scene is seen whole, but for what would make everything else tiny.
func TestFramed(t *testing.T) {
	for scene, most := range map[model.Scene]float64{plain(20): 29, plain(1000): 3, solid(1.2): 3.2, solid(20): 3} {
		c, err := ReadScene(t.Context(), scene, math.NaN(), nil)
		if err != nil || c.Solid.Reach > most || c.Solid.Reach < most/2 || len(c.Solid.Points) != 12 {
			t.Errorf("with a ground %v times as wide %g of the scene is in sight, of %d points: %v", scene, c.Solid.Reach, len(c.Solid.Points), err)
		}
	}
}

func mustRead(t *testing.T, points, counts, indices model.Array) *Solid {
	t.Helper()
	d, _, err := Read(t.Context(), &joinedPoints{points: points, counts: counts, indices: indices, closed: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestSolid: parts that name points that are not there are left out and told of; the others stay.
func TestSolid(t *testing.T) {
	d := mustRead(t, vectors(Vec{0, 0, 1}, Vec{2, 0, 1}, Vec{2, 2, 1}, Vec{0, 2, 1}, Vec{1, 1, -1}), ints(3, 3, 3, 4), ints(0, 1, 2, 0, 2, 9, 0, 2, 3, 1, 2))
	if len(d.Parts) != 3 || len(d.Corner) != 6 || d.Corner[5] != 3 || d.Wrong == "" {
		t.Errorf("parts %v of corners %v; %q", d.Parts, d.Corner, d.Wrong)
	}
	if p := d.Points[2]; p[0] <= 0 || p[0] != p[1] || d.Points[0][0] != -p[0] {
		t.Errorf("the points are not around their middle: %v", d.Points)
	}
	if _, _, err := Read(t.Context(), &joinedPoints{points: ints(1, 2)}, nil); err == nil {
		t.Error("numbers are points")
	}
	many := &model.Elements{Type: "float3", Count: 3*MostPoints - 1, Make: func(_ context.Context, i int64) (model.Value, error) {
		return model.Tuple{model.Float32(i), model.Float32(0), model.Float32(0)}, nil
	}}
	d, _, err := Read(t.Context(), &joinedPoints{points: many}, nil)
	if err != nil || d.Step != 3 || len(d.Points) != MostPoints {
		t.Errorf("one in %d of many: %d points, %v", d.Step, len(d.Points), err)
	}
}
