package vrs

import (
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs/container"
	"cutaway/internal/vrsgen"
	"cutaway/model"
)

// recorded is a recording of one stream with a data record.
func recorded(payload []byte, tags ...vrsgen.Tag) *vrsgen.File {
	return &vrsgen.File{Index: vrsgen.AtEnd, PlainIndex: true, Streams: []vrsgen.Stream{{Type: 999, Instance: 1, VRS: tags}},
		Records: []vrsgen.Record{{Kind: vrsgen.Data, Version: 1, Time: 1, Payload: payload}}}
}

// TestVerdicts holds what is an error, and what is none, against made recordings.
func TestVerdicts(t *testing.T) {
	const layout = `{"data_layout":[{"name":"n","type":"DataPieceValue<uint8_t>"},{"name":"n","type":"DataPieceValue<%>"}]}`
	same := func(b []byte, _ vrsgen.Offsets) []byte { return b }
	described := func(typ string, payload ...byte) *vrsgen.File {
		return recorded(payload, vrsgen.Tag{Name: "RF:Data:1", Value: "data_layout"},
			vrsgen.Tag{Name: "DL:Data:1:0", Value: strings.Replace(layout, "%", typ, 1)})
	}
	format := func(text string, config ...vrsgen.Record) *vrsgen.File {
		f := recorded([]byte("twelve bytes"), vrsgen.Tag{Name: "RF:Data:1", Value: text})
		f.Records = append(f.Records, config...)
		return f
	}
	zstd := recorded([]byte(strings.Repeat("to be compressed ", 20)), vrsgen.Tag{Name: "RF:Data:1", Value: "custom"})
	zstd.Records[0].Compression = vrsgen.Zstd
	zstd.Index = vrsgen.NoIndex
	small := recorded([]byte("one"), vrsgen.Tag{Name: "RF:Data:1", Value: "custom"})
	small.Records = append(small.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: 2, Payload: []byte("two")})
	open, packed, fields := *small, *small, *small
	open.Index, packed.PlainIndex = vrsgen.NoIndex, false
	fields.Streams = []vrsgen.Stream{{Type: 999, Instance: 1, VRS: []vrsgen.Tag{{Name: "RF:Data:1", Value: "custom/size=3"}}}}
	idle := recorded([]byte("x"), vrsgen.Tag{Name: "RF:Data:1", Value: "custom"})
	idle.Streams = append(idle.Streams, vrsgen.Stream{Type: 999, Instance: 2})
	for _, k := range []struct {
		name string
		file *vrsgen.File
		harm func(b []byte, at vrsgen.Offsets) []byte
		want string // kind and rule; "": sound
	}{
		{"an image is the rest", format("image/raw"), same, "suspicious " + ruleBlockSize},
		{"an image with a pixel format is the rest", format("image/raw/pixel=grey8"), same, "suspicious " + ruleBlockSize},
		{"audio is the rest", format("audio"), same, "suspicious " + ruleBlockSize},
		{"PCM audio is the rest", format("audio/pcm"), same, "suspicious " + ruleBlockSize},
		{"PCM audio with a rate is the rest", format("audio/pcm/int16le/rate=8000"), same, "suspicious " + ruleBlockSize},
		{"an image before another", format("image/raw+custom"), same, "malformed " + ruleBlockSize},
		{"an image before one of a size", format("image/raw+custom/size=4"), same, "suspicious " + ruleBlockSize},
		{"a newer configuration", format("image/raw", vrsgen.Record{Kind: vrsgen.Configuration, Version: 1, Time: 2}), same, "suspicious " + ruleBlockSize},
		{"two fields of a type and label", described("uint8_t", 1, 2), same, "malformed " + "vrs.layout.duplicate"},
		{"two fields of a label", described("uint16_t", 1, 2, 3), same, ""},
		{"a stream that only the index has", described("uint16_t", 1, 2, 3), func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Index+32+4]++
			return b
		}, "malformed " + ruleIndexStreams},
		{"a stream without records", idle, same, ""},
		{"a tag that is no text", recorded([]byte("x"), vrsgen.Tag{Name: "RF:Data:1", Value: "custom"}, vrsgen.Tag{Name: "made", Value: "by \xff"}), same, "suspicious " + "vrs.tag.text"},
		{"a field whose name is no text", recorded([]byte{1}, vrsgen.Tag{Name: "RF:Data:1", Value: "data_layout"},
			vrsgen.Tag{Name: "DL:Data:1:0", Value: `{"data_layout":[{"name":"` + "\xff" + `","type":"DataPieceValue<uint8_t>"}]}`}), same,
			"malformed " + "vrs.tag.text" + ", suspicious " + "vrs.tag.text"},
		{"bytes after a zstd frame", zstd, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Records[0]] += 3
			return append(b, 1, 2, 3)
		}, "malformed " + "vrs.payload.inflate"},
		{"a skippable frame after a zstd frame", zstd, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Records[0]] += 8
			return append(b, 0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0)
		}, "malformed " + "vrs.payload.inflate"},
		{"a type id of more than 16 bits", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Records[1]+8+2] = 1
			return b
		}, "suspicious " + "vrs.record.type-bits"},
		{"a record larger than the index says", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Records[0]]++
			return b
		}, "malformed " + container.RuleIndexDisagrees},
		{"a record of fields larger than the index says", &fields, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Records[0]]++
			return b
		}, "suspicious " + container.RuleIndexDisagrees},
		{"a record smaller than the index says", &fields, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Records[0]]--
			return b
		}, "malformed " + container.RuleIndexDisagrees},
		{"a size in the index that moves the next record", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Index+32+8+6+8]++
			return b
		}, "malformed " + container.RuleIndexDisagrees},
		{"the size of the last record in the index", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Index+32+8+6+19+8]--
			return b
		}, "suspicious " + container.RuleIndexDisagrees},
		{"an index that reaches beyond the end", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Index+1] = 1
			return b
		}, "suspicious " + "vrs.index.size"},
		{"an index that is cut off", small, func(b []byte, _ vrsgen.Offsets) []byte { return b[:len(b)-1] }, "truncated " + container.RuleTruncated},
		{"an index that is no frame", &packed, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Index+32+8+6]++
			return b
		}, "suspicious " + "vrs.index.inflate"},
		{"an index that counts less than its frame", &packed, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Index+32+4+6]--
			return b
		}, "malformed " + "vrs.index.count" + ", suspicious " + "vrs.index.size"},
		{"an index of another type", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Index+8] = 9
			return b
		}, "suspicious " + "vrs.record.header"},
		{"an index without a time", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Index+16+6] = 0xf0
			return b
		}, "suspicious " + "vrs.record.header"},
		{"an index offset into the description", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[24], b[25] = byte(at.Description)+40, 0
			return b
		}, "malformed " + "vrs.index.offset" + ", suspicious " + "vrs.index.unused"},
		{"a description of another type", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Description+8] = 9
			return b
		}, "suspicious " + "vrs.record.header"},
		{"a description of another type, without an index", &open, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Description+8] = 9
			return b
		}, "malformed " + "vrs.record.header"},
		{"a compressed payload of no size", small, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Records[0]+27] = 2
			return b
		}, "malformed " + container.RuleCompression},
		{"a control character in a layout", recorded([]byte{1}, vrsgen.Tag{Name: "RF:Data:1", Value: "data_layout"},
			vrsgen.Tag{Name: "DL:Data:1:0", Value: `{"data_layout":[{"name":"` + "\x03" + `","type":"DataPieceValue<uint8_t>"}]}`}), same,
			"malformed " + "vrs.layout.json" + ", malformed " + "vrs.layout.piece" + ", malformed " + "vrs.layout.unusable"},
		{"a zstd frame of another size", zstd, func(b []byte, at vrsgen.Offsets) []byte {
			b[at.Records[0]+28]++
			return b
		}, "malformed " + "vrs.payload.inflate"},
	} {
		b, at := k.file.Bytes()
		doc := decodertest.Open(t, Format, "made.vrs", model.BytesReader(k.harm(b, at)))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(told(report), func(s string) bool { return strings.HasSuffix(s, "vrs.index.none") })
		if strings.Join(got, ", ") != k.want {
			t.Errorf("%s: %v, want %q", k.name, got, k.want)
		}
	}
}

