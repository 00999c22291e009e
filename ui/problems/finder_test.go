package problems

import (
	"testing"

	"cutaway/model"
)

func TestMerged(t *testing.T) {
	at := func(path string, off int64) model.LocatedProblem {
		return model.LocatedProblem{Path: path, Problem: model.Problem{Rule: "r", Span: model.Span{Off: off}}}
	}
	kept := []model.LocatedProblem{at("a", 1), at("b", 2)}
	if got := merged(kept, []model.LocatedProblem{at("b", 2), at("b", 3)}); len(got) != 3 || got[2] != at("b", 3) || len(kept) != 2 {
		t.Errorf("%v", got)
	}
	if got := merged(nil, kept); len(got) != 2 {
		t.Errorf("%v", got)
	}
}
