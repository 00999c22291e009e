package omnilive

import (
	"strings"
	"unicode"
)

// metadataTypes are the types of values that USD's own metadata takes in text; "" for what is not written. A reader
// refuses the whole layer for one wrong type.
var metadataTypes = map[string][]string{
	"documentation": {"String", "Token"}, "comment": {"String", "Token"}, "kind": {"Token", "String"},
	"active": {"Bool"}, "hidden": {"Bool"}, "instanceable": {"Bool"}, "noLoadHint": {"Bool"},
	"customData": {"Dictionary"}, "customLayerData": {"Dictionary"}, "assetInfo": {"Dictionary"}, "sdrMetadata": {"Dictionary"},
	"clips": {"Dictionary"}, "symmetryArguments": {"Dictionary"}, "limits": {"Dictionary"}, "expressionVariables": {"Dictionary"},
	"displayName": {"String", "Token"}, "displayGroup": {"String", "Token"}, "symmetricPeer": {"String", "Token"},
	"prefix": {"String", "Token"}, "suffix": {"String", "Token"}, "colorSpace": {"Token", "String"},
	"permission": {"Permission"}, "apiSchemas": {"TokenListOp"}, "clipSets": {"StringListOp"},
	"references": {"ReferenceListOp"}, "payload": {"PayloadListOp", "Payload"},
	"inheritPaths": {"PathListOp"}, "specializes": {"PathListOp"}, "variantSetNames": {"StringListOp"},
	"variantSelection": {"VariantSelectionMap"},
	"upAxis":           {"Token", "String"}, "defaultPrim": {"Token", "String"}, "interpolation": {"Token", "String"},
	"metersPerUnit": {"Double"}, "kilogramsPerUnit": {"Double"}, "timeCodesPerSecond": {"Double"}, "framesPerSecond": {"Double"},
	"startTimeCode": {"Double"}, "endTimeCode": {"Double"}, "elementSize": {"Int"}, "unauthoredValuesIndex": {"Int"},
	"arraySizeConstraint": {"Int64"}, "bindMaterialAs": {"Token", "String"}, "connectability": {"Token", "String"},
	"outputName": {"Token", "String"}, "renderType": {"Token", "String"}, "colorConfiguration": {"AssetPath"},
	"colorManagementSystem": {"Token", "String"}, "sessionOwner": {"String", "Token"}, "owner": {"String", "Token"},
	"displayUnit": nil, "symmetryFunction": nil, "prefixSubstitutions": nil, "suffixSubstitutions": nil, "relocates": nil,
	"layerRelocates": nil, "startFrame": nil, "endFrame": nil, "hasOwnedSubLayers": {"Bool"}, "framePrecision": {"Int"},
	"allowedTokens": {"Token[]"},
}

// roles are the attribute types that hold the values of others.
var roles = map[string]string{
	"color3d": "double3", "color3f": "float3", "color3h": "half3", "color4d": "double4", "color4f": "float4", "color4h": "half4",
	"point3d": "double3", "point3f": "float3", "point3h": "half3", "normal3d": "double3", "normal3f": "float3", "normal3h": "half3",
	"vector3d": "double3", "vector3f": "float3", "vector3h": "half3", "texCoord2d": "double2", "texCoord2f": "float2",
	"texCoord2h": "half2", "texCoord3d": "double3", "texCoord3f": "float3", "texCoord3h": "half3", "frame4d": "matrix4d",
}

// holds tells whether an attribute of a type can have the value.
func holds(attribute string, x *value) bool {
	if t := x.known(); t != nil && !x.raw && t.shape.form == nothing {
		return true
	}
	name, isArray := strings.CutSuffix(attribute, "[]")
	if of := roles[name]; of != "" {
		name = of
	}
	if isArray {
		name += "[]"
	}
	return name == x.usdType()
}

// isWord tells whether a field's name can stand before an equal sign.
func isWord(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// isIdentifier tells whether USD takes a name for a prim.
func isIdentifier(s string) bool {
	for i, c := range s {
		start := c == '_' || unicode.IsLetter(c) || unicode.Is(unicode.Nl, c)
		if !start && (i == 0 || !unicode.In(c, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc)) {
			return false
		}
	}
	return s != ""
}

// isPropertyName tells whether USD takes a name for a property: identifiers with colons between them.
func isPropertyName(s string) bool {
	for part := range strings.SplitSeq(s, ":") {
		if !isIdentifier(part) {
			return false
		}
	}
	return true
}

// isVariantName tells whether USD takes a name for a variant.
func isVariantName(s string) bool {
	for _, c := range strings.TrimPrefix(s, ".") {
		if c != '|' && c != '-' && c != '_' && !unicode.In(c, unicode.L, unicode.Nl, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc) {
			return false
		}
	}
	return s != "" && s != "."
}

// isPath tells whether a path has the characters of one.
func isPath(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("/.:_{}=[]|-", c) && !unicode.In(c, unicode.L, unicode.Nl, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc) {
			return false
		}
	}
	return s != ""
}
