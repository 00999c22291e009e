package usda

import (
	"context"

	"cutaway/model"
)

// valueFields are the fields that say what a property is, the most telling first.
var valueFields = []string{"default", "timeSamples", "spline", "connectionPaths", "targetPaths"}

// Principal returns a function for the bytes of a property's value, by the fields of its spec, or nil if the node is no
// property. Those of a property without a value are otherwise.
func Principal(n *model.Node, otherwise []model.Span) func(context.Context) []model.Span {
	if n.Type != "attribute" && n.Type != "relationship" {
		return nil
	}
	fields := n.Children
	return func(ctx context.Context) []model.Span {
		for _, name := range valueFields {
			if value := kid(ctx, fields, name); value.Name != "" {
				return value.PrincipalSpans(ctx)
			}
		}
		return otherwise
	}
}
