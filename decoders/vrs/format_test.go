package vrs

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// describeBlock writes what was understood of a block.
func describeBlock(b *block) string {
	s := b.typ.String()
	if b.size != unset {
		s += fmt.Sprintf(" size=%d", b.size)
	}
	switch b.typ {
	case imageBlock:
		s += " " + b.image.format.String()
		if b.image.width != 0 || b.image.pixels != 0 || b.image.codec != "" || b.image.quality != noQuality || b.image.keyIndex != unset {
			s += " " + b.image.describe()
		}
		if b.image.stride != 0 || b.image.stride2 != 0 {
			s += fmt.Sprintf(" strides %d %d", b.image.stride, b.image.stride2)
		}
	case audioBlock:
		s += fmt.Sprintf(" %s %s %d×%d @%d n%d", b.audio.format, sampleFormats[b.audio.samples].name, b.audio.channels, b.audio.stride, b.audio.rate, b.audio.count)
	}
	if b.name != "" {
		s += " " + b.name
	}
	if b.unknown != nil {
		s += fmt.Sprintf(" unknown %q", b.unknown)
	}
	if n := b.static(); n != unset {
		s += fmt.Sprintf(" = %d", n)
	}
	return s
}

func TestFormatGrammar(t *testing.T) {
	for text, want := range map[string]string{
		"data_layout":                                          "data_layout",
		"data_layout/size=79":                                  "data_layout size=79 = 79",
		"data_layout/size=24+image/raw":                        "data_layout size=24 = 24 + image raw",
		"data_layout+image/video/codec=H.265":                  "data_layout + image video H.265",
		"data_layout+audio/opus/int16le/channels=8/rate=16000": "data_layout + audio opus int16le 8×0 @16000 n0",
		"audio/pcm/int16le/channels=1/rate=44100":              "audio pcm int16le 1×0 @44100 n0",
		"audio/pcm/int24be/channels=2/samples=10":              "audio pcm int24be 2×0 @0 n10 = 60",
		"audio/pcm/int24be/channels=2/samples=10/stride=8":     "audio pcm int24be 2×8 @0 n10 = 80",
		"audio/pcm/int16le/channels=300":                       `audio pcm int16le 0×0 @0 n0 unknown ["channels=300"]`,
		"image/raw/640x480/pixel=grey8":                        "image raw 640 × 480, grey8 = 307200",
		"image/raw/640x480/pixel=grey8/stride=700":             "image raw 640 × 480, grey8 strides 700 0 = 336000",
		"image/raw/3x2/pixel=yuv_420_nv12/stride=4/stride_2=6": "image raw 3 × 2, yuv_420_nv12 strides 4 6 = 14",
		"image/raw/640x480/pixel=grb8":                         `image raw 640 × 480 unknown ["pixel=grb8"]`,
		"image/raw/pixel=rgb8/2x2/pixel=bgr8/4x4":              "image raw 2 × 2, rgb8 = 12",
		"image/raw/stride=12abc":                               "image raw strides 12 0",
		"image/custom_codec/codec=a%2Fb%20c/codec_quality=90":  "image custom_codec a/b c, quality 90",
		"image/jpg/codec_quality=101":                          "image jpg",
		"image/video/keyframe_timestamp=1.5/keyframe_index=2":  "image video frame 2 after the key frame at 1.5 s",
		"image/size=10/png":                                    "image size=10 png = 10",
		"image/png/size=10":                                    `image png unknown ["size=10"]`,
		"image":                                                "image undefined",
		"image/gif":                                            `image undefined unknown ["gif"]`,
		"custom/format=my blob/x+y":                            `custom my_blob unknown ["x"] + custom unknown ["y"]`,
		"custom/size=2":                                        "custom size=2 = 2",
		"datalayout":                                           `custom unknown ["datalayout"]`,
		"":                                                     `custom unknown [""]`,
		"Image/raw":                                            `custom unknown ["Image" "raw"]`,
		"empty":                                                "",
		"custom+empty+empty":                                   "custom",
		"empty+custom":                                         "empty = 0 + custom",
		"image//raw":                                           "image undefined",
		"image/raw/":                                           "image raw",
	} {
		var parts []string
		for _, b := range parseFormat(text) {
			parts = append(parts, describeBlock(&b))
		}
		if got := strings.Join(parts, " + "); got != want {
			t.Errorf("%q is\n  %s, want\n  %s", text, got, want)
		}
	}
}

