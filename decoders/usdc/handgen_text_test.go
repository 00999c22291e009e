package usdc

import (
	"context"
	"strings"
	"testing"

	"cutaway/model"
)

// text is a node and what is below it: names, values or briefs, and rules.
func text(ctx context.Context, n model.Node, depth int) string {
	var b strings.Builder
	b.WriteString(n.Name + "=")
	if n.Value != nil {
		b.WriteString(model.Show(ctx, n.Value, 200))
	} else {
		b.WriteString(n.Brief)
	}
	for _, p := range n.Problems {
		b.WriteString("!" + p.Rule)
	}
	if n.Children == nil || n.Elements || depth == 0 {
		return b.String()
	}
	b.WriteString("{")
	count, _ := n.Children.Len(ctx)
	for i := range count {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(text(ctx, n.Children.At(ctx, i), depth-1))
	}
	return b.String() + "}"
}

func expect(t *testing.T, n model.Node, depth int, want string) {
	t.Helper()
	if got := text(t.Context(), n, depth); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
