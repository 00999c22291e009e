package usdz

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"

	"cutaway/decoders/read"
	"cutaway/model"
)

// Sizes and rules of the local file header.
const (
	localHeaderSize = 30
	alignment       = 64 // bytes, of a member's data

	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3

	methodStored  = 0
	methodDeflate = 8

	zip64Size = 0xFFFFFFFF // a size that stands in a zip64 extra field instead
)

// An entry is one member: a local header, its data, and perhaps a data descriptor.
type entry struct {
	name       string // as stored
	node       string // unique among the layout's names
	header     int64  // file offset of the local header
	data       int64  // file offset of the data
	dataEnd    int64  // behind the data that is in the file
	end        int64  // behind the data descriptor, if any
	flags      uint16
	method     uint16
	crc        uint32
	compressed uint32
	inflated   uint32
	problems   []model.Problem // about the whole member

	member *member
}

// localHeader reads the header at c as nodes and e's values. It leaves c behind the extra field.
func (e *entry) localHeader(c *read.Cursor) {
	e.header = c.Off()
	c.Text("signature", 4, "PK 03 04")
	c.U16("version needed", "the zip version that a reader must know, times ten")
	e.flags = uint16(c.Bits("flags", 2, "general purpose bits",
		read.Bit{Name: "encrypted", Width: 1, Help: "must be 0 in a package"},
		read.Bit{Name: "option", Width: 2, Help: "of the compression"},
		read.Bit{Name: "data descriptor", Width: 1, Help: "CRC and sizes follow the data; must be 0 in a package"},
		read.Bit{Name: "other", Width: 7},
		read.Bit{Name: "UTF-8", Width: 1, Help: "the name is UTF-8"}))
	c.Check(e.flags&flagEncrypted == 0, ruleEncrypted, "0", "1", "the member is encrypted, which a package does not allow")
	c.Check(e.flags&flagDescriptor == 0, ruleDescriptor, "0", "1",
		"the member's sizes stand behind its data, where a reader of packages does not find them")
	e.method = c.U16("method", "0 stored, 8 deflated; a package allows 0 only")
	c.Symbol(methodName(e.method))
	c.Check(e.method == methodStored, ruleCompressed, methodName(methodStored), methodName(e.method),
		"the member is compressed, so it cannot be used in place")
	c.U16("time", "DOS time: hours in the top 5 bits, minutes in 6, seconds divided by two in 5")
	c.U16("date", "DOS date: years since 1980 in the top 7 bits, month in 4, day in 5")
	e.crc = c.U32("CRC-32", "of the uncompressed data")
	e.compressed = c.U32("compressed size", "bytes of data that follow the header")
	c.Check(e.compressed != zip64Size, ruleZip64, "a size", "0xffffffff", "the size stands in a zip64 field, which a package does not allow")
	e.inflated = c.U32("uncompressed size", "bytes of the member")
	c.Check(e.method != methodStored || e.inflated == e.compressed, ruleSizes, e.compressed, e.inflated,
		"the member is stored, but its two sizes differ")
	nameLength := c.U16("name length", "bytes of the name")
	extraLength := c.U16("extra length", "bytes of the extra field, which aligns the data")
	e.name = c.Text("name", int64(nameLength), "path of the member in the package")
	c.Pad("extra", int64(extraLength), "filler that moves the data to a multiple of 64 bytes")
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

// check adds the rules that concern the member as a whole.
func (e *entry) check(src *model.Source, first bool) {
	at := src.Span(e.header, e.data-e.header)
	data := src.Span(e.data, e.dataEnd-e.data)
	if e.data%alignment != 0 {
		e.problems = append(e.problems, model.Problemf(model.Malformed, ruleUnaligned, data,
			"the data of %q does not begin at a multiple of %d bytes", e.name, alignment).
			Want("a multiple of 64", fmt.Sprintf("%#x, %d behind one", e.data, e.data%alignment)))
	}
	kind := ending(e.name)
	switch {
	case first && !isLayer(e.name):
		e.problems = append(e.problems, model.Problemf(model.Malformed, ruleRootLayer, at,
			"the first member is the default layer, and %q is none", e.name).Want(".usd, .usda or .usdc", kind))
	case !isLayer(e.name) && !slices.Contains(mediaEndings, kind):
		e.problems = append(e.problems, model.Problemf(model.Suspicious, ruleKind, at,
			"%q is no kind of file that a package may hold", e.name).Want("a layer, image, sound or package", kind))
	}
}

// entryNode makes the fields of the member and its data.
func (p *pkg) entryNode(ctx context.Context, e *entry) model.Node {
	c := read.New(ctx, p.src, e.header, e.data, ruleTruncated)
	new(entry).localHeader(c)
	fields := c.Nodes()
	if e.dataEnd > e.data {
		fields = append(fields, p.dataNode(e))
	}
	if e.end > e.dataEnd {
		d := read.New(ctx, p.src, e.dataEnd, e.end, ruleTruncated)
		d.Group("data descriptor", "descriptor", "what the local header leaves out", func() {
			if e.end-e.dataEnd >= 16 {
				d.Text("signature", 4, "PK 07 08")
			}
			d.U32("CRC-32", "of the uncompressed data")
			d.U32("compressed size", "bytes of data")
			d.U32("uncompressed size", "bytes of the member")
		})
		fields = append(fields, d.Nodes()...)
	}
	return model.Node{
		Name: e.node, Type: "member", Brief: fmt.Sprintf("%s, %d bytes", methodName(e.method), e.inflated),
		Spans: []model.Span{p.src.Span(e.header, e.end-e.header)}, Problems: e.problems, Children: model.NewList(fields...),
		Help: "a file of the package: local header, then data",
	}
}

func (p *pkg) dataNode(e *entry) model.Node {
	span := p.src.Span(e.data, e.dataEnd-e.data)
	n := model.Node{
		Name: "data", Type: "bytes", Value: model.Blob{Span: span}, Spans: []model.Span{span},
		Help: "the member's bytes; they open as a file of their own",
	}
	if e.member.derivable() {
		n.Derived = []*model.Derivation{e.member.derivation()}
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
