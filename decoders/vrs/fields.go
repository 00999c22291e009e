package vrs

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"cutaway/decoders/read"
	"cutaway/model"
)

// The nodes of a data layout block (chapter 7.6).

// layoutParts tile a block: the fixed part, the index, the variable part.
func layoutParts(d *layoutData) []model.Node {
	var parts []model.Node
	if d.l.fixed > 0 {
		parts = append(parts, model.Node{
			Name: "fixed", Type: "fixed part", Spans: []model.Span{d.src.Span(d.off, d.l.fixed)},
			Children: model.DeferList(func(ctx context.Context) []model.Node { return fixedParts(ctx, d) }), Help: "fixed pieces one after the other, without padding",
		})
	}
	if len(d.entries) > 0 {
		parts = append(parts, model.Node{
			Name: "index", Type: "index entry[]", Spans: []model.Span{d.src.Span(d.off+d.l.fixed, d.l.index())},
			Children: model.DeferList(func(ctx context.Context) []model.Node { return entryNodes(ctx, d) }), Help: "where each variable piece lies in the variable part",
		})
	}
	if d.varSize > 0 {
		parts = append(parts, model.Node{
			Name: "variable", Type: "variable part", Spans: []model.Span{d.src.Span(d.varOff, d.varSize)},
			Children: model.DeferList(func(ctx context.Context) []model.Node { return variableParts(ctx, d) }), Help: "the bytes of the variable pieces",
		})
	}
	return parts
}

// fixedParts are the fixed pieces in the order of their places.
func fixedParts(ctx context.Context, d *layoutData) []model.Node {
	nodes := make([]model.Node, 0, len(d.l.pieces)-len(d.l.variable))
	at := int64(0)
	gap := func(to int64) {
		if to > at {
			span := d.src.Span(d.off+at, to-at)
			nodes = append(nodes, model.Node{Name: "unknown", Type: "bytes", Role: model.Unknown, Spans: []model.Span{span}, Value: model.Blob{Span: span}})
			at = to
		}
	}
	for i := range d.l.pieces {
		p := &d.l.pieces[i]
		span, ok := d.bytes(p)
		if !p.fixed || !ok || p.off < at {
			continue
		}
		gap(p.off)
		nodes = append(nodes, fixedNode(ctx, d, p, span))
		at += span.Len
	}
	gap(d.l.fixed)
	return nodes
}

// fixedNode is a fixed piece.
func fixedNode(ctx context.Context, d *layoutData, p *piece, at model.Span) model.Node {
	n := model.Node{Name: named(p.name), Type: p.typ, Spans: []model.Span{at}, Help: p.help}
	switch {
	case p.elem == nil:
		n.Value = model.Blob{Span: at}
	case p.kind == arrayPiece:
		elements(&n, at, p.elem)
	default:
		b, err := d.read(ctx, p)
		if err != nil {
			n.Problems = append(n.Problems, model.AsProblem(err, ruleTruncated, at))
			return n
		}
		n.Value = p.elem.read(b)
		n.Help += valueHelp(p.elem, b)
	}
	return n
}

// elements makes a node an array of elements of one size.
func elements(n *model.Node, at model.Span, elem *pod) {
	count := at.Len / elem.size
	make := func(ctx context.Context, i int64) (model.Value, error) {
		b, err := at.Source.Bytes(ctx, at.Off+i*elem.size, elem.size)
		if err != nil {
			return nil, err
		}
		return elem.read(b), nil
	}
	n.Value = &model.Elements{Type: elem.name, Count: count, Make: make}
	n.Elements = count > 0
	n.Children = model.FixedRows(at.Source, at.Off, elem.size, count, func(ctx context.Context, i int64) model.Node {
		span := at.Source.Span(at.Off+i*elem.size, elem.size)
		row := model.Node{Name: model.IndexName(i), Type: elem.name, Spans: []model.Span{span}}
		v, err := make(ctx, i)
		if err != nil {
			row.Problems = []model.Problem{model.AsProblem(err, ruleTruncated, span)}
		}
		row.Value = v
		return row
	})
}

