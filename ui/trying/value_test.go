package trying

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"cutaway/model"
)

// TestEncodings: a typed value is written as the one before it was, in each way that this may have been.
func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		v    model.Value
		was  string // in hexadecimal
		mask uint64
		text string
		want string // all encodings, or a part of the error
	}{
		{model.Uint(0x1234), "3412", 0, "0xabcd", "cdab"},
		{model.Uint(0x1234), "1234", 0, "43981", "abcd"},
		{model.Uint(0), "0000", 0, "1", "0100 0001"},
		{model.Uint(1), "01", 0, "256", "does not fit"},
		{model.Uint(1), "01", 0, "x", "is no such number"},
		{model.Int(-2), "fe", 0, "-128", "80"},
		{model.Int(-2), "fe", 0, "-129", "does not fit"},
		{model.Int(-2), "fffe", 0, "3", "0003"},
		{model.Symbol{Number: 8, Name: "deflated"}, "0800", 0, "0", "0000"},
		{model.Uint(0x010203), "010203", 0, "0xa0b0c0", "a0b0c0"},
		{model.Bool(true), "01", 0, "false", "00"},
		{model.Uint(5), "5a", 0xf0, "10", "aa"},
		{model.Uint(0x2a), "aa02", 0x3f0, "1", "1a00"},
		{model.Float32(0.5), "0000003f", 0, "1", "0000803f"},
		{model.Float64(0.5), "3fe0000000000000", 0, "-1", "bff0000000000000"},
		{model.Half(0x3800), "0038", 0, "2", "0040"},
		{model.Uint(300), "ac02", 0, "301", "ad02"},
		{model.Uint(300), "822c", 0, "301", "822d"},
		{model.Uint(300), "ac02", 0, "20000", "does not fit"},
		{model.Uint(64), hex.EncodeToString([]byte("0000100\x00")), 0, "9", hex.EncodeToString([]byte("0000011\x00"))},
		{model.Uint(64), hex.EncodeToString([]byte("  64 ")), 0, "120", hex.EncodeToString([]byte(" 120 "))},
		{model.Text("abc"), "6162630000", 0, "vwxyz", "767778797a"},
		{model.Text("abc"), "6162630000", 0, "v", "7600000000 7620200000"},
		{model.Text("abc"), "03616263", 0, "xyz", "0378797a"},
		{model.Text("abc"), "03616263", 0, "wxyz", "more than the 3 bytes"},
		{model.Text("ab"), "61006200", 0, "cd", "63006400"},
		{model.Text("ab"), "00610062", 0, "cd", "00630064"},
		{model.Tuple{}, "00", 0, "1", "cannot be typed"},
		{model.Uint(1), "", 0, "1", "no bytes of its own"},
	} {
		was, err := hex.DecodeString(c.was)
		if err != nil {
			t.Fatal(err)
		}
		list, want, err := Encodings(c.v, was, c.mask, c.text)
		var all []string
		for _, b := range list {
			all = append(all, hex.EncodeToString(b))
		}
		got := strings.Join(all, " ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%v in %s as %q: %s, want %s", c.v, c.was, c.text, got, c.want)
		}
		if err == nil && (!Says(want, want) || Says(c.v, want)) {
			t.Errorf("%v, %v: which of them is said?", c.v, want)
		}
		if text, ok := Text(c.v); ok && err == nil {
			if again, _, err := Encodings(c.v, was, c.mask, text); err != nil || len(again) == 0 {
				t.Errorf("%v in %s as itself: %v", c.v, c.was, err)
			}
		}
	}
}

// TestReading: the rows of the inspector are written as they are read.
func TestReading(t *testing.T) {
	for _, c := range []struct {
		name string
		big  bool
		text string
		want string
	}{
		{"u8", false, "255", "ff"}, {"u16", true, "0x1234", "1234"}, {"i32", false, "-2", "feffffff"}, {"half", true, "1", "3c00"},
		{"double", true, "1", "3ff0000000000000"}, {"UTF-8 text", false, "hé", "68c3a9"}, {"UTF-16 text", true, "h", "0068"},
		{"u8", false, "256", "does not fit"}, {"GUID", false, "1", "cannot be typed"},
	} {
		b, err := Reading(c.name, c.big, c.text)
		if got := fmt.Sprintf("%x %v", b, err); !strings.HasPrefix(got, c.want+" ") && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s of %q: %s, want %s", c.name, c.text, got, c.want)
		}
		if CanRead(c.name) != (c.name != "GUID") {
			t.Errorf("%s", c.name)
		}
	}
}
