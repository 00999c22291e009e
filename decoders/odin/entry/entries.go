package entry

import (
	"context"
	"fmt"

	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// View is the name of the view of entries.
const View = "entries"

// entryNode returns the node of entry i in the entries view.
func (s *Stream) entryNode(ctx context.Context, i int64, name string) model.Node {
	e := s.Entry(ctx, i)
	n := model.Node{Name: name, Type: e.Word, Value: e.Value, Spans: []model.Span{s.OwnSpan(&e)}}
	switch {
	case s.IsContainer(i):
		n.Brief = s.brief(ctx, &e)
		n.Help = e.Type.Name
		n.Spans[0] = s.ViewSpan(&e)
	case e.Kind == kind.PrimitiveArray && e.Value == nil:
		s.ShowPrimitives(ctx, &n, &e)
	}
	if s.IsContainer(i) {
		n.Children = &containerChildren{s: s, c: i}
		n.Problems = s.ContainerProblems(ctx, &e, n.Spans[0])
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		refs := []model.Ref{{Kind: "bytes", Path: s.Path(ctx, model.LayoutView, i)}}
		if e.Type.Tag == kind.TypeID && e.Type.Defined {
			if d, ok := s.Definition(e.Type.ID, i); ok {
				refs = append(refs, model.Ref{Kind: "type", Path: s.Path(ctx, View, d), Text: e.Type.Name})
			}
		}
		return append(refs, s.TargetRefs(ctx, &e, s.entryPath)...)
	}
	return n
}

// entryPath returns the path of entry i in the entries view.
func (s *Stream) entryPath(ctx context.Context, i int64) string { return s.Path(ctx, View, i) }

// EntryRefs links to entry i in the entries view.
func (s *Stream) EntryRefs(i int64) func(context.Context) []model.Ref {
	return func(ctx context.Context) []model.Ref {
		return []model.Ref{{Kind: "entry", Path: s.entryPath(ctx, i)}}
	}
}

// TargetRefs links a reference to its target in the view whose paths pathOf returns, or to the object that the carrier
// lists.
func (s *Stream) TargetRefs(ctx context.Context, e *Entry, pathOf func(ctx context.Context, i int64) string) []model.Ref {
	switch e.Kind {
	case kind.InternalReference:
		if target, ok := s.FindNode(ctx, e.Ref); ok {
			return []model.Ref{{Kind: "object", Path: pathOf(ctx, target), Text: fmt.Sprintf("#%d", e.Ref)}}
		}
	case kind.ExternalByIndex:
		return s.ObjectRefs(ctx, e.Ref)
	}
	return nil
}

// OwnSpan returns the range of an entry's own bytes, without the blanks that a text form puts before it.
func (s *Stream) OwnSpan(e *Entry) model.Span {
	return s.src.Span(e.Off+e.Lead, e.Len-e.Lead)
}

// ViewSpan returns the range of an entry with its children, without the blanks before.
func (s *Stream) ViewSpan(e *Entry) model.Span {
	at := s.Span(e.Number)
	at.Off += e.Lead
	at.Len -= e.Lead
	return at
}

// ShowPrimitives adds the elements of a primitive array of the binary form to a node, as the layout shows them.
func (s *Stream) ShowPrimitives(ctx context.Context, n *model.Node, e *Entry) {
	k := s.elementKind(ctx, e.Number, e.Size)
	n.Brief = fmt.Sprintf("%d × %d bytes", e.Count, e.Size)
	switch {
	case k == kind.Invalid:
		n.Value = model.Blob{Span: e.Data}
	case e.Count == 0:
		n.Value = &model.Elements{Type: k.Keyword()}
	default:
		fields := s.form.fields(ctx, s, e.Number, e.Off, e.Len)
		last, _ := fields.Len(ctx)
		elements := fields.At(ctx, last-1)
		n.Value, n.Elements, n.Children = elements.Value, elements.Elements, elements.Children
	}
}

// Root returns the root of the entries view of the stream.
func (s *Stream) Root(name string) model.Node {
	return model.Node{Name: name, Type: s.Encoding() + " stream", Spans: []model.Span{s.Bounds()}, Children: &containerChildren{s: s, c: Root},
		Help: "the entries as they are written"}
}
