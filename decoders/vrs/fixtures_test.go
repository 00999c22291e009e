package vrs

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/decoders/vrs/media"
	"cutaway/internal/vrsgen"
	"cutaway/model"
)

const fixtures = "../../testdata/vrs"

// TestFixturesAreMade compares the files with what their generator writes.
func TestFixturesAreMade(t *testing.T) {
	for _, f := range vrsgen.Fixtures() {
		b, err := os.ReadFile(filepath.Join(fixtures, f.Name))
		if err != nil || !bytes.Equal(b, f.Data) {
			t.Errorf("%s is not what go run ./testdata/vrs writes: %v", f.Name, err)
		}
	}
}

// node looks a path up and opens it.
func node(t *testing.T, doc *model.Document, path string) *model.Place {
	t.Helper()
	p, err := doc.Lookup(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// numbers flattens a value.
func numbers(v model.Value) (list []float64) {
	switch v := v.(type) {
	case model.Bool:
		if v {
			return []float64{1}
		}
		return []float64{0}
	case model.Int:
		return []float64{float64(v)}
	case model.Uint:
		return []float64{float64(v)}
	case model.Float32:
		return []float64{float64(v)}
	case model.Float64:
		return []float64{float64(v)}
	case model.Tuple:
		for _, e := range v {
			list = append(list, numbers(e)...)
		}
	}
	return list
}

// TestPieces reads every type of piece over every element type, stored and compressed.
func TestPieces(t *testing.T) {
	doc, report := checked(t, filepath.Join(fixtures, "pieces.vrs"))
	if got := told(report); got != nil {
		t.Error(got)
	}
	for record := range 3 {
		base := fmt.Sprintf("streams/999-1/data/[%d]/data_layout/", record)
		for _, pod := range vrsgen.PODs {
			compare := func(path string, n int, got model.Value) {
				t.Helper()
				var want []float64
				for i := range pod.Numbers {
					want = append(want, pod.Number(n, i))
				}
				if !slices.Equal(numbers(got), want) {
					t.Errorf("%s is %s, want %v", path, model.Show(t.Context(), got, 100), want)
				}
			}
			path := base + "value%2F" + pod.Name
			compare(path, 0, node(t, doc, path).Node.Value)
			for _, form := range []string{"array", "vector"} {
				for n := range vrsgen.Elements {
					path := fmt.Sprintf("%s%s%%2F%s/[%d]", base, form, pod.Name, n)
					compare(path, n, node(t, doc, path).Node.Value)
				}
			}
			for n := range vrsgen.Elements {
				path := base + "map%2F" + pod.Name + "/" + vrsgen.Key(n)
				compare(path, n, node(t, doc, path).Node.Value)
			}
		}
		for n := range vrsgen.Elements {
			for _, path := range []string{fmt.Sprintf("vector%%2Fstring/[%d]", n), "map%2Fstring/" + vrsgen.Key(n)} {
				if got := node(t, doc, base+path).Node.Value; got != model.Value(model.Text(vrsgen.Text(n))) {
					t.Errorf("%s is %s", base+path, model.Show(t.Context(), got, 100))
				}
			}
		}
		if got := node(t, doc, base+"string").Node.Value; got != model.Value(model.Text(vrsgen.Text(0))) {
			t.Errorf("string is %s", model.Show(t.Context(), got, 100))
		}
		for _, empty := range []string{"empty string", "empty vector%2Fstring", "empty map%2Fstring"} {
			p := node(t, doc, base+empty)
			if n, _ := p.Len(t.Context()); n != 0 || p.Node.Span().Len != layout.EntrySize {
				t.Errorf("%s has %d children and %s", empty, n, p.Node.Span())
			}
		}
	}
}

// TestPixelFormats locates an image of every format and decodes it.
func TestPixelFormats(t *testing.T) {
	doc, report := checked(t, filepath.Join(fixtures, "pixels.vrs"))
	if got := told(report); got != nil {
		t.Error(got)
	}
	for code := 1; code < len(vrsgen.PixelSizes); code++ {
		p := node(t, doc, fmt.Sprintf("streams/999-%d/data/[0]/image", code))
		if got := p.Node.Span().Len; got != int64(vrsgen.PixelSizes[code]) {
			t.Errorf("%s: %d bytes, want %d", media.PixelFormats[code].Name, got, vrsgen.PixelSizes[code])
		}
		img, err := p.Node.Cards(t.Context())[0].(model.Picture).Decode(t.Context())
		if err != nil || img.Bounds() != image.Rect(0, 0, vrsgen.Width, vrsgen.Height) {
			t.Errorf("%s: %v, %v", media.PixelFormats[code].Name, err, img)
		}
	}
}

// TestSampleFormats locates and reads audio of every sample format, described by text and by fields.
func TestSampleFormats(t *testing.T) {
	doc, report := checked(t, filepath.Join(fixtures, "audio.vrs"))
	if got := told(report); got != nil {
		t.Error(got)
	}
	for code := 1; code < len(vrsgen.SampleBytes); code++ {
		for record := range 2 {
			p := node(t, doc, fmt.Sprintf("streams/999-%d/data/[%d]/audio", code, record))
			if got := p.Node.Span().Len; got != int64(vrsgen.SampleBytes[code]*vrsgen.Channels*vrsgen.Frames) {
				t.Errorf("%s: %d bytes", media.SampleFormats[code].Name, got)
			}
			s := p.Node.Cards(t.Context())[0].(model.Sound)
			if s.Channels() != vrsgen.Channels || s.Frames() != vrsgen.Frames || s.Rate() != 48000 {
				t.Errorf("%s: %d channels, %d frames at %v Hz", media.SampleFormats[code].Name, s.Channels(), s.Frames(), s.Rate())
			}
		}
	}
}

// TestDamaged holds each damaged file against what must be told of it, and how many data records are still read.
func TestDamaged(t *testing.T) {
	for _, k := range []struct {
		file, rule, path string
		records          int // in the file; -1: none can be listed
		siblings         int // data records whose field "number" is read
	}{
		{"index-offset-beyond-the-end", "vrs.index.offset", "layout/header/indexRecordOffset", 7, 6},
		{"index-count-too-large", "vrs.index.count", "layout/index", 7, 6},
		{"record-size-zero", container.RuleIndexDisagrees, "layout/records/[3]/header", 7, 6},
		{"record-size-too-large", "vrs.record.chain", "layout/records/lost bytes", 6, 5},
		{"wrong-compressed-size", "vrs.payload.inflate", "layout/records/[2]/payload@inflated", 7, 5},
		{"compressed-bytes", "vrs.payload.inflate", "layout/records/[4]/payload@inflated", 7, 5},
		{"bomb-of-a-claimed-size", "vrs.payload.inflate", "layout/records/[2]/payload@inflated", 7, 5},
		{"index-entry-disagrees", container.RuleIndexDisagrees, "layout/records", 7, 6},
		{"previous-size", container.RulePrevious, "layout/records/[3]/header/previousRecordSize", 7, 6},
		{"layout-that-lies", "vrs.layout.size", "streams/999-1/formats/Data version 1", 7, 0},
		{"layout-not-json", "vrs.layout.json", "streams/999-1/formats/Data version 1", 7, 0},
		{"layout-of-unknown-type", "vrs.layout.type", "streams/999-1/formats/Data version 1", 7, 0},
		{"field-entry-outside", "vrs.field.entry", "layout/records/[0]/payload/data_layout/index/vector%2FBool", 3, 0},
		{"description-count-too-large", "vrs.description.missing", "layout/description", 7, 6},
		{"cut-in-a-record", "vrs.record.cut", "layout/records/cut record", 5, 4},
		{"cut-in-the-header", container.RuleTruncated, "layout/header/future3", -1, 0},
		{"unknown-version", "vrs.header.version", "layout/header/fileFormatVersion", -1, 0},
	} {
		t.Run(k.file, func(t *testing.T) {
			doc, report := checked(t, filepath.Join(fixtures, "damaged-"+k.file+".vrs"))
			if !slices.ContainsFunc(report.Problems, func(p model.LocatedProblem) bool { return p.Rule == k.rule && p.Path == k.path }) {
				t.Errorf("%v, want %s at %s", told(report), k.rule, k.path)
			}
			if k.records < 0 {
				return
			}
			if got := model.Show(t.Context(), facts(t, doc)["records"], 20); got != fmt.Sprint(k.records) {
				t.Errorf("%s records, want %d", got, k.records)
			}
			read := 0
			for i := range k.records {
				p, err := doc.Lookup(t.Context(), fmt.Sprintf("streams/999-1/data/[%d]/data_layout/number", i))
				if err == nil && len(numbers(p.Node.Value)) == 1 {
					read++
				}
			}
			if read != k.siblings {
				t.Errorf("%d records are read, want %d", read, k.siblings)
			}
		})
	}
}

// TestIndexPlaces opens the same records with their index in each place.
func TestIndexPlaces(t *testing.T) {
	for file, want := range map[string]string{
		"index-in-front.vrs": "in front, zstd | ", "index-plain.vrs": "at the end | ",
		"index-stale.vrs": "at the end, zstd | suspicious " + "vrs.index.unused",
		"index-none.vrs":  "none; the recording was interrupted | suspicious " + "vrs.index.none",
	} {
		doc, report := checked(t, filepath.Join(fixtures, file))
		f := facts(t, doc)
		if got := model.Show(t.Context(), f["index"], 100) + " | " + strings.Join(told(report), ", "); got != want || model.Show(t.Context(), f["records"], 9) != "7" {
			t.Errorf("%s: %s, %s records", file, got, model.Show(t.Context(), f["records"], 9))
		}
	}
}

func TestMutate(t *testing.T) {
	files := decodertest.ReadFiles(t, filepath.Join(fixtures, "*.vrs"))
	files = slices.DeleteFunc(files, func(f decodertest.File) bool {
		return strings.HasPrefix(f.Name, "damaged-") || f.Name == "index-none.vrs"
	})
	decodertest.Mutate(t, Format, files, decodertest.MutateOptions{Try: 800, Exceptions: frames})
}

// frames are the compressed payloads and the compressed index.
var frames = []decodertest.Exception{
	{Path: "layout/index/entries", Reason: "bits of a zstd frame that do not change what it makes"},
	{Path: "layout/records/[1]/payload", Reason: "an lz4 match that is copied from another place with the same bytes"},
	{Path: "layout/records/[2]/payload", Reason: "as the index"},
	{Path: "layout/records/[4]/payload", Reason: "as the index"},
	{Path: "layout/records/[6]/payload", Reason: "as the index"},
}

// TestMutateCorpus changes real files, a few bytes of each.
func TestMutateCorpus(t *testing.T) {
	var files []decodertest.File
	for _, name := range []string{"sample_file.vrs", "truncated-gen2-with-bluetooth-600000.vrs", "made-legacy-description-v1.vrs", "simulated.vrs_2",
		"made-split-head-complete.vrs", "made-split-head-interrupted.vrs"} {
		files = append(files, decodertest.ReadFiles(t, corpusFile(t, name))...)
	}
	decodertest.Mutate(t, Format, files, decodertest.MutateOptions{Try: 60, Exceptions: []decodertest.Exception{
		{Path: "layout/", Reason: "frames of real payloads have bits that do not change what they make"},
	}})
}

// TestMutateUnclosed is about a recording without an index: nothing tells how many records there should be.
func TestMutateUnclosed(t *testing.T) {
	exceptions := slices.Clone(frames)
	for i := range 7 {
		exceptions = append(exceptions, decodertest.Exception{Cut: true, Path: fmt.Sprintf("layout/records/[%d]/header/recordSize", i), Reason: "all records before are whole"})
	}
	files := decodertest.ReadFiles(t, filepath.Join(fixtures, "index-none.vrs"))
	decodertest.Mutate(t, Format, files, decodertest.MutateOptions{Try: 300, Exceptions: exceptions})
}

func FuzzVRS(f *testing.F) {
	decodertest.Fuzz(f, Format, decodertest.ReadFiles(f, filepath.Join(fixtures, "*.vrs")))
}

func TestDetects(t *testing.T) {
	files := decodertest.ReadFiles(t, filepath.Join(fixtures, "*.vrs"))
	decodertest.Detects(t, Format, files)
}
