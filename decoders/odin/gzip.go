package odin

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"cutaway/decoders/read"
	"cutaway/model"
	"cutaway/source"
)

// maxInflated is how large an inflated payload may be.
const maxInflated = 256 << 20

// gzipPart is gzip data inside a source, inflated as a source of its own.
type gzipPart struct {
	in    model.Span
	src   *model.Source // its bytes are the good part
	fault *source.Fault
}

// newGzipPart inflates the data once, to know how much is good. owner is the path of the layout node whose derivation
// the source is.
func newGzipPart(ctx context.Context, owner string, in model.Span, title string) (*gzipPart, error) {
	inflate := func(ctx context.Context) ([]byte, *source.Fault, error) {
		b, err := in.Source.Bytes(ctx, in.Off, in.Len)
		if err != nil {
			return nil, nil, err
		}
		out, fault := source.InflateGzip(ctx, b, -1, maxInflated)
		return out, fault, nil
	}
	out, fault, err := inflate(ctx)
	if err != nil {
		return nil, err
	}
	size := int64(len(out))
	reader := source.Cached(size, func(ctx context.Context, w io.Writer) error {
		out, _, err := inflate(ctx)
		if err == nil {
			_, err = w.Write(out)
		}
		return err
	})
	src := model.Derive(owner, "inflated", title, reader, model.Origin{
		Parent: in.Source, Spans: []model.Span{in}, Codec: "gzip",
		Map: source.NewFrameMapping(source.Unit{In: in, OutLen: size}),
	})
	return &gzipPart{in: in, src: src, fault: fault}, nil
}

// problems tells why the data does not inflate to its end.
func (g *gzipPart) problems() []model.Problem {
	if g.fault == nil {
		return nil
	}
	kind := model.Malformed
	if g.fault.Err != nil {
		kind = model.Truncated
	}
	at := min(max(g.fault.In, 0), g.in.Len)
	return []model.Problem{model.Problemf(kind, ruleGzip, g.in.Source.Span(g.in.Off+at, g.in.Len-at),
		"the payload does not inflate beyond its byte %d: %s", g.src.Size(), g.fault.Reason)}
}

// layoutNode is the gzip data as a node that the stream is derived from. root makes the layout of what is inside.
func (g *gzipPart) layoutNode(ctx context.Context, name string, root func() model.Node) model.Node {
	n := model.Node{Name: name, Type: "gzip", Spans: []model.Span{g.in}, Problems: g.problems(),
		Children: gzipFields(ctx, g.in), Brief: fmt.Sprintf("%d bytes inflated", g.src.Size())}
	n.Derived = []*model.Derivation{{Name: "inflated", Title: g.src.Title(), Codec: "gzip", Open: func(context.Context) (*model.Source, model.Node, error) {
		return g.src, root(), nil
	}}}
	return n
}

// gzipFields is the frame of a gzip member (RFC 1952). What its flags say stands before the data is part of the data.
func gzipFields(ctx context.Context, in model.Span) model.Children {
	const trailer = 8
	c := read.New(ctx, in.Source, in.Off, in.End(), ruleTruncated)
	magic := c.Bytes("magic", 2, "1f 8b")
	c.Check(bytes.Equal(magic, gzipMagic[:2]), ruleGzip, "1f 8b", fmt.Sprintf("% x", magic), "this is no gzip data")
	c.U8("method", "8: deflate")
	c.U8("flags", "which optional fields follow")
	c.U32("time", "seconds since 1970; 0: not recorded")
	c.U8("extra flags", "of the compressor")
	c.U8("system", "3: Unix, 10: TOPS-20, 11: NTFS; what the writer's runtime puts there")
	if c.Remaining() > trailer {
		c.Skip("data", c.Remaining()-trailer, model.Explained, "deflate")
	}
	c.U32("crc", "CRC-32 of the inflated bytes")
	c.U32("size", "inflated bytes, modulo 2^32")
	return model.NewList(c.Nodes()...)
}
