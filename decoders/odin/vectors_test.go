package odin

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"cutaway/model"
)

func unhexed(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "|", "").Replace(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestScalars is the layouts of chapter 6.
func TestScalars(t *testing.T) {
	for _, v := range []struct {
		kind kind
		hex  string
		want string
	}{
		{kDecimal, "00 00 01 00 | 06 00 00 00 | 39 6C 36 2F | 81 9F 4E B1", "12345678901234567890.5"},
		{kDecimal, "00 00 02 80 | 00 00 00 00 | 01 00 00 00 | 00 00 00 00", "-0.01"},
		{kDecimal, "00 00 00 00 | ff ff ff ff | ff ff ff ff | ff ff ff ff", "79228162514264337593543950335"},
		{kGUID, "33 22 11 00 55 44 77 66 88 99 AA BB CC DD EE FF", "00112233-4455-6677-8899-aabbccddeeff"},
		{kBoolean, "00", "false"}, {kBoolean, "01", "true"}, {kBoolean, "02", "2"},
		{kChar, "ac20", "€"}, {kChar, "00d8", `\xed\xa0\x80`},
		{kSByte, "f8", "-8"}, {kByte, "c8", "200"}, {kShort, "80c1", "-16000"}, {kUShort, "60ea", "60000"},
		{kInt, "ffffffff", "-1"}, {kUInt, "ffffffff", "4294967295"}, {kLong, "ffffffffffffffff", "-1"},
		{kULong, "ffffffffffffffff", "18446744073709551615"}, {kFloat, "0000807f", "Infinity"}, {kDouble, "000000000000f8ff", "NaN"},
	} {
		b := unhexed(t, v.hex)
		if got := model.Show(t.Context(), kinds[v.kind].of.Decode(b, false), 100); got != v.want {
			t.Errorf("%s %s is %q, want %q", kinds[v.kind].name, v.hex, got, v.want)
		}
		if size := kinds[v.kind].of.Size(); size != int64(len(b)) {
			t.Errorf("%s has %d bytes, want %d", kinds[v.kind].name, size, len(b))
		}
	}
}

// TestStrings is chapter 3: both widths, pairs and lone surrogates.
func TestStrings(t *testing.T) {
	for _, v := range []struct {
		hex  string
		wide bool
		want string
	}{
		{"68 fc", false, "hü"}, {"55004400", true, "UD"}, {"3dd800de", true, "😀"},
		{"3dd8", true, "\xed\xa0\xbd"}, {"00de6100", true, "\xed\xb8\x80a"}, {"", true, ""},
	} {
		if got := decodeText(unhexed(t, v.hex), v.wide); got != v.want {
			t.Errorf("%s is %q, want %q", v.hex, got, v.want)
		}
	}
}

// TestIDs is the table of chapter 2.
func TestIDs(t *testing.T) {
	for id := range 256 {
		c := codes[id]
		switch {
		case id == 0 || id == 0x2f || id == 0x30 || id > 0x33:
			if c.kind != kInvalid {
				t.Errorf("%#02x is an entry: %s", id, c.name)
			}
		case c.kind == kInvalid:
			t.Errorf("%#02x is no entry", id)
		case id >= 9 && id <= 0x2e && c.named != (id%2 == 1), id == 0x32 && !c.named, id == 0x33 && c.named:
			t.Errorf("%#02x: named is %t", id, c.named)
		}
	}
	for id, name := range map[byte]string{
		1: "NamedStartOfReferenceNode", 4: "UnnamedStartOfStructNode", 6: "StartOfArray", 8: "PrimitiveArray", 9: "NamedInternalReference",
		0x0c: "UnnamedExternalReferenceByIndex", 0x23: "NamedDecimal", 0x28: "UnnamedString", 0x2a: "UnnamedGuid", 0x2e: "UnnamedNull",
		0x31: "EndOfStream", 0x32: "NamedExternalReferenceByString",
	} {
		if codes[id].name != name {
			t.Errorf("%#02x is %s, want %s", id, codes[id].name, name)
		}
	}
}

// TestTypeNames is chapter 12.
func TestTypeNames(t *testing.T) {
	for name, want := range map[string]string{
		"System.Int32, mscorlib":                                "int",
		"System.Int32[][], mscorlib":                            "int[][]",
		"System.Int32[,], mscorlib":                             "int[,]",
		"System.Int32[,][], mscorlib":                           "int[][,]",
		"System.String":                                         "string",
		"Demo.Outer+Inner, Assembly-CSharp":                     "Demo.Outer.Inner",
		"System.Nullable`1[[System.Int32, mscorlib]], mscorlib": "int?",
		"System.Collections.Generic.Dictionary`2[[System.String, mscorlib],[System.Int32[], mscorlib]], mscorlib": "System.Collections.Generic.Dictionary<string, int[]>",
		"A`1+B`1[[System.Int32, m],[System.Single, m]], m":                                                        "A<int>.B<float>",
		"A.List`1, m": "A.List<>",
		"System.Int32, mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089": "int",
		"Demo.<Run>d__7|2_0, Assembly-CSharp":                                                       "Demo.<Run>d__7|2_0",
		"not [ a type":                                                                              "not [ a type",
		"":                                                                                          "",
	} {
		if got := readable(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	if readable(strings.Repeat("A`1[[", 500)) == "" {
		t.Error("deep arguments give nothing")
	}
}

// TestShortTypes writes types without namespaces.
func TestShortTypes(t *testing.T) {
	for name, want := range map[string]string{
		"System.Int32, mscorlib":                           "int",
		"System.Type[], mscorlib":                          "Type[]",
		"Demo.Outer+Inner, Assembly-CSharp":                "Outer.Inner",
		"Demo.A`1+B`1[[Demo.C, m],[System.Single, m]], m":  "A<C>.B<float>",
		"System.Nullable`1[[Demo.Point, m]], mscorlib":     "Point?",
		"Demo.List`1[[Demo.List`1[[Demo.X, m]], m]][,], m": "List<List<X>>[,]",
		"not [ a type": "not [ a type",
		"":             "",
	} {
		if got := shortType(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// TestDates is the meanings of chapter 8.
func TestDates(t *testing.T) {
	for v, want := range map[int64]string{
		0:                                  "0001-01-01T00:00:00",
		637134336000000000:                 "2020-01-01T00:00:00",
		637134336000000000 | 1<<62:         "2020-01-01T00:00:00Z",
		637134336000000001 | math.MinInt64: "2020-01-01T00:00:00.0000001Z (local time)",
		3155378975999999999:                "9999-12-31T23:59:59.9999999",
	} {
		if got := dateTime(v); got != want {
			t.Errorf("%d is %s, want %s", v, got, want)
		}
	}
	for v, want := range map[int64]string{
		0: "00:00:00", 54000000000: "01:30:00", -1: "-00:00:00.0000001", 864000000000 * 3: "3.00:00:00",
		math.MinInt64: "-10675199.02:48:05.4775808",
	} {
		if got := timeSpan(v); got != want {
			t.Errorf("%d is %s, want %s", v, got, want)
		}
	}
}

// TestExample is the annotated example of chapter 15.
func TestExample(t *testing.T) {
	f := corpusFile(t, "udon-doc-example.odin.bin")
	doc := openDoc(t, f)
	for off, want := range map[int64]string{
		0x000: "layout/[0]/start entry/id", 0x001: "layout/[0]/start entry/type/tag", 0x002: "layout/[0]/start entry/type/type id",
		0x006: "layout/[0]/start entry/type/type name/flag", 0x007: "layout/[0]/start entry/type/type name/count",
		0x00b: "layout/[0]/start entry/type/type name/characters", 0x063: "layout/[0]/start entry/node id",
		0x067: "layout/[0]/InstructionSetIdentifier/id", 0x068: "layout/[0]/InstructionSetIdentifier/name/flag",
		0x09d: "layout/[0]/InstructionSetIdentifier/value/flag", 0x0aa: "layout/[0]/InstructionSetVersion/id",
		0x0da: "layout/[0]/InstructionSetVersion/value", 0x0de: "layout/[0]/ByteCode/start entry/id",
		0x0f4: "layout/[0]/ByteCode/start entry/type/tag", 0x12c: "layout/[0]/ByteCode/start entry/node id",
		0x130: "layout/[0]/ByteCode/[0]/id", 0x131: "layout/[0]/ByteCode/[0]/count", 0x135: "layout/[0]/ByteCode/[0]/size",
		0x139: "layout/[0]/ByteCode/[0]/elements/[0]", 0x1a9: "layout/[0]/ByteCode/end entry/id",
	} {
		p, err := doc.ResolveAt(t.Context(), doc.Source(), off, nil)
		if err != nil || p == nil || p.Path() != want {
			t.Errorf("%#x: %v, %v, want %s", off, p.Path(), err, want)
		}
	}
}

// TestTextCodes is the mapping between bytes and their characters, both ways.
func TestTextCodes(t *testing.T) {
	data := []byte("any bytes at all")
	for _, code := range []textCode{codeHex, codeBase64} {
		text := map[textCode]string{codeHex: hex.EncodeToString(data), codeBase64: "YW55IGJ5dGVzIGF0IGFsbA=="}[code]
		src := model.NewFileSource("text", model.BytesReader("xx"+text+"yy"))
		decoded, bad, err := decodedSource(t.Context(), "layout/a", "a", code, src.Span(2, int64(len(text))))
		if err != nil || bad >= 0 {
			t.Fatal(code, bad, err)
		}
		if got, err := decoded.Bytes(t.Context(), 0, decoded.Size()); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%s: %q, %v", code, got, err)
		}
		for off := range decoded.Size() {
			pieces, err := decoded.Origin().Map.From(t.Context(), off, 1)
			if err != nil || len(pieces) != 1 {
				t.Fatal(pieces, err)
			}
			in := pieces[0].In[0]
			if in.Len != 2 {
				t.Errorf("%s: byte %d has %d characters", code, off, in.Len)
			}
			for at := in.Off; at < in.End(); at++ {
				back, err := decoded.Origin().Map.To(t.Context(), at, 1)
				if err != nil || len(back) != 1 || off < back[0].Off || off >= back[0].Off+back[0].Len {
					t.Errorf("%s: character %d of byte %d leads to %v, %v", code, at, off, back, err)
				}
			}
		}
	}
}
