package usdc

import (
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc/scene"
	"cutaway/model"
)

// TestTranscripts compares what "cutaway tree" prints of small files with the transcripts beside them: the views of
// a file of the oldest layout and of the newest, the scene of files with one topic each, the layout of damaged ones.
func TestTranscripts(t *testing.T) {
	const folder = "../../testdata/usdc/"
	views := map[string][]string{"made-0.0.1": {scene.View, scene.PathsView}, "made-0.15.0": {scene.View, scene.PathsView, model.LayoutView}}
	for _, topic := range []string{"arcs", "dictionaries", "list-ops", "path-expressions", "relocates", "samples", "splines", "unregistered", "variants"} {
		views[topic] = []string{scene.View}
	}
	for _, damage := range []string{"x-dict-in-itself", "x-old-sibling-cycle", "x-section-outside", "x-tokens-lz4-offset0"} {
		views[damage] = []string{model.LayoutView}
	}
	for name, list := range views {
		for _, view := range list {
			doc := decodertest.OpenFile(t, Format, filepath.Join(folder, name+".usdc"))
			decodertest.Golden(t, filepath.Join(folder, name+"."+view+".txt"), decodertest.Tree(t, doc, view))
		}
	}
}
