package layout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// The nodes of a data layout block (chapter 7.6).

// fieldPlan is the plan of all data layouts, and fieldSession the session of their objects.
var (
	fieldPlan    = sync.OnceValue(func() *lang.Plan { return FieldLanguage.For(nil) })
	fieldSession = sync.OnceValue(func() *grammar.Session {
		s := fieldPlan().Session()
		s.Tile = true
		return s
	})
)

// OpenFields returns a record of fieldLanguage over a span, without reading it.
func OpenFields(at model.Span, record string, args ...int64) *grammar.Object {
	return fieldPlan().Record(record).Open(fieldSession(), container.StreamOver(at), at.Off, intValues(args)...)
}

func intValues(args []int64) []grammar.Value {
	values := make([]grammar.Value, len(args))
	for i, n := range args {
		values[i] = grammar.IntValue(n)
	}
	return values
}

// fixedFields are the fields of a fixed part, and the pieces that they show, nil for bytes that no piece has.
type fixedFields struct {
	fields []*lang.Field
	pieces []*Piece
}

func (f *fixedFields) add(field *lang.Field, p *Piece) {
	f.fields, f.pieces = append(f.fields, field), append(f.pieces, p)
}

// record makes the record of the fields.
func (f *fixedFields) record() *grammar.Record {
	rec, err := fieldPlan().Compile(lang.NewRecord("fixed part", f.fields...))
	if err != nil {
		panic(err) // its expressions are numbers
	}
	for i, p := range f.pieces {
		if p != nil {
			rec.Fields[i].Node = p.complete
		}
	}
	return rec
}

// describeFixed describes the fixed part: its pieces in the order of their places, and the bytes that no piece has.
func (l *Layout) describeFixed() *grammar.Record {
	var f fixedFields
	at := int64(0)
	gap := func(to int64) {
		if to > at {
			f.add(lang.F("unknown", lang.BytesN(to-at), "").Unknown(), nil)
			at = to
		}
	}
	for i := range l.Pieces {
		p := &l.Pieces[i]
		if !p.Fixed || p.off < at || p.size == container.Unset || p.off+p.size > l.Fixed {
			continue
		}
		gap(p.off)
		p.shown = len(f.fields)
		f.add(p.field(), p)
		at += p.size
	}
	gap(l.Fixed)
	return f.record()
}

// segment returns the segment of the piece in paths where no sibling has its name.
func (p *Piece) segment() string { return cmp.Or(p.Name, model.NoName) }

// field describes a fixed piece.
func (p *Piece) field() *lang.Field {
	switch {
	case p.Elem == nil:
		return lang.F(p.segment(), lang.BytesN(p.size), p.Help)
	case p.kind == arrayPiece:
		return lang.F(p.segment(), p.Elem.Scalar, p.Help).Times(lang.E(strconv.FormatInt(p.Count, 10)))
	case p.names != nil:
		return lang.F(p.segment(), p.Elem.Scalar, p.Help).Names(p.names...).Numbered()
	}
	return lang.F(p.segment(), p.Elem.Scalar, p.Help)
}

// complete gives the node of a fixed piece its name, which the record knows by its segment, its type and help. Elements of an
// array stay as they are.
func (p *Piece) complete(_ grammar.Scope, v grammar.Value, n *model.Node) {
	if p.kind == arrayPiece && p.Elem != nil && v.List() == nil {
		return
	}
	*n = n.Named(p.Name)
	if n.Type = p.Typ; p.kind == valuePiece && p.Elem != nil {
		n.Help += valueHelp(p.Elem, v)
	}
}

// fixedObject returns the fixed part of a block.
func (d *Data) fixedObject() *grammar.Object {
	return d.Layout.fixedPart.Open(fieldSession(), container.StreamOver(d.Src.Span(d.Off, d.Layout.Fixed)), d.Off)
}

// Parts tile a block: the fixed part, the index, the variable part.
func Parts(ctx context.Context, d *Data) []model.Node {
	var parts []model.Node
	if d.Layout.Fixed > 0 {
		n := d.fixedObject().Node(ctx, "fixed")
		n.Help = "fixed pieces one after the other, without padding"
		parts = append(parts, n)
	}
	if len(d.entries) > 0 {
		parts = append(parts, model.Node{
			Name: "index", Type: "index entry[]", Spans: []model.Span{d.Src.Span(d.Off+d.Layout.Fixed, d.Layout.Index())},
			Children: model.DeferList(func(ctx context.Context) []model.Node { return entryNodes(ctx, d) }), Help: "where each variable piece lies in the variable part",
		})
	}
	if d.varSize > 0 {
		parts = append(parts, model.Node{
			Name: "variable", Type: "variable part", Spans: []model.Span{d.Src.Span(d.varOff, d.varSize)},
			Children: model.DeferList(func(ctx context.Context) []model.Node { return variableParts(ctx, d) }), Help: "the bytes of the variable pieces",
		})
	}
	return parts
}

