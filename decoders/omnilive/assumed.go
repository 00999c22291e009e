package omnilive

import (
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// An assumption is something that the format's public page does not say. Each node that rests on one is marked with
// its note; this file is the one place that holds them all.
type assumption struct {
	rule string // of the note
	text string // one sentence
}

// The assumptions, in the order of the format's chapters (docs/formats/omni-live.md, 5).
var (
	assumedIdentifier  = &assumption{"omnilive.assumed.identifier", "OODF is assumed to be the FlatBuffer's file identifier"}
	assumedPrefix      = &assumption{"omnilive.assumed.prefixed", "a FlatBuffer after the letters OODF is assumed possible"}
	assumedLetters     = &assumption{"omnilive.assumed.multi-part-letters", "the letters OMPF of the multi-part form are assumed"}
	assumedOffsets     = &assumption{"omnilive.assumed.multi-part-offsets", "offsets are assumed to count from the file's start, and a part to end where the next begins"}
	assumedSchema      = &assumption{"omnilive.assumed.schema", "the schema is a reconstruction: field ids in the page's order, scalar widths, the wrapper table and the union's order are assumed; --schema reads by your own"}
	assumedPartIndex   = &assumption{"omnilive.assumed.part-index", "extValueIndex is assumed to count part 0, the FlatBuffer, and the hash to be 20 raw bytes"}
	assumedExternal    = &assumption{"omnilive.assumed.external", "a value is assumed to be external where extValueSize or extValueIndex is not 0"}
	assumedSetOrder    = &assumption{"omnilive.assumed.set-order", "setOrder is assumed to be one order over fields and time samples; ties go to fields, then to the array's order"}
	assumedOutcomes    = &assumption{"omnilive.assumed.outcomes", "where the page is silent on commands, this program's own rules decide the outcome"}
	assumedPaths       = &assumption{"omnilive.assumed.paths", "sectionName is assumed to be the bare name, of which USD paths are made"}
	assumedHeader      = &assumption{"omnilive.assumed.value-header", "a value's type is assumed to take the low bits of byte 0, and its count to be directly after byte 1"}
	assumedPacking     = &assumption{"omnilive.assumed.value-packing", "the packing of values is assumed: plain little-endian memory, and the crate's layouts with strings in place"}
	assumedUserPacking = &assumption{"omnilive.assumed.user-schema", "the schema was handed in; the meaning of its fields is taken from their names"}
)

var assumptions = []*assumption{
	assumedIdentifier, assumedPrefix, assumedLetters, assumedOffsets, assumedSchema, assumedUserPacking, assumedPartIndex,
	assumedExternal, assumedSetOrder, assumedOutcomes, assumedPaths, assumedHeader, assumedPacking,
}

// at is the note on a place that rests on the assumption.
func (a *assumption) at(place model.Span) model.Problem {
	return model.Problem{Rule: a.rule, Kind: model.Assumed, Span: place, Message: a.text}
}

// check marks each field that rests on the assumption.
func (a *assumption) check() grammar.Check {
	return grammar.Check{Find: func(grammar.Scope, grammar.Value) (model.Problem, bool) { return a.at(model.Span{}), true }}
}
