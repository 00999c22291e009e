// Package lang is the language of descriptions: records, rules and looks that read as the specification of a format.
//
// A Language has three tables. Its Records say where the bytes are: fields in the order of the bytes, each with a name, a
// type and one line of help. Its Rules say what they must keep: an id, a field, a condition, what is wanted and a message.
// Its Looks are named Go functions that complete nodes for a person.
//
// Conditions, sizes, counts and places are expressions as text (E), which are parsed and whose names are resolved when a
// file of the format is opened first (Language.Build). They name fields, parameters of the record, values that are Known of
// a document, functions, and rows of tables. For makes a Plan of a document: its records, which package grammar reads. What
// depends on Known values alone is decided there, so that a record whose conditions the version decides has a fixed size.
//
// plan.go makes the engine's records of those of a language, choice.go those of cases, names.go resolves the names in
// expressions, and breach.go decides rules.
//
// Records refer to each other by name (Rec). So they may lie in each other, and have the order of the specification.
package lang
