package scene

import (
	"context"
	"sort"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// PathsView is the name of the view of the path tree.
const PathsView = "paths"

// PathTreeRoot returns the root of the view of the encoding itself: items nested as their jumps say, each with its numbers.
func (s *Scene) PathTreeRoot(ctx context.Context) model.Node {
	n := model.Node{Name: PathsView, Type: "path tree", Children: s.pathTree, Help: "the path items as they are encoded"}
	if s.pathTree.Resolved() != nil {
		if p, err := s.crate.Paths(ctx, nil); err == nil {
			n.Brief = usda.Plural(p.Items(), "item", "items")
			if order := p.FoundOrder(); order != "" {
				n.Brief += ": " + order
			}
		}
	}
	return n
}

func (s *Scene) makePathTree(ctx context.Context, progress model.Progress) (model.Children, error) {
	x, err := s.Index(ctx, progress)
	if err != nil {
		return nil, err
	}
	p := x.Paths
	if _, err := p.Order(ctx, progress); err != nil {
		return nil, err
	}
	var top model.NumbersBuilder
	for i, parent := range p.Parents.All() {
		if int32(parent) < 0 {
			top.Add(uint32(i)) // the root, and what damage cut off
		}
	}
	return &itemChildren{x: x, items: top.Numbers()}, nil
}

// itemChildren is the numbers of an item and the items under it, which are in ascending order.
type itemChildren struct {
	x      *Index
	fields []model.Node
	items  model.Numbers
}

var _ model.Finder = (*itemChildren)(nil)

func (k *itemChildren) Len(context.Context) (int64, bool) {
	return int64(len(k.fields)) + k.items.Len(), true
}

func (k *itemChildren) At(ctx context.Context, i int64) model.Node {
	if i < int64(len(k.fields)) {
		return k.fields[i]
	}
	return k.x.itemNode(ctx, int32(k.items.At(i-int64(len(k.fields)))))
}

func (k *itemChildren) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return model.Search(ctx, k, q)
	}
	return k.index(ctx, q.Name)
}

func (k *itemChildren) index(_ context.Context, name string) (int64, bool) {
	for i := range k.fields {
		if k.fields[i].Name == name {
			return int64(i), true
		}
	}
	item, ok := model.ParseIndex(name)
	if !ok {
		return 0, false
	}
	i := int64(sort.Search(int(k.items.Len()), func(i int) bool { return int64(k.items.At(int64(i))) >= item }))
	return int64(len(k.fields)) + i, i < k.items.Len() && int64(k.items.At(i)) == item
}

// itemNode returns the node of an item in the path tree.
func (x *Index) itemNode(ctx context.Context, item int32) model.Node {
	p := x.Paths
	n := model.Node{Name: model.IndexName(int64(item)), Type: "item", Value: model.Text(p.ItemText(ctx, item)), Problems: p.Problems[item]}
	if p.Parent(item) == table.Unreached {
		n.Value, n.Brief = nil, "no jump leads here"
	}
	fields := p.ItemFields(ctx, item)
	for _, f := range fields {
		n.Spans = append(n.Spans, f.Spans...)
	}
	if p.IsOld() {
		n.Spans = p.ItemSpans(ctx, item)
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		return []model.Ref{
			x.crate.Entries.Items.Ref("layout", int64(item)),
			{Kind: "scene", Path: x.Path(ctx, item), Text: p.ItemText(ctx, item)},
		}
	}
	n.Children = &itemChildren{x: x, fields: fields, items: x.kids.Of(int64(item))}
	return n
}

// TreePath returns the path of an item's node in the path tree.
func TreePath(p *table.Paths, item int32) string {
	var up []int32
	for ; item >= 0 && len(up) < table.MaxPathDepth; item = p.Parent(item) {
		up = append(up, item)
	}
	b := strings.Builder{}
	b.WriteString(PathsView)
	for i := len(up) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(model.IndexName(int64(up[i])))
	}
	return b.String()
}
