package flatbuffer

import (
	"strings"

	"cutaway/model"
)

// OwnPrefix begins the rule ids of the format itself. Formats that are made of FlatBuffers have prefixes of their own.
const OwnPrefix = Name + "."

// Rules returns the problems that a FlatBuffer can have, in the order of the chapters of its encoding. Their ids begin
// with prefix, which is that of Buffer.Rules.
func Rules(prefix string) []model.Rule {
	list := language.RuleList()
	for i := range list {
		list[i].ID = withPrefix(prefix, list[i].ID)
	}
	return list
}

// withPrefix returns the id of a rule of the format with another prefix.
func withPrefix(prefix, id string) string { return prefix + strings.TrimPrefix(id, OwnPrefix) }

// The rules, after their prefix.
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
