package odin

import (
	"context"
	"fmt"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// fieldNode returns the node of the field with the payload.
func (p *payload) fieldNode(ctx context.Context) model.Node {
	f := p.field
	src := f.Value.Source
	n := model.Node{Name: p.field.Carrier.Field, Type: "field", Spans: []model.Span{src.Span(f.Line, f.LineEnd-f.Line)},
		Help: "carries OdinSerializer data"}
	text := func(name string, from, to int64) model.Node {
		at := src.Span(from, to-from)
		return model.Node{Name: name, Type: "YAML", Spans: []model.Span{at}, Value: textio.Value(ctx, at)}
	}
	if f.Nodes {
		n.Type = entry.EncodingNodes + " stream"
		if s := p.stream(ctx); s != nil {
			n.Children = model.Concat(model.NewList(text(entry.FieldKey, f.Line, f.Value.Off)), s.LayoutChildren())
		}
		return n
	}
	nodes := []model.Node{text(entry.FieldKey, f.Line, f.Value.Off), p.valueNode(ctx)}
	if f.LineEnd > f.Value.End() {
		nodes = append(nodes, text("line end", f.Value.End(), f.LineEnd))
	}
	n.Children = model.NewList(nodes...)
	return n
}

// shownChars bounds the characters of a payload that are shown as text.
const shownChars = 64 << 10

// valueNode returns the node of the characters of the payload. The source of its bytes derives from the node.
func (p *payload) valueNode(ctx context.Context) model.Node {
	f := p.field
	n := model.Node{Name: "value", Type: f.Code.String(), Spans: []model.Span{f.Value}, Value: model.Blob{Span: f.Value}}
	if f.Value.Len < shownChars {
		n.Value = textio.Value(ctx, f.Value)
	}
	o, err := p.open(ctx)
	if err != nil {
		n.Problems = []model.Problem{model.AsProblem(err, entry.RuleRead, f.Value)}
		return n
	}
	if o.bad >= 0 {
		n.Problems = append(n.Problems, f.Damage(ctx, o.bad, o.decoded.Size()))
	}
	n.Brief = fmt.Sprintf("%d bytes", o.decoded.Size())
	n.Derived = []*model.Derivation{{Name: "decoded", Title: f.Title(), Codec: f.Code.String(),
		Open: func(ctx context.Context) (*model.Source, model.Node, error) {
			return o.decoded, o.layout(ctx, "decoded"), nil
		}}}
	return n
}
