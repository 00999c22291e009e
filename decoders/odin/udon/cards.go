package udon

import (
	"context"
	"strings"
	"sync"

	"cutaway/model"
)

// A nodeTable is a table whose rows are nodes.
type nodeTable struct {
	model.CardBase
	columns []model.Column
	rows    int64
	row     func(ctx context.Context, i int64) []model.Cell
}

func (t *nodeTable) Columns() []model.Column { return t.columns }

func (t *nodeTable) Rows() (int64, bool) { return t.rows, true }

func (t *nodeTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	for i := range dst {
		if first+int64(i) >= t.rows {
			return i, nil
		}
		if err := ctx.Err(); err != nil {
			return i, err
		}
		copy(dst[i], t.row(ctx, first+int64(i)))
	}
	return len(dst), nil
}

// cellOf returns the value of a node as a cell.
func cellOf(n model.Node) model.Cell {
	if n.Value == nil {
		return model.Cell{Value: model.Text(n.Brief), Spans: n.Spans}
	}
	return model.Cell{Value: n.Value, Spans: n.Spans}
}

// heapTable returns the table of the heap.
func (p *program) heapTable() model.Card {
	return &nodeTable{CardBase: model.CardBase{Title: "Heap"}, rows: int64(len(p.slots)),
		columns: []model.Column{{Name: "index", Type: "uint"}, {Name: "symbol", Type: "string"}, {Name: "type", Type: "Type"}, {Name: "value"}},
		row: func(ctx context.Context, i int64) []model.Cell {
			n := p.rowNode(ctx, inHeap, int(i))
			sl := &p.slots[i]
			path := p.placePath(inHeap, int(i))
			value := cellOf(n)
			value.Path = path
			return []model.Cell{
				{Value: model.Uint(sl.index), Spans: n.Spans, Path: path}, {Value: model.Text(strings.Join(p.symbolsOf(sl.index), ", ")), Path: path},
				{Value: model.Text(n.Type), Spans: n.Spans, Path: path}, value,
			}
		}}
}

// symbolTable returns a table of symbols or entry points.
func (p *program) symbolTable(title string, group int, list []symbol) model.Card {
	return &nodeTable{CardBase: model.CardBase{Title: title}, rows: int64(len(list)),
		columns: []model.Column{{Name: "name", Type: "string"}, {Name: "address", Type: "uint"}, {Name: "type", Type: "Type"}, {Name: "exported", Type: "bool"}},
		row: func(ctx context.Context, i int64) []model.Cell {
			sym := &list[i]
			n := p.rowNode(ctx, group, int(i))
			return []model.Cell{
				{Value: model.Text(sym.name), Spans: n.Spans, Path: p.placePath(group, int(i))}, {Value: n.Value, Spans: n.Spans},
				{Value: model.Text(n.Type), Spans: n.Spans}, {Value: model.Bool(sym.exported), Spans: n.Spans},
			}
		}}
}

// Shows returns the path of the code of the program that a node is, or that is the first below it. Of several payloads none is shown.
func Shows(ctx context.Context, p *model.Place) (path string, beside bool) {
	if p.Node.Type == programType {
		return p.Path() + "/" + codeName, false
	}
	if p.Parent != nil && p.Node.Type != streamType || p.Node.Children == nil || p.Resolve(ctx, nil) != nil {
		return "", false
	}
	p = p.Fresh(ctx)
	n, _ := p.Len(ctx)
	for i := range n {
		if c := p.Child(ctx, i); c.Node.Type == programType || n == 1 && p.Parent == nil {
			return Shows(ctx, c)
		}
	}
	return "", false
}

// A listing is the byte code as text.
type listing struct {
	model.CardBase
	p      *program
	labels func() []model.Label
}

// listing returns the byte code as text.
func (p *program) listing() model.Card {
	return &listing{model.CardBase{Title: "Byte code"}, p, sync.OnceValue(p.labels)}
}

func (l *listing) Lines() (int64, bool) { return int64(len(l.p.lines)), true }

func (l *listing) Read(ctx context.Context, first int64, dst []model.Line) (int, error) {
	p := l.p
	for i := range dst {
		k := first + int64(i)
		if k >= int64(len(p.lines)) {
			return i, nil
		}
		if err := ctx.Err(); err != nil {
			return i, err
		}
		in := p.instruction(k)
		w := p.writeLine(ctx, &in)
		line := model.Line{Text: w.text, Tokens: w.tokens, Spans: []model.Span{p.code.span(ctx, int64(in.address), in.size)}, Target: -1, Path: p.placePath(inCode, int(k))}
		if target, ok := p.lineOf(in.operand); ok && in.jumps() {
			line.Target = target
		}
		dst[i] = line
	}
	return len(dst), nil
}

func (l *listing) Labels() []model.Label { return l.labels() }

func (l *listing) Uses(i int64) []int64 { return l.p.uses(i) }
