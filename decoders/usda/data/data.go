// Package data finds what is wrong with the data of a layer: counts and indices that disagree, values that are no numbers,
// attributes of other types than their schemas'. It reads the scene view of a layer, whatever its form, and values in windows.
package data

import (
	"context"
	"maps"
	"slices"
	"strings"

	"cutaway/model"
)

// A Layer is the scene of a layer.
type Layer struct {
	View     string         // name of the view
	Children model.Children // of its root
	// Dull reports whether nothing in child i of c, or below it, can break a rule. It may be nil.
	Dull func(c model.Children, i int64) bool
}

// Limits of a check.
const (
	mostDeep    = 4096 // prims in each other
	mostTargets = 256  // paths of a relationship that are looked for
)

// Check reports what is wrong with the data of a layer, with the paths of its nodes. With root the layer is one that is
// opened by itself, and should say how it is to be shown.
func Check(ctx context.Context, l *Layer, root bool, progress model.Progress, report func(path string, p model.Problem)) error {
	c := &checker{ctx: ctx, layer: l, report: report, progress: progress}
	if p, ok := l.Children.(model.Pending); ok && p.Pending() {
		if err := p.Resolve(ctx, progress); err != nil {
			return err
		}
	}
	if root {
		c.stage()
	}
	return c.spec(l.Children, "", 0)
}

// A checker visits the prims of a layer.
type checker struct {
	ctx      context.Context
	layer    *Layer
	report   func(path string, p model.Problem)
	progress model.Progress
	path     []string // segments from the root to the spec that is visited
	done     int64
	located  int // arrays with faulty integers
}

// kid returns the child with a name, or a node without a name.
func (c *checker) kid(of model.Children, name string) (n model.Node) {
	if of != nil {
		if i, found := model.IndexOf(c.ctx, of, name); found {
			return of.At(c.ctx, i)
		}
	}
	return n
}

// text returns the value of the child with a name, if that is text, or "".
func (c *checker) text(of model.Children, name string) string {
	t, _ := c.kid(of, name).Value.(model.Text)
	return string(t)
}

// pathOf returns the path of a node below the spec that is visited.
func (c *checker) pathOf(below ...string) string {
	return strings.Join(slices.Concat([]string{c.layer.View}, c.path, below), "/")
}

// A spec is a prim, variant or the root of a layer, with the properties that the rules are about.
type spec struct {
	kids       model.Children
	typ        string
	apis       []string
	properties map[string]int64
}

// spec checks a prim, a variant or the root, and those below it.
func (c *checker) spec(kids model.Children, typ string, deep int) error {
	if deep > mostDeep || kids == nil {
		return nil
	}
	n, _ := kids.Len(c.ctx)
	s := &spec{kids: kids, typ: typ, properties: map[string]int64{}}
	if own := c.text(kids, "typeName"); own != "" {
		s.typ = own
	}
	s.apis = c.applied(kids)
	for i := range n {
		if err := c.child(s, i, deep); err != nil {
			return err
		}
	}
	return c.properties(s)
}

// child checks a child of a spec, or remembers it if it is a property.
func (c *checker) child(s *spec, i int64, deep int) error {
	if c.layer.Dull != nil && c.layer.Dull(s.kids, i) {
		return nil
	}
	if c.done++; c.done&1023 == 0 {
		c.progress.Report(c.done, 0, "checking data")
		if err := c.ctx.Err(); err != nil {
			return err
		}
	}
	n := model.Lean(c.ctx, s.kids, i)
	switch {
	case strings.HasPrefix(n.Name, "."):
		s.properties[n.Name[1:]] = i
	case n.Type == "prim", n.Type == "variant", n.Type == "variantSet":
		c.path = append(c.path, model.EscapeSegment(n.InPath()))
		typ := ""
		if n.Type != "prim" {
			typ = s.typ
		}
		err := c.spec(n.Children, typ, deep+1)
		c.path = c.path[:len(c.path)-1]
		return err
	default:
		return c.field(s, i, &n)
	}
	return nil
}

// applied returns the names of the API schemas that a spec applies.
func (c *checker) applied(kids model.Children) (names []string) {
	return c.listed(c.kid(kids, "apiSchemas").Children)
}

// listed returns the texts of a list operation that stay, but for those of nodes of their own.
func (c *checker) listed(op model.Children) (names []string) {
	if op == nil {
		return nil
	}
	for _, word := range []string{"explicit", "prepended", "added", "appended"} {
		list := c.kid(op, word)
		names = append(names, c.texts(&list)...)
	}
	return names
}

