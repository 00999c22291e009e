package object

import (
	"testing"

	"cutaway/decoders/odin/dotnet"
	"cutaway/model"
)

// TestGrid: the names of elements lead back to their numbers, and other names to none.
func TestGrid(t *testing.T) {
	for _, ranks := range [][]int64{{4}, {2, 3}, {3, 1, 2}, {2, 0}} {
		for i := range int64(6) {
			name := gridName(ranks, i)
			if back, ok := gridIndex(ranks, name); !ok || back != i {
				t.Errorf("element %d of %v is %s, which is %d, %t", i, ranks, name, back, ok)
			}
		}
	}
	for _, name := range []string{"", "[]", "[1]", "[0,3]", "[0,1,2]", "[a,0]", "0,1", "[-1,0]"} {
		if i, ok := gridIndex([]int64{2, 3}, name); ok {
			t.Errorf("%q is element %d", name, i)
		}
	}
}

// TestMeaning: what the one value of a well-known type means.
func TestMeaning(t *testing.T) {
	for _, c := range []struct {
		typ   string
		value model.Value
		want  string
	}{
		{"System.DateTime", model.Int(0), "0001-01-01T00:00:00"}, {"System.DateTime", model.Text("x"), "x"},
		{"System.TimeSpan", model.Int(-1), "-00:00:00.0000001"}, {"System.RuntimeType", model.Text("System.Int32, mscorlib"), "int"},
		{"System.Decimal", model.Float64(1.5), "1.5"}, {"Demo.Point", model.Int(3), "3"},
	} {
		typ := dotnet.Type{Full: c.typ}
		if got := meaning(t.Context(), &typ, c.value); model.Show(t.Context(), got, 100) != c.want && got != model.Value(model.Text(c.want)) {
			t.Errorf("%s %v means %v, want %s", c.typ, c.value, got, c.want)
		}
	}
}
