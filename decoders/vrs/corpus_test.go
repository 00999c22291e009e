package vrs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// checked opens a file and checks it whole.
func checked(t *testing.T, path string) (*model.Document, *model.Report) {
	t.Helper()
	doc := decodertest.OpenFile(t, Format, path)
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Tiling) > 0 {
		t.Error(report.Tiling)
	}
	return doc, report
}

// told lists problems that count, as "kind rule".
func told(r *model.Report) (list []string) {
	for i := range r.Problems {
		if p := &r.Problems[i]; p.Kind.Severity() > model.Note {
			list = append(list, p.Kind.String()+" "+p.Rule)
		}
	}
	slices.Sort(list)
	return list
}

// facts are the facts of a document by key.
func facts(t *testing.T, doc *model.Document) map[string]model.Value {
	t.Helper()
	list, err := doc.Facts(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	byKey := map[string]model.Value{}
	for _, f := range list {
		byKey[f.Key] = f.Value
	}
	return byKey
}

// TestCorpus holds every file against SOURCES.md.
func TestCorpus(t *testing.T) {
	for _, k := range []struct {
		file                                   string
		problems                               string
		streams, records, data, tags, fileTags int
		index                                  string
		lastWhole                              int64 // end of the last whole record; 0: not asked
	}{
		{file: "sample_file.vrs", streams: 3, records: 307, data: 301, fileTags: 3, index: "at the end, zstd", lastWhole: 81584},
		{file: "sample_raw_pixel_formats.vrs", streams: 26, records: 312, data: 260, index: "at the end, zstd"},
		{file: "chunks.vrs", streams: 3, records: 306, data: 300, index: "at the end, zstd", lastWhole: 81235},
		{file: "simulated.vrs_2", problems: "truncated vrs.part.orphan", streams: 3, records: 277, data: 277, index: "none in this part", lastWhole: 487214},
		{file: "segmentations.vrs", streams: 3, records: 12, data: 6, index: "in front"},
		{file: "truncated-gen2-with-bluetooth-600000.vrs", problems: "truncated vrs.index.beyond-end, truncated vrs.record.cut",
			streams: 23, records: 303, index: "in front, zstd", lastWhole: 585943},
		{file: "truncated-synthetic_video-450000-no-index.vrs", problems: "suspicious vrs.index.none, truncated vrs.record.cut",
			streams: 4, records: 49, tags: 4, index: "none; the recording was interrupted", lastWhole: 375541},
		{file: "truncated-sample_file-50000.vrs", problems: "truncated vrs.index.offset, truncated vrs.record.header-cut",
			streams: 3, records: 187, fileTags: 3, index: "not where the header points to", lastWhole: 49989},
		{file: "made-split-head-complete.vrs", streams: 3, records: 307, data: 301, fileTags: 3, index: "split, zstd", lastWhole: 83083},
		{file: "made-split-head-interrupted.vrs", problems: "suspicious vrs.index.incomplete, truncated vrs.record.cut",
			streams: 3, records: 306, fileTags: 3, index: "split, zstd, incomplete: 200 records listed", lastWhole: 82186},
		{file: "made-legacy-description-v1.vrs", streams: 3, records: 24, fileTags: 2, index: "at the end"},
		{file: "made-all-types-grown-headers.vrs", problems: "malformed vrs.format.missing, suspicious vrs.header.grown-records, suspicious vrs.payload.trailing",
			streams: 2, records: 13, data: 10, tags: 1, fileTags: 1, index: "at the end, zstd"},
	} {
		t.Run(k.file, func(t *testing.T) {
			doc, report := checked(t, corpusFile(t, k.file))
			if got := strings.Join(told(report), ", "); got != k.problems {
				t.Errorf("problems %q, want %q", got, k.problems)
			}
			f := facts(t, doc)
			for key, want := range map[string]int{"streams": k.streams, "records": k.records, "dataRecords": k.data, "tagsRecords": k.tags, "fileTags": k.fileTags} {
				if got := model.Show(t.Context(), f[key], 20); want != 0 && got != fmt.Sprint(want) {
					t.Errorf("%s: %s, want %d", key, got, want)
				}
			}
			if got := model.Show(t.Context(), f["index"], 100); got != k.index {
				t.Errorf("index %q, want %q", got, k.index)
			}
			if got := model.Show(t.Context(), f["lastWhole"], 20); k.lastWhole != 0 && got != fmt.Sprint(k.lastWhole) {
				t.Errorf("the last whole record ends at %s, want %d", got, k.lastWhole)
			}
		})
	}
}

// TestWithoutParts opens the first of three parts alone.
func TestWithoutParts(t *testing.T) {
	files := decodertest.ReadFiles(t, corpusFile(t, "chunks.vrs"))
	doc := decodertest.Open(t, Format, "chunks.vrs", model.BytesReader(files[0].Data))
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(told(report), ", "); got != "truncated vrs.index.offset, truncated vrs.record.cut" {
		t.Error(got)
	}
	if !slices.ContainsFunc(report.Problems, func(p model.LocatedProblem) bool { return strings.Contains(p.Message, "chunks.vrs_1") }) {
		t.Error("no problem names the missing part")
	}
}

// TestValues looks at fields that SOURCES.md and chapter 12 name.
func TestValues(t *testing.T) {
	for _, k := range []struct{ file, path, value string }{
		{"sample_file.vrs", "streams/101-1", "Generic Audio Stream, sample/audio"},
		{"sample_file.vrs", "streams/200-1/configuration/[0]/data_layout/image_width", "640"},
		{"sample_file.vrs", "streams/200-1/configuration/[0]/data_layout/image_pixel_format", "grey8 (1)"},
		{"chunks.vrs", "layout/header/indexRecordOffset", "81235"},
		{"made-legacy-description-v1.vrs", "layout/description/streamCount", "3"},
		{"segmentations.vrs", "streams/400-1/configuration/[0]", "5e-324"},
		{"made-all-types-grown-headers.vrs", "streams/65500-1/user tags/added", "after the start"},
		{"made-all-types-grown-headers.vrs", "streams/999-1/data/[5]/image", ""},
	} {
		doc := decodertest.OpenFile(t, Format, corpusFile(t, k.file))
		p, err := doc.Lookup(t.Context(), k.path)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := model.Show(t.Context(), p.Node.Value, 100); got != k.value && k.value != "" {
			t.Errorf("%s#%s is %q, want %q", k.file, k.path, got, k.value)
		}
	}
}

// TestByTime opens a record by its time.
func TestByTime(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, corpusFile(t, "sample_file.vrs"))
	p, err := doc.Lookup(t.Context(), "streams/101-1/data/t=1493865.3")
	if err != nil {
		t.Fatal(err)
	}
	if p.Path() != "streams/101-1/data/[1]" {
		t.Error(p.Path())
	}
}
