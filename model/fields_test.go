package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// object is a node with fields.
func object(name string, fields ...Node) Node {
	n := Node{Name: name, Children: NewList(fields...)}
	if len(fields) == 0 {
		n.Value = None{}
	}
	return n
}

func fieldOf(name string, v Value) Node { return Node{Name: name, Value: v} }

// listOf is a list of elements; their names are made.
func listOf(name string, elements ...Node) Node {
	for i := range elements {
		elements[i].Name = IndexName(int64(i))
	}
	return Node{Name: name, Children: NewList(elements...)}
}

func rootOf(ctx context.Context, n Node) *Place {
	v := View{Name: "view", Root: func(context.Context) Node { return n }}
	return v.Place(ctx)
}

// shown is a table as text: its columns, then its rows.
func shown(ctx context.Context, t *FieldTable) string {
	var lines []string
	var names []string
	for _, c := range t.Columns() {
		names = append(names, c.Name)
	}
	lines = append(lines, strings.Join(names, " "))
	n, _ := t.Rows()
	rows := make([][]Cell, n)
	for i := range rows {
		rows[i] = make([]Cell, len(names))
	}
	if got, err := t.Read(ctx, 0, rows); err != nil || got != len(rows) {
		return fmt.Sprint(got, err)
	}
	for _, row := range rows {
		var cells []string
		for _, c := range row {
			text := "-"
			if c.Value != nil {
				text = Show(ctx, c.Value, 1000)
			}
			cells = append(cells, text)
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, "\n")
}

// The columns of a sequence are the fields of all of its elements.
func TestFieldsOf(t *testing.T) {
	point := func(x, y int64) Node { return object("pos", fieldOf("x", Int(x)), fieldOf("y", Int(y))) }
	filler := Node{Name: "padding", Role: Padding, Value: Int(0)}
	tests := []struct {
		name string
		node Node
		want string
	}{
		{"structures in structures", listOf("l", object("", point(1, 2), filler, fieldOf("id", Text("a"))), object("", point(3, 4), fieldOf("id", Text("b")))),
			"pos.x pos.y id\n1 2 a\n3 4 b"},
		{"different fields", listOf("l", object("", fieldOf("a", Int(1)), fieldOf("z", Int(2))), object("", fieldOf("a", Int(3)), fieldOf("m", Int(4)), fieldOf("z", Int(5))), object("")),
			"a m z\n1 - 2\n3 4 5\n- - -"},
		{"structures that are missing at first", listOf("l", object("", fieldOf("pos", None{})), object("", point(1, 2)), object("", fieldOf("never", None{}))),
			"pos.x pos.y never\n- - -\n1 2 -\n- - None"},
		{"scalars beside structures", listOf("l", fieldOf("", Int(7)), object("", fieldOf("a", Int(1)))), "value a\n7 -\n- 1"},
		{"a value besides fields", listOf("l", Node{Value: Int(7), Children: NewList(fieldOf("a", Int(1)), fieldOf("value", Int(2)))}), "value a value~2\n7 1 2"},
		{"parts of a value", listOf("l", Node{Value: Int(7), Elements: true, Children: NewList(fieldOf("low", Int(3)))}), "value\n7"},
		{"lists in structures", listOf("l", object("", listOf("of", fieldOf("", Int(1)), point(2, 3)), fieldOf("n", Int(2)))), "of n\n[1, {x: 2, y: 3}] 2"},
		{"lists in lists", listOf("l", listOf("", fieldOf("", Int(1))), Node{Columns: []Column{}}), "value\n[1]\n[]"},
		{"names with points", listOf("l", object("", fieldOf("pos.x", Int(1)), point(2, 3))), "pos.x pos.x~2 pos.y\n1 2 3"},
		{"nothing but a header", Node{Name: "l", Columns: []Column{{Name: "a"}, {Name: "b"}}}, "a b"},
		{"nothing", Node{Name: "l", Columns: []Column{}}, "value"},
	}
	for _, test := range tests {
		table, err := FieldsOf(t.Context(), rootOf(t.Context(), test.node), 1000, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(shown(t.Context(), table), "None None", "- -")
		if got = strings.ReplaceAll(got, "None\n", "-\n"); got != test.want && strings.ReplaceAll(got, "None", "-") != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// What has no column of its own is not lost: it lies deeper, there are too many, or only elements that were not looked at have it.
func TestOtherFields(t *testing.T) {
	chain := fieldOf("leaf", Int(1))
	for range 2 * maxFieldDepth {
		chain = object("in", chain)
	}
	table, err := FieldsOf(t.Context(), rootOf(t.Context(), listOf("l", chain)), 1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(t.Context(), table); strings.Count(got, "in") != 2*maxFieldDepth-1 || !strings.HasSuffix(got, "{leaf: 1}}}}}}}}") {
		t.Errorf("a deep structure is\n%s", got)
	}

	var many []Node
	for i := range maxColumns + 10 {
		many = append(many, fieldOf(fmt.Sprint("f", i), Int(i)))
	}
	if table, err = FieldsOf(t.Context(), rootOf(t.Context(), listOf("l", object("", many...))), 1000, nil); err != nil {
		t.Fatal(err)
	}
	if got := shown(t.Context(), table); !strings.HasSuffix(got, "1023 {f1024: 1024, f1025: 1025, f1026: 1026, f1027: 1027, f1028: 1028, f1029: 1029, f1030: 1030, f1031: 1031, f1032: 1032, f1033: 1033}") {
		t.Errorf("of many fields …%s", got[len(got)-200:])
	}

	late := listOf("l", object("", fieldOf("a", Int(1))), object("", fieldOf("a", Int(2)), object("b", fieldOf("c", Int(3)))))
	if table, err = FieldsOf(t.Context(), rootOf(t.Context(), late), 1, nil); err != nil {
		t.Fatal(err)
	}
	if got := shown(t.Context(), table); got != "a others\n1 -\n2 {b.c: 3}" {
		t.Errorf("of the first element:\n%s", got)
	}
}

// A sequence is nothing but elements, and bytes that are left; a structure that also has some is one only to who asks for these.
func TestIsSequence(t *testing.T) {
	rest := Node{Name: "rest", Role: Unknown, Value: Int(0)}
	list := func(nodes ...Node) Node { return Node{Children: NewList(nodes...)} }
	first := fieldOf("[0]", Int(1))
	tests := []struct {
		node     Node
		is, has  bool
		elements int64
	}{
		{list(first), true, true, 1},
		{list(first, fieldOf("[1]", Int(1)), rest), true, true, 2},
		{list(first, fieldOf("size", Int(1))), false, false, 1},
		{list(fieldOf("size", Int(1)), first), false, false, 1},
		{list(), false, false, 0},
		{Node{}, false, false, 0},
		{Node{Columns: []Column{}}, true, true, 0},
		{Node{Columns: []Column{}, Children: NewList(fieldOf("size", Int(1)), first)}, false, true, 1},
		{Node{Columns: []Column{}, Children: NewList(fieldOf("size", Int(1)))}, false, true, 0},
		{Node{Value: Tuple{}, Elements: true, Children: NewList(fieldOf("x", Int(1)))}, true, true, 1},
		{Node{Value: Text("a"), Children: NewList(first)}, false, false, 1},
		{Node{Value: Seq{Int(1)}}, true, true, 0},
		{list(fieldOf("[0, 0]", Int(1)), fieldOf("[0, 1]", Int(1))), true, true, 2},
		{list(fieldOf("[a]", Int(1))), false, false, 1},
		{Node{Children: NewLazy(nil)}, false, false, 0},
	}
	for i, test := range tests {
		if is, has := IsSequence(t.Context(), &test.node), HasElements(t.Context(), &test.node); is != test.is || has != test.has {
			t.Errorf("%d: %t, %t", i, is, has)
		}
		if _, n := elementsOf(t.Context(), &test.node); n != test.elements && test.has && test.node.Value == nil {
			t.Errorf("%d: %d elements", i, n)
		}
	}
}

// A table of many elements keeps none of them, and gives up with its context.
func TestFieldsAreWindows(t *testing.T) {
	const count = 100_000
	made := 0
	n := Node{Name: "l", Elements: true, Children: &Rows{Count: count, Make: func(_ context.Context, i int64) Node {
		made++
		e := object("", fieldOf("id", Int(i)))
		e.Name = IndexName(i)
		return e
	}}}
	table, err := FieldsOf(t.Context(), rootOf(t.Context(), n), count, nil)
	if err != nil {
		t.Fatal(err)
	}
	looked := made
	row := [][]Cell{make([]Cell, 1)}
	if got, err := table.Read(t.Context(), count-1, row); got != 1 || err != nil || row[0][0].Value != Int(count-1) || row[0][0].Path != "view/[99999]/id" {
		t.Errorf("the last row is %v, %d, %v", row, got, err)
	}
	if made > looked+2 || looked > 2*count {
		t.Errorf("%d nodes were made for the columns, and %d for a row", looked, made-looked)
	}
	if got, err := table.Read(t.Context(), count, row); got != 0 || err != nil {
		t.Errorf("after the end: %d rows, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := FieldsOf(ctx, rootOf(ctx, n), count, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
