package container

import (
	"math"
	"testing"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{"Camera #1": "Camera", "Camera #12": "Camera", "Camera 12": "Camera 12", "Camera #": "Camera #", " #1": " #1", "a #1": "a", "": ""} {
		if got := PlainName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestTypeIDs(t *testing.T) {
	for stored, want := range map[int32]int32{1: 1, 999: 999, 65535: 65535, 100000: 65500, 100035: 65535, -5: 65531} {
		if got := typeIDOf(stored); got != want {
			t.Errorf("%d is %d, want %d", stored, got, want)
		}
	}
}

// TestUsableHeaders holds the plausibility test of chapter 3 against the description's rules, whose breach makes a header unusable.
func TestUsableHeaders(t *testing.T) {
	set := func(size, uncompressed uint64, compression uint8) func(h *Header) {
		return func(h *Header) {
			h.Set(FieldRecordSize, size)
			h.Set(FieldUncompressedSize, uncompressed)
			h.Set(fieldCompressionType, uint64(compression))
		}
	}
	put := func(field grammar.Number, v uint64) func(h *Header) { return func(h *Header) { h.Set(field, v) } }
	for name, k := range map[string]struct {
		change func(h *Header)
		usable bool
	}{
		"sound":               {func(*Header) {}, true},
		"size 31":             {put(FieldRecordSize, 31), false},
		"size 32":             {put(FieldRecordSize, 32), true},
		"previous 0":          {put(FieldPreviousRecordSize, 0), true},
		"previous 31":         {put(FieldPreviousRecordSize, 31), false},
		"type 0":              {put(fieldRecordType, 0), false},
		"type 5":              {put(fieldRecordType, 5), false},
		"time NaN":            {put(FieldTimestamp, math.Float64bits(math.NaN())), false},
		"inflated, not lz4":   {put(FieldUncompressedSize, 100), false},
		"lz4":                 {set(100, 100, LZ4Payload), true},
		"zstd":                {set(100, 100, ZstdPayload), true},
		"compression 3":       {set(100, 100, 3), false},
		"grown by 49 of 10":   {set(32+59, 10, LZ4Payload), true},
		"grown by 50 of 10":   {set(32+60, 10, LZ4Payload), false},
		"grown by 89 of 180":  {set(32+269, 180, LZ4Payload), true},
		"grown by 90 of 180":  {set(32+270, 180, LZ4Payload), false},
		"grown by 499 of 10k": {set(32+10499, 10000, ZstdPayload), true},
		"grown by 500 of 10k": {set(32+10500, 10000, ZstdPayload), false},
		"grown index": {func(h *Header) {
			set(900, 10, ZstdPayload)(h)
			h.Set(FieldTypeID, IndexTypeID)
		}, true},
	} {
		h := NewHeader(100, StreamID{}, 0, 0, DataRecord)
		h.Set(FieldPreviousRecordSize, 32)
		k.change(h)
		r := &File{Src: model.NewFileSource("header", model.BytesReader(h.B[:])), Head: FileHeader{RecordHeaderSize: RecordHeaderSize}}
		r.Describe()
		why := r.unusable(t.Context(), h)
		if usable := h.usable(RecordHeaderSize); usable != k.usable || usable != (why == "") {
			t.Errorf("%s: usable %t, by the description %q", name, usable, why)
		}
	}
}

// TestUsableAsDescribed changes each two bytes of headers: the fast predicate and the description's rules agree on each.
func TestUsableAsDescribed(t *testing.T) {
	values := []byte{0, 1, 2, 4, 31, 32, 100, 127, 128, 200, 240, 255}
	for _, compression := range []uint8{StoredPayload, LZ4Payload} {
		sound := NewHeader(300, StreamID{}, 0, 0, DataRecord)
		sound.Set(fieldCompressionType, uint64(compression))
		sound.Set(FieldUncompressedSize, uint64(compression)*240)
		for at := range RecordHeaderSize - 1 {
			for _, a := range values {
				for _, b := range values {
					h := *sound
					h.B[at], h.B[at+1] = a, b
					f := &File{Src: model.NewFileSource("header", model.BytesReader(h.B[:])), Head: FileHeader{RecordHeaderSize: RecordHeaderSize}}
					f.Describe()
					if why := f.unusable(t.Context(), &h); h.usable(RecordHeaderSize) != (why == "") {
						t.Fatalf("% x: usable %t, by the description %q", h.B, h.usable(RecordHeaderSize), why)
					}
				}
			}
		}
	}
}

// TestHeaderSize holds the bytes that a header keeps against the description.
func TestHeaderSize(t *testing.T) {
	if recordHeaderRecord.Least() != RecordHeaderSize {
		t.Errorf("a record header has %d bytes", recordHeaderRecord.Least())
	}
	for size := int64(RecordHeaderSize); size <= RecordHeaderSize+maxGrowth; size += maxGrowth {
		if got := FileLanguage.For(&File{Head: FileHeader{RecordHeaderSize: size}}).Record("Record header").Size(); got != size {
			t.Errorf("of %d bytes it has %d", size, got)
		}
	}
}
