package odin

import (
	"bytes"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
	"cutaway/source"
)

// TestMemoryLimit: a stream of more entries than memory allows is read up to there, and all that is wrong is the limit.
func TestMemoryLimit(t *testing.T) {
	limit := source.CacheLimit()
	defer source.SetCacheLimit(limit)
	source.SetCacheLimit(100 << 14)
	node := []byte{0x04, 0x2f, 0, 0, 0, 0, 0, 6, 0, 0, 0, 'T', ',', ' ', 'a', 's', 'm'}
	for name, data := range map[string][]byte{
		"binary": append(append(node, bytes.Repeat([]byte{0x18, 1, 0, 0, 0}, 1_000_000)...), 0x05),
		"json":   []byte(`{"$id": 0, "$type": "0|T, asm", ` + string(bytes.Repeat([]byte(`"a": 1, `), 1_000_000)) + `"b": 2}`),
	} {
		r := checkAll(t, decodertest.Open(t, Format, "x.odin", model.BytesReader(data)))
		if len(r.Problems) != 1 || r.Problems[0].Kind != model.Limit || r.Problems[0].Rule != "odin.too-many-entries" || !r.Sound() {
			t.Errorf("%s: %v", name, r.Problems)
		}
	}
}
