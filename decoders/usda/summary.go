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
	s := summary{ctx: ctx, fields: fields}
	switch n.Type {
	case "attribute":
		s.attribute()
	case "relationship":
		s.add(s.text("targetPaths"))
	default:
		if kind := s.text("specifier"); kind != "def" {
			s.add(kind)
		}
		s.add(s.text("typeName"))
		s.count("primChildren", "prim", "prims")
		s.count("properties", "property", "properties")
	}
	return strings.Join(s.parts, "  ·  ")
}

// summary is made of the leading fields of a spec.
type summary struct {
	ctx    context.Context
	fields map[string]model.Node
	parts  []string
}

func (s *summary) add(part string) {
	if part != "" {
		s.parts = append(s.parts, part)
	}
}

func (s *summary) text(field string) string {
	f := s.fields[field]
	if f.Value == nil {
		return f.Brief
	}
	return model.Show(s.ctx, f.Value, 120)
}

// count adds how many a field lists.
func (s *summary) count(field, one, several string) {
	switch list, ok := s.fields[field].Value.(model.Array); {
	case !ok || list.Len() == 0:
	case list.Len() == 1:
		s.add("1 " + one)
	default:
		s.add(model.Grouped(list.Len()) + " " + several)
	}
}

func (s *summary) attribute() {
	value := s.text("default")
	if list, ok := s.fields["default"].Value.(model.Array); ok {
		value = s.text("typeName") + " × " + model.Grouped(list.Len())
	}
	if s.add(value); value == "" {
		s.add(s.text("typeName"))
	}
	s.add(s.text("timeSamples"))
}
