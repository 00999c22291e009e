package usda

import "strings"

// A Scalar is the kind of the components of a value.
type Scalar uint8

// The kinds of components.
const (
	NoScalar Scalar = iota
	Bool
	UChar
	Int
	UInt
	Int64
	UInt64
	Half
	Float
	Double
	Text // strings, tokens, path expressions
	AssetPath
)

// A Type is a value type that attributes and dictionaries can name.
type Type struct {
	Name       string // of the value type, whatever the role: float3 for color3f
	Scalar     Scalar
	Count      int // number of components
	Rows       int // of a matrix, or 0
	Quaternion bool
}

// types maps names to types.
var types = makeTypes()

func makeTypes() map[string]Type {
	all := map[string]Type{}
	for name, s := range map[string]Scalar{"bool": Bool, "uchar": UChar, "int": Int, "uint": UInt, "int64": Int64, "uint64": UInt64,
		"half": Half, "float": Float, "double": Double, "timecode": Double, "duration": Double, "string": Text, "token": Text, "pathExpression": Text,
		"asset": AssetPath} {
		all[name] = Type{Name: name, Scalar: s, Count: 1}
	}
	for letter, s := range map[string]Scalar{"d": Double, "f": Float, "h": Half, "i": Int} {
		for i, size := range []string{"2", "3", "4"} {
			name := map[Scalar]string{Double: "double", Float: "float", Half: "half", Int: "int"}[s] + size
			all[name] = Type{Name: name, Scalar: s, Count: i + 2}
			all["Vec"+size+letter] = all[name]
			if s == Double {
				name = "matrix" + size + "d"
				all[name] = Type{Name: name, Scalar: s, Count: (i + 2) * (i + 2), Rows: i + 2}
				all["M"+name[1:]] = all[name]
			}
		}
		if s != Int {
			all["quat"+letter] = Type{Name: "quat" + letter, Scalar: s, Count: 4, Quaternion: true}
			all["Quat"+letter] = all["quat"+letter]
			for role, size := range map[string]string{"color3": "3", "color4": "4", "point3": "3", "normal3": "3", "vector3": "3",
				"texCoord2": "2", "texCoord3": "3"} {
				all[role+letter] = all["Vec"+size+letter]
			}
		}
	}
	for _, role := range []string{"Color", "Point", "Normal", "Vector"} { // as old layers name them
		all[role], all[role+"Float"] = all["double3"], all["float3"]
	}
	for _, name := range []string{"frame4d", "Frame", "Transform"} {
		all[name] = all["matrix4d"]
	}
	for _, name := range []string{"PointIndex", "EdgeIndex", "FaceIndex"} {
		all[name] = all["int"]
	}
	return all
}

// TypeOf returns the type with the given name, which has no brackets.
func TypeOf(name string) (Type, bool) {
	t, ok := types[name]
	return t, ok
}

// elementOf cuts the brackets off the name of an array type.
func elementOf(name string) (element string, array bool) { return strings.CutSuffix(name, "[]") }

const (
	dictionaryType = "dictionary"
	stringType     = "string"
	tokenType      = "token"
	pathType       = "Path"
)

// structural are the fields that text has as other syntax than metadata, or as the order of its statements.
var structural = map[string]bool{
	"specifier": true, "typeName": true, "default": true, "custom": true, "variability": true, "timeSamples": true, "spline": true,
	"primChildren": true, "properties": true, "propertyChildren": true, "variantChildren": true, "variantSetChildren": true,
	"connectionChildren": true, "targetChildren": true, "primOrder": true, "propertyOrder": true, "subLayerOffsets": true,
	"connectionPaths": true, "targetPaths": true,
}

// isSpec reports whether a node of the type is a spec, known or not.
func isSpec(typ string) bool { return specTypes[typ] || strings.HasPrefix(typ, "spec type ") }

// specTypes are the types of nodes of specs, and of paths without spec.
var specTypes = map[string]bool{
	"pseudoRoot": true, "prim": true, "attribute": true, "relationship": true, "variant": true, "variantSet": true,
	"connection": true, "relationshipTarget": true, "mapper": true, "mapperArg": true, "expression": true, "path": true,
}
