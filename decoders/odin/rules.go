package odin

import (
	"slices"

	"cutaway/model"
)

const ruleGzip = "odin.carrier.gzip"

// rules lists the problems that Odin data can have: those of the description, and those that Go finds.
var rules = slices.Concat(language.RuleList(), Rules, udonRules, []model.Rule{
	{ID: ruleGzip, Help: "a payload does not inflate"},
}, NodesRules, unityRules, JSONRules)
