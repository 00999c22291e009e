package usdc

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

// rawSection is a section to assemble a crate of.
type rawSection struct {
	name string
	body []byte
}

// assemble writes a crate out of its sections, in order, with the table of contents at the end.
func assemble(v version, sections ...rawSection) []byte {
	var w bytes.Buffer
	putAll(&w, magic, []byte{v.major, v.minor, v.patch}, make([]byte, 77))
	var toc bytes.Buffer
	for _, s := range sections {
		putAll(&toc, s.name, make([]byte, 16-len(s.name)), int64(w.Len()), int64(len(s.body)))
		w.Write(s.body)
	}
	at := w.Len()
	putAll(&w, uint64(len(sections)), toc.Bytes())
	binary.LittleEndian.PutUint64(w.Bytes()[16:], uint64(at))
	return w.Bytes()
}

// tree is a path item and what is under it.
type tree struct {
	element  string
	property bool
	kids     []tree
}

// pathCrate encodes a tree of paths as version v would, with no fields and specs.
type pathCrate struct {
	v      version
	tokens []string
	// From 0.4.0 on.
	indexes, elements, jumps []int64
	// Below.
	records bytes.Buffer
	count   uint32
}

func (p *pathCrate) token(s string) int64 {
	i := slices.Index(p.tokens, s)
	if i < 0 {
		i = len(p.tokens)
		p.tokens = append(p.tokens, s)
	}
	return int64(i)
}

func (p *pathCrate) add(siblings []tree) {
	for i, n := range siblings {
		last := i == len(siblings)-1
		at := len(p.indexes)
		token := p.token(n.element)
		if n.property {
			token = -token
		}
		p.indexes = append(p.indexes, int64(at))
		p.elements = append(p.elements, token)
		p.jumps = append(p.jumps, jumpLeaf)
		p.add(n.kids)
		switch {
		case len(n.kids) > 0 && last:
			p.jumps[at] = jumpChild
		case len(n.kids) > 0:
			p.jumps[at] = int64(len(p.indexes) - at)
		case !last:
			p.jumps[at] = jumpSibling
		}
	}
}

// addOld writes records; base is the offset in the file of the first.
func (p *pathCrate) addOld(siblings []tree, base int64) {
	for i, n := range siblings {
		bits := uint8(0)
		if len(n.kids) > 0 {
			bits |= itemHasChild
		}
		if i < len(siblings)-1 {
			bits |= itemHasSibling
		}
		if n.property {
			bits |= itemIsProperty
		}
		if p.v == (version{0, 0, 1}) {
			putAll(&p.records, uint32(0xCDCDCDCD))
		}
		putAll(&p.records, p.count, uint32(p.token(n.element)), bits, []byte{0xCD, 0xCD, 0xCD})
		p.count++
		hole := p.records.Len()
		if both := bits&3 == 3; both {
			putAll(&p.records, int64(0))
			p.addOld(n.kids, base)
			binary.LittleEndian.PutUint64(p.records.Bytes()[hole:], uint64(base)+uint64(p.records.Len()))
			continue
		}
		p.addOld(n.kids, base)
	}
}

func (p *pathCrate) bytes(root tree) []byte {
	p.add([]tree{root})
	if p.v.minor < 4 {
		return p.plain(root)
	}
	return p.compressed()
}

