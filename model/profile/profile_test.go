package profile_test

import (
	"slices"
	"testing"

	"cutaway/model"
	"cutaway/model/profile"
)

// TestShare: a part of a file is told in few digits, and never as nothing.
func TestShare(t *testing.T) {
	for part, want := range map[float64]string{0: "0 %", 0.000013: "under 0.01 %", 0.00018: "0.02 %", 0.0118: "1.2 %", 0.1228: "12.3 %", 1: "100 %"} {
		if got := profile.Share(part); got != want {
			t.Errorf("%g is %q, want %q", part, got, want)
		}
	}
}

// TestIdentify: facts that say what the file is stand apart from those on how it is stored.
func TestIdentify(t *testing.T) {
	facts := []model.Fact{{Title: "Prims", Value: model.Int(3), Main: true}, {Title: "Tokens", Value: model.Int(9)}, {Title: "Layers", Main: true}}
	doc := &model.Document{Title: "Fake 7", Why: "it says so"}
	identity, stored, unknown := profile.Identify(t.Context(), doc, facts, model.Say(nil, "space", "Y up"))
	if len(identity) != 3 || identity[2].Label != "prims" || len(stored) != 2 || stored[1].Label != "Tokens" || !slices.Equal(unknown, []string{"Layers"}) {
		t.Errorf("identity %v, stored %v, unknown %v", identity, stored, unknown)
	}
}
