package odin

import (
	"slices"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/udon"
	"cutaway/decoders/odin/unity"
	"cutaway/model"
)

const ruleGzip = "odin.carrier.gzip"

// rules lists the problems that Odin data can have: those of the description, and those that Go finds.
var rules = slices.Concat(entry.BinaryLanguage.RuleList(), entry.Rules, udon.Rules, []model.Rule{
	{ID: ruleGzip, Help: "a payload does not inflate"},
}, entry.NodesRules, unity.Rules, entry.JSONRules)