// texts returns the texts of an array, at most as many as rules look for.
func (c *checker) texts(n *model.Node) (all []string) {
	a, is := n.Value.(model.Array)
	if !is {
		return nil
	}
	buf := make([]model.Value, min(a.Len(), mostTargets))
	count, _ := a.Read(c.ctx, 0, buf) // elements that cannot be read are reported where they are decoded
	for _, v := range buf[:count] {
		if t, ok := v.(model.Text); ok {
			all = append(all, string(t))
		}
	}
	return all
}

// properties checks the properties of a spec.
func (c *checker) properties(s *spec) error {
	for _, name := range slices.Sorted(maps.Keys(s.properties)) {
		if err := c.property(s, name); err != nil {
			return err
		}
	}
	c.bindings(s)
	return c.geometry(s)
}

// bindings reports a prim that binds a material or skeleton without an API schema for that. Other layers may apply one.
func (c *checker) bindings(s *spec) {
	for _, of := range []struct{ prefix, api string }{{"material:binding", "MaterialBindingAPI"}, {"skel:", "SkelBindingAPI"}} {
		for _, name := range slices.Sorted(maps.Keys(s.properties)) {
			if !strings.HasPrefix(name, of.prefix) || slices.Contains(s.apis, of.api) || !c.alone() || c.composed(s.kids) {
				continue
			}
			n := s.kids.At(c.ctx, s.properties[name])
			c.report(c.pathOf(model.EscapeSegment(n.InPath())), model.Problemf(model.Assumed, ruleBinding, n.Span(), "%s is without %s", name, of.api))
			break
		}
	}
}

// property checks a property by itself.
func (c *checker) property(s *spec, name string) error {
	n := s.kids.At(c.ctx, s.properties[name])
	segment := model.EscapeSegment(n.InPath())
	if n.Type == "relationship" {
		c.targets(&n, segment, "targetPaths")
		return nil
	}
	typ := c.text(n.Children, "typeName")
	if want := AttributeType(s.typ, s.apis, name); want != "" && typ != "" {
		c.checkType(&n, segment, s.typ, typ, want)
	}
	c.targets(&n, segment, "connectionPaths")
	if typ == "asset" || typ == "asset[]" {
		return c.assets(&n, segment)
	}
	if name == "points" || strings.HasPrefix(name, "xformOp:") {
		return c.finite(&n, segment, name)
	}
	return nil
}

// checkType reports an attribute of another type than its schema's.
func (c *checker) checkType(n *model.Node, segment, schema, typ, want string) {
	kind, what := model.Suspicious, "readers of its schema do not find the value"
	switch compareTypes(typ, want) {
	case sameType:
		return
	case otherRole:
		kind, what = model.Assumed, "its role is another"
	}
	at := c.kid(n.Children, "typeName")
	c.report(c.pathOf(segment, "typeName"), model.Problemf(kind, ruleType, at.Span(),
		"%s of the %s is %s, not %s: %s", n.Name[1:], orPrim(schema), typ, want, what).Want(want, typ))
}

func orPrim(schema string) string {
	if schema == "" {
		return "prim"
	}
	return schema
}

// each visits the default of an attribute and its samples, with their paths below it.
func (c *checker) each(n *model.Node, visit func(v *model.Node, path ...string) error) error {
	if fixed := c.kid(n.Children, "default"); fixed.Name != "" {
		if err := visit(&fixed, "default"); err != nil {
			return err
		}
	}
	samples := c.kid(n.Children, "timeSamples")
	if samples.Children == nil {
		return nil
	}
	count, _ := samples.Children.Len(c.ctx)
	for i := range count {
		sample := samples.Children.At(c.ctx, i)
		if v := c.kid(sample.Children, "value"); v.Name != "" {
			if err := visit(&v, "timeSamples", model.EscapeSegment(sample.InPath()), "value"); err != nil {
				return err
			}
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// finite reports the first value of an attribute that is infinite or not a number.
func (c *checker) finite(n *model.Node, segment, name string) error {
	return c.each(n, func(v *model.Node, path ...string) error {
		at, index := v.Span(), int64(-1)
		switch value := v.Value.(type) {
		case model.Array:
			i, err := notFinite(c.ctx, value)
			if i < 0 || err != nil {
				return err
			}
			index = i
			if e := model.ElementSpan(c.ctx, value, i); e.Source != nil {
				at = e
			}
		default:
			if allFinite(value) {
				return nil
			}
		}
		what := name + " is"
		if index >= 0 {
			what = name + " " + model.IndexName(index) + " is"
		}
		c.report(c.pathOf(append([]string{segment}, path...)...), model.Problemf(model.Suspicious, ruleFinite, at, "%s infinite or not a number", what))
		return nil
	})
}
