package usda

import (
	"strings"

	"cutaway/model"
)

// A schemaField holds the type of a metadata field, or "" if its values have a syntax of their own, and the specs that
// may have it: l for layers, p for prims and variants, a for attributes, r for relationships. clauses are those of the
// standard that define it.
type schemaField struct{ typ, specs, clauses string }

// metadata holds the fields that USD's own schema and domains define. Readers reject a whole layer for one value of
// another type. Fields of other schemas are not here.
var metadata = map[string]schemaField{
	"active": {"bool", "p", "7.6.2.4.2"}, "allowedTokens": {"token[]", "a", "7.6.4.2.5"}, "apiSchemas": {"TokenListOp", "p", ""},
	"arraySizeConstraint": {"int64", "a", ""}, "assetInfo": {dictionaryType, "par", "7.6.2.6.2 7.6.3.3.2"},
	"bindMaterialAs": {"token", "r", ""}, "clipSets": {"StringListOp", "p", ""}, "clips": {dictionaryType, "p", ""},
	"colorConfiguration": {"asset", "l", "7.6.1.7"}, "colorManagementSystem": {"token", "l", "7.6.1.7"},
	"colorSpace": {"token", "a", ""}, "comment": {stringType, "lpar", "7.6.1.6.1 7.6.2.6.3 7.6.3.3.3"},
	"connectability": {"token", "a", ""}, "constraintTargetIdentifier": {"token", "a", ""},
	"customData": {dictionaryType, "par", "7.6.2.6.1 7.6.3.3.1"}, "customLayerData": {dictionaryType, "l", "7.6.1.6.2"},
	"defaultPrim": {"token", "l", "7.6.1.2.3"}, "displayGroup": {stringType, "ar", "7.6.3.2.2"},
	"displayGroupOrder": {"string[]", "p", "7.6.2.5.2"}, "displayName": {stringType, "par", "7.6.2.5.1 7.6.3.2.1"},
	"displayUnit": {"", "a", ""}, "documentation": {stringType, "lpar", "7.6.1.5.1 7.6.2.5.4 7.6.3.2.4"},
	"elementSize": {"int", "a", ""}, "endFrame": {"double", "l", "7.6.1.8"}, "endTimeCode": {"double", "l", "7.6.1.4.4"},
	"expressionVariables": {dictionaryType, "l", "7.6.1.7"}, "fallbackPrimTypes": {dictionaryType, "l", ""},
	"framePrecision": {"int", "l", "7.6.1.8"}, "framesPerSecond": {"double", "l", "7.6.1.4.2"},
	"hasOwnedSubLayers": {"bool", "l", "7.6.1.8"}, "hidden": {"bool", "par", "7.6.2.5.3 7.6.3.2.3"},
	"inactiveIds": {"Int64ListOp", "p", ""}, "inheritPaths": {"PathListOp", "p", "7.6.2.3.3"},
	"instanceable": {"bool", "p", "7.6.2.4.3"}, "interpolation": {"token", "a", ""}, "kilogramsPerUnit": {"double", "l", ""},
	"kind": {"token", "p", "7.6.2.4.4"}, "layerRelocates": {"Relocates", "l", "7.6.1.2.4"}, "limits": {dictionaryType, "a", ""},
	"metersPerUnit": {"double", "l", ""}, "noLoadHint": {"bool", "r", "7.6.5.2"}, "outputName": {"token", "r", ""},
	"owner": {stringType, "l", "7.6.1.8"}, "payload": {"PayloadListOp", "p", "7.6.2.3.2"},
	"payloadAssetDependencies": {"asset[]", "p", ""}, "permission": {"Permission", "par", "7.6.2.7 7.6.3.4"},
	"prefix": {stringType, "par", "7.6.2.7 7.6.3.4"}, "prefixSubstitutions": {dictionaryType, "p", "7.6.2.7"},
	"references": {"ReferenceListOp", "p", "7.6.2.3.1"}, "renderSettingsPrimPath": {stringType, "l", ""},
	"renderType": {"token", "ar", ""}, "sdrMetadata": {dictionaryType, "pa", ""}, "sessionOwner": {stringType, "l", "7.6.1.8"},
	"specializes": {"PathListOp", "p", "7.6.2.3.4"}, "startFrame": {"double", "l", "7.6.1.8"},
	"startTimeCode": {"double", "l", "7.6.1.4.3"}, "subLayers": {"StringVector", "l", "7.6.1.2.1"},
	"subLayerOffsets": {"LayerOffsetVector", "l", "7.6.1.2.2"}, "suffix": {stringType, "par", "7.6.2.7 7.6.3.4"},
	"suffixSubstitutions": {dictionaryType, "p", "7.6.2.7"}, "symmetricPeer": {stringType, "par", "7.6.2.7 7.6.3.4"},
	"symmetryArguments": {dictionaryType, "par", "7.6.2.7 7.6.3.4"}, "symmetryFunction": {"token", "par", "7.6.2.7 7.6.3.4"},
	"timeCodesPerSecond": {"double", "l", "7.6.1.4.1"}, "typeName": {"token", "p", "7.6.2.4.1 7.6.4.1.1"},
	"uiHints": {dictionaryType, "par", ""}, "unauthoredValuesIndex": {"int", "a", ""}, "upAxis": {"token", "l", ""},
	"variantSelection": {"VariantSelectionMap", "p", "7.6.2.3.6"}, "variantSetNames": {"StringListOp", "p", "7.6.2.3.5"},
	"weight": {"float", "a", ""},
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
		"propertyOrder", "specifier"),
	'a': wordSet("comment", "typeName", "variability", "connectionPaths", "connectionChildren"),
	'r': wordSet("comment", "variability", "targetPaths", "targetChildren"),
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

// IsStrict reports whether text accepts only strings after a word of metadata. All other fields accept a path or dictionary
// too.
func IsStrict(word string) bool { return word == "doc" || word == "kind" }

// IsRate returns false if field accepts only positive numbers and v is none.
func IsRate(field string, v model.Value) bool {
	rate, isNumber := model.FloatOf(v)
	return field != "framesPerSecond" || isNumber && rate > 0
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
