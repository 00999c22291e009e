package data

import (
	"strings"
	"sync"
)

// An Interest says which rules a property may break by its name.
type Interest uint8

// The interests, each in addition to the one before.
const (
	Dull    Interest = iota // none
	Typed                   // a schema has an attribute of the name
	Finite                  // its numbers must be finite
	Counted                 // its values are counted, or compared with others
)

// InterestIn returns the interest in a property by its name.
func InterestIn(property string) Interest {
	switch property {
	case "points", "faceVertexCounts", "faceVertexIndices", "curveVertexCounts":
		return Counted
	}
	switch {
	case strings.HasPrefix(property, "primvars:"):
		return Counted
	case strings.HasPrefix(property, "xformOp:"):
		return Finite
	case attributeTypes()[property] != nil:
		return Typed
	}
	return Dull
}

// attributeTypes maps attributes to their types by all schemas.
var attributeTypes = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, types := range schemas() {
		for name, typ := range types {
			all[name] = append(all[name], typ)
		}
	}
	return all
})

// MayDiffer reports whether a schema has an attribute of the name with another type.
func MayDiffer(attribute, typ string) bool {
	for _, want := range attributeTypes()[attribute] {
		if compareTypes(typ, want) != sameType {
			return true
		}
	}
	return false
}

// IsJudged reports whether rules apply to a field of a spec, because the field names layers or objects or the standard advises on its values.
func IsJudged(field string) bool {
	switch field {
	case "subLayers", "references", "payload", "connectionPaths", "targetPaths":
		return true
	}
	return IsAdvised(field)
}
