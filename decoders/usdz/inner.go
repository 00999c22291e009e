package usdz

import (
	"context"
	"slices"
	"strings"

	"cutaway/model"
)

// The views of a package are those of its first layer. Layouts of other members keep only the refs to layouts: a path
// such as scene/World would lead into the wrong layer. Opened alone, a member has all refs.

// innerNode returns a layout node of another member without refs to other views.
func innerNode(n model.Node) model.Node {
	if refs := n.Refs; refs != nil {
		n.Refs = func(ctx context.Context) []model.Ref {
			return slices.DeleteFunc(slices.Clone(refs(ctx)), func(r model.Ref) bool { return !toLayout(r) })
		}
	}
	if n.Children != nil {
		n.Children = model.Map(n.Children, func(_ context.Context, _ int64, n *model.Node) { *n = innerNode(*n) })
	}
	if len(n.Derived) > 0 {
		n.Derived = slices.Clone(n.Derived)
		for i, d := range n.Derived {
			within := *d
			within.Open = func(ctx context.Context) (*model.Source, model.Node, error) {
				src, root, err := d.Open(ctx)
				return src, innerNode(root), err
			}
			n.Derived[i] = &within
		}
	}
	return n
}

func toLayout(r model.Ref) bool {
	view, _, _ := strings.Cut(r.Path, "/")
	return r.Path == "" || view == model.LayoutView
}
