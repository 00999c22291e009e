package unity

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"testing"

	"cutaway/model"
)

// TestTextCodes is the mapping between bytes and their characters, both ways.
func TestTextCodes(t *testing.T) {
	data := []byte("any bytes at all")
	for _, code := range []Code{Hex, Base64} {
		text := map[Code]string{Hex: hex.EncodeToString(data), Base64: "YW55IGJ5dGVzIGF0IGFsbA=="}[code]
		src := model.NewFileSource("text", model.BytesReader("xx"+text+"yy"))
		decoded, bad, err := decode(t.Context(), "layout/a", "a", code, src.Span(2, int64(len(text))))
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

// TestBrokenLargePayload finds the wrong character in a text that is decoded block by block.
func TestBrokenLargePayload(t *testing.T) {
	stream := bytes.Repeat([]byte("bytes of a stream, "), 14_000)
	for code, text := range map[Code]string{Hex: hex.EncodeToString(stream), Base64: base64.StdEncoding.EncodeToString(stream)} {
		for _, at := range []int{0, decodedBlock - 1, decodedBlock, len(text) - 5} {
			for _, c := range []byte("!=") {
				broken := []byte(text)
				broken[at] = c
				in := model.NewFileSource("x", model.BytesReader(broken)).Whole()
				var got bytes.Buffer
				bad, err := code.decodeAll(t.Context(), in, &got)
				out, want := code.decode(broken)
				if bad != want || err != nil || !bytes.Equal(got.Bytes(), out) {
					t.Errorf("%s, %q at %d: bad at %d after %d bytes, want %d after %d: %v", code, c, at, bad, got.Len(), want, len(out), err)
				}
			}
		}
	}
}
