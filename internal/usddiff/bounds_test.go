package usddiff

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/values"
)

// TestBounds: the shapes of a scene lie at time 0 where usd-core has them, with the transforms of their ancestors and of what refers to them
// in the layer: in real layers, and in scenes made from seeds.
func TestBounds(t *testing.T) {
	interpreter := python(t)
	files := slices.DeleteFunc(layersIn(t, "../../../shared/corpus/usdc", "../../testdata", "../../assets", "../../../shared/corpus/aousd"), func(file string) bool {
		// Members of a package are other layers; of the damaged ones usd-core does not come to an end of some.
		return filepath.Ext(file) == ".usdz" || strings.HasPrefix(filepath.Base(file), "x-")
	})
	made, err := exec.CommandContext(t.Context(), interpreter, "bounds.py", t.TempDir()).Output()
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, strings.Fields(string(made))...)
	cmd := exec.CommandContext(t.Context(), interpreter, "bounds.py")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	said, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for lines := json.NewDecoder(bytes.NewReader(said)); lines.More(); compared++ {
		var want bounds
		if err := lines.Decode(&want); err != nil {
			t.Fatal(err)
		}
		got := boundsOf(t, want.File)
		if got.Shapes != want.Shapes || !got.near(want) {
			t.Errorf("%s has %d shapes in %v … %v; usd-core has %d in %v … %v", want.File, got.Shapes, got.Low, got.High, want.Shapes, want.Low, want.High)
		}
	}
	if t.Logf("%d scenes of %d files", compared, len(files)); compared < 60 {
		t.Errorf("only %d scenes", compared)
	}
}

// bounds is the box around the points of the shapes of a file.
type bounds struct {
	File      string
	Shapes    int
	Low, High [3]float64
}

// near reports whether two boxes are the same in six digits of their size.
func (b bounds) near(o bounds) bool {
	size := 0.0
	for k := range b.Low {
		size = max(size, o.High[k]-o.Low[k], math.Abs(o.High[k]), math.Abs(o.Low[k]))
	}
	for k := range b.Low {
		if !(math.Abs(b.Low[k]-o.Low[k]) <= 1e-6*size && math.Abs(b.High[k]-o.High[k]) <= 1e-6*size) {
			return false
		}
	}
	return true
}

// boundsOf returns the box around the meshes, points and curves of a file's scene.
func boundsOf(t *testing.T, file string) (b bounds) {
	t.Helper()
	ctx := t.Context()
	doc, err := decoders.OpenFile(ctx, file, decoders.OpenOptions{})
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return b
	}
	defer doc.Close()
	b = bounds{Low: [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, High: [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}}
	root := doc.Views[0].Place(ctx)
	if err := root.Resolve(ctx, nil); err != nil {
		t.Fatal(err)
	}
	for _, s := range model.CardsOf[model.Scene](ctx, &root.Node) {
		_, err = s.Shapes(ctx, 0, func(p model.Placed) error { return b.add(ctx, p) })
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	return b
}

// add takes the points of a shape, unless it is one that a few numbers describe.
func (b *bounds) add(ctx context.Context, p model.Placed) error {
	if p.Kind != "mesh" && p.Kind != "points" && p.Kind != "curves" {
		return nil
	}
	a := p.Shape.Points(ctx)
	if a == nil || a.Len() == 0 {
		return nil
	}
	b.Shapes++
	point := make([]model.Value, 1)
	for i := range a.Len() {
		if n, err := a.Read(ctx, i, point); n == 0 || err != nil {
			return err
		}
		var at [3]float64
		for k, v := range values.AppendComponents(nil, point[0]) {
			at[k], _ = model.FloatOf(v)
		}
		for k := range at {
			to := p.To[12+k]
			for j := range at {
				to += at[j] * p.To[4*j+k]
			}
			b.Low[k], b.High[k] = min(b.Low[k], to), max(b.High[k], to)
		}
	}
	return nil
}
