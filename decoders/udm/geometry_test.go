package udm

import (
	"os"
	"testing"

	"cutaway/model"
)

// TestShapes: meshes of binary and text assets, with structs and with plain vectors, triangles and lines; a point leads to its bytes.
func TestShapes(t *testing.T) {
	const sub = "/meshes/[0]/subMeshes/[0]/assetData"
	for _, k := range []struct {
		file, path             string
		points, parts, corners int64
		bounds                 bool
		arrays                 int
	}{
		{"soldier_legs.pmdl_b", "asset/assetData/meshGroups/soldier_legs" + sub, 5502, 1834, 5502, false, 5},
		{"cube_wireframe.pmdl", "", 8, 12, 24, false, 0},
		{"cube.pmdl_b", "asset/assetData/collisionMeshes/[0]/assetData", 8, 0, 0, true, 0},
	} {
		b, err := os.ReadFile(corpus + "/" + k.file)
		if err != nil {
			t.Skipf("the corpus is not here: %v", err)
		}
		doc := openBytes(t, k.file, b)
		path := k.path
		if path == "" {
			groups, err := doc.Lookup(t.Context(), "asset/assetData/meshGroups")
			if err != nil {
				t.Fatal(err)
			}
			path = groups.Child(t.Context(), 0).Path() + sub
		}
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := p.Node.Cards(t.Context())[0].(model.DetailedShape)
		if !ok {
			t.Fatalf("%s: no shape", k.file)
		}
		counts, indices, _ := s.Parts(t.Context())
		parts, corners := int64(0), int64(0)
		if counts != nil {
			parts, corners = counts.Len(), indices.Len()
		}
		points := s.Points(t.Context())
		if points.Len() != k.points || parts != k.parts || corners != k.corners || (s.Bounds(t.Context()) != nil) != k.bounds || len(s.Arrays(t.Context())) != k.arrays {
			t.Errorf("%s: %d points, %d parts, %d corners, bounds %v, %d arrays", k.file, points.Len(), parts, corners, s.Bounds(t.Context()), len(s.Arrays(t.Context())))
		}
		if at := model.ElementSpan(t.Context(), points, 3); doc.Format == "udm" && k.arrays > 0 && at.Len != 12 {
			t.Errorf("%s: point 3 is at %v", k.file, at)
		}
	}
}

// TestScene: an asset has all its meshes, wherever they are, in one scene, each with the path of its node; one without a mesh has none.
func TestScene(t *testing.T) {
	for _, k := range []struct {
		text string
		want string
	}{
		{"$array vertices [vec3;3][[0,0,0],[1,0,0],[0,1,0]]\n", "assetData"},
		{"part {\n\t$array vertices [vec3;3][[0,0,0],[1,0,0],[0,1,0]]\n}\n", "assetData/part"},
		{"$int32 a 1\n", ""},
	} {
		doc := openBytes(t, "a.udm", []byte(k.text))
		root := doc.Views[0].Place(t.Context())
		if err := root.Node.Resolve(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		root = root.Fresh(t.Context())
		got := ""
		for _, s := range model.CardsOf[model.Scene](t.Context(), &root.Node) {
			if _, err := s.Shapes(t.Context(), 0, func(p model.Placed) error {
				got += p.Paths[0]
				if n := p.Shape.Points(t.Context()).Len(); n != 3 {
					t.Errorf("%d points", n)
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
		}
		if got != k.want {
			t.Errorf("%q has shapes at %q, want %q", k.text, got, k.want)
		}
	}
}
