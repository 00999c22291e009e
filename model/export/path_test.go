package export

import (
	"testing"

	"cutaway/model"
)

// TestPathText: on a terminal nothing in a name breaks the line, moves the cursor or turns the direction of the text; JSON has
// all but bytes that are no text as it is. The path of a node can be given back in either form.
func TestPathText(t *testing.T) {
	for _, c := range []struct{ path, shown, json string }{
		{"scene/Wörld 100%", "scene/Wörld 100%", "scene/Wörld 100%"},
		{"日本\u3000語/👩\u200d🚀", "日本\u3000語/👩\u200d🚀", "日本\u3000語/👩\u200d🚀"},
		{"a\nb\x1b[2J\x7f", "a%0Ab%1B[2J%7F", "a\nb\x1b[2J\x7f"},
		{"a\u009b2J", "a%C2%9B2J", "a\u009b2J"},
		{"gpj.\u202eexe\u202c", "gpj.%E2%80%AEexe%E2%80%AC", "gpj.\u202eexe\u202c"},
		{"\u2066x\u2069\u200e\u200f\u061c", "%E2%81%A6x%E2%81%A9%E2%80%8E%E2%80%8F%D8%9C", "\u2066x\u2069\u200e\u200f\u061c"},
		{"one\u2028two\u2029", "one%E2%80%A8two%E2%80%A9", "one\u2028two\u2029"},
		{"caf\xe9 \xff", "caf%E9 %FF", "caf%E9 %FF"},
		{"\xff\u202e", "%FF%E2%80%AE", "%FF\u202e"},
		{"\ufffd", "\ufffd", "\ufffd"},
		{"", "", ""},
	} {
		if got := PathText(c.path); got != c.shown {
			t.Errorf("%q is shown as %q, want %q", c.path, got, c.shown)
		}
		if got := JSONPath(c.path); string(got) != c.json {
			t.Errorf("%q is %q in JSON, want %q", c.path, got, c.json)
		}
		if back := model.UnescapeSegment(PathText(c.path)); back != c.path {
			t.Errorf("%q is given back as %q", c.path, back)
		}
	}
}
