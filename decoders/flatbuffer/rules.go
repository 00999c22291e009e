package flatbuffer

import (
	"slices"

	"cutaway/model"
)

// OwnPrefix begins the rule ids of the format itself; those of a format that builds on it begin with its own.
const OwnPrefix = Name + "."

// Rules are the problems that a FlatBuffer can have, in the order of the chapters of its encoding. prefix begins their
// ids; it is that of Buffer.Rules.
func Rules(prefix string) []model.Rule {
	list := slices.Clone(rules)
	for i := range list {
		list[i].ID = prefix + list[i].ID
	}
	return list
}

var rules = []model.Rule{
	{ID: ruleTruncated, Help: "the bytes end before the root table"},
	{ID: ruleIdentifier, Help: "the file identifier is not the schema's"},
	{ID: rulePrefix, Help: "the size prefix is not the number of bytes that follow it"},
	{ID: ruleOffset, Help: "an offset is zero, negative or leads out of the buffer"},
	{ID: ruleAlign, Help: "something is not at a multiple of its alignment"},
	{ID: ruleVTable, Help: "a vtable is not inside the buffer, or its size is odd or too small"},
	{ID: ruleTable, Help: "the size that a vtable gives its table is below 4, or runs out of the buffer; readers do not need it"},
	{ID: ruleSlot, Help: "a field is not inside the buffer, or not inside its table, after its vtable offset"},
	{ID: ruleSlotOverlap, Help: "two fields of a table share bytes"},
	{ID: ruleUnknownSlot, Help: "a table has fields that the schema does not know"},
	{ID: ruleRequired, Help: "a field that the schema requires is absent"},
	{ID: ruleString, Help: "a string runs out of the buffer or has no NUL after it"},
	{ID: ruleUTF8, Help: "a string is not UTF-8, which FlatBuffers allow"},
	{ID: ruleVector, Help: "a vector announces more elements than the buffer holds; those that are there are shown"},
	{ID: ruleUnion, Help: "the schema does not know a union's type, as of a newer member, or it has a type without a value or a value without a type"},
	{ID: ruleOverlap, Help: "two objects share bytes that are not one object"},
	{ID: ruleCycle, Help: "a table holds itself"},
	{ID: ruleDepth, Help: "tables are nested deeper than this program follows"},
	{ID: ruleObjects, Help: "the buffer has more objects than memory allows"},
	{ID: ruleWork, Help: "the vtables are larger together than this program reads"},
	{ID: ruleUnusable, Help: "a schema with the buffer's identifier was found and cannot be used"},
	{ID: ruleInferred, Help: "without a schema, types and widths are guesses"},
}

const (
	ruleTruncated   = "truncated"
	ruleIdentifier  = "identifier"
	rulePrefix      = "size-prefix"
	ruleOffset      = "offset"
	ruleAlign       = "alignment"
	ruleVTable      = "vtable"
	ruleTable       = "table.size"
	ruleSlot        = "table.slot"
	ruleSlotOverlap = "table.slots-overlap"
	ruleUnknownSlot = "table.unknown-slot"
	ruleRequired    = "table.required"
	ruleString      = "string"
	ruleUTF8        = "string.utf8"
	ruleVector      = "vector"
	ruleUnion       = "union"
	ruleOverlap     = "overlap"
	ruleCycle       = "cycle"
	ruleDepth       = "limit.depth"
	ruleWork        = "limit.work"
	ruleObjects     = "limit.objects"
	ruleUnusable    = "schema.unusable"
	ruleInferred    = "inferred"
)
