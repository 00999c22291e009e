package odin

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// objects are the objects that the entries of a stream make: what a node means by its type and by the entries in it.
type objects struct{ s *stream }

// newObjects returns the objects of a stream.
func newObjects(s *stream) *objects { return &objects{s} }

// objectNode is entry i in the object view: what it means, by the type of its node and the shape of what is in it.
func (o *objects) objectNode(ctx context.Context, i int64, name string) model.Node {
	e := o.s.entry(ctx, i)
	return o.objectOf(ctx, &e, name)
}

func (o *objects) objectOf(ctx context.Context, e *entry, name string) model.Node {
	n := model.Node{Name: name, Type: o.objectType(ctx, e), Value: o.objectValue(ctx, e), Spans: []model.Span{o.s.viewSpan(e)}}
	if !o.s.isContainer(e.i) {
		n.Spans[0] = o.s.ownSpan(e)
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		return append(o.s.entryRefs(e.i)(ctx), o.s.targetRefs(ctx, e, o.path)...)
	}
	if e.kind == kind.PrimitiveArray && e.value == nil && !o.s.isContainer(e.i) {
		o.s.showPrimitives(ctx, &n, e)
		return n
	}
	if !o.s.isContainer(e.i) {
		return n
	}
	n.Help = e.typ.name
	n.Problems = o.s.containerProblems(ctx, e, n.Spans[0])
	p := o.shapeOf(ctx, e)
	if p.leaf >= 0 {
		o.showLeaf(ctx, &n, &p)
		return n
	}
	k := &objectChildren{o: o, c: e.i, shape: p}
	if e.kind == kind.Array || e.kind == kind.PrimitiveArray {
		k.shape.array, k.shape.arrayAt = e.i, -1
		o.shapeArray(ctx, &k.shape)
	}
	n.Brief = o.objectBrief(ctx, e, &k.shape)
	if v := o.wholeValue(ctx, e, &k.shape); v != nil {
		n.Value = v
	}
	n.Children = k
	if a := k.shape.array; a >= 0 && !o.s.isOpen(a) {
		if list := o.s.entry(ctx, a); list.kind == kind.PrimitiveArray {
			n.Value, n.Elements = o.listValue(&list), true
		} else {
			n.Columns = []model.Column{}
		}
		if a != e.i {
			list := o.s.entry(ctx, a)
			if pr, ok := o.s.arrayProblem(ctx, &list, o.s.viewSpan(&list)); ok {
				n.Problems = append(n.Problems, pr)
			}
		}
	}
	return n
}

// listValue is the elements of a primitive array of a text form.
func (o *objects) listValue(list *entry) model.Value {
	n, _ := o.s.count(list.i)
	return &model.Elements{Type: "", Count: n, Make: func(ctx context.Context, i int64) (model.Value, error) {
		e := o.s.entry(ctx, o.s.child(list.i, i))
		return e.value, nil
	}}
}

// objectType returns the type of the object that an entry stands for.
func (o *objects) objectType(ctx context.Context, e *entry) string {
	switch e.kind {
	case kind.ReferenceNode, kind.StructNode:
		if e.typ.name != "" {
			return dotnet.Short(e.typ.name)
		}
		if e.typ.tag == kind.TypeID {
			return fmt.Sprintf("type %d", e.typ.id)
		}
		if p := o.shapeOf(ctx, e); p.pair {
			return "pair"
		}
		return ""
	case kind.InternalReference:
		if target, ok := o.s.nodeOf(ctx, e.ref); ok && target < e.i {
			t := o.s.entry(ctx, target)
			return dotnet.Short(t.typ.name)
		}
		return "reference"
	case kind.ExternalByIndex, kind.ExternalByGUID, kind.ExternalByString:
		return "external reference"
	case kind.Null:
		return "null"
	}
	if word := e.kind.Keyword(); word != "" {
		return word
	}
	return e.kind.String()
}

// objectValue is the value of an entry that is no container.
func (o *objects) objectValue(ctx context.Context, e *entry) model.Value {
	switch e.kind {
	case kind.InternalReference:
		return model.Text(o.referenceText(ctx, e))
	case kind.ExternalByIndex:
		if x, ok := o.s.external(e.ref); ok {
			return model.Text(fmt.Sprintf("→ object %d: %s", e.ref, x.text))
		}
		return model.Text(fmt.Sprintf("→ object %d", e.ref))
	case kind.ExternalByGUID, kind.ExternalByString:
		return model.Text("→ " + model.Show(ctx, e.value, textio.MaxBytes))
	}
	return e.value
}

