package odin

import (
	"context"
	"fmt"

	"cutaway/model"
)

// payload is a place in the file where a stream is. What must be decoded or inflated for it is, when it is first
// looked at.
type payload struct {
	name    string // its segment in the views; "" where it is the file itself
	carrier *carrier
	field   *yamlPayload // in a Unity file

	once  model.Once[openedPayload]
	links links
}

// An openedPayload is a payload whose bytes could be read.
type openedPayload struct {
	s       *stream
	objects *objects
	udon    *programs
	decoded *model.Source // of characters
	bad     int64         // the first character that is wrong, or -1
	gzip    *gzipPart
}

// LacksBytes makes Once ask again.
func (o *openedPayload) LacksBytes() bool {
	return o.gzip != nil && model.LacksBytes(o.gzip.problems())
}

// open decodes and inflates the bytes that hold the payload's stream.
func (p *payload) open(ctx context.Context) (*openedPayload, error) {
	return p.once.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*openedPayload, error) {
		owner := p.field.path()
		if p.field.nodes {
			at := p.field.value
			s := newStream(at.Source, at.Off, at.End(), nodesForm{}, owner)
			return p.opened(s), nil
		}
		decoded, bad, err := decodedSource(ctx, owner+"/value", p.title(), p.field.code, p.field.value)
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

// stream is the payload's stream; nil where its bytes cannot be read.
func (p *payload) stream(ctx context.Context) *stream {
	o, err := p.open(ctx)
	if err != nil {
		return nil
	}
	return o.s
}

// title returns the title of a tab with the payload's bytes.
func (p *payload) title() string { return fmt.Sprintf("%s of %s", p.carrier.field, p.carrier) }

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
	var f entryFormat
	if fileKindOf(head) == kindJSON || p.carrier != nil && p.carrier.format == "1" || p.field != nil && p.field.code == codeScalar {
		f = jsonForm{}
	} else {
		f = binaryForm{}
	}
	o := p.opened(newStream(src, 0, src.Size(), f, src.LayoutPath()))
	o.gzip = gzip
	return o, nil
}

// opened returns the payload with its stream.
func (p *payload) opened(s *stream) *openedPayload {
	if s.name = p.name; p.carrier != nil {
		s.externals = &p.carrier.objects
	}
	objects := newObjects(s)
	return &openedPayload{s: s, objects: objects, udon: newPrograms(objects), bad: -1}
}

// path returns the path of entry i of the stream in a view.
func (o *openedPayload) path(ctx context.Context, view string, i int64) string {
	if view == viewObjects {
		return o.objects.path(ctx, i)
	}
	return o.s.path(ctx, view, i)
}

// layout is the root of the layout of the source that the payload is in: the file, or what characters decode to.
func (o *openedPayload) layout(ctx context.Context, name string) model.Node {
	if o.gzip == nil {
		return o.s.layoutRoot(name)
	}
	return o.gzip.layoutNode(ctx, name, func() model.Node { return o.s.layoutRoot("inflated") })
}
