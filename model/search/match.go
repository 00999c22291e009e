package search

import (
	"context"
	"strings"

	"cutaway/model"
	"cutaway/model/size"
)

// Where is the part of a node that matched.
type Where string

// The parts of a node.
const (
	InName  Where = "name"
	InValue Where = "value"
	InType  Where = "type"
	InPath  Where = "path"
)

// A Hit is a node that matches a query.
type Hit struct {
	Path string
	// Source, Off and Len are the node's first span. Source is nil if the node has no bytes of its own.
	Source   *model.Source
	Off, Len int64 // in bytes
	Where    Where // the part that matched the first term that is not about the path
	// Text is the name, type, path or value that matched, on one line, shortened around the match. From and To are the
	// matching bytes of Text, or both 0 if unknown, such as for a number among others.
	Text     string
	From, To int
	// Place is the node. It keeps its ancestors in memory: release it with the hit.
	Place *model.Place
}

// shown is the most bytes of a value in a hit.
const shown = 120

// smallArray is the most elements of an array that is searched as a part of its node.
const smallArray = 16

// Match reports whether the node at p matches the query. It examines only the node: neither its descendants nor the
// elements of an array of more than 16. At least one term must be about the node itself, so that path:World/Mesh
// matches that node but no descendants.
func (q *Query) Match(ctx context.Context, p *model.Place) (Hit, bool) {
	best, own, ok := q.match(ctx, p, true)
	if !ok || !own {
		return Hit{}, false
	}
	return best.hit(ctx, p), true
}

// A found is a match in a node.
type found struct {
	where    Where
	text     string // the whole text; that of a number is "" until needed
	value    model.Value
	from, to int
}

func (f *found) hit(ctx context.Context, p *model.Place) Hit {
	span := p.Node.Span()
	h := Hit{Path: p.Path(), Source: span.Source, Off: span.Off, Len: span.Len, Where: f.where, Place: p}
	if f.text == "" && f.value != nil {
		h.Text = model.Show(ctx, f.value, shown)
		return h
	}
	text, from, to := excerpt(f.text, f.from, f.to, shown)
	before, fit := printable(ctx, text[:from]), printable(ctx, text[from:to])
	h.Text, h.From, h.To = before+fit+printable(ctx, text[to:]), len(before), len(before)+len(fit)
	return h
}

// printable returns s with characters escaped that break lines.
func printable(ctx context.Context, s string) string { return model.Show(ctx, model.Text(s), len(s)) }

// match matches all terms, short arrays with their elements. own reports whether a term is about the node itself, not
// only its ancestors.
func (q *Query) match(ctx context.Context, p *model.Place, arrays bool) (best found, own, ok bool) {
	for _, t := range q.terms {
		f, itself, ok := t.match(ctx, p, arrays)
		if !ok {
			return found{}, false, false
		}
		if itself && (!own || best.where == InPath) {
			best, own = f, true
		}
	}
	return best, own, true
}

// match matches the term with the parts of a node. own is false if only the path of the parent matches.
func (t *term) match(ctx context.Context, p *model.Place, arrays bool) (f found, own, ok bool) {
	n := &p.Node
	if t.field == sizeField || t.field == storedField {
		f, ok := t.inSize(n)
		return f, ok, ok
	}
	if t.words != nil {
		if t.field == anyField || t.field == nameField {
			if from, to, ok := t.words.find(n.Name); ok {
				return found{where: InName, text: n.Name, from: from, to: to}, true, true
			}
		}
	}
	if t.field == anyField || t.field == valueField {
		if f, ok := t.inValue(ctx, n, arrays); ok {
			return f, true, true
		}
	}
	if t.words == nil {
		return found{}, false, false
	}
	if t.field == anyField || t.field == typeField {
		if from, to, ok := t.words.find(n.Type); ok {
			return found{where: InType, text: n.Type, from: from, to: to}, true, true
		}
	}
	return t.inPaths(p)
}

// inPaths matches a term about paths, or names separated by dots, with the path.
func (t *term) inPaths(p *model.Place) (f found, own, ok bool) {
	if t.path {
		if f, own, ok := t.inPath(p, t.words); ok || t.below == nil {
			return f, own, ok
		}
	}
	if t.below != nil {
		if _, _, ok := t.last.find(p.Node.Name); ok { // without a match the path need not be made
			return t.inPath(p, t.below)
		}
	}
	return found{}, false, false
}

