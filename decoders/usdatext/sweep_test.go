package usdatext

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// sweptTypes are types of all shapes, with elements that writers write.
var sweptTypes = map[string][]string{
	"float":     {"1", "-0.5", "1e30", "1.", ".25", "-3.25e-7", "1e999", "0000"},
	"int":       {"1", "-2147483648", "2147483647", "007", "-0"},
	"uint":      {"0", "4294967295"},
	"int64":     {"-9223372036854775808", "9223372036854775807"},
	"uint64":    {"1", "18446744073709551615"},
	"uchar":     {"0", "255"},
	"half3":     {"(1, 2, 3)", "(-0.5,1e4, 2)"},
	"int2":      {"(1, -2)", "( 3,\n\t4)"},
	"quatf":     {"(1, 0, 0, 0)"},
	"matrix2d":  {"( (1, 0), (0, 1) )", "((1, 0), (0, -1.5))"},
	"matrix4d":  {"((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1.25, 2, 3, 1))"},
	"token":     {`"a"`, "1"},
	"bool":      {"true", "0"},
	"texCoord2": {"1"},
}

// odd is what writers do not write, and what is wrong.
var odd = []string{"inf", "-inf", "nan", "-nan", "# 1\n", "/* , */", "/*", " ", "\n", "\r\n", ",", ",,", "-", "--1", "+1", "1e", "1e+", "1_0",
	"0x10", "1.2.3", "-2147483649", "2147483648", "256", "-1", "1.5", "99999999999999999999999", "(", ")", "(1)", "()", "[", "]", "[1]",
	"(1, 2, 3,)", "(1 2)", "\"", "@a@", "</A>", ";", "{", "}", "None", "\x00", "\xff", strings.Repeat("1", longestSwept+1)}

// TestSweep: what sweep goes over is what the parser takes, value by value, wherever windows end.
func TestSweep(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 3))
	all := int64(0)
	for name, elements := range sweptTypes {
		typ, _ := usda.TypeOf(name)
		for round := range 400 {
			text := arrayText(r, elements, round)
			off := int64(0)
			if round%4 == 0 { // an element is at the end of the window
				off = window - r.Int64N(200)
			}
			src := model.NewFileSource("x.usda", model.BytesReader(strings.Repeat(" ", int(off))+text))
			all += compareSwept(t, typ, src, off)
		}
	}
	if all < 10_000 {
		t.Errorf("%d elements were gone over", all)
	}
}

// arrayText is what follows the bracket of an array, with something odd in most.
func arrayText(r *rand.Rand, elements []string, round int) string {
	var b strings.Builder
	for range r.IntN(40) {
		b.WriteString(elements[r.IntN(len(elements))] + []string{",", ", ", ",\n  ", ",\t"}[r.IntN(4)])
	}
	if r.IntN(2) == 0 {
		b.WriteString(elements[0])
	}
	text := b.String() + "] ] }\n"
	if round%8 == 1 {
		text = text[:r.IntN(len(text))]
	} else if round > 20 {
		at := r.IntN(len(text))
		text = text[:at] + odd[r.IntN(len(odd))] + text[at:]
	}
	return text
}

// compareSwept holds what sweep goes over at the beginning of a text against the parser.
func compareSwept(t *testing.T, typ usda.Type, src *model.Source, off int64) int64 {
	t.Helper()
	l := &layer{src: src, index: &index{arrays: map[int64]arrayIndex{}}}
	fast, slow := l.parser(t.Context(), off, src.Size(), nil), l.parser(t.Context(), off, src.Size(), nil)
	// As after the bracket of an array.
	fast.line.open, slow.line.open = 1, 1
	var counted, a arrayIndex
	n := fast.sweep(elementOf(typ), &counted)
	for i := range n {
		a.add(slow.tok.off)
		if slow.components(typ) == nil || slow.problem != nil || !slow.comma() && i+1 < n {
			t.Fatalf("%s: element %d of %d of %q is gone over, and no value: %v", typ.Name, i, n, model.Show(t.Context(), textFrom(t, src, off), 400), slow.problem)
		}
	}
	if fast.tok != slow.tok || fast.before != slow.before || fast.line.open != slow.line.open || string(fast.text) != string(slow.text) ||
		counted.count != a.count || !slices.Equal(counted.marks, a.marks) {
		t.Fatalf("%s: after %d elements of %q the next token is %+v, %d open, want %+v, %d", typ.Name, n, textFrom(t, src, off), fast.tok, fast.line.open,
			slow.tok, slow.line.open)
	}
	return n
}

func textFrom(t *testing.T, src *model.Source, off int64) model.Text {
	t.Helper()
	b, err := src.Bytes(t.Context(), off, src.Size()-off)
	if err != nil {
		t.Fatal(err)
	}
	return model.Text(b)
}

// TestSoundArrays: only an array whose elements are all values of its type is known to be sound by the scan.
func TestSoundArrays(t *testing.T) {
	long := strings.Repeat("1, ", longArray)
	for text, sound := range map[string]bool{
		"int[] a = [" + long + "2]":                                           true,
		"int[] a = [" + long + "2,]":                                          true,
		"int[] a = [" + long + "# two\n2]":                                    true, // check reads what is odd
		"int[] a = [" + long + "2.5e]":                                        false,
		"int[] a = [" + long + "3000000000]":                                  false,
		"int[] a = [" + long + "2 3]":                                         false,
		"int[] a = [" + long + "(2)]":                                         false,
		"int[] a = [3000000000, " + long + "2]":                               false,
		"int2[] a = [" + long + "2]":                                          false,
		"uint[] a.timeSamples = {\n1: [" + long + "2],\n2: [3] }":             true,
		"uint[] a.timeSamples = {\n1: [" + long + "-2],\n2: [3] }":            false,
		"uint[] a.timeSamples = {\n1: [" + long + "2),\n2: [3] }":             false,
		"uint a.timeSamples = {\n1: [" + long + "2] }":                        false,
		"int[] a\nint[] a = [" + long + "2]":                                  true,
		"uchar[] a\nint[] a = [" + long + "300]":                              false, // the first statement says the type
		"int[] a = edit [" + long + "2]":                                      false,
		"string[] a = [" + long + "2]":                                        false,
		"float[] a = [" + long + "inf, -inf, nan, 1]":                         true,
		"float[] a = [" + long + "inf, -inf, nan, Inf, 1]":                    false,
		"matrix2d[] a = [" + strings.Repeat("((1, 2), (3, 4)), ", 1<<9) + "]": true,
	} {
		doc := decodertest.Open(t, Format, "x.usda", model.BytesReader("#usda 1.0\ndef \"P\"\n{\n"+text+"\n}\n"))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil || report.Sound() != sound {
			t.Errorf("%.30q…%q: sound %v, %v, %v", text, text[max(0, len(text)-20):], report.Sound(), report.Problems, err)
		}
	}
}
