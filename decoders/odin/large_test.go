package odin

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// largeStream is a node with an array of n bytes.
func largeStream(n int) []byte {
	b := []byte{0x02, 0x2f, 0, 0, 0, 0, 0}
	name := "System.Byte[], mscorlib"
	b = binary.LittleEndian.AppendUint32(b, uint32(len(name)))
	b = append(append(b, name...), 0, 0, 0, 0, 0x08)
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	b = binary.LittleEndian.AppendUint32(b, 1)
	return append(append(b, bytes.Repeat([]byte("odin"), n/4)...), 0x05)
}

// TestLargePayloads reads payloads whose text is longer than any window, in hex and base64.
func TestLargePayloads(t *testing.T) {
	for _, n := range []int{200 << 10, 256 << 10, 1 << 20} {
		stream := largeStream(n)
		for field, text := range map[string]string{
			"SerializedBytes": hex.EncodeToString(stream), "SerializedBytesString": base64.StdEncoding.EncodeToString(stream),
		} {
			file := fmt.Sprintf("--- !u!114 &1\nMonoBehaviour:\n  m_Name: Large\n  serializationData:\n    %s: %s\n    SerializedFormat: 0\n", field, text)
			if d := decodertest.Detect(t.Context(), Format, "large.asset", []byte(file)); d.Confidence <= model.Guess {
				t.Errorf("%s of %d bytes: %s", field, n, d.Reason)
			}
			doc := decodertest.Open(t, Format, "large.asset", model.BytesReader(file))
			p, err := doc.Lookup(t.Context(), "entries/"+field)
			if err == nil {
				err = p.Resolve(t.Context(), nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			array, err := doc.Lookup(t.Context(), "entries/"+field+"/[0]/[0]")
			if err != nil || array.Node.Brief != fmt.Sprintf("%d × 1 bytes", n) {
				t.Errorf("%s of %d bytes: the array is %v, %v", field, n, array, err)
			}
			if r, err := doc.CheckAll(t.Context(), nil); err != nil || len(r.Problems) > 0 {
				t.Errorf("%s of %d bytes: %v, %v", field, n, r.Problems, err)
			}
		}
	}
}

// TestLargeArrayIsRecognised recognises a stream whose first array goes on after the bytes that detection has.
func TestLargeArrayIsRecognised(t *testing.T) {
	for _, n := range []int{60 << 10, 70 << 10, 8 << 20} {
		if d := decodertest.Detect(t.Context(), Format, "large.bytes", largeStream(n)); d.Confidence < 60 {
			t.Errorf("an array of %d bytes: %d, %s", n, d.Confidence, d.Reason)
		}
		if d := decodertest.Detect(t.Context(), Format, "large.bytes", largeStream(n)[:n-1000]); n > model.ProbeSize && d.Confidence > model.Guess {
			t.Errorf("an array of %d bytes, cut off: %d, %s", n, d.Confidence, d.Reason)
		}
	}
}
