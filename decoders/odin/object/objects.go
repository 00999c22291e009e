// Package object shows the objects that the entries of a stream make, by the formatters that write them (chapter 8 of
// docs/formats/odin.md).
package object

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// View is the name of the view of objects.
const View = "objects"

// An Objects makes objects of the entries of a stream, by the types of nodes and the formatters that wrote them.
type Objects struct{ s *entry.Stream }

// New returns the objects of a stream.
func New(s *entry.Stream) *Objects { return &Objects{s} }

// Node returns the object that entry i makes, under a name.
func (o *Objects) Node(ctx context.Context, i int64, name string) model.Node {
	e := o.s.Entry(ctx, i)
	return o.nodeOf(ctx, &e, name)
}

// nodeOf returns the object that entry e makes.
func (o *Objects) nodeOf(ctx context.Context, e *entry.Entry, name string) model.Node {
	n := model.Node{Name: name, Type: o.Type(ctx, e), Value: o.value(ctx, e), Spans: []model.Span{o.s.ViewSpan(e)}}
	if !o.s.IsContainer(e.Number) {
		n.Spans[0] = o.s.OwnSpan(e)
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		return append(o.s.EntryRefs(e.Number)(ctx), o.s.TargetRefs(ctx, e, o.Path)...)
	}
	if e.Kind == kind.PrimitiveArray && e.Value == nil && !o.s.IsContainer(e.Number) {
		o.s.ShowPrimitives(ctx, &n, e)
		return n
	}
	if !o.s.IsContainer(e.Number) {
		return n
	}
	n.Help = e.Type.Name
	n.Problems = o.s.ContainerProblems(ctx, e, n.Spans[0])
	p := o.shapeOf(ctx, e)
	if p.leaf >= 0 {
		o.showLeaf(ctx, &n, &p)
		return n
	}
	k := &children{o: o, c: e.Number, shape: p}
	if e.Kind == kind.Array || e.Kind == kind.PrimitiveArray {
		k.shape.array, k.shape.arrayAt = e.Number, -1
		o.shapeArray(ctx, &k.shape)
	}
	n.Brief = o.brief(ctx, e, &k.shape)
	if v := o.wholeValue(ctx, e, &k.shape); v != nil {
		n.Value = v
	}
	n.Children = k
	if a := k.shape.array; a >= 0 && !o.s.IsOpen(a) {
		if list := o.s.Entry(ctx, a); list.Kind == kind.PrimitiveArray {
			n.Value, n.Elements = o.listValue(&list), true
		} else {
			n.Columns = []model.Column{}
		}
		if a != e.Number {
			list := o.s.Entry(ctx, a)
			if pr, ok := o.s.ArrayProblem(ctx, &list, o.s.ViewSpan(&list)); ok {
				n.Problems = append(n.Problems, pr)
			}
		}
	}
	return n
}

// listValue returns the elements of a primitive array of a text form.
func (o *Objects) listValue(list *entry.Entry) model.Value {
	n, _ := o.s.Count(list.Number)
	return &model.Elements{Type: "", Count: n, Make: func(ctx context.Context, i int64) (model.Value, error) {
		e := o.s.Entry(ctx, o.s.Child(list.Number, i))
		return e.Value, nil
	}}
}

// Type returns the type of the object that an entry makes.
func (o *Objects) Type(ctx context.Context, e *entry.Entry) string {
	switch e.Kind {
	case kind.ReferenceNode, kind.StructNode:
		if e.Type.Name != "" {
			return dotnet.Short(e.Type.Name)
		}
		if e.Type.Tag == kind.TypeID {
			return fmt.Sprintf("type %d", e.Type.ID)
		}
		if p := o.shapeOf(ctx, e); p.pair {
			return "pair"
		}
		return ""
	case kind.InternalReference:
		if target, ok := o.s.FindNode(ctx, e.Ref); ok && target < e.Number {
			t := o.s.Entry(ctx, target)
			return dotnet.Short(t.Type.Name)
		}
		return "reference"
	case kind.ExternalByIndex, kind.ExternalByGUID, kind.ExternalByString:
		return "external reference"
	case kind.Null:
		return "null"
	}
	if word := e.Kind.Keyword(); word != "" {
		return word
	}
	return e.Kind.String()
}

// value returns the value of an entry that is no container.
func (o *Objects) value(ctx context.Context, e *entry.Entry) model.Value {
	switch e.Kind {
	case kind.InternalReference:
		return model.Text(o.referenceText(ctx, e))
	case kind.ExternalByIndex:
		if text := o.s.ObjectText(ctx, e.Ref); text != "" {
			return model.Text(fmt.Sprintf("→ object %d: %s", e.Ref, text))
		}
		return model.Text(fmt.Sprintf("→ object %d", e.Ref))
	case kind.ExternalByGUID, kind.ExternalByString:
		return model.Text("→ " + model.Show(ctx, e.Value, textio.MaxBytes))
	}
	return e.Value
}

