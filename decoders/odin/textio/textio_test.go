package textio

import (
	"strings"
	"testing"

	"cutaway/model"
)

// TestScalars: quotes, escapes and folded lines of YAML and C#.
func TestScalars(t *testing.T) {
	for _, c := range []struct {
		do         func(string) string
		text, want string
	}{
		{Unquote, " a b ", "a b"}, {Unquote, "'it''s'", "it's"}, {Unquote, `"a\x41\U0001F600\ b\n"`, "aA😀 b\n"}, {Unquote, `"\xZZ"`, "xZZ"}, {Unquote, `"\\x41\x5cn\\ b\\"`, `\x41\n\ b\`}, {Unquote, `"`, `"`},
		{Unescape, `plain`, "plain"}, {Unescape, `\t\\\"\q`, "\t\\\"q"}, {Unescape, `\u00e9\uD83D\uDE00`, "é😀"}, {Unescape, `\uD83D`, "\xed\xa0\xbd"}, {Unescape, `\u12`, "u12"}, {Unescape, `end\`, `end\`},
		{Unfold, "'a\r\n   b\n\n  c'", "a b c"}, {Unfold, "one", "one"},
	} {
		if got := c.do(c.text); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

// TestLines: lines are whole in any window, and their line breaks are no part of them.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*4096)
	text := "  - key: value\r\n\nno key\n" + long + "\nlast: \r"
	src := model.NewFileSource("text", model.BytesReader(text))
	for _, ahead := range []int64{1, 512, PassAhead} {
		l := Lines{Window: NewWindow(t.Context(), src, src.Size(), ahead)}
		var got []string
		for n, ok := l.Next(); ok; n, ok = l.Next() {
			if want := text[n.Off:n.End]; string(n.Head) != want[:min(len(want), HeadBytes)] && string(n.Head)+"\r" != want {
				t.Errorf("the head of %.20q is %.20q", want, n.Head)
			}
			got = append(got, l.Window.Text(n.Off, n.End))
		}
		if want := []string{"  - key: value", "", "no key", long, "last: \r"}; strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%d bytes ahead: lines %.80q", ahead, got)
		}
	}
	for head, want := range map[string]struct {
		indent int
		item   bool
		key    string
		value  int64
	}{"  - key: value": {4, true, "key", 9}, "a:b": {0, false, "a", 2}, "plain": {0, false, "", 0}, "key:": {0, false, "key", 4}} {
		n := Line{End: int64(len(head)), Head: []byte(head)}
		if indent, item, key, value := n.Key(); indent != want.indent || item != want.item || key != want.key || value != want.value {
			t.Errorf("%q has indent %d, item %t, key %q, value at %d", head, indent, item, key, value)
		}
	}
}

// TestBounds: a window has no bytes beyond its end, which may be before that of the source.
func TestBounds(t *testing.T) {
	src := model.NewFileSource("text", model.BytesReader("abcdef"))
	w := NewWindow(t.Context(), src, 3, 1)
	if string(w.Peek(1, 2)) != "bc" || w.Text(0, 3) != "abc" {
		t.Error("not the bytes up to the end")
	}
	if w.Peek(2, 2) != nil || w.Peek(-1, 1) != nil || w.Peek(3, 1) != nil || w.Text(2, 2) != "" {
		t.Error("bytes beyond the end")
	}
}
