package data

import (
	"fmt"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// Rules of advice in the standard that OpenUSD does not follow.
const (
	ruleSublayer    = "usd.standard.sublayer"
	ruleDefaultPrim = "usd.standard.default-prim"
	ruleRate        = "usd.standard.rate"
	ruleName        = "usd.standard.name"
	ruleTypeName    = "usd.standard.type-name"
	rulePermission  = "usd.standard.permission"
	ruleAnonymous   = "usd.standard.anonymous"
)

var advice = []model.Rule{
	{ID: ruleSublayer, Clause: "7.6.1.2.1", Discouraged: true, Help: "the path of a sublayer is empty"},
	{ID: ruleDefaultPrim, Clause: "7.6.1.2.3", Discouraged: true, Help: "the defaultPrim is no path of a prim, so that a reference to the file finds none"},
	{ID: ruleRate, Clause: "7.6.1.4.1", Discouraged: true, Help: "timeCodesPerSecond is not positive"},
	{ID: ruleName, Clause: "7.3.3", Discouraged: true,
		Help: "an order of prims or properties, variantSetNames or a selection has a name that none of them can have"},
	{ID: ruleTypeName, Clause: "7.6.2.4.1", Discouraged: true, Help: "the type of a prim is not a word of ASCII letters, digits and _"},
	{ID: rulePermission, Clause: "16.3.10.28", Discouraged: true, Help: "a spec has a permission, which new files do without"},
	{ID: ruleAnonymous, Clause: "9.8.1", Discouraged: true, Help: "an asset path is that of a layer in the memory of one process"},
}

// IsAdvised reports whether the standard advises on values of a field of a spec.
func IsAdvised(field string) bool {
	switch field {
	case "defaultPrim", "timeCodesPerSecond", "primOrder", "propertyOrder", "variantSetNames", "variantSelection", "permission":
		return true
	}
	return false
}

// IsPlainType reports whether a type of prims is one that the standard advises.
func IsPlainType(name string) bool {
	return name == "" || usda.IsIdentifier(name) && !strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 })
}

// advise reports a value of a field that the standard advises against.
func (c *checker) advise(s *spec, i int64, name, segment string) {
	n := s.kids.At(c.ctx, i)
	rule, what := "", ""
	switch name {
	case "defaultPrim":
		if text, ok := n.Value.(model.Text); ok && text != "" && !isPrimPath(string(text)) {
			rule, what = ruleDefaultPrim, "the defaultPrim "+string(text)+" is no path of a prim"
		}
	case "timeCodesPerSecond":
		if rate, ok := model.FloatOf(n.Value); ok && rate <= 0 {
			rule, what = ruleRate, "timeCodesPerSecond is not positive"
		}
	case "permission":
		rule, what = rulePermission, "the permission is of old files"
	case "propertyOrder":
		rule, what = ruleName, oddName(c.texts(&n), usda.IsPropertyName)
	case "primOrder":
		rule, what = ruleName, oddName(c.texts(&n), usda.IsIdentifier)
	case "variantSetNames":
		rule, what = ruleName, oddName(c.listed(n.Children), usda.IsIdentifier)
	case "variantSelection":
		rule, what = ruleName, oddName(c.keys(&n), usda.IsIdentifier)
	}
	if what != "" {
		c.report(c.pathOf(segment), model.Problemf(model.Assumed, rule, n.Span(), "%s", what))
	}
}

// isPrimPath reports whether a text is the path of a prim, absolute or below the root.
func isPrimPath(text string) bool {
	for name := range strings.SplitSeq(strings.TrimPrefix(text, "/"), "/") {
		if !usda.IsIdentifier(name) {
			return false
		}
	}
	return true
}

// oddName returns in words the first name that may not be one, or "".
func oddName(names []string, may func(string) bool) string {
	for _, name := range names {
		if !may(name) {
			return fmt.Sprintf("nothing can have the name %q", name)
		}
	}
	return ""
}

// keys returns the names of the children of a node.
func (c *checker) keys(n *model.Node) (names []string) {
	if n.Children == nil {
		return nil
	}
	count, _ := n.Children.Len(c.ctx)
	for i := range min(count, mostTargets) {
		names = append(names, model.Lean(c.ctx, n.Children, i).Name)
	}
	return names
}
