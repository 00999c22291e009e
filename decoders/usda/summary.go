package usda

import (
	"cmp"
	"context"
	"strings"

	"cutaway/model"
)

// leadingFields is the number of fields, which precede child specs, that a summary reads.
const leadingFields = 24

// SceneSummary returns the text of a spec in a row of the scene: for a prim its type, its kind and how many it holds, for an
// attribute its value, or type and length of an array. It returns "" for other nodes. Types of live layers begin with a
// capital; their prims list no children, which are counted instead.
func SceneSummary(ctx context.Context, n *model.Node) string {
	typ := specType(n)
	if !isSpec(typ) || n.Children == nil {
		return ""
	}
	s, below := newSummary(ctx, n)
	count, _ := n.Children.Len(ctx)
	switch typ {
	case "attribute":
		s.attribute()
	case "relationship":
		s.add(s.text("targetPaths"))
	case "pseudoRoot":
		s.prims()
		s.specsBelow(n, count-below, count)
		s.stage()
	default:
		if kind := s.text("specifier"); kind != "def" {
			s.add(kind)
		}
		s.add(s.text("typeName"))
		s.add(s.text("kind"))
		s.mesh(n)
		s.prims()
		s.specsBelow(n, count-below, count)
	}
	if len(s.parts) == 0 && count > 0 { // a spec without children may be unread
		return "empty"
	}
	return strings.Join(s.parts, "  ·  ")
}

// specsBelow counts the specs below one that lists none.
func (s *summary) specsBelow(n *model.Node, first, end int64) {
	if s.fields["primChildren"].Value == nil && s.fields["properties"].Value == nil {
		s.specs(n, first, end)
	}
}

// newSummary reads the leading fields of a spec. below is the number of child specs, which follow the fields.
func newSummary(ctx context.Context, n *model.Node) (s *summary, below int64) {
	s = &summary{ctx: ctx, fields: map[string]model.Node{}}
	count, _ := n.Children.Len(ctx)
	for i := range min(count, leadingFields) {
		f := n.Children.At(ctx, i)
		if isSpec(specType(&f)) {
			return s, count - i
		}
		s.fields[f.Name] = f
	}
	return s, 0
}

// mostFields is the number of fields above which a spec's are not folded: such a file is damaged.
const mostFields = 256

// SceneFold folds the fields of a spec. The elements of an attribute's default are shown as the attribute's.
func SceneFold(ctx context.Context, n *model.Node) model.Fold {
	fold := model.Fold{Through: -1}
	if n.Children == nil || !isSpec(specType(n)) {
		return fold
	}
	count, exact := n.Children.Len(ctx)
	if !exact {
		return fold
	}
	for i := range count {
		f := model.Lean(ctx, n.Children, i)
		if isSpec(specType(&f)) {
			break
		}
		if fold.Fields++; fold.Fields > mostFields || ctx.Err() != nil {
			return model.Fold{Through: -1}
		}
		if f.Name == "default" && f.Elements && !f.IsPending() {
			fold.Through = i
		}
	}
	return fold
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

// prims adds the number of prims that a field lists.
func (s *summary) prims() {
	if list, ok := s.fields["primChildren"].Value.(model.Array); ok && list.Len() > 0 {
		s.add(model.GroupedCount(list.Len(), "prim"))
	}
}

// mostCounted is the number of specs whose types are looked at for a summary.
const mostCounted = 1000

// specs adds the number of prims and properties among the children of n from first to end, where no field lists them.
func (s *summary) specs(n *model.Node, first, end int64) {
	if end-first > mostCounted {
		s.add(model.Grouped(end-first) + " prims and properties")
		return
	}
	counts := map[string]int64{}
	for i := first; i < end; i++ {
		c := model.Lean(s.ctx, n.Children, i)
		counts[specType(&c)]++
	}
	if prims := counts["prim"]; prims > 0 {
		s.add(model.GroupedCount(prims, "prim"))
	} else if all := counts["attribute"] + counts["relationship"]; all > 0 {
		s.add(plural(all, "property", "properties"))
	}
}

// plural returns a number of things in words.
func plural(n int64, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return model.Grouped(n) + " " + several
}

// A lengthUnit is a word for a number of metres.
type lengthUnit struct{ one, several string }

var lengthUnits = map[string]lengthUnit{"1": {"metre", "metres"}, "0.01": {"centimetre", "centimetres"},
	"0.001": {"millimetre", "millimetres"}, "0.0254": {"inch", "inches"}, "0.3048": {"foot", "feet"}}

// stage adds the axis that is up and the unit of lengths.
func (s *summary) stage() {
	if axis := s.text("upAxis"); axis != "" {
		s.add(axis + " up")
	}
	if metres := s.text("metersPerUnit"); metres != "" {
		s.add(cmp.Or(lengthUnits[metres].several, metres+" metres a unit"))
	}
}

// mesh adds how large a mesh is, by its attributes.
func (s *summary) mesh(n *model.Node) {
	if s.text("typeName") != "Mesh" {
		return
	}
	for _, part := range []struct{ attribute, one string }{{".points", "point"}, {".faceVertexCounts", "face"}} {
		attribute := kid(s.ctx, n.Children, part.attribute)
		if list, ok := kid(s.ctx, attribute.Children, "default").Value.(model.Array); ok {
			s.add(model.GroupedCount(list.Len(), part.one))
		}
	}
}

// Arrays of at most shortList elements are shown with their values.
const shortList = 4

func (s *summary) attribute() {
	if list, ok := s.fields["default"].Value.(model.Array); ok && list.Len() > shortList {
		s.add(s.text("typeName") + " × " + model.Grouped(list.Len()))
	} else if s.add(s.text("default")); len(s.parts) == 0 {
		s.add(s.text("typeName"))
	}
	s.add(s.text("timeSamples"))
}
