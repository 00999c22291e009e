package usdc

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"cutaway/decoders/usda"
)

// An elementForm is the role that an element of a path may have by its text (7.1).
type elementForm uint8

const (
	formNone         elementForm = iota // no element of any path
	formName                            // an identifier: a prim's name
	formNamespaced                      // identifiers joined by ':': a property's name
	formSet                             // {set=}
	formVariant                         // {set=variant}
	formTarget                          // [path]
	formDotted                          // .name
	formDottedSpaced                    // .name:name
	formMapper                          // .mapper[path]
	formExpression                      // .expression
	formNotUTF8                         // no element, and no text
)

// A pathForm is the kind of object that a path leads to, by the forms of its elements.
type pathForm uint8

const (
	pathNone pathForm = iota // no reader makes a path of these elements
	pathRoot
	pathPrim
	pathVariant
	pathVariantSet
	pathProperty
	pathTarget
	pathRelational
	pathMapper
	pathMapperArg
	pathExpression
	pathForms
)

// prims reports whether prims and properties may be under the path.
func (p pathForm) prims() bool { return p >= pathRoot && p <= pathVariantSet }

// extended is the form of the path that an element makes of one; property says that the item is marked as a property's.
func (p pathForm) extended(e elementForm, property bool) pathForm {
	return joined[p][e][index(property)]
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// joined is the form of a path by that of its parent, that of its last element, and whether it is marked as a property.
var joined = func() (all [pathForms][formNotUTF8 + 1][2]pathForm) {
	for p := range pathForms {
		for _, e := range []elementForm{formName, formNamespaced} {
			if p.prims() {
				all[p][e][1] = pathProperty
			}
		}
		next := &all[p]
		switch p {
		case pathRoot, pathPrim, pathVariant, pathVariantSet:
			next[formName][0] = pathPrim
			for _, e := range []elementForm{formDotted, formDottedSpaced, formExpression} {
				next[e][0] = pathProperty
			}
			if p != pathRoot {
				next[formSet][0], next[formVariant][0] = pathVariantSet, pathVariant
			}
		case pathProperty, pathRelational:
			next[formTarget][0], next[formMapper][0], next[formExpression][0] = pathTarget, pathMapper, pathExpression
		case pathTarget:
			for _, e := range []elementForm{formDotted, formDottedSpaced, formExpression} {
				next[e][0] = pathRelational
			}
		case pathMapper:
			next[formDotted][0], next[formExpression][0] = pathMapperArg, pathMapperArg
		}
	}
	return all
}()

// specForms are the forms of paths that specs of a type may have, as bits.
var specForms = [...]uint16{
	1:  1<<pathProperty | 1<<pathRelational, // attribute
	2:  1 << pathTarget,                     // connection
	3:  1 << pathExpression,                 // expression
	4:  1 << pathMapper,                     // mapper
	5:  1 << pathMapperArg,                  // mapperArg
	6:  1 << pathPrim,                       // prim
	7:  1 << pathRoot,                       // pseudoRoot
	8:  1<<pathProperty | 1<<pathRelational, // relationship
	9:  1 << pathTarget,                     // relationshipTarget
	10: 1 << pathVariant,                    // variant
	11: 1 << pathVariantSet,                 // variantSet
}

// suits reports whether specs of a type may have paths of the form. Of a type that does not exist nothing is known.
func (p pathForm) suits(specType uint32) bool {
	return specType == 0 || specType >= uint32(len(specForms)) || specForms[specType]>>p&1 != 0
}

// formOf is the form of an element's text.
func formOf(b []byte) elementForm {
	if len(b) == 0 {
		return formNone
	}
	switch n := identifiers(b); {
	case n == 1:
		return formName
	case n > 1:
		return formNamespaced
	case !utf8.Valid(b):
		return formNotUTF8
	}
	switch b[0] {
	case '{':
		return selectionForm(b)
	case '[':
		if isTarget(string(b)) {
			return formTarget
		}
	case '.':
		switch n := identifiers(b[1:]); {
		case string(b) == ".expression":
			return formExpression
		case n == 1:
			return formDotted
		case n > 1:
			return formDottedSpaced
		case bytes.HasPrefix(b, []byte(".mapper[")) && isTarget(string(b[len(".mapper"):])):
			return formMapper
		}
	}
	return formNone
}

// selectionForm is the form of {set=variant}. Readers let nearly anything pass for the two names.
func selectionForm(b []byte) elementForm {
	set, variant, ok := bytes.Cut(bytes.TrimSuffix(b[1:], []byte("}")), []byte("="))
	switch {
	case !ok || len(set) == 0 || b[len(b)-1] != '}' || bytes.ContainsAny(b[1:len(b)-1], "{}") || bytes.IndexByte(variant, '=') >= 0:
		return formNone
	case len(variant) == 0:
		return formSet
	}
	return formVariant
}

// identifiers returns the number of identifiers, joined by ':', that a text consists of, or 0 if it has anything else.
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
	form, rest := pathRoot, strings.TrimPrefix(s, "/")
	if len(rest) == len(s) {
		rest = withoutUps(s)
	}
	for slash := true; rest != ""; {
		element, after := firstElement(rest)
		if !slash && formOf([]byte(element)) == formName && form != pathVariant {
			return false // prims are joined by '/', and by nothing to a variant
		}
		if form = form.extended(formOf([]byte(element)), false); form == pathNone {
			return false
		}
		slash = strings.HasPrefix(after, "/")
		if rest = strings.TrimPrefix(after, "/"); slash && (rest == "" || form != pathPrim || formOf([]byte(firstOf(rest))) != formName) {
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
	first, _ := firstElement(s)
	return first
}

// firstElement cuts the first element off a path that does not begin with '/'.
func firstElement(s string) (element, rest string) {
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
