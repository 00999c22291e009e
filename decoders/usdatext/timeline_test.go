package usdatext

import (
	"fmt"
	"math"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestTimeline: an attribute with samples is a track of their times, in order; its numbers are series, a blocked one has none, and
// a vector has one for each component.
func TestTimeline(t *testing.T) {
	const text = `#usda 1.0
def Xform "w"
{
    double3 xformOp:translate.timeSamples = {
        2: (4, 5, 6),
        1: (1, 2, 3),
    }
    float energy = 1
    float energy.timeSamples = {
        0: None,
        1.5: 2.5,
    }
    token state.timeSamples = { 1: "on" }
    token never.timeSamples = {}
    def Scope "s" {
        float energy.timeSamples = { 7: 1 }
    }
}
`
	doc := decodertest.Open(t, Format, "moving.usda", model.BytesReader(text))
	tracks, err := doc.View(sceneView).Timeline(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for i := range tracks {
		moments := make([]model.Moment, 9)
		n, err := tracks[i].Read(t.Context(), 0, moments)
		got += fmt.Sprintln(tracks[i].Name, tracks[i].Path, tracks[i].Count, moments[:n], err)
		if _, err := doc.Lookup(t.Context(), tracks[i].PathOf(moments[n-1])); err != nil {
			t.Error(err)
		}
	}
	want := `/w.xformOp:translate scene/w/.xformOp:translate/timeSamples 2 [{1 0 0} {2 0 1}] <nil>
/w.energy scene/w/.energy/timeSamples 2 [{0 0 0} {1.5 0 1}] <nil>
/w.state scene/w/.state/timeSamples 1 [{1 0 0}] <nil>
/w/s.energy scene/w/s/.energy/timeSamples 1 [{7 0 0}] <nil>
`
	if got != want {
		t.Errorf("tracks\n%s, want\n%s", got, want)
	}
	series := func(path string) (list []model.Series) {
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range p.Node.Cards(t.Context()) {
			if s, is := c.(model.Series); is {
				list = append(list, s)
			}
		}
		return list
	}
	var points [2]model.Point
	if list := series("scene/w/.energy/timeSamples"); len(list) != 1 {
		t.Errorf("%d series", len(list))
	} else if n, err := list[0].Read(t.Context(), 0, points[:]); n != 2 || err != nil || !points[0].None || !math.IsNaN(points[0].Value) || points[1].Value != 2.5 || points[1].Time != 1.5 || points[1].None {
		t.Errorf("%+v, %v", points, err)
	}
	list := series("scene/w/.xformOp:translate/timeSamples")
	if len(list) != 3 || len(series("scene/w/.state/timeSamples")) != 0 {
		t.Fatalf("%d series", len(list))
	}
	if n, err := list[2].Read(t.Context(), 0, points[:]); n != 2 || err != nil || points[0].Value != 3 || points[1].Value != 6 || list[2].CardTitle() != "[2]" {
		t.Errorf("%+v, %v", points, err)
	}
}