// entryNodes are the entries of the index of variable pieces.
func entryNodes(ctx context.Context, d *layoutData) []model.Node {
	var nodes []model.Node
	for i := range d.entries {
		span := d.entrySpan(i)
		c := read.New(ctx, d.src, span.Off, span.End(), ruleTruncated)
		c.U32("offset", "in the variable part")
		c.U32("length", "bytes")
		n := c.Node(named(d.l.pieces[d.l.variable[i]].name), "index entry", "")
		n.Problems = d.problems[i]
		nodes = append(nodes, n)
	}
	return nodes
}

// variableParts tile the variable part. Where entries overlap, the bytes are the first one's.
func variableParts(ctx context.Context, d *layoutData) []model.Node {
	var order []int
	for i, e := range d.entries {
		if e.off+e.size <= d.varSize {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.entries[a].off, d.entries[b].off) })
	var nodes []model.Node
	at := int64(0)
	gap := func(to int64) {
		if to > at {
			span := d.src.Span(d.varOff+at, to-at)
			nodes = append(nodes, model.Node{Name: "unreferenced", Type: "bytes", Role: model.Unreferenced, Spans: []model.Span{span},
				Value: model.Blob{Span: span}, Help: "no entry of the index points here"})
			at = to
		}
	}
	for _, i := range order {
		e := d.entries[i]
		p := &d.l.pieces[d.l.variable[i]]
		gap(e.off)
		if e.off < at {
			if end := e.off + e.size; end > at { // the rest of a range that began in another one's
				span := d.src.Span(d.varOff+at, end-at)
				nodes = append(nodes, model.Node{Name: named(p.name), Type: p.typ, Shared: true, Spans: []model.Span{span}, Value: model.Blob{Span: span}})
				at = end
			}
			continue
		}
		nodes = append(nodes, variableNode(ctx, d, p, d.src.Span(d.varOff+e.off, e.size), true))
		at += e.size
	}
	gap(d.varSize)
	return nodes
}

// variableNode is a variable piece. In a layout its parts tile it.
func variableNode(ctx context.Context, d *layoutData, p *piece, at model.Span, layout bool) model.Node {
	n := model.Node{Name: named(p.name), Type: p.typ, Spans: []model.Span{at}, Help: p.help}
	switch {
	case p.kind == stringPiece:
		b, err := d.src.Bytes(ctx, at.Off, at.Len)
		if err != nil {
			n.Problems = append(n.Problems, model.AsProblem(err, ruleTruncated, at))
			return n
		}
		n.Value = model.Text(b)
	case p.kind == vectorPiece && p.elem != nil:
		elements(&n, at, p.elem)
		if over := at.Len % p.elem.size; over != 0 {
			n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleVector, at, "the field does not hold whole elements of %s", model.GroupedCount(p.elem.size, "byte")).
				Want(fmt.Sprintf("a multiple of %d", p.elem.size), at.Len))
			if layout {
				n.Children, n.Elements = nil, false
			}
		}
	case p.kind == vectorPiece && p.typ == "DataPieceVector<string>":
		stringVector(ctx, &n, at, layout)
	case p.kind == mapPiece && (p.elem != nil || p.typ == "DataPieceStringMap<string>"):
		stringMap(ctx, &n, at, p.elem, layout)
	default:
		n.Value = model.Blob{Span: at}
	}
	return n
}

// items are the parts of a list whose elements differ in size: where each begins, and where the last ends.
type items struct {
	at     model.Span
	starts []uint32 // from the beginning of at
	end    int64    // of the last, from the beginning of at
	fault  *model.Problem
}

func (l *items) span(i int) model.Span {
	end := l.end
	if i+1 < len(l.starts) {
		end = int64(l.starts[i+1])
	}
	return l.at.Source.Span(l.at.Off+int64(l.starts[i]), end-int64(l.starts[i]))
}

func (l *items) fail(format string, args ...any) {
	p := model.Problemf(model.Malformed, ruleStrings, l.at.Source.Span(l.at.Off+l.end, l.at.Len-l.end), format, args...)
	l.fault = &p
}

