package odin

import (
	"context"
	"fmt"
	"strconv"

	"cutaway/model"
)

// udonRoot is the root of the Udon view of one stream: its programs and tables of public variables.
func (s *stream) udonRoot(name string) model.Node {
	return model.Node{Name: name, Type: "Udon", Spans: []model.Span{s.whole()}, Children: s.udon}
}

// udonPart is a program or a table of public variables in a stream.
type udonPart struct {
	name    string
	program *program // nil: variables
	entry   int64
}

// udonParts loads the programs of a stream, once.
func (s *stream) udonParts(ctx context.Context, progress model.Progress) ([]udonPart, error) {
	parts, err := s.programs.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*[]udonPart, error) {
		nodes, err := s.programsOf(ctx, progress)
		if err != nil {
			return nil, err
		}
		var parts []udonPart
		again := map[string]int{}
		for _, i := range nodes[:min(len(nodes), maxPrograms)] {
			e := s.entry(ctx, i)
			t, _ := parseType(e.typ.name)
			part := udonPart{name: "program", entry: i}
			if t.full == typeVariableTable {
				part.name = "variables"
			}
			kind := part.name
			if again[kind]++; again[kind] > 1 {
				part.name = fmt.Sprintf("%s~%d", kind, again[kind])
			}
			if kind == "program" {
				part.program = s.loadProgram(ctx, i, s.base(viewUdon)+"/"+part.name)
			}
			parts = append(parts, part)
		}
		return &parts, nil
	})
	if err != nil {
		return nil, err
	}
	return *parts, nil
}

// maxPrograms bounds the programs of one stream that are shown: real streams have one.
const maxPrograms = 100

func (s *stream) udonChildren(ctx context.Context, progress model.Progress) (model.Children, error) {
	parts, err := s.udonParts(ctx, progress)
	if err != nil {
		return nil, err
	}
	var nodes []model.Node
	for _, part := range parts {
		if part.program != nil {
			nodes = append(nodes, part.program.node(ctx, part.name))
		} else {
			nodes = append(nodes, s.variablesNode(ctx, part.entry, part.name))
		}
	}
	return model.NewList(nodes...), nil
}

func (s *stream) entryRef(i int64) func(context.Context) []model.Ref {
	return func(ctx context.Context) []model.Ref {
		return []model.Ref{{Kind: "entry", Path: s.path(ctx, viewEntries, i)}}
	}
}

// node is the program.
func (p *program) node(ctx context.Context, name string) model.Node {
	s := p.s
	n := model.Node{Name: name, Type: "Udon program", Spans: []model.Span{s.span(p.entry)}, Refs: s.entryRef(p.entry),
		Brief: fmt.Sprintf("%d instructions, %d heap slots, %d symbols", len(p.lines), len(p.slots), len(p.symbols))}
	var nodes []model.Node
	for _, f := range []struct {
		name  string
		entry int64
	}{{"instruction set", p.identifier}, {"instruction set version", p.version}, {"update order", p.order}} {
		if f.entry >= 0 {
			e := s.entry(ctx, f.entry)
			nodes = append(nodes, model.Node{Name: f.name, Type: s.objectType(ctx, &e), Value: e.value, Spans: []model.Span{s.span(f.entry)}, Refs: s.entryRef(f.entry)})
		}
	}
	part := func(name, of, brief, help string, children model.Children, cards ...model.Card) {
		node := model.Node{Name: name, Brief: brief, Help: help, Children: children}
		if i := p.parts[of]; i >= 0 {
			node.Spans = []model.Span{s.span(i)}
			node.Refs = s.entryRef(i)
		}
		if len(cards) > 0 {
			node.Cards = func(context.Context) []model.Card { return cards }
		}
		nodes = append(nodes, node)
	}
	part("entry points", "EntryPoints", model.Counted(int64(len(p.points)), "entry point"), "names of addresses in the code",
		p.symbolRows(p.points, p.pointNode), p.symbolTable("Entry points", p.points, p.pointNode))
	part("symbols", "SymbolTable", model.Counted(int64(len(p.symbols)), "symbol"), "names of heap indexes",
		p.symbolRows(p.symbols, p.symbolNode), p.symbolTable("Symbols", p.symbols, p.symbolNode))
	part("heap", "Heap", fmt.Sprintf("%d of %d slots", len(p.slots), p.capacity), "only slots that hold something are written",
		&model.Rows{Count: int64(len(p.slots)), Make: func(ctx context.Context, i int64) model.Node { return p.slotNode(ctx, int(i)) }, Find: p.slotNamed, ByByte: p.slotOver},
		p.heapTable())
	part("sync", "SyncMetadataTable", model.Counted(int64(len(p.sync)), "synced variable"), "variables that are kept the same over the network",
		&model.Rows{Count: int64(len(p.sync)), Make: p.syncNode, Find: p.syncNamed})
	code := model.Node{Name: "code", Type: "byte code", Brief: model.Counted(int64(len(p.lines)), "instruction"), Children: p.codeRows(),
		Help: "big-endian words; an address is an offset in bytes", Cards: func(context.Context) []model.Card { return []model.Card{p.listing()} }}
	if p.code.entry >= 0 {
		code.Refs = s.entryRef(p.code.entry)
		if n := int64(len(p.code.bytes)); n > 0 {
			code.Spans = []model.Span{p.code.span(ctx, 0, n)}
		}
	}
	n.Children = model.NewList(append(nodes, code)...)
	return n
}

