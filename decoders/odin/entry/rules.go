package entry

import "cutaway/model"

// The rules that functions of this package find, by their ids.
const (
	RuleTruncated     = "odin.entry.truncated"
	ruleTypeTag       = "odin.type.tag"
	ruleTypeUndefined = "odin.type.undefined"
	ruleTypeRepeated  = "odin.type.repeated"
	ruleTypeOrder     = "odin.type.order"
	ruleNodeOrder     = "odin.node.order"
	ruleReference     = "odin.reference.unknown-node"
	ruleExternalIndex = "odin.reference.external-index"
	ruleArrayNegative = "odin.array.negative"
	ruleArrayLength   = "odin.array.length"
	ruleBoolean       = "odin.value.boolean"
	ruleTrailing      = "odin.trailing"
	ruleTooMany       = "odin.too-many-entries"
	RuleRead          = "odin.read"
	ruleUnclosed      = "odin.container.unclosed"
	ruleStrayEnd      = "odin.container.stray-end"
	ruleDepth         = "odin.container.depth"
	ruleArrayCount    = "odin.array.count"
	ruleArrayRanks    = "odin.array.ranks"
	ruleMemberMissing = "odin.array.member-missing"
	ruleNodesEntry    = "odin.nodes.entry"
	ruleNodesField    = "odin.nodes.field"
	ruleJSONText      = "odin.json.text"
	ruleJSONArray     = "odin.json.array"
	ruleJSONValue     = "odin.json.value"
)

// Rules lists the problems of streams that the description does not list.
var Rules = []model.Rule{
	{ID: ruleTrailing, Help: "bytes follow the end of the stream"},
	{ID: ruleTooMany, Help: "a stream has more entries than the memory that Cutaway may use allows"},
	{ID: RuleRead, Help: "bytes could not be read"},
	{ID: ruleUnclosed, Help: "a node or array is never closed"},
	{ID: ruleStrayEnd, Help: "an end entry closes nothing that is open there"},
	{ID: ruleDepth, Help: "containers are nested deeper than this program follows"},
	{ID: ruleArrayCount, Help: "an array does not hold what it announces"},
	{ID: ruleArrayRanks, Help: "the dimensions of an array do not multiply to its length"},
	{ID: ruleMemberMissing, Help: "a member of an ISerializable type has no value"},
}

// NodesRules lists the problems of Nodes lists.
var NodesRules = []model.Rule{
	{ID: ruleNodesEntry, Help: "an item of a Nodes list has no valid Entry"},
	{ID: ruleNodesField, Help: "an item of a Nodes list lacks a field"},
}

// JSONRules lists the problems of the JSON form.
var JSONRules = []model.Rule{
	{ID: ruleJSONText, Help: "text of the JSON form cannot be followed"},
	{ID: ruleJSONArray, Help: "an array of the JSON form has no length"},
	{ID: ruleJSONValue, Help: "a token of the JSON form is no value"},
}
