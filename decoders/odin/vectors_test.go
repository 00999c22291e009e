package odin

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"cutaway/model"
)

func unhexedHere(t *testing.T, s string) []byte {
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
		b := unhexedHere(t, v.hex)
		if got := model.Show(t.Context(), kinds[v.kind].of.Decode(b, false), 100); got != v.want {
			t.Errorf("%s %s is %q, want %q", kinds[v.kind].name, v.hex, got, v.want)
		}
		if size := kinds[v.kind].of.Size(); size != int64(len(b)) {
			t.Errorf("%s has %d bytes, want %d", kinds[v.kind].name, size, len(b))
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
