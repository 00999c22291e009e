package usda

import (
	"context"

	"cutaway/model"
)

// valueFields are the fields that hold the value of a property, in order of preference.
var valueFields = []string{"default", "timeSamples", "spline", "connectionPaths", "targetPaths"}

// Principal returns a function that returns the bytes of a property's value, or otherwise if it has none. It returns
// nil if n is no property.
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