// TestEnumerations shows numbers that conventions name with their names.
func TestEnumerations(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, fixtures+"/pixels.vrs")
	for path, want := range map[string]string{
		"streams/999-4/configuration/[0]/data_layout/image_pixel_format": "rgb8 (4)",
		"layout/records/[0]/header/recordType":                           "Configuration (2)",
		"layout/description/header/compressionType":                      "none (0)",
		"layout/index/streams/[0]/typeId":                                "Unit Test Class (999)",
	} {
		if got := model.Show(t.Context(), node(t, doc, path).Node.Value, 100); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	table := node(t, doc, "streams/999-4/configuration").Node.Cards(t.Context())[0].(model.Table)
	rows := [][]model.Cell{make([]model.Cell, len(table.Columns()))}
	if _, err := table.Read(t.Context(), 0, rows); err != nil || model.Show(t.Context(), rows[0][3].Value, 100) != "rgb8 (4)" {
		t.Errorf("%v, %v", rows, err)
	}
}

// TestPartInsideARecord opens a part alone that begins inside a record, as those that were cut by size do.
func TestPartInsideARecord(t *testing.T) {
	f := recorded([]byte("one"))
	for i := range 4 {
		f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: float64(i), Payload: []byte("more")})
	}
	f.Index = vrsgen.NoIndex
	b, at := f.Bytes()
	part := model.BytesReader(b[at.Records[1]+5:])
	for name, want := range map[string]model.Confidence{"film.vrs_1": model.Guess, "film.vrs": model.No, "film_1": model.No, "film.vrs_01": model.No} {
		if got := detect(t.Context(), &model.Probe{Source: model.NewFileSource(name, part), Name: name, Head: part}); got.Confidence != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	doc := decodertest.Open(t, Format, "film.vrs_1", part)
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil || len(report.Tiling) > 0 {
		t.Fatal(err, report.Tiling)
	}
	if got := told(report); !slices.Equal(got, []string{"truncated " + "vrs.part.orphan", "truncated " + "vrs.part.orphan"}) {
		t.Errorf("%v", got)
	}
	if rest := node(t, doc, "layout/records/rest of a record").Node.Span().Len; rest != at.Records[2]-at.Records[1]-5 || facts(t, doc)["records"] != model.Value(model.Int(3)) {
		t.Errorf("%d bytes before %v records", rest, facts(t, doc)["records"])
	}
}

// TestPartAlone names the files that belong before a part that is opened alone.
func TestPartAlone(t *testing.T) {
	f := recorded([]byte("one"))
	for i := range 4 {
		f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: float64(i), Payload: []byte("more")})
	}
	f.Index = vrsgen.NoIndex
	b, at := f.Bytes()
	for name, want := range map[string]string{
		"film.vrs_1": "before it: film.vrs or film.vrs_0", "film.vrs_2": "before it: film.vrs or film.vrs_0, and film.vrs_1",
		"film_12": "before it: film or film_0, and film_1 to film_11", "film.vrs": "names and fields", "film_x": "names and fields", "film_01": "names and fields",
	} {
		doc := decodertest.Open(t, Format, name, model.BytesReader(b[at.Records[1]:]))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil || len(report.Problems) == 0 || !strings.HasSuffix(report.Problems[0].Message, want) {
			t.Errorf("%s: %v, %v, want %q", name, report.Problems, err, want)
		}
	}
}
