package usdc

import (
	"context"
	"encoding/binary"
	"fmt"

	"cutaway/decoders/read"
	"cutaway/model"
	"cutaway/source"
)

const (
	repSize       = 8
	oldFieldSize  = 16 // below 0.4.0: filler, name, rep
	oldFieldName  = 4
	oldFieldValue = 8
)

// fieldTable is the table of fields (chapter 6): name token and value rep of each. The names are kept, 4 bytes each;
// the reps are read where they stand.
type fieldTable struct {
	sectionTable
	c     *crate
	n     int64 // fields that have both name and rep
	names []uint32
	// src, off and stride say where the reps stand: in the inflated source, below 0.4.0 in the file.
	src         *model.Source
	off, stride int64

	nameInts *codedInts
}

// fields loads the fields; the error is that of the context, damage leaves a shorter table.
func (c *crate) fields(ctx context.Context, progress model.Progress) (*fieldTable, error) {
	return c.fieldTable.Get(ctx, progress, c.loadFields)
}

func (c *crate) loadFields(ctx context.Context, progress model.Progress) (*fieldTable, error) {
	f := &fieldTable{c: c}
	s, err := c.need("FIELDS")
	if err != nil {
		return f, nil
	}
	t, err := c.tokens(ctx, progress)
	if err != nil {
		return nil, err
	}
	r := read.New(ctx, c.src, s.lo, s.hi, "usdc.fields.truncated")
	count := r.U64("count", "number of fields")
	f.claim(r, count)
	if !c.inflated() {
		err = f.readRecords(ctx, r, count, t)
	} else {
		err = f.readCompressed(ctx, progress, r, t)
	}
	if err != nil {
		return nil, err
	}
	f.nodes = finish(r, "FIELDS")
	return f, nil
}

func (f *fieldTable) readRecords(ctx context.Context, r *read.Cursor, count uint64, t *tokens) error {
	n := r.Count(count, oldFieldSize, "usdc.fields.count")
	if !r.Ok() || n == 0 {
		return nil
	}
	at := r.Skip("fields", n*oldFieldSize, model.Explained, "records of filler, name and value rep")
	node := r.Field()
	node.Type, node.Value, node.Brief = "Field[]", nil, plural(n, "field", "fields")
	node.Children = model.FixedRows(r.Source(), at.Off, oldFieldSize, n, f.recordNode)
	f.src, f.off, f.stride = r.Source(), at.Off+oldFieldValue, oldFieldSize
	f.names = make([]uint32, 0, n)
	err := eachRecord(ctx, r.Source(), at.Off, oldFieldSize, n, func(i int64, b []byte) {
		name := binary.LittleEndian.Uint32(b[oldFieldName:])
		f.names = append(f.names, name)
		if !t.has(name) && len(node.Problems) < maxListed {
			node.Problems = append(node.Problems, problemAt(outOfRange("token", name, t.claimed),
				r.Source().Span(at.Off+i*oldFieldSize+oldFieldName, 4)))
		}
	})
	f.n = int64(len(f.names))
	return readFailure(ctx, err, node, "usdc.fields.read")
}

func (f *fieldTable) recordNode(ctx context.Context, i int64) model.Node {
	at := f.off - oldFieldValue + i*oldFieldSize
	r := read.New(ctx, f.src, at, at+oldFieldSize, "usdc.fields.truncated")
	r.Pad("filler", 4, "stale memory")
	token := r.U32("name", "TokenIndex of the field's name")
	f.c.showToken(ctx, r.Field(), token)
	f.readRep(r, i)
	n := r.Node(model.IndexName(i), "Field", "")
	n.Brief, _ = f.c.token(ctx, token)
	return n
}

func (f *fieldTable) readCompressed(ctx context.Context, progress model.Progress, r *read.Cursor, t *tokens) error {
	if !r.Ok() {
		return nil
	}
	columns, err := f.readColumns(ctx, progress, f.c, r, "FIELDS", f.claimed, []intColumn{{
		name: "names", title: "FIELDS names", typ: "TokenIndex[]", help: "the name of each field, as coded integers",
		show: func(ctx context.Context, _, v int64, n *model.Node) { f.c.showToken(ctx, n, uint32(v)) },
	}})
	if err != nil {
		return err
	}
	names := &columns[0]
	f.nameInts, f.names = names.ints, names.values
	t.checkInts(ctx, &names.node, names.list, f.names, "token")
	r.Add(names.node)
	if !r.Ok() || r.Remaining() == 0 && f.nameInts.bytes.Len < repSize {
		return nil
	}
	return f.readReps(ctx, r)
}

