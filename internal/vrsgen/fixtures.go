package vrsgen

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// A Fixture is a file of testdata/vrs.
type Fixture struct {
	Name string
	Data []byte
}

// Width and Height are the size of the images of the fixture "pixels.vrs": odd, and no multiple of 4.
const (
	Width  = 5
	Height = 3
)

// PixelSizes are the bytes of an image of Width × Height by the code of its pixel format, worked out by hand from
// chapter 7.3.
var PixelSizes = [27]int{
	1: 15, 2: 45, 3: 60, 4: 45, 5: 15 + 2*3*2, 6: 60, 7: 90, 8: 90, 9: 30, 10: 30, 11: 30, 12: 180, 13: 120,
	14: 12 * 3, 15: 15, 16: 240, 17: 15, 18: 10 * 3, 19: 30, 20: 30, 21: 15 + 6*2, 22: 15 + 6*2, 23: 30, 24: 15, 25: 30, 26: 15,
}

// SampleBytes are the bytes of an audio sample by the code of its format (chapter 7.4).
var SampleBytes = [21]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 2, 9: 3, 10: 3, 11: 3, 12: 3, 13: 4, 14: 4, 15: 4, 16: 4, 17: 4, 18: 4, 19: 8, 20: 8}

// Channels and Frames are the size of the blocks of the fixture "audio.vrs".
const (
	Channels = 2
	Frames   = 4
)

func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(17*i + i/7)
	}
	return b
}

// stream makes a stream of the Unit Test Class with one record format for each kind.
func stream(instance uint16, vrs ...Tag) Stream {
	return Stream{Type: 999, Instance: instance, User: []Tag{{"made by", "vrsgen"}},
		VRS: append([]Tag{{"VRS_Original_Recordable_Name", "Unit Test Class"}, {"VRS_Recordable_Flavor", "made"}}, vrs...)}
}

// Fixtures returns all files of testdata/vrs.
func Fixtures() []Fixture {
	var list []Fixture
	add := func(name string, f *File) {
		b, _ := f.Bytes()
		list = append(list, Fixture{name, b})
	}
	add("pieces.vrs", pieces())
	add("pixels.vrs", pixels())
	add("audio.vrs", audio())
	for name, place := range map[string]Place{"index-in-front.vrs": InFront, "index-stale.vrs": StaleFront, "index-none.vrs": NoIndex} {
		f := small()
		f.Index = place
		f.Version = "VRS2"
		add(name, f)
	}
	plain := small()
	plain.PlainIndex = true
	add("index-plain.vrs", plain)
	return append(list, Damaged()...)
}

// pieces returns every piece and element type, stored, and compressed in both ways.
func pieces() *File {
	l := AllPieces()
	f := &File{Index: AtEnd, FileTags: []Tag{{"purpose", "every piece and element type"}}}
	f.Streams = []Stream{stream(1, Tag{"RF:Data:1", "data_layout"}, Tag{"DL:Data:1:0", l.JSON()})}
	for i, c := range []Compression{None, LZ4, Zstd} {
		f.Records = append(f.Records, Record{Kind: Data, Version: 1, Time: float64(i), Payload: l.Block(), Compression: c})
	}
	return f
}

// pixels returns a stream for each pixel format, with default strides and, in version 2, with larger ones.
func pixels() *File {
	f := &File{Index: AtEnd}
	for code := 1; code < len(PixelSizes); code++ {
		l := &Layout{}
		l.U32("image_width", Width)
		l.U32("image_height", Height)
		l.U32("image_pixel_format", uint32(code))
		f.Streams = append(f.Streams, stream(uint16(code),
			Tag{"RF:Configuration:1", fmt.Sprintf("data_layout/size=%d", len(l.Block()))}, Tag{"DL:Configuration:1:0", l.JSON()},
			Tag{"RF:Data:1", "image/raw"}))
		f.Records = append(f.Records, Record{Stream: code - 1, Kind: Configuration, Version: 1, Time: 0, Payload: l.Block()})
	}
	for code := 1; code < len(PixelSizes); code++ {
		f.Records = append(f.Records, Record{Stream: code - 1, Kind: Data, Version: 1, Time: 1, Payload: pattern(PixelSizes[code])})
	}
	return f
}

// sampleNames are the names of the sample formats by their code.
var sampleNames = strings.Fields("- int8 uint8 uint8alaw uint8mulaw int16le uint16le int16be uint16be int24le uint24le int24be " +
	"uint24be int32le uint32le int32be uint32be float32le float32be float64le float64be")

