package udon

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/object"
	"cutaway/model"
)

// View is the name of the view of Udon programs.
const View = "udon"

// Programs are the Udon programs and tables of public variables of a stream.
type Programs struct {
	s        *entry.Stream
	o        *object.Objects
	items    model.Once[[]item]
	children *model.Lazy
}

// New returns the programs of a stream, which marks their nodes.
func New(s *entry.Stream, o *object.Objects) *Programs {
	u := &Programs{s: s, o: o}
	u.children = model.NewLazy(u.nodes)
	return u
}

// Root returns the root of the Udon view of the stream.
func (u *Programs) Root(name string) model.Node {
	return model.Node{Name: name, Type: "Udon", Spans: []model.Span{u.s.Bounds()}, Children: u.children}
}

// An item is a program or a table of public variables.
type item struct {
	kind    string // its name
	segment string
	program *program // nil for variables
	entry   int64
}

const programPart = "program"

// all loads the items of the stream, once.
func (u *Programs) all(ctx context.Context, progress model.Progress) ([]item, error) {
	list, err := u.items.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*[]item, error) {
		nodes, err := u.s.Marked(ctx, progress)
		if err != nil {
			return nil, err
		}
		var list []item
		var segments model.Segments
		for _, i := range nodes[:min(len(nodes), maxPrograms)] {
			e := u.s.Entry(ctx, i)
			t, _ := dotnet.Parse(e.Type.Name)
			it := item{kind: programPart, entry: i}
			if t.Full == TypeVariables {
				it.kind = "variables"
			}
			it.segment = segments.Add(it.kind)
			if it.kind == programPart {
				it.program = u.load(ctx, i, u.s.Base(View)+"/"+it.segment)
			}
			list = append(list, it)
		}
		return &list, nil
	})
	if err != nil {
		return nil, err
	}
	return *list, nil
}

// maxPrograms bounds the programs of one stream that are shown: real streams have one.
const maxPrograms = 100

func (u *Programs) nodes(ctx context.Context, progress model.Progress) (model.Children, error) {
	list, err := u.all(ctx, progress)
	if err != nil {
		return nil, err
	}
	var nodes []model.Node
	for _, it := range list {
		if it.program != nil {
			nodes = append(nodes, it.program.node(ctx, it.kind))
		} else {
			nodes = append(nodes, u.variablesNode(ctx, it.entry, it.kind))
		}
	}
	return model.NewList(nodes...), nil
}

// Totals are sums over programs and tables of public variables.
type Totals struct{ Programs, Instructions, Slots, Capacity, Symbols, Points, Variables int64 }

// Count adds the programs and variables of the stream to sums.
func (u *Programs) Count(ctx context.Context, progress model.Progress, sum *Totals) error {
	list, err := u.all(ctx, progress)
	for _, it := range list {
		if it.program == nil {
			sum.Variables += int64(len(u.variables(ctx, it.entry)))
			continue
		}
		sum.Programs++
		sum.Instructions += int64(len(it.program.lines))
		sum.Slots += int64(len(it.program.slots))
		sum.Capacity += it.program.capacity
		sum.Symbols += int64(len(it.program.symbols))
		sum.Points += int64(len(it.program.points))
	}
	return err
}

// Check reports the problems of the programs. pathOf returns the path of a problem from that in the Udon view and the entry of the program.
func (u *Programs) Check(ctx context.Context, progress model.Progress, pathOf func(path string, program int64) string, report func(path string, p model.Problem)) error {
	list, err := u.all(ctx, progress)
	if err != nil {
		return err
	}
	for _, it := range list {
		if it.program == nil {
			continue
		}
		err := it.program.check(ctx, func(path string, p model.Problem) { report(pathOf(path, it.entry), p) })
		if err != nil {
			return fmt.Errorf("checking a program: %w", err)
		}
	}
	return nil
}

// The tables of a program, in the order of their nodes. Their rows are the places that something of the program can name.
const (
	inPoints = iota
	inSymbols
	inHeap
	inSync
	inCode
	placeGroups
)

// table is one of a program's tables.
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
	symbols := func(list []symbol, title string, group int) table {
		t := table{name: strings.ToLower(title), rows: len(list), rowName: func(i int) string { return list[i].name },
			rowEntry: func(i int) int64 { return list[i].entry },
			row:      func(_ context.Context, i int, n *model.Node) { p.showSymbol(&list[i], group, n) }}
		t.card = p.symbolTable(title, group, list)
		t.uniquely()
		return t
	}
	points, names := symbols(p.points, "Entry points", inPoints), symbols(p.symbols, "Symbols", inSymbols)
	points.member, points.brief, points.help = "EntryPoints", model.Counted(int64(len(p.points)), "entry point"), "names of addresses in the code"
	names.member, names.brief, names.help = "SymbolTable", model.Counted(int64(len(p.symbols)), "symbol"), "names of heap indexes"
	p.tables = [placeGroups]table{inPoints: points, inSymbols: names,
		inHeap: {name: "heap", member: "Heap", brief: fmt.Sprintf("%d of %d slots", len(p.slots), p.capacity),
			help: "only slots that hold something are written", rows: len(p.slots), rowName: p.slotName, segment: p.slotSegment,
			rowEntry: func(i int) int64 { return p.slots[i].entry }, row: p.showSlot, card: p.heapTable()},
		inSync: {name: "sync", member: "SyncMetadataTable", brief: model.Counted(int64(len(p.sync)), "synced variable"),
			help: "variables that are kept the same over the network", rows: len(p.sync), rowName: func(i int) string { return p.sync[i].name },
			rowEntry: func(i int) int64 { return p.sync[i].entry }, row: p.showSync},
		inCode: {name: "code", member: "ByteCode", brief: model.Counted(int64(len(p.lines)), "instruction"),
			help: "big-endian words; an address is an offset in bytes", rows: len(p.lines),
			rowName: func(i int) string { return lineName(p.lines[i]) }, row: p.showLine, find: p.lineNamed, card: p.listing()},
	}
	p.tables[inSync].uniquely()
}

