package usdc

import "testing"

// TestIdentifiers holds the forms of elements that usd-core's SdfPath makes paths of, and some that it does not.
func TestIdentifiers(t *testing.T) {
	for form, texts := range map[elementForm][]string{
		formName:         {"B", "Wörld", "é", "a\u0301", "_", "__x", "a9", "ª", "名前", "primChildren"},
		formNamespaced:   {"a:b", "名:前", "xformOp:translate:pivot"},
		formDotted:       {".x", ".Wö", ".mapper"},
		formDottedSpaced: {".x:y"},
		formExpression:   {".expression"},
		formSet:          {"{v=}", "{1=}"},
		formVariant:      {"{v=x}", "{v=x y}", "{v=1}", "{v=x-y|z}", "{v=.x}", "{a:b=x}", "{v=😀}", "{ v = x }"},
		formTarget:       {"[/B]", "[/B.c]", "[B]", "[/B{v=x}C]", "[../B]", "[/]", "[/A.r[/B].x]", "[/A{v=x}{w=y}B.c:d]", "[/A.r.mapper[/B].q]"},
		formMapper:       {".mapper[/B]"},
		formNotUTF8:      {"a\xffb", "\xc3", "\xed\xa0\x80"},
		formNone: {"", "1B", "B-c", "a::b", ":a", "a:", ".x::y", "{=}", "{}", "{v=x}y", "{v=x}{w=y}", "{v=x=y}", "[]", "[/B]x",
			".mapper[]", ".mapper[/B]x", "\u0301a", "a b", "a.b", "..", ".", "/", "/B", "a/b", "9", "²", "a²", "😀", ".a b",
			"[/A/]", "[/A//B]", "[/A.b/c]", "[A[B]", "[/A{v=x}/B]", ";-)"},
	} {
		for _, text := range texts {
			if got := formOf([]byte(text)); got != form {
				t.Errorf("%q has form %d, want %d", text, got, form)
			}
		}
	}
}
