package odin

import (
	"context"
	"fmt"

	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// Views of a stream besides the layout.
const (
	viewEntries = "entries"
	viewObjects = "objects"
	viewUdon    = "udon"
)

// entryNode is entry i in the entries view: as it is written, its end included.
func (s *stream) entryNode(ctx context.Context, i int64, name string) model.Node {
	e := s.entry(ctx, i)
	n := model.Node{Name: name, Type: e.form, Value: e.value, Spans: []model.Span{s.ownSpan(&e)}}
	switch {
	case s.isContainer(i):
		n.Brief = s.brief(ctx, &e)
		n.Help = e.typ.name
		n.Spans[0] = s.viewSpan(&e)
	case e.kind == kind.PrimitiveArray && e.value == nil:
		s.showPrimitives(ctx, &n, &e)
	}
	if s.isContainer(i) {
		n.Children = &containerChildren{s: s, c: i}
		n.Problems = s.containerProblems(ctx, &e, n.Spans[0])
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		refs := []model.Ref{{Kind: "bytes", Path: s.path(ctx, model.LayoutView, i)}}
		if e.typ.tag == kind.TypeID && e.typ.defined {
			if d, ok := s.definer(e.typ.id, i); ok {
				refs = append(refs, model.Ref{Kind: "type", Path: s.path(ctx, viewEntries, d), Text: e.typ.name})
			}
		}
		return append(refs, s.targetRefs(ctx, &e, s.entryPath)...)
	}
	return n
}

// entryPath returns the path of entry i in the entries view.
func (s *stream) entryPath(ctx context.Context, i int64) string { return s.path(ctx, viewEntries, i) }

// entryRefs links to entry i in the entries view.
func (s *stream) entryRefs(i int64) func(context.Context) []model.Ref {
	return func(ctx context.Context) []model.Ref {
		return []model.Ref{{Kind: "entry", Path: s.entryPath(ctx, i)}}
	}
}

// targetRefs links a reference to its target in the view whose paths pathOf returns, or to the object that the carrier lists.
func (s *stream) targetRefs(ctx context.Context, e *entry, pathOf func(ctx context.Context, i int64) string) []model.Ref {
	switch e.kind {
	case kind.InternalReference:
		if target, ok := s.nodeOf(ctx, e.ref); ok {
			return []model.Ref{{Kind: "object", Path: pathOf(ctx, target), Text: fmt.Sprintf("#%d", e.ref)}}
		}
	case kind.ExternalByIndex:
		if o, ok := s.external(e.ref); ok {
			return o.refs(ctx)
		}
	}
	return nil
}

// ownSpan is the range of an entry's own bytes, without the blanks that a text form puts before it.
func (s *stream) ownSpan(e *entry) model.Span {
	return s.src.Span(e.off+e.lead, e.length-e.lead)
}

// viewSpan is the range of an entry with what is in it, without the blanks before it.
func (s *stream) viewSpan(e *entry) model.Span {
	at := s.span(e.i)
	at.Off += e.lead
	at.Len -= e.lead
	return at
}

// showPrimitives gives a node the elements of a primitive array of the binary form, as the layout has them.
func (s *stream) showPrimitives(ctx context.Context, n *model.Node, e *entry) {
	k := s.elementKind(ctx, e.i, e.size)
	n.Brief = fmt.Sprintf("%d × %d bytes", e.count, e.size)
	switch {
	case k == kind.Invalid:
		n.Value = model.Blob{Span: e.data}
	case e.count == 0:
		n.Value = &model.Elements{Type: k.Keyword()}
	default:
		fields := s.form.fields(ctx, s, e.i, e.off, e.length)
		last, _ := fields.Len(ctx)
		elements := fields.At(ctx, last-1)
		n.Value, n.Elements, n.Children = elements.Value, elements.Elements, elements.Children
	}
}

// entriesRoot is the root of the entries view of one stream.
func (s *stream) entriesRoot(name string) model.Node {
	return model.Node{Name: name, Type: s.encoding() + " stream", Spans: []model.Span{s.bounds()}, Children: &containerChildren{s: s, c: rootEntry},
		Help: "the entries as they are written"}
}
