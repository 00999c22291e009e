package usda

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"cutaway/model"
)

// Bounds of an introduction.
const (
	mostTimes   = 4096 // samples whose times are read
	mostPrimvar = 40   // properties among which primvars are looked for
	namedPrims  = 3    // prims of the root that are named
)

// SceneIntro introduces a spec of the scene.
func SceneIntro(ctx context.Context, p *model.Place) (in model.Intro) {
	typ := specType(&p.Node)
	if !isSpec(typ) || p.Node.Children == nil {
		return in
	}
	s, below := newSummary(ctx, &p.Node)
	switch typ {
	case "pseudoRoot":
		s.introduceScene(p, below, &in)
	case "attribute":
		s.introduceAttribute(p, &in)
	case "relationship":
		if p.Parent != nil {
			in.Sentence = relationWords(p.Node.Label(), owner(ctx, p.Parent))
		}
	default:
		s.introducePrim(p, typ, below, &in)
	}
	return in
}

// introduceScene says where the scene starts, which space and which times it has.
func (s *summary) introduceScene(p *model.Place, below int64, in *model.Intro) {
	in.Sentence = "A USD layer without prims."
	if below > 0 {
		var names []string
		count, _ := p.Len(s.ctx)
		for i := range min(below, namedPrims) {
			names = append(names, p.Child(s.ctx, count-below+i).Label())
		}
		in.Sentence = "A USD scene of " + model.GroupedCount(below, "prim") + ": " + strings.Join(names, ", ") + map[bool]string{true: " …", false: "."}[below > namedPrims]
	}
	if doc := strings.TrimSpace(s.text("documentation")); doc != "" {
		in.Sentence += " It says of itself: “" + strings.TrimRight(doc, ".") + "”."
	}
	if name := s.text("defaultPrim"); name != "" {
		in.Facts = model.Say(in.Facts, "starts at", "", model.Ref{Path: p.Path() + "/" + model.EscapeSegment(name), Text: name})
	}
	var space []string
	if axis := s.text("upAxis"); axis != "" {
		space = append(space, axis+" up")
	}
	if metres := s.text("metersPerUnit"); lengthUnits[metres].one != "" {
		space = append(space, "1 unit is 1 "+lengthUnits[metres].one)
	} else if metres != "" {
		space = append(space, "1 unit is "+metres+" metres")
	}
	in.Facts = model.Say(in.Facts, "space", strings.Join(space, ", "))
	in.Facts = model.Say(in.Facts, "time", s.times())
	if names, ok := s.fields["subLayers"].Value.(model.Array); ok {
		var layers []model.Ref
		for _, name := range firstOf(s.ctx, names) {
			layers = append(layers, model.Ref{Kind: "file", File: model.ShowHeld(name, 200), Text: model.ShowHeld(name, 200)})
		}
		in.Facts = model.Say(in.Facts, "sublayers", "", layers...)
	}
}

// times says from when to when the scene lasts, or returns "".
func (s *summary) times() string {
	start, end := s.text("startTimeCode"), s.text("endTimeCode")
	if start == "" || end == "" {
		return ""
	}
	text := start + " … " + end
	rate, rated := model.FloatOf(s.fields["timeCodesPerSecond"].Value)
	from, ok1 := model.FloatOf(s.fields["startTimeCode"].Value)
	to, ok2 := model.FloatOf(s.fields["endTimeCode"].Value)
	if rated && ok1 && ok2 && rate > 0 {
		text += fmt.Sprintf(" at %s per second, %.4g s", s.text("timeCodesPerSecond"), (to-from)/rate)
	}
	return text
}

// owner returns words for the prim that has a property: "the mesh Suzanne".
func owner(ctx context.Context, p *model.Place) string {
	name := p.Label()
	if p.Node.Children == nil {
		return name
	}
	s, _ := newSummary(ctx, &p.Node)
	typ := s.text("typeName")
	if typ == "" {
		return name
	}
	if lower := strings.ToLower(typ); typ[1:] == lower[1:] {
		typ = lower
	}
	return "the " + typ + " " + name
}

