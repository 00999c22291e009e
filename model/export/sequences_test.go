package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cutaway/model"
)

// elements is a list of nodes, whose names are made.
func elements(name string, nodes ...model.Node) model.Node {
	for i := range nodes {
		nodes[i].Name = model.IndexName(int64(i))
	}
	return model.Node{Name: name, Children: model.NewList(nodes...)}
}

func fields(nodes ...model.Node) model.Node { return model.Node{Children: model.NewList(nodes...)} }

func called(name string, n model.Node) model.Node {
	n.Name = name
	return n
}

// accounted is what a form makes of a node, with what it lost and reduced.
func accounted(t *testing.T, form string, n model.Node) (text, told string, err error) {
	t.Helper()
	var b bytes.Buffer
	o := new(model.Omissions)
	_, err = Common.ByName(form).Write(t.Context(), &b, &Request{Places: []*model.Place{placeOf(t.Context(), n)}, Omitted: o, Whole: true, Depth: -1})
	var list []string
	lost, _ := o.Lost()
	for _, one := range lost {
		list = append(list, "lost: "+one.Reason)
	}
	reduced, _ := o.Reduced()
	for _, one := range reduced {
		list = append(list, "reduced: "+one.Reason)
	}
	return b.String(), strings.Join(list, "\n"), err
}

// TestSequenceForms: the forms have the content of elements that are structures, and tell what they lack.
func TestSequenceForms(t *testing.T) {
	number := func(i int64) model.Node { return model.Node{Value: model.Int(i)} }
	cut := model.Node{Name: "b", Problems: []model.Problem{model.Problemf(model.Truncated, "x.cut", model.Span{}, "the bytes end here")}}
	deep := number(1)
	for range maxNesting + 5 {
		deep = elements("", deep)
	}
	tests := []struct {
		form      string
		node      model.Node
		want      string // a part of what is written
		err, told string
	}{
		{"csv", elements("l", fields(called("a", number(1)), called("b", number(2)))), "a,b\n1,2\n", "", ""},
		{"csv", elements("l", fields(called("a", number(1)), cut)), "a,b\n1,\n", "", "lost: 1 cell cannot be read: the bytes end here"},
		{"csv", elements("l", fields(called("a", deep))), "a\n\"[[[", "", "lost: what is nested in more than 64 levels, which is a limit of this program"},
		{"python", elements("l", fields(called("a", elements("", number(1), number(2))), called("b", model.Node{}))), `{"a": [1, 2], "b": None},`, "", ""},
		{"python", elements("l", fields(called("a", deep))), "", "lists in more than 64 levels", ""},
		{"npy", elements("l", fields(called("a", elements("", number(1), number(2)))), fields(called("a", elements("", number(3), number(4))))), `("a", '<i8', (2,))`, "", ""},
		{"npy", elements("l", fields(called("a", elements("", number(1), number(2)))), fields(called("a", elements("", number(3))))), "", "a, row 1: these are lists that are not all of one length", ""},
		{"npy", elements("l", fields(called("a", number(1))), fields(called("b", number(1)))), "", "b: a row has no value here", "*"},
		{"json", elements("l", fields(called("a", number(1)))), `"value":[{"a":1}]`, "", ""},
		{"yaml", elements("l", fields(called("a", number(1)))), `value: [{"a":1}]`, "", ""},
	}
	for _, test := range tests {
		got, told, err := accounted(t, test.form, test.node)
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %v, want %q", test.form, err, test.err)
		}
		if !strings.Contains(got, test.want) || told != test.told && test.told != "*" {
			t.Errorf("%s: %.500s\n%s\nwant %s\n%s", test.form, got, told, test.want, test.told)
		}
	}
}

// TestFieldsBesideElements: rows are of the elements alone, which is said.
func TestFieldsBesideElements(t *testing.T) {
	n := model.Node{Name: "l", Columns: []model.Column{}, Children: model.NewList(model.Node{Name: "size", Value: model.Int(1)}, model.Node{Name: "[0]", Value: model.Text("x")})}
	got, told, err := accounted(t, "csv", n)
	if got != "value\nx\n" || err != nil || told != "reduced: the fields beside its elements" {
		t.Errorf("%q, %v, %s", got, err, told)
	}
	if got, _, err = accounted(t, "json", n); err != nil || !strings.Contains(got, `"value":null`) || !strings.Contains(got, `"name":"size"`) {
		t.Errorf("%s, %v", got, err)
	}
}

// TestLongCell: a list in a cell is whole, and is written in pieces.
func TestLongCell(t *testing.T) {
	const count = 30_000
	long := model.Node{Name: "a", Elements: true, Children: &model.Rows{Count: count, Make: func(_ context.Context, i int64) model.Node {
		return model.Node{Name: model.IndexName(i), Value: model.Text(fmt.Sprintf(`"%d"`, i))}
	}}}
	got, _, err := accounted(t, "csv", elements("l", fields(long, model.Node{Name: "b", Value: model.Int(7)})))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][1] != "7" {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	var list []string
	if err := json.Unmarshal([]byte(rows[1][0]), &list); err != nil || len(list) != count || list[count-1] != `"29999"` {
		t.Errorf("%d elements, %v", len(list), err)
	}
}
