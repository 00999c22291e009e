package usdc

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
	"cutaway/source"
)

// repSize is the bytes of a value rep.
const repSize = 8

// fieldTable is the table of fields (chapter 6): name token and value rep of each. The names are kept;
// the reps are read where they are.
type fieldTable struct {
	sectionTable
	n          int64 // fields that have both name and rep
	nameColumn column
	names      model.Numbers
	// src, off and stride say where the reps are: in the inflated source, below 0.4.0 in the file.
	src         *model.Source
	off, stride int64
}

// showField shows a field by its name.
func showField(s grammar.Scope, v grammar.Value, n *model.Node) {
	if o := v.Object(); o != nil {
		ctx := s.Reading().Context()
		n.Brief, _ = crateOf(s).token(ctx, uint32(o.Uint(ctx, o.Record().Field("name"))))
	}
}

// checkRep finds the first problem of a rep; its node has them all.
func checkRep(s grammar.Scope, v grammar.Value) (p model.Problem, wrong bool) {
	r, _ := v.Uint()
	problems := crateOf(s).repProblems(rep(r), s.Span(s.Object().Record().Field("rep")))
	if len(problems) > 0 {
		return problems[0], true
	}
	return p, false
}

// fields loads the fields; the error is that of the context, damage leaves a shorter table.
func (c *crate) fields(ctx context.Context, progress model.Progress) (*fieldTable, error) {
	return c.fieldTable.Get(ctx, progress, c.loadFields)
}

func (c *crate) loadFields(ctx context.Context, progress model.Progress) (*fieldTable, error) {
	f := &fieldTable{nameColumn: column{name: "names", record: "name", show: c.showTokenIndex}}
	t, err := c.tokens(ctx, progress)
	if err != nil || !f.open(ctx, c, "FIELDS") {
		return f, err
	}
	if err := f.readColumns(ctx, progress, "fields", f.claimed, &f.nameColumn); err != nil {
		return f, err
	}
	f.names = f.nameColumn.values
	f.nameColumn.check(ctx, &t.sectionTable, "token")
	if c.inflated() {
		err = f.readReps(ctx)
	} else if at := f.nameColumn.records; at.Len > 0 {
		record := c.plan.Record("Field")
		f.n, f.src, f.off, f.stride = f.names.Len(), c.src, at.Off+record.Number("rep").Off(), record.Size()
		f.showRecords(ctx, "fields", "field", "fields", nil)
	}
	f.finish()
	return f, err
}

func (f *fieldTable) readReps(ctx context.Context) error {
	node := f.field("reps")
	if node == nil {
		f.missing("reps", &f.nameColumn)
		return nil
	}
	b := &buffer{setting: f.setting("reps"), limit: f.claimed * repSize, exact: true, root: f.repsLayout}
	f.buffers = append(f.buffers, b)
	have := b.read(ctx, node.Span(), true)
	if most := source.MaxLZ4Output(have); have >= 0 && b.limit > most {
		b.blame(model.Problemf(model.Malformed, "usdc.compress.count", model.Span{}, "%d reps cannot come from %d bytes", f.claimed, have).
			WantAtMost(most/repSize, f.claimed))
		b.limit, b.exact = most, false
	}
	in, err := b.inflate(ctx)
	if err != nil {
		return err
	}
	f.src, f.off, f.stride = in.src, 0, repSize
	reps := in.src.Size() / repSize
	f.n = min(f.names.Len(), reps)
	node.Brief = usda.Plural(reps, "value rep", "value reps")
	return b.complete(ctx, node)
}

// repsLayout is the root of the inflated reps.
func (f *fieldTable) repsLayout(context.Context, *inflated) (model.Node, error) {
	n := model.Node{
		Name: inflatedName, Type: "rep[]", Spans: []model.Span{f.src.Whole()}, Elements: true, Help: "value reps of 8 bytes",
	}
	if reps := f.src.Size() / repSize; reps > 0 {
		n.Children = f.c.repRows(f.src, 0, reps, f.nameRep)
	}
	return n, nil
}

// nameRep adds the name of field i to the node of its rep.
func (f *fieldTable) nameRep(ctx context.Context, i int64, n *model.Node) {
	if i >= f.names.Len() {
		return
	}
	name, _ := f.c.token(ctx, f.names.At(i))
	n.Brief = name + ": " + n.Brief
	refs := n.Refs
	n.Refs = func(ctx context.Context) []model.Ref {
		return append([]model.Ref{f.c.entries.names.Ref("name", i)}, refs(ctx)...)
	}
}

// name is the text of the name of field i; errors as those of crate.token.
func (f *fieldTable) name(ctx context.Context, i int64) (string, error) {
	return f.c.token(ctx, f.names.At(i))
}

// rep is the value rep of field i.
func (f *fieldTable) rep(ctx context.Context, i int64) (rep, error) {
	r, _, err := repAt(ctx, f.src, f.off+i*f.stride)
	return r, err
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
		do(first+i, repOfBytes(b[f.stride-repSize:]))
	})
}

// repSpan is the 8 bytes of the rep of field i: in the inflated source of the reps, below 0.4.0 in the file.
func (f *fieldTable) repSpan(i int64) model.Span { return f.src.Span(f.off+i*f.stride, repSize) }
