package grammar

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

// jump leads over bytes of others to a number.
var (
	jump = &Field{Name: "jump", Of: U8, Checks: []Check{{Find: func(_ Scope, v Value) (model.Problem, bool) {
		if n, _ := v.Int(); n > 0 {
			return model.Problem{}, false
		}
		return model.Problemf(model.Malformed, "test.jump", model.Span{}, "it leads nowhere"), true
	}, Ends: true}}}
	jumping = record("Jumping", jump,
		&Field{Name: "room", Of: Raw, Extent: &Extent{Size: computed(func(s Scope) int64 { return s.Number("jump") - 1 })}, Skip: true},
		&Field{Name: "value", Of: U16})
	jumps = record("Jumps",
		&Field{Name: "count", Of: U8}, &Field{Name: "", Of: jumping, Repeat: times("count")},
		&Field{Name: "inner", Of: record("Inner", &Field{Name: "name", Of: name}, &Field{Name: "points", Of: point, Repeat: times("1")}), Extent: sized("8")},
		&Field{Name: "last", Of: U8})
)

// leavesOf writes the leaves of a record, with the names that LeafAt gives them.
func leavesOf(t *testing.T, rec *Record, data []byte) []string {
	t.Helper()
	in := over(data)
	r := NewReading(t.Context(), Near)
	o := rec.Read(r, session(), in, 0)
	var lines []string
	rec.ReadLeaves(r, session(), &in, 0, func(l *Leaf) bool {
		line := fmt.Sprintf("%d+%d", l.Off, l.Len)
		if l.Problem != nil {
			line += "!" + l.Problem.Rule
		}
		if l.Len > 0 {
			n, ok := o.LeafAt(t.Context(), l.Off)
			if !ok || n.Span().Off != l.Off || n.Span().Len != l.Len || (len(n.Problems) > 0) != (l.Problem != nil) {
				t.Errorf("the leaf %s is found as %s %s, %t, %v", line, n.Name, n.Span(), ok, n.Problems)
			}
			line = n.Name + " " + line
		}
		lines = append(lines, line)
		return true
	})
	return lines
}

func TestLeaves(t *testing.T) {
	for data, want := range map[string][]string{
		"\x02\x01ab\x03--cd\x01xpppp--\x09": {
			"count 0+1", "[0].jump 1+1", "[0].value 2+2", "[1].jump 4+1", "[1].value 7+2",
			"inner.name.length 9+1", "inner.name.text 10+1", "inner.points 11+4", "inner.rest 15+2", "last 17+1"},
		"\x02\x01ab\x00cd":    {"count 0+1", "[0].jump 1+1", "[0].value 2+2", "[1].jump 4+1!test.jump"},
		"\x01\x03--c":         {"count 0+1", "[0].jump 1+1", "[0].value 4+1!test.truncated"},
		"\x01\x03-":           {"count 0+1", "[0].jump 1+1", "2+0!test.truncated", "1+0!test.truncated"},
		"\x00\x00pppp---\x09": {"count 0+1", "inner.name.length 1+1", "inner.points 2+4", "inner.rest 6+3", "last 9+1"},
	} {
		if got := leavesOf(t, jumps, []byte(data)); !slices.Equal(got, want) {
			t.Errorf("%q:\n%s\nwant\n%s", data, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A pass over leaves keeps nothing but its lists, and ends where the visitor says.
func TestLeavesTakeLittleMemory(t *testing.T) {
	in := over([]byte("\x02\x01ab\x03--cd\x00pppp---\x09"))
	r, s, n := NewReading(t.Context(), Near), session(), 0
	visit := func(*Leaf) bool { n++; return true }
	if got := testing.AllocsPerRun(100, func() { jumps.ReadLeaves(r, s, &in, 0, visit).Release(r) }); got > 7 {
		t.Errorf("%v allocations for each record", got) // those of its lists
	}
	n = 0
	jumps.ReadLeaves(r, s, &in, 0, func(*Leaf) bool { n++; return n < 3 }).Release(r)
	if n != 3 {
		t.Errorf("%d leaves were told", n)
	}
}
