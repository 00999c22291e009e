package table

import (
	"context"
	"slices"
	"testing"

	"cutaway/internal/crategen"
	"cutaway/internal/handgen"
	"cutaway/model"
)

func allPaths(t testing.TB, c *Crate) []string {
	t.Helper()
	p, err := c.Paths(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i := range p.claimed {
		text, err := p.text(t.Context(), uint32(i))
		if err != nil {
			t.Error(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// TestPathText reads every rule of 7.1 from both encodings.
func TestPathText(t *testing.T) {
	for _, v := range []crategen.Version{{0, 0, 1}, {0, 1, 0}, {0, 4, 0}, {0, 8, 0}} {
		p := &handgen.Paths{Version: v, Tokens: []string{";-)"}}
		b := p.Bytes(handgen.EveryElement)
		c := Open(t.Context(), model.NewFileSource("paths", model.BytesReader(b)))
		if got := allPaths(t, c); !slices.Equal(got, handgen.EveryPath) {
			t.Errorf("%s:\n got %q\nwant %q", v, got, handgen.EveryPath)
		}
	}
}

// TestTokenZero: a property whose name is token 0 reads as a prim, from 0.4.0 on (7.3).
func TestTokenZero(t *testing.T) {
	root := handgen.Tree{Element: "x", Kids: []handgen.Tree{{Element: "A", Kids: []handgen.Tree{{Element: "x", Property: true}}}}}
	for v, want := range map[crategen.Version]string{{0, 1, 0}: "/A.x", {0, 4, 0}: "/A/x"} {
		c := Open(t.Context(), model.NewFileSource("paths", model.BytesReader((&handgen.Paths{Version: v}).Bytes(root))))
		if got := allPaths(t, c); got[2] != want {
			t.Errorf("%s: %q, want %q", v, got[2], want)
		}
	}
}

// TestRootSibling: a sibling of the root is under it.
func TestRootSibling(t *testing.T) {
	p := &handgen.Paths{Version: crategen.Version{0, 8, 0}, Tokens: []string{";-)"}}
	p.Add([]handgen.Tree{{Element: ""}})
	p.Jumps[0] = jumpSibling
	c := Open(t.Context(), model.NewFileSource("paths", model.BytesReader(p.Bytes(handgen.Tree{Element: "A"}))))
	if got := allPaths(t, c); !slices.Equal(got, []string{"/", "/A"}) {
		t.Errorf("%q", got)
	}
}

// TestDeepPaths: neither depth nor long texts cost more than is stated.
func TestDeepPaths(t *testing.T) {
	const depth = 20000
	root := handgen.Tree{Element: "end"}
	for range depth {
		root = handgen.Tree{Element: "x", Kids: []handgen.Tree{root}}
	}
	for _, v := range []crategen.Version{{0, 1, 0}, {0, 8, 0}} {
		c := Open(t.Context(), model.NewFileSource("paths", model.BytesReader((&handgen.Paths{Version: v, Tokens: []string{";-)"}}).Bytes(root))))
		paths, err := c.Paths(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := paths.text(t.Context(), depth)
		if len(text) > maxPathText+100 || text[:len("…/x/x")] != "…/x/x" || text[len(text)-6:] != "/x/end" {
			t.Errorf("%s: a path of %d bytes, %.20s…%s", v, len(text), text, text[len(text)-6:])
		}
		if first, _ := paths.text(t.Context(), 2); first != "/x/x" {
			t.Errorf("%s: %q", v, first)
		}
	}
}
