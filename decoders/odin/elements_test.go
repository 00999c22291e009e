package odin

import (
	"fmt"
	"testing"

	"cutaway/model"
)

// TestElements: arrays that are not kept as numbers have a table of what is in them.
func TestElements(t *testing.T) {
	for _, c := range []struct{ file, path, columns, last string }{
		{"gen-arrays.odin.bin", "objects/[0]/str", "[{value string}]", "[日本語]"},
		{"gen-arrays.odin.bin", "objects/[0]/pts", "[{x int} {y float} {tag string}]", "[2 0 None]"},
		{"gen-arrays.odin.bin", "objects/[0]/cube", "[{value string}]", "[None]"},
		{"gen-collections.odin.bin", "objects/[0]/dl", "[{key string} {value List<Pt>}]", `[k [{x: 9, y: 1.5, tag: "q"}]]`},
		{"gen-collections.odin.json", "objects/[0]/ls", "[{value string}]", "[b]"},
		{"gen-unity-types.odin.bin", "objects/[0]/path", "[{value Vector3}]", "[(1, 1, 1)]"},
	} {
		at, err := openDoc(t, corpusFile(t, c.file)).Lookup(t.Context(), c.path)
		if err != nil {
			t.Fatal(err)
		}
		table, err := model.FieldsOf(t.Context(), at, 1000, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows, _ := table.Rows()
		cells := [][]model.Cell{make([]model.Cell, len(table.Columns()))}
		if n, err := table.Read(t.Context(), rows-1, cells); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		last := []string{}
		for _, cell := range cells[0] {
			last = append(last, model.Show(t.Context(), cell.Value, 80))
			if len(cell.Spans) == 0 {
				t.Errorf("%s: a cell without bytes", c.path)
			}
		}
		if got := fmt.Sprint(table.Columns()); got != c.columns || fmt.Sprint(last) != c.last {
			t.Errorf("%s: columns %s, last row %s", c.path, got, last)
		}
	}
}
