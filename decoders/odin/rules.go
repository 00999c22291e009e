package odin

import "cutaway/model"

// The rules whose breaking is a problem.
const (
	ruleTruncated      = "odin.entry.truncated"
	ruleInvalidID      = "odin.entry.invalid-id"
	ruleTypeEntry      = "odin.entry.type-entry"
	ruleEndOfStream    = "odin.entry.end-of-stream"
	ruleTrailing       = "odin.trailing"
	ruleTooMany        = "odin.too-many-entries"
	ruleRead           = "odin.read"
	ruleStringFlag     = "odin.string.flag"
	ruleStringCount    = "odin.string.count"
	ruleTypeTag        = "odin.type.tag"
	ruleTypeUndefined  = "odin.type.undefined"
	ruleTypeRepeated   = "odin.type.repeated"
	ruleTypeOrder      = "odin.type.order"
	ruleUnclosed       = "odin.container.unclosed"
	ruleStrayEnd       = "odin.container.stray-end"
	ruleDepth          = "odin.container.depth"
	ruleNodeOrder      = "odin.node.order"
	ruleReference      = "odin.reference.unknown-node"
	ruleExternalIndex  = "odin.reference.external-index"
	ruleArrayNegative  = "odin.array.negative"
	ruleArrayLength    = "odin.array.length"
	ruleArrayCount     = "odin.array.count"
	ruleArrayRanks     = "odin.array.ranks"
	ruleMemberMissing  = "odin.array.member-missing"
	rulePrimitiveCount = "odin.primitives.count"
	rulePrimitiveSize  = "odin.primitives.size"
	rulePrimitiveType  = "odin.primitives.type"
	ruleBoolean        = "odin.value.boolean"
	ruleDecimal        = "odin.value.decimal"
	ruleOpcode         = "odin.udon.opcode"
	ruleInstruction    = "odin.udon.instruction"
	ruleJump           = "odin.udon.jump"
	ruleOperand        = "odin.udon.operand"
	ruleHeapOrder      = "odin.udon.heap-order"
	ruleHeapIndex      = "odin.udon.heap-index"
	ruleEntryPoint     = "odin.udon.entry-point"
	ruleGzip           = "odin.carrier.gzip"
	ruleNodesEntry     = "odin.nodes.entry"
	ruleNodesField     = "odin.nodes.field"
	ruleTextCode       = "odin.carrier.text"
	ruleConflict       = "odin.carrier.conflict"
	ruleJSONText       = "odin.json.text"
	ruleJSONArray      = "odin.json.array"
	ruleJSONValue      = "odin.json.value"
)

// rules are the problems that Odin data can have, by chapter.
var rules = []model.Rule{
	{ID: ruleTruncated, Help: "the bytes end inside an entry"},
	{ID: ruleInvalidID, Help: "an entry begins with a byte that is no id"},
	{ID: ruleTypeEntry, Help: "a type entry is where an entry is expected"},
	{ID: ruleEndOfStream, Help: "the entry EndOfStream is written, which writers leave out"},
	{ID: ruleTrailing, Help: "bytes follow the end of the stream"},
	{ID: ruleTooMany, Help: "a stream has more entries than the memory that Cutaway may use allows"},
	{ID: ruleRead, Help: "bytes could not be read"},
	{ID: ruleStringFlag, Help: "the width flag of a string is neither 0 nor 1"},
	{ID: ruleStringCount, Help: "a string has a negative length"},
	{ID: ruleTypeTag, Help: "a type entry has an unknown tag"},
	{ID: ruleTypeUndefined, Help: "a node uses a type id that no node before it defines"},
	{ID: ruleTypeRepeated, Help: "a type id is defined twice"},
	{ID: ruleTypeOrder, Help: "type ids are not 0, 1, 2 … in the order of their definitions"},
	{ID: ruleUnclosed, Help: "a node or array is never closed"},
	{ID: ruleStrayEnd, Help: "an end entry closes nothing that is open there"},
	{ID: ruleDepth, Help: "containers are nested deeper than this program follows"},
	{ID: ruleNodeOrder, Help: "node ids do not ascend"},
	{ID: ruleReference, Help: "an internal reference leads to no node before it"},
	{ID: ruleExternalIndex, Help: "an external reference is outside of the carrier's list"},
	{ID: ruleArrayNegative, Help: "an array announces a negative length"},
	{ID: ruleArrayLength, Help: "an array announces more elements than bytes follow"},
	{ID: ruleArrayCount, Help: "an array does not hold what it announces"},
	{ID: ruleArrayRanks, Help: "the dimensions of an array do not multiply to its length"},
	{ID: ruleMemberMissing, Help: "a member of an ISerializable type has no value"},
	{ID: rulePrimitiveCount, Help: "a primitive array has a negative number of elements"},
	{ID: rulePrimitiveSize, Help: "the elements of a primitive array have a size that no type has"},
	{ID: rulePrimitiveType, Help: "the elements of a primitive array do not fit the type of their node"},
	{ID: ruleBoolean, Help: "a truth value is neither 0 nor 1"},
	{ID: ruleDecimal, Help: "a decimal has flags that must be 0, or a scale above 28"},
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
}
