package odin

import (
	"context"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/object"
	"cutaway/decoders/odin/udon"
	"cutaway/decoders/odin/unity"
	"cutaway/model"
)

// A payload is a place in the file that holds a stream. Its bytes are decoded and inflated when it is first shown.
type payload struct {
	name  string       // its segment in the views, or "" if it is the file itself
	field *unity.Field // of a Unity file, or nil

	once  model.Once[openedPayload]
	links links
}

// An openedPayload is a payload whose bytes could be read.
type openedPayload struct {
	s       *entry.Stream
	objects *object.Objects
	udon    *udon.Programs
	decoded *model.Source // of characters
	bad     int64         // the first character that is wrong, or -1
	gzip    *gzipPart
}

// LacksBytes reports whether some bytes could not be read yet, so that Once asks again.
func (o *openedPayload) LacksBytes() bool {
	return o.gzip != nil && model.LacksBytes(o.gzip.problems())
}

// open decodes and inflates the bytes that hold the payload's stream.
func (p *payload) open(ctx context.Context) (*openedPayload, error) {
	return p.once.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*openedPayload, error) {
		if p.field.Nodes {
			return p.opened(p.field.Value, entry.Nodes, p.field.Path()), nil
		}
		decoded, bad, err := p.field.Decoded(ctx)
		if err != nil {
			return nil, err
		}
		o, err := p.openBytes(ctx, decoded)
		if err != nil {
			return nil, err
		}
		o.decoded, o.bad = decoded, bad
		return o, nil
	})
}

// stream returns the payload's stream, or nil if its bytes cannot be read.
func (p *payload) stream(ctx context.Context) *entry.Stream {
	o, err := p.open(ctx)
	if err != nil {
		return nil
	}
	return o.s
}

// openBytes makes the stream of a source that holds one, or gzip data of one.
func (p *payload) openBytes(ctx context.Context, src *model.Source) (*openedPayload, error) {
	var gzip *gzipPart
	head, err := src.Bytes(ctx, 0, min(src.Size(), model.ProbeSize))
	if err != nil {
		return nil, err
	}
	if fileKindOf(head) == kindGzip {
		if gzip, err = newGzipPart(ctx, src.LayoutPath(), src.Whole(), "inflated "+src.Title()); err != nil {
			return nil, err
		}
		src = gzip.src
		if head, err = src.Bytes(ctx, 0, min(src.Size(), model.ProbeSize)); err != nil {
			return nil, err
		}
	}
	f := entry.Binary
	if fileKindOf(head) == kindJSON || p.field != nil && (p.field.Carrier.Format == "1" || p.field.Code == unity.Scalar) {
		f = entry.JSON
	}
	o := p.opened(src.Whole(), f, src.LayoutPath())
	o.gzip = gzip
	return o, nil
}

// opened returns the payload with its stream, whose top-level entries are below a path in the layout.
func (p *payload) opened(in model.Span, f entry.Form, layout string) *openedPayload {
	opt := entry.Options{Layout: layout, Name: p.name, Marks: udon.IsItem}
	if p.field != nil {
		opt.Externals = &p.field.Carrier.Objects
	}
	s := entry.New(in, f, opt)
	objects := object.New(s)
	return &openedPayload{s: s, objects: objects, udon: udon.New(s, objects), bad: -1}
}

// path returns the path of entry i of the stream in a view.
func (o *openedPayload) path(ctx context.Context, view string, i int64) string {
	if view == object.View {
		return o.objects.Path(ctx, i)
	}
	return o.s.Path(ctx, view, i)
}

// layout returns the root of the layout of the source that holds the payload: the file, or the decoded characters.
func (o *openedPayload) layout(ctx context.Context, name string) model.Node {
	if o.gzip == nil {
		return o.s.LayoutRoot(name)
	}
	return o.gzip.layoutNode(ctx, name, func() model.Node { return o.s.LayoutRoot("inflated") })
}
