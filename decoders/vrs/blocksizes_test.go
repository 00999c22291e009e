package vrs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/vrsgen"
	"cutaway/model"
)

// layoutOf makes a data layout of uint32_t fields, and of uint8_t fields where the name begins with "u8 ".
func layoutOf(fields ...any) *vrsgen.Layout {
	l := &vrsgen.Layout{}
	for i := 0; i < len(fields); i += 2 {
		name, value := fields[i].(string), fields[i+1].(int)
		if short, ok := strings.CutPrefix(name, "u8 "); ok {
			l.U8(short, uint8(value))
		} else {
			l.U32(name, uint32(value))
		}
	}
	return l
}

// TestBlockSizes holds the rules of chapter 7.7 for the sizes of blocks against records made for each.
func TestBlockSizes(t *testing.T) {
	vga := layoutOf("image_width", 4, "image_height", 2, "image_pixel_format", 1)
	sound := layoutOf("u8 audio_sample_format", 5, "u8 audio_channel_count", 2, "audio_sample_rate", 8000)
	for name, k := range map[string]struct {
		config  *vrsgen.Layout // of a configuration record before
		late    bool           // the configuration record is newer
		format  string
		layouts []*vrsgen.Layout // of the data layout blocks, in their order
		after   int              // bytes after the first layout
		want    string           // the lengths of the blocks, what is left, and rules
	}{
		"image by configuration":         {config: vga, format: "image/raw", after: 8, want: "image 8"},
		"image by nearest layout":        {config: vga, format: "data_layout+image/raw", layouts: []*vrsgen.Layout{layoutOf("image_width", 3, "image_height", 1, "image_pixel_format", 4)}, after: 9, want: "data_layout 12, image 9"},
		"a layout counts alone":          {config: vga, format: "data_layout+image/raw", layouts: []*vrsgen.Layout{layoutOf("image_pixel_format", 4)}, after: 8, want: "data_layout 4, image 8"},
		"legacy bytes per pixel":         {config: layoutOf("image_width", 4, "image_height", 2, "image_bytes_per_pixel", 3), format: "image/raw", after: 24, want: "image 24"},
		"legacy bytes per pixel, narrow": {config: layoutOf("image_width", 4, "image_height", 2, "u8 image_bytes_per_pixel", 8), format: "image/raw", after: 64, want: "image 64"},
		"unknown pixel format":           {config: layoutOf("image_width", 4, "image_height", 2, "image_pixel_format", 27), format: "image/raw", after: 8, want: "image 8 ! vrs.block.size"},
		"stride":                         {config: layoutOf("image_width", 4, "image_height", 2, "image_pixel_format", 1, "image_stride", 6), format: "image/raw", after: 12, want: "image 12"},
		"stride too small":               {config: layoutOf("image_width", 4, "image_height", 2, "image_pixel_format", 1, "image_stride", 3), format: "image/raw", after: 6, want: "image 6 ! vrs.image.stride"},
		"newer configuration":            {config: vga, late: true, format: "image/raw", after: 8, want: "image 8 ! vrs.block.size"},
		"no configuration":               {format: "image/raw", after: 8, want: "image 8 ! vrs.block.size"},
		"image larger than payload":      {config: vga, format: "image/raw", after: 7, want: "undecoded 7 ! vrs.payload.short"},
		"jpg takes the rest":             {format: "image/jpg+custom/size=3", after: 10, want: "image 7, custom 3"},
		"next_content_block_size":        {format: "data_layout+custom+custom", layouts: []*vrsgen.Layout{layoutOf("next_content_block_size", 5)}, after: 9, want: "data_layout 4, custom 5, custom 4"},
		"announced too much":             {format: "data_layout+custom", layouts: []*vrsgen.Layout{layoutOf("next_content_block_size", 50)}, after: 9, want: "data_layout 4, undecoded 9 ! vrs.payload.short"},
		"two of unknown size":            {format: "custom+custom", after: 9, want: "undecoded 9 ! vrs.block.size"},
		"trailing":                       {format: "custom/size=3", after: 9, want: "custom 3, trailing 6 ! vrs.payload.trailing"},
		"audio takes the rest":           {format: "audio/pcm/int16le/channels=2/rate=8000", after: 12, want: "audio 12"},
		"audio, no whole frames":         {format: "audio/pcm/int16le/channels=2/rate=8000", after: 13, want: "audio 13 ! vrs.audio.size"},
		"audio by configuration":         {config: sound, format: "audio", after: 12, want: "audio 12"},
		"audio count from before":        {config: sound, format: "data_layout+audio+custom", layouts: []*vrsgen.Layout{layoutOf("audio_sample_count", 2)}, after: 12, want: "data_layout 4, audio 8, custom 4"},
		"audio stride out of range":      {config: layoutOf("u8 audio_sample_format", 5, "u8 audio_channel_count", 2, "audio_sample_rate", 8000, "u8 audio_sample_stride", 11), format: "audio", after: 22, want: "audio 22 ! vrs.block.size"},
		"audio padded":                   {config: layoutOf("u8 audio_sample_format", 5, "u8 audio_channel_count", 2, "audio_sample_rate", 8000, "u8 audio_sample_stride", 10), format: "audio", after: 20, want: "audio 20"},
		"audio count differs":            {format: "audio/pcm/int8/channels=1/samples=4", after: 9, want: "audio 4, trailing 5 ! vrs.payload.trailing"},
		"audio count beyond":             {format: "audio/pcm/int8/channels=1/samples=10", after: 9, want: "undecoded 9 ! vrs.payload.short"},
		"opus":                           {format: "audio/opus/int16le/channels=8/rate=16000", after: 9, want: "audio 9"},
		"size differs from the layout":   {format: "data_layout/size=9+custom", layouts: []*vrsgen.Layout{layoutOf("a", 1)}, after: 9, want: "data_layout 4, custom 9 ! vrs.format.size"},
		"no layout, but a size":          {format: "data_layout/size=4+custom", after: 9, want: "data_layout 4, custom 5 ! vrs.format.layout-missing"},
		"no layout, no size":             {format: "data_layout+custom", after: 9, want: "undecoded 9 ! vrs.block.size ! vrs.format.layout-missing"},
		"no format":                      {after: 9, want: "undescribed 9"},
	} {
		t.Run(name, func(t *testing.T) {
			s := vrsgen.Stream{Type: 999, Instance: 1}
			f := &vrsgen.File{Index: vrsgen.AtEnd}
			if k.config != nil {
				s.VRS = append(s.VRS, vrsgen.Tag{Name: "RF:Configuration:1", Value: "data_layout"}, vrsgen.Tag{Name: "DL:Configuration:1:0", Value: k.config.JSON()})
				time := 1.0
				if k.late {
					time = 3
				}
				f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Configuration, Version: 1, Time: time, Payload: k.config.Block()})
			}
			if k.format != "" {
				s.VRS = append(s.VRS, vrsgen.Tag{Name: "RF:Data:1", Value: k.format})
			}
			var payload []byte
			for i, l := range k.layouts {
				s.VRS = append(s.VRS, vrsgen.Tag{Name: fmt.Sprintf("DL:Data:1:%d", i), Value: l.JSON()})
				payload = append(payload, l.Block()...)
			}
			f.Streams = []vrsgen.Stream{s}
			data := vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: 2, Payload: append(payload, make([]byte, k.after)...)}
			if f.Records = append(f.Records, data); k.late {
				f.Records[0], f.Records[1] = f.Records[1], f.Records[0]
			}
			b, _ := f.Bytes()
			doc := decodertest.Open(t, Format, "made.vrs", model.BytesReader(b))
			p := node(t, doc, "streams/999-1/data/[0]")
			var parts []string
			n, _ := p.Len(t.Context())
			for i := int64(1); i < n; i++ { // after the version of the format
				parts = append(parts, fmt.Sprintf("%s %d", p.Child(t.Context(), i).Node.Name, p.Child(t.Context(), i).Node.Span().Len))
			}
			got := strings.Join(parts, ", ")
			report, err := doc.CheckAll(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range report.Problems {
				got += " ! " + report.Problems[i].Rule
			}
			if got != k.want {
				t.Errorf("%s, want %s", got, k.want)
			}
		})
	}
}

