// Package formula compiles expressions: it makes the codes that package grammar computes out of the trees of package expr.
//
// A code is a closure over the record that is read. What is the same in every record is computed once, an operator of a field
// and a constant is one closure, and bits of a field (flags & 4) are one step. The two dialects differ in arithmetic: that of
// BuiltIn is int64 and saturates, that of Kaitai has integers of any size. What a name means is for packages lang and ksy.
package formula

import "cutaway/decoders/grammar"

// What codes are made of.
type (
	// Code computes an expression.
	Code = grammar.Code
	// Scope is the record that is read, and the pass that reads it.
	Scope = grammar.Scope
	// Value is an operand or a result.
	Value = grammar.Value
)
