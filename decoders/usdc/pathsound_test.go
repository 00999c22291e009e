package usdc

import (
	"slices"
	"strings"
	"testing"

	"cutaway/internal/crategen"
	"cutaway/model"
)

// TestPathOrder: what info and the path tree say of the order of paths.
func TestPathOrder(t *testing.T) {
	leaf := func(name string, property bool) tree { return tree{name, property, nil} }
	for _, test := range []struct {
		want string
		kids []tree
	}{
		{"", []tree{leaf("A", false)}},
		{"properties, prims, variants, each by name", []tree{leaf("a", true), leaf("b", true), leaf("A", false), leaf("{v=}", false), leaf("{v=x}", false)}},
		{"prims before properties, each by name", []tree{leaf("A", false), leaf("B", false), leaf("a", true)}},
		{"by name, properties among prims", []tree{leaf("A", false), leaf("B", true), leaf("C", false)}},
		{"properties before prims, not by name", []tree{leaf("b", true), leaf("a", true), leaf("A", false)}},
		{"prims before properties, not by name", []tree{leaf("B", false), leaf("A", false), leaf("a", true)}},
		{"not sorted", []tree{leaf("B", false), leaf("A", true), leaf("A2", false)}},
	} {
		c := &pathCrate{v: crategen.Version{0, 8, 0}, tokens: []string{";-)"}}
		d := openBytes(t, "order", c.bytes(tree{"", false, test.kids}))
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
		root := d.View(pathsView).Place(t.Context())
		if err := model.Walk(t.Context(), root, model.WalkOptions{Resolve: true}, func(*model.Place) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if n := d.View(pathsView).Place(t.Context()).Node; !strings.HasSuffix(n.Brief, test.want) {
			t.Errorf("the path tree says %q, want %q", n.Brief, test.want)
		}
	}
}

// TestPathsSound: all kinds of elements are sound in both encodings.
func TestPathsSound(t *testing.T) {
	for _, v := range []crategen.Version{{0, 0, 1}, {0, 1, 0}, {0, 4, 0}, {0, 8, 0}} {
		p := &pathCrate{v: v, tokens: []string{";-)"}}
		if r := damage(checkAll(t, openBytes(t, "paths", p.bytes(everyElement)))); len(r) > 0 {
			t.Errorf("%s: %v", v, r)
		}
	}
}
