package omnilive

import (
	"cutaway/decoders/lang"
	"cutaway/model"
)

// An assumption is something that the format's public page does not say. Each node that rests on one has a note. This file holds
// all assumptions.
type assumption struct {
	id   string // of the note
	text string // one sentence
}

// The assumptions, in the order of the format's chapters (docs/formats/omni-live.md, 5).
var (
	assumedIdentifier  = &assumption{"identifier", "OODF is assumed to be the FlatBuffer's file identifier"}
	assumedPrefix      = &assumption{"prefixed", "a FlatBuffer after the letters OODF is assumed possible"}
	assumedLetters     = &assumption{"multi-part-letters", "the letters OMPF of the multi-part form are assumed"}
	assumedOffsets     = &assumption{"multi-part-offsets", "offsets are assumed to count from the file's start, and a part to end where the next begins"}
	assumedSchema      = &assumption{"schema", "the schema is a reconstruction: field ids in the page's order, scalar widths, the wrapper table and the union's order are assumed; --schema reads by your own"}
	assumedPartIndex   = &assumption{"part-index", "extValueIndex is assumed to count part 0, the FlatBuffer, and the hash to be 20 raw bytes"}
	assumedExternal    = &assumption{"external", "a value is assumed to be external where extValueSize or extValueIndex is not 0"}
	assumedSetOrder    = &assumption{"set-order", "setOrder is assumed to be one order over fields and time samples; ties go to fields, then to the array's order"}
	assumedOutcomes    = &assumption{"outcomes", "where the page is silent on commands, this program's own rules decide the outcome"}
	assumedPaths       = &assumption{"paths", "sectionName is assumed to be the bare name, of which USD paths are made"}
	assumedHeader      = &assumption{"value-header", "a value's type is assumed to take the low bits of byte 0, and its count to be directly after byte 1"}
	assumedPacking     = &assumption{"value-packing", "the packing of values is assumed: plain little-endian memory, and the crate's layouts with strings in place"}
	assumedUserPacking = &assumption{"user-schema", "the schema was handed in; the meaning of its fields is taken from their names"}
)

var assumptions = []*assumption{
	assumedIdentifier, assumedPrefix, assumedLetters, assumedOffsets, assumedSchema, assumedUserPacking, assumedPartIndex,
	assumedExternal, assumedSetOrder, assumedOutcomes, assumedPaths, assumedHeader, assumedPacking,
}

// ruleID returns the id of the note.
func (a *assumption) ruleID() string { return Name + ".assumed." + a.id }

// note returns the note on bytes that rest on the assumption.
func (a *assumption) note(at model.Span) model.Problem {
	return model.Problem{Rule: a.ruleID(), Kind: model.Assumed, Span: at, Message: a.text}
}

// rule returns the rule of the note, which fields have that rest on the assumption, or for "" Go alone.
func (a *assumption) rule(on string) lang.Rule {
	r := lang.Rule{ID: "assumed." + a.id, On: on, Kind: lang.Assumed, Help: a.text}
	if on != "" {
		r.Holds, r.Says = "false", a.text
	}
	return r
}
