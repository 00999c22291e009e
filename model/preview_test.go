package model_test

import (
	"context"
	"testing"

	"cutaway/model"
)

// TestPreview: a record says its first short values; what has a value, is a list or needs work says nothing more.
func TestPreview(t *testing.T) {
	leaf := func(name string, v model.Value) model.Node { return model.Node{Name: name, Value: v} }
	pad := model.Node{Name: "pad", Value: model.Int(0), Role: model.Padding}
	long := leaf("text", model.Text("a text that is far too long to be of use in a row of other values"))
	lazy := model.NewLazy(func(context.Context, model.Progress) (model.Children, error) {
		t.Error("a preview makes children that need work")
		return model.NewList(), nil
	})
	for _, c := range []struct {
		name string
		node model.Node
		want string
	}{
		{"values", model.Node{Brief: "6 fields", Children: model.NewList(long, leaf("mass", model.Float32(1.5)), pad,
			leaf("on", model.Bool(true)), leaf("at", model.Tuple{model.Int(1), model.Int(2)}), leaf("four", model.Int(4)))},
			"6 fields  ·  mass: 1.5  ·  on: true  ·  at: (1, 2)"},
		{"names", model.Node{Children: model.NewList(long, leaf("bones", nil))}, "text  ·  bones"},
		{"list", model.Node{Brief: "2 items", Children: model.NewList(leaf("[0]", model.Int(1)))}, ""},
		{"value", model.Node{Value: model.Int(1), Children: model.NewList(leaf("bits", model.Int(1)))}, ""},
		{"lazy", model.Node{Children: lazy}, ""},
		{"leaf", model.Node{Brief: "empty"}, ""},
	} {
		if got := model.Preview(t.Context(), &c.node); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}
