package usdc

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc/scene"
	"cutaway/internal/handgen"
	"cutaway/model"
)

// TestFindInViews: from each byte that a node of the scene or of the path tree shows, the view finds that node, or
// for what is inside a field the field.
func TestFindInViews(t *testing.T) {
	ctx := context.Background()
	for _, f := range handgen.Files(t) {
		d := handgen.Open(t, Format, f.Name, f.Data)
		for _, v := range d.Views[:2] {
			asked := 0
			err := model.Walk(ctx, v.Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
				if asked++; asked > 200 {
					return model.ErrSkip
				}
				for _, s := range p.Node.Spans {
					paths, n, err := v.Find(ctx, s, 100)
					if err != nil {
						t.Fatal(err)
					}
					if int64(len(paths)) == n && !slices.ContainsFunc(paths, func(found string) bool { return isWithin(p.Path(), found) }) {
						t.Errorf("%s: %s has %s of %s, which finds %q", f.Name, p.Path(), s, s.Source.Name(), paths)
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func isWithin(path, outer string) bool { return path == outer || strings.HasPrefix(path, outer+"/") }

// TestFindInCompressed: the bytes of a compressed section in the file find what was made of them.
func TestFindInCompressed(t *testing.T) {
	b := handgen.Large(3) // with LZ4 blocks of literals only
	d := handgen.Open(t, Format, "literals", b)
	at := bytes.Index(b, []byte("prim_1"))
	for view, want := range map[string]string{scene.View: "scene/prim_1", scene.PathsView: "paths/[0]/[3]"} {
		paths, _, err := d.View(view).Find(context.Background(), d.Source().Span(int64(at)+2, 1), 100)
		if err != nil || !slices.Equal(paths, []string{want}) {
			t.Errorf("%s: found %q, %v; want %s", view, paths, err, want)
		}
	}
}

func TestReferencedBy(t *testing.T) {
	d := handgen.OpenCorpus(t, Format, "080-variants.usdc")
	for _, test := range []struct {
		of   string
		want []string // kind and path of the first refs
		n    int64
	}{
		{"layout/toc", []string{"toc layout/bootstrap/tocOffset"}, 1},
		{"layout/PATHS", []string{"section layout/toc/sections/[4]"}, 1},
		{"layout/bootstrap/magic", nil, 0},
		{"scene", []string{"spec layout/SPECS/pathIndexes@inflated/integers/[0]", "item paths/[0]"}, 2},
		{"paths/[0]", nil, 0},
	} {
		refs, n, err := decodertest.Referrers(t, d, test.of, 10)
		if err != nil || n != test.n {
			t.Errorf("%s: %d refs, %v; want %d", test.of, n, err, test.n)
		}
		for i, want := range test.want {
			if got := refs[i].Kind + " " + refs[i].Path; got != want {
				t.Errorf("%s: ref %q, want %q", test.of, got, want)
			}
		}
	}
	armature := handgen.OpenCorpus(t, Format, "080-skeleton.usdc")
	users, _, err := decodertest.Referrers(t, armature, "scene/root/Armature/Armature_001", 10)
	if err != nil || len(users) != 3 || users[2].Kind != "value" || users[2].Path != "layout/values/0x2d60" {
		t.Errorf("the target of a relationship: %v, %v", users, err)
	}
	refs, n, err := decodertest.Referrers(t, d, "layout/TOKENS/text@inflated/[0]", 1)
	if err != nil || len(refs) > 1 || int64(len(refs)) > n {
		t.Errorf("limited to one ref: %d of %d, %v", len(refs), n, err)
	}
}

// TestLinksCancelled: an index whose building was cancelled is built when it is asked for again.
func TestLinksCancelled(t *testing.T) {
	d := handgen.OpenCorpus(t, Format, "080-variants.usdc")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	const token = "layout/TOKENS/text@inflated/[1]"
	p, err := d.Lookup(context.Background(), token)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.ReferencedBy(ctx, p, 10, nil); err == nil {
		t.Error("a cancelled search ends without an error")
	}
	if _, n, err := decodertest.Referrers(t, d, token, 10); err != nil || n == 0 {
		t.Errorf("after a cancelled search: %d refs, %v", n, err)
	}
}

// TestNodes: of every node of every file, damaged ones too, the path is its own, no span is twice, each ref is of
// a kind of its own, and refs lead somewhere.
func TestNodes(t *testing.T) {
	ctx := context.Background()
	files := append(handgen.Files(t), decodertest.ReadFiles(t, "../../testdata/usdc/*.usdc")...)
	for _, f := range files {
		d := handgen.Open(t, Format, f.Name, f.Data)
		paths, targets := map[string]bool{}, map[string]bool{}
		for _, v := range d.Views {
			err := model.Walk(ctx, v.Place(t.Context()), model.WalkOptions{Resolve: true, Derived: true}, func(p *model.Place) error {
				if paths[p.Path()] {
					t.Errorf("%s: %s is there twice", f.Name, p.Path())
				}
				paths[p.Path()] = true
				for i, s := range p.Node.Spans {
					if slices.Contains(p.Node.Spans[:i], s) {
						t.Errorf("%s: %s has %s twice", f.Name, p.Path(), s)
					}
				}
				if p.Node.Refs == nil {
					return nil
				}
				refs := p.Node.Refs(t.Context())
				for i, r := range refs {
					targets[r.Path] = true
					again := func(before model.Ref) bool { return before.Kind == r.Kind }
					if slices.ContainsFunc(refs[:i], again) {
						t.Errorf("%s: %s has the ref %q to %s again", f.Name, p.Path(), r.Kind, r.Path)
					}
					if r.Path == "" && r.Span.Source == nil {
						t.Errorf("%s: the ref %q of %s leads nowhere", f.Name, r.Kind, p.Path())
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		delete(targets, "")
		for path := range targets {
			if _, err := d.Lookup(ctx, path); !paths[path] && err != nil {
				t.Errorf("%s: a ref leads to %s: %v", f.Name, path, err)
			}
		}
	}
}

// TestImpossibleCounts: a count that the section's bytes cannot hold is no fact.
func TestImpossibleCounts(t *testing.T) {
	for file, key := range map[string]string{"x-path-count-huge.usdc": "paths", "x-tokens-count-huge.usdc": "tokens"} {
		facts, err := decodertest.OpenFile(t, Format, "../../testdata/usdc/"+file).Facts(context.Background(), false, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range facts {
			if impossible := f.Key == key; impossible != (f.Value == nil) {
				t.Errorf("%s: %s is %v", file, f.Key, f.Value)
			}
		}
	}
}

func TestStats(t *testing.T) {
	ctx := context.Background()
	for _, f := range handgen.Files(t) {
		d := handgen.Open(t, Format, f.Name, f.Data)
		if len(f.Data) > 0 {
			sections, err := d.Stats(ctx, "section", nil)
			if err != nil {
				t.Fatal(err)
			}
			got := int64(0)
			for _, s := range sections {
				got += s.Stored
			}
			if got != int64(len(f.Data)) {
				t.Errorf("%s: sections have %d of %d bytes", f.Name, got, len(f.Data))
			}
		}
		if _, isDamaged := damaged[stem(f.Name)]; isDamaged {
			continue
		}
		total := map[string]model.Stat{}
		for _, by := range d.StatKeys {
			stats, err := d.Stats(ctx, by, nil)
			if err != nil {
				t.Fatal(err)
			}
			sum := model.Stat{}
			for _, s := range stats {
				sum.Count += s.Count
				sum.Stored += s.Stored
				sum.Logical += s.Logical
			}
			total[by] = sum
		}
		if total["subtree"].Stored != total["type"].Stored || total["subtree"].Logical != total["type"].Logical {
			t.Errorf("%s: values by subtree %+v, by type %+v", f.Name, total["subtree"], total["type"])
		}
		specs, err := d.Facts(ctx, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		k := slices.IndexFunc(specs, func(f model.Fact) bool { return f.Key == "specs" })
		if specs[k].Value != model.Uint(total["subtree"].Count) {
			t.Errorf("%s: %v specs, by subtree %d", f.Name, specs[k].Value, total["subtree"].Count)
		}
	}
	if _, err := handgen.OpenCorpus(t, Format, "080-empty.usdc").Stats(ctx, "colour", nil); err == nil {
		t.Error("statistics by colour")
	}
}
