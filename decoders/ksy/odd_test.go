package ksy

import (
	"testing"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// allOf returns the list "all" of a description's record over some bytes, read to its end.
func allOf(t *testing.T, text, data string) *grammar.List {
	t.Helper()
	rec, _, err := compile(memory(t, text, nil).Main)
	if err != nil {
		t.Fatal(err)
	}
	o := rec.Open(&grammar.Session{Truncated: "t"}, grammar.Whole(model.NewFileSource("t", model.BytesReader([]byte(data)))), 0)
	l := o.List(t.Context(), rec.Field("all"))
	r := grammar.NewReading(t.Context(), grammar.Near)
	if _, err := l.Len(o.Scope(r)); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestNextOdd finds the elements in which something is wrong, and those whose fields do not lie in a row, without a node.
func TestNextOdd(t *testing.T) {
	l := allOf(t, `meta: {id: t}
seq: [{id: all, type: element, repeat: eos}]
types:
  element: {seq: [{id: len, type: u1}, {id: in, type: inner, size: len}]}
  inner: {seq: [{id: a, type: u1, valid: {max: 9}}, {id: b, type: u1}]}
`, "\x02\x01\x00\x02\x0a\x00\x03\x01\x00\x00\x02\x01\x00\x02\x0b\x00\x01\x01")
	for _, k := range []struct {
		from int64
		what oddity
		want int64
	}{{0, unsound, 1}, {2, unsound, 4}, {5, unsound, 5}, {6, unsound, -1}, {0, scattered, 2}, {3, scattered, 5}, {0, unsound | scattered, 1}} {
		made := model.NodesMade()
		got, err := nextOdd(t.Context(), l, k.from, k.what, nil)
		if got != k.want || err != nil || model.NodesMade() != made {
			t.Errorf("from %d, odd %d: %d %v with %d nodes, want %d", k.from, k.what, got, err, model.NodesMade()-made, k.want)
		}
	}
}

// TestNextOddElsewhere: fields that are read elsewhere scatter an element, and what is wrong with them is its own.
func TestNextOddElsewhere(t *testing.T) {
	l := allOf(t, `meta: {id: t}
seq: [{id: all, type: element, repeat: expr, repeat-expr: 3}]
types:
  element:
    seq: [{id: at, type: u1}, {id: list, type: u1, valid: {max: 9}, repeat: expr, repeat-expr: 2}]
    instances: {far: {pos: at, type: u1, valid: {max: 99}}, half: {value: '10 / list[0]'}}
`, "\x00\x01\x01\x09\x00\x01\x00\x0a\x01\x7f")
	for _, k := range []struct {
		from int64
		what oddity
		want int64
	}{{0, unsound, 1}, {2, unsound, 2}, {0, scattered, 0}} {
		if got, err := nextOdd(t.Context(), l, k.from, k.what, nil); got != k.want || err != nil {
			t.Errorf("from %d, odd %d: %d %v, want %d", k.from, k.what, got, err, k.want)
		}
	}
}

// TestNextOddByListRule: an element of one size is odd where a list of scalars in it breaks its rule; one without such is not
// looked at again.
func TestNextOddByListRule(t *testing.T) {
	l := allOf(t, `meta: {id: t}
seq: [{id: all, type: element, repeat: eos}]
types: {element: {seq: [{id: pair, type: u1, valid: {max: 4}, repeat: expr, repeat-expr: 2}]}}
`, "\x01\x02\x02\x02\x07\x01")
	if got, err := nextOdd(t.Context(), l, 0, unsound, nil); got != 2 || err != nil {
		t.Errorf("%d %v, want 2", got, err)
	}
	if got, err := nextOdd(t.Context(), l, 0, scattered, nil); got != -1 || err != nil || oddity(l.Note(0)) != scattered {
		t.Errorf("%d %v, marked %d", got, err, l.Note(0))
	}
}
