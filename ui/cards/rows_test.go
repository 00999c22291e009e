package cards_test

import (
	"testing"

	"cutaway/ui/window/windowtest"

	"cutaway/ui/nodes"
)

// TestRowsSayWhatMatters: a prim tells its kind and how much it has, an attribute its value or the type and length of it, and
// not the path, which the details have.
func TestRowsSayWhatMatters(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		b.Idle()
		data := &nodes.Data{Ctx: s.Pane.Ctx, View: s.Pane.Doc.Views[0], Tasks: s.Pane.Tasks, Marks: s.Pane.Marks()}
		for path, want := range map[string]string{
			"scene":                                 "4 prims  ·  Y up  ·  metres",
			"scene/Prototypes":                      "2 prims",
			"scene/Prototypes/Leg":                  "over  ·  Mesh  ·  84 points  ·  60 faces",
			"scene/Prototypes/Leg/.points":          "point3f[] × 84",
			"scene/Prototypes/Leg/.points/typeName": "point3f[]",
		} {
			if got := data.Row(nodes.ItemOf(windowtest.MustLookup(t, s.Pane.Doc, path))).Cells[1]; got != want {
				t.Errorf("the row of %s says %q, want %q", path, got, want)
			}
		}
	})
}
