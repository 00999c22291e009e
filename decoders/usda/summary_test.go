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
	named := func(name string, n model.Node) model.Node {
		n.Name = name
		return n
	}
	for _, c := range []struct {
		node model.Node
		want string
	}{
		{spec("prim", field("specifier", model.Text("over")), field("typeName", model.Text("Mesh")), field("primChildren", names(1)),
			field("properties", names(1200)), spec("prim")), "over  ·  Mesh  ·  1 prim"},
		{spec("prim", field("specifier", model.Text("def"))), "empty"},
		{spec("Prim", field("typeName", model.Text("Xform")), spec("Prim"), spec("Attribute")), "Xform  ·  1 prim"},
		{spec("Prim", field("typeName", model.Text("Scope")), spec("Attribute"), spec("Relationship")), "Scope  ·  2 properties"},
		{spec("prim", field("typeName", model.Text("Mesh")), field("kind", model.Text("component")), field("properties", names(2)),
			named(".points", spec("attribute", field("default", names(507)))), named(".faceVertexCounts", spec("attribute", field("default", names(1))))),
			"Mesh  ·  component  ·  507 points  ·  1 face"},
		{spec("pseudoRoot", field("upAxis", model.Text("Z")), field("metersPerUnit", model.Float64(0.01)), field("primChildren", names(3))),
			"3 prims  ·  Z up  ·  centimetres"},
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
