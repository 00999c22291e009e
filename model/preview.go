package model

import (
	"context"
	"strings"
)

// A preview shows a few short values of the first children; others are not made.
const (
	previewed    = 3  // children that are shown
	previewFrom  = 12 // of this many leading ones
	previewValue = 40 // bytes of a value, approximately
)

// Preview describes the content of a record without a value in a few words: its Brief, then its first short values by
// name, or the names of its children if none has one. It returns "" for a node with a value, a list, or pending
// children.
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

// isScalar reports whether a value is short and needs no reading.
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
