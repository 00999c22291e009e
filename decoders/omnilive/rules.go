package omnilive

import (
	"slices"

	"cutaway/decoders/flatbuffer"
	"cutaway/model"
)

// bufferRules begins the ids of what a FlatBuffer can have.
const bufferRules = "omnilive.flatbuffer."

// rules are the problems that a live layer can have: of its carrier and its commands, of its fields and their values;
// then the assumptions, and what FlatBuffers can have.
func rules() []model.Rule {
	list := append(commandRules(), fieldRules()...)
	for _, a := range assumptions {
		list = append(list, model.Rule{ID: a.rule, Help: a.text})
	}
	return slices.Concat(list, flatbuffer.Rules(bufferRules))
}

func commandRules() []model.Rule {
	return []model.Rule{
		{ID: "omnilive.truncated", Help: "the file ends inside its header"},
		{ID: "omnilive.identifier", Help: "no OODF is where a live layer has it"},
		{ID: "omnilive.parts.count", Help: "the table of parts has no part, or does not fit into the file"},
		{ID: "omnilive.parts.offset", Help: "a part does not begin after the table and inside the file"},
		{ID: "omnilive.parts.repeated", Help: "two parts begin at one place"},
		{ID: "omnilive.parts.letters", Help: "the multi-part form has letters other than OMPF"},
		{ID: "omnilive.parts.flatbuffer", Help: "part 0, the FlatBuffer, is missing"},
		{ID: "omnilive.part0.bare", Help: "part 0 has no identifier"},
		{ID: "omnilive.part0.prefixed", Help: "part 0 begins with the letters OODF"},
		{ID: "omnilive.schema.binding", Help: "the schema has no field of a name that this program looks for"},
		{ID: "omnilive.schema.not-taken", Help: "the schema that was handed in or found does not fit as well as another"},
		{ID: "omnilive.schema.other", Help: "another schema reads what this one does not"},
		{ID: "omnilive.base-version", Help: "baseVersion has a meaning in a diff only"},
		{ID: "omnilive.command.unreadable", Help: "a command's kind is not known, or its table is not there"},
		{ID: "omnilive.command.zero-id", Help: "a section id is 0"},
		{ID: "omnilive.command.root-rule", Help: "the root is always section 1 with parent 0"},
		{ID: "omnilive.command.id-reused", Help: "a section id was used before"},
		{ID: "omnilive.command.root", Help: "the root cannot be moved"},
		{ID: "omnilive.command.cycle", Help: "a section would be under itself"},
		{ID: "omnilive.command.parent-missing", Help: "a section of a diff comes before its parent"},
		{ID: "omnilive.command.diff-only", Help: "a Diff command is in a delta that is no diff"},
		{ID: "omnilive.command.not-in-diff", Help: "a diff holds a command that is not one of the Diff commands"},
		{ID: "omnilive.command.listed-twice", Help: "an id is listed twice"},
		{ID: "omnilive.command.name-clash", Help: "two sections of one parent have one name at the end of a diff"},
		{ID: "omnilive.command.name-not-set", Help: "DiffChangeSection sets every value, but its sectionName is not there"},
		{ID: "omnilive.command.no-name", Help: "a section is made or moved without a name; its path has its id"},
		{ID: "omnilive.command.children-list", Help: "childrenListId is none of the up to three lists of children"},
		{ID: "omnilive.command.limit", Help: "a layer has more sections than memory allows"},
		{ID: "omnilive.command.spec-type", Help: "the section type is not one of USD's spec types"},
	}
}

func fieldRules() []model.Rule {
	return []model.Rule{
		{ID: "omnilive.field.zero-id", Help: "the section of a field or time sample is 0"},
		{ID: "omnilive.field.key", Help: "a field has no name"},
		{ID: "omnilive.external.parts", Help: "an external value has no part"},
		{ID: "omnilive.external.size", Help: "the part is shorter than extValueSize says"},
		{ID: "omnilive.external.hash", Help: "the SHA-1 of the part is not the one of the field"},
		{ID: "omnilive.external.hash-size", Help: "the hash of an external value has not 20 bytes"},
		{ID: "omnilive.external.padded", Help: "the part is longer than its value"},
		{ID: "omnilive.external.limit", Help: "large values are external, small ones are not"},
		{ID: "omnilive.value.header", Help: "a value has no room for its header"},
		{ID: "omnilive.value.type", Help: "the type number is not known"},
		{ID: "omnilive.value.version", Help: "only version 0 of the packings is known"},
		{ID: "omnilive.value.array", Help: "the type has no arrays"},
		{ID: "omnilive.value.timecode-array", Help: "the page has no arrays of TimeCode, USD has"},
		{ID: ruleMisfit, Help: "the assumed layout of the type does not take exactly the bytes that are there"},
		{ID: "omnilive.value.depth", Help: "values are nested deeper than this program follows"},
		{ID: "omnilive.value.range", Help: "a number is not one of its type's"},
		{ID: "omnilive.value.utf8", Help: "text is not UTF-8"},
		{ID: "omnilive.value.unregistered", Help: "an UnregisteredValue holds a type that it cannot"},
		{ID: "omnilive.read", Help: "bytes could not be read"},
	}
}
