package table

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"cutaway/decoders/usda"
)

// An ElementForm is the role that an element of a path may have by its text (7.1).
type ElementForm uint8

// The forms of elements.
const (
	FormNone         ElementForm = iota // no element of any path
	FormName                            // an identifier: a prim's name
	FormNamespaced                      // identifiers joined by ':': a property's name
	FormSet                             // {set=}
	FormVariant                         // {set=variant}
	FormTarget                          // [path]
	FormDotted                          // .name
	FormDottedSpaced                    // .name:name
	FormMapper                          // .mapper[path]
	FormExpression                      // .expression
	FormNotUTF8                         // no element, and no text
)

// A PathForm is the kind of object that a path leads to, by the forms of its elements.
type PathForm uint8

// The forms of paths.
const (
	PathNone PathForm = iota // no reader makes a path of these elements
	PathRoot
	PathPrim
	PathVariant
	PathVariantSet
	PathProperty
	PathTarget
	PathRelational
	PathMapper
	PathMapperArg
	PathExpression
	pathForms
)

// prims reports whether prims and properties may be under the path.
func (p PathForm) prims() bool { return p >= PathRoot && p <= PathVariantSet }

// Extended returns the form of a path with one more element. property reports whether the item is marked as a property's.
func (p PathForm) Extended(e ElementForm, property bool) PathForm {
	return joined[p][e][index(property)]
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// joined is the form of a path by that of its parent, that of its last element, and whether it is marked as a property.
var joined = func() (all [pathForms][FormNotUTF8 + 1][2]PathForm) {
	for p := range pathForms {
		for _, e := range []ElementForm{FormName, FormNamespaced} {
			if p.prims() {
				all[p][e][1] = PathProperty
			}
		}
		next := &all[p]
		switch p {
		case PathRoot, PathPrim, PathVariant, PathVariantSet:
			next[FormName][0] = PathPrim
			for _, e := range []ElementForm{FormDotted, FormDottedSpaced, FormExpression} {
				next[e][0] = PathProperty
			}
			if p != PathRoot {
				next[FormSet][0], next[FormVariant][0] = PathVariantSet, PathVariant
			}
		case PathProperty, PathRelational:
			next[FormTarget][0], next[FormMapper][0], next[FormExpression][0] = PathTarget, PathMapper, PathExpression
		case PathTarget:
			for _, e := range []ElementForm{FormDotted, FormDottedSpaced, FormExpression} {
				next[e][0] = PathRelational
			}
		case PathMapper:
			next[FormDotted][0], next[FormExpression][0] = PathMapperArg, PathMapperArg
		}
	}
	return all
}()

// specForms are the forms of paths that specs of a type may have, as bits.
var specForms = [...]uint16{
	1:  1<<PathProperty | 1<<PathRelational, // attribute
	2:  1 << PathTarget,                     // connection
	3:  1 << PathExpression,                 // expression
	4:  1 << PathMapper,                     // mapper
	5:  1 << PathMapperArg,                  // mapperArg
	6:  1 << PathPrim,                       // prim
	7:  1 << PathRoot,                       // pseudoRoot
	8:  1<<PathProperty | 1<<PathRelational, // relationship
	9:  1 << PathTarget,                     // relationshipTarget
	10: 1 << PathVariant,                    // variant
	11: 1 << PathVariantSet,                 // variantSet
}

// Suits reports whether specs of a type may have paths of the form. Of a type that does not exist nothing is known.
func (p PathForm) Suits(specType uint32) bool {
	return specType == 0 || specType >= uint32(len(specForms)) || specForms[specType]>>p&1 != 0
}

// FormOf returns the form of an element's text.
func FormOf(b []byte) ElementForm {
	if len(b) == 0 {
		return FormNone
	}
	switch n := identifiers(b); {
	case n == 1:
		return FormName
	case n > 1:
		return FormNamespaced
	case !utf8.Valid(b):
		return FormNotUTF8
	}
	switch b[0] {
	case '{':
		return selectionForm(b)
	case '[':
		if isTarget(string(b)) {
			return FormTarget
		}
	case '.':
		switch n := identifiers(b[1:]); {
		case string(b) == ".expression":
			return FormExpression
		case n == 1:
			return FormDotted
		case n > 1:
			return FormDottedSpaced
		case bytes.HasPrefix(b, []byte(".mapper[")) && isTarget(string(b[len(".mapper"):])):
			return FormMapper
		}
	}
	return FormNone
}

// selectionForm returns the form of {set=variant}. Readers let nearly anything pass for the two names.
func selectionForm(b []byte) ElementForm {
	set, variant, ok := bytes.Cut(bytes.TrimSuffix(b[1:], []byte("}")), []byte("="))
	switch {
	case !ok || len(set) == 0 || b[len(b)-1] != '}' || bytes.ContainsAny(b[1:len(b)-1], "{}") || bytes.IndexByte(variant, '=') >= 0:
		return FormNone
	case len(variant) == 0:
		return FormSet
	}
	return FormVariant
}

// identifiers returns the number of identifiers in a text of identifiers joined by ':', or 0 of any other text.
func identifiers(b []byte) int {
	n, first := 1, true
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(b[i:])
			if first && !usda.StartsName(r) || !usda.InName(r) { // RuneError is no letter either
				return 0
			}
			i += size
			first = false
			continue
		case c == ':' && !first:
			n++
			first = true
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= '0' && c <= '9' && !first:
			first = false
		default:
			return 0
		}
		i++
	}
	if first {
		return 0
	}
	return n
}

