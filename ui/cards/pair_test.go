package cards

import (
	"context"
	"image/color"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/ui/kit"
)

// TestPair: two arrays are drawn in one place with a title each, and where they part is marked at the foot.
func TestPair(t *testing.T) {
	test.NewTempApp(t)
	const count = 100
	array := func(odd float64) model.Array {
		return &model.Elements{Type: "double", Count: count, Make: func(_ context.Context, i int64) (model.Value, error) {
			if i == 70 {
				return model.Float64(odd), nil
			}
			return model.Float64(float64(i % 10)), nil
		}}
	}
	d := ReadPair(t.Context(), [2]string{"before", "after"}, [2]model.Array{array(3), array(9)})
	if d == nil || len(d.curves) != 1 || d.curves[0].under == nil || d.end != count {
		t.Fatalf("drawn as %+v", d)
	}
	p := NewPair()
	w := test.NewTempWindow(t, p.Object)
	w.Resize(fyne.NewSize(400, 150))
	p.Show(d)
	var titles []string
	for _, o := range test.WidgetRenderer(p.chart).Objects() {
		if text, ok := o.(*canvas.Text); ok {
			titles = append(titles, text.Text)
		}
	}
	if !slices.Contains(titles, "before") || !slices.Contains(titles, "after") {
		t.Errorf("titles %q", titles)
	}
	const wide, high = 1000, 100
	img := p.chart.paint(wide, high)
	marked := map[int]bool{} // elements
	for x := range wide {
		if img.At(x, high-2) == color.RGBAModel.Convert(kit.Paint(theme.ColorNameWarning)) {
			marked[(x*count+wide/2)/wide] = true
		}
	}
	if len(marked) == 0 {
		t.Error("nothing is marked")
	}
	for at := range marked {
		if at < 69 || at > 71 {
			t.Errorf("element %d is marked", at)
		}
	}
}
