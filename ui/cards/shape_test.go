package cards

import (
	"context"
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
	"cutaway/model/geometry"
)

// ints and vectors are arrays in memory.
func ints(list ...int64) model.Array {
	values := make([]model.Value, len(list))
	for i, n := range list {
		values[i] = model.Int(n)
	}
	return &model.Elements{Type: "int", Count: int64(len(values)), Make: func(_ context.Context, i int64) (model.Value, error) { return values[i], nil }}
}

func vectors(list ...vec) model.Array {
	return &model.Elements{Type: "float3", Count: int64(len(list)), Make: func(_ context.Context, i int64) (model.Value, error) {
		return model.Tuple{model.Float32(list[i][0]), model.Float32(list[i][1]), model.Float32(list[i][2])}, nil
	}}
}

// faced is a shape of faces of some arrays.
type faced struct {
	model.CardBase
	points, counts, indices model.Array
}

func (j faced) Points(context.Context) model.Array { return j.points }

func (j faced) Parts(context.Context) (counts, indices model.Array, closed bool) {
	return j.counts, j.indices, true
}

// square is two triangles, in front of a point at their middle.
var square = []vec{{0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}, {1, 1, -1}}

func read(t testing.TB, points, counts, indices model.Array) *solid {
	t.Helper()
	d, _, err := geometry.Read(t.Context(), faced{points: points, counts: counts, indices: indices}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &solid{Solid: d}
}

// TestTurntable: a face hides what is behind it; from the other side, the point is seen and can be chosen.
func TestTurntable(t *testing.T) {
	test.NewTempApp(t)
	table := newTurntable()
	table.solid, table.mode, table.yaw, table.pitch = read(t, vectors(square...), ints(4), ints(0, 1, 2, 3)), "Flat", 0, 0
	table.Resize(fyne.NewSize(200, 200))
	drawn := func() (n int) {
		test.WidgetRenderer(table).Refresh()
		img := table.paint(200, 200).(*image.RGBA)
		for i := 3; i < len(img.Pix); i += 4 {
			if img.Pix[i] > 0 {
				n++
			}
		}
		return n
	}
	if n := drawn(); n < 10_000 {
		t.Errorf("the square covers %d of 40,000 pixels", n)
	}
	table.mode = "Wireframe"
	if n := drawn(); n == 0 || n > 2000 {
		t.Errorf("its edges cover %d pixels", n)
	}
	chosen := -1
	table.onTap = func(i int) { chosen = i }
	test.TapAt(table, fyne.NewPos(100, 100))
	if chosen != 4 {
		t.Errorf("in the middle is point %d", chosen)
	}
	table.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(60, 0)})
	chosen = -1
	test.TapAt(table, fyne.NewPos(100, 100))
	if chosen == 4 {
		t.Error("a drag does not turn")
	}
	before := drawn()
	table.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -30)})
	if after := drawn(); after >= before {
		t.Errorf("zoomed out it covers %d pixels, before %d", after, before)
	}
}
