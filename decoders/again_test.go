package decoders

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cutaway/model"
)

// flaky is a reader of which one byte cannot be read for some time.
type flaky struct {
	model.BytesReader
	off    int64
	broken atomic.Bool
	failed atomic.Int64 // reads
}

func (f *flaky) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if f.broken.Load() && off <= f.off && f.off < off+int64(len(p)) {
		f.failed.Add(1)
		n, _ := f.BytesReader.ReadAt(ctx, p[:f.off-off], off)
		return n, errors.New("the disk is gone")
	}
	return f.BytesReader.ReadAt(ctx, p, off)
}

// derivedSources are the bytes of a document's derived sources that come from spans of the file, by name.
func derivedSources(ctx context.Context, t *testing.T, doc *model.Document) map[string]*model.Source {
	t.Helper()
	found := map[string]*model.Source{}
	opt := model.WalkOptions{Resolve: true, Derived: true}
	err := model.Walk(ctx, doc.View(model.LayoutView).Place(ctx), opt, func(p *model.Place) error {
		if src := p.Node.Span().Source; src != nil && src.Origin() != nil && src.Origin().Parent.Origin() == nil && len(src.Origin().Spans) > 0 {
			found[src.Name()] = src
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestAskedAgain: a derived source whose bytes a disk did not give is made anew when it is asked for after a while, and asking
// before costs no more than the first time.
func TestAskedAgain(t *testing.T) {
	tried := map[string]int{}
	for _, pattern := range []string{"usdc/*.usdc", "usdc/*.usdz", "udm/*.udm_b"} { // zstd's decoders may not go from bubble to bubble
		names, err := filepath.Glob(filepath.Join("..", "testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil || len(data) > 64<<10 {
				continue
			}
			doc, err := Opener{}.Open(t.Context(), model.NewFileSource("file", model.BytesReader(data)), filepath.Base(name))
			if err != nil {
				continue
			}
			made := 0
			for path, sound := range derivedSources(t.Context(), t, doc) {
				if made++; made > 12 || sound.Size() == 0 {
					break
				}
				if askAgain(t, name, data, path, sound) {
					tried[doc.Format]++
				}
			}
			_ = doc.Close()
		}
	}
	for _, format := range []string{"usdc", "udm", "usdz"} {
		if tried[format] == 0 {
			t.Errorf("no derived source of %s could not be read: %v", format, tried)
		}
	}
}

// askAgain reads a derived source while a byte of its last span cannot be read, and afterwards. It reports whether the first
// failed.
func askAgain(t *testing.T, name string, data []byte, path string, sound *model.Source) (failed bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		spans := sound.Origin().Spans
		last := spans[len(spans)-1]
		want, err := sound.Bytes(t.Context(), 0, sound.Size())
		if err != nil || last.Len == 0 {
			return // damaged
		}
		file := &flaky{BytesReader: data, off: last.End() - 1}
		doc, err := Opener{}.Open(t.Context(), model.NewFileSource("file", file), filepath.Base(name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer func() { _ = doc.Close() }()
		read := func() []byte {
			src, err := doc.SourceByName(t.Context(), path)
			if err != nil {
				return nil
			}
			b, _ := src.Bytes(t.Context(), 0, src.Size())
			return b
		}
		file.broken.Store(true)
		if bytes.Equal(read(), want) {
			return // it was read when the file was opened
		}
		failed = true
		asked := file.failed.Load()
		const asks = 20
		for range asks {
			read()
		}
		if again := file.failed.Load() - asked; again > asks*asked {
			t.Errorf("%s, %s: asked %d times more while it fails", name, path, again)
		}
		file.broken.Store(false)
		time.Sleep(time.Minute)
		if got := read(); !bytes.Equal(got, want) {
			t.Errorf("%s, %s: %d bytes after it could be read again, want %d", name, path, len(got), len(want))
		}
	})
	return failed
}