// compressed is the file of a version from 0.4.0 on.
func (p *pathCrate) compressed() []byte {
	var text, paths, tokens bytes.Buffer
	for _, t := range p.tokens {
		text.WriteString(t + "\x00")
	}
	c := container(text.Bytes())
	putAll(&tokens, uint64(len(p.tokens)), uint64(text.Len()), uint64(len(c)), c)
	items, empty := uint64(len(p.indexes)), make([]byte, 8)
	putAll(&paths, items, items, cintsOf(4, p.indexes...), cintsOf(4, p.elements...), cintsOf(4, p.jumps...))
	none := []byte{2, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	return assemble(p.v, rawSection{"TOKENS", tokens.Bytes()}, rawSection{"STRINGS", empty},
		rawSection{"FIELDS", slices.Concat(empty, none, none)}, rawSection{"FIELDSETS", slices.Concat(empty, none)},
		rawSection{"PATHS", paths.Bytes()}, rawSection{"SPECS", slices.Concat(empty, none, none, none)})
}

// plain is the file of a version below 0.4.0.
func (p *pathCrate) plain(root tree) []byte {
	var text, paths, tokens bytes.Buffer
	for _, t := range p.tokens {
		text.WriteString(t + "\x00")
	}
	putAll(&tokens, uint64(len(p.tokens)), uint64(text.Len()), text.Bytes())
	empty := make([]byte, 8)
	p.addOld([]tree{root}, int64(bootstrapSize+tokens.Len()+3*len(empty)+8))
	putAll(&paths, uint64(p.count), p.records.Bytes())
	return assemble(p.v, rawSection{"TOKENS", tokens.Bytes()}, rawSection{"STRINGS", empty}, rawSection{"FIELDS", empty},
		rawSection{"FIELDSETS", empty}, rawSection{"PATHS", paths.Bytes()}, rawSection{"SPECS", empty})
}

func allPaths(t testing.TB, c *crate) []string {
	t.Helper()
	p, err := c.paths(context.Background(), nil)
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
	root := tree{"", false, []tree{
		{"A", false, []tree{
			{"b", true, []tree{
				{"[/B]", false, []tree{{".attr", false, []tree{{".mapper[/C]", false, nil}}}}},
			}},
			{"{v=}", false, nil},
			{"{v=x}", false, []tree{
				{"B", false, []tree{{"c", true, nil}, {"D", false, nil}}},
				{"{w=y}", false, []tree{{"E", false, nil}}},
				{"p", true, nil},
			}},
		}},
		{"x", false, []tree{{"xformOp:translate", true, nil}}},
	}}
	want := []string{
		"/", "/A", "/A.b", "/A.b[/B]", "/A.b[/B].attr", "/A.b[/B].attr.mapper[/C]", "/A{v=}", "/A{v=x}", "/A{v=x}B", "/A{v=x}B.c",
		"/A{v=x}B/D", "/A{v=x}{w=y}", "/A{v=x}{w=y}E", "/A{v=x}.p", "/x", "/x.xformOp:translate",
	}
	for _, v := range []version{{0, 0, 1}, {0, 1, 0}, {0, 4, 0}, {0, 8, 0}} {
		p := &pathCrate{v: v, tokens: []string{";-)"}}
		b := p.bytes(root)
		c := newCrate(t.Context(), model.NewFileSource("paths", model.BytesReader(b)))
		if got := allPaths(t, c); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", v, got, want)
		}
		if r := damage(checkAll(t, openBytes(t, "paths", b))); len(r) > 0 {
			t.Errorf("%s: %v", v, r)
		}
	}
}

// TestTokenZero: a property whose name is token 0 reads as a prim, from 0.4.0 on (7.3).
func TestTokenZero(t *testing.T) {
	root := tree{"x", false, []tree{{"A", false, []tree{{"x", true, nil}}}}}
	for v, want := range map[version]string{{0, 1, 0}: "/A.x", {0, 4, 0}: "/A/x"} {
		c := newCrate(t.Context(), model.NewFileSource("paths", model.BytesReader((&pathCrate{v: v}).bytes(root))))
		if got := allPaths(t, c); got[2] != want {
			t.Errorf("%s: %q, want %q", v, got[2], want)
		}
	}
}

// TestRootSibling: a sibling of the root is under it.
func TestRootSibling(t *testing.T) {
	p := &pathCrate{v: version{0, 8, 0}, tokens: []string{";-)"}}
	p.add([]tree{{"", false, nil}})
	p.jumps[0] = jumpSibling
	c := newCrate(t.Context(), model.NewFileSource("paths", model.BytesReader(p.bytes(tree{"A", false, nil}))))
	if got := allPaths(t, c); !slices.Equal(got, []string{"/", "/A"}) {
		t.Errorf("%q", got)
	}
}

// TestDeepPaths: neither depth nor long texts cost more than is stated.
func TestDeepPaths(t *testing.T) {
	const depth = 20000
	root := tree{"end", false, nil}
	for range depth {
		root = tree{"x", false, []tree{root}}
	}
	for _, v := range []version{{0, 1, 0}, {0, 8, 0}} {
		c := newCrate(t.Context(), model.NewFileSource("paths", model.BytesReader((&pathCrate{v: v, tokens: []string{";-)"}}).bytes(root))))
		x, err := c.sceneIndex(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := x.paths.text(t.Context(), depth)
		if len(text) > maxPathText+100 || text[:len("…/x/x")] != "…/x/x" || text[len(text)-6:] != "/x/end" {
			t.Errorf("%s: a path of %d bytes, %.20s…%s", v, len(text), text, text[len(text)-6:])
		}
		if first, _ := x.paths.text(t.Context(), 2); first != "/x/x" {
			t.Errorf("%s: %q", v, first)
		}
	}
}

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
		c := &pathCrate{v: version{0, 8, 0}, tokens: []string{";-)"}}
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
