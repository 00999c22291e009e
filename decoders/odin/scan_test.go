package odin

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

const corpus = "../../../shared/corpus/odin"

// corpusFile reads a file of the corpus.
func corpusFile(t testing.TB, name string) decodertest.File {
	t.Helper()
	return decodertest.ReadFiles(t, filepath.Join(corpus, name))[0]
}

func openDoc(t testing.TB, f decodertest.File) *model.Document {
	t.Helper()
	return decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
}

var oracle = regexp.MustCompile(`(?m)^\| (\S+)(?: / (\S+))? \| .*?([\d ]+?)(?: / (\d+))? entries`)

func TestScratch(t *testing.T) {
	text, err := os.ReadFile(corpus + "/SOURCES.md")
	if err != nil {
		t.Skip(err)
	}
	for _, m := range oracle.FindAllStringSubmatch(string(text), -1) {
		if !strings.HasSuffix(m[1], ".bin") {
			continue
		}
		want, _ := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(m[3]), " ", ""))
		f := corpusFile(t, m[1])
		src := model.NewFileSource(f.Name, model.BytesReader(f.Data))
		s := newStream(src, 0, src.Size(), newBinary(src, 0, src.Size()), model.LayoutView)
		if err := s.all(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		t.Log(m[1], want, s.entries(), s.x.end == src.Size())
		decodertest.Invariants(t, Format, func() *model.Document { return openDoc(t, f) })
	}
}
