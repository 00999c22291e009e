package search

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/model"
)

func TestParsePattern(t *testing.T) {
	for _, k := range []struct {
		text   string
		form   Form
		fold   bool
		bytes  string
		became Form
	}{
		{"50 58 2d", Auto, false, "50 58 2d", Hex},
		{"0x50582D", Auto, false, "50 58 2d", Hex},
		{"50 ?? 5? ?d", Auto, false, "50 ?? 5? ?d", Hex},
		{"50,58", Auto, false, "50 58", Hex},
		{"3f8c", Auto, false, "3f 8c", Hex},
		{"5?", Auto, false, "5?", Hex},
		{"42", Auto, false, "34 32", UTF8},
		{"2024", Auto, false, "32 30 32 34", UTF8},
		{"face", Auto, false, "66 61 63 65", UTF8},
		{"what??", Auto, false, "77 68 61 74 3f 3f", UTF8},
		{"??", Auto, false, "3f 3f", UTF8},
		{"a b", Auto, false, "61 20 62", UTF8},
		{"2d 50x", Auto, false, "32 64 20 35 30 78", UTF8},
		{"42", Hex, false, "42", Hex},
		{"face", Hex, false, "fa ce", Hex},
		{"5 0", UTF8, false, "35 20 30", UTF8},
		{"4 ?", UTF8, false, "34 20 3f", UTF8},
		{"? 4f", Hex, false, "?? 4f", Hex},
		{" ä", UTF8, false, "20 c3 a4", UTF8},
		{"aZ-[", UTF8, true, "61 5a 2d 5b", UTF8},
		{"ä1", UTF16LE, false, "e4 00 31 00", UTF16LE},
		{"ä1", UTF16BE, false, "00 e4 00 31", UTF16BE},
		{"𝄞", UTF16BE, false, "d8 34 dd 1e", UTF16BE},
		{"255", U8, false, "ff", U8},
		{"0xffff", U16LE, false, "ff ff", U16LE},
		{"258", U16BE, false, "01 02", U16BE},
		{"1 2, 3", U16LE, false, "01 00 02 00 03 00", U16LE},
		{"010", U8, false, "0a", U8},
		{"1e3", U16LE, false, "e8 03", U16LE},
		{"-128", I8, false, "80", I8},
		{"-1", I64BE, false, "ff ff ff ff ff ff ff ff", I64BE},
		{"-9223372036854775808", I64LE, false, "00 00 00 00 00 00 00 80", I64LE},
		{"18446744073709551615", U64LE, false, "ff ff ff ff ff ff ff ff", U64LE},
		{"1", F16LE, false, "00 3c", F16LE},
		{"-2", F16BE, false, "c0 00", F16BE},
		{"0.1", F16BE, false, "2e 66", F16BE},
		{"65504", F16BE, false, "7b ff", F16BE},
		{"65519", F16BE, false, "7b ff", F16BE},
		{"6e-8", F16BE, false, "00 01", F16BE},
		{"-0", F16BE, false, "80 00", F16BE},
		{"inf", F16BE, false, "7c 00", F16BE},
		{"1", F32BE, false, "3f 80 00 00", F32BE},
		{"0.1 -0", F32BE, false, "3d cc cc cd 80 00 00 00", F32BE},
		{"0.1", F64BE, false, "3f b9 99 99 99 99 99 9a", F64BE},
		{"-inf", F64BE, false, "ff f0 00 00 00 00 00 00", F64BE},
	} {
		p, err := ParsePattern(k.text, k.form, PatternOptions{IgnoreCase: k.fold})
		if err != nil {
			t.Errorf("%s as %s: %v", k.text, k.form, err)
			continue
		}
		got := p.Bytes()
		if k.fold { // letters are kept as capitals, without the bit that tells the case
			got, k.bytes = strings.ToLower(got), "41 5a 2d 5b"
		}
		if got != k.bytes || p.form != k.became || p.String() != k.text {
			t.Errorf("%s as %s: %s as %s, want %s", k.text, k.form, got, p.form, k.bytes)
		}
	}
}

