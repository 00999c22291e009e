package model

import (
	"context"
	"slices"
	"strconv"
)

// Bounds of the columns of a sequence: how deep the fields of structures in structures have columns of their own, and how many
// columns there are. What lies deeper is one cell; what is beyond them is in the column of the others.
const (
	maxFieldDepth = 8
	maxColumns    = 1024
)

// otherFields is the column of elements without columns of their own, as a structure.
const otherFields = "others"

// field is a field of the elements of a sequence, and those of the structures that it is.
type field struct {
	key    string
	typ    string
	column int   // -1: it has none
	held   bool  // some element has a value here, other than None
	like   Value // the first of them
	seen   bool  // some element has the field without fields of its own
	fields []*field
	byKey  map[string]*field // made where there are many
}

// manyFields is from how many fields on they are found by their keys.
const manyFields = 16

// find is the field of a key, which is often the one at hint.
func (f *field) find(key string, hint int) *field {
	if hint < len(f.fields) && f.fields[hint].key == key {
		return f.fields[hint]
	}
	if f.byKey != nil {
		return f.byKey[key]
	}
	if i := slices.IndexFunc(f.fields, func(g *field) bool { return g.key == key }); i >= 0 {
		return f.fields[i]
	}
	return nil
}

// add puts a field after the one that was before it in its element, or first if after is nil.
func (f *field) add(key string, after *field) *field {
	g := &field{key: key, column: -1}
	at := len(f.fields)
	if after != nil {
		at = slices.Index(f.fields, after) + 1
	}
	f.fields = slices.Insert(f.fields, at, g)
	if len(f.fields) > manyFields && f.byKey == nil {
		f.byKey = make(map[string]*field)
		for _, g := range f.fields {
			f.byKey[g.key] = g
		}
	} else if f.byKey != nil {
		f.byKey[key] = g
	}
	return g
}

// structured reports whether the node of p has fields with columns, depth levels below the elements.
func structured(ctx context.Context, p *Place, depth int) bool {
	n := &p.Node
	if depth >= maxFieldDepth || saysAll(n) || n.Children == nil || n.Value == nil && IsSequence(ctx, n) {
		return false
	}
	count, _ := n.Children.Len(ctx)
	return count > 0
}

// FieldTable is a sequence as a table: a row an element, a column for each field that any of them has, of structures in them
// "pos.x". Elements that are no structures have a column "value". A cell is empty where the element has no such field.
type FieldTable struct {
	CardBase
	Bare   bool     // cells need no spans and paths
	Unread int64    // of the elements that were looked at, the cells that are empty because of damage
	Why    *Problem // the first of these problems, or nil

	of      *Place
	first   int64 // of the children, the first that is an element
	count   int64
	root    *field
	columns []Column
	likes   []Value
	others  int  // the column of the others, or -1
	plain   bool // there is one column, for whole elements
}

// FieldsOf makes the table of the sequence that the node of p is. The columns are those of the first look elements; where there
// are more, what only later ones have is in a column of its own.
func FieldsOf(ctx context.Context, p *Place, look int64, progress Progress) (*FieldTable, error) {
	n := &p.Node
	first, count := elementsOf(ctx, n)
	t := &FieldTable{CardBase: CardBase{"Elements"}, of: p, first: first, count: count, root: &field{key: ownValue, column: -1}, others: -1}
	finding := finder{ctx: ctx, table: t}
	look = min(look, t.count)
	for i := range look {
		if err := finding.element(t.root, p.Child(ctx, first+i)); err != nil {
			return nil, err
		}
		if i&1023 == 1023 {
			progress.Report(i, look, "columns")
		}
	}
	t.name(t.root, "", 0)
	if t.count == 0 {
		t.columns = slices.Clone(n.Columns)
	}
	if len(t.columns) == 0 {
		t.column(ownValue, t.root.typ)
	}
	t.plain = len(t.columns) == 1 && (t.root.column == 0 || t.count == 0 && t.columns[0].Name == ownValue)
	if !t.plain && (look < t.count || finding.full) {
		t.others = len(t.columns)
		t.column(otherFields, "")
	}
	return t, ctx.Err()
}

// finder finds the fields of elements.
type finder struct {
	ctx   context.Context
	table *FieldTable
	count int
	full  bool // there are more than have columns
}

func (d *finder) element(root *field, p *Place) error {
	if err := p.Resolve(d.ctx, nil); err != nil {
		return err
	}
	return d.look(root, p, 0)
}

// look adds the fields of a place to f.
func (d *finder) look(f *field, p *Place, depth int) (err error) {
	if !structured(d.ctx, p, depth) {
		v := p.Node.Value
		if v == nil && (!f.held || p.Node.Children == nil) {
			v = ValueOf(d.ctx, p)
		}
		d.leaf(f, p, v)
		return nil
	}
	var last *field
	k := 0
	eachField(d.ctx, p, func(key string, at *Place) {
		if at == p {
			d.leaf(f, p, p.Node.Value)
			return
		}
		if err == nil {
			err = at.Resolve(d.ctx, nil)
		}
		g := f.find(key, k)
		k++
		if g == nil {
			if d.count == maxColumns {
				d.full = true
				return
			}
			d.count++
			g = f.add(key, last)
		}
		last = g
		if err == nil {
			err = d.look(g, at, depth+1)
		}
	})
	return err
}