func TestHugeImage(t *testing.T) {
	b := parseFormat("image/raw/4294967295x4294967295/pixel=rgba32F/stride=4294967295")[0]
	if n := b.static(); n < math.MaxUint32 {
		t.Error(n)
	}
}

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

func TestLanguages(t *testing.T) {
	decodertest.Language(t, Format, language, 13)
	decodertest.Language(t, Format, fieldLanguage, 0)
}

func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"a":2}`:                        `{a: 1}`,
		`{"a":NaN,"b":Infinity,"c":-Infinity}`: `{a: NaN, b: Infinity, c: -Infinity}`,
		` [ 1 , -2.5e3, true,false , null ] `:  `[1, -2500, true, false, None]`,
		`"\u00e4\n\ud83d\ude00\/\q"`:           "ä\\n😀/q",
		"\"\xff\"":                             `\xff`,
		`{"a":{"b":["c"]}}`:                    `{a: {b: ["c"]}}`,
		`18446744073709551615`:                 `1.8446744073709552e+19`,
		`[1,]`:                                 "! 3",
		`{"a" 1}`:                              "! 5",
		`{"a":1`:                               "! 6",
		`[1] x`:                                "! 4",
		`"abc`:                                 "! 4",
		``:                                     "! 0",
		strings.Repeat("[", 100):               "! 100",
	} {
		v, err := parseJSON(text)
		got := model.Show(t.Context(), v.model(), 200)
		if err != nil {
			got = fmt.Sprintf("! %d", err.at)
		}
		if got != want {
			t.Errorf("%.20q is %q, want %q", text, got, want)
		}
	}
}

// TestLayouts holds definitions against where they put their pieces.
func TestLayouts(t *testing.T) {
	for text, want := range map[string]string{
		`[{"name":"a","type":"DataPieceValue<uint8_t>"},{"name":"b","type":"DataPieceString"},{"name":"c","type":"DataPieceArray<Point3Df>","size":2}]`: "25: a {offset: 0, size: 1}, b {index: 0}, c {offset: 1, size: 24, count: 2}",
		`[{"name":"a","type":"DataPieceArray<int8_t>"},{"name":"b","type":"DataPieceValue<Bool>","offset":0}]`:                                          "1: a {offset: 0, size: 0, count: 0}, b {offset: 0, size: 1}",
		`[{"name":"a","type":"DataPieceValue<Quaternion>","offset":0},{"name":"b","type":"DataPieceValue<Bool>","offset":16}]`:                          "17: a {offset: 0, size: 16}, b {offset: 16, size: 1} ! vrs.layout.type",
		`[{"name":"a","type":"Surprise","index":0},{"name":"b","type":"DataPieceString","index":1}]`:                                                    "0: a {index: 0}, b {index: 1} ! vrs.layout.type",
		`[{"name":"a","type":"DataPieceVector<Quaternion>"}]`:                                                                                           "0: a {index: 0} ! vrs.layout.type",
		`[{"name":"a","type":"DataPieceValue<Bool>","offset":3}]`:                                                                                       "1: a {offset: 0, size: 1} ! vrs.layout.place",
		`[{"name":"a","type":"DataPieceString","index":3}]`:                                                                                             "0: a {index: 0} ! vrs.layout.place",
		`[{"type":"DataPieceValue<Bool>"},{"name":"b","type":"DataPieceValue<Bool>"}]`:                                                                  "1: b {offset: 0, size: 1} ! vrs.layout.piece",
		`[{"name":"a","type":"Surprise"}]`:                                                                                                              "broken ! vrs.layout.type",
		`[{"name":"a","type":"DataPieceValue<Quaternion>"}]`:                                                                                            "broken ! vrs.layout.type",
		`[{"name":"a","type":"DataPieceArray<Matrix4Dd>","size":4000000000}]`:                                                                           "broken ! vrs.layout.size",
		`[{"name":"a","type":"DataPieceValue<uint8_t>","default":NaN,"properties":{"min":-Infinity},"tags":{"unit":"m"},"required":true}]`:              "1: a {offset: 0, size: 1}",
	} {
		l := parseLayout(tag{value: `{"data_layout":` + text + "}"})
		got := "broken"
		if l.broken == "" {
			got = fmt.Sprintf("%d:", l.fixed)
			for i := range l.pieces {
				if i > 0 {
					got += ","
				}
				got += " " + l.pieces[i].name + " " + model.ShowHeld(l.pieces[i].place(), 80)
			}
		}
		for _, p := range l.problems {
			got += " ! " + p.Rule
		}
		if got != want {
			t.Errorf("%s:\n  %s, want\n  %s", text, got, want)
		}
	}
}
