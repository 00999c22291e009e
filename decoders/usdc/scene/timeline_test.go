package scene_test

import (
	"os"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc"
	"cutaway/decoders/usdc/scene"
	"cutaway/internal/handgen"
	"cutaway/model"
)

// TestTimelineOfGone: of a file that can no longer be read the times that are not known are none, and no panic.
func TestTimelineOfGone(t *testing.T) {
	data, err := os.ReadFile("../../../assets/sample.usdc")
	if err != nil {
		t.Fatal(err)
	}
	file := &handgen.Gone{Reader: model.BytesReader(data)}
	doc := decodertest.Open(t, usdc.Format, "sample.usdc", file)
	view := doc.View(scene.View)
	tracks, err := view.Timeline(t.Context(), nil)
	if err != nil || len(tracks) == 0 {
		t.Fatalf("%d tracks, %v", len(tracks), err)
	}
	err = model.Walk(t.Context(), view.Place(t.Context()), model.WalkOptions{Resolve: true}, func(*model.Place) error { return nil })
	if err != nil { // after which other values are kept than the samples
		t.Fatal(err)
	}
	file.Gone = true
	for _, track := range tracks {
		if n, err := track.Read(t.Context(), 0, make([]model.Moment, track.Count)); n == int(track.Count) || err != nil {
			t.Errorf("%s: %d of %d times, %v", track.Name, n, track.Count, err)
		}
	}
}
