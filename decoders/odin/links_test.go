package odin

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

func fixture(t testing.TB, name string) decodertest.File {
	t.Helper()
	for _, f := range made() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no fixture %s", name)
	return decodertest.File{}
}

// TestFind goes from bytes to the nodes of the views.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		file string
		path string // of the node whose first byte is sought
		want map[string]string
	}{
		{"object.odin", "layout/[0]/count/value", map[string]string{"entries": "entries/[0]/count", "objects": "objects/[0]/count"}},
		{"object.odin", "layout/[0]/list/[0]/[1]", map[string]string{"entries": "entries/[0]/list/[0]/[1]", "objects": "objects/[0]/list/[1]"}},
		{"object.odin", "layout/[0]/list/end entry", map[string]string{"entries": "entries/[0]/list/end entry", "objects": "objects/[0]/list"}},
		{"object.odin.json", "layout/[0]/list/[0]/[1]", map[string]string{"entries": "entries/[0]/list/[0]/[1]", "objects": "objects/[0]/list/[1]"}},
		{"program.odin", "layout/[0]/ByteCode/[0]/elements/[8]", map[string]string{"udon": "udon/program/code/0x0008"}},
		{"program.odin", "layout/[0]/UpdateOrder", map[string]string{"udon": "udon/program/update order", "objects": "objects/[0]/UpdateOrder"}},
		{"nodes.asset", "layout/[1]/SerializationNodes/root/pi/Data", map[string]string{"objects": "objects/SerializationNodes/root/pi"}},
		{"hex.asset", "layout/[1]/SerializedBytes/value", map[string]string{"entries": "entries/SerializedBytes/[0]"}},
		{"hex.asset", "layout/[1]/SerializedBytes/value@decoded/[0]/count/value", map[string]string{"entries": "entries/SerializedBytes/[0]/count"}},
		{"gzip-in-hex.asset", "layout/[1]/serializedProgramCompressedBytes/value", map[string]string{"udon": "udon/serializedProgramCompressedBytes"}},
		{"object.odin.gz", "layout/data", map[string]string{"objects": "objects"}},
		{"object.odin.gz", "layout@inflated/[0]/count", map[string]string{"objects": "objects/[0]/count"}},
		{"hex.asset", "layout/[1]/line 8", map[string]string{"entries": ""}},
	} {
		doc := openDoc(t, fixture(t, c.file))
		p, err := doc.Lookup(t.Context(), c.path)
		if err != nil {
			t.Error(err)
			continue
		}
		at := p.Node.Span()
		if strings.HasSuffix(c.file, ".json") {
			at.Off = at.End() - 1 // the entry's own bytes are meant, not the blanks before it
		}
		at.Len = 1
		for view, want := range c.want {
			owners, _, err := doc.Owners(t.Context(), doc.View(view), at, 100)
			var got []string
			for _, p := range owners {
				got = append(got, p.Path())
			}
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%s %s in %s: %v, %v, want %s", c.file, c.path, view, got, err, want)
			}
		}
	}
}

// TestCharacters links a payload's characters with the entry that they make.
func TestCharacters(t *testing.T) {
	doc := openDoc(t, fixture(t, "hex.asset"))
	inside, err := doc.Lookup(t.Context(), "layout/[1]/SerializedBytes/value@decoded/[0]/count/value")
	if err != nil {
		t.Fatal(err)
	}
	at := inside.Node.Span()
	pieces, err := at.Source.Origin().Map.From(t.Context(), at.Off, at.Len)
	if err != nil || len(pieces) != 1 {
		t.Fatal(pieces, err)
	}
	in := pieces[0].In[0]
	if b, _ := in.Source.Bytes(t.Context(), in.Off, in.Len); string(b) != "03000000" {
		t.Errorf("the characters are %q", b)
	}
	if got, _, _ := doc.View("entries").Find(t.Context(), in, 100); !slices.Equal(got, []string{"entries/SerializedBytes/[0]/count"}) {
		t.Errorf("found %v", got)
	}
}

