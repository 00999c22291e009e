package usdz

import (
	"bytes"
	"context"
	"fmt"

	"cutaway/decoders/read"
	"cutaway/model"
)

const (
	centralHeaderSize = 46
	endRecordSize     = 22
	maxComment        = 0xFFFF
	directoryName     = "central directory" // of its node
)

// A record is one entry of the central directory.
type record struct {
	off, end   int64 // in the file
	name       string
	method     uint16
	crc        uint32
	compressed uint32
	inflated   uint32
	header     uint32 // file offset of the local header
}

// centralHeader reads one entry of the central directory as nodes and r's values.
func (r *record) centralHeader(c *read.Cursor) {
	r.off = c.Off()
	c.Text("signature", 4, "PK 01 02")
	c.U16("version made by", "zip version, times ten, and system of the writer")
	c.U16("version needed", "the zip version that a reader must know, times ten")
	c.U16("flags", "general purpose bits")
	r.method = c.U16("method", "0 stored, 8 deflated")
	c.Symbol(methodName(r.method))
	c.U16("time", "DOS time")
	c.U16("date", "DOS date")
	r.crc = c.U32("CRC-32", "of the uncompressed data")
	r.compressed = c.U32("compressed size", "bytes of data")
	r.inflated = c.U32("uncompressed size", "bytes of the member")
	name := c.U16("name length", "bytes of the name")
	extra := c.U16("extra length", "bytes of the extra field")
	comment := c.U16("comment length", "bytes of the comment")
	c.U16("disk", "0: packages are one file")
	c.U16("internal attributes", "")
	c.U32("external attributes", "")
	r.header = c.U32("local header", "file offset of the member's local header")
	r.name = c.Text("name", int64(name), "path of the member in the package")
	c.Pad("extra", int64(extra), "extra field")
	c.Text("comment", int64(comment), "")
	r.end = c.Off()
}

// compare adds what r says differently from its member e to the nodes of r.
func (r *record) compare(e *entry, nodes []model.Node) {
	differ := func(field string, local, here any) {
		for i := range nodes {
			if n := &nodes[i]; n.Name == field && local != here {
				n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleDirectory, n.Span(),
					"the %s of %q is not the one of its local header", field, r.name).Want(local, here))
			}
		}
	}
	differ("name", e.name, r.name)
	differ("method", methodName(e.method), methodName(r.method))
	if e.flags&flagDescriptor == 0 {
		differ("CRC-32", e.crc, r.crc)
		differ("compressed size", e.compressed, r.compressed)
		differ("uncompressed size", e.inflated, r.inflated)
	}
}

// readDirectory reads the entries of the central directory that stand from off on.
func (p *pkg) readDirectory(ctx context.Context, off int64) []record {
	var list []record
	for p.starts(ctx, off, centralSignature) {
		c := read.New(ctx, p.src, off, p.src.Size(), ruleTruncated)
		var r record
		r.centralHeader(c)
		r.end = c.Off()
		list = append(list, r)
		if !c.Ok() {
			break
		}
		off = r.end
	}
	return list
}

// starts tells whether the bytes at off begin with a signature.
func (p *pkg) starts(ctx context.Context, off int64, signature []byte) bool {
	b, err := p.src.Bytes(ctx, off, int64(len(signature)))
	return err == nil && bytes.Equal(b, signature)
}

// findEnd looks for the end record: at the end of the file, behind nothing but its comment. It returns -1 where
// there is none.
func (p *pkg) findEnd(ctx context.Context) int64 {
	size := p.src.Size()
	start := max(0, size-endRecordSize-maxComment)
	tail, err := p.src.Bytes(ctx, start, size-start)
	if err != nil {
		return -1
	}
	if i := bytes.LastIndex(tail, endSignature); i >= 0 {
		return start + int64(i)
	}
	return -1
}

func (p *pkg) directoryNode(context.Context) model.Node {
	first, last := p.directory[0].off, p.directory[len(p.directory)-1].end
	return model.Node{
		Name: directoryName, Type: "directory", Brief: fmt.Sprintf("%d entries", len(p.directory)),
		Spans: []model.Span{p.src.Span(first, last-first)},
		Help:  "the members once more, for ordinary zip readers; readers of packages do not use it",
		Children: &model.Rows{Count: int64(len(p.directory)), Make: func(ctx context.Context, i int64) model.Node {
			r := p.directory[i]
			c := read.New(ctx, p.src, r.off, r.end, ruleTruncated)
			if r.end == p.src.Size() && last == r.end {
				c = read.New(ctx, p.src, r.off, p.src.Size(), ruleTruncated)
			}
			new(record).centralHeader(c)
			n := c.Node(model.IndexName(i), "directory entry", "")
			n.Brief = r.name
			if e := p.byHeader[int64(r.header)]; e != nil {
				nodes := c.Nodes()
				r.compare(e, nodes)
				n.Children = model.NewList(nodes...)
				n.Refs = func(context.Context) []model.Ref {
					return []model.Ref{{Kind: "member", Path: p.entryPath(e), Text: e.name}}
				}
			} else if c.Ok() {
				n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleDirectory, n.Span(),
					"the directory lists %q, but there is no member at its offset", r.name).
					Want("a local header", fmt.Sprintf("%#x", r.header)))
			}
			return n
		}},
	}
}

func (p *pkg) endNode(ctx context.Context, off int64) model.Node {
	c := read.New(ctx, p.src, off, p.src.Size(), ruleTruncated)
	c.Text("signature", 4, "PK 05 06")
	c.U16("disk", "0: packages are one file")
	c.U16("directory disk", "0")
	c.U16("entries here", "entries of the central directory in this file")
	c.Check(int(p.lastU16(c)) == len(p.directory), ruleDirectoryEnd, len(p.directory), p.lastU16(c), "the number of entries is wrong")
	c.U16("entries", "entries of the central directory")
	c.Check(int(p.lastU16(c)) == len(p.directory), ruleDirectoryEnd, len(p.directory), p.lastU16(c), "the number of entries is wrong")
	start, length := off, int64(0)
	if len(p.directory) > 0 {
		start = p.directory[0].off
		length = p.directory[len(p.directory)-1].end - start
	}
	size := c.U32("directory size", "bytes of the central directory")
	c.Check(int64(size) == length, ruleDirectoryEnd, length, size, "the size of the central directory is wrong")
	at := c.U32("directory offset", "file offset of the central directory")
	c.Check(int64(at) == start, ruleDirectoryEnd, start, at, "the central directory is not at this offset")
	comment := c.U16("comment length", "bytes of the comment")
	c.Text("comment", int64(comment), "")
	return c.Node("end record", "end record", "the last record of a zip")
}

// lastU16 is the value of the u16 just read.
func (p *pkg) lastU16(c *read.Cursor) uint16 {
	v, _ := c.Field().Value.(model.Uint)
	return uint16(v)
}
