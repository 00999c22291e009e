package lang

import (
	"context"
	"sync"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// What descriptions, rules and looks have in common with the engine and the model.
type (
	// Scope is the record that is read, and the pass that reads it.
	Scope = grammar.Scope
	// Value is the value of a field.
	Value = grammar.Value
	// Object is a record at one place.
	Object = grammar.Object
	// Node is a node of a view.
	Node = model.Node
	// Problem is a breach of a rule.
	Problem = model.Problem
	// Kind says how bad a breach is.
	Kind = model.Kind
)

// The kinds of problems.
const (
	Malformed  = model.Malformed
	Truncated  = model.Truncated
	Suspicious = model.Suspicious
	Assumed    = model.Assumed
	Limit      = model.Limit
)

// E is the text of an expression, such as "count * 8", "crate >= v0.7.0" or "flags & 1 != 0".
type E string

// A Language is the description of one format.
type Language struct {
	Name    string                     // first word of the rules' ids
	Title   string                     // of its documentation
	Short   string                     // rule of a field that the bytes do not hold
	Invalid string                     // rule of an expression that cannot be computed, or "" for Short
	Limit   string                     // rule of a limit of the engine, or "" for Short
	Clauses func(number string) string // the clause of the format's standard with its title
	Known   []Known                    // values of the document that expressions may name
	Funcs   []Func                     // Go functions that expressions may call
	Tables  []*Table                   // rows by number
	Records []*Record                  // in the order of the specification
	Entries []Entries                  // lists whose elements have numbers that fields name
	Rules   []Rule
	Looks   []Look

	named    sync.Once
	misnamed error
	index    *index
	fixed    *program // of a language without Known values

	build   sync.Once
	err     error
	checked map[string]*grammar.Record // with every case, no value known

	mu     sync.Mutex // held while shared is looked at
	shared []*program // by the values of Known, the oldest first
}

// clause returns a clause of the format's standard with its title, or "" for "".
func (l *Language) clause(number string) string {
	if number == "" || l.Clauses == nil {
		return ""
	}
	return l.Clauses(number)
}

// Known is a number of the document, by name. It stays the same as long as the document is open. It is asked for when a record that
// names it is made: the version of a file may be known by its header, which is a record too.
type Known struct {
	Name, Help string
	of         func(doc any) int64
}

// Version returns the number that a version such as v1.2.3 is in expressions.
func Version(major, minor, patch uint8) int64 { return expr.Version(major, minor, patch) }

// Know names a number of a document that is a T. What differs between the records of one document is no such number but a
// parameter of the record.
func Know[T any](name, help string, of func(doc T) int64) Known {
	return Known{name, help, func(doc any) int64 { return of(doc.(T)) }}
}

// A Func is a Go function that expressions call by name: an exception, where no expression will do.
type Func struct {
	Name, Help string
	Do         func(s Scope, args []Value) Value
}

// Entries are the elements of a list, which fields name by number (Field.To).
type Entries struct {
	Name string
	List string // "TOKENS.text[]", the list in the layout, or several separated by commas, or "" if Go makes the list
	// Text returns entry i in words for the nodes of fields that name it, or "".
	Text func(ctx context.Context, doc any, i int64) string
	// Refs returns the links to entry i, or nil if there is none.
	Refs func(ctx context.Context, doc any, i int64, kind string) []model.Ref
	// Show completes the nodes of fields that name an entry, where Text and Refs are not enough.
	Show func(s Scope, it Value, n *Node)
}

// A Rule holds a condition on a field. One with an id and Help alone is listed: the engine or Go finds its breaches.
type Rule struct {
	ID     string // after the language's name
	On     string // "Record.field", "Record.field[]" for each element of a list, or "Record"; several are separated by commas
	Kind   Kind
	If     E      // where the rule applies, or "" for everywhere
	Holds  E      // it is the field's value
	Want   string // expected, with {expressions}, or "" for Holds in words
	Found  string // found, with {expressions}, or "" for the value
	Says   string // the message, with {expressions}
	Soft   E      // where a breach is suspicious, whatever Kind is
	Hard   E      // where a breach is malformed, whatever Kind is
	Stops  bool   // a breach ends the record
	Cut    bool   // a truncated breach follows from the last field, which is cut off
	Clause string // of the specification, a page of docs/formats
	// Standard is the clause of the standard of the format, if there is one beside the specification.
	Standard    string
	Forbidden   bool   // by that clause alone: the program of the format takes it
	Discouraged bool   // by that clause alone, which advises
	Help        string // for the list of rules, or "" for Says
	// Find finds the breach, instead of Holds. The rule fills in the fields of the problem that it leaves empty.
	Find func(s Scope, it Value) (p Problem, breach bool)
}

// A Look completes the node of a field for a person: words, links, cards. The name, type, value and bytes are set.
type Look struct {
	On    string // "Record.field", for a list each element; several are separated by commas
	Node  func(s Scope, it Value, n *Node)
	Names func(s Scope) grammar.Names // of the elements of a list, instead of their numbers
}
