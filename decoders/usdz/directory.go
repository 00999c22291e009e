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

// A listing is one entry of the central directory.
type listing struct {
	off, end int64 // in the file
	header         // as the directory has it
	local    int64 // file offset of the local header
}

// centralHeader is the description of an entry of the central directory.
var centralHeader = newCentralHeader()

func newCentralHeader() *grammar.Record {
	local := u32("local header", "file offset of the member's local header")
	// same is the rule that the local header has the field's value too; sizes may be 0 there.
	same := func(f *grammar.Field, size bool) *grammar.Field {
		return f.CheckBy(grammar.Check{Find: func(s grammar.Scope, v grammar.Value) (p model.Problem, wrong bool) {
			e := s.Env().(*pkg).byHeader[s.Int(local)]
			if e == nil || size && e.flags&flagDescriptor != 0 {
				return p, false
			}
			there, err := e.fields.Value(s.Reading().Context(), localHeader.Field(f.Name))
			return model.Problemf(model.Malformed, ruleDirectory, model.Span{}, "the %s of %q is not the one of its local header", f.Name, e.name).
				Want(named(f, there), named(f, v)), err == nil && there.String() != v.String()
		}})
	}
	return grammar.NewRecord("directory entry",
		signature("PK 01 02"),
		u16("version made by", "zip version, times ten, and system of the writer"),
		u16("version needed", "the zip version that a reader must know, times ten"),
		u16("flags", "general purpose bits"),
		same(u16("method", "stored is 0, deflated 8").NamedBy(nameMethod), false),
		u16("time", "DOS time"),
		u16("date", "DOS date"),
		same(u32("CRC-32", "of the uncompressed data"), true),
		same(u32("compressed size", "bytes of data"), true),
		same(u32("uncompressed size", "bytes of the member"), true),
		u16("name length", "bytes of the name"),
		u16("extra length", "bytes of the extra field"),
		u16("comment length", "bytes of the comment"),
		u16("disk", "always 0: packages are one file"),
		u16("internal attributes", ""),
		u32("external attributes", ""),
		local,
		same(sized("name", "name length", "path of the member in the package"), false),
		extra("extra field"),
		sized("comment", "comment length", ""))
}

// endRecord is the description of the last record of a zip.
var endRecord = newEndRecord()

func newEndRecord() *grammar.Record {
	is := func(f *grammar.Field, message string, want func(p *pkg, end int64) int64) *grammar.Field {
		return f.CheckBy(grammar.Check{Find: func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
			got, _ := v.Int()
			expected := want(s.Env().(*pkg), s.Object().Start())
			return model.Problemf(model.Malformed, ruleDirectoryEnd, model.Span{}, "%s", message).Want(expected, got), got != expected
		}})
	}
	count := func(p *pkg, _ int64) int64 { return int64(len(p.directory)) }
	rec := grammar.NewRecord("end record",
		signature("PK 05 06"),
		u16("disk", "always 0: packages are one file"),
		u16("directory disk", "always 0"),
		is(u16("entries here", "entries of the central directory in this file"), "the number of entries is wrong", count),
		is(u16("entries", "entries of the central directory"), "the number of entries is wrong", count),
		is(u32("directory size", "bytes of the central directory"), "the size of the central directory is wrong",
			func(p *pkg, end int64) int64 { return p.directorySpan(end).Len }),
		is(u32("directory offset", "file offset of the central directory"), "the central directory is not at this offset",
			func(p *pkg, end int64) int64 { return p.directorySpan(end).Off }),
		u16("comment length", "bytes of the comment"),
		sized("comment", "comment length", ""))
	rec.Help = "the last record of a zip"
	return rec
}

// readDirectory reads the entries of the central directory that are from off on.
func (p *pkg) readDirectory(ctx context.Context, off int64) (list []listing) {
	for whole := true; whole && p.starts(ctx, off, centralSignature); {
		o := centralHeader.Read(grammar.NewReading(ctx, grammar.Near), p.session, p.stream, off)
		list = append(list, listing{off, o.End(), headerOf(ctx, o), int64(o.Uint(ctx, centralHeader.Field("local header")))})
		off, whole = o.End(), o.OK()
	}
	return list
}

// starts reports whether the bytes at off begin with a signature.
func (p *pkg) starts(ctx context.Context, off int64, signature []byte) bool {
	b, err := p.src.Bytes(ctx, off, int64(len(signature)))
	return err == nil && bytes.Equal(b, signature)
}

// findEnd looks for the end record: at the end of the file, with nothing but its comment after it. It returns -1 where
// there is none.
func (p *pkg) findEnd(ctx context.Context) int64 {
	size := p.src.Size()
	start := max(0, size-endRecord.Offset(endRecord.Field("comment"))-maxComment)
	tail, err := p.src.Bytes(ctx, start, size-start)
	if err != nil {
		return -1
	}
	if i := bytes.LastIndex(tail, endSignature); i >= 0 {
		return start + int64(i)
	}
	return -1
}

// directorySpan is the bytes of the central directory; where there is none, none at the end record.
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
			o := centralHeader.Open(p.session, grammar.Stream{Source: p.src, Start: r.off, End: r.end}, r.off)
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
