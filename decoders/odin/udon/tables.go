package udon

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cutaway/decoders/odin/dotnet"
	"cutaway/model"
)

// The tables of a program, in the order of their nodes. Their rows are the places that something of the program can
// name.
const (
	inPoints = iota
	inSymbols
	inHeap
	inSync
	inCode
	placeGroups
)

// The names of tables that are introduced.
const heapName, symbolsName, pointsName = "heap", "symbols", "entry points"

// A table is one of the tables of a program.
type table struct {
	name, member string // of its node, and of the member of the program that it is read from
	brief, help  string
	rows         int
	rowName      func(i int) string
	segment      func(i int) string // of a path, or nil if it is the name
	rowEntry     func(i int) int64  // nil: the rows are no entries
	row          func(ctx context.Context, i int, n *model.Node)
	find         func(segment string) (int64, bool) // nil: rows are sought one after another
	card         model.Card
}

// setTables describes the tables of a program that is read.
func (p *program) setTables() {
	symbols := func(list []symbol, name string, group int) table {
		t := table{name: name, rows: len(list), rowName: func(i int) string { return list[i].name },
			rowEntry: func(i int) int64 { return list[i].entry },
			row:      func(_ context.Context, i int, n *model.Node) { p.showSymbol(&list[i], group, n) }}
		t.card = p.symbolTable(strings.ToUpper(name[:1])+name[1:], group, list)
		t.uniquely()
		return t
	}
	points, names := symbols(p.points, pointsName, inPoints), symbols(p.symbols, symbolsName, inSymbols)
	points.member, points.brief, points.help = "EntryPoints", model.Counted(int64(len(p.points)), "entry point"), "names of addresses in the code"
	names.member, names.brief, names.help = "SymbolTable", model.Counted(int64(len(p.symbols)), "symbol"), "names of heap indexes"
	p.tables = [placeGroups]table{inPoints: points, inSymbols: names,
		inHeap: {name: heapName, member: "Heap", brief: fmt.Sprintf("%d of %d slots", len(p.slots), p.capacity),
			help: "only slots that hold something are written", rows: len(p.slots), rowName: p.slotName, segment: p.slotSegment,
			rowEntry: func(i int) int64 { return p.slots[i].entry }, row: p.showSlot, card: p.heapTable()},
		inSync: {name: "sync", member: "SyncMetadataTable", brief: model.Counted(int64(len(p.sync)), "synced variable"),
			help: "variables that are kept the same over the network", rows: len(p.sync), rowName: func(i int) string { return p.sync[i].name },
			rowEntry: func(i int) int64 { return p.sync[i].entry }, row: p.showSync},
		inCode: {name: codeName, member: "ByteCode", brief: model.Counted(int64(len(p.lines)), "instruction"),
			help: "big-endian words; an address is an offset in bytes", rows: len(p.lines),
			rowName: func(i int) string { return lineName(p.lines[i]) }, row: p.showLine, find: p.lineNamed, card: p.listing()},
	}
	p.tables[inSync].uniquely()
}

// node returns the node of the program.
func (p *program) node(ctx context.Context, name string) model.Node {
	s := p.s
	n := model.Node{Name: name, Type: programType, Spans: []model.Span{s.Span(p.entry)}, Refs: s.EntryRefs(p.entry),
		Brief: fmt.Sprintf("%d instructions, %d heap slots, %d symbols", len(p.lines), len(p.slots), len(p.symbols))}
	var nodes []model.Node
	for _, f := range [][2]string{{"instruction set", "InstructionSetIdentifier"}, {"instruction set version", "InstructionSetVersion"}, {"update order", "UpdateOrder"}} {
		if i := p.o.Field(ctx, p.entry, f[1]); i >= 0 {
			e := s.Entry(ctx, i)
			nodes = append(nodes, model.Node{Name: f[0], Type: p.o.Type(ctx, &e), Value: e.Value, Spans: []model.Span{s.Span(i)}, Refs: s.EntryRefs(i)})
		}
	}
	for group := range p.tables {
		nodes = append(nodes, p.tableNode(ctx, group))
	}
	n.Children = model.NewList(nodes...)
	return n
}

// tableNode returns a table with its rows.
func (p *program) tableNode(ctx context.Context, group int) model.Node {
	t := &p.tables[group]
	n := model.Node{Name: t.name, Brief: t.brief, Help: t.help, Children: p.rows(group)}
	if i := p.members.Entry(t.member); i >= 0 {
		n.Spans, n.Refs = []model.Span{p.s.Span(i)}, p.s.EntryRefs(i)
	}
	if group == inCode {
		n.Type, n.Spans, n.Refs = "byte code", nil, nil
		if p.code.entry >= 0 {
			n.Refs = p.s.EntryRefs(p.code.entry)
		}
		if size := int64(len(p.code.bytes)); size > 0 {
			n.Spans = []model.Span{p.code.span(ctx, 0, size)}
		}
	}
	if t.card != nil {
		n.Cards = func(context.Context) []model.Card { return []model.Card{t.card} }
	}
	return n
}

