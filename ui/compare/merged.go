package compare

import (
	"context"
	"fmt"
	"image/color"
	"strings"

	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/look"
	"cutaway/ui/treeview"
)

// A branch is a row of the merged tree: a changed node, or an ancestor of one.
type branch struct {
	segment   string // of paths
	name      string // as the row shows it
	up        *branch
	index     int64 // among the children of up
	change    *diff.Change
	piece     *[2]model.Span // bytes that differ, or nil for a change of a node
	kids      []*branch
	counts    [4]int64 // of the changes below, by diff.Kind
	bySegment map[string]*branch
}

// kind returns the kind of the row's change or piece.
func (b *branch) kind() diff.Kind {
	switch {
	case b.change != nil:
		return b.change.Kind
	case b.piece[0].Len == 0:
		return diff.Added
	case b.piece[1].Len == 0:
		return diff.Removed
	}
	return diff.Changed
}

// merged is the tree of all changes, both documents' in one.
type merged struct {
	ctx   context.Context
	root  *branch
	order []*branch    // those with changes, from the top down
	sides [2]diff.Side // of the compared nodes, without places if bytes were compared

	// limited reports that a part was not compared, since a limit of memory was met.
	limited bool
}

// merge makes the tree of changes below two places. Moved nodes stand at their former places.
func merge(ctx context.Context, name string, sides [2]diff.Side, changes []*diff.Change) *merged {
	m := &merged{ctx: ctx, root: &branch{name: name}, sides: sides}
	for _, c := range changes {
		start := sides[0].Start
		if c.A == nil {
			start = sides[1].Start
		}
		at := m.root
		if below := strings.TrimPrefix(strings.TrimPrefix(c.Place().Path(), start.Path()), "/"); below != "" {
			segments := strings.Split(below, "/")
			labels := labelsOf(c.Place(), len(segments))
			for i, s := range segments {
				at = at.kid(s, labels[i])
			}
		}
		if at.change != nil && at.up != nil { // removed and added under one name
			at = at.up.add(at.segment, at.name)
		}
		at.change = c
		for up := at.up; up != nil; up = up.up {
			up.counts[c.Kind]++
		}
	}
	m.collect(m.root)
	return m
}

func (m *merged) collect(b *branch) {
	if b.change != nil {
		m.order = append(m.order, b)
	}
	for _, k := range b.kids {
		m.collect(k)
	}
}

// kid returns the branch of a path's segment, and makes it if it is missing.
func (b *branch) kid(segment, name string) *branch {
	if k := b.bySegment[segment]; k != nil {
		return k
	}
	k := b.add(model.UnescapeSegment(segment), name)
	if b.bySegment == nil {
		b.bySegment = map[string]*branch{}
	}
	b.bySegment[segment] = k
	return k
}

// labelsOf returns the names that rows show for the last n segments of a path.
func labelsOf(p *model.Place, n int) []string {
	labels := make([]string, n)
	for i := n - 1; i >= 0; i-- {
		for ; p.Index < 0 && p.Parent != nil; p = p.Parent { // of a derived source, whose owner is in the same segment
			labels[i] = p.Label() + labels[i]
		}
		labels[i] = p.Label() + labels[i]
		p = p.Parent
	}
	return labels
}

func (b *branch) add(segment, name string) *branch {
	k := &branch{segment: segment, name: name, up: b, index: int64(len(b.kids))}
	b.kids = append(b.kids, k)
	return k
}

// way returns the steps of the tree to a branch.
func (b *branch) way() []treeview.Step {
	if b.up == nil {
		return []treeview.Step{{Item: b}}
	}
	return append(b.up.way(), treeview.Step{Index: b.index, Item: b})
}

func (m *merged) Root() treeview.Item { return m.root }

func (m *merged) Count(it treeview.Item) (int64, bool) { return int64(len(it.(*branch).kids)), true }

func (m *merged) Pending(treeview.Item) bool { return false }

func (m *merged) Child(it treeview.Item, i int64) treeview.Item { return it.(*branch).kids[i] }

func (m *merged) Resolve(_ context.Context, it treeview.Item, _ func(done, total int64)) (treeview.Item, error) {
	return it, nil
}

// unfolded is the largest number of changes that a tree shows unfolded at first.
const unfolded = 500

