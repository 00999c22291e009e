package usda_test

import (
	"testing"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// TestSceneFold: fields come first and are folded; elements of a default are shown as the attribute's own children.
func TestSceneFold(t *testing.T) {
	field := func(name string) model.Node { return model.Node{Name: name, Type: "token", Value: model.Text("a")} }
	array := field("default")
	array.Elements, array.Children = true, model.NewList(model.Node{Name: "[0]"})
	spec := func(typ string, children ...model.Node) *model.Node {
		return &model.Node{Type: typ, Children: model.NewList(children...)}
	}
	many := make([]model.Node, 300)
	for i := range many {
		many[i] = field(model.IndexName(int64(i)))
	}
	none := model.Fold{Through: -1}
	for _, c := range []struct {
		name string
		node *model.Node
		want model.Fold
	}{
		{"a prim", spec("prim", field("specifier"), field("typeName"), *spec("Attribute")), model.Fold{Fields: 2, Through: -1}},
		{"a leaf", spec("Prim", field("specifier")), model.Fold{Fields: 1, Through: -1}},
		{"an array", spec("attribute", field("typeName"), array), model.Fold{Fields: 2, Through: 1}},
		{"a number", spec("attribute", field("typeName"), field("default")), model.Fold{Fields: 2, Through: -1}},
		{"a damaged spec", spec("prim", many...), none},
		{"no spec", spec("token[]", field("[0]")), none},
		{"nothing", &model.Node{Type: "prim"}, none},
	} {
		if got := usda.SceneFold(t.Context(), c.node); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