// uniquely makes segments of names that may repeat.
func (t *table) uniquely() {
	segments := sync.OnceValue(func() *model.Segments {
		all := new(model.Segments)
		for i := range t.rows {
			all.Add(t.rowName(i))
		}
		return all
	})
	t.segment = func(i int) string { return segments().At(int64(i)) }
	t.find = func(segment string) (int64, bool) { return segments().Find(segment) }
}

// inPath returns the path segment of a row.
func (t *table) inPath(i int) string {
	if t.segment == nil {
		return t.rowName(i)
	}
	return t.segment(i)
}

// rows returns the rows of a table.
func (p *program) rows(group int) model.Children {
	t := &p.tables[group]
	find := func(is func(i int) bool) (int64, bool) {
		for i := range t.rows {
			if is(i) {
				return int64(i), true
			}
		}
		return 0, false
	}
	rows := &model.Rows{Count: int64(t.rows), Make: func(ctx context.Context, i int64) model.Node { return p.rowNode(ctx, group, int(i)) },
		ByName: func(_ context.Context, segment string) (int64, bool) {
			if t.find != nil {
				return t.find(segment)
			}
			return find(func(i int) bool { return t.inPath(i) == segment })
		}}
	if t.rowEntry != nil && group != inSymbols && group != inPoints { // whose rows are in the order of the file
		rows.ByByte = func(_ context.Context, src *model.Source, off int64) (int64, bool) {
			return find(func(i int) bool { return p.s.Span(t.rowEntry(i)).Covers(src, off) })
		}
	}
	return rows
}

// rowNode returns a row of a table. Its refs lead to its entry and to the places that it names.
func (p *program) rowNode(ctx context.Context, group, i int) model.Node {
	t := &p.tables[group]
	n := model.Node{}
	if t.rowEntry != nil {
		at := t.rowEntry(i)
		n.Spans = []model.Span{p.s.Span(at)}
		n.Refs = func(ctx context.Context) []model.Ref {
			return append(p.s.EntryRefs(at)(ctx), p.refs(p.operands(group, i))...)
		}
	}
	t.row(ctx, i, &n)
	n.Name = t.inPath(i)
	return n.Named(t.rowName(i))
}

// showSymbol completes the node of a symbol or an entry point.
func (p *program) showSymbol(sym *symbol, group int, n *model.Node) {
	if sym.exported {
		n.Help = "exported"
	}
	if n.Type, n.Value = dotnet.Short(sym.typ), model.Uint(sym.address); group == inPoints {
		n.Type, n.Value = "address", model.Text(lineName(sym.address))
	}
}

// showSlot completes the node of a place of the heap with its value, as the object view shows it.
func (p *program) showSlot(ctx context.Context, k int, n *model.Node) {
	sl := &p.slots[k]
	if sl.value >= 0 {
		value := p.o.Node(ctx, sl.value, "")
		n.Type, n.Value, n.Brief, n.Children, n.Elements = value.Type, value.Value, value.Brief, value.Children, value.Elements
	}
	if sl.typ != "" {
		n.Type = dotnet.Short(sl.typ)
	}
	if component := p.component(ctx, sl); component != "" {
		n.Value, n.Brief = model.Text("this "+component), ""
	}
	n.Help = "no symbol names this slot"
	if names := p.symbolsOf(sl.index); len(names) > 0 {
		n.Help = symbolHelp + strings.Join(names, " ")
	}
	refs := n.Refs
	n.Refs = func(ctx context.Context) []model.Ref {
		if sl.value < 0 {
			return refs(ctx)
		}
		e := p.s.Entry(ctx, sl.value)
		return append(refs(ctx), p.s.TargetRefs(ctx, &e, p.o.Path)...)
	}
}

// symbolHelp begins the help of slots that have symbols.
const symbolHelp = "symbol "

// symbolsOf returns the names of a heap index.
func (p *program) symbolsOf(index uint32) (names []string) {
	for _, k := range p.bySymbol[index] {
		names = append(names, p.symbols[k].name)
	}
	return names
}

// typeThis is the type of a heap value that stands for a component of the object that the program belongs to.
const typeThis = "VRC.Udon.Common.UdonGameObjectComponentHeapReference"

// component returns the type of the component that a slot is set to when the program is loaded, or "" if the slot holds
// a value.
func (p *program) component(ctx context.Context, sl *slot) string {
	if t, _ := dotnet.Parse(sl.typ); t.Full != typeThis || sl.value < 0 || !p.s.IsContainer(sl.value) {
		return ""
	}
	if n, _ := p.s.Count(sl.value); n == 0 {
		return ""
	}
	return dotnet.Short(p.o.TypeName(ctx, p.s.Child(sl.value, 0)))
}

// showSync completes the node of a synced variable.
func (p *program) showSync(_ context.Context, i int, n *model.Node) {
	x := &p.sync[i]
	n.Type, n.Value = "synced variable", model.Text(x.how)
	n.Refs = func(ctx context.Context) []model.Ref {
		refs := p.s.EntryRefs(x.entry)(ctx)
		if k := slices.IndexFunc(p.symbols, func(sym symbol) bool { return sym.name == x.name }); k >= 0 {
			refs = append(refs, p.refs([]operand{{"symbol", inSymbols, k, x.name}})...)
		}
		return refs
	}
}
