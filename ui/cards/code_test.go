package cards

import (
	"reflect"
	"testing"

	"cutaway/model"
	"cutaway/ui/treeview"
)

// TestCodeRows: each line and label has a row of its own, and arrows lead from rows of jumps to those of labels.
func TestCodeRows(t *testing.T) {
	c := &Code{labels: []model.Label{{Line: 0, Name: "_start"}, {Line: 0, Name: "_again", From: []int64{2, 5}}, {Line: 4, Name: "4", From: []int64{3}}}}
	wanted := []int64{-1, -1, 0, 1, 2, 3, -1, 4, 5, 6}
	for row, want := range wanted {
		line, label := c.lineAt(int64(row))
		if want < 0 != (label != nil) || want >= 0 && (line != want || c.rowOf(line) != int64(row)) {
			t.Errorf("row %d is line %d, %v", row, line, label)
		}
	}
	flows := flowsOf(c.labels, c.rowOf)
	got := make([][]treeview.Lane, len(wanted))
	for row := range got {
		got[row] = lanesIn(flows, int64(row))
	}
	want := [][]treeview.Lane{1: {{At: 1, Down: true, Turn: true, Head: true}}, 2: {{At: 1, Up: true, Down: true}}, 3: {{At: 1, Up: true, Down: true}},
		4: {{At: 1, Up: true, Down: true, Turn: true}}, 5: {{Down: true, Turn: true}, {At: 1, Up: true, Down: true}},
		6: {{Up: true, Turn: true, Head: true}, {At: 1, Up: true, Down: true}}, 7: {{At: 1, Up: true, Down: true}}, 8: {{At: 1, Up: true, Turn: true}}, 9: nil}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nnot %+v", got, want)
	}
}
