package omnilive

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestCommandReferencedBy: a command that makes a section is referred to by the section and by the commands about it,
// wherever they are.
func TestCommandReferencedBy(t *testing.T) {
	for _, k := range []struct {
		files []string
		of    string
		first string
		n     int64
	}{
		{[]string{"c-create-tree.oodf"}, "commands/[1]", "made by layer/World", 6},
		{[]string{"c-reorder-page-example.oodf"}, "commands/[3]", "made by layer/C", 2}, // and where its children are ordered
		{[]string{"c-move.oodf"}, "commands/[5]", "", 0},
		{[]string{"c-create-tree.oodf", "c-create-tree-b.oodf"}, "commands/c-create-tree.oodf/[1]", "made by layer/World", 12}, // both name it
	} {
		doc := openSequence(t, k.files, nil)
		refs, n, err := decodertest.Referrers(t, doc, k.of, 100)
		if err != nil || n != k.n || int64(len(refs)) != n {
			t.Errorf("%s in %s: %d of %d refs, %v", k.of, k.files, len(refs), n, err)
			continue
		}
		if n > 0 && refs[0].Kind+" "+refs[0].Path != k.first {
			t.Errorf("%s in %s: first %v", k.of, k.files, refs[0])
		}
		if few, n, err := decodertest.Referrers(t, doc, k.of, 1); err != nil || n != k.n || len(few) > 1 {
			t.Errorf("%s in %s: %d of %d refs, %v", k.of, k.files, len(few), n, err)
		}
		for _, r := range refs {
			if _, err := doc.Lookup(t.Context(), r.Path); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPlacesOfElements: the elements of an array are where the nodes of its value are, also where the array is told of above them.
func TestPlacesOfElements(t *testing.T) {
	doc := openSequence(t, []string{"v-arrays.oodf"}, nil)
	for _, name := range []string{"UChar-11", "Vec3f-11", "Token-11"} {
		at, err := doc.Lookup(t.Context(), "layer/World/Cube/.size/"+name)
		if err != nil {
			t.Fatal(err)
		}
		element, err := doc.Lookup(t.Context(), at.Path()+"/value/elements/[4]")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := model.ElementSpan(t.Context(), at.Node.Value.(model.Array), 4), element.Node.Span(); got.Off != want.Off || got.Len != want.Len {
			t.Errorf("%s: element 4 is at %v, not at %v", name, got, want)
		}
	}
}
