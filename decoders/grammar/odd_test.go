package grammar

import (
	"testing"

	"cutaway/model"
)

// TestNext finds the elements in which something is wrong, and those whose fields do not lie in a row, without a node.
func TestNext(t *testing.T) {
	inner := NewRecord("inner", F("a", U8, "").CheckBy(Check{Rule: "t", OK: AtMost(9)}), F("b", U8, ""))
	element := NewRecord("element", F("len", U8, ""), F("in", inner, "").Sized(Ref("len")))
	whole := NewRecord("whole", F("all", element, "").TimesToEnd())
	src := model.NewFileSource("t", model.BytesReader([]byte("\x02\x01\x00\x02\x0a\x00\x03\x01\x00\x00\x02\x01\x00\x02\x0b\x00\x01\x01")))
	o := whole.Open(&Session{Truncated: "t"}, Whole(src), 0)
	l := o.List(t.Context(), whole.Field("all"))
	if err := (&elements{l: l}).Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		from int64
		odd  Odd
		want int64
	}{{0, Unsound, 1}, {2, Unsound, 4}, {5, Unsound, 5}, {6, Unsound, -1}, {0, Scattered, 2}, {3, Scattered, 5}, {0, Unsound | Scattered, 1}} {
		made := model.NodesMade()
		got, err := l.Next(t.Context(), k.from, k.odd, nil)
		if got != k.want || err != nil || model.NodesMade() != made {
			t.Errorf("from %d, odd %d: %d %v with %d nodes, want %d", k.from, k.odd, got, err, model.NodesMade()-made, k.want)
		}
	}
}

// TestNextByListRule: an element of one size is odd where a list of scalars in it breaks its rule.
func TestNextByListRule(t *testing.T) {
	pair := F("pair", U8, "").Times(Const(2))
	pair.Repeat.Checks = []Check{{Rule: "t", OK: func(s Scope, v Value) bool {
		first, err := v.List().At(s, 0)
		n, _ := first.Uint()
		return err == nil && n < 5
	}}}
	whole := NewRecord("whole", F("all", NewRecord("element", pair), "").TimesToEnd())
	o := whole.Open(&Session{Truncated: "t"}, over([]byte{1, 9, 2, 9, 7, 1}), 0)
	if got, err := o.List(t.Context(), whole.Field("all")).Next(t.Context(), 0, Unsound, nil); got != 2 || err != nil {
		t.Errorf("%d %v, want 2", got, err)
	}
}

// An inlined list of records of one size is not looked at as one where a field of them has a rule or a role.
func TestRulesInElements(t *testing.T) {
	item := NewRecord("Item", F("a", U8, "").Check("test.five", AtMost(5), "at most 5", "too many"), F("pad", U8, "").Pad())
	d := doc(NewRecord("File", F("n", U8, ""), F("items", item, "").TimesToEnd().Inline()), []byte{1, 5, 9, 5, 9, 5, 9, 9, 9})
	if r := tiles(t, d); len(r.Problems) != 1 || r.Problems[0].Path != "layout/[3]/a" || r.Coverage[0].Padding != 4 {
		t.Errorf("%v", r)
	}
}
