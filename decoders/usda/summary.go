package usda

import (
	"context"
	"strings"

	"cutaway/model"
)

// leadingFields is the number of fields, which precede child specs, that a summary reads.
const leadingFields = 24

// SceneSummary returns the text of a spec in a row of the scene: for a prim its kind and sizes, for an attribute its
// value, or type and length of an array. It returns "" for other nodes. Types of live layers begin with a capital;
// their prims list no children, which are counted instead.
func SceneSummary(ctx context.Context, n *model.Node) string {
	typ := specType(n)
	if !isSpec(typ) || n.Children == nil {
		return ""
	}
	s := summary{ctx: ctx, fields: map[string]model.Node{}}
	var below int64 // number of child specs, which follow the fields
	count, _ := n.Children.Len(ctx)
	for i := range min(count, leadingFields) {
		f := n.Children.At(ctx, i)
		if isSpec(specType(&f)) {
			below = count - i
			break
		}
		s.fields[f.Name] = f
	}
	switch typ {
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
		if s.fields["primChildren"].Value == nil && s.fields["properties"].Value == nil && below > 0 {
			s.add(model.GroupedCount(below, "spec") + " below")
		}
	}
	if len(s.parts) == 0 && count > 0 { // a spec without children may be unread
		return "empty"
	}
	return strings.Join(s.parts, "  ·  ")
}

// specType returns the type of a spec as crates name it.
func specType(n *model.Node) string {
	if n.Type == "" {
		return ""
	}
	return strings.ToLower(n.Type[:1]) + n.Type[1:]
}

// A summary is built from the leading fields of a spec.
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

// count adds the number of names in a field.
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
	if list, ok := s.fields["default"].Value.(model.Array); ok {
		s.add(s.text("typeName") + " × " + model.Grouped(list.Len()))
	} else if s.add(s.text("default")); len(s.parts) == 0 {
		s.add(s.text("typeName"))
	}
	s.add(s.text("timeSamples"))
}
