package handgen

import (
	"context"
	"math"
	"strings"
	"testing"

	"cutaway/model"
)

// Text returns a node and those below, depth levels deep: names, values or briefs, and rules.
func Text(ctx context.Context, n model.Node, depth int) string {
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
		b.WriteString(Text(ctx, n.Children.At(ctx, i), depth-1))
	}
	return b.String() + "}"
}

// Expect compares Text with what is wanted.
func Expect(t *testing.T, n model.Node, depth int, want string) {
	t.Helper()
	if got := Text(t.Context(), n, depth); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Child finds a child by name.
func Child(t testing.TB, n model.Node, name string) model.Node {
	t.Helper()
	if n.Children == nil {
		t.Fatalf("%s has no children; want %q", n.Name, name)
	}
	count, _ := n.Children.Len(t.Context())
	for i := range count {
		if c := n.Children.At(t.Context(), i); c.Name == name {
			return c
		}
	}
	t.Fatalf("%s has no child %q", n.Name, name)
	return model.Node{}
}

// RulesOf lists the rules of the node's problems.
func RulesOf(n model.Node) []string {
	var rules []string
	for _, p := range n.Problems {
		rules = append(rules, p.Rule)
	}
	return rules
}

// Float32 returns the bits of a number.
func Float32(v float32) uint32 { return math.Float32bits(v) }