// TestOverlappingPieces reads a piece that its definition puts over another one, after one of unknown size.
func TestOverlappingPieces(t *testing.T) {
	const definition = `{"data_layout":[{"name":"a","type":"DataPieceValue<uint8_t>"},{"name":"q","type":"DataPieceValue<Quaternion>","offset":1},` +
		`{"name":"b","type":"DataPieceArray<int8_t>","size":1,"offset":0}]}`
	f := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 999, Instance: 1, VRS: []vrsgen.Tag{
		{Name: "RF:Data:1", Value: "data_layout"}, {Name: "DL:Data:1:0", Value: definition}}}},
		Records: []vrsgen.Record{{Kind: vrsgen.Data, Version: 1, Time: 1, Payload: []byte{7}}}}
	b, _ := f.Bytes()
	doc := decodertest.Open(t, Format, "made.vrs", model.BytesReader(b))
	for path, want := range map[string]string{"a": "7", "b": "[7]", "b/[0]": "7"} {
		if got := model.Show(t.Context(), node(t, doc, "streams/999-1/data/[0]/data_layout/"+path).Node.Value, 20); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// TestParts opens recordings whose parts are missing, or are none.
func TestParts(t *testing.T) {
	folder := t.TempDir()
	put := func(from, to string) {
		b, err := os.ReadFile(corpusFile(t, from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, to), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("chunks.vrs", "gap.vrs")
	put("chunks.vrs_2", "gap.vrs_2")
	put("sample_file.vrs", "whole.vrs")
	put("sample_file.vrs", "whole.vrs_1")
	put("chunks.vrs", "zero_0")
	put("chunks.vrs_1", "zero_1")
	put("chunks.vrs_2", "zero_2")
	for file, want := range map[string]string{
		"gap.vrs":   "truncated " + "vrs.index.offset" + ", truncated " + "vrs.part.missing" + ", truncated " + "vrs.record.cut",
		"whole.vrs": "suspicious " + "vrs.part.foreign",
		"zero_0":    "",
	} {
		_, report := checked(t, filepath.Join(folder, file))
		if got := strings.Join(told(report), ", "); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}
