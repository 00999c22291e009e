package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestFold: equal problems are one line in text and with --fold, with their number and three places; --each and JSON have all.
func TestFold(t *testing.T) {
	const file = "../testdata/usdc/x-tokens-lz4-offset0.usdc"
	type problem struct {
		Rule, Message         string
		Group, Because, Count int
		Places                []struct {
			Path   string
			Offset *int64
		}
	}
	checked := func(args ...string) (problems []problem, errors int) {
		var said struct {
			Problems []problem
			Errors   int
		}
		r := execute(t.Context(), decoderLibrary{}, append([]string{"check", "--json", file}, args...)...)
		if err := json.Unmarshal([]byte(r.out), &said); err != nil {
			t.Fatal(err)
		}
		return said.Problems, said.Errors
	}
	all, errors := checked()
	folded, same := checked("--fold")
	if len(folded) >= len(all) || errors != same {
		t.Fatalf("%d problems, folded %d; %d and %d errors", len(all), len(folded), errors, same)
	}
	sum := 0
	for i, p := range folded {
		sum += p.Count
		if p.Group != i+1 || len(p.Places) != min(p.Count, 3) || p.Places[0].Offset == nil {
			t.Errorf("folded: %+v", p)
		}
		if n := len(slices.Collect(func(yield func(problem) bool) {
			for _, one := range all {
				if one.Group == p.Group && one.Because == p.Because && one.Rule == p.Rule && !yield(one) {
					return
				}
			}
		})); n != p.Count {
			t.Errorf("group %d counts %d problems and has %d", p.Group, p.Count, n)
		}
	}
	if sum != len(all) {
		t.Errorf("the groups count %d problems of %d", sum, len(all))
	}
	lost := folded[slices.IndexFunc(folded, func(p problem) bool { return p.Rule == "usdc.index.token-missing" })]
	if cause := folded[max(lost.Because, 1)-1]; lost.Because == 0 || cause.Rule != "usdc.compress.lz4" {
		t.Errorf("%+v follows from %+v", lost, cause)
	}
	text := execute(t.Context(), decoderLibrary{}, "check", file).out
	if n := strings.Count(text, "[usdc.index.token-missing]"); n != 1 || !strings.Contains(text, fmt.Sprintf("%d follow from it", lost.Count)) {
		t.Errorf("%d lines of %d lost tokens:\n%s", n, lost.Count, text)
	}
	each := execute(t.Context(), decoderLibrary{}, "check", "--each", file).out
	if n := strings.Count(each, "[usdc.index.token-missing]"); n != lost.Count {
		t.Errorf("--each prints %d lost tokens of %d", n, lost.Count)
	}
}

// TestFoldPlaces: in text a group has the first three places, each with what differs.
func TestFoldPlaces(t *testing.T) {
	out := execute(t.Context(), decoderLibrary{}, "check", "../testdata/usdc/x-path-count-less.usdc").out
	_, of, _ := strings.Cut(out, "path index 2 is outside")
	of, _, _ = strings.Cut(of, "times in all")
	for want, n := range map[string]int{"    at ": 3, "    and path index ": 2, "    expected ": 3} {
		if got := strings.Count(of, want); got != n {
			t.Errorf("%q %d times, want %d:\n%s", want, got, n, out)
		}
	}
}
