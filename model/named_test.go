package model

import (
	"context"
	"testing"
)

// TestPathNamed: a name of the format leads to its node with and without the slash in front; a path of a view stays.
func TestPathNamed(t *testing.T) {
	doc := &Document{Views: []*View{{Name: "scene"}}, Named: func(_ context.Context, name string) (string, bool) {
		return "scene/World/.points", name == "/World.points"
	}}
	for path, want := range map[string]string{"/World.points": "scene/World/.points", "World.points": "scene/World/.points",
		"scene/World": "scene/World", "nothing": "nothing"} {
		if got := doc.PathNamed(t.Context(), path); got != want {
			t.Errorf("%q is %q", path, got)
		}
	}
}
