package usda

import (
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
)

// TestContents: contents.txt has each clause once, in order, and the specification has a heading for each.
func TestContents(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(contents) {
		number, title, _ := strings.Cut(strings.TrimSpace(line), " ")
		if above, _ := cutLast(number); title == "" || seen[number] || above != "" && !seen[above] {
			t.Errorf("%q has no title, is there twice, or nothing is above it", line)
		}
		seen[number] = true
	}
	text := decodertest.StandardText(t, "../../../shared")
	headings := map[string]string{}
	for line := range strings.Lines(text) {
		number, title, _ := strings.Cut(strings.TrimSpace(strings.Trim(line, "\f")), " ")
		if title = strings.Join(strings.Fields(title), " "); seen[number] && !strings.Contains(title, ". .") {
			headings[number] += title + "\n"
		}
	}
	for line := range strings.Lines(contents) {
		number, title, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !hasHeading(headings[number], title) {
			t.Errorf("the specification has no heading %s; it has %q", line, headings[number])
		}
	}
}

// hasHeading reports whether a title is one of lines, or one goes on in the next line, at a space or within a word.
func hasHeading(lines, title string) bool {
	for line := range strings.Lines(lines) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(title, strings.TrimSuffix(line, "-")) && len(line) > 20 || strings.HasPrefix(line, title) {
			return true
		}
	}
	return false
}

func cutLast(number string) (above, last string) {
	if i := strings.LastIndexByte(number, '.'); i >= 0 {
		return number[:i], number[i+1:]
	}
	return "", number
}

// TestClauses: each field of the registry names clauses that there are, one for each kind of specs at most.
func TestClauses(t *testing.T) {
	if got := Clause("16.3.8.4.5.3"); got != "16.3.8.4.5.3 Jump Array" {
		t.Errorf("a clause is %q", got)
	}
	if Clause("16.3.8.4.5.99") != "" || Clause("") != "" {
		t.Error("a clause that there is not")
	}
	all := map[string]string{}
	for field, clauses := range structure {
		all[field] = clauses
	}
	for field, of := range metadata {
		all[field] = of.clauses
	}
	for field, clauses := range all {
		for number := range strings.FieldsSeq(clauses) {
			title := Clause(number)
			if _, name, _ := strings.Cut(title, " "); !strings.HasPrefix(name, field+":") && !strings.Contains(name, "Fields") && field != "properties" {
				t.Errorf("%s: clause %s is %q", field, number, title)
			}
		}
	}
	for _, test := range []struct{ field, spec, want string }{
		{"documentation", "pseudoRoot", "7.6.1.5.1"}, {"documentation", "prim", "7.6.2.5.4"}, {"documentation", "relationship", "7.6.3.2.4"},
		{"typeName", "attribute", "7.6.4.1.1"}, {"typeName", "prim", "7.6.2.4.1"}, {"upAxis", "pseudoRoot", ""}, {"kind", "attribute", ""},
	} {
		if got, _, _ := strings.Cut(ClauseOf(test.field, test.spec), " "); got != test.want {
			t.Errorf("%s of a %s: clause %q, want %q", test.field, test.spec, got, test.want)
		}
	}
}
