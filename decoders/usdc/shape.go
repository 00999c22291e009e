package usdc

import (
	"context"

	"cutaway/model"
)

// prim is the points of a prim: of a mesh, of curves, or points alone.
type prim struct {
	model.CardBase
	x    *scene
	item int32
}

// shapeCards are the cards of a prim that has points.
func (x *scene) shapeCards(ctx context.Context, item int32) []model.Card {
	if x.array(ctx, item, ".points") == nil {
		return nil
	}
	return []model.Card{&prim{model.CardBase{Title: "Shape"}, x, item}}
}

// array is the default value of a property of a prim, if that is an array; else nil.
func (x *scene) array(ctx context.Context, item int32, property string) model.Array {
	kid := func(c model.Children, name string) (n model.Node) {
		if in, ok := c.(model.Indexer); ok {
			if i, found := in.Index(ctx, name); found {
				return c.At(ctx, i)
			}
		}
		return n
	}
	a, _ := kid(kid(x.children(item), property).Children, "default").Value.(model.Array)
	return a
}

// Points implements model.Shape.
func (s *prim) Points(ctx context.Context) model.Array { return s.x.array(ctx, s.item, ".points") }

// Parts implements model.Shape.
func (s *prim) Parts(ctx context.Context) (counts, indices model.Array, closed bool) {
	if counts = s.x.array(ctx, s.item, ".curveVertexCounts"); counts != nil {
		return counts, nil, false
	}
	return s.x.array(ctx, s.item, ".faceVertexCounts"), s.x.array(ctx, s.item, ".faceVertexIndices"), true
}
