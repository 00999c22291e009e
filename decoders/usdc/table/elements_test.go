package table

import "testing"

// TestIdentifiers holds the forms of elements that usd-core's SdfPath makes paths of, and some that it does not.
func TestIdentifiers(t *testing.T) {
	for form, texts := range map[ElementForm][]string{
		FormName:         {"B", "Wörld", "é", "a\u0301", "_", "__x", "a9", "ª", "名前", "primChildren"},
		FormNamespaced:   {"a:b", "名:前", "xformOp:translate:pivot"},
		FormDotted:       {".x", ".Wö", ".mapper"},
		FormDottedSpaced: {".x:y"},
		FormExpression:   {".expression"},
		FormSet:          {"{v=}", "{1=}"},
		FormVariant:      {"{v=x}", "{v=x y}", "{v=1}", "{v=x-y|z}", "{v=.x}", "{a:b=x}", "{v=😀}", "{ v = x }"},
		FormTarget:       {"[/B]", "[/B.c]", "[B]", "[/B{v=x}C]", "[../B]", "[/]", "[/A.r[/B].x]", "[/A{v=x}{w=y}B.c:d]", "[/A.r.mapper[/B].q]"},
		FormMapper:       {".mapper[/B]"},
		FormNotUTF8:      {"a\xffb", "\xc3", "\xed\xa0\x80"},
		FormNone: {"", "1B", "B-c", "a::b", ":a", "a:", ".x::y", "{=}", "{}", "{v=x}y", "{v=x}{w=y}", "{v=x=y}", "[]", "[/B]x",
			".mapper[]", ".mapper[/B]x", "\u0301a", "a b", "a.b", "..", ".", "/", "/B", "a/b", "9", "²", "a²", "😀", ".a b",
			"[/A/]", "[/A//B]", "[/A.b/c]", "[A[B]", "[/A{v=x}/B]", ";-)"},
	} {
		for _, text := range texts {
			if got := FormOf([]byte(text)); got != form {
				t.Errorf("%q has form %d, want %d", text, got, form)
			}
		}
	}
}
