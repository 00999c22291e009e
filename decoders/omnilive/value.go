package omnilive

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// Bounds of values.
const (
	maxText    = 1 << 20 // bytes of a text that is shown as text
	smallValue = 1 << 20 // bytes of a value that is decoded at once; a larger one is decoded when it is looked at
	maxPadding = 64      // bytes that may follow the value in a part
)

// values reads the values of one source.
type values struct {
	src      *model.Source
	session  *grammar.Session
	record   *grammar.Record
	pendings model.Cache[pendingKey, *model.Lazy] // the one of each large value, so that what was decoded stays decoded
}

func newValues(src *model.Source) *values {
	v := &values{src: src}
	plan := language.For(v)
	v.session, v.record = plan.Session(), plan.Record("value")
	v.session.Eager = smallValue
	return v
}

// noType is the type of a value without a header.
const noType = "type 0"

// A pendingKey names what is decoded when it is looked at.
type pendingKey struct {
	what     string
	off, end int64
}

// pending returns the one pending node of a key.
func (v *values) pending(key pendingKey, work func(ctx context.Context, progress model.Progress) (model.Children, error)) *model.Lazy {
	return v.pendings.Of(key, func() *model.Lazy { return model.NewLazy(work) })
}

// A value is a value with its header.
type value struct {
	v *values
	o *grammar.Object
}

// open returns the value in some bytes, which may leave so many as slack. Nothing is read yet.
func (v *values) open(at model.Span, slack int64) value {
	in := grammar.Stream{Source: at.Source, Start: at.Off, End: at.End()}
	return value{v, v.record.Open(v.session, in, at.Off, grammar.IntValue(slack))}
}

// resolved reads all of a value of any size. The error is ctx's.
func (x value) resolved(ctx context.Context, progress model.Progress) (value, error) {
	return x, x.o.Resolve(ctx, progress)
}

// span returns the bytes of the value.
func (x value) span() model.Span {
	in := x.o.Stream()
	return in.Source.Span(in.Start, in.Size())
}

// kind returns the type's row and whether the value is an array of that type. An unknown type has a row without a name.
func (x value) kind(ctx context.Context) (t *valueType, number uint64, isArray bool) {
	head := x.o.Uint(ctx, x.o.Record().Field("type"))
	number, isArray = head&0x7f, head&0x80 != 0
	if number < uint64(len(types)) {
		return &types[number], number, isArray
	}
	return &types[0], number, isArray
}

// typeName returns the type for a person.
func (x value) typeName(ctx context.Context) string {
	t, number, isArray := x.kind(ctx)
	name := t.name
	if !t.isKnown() {
		name = fmt.Sprintf("type %d", number)
	}
	if isArray {
		name += "[]"
	}
	return name
}

// isRead reports whether the layout of the type takes the bytes of the value.
func (x value) isRead(ctx context.Context) bool {
	x.o.Children(ctx) // read in one pass, which a glance at a field is not
	for _, name := range []string{"elements", "value"} {
		if v, err := x.o.Value(ctx, x.o.Record().Field(name)); err == nil && v.Kind() != grammar.Null {
			return true
		}
	}
	return false
}

// content returns the record that the value holds, or nil if it holds a scalar or could not be read.
func (x value) content(ctx context.Context) *grammar.Object {
	if array := innerOf(ctx, x.o, "elements"); array != nil {
		return array
	}
	return innerOf(ctx, x.o, "value")
}

// The three below return the field of a name: its record, list or node.
func innerOf(ctx context.Context, o *grammar.Object, name string) *grammar.Object {
	return o.Inner(ctx, o.Record().Lookup(name))
}

func listOf(ctx context.Context, o *grammar.Object, name string) *grammar.List {
	return o.List(ctx, o.Record().Lookup(name))
}

func nodeOf(ctx context.Context, o *grammar.Object, name string) (n model.Node, ok bool) {
	c := o.Children(ctx)
	i, ok := model.IndexOf(ctx, c, name)
	if !ok {
		return n, false
	}
	return c.At(ctx, i), true
}

// nestedIn returns the value that a record has in its field "value", if it has one.
func (v *values) nestedIn(ctx context.Context, o *grammar.Object) (value, bool) {
	inner := innerOf(ctx, o, "value")
	return value{v, inner}, inner != nil
}

// node returns the node of the value at a place. A large one is pending.
func (v *values) node(ctx context.Context, name string, at model.Span) model.Node {
	x := v.open(at, 0)
	if at.Len > smallValue {
		return x.large(ctx, name)
	}
	return x.node(ctx, name)
}

// large returns the pending node of a large value.
func (x value) large(ctx context.Context, name string) model.Node {
	at := x.span()
	return model.Node{
		Name: name, Type: x.typeName(ctx), Spans: []model.Span{at}, Help: "a large value; the packing is assumed",
		Children: x.v.pending(pendingKey{"value", at.Off, at.End()}, func(ctx context.Context, progress model.Progress) (model.Children, error) {
			x, err := x.resolved(ctx, progress)
			if err != nil {
				return nil, err
			}
			return model.NewList(x.node(ctx, "value")), nil
		}),
	}
}

// node returns the node of the value with its problems.
func (x value) node(ctx context.Context, name string) model.Node {
	n := x.o.Node(ctx, name)
	n.Type, n.Help = x.typeName(ctx), nestedHelp
	if n.Span().Len == 0 {
		n.Children = nil
	}
	n.Value, n.Brief = x.show(ctx)
	return n
}

// show returns the value for one line, or words in its place.
func (x value) show(ctx context.Context) (model.Value, string) {
	if !x.isRead(ctx) {
		return model.Blob{Span: x.span()}, ""
	}
	t, _, isArray := x.kind(ctx)
	o := x.content(ctx)
	switch {
	case isArray:
		if n, ok := nodeOf(ctx, o, "elements"); ok {
			return n.Value, n.Brief
		}
		return &model.Elements{Type: t.elementName()}, ""
	case o == nil:
		n, _ := nodeOf(ctx, x.o, "value")
		return n.Value, ""
	}
	switch o.Record().Title {
	case "text":
		return textOf(ctx, o), ""
	case "ValueBlock":
		return model.None{}, ""
	case "list":
		return nil, fmt.Sprintf("%d × %s", o.Uint(ctx, o.Record().Field("count")), t.itemName(itemOf(o)))
	case "Value", "UnregisteredValue":
		inner, _ := x.v.nestedIn(ctx, o)
		return nil, inner.typeName(ctx)
	}
	return nil, x.v.summary(ctx, o)
}

// itemOf returns the type of the items of a record "list" or "list op".
func itemOf(o *grammar.Object) *itemType {
	n, _ := o.Arg(0).Int()
	return &items[n]
}

// itemName returns the name of the items of a vector, dictionary or map.
func (t *valueType) itemName(of *itemType) string {
	if of.name != "text" {
		return of.name
	}
	return strings.TrimSuffix(t.name, "Vector")
}

// textBytes returns where the bytes of a record "text" are.
func textBytes(ctx context.Context, o *grammar.Object) model.Span {
	return o.SpanOf(ctx, o.Record().Field("text"))
}

// textOf returns the text of a record "text", or its bytes if they are many.
func textOf(ctx context.Context, o *grammar.Object) model.Value {
	at := textBytes(ctx, o)
	if at.Len == 0 {
		return model.Text("")
	}
	if at.Len <= maxText {
		if b, err := at.Source.Bytes(ctx, at.Off, at.Len); err == nil {
			return model.Text(b)
		}
	}
	return model.Blob{Span: at}
}