// entryNodes are the entries of the index of variable pieces.
func entryNodes(ctx context.Context, d *Data) []model.Node {
	nodes := make([]model.Node, len(d.entries))
	for i := range d.entries {
		at := d.entrySpan(i)
		nodes[i] = OpenFields(at, "index entry").Node(ctx, d.Layout.Pieces[d.Layout.Variable[i]].Name)
		nodes[i].Problems = d.problems[i]
	}
	return nodes
}

// variableParts tile the variable part. Where entries overlap, the bytes are the first one's.
func variableParts(ctx context.Context, d *Data) []model.Node {
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
			nodes = append(nodes, container.BytesNode("unreferenced", d.Src.Span(d.varOff+at, to-at), model.Unreferenced, "no entry of the index points here"))
			at = to
		}
	}
	for _, i := range order {
		e := d.entries[i]
		p := &d.Layout.Pieces[d.Layout.Variable[i]]
		gap(e.off)
		if e.off < at {
			if end := e.off + e.size; end > at { // the rest of a range that began in another one's
				span := d.Src.Span(d.varOff+at, end-at)
				nodes = append(nodes, model.Node{Name: p.Name, Type: p.Typ, Shared: true, Spans: []model.Span{span}, Value: model.Blob{Span: span}})
				at = end
			}
			continue
		}
		nodes = append(nodes, variableNode(ctx, p, d.Src.Span(d.varOff+e.off, e.size), true))
		at += e.size
	}
	gap(d.varSize)
	return nodes
}

// variableNode is a variable piece. In a layout its parts tile it.
func variableNode(ctx context.Context, p *Piece, at model.Span, layout bool) model.Node {
	n := model.Node{Name: p.Name, Type: p.Typ, Spans: []model.Span{at}, Help: p.Help}
	switch {
	case p.kind == stringPiece:
		b, err := at.Source.Bytes(ctx, at.Off, at.Len)
		if err != nil {
			n.Problems = append(n.Problems, model.AsProblem(err, container.RuleTruncated, at))
			return n
		}
		n.Value = model.Text(b)
	case p.kind == vectorPiece && p.Elem != nil:
		p.vector(ctx, &n, at, layout)
	case p.kind == vectorPiece && p.Typ == "DataPieceVector<string>":
		texts := p.items(ctx, &n, at, layout, "DataPieceVector<string>")
		n.Value = &model.Elements{Type: "string", Count: int64(len(texts)), Make: func(ctx context.Context, i int64) (model.Value, error) {
			return texts[i].Children(ctx).At(ctx, 1).Value, nil
		}}
		if !layout {
			showItems(&n, texts, func(_ context.Context, i int, _ *grammar.Object) string { return model.IndexName(int64(i)) })
		}
	case p.kind == mapPiece && p.Elem != nil:
		p.stringMap(ctx, &n, p.Elem.row, at, layout)
	case p.kind == mapPiece && p.Typ == "DataPieceStringMap<string>":
		p.stringMap(ctx, &n, TextRow, at, layout)
	default:
		n.Value = model.Blob{Span: at}
	}
	return n
}

// vector completes the node of a vector of elements of one size.
func (p *Piece) vector(ctx context.Context, n *model.Node, at model.Span, layout bool) {
	size := p.Elem.Size()
	list := OpenFields(at, "DataPieceVector", p.Elem.row, at.Len/size).Children(ctx).At(ctx, 0)
	n.Value, n.Children, n.Elements = list.Value, list.Children, list.Elements
	if at.Len%size == 0 {
		return
	}
	n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleVector, at, "the field does not hold whole elements of %s", model.GroupedCount(size, "byte")).
		Want(fmt.Sprintf("a multiple of %d", size), at.Len))
	if layout {
		n.Children, n.Elements = nil, false
	}
}

// items reads a field of texts, whose elements are the last field of its record, and returns those that are whole. In a
// layout the parts of the record are the node's.
func (p *Piece) items(ctx context.Context, n *model.Node, at model.Span, layout bool, record string, args ...int64) (items []*grammar.Object) {
	if at.Len == 0 {
		return nil
	}
	r := grammar.NewReading(ctx, grammar.Near)
	o := fieldPlan().Record(record).Read(r, fieldSession(), container.StreamOver(at), at.Off, intValues(args)...)
	field := o.Record().Fields[len(o.Record().Fields)-1]
	end, whole := o.End(), false
	if list := o.List(ctx, field); list != nil {
		end = o.SpanOf(ctx, field).Off
		count, _ := list.Len(o.Scope(r))
		for i := range count {
			v, _ := list.At(o.Scope(r), i)
			if item := v.Object(); item != nil && item.OK() {
				items, end = append(items, item), item.End()
			}
		}
		whole = o.OK() && int64(len(items)) == count
	}
	rest := at.Source.Span(end, at.End()-end)
	switch {
	case whole && rest.Len > 0:
		n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleStrings, rest, "bytes are left over after the last text"))
	case !whole && !layout: // in a layout the part that is cut off has the problem
		n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleStrings, rest, "a text reaches beyond the field"))
	}
	if layout {
		n.Children = o.Children(ctx)
	}
	return items
}

