package odin

import (
	"context"
	"fmt"
	"sync"

	"cutaway/model"
)

// payload is a place in the file where a stream stands. What must be decoded or inflated for it is, when it is first
// looked at.
type payload struct {
	name    string // its segment in the views; "" where it is the file itself
	carrier *carrier
	field   *yamlPayload // in a Unity file

	once    sync.Once
	s       *stream
	decoded *model.Source // of characters
	bad     int64         // the first character that is wrong; -1: none
	gzip    *gzipPart
	err     error
}

// stream is the payload's stream; nil where its bytes cannot be read.
func (p *payload) stream(ctx context.Context) *stream {
	p.once.Do(func() { p.open(ctx) })
	return p.s
}

func (p *payload) open(ctx context.Context) {
	p.bad = -1
	if p.field == nil {
		return
	}
	owner := p.field.path()
	if p.field.nodes {
		at := p.field.value
		p.setStream(newStream(at.Source, at.Off, at.End(), newNodes(at.Source, at.Off, at.End()), owner))
		return
	}
	p.decoded, p.bad, p.err = decodedSource(ctx, owner+"/value", p.title(), p.field.code, p.field.value)
	if p.err != nil {
		return
	}
	p.openBytes(ctx, p.decoded)
}

// title is what a tab of the payload's bytes shows.
func (p *payload) title() string { return fmt.Sprintf("%s of %s", p.carrier.field, p.carrier) }

// openBytes makes the stream of a source that holds one, or gzip data of one.
func (p *payload) openBytes(ctx context.Context, src *model.Source) {
	head, err := src.Bytes(ctx, 0, min(src.Size(), model.ProbeSize))
	if err != nil {
		p.err = err
		return
	}
	if shapeOf(head) == shapeGzip {
		p.gzip = &gzipPart{owner: src.LayoutPath(), in: src.Whole(), title: "inflated " + src.Title()}
		src = p.gzip.inflated(ctx)
		if head, err = src.Bytes(ctx, 0, min(src.Size(), model.ProbeSize)); err != nil {
			p.err = err
			return
		}
	}
	var f form
	if shapeOf(head) == shapeJSON || p.carrier != nil && p.carrier.format == "1" || p.field != nil && p.field.code == codeScalar {
		f = newJSON(src, 0, src.Size())
	} else {
		f = newBinary(src, 0, src.Size())
	}
	p.setStream(newStream(src, 0, src.Size(), f, src.LayoutPath()))
}

func (p *payload) setStream(s *stream) {
	s.name, s.carrier = p.name, p.carrier
	p.s = s
}

// layout is the root of the layout of the source that the payload stands in: the file, or what characters decode to.
func (p *payload) layout(ctx context.Context, name string) model.Node {
	s := p.stream(ctx)
	if p.gzip == nil {
		return s.layoutRoot(name)
	}
	return p.gzip.layoutNode(ctx, name, func() model.Node { return s.layoutRoot("inflated") })
}

// layoutRoot is the root of the layout of a source that is one stream.
func (s *stream) layoutRoot(name string) model.Node {
	return model.Node{Name: name, Type: s.form.encoding() + " stream", Spans: []model.Span{s.whole()},
		Children: &kids{s: s, c: rootEntry, layout: true}}
}
