package layout

// The rules that functions of this package find, by their ids.
const (
	RuleTagText        = "vrs.tag.text"
	ruleLayoutJSON     = "vrs.layout.json"
	ruleLayoutPiece    = "vrs.layout.piece"
	ruleLayoutTwice    = "vrs.layout.duplicate"
	rulePieceType      = "vrs.layout.type"
	rulePlace          = "vrs.layout.place"
	ruleLayoutSize     = "vrs.layout.size"
	ruleLayoutUnusable = "vrs.layout.unusable"
	ruleLayoutTooLarge = "vrs.layout.too-large"
	ruleEntry          = "vrs.field.entry"
	ruleVector         = "vrs.field.vector"
	ruleStrings        = "vrs.field.strings"
	ruleKeys           = "vrs.field.keys"
)
