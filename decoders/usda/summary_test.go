package usda_test

import (
	"context"
	"testing"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// TestSceneSummary: the row of a spec says what matters of it, whatever the format of its fields.
func TestSceneSummary(t *testing.T) {
	field := func(name string, v model.Value) model.Node { return model.Node{Name: name, Type: "token", Value: v} }
	names := func(n int64) model.Value {
		return &model.Elements{Type: "token", Count: n, Make: func(context.Context, int64) (model.Value, error) { return model.Text("a"), nil }}
	}
	spec := func(typ string, children ...model.Node) model.Node {
		return model.Node{Type: typ, Value: model.Text("/own/path"), Children: model.NewList(children...)}
	}
	for _, c := range []struct {
		node model.Node
		want string
	}{
		{spec("prim", field("specifier", model.Text("over")), field("typeName", model.Text("Mesh")), field("primChildren", names(1)),
			field("properties", names(1200)), spec("prim")), "over  ·  Mesh  ·  1 prim  ·  1,200 properties"},
		{spec("prim", field("specifier", model.Text("def"))), "empty"},
		{spec("Prim", field("typeName", model.Text("Xform")), spec("Prim"), spec("Attribute")), "Xform  ·  2 specs below"},
		{spec("Attribute", field("typeName", model.Text("int[]")), field("default", names(7))), "int[] × 7"},
		{spec("Attribute", model.Node{Name: "timeSamples", Brief: "3 samples"}), "3 samples"},
		{spec("relationship", field("targetPaths", model.Text("</a>"))), "</a>"},
		{field("specifier", model.Text("def")), ""},
	} {
		if got := usda.SceneSummary(t.Context(), &c.node); got != c.want {
			t.Errorf("a %s says %q, not %q", c.node.Type, got, c.want)
		}
	}
}
