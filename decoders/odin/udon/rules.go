package udon

import "cutaway/model"

// The rules that functions of this package find, by their ids.
const (
	ruleOpcode      = "odin.udon.opcode"
	ruleInstruction = "odin.udon.instruction"
	ruleJump        = "odin.udon.jump"
	ruleOperand     = "odin.udon.operand"
	ruleHeapOrder   = "odin.udon.heap-order"
	ruleHeapIndex   = "odin.udon.heap-index"
	ruleEntryPoint  = "odin.udon.entry-point"
)

// Rules lists the problems of Udon programs.
var Rules = []model.Rule{
	{ID: ruleOpcode, Help: "an Udon instruction has no known opcode"},
	{ID: ruleInstruction, Help: "Udon byte code ends inside an instruction"},
	{ID: ruleJump, Help: "the target of an Udon jump is no instruction"},
	{ID: ruleOperand, Help: "the operand of an Udon instruction is not on the heap"},
	{ID: ruleHeapOrder, Help: "the indexes of an Udon heap do not ascend"},
	{ID: ruleHeapIndex, Help: "an index of an Udon heap is not below its capacity"},
	{ID: ruleEntryPoint, Help: "an Udon entry point leads to no instruction"},
}
