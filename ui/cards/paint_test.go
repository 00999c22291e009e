package cards

import (
	"context"
	"image/color"
	"testing"

	"cutaway/model"
	"cutaway/model/geometry"
)

func named(name string, list ...model.Value) model.NamedArray {
	return model.NamedArray{Name: name, Array: &model.Elements{Type: "v", Count: int64(len(list)), Make: func(_ context.Context, i int64) (model.Value, error) {
		return list[i], nil
	}}}
}

func triple(x, y, z float32) model.Value {
	return model.Tuple{model.Float32(x), model.Float32(y), model.Float32(z)}
}

// TestPaint: three numbers of 0 to 1, or of −1 to 1, are colours; others go from dark to light.
func TestPaint(t *testing.T) {
	d := &solid{Solid: &geometry.Solid{Total: 2, Step: 1, Parts: []int32{0, 3}}}
	for _, k := range []struct {
		of    model.NamedArray
		first color.NRGBA
	}{
		{named("colour", triple(1, 0.5, 0), triple(0, 0, 0)), color.NRGBA{255, 128, 0, 255}},
		{named("normal", triple(-1, 0, 1), triple(0, 0, 1)), color.NRGBA{0, 128, 255, 255}},
		{named("weight", model.Int(7), model.Int(3)), ramp[len(ramp)-1]},
		{named("far", triple(0, 3, 4), triple(0, 0, 100)), ramp[0]},
	} {
		p, err := d.paintBy(t.Context(), k.of)
		if err != nil || len(p.inks) != 2 || p.inks[0] != k.first || p.ofParts {
			t.Errorf("%s: %+v, %v", k.of.Name, p, err)
		}
	}
	p, err := d.paintBy(t.Context(), named("of faces", triple(0, 1, 0)))
	if err != nil || !p.ofParts {
		t.Fatalf("%+v, %v", p, err)
	}
	d.paint = p
	if got := d.ofPart(0, []int32{0, 1}, color.NRGBA{}); got != (color.NRGBA{0, 255, 0, 255}) {
		t.Errorf("the face is %v", got)
	}
}
