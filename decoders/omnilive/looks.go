package omnilive

import (
	"context"
	"slices"
	"unicode/utf8"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// The Go functions that the description names.

const ruleUnregistered = Name + ".value.unregistered"

// countOuter returns the number of values that a value lies in.
func countOuter(s grammar.Scope, _ []grammar.Value) grammar.Value {
	n := int64(0)
	for o := s.Object().Parent(); o != nil; o = o.Parent() {
		if o.Record() == s.Object().Record() {
			n++
		}
	}
	return grammar.IntValue(n)
}

// findNotUTF8 finds text that is not UTF-8. Text that is too long to be shown is not looked at.
func findNotUTF8(s grammar.Scope, it grammar.Value) (p model.Problem, breach bool) {
	if s.Span(s.Object().Record().Field("text")).Len > maxText {
		return p, false
	}
	return p, !utf8.ValidString(it.String())
}

// findUnregistered finds an UnregisteredValue that holds a sound value of another type than it may. A large value is taken as sound.
func findUnregistered(s grammar.Scope, it grammar.Value) (p model.Problem, breach bool) {
	ctx := s.Reading().Context()
	x := value{s.Env().(*values), it.Object()}
	if x.o == nil || x.span().Len <= smallValue && !x.isRead(ctx) {
		return p, false
	}
	t, _, isArray := x.kind(ctx)
	if t.name == "String" || t.name == "Dictionary" || t.name == "UnregisteredValueListOp" || isArray && t.name == "TimeCode" {
		return p, false
	}
	name := x.typeName(ctx)
	p.Message = "an UnregisteredValue holds " + name
	p.Expected, p.Found = "String, Dictionary or UnregisteredValueListOp", name
	return p, true
}

// showType shows the first byte of a value as the type in words.
func showType(s grammar.Scope, _ grammar.Value, n *model.Node) {
	ctx := s.Reading().Context()
	number, isArray := n.Children.At(ctx, 0), n.Children.At(ctx, 1)
	number.Type = "7 bits"
	n.Value, n.Brief, n.Children = nil, value{o: s.Object()}.typeName(ctx), model.NewList(number, isArray)
}

// showNested shows a value in another one. A large one is pending.
func showNested(s grammar.Scope, it grammar.Value, n *model.Node) {
	ctx := s.Reading().Context()
	x := value{s.Env().(*values), it.Object()}
	switch {
	case x.o == nil:
	case n.Span().Len > smallValue:
		problems := slices.DeleteFunc(n.Problems, func(p model.Problem) bool { return p.Rule != ruleUnregistered })
		*n = x.large(ctx, n.Name) // the other problems are those of the value in that node
		n.Problems = problems
	default:
		n.Type = x.typeName(ctx)
		n.Value, n.Brief = x.show(ctx)
	}
}

// showItems shows a list of texts as an array, and counts the items of others that are no scalars.
func showItems(_ grammar.Scope, it grammar.Value, n *model.Node) {
	l := it.List()
	if l == nil || n.Elements {
		return
	}
	if n.Type == "text[]" {
		n.Value = textArray(l, textOf)
	} else {
		n.Brief = model.GroupedCount(l.Known(), "item")
	}
}

// textArray returns the texts of a list as an array.
func textArray(l *grammar.List, text func(ctx context.Context, o *grammar.Object) model.Value) model.Array {
	return &model.Elements{Type: "text", Count: l.Known(), Make: func(ctx context.Context, i int64) (model.Value, error) {
		if o := l.Object(ctx, i); o != nil {
			return text(ctx, o), nil
		}
		return nil, ctx.Err()
	}, Place: func(ctx context.Context, i int64) model.Span {
		o := l.Object(ctx, i)
		if o == nil {
			return model.Span{}
		}
		return o.Stream().Source.Span(o.Start(), o.End()-o.Start())
	}}
}

// showPart shows a text, a value or a record of a composite value in a few words.
func showPart(s grammar.Scope, it grammar.Value, n *model.Node) {
	o := it.Object()
	if o == nil {
		return
	}
	ctx, v := s.Reading().Context(), s.Env().(*values)
	switch o.Record().Title {
	case "text":
		n.Value = textOf(ctx, o)
	case "value":
		if x, ok := v.nestedIn(ctx, o); ok && x.span().Len <= smallValue {
			n.Value, n.Brief = x.show(ctx)
		}
	case "Payload", "Reference":
		if n.Span().Len <= smallValue {
			n.Brief = v.summary(ctx, o)
			break
		}
		fallthrough
	default: // the name of an entry or of a variant set
		if first := o.Children(ctx).At(ctx, 0); first.Type == "text" {
			n.Brief = model.Show(ctx, first.Value, 80)
		}
	}
}

// showListOp shows the header of a list op as the lists that follow.
func showListOp(s grammar.Scope, it grammar.Value, n *model.Node) {
	number, _ := it.Uint()
	var names []string
	for i := range int64(8) {
		names = append(names, n.Children.At(s.Reading().Context(), i).Name)
	}
	n.Value, n.Elements = model.Flags(number, names), true
}

// showList shows a list in a composite value by its first items.
func showList(s grammar.Scope, it grammar.Value, n *model.Node) {
	if n.Type = n.Name; n.Name == "customData" {
		n.Type = "entry"
	}
	if o := it.Object(); o != nil && n.Span().Len <= smallValue {
		n.Brief = s.Env().(*values).summary(s.Reading().Context(), o)
	}
}
