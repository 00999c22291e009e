package scene_test

import (
	"context"
	"slices"
	"testing"

	"cutaway/decoders/usdc"
	"cutaway/decoders/usdc/table"
	"cutaway/internal/crategen"
	"cutaway/internal/handgen"
	"cutaway/model"
)

// namesOf lists the names of what the scene has at its root, and what paths have for them.
func namesOf(t testing.TB, d *model.Document) (names, segments []string) {
	t.Helper()
	p, err := d.Lookup(context.Background(), "scene")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resolve(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	n, _ := p.Len(t.Context())
	for i := range n {
		child := p.Child(t.Context(), i).Node
		names, segments = append(names, child.Name), append(segments, child.InPath())
	}
	return names, segments
}

// TestRepeats: siblings of one name are told apart, also when two tokens have one text, and each is found by its name.
func TestRepeats(t *testing.T) {
	p := &handgen.Paths{Version: crategen.Version{0, 8, 0}, Tokens: []string{";-)"}}
	p.Add([]handgen.Tree{{Element: "", Kids: []handgen.Tree{
		{Element: "a"}, {Element: "b"}, {Element: "a"}, {Element: "a", Property: true}, {Element: "a"}, {Element: ""},
	}}})
	p.Tokens[p.Token("b")] = "a"
	d := handgen.Open(t, usdc.Format, "repeats", p.Compressed())
	names, segments := namesOf(t, d)
	if want := []string{"a", "a", "a", ".a", "a", ""}; !slices.Equal(names, want) {
		t.Errorf("children %q, want %q", names, want)
	}
	if want := []string{"a", "a~2", "a~3", ".a", "a~4", "(empty)"}; !slices.Equal(segments, want) {
		t.Errorf("in paths %q, want %q", segments, want)
	}
	for i, name := range segments {
		found, err := d.Lookup(context.Background(), "scene/"+name)
		if err != nil || found.Index != int64(i) {
			t.Errorf("%q is not found as child %d: %v", name, i, err)
		}
	}
}

// TestFieldsAndChildren: a child with the name of a field of its parent is told apart from it.
func TestFieldsAndChildren(t *testing.T) {
	b := handgen.NewBuilder(8)
	b.Field("A", table.Rep(table.TypeInt)<<table.TypeShift|table.InlinedBit|1)
	b.Field("A", table.Rep(table.TypeInt)<<table.TypeShift|table.InlinedBit|2)
	d := handgen.Open(t, usdc.Format, "fields", b.Bytes())
	if _, got := namesOf(t, d); !slices.Equal(got, []string{"A", "A~2", "A~3"}) {
		t.Errorf("children in paths: %q", got)
	}
	p, err := d.Lookup(context.Background(), "scene/A~3")
	if err != nil || p.Node.Type != "prim" {
		t.Errorf("scene/A~3 is no prim: %v", err)
	}
}

// TestStraySpecs: specs of a path that has another spec, or that is not in the table, are shown beside the tree.
func TestStraySpecs(t *testing.T) {
	for file, want := range map[string]string{"made/x-spec-path-twice.usdc": "(spec 38)", "made/x-spec-path-oob.usdc": "(spec 0)"} {
		d := handgen.OpenCorpus(t, usdc.Format, file)
		_, names := namesOf(t, d)
		if last := names[len(names)-1]; last != want {
			t.Errorf("%s: the last child is %q, want %q", file, last, want)
		}
		p, err := d.Lookup(context.Background(), "scene/"+want)
		if err != nil {
			t.Error(err)
		} else if len(p.Node.Problems) != 1 {
			t.Errorf("%s: problems %v", file, p.Node.Problems)
		}
	}
}

// TestManyChildren: among many children each is found by its name.
func TestManyChildren(t *testing.T) {
	d := handgen.Open(t, usdc.Format, "many", handgen.Large(300))
	_, names := namesOf(t, d)
	for i, name := range names {
		found, err := d.Lookup(context.Background(), "scene/"+name)
		if err != nil || found.Index != int64(i) {
			t.Errorf("%q is not found as child %d: %v", name, i, err)
		}
	}
	if _, err := d.Lookup(context.Background(), "scene/prim_300"); err == nil {
		t.Error("found a child that is not there")
	}
}
