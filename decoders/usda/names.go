package usda

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// notStart holds the letters that cannot begin a name, notPart those that cannot be in one (Unicode Standard Annex 31:
// the difference between ID and XID).
var (
	notPart = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x037A, Hi: 0x037A, Stride: 1}, {Lo: 0x309B, Hi: 0x309C, Stride: 1}, {Lo: 0xFC5E, Hi: 0xFC63, Stride: 1},
		{Lo: 0xFDFA, Hi: 0xFDFB, Stride: 1}, {Lo: 0xFE70, Hi: 0xFE7E, Stride: 2},
	}}
	notStart = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x0E33, Hi: 0x0E33, Stride: 1}, {Lo: 0x0EB3, Hi: 0x0EB3, Stride: 1}, {Lo: 0xFF9E, Hi: 0xFF9F, Stride: 1},
	}}
	// Added in Unicode 15.1; Go's tables are those of 15.0.
	newer     = &unicode.RangeTable{R32: []unicode.Range32{{Lo: 0x2EBF0, Hi: 0x2EE5D, Stride: 1}}}
	newerPart = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x200C, Hi: 0x200D, Stride: 1}, {Lo: 0x30FB, Hi: 0x30FB, Stride: 1}, {Lo: 0xFF65, Hi: 0xFF65, Stride: 1},
	}}
)

// StartsName reports whether a USD identifier may begin with c: _, or XID_Start of Unicode 15.1.
func StartsName(c rune) bool {
	switch {
	case c < utf8.RuneSelf:
		return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	case unicode.In(c, notStart, notPart, unicode.Pattern_Syntax):
		return false
	}
	return unicode.In(c, unicode.L, unicode.Nl, unicode.Other_ID_Start, newer)
}

// InName reports whether a USD identifier may contain c: XID_Continue of Unicode 15.1.
func InName(c rune) bool {
	switch {
	case c < utf8.RuneSelf:
		return StartsName(c) || '0' <= c && c <= '9'
	case unicode.In(c, notPart, unicode.Pattern_Syntax):
		return false
	}
	return unicode.In(c, unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc,
		unicode.Other_ID_Continue, newer, newerPart)
}

// IsIdentifier reports whether USD accepts s as the name of a prim or variant set, or as a word of text.
func IsIdentifier(s string) bool { return s != "" && nameEnd(s) == len(s) }

// nameEnd returns the length of the identifier that s begins with, or 0 if there is none.
func nameEnd(s string) int {
	for i, c := range s {
		bad := c == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError))
		if bad || i == 0 && !StartsName(c) || i > 0 && !InName(c) {
			return i
		}
	}
	return len(s)
}

// IsPropertyName reports whether USD accepts s as the name of a property: identifiers separated by colons.
func IsPropertyName(s string) bool { return s != "" && namesEnd(s, ":") == len(s) }

// IsTypeName reports whether USD accepts s as the type of an attribute, without brackets: identifiers separated by
// double colons, none of them a keyword.
func IsTypeName(s string) bool {
	for part := range strings.SplitSeq(s, "::") {
		if !IsIdentifier(part) || keywords[part] {
			return false
		}
	}
	return true
}

// IsPrimType reports whether USD accepts s as the type of a prim: type names separated by dots.
func IsPrimType(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !IsTypeName(part) {
			return false
		}
	}
	return true
}

// namesEnd returns the length of the separated identifiers that s begins with.
func namesEnd(s, separator string) int {
	end := nameEnd(s)
	for end > 0 {
		rest, more := strings.CutPrefix(s[end:], separator)
		n := nameEnd(rest)
		if !more || n == 0 {
			break
		}
		end += len(separator) + n
	}
	return end
}

// IsVariantSet reports whether USD accepts s as the name of a variant set in metadata, where it may be empty.
func IsVariantSet(s string) bool { return variantEnd(s) == len(s) }

// IsVariantName reports whether USD accepts s as the name of a variant.
func IsVariantName(s string) bool { return s != "" && s != "." && variantEnd(s) == len(s) }

// IsSelection reports whether USD accepts s as a variant selection: a name, "" for none, or an expression.
func IsSelection(s string) bool {
	return variantEnd(s) == len(s) || len(s) > 2 && s[0] == '`' && s[len(s)-1] == '`'
}

// variantEnd returns the length of the variant name that s begins with, which may be 0.
func variantEnd(s string) int {
	for i, c := range s {
		if c != '|' && c != '-' && (i > 0 || c != '.') && !InName(c) || c == utf8.RuneError {
			return i
		}
	}
	return len(s)
}