// leaf takes a value of a field.
func (d *finder) leaf(f *field, p *Place, v Value) {
	f.seen = true
	if f.typ == "" {
		f.typ = p.Node.Type
	}
	if _, none := v.(None); none {
		d.damage(p.Node.Problems)
	} else if !f.held {
		f.held, f.like, f.typ = true, v, p.Node.Type
	}
}

// damage counts a cell without a value where that is not what the file says.
func (d *finder) damage(problems []Problem) {
	i := slices.IndexFunc(problems, func(p Problem) bool { return p.Kind.Severity() == Error || p.Kind == Unread || p.Kind == Limit })
	if i < 0 {
		return
	}
	if d.table.Unread++; d.table.Why == nil {
		d.table.Why = &problems[i]
	}
}

// name gives columns to the fields that have values, and to those whose values are unknown.
func (t *FieldTable) name(f *field, prefix string, depth int) {
	name := prefix + f.key
	if f.held || f.seen && len(f.fields) == 0 {
		f.column = len(t.columns)
		t.column(name, f.typ)
		t.likes[f.column] = f.like
	}
	if depth > 0 {
		prefix = name + "."
	}
	for _, g := range f.fields {
		t.name(g, prefix, depth+1)
	}
}

// column adds a column, whose name no other has.
func (t *FieldTable) column(name, typ string) {
	taken := func(name string) bool {
		return slices.ContainsFunc(t.columns, func(c Column) bool { return c.Name == name })
	}
	unique := name
	for n := 2; taken(unique); n++ {
		unique = name + "~" + strconv.Itoa(n)
	}
	t.columns = append(t.columns, Column{Name: unique, Type: typ})
	t.likes = append(t.likes, nil)
}

// Columns returns a column for each field.
func (t *FieldTable) Columns() []Column { return t.columns }

// Like returns the first value in a column, or nil.
func (t *FieldTable) Like(column int) Value {
	if column >= len(t.likes) {
		return nil
	}
	return t.likes[column]
}

// Plain reports whether the elements that were looked at are no structures, so that one column holds them whole.
func (t *FieldTable) Plain() bool { return t.plain }

// Array is the elements as an array.
func (t *FieldTable) Array() Array { return childrenOf(t.of, t.first, t.count) }

// Rows returns the number of elements.
func (t *FieldTable) Rows() (int64, bool) { return t.count, true }

// Read fills dst with rows from first on.
func (t *FieldTable) Read(ctx context.Context, first int64, dst [][]Cell) (int, error) {
	for i := range dst {
		at := first + int64(i)
		if at >= t.count {
			return i, nil
		}
		clear(dst[i])
		element := t.of.Child(ctx, t.first+at)
		if err := element.Resolve(ctx, nil); err != nil {
			return i, err
		}
		if t.plain {
			t.setCell(&dst[i][0], element, ValueOf(ctx, element))
		} else {
			t.fill(ctx, dst[i], t.root, element, "", 0)
		}
		if err := ctx.Err(); err != nil {
			return i, err
		}
	}
	return len(dst), nil
}

// fill puts what the node of p holds into the cells of a field and those below it.
func (t *FieldTable) fill(ctx context.Context, row []Cell, f *field, p *Place, prefix string, depth int) {
	if !structured(ctx, p, depth) {
		t.cell(row, f, p, ValueOf(ctx, p), prefix)
		return
	}
	if depth > 0 {
		prefix += f.key + "."
	}
	k := 0
	eachField(ctx, p, func(key string, at *Place) {
		if at == p {
			t.cell(row, f, p, p.Node.Value, prefix)
			return
		}
		if at.Resolve(ctx, nil) != nil {
			return // the reader checks the context
		}
		g := f.find(key, k)
		k++
		if g == nil {
			g = &field{key: key, column: -1}
		}
		t.fill(ctx, row, g, at, prefix, depth+1)
	})
}

// cell fills the cell of a field with what the node of p holds, or adds that to the others.
func (t *FieldTable) cell(row []Cell, f *field, p *Place, v Value, prefix string) {
	if f.column >= 0 {
		t.setCell(&row[f.column], p, v)
		return
	}
	if _, none := v.(None); none || t.others < 0 {
		return
	}
	others, _ := row[t.others].Value.(Object)
	row[t.others].Value = append(others, Member{prefix + f.key, v})
}

func (t *FieldTable) setCell(c *Cell, p *Place, v Value) {
	c.Value = v
	if !t.Bare {
		c.Spans, c.Path = p.Node.Spans, p.Path()
	}
}
