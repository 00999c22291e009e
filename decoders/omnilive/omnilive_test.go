package omnilive

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// corpusFiles reads the corpus without its lists; where it is not here, testdata.
func corpusFiles(t testing.TB) []decodertest.File {
	if _, err := os.Stat(corpus); err != nil {
		return decodertest.ReadFiles(t, testdata+"/*.o*f")
	}
	var files []decodertest.File
	for _, f := range decodertest.ReadFiles(t, corpus+"/*.o*") {
		if !strings.HasSuffix(f.Name, ".json") {
			files = append(files, f)
		}
	}
	return files
}

// TestInvariants checks on every file of the corpus what must always hold.
func TestInvariants(t *testing.T) {
	for _, f := range corpusFiles(t) {
		t.Run(f.Name, func(t *testing.T) {
			decodertest.Invariants(t, Format, func() *model.Document {
				return decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
			})
		})
	}
}

func TestMutate(t *testing.T) {
	var files []decodertest.File
	exceptions := []decodertest.Exception{{Path: "layout/FlatBuffer/0x38/NUL", Cut: true, Reason: "t-empty-vectors, cut before its last NUL, is sound by the other reconstruction"}}
	for _, f := range corpusFiles(t) {
		if strings.HasPrefix(f.Name, "x-") {
			continue
		}
		files = append(files, f)
		doc := decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
		if last, _ := doc.At(t.Context(), doc.Source(), doc.Source().Size()-1); last != nil && last.Node.Role == model.Padding {
			exceptions = append(exceptions, decodertest.Exception{Path: last.Path(), Cut: true, Reason: "filler after the last object says nothing by its absence"})
		}
	}
	decodertest.Mutate(t, Format, files, decodertest.MutateOptions{Exceptions: exceptions})
}

func FuzzOpen(f *testing.F) {
	var seeds []decodertest.File
	for _, file := range corpusFiles(f) {
		if len(file.Data) < 2000 {
			seeds = append(seeds, file)
		}
	}
	decodertest.Fuzz(f, Format, seeds)
}

func TestDetects(t *testing.T) {
	var files []decodertest.File
	for _, f := range corpusFiles(t) {
		switch f.Name {
		case "x-empty.oodf", "x-identifier-only.oodf", "x-identifier-wrong.oodf", "p-other-identifier.ompf":
			continue // nothing to recognise, or only by the whole table
		}
		files = append(files, f)
	}
	decodertest.Detects(t, Format, files)
	for _, f := range corpusFiles(t) {
		want := f.Name != "x-empty.oodf" && f.Name != "x-identifier-wrong.oodf"
		if got := decodertest.Detect(t.Context(), Format, "x", f.Data).Confidence >= model.Guess; got != want {
			t.Errorf("%s: recognised: %t", f.Name, got)
		}
	}
	if d := decodertest.Detect(t.Context(), Format, "x", bytes.Repeat([]byte("OMNI"), 100)); d.Confidence >= model.Guess {
		t.Error("text is a live layer:", d.Reason)
	}
}
