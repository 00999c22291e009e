package odin

import (
	"context"
	"fmt"

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
	case s.class(i) != plain:
		n.Brief = s.brief(ctx, &e)
		n.Help = e.typ.name
		n.Spans[0] = s.viewSpan(&e)
	case e.kind == kPrimitives && e.value == nil:
		s.showPrimitives(ctx, &n, &e)
	}
	if s.class(i) != plain {
		n.Children = &kids{s: s, c: i}
		n.Problems = s.containerProblems(ctx, &e, n.Spans[0])
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		refs := []model.Ref{{Kind: "bytes", Path: s.path(ctx, model.LayoutView, i)}}
		if e.typ.tag == idTypeID && e.typ.defined {
			if d, ok := s.definer(e.typ.id, i); ok {
				refs = append(refs, model.Ref{Kind: "type", Path: s.path(ctx, viewEntries, d), Text: e.typ.name})
			}
		}
		return append(refs, s.targetRefs(ctx, viewEntries, &e)...)
	}
	return n
}

// targetRefs are the links of a reference to its target in a view.
func (s *stream) targetRefs(ctx context.Context, view string, e *entry) []model.Ref {
	switch e.kind {
	case kInternal:
		if target, ok := s.nodeOf(ctx, e.ref); ok {
			return []model.Ref{{Kind: "object", Path: s.pathIn(ctx, view, target), Text: fmt.Sprintf("#%d", e.ref)}}
		}
	case kExternalIndex:
		if s.carrier != nil && e.ref >= 0 && e.ref < int64(len(s.carrier.objects)) {
			o := s.carrier.objects[e.ref]
			return []model.Ref{{Kind: "external", Span: o.span, Text: o.text}}
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

// showPrimitives gives a node the elements of a primitive array of the binary form.
func (s *stream) showPrimitives(ctx context.Context, n *model.Node, e *entry) {
	k := s.elementKind(ctx, e.i, e.size)
	n.Brief = fmt.Sprintf("%d × %d bytes", e.count, e.size)
	if k == kInvalid {
		n.Value = model.Blob{Span: e.data}
		return
	}
	s.elements(n, k, e)
}

// elements makes the elements of a primitive array the value and the children of a node.
func (s *stream) elements(n *model.Node, k kind, e *entry) {
	count, size, start := e.count, e.size, e.data.Off
	value := func(ctx context.Context, i int64) (model.Value, error) {
		b, err := s.src.Bytes(ctx, start+i*size, size)
		if err != nil {
			return nil, model.AsProblem(err, ruleRead, s.src.Span(start+i*size, size))
		}
		return scalar(k, b), nil
	}
	n.Value = &model.Elements{Type: keywords[k], Count: count, Make: value}
	if count == 0 {
		return
	}
	n.Elements = true
	n.Children = model.FixedRows(s.src, start, size, count, func(ctx context.Context, i int64) model.Node {
		row := model.Node{Name: model.IndexName(i), Type: keywords[k], Spans: []model.Span{s.src.Span(start+i*size, size)}}
		v, err := value(ctx, i)
		if err != nil {
			row.Problems = []model.Problem{model.AsProblem(err, ruleRead, row.Spans[0])}
		}
		row.Value = v
		return row
	})
}

// entriesRoot is the root of the entries view of one stream.
func (s *stream) entriesRoot(name string) model.Node {
	return model.Node{Name: name, Type: s.form.encoding() + " stream", Spans: []model.Span{s.whole()}, Children: &kids{s: s, c: rootEntry},
		Help: "the entries as they are written"}
}

func (s *stream) whole() model.Span { return s.src.Span(s.start, s.end-s.start) }
