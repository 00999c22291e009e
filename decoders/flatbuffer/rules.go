package flatbuffer

import "cutaway/model"

// Rules are the problems that a FlatBuffer can have, in the order of the chapters of its encoding.
var Rules = []model.Rule{
	{ID: ruleTruncated, Help: "the bytes end before the root table"},
	{ID: ruleIdentifier, Help: "the file identifier is not the schema's"},
	{ID: rulePrefix, Help: "the size prefix is not the number of bytes that follow it"},
	{ID: ruleOffset, Help: "an offset is zero, negative or leads out of the buffer"},
	{ID: ruleAlign, Help: "something does not stand at a multiple of its alignment"},
	{ID: ruleVTable, Help: "a vtable is not inside the buffer, or its size is odd or too small"},
	{ID: ruleTable, Help: "a table is shorter than its vtable offset, or runs out of the buffer"},
	{ID: ruleSlot, Help: "a field is not inside its table, behind its vtable offset"},
	{ID: ruleSlotOverlap, Help: "two fields of a table share bytes"},
	{ID: ruleUnknownSlot, Help: "a table has fields that the schema does not know"},
	{ID: ruleRequired, Help: "a field that the schema requires is absent"},
	{ID: ruleString, Help: "a string runs out of the buffer or has no NUL behind it"},
	{ID: ruleUTF8, Help: "a string is not UTF-8, which FlatBuffers allow"},
	{ID: ruleVector, Help: "a vector has more elements than the buffer holds"},
	{ID: ruleUnion, Help: "a union's type is not known, or it has a type without a value or a value without a type"},
	{ID: ruleOverlap, Help: "two objects share bytes that are not one object"},
	{ID: ruleCycle, Help: "a table holds itself"},
	{ID: ruleDepth, Help: "tables are nested deeper than this program follows"},
	{ID: ruleWork, Help: "the vtables are larger together than this program reads"},
	{ID: ruleRead, Help: "bytes could not be read"},
	{ID: ruleInferred, Help: "without a schema, types and widths are guesses"},
	{ID: ruleSchema, Help: "a schema could not be read"},
}

const (
	ruleTruncated   = "flatbuffer.truncated"
	ruleIdentifier  = "flatbuffer.identifier"
	rulePrefix      = "flatbuffer.size-prefix"
	ruleOffset      = "flatbuffer.offset"
	ruleAlign       = "flatbuffer.alignment"
	ruleVTable      = "flatbuffer.vtable"
	ruleTable       = "flatbuffer.table.size"
	ruleSlot        = "flatbuffer.table.slot"
	ruleSlotOverlap = "flatbuffer.table.slots-overlap"
	ruleUnknownSlot = "flatbuffer.table.unknown-slot"
	ruleRequired    = "flatbuffer.table.required"
	ruleString      = "flatbuffer.string"
	ruleUTF8        = "flatbuffer.string.utf8"
	ruleVector      = "flatbuffer.vector"
	ruleUnion       = "flatbuffer.union"
	ruleOverlap     = "flatbuffer.overlap"
	ruleCycle       = "flatbuffer.cycle"
	ruleDepth       = "flatbuffer.limit.depth"
	ruleWork        = "flatbuffer.limit.work"
	ruleRead        = "flatbuffer.read"
	ruleInferred    = "flatbuffer.inferred"
	ruleSchema      = "flatbuffer.schema"
)
