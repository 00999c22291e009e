package vrs

import (
	"math"
	"os"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/vrsgen"
	"cutaway/model"
)

// TestFaults: the recordings of which nothing was told.
func TestFaults(t *testing.T) {
	const faults = "../../../shared/corpus/faults/vrs/"
	for file, want := range map[string]struct{ rule, says string }{
		"vrs-image-not-determined.vrs": {ruleBlockSize, "not supported"},
		"vrs-grown-record-headers.vrs": {"vrs.header.grown-records", "gives no metadata"},
	} {
		if _, err := os.Stat(faults + file); err != nil {
			t.Skip("the faults are not here: ", err)
		}
		report, err := decodertest.OpenFile(t, Format, faults+file).CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, p := range report.Problems {
			if p.Rule == want.rule && strings.Contains(p.Message, want.says) {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%s: %s is told %d times: %v", file, want.rule, found, report.Problems)
		}
	}
}

// TestNotDetermined: of every image and audio that needs a description and has none it is told; with one it is not.
func TestNotDetermined(t *testing.T) {
	described := func(fields ...string) *vrsgen.Layout {
		l := &vrsgen.Layout{}
		for _, name := range fields {
			l.U32(name, 2)
		}
		return l
	}
	for format, told := range map[string]bool{"image/raw": true, "image/raw/pixel=grey8": true, "image/raw/2x2/pixel=grey8": false, "image/video/codec=H.264": true,
		"image/video/2x2/pixel=grey8/codec=H.264": false, "image/custom_codec": true, "image/jpg": false, "audio/pcm": true, "audio/pcm/int16le/channels=1": false, "custom": false} {
		for fields, enough := range map[string]bool{"": false, "other": false, "image_width image_height image_pixel_format": strings.HasPrefix(format, "image/raw") || strings.HasPrefix(format, "image/video")} {
			l := described(strings.Fields(fields)...)
			f := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 200, Instance: 1, VRS: []vrsgen.Tag{{Name: "RF:Data:1", Value: "data_layout+" + format}, {Name: "DL:Data:1:0", Value: l.JSON()}}}},
				Records: []vrsgen.Record{{Kind: vrsgen.Data, Version: 1, Payload: append(l.Block(), 1, 2, 3, 4)}}}
			b, _ := f.Bytes()
			report, err := decodertest.Open(t, Format, "made.vrs", model.BytesReader(b)).CheckAll(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Contains(strings.Join(toldOf(report), " "), ruleBlockSize)
			if got != (told && !enough) {
				t.Errorf("%s, described by %q: told is %t: %q", format, fields, got, toldOf(report))
			}
		}
	}
}

func toldOf(report *model.Report) (rules []string) {
	for _, p := range report.Problems {
		rules = append(rules, p.Rule)
	}
	return rules
}

// TestVersionOfRecords: a record says which format describes it, and where that is written; its time may be before all.
func TestVersionOfRecords(t *testing.T) {
	f := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 200, Instance: 1}},
		Records: []vrsgen.Record{{Kind: vrsgen.Configuration, Version: 7, Time: -math.MaxFloat64, Payload: []byte{1}}}}
	b, at := f.Bytes()
	doc := decodertest.Open(t, Format, "made.vrs", model.BytesReader(b))
	p, err := doc.Lookup(t.Context(), "streams/200-1/configuration/[0]/formatVersion")
	if err != nil || p.Node.Value != model.Value(model.Uint(7)) || p.Node.Span().Off != at.Records[0]+12 {
		t.Errorf("%+v, %v", p, err)
	}
	if words, ok := p.Parent.Node.InWords(); !ok || words != "start" {
		t.Errorf("its time is shown as %q", words)
	}
	if record := p.Parent; record.Node.Value != model.Value(model.Float64(-math.MaxFloat64)) || !strings.Contains(record.Node.Help, "start") {
		t.Errorf("%+v", record.Node)
	}
}

// TestPlacesOfPieces: where the fields of a layout are is in JSON.
func TestPlacesOfPieces(t *testing.T) {
	l := &vrsgen.Layout{}
	l.U32("a", 1)
	l.Variable("b", "DataPieceString", "", []byte("x"))
	f := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 200, Instance: 1, VRS: []vrsgen.Tag{{Name: "RF:Data:1", Value: "data_layout"}, {Name: "DL:Data:1:0", Value: l.JSON()}}}},
		Records: []vrsgen.Record{{Kind: vrsgen.Data, Version: 1, Payload: l.Block()}}}
	b, _ := f.Bytes()
	doc := decodertest.Open(t, Format, "made.vrs", model.BytesReader(b))
	for name, want := range map[string]string{"a": "{offset: 0, size: 4}", "b": "{index: 0}"} {
		p, err := doc.Lookup(t.Context(), "streams/200-1/formats/Data version 1/data_layout/"+name)
		if err != nil || model.ShowHeld(p.Node.Value, 80) != want {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}
