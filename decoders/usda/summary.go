package usda

import (
	"context"
	"strings"

	"cutaway/model"
)

// leadingFields is how many fields of a spec are looked at for a summary; they come before the specs below it.
const leadingFields = 24

// SceneSummary says what matters of a spec in a row of the scene: of a prim its kind and how much it has, of an attribute its
// value, or the type and length of an array. "" of other nodes.
func SceneSummary(ctx context.Context, n *model.Node) string {
	if !isSpec(n.Type) || n.Children == nil {
		return ""
	}
	fields := map[string]model.Node{}
	count, _ := n.Children.Len(ctx)
	for i := range min(count, leadingFields) {
		if f := n.Children.At(ctx, i); !isSpec(f.Type) {
			fields[f.Name] = f
		}
	}
	text := func(name string) string {
		f := fields[name]
		if f.Value == nil {
			return f.Brief
		}
		return model.Show(ctx, f.Value, 120)
	}
	var parts []string
	add := func(part string) {
		if part != "" {
			parts = append(parts, part)
		}
	}
	many := func(field, one, several string) {
		switch list, ok := fields[field].Value.(model.Array); {
		case !ok || list.Len() == 0:
		case list.Len() == 1:
			add("1 " + one)
		default:
			add(model.Grouped(list.Len()) + " " + several)
		}
	}
	switch n.Type {
	case "attribute":
		value := text("default")
		if list, ok := fields["default"].Value.(model.Array); ok {
			value = text("typeName") + " × " + model.Grouped(list.Len())
		}
		add(value)
		if value == "" {
			add(text("typeName"))
		}
		add(text("timeSamples"))
	case "relationship":
		add(text("targetPaths"))
	default:
		if kind := text("specifier"); kind != "def" {
			add(kind)
		}
		add(text("typeName"))
		many("primChildren", "prim", "prims")
		many("properties", "property", "properties")
	}
	return strings.Join(parts, "  ·  ")
}
