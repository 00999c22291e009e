package usdatext

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestSceneFacts: a layer as text says of itself what it says as a crate.
func TestSceneFacts(t *testing.T) {
	const text = `#usda 1.0
(
    defaultPrim = "World"
    upAxis = "Z"
    metersPerUnit = 0.01
    endTimeCode = 24
    subLayers = [@./a.usda@, @b.usd@ (offset = 2)]
)
def Xform "World" (
    references = [@ref.usd@</A>, @ref2.usd@]
    payload = @pay.usd@
    assetInfo = {
        asset identifier = @ident.usd@
        dictionary deep = { asset[] more = [@m1.usd@, @m2.usd@] }
    }
)
{
    def Mesh "M" {
        asset texture = @t.png@
        asset[] textures = [@t1.png@, @t.png@]
        asset frame.timeSamples = { 1: @f1.png@ }
        float x.timeSamples = { 1: 2 }
    }
    over "O" {
    }
    def Mesh "N" (
        prepend payload = [@p1.usd@, @pay.usd@</X>]
    )
    {
    }
}
`
	doc := decodertest.Open(t, Format, "facts.usda", model.BytesReader([]byte(text)))
	got := decodertest.Facts(t, doc)
	for key, want := range map[string]string{
		"defaultPrim": "World", "upAxis": "Z", "metersPerUnit": "0.01", "endTimeCode": "24",
		"subLayers":  `["./a.usda", "b.usd"]`,
		"primTypes":  `[{type: "Mesh", count: 2}, {type: "", count: 1}, {type: "Xform", count: 1}]`,
		"references": `["ref.usd", "ref2.usd"]`,
		"payloads":   `["pay.usd", "p1.usd"]`,
		"assets":     `["ident.usd", "m1.usd", "m2.usd", "t.png", "t1.png", "f1.png"]`,
	} {
		if got[key] != want {
			t.Errorf("%s: %s, not %s", key, got[key], want)
		}
	}
	if _, said := got["startTimeCode"]; said {
		t.Error("a start time that the layer does not have")
	}
	quick, err := doc.Facts(t.Context(), true, nil)
	if err != nil || len(quick) <= len(got)-4 {
		t.Errorf("%d facts are announced, %v", len(quick), err)
	}
}
