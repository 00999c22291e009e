package udon

import (
	"context"
	"fmt"
	"slices"

	"cutaway/model"
)

// PathOver returns the path of the node of the Udon view over a byte, or "" if none has the byte.
func (u *Programs) PathOver(ctx context.Context, at model.Span) (string, error) {
	list, err := u.load(ctx, nil)
	if err != nil {
		return "", err
	}
	for _, it := range list {
		switch {
		case !u.s.Span(it.entry).Covers(at.Source, at.Off):
			continue
		case it.program != nil:
			return it.program.pathOver(at), nil
		}
		base := u.s.BasePath(View) + "/" + it.segment
		list := u.variables(ctx, it.entry)
		for i, v := range list {
			if u.s.Span(v).Covers(at.Source, at.Off) {
				n := u.variableNodes(ctx, list).At(ctx, int64(i))
				return n.PathUnder(base), nil
			}
		}
		return base, nil
	}
	return "", nil
}

// pathOver returns the path of the deepest node of the program over a byte, or over its code that of the whole code.
func (p *program) pathOver(at model.Span) string {
	covers := func(entry int64) bool { return entry >= 0 && p.s.Span(entry).Covers(at.Source, at.Off) }
	for group, t := range p.tables {
		for i := range t.rows {
			if t.rowEntry != nil && covers(t.rowEntry(i)) {
				return p.placePath(group, i)
			}
		}
		if covers(p.members.Entry(t.member)) {
			return p.path + "/" + t.name
		}
	}
	return p.path
}

// number returns the number of a place among those of the program.
func (p *program) number(group, i int) int64 {
	for _, before := range p.tables[:group] {
		i += before.rows
	}
	return int64(i)
}

// place returns the place with a number.
func (p *program) place(number int64) (group, i int) {
	for group, t := range p.tables {
		if number < int64(t.rows) {
			return group, int(number)
		}
		number -= int64(t.rows)
	}
	return placeGroups, 0
}

// An operand is a place that another names.
type operand struct {
	kind  string
	group int
	i     int
	text  string
}

// operands returns the places that a place names.
func (p *program) operands(group, i int) []operand {
	switch group {
	case inCode:
		in := p.instruction(int64(i))
		return p.lineOperands(&in)
	case inSymbols:
		if k, ok := p.bySlot[p.symbols[i].address]; ok {
			return []operand{{"heap", inHeap, k, fmt.Sprint(p.symbols[i].address)}}
		}
	case inPoints:
		if k, ok := p.lineOf(p.points[i].address); ok {
			return []operand{{codeName, inCode, int(k), lineName(p.points[i].address)}}
		}
	}
	return nil
}

// lineOperands returns the places that an instruction names.
func (p *program) lineOperands(in *instruction) []operand {
	if in.cut || !in.code.operand {
		return nil
	}
	var list []operand
	switch in.op {
	case opJump, opJumpIfFalse:
		if k, ok := p.lineOf(in.operand); ok {
			list = append(list, operand{"jump", inCode, int(k), lineName(in.operand)})
		}
	case opPush, opExtern, opJumpIndirect:
		if k, ok := p.bySlot[in.operand]; ok {
			list = append(list, operand{"heap", inHeap, k, fmt.Sprint(in.operand)})
		}
		for _, k := range p.bySymbol[in.operand] {
			list = append(list, operand{"symbol", inSymbols, k, p.symbols[k].name})
		}
	}
	return list
}

// refs links to operands.
func (p *program) refs(list []operand) []model.Ref {
	var refs []model.Ref
	for _, o := range list {
		refs = append(refs, model.Ref{Kind: o.kind, Path: p.placePath(o.group, o.i), Text: o.text})
	}
	return refs
}

// placePath returns the path of a row of a table in the Udon view.
func (p *program) placePath(group, i int) string {
	t := &p.tables[group]
	return p.path + "/" + t.name + "/" + model.EscapeSegment(t.inPath(i))
}

// eachProgram visits the programs that are loaded, with the number of the first place of each, until visit returns
// false. It returns the number of places before the one where it stopped.
func (u *Programs) eachProgram(visit func(item int, first int64, p *program) bool) (places int64) {
	list := u.items.Made()
	if list == nil {
		return 0
	}
	for i, it := range *list {
		if it.program == nil {
			continue
		}
		if !visit(i, places, it.program) {
			break
		}
		places += it.program.number(placeGroups, 0)
	}
	return places
}

// CountPlaces loads the programs and returns the number of their places.
func (u *Programs) CountPlaces(ctx context.Context, progress model.Progress) (int64, error) {
	if _, err := u.load(ctx, progress); err != nil {
		return 0, err
	}
	return u.eachProgram(func(int, int64, *program) bool { return true }), nil
}

// PlaceOf returns the place that the last node of a path stands for, or false if it is no place. down is the path below
// the root of the stream's Udon view.
func (u *Programs) PlaceOf(down []*model.Place) (number int64, ok bool) {
	if len(down) != 3 {
		return 0, false
	}
	u.eachProgram(func(item int, first int64, p *program) bool {
		group := slices.IndexFunc(p.tables[:], func(t table) bool { return t.name == down[1].Node.Name })
		if int64(item) == down[0].Index && group >= 0 {
			number, ok = first+p.number(group, int(down[2].Index)), true
		}
		return !ok
	})
	return number, ok
}

// OperandsOf adds the links from the places first ≤ i < end to those that they name.
func (u *Programs) OperandsOf(_ context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	u.eachProgram(func(_ int, start int64, p *program) bool {
		for i := max(first, start); i < min(end, start+p.number(placeGroups, 0)); i++ {
			for _, o := range p.operands(p.place(i - start)) {
				add(i, 0, start+p.number(o.group, o.i))
			}
		}
		return true
	})
	return nil
}

// OperandRef returns the ref from a place to another.
func (u *Programs) OperandRef(_ context.Context, from, to int64) (ref model.Ref) {
	u.eachProgram(func(_ int, start int64, p *program) bool {
		if from >= start+p.number(placeGroups, 0) {
			return true
		}
		group, i := p.place(from - start)
		ref.Path = p.placePath(group, i)
		for _, o := range p.operands(group, i) {
			if start+p.number(o.group, o.i) == to {
				ref.Kind = o.kind
			}
		}
		return false
	})
	return ref
}
