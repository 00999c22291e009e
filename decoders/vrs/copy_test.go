package vrs

import (
	"bytes"
	"io"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// copied writes parts of a recording, and opens what was written, which must be sound.
func copied(t *testing.T, doc *model.Document, first, last float64, paths ...string) *model.Document {
	t.Helper()
	var places []*model.Place
	for _, path := range paths {
		places = append(places, node(t, doc, path))
	}
	cards := places[0].Node.Cards(t.Context())
	c := cards[len(cards)-1].(model.Copier)
	var b bytes.Buffer
	if err := c.Copy(t.Context(), &b, nil, places, first, last, nil); err != nil {
		t.Fatal(err)
	}
	made := decodertest.Open(t, Format, "copy.vrs", model.BytesReader(b.Bytes()))
	report, err := made.CheckAll(t.Context(), nil)
	if err != nil || len(report.Tiling) > 0 {
		t.Fatal(err, report.Tiling)
	}
	for _, p := range report.Problems {
		if p.Rule == ruleTimeOrder || p.Kind.Severity() == model.Error && p.Rule != ruleNoFormat {
			t.Errorf("%s: %s", doc.Name, p.Error())
		}
	}
	return made
}

// TestCopy writes recordings anew, whole or as far as they are there: Meta's checksums of the records stay.
func TestCopy(t *testing.T) {
	files := []string{filepath.Join(fixtures, "pieces.vrs"), filepath.Join(fixtures, "index-none.vrs"), filepath.Join(fixtures, "damaged-cut-in-a-record.vrs")}
	for _, name := range []string{"chunks.vrs", "made-split-head-interrupted.vrs", "made-legacy-description-v1.vrs", "truncated-sample_file-50000.vrs",
		"truncated-synthetic_video-450000-no-index.vrs", "made-all-types-grown-headers.vrs"} {
		files = append(files, corpusFile(t, name))
	}
	for _, file := range files {
		doc := decodertest.OpenFile(t, Format, file)
		made := copied(t, doc, math.Inf(-1), math.Inf(1), container.StreamsView)
		want, err := doc.Checksums(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := made.Checksums(t.Context(), nil)
		if err != nil || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("%s: %v, want %v: %v", file, got[len(got)-1], want[len(want)-1], err)
		}
	}
}

// TestCopyOmissions tells of what a copy lacks: what is no whole record, records outside of the times, what follows the known
// fields of headers.
func TestCopyOmissions(t *testing.T) {
	whole := [2]float64{math.Inf(-1), math.Inf(1)}
	for _, k := range []struct {
		file          string
		times         [2]float64
		lost, reduced []string
	}{
		{filepath.Join(fixtures, "pieces.vrs"), whole, nil, nil},
		{filepath.Join(fixtures, "damaged-cut-in-a-record.vrs"), whole, []string{"layout/records/cut record"}, nil},
		{filepath.Join(fixtures, "damaged-record-size-too-large.vrs"), whole, []string{"layout/records/lost bytes"}, nil},
		{corpusFile(t, "made-all-types-grown-headers.vrs"), whole, nil, []string{"", ""}},
		{corpusFile(t, "sample_file.vrs"), [2]float64{1493865.5, 1493865.6}, nil, []string{"streams/101-1/data", "streams/200-1/data", "streams/372-1/data"}},
	} {
		doc := decodertest.OpenFile(t, Format, k.file)
		root := node(t, doc, container.StreamsView)
		cards := root.Node.Cards(t.Context())
		var o model.Omissions
		if err := cards[len(cards)-1].(model.Copier).Copy(t.Context(), io.Discard, &o, []*model.Place{root}, k.times[0], k.times[1], nil); err != nil {
			t.Fatal(err)
		}
		paths := func(list []model.Omission, _ int64) (paths []string) {
			for _, one := range list {
				paths = append(paths, one.Path)
			}
			return paths
		}
		if lost, reduced := paths(o.Lost()), paths(o.Reduced()); !slices.Equal(lost, k.lost) || !slices.Equal(reduced, k.reduced) {
			t.Errorf("%s: lost %q, reduced %q", k.file, lost, reduced)
		}
	}
}

// TestCut writes chosen streams, groups, records and times. What configures a stream comes along.
func TestCut(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, corpusFile(t, "sample_file.vrs"))
	for _, k := range []struct {
		paths       []string
		first, last float64
		streams     int
		records     map[container.RecordType]int64
	}{
		{[]string{container.StreamsView}, 1493865.5, 1493865.6, 3, map[container.RecordType]int64{container.ConfigurationRecord: 3, container.StateRecord: 3, container.DataRecord: 25}},
		{[]string{"streams/200-1", "streams/101-1"}, math.Inf(-1), math.Inf(1), 2, map[container.RecordType]int64{container.ConfigurationRecord: 2, container.StateRecord: 2, container.DataRecord: 201}},
		{[]string{"streams/200-1/data"}, math.Inf(-1), math.Inf(1), 1, map[container.RecordType]int64{container.DataRecord: 101}},
		{[]string{"streams/200-1/data/[7]", "streams/200-1/data/[3]", "streams/200-1/configuration"}, math.Inf(-1), math.Inf(1), 1, map[container.RecordType]int64{container.ConfigurationRecord: 1, container.DataRecord: 2}},
	} {
		made := copied(t, doc, k.first, k.last, k.paths...)
		f := facts(t, made)
		if f["streams"] != model.Value(model.Int(k.streams)) {
			t.Errorf("%v: %v streams", k.paths, f["streams"])
		}
		for _, g := range recordFacts {
			if f[g.key] != model.Value(model.Int(k.records[g.kind])) {
				t.Errorf("%v: %v %s, want %d", k.paths, f[g.key], g.key, k.records[g.kind])
			}
		}
		if !slices.ContainsFunc(made.Views, func(v *model.View) bool { return v.Name == container.StreamsView }) {
			t.Error("no streams")
		}
	}
}
