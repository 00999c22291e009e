package container

import (
	"fmt"
	"strings"
	"testing"

	"cutaway/model"
)

// TestJSONDepth: tags nested deep are read, and what is too deep for this program is its limit, no damage.
func TestJSONDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if _, err := ParseJSON(nested(maxJSONDepth)); err != nil {
		t.Errorf("%d deep: %s", maxJSONDepth, err.reason)
	}
	_, err := ParseJSON(nested(maxJSONDepth + 2))
	if err == nil {
		t.Fatal("no limit")
	}
	if p := err.Problem("vrs.description.json", model.Span{}, "a tag"); p.Kind != model.Limit {
		t.Errorf("%s: %v", p.Kind, p)
	}
}

func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"a":2}`:                        `{a: 1}`,
		`{"a":NaN,"b":Infinity,"c":-Infinity}`: `{a: NaN, b: Infinity, c: -Infinity}`,
		` [ 1 , -2.5e3, true,false , null ] `:  `[1, -2500, true, false, None]`,
		`"\u00e4\n\ud83d\ude00\/\q"`:           "ä\\n😀/q",
		"\"\xff\"":                             `\xff`,
		`{"a":{"b":["c"]}}`:                    `{a: {b: ["c"]}}`,
		`18446744073709551615`:                 `1.8446744073709552e+19`,
		`[1,]`:                                 "! 3",
		`{"a" 1}`:                              "! 5",
		`{"a":1`:                               "! 6",
		`[1] x`:                                "! 4",
		`"abc`:                                 "! 4",
		``:                                     "! 0",
		strings.Repeat("[", 100):               "! 100",
	} {
		v, err := ParseJSON(text)
		got := model.Show(t.Context(), v.Model(), 200)
		if err != nil {
			got = fmt.Sprintf("! %d", err.At)
		}
		if got != want {
			t.Errorf("%.20q is %q, want %q", text, got, want)
		}
	}
}