// symbolRows is a symbol table as children, named by the symbols; the second of a name is name~2.
func (p *program) symbolRows(list []symbol, make func(i int64, name string) model.Node) model.Children {
	return model.DeferList(func(context.Context) []model.Node {
		var all []model.Node
		for i := range list {
			all = append(all, make(int64(i), list[i].name))
		}
		return all
	})
}

func (p *program) pointNode(i int64, name string) model.Node {
	sym := &p.points[i]
	n := p.symbolBase(sym, name)
	n.Type = "address"
	n.Value = model.Text(fmt.Sprintf("%#04x", sym.address))
	n.Refs = func(ctx context.Context) []model.Ref {
		return append(p.s.entryRef(sym.entry)(ctx), p.refs(p.operands(inPoints, int(i)))...)
	}
	return n
}

func (p *program) symbolBase(sym *symbol, name string) model.Node {
	n := model.Node{Name: name, Spans: []model.Span{p.s.span(sym.entry)}}
	if sym.exported {
		n.Help = "exported"
	}
	return n
}

func (p *program) symbolNode(i int64, name string) model.Node {
	sym := &p.symbols[i]
	n := p.symbolBase(sym, name)
	n.Type = shortType(sym.typ)
	n.Value = model.Uint(sym.address)
	n.Refs = func(ctx context.Context) []model.Ref {
		return append(p.s.entryRef(sym.entry)(ctx), p.refs(p.operands(inSymbols, int(i)))...)
	}
	return n
}

// slotNode is a place of the heap with its value, as the object view shows it.
func (p *program) slotNode(ctx context.Context, k int) model.Node {
	sl := &p.slots[k]
	n := model.Node{}
	if sl.value >= 0 {
		n = p.s.objectNode(ctx, sl.value, "")
	}
	inner := n.Type
	n.Name, n.Type, n.Refs = p.slotName(k), shortType(sl.typ), nil
	if sl.typ == "" {
		n.Type = inner
	}
	n.Spans = []model.Span{p.s.span(sl.entry)}
	n.Help = "symbol"
	n.Problems = nil
	if component := p.component(ctx, sl); component != "" {
		n.Value, n.Brief = model.Text("this "+component), ""
	}
	words := ""
	for _, i := range p.bySymbol[sl.index] {
		words += " " + p.symbols[i].name
	}
	if n.Help += words; words == "" {
		n.Help = "no symbol names this slot"
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		refs := p.s.entryRef(sl.entry)(ctx)
		if sl.value >= 0 {
			e := p.s.entry(ctx, sl.value)
			refs = append(refs, p.s.targetRefs(ctx, viewObjects, &e)...)
		}
		return refs
	}
	return n
}

// typeThis is what stands on the heap for a component of the object that the program belongs to.
const typeThis = "VRC.Udon.Common.UdonGameObjectComponentHeapReference"

// component is the type of the component that a slot is set to when the program is loaded; "" where it holds a value.
func (p *program) component(ctx context.Context, sl *slot) string {
	if t, _ := parseType(sl.typ); t.full != typeThis || sl.value < 0 || p.s.class(sl.value) == plain {
		return ""
	}
	if n, _ := p.s.count(sl.value); n == 0 {
		return ""
	}
	return shortType(p.s.typeAt(ctx, p.s.child(sl.value, 0)))
}