// inSize compares the number of bytes of the node.
func (t *term) inSize(n *model.Node) (found, bool) {
	of := size.Of(n)
	bytes := of.Logical
	if t.field == storedField {
		bytes = of.Stored
	}
	if len(n.Spans) == 0 || !t.is.value(model.Int(bytes)) {
		return found{}, false
	}
	return found{where: InValue, text: n.Brief, value: n.Value}, true
}

// inValue matches the term with the node's value, or with the text that replaces one.
func (t *term) inValue(ctx context.Context, n *model.Node, arrays bool) (found, bool) {
	if n.Value == nil {
		if n.Brief == "" || t.words == nil {
			return found{}, false
		}
		from, to, ok := t.words.find(n.Brief)
		return found{where: InValue, text: n.Brief, from: from, to: to}, ok
	}
	if _, array := n.Value.(model.Array); array && !arrays {
		return found{}, false
	}
	return t.nodeValue(ctx, n)
}

// nodeValue matches the term with the node's value. If that is a path that ends in the node's name, as for prims, only
// the name counts: the rest is found in the ancestors.
func (t *term) nodeValue(ctx context.Context, n *model.Node) (found, bool) {
	v, isText := n.Value.(model.Text)
	above := len(v) - len(n.Name)
	if !isText || n.Name == "" || above <= 0 || v[0] != '/' || !strings.HasSuffix(string(v), n.Name) {
		return t.value(ctx, n.Value)
	}
	if t.words == nil {
		return found{}, false
	}
	from, to, ok := reaching(t.words, string(v), above)
	return found{where: InValue, text: string(v), from: from, to: to}, ok
}

// inPath matches the term with the path. The match is the node's own if it reaches into the last segment.
func (t *term) inPath(p *model.Place, words finder) (f found, own, ok bool) {
	path := p.Path()
	from, to, ok := words.find(path)
	if !ok {
		return found{}, false, false
	}
	f = found{where: InPath, text: path, from: from, to: to}
	if p.Parent == nil {
		return f, true, true
	}
	f.from, f.to, own = reaching(words, path, len(p.Parent.Path()))
	if !own {
		f.from, f.to = from, to
	}
	return f, own, true
}

// value matches the term with a value: with text and names of symbols, numbers, and the elements of small structures
// and arrays.
func (t *term) value(ctx context.Context, v model.Value) (found, bool) {
	if v == nil {
		return found{}, false
	}
	if t.is != nil && t.is.value(v) {
		return found{where: InValue, value: v}, true
	}
	switch v := v.(type) {
	case model.Text:
		return t.inText(string(v))
	case model.Symbol:
		return t.inText(v.Name)
	case model.Tuple:
		return t.inElements(ctx, v, v)
	case model.Seq:
		return t.inElements(ctx, v, v)
	case model.Object:
		for _, m := range v {
			if f, ok := t.inText(m.Key); ok {
				return f, true
			}
			if f, ok := t.value(ctx, m.Value); ok {
				return f, true
			}
		}
		return t.written(ctx, v, t.composed)
	case model.Blob:
		return found{}, false
	case model.Array:
		if v.Len() > smallArray {
			return found{}, false
		}
		var room [smallArray]model.Value
		n, _ := v.Read(ctx, 0, room[:v.Len()]) // elements before damage are searched
		return t.inElements(ctx, v, room[:n])
	}
	return t.written(ctx, v, t.numeric)
}

func (t *term) inText(s string) (found, bool) {
	if t.words == nil {
		return found{}, false
	}
	from, to, ok := t.words.find(s)
	return found{where: InValue, text: s, from: from, to: to}, ok
}

func (t *term) inElements(ctx context.Context, whole model.Value, elements []model.Value) (found, bool) {
	for _, e := range elements {
		if f, ok := t.value(ctx, e); ok {
			if f.text == "" {
				f.value = whole
			}
			return f, true
		}
	}
	return t.written(ctx, whole, t.composed)
}

// written matches the term with the value as it is shown, if that is possible.
func (t *term) written(ctx context.Context, v model.Value, possible bool) (found, bool) {
	if t.words == nil || t.is != nil || !possible {
		return found{}, false
	}
	return t.inText(model.Show(ctx, v, 2*shown))
}