// addTo makes the items children of the node, in a layout with what stands before and behind them.
func (l *items) addTo(n *model.Node, first model.Node, layout bool, item func(i int) model.Node) {
	if l.fault != nil {
		n.Problems = append(n.Problems, *l.fault)
	}
	rest := layout && l.end < l.at.Len
	if len(l.starts) == 0 && !rest && (!layout || len(first.Spans) == 0) {
		return
	}
	n.Children = model.DeferList(func(context.Context) []model.Node {
		var nodes []model.Node
		if layout && len(first.Spans) > 0 {
			nodes = append(nodes, first)
		}
		for i := range l.starts {
			nodes = append(nodes, item(i))
		}
		if rest {
			at := l.at.Source.Span(l.at.Off+l.end, l.at.Len-l.end)
			nodes = append(nodes, model.Node{Name: "rest", Type: "bytes", Role: model.Unknown, Spans: []model.Span{at}, Value: model.Blob{Span: at}})
		}
		return nodes
	})
}

// stringVector decodes a DataPieceVector<string>: a count, and texts with their lengths.
func stringVector(ctx context.Context, n *model.Node, at model.Span, layout bool) {
	if at.Len == 0 {
		n.Value = &model.Elements{Type: "string"}
		return
	}
	l := &items{at: at}
	b, err := at.Source.Bytes(ctx, at.Off, at.Len)
	if err != nil {
		n.Problems = append(n.Problems, model.AsProblem(err, ruleTruncated, at))
		return
	}
	count := int64(0)
	if len(b) < 4 {
		l.fail("a list of texts has a count of 4 bytes")
	} else {
		count, l.end = int64(le.Uint32(b)), 4
	}
	if 4*(count+1) > int64(len(b)) && l.fault == nil {
		l.fail("%s do not fit into the field", model.GroupedCount(count, "text"))
		count = 0
	}
	for range count {
		if l.end+4 > int64(len(b)) || l.end+4+int64(le.Uint32(b[l.end:])) > int64(len(b)) {
			l.fail("a text reaches beyond the field")
			break
		}
		l.starts = append(l.starts, uint32(l.end))
		l.end += 4 + int64(le.Uint32(b[l.end:]))
	}
	if l.fault == nil && l.end < int64(len(b)) {
		l.fail("bytes are left over behind the last text")
	}
	text := func(i int) (model.Span, model.Value) {
		s := l.span(i)
		v, err := s.Source.Bytes(ctx, s.Off+4, s.Len-4)
		if err != nil {
			return s, nil
		}
		return s, model.Text(v)
	}
	n.Value = &model.Elements{Type: "string", Count: int64(len(l.starts)), Make: func(_ context.Context, i int64) (model.Value, error) {
		_, v := text(int(i))
		return v, nil
	}}
	first := model.Node{}
	if len(b) >= 4 {
		first = model.Node{Name: "count", Type: "u32", Value: model.Uint(le.Uint32(b)), Spans: []model.Span{at.Source.Span(at.Off, 4)}}
	}
	l.addTo(n, first, layout, func(i int) model.Node {
		s, v := text(i)
		if !layout {
			return model.Node{Name: model.IndexName(int64(i)), Type: "string", Value: v, Spans: []model.Span{s}}
		}
		c := read.New(ctx, s.Source, s.Off, s.End(), ruleTruncated)
		c.Text("text", int64(c.U32("length", "bytes")), "")
		return c.Node(model.IndexName(int64(i)), "string", "")
	})
}

