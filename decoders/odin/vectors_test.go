package odin

import (
	"bytes"
	"encoding/hex"
	"testing"

	"cutaway/model"
)

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