func TestPatternErrors(t *testing.T) {
	for _, k := range []struct {
		text string
		form Form
		says string
	}{
		{"", Auto, "nothing to search for"},
		{"", UTF8, "nothing to search for"},
		{"  ", Hex, "nothing to search for"},
		{" ", U8, "nothing to search for"},
		{"5g", Hex, "'g' in 5g is no hexadecimal digit"},
		{"5ä", Hex, "'ä'"},
		{"505", Hex, "odd number of digits"},
		{"?? ?", Hex, "no digit that matters"},
		{",", Hex, "no hexadecimal digits"},
		{"0x", Hex, "no hexadecimal digits"},
		{"a\xff", UTF16LE, "not UTF-8"},
		{",", U8, "no number"},
		{"256", U8, "256 does not fit: 8 bits without sign hold 0 to 255"},
		{"-1", U16LE, "0 to 65535"},
		{"18446744073709551616", U64LE, "does not fit: 64 bits without sign hold 0 to 18446744073709551615"},
		{"128", I8, "8 bits with sign hold -128 to 127"},
		{"-129", I8, "-128 to 127"},
		{"9223372036854775808", I64LE, "does not fit"},
		{"1.5", U8, "no whole number"},
		{"abc", I32LE, "no whole number"},
		{"nan", I32LE, "no whole number"},
		{"1_0", I32LE, "no whole number"},
		{"abc", F32LE, "no number"},
		{"nan", F64LE, "no number"},
		{"65520", F16LE, "ends at 65504"},
		{"1e39", F32LE, "ends at 3.4"},
		{"1e309", F64LE, "ends at 1.79"},
		{strings.Repeat("a", maxPattern+1), UTF8, "it may have 65536"},
	} {
		if _, err := ParsePattern(k.text, k.form, PatternOptions{}); err == nil || !strings.Contains(err.Error(), k.says) {
			t.Errorf("%.20q as %s: %v, want %q", k.text, k.form, err, k.says)
		}
	}
}

func TestForms(t *testing.T) {
	for _, f := range Forms() {
		again, err := ParseForm(strings.ToUpper(f.String()))
		if err != nil || again != f || f.Title() == "" {
			t.Errorf("%s %q is read as %s, %v", f, f.Title(), again, err)
		}
	}
	if f, err := ParseForm("f32"); f != F32LE || err != nil {
		t.Errorf("f32 is %s, %v", f, err)
	}
	if _, err := ParseForm("utf"); err == nil || !strings.Contains(err.Error(), "auto, hex, utf8") {
		t.Error(err)
	}
}

// Every number that a form can hold is found where encoding/binary puts it.
func TestNumbersAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range Forms() {
		entry := formTable[f]
		if entry.kind == 0 {
			continue
		}
		for range 50 {
			v := r.Uint64() >> (64 - 8*entry.size)
			text := ""
			switch {
			case entry.kind == 'u':
				text = strconv.FormatUint(v, 10)
			case entry.kind == 'i':
				text = strconv.FormatInt(int64(v<<(64-8*entry.size))>>(64-8*entry.size), 10)
			case entry.size == 2:
				h := model.Half(v)
				text = model.Show(t.Context(), h, 40)
			case entry.size == 4:
				text = strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
			default:
				text = strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
			}
			if text == "NaN" {
				continue
			}
			var room [8]byte
			b := room[:entry.size]
			binary.LittleEndian.PutUint64(room[:], v)
			if entry.big {
				slices.Reverse(b)
			}
			data := slices.Concat(make([]byte, 100), b, make([]byte, 50))
			p, err := ParsePattern(text, f, PatternOptions{})
			if err != nil {
				t.Fatalf("%s as %s: %v", text, f, err)
			}
			if v == 0 {
				continue
			}
			got := all(t, model.NewFileSource("f", model.BytesReader(data)), p, 0)
			if !slices.Contains(got, 100) || !slices.Equal(got, naive(data, p)) {
				t.Errorf("%s as %s (%s) in % x: %v", text, f, p.Bytes(), b, got)
			}
		}
	}
}

// Whatever is typed gives a pattern or an error, and a pattern without wildcards is found in its own bytes.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"50 58 ?? 2d", "text", "0x1", "1.5, -2", "\xff", "? ?", "5?", "ÄÖ", "1e400", "-0x80", "0.5..0.7", "/x+/", `"a" "b"`, "f32:>1"} {
		for form := range Forms() {
			f.Add(s, byte(form), form%2 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, text string, form byte, fold bool) {
		p, err := ParsePattern(text, Form(int(form)%len(formTable)), PatternOptions{IgnoreCase: fold})
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		src := model.NewFileSource("f", model.BytesReader(slices.Concat([]byte{0x7f}, p.data)))
		got := all(t, src, p, 1)
		if p.data != nil && (len(got) != 1 || got[0] != 1) {
			t.Errorf("%q as %s, %s: %v", text, p.form, p.Bytes(), got)
		}
	})
}

func TestIgnoreCaseEqualsFolding(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		data := make([]byte, 3000)
		for i := range data {
			data[i] = "abAB@`[{"[r.IntN(8)]
		}
		at := r.IntN(len(data) - 5)
		text := string(data[at : at+1+r.IntN(4)])
		p, err := ParsePattern(text, UTF8, PatternOptions{IgnoreCase: true})
		if err != nil {
			t.Fatal(err)
		}
		var want []int64
		lowerData, lowerText := bytes.ToLower(data), bytes.ToLower([]byte(text))
		for i := range data {
			if bytes.HasPrefix(lowerData[i:], lowerText) {
				want = append(want, int64(i))
			}
		}
		if got := all(t, model.NewFileSource("f", model.BytesReader(data)), p, 0); !slices.Equal(got, want) {
			t.Fatalf("%q: %d matches, want %d", text, len(got), len(want))
		}
	}
}