// stringMap decodes a DataPieceStringMap: keys with their lengths, and values, until the bytes are used up. elem is
// nil for texts.
func stringMap(ctx context.Context, n *model.Node, at model.Span, elem *pod, layout bool) {
	l := &items{at: at}
	b, err := at.Source.Bytes(ctx, at.Off, at.Len)
	if err != nil {
		n.Problems = append(n.Problems, model.AsProblem(err, ruleTruncated, at))
		return
	}
	for l.end < int64(len(b)) {
		end, ok := mapEntryEnd(b, l.end, elem)
		if !ok {
			l.fail("an entry of the map reaches beyond the field")
			break
		}
		l.starts = append(l.starts, uint32(l.end))
		l.end = end
	}
	n.Brief = model.Grouped(int64(len(l.starts))) + " entries"
	if len(l.starts) == 1 {
		n.Brief = "1 entry"
	}
	last := map[string]int{} // of equal keys the last wins
	for i := range l.starts {
		last[mapKey(b[l.starts[i]:])] = i
	}
	if len(last) < len(l.starts) {
		n.Problems = append(n.Problems, model.Problemf(model.Suspicious, ruleKeys, at, "a key stands twice in the map; the last one counts"))
	}
	if layout {
		l.addTo(n, model.Node{}, true, func(i int) model.Node {
			s := l.span(i)
			c := read.New(ctx, s.Source, s.Off, s.End(), ruleTruncated)
			c.Text("key", int64(c.U32("keyLength", "bytes")), "")
			if elem == nil {
				c.Text("value", int64(c.U32("valueLength", "bytes")), "")
			} else {
				value := model.Node{Name: "value", Type: elem.name, Spans: []model.Span{s.Source.Span(c.Off(), elem.size)}}
				value.Value = elem.read(b[c.Off()-at.Off:])
				c.Add(value)
			}
			return c.Node(model.IndexName(int64(i)), "entry", "")
		})
		return
	}
	var kept []uint32
	for i := range l.starts {
		if last[mapKey(b[l.starts[i]:])] == i {
			kept = append(kept, uint32(i))
		}
	}
	if l.fault != nil {
		n.Problems = append(n.Problems, *l.fault)
	}
	if len(kept) == 0 {
		return
	}
	n.Children = model.DeferList(func(context.Context) []model.Node {
		var nodes []model.Node
		for _, i := range kept {
			at := l.span(int(i))
			e := b[l.starts[i] : at.End()-l.at.Off]
			key := mapKey(e)
			node := model.Node{Name: named(key), Type: "string", Spans: []model.Span{at}}
			if elem == nil {
				node.Value = model.Text(e[4+len(key)+4:])
			} else {
				node.Type, node.Value = elem.name, elem.read(e[4+len(key):])
			}
			nodes = append(nodes, node)
		}
		return nodes
	})
}

func mapKey(b []byte) string { return string(b[4 : 4+le.Uint32(b)]) }

// mapEntryEnd is where the entry ends that begins at an offset of b.
func mapEntryEnd(b []byte, at int64, elem *pod) (int64, bool) {
	size := int64(len(b))
	if at+4 > size {
		return 0, false
	}
	at += 4 + int64(le.Uint32(b[at:]))
	if elem != nil {
		return at + elem.size, at+elem.size <= size
	}
	if at+4 > size {
		return 0, false
	}
	at += 4 + int64(le.Uint32(b[at:]))
	return at, at <= size
}

// fieldNode is a piece in the streams view, with its value.
func (r *recording) fieldNode(ctx context.Context, d *layoutData, p *piece) model.Node {
	at, ok := d.bytes(p)
	if !ok {
		n := model.Node{Name: named(p.name), Type: p.typ, Help: p.help, Brief: "unreadable"}
		if !p.fixed {
			n.Spans, n.Problems = []model.Span{d.entrySpan(p.entry)}, d.problems[p.entry]
		}
		return n
	}
	if p.fixed {
		return fixedNode(ctx, d, p, at)
	}
	n := variableNode(ctx, d, p, at, false)
	n.Problems = append(n.Problems, d.problems[p.entry]...)
	if entry := d.entrySpan(p.entry); at.Len == 0 {
		n.Spans = []model.Span{entry}
	} else {
		n.Spans = append(n.Spans, entry)
	}
	return n
}

// value is the value of a field, the same as its node has; a map is its bytes.
func (d *layoutData) value(ctx context.Context, p *piece) (model.Value, model.Span) {
	at, ok := d.bytes(p)
	if !ok {
		return nil, model.Span{}
	}
	if p.kind == valuePiece && p.elem != nil {
		b, err := d.read(ctx, p)
		if err != nil {
			return nil, at
		}
		return p.elem.read(b), at
	}
	n := model.Node{}
	if p.fixed {
		n = fixedNode(ctx, d, p, at)
	} else {
		n = variableNode(ctx, d, p, at, false)
	}
	if n.Value == nil && at.Len > 0 {
		n.Value = model.Blob{Span: at}
	}
	return n.Value, at
}