// audio returns a stream for each sample format: described by the format text, and by fields.
func audio() *File {
	f := &File{Index: AtEnd}
	for code := 1; code < len(SampleBytes); code++ {
		l := &Layout{}
		l.U8("audio_sample_format", uint8(code))
		l.U8("audio_channel_count", Channels)
		l.U32("audio_sample_rate", 48000)
		l.U32("audio_sample_count", Frames)
		f.Streams = append(f.Streams, stream(uint16(code),
			Tag{"RF:Data:1", fmt.Sprintf("audio/pcm/%s/channels=%d/rate=48000/samples=%d", sampleNames[code], Channels, Frames)},
			Tag{"RF:Data:2", "data_layout+audio"}, Tag{"DL:Data:2:0", l.JSON()}))
		block := pattern(SampleBytes[code] * Channels * Frames)
		f.Records = append(f.Records,
			Record{Stream: code - 1, Kind: Data, Version: 1, Time: float64(code), Payload: block},
			Record{Stream: code - 1, Kind: Data, Version: 2, Time: float64(code), Payload: append(l.Block(), block...)})
	}
	return f
}

// small returns a recording of a few records that damage is done to: number n has the value n in its field "number".
func small() *File {
	f := &File{Index: AtEnd}
	l := &Layout{}
	l.U32("number", 0)
	f.Streams = []Stream{stream(1, Tag{"RF:Data:1", "data_layout/size=4+custom"}, Tag{"DL:Data:1:0", l.JSON()}, Tag{"RF:Configuration:1", "custom"})}
	f.Records = append(f.Records, Record{Kind: Configuration, Version: 1, Time: 0.5, Payload: []byte("configured")})
	for n := range uint32(6) {
		c := None
		if n%2 == 1 {
			c = Zstd
		}
		f.Records = append(f.Records, Record{
			Kind: Data, Version: 1, Time: 1 + float64(n), Compression: c,
			Payload: append(le.AppendUint32(nil, n), bytes.Repeat([]byte("payload "), 40)...),
		})
	}
	return f
}

// Damaged are recordings that are wrong in one place each, and named by it.
func Damaged() []Fixture {
	var list []Fixture
	add := func(name string, f *File, harm func(b []byte, at Offsets) []byte) {
		b, at := f.Bytes()
		list = append(list, Fixture{"damaged-" + name + ".vrs", harm(b, at)})
	}
	add("index-offset-beyond-the-end", small(), func(b []byte, _ Offsets) []byte {
		le.PutUint64(b[24:], uint64(len(b)+1000))
		return b
	})
	add("index-count-too-large", small(), func(b []byte, at Offsets) []byte {
		le.PutUint32(b[at.Index+32+4+6:], 400_000_000)
		return b
	})
	add("record-size-zero", small(), func(b []byte, at Offsets) []byte {
		le.PutUint32(b[at.Records[3]:], 0)
		return b
	})
	open := small()
	open.Index = NoIndex
	add("record-size-too-large", open, func(b []byte, at Offsets) []byte {
		le.PutUint32(b[at.Records[3]:], math.MaxUint32)
		return b
	})
	add("wrong-compressed-size", small(), func(b []byte, at Offsets) []byte {
		le.PutUint32(b[at.Records[2]+28:], 300)
		return b
	})
	add("compressed-bytes", small(), func(b []byte, at Offsets) []byte {
		b[at.Records[4]+32+12] ^= 0xff
		b[at.Records[4]+32+9] = 0xff
		return b
	})
	add("bomb-of-a-claimed-size", small(), func(b []byte, at Offsets) []byte {
		le.PutUint32(b[at.Records[2]+28:], 0xfff00000)
		return b
	})
	add("index-entry-disagrees", small(), func(b []byte, at Offsets) []byte {
		le.PutUint64(b[at.Records[5]+16:], math.Float64bits(99))
		return b
	})
	add("previous-size", small(), func(b []byte, at Offsets) []byte {
		le.PutUint32(b[at.Records[3]+4:], 77)
		return b
	})
	lies := small()
	lies.Streams[0].VRS[3].Value = `{"data_layout":[{"name":"number","type":"DataPieceArray<Matrix4Dd>","size":4000000000,"offset":7}]}`
	add("layout-that-lies", lies, func(b []byte, _ Offsets) []byte { return b })
	notJSON := small()
	notJSON.Streams[0].VRS[3].Value = `{"data_layout":[{"name":"number","type":`
	add("layout-not-json", notJSON, func(b []byte, _ Offsets) []byte { return b })
	unknown := small()
	unknown.Streams[0].VRS[3].Value = `{"data_layout":[{"name":"number","type":"DataPieceValue<Quaternion>"}]}`
	add("layout-of-unknown-type", unknown, func(b []byte, _ Offsets) []byte { return b })
	entry := pieces()
	add("field-entry-outside", entry, func(b []byte, at Offsets) []byte {
		l := AllPieces()
		le.PutUint32(b[at.Records[0]+32+int64(len(l.fixed))+4:], 1<<30)
		return b
	})
	add("description-count-too-large", small(), func(b []byte, at Offsets) []byte {
		le.PutUint32(b[at.Description+32:], 1<<31)
		return b
	})
	add("cut-in-a-record", small(), func(b []byte, at Offsets) []byte { return b[:at.Records[5]+50] })
	add("cut-in-the-header", small(), func(b []byte, _ Offsets) []byte { return b[:60] })
	add("unknown-version", small(), func(b []byte, _ Offsets) []byte { copy(b[76:], "VRS9"); return b })
	return list
}
