package scene

import (
	"context"

	"cutaway/model"
)

// SpecRef leads to the node that shows spec i in the scene view.
func (s *Scene) SpecRef(ctx context.Context, i int64) model.Ref {
	ref := model.Ref{Kind: "target", Path: View}
	if x, err := s.Index(ctx, nil); err == nil {
		ref.Path = x.SpecPath(ctx, int32(i))
	}
	return ref
}

// PathRef leads to path i in the scene view.
func (s *Scene) PathRef(ctx context.Context, i uint32) model.Ref {
	ref := model.Ref{Kind: "target", Path: View}
	x, err := s.Index(ctx, nil)
	if err != nil {
		return ref
	}
	if item, ok := x.Paths.ItemOf(i); ok {
		ref.Path, ref.Text = x.Path(ctx, item), x.Paths.ItemText(ctx, item)
	}
	return ref
}

// shownAbove returns the item that a node with items below shows.
func (x *Index) shownAbove(p *model.Place) (item int32, ok bool) {
	up := p.Segments()
	if up[0].Path() != View || x == nil {
		return 0, false
	}
	for _, p := range up[1:] {
		k := x.children(item)
		i := p.Index - int64(len(k.fields))
		if i < 0 || i >= k.kids.Len() {
			return 0, false
		}
		item = int32(k.kids.At(i))
	}
	return item, true
}

// SpecPath returns the path of the scene node that shows a spec.
func (x *Index) SpecPath(ctx context.Context, spec int32) string {
	if item, ok := x.Paths.ItemOf(x.Specs.Paths.At(int64(spec))); ok {
		if own, is := x.spec(item); is && own == int64(spec) {
			return x.Path(ctx, item)
		}
	}
	return View + "/" + model.EscapeSegment(strayName(spec))
}

// OwnerPath returns the path of the node of the field at a position of the list of field sets, below that of a spec.
func (x *Index) OwnerPath(ctx context.Context, spec int32, position int64) string {
	start := x.Specs.Sets.At(int64(spec))
	_, segment := x.fieldName(ctx, x.Sets.Group(start), position-int64(start))
	return x.SpecPath(ctx, spec) + "/" + model.EscapeSegment(segment)
}

// ShownItem returns the item of a node of the scene, or the item of the path of a stray spec.
func (x *Index) ShownItem(p *model.Place) (int64, bool) {
	if p.Parent == nil {
		return 0, p.Path() == View
	}
	above, ok := x.shownAbove(p.Parent)
	if !ok {
		return 0, false
	}
	k := x.children(above)
	switch i := p.Index - int64(len(k.fields)); {
	case i < 0:
	case i < k.kids.Len():
		return int64(k.kids.At(i)), true
	case i < k.kids.Len()+int64(len(k.stray)):
		item, ok := x.Paths.ItemOf(x.Specs.Paths.At(int64(k.stray[i-k.kids.Len()])))
		return int64(item), ok
	}
	return 0, false
}

// SpecsOf calls visit for each spec of an item's path.
func (x *Index) SpecsOf(item int64, visit func(spec int64) bool) {
	if spec, ok := x.spec(int32(item)); ok {
		visit(spec)
	}
	for _, spec := range x.stray {
		if x.Specs.Paths.At(int64(spec)) == x.Paths.Index.At(item) {
			visit(int64(spec))
		}
	}
}
