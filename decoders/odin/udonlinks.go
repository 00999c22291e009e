package odin

import (
	"context"
	"fmt"
	"slices"

	"cutaway/model"
)

// shownInUdon is the node of the Udon view that an entry is in.
func (p *payload) shownInUdon(ctx context.Context, i int64, add func(ref func() model.Ref) bool) (int64, error) {
	path := p.root(viewUdon)
	if i > 0 {
		s := p.once.Made().s
		parts, err := s.udonParts(ctx, nil)
		if err != nil {
			return 0, err
		}
		off, _ := s.ownRange(i - 1)
		if path = s.udonOver(ctx, parts, s.src.Span(off, 1)); path == "" && p.name != "" {
			path = p.root(viewUdon) // in a Unity file, a payload among others
		}
	}
	if path != "" {
		add(func() model.Ref { return model.Ref{Path: path} })
	}
	return 0, nil
}

// udonOver returns the path of the node of the Udon view over a byte, or "" if none has the byte.
func (s *stream) udonOver(ctx context.Context, parts []udonPart, at model.Span) string {
	for _, part := range parts {
		switch {
		case !s.span(part.entry).Covers(at.Source, at.Off):
			continue
		case part.program != nil:
			return part.program.pathOver(at)
		}
		base := s.base(viewUdon) + "/" + part.segment
		list := s.elementsOf(ctx, s.variablesList(ctx, part.entry))
		for i, v := range list {
			if s.span(v).Covers(at.Source, at.Off) {
				n := s.variableNodes(ctx, list).At(ctx, int64(i))
				return n.PathUnder(base)
			}
		}
		return base
	}
	return ""
}

// pathOver returns the path of the deepest node of the program over a byte, or over its code that of the whole code.
func (p *program) pathOver(at model.Span) string {
	covers := func(entry int64) bool { return entry >= 0 && p.s.span(entry).Covers(at.Source, at.Off) }
	for group, t := range p.tables {
		for i := range t.rows {
			if t.rowEntry != nil && covers(t.rowEntry(i)) {
				return p.placePath(group, i)
			}
		}
		if covers(p.members.entry(t.member)) {
			return p.path + "/" + t.name
		}
	}
	return p.path
}

// number is the number of a place among those of the program.
func (p *program) number(group, i int) int64 {
	for _, before := range p.tables[:group] {
		i += before.rows
	}
	return int64(i)
}

// place is the place of a number.
func (p *program) place(number int64) (group, i int) {
	for group, t := range p.tables {
		if number < int64(t.rows) {
			return group, int(number)
		}
		number -= int64(t.rows)
	}
	return placeGroups, 0
}

// operand is a place that another names.
type operand struct {
	kind  string
	group int
	i     int
	text  string
}

// operands are the places that a place names.
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
			return []operand{{"code", inCode, int(k), lineName(p.points[i].address)}}
		}
	}
	return nil
}

// lineOperands are the places that an instruction names.
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

// refs leads to operands.
func (p *program) refs(list []operand) []model.Ref {
	var refs []model.Ref
	for _, o := range list {
		refs = append(refs, model.Ref{Kind: o.kind, Path: p.placePath(o.group, o.i), Text: o.text})
	}
	return refs
}

// placePath is the path of a row of a table in the Udon view.
func (p *program) placePath(group, i int) string {
	t := &p.tables[group]
	return p.path + "/" + t.name + "/" + model.EscapeSegment(t.inPath(i))
}

// eachProgram visits the programs of the payload's stream, with the number of the first place of each, until visit
// returns false.
func (p *payload) eachProgram(visit func(part int, first int64, q *program) bool) (places int64) {
	parts := p.once.Made().s.programs.Made()
	if parts == nil {
		return 0
	}
	for i, part := range *parts {
		if part.program == nil {
			continue
		}
		if !visit(i, places, part.program) {
			break
		}
		places += part.program.number(placeGroups, 0)
	}
	return places
}

func (p *payload) countPlaces(ctx context.Context, progress model.Progress) (int64, error) {
	o, err := p.open(ctx)
	if err == nil {
		_, err = o.s.udonParts(ctx, progress)
	}
	if err != nil {
		return 0, err
	}
	return p.eachProgram(func(int, int64, *program) bool { return true }), nil
}

// placeOf is the place that a node of the Udon view is.
func (d *document) placeOf(p *payload) func(at *model.Place) (int64, bool) {
	return func(at *model.Place) (number int64, ok bool) {
		down := at.Segments()
		if down[0].Path() != viewUdon || p.once.Made() == nil {
			return 0, false
		}
		if down = down[1:]; d.inCarrier() {
			if len(down) == 0 || down[0].Path() != p.root(viewUdon) {
				return 0, false
			}
			down = down[1:]
		}
		if len(down) != 3 {
			return 0, false
		}
		p.eachProgram(func(part int, first int64, q *program) bool {
			group := slices.IndexFunc(q.tables[:], func(t table) bool { return t.name == down[1].Node.Name })
			if int64(part) == down[0].Index && group >= 0 {
				number, ok = first+q.number(group, int(at.Index)), true
			}
			return !ok
		})
		return number, ok
	}
}

// operandsOf adds what places name.
func (p *payload) operandsOf(_ context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	p.eachProgram(func(_ int, start int64, q *program) bool {
		for i := max(first, start); i < min(end, start+q.number(placeGroups, 0)); i++ {
			for _, o := range q.operands(q.place(i - start)) {
				add(i, 0, start+q.number(o.group, o.i))
			}
		}
		return true
	})
	return nil
}

// operandRef is the ref that comes from a place to another.
func (p *payload) operandRef(_ context.Context, from, to int64) (ref model.Ref) {
	p.eachProgram(func(_ int, start int64, q *program) bool {
		if from >= start+q.number(placeGroups, 0) {
			return true
		}
		group, i := q.place(from - start)
		ref.Path = q.placePath(group, i)
		for _, o := range q.operands(group, i) {
			if start+q.number(o.group, o.i) == to {
				ref.Kind = o.kind
			}
		}
		return false
	})
	return ref
}
