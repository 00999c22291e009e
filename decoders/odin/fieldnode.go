package odin

import (
	"context"
	"fmt"

	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// fieldNode is the field with a payload.
func (p *payload) fieldNode(ctx context.Context) model.Node {
	f := p.field
	src := f.value.Source
	n := model.Node{Name: p.carrier.field, Type: "field", Spans: []model.Span{src.Span(f.line, f.lineEnd-f.line)},
		Help: "carries OdinSerializer data"}
	text := func(name string, from, to int64) model.Node {
		at := src.Span(from, to-from)
		return model.Node{Name: name, Type: "YAML", Spans: []model.Span{at}, Value: textio.Value(ctx, at)}
	}
	if f.nodes {
		n.Type = encodingNodes + " stream"
		if s := p.stream(ctx); s != nil {
			n.Children = model.Concat(model.NewList(text(keyName, f.line, f.value.Off)), &containerChildren{s: s, c: rootEntry, layout: true})
		}
		return n
	}
	nodes := []model.Node{text(keyName, f.line, f.value.Off), p.valueNode(ctx)}
	if f.lineEnd > f.value.End() {
		nodes = append(nodes, text("line end", f.value.End(), f.lineEnd))
	}
	n.Children = model.NewList(nodes...)
	return n
}

// shownChars bounds the characters of a payload that are shown as text.
const shownChars = 64 << 10

// valueNode is the characters of a payload, from which its bytes derive.
func (p *payload) valueNode(ctx context.Context) model.Node {
	f := p.field
	n := model.Node{Name: "value", Type: f.code.String(), Spans: []model.Span{f.value}, Value: model.Blob{Span: f.value}}
	if f.value.Len < shownChars {
		n.Value = textio.Value(ctx, f.value)
	}
	o, err := p.open(ctx)
	if err != nil {
		n.Problems = []model.Problem{model.AsProblem(err, ruleRead, f.value)}
		return n
	}
	if o.bad >= 0 {
		n.Problems = append(n.Problems, p.charProblem(ctx, o))
	}
	n.Brief = fmt.Sprintf("%d bytes", o.decoded.Size())
	n.Derived = []*model.Derivation{{Name: "decoded", Title: p.title(), Codec: f.code.String(),
		Open: func(ctx context.Context) (*model.Source, model.Node, error) {
			return o.decoded, o.layout(ctx, "decoded"), nil
		}}}
	return n
}

func (p *payload) charProblem(ctx context.Context, o *openedPayload) model.Problem {
	f := p.field
	at := f.value.Source.Span(f.value.Off+o.bad, min(1, f.value.Len-o.bad))
	kind, found := model.Malformed, "nothing more"
	if at.Len > 0 {
		b, _ := at.Source.Bytes(ctx, at.Off, at.Len)
		found = fmt.Sprintf("%q", b)
	}
	if f.code.cutOff(ctx, f.value, o.bad) {
		kind = model.Truncated
	}
	return model.Problemf(kind, ruleTextCode, at, "the %s text is damaged at character %d; the %d bytes before it are decoded",
		f.code, o.bad, o.decoded.Size()).Want("a character of "+f.code.String(), found)
}
