package usda

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model/releases"
)

// TestReleases: which releases open layers, as measured with usd-core (docs/usd-standard.md).
func TestReleases(t *testing.T) {
	if !slices.IsSortedFunc(openUSD, func(a, b release) int { return strings.Compare(a.name, b.name) }) {
		t.Error("the releases are not in order")
	}
	set := func(list ...Feature) (s FeatureSet) {
		for _, f := range list {
			s.Add(f, true)
		}
		return s
	}
	for _, test := range []struct {
		crate int
		text  string
		has   FeatureSet
		want  string
	}{
		{0, "", 0, "OpenUSD 20.11 to 26.08"},
		{2, "", 0, "OpenUSD 20.11 to 26.08"},
		{4, "", set(PayloadLists, TimeCodes), "OpenUSD 20.11 to 26.11"},
		{10, "", set(PathExpressions), "OpenUSD 23.11 to 26.11"},
		{8, "", set(AnimationBlocks), "OpenUSD 25.08 to 26.11"},
		{12, "", set(Splines), "OpenUSD 24.11 to 26.11"},
		{15, "", 0, "OpenUSD 26.08 to 26.11"},
		{16, "", set(Durations), "OpenUSD 26.11"},
		{17, "", 0, "none of OpenUSD 20.11 to 26.11"},
		{-1, "1.0", 0, "OpenUSD 20.11 to 26.11"},
		{-1, "1.2", 0, "OpenUSD 20.11 to 25.05, 25.11 to 26.11"},
		{-1, "1.2", set(ArrayEdits), "OpenUSD 25.11 to 26.11"},
		{-1, "1.5", 0, "OpenUSD 20.11 to 25.05"},
	} {
		l := &Layer{Crate: test.crate, Text: test.text, Has: test.has}
		if got := releases.OpenedBy(l.Releases()); got != test.want {
			t.Errorf("crate %d, text %q, %b: %s, want %s", test.crate, test.text, test.has, got, test.want)
		}
	}
}

// TestReleaseNames: a release is named by its number, with zeros or without, with the program, or by a program with it inside.
func TestReleaseNames(t *testing.T) {
	for name, want := range map[string]string{"24.05": "24.05", "24.5": "24.05", "OpenUSD 24.5": "24.05", "blender 4.5": "25.02", "24": "", "": ""} {
		found := ""
		for _, r := range (&Layer{}).Releases() {
			if releases.IsNamed(&r, name) {
				found += r.Name
			}
		}
		if found != want {
			t.Errorf("%q names %q, want %q", name, found, want)
		}
	}
}

// TestStandardPage: docs/usd-standard.md has the tables of releases and of features; -update writes them anew.
func TestStandardPage(t *testing.T) {
	const page = "../../docs/usd-standard.md"
	table := "`info` and `check` name those that open a file; `check --for 24.05` reports what that one does not read.\n\n"
	table += "| OpenUSD | crates | text | inside |\n| --- | --- | --- | --- |\n"
	for i := 0; i < len(openUSD); i++ {
		r, first := openUSD[i], openUSD[i].name
		for len(r.inside) == 0 && i+1 < len(openUSD) && len(openUSD[i+1].inside) == 0 && r.crates()+r.text == openUSD[i+1].crates()+openUSD[i+1].text {
			i++
		}
		names := first
		if last := openUSD[i].name; last != first {
			names += " to " + last
		}
		var inside []string
		for _, p := range r.inside {
			inside = append(inside, p.name+" by "+p.source)
		}
		text := "1.0 to " + r.text
		if r.text == "" {
			text = "any header"
		}
		table += fmt.Sprintf("| %s | %s | %s | %s |\n", names, r.crates(), text, strings.Join(inside, ", "))
	}
	decodertest.Region(t, page, "releases", table)
	table = "| feature | crate | text | OpenUSD |\n| --- | --- | --- | --- |\n"
	for f := range Feature(len(features)) {
		crate, since := "any", features[f].since
		if f.Crate() > 0 {
			crate = fmt.Sprintf("0.%d.0", f.Crate())
		}
		if since == "" {
			since = "all"
		}
		table += fmt.Sprintf("| %s | %s | %s | %s |\n", f, crate, features[f].text, since)
	}
	decodertest.Region(t, page, "features", table)
}
