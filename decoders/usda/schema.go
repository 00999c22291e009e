package usda

import (
	"strings"

	"cutaway/model"
)

// A schemaField holds the type of a metadata field, or "" if its values have a syntax of their own, and the specs that
// may have it: l for layers, p for prims and variants, a for attributes, r for relationships.
type schemaField struct{ typ, specs string }

// metadata holds the fields that USD's own schema and domains define. Readers reject a whole layer for one value of
// another type. Fields of other schemas are not here.
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

// spelled maps fields to their names in text, if they differ.
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

// refused holds the words that text rejects as metadata of a kind of specs, because other syntax sets those fields.
var refused = map[byte]map[string]bool{
	'l': wordSet("comment", "layerRelocates", "primChildren", "primOrder", "subLayerOffsets"),
	'p': wordSet("comment", "inheritPaths", "variantSelection", "variantSetNames", "variantSetChildren", "primChildren", "primOrder",
		"propertyOrder", "specifier", "timeCodesPerSecond", "framesPerSecond"),
	'a': wordSet("comment", "typeName", "variability", "connectionPaths", "connectionChildren", "timeCodesPerSecond", "framesPerSecond"),
	'r': wordSet("comment", "variability", "targetPaths", "targetChildren", "timeCodesPerSecond", "framesPerSecond"),
}

// specLetter returns the letter of a type of specs in the tables above.
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

// Metadata returns the field that a word of text sets in a spec, and the type of its values. typ is "" if USD does not
// define it or gives it a syntax of its own. ok is false if text does not accept the word.
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

// IsStrict reports whether a metadata field accepts only its own type. All others accept a path or dictionary too.
func IsStrict(field string) bool { return field == "documentation" || field == "kind" }

// IsRate returns false if field accepts only positive numbers and v is another number.
func IsRate(field string, v model.Value) bool {
	rate, isNumber := model.FloatOf(v)
	return field != "framesPerSecond" || !isNumber || rate > 0
}

// IsUnit reports whether text accepts word for displayUnit.
func IsUnit(word string) bool { return units[word] }

var units = wordSet("mm", "cm", "dm", "m", "km", "in", "ft", "yd", "mi", "deg", "rad")

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// IsKeyword reports whether word is a keyword of the syntax, and no type name.
func IsKeyword(word string) bool { return keywords[word] }

// keywords are the words that name no type and set no metadata but their own.
var keywords = wordSet("add", "append", "class", "config", "connect", "custom", "customData", "default", "def", "delete",
	"dictionary", "displayUnit", "doc", "inherits", "kind", "nameChildren", "None", "offset", "over", "payload", "permission",
	"prepend", "prefixSubstitutions", "suffixSubstitutions", "properties", "references", "relocates", "rel", "reorder", "rootPrims",
	"scale", "specializes", "subLayers", "symmetryArguments", "symmetryFunction", "timeSamples", "uniform", "variantSet",
	"variantSets", "variants", "varying", "AnimationBlock", "spline", "bezier", "hermite", "curve", "pre", "post", "loop", "held",
	"linear", "sloped", "none", "oscillate", "repeat", "reset")
