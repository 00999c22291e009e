package model

import (
	"context"
	"strings"
)

// A preview says a few short values of the first children; further ones are not made.
const (
	previewed    = 3  // children that are shown
	previewFrom  = 12 // of so many leading ones
	previewValue = 40 // bytes of a value, about
)

// Preview says in a few words what a record without a value holds: its Brief, then its first short values by name, or the
// names of its children where none has one. "": it has a value, its children are a list, or they need work before they can
// be made.
func Preview(ctx context.Context, n *Node) string {
	if n.Value != nil || n.Children == nil || n.IsPending() {
		return ""
	}
	var values, names []string
	count, _ := n.Children.Len(ctx)
	for i := int64(0); i < min(count, previewFrom) && len(values) < previewed; i++ {
		c := n.Children.At(ctx, i)
		if _, item := ParseIndex(c.Name); item || ctx.Err() != nil {
			return ""
		}
		if c.Role != Explained {
			continue
		}
		if names = append(names, c.Name); isScalar(c.Value) {
			values = append(values, c.Name+": "+Show(ctx, c.Value, previewValue))
		}
	}
	if len(values) == 0 {
		values = names[:min(len(names), previewed)]
	}
	if n.Brief != "" {
		values = append([]string{n.Brief}, values...)
	}
	return strings.Join(values, "  ·  ")
}

// isScalar reports whether a value is read at once and shown whole in a few words.
func isScalar(v Value) bool {
	switch v := v.(type) {
	case Bool, Int, Uint, Float64, Float32, Half, Symbol:
		return true
	case Text:
		return v != "" && len(v) <= previewValue
	case Tuple:
		return len(v) > 0 && len(v) <= 4 && isScalar(v[0])
	}
	return false
}
