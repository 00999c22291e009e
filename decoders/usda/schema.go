package usda

import (
	"strings"

	"cutaway/model"
)

// schemaField is what USD knows of a field of metadata: the type of its values, "" where text has words of their own for
// them, and the specs that it is metadata of: l of layers, p of prims and variants, a of attributes, r of relationships. For
// other specs it is a field that no schema knows.
type schemaField struct{ typ, specs string }

// metadata are the fields that USD's own schema has, and those of its schemas' domains. A reader refuses a whole layer for one
// value of another type. What is not here is any other schema's.
var metadata = map[string]schemaField{
	"active": {"bool", "p"}, "allowedTokens": {"token[]", "a"}, "apiSchemas": {"TokenListOp", "p"},
	"arraySizeConstraint": {"int64", "a"}, "assetInfo": {dictionaryType, "par"}, "bindMaterialAs": {"token", "r"},
	"clipSets": {"StringListOp", "p"}, "clips": {dictionaryType, "p"}, "colorConfiguration": {"asset", "l"},
	"colorManagementSystem": {"token", "l"}, "colorSpace": {"token", "a"}, "comment": {stringType, "lpar"},
	"connectability": {"token", "a"}, "constraintTargetIdentifier": {"token", "a"}, "customData": {dictionaryType, "par"},
	"customLayerData": {dictionaryType, "l"}, "defaultPrim": {"token", "l"}, "displayGroup": {stringType, "ar"},
	"displayGroupOrder": {"string[]", "p"}, "displayName": {stringType, "par"}, "displayUnit": {"", "a"}, "documentation": {stringType, "lpar"},
	"elementSize": {"int", "a"}, "endFrame": {"double", "l"}, "endTimeCode": {"double", "l"},
	"expressionVariables": {dictionaryType, "l"}, "fallbackPrimTypes": {dictionaryType, "l"}, "framePrecision": {"int", "l"},
	"framesPerSecond": {"double", "l"}, "hasOwnedSubLayers": {"bool", "l"}, "hidden": {"bool", "par"},
	"inactiveIds": {"Int64ListOp", "p"}, "inheritPaths": {"PathListOp", "p"}, "instanceable": {"bool", "p"}, "interpolation": {"token", "a"},
	"kilogramsPerUnit": {"double", "l"}, "kind": {"token", "p"}, "layerRelocates": {"Relocates", "l"},
	"limits": {dictionaryType, "a"}, "metersPerUnit": {"double", "l"}, "noLoadHint": {"bool", "r"},
	"outputName": {"token", "r"}, "owner": {stringType, "l"}, "payload": {"PayloadListOp", "p"}, "payloadAssetDependencies": {"asset[]", "p"},
	"permission": {"Permission", "par"}, "prefix": {stringType, "par"}, "prefixSubstitutions": {dictionaryType, "p"},
	"references": {"ReferenceListOp", "p"}, "renderSettingsPrimPath": {stringType, "l"}, "renderType": {"token", "ar"}, "sdrMetadata": {dictionaryType, "pa"},
	"sessionOwner": {stringType, "l"}, "specializes": {"PathListOp", "p"}, "startFrame": {"double", "l"},
	"startTimeCode": {"double", "l"}, "subLayers": {"StringVector", "l"}, "subLayerOffsets": {"LayerOffsetVector", "l"},
	"suffix": {stringType, "par"}, "suffixSubstitutions": {dictionaryType, "p"}, "symmetricPeer": {stringType, "par"},
	"symmetryArguments": {dictionaryType, "par"}, "symmetryFunction": {"token", "par"}, "timeCodesPerSecond": {"double", "l"},
	"typeName": {"token", "p"}, "uiHints": {dictionaryType, "par"}, "unauthoredValuesIndex": {"int", "a"}, "upAxis": {"token", "l"},
	"variantSelection": {"VariantSelectionMap", "p"}, "variantSetNames": {"StringListOp", "p"}, "weight": {"float", "a"},
}

// spelled are the fields whose names differ in text.
var spelled = map[string]string{
	"documentation": "doc", "inheritPaths": "inherits", "variantSetNames": "variantSets", "variantSelection": "variants",
	"layerRelocates": "relocates",
}

var unspelled = func() map[string]string {
	fields := map[string]string{}
	for field, word := range spelled {
		fields[word] = field
	}
	return fields
}()

// refused are the words that text takes for no field of a kind of specs: fields that other syntax sets.
var refused = map[byte]map[string]bool{
	'l': wordSet("comment", "layerRelocates", "primChildren", "primOrder", "subLayerOffsets"),
	'p': wordSet("comment", "inheritPaths", "variantSelection", "variantSetNames", "variantSetChildren", "primChildren", "primOrder",
		"propertyOrder", "specifier", "timeCodesPerSecond", "framesPerSecond"),
	'a': wordSet("comment", "typeName", "variability", "connectionPaths", "connectionChildren", "timeCodesPerSecond", "framesPerSecond"),
	'r': wordSet("comment", "variability", "targetPaths", "targetChildren", "timeCodesPerSecond", "framesPerSecond"),
}

// specLetter is the letter of a type of specs in the tables above.
func specLetter(spec string) byte {
	switch spec {
	case "pseudoRoot":
		return 'l'
	case "attribute":
		return 'a'
	case "relationship":
		return 'r'
	}
	return 'p'
}

// Metadata is the field that a word of text sets for a type of specs, and the type of its values; "": USD knows none, or has
// words of its own for them. False: text takes no such word there.
func Metadata(word, spec string) (field, typ string, ok bool) {
	letter := specLetter(spec)
	if field = unspelled[word]; field == "" {
		field = word
	}
	known, is := metadata[field]
	is = is && strings.IndexByte(known.specs, letter) >= 0
	if refused[letter][word] || !is && keywords[word] {
		return field, "", false
	}
	if !is {
		return word, "", true
	}
	return field, known.typ, true
}

// IsStrict reports whether a field of metadata has only what its type says. A path or dictionary may be the value of all others.
func IsStrict(field string) bool { return field == "documentation" || field == "kind" }

// IsRate reports whether readers of text take a value for a field, if that is the one of which they take positive numbers only.
func IsRate(field string, v model.Value) bool {
	rate, isNumber := model.FloatOf(v)
	return field != "framesPerSecond" || !isNumber || rate > 0
}

// IsUnit reports whether a word is a unit that text takes for displayUnit.
func IsUnit(word string) bool { return units[word] }

var units = wordSet("mm", "cm", "dm", "m", "km", "in", "ft", "yd", "mi", "deg", "rad")

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// IsKeyword reports whether a word is one of the syntax, and none of a type.
func IsKeyword(word string) bool { return keywords[word] }

// keywords are the words of the syntax, which are no names of types and set no metadata but their own.
var keywords = wordSet("add", "append", "class", "config", "connect", "custom", "customData", "default", "def", "delete",
	"dictionary", "displayUnit", "doc", "inherits", "kind", "nameChildren", "None", "offset", "over", "payload", "permission",
	"prepend", "prefixSubstitutions", "suffixSubstitutions", "properties", "references", "relocates", "rel", "reorder", "rootPrims",
	"scale", "specializes", "subLayers", "symmetryArguments", "symmetryFunction", "timeSamples", "uniform", "variantSet",
	"variantSets", "variants", "varying", "AnimationBlock", "spline", "bezier", "hermite", "curve", "pre", "post", "loop", "held",
	"linear", "sloped", "none", "oscillate", "repeat", "reset")