// showItems makes items, as values, the children of a node.
func showItems(n *model.Node, items []*grammar.Object, name func(ctx context.Context, i int, item *grammar.Object) string) {
	if len(items) == 0 {
		return
	}
	n.Children = model.DeferList(func(ctx context.Context) []model.Node {
		nodes := make([]model.Node, len(items))
		for i, item := range items {
			value := item.Children(ctx).At(ctx, int64(len(item.Record().Fields))-1)
			if value.Type == grammar.UTF8.Name() {
				value.Type = "string"
			}
			nodes[i] = model.Node{Name: name(ctx, i, item), Type: value.Type, Value: value.Value,
				Spans: []model.Span{item.Stream().Source.Span(item.Start(), item.End()-item.Start())}}
		}
		return nodes
	})
}

// stringMap completes the node of a map. Of equal keys the last wins.
func (p *Piece) stringMap(ctx context.Context, n *model.Node, row int64, at model.Span, layout bool) {
	entries := p.items(ctx, n, at, layout, "DataPieceStringMap", row)
	n.Brief = model.Grouped(int64(len(entries))) + " entries"
	if len(entries) == 1 {
		n.Brief = "1 entry"
	}
	last := map[string]*grammar.Object{}
	for _, e := range entries {
		key, _, _ := container.ReadText(ctx, e, "key")
		last[key] = e
	}
	if len(last) < len(entries) {
		n.Problems = append(n.Problems, model.Problemf(model.Suspicious, ruleKeys, at, "a key is twice in the map; the last one counts"))
	}
	if layout {
		return
	}
	entries = slices.DeleteFunc(entries, func(e *grammar.Object) bool {
		key, _, _ := container.ReadText(ctx, e, "key")
		return last[key] != e
	})
	showItems(n, entries, func(ctx context.Context, _ int, e *grammar.Object) string {
		key, _, _ := container.ReadText(ctx, e, "key")
		return key
	})
}

// FieldNode returns the node of a piece in the streams view, with its value.
func (d *Data) FieldNode(ctx context.Context, p *Piece) model.Node {
	at, ok := d.Bytes(p)
	if !ok {
		n := model.Node{Name: p.Name, Type: p.Typ, Help: p.Help, Brief: "unreadable"}
		if !p.Fixed {
			n.Spans, n.Problems = []model.Span{d.entrySpan(p.entry)}, d.problems[p.entry]
		}
		return n
	}
	if p.Fixed {
		return d.fixedNode(ctx, p, at)
	}
	n := variableNode(ctx, p, at, false)
	n.Problems = append(n.Problems, d.problems[p.entry]...)
	if entry := d.entrySpan(p.entry); at.Len == 0 {
		n.Spans = []model.Span{entry}
	} else {
		n.Spans = append(n.Spans, entry)
	}
	return n
}

// Value is the value of a field, the same as its node has; a map is its bytes.
func (d *Data) Value(ctx context.Context, p *Piece) (model.Value, model.Span) {
	at, ok := d.Bytes(p)
	if !ok {
		return nil, model.Span{}
	}
	if p.kind == valuePiece && p.Elem != nil {
		b, err := d.Read(ctx, p)
		if err != nil {
			return nil, at
		}
		return p.show(b), at
	}
	n := model.Node{}
	if p.Fixed {
		n = d.fixedNode(ctx, p, at)
	} else {
		n = variableNode(ctx, p, at, false)
	}
	if n.Value == nil && at.Len > 0 {
		n.Value = model.Blob{Span: at}
	}
	return n.Value, at
}

// show is the value that the bytes of a piece are; where conventions name its numbers, with the name.
func (p *Piece) show(b []byte) model.Value {
	v := p.Elem.Decode(b, false)
	if number, ok := v.(model.Uint); ok && p.names != nil {
		s := model.Symbol{Number: int64(number), Numbered: true}
		if int64(number) < int64(len(p.names)) {
			s.Name = p.names[number]
		}
		return s
	}
	return v
}

// fixedNode is a fixed piece. One that the fixed part does not show, because it overlaps another, is described alone.
func (d *Data) fixedNode(ctx context.Context, p *Piece, at model.Span) model.Node {
	o, field := d.fixedObject(), p.shown
	if field == container.Unset {
		alone := fixedFields{[]*lang.Field{p.field()}, []*Piece{p}}
		o, field = alone.record().Open(fieldSession(), container.StreamOver(at), at.Off), 0
	}
	n := o.Children(ctx).At(ctx, int64(field))
	n.Name, n.Segment = p.Name, "" // the list that it goes to makes that
	return n
}

// valueHelp returns more help for a value.
func valueHelp(elem *ElementType, v grammar.Value) string {
	switch elem.Name() {
	case "char":
		if n, _ := v.Int(); n >= 0x20 && n < 0x7f {
			return fmt.Sprintf("; the character %q", rune(n))
		}
	case "double":
		seconds, _ := v.Float()
		return strings.Replace(container.MomentText(seconds), ":", "; the time", 1)
	}
	return ""
}
