package udon

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// A Variable is a value that a component or a program has for a name at the start.
type Variable struct {
	Names []string // the symbols
	Path  string   // of its node
	Type  string   // the .NET type, without its assembly
	Entry int64    // of the value
	Slot  bool     // it is in the heap of a program, where a public variable of a component wins over it
	Notes []string // sentences on the effects of a change
}

// VariableAt returns the variable that a node stands for, or that it names: a public variable, a slot of the heap, a symbol, or an
// instruction. down is the path below the root of the stream's Udon view.
func (u *Programs) VariableAt(ctx context.Context, down []*model.Place) (v Variable, ok bool) {
	list := u.items.Made()
	if list == nil || len(down) < 2 || down[0].Index >= int64(len(*list)) {
		return v, false
	}
	it := (*list)[down[0].Index]
	if it.program == nil {
		return u.public(ctx, it.entry, down[1].Index, down[1].Path())
	}
	if len(down) < 3 {
		return v, false
	}
	p := it.program
	group := slices.IndexFunc(p.tables[:], func(t table) bool { return t.name == down[1].Node.Name })
	switch {
	case group == inHeap:
		return p.variable(ctx, int(down[2].Index))
	case group != inCode && group != inSymbols:
		return v, false
	}
	operands := p.operands(group, int(down[2].Index))
	if k := slices.IndexFunc(operands, func(o operand) bool { return o.group == inHeap }); k >= 0 {
		return p.variable(ctx, operands[k].i)
	}
	return v, false
}

// public returns variable k of a table of public variables.
func (u *Programs) public(ctx context.Context, table, k int64, path string) (v Variable, ok bool) {
	list := u.variables(ctx, table)
	if k < 0 || k >= int64(len(list)) {
		return v, false
	}
	m := u.o.Members(ctx, list[k])
	v = Variable{Names: []string{u.o.Text(ctx, m.Entry("SymbolName"))}, Path: path, Entry: m.Entry("Value")}
	if t, ok := dotnet.Parse(u.s.Entry(ctx, list[k]).Type.Name); ok && len(t.Args) == 1 {
		v.Type = t.Args[0].Full
	}
	return v, v.Entry >= 0
}

// PublicNamed returns the public variables of the stream that have one of the names.
func (u *Programs) PublicNamed(ctx context.Context, names []string) (all []Variable) {
	list, err := u.load(ctx, nil)
	if err != nil {
		return nil
	}
	for _, it := range list {
		if it.program != nil {
			continue
		}
		variables := u.variables(ctx, it.entry)
		nodes := u.variableNodes(ctx, variables)
		for k := range variables {
			n := nodes.At(ctx, int64(k))
			path := n.PathUnder(u.s.BasePath(View) + "/" + model.EscapeSegment(it.segment))
			if v, ok := u.public(ctx, it.entry, int64(k), path); ok && slices.Contains(names, v.Names[0]) {
				all = append(all, v)
			}
		}
	}
	return all
}

// variable returns the variable in slot k.
func (p *program) variable(ctx context.Context, k int) (v Variable, ok bool) {
	sl := &p.slots[k]
	v = Variable{Names: p.symbolsOf(sl.index), Path: p.placePath(inHeap, k), Entry: sl.value, Slot: true}
	if t, ok := dotnet.Parse(sl.typ); ok && len(t.Ranks) == 0 {
		v.Type = t.Full
	}
	if v.Entry < 0 {
		return v, false
	}
	if e := p.s.Entry(ctx, v.Entry); e.Kind == kind.InternalReference {
		if target, found := p.s.FindNode(ctx, e.Ref); found {
			v.Entry = target
		}
	}
	v.Notes = p.notes(ctx, sl, v)
	return v, true
}

// notes says what else a change of a slot's value means.
func (p *program) notes(ctx context.Context, sl *slot, v Variable) (notes []string) {
	switch exported := slices.ContainsFunc(p.bySymbol[sl.index], func(i int) bool { return p.symbols[i].exported }); {
	case exported:
		notes = append(notes, "A component that has "+strings.Join(v.Names, ", ")+" among its public variables starts with its own value, which wins over this one.")
	case len(v.Names) > 0:
		notes = append(notes, "It is not exported, so no component has a value of its own for it.")
	}
	if len(v.Names) > 1 {
		notes = append(notes, "The symbols "+strings.Join(v.Names, ", ")+" all name this slot.")
	}
	if shared := p.sharing(ctx, sl, v.Entry); len(shared) > 0 {
		notes = append(notes, "The value is shared: it changes in "+strings.Join(shared, ", ")+" too.")
	}
	used := 0
	for i := range p.lines {
		if in := p.instruction(int64(i)); !in.cut && in.operand == sl.index && (in.op == opPush || in.op == opExtern || in.op == opJumpIndirect) {
			used++
		}
	}
	if used > 0 {
		notes = append(notes, fmt.Sprintf("The code uses the slot in %s.", model.Counted(int64(used), "place")))
	}
	return append(notes, "The next compile writes the program again, without this change.")
}

// sharing names the other slots that refer to an object that holds the value of a slot.
func (p *program) sharing(ctx context.Context, own *slot, value int64) (names []string) {
	held := map[int64]bool{} // ids of the nodes from the slot down to the value
	holder := own
	for k := range p.slots {
		if sl := &p.slots[k]; sl.entry <= value && value < p.s.Next(sl.entry) {
			holder = sl
		}
	}
	for i := holder.entry; i <= value; {
		e := p.s.Entry(ctx, i)
		if e.Node != entry.NoNode {
			held[e.Node] = true
		}
		k, inside := p.s.ChildOver(i, value)
		if i == value || !inside {
			break
		}
		i = p.s.Child(i, k)
	}
	for k := range p.slots {
		sl := &p.slots[k]
		if sl == own {
			continue
		}
		shares := sl == holder
		for i := sl.entry; !shares && i < p.s.Next(sl.entry); i++ {
			e := p.s.Entry(ctx, i)
			shares = e.Kind == kind.InternalReference && held[e.Ref]
		}
		if shares {
			names = append(names, strings.TrimSpace(fmt.Sprintf("slot %d %s", sl.index, strings.Join(p.symbolsOf(sl.index), ", "))))
		}
	}
	return names
}
