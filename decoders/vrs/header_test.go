package vrs

import (
	"math"
	"testing"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{"Camera #1": "Camera", "Camera #12": "Camera", "Camera 12": "Camera 12", "Camera #": "Camera #", " #1": " #1", "a #1": "a", "": ""} {
		if got := plainName(name); got != want {
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
	set := func(size, uncompressed uint64, compression uint8) func(h *header) {
		return func(h *header) {
			h.set(fieldRecordSize, size)
			h.set(fieldUncompressedSize, uncompressed)
			h.set(fieldCompressionType, uint64(compression))
		}
	}
	put := func(field grammar.Number, v uint64) func(h *header) { return func(h *header) { h.set(field, v) } }
	for name, k := range map[string]struct {
		change func(h *header)
		usable bool
	}{
		"sound":               {func(*header) {}, true},
		"size 31":             {put(fieldRecordSize, 31), false},
		"size 32":             {put(fieldRecordSize, 32), true},
		"previous 0":          {put(fieldPreviousRecordSize, 0), true},
		"previous 31":         {put(fieldPreviousRecordSize, 31), false},
		"type 0":              {put(fieldRecordType, 0), false},
		"type 5":              {put(fieldRecordType, 5), false},
		"time NaN":            {put(fieldTimestamp, math.Float64bits(math.NaN())), false},
		"inflated, not lz4":   {put(fieldUncompressedSize, 100), false},
		"lz4":                 {set(100, 100, lz4Payload), true},
		"zstd":                {set(100, 100, zstdPayload), true},
		"compression 3":       {set(100, 100, 3), false},
		"grown by 49 of 10":   {set(32+59, 10, lz4Payload), true},
		"grown by 50 of 10":   {set(32+60, 10, lz4Payload), false},
		"grown by 89 of 180":  {set(32+269, 180, lz4Payload), true},
		"grown by 90 of 180":  {set(32+270, 180, lz4Payload), false},
		"grown by 499 of 10k": {set(32+10499, 10000, zstdPayload), true},
		"grown by 500 of 10k": {set(32+10500, 10000, zstdPayload), false},
		"grown index": {func(h *header) {
			set(900, 10, zstdPayload)(h)
			h.set(fieldTypeID, indexTypeID)
		}, true},
	} {
		h := newHeader(100, streamID{}, 0, 0, dataRecord)
		h.set(fieldPreviousRecordSize, 32)
		k.change(h)
		r := &file{src: model.NewFileSource("header", model.BytesReader(h.b[:])), head: fileHeader{recordHeaderSize: recordHeaderSize}}
		r.describe()
		why := r.unusable(t.Context(), h)
		if usable := h.usable(recordHeaderSize); usable != k.usable || usable != (why == "") {
			t.Errorf("%s: usable %t, by the description %q", name, usable, why)
		}
	}
}

// TestHeaderSize holds the bytes that a header keeps against the description.
func TestHeaderSize(t *testing.T) {
	if recordHeaderRecord.Least() != recordHeaderSize {
		t.Errorf("a record header has %d bytes", recordHeaderRecord.Least())
	}
	for size := int64(recordHeaderSize); size <= recordHeaderSize+maxGrowth; size += maxGrowth {
		if got := language.For(&file{head: fileHeader{recordHeaderSize: size}}).Record("Record header").Size(); got != size {
			t.Errorf("of %d bytes it has %d", size, got)
		}
	}
}
