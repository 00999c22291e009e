package compare

import (
	"context"
	"fmt"
	"image/color"
	"strings"

	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/look"
	"cutaway/ui/nodes"
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
	at        *model.Place   // the node on the side that has it, or nil for the root and bytes
	through   bool           // it is shown in the row of up, as a default is in that of its attribute
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
			rows := rowsOf(ctx, m.sides[0].View, c.Place(), len(segments))
			for i, s := range segments {
				at = at.kid(s, rows[i])
			}
			at.through = isThrough(ctx, m.sides[0].View, at)
		}
		if at.change != nil && at.up != nil { // removed and added under one name
			at = at.up.add(at.segment, rowOf{at.name, at.at})
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

// isThrough reports whether a row's node is shown in its parent's place.
func isThrough(ctx context.Context, v *model.View, b *branch) bool {
	p := b.at
	return v != nil && v.Fold != nil && p.Parent != nil && p.Parent == b.up.at && p.Index >= 0 && v.Fold(ctx, &p.Parent.Node).Through == p.Index
}

// shown returns the branch that a row shows: its own, or the only one below if that is shown in its place.
func (b *branch) shown() *branch {
	if b.change == nil && b.piece == nil && len(b.kids) == 1 && b.kids[0].through {
		return b.kids[0]
	}
	return b
}

// kid returns the branch of a path's segment, and makes it if it is missing.
func (b *branch) kid(segment string, row rowOf) *branch {
	if k := b.bySegment[segment]; k != nil {
		return k
	}
	k := b.add(model.UnescapeSegment(segment), row)
	if b.bySegment == nil {
		b.bySegment = map[string]*branch{}
	}
	b.bySegment[segment] = k
	return k
}

// A rowOf is the name of a row and its node.
type rowOf struct {
	name string
	at   *model.Place
}

// rowsOf returns the rows of the last n segments of a path.
func rowsOf(ctx context.Context, v *model.View, p *model.Place, n int) []rowOf {
	rows := make([]rowOf, n)
	for i := n - 1; i >= 0; i-- {
		rows[i].at = p
		for ; p.Index < 0 && p.Parent != nil; p = p.Parent { // of a derived source, whose owner is in the same segment
			rows[i].name = p.Label() + rows[i].name
		}
		rows[i].name = v.LabelOf(ctx, p) + rows[i].name
		p = p.Parent
	}
	return rows
}

func (b *branch) add(segment string, row rowOf) *branch {
	k := &branch{segment: segment, name: row.name, at: row.at, up: b, index: int64(len(b.kids))}
	b.kids = append(b.kids, k)
	return k
}

// way returns the steps of the tree to a branch.
func (b *branch) way() []treeview.Step {
	switch {
	case b.up == nil:
		return []treeview.Step{{Item: b}}
	case b.up.shown() == b:
		return b.up.way()
	}
	return append(b.up.way(), treeview.Step{Index: b.index, Item: b})
}

func (m *merged) Root() treeview.Item { return m.root }

func (m *merged) Count(it treeview.Item) (int64, bool) {
	return int64(len(it.(*branch).shown().kids)), true
}

func (m *merged) Pending(treeview.Item) bool { return false }

func (m *merged) Child(it treeview.Item, i int64) treeview.Item { return it.(*branch).shown().kids[i] }

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
	kids := it.(*branch).shown().kids
	for i := first; i < int64(len(kids)); i++ {
		if len(kids[i].shown().kids) > 0 {
			steps = append(steps, treeview.Step{Index: i, Item: kids[i]})
		}
	}
	return steps
}

var columns = []treeview.Column{
	{Title: "Name and change", Width: 240, Least: 150, Stretch: 1}, {Title: "Change", Follows: true, Quiet: true}, {Width: 34, Least: 34},
}

func (m *merged) Row(it treeview.Item) treeview.Row {
	row := it.(*branch)
	b := row.shown()
	shown := treeview.Row{Cells: []string{row.name, counted(b.counts), ""}, Branch: len(b.kids) > 0, Strong: row.up == nil}
	if row.at != nil {
		shown.Icon = nodes.KindIcon(m.ctx, m.sides[0].View, row.at, false)
	}
	switch {
	case b.piece != nil:
		shown.Cells[1] = m.pieceText(b)
	case b.change != nil:
		shown.Cells[1] = m.changeText(b)
	default:
		return shown
	}
	shown.Cells[2] = b.kind().Sign()
	shown.Swatches = []color.Color{nil, nil, look.ChangeColor(b.kind().String())}
	return shown
}

// changeText describes the change of a node on a line.
func (m *merged) changeText(b *branch) string {
	const few = 60
	c := b.change
	text := ""
	switch c.Kind {
	case diff.Moved:
		text = "→ " + c.B.Path()
	case diff.Changed:
		text = diff.Describe(m.ctx, c, few)
		if types := typesOf(c); types[0] != "" && c.Elements == nil && !c.Stored {
			text = valueText(m.ctx, c.A, few) + " " + types[0] + " → " + valueText(m.ctx, c.B, few) + " " + types[1]
		} else if types[0] != "" {
			text += "; " + types[0] + " → " + types[1]
		}
	default:
		text = strings.TrimSpace(c.Kind.String() + "  " + valueText(m.ctx, c.Place(), few))
	}
	if inside := counted(b.counts); inside != "" {
		text += ", inside " + inside
	}
	return text
}

// typesOf returns the types of a value before and after, empty where they are the same or one side has none.
func typesOf(c *diff.Change) (types [2]string) {
	if c.Kind == diff.Changed && c.A.Node.Type != c.B.Node.Type && c.A.Node.Value != nil && c.B.Node.Value != nil {
		types = [2]string{c.A.Node.Type, c.B.Node.Type}
	}
	return types
}

// pieceText describes bytes that differ on a line.
func (m *merged) pieceText(b *branch) string {
	const few = 32
	x, y := b.piece[0], b.piece[1]
	text := model.GroupedCount(max(x.Len, y.Len), "byte")
	if x.Len != y.Len && x.Len > 0 && y.Len > 0 {
		text = model.GroupedCount(x.Len, "byte") + ", now " + model.Grouped(y.Len)
	}
	for i, at := range b.piece {
		if at.Len > 0 {
			text += [...]string{"  ", " → "}[i] + model.Show(m.ctx, model.Blob{Span: at}, few)
		}
	}
	return text
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
