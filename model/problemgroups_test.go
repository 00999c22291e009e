package model

import (
	"reflect"
	"testing"
)

// TestGroupProblems: problems of one rule and kind whose messages differ in particulars alone are a group, with the one
// that they follow from.
func TestGroupProblems(t *testing.T) {
	src := NewFileSource("f", BytesReader(make([]byte, 100)))
	at := func(kind Kind, rule string, off int64, message string) LocatedProblem {
		return LocatedProblem{Problem: Problem{Rule: rule, Kind: kind, Span: src.Span(off, 1), Message: message}}
	}
	after := func(p LocatedProblem) LocatedProblem {
		p.Because = src.Span(50, 10)
		return p
	}
	found := []LocatedProblem{
		at(Suspicious, "a", 1, `the data of "x y" does not begin at 64`),
		after(at(Assumed, "b", 2, "token 7 is lost")),
		at(Suspicious, "a", 3, `the data of "z" does not begin at 128`),
		at(Malformed, "a", 4, `the data of "z" does not begin at 128`),
		after(at(Assumed, "b", 5, "token 1,008 is lost")),
		at(Assumed, "b", 6, "token 9 is lost"),
		at(Malformed, "c", 55, "the block is broken"),
		at(Suspicious, "a", 7, `the data of "" does not begin at 0x1f`),
		at(Suspicious, "a", 8, `the data of "q" does not begin at 3`),
		at(Suspicious, "a", 9, "another word"),
	}
	g := GroupProblems(found)
	if want := []int{0, 1, 0, 2, 1, 3, 4, 0, 0, 5}; !reflect.DeepEqual(g.Of, want) {
		t.Errorf("groups %v, want %v", g.Of, want)
	}
	want := []ProblemGroup{{4, []int{0, 2, 7}, -1}, {2, []int{1, 4}, 4}, {1, []int{3}, -1}, {1, []int{5}, -1}, {1, []int{6}, -1}, {1, []int{9}, -1}}
	if !reflect.DeepEqual(g.List, want) {
		t.Errorf("groups\n%v, want\n%v", g.List, want)
	}
}

// TestFollowsFromDerived: a problem in bytes that are derived from a damaged range is in that range.
func TestFollowsFromDerived(t *testing.T) {
	src := NewFileSource("f", BytesReader(make([]byte, 100)))
	inflated := Derive("f", "x@inflated", "", BytesReader(make([]byte, 300)), Origin{Parent: src, Spans: []Span{src.Span(52, 4)}})
	cause := Problem{Kind: Malformed, Span: inflated.Span(200, 1)}
	for from, want := range map[int64]bool{50: true, 60: false} {
		if p := (Problem{Because: src.Span(from, 10)}); p.FollowsFrom(&cause) != want {
			t.Errorf("from %d: %t", from, !want)
		}
	}
}
