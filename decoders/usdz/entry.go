package usdz

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"unicode/utf8"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// Rules of the local file header.
const (
	alignment = 64 // bytes, of a member's data

	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	flagUTF8       = 1 << 11

	methodStored  = 0
	methodDeflate = 8

	zip64Size = 0xFFFFFFFF // a size that is in a zip64 extra field instead
)

// A header is what both headers of a member say of it.
type header struct {
	name                      string // as stored
	method                    uint16
	crc, compressed, inflated uint32
}

func headerOf(ctx context.Context, o *grammar.Object) header {
	number := func(field string) uint32 { return uint32(o.Uint(ctx, o.Record().Field(field))) }
	h := header{method: uint16(number("method")), crc: number("CRC-32"), compressed: number("compressed size"), inflated: number("uncompressed size")}
	if name, err := o.Value(ctx, o.Record().Field("name")); err == nil {
		h.name = name.String()
	}
	return h
}

// An entry is one member: a local header, its data, and perhaps a data descriptor.
type entry struct {
	header
	fields   *grammar.Object // of the local header
	flags    uint16
	part     int             // number of its node in the layout
	data     int64           // file offset of the data
	dataEnd  int64           // of the data that is in the file
	end      int64           // of the data descriptor, if any
	problems []model.Problem // about the whole member

	appleDouble bool // attributes of another file, which macOS put there
	member      *member
}

func u16(name, help string) *grammar.Field { return grammar.F(name, grammar.U16, help) }
func u32(name, help string) *grammar.Field { return grammar.F(name, grammar.U32, help) }

func signature(help string) *grammar.Field {
	return grammar.F("signature", grammar.UTF8, help).Sized(grammar.Const(4))
}

// sized is text of as many bytes as a field says.
func sized(name, length, help string) *grammar.Field {
	return grammar.F(name, grammar.UTF8, help).Sized(grammar.Ref(length))
}

func extra(help string) *grammar.Field {
	return grammar.F("extra", grammar.Raw, help).Sized(grammar.Ref("extra length")).Pad().
		If(grammar.NotEqual(grammar.Ref("extra length"), grammar.Const(0)))
}

// named is a number's name, or the value as it is.
func named(f *grammar.Field, v grammar.Value) string {
	if n, ok := v.Int(); ok && f.Names != nil {
		return f.Names(grammar.Scope{}, n)
	}
	return v.String()
}

// localHeader is the description of the header before each member, descriptor of what may follow its data.
var (
	localHeader = newLocalHeader()
	descriptor  = newDescriptor()
)

func newLocalHeader() *grammar.Record {
	without := func(bit uint64) func(grammar.Scope, grammar.Value) bool {
		return func(_ grammar.Scope, v grammar.Value) bool {
			n, _ := v.Uint()
			return n&bit == 0
		}
	}
	flags := u16("flags", "general purpose bits").MadeOf(
		grammar.Part("encrypted", 1, "must be 0 in a package"),
		grammar.Part("option", 2, "of the compression"),
		grammar.Part("data descriptor", 1, "CRC and sizes follow the data; must be 0 in a package"),
		grammar.Part("other", 7, ""),
		grammar.Part("UTF-8", 1, "the name is UTF-8")).
		Check(ruleEncrypted, without(flagEncrypted), "no bit 0", "the member is encrypted, which a package does not allow").
		Check(ruleDescriptor, without(flagDescriptor), "no bit 3",
			"the member's sizes follow its data, where a reader of packages does not find them")
	method := u16("method", "stored is 0, deflated 8; a package allows 0 only").NamedBy(nameMethod)
	method.CheckBy(grammar.Check{Rule: ruleCompressed, OK: grammar.Is(methodStored), Expected: methodName(methodStored),
		Found: func(_ grammar.Scope, v grammar.Value) string { return named(method, v) }, Message: "the member is compressed, so it cannot be used in place"})
	stored := u32("compressed size", "bytes of data that follow the header")
	stored.Check(ruleZip64, grammar.AtMost(zip64Size-1), "a size", "the size is in a zip64 field, which a package does not allow")
	size := u32("uncompressed size", "bytes of the member").CheckBy(grammar.Check{Find: func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		compressed, inflated := s.Int(stored), v.String()
		return model.Problemf(model.Malformed, ruleSizes, model.Span{}, "the member is stored, but its two sizes differ").Want(compressed, inflated),
			s.Int(method) == methodStored && fmt.Sprint(compressed) != inflated
	}})
	return grammar.NewRecord("local header",
		signature("PK 03 04"),
		u16("version needed", "the zip version that a reader must know, times ten"),
		flags, method,
		u16("time", "DOS time: hours in the top 5 bits, minutes in 6, seconds divided by two in 5"),
		u16("date", "DOS date: years since 1980 in the top 7 bits, month in 4, day in 5"),
		u32("CRC-32", "of the uncompressed data"),
		stored, size,
		u16("name length", "bytes of the name"),
		u16("extra length", "bytes of the extra field, which aligns the data"),
		sized("name", "name length", "path of the member in the package"),
		extra("filler that moves the data to a multiple of 64 bytes"))
}

