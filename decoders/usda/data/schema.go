package data

import (
	_ "embed" // of the schemas
	"strings"
	"sync"
	"unicode"

	"cutaway/decoders/usda"
)

// schemaText has a line for each schema that usd-core ships: its name, and name=type of each attribute. schema.py makes it.
//
//go:embed schema.txt
var schemaText string

// schemas maps the names of schemas to the types of their attributes.
var schemas = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for line := range strings.Lines(schemaText) {
		words := strings.Fields(line)
		if words[0] == "#" {
			continue
		}
		types := map[string]string{}
		for _, w := range words[1:] {
			name, typ, _ := strings.Cut(w, "=")
			types[name] = typ
		}
		all[words[0]] = types
	}
	return all
})

// AttributeType returns the type of an attribute by the schemas of a prim, or "" if they have none of the name.
func AttributeType(primType string, apis []string, attribute string) string {
	all := schemas()
	if t := all[primType][attribute]; t != "" {
		return t
	}
	for _, api := range apis {
		if t := all[api][attribute]; t != "" {
			return t
		}
	}
	return ""
}

// A likeness says how far a type is that of a schema.
type likeness uint8

const (
	sameType likeness = iota
	otherRole
	otherType
)

// compareTypes compares the type of an attribute with that of its schema. Types that are not known are the same.
func compareTypes(typ, want string) likeness {
	if typ == want {
		return sameType
	}
	name, array := strings.CutSuffix(typ, "[]")
	wanted, wantArray := strings.CutSuffix(want, "[]")
	of, known := usda.TypeOf(name)
	as, knownToo := usda.TypeOf(wanted)
	switch {
	case !known || !knownToo:
		return sameType
	case of == as && array == wantArray && unicode.IsUpper(rune(name[0])):
		return sameType // an old name
	case of == as && array == wantArray:
		return otherRole
	}
	return otherType
}