func (f *fieldTable) readReps(ctx context.Context, r *read.Cursor) error {
	c := f.c
	b := &buffer{c: c, owner: c.layout + "/FIELDS/reps", title: "FIELDS reps", limit: f.claimed * repSize, exact: true, root: f.repsLayout}
	f.buffers = append(f.buffers, b)
	inner := r.Sub(r.Off(), r.Remaining())
	stored := inner.U64("size", "bytes of the compressed buffer behind it")
	have := inner.Count(stored, 1, "usdc.compress.size")
	if !inner.Ok() {
		b.faulty = append(b.faulty, model.Problemf(model.Truncated, "usdc.compress.truncated", inner.Span(), "the compressed reps are missing"))
	} else {
		if most := source.MaxLZ4Output(have); b.limit > most {
			inner.Problem(model.Problemf(model.Malformed, "usdc.compress.count", model.Span{},
				"%d reps cannot come from %d bytes", f.claimed, have).Want(fmt.Sprintf("at most %d", most/repSize), f.claimed))
			b.limit, b.exact = most, false
		}
		body := inner.Sub(inner.Off(), have)
		b.readBuffer(body)
		for _, node := range body.Nodes() {
			inner.Add(node)
		}
	}
	in, err := b.inflate(ctx)
	if err != nil {
		return err
	}
	f.src, f.off, f.stride = in.src, 0, repSize
	reps := in.src.Size() / repSize
	f.n = min(int64(len(f.names)), reps)
	r.Add(model.Node{
		Name: "reps", Type: "rep[]", Spans: []model.Span{inner.Span()}, Brief: plural(reps, "value rep", "value reps"),
		Help: "the value of each field, or where it is", Problems: in.problems,
		Derived: []*model.Derivation{b.derivation()}, Children: model.NewList(inner.Nodes()...),
	})
	return nil
}

// repsLayout is the root of the inflated reps.
func (f *fieldTable) repsLayout(context.Context, *inflated) (model.Node, error) {
	n := model.Node{
		Name: inflatedName, Type: "rep[]", Spans: []model.Span{f.src.Whole()}, Elements: true, Help: "value reps of 8 bytes",
	}
	if reps := f.src.Size() / repSize; reps > 0 {
		n.Children = model.FixedRows(f.src, 0, repSize, reps, f.repNode)
	}
	return n, nil
}

func (f *fieldTable) repNode(ctx context.Context, i int64) model.Node {
	r := read.New(ctx, f.src, i*repSize, (i+1)*repSize, "usdc.fields.truncated")
	f.readRep(r, i)
	n := r.Nodes()[0]
	n.Name = model.IndexName(i)
	if i < int64(len(f.names)) {
		name, _ := f.c.token(ctx, f.names[i])
		n.Brief = name + ": " + n.Brief
	}
	return n
}

// readRep reads the rep of field i and says what it is and refers to.
func (f *fieldTable) readRep(r *read.Cursor, i int64) {
	v := rep(r.U64("rep", ""))
	if !r.Ok() {
		return
	}
	field := r.Field()
	*field = f.c.repNode(field.Name, v, field.Span())
	refs := field.Refs
	field.Refs = func(ctx context.Context) []model.Ref {
		if i < int64(len(f.names)) && f.c.inflated() {
			return append([]model.Ref{f.c.links.names.Ref("name", i)}, refs(ctx)...)
		}
		return refs(ctx)
	}
}

// count is the number of fields that have both name and rep.
func (f *fieldTable) count() int64 { return f.n }

// name is the text of the name of field i; errors as those of crate.token.
func (f *fieldTable) name(ctx context.Context, i int64) (string, error) {
	return f.c.token(ctx, f.names[i])
}

// rep is the value rep of field i.
func (f *fieldTable) rep(ctx context.Context, i int64) (rep, error) {
	var b [repSize]byte
	if _, err := f.src.ReadFull(ctx, b[:], f.off+i*f.stride); err != nil {
		return 0, err
	}
	return rep(binary.LittleEndian.Uint64(b[:])), nil
}

// reps calls do for each field's rep in order, reading them in large steps.
func (f *fieldTable) reps(ctx context.Context, do func(i int64, r rep)) error {
	return f.repsIn(ctx, 0, f.n, do)
}

// repsIn is reps of the fields first ≤ i < end.
func (f *fieldTable) repsIn(ctx context.Context, first, end int64, do func(i int64, r rep)) error {
	if first >= end {
		return nil
	}
	start := f.off - (f.stride - repSize) + first*f.stride
	return eachRecord(ctx, f.src, start, f.stride, end-first, func(i int64, b []byte) {
		do(first+i, rep(binary.LittleEndian.Uint64(b[f.stride-repSize:])))
	})
}

// repSpan is the 8 bytes of the rep of field i: in the inflated source of the reps, below 0.4.0 in the file.
func (f *fieldTable) repSpan(i int64) model.Span { return f.src.Span(f.off+i*f.stride, repSize) }