// referenceText names the node that an internal reference leads to, with the value of a node that holds only one.
func (o *Objects) referenceText(ctx context.Context, e *entry.Entry) string {
	text := fmt.Sprintf("→ #%d", e.Ref)
	target, ok := o.s.FindNode(ctx, e.Ref)
	if !ok || target >= e.Number {
		return text
	}
	t := o.s.Entry(ctx, target)
	p := o.shapeOf(ctx, &t)
	if p.leaf == NoEntry {
		return text
	}
	if child := o.s.Entry(ctx, p.leaf); child.IsScalar() {
		text += " " + model.Show(ctx, meaning(ctx, &p.typ, child.Value), 60)
	}
	return text
}

// showLeaf gives an object the value of its only child.
func (o *Objects) showLeaf(ctx context.Context, n *model.Node, p *shape) {
	child := o.s.Entry(ctx, p.leaf)
	if !child.IsScalar() {
		inner := o.nodeOf(ctx, &child, n.Name)
		n.Value, n.Brief, n.Children, n.Elements = inner.Value, inner.Brief, inner.Children, inner.Elements
		if child.Kind != kind.PrimitiveArray {
			n.Problems = append(n.Problems, inner.Problems...)
		}
		return
	}
	t := &p.typ
	if t.Full == nullableName && len(t.Args) == 1 {
		t = &t.Args[0]
	}
	n.Value = meaning(ctx, t, o.value(ctx, &child))
}

// wholeValue returns the value of an object of few scalars that are written by position, such as a vector, or nil.
func (o *Objects) wholeValue(ctx context.Context, e *entry.Entry, p *shape) model.Value {
	n, exact := o.s.Count(e.Number)
	if p.names == nil || !exact || n == 0 || n > int64(len(p.names)) || p.array >= 0 {
		return nil
	}
	var tuple model.Tuple
	for k := range n {
		child := o.s.Entry(ctx, o.s.Child(e.Number, k))
		if child.Named {
			return nil
		}
		v := o.value(ctx, &child)
		if !child.IsScalar() {
			if !child.IsNode() || n > 2 {
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

// versionText writes a System.Version, whose last parts may be -1 for none.
func versionText(ctx context.Context, parts model.Tuple) string {
	var words []string
	for _, v := range parts {
		if v != model.Int(-1) {
			words = append(words, model.Show(ctx, v, 20))
		}
	}
	return strings.Join(words, ".")
}

// brief describes an object in a few words.
func (o *Objects) brief(ctx context.Context, e *entry.Entry, p *shape) string {
	var words []string
	if e.Node != entry.NoNode {
		words = append(words, fmt.Sprintf("#%d", e.Node))
	}
	n, exact := o.s.Count(e.Number)
	switch {
	case p.pair && n == 2:
		return o.pairBrief(ctx, e)
	case p.array >= 0:
		list := o.s.Entry(ctx, p.array)
		text := o.s.ArrayBrief(ctx, &list)
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

// pairBrief writes a pair of a dictionary as key → value.
func (o *Objects) pairBrief(ctx context.Context, e *entry.Entry) string {
	var words []string
	for k := range int64(2) {
		n := o.Node(ctx, o.s.Child(e.Number, k), "")
		switch {
		case n.Value != nil:
			words = append(words, model.Show(ctx, n.Value, 40))
		default:
			words = append(words, n.Type)
		}
	}
	return strings.Join(words, " → ")
}

// Path returns the path of the object that entry i makes, or of the deepest one that holds the entry.
func (o *Objects) Path(ctx context.Context, i int64) string {
	var b strings.Builder
	b.WriteString(o.s.BasePath(View))
	k := &children{o: o, c: entry.Root, shape: noShape()}
	for {
		at, ok := k.childOver(i)
		if !ok {
			return b.String()
		}
		n := k.At(ctx, at)
		b.WriteString(n.PathUnder(""))
		inner, ok := n.Children.(*children)
		if !ok {
			return b.String()
		}
		k = inner
	}
}

// Root returns the root of the view of objects.
func (o *Objects) Root(name string) model.Node {
	return model.Node{Name: name, Type: o.s.Encoding() + " stream", Spans: []model.Span{o.s.Bounds()},
		Children: &children{o: o, c: entry.Root, shape: noShape()}, Help: "the objects that the entries describe"}
}
