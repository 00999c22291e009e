// Package formula compiles expressions: it makes the codes that package grammar computes out of the trees of package expr.
//
// A code is a closure over the record that is read. Operators of constants are computed once. An operator of a field and a
// constant is one closure, and bits of a field (flags & 4) are one step.
//
// The two dialects differ in arithmetic. Integers of BuiltIn are int64 and saturate, and those of Kaitai have any size. Packages
// lang and ksy resolve the names.
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
