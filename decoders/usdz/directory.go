package usdz

import (
	"bytes"
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

const (
	maxComment    = 0xFFFF
	directoryName = "central directory" // of its node
)

// A listing is an entry of the central directory.
type listing struct {
	off, end int64 // in the file
	header         // as in the directory
	local    int64 // file offset of the local header
}

// differsFromLocal reports a field of a directory entry that differs from the local header. Sizes there may be 0.
func differsFromLocal(s grammar.Scope, v grammar.Value) (problem model.Problem, breach bool) {
	f := s.Ruled()
	e := s.Env().(*pkg).byHeader[s.Number("local header")]
	late := f.Of == grammar.Type(grammar.U32) // the CRC-32 and the sizes
	if e == nil || late && e.flags&flagDescriptor != 0 {
		return problem, false
	}
	there, err := e.fields.Value(s.Reading().Context(), e.fields.Record().Field(f.Name))
	return model.Problemf(model.Malformed, ruleDirectory, model.Span{}, "the %s of %q is not the one of its local header", f.Name, e.name).
		Want(named(f, there), named(f, v)), err == nil && there.String() != v.String()
}

// named returns the name of a number, or the value unchanged.
func named(f *grammar.Field, v grammar.Value) string {
	if n, ok := v.Int(); ok && f.Names != nil {
		return f.Names(grammar.Scope{}, n)
	}
	return v.String()
}

func directoryEntries(s grammar.Scope, _ []grammar.Value) grammar.Value {
	return grammar.IntValue(int64(len(s.Env().(*pkg).directory)))
}

func directorySize(s grammar.Scope, _ []grammar.Value) grammar.Value {
	return grammar.IntValue(s.Env().(*pkg).directorySpan(s.Object().Start()).Len)
}

func directoryOffset(s grammar.Scope, _ []grammar.Value) grammar.Value {
	return grammar.IntValue(s.Env().(*pkg).directorySpan(s.Object().Start()).Off)
}

// readDirectory reads the entries of the central directory from off on.
func (p *pkg) readDirectory(ctx context.Context, off int64) (list []listing) {
	for whole := true; whole && p.starts(ctx, off, centralSignature); {
		o := p.plan.Record("directory entry").Read(grammar.NewReading(ctx, grammar.Near), p.session, p.stream, off)
		list = append(list, listing{off, o.End(), headerOf(ctx, o), int64(o.Uint(ctx, p.plan.Record("directory entry").Field("local header")))})
		off, whole = o.End(), o.OK()
	}
	return list
}

// starts reports whether the bytes at off begin with a signature.
func (p *pkg) starts(ctx context.Context, off int64, signature []byte) bool {
	b, err := p.src.Bytes(ctx, off, int64(len(signature)))
	return err == nil && bytes.Equal(b, signature)
}

// findEnd returns the offset of the end record, which only its comment may follow, or -1 if there is none.
func (p *pkg) findEnd(ctx context.Context) int64 {
	size := p.src.Size()
	start := max(0, size-p.plan.Record("end record").Number("comment length").End()-maxComment)
	tail, err := p.src.Bytes(ctx, start, size-start)
	if err != nil {
		return -1
	}
	if i := bytes.LastIndex(tail, endSignature); i >= 0 {
		return start + int64(i)
	}
	return -1
}

// directorySpan returns the bytes of the central directory, or an empty span at the end record if there are none.
func (p *pkg) directorySpan(end int64) model.Span {
	if len(p.directory) == 0 {
		return p.src.Span(end, 0)
	}
	first := p.directory[0].off
	return p.src.Span(first, p.directory[len(p.directory)-1].end-first)
}

func (p *pkg) directoryNode() model.Node {
	return model.Node{
		Name: directoryName, Type: "directory", Brief: fmt.Sprintf("%d entries", len(p.directory)),
		Spans: []model.Span{p.directorySpan(0)},
		Help:  "the members once more, for ordinary zip readers; readers of packages do not use it",
		Children: &model.Rows{Count: int64(len(p.directory)), Make: func(ctx context.Context, i int64) model.Node {
			r := p.directory[i]
			o := p.plan.Record("directory entry").Open(p.session, grammar.Stream{Source: p.src, Start: r.off, End: r.end}, r.off)
			n := o.Node(ctx, model.IndexName(i))
			n.Brief = r.name
			if e := p.byHeader[r.local]; e != nil {
				n.Refs = func(context.Context) []model.Ref {
					return []model.Ref{{Kind: "member", Path: p.entryPath(e), Text: e.name}}
				}
			} else if o.OK() {
				n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleDirectory, n.Span(),
					"the directory lists %q, but there is no member at its offset", r.name).
					Want("a local header", fmt.Sprintf("%#x", r.local)))
			}
			return n
		}},
	}
}
