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
	alignment = 64 // of a member's data, in bytes

	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	flagUTF8       = 1 << 11

	methodStored  = 0
	methodDeflate = 8
)

// A header holds the fields that both headers of a member have.
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

// An entry is a member: a local header, its data, and possibly a data descriptor.
type entry struct {
	header
	fields   *grammar.Object // of the local header
	flags    uint16
	part     int             // index of its node in the layout
	data     int64           // file offset of the data
	dataEnd  int64           // end of the data in the file
	end      int64           // end of the data descriptor, or of the data
	problems []model.Problem // of the whole member

	appleDouble bool // attributes of another file, added by macOS
	member      *member
}

func nameMethod(_ grammar.Scope, args []grammar.Value) grammar.Value {
	n, _ := args[0].Int()
	return grammar.StringValue(methodName(uint16(n)))
}

func methodName(method uint16) string {
	switch method {
	case methodStored:
		return "stored"
	case methodDeflate:
		return "deflated"
	}
	return fmt.Sprintf("method %d", method)
}

// check adds the problems of the member as a whole.
func (e *entry) check(ctx context.Context, src *model.Source, first bool) {
	at := src.Span(e.fields.Start(), e.data-e.fields.Start())
	data := src.Span(e.data, e.dataEnd-e.data)
	if e.flags&flagUTF8 == 0 && strings.ContainsFunc(e.name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		how := "is read as UTF-8, which its flags do not say"
		if !utf8.ValidString(e.name) {
			how = "is not UTF-8, and its flags do not say that it were"
		}
		e.problems = append(e.problems, model.Problemf(model.Assumed, ruleNameFlag, e.fields.SpanOf(ctx, e.fields.Record().Field("name")),
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
	if e.isHollow() && !first { // opening the first member reports this
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

// isHollow reports whether the member is empty but named as a layer or package.
func (e *entry) isHollow() bool { return e.compressed == 0 && e.inflated == 0 && opensFirst(e.name) }

// entryNode returns the node of a member: the fields of its header, its data, and the data descriptor.
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
				o := p.plan.Record("descriptor").Open(p.session, grammar.Stream{Source: p.src, Start: e.dataEnd, End: e.end}, e.dataEnd)
				after = append(after, o.Node(ctx, "data descriptor"))
			}
			return model.Concat(e.fields.Children(ctx), model.NewList(after...))
		}),
	}
}

// cards returns the cards of a member that is an image.
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

// sum returns the CRC-32 of the member's uncompressed bytes, read from r. It calls done with the length of each run.
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
