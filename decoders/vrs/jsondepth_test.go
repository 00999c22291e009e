package vrs

import (
	"strings"
	"testing"

	"cutaway/model"
)

// TestJSONDepth: tags nested deep are read, and what is too deep for this program is its limit, no damage.
func TestJSONDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if _, err := parseJSON(nested(maxJSONDepth)); err != nil {
		t.Errorf("%d deep: %s", maxJSONDepth, err.reason)
	}
	_, err := parseJSON(nested(maxJSONDepth + 2))
	if err == nil {
		t.Fatal("no limit")
	}
	if p := err.problem(ruleJSON, model.Span{}, "a tag"); p.Kind != model.Limit {
		t.Errorf("%s: %v", p.Kind, p)
	}
}
