package usda

import (
	"context"
	"strings"

	"cutaway/model"
)

// Shape is the geometry of a prim: the points of a mesh, of curves, or points alone, and its extent.
type Shape struct {
	model.CardBase
	prim, root model.Children
}

// ShapeCards are the cards of a prim that has points or an extent, by its children: properties are named with a dot, and
// their value is the child "default". The root's say which axis is up.
func ShapeCards(ctx context.Context, prim, root model.Children) []model.Card {
	s := &Shape{model.CardBase{Title: "Shape"}, prim, root}
	if s.array(ctx, ".points") == nil && s.array(ctx, ".extent") == nil {
		return nil
	}
	return []model.Card{s}
}

// kid is the child of a name; a node without a name: there is none.
func kid(ctx context.Context, c model.Children, name string) (n model.Node) {
	if c != nil {
		if i, found := model.IndexOf(ctx, c, name); found {
			return c.At(ctx, i)
		}
	}
	return n
}

// array is the default value of a property, or of one that has none the first of its samples, if that is an array; else nil.
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

// Points implements model.Shape.
func (s *Shape) Points(ctx context.Context) model.Array {
	if a := s.array(ctx, ".points"); a != nil {
		return a
	}
	return s.array(ctx, ".extent")
}

// Parts implements model.Shape.
func (s *Shape) Parts(ctx context.Context) (counts, indices model.Array, closed bool) {
	if counts = s.array(ctx, ".curveVertexCounts"); counts != nil {
		return counts, nil, false
	}
	return s.array(ctx, ".faceVertexCounts"), s.array(ctx, ".faceVertexIndices"), true
}

// ZUp implements model.UprightShape.
func (s *Shape) ZUp(ctx context.Context) bool {
	return kid(ctx, s.root, "upAxis").Value == model.Text("Z")
}

// Bounds implements model.DetailedShape.
func (s *Shape) Bounds(ctx context.Context) model.Array { return s.array(ctx, ".extent") }

// Arrays implements model.DetailedShape.
func (s *Shape) Arrays(ctx context.Context) (list []model.NamedArray) {
	n, _ := s.prim.Len(ctx)
	const most = 1000 // children
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

// indexes are the properties whose elements others are numbers of.
var indexes = map[string]string{".faceVertexIndices": ".points", ".holeIndices": ".faceVertexCounts", ".cornerIndices": ".points", ".creaseIndices": ".points"}

// Indexed is the path of the array that the numbers of an attribute's value are numbers of: primvars:st of primvars:st:indices.
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