// introducePrim says of a prim its type and what it holds, and of a mesh how large it is.
func (s *summary) introducePrim(p *model.Place, typ string, below int64, in *model.Intro) {
	what := cmp.Or(s.text("typeName"), map[string]string{"variant": "Variant", "variantSet": "Set of variants"}[typ], "Prim without a type")
	switch s.text("specifier") {
	case "over":
		what = "Changes (over) to a prim"
		if name := s.text("typeName"); name != "" {
			what += " of type " + name
		}
	case "class":
		what = strings.TrimSpace("Class " + s.text("typeName"))
	}
	if holds := s.holds(p); len(holds) > 0 {
		what += " of " + strings.Join(holds, ", ")
	}
	if p.Parent == nil || specType(&p.Parent.Node) == "pseudoRoot" {
		what += ", at the top of the scene"
	} else {
		what += ", under " + p.Parent.Label()
	}
	in.Sentence = what + "."
	for _, fact := range []struct{ label, field string }{{"kind", "kind"}, {"references", "references"}, {"payload", "payload"}, {"inherits", "inheritPaths"},
		{"specializes", "specializes"}, {"variants", "variantSelection"}, {"applies", "apiSchemas"}, {"active", "active"}, {"instanceable", "instanceable"}} {
		in.Facts = model.Say(in.Facts, fact.label, s.text(fact.field))
	}
	in.Facts = model.Say(in.Facts, "primvars", s.primvars(p, below))
	binding := kid(s.ctx, p.Node.Children, ".material:binding")
	if targets := kid(s.ctx, binding.Children, "targetPaths"); targets.Refs != nil {
		for _, r := range targets.Refs(s.ctx) {
			in.Links = model.Say(in.Links, "material", "", r)
		}
	}
}

// holds counts the points and faces of a mesh, the prims below a prim, or its properties.
func (s *summary) holds(p *model.Place) (parts []string) {
	if mesh := (&summary{ctx: s.ctx, fields: s.fields}); s.text("typeName") == "Mesh" {
		mesh.mesh(&p.Node)
		parts = mesh.parts
	}
	if prims, ok := s.fields["primChildren"].Value.(model.Array); ok && prims.Len() > 0 {
		parts = append(parts, model.GroupedCount(prims.Len(), "prim"))
	}
	if list, ok := s.fields["properties"].Value.(model.Array); ok && len(parts) == 0 && list.Len() > 0 {
		parts = append(parts, plural(list.Len(), "property", "properties"))
	}
	return parts
}

