package odin

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"

	"cutaway/decoders/read"
	"cutaway/model"
	"cutaway/source"
)

// maxInflated is how large an inflated payload may be.
const maxInflated = 256 << 20

// gzipPart is gzip data inside a source, inflated as a source of its own when it is first needed.
type gzipPart struct {
	owner string // path of the layout node whose derivation it is
	in    model.Span
	title string

	once  sync.Once
	src   *model.Source
	fault *source.Fault
}

// inflated makes the source; its bytes are the good part.
func (g *gzipPart) inflated(ctx context.Context) *model.Source {
	g.once.Do(func() {
		var size int64
		if b, err := g.in.Source.Bytes(ctx, g.in.Off, g.in.Len); err == nil {
			var out []byte
			out, g.fault = source.InflateGzip(ctx, b, -1, maxInflated)
			size = int64(len(out))
		} else {
			g.fault = &source.Fault{Reason: err.Error(), Err: err}
		}
		in := g.in
		reader := source.Cached(size, func(ctx context.Context, w io.Writer) error {
			b, err := in.Source.Bytes(ctx, in.Off, in.Len)
			if err != nil {
				return err
			}
			out, _ := source.InflateGzip(ctx, b, -1, maxInflated)
			_, err = w.Write(out)
			return err
		})
		g.src = model.Derive(g.owner, "inflated", g.title, reader, model.Origin{
			Parent: in.Source, Spans: []model.Span{in}, Codec: "gzip",
			Map: source.NewFrameMapping(source.Unit{In: in, OutLen: size}),
		})
	})
	return g.src
}

// problems tells why the data does not inflate to its end.
func (g *gzipPart) problems(ctx context.Context) []model.Problem {
	g.inflated(ctx)
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
	n := model.Node{Name: name, Type: "gzip", Spans: []model.Span{g.in}, Problems: g.problems(ctx),
		Children: gzipFields(ctx, g.in), Brief: fmt.Sprintf("%d bytes inflated", g.inflated(ctx).Size())}
	n.Derived = []*model.Derivation{{Name: "inflated", Title: g.title, Codec: "gzip", Open: func(ctx context.Context) (*model.Source, model.Node, error) {
		return g.inflated(ctx), root(), nil
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
