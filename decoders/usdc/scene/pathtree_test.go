package scene_test

import (
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/usdc"
	"cutaway/decoders/usdc/scene"
	"cutaway/internal/crategen"
	"cutaway/internal/handgen"
	"cutaway/model"
)

// TestPathOrder: what info and the path tree say of the order of paths.
func TestPathOrder(t *testing.T) {
	leaf := func(name string, property bool) handgen.Tree { return handgen.Tree{Element: name, Property: property} }
	for _, test := range []struct {
		want string
		kids []handgen.Tree
	}{
		{"", []handgen.Tree{leaf("A", false)}},
		{"properties, prims, variants, each by name", []handgen.Tree{leaf("a", true), leaf("b", true), leaf("A", false), leaf("{v=}", false), leaf("{v=x}", false)}},
		{"prims before properties, each by name", []handgen.Tree{leaf("A", false), leaf("B", false), leaf("a", true)}},
		{"by name, properties among prims", []handgen.Tree{leaf("A", false), leaf("B", true), leaf("C", false)}},
		{"properties before prims, not by name", []handgen.Tree{leaf("b", true), leaf("a", true), leaf("A", false)}},
		{"prims before properties, not by name", []handgen.Tree{leaf("B", false), leaf("A", false), leaf("a", true)}},
		{"not sorted", []handgen.Tree{leaf("B", false), leaf("A", true), leaf("A2", false)}},
	} {
		c := &handgen.Paths{Version: crategen.Version{0, 8, 0}, Tokens: []string{";-)"}}
		d := handgen.Open(t, usdc.Format, "order", c.Bytes(handgen.Tree{Element: "", Kids: test.kids}))
		facts, err := d.Facts(t.Context(), false, nil)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(facts, func(f model.Fact) bool { return f.Key == "pathOrder" })
		if test.want == "" {
			if i >= 0 {
				t.Errorf("%v: %v, want no order", test.kids, facts[i].Value)
			}
		} else if i < 0 || facts[i].Value != model.Value(model.Text(test.want)) {
			t.Errorf("%v: want %s of %v", test.kids, test.want, facts)
		}
		root := d.View(scene.PathsView).Place(t.Context())
		if err := model.Walk(t.Context(), root, model.WalkOptions{Resolve: true}, func(*model.Place) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if n := d.View(scene.PathsView).Place(t.Context()).Node; !strings.HasSuffix(n.Brief, test.want) {
			t.Errorf("the path tree says %q, want %q", n.Brief, test.want)
		}
	}
}

// TestPathsSound: all kinds of elements are sound in both encodings.
func TestPathsSound(t *testing.T) {
	for _, v := range []crategen.Version{{0, 0, 1}, {0, 1, 0}, {0, 4, 0}, {0, 8, 0}} {
		p := &handgen.Paths{Version: v, Tokens: []string{";-)"}}
		if r := handgen.Damage(handgen.CheckAll(t, handgen.Open(t, usdc.Format, "paths", p.Bytes(handgen.EveryElement)))); len(r) > 0 {
			t.Errorf("%s: %v", v, r)
		}
	}
}
