package scene_test

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc"
)

// TestSceneFacts holds what the crate that has everything says of its scene.
func TestSceneFacts(t *testing.T) {
	d := decodertest.OpenFile(t, usdc.Format, "../../../testdata/usdc/made-0.15.0.usdc")
	got := decodertest.Facts(t, d)
	for key, want := range map[string]string{
		"defaultPrim":   "World",
		"startTimeCode": "1",
		"endTimeCode":   "100.1",
		"subLayers":     `["over.usda", "under.usdc"]`,
		"primTypes":     `[{type: "", count: 2}, {type: "Scope", count: 1}, {type: "Xform", count: 1}]`,
		"references":    `["ball.usdc", "whole.usda"]`,
		"payloads":      `["heavy.usdc"]`,
		"assets":        `["tex/a.png", "tex/b.png"]`,
		"oldestVersion": "0.15.0",
	} {
		if got[key] != want {
			t.Errorf("%s is %s, want %s", key, got[key], want)
		}
	}
	if _, said := got["upAxis"]; said {
		t.Error("an up axis that the layer does not have")
	}
}

// TestNamed finds nodes by their USD paths.
func TestNamed(t *testing.T) {
	d := decodertest.OpenFile(t, usdc.Format, "../../../testdata/usdc/made-0.8.0.usdc")
	for name, want := range map[string]string{
		"/":                            "scene",
		"/World":                       "scene/World",
		"/World{size=big}Inner":        "scene/World/{size=big}/Inner",
		"/World{size=big}Inner.radius": "scene/World/{size=big}/Inner/.radius",
		"/Nowhere":                     "",
	} {
		p, err := d.Lookup(t.Context(), name)
		switch {
		case want == "" && err == nil:
			t.Errorf("%s is found as %s", name, p.Path())
		case want != "" && (err != nil || p.Path() != want):
			t.Errorf("%s: %v", name, err)
		}
	}
}