// node is the program.
func (p *program) node(ctx context.Context, name string) model.Node {
	s := p.s
	n := model.Node{Name: name, Type: "Udon program", Spans: []model.Span{s.Span(p.entry)}, Refs: s.EntryRefs(p.entry),
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

// tableNode is a table with its rows.
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

// rows are the rows of a table.
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

// rowNode is a row of a table; its refs lead to its entry and to what it names.
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
		n.Help = "symbol " + strings.Join(names, " ")
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

// symbolsOf are the names of a heap index.
func (p *program) symbolsOf(index uint32) (names []string) {
	for _, k := range p.bySymbol[index] {
		names = append(names, p.symbols[k].name)
	}
	return names
}

// typeThis is the type of a heap value that stands for a component of the object that the program belongs to.
const typeThis = "VRC.Udon.Common.UdonGameObjectComponentHeapReference"

// component is the type of the component that a slot is set to when the program is loaded; "" where it holds a value.
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

func (p *program) lineNamed(segment string) (int64, bool) {
	address, err := strconv.ParseUint(segment, 0, 32)
	if err != nil || lineName(uint32(address)) != segment {
		return 0, false
	}
	return p.lineOf(uint32(address))
}

func lineName(address uint32) string { return fmt.Sprintf("%#04x", address) }

// showLine completes the node of an instruction.
func (p *program) showLine(ctx context.Context, i int, n *model.Node) {
	in := p.instruction(int64(i))
	at := p.code.span(ctx, int64(in.address), in.size)
	n.Type, n.Spans, n.Help = in.code.name, []model.Span{at}, in.code.help
	if text := p.operandText(ctx, &in); text != "" {
		n.Value = model.Text(text)
	}
	n.Problems = p.lineProblems(&in, at)
	n.Refs = func(context.Context) []model.Ref { return p.refs(p.lineOperands(&in)) }
}

// lineProblems returns the problems of an instruction.
func (p *program) lineProblems(in *instruction, at model.Span) []model.Problem {
	var pr model.Problem
	switch {
	case in.cut:
		pr = model.Problemf(model.Truncated, ruleInstruction, at, "the byte code ends inside an instruction")
	case !in.known:
		pr = model.Problemf(model.Malformed, ruleOpcode, at, "no instruction has this opcode").Want("0 to 9, but not 3", in.op)
	case in.op == opJump || in.op == opJumpIfFalse:
		if _, ok := p.lineOf(in.operand); ok || in.operand == returnAddress {
			return nil
		}
		pr = model.Problemf(model.Suspicious, ruleJump, at, "no instruction begins at the target of the jump").
			Want("the address of an instruction, or 0xfffffffc", fmt.Sprintf("%#x", in.operand))
	case in.op == opPush || in.op == opExtern || in.op == opJumpIndirect:
		if _, ok := p.bySlot[in.operand]; ok {
			return nil
		}
		pr = model.Problemf(model.Suspicious, ruleOperand, at, "the operand is no heap index that holds something").
			Want("an index on the heap", in.operand)
	default:
		return nil
	}
	return []model.Problem{pr}
}

// variablesNode is a table of the public variables of an UdonBehaviour.
func (u *Programs) variablesNode(ctx context.Context, i int64, name string) model.Node {
	list := u.variables(ctx, i)
	return model.Node{Name: name, Type: "Udon public variables", Brief: model.Counted(int64(len(list)), "variable"),
		Spans: []model.Span{u.s.Span(i)}, Refs: u.s.EntryRefs(i),
		Children: model.Defer(func(ctx context.Context) model.Children { return u.variableNodes(ctx, list) })}
}

func (u *Programs) variableNodes(ctx context.Context, list []int64) model.Children {
	var nodes []model.Node
	for _, v := range list {
		nodes = append(nodes, u.variableNode(ctx, v))
	}
	return model.NewList(nodes...)
}

// variables returns the entries of the variables of a table.
func (u *Programs) variables(ctx context.Context, table int64) []int64 {
	return u.o.Elements(ctx, u.o.Members(ctx, table).Entry("Variables"))
}

func (u *Programs) variableNode(ctx context.Context, i int64) model.Node {
	m := u.o.Members(ctx, i)
	n := model.Node{Type: "unreadable"}
	if v := m.Entry("Value"); v >= 0 {
		n = u.o.Node(ctx, v, "")
	}
	n.Name = u.o.Text(ctx, m.Entry("SymbolName"))
	if t, ok := dotnet.Parse(u.s.Entry(ctx, i).Type.Name); ok && len(t.Args) == 1 {
		n.Type = t.Args[0].Short()
	}
	n.Spans = []model.Span{u.s.Span(i)}
	n.Problems = nil
	refs := n.Refs
	n.Refs = func(ctx context.Context) []model.Ref {
		list := u.s.EntryRefs(i)(ctx)
		if refs != nil {
			list = append(list, refs(ctx)...)
		}
		return list
	}
	return n
}
