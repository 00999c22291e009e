package vrs

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/vrsgen"
	"cutaway/model"
	"cutaway/source"
)

// TestRecordsInPart: of records that memory has no room for the first are listed, which a limit tells and no error.
func TestRecordsInPart(t *testing.T) {
	const listed = 100
	defer source.SetCacheLimit(source.CacheLimit())
	for name, index := range map[string]vrsgen.Place{"without index": vrsgen.NoIndex, "with an index": vrsgen.AtEnd} {
		f := &vrsgen.File{Index: index, Streams: []vrsgen.Stream{{Type: 999, Instance: 1, VRS: []vrsgen.Tag{{Name: "RF:Data:1", Value: "custom"}}}}}
		for i := range 3 * listed {
			f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: float64(i), Payload: []byte("x")})
		}
		b, _ := f.Bytes()
		source.SetCacheLimit(listed * 96)
		doc := decodertest.Open(t, Format, "many.vrs", model.BytesReader(b))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		limits := 0
		for _, p := range report.Problems {
			if p.Kind == model.Limit && p.Rule == "vrs.limit.records" {
				limits++
			} else if p.Kind.Severity() == model.Error {
				t.Errorf("%s: %s: %s", name, p.Path, p.Error())
			}
		}
		if got := model.Show(t.Context(), facts(t, doc)["records"], 20); limits != 1 || got != "100" {
			t.Errorf("%s: %d limits, %s records", name, limits, got)
		}
		if _, err := doc.Checksums(t.Context(), nil); err == nil {
			t.Errorf("%s: checksums of a part are given", name)
		}
	}
}

// TestIndexLimit: an index whose frame memory has no room for is a limit, and the records are found without it.
func TestIndexLimit(t *testing.T) {
	defer source.SetCacheLimit(source.CacheLimit())
	f := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 999, Instance: 1}}}
	for i := range 60_000 { // 19 bytes of the index each, in one frame
		f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: float64(i), Payload: []byte("x")})
	}
	b, _ := f.Bytes()
	source.SetCacheLimit(1 << 20)
	doc := decodertest.Open(t, Format, "many.vrs", model.BytesReader(b))
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range report.Problems {
		found = found || p.Kind == model.Limit && p.Rule == "vrs.limit.inflate"
		if p.Kind.Severity() == model.Error {
			t.Errorf("%s: %s", p.Path, p.Error())
		}
	}
	if !found {
		t.Errorf("no %s", "vrs.limit.inflate")
	}
}
