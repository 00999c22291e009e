package odin

import (
	"context"
	"strconv"

	"cutaway/model"
)

var jsonHelp = map[string]string{
	"name": "the member's name; names are not escaped", "id": "the node's id", "type": "the node's type: number|name defines a number, a number alone uses it",
	"length": "elements or members that the formatter announced",
}

// fields implements form: the tokens of an entry and the blanks between them.
func (f *jsonForm) fields(ctx context.Context, s *stream, i, off, length int64) []model.Node {
	w := newWindow(s.src, off+length, jsonWindow)
	var h jsonHead
	readJSON(ctx, w, off, &h)
	e := s.entry(ctx, i)
	nodes := s.tokenNodes(ctx, w, off, off+length, &h)
	for k := range nodes {
		s.checkToken(ctx, &nodes[k], &h, &e)
	}
	return nodes
}

// tokenNodes tiles a range with the tokens in it and the blanks between them.
func (s *stream) tokenNodes(ctx context.Context, w *window, off, end int64, h *jsonHead) []model.Node {
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
		if t.to-t.from > maxText {
			n.Value = model.Blob{Span: n.Spans[0]}
		} else {
			n.Value = model.Text(rawText(ctx, w, t))
		}
		nodes = append(nodes, n)
		at = t.to
	}
	blanks(end)
	return nodes
}

// checkToken adds what is wrong with a token, and its links.
func (s *stream) checkToken(ctx context.Context, n *model.Node, h *jsonHead, e *entry) {
	add := func(kind model.Kind, rule, expected string, found any, message string) {
		n.Problems = append(n.Problems, model.Problemf(kind, rule, n.Spans[0], "%s", message).Want(expected, found))
	}
	switch {
	case n.Name == "type":
		s.checkType(n, e, add)
	case n.Name == "id":
		s.mu.RLock()
		back := s.x.backNodes[e.i]
		s.mu.RUnlock()
		if back {
			add(model.Suspicious, ruleNodeOrder, "an id above all before it", e.node, "the node ids do not ascend; no known writer does that")
		}
	case n.Name == "length" && e.announced < 0:
		add(model.Malformed, ruleArrayNegative, "0 or more", e.announced, "the array has a negative length; readers take it for empty")
	case n.Name == "length" && e.announced > s.end-e.off:
		add(model.Malformed, ruleArrayLength, "at most "+strconv.FormatInt(s.end-e.off, 10), e.announced, "the array announces more elements than bytes follow")
	case n.Name == "open" && e.kind == kArray && h.find("length") == nil:
		add(model.Malformed, ruleJSONArray, `"$rlength" and "$rcontent" before it`, "[", "an array begins without a length")
	case n.Name == "value":
		s.checkValue(ctx, n, e, add)
	}
}

type addProblem func(kind model.Kind, rule, expected string, found any, message string)

func (s *stream) checkType(n *model.Node, e *entry, add addProblem) {
	switch {
	case e.typ.tag == idNull:
		add(model.Malformed, ruleTypeTag, "a number or a string", string(n.Value.(model.Text)), "this is no type")
	case e.typ.repeated:
		add(model.Suspicious, ruleTypeRepeated, "an id that is not defined yet", e.typ.id, "the type id is defined a second time; from here on it means this type")
	case e.typ.tag == idTypeID && !e.typ.defined:
		add(model.Malformed, ruleTypeUndefined, "a type id that an earlier node defines", e.typ.id, "the type of this node is not known: no node before it defines its id")
	case e.typ.tag == idTypeID:
		n.Brief = readable(e.typ.name)
		i, id := e.i, e.typ.id
		n.Refs = func(ctx context.Context) []model.Ref {
			d, _ := s.definer(id, i)
			return []model.Ref{{Kind: "type", Path: s.path(ctx, model.LayoutView, d) + "/" + startName + "/type"}}
		}
	}
}

func (s *stream) checkValue(ctx context.Context, n *model.Node, e *entry, add addProblem) {
	switch e.kind {
	case kInternal:
		s.checkReference(ctx, n, e, add)
	case kInteger, kFloating, kExternalIndex:
		if text, ok := e.value.(model.Text); ok && !isDecimal(string(text)) {
			add(model.Malformed, ruleJSONValue, "a value", string(text), "this is neither a number nor another value of this format")
		}
	}
}

// checkReference checks and links an internal reference.
func (s *stream) checkReference(ctx context.Context, n *model.Node, e *entry, add addProblem) {
	target, ok := s.nodeOf(ctx, e.ref)
	if !ok || target >= e.i {
		add(model.Suspicious, ruleReference, "the id of a node that begins before", e.ref, "the reference leads nowhere: no node before it has this id")
		return
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		return []model.Ref{{Kind: "object", Path: s.path(ctx, model.LayoutView, target)}}
	}
}

// isDecimal tells whether a text is a number with any number of digits.
func isDecimal(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// rest implements form.
func (f *jsonForm) rest(ctx context.Context, s *stream, off int64) []model.Node {
	if off >= s.end {
		return nil
	}
	w := newWindow(s.src, s.end, jsonWindow)
	var h jsonHead
	readJSON(ctx, w, off, &h)
	if h.fault == nil {
		at := s.src.Span(off, s.end-off)
		return []model.Node{{Name: restName, Type: "blanks", Role: model.Padding, Spans: []model.Span{at}, Value: model.Blob{Span: at}}}
	}
	nodes := s.tokenNodes(ctx, w, off, h.fault.at, &h)
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
