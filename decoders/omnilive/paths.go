package omnilive

import (
	"fmt"
	"strings"
)

// The spec types whose paths have a form of their own.
const (
	specConnection = 2
	specExpression = 3
	specMapper     = 4
	specMapperArg  = 5
	specTarget     = 9
	specVariant    = 10
	specVariantSet = 11
)

// specName is the name of a spec type; a number where it has none.
func specName(t uint32) string {
	if int(t) < len(specTypes) {
		return specTypes[t]
	}
	return fmt.Sprintf("spec type %d", t)
}

// element is the last element of a section's path, as it stands after its parent's.
func (l *layer) element(n int32) string {
	s := &l.nodes[n]
	switch s.specType {
	case specAttribute, specRelationship, specMapperArg:
		return "." + s.name
	case specConnection, specTarget:
		return "[" + s.name + "]"
	case specMapper:
		return ".mapper[" + s.name + "]"
	case specExpression:
		return ".expression"
	case specVariantSet:
		return "{" + s.name + "=}"
	case specVariant:
		set := ""
		if s.parent != none {
			set = l.nodes[s.parent].name
		}
		return "{" + set + "=" + s.name + "}"
	}
	return s.name
}

// segment is the element, with the id where it has no name, or an earlier sibling has the same.
func (l *layer) segment(n int32) string {
	s := &l.nodes[n]
	if s.parent == none {
		if s.id == rootID {
			return "/"
		}
		return fmt.Sprintf("#%d", s.id)
	}
	e := l.element(n)
	if s.name == "" && s.specType != specExpression || l.isTwin(n, e) {
		return fmt.Sprintf("%s#%d", e, s.id)
	}
	return e
}

// name is the name of a section; of one whose name is not known, its id.
func (l *layer) name(n int32) string {
	if l.nodes[n].parent == none {
		return l.segment(n)
	}
	return l.element(n)
}

// isTwin reports whether an earlier sibling has the element.
func (l *layer) isTwin(n int32, element string) bool {
	s := &l.nodes[n]
	if s.deleted {
		return false
	}
	earlier := func(k int32) bool {
		return k != n && l.nodes[k].pos < s.pos && l.element(k) == element
	}
	if element == ".expression" {
		for _, k := range l.nodes[s.parent].kids {
			if l.isKid(s.parent, k) && earlier(k.section) {
				return true
			}
		}
		return false
	}
	key := nameKey{s.parent, s.name}
	if twins := l.twins[key]; len(twins) > 0 {
		for _, k := range append(twins[:len(twins):len(twins)], l.byName[key]) {
			if earlier(k) {
				return true
			}
		}
	}
	return false
}

// path is the USD path of a section; of a deleted one, the path that it had.
func (l *layer) path(n int32) string {
	var parts []string
	for range maxLevels {
		s := &l.nodes[n]
		seg := l.segment(n)
		if s.parent == none {
			return joinPath(seg, parts)
		}
		switch s.specType {
		case specVariant:
			// A variant's path is that of the prim of its set, and both names.
			parts = append(parts, seg)
			if n = s.parent; l.nodes[n].specType == specVariantSet && l.nodes[n].parent != none {
				n = l.nodes[n].parent
			}
			continue
		case specAttribute, specRelationship, specMapperArg, specConnection, specTarget, specMapper, specExpression, specVariantSet:
			parts = append(parts, seg)
		default:
			if p := &l.nodes[s.parent]; p.specType == specVariant {
				parts = append(parts, seg)
			} else {
				parts = append(parts, "/"+seg)
			}
		}
		n = s.parent
	}
	return joinPath("…", parts)
}

func joinPath(root string, parts []string) string {
	var b strings.Builder
	if root != "/" || len(parts) == 0 || !strings.HasPrefix(parts[len(parts)-1], "/") {
		b.WriteString(root)
	}
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
	}
	return b.String()
}
