package udm

import (
	"context"
	"fmt"
	"math"

	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// packed is values of one size that are back to back: those of an array, or the one of a struct.
type packed struct {
	src   *model.Source
	off   int64
	count int64     // whole values
	typ   types.ID  // of a value
	shape *shape    // of a struct, else nil
	at    *nodePath // the layout node that has the values as its children
	lacks bool      // bytes could not be read
	alone bool      // the one struct of a property, whose members are the children
}

// LacksBytes makes Once ask again.
func (p *packed) LacksBytes() bool { return p.lacks }

// size is the bytes of one value.
func (p *packed) size() int64 {
	if p.shape != nil {
		return p.shape.stride
	}
	return p.typ.Size()
}

func (p *packed) elem() string {
	if p.shape != nil {
		return p.shape.String()
	}
	return types.Title(p.typ)
}

// array is the values as one; those of structs are left to the rows.
func (p *packed) array(context.Context) model.Value {
	if p.shape != nil {
		return nil
	}
	if p.size() == 0 {
		return &model.Elements{Type: p.elem(), Count: p.count, Make: func(context.Context, int64) (model.Value, error) {
			return model.None{}, nil
		}}
	}
	return &packedArray{p: p}
}

// children returns the values as nodes named [i], or nil if they have no bytes: then the array may have any number.
func (p *packed) children(refs bool) model.Children {
	if p.size() == 0 || p.count == 0 {
		return nil
	}
	return model.FixedRows(p.src, p.off, p.size(), p.count, func(ctx context.Context, i int64) model.Node { return p.row(ctx, i, refs) })
}

// row is the node of value i; with refs it leads to the one of the layout.
func (p *packed) row(ctx context.Context, i int64, refs bool) model.Node {
	at := p.src.Span(p.off+i*p.size(), p.size())
	n := model.Node{Name: model.IndexName(i), Type: p.elem(), Spans: []model.Span{at}}
	b, err := p.src.Bytes(ctx, at.Off, at.Len)
	if err != nil {
		n.Problems = []model.Problem{model.AsProblem(err, ascii.RuleRead, at)}
		return n
	}
	if refs {
		n.Refs = func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "layout", Path: p.at.child(model.IndexName(i)).String()}}
		}
	}
	if p.shape == nil {
		fill(&n, p.typ, b)
		return n
	}
	n.Type = types.Struct.String()
	n.Value = p.shape.tuple(b)
	n.Children = p.shape.members(p, i, b, refs)
	return n
}

// fill gives a node the value of a fixed-size type, with its problem and words.
func fill(n *model.Node, t types.ID, b []byte) {
	n.Value = t.Value(b)
	n.Help = t.Help()
	if t == types.Bool && b[0] > 1 {
		n.Problems = append(n.Problems, model.Problemf(model.Suspicious, ruleBool, n.Span(),
			"a bool is neither 0 nor 1; it is read as true").Want("0 or 1", b[0]))
	}
	if hidesBits(n.Value) {
		n.Brief = fmt.Sprintf("% x", b)
	}
}

// hidesBits reports whether a value has bits that its text does not show: those of a NaN.
func hidesBits(v model.Value) bool {
	switch v := v.(type) {
	case model.Float32:
		return v != v
	case model.Float64:
		return v != v
	case model.Half:
		return math.IsNaN(float64(v.Float()))
	case model.Tuple:
		for _, x := range v {
			if hidesBits(x) {
				return true
			}
		}
	}
	return false
}

// packedArray is the values of a packed as an array.
type packedArray struct {
	model.ArrayBase
	p *packed
}

var _ model.Packed = (*packedArray)(nil)

// Elem returns the type of a value.
func (a *packedArray) Elem() string { return a.p.elem() }

// Len returns the number of values.
func (a *packedArray) Len() int64 { return a.p.count }

// Read decodes some values.
func (a *packedArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	return a.p.each(ctx, first, int64(len(dst)), func(i int64, b []byte) { dst[i-first] = a.p.typ.Value(b) })
}

// Packing returns how the values are packed.
func (a *packedArray) Packing() model.Packing {
	p := a.p.typ.Packing()
	p.At = a.p.src.Span(a.p.off, a.p.count*a.p.size())
	return p
}

// each visits n values from first on, reading many at a time, and returns how many there were.
func (p *packed) each(ctx context.Context, first, n int64, visit func(i int64, b []byte)) (int, error) {
	const run = 64 << 10
	size := p.size()
	n = min(n, p.count-first)
	for done := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return int(done), err
		}
		some := min(n-done, max(run/size, 1))
		if some <= 0 {
			return int(done), nil
		}
		b, err := p.src.Bytes(ctx, p.off+(first+done)*size, some*size)
		if err != nil {
			return int(done), err
		}
		for i := range some {
			visit(first+done+i, b[i*size:(i+1)*size])
		}
		done += some
	}
}

// cards show structs as a table with a column for each member.
func (p *packed) cards(context.Context) func(context.Context) []model.Card {
	if p.shape == nil || p.size() == 0 || p.count == 0 {
		return nil
	}
	return func(context.Context) []model.Card {
		return []model.Card{&table{CardBase: model.CardBase{Title: "Table"}, p: p}}
	}
}

// table is an array of structs: a row for each, a column for each member.
type table struct {
	model.CardBase
	p *packed
}

var _ model.Table = (*table)(nil)

// Columns returns the members of a struct.
func (t *table) Columns() []model.Column { return t.p.shape.columns() }

// Rows returns the number of structs.
func (t *table) Rows() (int64, bool) { return t.p.count, true }

// Read decodes the members of some structs.
func (t *table) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	s := t.p.shape
	return t.p.each(ctx, first, int64(len(dst)), func(i int64, b []byte) {
		row := t.p.at.child(model.IndexName(i))
		at := t.p.off + i*s.stride
		for k, typ := range s.types {
			dst[i-first][k] = model.Cell{
				Value: typ.Value(b[s.offsets[k]:]),
				Spans: []model.Span{t.p.src.Span(at+s.offsets[k], typ.Size())},
				Path:  row.child(s.names[k]).String(),
			}
		}
	})
}

// show completes the layout's node of the values.
func (p *packed) show(ctx context.Context, n *model.Node) {
	n.Type, n.Brief = p.elem()+"[]", itemsText(p.count)
	n.Value, n.Children, n.Cards = p.array(ctx), p.children(false), p.cards(ctx)
	n.Elements = n.Children != nil
	if p.count == 0 {
		n.Columns = p.shape.columns()
	}
	if n.Value != nil {
		n.Brief = ""
	}
}

// columns returns the members of a struct, or none if s is nil.
func (s *shape) columns() []model.Column {
	columns := []model.Column{}
	if s == nil {
		return columns
	}
	for i, name := range s.names {
		columns = append(columns, model.Column{Name: name, Type: types.Title(s.types[i])})
	}
	return columns
}

// clamp returns a number as a signed one that can be compared with offsets: too large ones stay too large.
func clamp(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// mul is count × size without overflow.
func mul(count uint64, size int64) int64 {
	if size > 0 && count > uint64(math.MaxInt64/size) {
		return math.MaxInt64
	}
	return int64(count) * size
}

func itemsText(n int64) string { return model.Counted(n, "item") }
