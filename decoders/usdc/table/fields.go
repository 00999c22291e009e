package table

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/coding"
	"cutaway/model"
	"cutaway/source"
)

// RepSize is the bytes of a value rep.
const RepSize = 8

// Fields is the table of fields (chapter 6): name token and value rep of each. The names are kept;
// the reps are read where they are.
type Fields struct {
	Section
	Count      int64 // fields that have both name and rep
	nameColumn column
	Names      model.Numbers
	// Src, off and stride say where the reps are: in the inflated source, below 0.4.0 in the file.
	Src         *model.Source
	off, stride int64
}

// showField shows a field by its name.
func showField(s grammar.Scope, v grammar.Value, n *model.Node) {
	if o := v.Object(); o != nil {
		ctx := s.Reading().Context()
		n.Brief, _ = CrateOf(s).TokenAt(ctx, uint32(o.Uint(ctx, o.Record().Field("name"))))
	}
}

// checkRep finds the first problem of a rep; its node has them all.
func checkRep(s grammar.Scope, v grammar.Value) (p model.Problem, wrong bool) {
	r, _ := v.Uint()
	problems := CrateOf(s).RepProblems(Rep(r), s.Span(s.Object().Record().Field("rep")))
	if len(problems) > 0 {
		return problems[0], true
	}
	return p, false
}

// Fields loads the fields; the error is that of the context, damage leaves a shorter table.
func (c *Crate) Fields(ctx context.Context, progress model.Progress) (*Fields, error) {
	return c.fieldTable.Get(ctx, progress, c.loadFields)
}

func (c *Crate) loadFields(ctx context.Context, progress model.Progress) (*Fields, error) {
	f := &Fields{nameColumn: column{name: "names", record: "name", show: c.showTokenIndex}}
	t, err := c.Tokens(ctx, progress)
	if err != nil || !f.open(ctx, c, "FIELDS") {
		return f, err
	}
	if err := f.readColumns(ctx, progress, "fields", f.claimed, &f.nameColumn); err != nil {
		return f, err
	}
	f.Names = f.nameColumn.Values
	f.nameColumn.check(ctx, &t.Section, "token")
	if c.Compressed() {
		err = f.readReps(ctx)
	} else if at := f.nameColumn.records; at.Len > 0 {
		record := c.plan.Record("Field")
		f.Count, f.Src, f.off, f.stride = f.Names.Len(), c.Src, at.Off+record.Number("rep").Off(), record.Size()
		f.showRecords(ctx, "fields", "field", "fields", nil)
	}
	f.finish()
	return f, err
}

func (f *Fields) readReps(ctx context.Context) error {
	node := f.field("reps")
	if node == nil {
		f.missing("reps", &f.nameColumn)
		return nil
	}
	b := &coding.Buffer{Setting: f.setting("reps"), Limit: f.claimed * RepSize, Exact: true, Root: f.repsLayout}
	f.buffers = append(f.buffers, b)
	have := b.Read(ctx, node.Span(), true)
	if most := source.MaxLZ4Output(have); have >= 0 && b.Limit > most {
		b.Blame(model.Problemf(model.Malformed, "usdc.compress.count", model.Span{}, "%d reps cannot come from %d bytes", f.claimed, have).
			WantAtMost(most/RepSize, f.claimed))
		b.Limit, b.Exact = most, false
	}
	in, err := b.Inflate(ctx)
	if err != nil {
		return err
	}
	f.Src, f.off, f.stride = in.Src, 0, RepSize
	reps := in.Src.Size() / RepSize
	f.Count = min(f.Names.Len(), reps)
	node.Brief = f.left(reps, "value rep", "value reps")
	return b.Complete(ctx, node)
}

// repsLayout returns the root of the inflated reps.
func (f *Fields) repsLayout(context.Context, *coding.Inflated) (model.Node, error) {
	n := model.Node{
		Name: coding.InflatedName, Type: "rep[]", Spans: []model.Span{f.Src.Whole()}, Elements: true, Help: "value reps of 8 bytes",
	}
	if reps := f.Src.Size() / RepSize; reps > 0 {
		n.Children = f.c.RepRows(f.Src, 0, reps, f.nameRep)
	}
	return n, nil
}

// nameRep adds the name of field i to the node of its rep.
func (f *Fields) nameRep(ctx context.Context, i int64, n *model.Node) {
	if i >= f.Names.Len() {
		return
	}
	name, _ := f.c.TokenAt(ctx, f.Names.At(i))
	n.Brief = name + ": " + n.Brief
	refs := n.Refs
	n.Refs = func(ctx context.Context) []model.Ref {
		return append([]model.Ref{f.c.Entries.Names.Ref("name", i)}, refs(ctx)...)
	}
}

// Name returns the text of the name of field i; errors as those of TokenAt.
func (f *Fields) Name(ctx context.Context, i int64) (string, error) {
	return f.c.TokenAt(ctx, f.Names.At(i))
}

// Rep returns the value rep of field i.
func (f *Fields) Rep(ctx context.Context, i int64) (Rep, error) {
	r, _, err := ReadRep(ctx, f.Src, f.off+i*f.stride)
	return r, err
}

// EachRep calls do for each field's rep in order, reading them in large steps.
func (f *Fields) EachRep(ctx context.Context, do func(i int64, r Rep)) error {
	return f.EachRepIn(ctx, 0, f.Count, do)
}

// EachRepIn is EachRep for the fields first ≤ i < end.
func (f *Fields) EachRepIn(ctx context.Context, first, end int64, do func(i int64, r Rep)) error {
	if first >= end {
		return nil
	}
	start := f.off - (f.stride - RepSize) + first*f.stride
	return EachRecord(ctx, f.Src, start, f.stride, end-first, func(i int64, b []byte) {
		do(first+i, RepOf(b[f.stride-RepSize:]))
	})
}

// RepSpan returns the 8 bytes of the rep of field i: in the inflated source of the reps, below 0.4.0 in the file.
func (f *Fields) RepSpan(i int64) model.Span { return f.Src.Span(f.off+i*f.stride, RepSize) }
