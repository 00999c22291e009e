package model

import (
	"slices"
	"strings"
)

// A ProblemGroup holds equal problems: those of one rule, kind and cause whose messages differ in names and numbers alone.
type ProblemGroup struct {
	Count   int
	First   []int // indexes of the first problems, at most MostPlaces
	Because int   // index of the group that they follow from, or -1
}

// MostPlaces is the most problems of a group that are shown one by one.
const MostPlaces = 3

// ProblemGroups holds problems by group, in the order of their first ones.
type ProblemGroups struct {
	List []ProblemGroup
	Of   []int // indexes of the groups of all problems
}

// GroupProblems groups problems.
func GroupProblems(found []LocatedProblem) *ProblemGroups {
	type key struct {
		rule, shape string
		kind        Kind
		cause       int
	}
	g := &ProblemGroups{Of: make([]int, len(found))}
	known := map[key]int{}
	causes := CausesOf(found)
	for i := range found {
		p := &found[i]
		k := key{p.Rule, shapeOf(p.Message), p.Kind, causes[i]}
		of, is := known[k]
		if !is {
			of = len(g.List)
			known[k], g.List = of, append(g.List, ProblemGroup{Because: -1})
		}
		in := &g.List[of]
		if g.Of[i], in.Count = of, in.Count+1; len(in.First) < MostPlaces {
			in.First = append(in.First, i)
		}
	}
	for i, cause := range causes {
		if cause >= 0 {
			g.List[g.Of[i]].Because = g.Of[cause]
		}
	}
	return g
}

// CausesOf returns for each problem the index of the first one that it follows from, or -1.
func CausesOf(found []LocatedProblem) []int {
	list := make([]int, len(found))
	known := map[Span]int{}
	for i := range found {
		because := found[i].Because
		cause, is := known[because]
		if !is {
			cause = -1
			if because.Source != nil {
				cause = slices.IndexFunc(found, func(other LocatedProblem) bool { return found[i].FollowsFrom(&other.Problem) })
			}
			known[because] = cause
		}
		list[i] = cause
	}
	return list
}

// shapeOf returns a message without its particulars: quoted texts, numbers, and paths.
func shapeOf(message string) string {
	var b strings.Builder
	for i, part := range strings.Split(message, `"`) {
		if i%2 == 1 {
			b.WriteString(`""`)
			continue
		}
		for word := range strings.FieldsSeq(part) {
			if isNumber(word) || strings.HasPrefix(word, "/") {
				word = "#"
			}
			b.WriteString(word + " ")
		}
	}
	return b.String()
}

// isNumber reports whether a word is a number or an offset, perhaps with a unit or punctuation: "1,024", "0x1f", "[3]", "12%".
func isNumber(word string) bool {
	word = strings.TrimPrefix(strings.Trim(word, "()[],.:;%+-±"), "0x")
	return word != "" && strings.Trim(word, "0123456789abcdef.,") == "" && strings.ContainsAny(word, "0123456789")
}
