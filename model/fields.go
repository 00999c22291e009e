package model

import (
	"context"
	"slices"
	"strconv"
)

// Limits of the columns of a sequence: the depth of structures whose fields have columns of their own, and the number
// of columns. Deeper structures are one cell; fields beyond the last column share the column otherFields.
const (
	maxFieldDepth = 8
	maxColumns    = 1024
)

// otherFields is the column of fields without columns of their own, as a structure.
const otherFields = "others"

// A field is a field of the elements of a sequence, with the fields inside.
type field struct {
	key    string
	typ    string
	column int   // or -1
	held   bool  // some element has a value here, other than None
	like   Value // the first value
	seen   bool  // some element has the field without inner fields
	fields []*field
	byKey  map[string]*field // of many fields
}

// manyFields is the least number of fields with a byKey map.
const manyFields = 16

// find returns the field with a key, which is often number hint.
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

// add inserts a field after the previous one of its element, or first if after is nil.
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

// structured reports whether the node of p has fields with columns, at depth below the elements.
func structured(ctx context.Context, p *Place, depth int) bool {
	n := &p.Node
	if depth >= maxFieldDepth || saysAll(n) || n.Children == nil || n.Value == nil && IsSequence(ctx, n) {
		return false
	}
	count, _ := n.Children.Len(ctx)
	return count > 0
}

// A FieldTable shows a sequence as a table: a row for each element, a column for each field that any element has.
// Fields of inner structures are named "pos.x". Elements that are no structures have a column "value". A cell is empty
// if the element lacks the field.
type FieldTable struct {
	CardBase
	Bare   bool     // cells need no spans and paths
	Unread int64    // number of cells that are empty because of damage, among the elements that were examined
	Why    *Problem // the first of these problems, or nil

	of      *Place
	first   int64 // the first child that is an element
	count   int64
	root    *field
	columns []Column
	likes   []Value
	others  int  // index of column otherFields, or -1
	plain   bool // one column holds whole elements
}

// FieldsOf returns the table of the sequence at p. Its columns are those of the first look elements; fields of later
// elements share one column.
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

// A finder finds the fields of elements.
type finder struct {
	ctx   context.Context
	table *FieldTable
	count int
	full  bool // there are more fields than columns
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

// leaf adds a value of a field.
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

// damage counts a cell whose value is missing because of damage.
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

// column adds a column with a unique name.
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

// Plain reports whether no examined element is a structure, so that one column holds whole elements.
func (t *FieldTable) Plain() bool { return t.plain }

// Array returns the elements as an array.
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

// fill fills the cells of a field, and of its inner fields, with the node of p.
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

// cell fills the cell of a field with the node of p, or adds the node to the others.
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
