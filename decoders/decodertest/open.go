// Package decodertest holds the tests that all formats share: the invariants of docs/architecture.md, mutated files,
// counters of laziness, golden transcripts and fuzzing. A format joins each with one line.
//
// It opens formats behind the guard, as the program does, but in strict mode, so that a panic fails the test. It does
// not import the list of formats, so that tests inside a format's package can use it.
package decodertest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/guard"
	"cutaway/model"
	"cutaway/source"
)

func init() { guard.Strict(true) }

// A File is an input of a test.
type File struct {
	Name string
	Data []byte
}

// ReadFiles reads the files that match any of the patterns, such as "testdata/*.usdc" or
// "../../../shared/corpus/usdc/*". It skips the test if none exists.
func ReadFiles(tb testing.TB, patterns ...string) []File {
	tb.Helper()
	var paths []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			tb.Fatal(err)
		}
		paths = append(paths, found...)
	}
	var files []File
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			continue
		}
		data, err := os.ReadFile(p)
		if err != nil {
			tb.Fatal(err)
		}
		files = append(files, File{filepath.Base(p), data})
	}
	if len(files) == 0 {
		tb.Skipf("without %s", strings.Join(patterns, ", "))
	}
	return files
}

// Formats is a model.Opener of a few formats.
type Formats []*model.Format

var _ model.Opener = Formats(nil)

// Open opens src as the format that detects it best.
func (fs Formats) Open(ctx context.Context, src *model.Source, name string) (*model.Document, error) {
	head, err := src.Bytes(ctx, 0, min(src.Size(), model.ProbeSize))
	if err != nil {
		return nil, err
	}
	probe := &model.Probe{Source: src, Name: name, Head: head}
	refused := &model.ErrUnrecognized{}
	for _, f := range fs {
		d := f.Detect(ctx, probe)
		if d.Confidence >= model.Guess {
			return guard.Open(ctx, f, Request(fs, src, name))
		}
		refused.Tried = append(refused.Tried, model.Tried{Format: f.Name, Reason: d.Reason})
	}
	return nil, refused
}

// Request returns a request to open src, with no other files.
func Request(fs Formats, src *model.Source, name string) *model.OpenRequest {
	return &model.OpenRequest{
		Source: src, Name: name, Why: "opened by a test", Opener: fs, Files: model.NoFiles{},
	}
}

// Open decodes r as f, whatever detection says. Members are opened as the formats beside. Errors end the test.
func Open(tb testing.TB, f *model.Format, name string, r model.Reader, beside ...*model.Format) *model.Document {
	tb.Helper()
	doc, err := open(tb.Context(), f, name, r, beside)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	tb.Cleanup(func() { _ = doc.Close() })
	return doc
}

// OpenFile opens a file as f, with access to the files of its folder. Errors end the test.
func OpenFile(tb testing.TB, f *model.Format, path string, beside ...*model.Format) *model.Document {
	tb.Helper()
	file, err := source.Open(path, source.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	folder := source.Dir(path, source.Options{})
	req := Request(append(Formats{f}, beside...), model.NewFileSource(filepath.Base(path), file), filepath.Base(path))
	req.Files = folder
	doc, err := guard.Open(tb.Context(), f, req)
	if err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	doc.OnClose(folder.Close)
	doc.OnClose(file.Close)
	tb.Cleanup(func() { _ = doc.Close() })
	return doc
}

func open(ctx context.Context, f *model.Format, name string, r model.Reader, beside []*model.Format) (*model.Document, error) {
	return guard.Open(ctx, f, Request(append(Formats{f}, beside...), model.NewFileSource(name, r), name))
}

// Referrers returns at most limit refs to the node at path, and their number.
func Referrers(t testing.TB, doc *model.Document, path string, limit int) ([]model.Ref, int64, error) {
	t.Helper()
	p, err := doc.Lookup(t.Context(), path)
	if err != nil {
		return nil, 0, err
	}
	return doc.ReferencedBy(t.Context(), p, limit, nil)
}