// referenceText names the node that an internal reference leads to, with its value where it is but one.
func (o *objects) referenceText(ctx context.Context, e *entry) string {
	text := fmt.Sprintf("→ #%d", e.ref)
	target, ok := o.s.nodeOf(ctx, e.ref)
	if !ok || target >= e.i {
		return text
	}
	t := o.s.entry(ctx, target)
	p := o.shapeOf(ctx, &t)
	if p.leaf == noEntry {
		return text
	}
	if child := o.s.entry(ctx, p.leaf); child.isScalar() {
		text += " " + model.Show(ctx, meaning(ctx, &p.typ, child.value), 60)
	}
	return text
}

// showLeaf gives an object the value of its only child.
func (o *objects) showLeaf(ctx context.Context, n *model.Node, p *shape) {
	child := o.s.entry(ctx, p.leaf)
	if !child.isScalar() {
		inner := o.objectOf(ctx, &child, n.Name)
		n.Value, n.Brief, n.Children, n.Elements = inner.Value, inner.Brief, inner.Children, inner.Elements
		if child.kind != kind.PrimitiveArray {
			n.Problems = append(n.Problems, inner.Problems...)
		}
		return
	}
	t := &p.typ
	if t.Full == nullableName && len(t.Args) == 1 {
		t = &t.Args[0]
	}
	n.Value = meaning(ctx, t, o.objectValue(ctx, &child))
}

// wholeValue is the value of an object of few scalars that are written by position: a vector, a colour, a version.
func (o *objects) wholeValue(ctx context.Context, e *entry, p *shape) model.Value {
	n, exact := o.s.count(e.i)
	if p.names == nil || !exact || n == 0 || n > int64(len(p.names)) || p.array >= 0 {
		return nil
	}
	var tuple model.Tuple
	for k := range n {
		child := o.s.entry(ctx, o.s.child(e.i, k))
		if child.named {
			return nil
		}
		v := o.objectValue(ctx, &child)
		if !child.isScalar() {
			if !child.isNode() || n > 2 {
				return nil
			}
			inner := o.shapeOf(ctx, &child)
			if v = o.wholeValue(ctx, &child, &inner); v == nil {
				return nil
			}
		}
		tuple = append(tuple, v)
	}
	if p.typ.Full == "System.Version" {
		return model.Text(versionText(ctx, tuple))
	}
	return tuple
}

func versionText(ctx context.Context, parts model.Tuple) string {
	var words []string
	for _, v := range parts {
		if v != model.Int(-1) {
			words = append(words, model.Show(ctx, v, 20))
		}
	}
	return strings.Join(words, ".")
}

// objectBrief says what an object is, in a few words.
func (o *objects) objectBrief(ctx context.Context, e *entry, p *shape) string {
	var words []string
	if e.node != noNodeFound {
		words = append(words, fmt.Sprintf("#%d", e.node))
	}
	n, exact := o.s.count(e.i)
	switch {
	case p.pair && n == 2:
		return o.pairBrief(ctx, e)
	case p.array >= 0:
		list := o.s.entry(ctx, p.array)
		text := o.s.arrayBrief(ctx, &list)
		if p.ranks != nil {
			sizes := make([]string, len(p.ranks))
			for i, r := range p.ranks {
				sizes[i] = fmt.Sprint(r)
			}
			text = strings.Join(sizes, " × ") + ": " + text
		}
		words = append(words, text)
	case !exact:
	default:
		words = append(words, model.Counted(n, "field"))
	}
	return strings.Join(words, ", ")
}

// pairBrief is a pair of a dictionary as key → value, where they are values.
func (o *objects) pairBrief(ctx context.Context, e *entry) string {
	var words []string
	for k := range int64(2) {
		n := o.objectNode(ctx, o.s.child(e.i, k), "")
		switch {
		case n.Value != nil:
			words = append(words, model.Show(ctx, n.Value, 40))
		default:
			words = append(words, n.Type)
		}
	}
	return strings.Join(words, " → ")
}

// path is the path of the object view's node that shows entry i, or of the deepest one that holds it.
func (o *objects) path(ctx context.Context, i int64) string {
	var b strings.Builder
	b.WriteString(o.s.base(viewObjects))
	k := &objectChildren{o: o, c: rootEntry, shape: noShape()}
	for {
		at, ok := k.childOver(i)
		if !ok {
			return b.String()
		}
		n := k.At(ctx, at)
		b.WriteString(n.PathUnder(""))
		inner, ok := n.Children.(*objectChildren)
		if !ok {
			return b.String()
		}
		k = inner
	}
}

// root is the root of the object view of one stream.
func (o *objects) root(name string) model.Node {
	return model.Node{Name: name, Type: o.s.encoding() + " stream", Spans: []model.Span{o.s.bounds()},
		Children: &objectChildren{o: o, c: rootEntry, shape: noShape()}, Help: "the objects that the entries describe"}
}
