package usda

import "strings"

// Scalar is what the components of a value are.
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

// A Type is a type of values as attributes and dictionaries name it.
type Type struct {
	Name       string // that of the value, whatever its role: float3 of a color3f
	Scalar     Scalar
	Count      int // components
	Rows       int // of a matrix
	Quaternion bool
}

// types are the types of values by name.
var types = makeTypes()

func makeTypes() map[string]Type {
	all := map[string]Type{}
	for name, s := range map[string]Scalar{"bool": Bool, "uchar": UChar, "int": Int, "uint": UInt, "int64": Int64, "uint64": UInt64,
		"half": Half, "float": Float, "double": Double, "timecode": Double, "string": Text, "token": Text, "pathExpression": Text,
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
	all["frame4d"], all["Frame"] = all["matrix4d"], all["matrix4d"]
	return all
}

// TypeOf finds the type of a name without brackets.
func TypeOf(name string) (Type, bool) {
	t, ok := types[name]
	return t, ok
}

// elementOf cuts the brackets off the name of a type.
func elementOf(name string) (element string, array bool) { return strings.CutSuffix(name, "[]") }

// metadata are the types of values that USD's own metadata has; of the names in text that differ, spelled knows. A
// reader refuses a whole layer for one value of another type. What is not here is any schema's.
var metadata = map[string]string{
	"documentation": "string", "comment": "string", "kind": "token", "active": "bool", "hidden": "bool", "instanceable": "bool",
	"noLoadHint": "bool", "customData": dictionaryType, "customLayerData": dictionaryType, "assetInfo": dictionaryType,
	"sdrMetadata": dictionaryType, "clips": dictionaryType, "symmetryArguments": dictionaryType,
	"limits": dictionaryType, "expressionVariables": dictionaryType, "prefixSubstitutions": dictionaryType,
	"suffixSubstitutions": dictionaryType,
	"displayName":         "string", "displayGroup": "string", "symmetricPeer": "string", "prefix": "string", "suffix": "string",
	"colorSpace": "token", "permission": "Permission", "apiSchemas": "TokenListOp", "clipSets": "StringListOp",
	"references": "ReferenceListOp", "payload": "PayloadListOp", "inheritPaths": "PathListOp", "specializes": "PathListOp",
	"variantSetNames": "StringListOp", "variantSelection": "VariantSelectionMap", "upAxis": "token", "defaultPrim": "token",
	"interpolation": "token", "metersPerUnit": "double", "kilogramsPerUnit": "double", "timeCodesPerSecond": "double",
	"framesPerSecond": "double", "startTimeCode": "double", "endTimeCode": "double", "elementSize": "int",
	"unauthoredValuesIndex": "int", "arraySizeConstraint": "int64", "bindMaterialAs": "token", "connectability": "token",
	"outputName": "token", "renderType": "token", "colorConfiguration": "asset", "colorManagementSystem": "token",
	"sessionOwner": "string", "owner": "string", "hasOwnedSubLayers": "bool", "framePrecision": "int",
	"allowedTokens": "token[]", "symmetryFunction": "token", "subLayers": "StringVector", "subLayerOffsets": "LayerOffsetVector",
	"layerRelocates": "Relocates", "displayUnit": "",
}

// The fields that USD's parser takes for some specs only.
var (
	ofPrims     = wordSet("kind", "prefixSubstitutions", "suffixSubstitutions", "references", "payload", "inheritPaths", "specializes", "variantSetNames", "variantSelection")
	ofLayers    = wordSet("timeCodesPerSecond", "framesPerSecond", "subLayers", "layerRelocates")
	notOfLayers = wordSet("customData", "symmetryArguments", "symmetryFunction", "permission")
)

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// hasPlace reports whether text takes a field for a type of specs.
func hasPlace(field, spec string) bool {
	switch spec {
	case "pseudoRoot":
		return !ofPrims[field] && !notOfLayers[field]
	case "attribute", "relationship":
		return !ofPrims[field] && !ofLayers[field]
	}
	return !ofLayers[field]
}

const (
	dictionaryType = "dictionary"
	stringType     = "string"
	tokenType      = "token"
)

// spelled are the fields whose names differ in text.
var spelled = map[string]string{
	"documentation": "doc", "inheritPaths": "inherits", "variantSetNames": "variantSets", "variantSelection": "variants",
	"layerRelocates": "relocates",
}

// structural are the fields that text has another place for than metadata, and those that the order of what is
// written says.
var structural = map[string]bool{
	"specifier": true, "typeName": true, "default": true, "custom": true, "variability": true, "timeSamples": true, "spline": true,
	"primChildren": true, "properties": true, "propertyChildren": true, "variantChildren": true, "variantSetChildren": true,
	"connectionChildren": true, "targetChildren": true, "primOrder": true, "propertyOrder": true, "subLayerOffsets": true,
	"connectionPaths": true, "targetPaths": true,
}

// keywords are the words of the syntax that a reader may take for more than a name.
var keywords = map[string]bool{
	"def": true, "over": true, "class": true, "rel": true, "custom": true, "uniform": true, "varying": true, "config": true,
	"add": true, "append": true, "prepend": true, "delete": true, "reorder": true, "None": true, "dictionary": true,
	"AnimationBlock": true, "variantSet": true, "variantSets": true, "variants": true, "inherits": true, "specializes": true,
	"references": true, "payload": true, "relocates": true, "subLayers": true, "doc": true, "kind": true, "permission": true,
	"symmetryFunction": true, "symmetryArguments": true, "customData": true, "displayUnit": true, "offset": true, "scale": true,
	"nameChildren": true, "rootPrims": true, "properties": true, "connect": true, "timeSamples": true, "spline": true,
	"default": true, "inf": true, "nan": true, "attributes": true, "mapper": true,
}

// isSpec reports whether a type is that of a node of a spec, known or not.
func isSpec(typ string) bool { return specTypes[typ] || strings.HasPrefix(typ, "spec type ") }

// specTypes are the types of the nodes that stand for specs, and of paths that no spec is of.
var specTypes = map[string]bool{
	"pseudoRoot": true, "prim": true, "attribute": true, "relationship": true, "variant": true, "variantSet": true,
	"connection": true, "relationshipTarget": true, "mapper": true, "mapperArg": true, "expression": true, "path": true,
}

// MetadataType is the type of values that USD's own metadata of a name has; "" for what no schema of ours knows.
func MetadataType(name string) string { return metadata[name] }
