package data

import (
	"regexp"
	"slices"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// home matches an absolute path into the folder of a person.
var home = regexp.MustCompile(`^(?i:file:/{1,3})?(?i:/home/|/Users/|/root/|[A-Z]:[/\\]Users[/\\]|[A-Z]:[/\\]Documents and Settings[/\\]|~/)`)

// drive matches the beginning of an absolute path of Windows.
var drive = regexp.MustCompile(`^[A-Za-z]:[/\\]`)

// assets checks the paths in the values of an attribute.
func (c *checker) assets(n *model.Node, segment string) error {
	return c.each(n, func(v *model.Node, path ...string) error {
		c.assetPaths(v, append([]string{segment}, path...)...)
		return nil
	})
}

// assetPaths reports asset paths in the value of a node that other machines do not find.
func (c *checker) assetPaths(n *model.Node, path ...string) {
	for _, asset := range usda.Files.Of(c.ctx, n) {
		kind, rule, why := model.Suspicious, rulePath, ""
		switch {
		case strings.HasPrefix(asset, "`"):
		case strings.HasPrefix(asset, "usd-anon:"), strings.HasPrefix(asset, "anon:"):
			kind, rule, why = model.Assumed, ruleAnonymous, "is that of a layer in memory"
		case home.MatchString(asset):
			why = "leads to the folder of a person, which other machines do not have"
		case strings.Contains(asset, `\`):
			why = "has backslashes, which only Windows takes for folders"
		case strings.HasPrefix(asset, "/"), drive.MatchString(asset):
			kind, why = model.Assumed, "is absolute, so other machines may not have it"
		}
		if why != "" {
			c.report(c.pathOf(path...), model.Problemf(kind, rule, n.Span(), "the asset path %q %s", asset, why))
		}
	}
}

// field checks the metadata of a spec that names other layers.
func (c *checker) field(s *spec, i int64, n *model.Node) error {
	segment := model.EscapeSegment(n.InPath())
	switch n.Name {
	case "subLayers":
		whole := s.kids.At(c.ctx, i)
		c.assetPaths(&whole, segment)
		if slices.Contains(c.texts(&whole), "") {
			c.report(c.pathOf(segment), model.Problemf(model.Assumed, ruleSublayer, whole.Span(), "the path of a sublayer is empty"))
		}
	case "references", "payload":
		whole := s.kids.At(c.ctx, i)
		c.arcs(&whole, segment)
	case "typeName":
		if !IsPlainType(s.typ) {
			at := s.kids.At(c.ctx, i)
			c.report(c.pathOf(segment), model.Problemf(model.Assumed, ruleTypeName, at.Span(), "the type %s is no word of ASCII", s.typ))
		}
	default:
		if IsAdvised(n.Name) {
			c.advise(s, i, n.Name, segment)
		}
	}
	return c.ctx.Err()
}

// arcs checks the asset paths of references or payloads.
func (c *checker) arcs(n *model.Node, segment string) {
	if single := c.kid(n.Children, "assetPath"); single.Name != "" {
		c.assetPaths(&single, segment, "assetPath")
		return
	}
	if n.Children == nil {
		return
	}
	count, _ := n.Children.Len(c.ctx)
	for i := range count {
		list := n.Children.At(c.ctx, i)
		if list.Children == nil {
			continue
		}
		items, _ := list.Children.Len(c.ctx)
		for k := range items {
			item := list.Children.At(c.ctx, k)
			if asset := c.kid(item.Children, "assetPath"); asset.Name != "" {
				c.assetPaths(&asset, segment, model.EscapeSegment(list.InPath()), model.EscapeSegment(item.InPath()), "assetPath")
			}
		}
	}
}

// targets reports paths of a property that lead to nothing, if the layer alone is the scene.
func (c *checker) targets(n *model.Node, segment, field string) {
	op := c.kid(n.Children, field)
	if op.Children == nil || !c.alone() {
		return
	}
	for _, path := range c.listed(op.Children) {
		if strings.ContainsAny(path, "{[") || !strings.HasPrefix(path, "/") || c.finds(path) {
			continue
		}
		c.report(c.pathOf(segment, field), model.Problemf(model.Assumed, ruleTarget, op.Span(), "%s leads to %s, which the layer does not have", n.Name[1:], path))
	}
}

// alone reports whether the layer has no sublayers.
func (c *checker) alone() bool { return c.kid(c.layer.Children, "subLayers").Name == "" }

// finds reports whether the layer has an object, or a prim above it that other layers or prims may add to.
func (c *checker) finds(path string) bool {
	prims, property, _ := strings.Cut(strings.TrimPrefix(path, "/"), ".")
	kids := c.layer.Children
	if prims == "" {
		return true
	}
	for name := range strings.SplitSeq(prims, "/") {
		n := c.kid(kids, name)
		if !isSpec(&n) {
			return kids != c.layer.Children && c.composed(kids)
		}
		kids = n.Children
	}
	n := c.kid(kids, "."+property)
	return property == "" || isSpec(&n) || c.composed(kids) || c.builtIn(kids, property)
}

// isSpec reports whether a node is one of a spec, and not of a path that only others name.
func isSpec(n *model.Node) bool { return n.Name != "" && n.Type != "path" }

// composed reports whether other specs may add to a spec.
func (c *checker) composed(kids model.Children) bool {
	for _, field := range []string{"references", "payload", "inheritPaths", "specializes", "variantSetNames", "variantSetChildren", "clips"} {
		if c.kid(kids, field).Name != "" {
			return true
		}
	}
	return c.text(kids, "typeName") == "" // a spec without a type says more of one elsewhere
}

// builtIn reports whether the schemas of a prim have a property.
func (c *checker) builtIn(kids model.Children, property string) bool {
	return AttributeType(c.text(kids, "typeName"), c.applied(kids), property) != "" || strings.HasPrefix(property, "outputs:") || strings.HasPrefix(property, "inputs:")
}

// stage reports fields that a layer which is opened by itself lacks: readers take Y for the upAxis, centimetres for
// metersPerUnit, and find no prim by a reference to the file.
func (c *checker) stage() {
	var lacks []string
	for _, field := range []string{"upAxis", "metersPerUnit", "defaultPrim"} {
		if c.kid(c.layer.Children, field).Name == "" {
			lacks = append(lacks, field)
		}
	}
	if len(lacks) > 0 {
		c.report(c.layer.View, model.Problemf(model.Assumed, ruleStage, model.Span{}, "the layer does not say %s", strings.Join(lacks, ", ")))
	}
}