// primvars names the values for shading of a prim.
func (s *summary) primvars(p *model.Place, below int64) string {
	count, _ := p.Node.Children.Len(s.ctx)
	var names []string
	for i := count - below; i < min(count, count-below+mostPrimvar); i++ {
		c := model.Lean(s.ctx, p.Node.Children, i)
		if name, is := strings.CutPrefix(c.Name, ".primvars:"); is && !strings.HasSuffix(name, ":indices") {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// attributeWords describes attributes of the schemas of USD itself: {n} is the number of elements, {of} the prim.
var attributeWords = map[string]string{
	"points":             "The {n} points of {of}: x, y and z of each, in its own space",
	"normals":            "The {n} normals of {of}: the directions that its surface faces",
	"velocities":         "The velocity of each of the {n} points of {of}",
	"accelerations":      "The acceleration of each of the {n} points of {of}",
	"faceVertexCounts":   "The number of corners of each of the {n} faces of {of}",
	"faceVertexIndices":  "The points at the {n} corners of the faces of {of}, by number",
	"holeIndices":        "The faces of {of} that are holes, by number",
	"creaseIndices":      "The points along the creases of {of}, by number",
	"extent":             "The box around {of}, by two corners",
	"subdivisionScheme":  "The way in which {of} is made smooth for drawing",
	"orientation":        "The order of corners that makes the front of the faces of {of}",
	"doubleSided":        "Whether the faces of {of} are seen from both sides",
	"curveVertexCounts":  "The number of points of each of the {n} curves of {of}",
	"widths":             "The {n} widths of {of}",
	"ids":                "The {n} ids of the points of {of}",
	"protoIndices":       "The prototype of each of the {n} instances of {of}, by number",
	"positions":          "The positions of the {n} instances of {of}",
	"orientations":       "The orientations of the {n} instances of {of}",
	"scales":             "The scales of the {n} instances of {of}",
	"visibility":         "Whether {of} is drawn",
	"purpose":            "The purpose that {of} is drawn for",
	"xformOpOrder":       "The order in which {of} is moved, turned and scaled; the last one comes first",
	"focalLength":        "The focal length of {of}, in tenths of a unit",
	"horizontalAperture": "The width of the sensor of {of}, in tenths of a unit",
	"verticalAperture":   "The height of the sensor of {of}, in tenths of a unit",
	"clippingRange":      "The nearest and the farthest distance that {of} sees",
	"projection":         "The projection of {of}",
	"jointIndices":       "The joints that move the points of {of}, by number",
	"jointWeights":       "The weights of the joints that move the points of {of}",
	"joints":             "The {n} joints of {of}, by path",
	"bindTransforms":     "The places of the {n} joints of {of} when it was bound",
	"restTransforms":     "The places of the {n} joints of {of} at rest",
}

// opWords describes the operations of a transform.
var opWords = []struct{ begins, words string }{
	{"translate", "Moves {of}"}, {"scale", "Scales {of}"}, {"rotateX", "Turns {of} about X"}, {"rotateY", "Turns {of} about Y"}, {"rotateZ", "Turns {of} about Z"},
	{"rotate", "Turns {of} about three axes"}, {"orient", "Turns {of} by a quaternion"}, {"transform", "Places {of} by a matrix"},
}

// wordsFor describes an attribute in words with {n} and {of}.
func wordsFor(name, typ string) string {
	base := name
	if i := strings.LastIndexByte(name, ':'); i >= 0 && strings.HasPrefix(name, "primvars:") {
		base = name[i+1:]
	}
	if words := attributeWords[base]; words != "" {
		return words
	}
	if op, is := strings.CutPrefix(name, "xformOp:"); is {
		for _, o := range opWords {
			if strings.HasPrefix(op, o.begins) {
				return o.words
			}
		}
	}
	switch {
	case strings.HasPrefix(name, "primvars:") && strings.HasSuffix(name, ":indices"):
		return "The element of the primvar " + strings.TrimSuffix(name[len("primvars:"):], ":indices") + " at each of {n} places of {of}, by number"
	case strings.HasPrefix(name, "primvars:") && strings.HasSuffix(typ, "[]"):
		return "{n} values for the shading of {of}, " + typ
	case strings.HasPrefix(name, "primvars:"):
		return "A value for the shading of {of}, " + typ
	case strings.HasPrefix(name, "inputs:"):
		return "The input " + name[len("inputs:"):] + " of {of}, " + typ
	case strings.HasPrefix(name, "outputs:"):
		return "The output " + name[len("outputs:"):] + " of {of}, " + typ
	case strings.HasSuffix(typ, "[]"):
		return "{n} values of {of}, " + typ
	}
	return "A value of {of}, " + typ
}

// introduceAttribute says what an attribute is, how its values lie on the prim and over time, and what it is connected to.
func (s *summary) introduceAttribute(p *model.Place, in *model.Intro) {
	if p.Parent == nil {
		return
	}
	words := wordsFor(strings.TrimPrefix(p.Label(), "."), s.text("typeName"))
	count := "no"
	if list, ok := s.fields["default"].Value.(model.Array); ok {
		count = model.Grouped(list.Len())
	} else if s.fields["timeSamples"].Name != "" && strings.HasPrefix(words, "{n}") {
		count = "Sampled"
	} else if s.fields["timeSamples"].Name != "" {
		words = strings.ReplaceAll(words, "{n} ", "")
	}
	words = strings.NewReplacer("{n}", count, "{of}", owner(s.ctx, p.Parent)).Replace(words)
	if strings.HasPrefix(words, "no ") {
		words = "N" + words[1:]
	}
	if samples := s.fields["timeSamples"]; samples.Name != "" {
		words += ": " + samplesText(s.ctx, &samples)
	}
	in.Sentence = words + "."
	for _, fact := range []struct{ label, field string }{{"for each", "interpolation"}, {"doc", "documentation"}, {"unit", "displayUnit"}, {"colour space", "colorSpace"}} {
		in.Facts = model.Say(in.Facts, fact.label, s.text(fact.field))
	}
	if connected := s.fields["connectionPaths"]; connected.Refs != nil {
		for _, r := range connected.Refs(s.ctx) {
			in.Links = model.Say(in.Links, "connected to", "", r)
		}
	}
}

// samplesText says how many samples there are, how far apart, from when to when.
func samplesText(ctx context.Context, n *model.Node) string {
	if points := pointsOf(ctx, n); len(points) >= 2 {
		step, even := points[1].Time-points[0].Time, true
		for i := range points[1:] {
			even = even && points[i+1].Time-points[i].Time == step
		}
		text := model.GroupedCount(int64(len(points)), "sample")
		if even {
			text += ", every " + timeText(step)
		}
		return text + " from " + timeText(points[0].Time) + " to " + timeText(points[len(points)-1].Time)
	}
	return cmp.Or(n.Brief, model.Show(ctx, n.Value, 60))
}

// pointsOf returns the points of a node's series if these are few, else nil.
func pointsOf(ctx context.Context, n *model.Node) []model.Point {
	all := model.CardsOf[model.Series](ctx, n)
	if len(all) == 0 {
		return nil
	}
	count, exact := all[0].Points()
	if !exact || count > mostTimes {
		return nil
	}
	points := make([]model.Point, count)
	if got, err := all[0].Read(ctx, 0, points); err != nil || int64(got) < count {
		return nil
	}
	return points
}

func timeText(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// relationWords says what a relationship of a prim is.
func relationWords(name, of string) string {
	switch name = strings.TrimPrefix(name, "."); {
	case strings.HasPrefix(name, "material:binding"):
		return "The material of " + of + "."
	case name == "prototypes":
		return "The prototypes of the instances of " + of + "."
	case strings.HasPrefix(name, "skel:"):
		return "The " + strings.ToLower(strings.TrimPrefix(name, "skel:")) + " that moves " + of + "."
	}
	return "A relation of " + of + " to others."
}
