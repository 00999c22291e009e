package usdatext

import (
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestShape: the geometry of a mesh, its bounds, and the arrays that it can be coloured by.
func TestShape(t *testing.T) {
	const text = `#usda 1.0
def Mesh "m"
{
    float3[] extent = [(0, 0, 0), (1, 1, 0)]
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 3, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    color3f[] primvars:displayColor = [(1, 0, 0)]
    token visibility = "inherited"
}
def Scope "s" {}
def Points "p"
{
    point3f[] points.timeSamples = {
        1: [(0, 0, 0), (1, 1, 1)],
        2: [(1, 1, 1)],
    }
}
`
	doc := decodertest.Open(t, Format, "mesh.usda", model.BytesReader(text))
	shapes := func(path string) (list []model.DetailedShape) {
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range p.Node.Cards(t.Context()) {
			if s, ok := c.(model.DetailedShape); ok {
				list = append(list, s)
			}
		}
		return list
	}
	if len(shapes("scene/s")) > 0 || len(shapes("scene/m")) != 1 {
		t.Fatal("a mesh has one shape, a scope none")
	}
	if moving := shapes("scene/p"); len(moving) != 1 || moving[0].Points(t.Context()).Len() != 2 {
		t.Errorf("points that move have the shapes %v, not that of their first sample", moving)
	}
	s := shapes("scene/m")[0]
	for path, want := range map[string]string{"scene/m/.faceVertexIndices/default": "scene/m/.points/default", "scene/m/.points/default": ""} {
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if got := doc.View(sceneView).Indexed(p); got != want {
			t.Errorf("%s has numbers of %q, want %q", path, got, want)
		}
	}
	counts, indices, closed := s.Parts(t.Context())
	var names []string
	for _, a := range s.Arrays(t.Context()) {
		names = append(names, a.Name)
	}
	if s.Points(t.Context()).Len() != 4 || counts.Len() != 1 || indices.Len() != 4 || !closed || s.Bounds(t.Context()).Len() != 2 ||
		!slices.Equal(names, []string{"faceVertexCounts", "faceVertexIndices", "primvars:displayColor"}) {
		t.Errorf("%d points, %v, %v, bounds %v, arrays %q", s.Points(t.Context()).Len(), counts, indices, s.Bounds(t.Context()), names)
	}
}
