package facttext

import (
	"fmt"
	"testing"

	"cutaway/model"
)

func TestShow(t *testing.T) {
	object := func(members ...any) model.Object {
		var o model.Object
		for i := 0; i < len(members); i += 2 {
			o = append(o, model.Member{Key: members[i].(string), Value: members[i+1].(model.Value)})
		}
		return o
	}
	for name, c := range map[string]struct {
		fact model.Fact
		want string
	}{
		"one number":  {model.Fact{Value: model.Float64(1.0872310758568347)}, "[1.087231076]"},
		"no value":    {model.Fact{}, "[]"},
		"a list":      {model.Fact{Value: model.Seq{model.Text("one"), model.Int(2000)}}, "[one 2,000]"},
		"a structure": {model.Fact{Value: object("CreateSection", model.Int(5), "ball", model.Text("red"))}, "[CreateSection: 5 ball: red]"},
		"a table": {model.Fact{Units: map[string]string{"largestGap": "s"}, Value: model.Seq{
			object("id", model.Text("1-1"), "largestGap", model.Float64(1493865.3930128)),
			object("id", model.Text("1-2"), "largestGap", model.None{}, "byKind", object("tags", model.Int(3)))}},
			"[id largest gap (s) by kind] [false true false] [[1-1 1493865.393 ] [1-2  tags: 3]]"},
		"a row without a name": {model.Fact{Value: model.Seq{object("type", model.Text(""), "count", model.Int(2))}}, "[type count] [false true] [[(no type) 2]]"},
		"a list of both":       {model.Fact{Value: model.Seq{object("a", model.Int(1)), model.Int(1)}}, "[a: 1 1]"},
	} {
		shown := Show(t.Context(), &c.fact, 80)
		got := fmt.Sprint(shown.Lines)
		if s := shown.Table; s != nil {
			got = fmt.Sprint(s.Head, s.Right, s.Rows)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
