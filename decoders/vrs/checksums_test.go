package vrs

import (
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestChecksums compares with what Meta's library (verbatim_checksum and records_checksum of pyvrs 1.2.2) gives.
func TestChecksums(t *testing.T) {
	fixture := func(_ testing.TB, name string) string { return filepath.Join(fixtures, name) }
	for _, k := range []struct {
		path                    func(testing.TB, string) string
		file, verbatim, records string
	}{
		{fixture, "pieces.vrs", "63b8fab7d34449da", "add9d3f0449337b8"},
		{fixture, "pixels.vrs", "0f0e61698b9b2621", "277218b803e137f9"},
		{fixture, "audio.vrs", "fab0b8d2e59085ff", "f1da95e51001093b"},
		{fixture, "index-none.vrs", "bff43358ca39304d", "4ee9ba8256366fdf"},
		{fixture, "index-stale.vrs", "a58c5fa929a6f94f", "4ee9ba8256366fdf"},
		{corpusFile, "sample_file.vrs", "d94a550ff012bf47", "83f9b2fa37842cb3"},
		{corpusFile, "made-split-head-complete.vrs", "b87b08921ae51940", "83f9b2fa37842cb3"},
		{corpusFile, "chunks.vrs", "1eb6a2af8b8590c5", "21a1467166b69b0a"},
		{corpusFile, "made-legacy-description-v1.vrs", "4168dc6a95d0bb9d", "bfb469e32421bf43"},
		{corpusFile, "truncated-gen2-with-bluetooth-600000.vrs", "231f1cd55f1e4be1", "04d0e4e7c110cfc0"},
		{corpusFile, "truncated-synthetic_video-450000-no-index.vrs", "6526b7575af1b373", "5975b0bd5ac48568"}, // with Tags records
	} {
		t.Run(k.file, func(t *testing.T) {
			doc := decodertest.OpenFile(t, Format, k.path(t, k.file))
			sums, err := doc.Checksums(t.Context(), nil)
			if err != nil || len(sums) < 2 {
				t.Fatal(err, sums)
			}
			if got := sums[0].Value; got != model.Value(model.Text(k.verbatim)) {
				t.Errorf("verbatim is %v, want %s", got, k.verbatim)
			}
			if last := sums[len(sums)-1]; last.Key != "checksum" || last.Value != model.Value(model.Text(k.records)) {
				t.Errorf("the sum of all is %v, want %s", last, k.records)
			}
		})
	}
	doc := decodertest.OpenFile(t, Format, fixture(t, "damaged-compressed-bytes.vrs"))
	if sums, err := doc.Checksums(t.Context(), nil); err == nil || len(sums) == 0 || sums[len(sums)-1].Key == "checksum" {
		t.Errorf("a damaged record: %v, %v", sums, err)
	}
}