// newDescriptor is the description of a data descriptor, with or without the signature that most writers put in front.
func newDescriptor() *grammar.Record {
	rec := grammar.NewRecord("descriptor",
		signature("PK 07 08").If(grammar.Less(grammar.Const(15), grammar.Left())),
		u32("CRC-32", "of the uncompressed data"),
		u32("compressed size", "bytes of data"),
		u32("uncompressed size", "bytes of the member"))
	rec.Help = "what the local header leaves out"
	return rec
}

func nameMethod(_ grammar.Scope, n int64) string { return methodName(uint16(n)) }

func methodName(method uint16) string {
	switch method {
	case methodStored:
		return "stored"
	case methodDeflate:
		return "deflated"
	}
	return fmt.Sprintf("method %d", method)
}

// check adds the rules that concern the member as a whole.
func (e *entry) check(ctx context.Context, src *model.Source, first bool) {
	at := src.Span(e.fields.Start(), e.data-e.fields.Start())
	data := src.Span(e.data, e.dataEnd-e.data)
	if e.flags&flagUTF8 == 0 && strings.ContainsFunc(e.name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		how := "is read as UTF-8, which its flags do not say"
		if !utf8.ValidString(e.name) {
			how = "is not UTF-8, and its flags do not say that it were"
		}
		e.problems = append(e.problems, model.Problemf(model.Assumed, ruleNameFlag, e.fields.SpanOf(ctx, localHeader.Field("name")),
			"the name %q %s: other programs may show and unpack it by another name", e.name, how).
			Want(fmt.Sprintf("flags with %#x", flagUTF8), fmt.Sprintf("%#x", e.flags)))
	}
	if e.appleDouble && !first {
		e.problems = append(e.problems, model.Problemf(model.Assumed, ruleAppleDouble, at,
			"%q holds attributes that macOS keeps of another file; no reader of USD looks at it", e.name))
		return
	}
	if e.data%alignment != 0 {
		e.problems = append(e.problems, model.Problemf(model.Suspicious, ruleUnaligned, data,
			"the data of %q does not begin at a multiple of %d bytes", e.name, alignment).
			Want("a multiple of 64", fmt.Sprintf("%#x, %d after one", e.data, e.data%alignment)))
	}
	if e.isHollow() && !first { // of the first it is told where that is opened
		e.problems = append(e.problems, e.member.notALayer())
	}
	kind := ending(e.name)
	switch {
	case first && !opensFirst(e.name):
		e.problems = append(e.problems, model.Problemf(model.Malformed, ruleRootLayer, at,
			"the first member is the default layer, and %q is none", e.name).Want(".usd, .usda, .usdc or .usdz", kind))
	case !isLayer(e.name) && !slices.Contains(mediaEndings, kind):
		e.problems = append(e.problems, model.Problemf(model.Suspicious, ruleKind, at,
			"%q is no kind of file that a package may hold", e.name).Want("a layer, image, sound or package", kind))
	}
}

// isHollow reports whether the member is named as a layer or package and has no bytes.
func (e *entry) isHollow() bool { return e.compressed == 0 && e.inflated == 0 && opensFirst(e.name) }

// entryNode is the node of a member: the fields of its header, its data, and what follows that.
func (p *pkg) entryNode(e *entry) model.Node {
	at := p.src.Span(e.fields.Start(), e.end-e.fields.Start())
	return model.Node{
		Name: e.name, Type: "member", Brief: fmt.Sprintf("%s, %d bytes", methodName(e.method), e.inflated),
		Spans: []model.Span{at}, Help: "a file of the package: local header, then data", Cards: e.cards,
		Children: model.Defer(func(ctx context.Context) model.Children {
			var after []model.Node
			if e.dataEnd > e.data {
				after = append(after, p.dataNode(e))
			}
			if e.end > e.dataEnd {
				o := descriptor.Open(p.session, grammar.Stream{Source: p.src, Start: e.dataEnd, End: e.end}, e.dataEnd)
				after = append(after, o.Node(ctx, "data descriptor"))
			}
			return model.Concat(e.fields.Children(ctx), model.NewList(after...))
		}),
	}
}

// cards show a member that is an image.
func (e *entry) cards(context.Context) []model.Card {
	if !e.member.derivable() {
		return nil
	}
	d := e.member.derivation()
	return imageCards(e.name, e.member.source(d.Name, d.Codec))
}

func (p *pkg) dataNode(e *entry) model.Node {
	span := p.src.Span(e.data, e.dataEnd-e.data)
	n := model.Node{
		Name: "data", Type: "bytes", Value: model.Blob{Span: span}, Spans: []model.Span{span},
		Help: "the member's bytes; they open as a file of their own",
	}
	if e.member.derivable() {
		n.Derived = []*model.Derivation{e.member.derivation()}
		n.Cards = e.cards
	}
	return n
}

// sum is the CRC-32 of the member's uncompressed bytes, which r reads. done is told of each run of them.
func (e *entry) sum(ctx context.Context, r model.Reader, done func(n int64)) (uint32, error) {
	var crc uint32
	buf := make([]byte, 256<<10)
	for off := int64(0); off < r.Size(); {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := r.ReadAt(ctx, buf[:min(int64(len(buf)), r.Size()-off)], off)
		crc = crc32.Update(crc, crc32.IEEETable, buf[:n])
		off += int64(n)
		done(int64(n))
		if n == 0 && err != nil {
			return crc, err
		}
	}
	return crc, nil
}
