package omnilive

import (
	"strings"

	"cutaway/decoders/flatbuffer"
)

// fieldHelp holds the meanings of the fields of the format's page, by name. A field of one kind of table alone is "table.field".
var fieldHelp = map[string]string{
	"isDiff":         "whether the delta is a diff: then it has only the Diff commands. A server's answer to a first request is one",
	"baseVersion":    "of a diff: the sequence number that it is based on; 0: it starts from nothing, as when a user cleared the layer",
	"structCommands": "what is done to sections, applied in order before fields and time samples are set",
	"setFields":      "values that are set on sections, in the order that setOrder gives",
	"timeSamples":    "values of attributes at times, in the order that setOrder gives",
	"sourceFormat":   "no longer used: it is kept for old clients",
	"command":        "one of the six commands; the byte beside it says which",

	"sectionId":                     "the section that is meant: a random number that is never used again; 1 is the root, 0 none",
	"CreateSection.sectionId":       "the new section's number, random and never used before; only the root is 1",
	"parentId":                      "the section that it is put under; 0 of the root alone. Where that is not there, nothing is done",
	"DeleteSection.parentId":        "the section's parent; unused",
	"sectionName":                   "the name among the children of its parent, of which the USD path is made; where another has it, nothing is done",
	"DiffChangeSection.sectionName": "the name among the children of its parent, of which the USD path is made; in a diff it is always set, changed or not",
	"sectionType":                   "what the section is in USD: a number of SdfSpecType",
	"sectionOrder":                  "the place among its siblings when the whole diff is applied",
	"oldParentId": "the parent that the client knew. Both parents are sent so that a rename, where they are the same, still applies " +
		"when another client has moved the section meanwhile",
	"newParentId":    "the section that it is put under; the same as oldParentId where it is only renamed. Where it was deleted, the section is too",
	"newName":        "the name under the new parent; where one has it already, the section is deleted",
	"childrenListId": "which of the section's up to three lists of children, by its spec type",
	"childrenList":   "the sections in their new order; those that are not there are passed over, and children that are not listed keep their place",

	"keyName":        "the name of the field, as USD has it: default, typeName, documentation",
	"time":           "the time of the sample, in the layer's time codes",
	"valueOrExtHash": "the value; of a large one, which is a part of its own, its SHA-1",
	"extValueSize":   "how many bytes a value in a part of its own has; 0: the value is here",
	"extValueIndex":  "which part the value is, in the table of parts; 0: the value is here",
	"setOrder":       "when it is set: fields and time samples in the order of these numbers",
}

// helpOf returns the meaning of a field of a table.
func helpOf(table, field string) string {
	if help := fieldHelp[table+"."+field]; help != "" {
		return help
	}
	return fieldHelp[field]
}

// explain sets the help of the fields of a schema that have none.
func explain(s *flatbuffer.Schema) {
	for i := range s.Objects {
		o := &s.Objects[i]
		name := o.Name[strings.LastIndexByte(o.Name, '.')+1:]
		for k := range o.Fields {
			if f := &o.Fields[k]; f.Help == "" {
				f.Help = helpOf(name, strings.TrimSuffix(f.Name, "_type"))
			}
		}
	}
}
