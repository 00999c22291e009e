package profile

import (
	"strings"
	"testing"

	"cutaway/model"
)

func TestFactText(t *testing.T) {
	object := func(key string, v model.Value, n int64) model.Object {
		return model.Object{{Key: key, Value: v}, {Key: "bytes", Value: model.Int(n)}}
	}
	long := make(model.Seq, maxFactLines+5)
	for i := range long {
		long[i] = model.Int(i)
	}
	for _, c := range []struct {
		name string
		v    model.Value
		want string
	}{
		{"one value", model.Int(4092), "4,092"},
		{"objects of the same keys", model.Seq{object("type", model.Text("vec3"), 12), object("type", model.Text("µ"), 1234567)},
			"type       bytes\nvec3          12\nµ      1,234,567"},
		{"objects of other keys", model.Seq{object("a", model.Int(1), 2), object("b", model.Int(1), 2)}, "a   bytes   b\n1       2\n        2   1"},
		{"no objects", model.Seq{model.Text("x"), model.Int(1)}, "x\n1"},
		{"empty", model.Seq{}, ""},
	} {
		if got := FactText(t.Context(), &model.Fact{Value: c.v}); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if lines := strings.Split(FactText(t.Context(), &model.Fact{Value: long}), "\n"); len(lines) != maxFactLines+1 || lines[maxFactLines] != "and 5 more" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}
