package entry

import (
	"context"
	"strconv"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

var jsonHelp = map[string]string{
	"name": "the member's name; names are not escaped", "id": "the node's id", "type": "the node's type: number|name defines a number, a number alone uses it",
	"length": "elements or members that the formatter announced",
}

// fields returns the tokens of an entry and the blanks between them.
func (jsonForm) fields(ctx context.Context, s *Stream, i, off, length int64) model.Children {
	w := textio.NewWindow(ctx, s.src, off+length, jsonWindow)
	var h jsonHead
	readJSON(w, off, &h)
	e := s.Entry(ctx, i)
	nodes := tokenNodes(s, w, off, off+length, &h)
	for k := range nodes {
		checkToken(ctx, s, &nodes[k], &h, &e)
	}
	return model.NewList(nodes...)
}

// tokenNodes tiles a range with its tokens and the blanks between them.
func tokenNodes(s *Stream, w *textio.Window, off, end int64, h *jsonHead) []model.Node {
	var nodes []model.Node
	at := off
	blanks := func(to int64) {
		if to > at {
			span := s.src.Span(at, to-at)
			nodes = append(nodes, model.Node{Name: "blanks", Type: "blanks", Role: model.Padding, Spans: []model.Span{span}, Value: model.Blob{Span: span}})
		}
	}
	for _, t := range h.tokens {
		blanks(t.from)
		n := model.Node{Name: t.what, Type: "token", Spans: []model.Span{s.src.Span(t.from, t.to-t.from)}, Help: jsonHelp[t.what]}
		if t.to-t.from > textio.MaxBytes {
			n.Value = model.Blob{Span: n.Spans[0]}
		} else {
			n.Value = model.Text(w.Text(t.from, t.to))
		}
		nodes = append(nodes, n)
		at = t.to
	}
	blanks(end)
	return nodes
}

// problemAdder returns a function that adds problems to a node, with its span.
func problemAdder(n *model.Node) addProblem {
	return func(p model.Problem, bad bool) {
		if bad {
			p.Span = n.Spans[0]
			n.Problems = append(n.Problems, p)
		}
	}
}

type addProblem func(p model.Problem, bad bool)

// checkToken adds the problems and links of a token.
func checkToken(ctx context.Context, s *Stream, n *model.Node, h *jsonHead, e *Entry) {
	add := problemAdder(n)
	switch n.Name {
	case "type":
		checkType(s, n, e, add)
	case "id":
		add(s.nodeFault(e.Number, e.Node))
	case "length":
		add(s.lengthFault(e.Number, e.Announced))
	case "open":
		add(model.Problemf(model.Malformed, ruleJSONArray, model.Span{}, "an array begins without a length").
			Want(`"$rlength" and "$rcontent" before it`, "["), e.Kind == kind.Array && h.find("length") == nil)
	case "value":
		checkValue(ctx, s, n, e, add)
	}
}

// checkType adds the problems of a type, and a link to its definition.
func checkType(s *Stream, n *model.Node, e *Entry, add addProblem) {
	if e.Type.Tag == kind.UnnamedNull {
		add(model.Problemf(model.Malformed, ruleTypeTag, model.Span{}, "this is no type").Want("a number or a string", string(n.Value.(model.Text))), true)
		return
	}
	add(s.typeFault(e.Number, e.Type.Tag, e.Type.ID))
	if e.Type.Tag == kind.TypeID && e.Type.Defined {
		n.Brief = dotnet.Readable(e.Type.Name)
		n.Refs = s.definitionRef(e.Number, e.Type.ID, "")
	}
}

// checkValue adds the problems of a value, and the link of a reference.
func checkValue(ctx context.Context, s *Stream, n *model.Node, e *Entry, add addProblem) {
	switch e.Kind {
	case kind.InternalReference:
		add(s.referenceFault(ctx, e.Number, e.Ref))
		if target, ok := s.target(ctx, e.Number, e.Ref); ok {
			n.Refs = s.nodeRef(target, "")
		}
	case kind.Integer, kind.FloatingPoint, kind.ExternalByIndex:
		text, ok := e.Value.(model.Text)
		add(model.Problemf(model.Malformed, ruleJSONValue, model.Span{}, "this is neither a number nor another value of this format").
			Want("a value", string(text)), ok && !isDecimal(string(text)))
	}
}

// isDecimal reports whether a text is a number with any number of digits.
func isDecimal(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// rest returns the nodes after the last entry.
func (jsonForm) rest(ctx context.Context, s *Stream, off int64) []model.Node {
	if off >= s.end {
		return nil
	}
	w := textio.NewWindow(ctx, s.src, s.end, jsonWindow)
	var h jsonHead
	readJSON(w, off, &h)
	if h.fault == nil {
		at := s.src.Span(off, s.end-off)
		return []model.Node{{Name: restName, Type: "blanks", Role: model.Padding, Spans: []model.Span{at}, Value: model.Blob{Span: at}}}
	}
	nodes := tokenNodes(s, w, off, h.fault.at, &h)
	at := s.src.Span(h.fault.at, s.end-h.fault.at)
	kind := model.Malformed
	if h.fault.truncated {
		kind = model.Truncated
	}
	found := "the end"
	if b, err := s.src.Bytes(ctx, at.Off, min(at.Len, 12)); err == nil && len(b) > 0 {
		found = strconv.Quote(string(b))
	}
	nodes = append(nodes, model.Node{Name: restName, Type: "text", Role: model.Unknown, Spans: []model.Span{at}, Value: model.Blob{Span: at},
		Problems: []model.Problem{model.Problemf(kind, ruleJSONText, at, "%s; the text cannot be followed further", h.fault.message).
			Want(h.fault.expected, found)}})
	return []model.Node{{Name: brokenName, Brief: "the entries end here", Spans: []model.Span{s.src.Span(off, s.end-off)}, Children: model.NewList(nodes...),
		Help: "the text cannot be followed beyond this entry"}}
}
