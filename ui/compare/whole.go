package compare

import (
	"context"
	"image/color"
	"maps"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/look"
	"cutaway/ui/nodes"
	"cutaway/ui/treeview"
)

// A whole is the merged tree with unchanged nodes: those of the first side, and below each the nodes that only the other side has.
type whole struct {
	*merged
	docs [2]*model.Document
}

// A held is a row of the whole tree.
type held struct {
	at     *model.Place // the node before the change, or else after it; nil if an ancestor has moved
	branch *branch      // with the changes of the node and its descendants, or nil without changes
	inside *diff.Change // of an added or removed ancestor, or nil

	// shifted reports that siblings in a list were added or removed, so that the node has another number on the other side.
	shifted bool

	changed map[int64]*branch // by the number of the child, or nil before Resolve
	others  []*held           // descendants that no child has
}

func (w *whole) Root() treeview.Item { return &held{at: w.sides[0].Start, branch: w.root} }

func (w *whole) Count(it treeview.Item) (int64, bool) {
	h := it.(*held)
	if w.Pending(h) {
		return 0, true // Resolve finds the changed children
	}
	n, exact := w.children(h)
	if exact {
		n += int64(len(h.others))
	}
	return n, exact
}

func (w *whole) children(h *held) (n int64, exact bool) {
	if h.at == nil {
		return 0, true
	}
	return h.at.Len(w.ctx)
}

func (w *whole) Pending(it treeview.Item) bool {
	h := it.(*held)
	return h.at != nil && h.at.Node.IsPending() || h.branch != nil && len(h.branch.kids) > 0 && h.changed == nil
}

// Resolve finds the children that have changes.
func (w *whole) Resolve(ctx context.Context, it treeview.Item, progress func(done, total int64)) (treeview.Item, error) {
	h := *it.(*held)
	h.changed, h.others = map[int64]*branch{}, nil
	if h.at != nil {
		h.at = h.at.Copy()
		err := h.at.Resolve(ctx, func(done, total int64, _ string) { progress(done, total) })
		if err != nil {
			return it, err
		}
	}
	if h.branch == nil {
		return &h, nil
	}
	for j, k := range h.branch.kids {
		if j&255 == 0 {
			progress(int64(j), int64(len(h.branch.kids)))
			if err := ctx.Err(); err != nil {
				return it, err
			}
		}
		if i, ok := w.indexOf(ctx, &h, k); ok {
			h.changed[i] = k
		} else {
			h.others = append(h.others, &held{at: w.placeOf(ctx, k), branch: k})
		}
	}
	return &h, nil
}

// indexOf returns the number of a branch's child, or false if the branch is of no child.
func (w *whole) indexOf(ctx context.Context, h *held, k *branch) (i int64, ok bool) {
	if h.at == nil || h.at.Node.Children == nil || k.change != nil && k.change.Kind == diff.Added {
		return 0, false
	}
	return model.IndexOf(ctx, h.at.Node.Children, k.segment)
}

// placeOf returns the node of a branch that is no child of its parent: an added node or a derived source, or nil.
func (w *whole) placeOf(ctx context.Context, b *branch) *model.Place {
	if b.change != nil && b.change.Kind == diff.Added {
		return b.change.B
	}
	p, err := w.docs[0].Lookup(ctx, w.sides[0].Start.Path()+b.path())
	if err != nil {
		return nil
	}
	return p
}

// path returns the path of a branch from the start of the comparison.
func (b *branch) path() string {
	if b.up == nil {
		return ""
	}
	return b.up.path() + "/" + model.EscapeSegment(b.segment)
}

func (w *whole) Child(it treeview.Item, i int64) treeview.Item {
	h := it.(*held)
	n, _ := w.children(h)
	if i >= n {
		return h.others[i-n]
	}
	k := &held{at: h.at.Child(w.ctx, i), branch: h.changed[i], inside: h.inside}
	if c := h.change(); c != nil && (c.Kind == diff.Added || c.Kind == diff.Removed) {
		k.inside = c
	}
	_, inList := model.ParseIndex(k.at.Node.Name)
	k.shifted = k.inside == nil && (h.shifted || inList && h.branch != nil && slices.ContainsFunc(h.branch.kids, (*branch).shifts))
	return k
}

// shifts reports whether later siblings in a list have another number on the other side.
func (b *branch) shifts() bool { return b.change != nil && b.change.Kind != diff.Changed }

// change returns the change of the node itself, or nil.
func (h *held) change() *diff.Change {
	if h.branch == nil {
		return nil
	}
	return h.branch.change
}

func (w *whole) Unfolds(it treeview.Item, first int64) (steps []treeview.Step) {
	h := it.(*held)
	if len(w.order) > unfolded || h.branch == nil {
		return nil
	}
	for _, i := range slices.Sorted(maps.Keys(h.changed)) {
		if i >= first && len(h.changed[i].kids) > 0 {
			steps = append(steps, treeview.Step{Index: i, Item: w.Child(h, i)})
		}
	}
	n, _ := w.children(h)
	for i, k := range h.others {
		if n+int64(i) >= first && len(k.branch.kids) > 0 {
			steps = append(steps, treeview.Step{Index: n + int64(i), Item: k})
		}
	}
	return steps
}

func (w *whole) Row(it treeview.Item) treeview.Row {
	const few = 120
	h := it.(*held)
	var row treeview.Row
	if h.branch != nil {
		row = w.merged.Row(h.branch)
	} else {
		row = treeview.Row{Cells: []string{w.sides[0].View.LabelOf(w.ctx, h.at), valueText(w.ctx, h.at, few), ""}, Dim: true,
			Icon: nodes.KindIcon(w.ctx, w.sides[0].View, h.at, false)}
		if h.shifted {
			row.Cells[2] = "="
		}
		if c := h.inside; c != nil {
			row.Cells[2] = c.Kind.Sign()
			row.Swatches = []color.Color{nil, nil, look.ChangeColor(c.Kind.String())}
		}
	}
	row.Pending = h.at != nil && h.at.Node.IsPending()
	n, exact := w.children(h)
	row.Branch = row.Branch || row.Pending || n > 0 || !exact
	return row
}

// way finds the steps of the tree to a branch with a change.
func (w *whole) way(ctx context.Context, b *branch) ([]treeview.Step, error) {
	if b.up == nil {
		return []treeview.Step{{Item: w.Root()}}, nil
	}
	above, err := w.way(ctx, b.up)
	if err != nil {
		return nil, err
	}
	last := &above[len(above)-1]
	if last.Item, err = w.Resolve(ctx, last.Item, func(int64, int64) {}); err != nil {
		return nil, err
	}
	h := last.Item.(*held)
	for i, k := range h.changed {
		if k == b {
			return append(above, treeview.Step{Index: i, Item: w.Child(h, i)}), nil
		}
	}
	n, _ := w.children(h)
	for i, k := range h.others {
		if k.branch == b {
			return append(above, treeview.Step{Index: n + int64(i), Item: k}), nil
		}
	}
	return above, nil
}

// both returns an unchanged node on each side, or nil if a side lacks the node or has it under an unknown number.
func (w *whole) both(ctx context.Context, h *held) (places [2]*model.Place) {
	if c := h.inside; c != nil && c.Kind == diff.Added {
		places[1] = h.at
		return places
	}
	if places[0] = h.at; h.at == nil || h.inside != nil || h.shifted {
		return places
	}
	below := strings.TrimPrefix(h.at.Path(), w.sides[0].Start.Path())
	if p, err := w.docs[1].Lookup(ctx, w.sides[1].Start.Path()+below); err == nil {
		places[1] = p
	}
	return places
}
