package bench

import (
	"testing"
	"time"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/omnilive"
	"cutaway/internal/livegen"
	"cutaway/model"
	"cutaway/source"
)

// liveOpen is how long a live layer may take to open.
const liveOpen = 100 * time.Millisecond

// TestLiveLazy opens a multi-part file of 1 GB and deltas of 300,000 commands, shows rows and counts.
func TestLiveLazy(t *testing.T) {
	sparse, err := livegen.SparseFile(folder, 1<<30, false)
	if err != nil {
		t.Fatal(err)
	}
	strings, err := livegen.SparseFile(folder, 1<<30, true)
	if err != nil {
		t.Fatal(err)
	}
	a, err := livegen.CommandsFile(folder, 300_000, false)
	if err != nil {
		t.Fatal(err)
	}
	b, err := livegen.CommandsFile(folder, 300_000, true)
	if err != nil {
		t.Fatal(err)
	}
	// The first 4,096 items of each vector decide on the schema: by A and by B, with their tables and names.
	for _, c := range []struct {
		name   string
		limits decodertest.Limits
	}{
		{sparse, decodertest.Limits{Path: "layout", Bytes: 8 << 10}},
		{sparse, decodertest.Limits{Path: "commands", Bytes: 8 << 10}},
		{sparse, decodertest.Limits{Path: "layer/World/.size/points", Bytes: 8 << 10}},
		{sparse, decodertest.Limits{Path: "layout/part 1/value/elements", Bytes: 16 << 10}},
		{strings, decodertest.Limits{Path: "layout", Bytes: 8 << 10}},
		{strings, decodertest.Limits{Path: "layer/World/.size", Bytes: 8 << 10}},
		{strings, decodertest.Limits{Path: "layer/World/.size/points", Bytes: 8 << 10}},
		{a, decodertest.Limits{Path: "layout", Bytes: 2 << 20}},
		{a, decodertest.Limits{Path: "commands", Bytes: 2 << 20}},
		{b, decodertest.Limits{Path: "commands", Bytes: 2 << 20}},
	} {
		t.Run(c.limits.Path, func(t *testing.T) {
			f, err := source.Open(c.name, source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			decodertest.Lazy(t, omnilive.Format, c.name, f, c.limits)
		})
	}
}

// BenchmarkLiveOpen opens the multi-part file of 1 GB.
func BenchmarkLiveOpen(b *testing.B) {
	name, err := livegen.SparseFile(folder, 1<<30, false)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		decodertest.OpenFile(b, omnilive.Format, name)
	}
	if each := b.Elapsed() / time.Duration(b.N); each > liveOpen {
		b.Errorf("opening takes %v", each)
	}
}

// BenchmarkLiveStrings measures the 268 million strings of a part of 1 GB, as looking at them does.
func BenchmarkLiveStrings(b *testing.B) {
	name, err := livegen.SparseFile(folder, 1<<30, true)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		doc := decodertest.OpenFile(b, omnilive.Format, name)
		p, err := doc.Lookup(b.Context(), "layout/part 1")
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Resolve(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLiveCommands opens deltas of a million commands and applies them, as the layer view does.
func BenchmarkLiveCommands(b *testing.B) {
	for _, union := range []bool{false, true} {
		name, err := livegen.CommandsFile(folder, 1_000_000, union)
		if err != nil {
			b.Fatal(err)
		}
		for job, run := range map[string]func(doc *model.Document) error{
			"open":  func(*model.Document) error { return nil },
			"apply": func(doc *model.Document) error { return doc.View("layer").Place(b.Context()).Resolve(b.Context(), nil) },
			"check": func(doc *model.Document) error { _, err := doc.CheckAll(b.Context(), nil); return err },
		} {
			variant := " A"
			if union {
				variant = " B"
			}
			b.Run(job+variant, func(b *testing.B) {
				for b.Loop() {
					if err := run(decodertest.OpenFile(b, omnilive.Format, name)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
