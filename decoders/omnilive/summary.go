package omnilive

import (
	"context"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// Bounds of a summary.
const (
	mostSummed  = 3 // items of a list
	summedWidth = 60
)

// listNames are the lists of a list op in the order of the file.
var listNames = []string{"explicit", "added", "prepended", "appended", "deleted", "ordered"}

// summary returns the content of a record in a few words: "prepended @a.usd@</A>, @b.usd@; deleted </C>".
func (v *values) summary(ctx context.Context, o *grammar.Object) string {
	switch o.Record().Title {
	case "text":
		return model.Show(ctx, textOf(ctx, o), summedWidth)
	case "value":
		x, ok := v.nestedIn(ctx, o)
		if !ok {
			return noType
		}
		return x.typeName(ctx)
	case "list":
		return v.sumList(ctx, o)
	case "list op":
		return v.sumListOp(ctx, o)
	case "Payload", "Reference":
		return v.sumArc(ctx, o)
	}
	var fields []string
	for _, f := range o.Record().Fields {
		fields = append(fields, v.sumField(ctx, o, f.Name))
	}
	return strings.Join(fields, ": ")
}

// sumField returns the summary of a field.
func (v *values) sumField(ctx context.Context, o *grammar.Object, name string) string {
	if inner := innerOf(ctx, o, name); inner != nil {
		return v.summary(ctx, inner)
	}
	n, _ := nodeOf(ctx, o, name)
	return model.ShowHeld(n.Value, summedWidth)
}

// sumList returns the summary of a list by its first items.
func (v *values) sumList(ctx context.Context, o *grammar.Object) string {
	list := listOf(ctx, o, "items")
	if list == nil {
		return ""
	}
	n := list.Known()
	var items []string
	for i := range min(n, mostSummed) {
		if item := list.Object(ctx, i); item != nil {
			items = append(items, v.summary(ctx, item))
		} else if all, ok := nodeOf(ctx, o, "items"); ok {
			items = append(items, model.ShowHeld(all.Children.At(ctx, i).Value, summedWidth))
		}
	}
	if n > mostSummed {
		items = append(items, "… of "+model.Grouped(n))
	}
	return strings.Join(items, ", ")
}

// sumListOp names each list of a list op with its items. "explicit, empty" is a list op that removes the items of others.
func (v *values) sumListOp(ctx context.Context, o *grammar.Object) string {
	var lists []string
	for _, name := range listNames {
		if list := innerOf(ctx, o, name); list != nil {
			lists = append(lists, strings.TrimSpace(name+" "+v.sumList(ctx, list)))
		}
	}
	switch {
	case len(lists) > 0:
		return strings.Join(lists, "; ")
	case isExplicit(ctx, o):
		return "explicit, empty"
	}
	return "no items"
}

// isExplicit reports whether a list op replaces the items of others.
func isExplicit(ctx context.Context, o *grammar.Object) bool {
	return o.Uint(ctx, o.Record().Field("header"))&1 != 0
}

// sumArc returns a reference or payload as USD writes it.
func (v *values) sumArc(ctx context.Context, o *grammar.Object) string {
	asset, path, offset := v.sumField(ctx, o, "assetPath"), v.sumField(ctx, o, "primPath"), v.sumField(ctx, o, "layerOffset")
	text := ""
	if asset != "" || path == "" {
		text = "@" + asset + "@"
	}
	if path != "" {
		text += "<" + path + ">"
	}
	if offset != "(0, 1)" {
		text += " offset " + offset
	}
	return text
}
