package usda

import (
	"context"
	"strings"

	"cutaway/model"
)

// A Shape is the geometry of a prim: the points of a mesh or of curves, or points alone, and its extent.
type Shape struct {
	model.CardBase
	prim, root model.Children
}

var (
	_ model.Shape         = (*Shape)(nil)
	_ model.UprightShape  = (*Shape)(nil)
	_ model.DetailedShape = (*Shape)(nil)
)

// ShapeCards returns the cards of a prim with points or an extent. Children of prim that are properties have a dot
// before their name, and their value is the child "default". root holds the up axis.
func ShapeCards(ctx context.Context, prim, root model.Children) []model.Card {
	s := &Shape{model.CardBase{Title: "Shape"}, prim, root}
	if s.array(ctx, ".points") == nil && s.array(ctx, ".extent") == nil {
		return nil
	}
	return []model.Card{s}
}

// kid returns the child with the given name, or a node without a name if there is none.
func kid(ctx context.Context, c model.Children, name string) (n model.Node) {
	if c != nil {
		if i, found := model.IndexOf(ctx, c, name); found {
			return c.At(ctx, i)
		}
	}
	return n
}

// array returns the default value of a property, or without one its first sample, if that is an array; otherwise nil.
func (s *Shape) array(ctx context.Context, property string) model.Array {
	values := kid(ctx, s.prim, property).Children
	a, is := kid(ctx, values, "default").Value.(model.Array)
	if is {
		return a
	}
	samples := kid(ctx, values, "timeSamples").Children
	if samples == nil {
		return nil
	}
	if n, _ := samples.Len(ctx); n > 0 {
		a, _ = kid(ctx, samples.At(ctx, 0).Children, "value").Value.(model.Array)
	}
	return a
}

// Points returns the points, or without any the extent.
func (s *Shape) Points(ctx context.Context) model.Array {
	if a := s.array(ctx, ".points"); a != nil {
		return a
	}
	return s.array(ctx, ".extent")
}

// Parts returns the faces, which are closed, or the curves.
func (s *Shape) Parts(ctx context.Context) (counts, indices model.Array, closed bool) {
	if counts = s.array(ctx, ".curveVertexCounts"); counts != nil {
		return counts, nil, false
	}
	return s.array(ctx, ".faceVertexCounts"), s.array(ctx, ".faceVertexIndices"), true
}

// ZUp reports whether the layer's up axis is Z.
func (s *Shape) ZUp(ctx context.Context) bool {
	return kid(ctx, s.root, "upAxis").Value == model.Text("Z")
}

// Bounds returns the extent, or nil.
func (s *Shape) Bounds(ctx context.Context) model.Array { return s.array(ctx, ".extent") }

// Arrays returns the arrays of the other attributes.
func (s *Shape) Arrays(ctx context.Context) (list []model.NamedArray) {
	n, _ := s.prim.Len(ctx)
	const most = 1000 // most children to look at
	for i := range min(n, most) {
		name := s.prim.At(ctx, i).Name
		if !strings.HasPrefix(name, ".") || name == ".points" || name == ".extent" {
			continue
		}
		if a := s.array(ctx, name); a != nil {
			list = append(list, model.NamedArray{Name: name[1:], Array: a})
		}
	}
	return list
}

// indexes maps properties to those that their elements index.
var indexes = map[string]string{".faceVertexIndices": ".points", ".holeIndices": ".faceVertexCounts", ".cornerIndices": ".points", ".creaseIndices": ".points"}

// Indexed returns the path of the array that an attribute's numbers index: primvars:st for primvars:st:indices.
func Indexed(p *model.Place) string {
	attribute := p
	for attribute.Parent != nil && !strings.HasPrefix(attribute.Node.Name, ".") {
		attribute = attribute.Parent
	}
	if attribute.Parent == nil {
		return ""
	}
	of, is := strings.CutSuffix(attribute.Node.Name, ":indices")
	if !is {
		if of = indexes[of]; of == "" {
			return ""
		}
	}
	return attribute.Parent.Path() + "/" + model.EscapeSegment(of) + strings.TrimPrefix(p.Path(), attribute.Path())
}
