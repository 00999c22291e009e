package cards

import (
	"context"
	"image/color"
	"math"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"cutaway/model"
)

// flat is a scene of squares, one above the other, and a line.
type flat struct{ model.CardBase }

func (f flat) ZUp(context.Context) bool { return true }

func (f flat) Shapes(_ context.Context, time float64, give func(model.Placed) error) (bool, error) {
	place := func(z float64) [16]float64 { return [16]float64{0: 1, 5: 1, 10: 1, 14: z, 15: 1} }
	one := &joinedPoints{points: vectors(vec{0, 0}, vec{1, 0}, vec{1, 1}, vec{0, 1}), counts: ints(4), indices: ints(0, 1, 2, 3), closed: true}
	line := &joinedPoints{points: vectors(vec{0, 0}, vec{1, 1}, vec{2, 0}), counts: ints(3)}
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

// TestScenery: the shapes of a scene are at their places in one solid, each part of its shape; those beside a selected node are grey.
func TestScenery(t *testing.T) {
	c, err := readScene(t.Context(), flat{}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.text(); got != "Whole scene at time 1  ·  2 meshes, 1 curves" {
		t.Errorf("%q", got)
	}
	if n := len(c.solid.parts) - 1; n != 4 || len(c.solid.points) != 11 {
		t.Fatalf("%d parts of %d points", n, len(c.solid.points))
	}
	var owners []int
	for k := range 4 {
		owners = append(owners, c.of(k))
	}
	if !slices.Equal(owners, []int{0, 1, 2, 2}) {
		t.Errorf("parts of %v", owners)
	}
	if low, high := c.solid.points[0], c.solid.points[4]; math.Abs((high[2]-low[2])*c.solid.reach/0.95-3) > 1e-9 {
		t.Errorf("at %v and %v", low, high)
	}
	red := color.NRGBA{255, 0, 0, 255}
	for path, want := range map[string][]color.NRGBA{
		"": {clay, red, clay, clay}, "A": {clay, red, faint, faint}, "A/High": {faint, red, faint, faint}, "A/{v=1}": {faint, red, faint, faint},
		"A/Low/.points": {clay, faint, faint, faint}, "A/Other": {clay, red, faint, faint}, "C": {clay, red, clay, clay},
	} {
		if got := c.lit(path).paint.inks; !slices.Equal(got, want) {
			t.Errorf("%q: %v", path, got)
		}
	}
}

// TestFaceUnderPointer: of the faces under a place the nearest is found, whichever way it looks.
func TestFaceUnderPointer(t *testing.T) {
	c, err := readScene(t.Context(), flat{}, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	table := newTurntable()
	table.solid, table.yaw, table.pitch = c.solid, 0, 0
	table.Resize(fyne.NewSquareSize(200))
	v := table.pose()
	if got := v.partAt(fyne.NewPos(80, 100), fyne.NewSquareSize(200)); got != 1 {
		t.Errorf("the part in the middle is %d", got)
	}
	if got := v.partAt(fyne.NewPos(2, 2), fyne.NewSquareSize(200)); got != -1 {
		t.Errorf("the part in the corner is %d", got)
	}
}

// BenchmarkTurn paints a step of a turn of a scene of 200,000 faces, 1,280 pixels wide.
func BenchmarkTurn(b *testing.B) {
	const side = 316
	d := &solid{parts: []int32{0}, closed: true, step: 1}
	for y := range side {
		for x := range side {
			d.points = append(d.points, vec{float64(x), float64(y), 20 * math.Sin(float64(x)/20) * math.Cos(float64(y)/20)})
		}
	}
	for y := range side - 1 {
		for x := range side - 1 {
			i := int32(y*side + x)
			for _, f := range [][]int32{{i, i + 1, i + side}, {i + 1, i + side + 1, i + side}} {
				d.addPart(0, 3, f, true)
			}
		}
	}
	d.center()
	table := newTurntable()
	table.solid, table.mode = d, "Flat"
	table.Resize(fyne.NewSize(1280, 800))
	table.seen = table.pose()
	for b.Loop() {
		table.paint(1280, 800)
	}
}
