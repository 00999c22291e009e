package decoders

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestEnded ends every pass over small files of every format; with CUTAWAY_ENDED=all over all of them.
func TestEnded(t *testing.T) {
	const largest, few = 12 << 10, 5 // files of a format
	tried := map[string]int{}
	for _, pattern := range []string{"usdc/*", "usda/*", "udm/*", "odin/*", "omnilive/*", "flatbuffer/*", "vrs/*", "ksy/*"} {
		names, err := filepath.Glob(filepath.Join("..", "testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			if i%max(len(names)/few, 1) != 0 && os.Getenv("CUTAWAY_ENDED") != "all" {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil || len(data) > largest {
				continue
			}
			base := filepath.Base(name)
			t.Run(base, func(t *testing.T) {
				decodertest.Ended(t, data, func(ctx context.Context, r model.Reader) (*model.Document, error) {
					doc, err := Opener{}.Open(ctx, model.NewFileSource(base, r), base)
					if err == nil {
						tried[doc.Format]++
					}
					return doc, err
				})
			})
		}
	}
	t.Log(tried)
}