func (m *merged) Unfolds(it treeview.Item, first int64) []treeview.Step {
	if len(m.order) > unfolded {
		return nil
	}
	var steps []treeview.Step
	kids := it.(*branch).kids
	for i := first; i < int64(len(kids)); i++ {
		if len(kids[i].kids) > 0 {
			steps = append(steps, treeview.Step{Index: i, Item: kids[i]})
		}
	}
	return steps
}

var columns = []treeview.Column{
	{Title: "Name", Width: 260, Least: 220, Stretch: 2}, {Title: "Change", Width: 150, Least: 104, Stretch: 1}, {Title: "Before", Width: 200, Mono: true, Stretch: 1},
	{Title: "After", Width: 200, Mono: true, Stretch: 1},
}

func (m *merged) Row(it treeview.Item) treeview.Row {
	b := it.(*branch)
	row := treeview.Row{Cells: []string{b.name, counted(b.counts), "", ""}, Branch: len(b.kids) > 0, Dim: b.change == nil}
	if b.piece != nil {
		return m.pieceRow(b, row)
	}
	c := b.change
	if c == nil {
		return row
	}
	row.Cells[1] = kindText(c.Kind)
	if len(b.kids) > 0 {
		row.Cells[1] += ", inside " + counted(b.counts)
	}
	if c.Stored {
		row.Cells[1] += " storage only"
	}
	row.Swatches = []color.Color{nil, look.ChangeColor(c.Kind.String())}
	const few = 120
	switch {
	case c.Kind == diff.Moved:
		row.Cells[3] = "→ " + c.B.Path()
	case c.Elements != nil || c.Stored:
		row.Cells[2], row.Cells[3] = valueText(m.ctx, c.A, few), diff.Describe(m.ctx, c, few)
	default:
		row.Cells[2], row.Cells[3] = valueText(m.ctx, c.A, few), valueText(m.ctx, c.B, few)
	}
	if types := typesOf(c); types[0] != "" {
		row.Cells[2] += " " + types[0]
		if c.Elements == nil {
			row.Cells[3] += " " + types[1]
		} else {
			row.Cells[3] += "; " + types[0] + " → " + types[1]
		}
	}
	return row
}

// typesOf returns the types of a value before and after, empty where they are the same or one side has none.
func typesOf(c *diff.Change) (types [2]string) {
	if c.Kind == diff.Changed && c.A.Node.Type != c.B.Node.Type && c.A.Node.Value != nil && c.B.Node.Value != nil {
		types = [2]string{c.A.Node.Type, c.B.Node.Type}
	}
	return types
}

// pieceRow returns the row of bytes that differ.
func (m *merged) pieceRow(b *branch, row treeview.Row) treeview.Row {
	const few = 32
	row.Dim = false
	x, y := b.piece[0], b.piece[1]
	size := model.GroupedCount(max(x.Len, y.Len), "byte")
	if x.Len != y.Len && x.Len > 0 && y.Len > 0 {
		size = model.GroupedCount(x.Len, "byte") + ", now " + model.Grouped(y.Len)
	}
	row.Cells[1] = kindText(b.kind()) + ", " + size
	row.Swatches = []color.Color{nil, look.ChangeColor(b.kind().String())}
	for i, at := range b.piece {
		if at.Len > 0 {
			row.Cells[2+i] = model.Show(m.ctx, model.Blob{Span: at}, few)
		}
	}
	return row
}

// valueText returns the value of a node on one line, or else its brief or type.
func valueText(ctx context.Context, p *model.Place, limit int) string {
	switch {
	case p == nil:
		return ""
	case p.Node.Value == nil && p.Node.Brief == "":
		return p.Node.Type
	case p.Node.Value == nil:
		return p.Node.Brief
	}
	return model.Show(ctx, p.Node.Value, limit)
}

// kindText returns the sign and name of a kind of change.
func kindText(k diff.Kind) string { return k.Sign() + " " + k.String() }

// counted returns the numbers of changes of each kind, or "" if there are none.
func counted(counts [4]int64) string {
	var parts []string
	for _, k := range []diff.Kind{diff.Changed, diff.Added, diff.Removed, diff.Moved} {
		if n := counts[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", model.Grouped(n), k))
		}
	}
	return strings.Join(parts, ", ")
}