// TestReferences follows references by node id and by type both ways.
func TestReferences(t *testing.T) {
	for _, c := range []struct{ file, from, kind, to string }{
		{"object.odin", "objects/[0]/self", "object", "objects/[0]"},
		{"object.odin", "entries/[0]/self", "object", "entries/[0]"},
		{"object.odin", "layout/[0]/self/node id", "object", "layout/[0]"},
		{"object.odin.json", "objects/[0]/self", "object", "objects/[0]"},
		{"nodes.asset", "objects/SerializationNodes/root/self", "object", "objects/SerializationNodes/root"},
		{"program.odin", "udon/program/code/0x0000", "heap", "udon/program/heap/0"},
		{"program.odin", "udon/program/code/0x0008", "jump", "udon/program/code/0x0020"},
		{"program.odin", "udon/program/entry points/_start", "code", "udon/program/code/0x0000"},
		{"program.odin", "udon/program/symbols/flag", "heap", "udon/program/heap/0"},
		{"program.odin", "udon/program/sync/flag", "symbol", "udon/program/symbols/flag"},
	} {
		doc := openDoc(t, fixture(t, c.file))
		p, err := doc.Lookup(t.Context(), c.from)
		if err != nil {
			t.Error(err)
			continue
		}
		if !slices.ContainsFunc(p.Node.Refs(t.Context()), func(r model.Ref) bool { return r.Kind == c.kind && r.Path == c.to }) {
			t.Errorf("%s %s: no ref %s to %s: %v", c.file, c.from, c.kind, c.to, p.Node.Refs(t.Context()))
		}
		if c.kind == "symbol" {
			continue // the way back lists the code and the tables
		}
		back, n, err := decodertest.Referrers(t, doc, c.to, 100)
		if err != nil || n == 0 || !slices.ContainsFunc(back, func(r model.Ref) bool {
			return r.Path == c.from || strings.HasPrefix(c.from, r.Path+"/")
		}) {
			t.Errorf("%s %s: does not lead back to %s: %v, %d, %v", c.file, c.to, c.from, back, n, err)
		}
	}
}

// TestTypeUsers: the definition of a type knows the nodes that use it.
func TestTypeUsers(t *testing.T) {
	doc := openDoc(t, corpusFile(t, "udon-doc-example.odin.bin"))
	p, err := doc.Lookup(t.Context(), "entries/[0]/SymbolTable")
	if err != nil {
		t.Fatal(err)
	}
	refs := p.Node.Refs(t.Context())
	k := slices.IndexFunc(refs, func(r model.Ref) bool { return r.Kind == "type" })
	if k < 0 || refs[k].Path != "entries/[0]/EntryPoints" {
		t.Fatalf("refs are %v", refs)
	}
	back, n, err := decodertest.Referrers(t, doc, refs[k].Path, 100)
	if err != nil || !slices.ContainsFunc(back, func(r model.Ref) bool { return r.Kind == "type" && r.Path == "entries/[0]/SymbolTable" }) {
		t.Errorf("%v, %d, %v", back, n, err)
	}
}

// TestInterrupted: a scan that is cancelled keeps what it found, and goes on later to the same end.
func TestInterrupted(t *testing.T) {
	f := corpusFile(t, "udon-program-large.odin.bin")
	long := slices.Concat(slices.Repeat([][]byte{f.Data}, 20)...)
	doc := openDoc(t, decodertest.File{Name: "long", Data: long})
	ctx, cancel := context.WithCancel(t.Context())
	root := doc.View("entries").Place(t.Context())
	err := root.Resolve(ctx, func(int64, int64, string) { cancel() })
	n, exact := root.Len(t.Context())
	if !errors.Is(err, context.Canceled) || n == 0 || n >= 20 || exact {
		t.Fatalf("cancelled: %d top-level entries, exact %t, %v", n, exact, err)
	}
	first := root.Child(t.Context(), 0).Node
	if err := root.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if n, exact := root.Len(t.Context()); n != 20 || !exact {
		t.Errorf("then: %d, %t", n, exact)
	}
	if again := root.Child(t.Context(), 0).Node; again.Name != first.Name || again.Span() != first.Span() {
		t.Errorf("what was found has moved")
	}
}

// TestAtOnce uses one document from several goroutines; run it with -race.
func TestAtOnce(t *testing.T) {
	doc := openDoc(t, corpusFile(t, "udon-doc-example.asset"))
	var group sync.WaitGroup
	for _, view := range doc.Views {
		for range 2 {
			group.Go(func() {
				err := model.Walk(t.Context(), view.Place(t.Context()), model.WalkOptions{Resolve: true, Derived: true}, func(p *model.Place) error {
					if p.Node.Refs != nil {
						p.Node.Refs(t.Context())
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
}
