package odin

import "cutaway/model"

// The rules whose breaking is a problem.
const (
	ruleTruncated     = "odin.entry.truncated"
	ruleTrailing      = "odin.trailing"
	ruleTooMany       = "odin.too-many-entries"
	ruleRead          = "odin.read"
	ruleTypeTag       = "odin.type.tag"
	ruleTypeUndefined = "odin.type.undefined"
	ruleTypeRepeated  = "odin.type.repeated"
	ruleTypeOrder     = "odin.type.order"
	ruleUnclosed      = "odin.container.unclosed"
	ruleStrayEnd      = "odin.container.stray-end"
	ruleDepth         = "odin.container.depth"
	ruleNodeOrder     = "odin.node.order"
	ruleReference     = "odin.reference.unknown-node"
	ruleExternalIndex = "odin.reference.external-index"
	ruleArrayNegative = "odin.array.negative"
	ruleArrayLength   = "odin.array.length"
	ruleArrayCount    = "odin.array.count"
	ruleArrayRanks    = "odin.array.ranks"
	ruleMemberMissing = "odin.array.member-missing"
	ruleBoolean       = "odin.value.boolean"
	ruleOpcode        = "odin.udon.opcode"
	ruleInstruction   = "odin.udon.instruction"
	ruleJump          = "odin.udon.jump"
	ruleOperand       = "odin.udon.operand"
	ruleHeapOrder     = "odin.udon.heap-order"
	ruleHeapIndex     = "odin.udon.heap-index"
	ruleEntryPoint    = "odin.udon.entry-point"
	ruleGzip          = "odin.carrier.gzip"
	ruleNodesEntry    = "odin.nodes.entry"
	ruleNodesField    = "odin.nodes.field"
	ruleTextCode      = "odin.carrier.text"
	ruleConflict      = "odin.carrier.conflict"
	ruleJSONText      = "odin.json.text"
	ruleJSONArray     = "odin.json.array"
	ruleJSONValue     = "odin.json.value"
)

// rules lists the problems that Odin data can have: those of the description, and those that Go finds.
var rules = append(language.RuleList(), []model.Rule{
	{ID: ruleTrailing, Help: "bytes follow the end of the stream"},
	{ID: ruleTooMany, Help: "a stream has more entries than the memory that Cutaway may use allows"},
	{ID: ruleRead, Help: "bytes could not be read"},
	{ID: ruleUnclosed, Help: "a node or array is never closed"},
	{ID: ruleStrayEnd, Help: "an end entry closes nothing that is open there"},
	{ID: ruleDepth, Help: "containers are nested deeper than this program follows"},
	{ID: ruleArrayCount, Help: "an array does not hold what it announces"},
	{ID: ruleArrayRanks, Help: "the dimensions of an array do not multiply to its length"},
	{ID: ruleMemberMissing, Help: "a member of an ISerializable type has no value"},
	{ID: ruleOpcode, Help: "an Udon instruction has no known opcode"},
	{ID: ruleInstruction, Help: "Udon byte code ends inside an instruction"},
	{ID: ruleJump, Help: "the target of an Udon jump is no instruction"},
	{ID: ruleOperand, Help: "the operand of an Udon instruction is not on the heap"},
	{ID: ruleHeapOrder, Help: "the indexes of an Udon heap do not ascend"},
	{ID: ruleHeapIndex, Help: "an index of an Udon heap is not below its capacity"},
	{ID: ruleEntryPoint, Help: "an Udon entry point leads to no instruction"},
	{ID: ruleGzip, Help: "a payload does not inflate"},
	{ID: ruleNodesEntry, Help: "an item of a Nodes list has no valid Entry"},
	{ID: ruleNodesField, Help: "an item of a Nodes list lacks a field"},
	{ID: ruleConflict, Help: "a line of a Unity file is a conflict marker of Git: Unity cannot read the file, and fields may be there twice"},
	{ID: ruleTextCode, Help: "a payload is neither hex nor base64 to its end"},
	{ID: ruleJSONText, Help: "text of the JSON form cannot be followed"},
	{ID: ruleJSONArray, Help: "an array of the JSON form has no length"},
	{ID: ruleJSONValue, Help: "a token of the JSON form is no value"},
}...)