// A Path is a parsed USD path.
type Path struct {
	Absolute  bool
	Prims     int    // number of prim names
	Variants  int    // number of variant selections
	Property  string // name of the property
	Target    string // of the property, in brackets
	Attribute string // of the relationship that is Property, or "mapper" or "expression"
}

// IsPrim reports whether p is the path of a prim.
func (p *Path) IsPrim() bool { return p.Prims > 0 && p.Variants == 0 && p.Property == "" }

// IsArc reports whether references and payloads can target p: an absolute path of a prim.
func (p *Path) IsArc() bool { return p.Absolute && p.IsPrim() }

// IsTarget reports whether a relationship or connection can target p: a path of a prim or property outside of variants.
func (p *Path) IsTarget() bool {
	return (p.Prims > 0 || p.Property != "") && p.Variants == 0 && (p.Target == "" || p.Attribute != "")
}

// ParsePath parses a path, which may begin with parent elements (..) if relative. ok is false if USD rejects s or s is
// empty.
func ParsePath(s string) (p Path, ok bool) {
	rest, absolute := strings.CutPrefix(s, "/")
	for p.Absolute = absolute; !absolute && strings.HasPrefix(rest, "../"); {
		rest = rest[len("../"):]
	}
	for rest != "" && rest[0] != '.' {
		n := nameEnd(rest)
		if n == 0 {
			return p, false
		}
		p.Prims++
		if rest, ok = p.selections(rest[n:]); !ok {
			return p, false
		}
	}
	if rest == "" {
		return p, absolute || p.Prims > 0
	}
	rest = rest[1:]
	n := namesEnd(rest, ":")
	p.Property, rest = rest[:n], rest[n:]
	if n == 0 || absolute && p.Prims == 0 { // the root has no properties
		return p, false
	}
	return p, p.suffix(rest)
}

// AbsolutePath resolves a path against a prim, which may be in a variant. Absolute and empty paths are returned
// unchanged; the result is not absolute if the path goes above the root.
func AbsolutePath(prim, path string) string {
	if path == "" || path[0] == '/' {
		return path
	}
	for above := path == ".." || strings.HasPrefix(path, "../"); above; above = path == ".." || strings.HasPrefix(path, "../") {
		if prim == "" || prim == "/" || path == "../" {
			return path
		}
		prim = parentPath(prim)
		path = strings.TrimPrefix(path[2:], "/")
	}
	switch {
	case path == "" && prim == "":
		return "/"
	case path == "" || path[0] == '.' || strings.HasSuffix(prim, "}") || strings.HasSuffix(prim, "/"):
		return prim + path
	}
	return prim + "/" + path
}

// parentPath returns the path of the parent of a prim or variant, or "" for a root prim.
func parentPath(prim string) string {
	if strings.HasSuffix(prim, "}") {
		return prim[:strings.LastIndexByte(prim, '{')]
	}
	end := strings.LastIndexAny(prim, "/}")
	if prim[end] == '}' {
		end++
	}
	return prim[:end]
}

// WithoutVariants returns a path without its variant selections.
func WithoutVariants(path string) string {
	for {
		before, rest, found := strings.Cut(path, "{")
		_, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return path
		}
		if path = before + after; after != "" && after[0] != '/' && after[0] != '.' && after[0] != '{' && after[0] != '[' {
			path = before + "/" + after
		}
	}
}

// selections consumes the variant selections after a prim name, and the separator.
func (p *Path) selections(s string) (rest string, ok bool) {
	selected := false
	for strings.HasPrefix(s, "{") {
		inner, after, closed := strings.Cut(s[1:], "}")
		set, variant, chosen := strings.Cut(inner, "=")
		if !closed || !chosen || !IsVariantName(set) || variantEnd(variant) != len(variant) {
			return s, false
		}
		p.Variants++
		s, selected = after, true
	}
	if after, more := strings.CutPrefix(s, "/"); more {
		return after, !selected && after != "" && after[0] != '.'
	}
	return s, s == "" || s[0] == '.' || selected
}

// suffix parses the rest of a path after a property: a target and its attribute.
func (p *Path) suffix(s string) bool {
	if strings.HasPrefix(s, "[") {
		end := strings.LastIndexByte(s, ']')
		if end < 0 {
			return false
		}
		p.Target = s[1:end]
		if _, ok := ParsePath(p.Target); !ok {
			return false
		}
		s = s[end+1:]
	}
	if s == "" {
		return true
	}
	name, more := strings.CutPrefix(s, ".")
	p.Attribute = name
	return more && (p.Target != "" && IsPropertyName(name) || p.Target == "" && name == "expression")
}