// isTarget reports whether a text is a path in brackets.
func isTarget(s string) bool {
	rest, ok := afterTarget(s)
	return ok && rest == ""
}

// afterTarget returns the text after a path in brackets.
func afterTarget(s string) (rest string, ok bool) {
	if len(s) < 2 || s[0] != '[' {
		return s, false
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return s[i+1:], isPath(s[1:i])
			}
		}
	}
	return s, false
}

// isPath reports whether a text is a path, absolute or not.
func isPath(s string) bool {
	switch s {
	case "":
		return false
	case "/", ".":
		return true
	}
	form, rest := PathRoot, strings.TrimPrefix(s, "/")
	if len(rest) == len(s) {
		rest = withoutUps(s)
	}
	for slash := true; rest != ""; {
		element, after := FirstElement(rest)
		if !slash && FormOf([]byte(element)) == FormName && form != PathVariant {
			return false // prims are joined by '/', and by nothing to a variant
		}
		if form = form.Extended(FormOf([]byte(element)), false); form == PathNone {
			return false
		}
		slash = strings.HasPrefix(after, "/")
		if rest = strings.TrimPrefix(after, "/"); slash && (rest == "" || form != PathPrim || FormOf([]byte(firstOf(rest))) != FormName) {
			return false
		}
	}
	return true
}

// withoutUps returns a path without the ".." at its beginning.
func withoutUps(s string) string {
	for s == ".." || strings.HasPrefix(s, "../") {
		s = strings.TrimPrefix(s[2:], "/")
	}
	return s
}

func firstOf(s string) string {
	first, _ := FirstElement(s)
	return first
}

// FirstElement cuts the first element off a path that does not begin with '/'.
func FirstElement(s string) (element, rest string) {
	end := len(s)
	switch {
	case strings.HasPrefix(s, "{"):
		if i := strings.IndexByte(s, '}'); i >= 0 {
			end = i + 1
		}
	case strings.HasPrefix(s, "["), strings.HasPrefix(s, ".mapper["):
		if after, ok := afterTarget(strings.TrimPrefix(s, ".mapper")); ok {
			end = len(s) - len(after)
		}
	default:
		if i := strings.IndexAny(s[1:], "/.[{"); i >= 0 {
			end = i + 1
		}
	}
	return s[:end], s[end:]
}