func (p *program) slotNamed(_ context.Context, name string) (int64, bool) {
	for k := range p.slots {
		if p.slotName(k) == name {
			return int64(k), true
		}
	}
	return 0, false
}

func (p *program) slotOver(_ context.Context, src *model.Source, off int64) (int64, bool) {
	for k := range p.slots {
		if p.s.span(p.slots[k].entry).Covers(src, off) {
			return int64(k), true
		}
	}
	return 0, false
}

func (p *program) syncNode(_ context.Context, i int64) model.Node {
	x := &p.sync[i]
	return model.Node{Name: p.syncName(i), Type: "synced variable", Value: model.Text(x.how), Spans: []model.Span{p.s.span(x.entry)},
		Refs: func(ctx context.Context) []model.Ref {
			refs := p.s.entryRef(x.entry)(ctx)
			for k := range p.symbols {
				if p.symbols[k].name == x.name {
					return append(refs, p.refs([]operand{{"symbol", inSymbols, k, x.name}})...)
				}
			}
			return refs
		}}
}

func (p *program) syncName(i int64) string {
	for _, before := range p.sync[:i] {
		if before.name == p.sync[i].name {
			return fmt.Sprintf("%s~%d", p.sync[i].name, i+1)
		}
	}
	return p.sync[i].name
}

func (p *program) syncNamed(_ context.Context, name string) (int64, bool) {
	for i := range p.sync {
		if p.syncName(int64(i)) == name {
			return int64(i), true
		}
	}
	return 0, false
}

func (p *program) codeRows() model.Children {
	return &model.Rows{Count: int64(len(p.lines)), Make: p.lineNode,
		Find: func(_ context.Context, name string) (int64, bool) {
			address, err := strconv.ParseUint(name, 0, 32)
			if err != nil || lineName(uint32(address)) != name {
				return 0, false
			}
			return p.lineOf(uint32(address))
		}}
}

func lineName(address uint32) string { return fmt.Sprintf("%#04x", address) }

func (p *program) linePath(i int64) string { return p.path + "/code/" + lineName(p.lines[i]) }

// lineNode is one instruction.
func (p *program) lineNode(ctx context.Context, i int64) model.Node {
	in := p.instruction(i)
	at := p.code.span(ctx, int64(in.address), in.size)
	n := model.Node{Name: lineName(in.address), Type: in.code.name, Spans: []model.Span{at}, Help: in.code.help}
	if text := p.operandText(ctx, &in); text != "" {
		n.Value = model.Text(text)
	}
	n.Problems = p.lineProblems(&in, at)
	n.Refs = func(context.Context) []model.Ref { return p.refs(p.lineOperands(&in)) }
	return n
}

// lineProblems are what is wrong with an instruction.
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
func (s *stream) variablesNode(ctx context.Context, i int64, name string) model.Node {
	list := s.elementsOf(ctx, s.variablesList(ctx, i))
	return model.Node{Name: name, Type: "Udon public variables", Brief: model.Counted(int64(len(list)), "variable"),
		Spans: []model.Span{s.span(i)}, Refs: s.entryRef(i),
		Children: model.DeferList(func(ctx context.Context) []model.Node {
			var nodes []model.Node
			for _, v := range list {
				nodes = append(nodes, s.variableNode(ctx, v))
			}
			return nodes
		})}
}

func (s *stream) variablesList(ctx context.Context, i int64) int64 {
	if v, ok := s.membersOf(ctx, i)["Variables"]; ok {
		return v
	}
	return noEntry
}

func (s *stream) variableNode(ctx context.Context, i int64) model.Node {
	m := s.membersOf(ctx, i)
	n := model.Node{Type: "unreadable"}
	if v, ok := m["Value"]; ok {
		n = s.objectNode(ctx, v, "")
	}
	if at, ok := m["SymbolName"]; ok {
		n.Name = s.textAt(ctx, at)
	}
	e := s.entry(ctx, i)
	if t, ok := parseType(e.typ.name); ok && len(t.args) == 1 {
		n.Type = t.args[0].Short()
	}
	n.Spans = []model.Span{s.span(i)}
	n.Problems = nil
	refs := n.Refs
	n.Refs = func(ctx context.Context) []model.Ref {
		list := s.entryRef(i)(ctx)
		if refs != nil {
			list = append(list, refs(ctx)...)
		}
		return list
	}
	return n
}
