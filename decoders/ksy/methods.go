package ksy

import (
	"fmt"

	"cutaway/decoders/expr"
)

// A Method is a builtin operation on a value.
type Method uint8

// The methods.
const (
	ToString  Method = iota // of an integer, decimal; of bytes, in the encoding of the argument
	ToInteger               // of a string, in the base of the argument or 10; of a float, truncated; of a boolean, 0 or 1; of an enum
	ToBytes                 // of a string, in the encoding of the argument
	Length                  // characters, bytes or elements
	Reverse                 // of a string
	Substring               // from, to
	First
	Last
	Min
	Max
	StreamSize
	StreamPos
	StreamEOF
)

// A signature describes the calls of a method. A method with neither args nor call is written without parentheses.
type signature struct {
	method   Method
	args     []expr.Kind
	optional bool // the arguments may be omitted
	result   *expr.Type
}

var methods = map[expr.Kind]map[string]signature{
	expr.Int:       {"to_s": {method: ToString, result: expr.StrType}},
	expr.Float:     {"to_i": {method: ToInteger, result: expr.IntType}},
	expr.Bool:      {"to_i": {method: ToInteger, result: expr.IntType}},
	expr.EnumValue: {"to_i": {method: ToInteger, result: expr.IntType}},
	expr.Str: {
		"length": {method: Length, result: expr.IntType}, "reverse": {method: Reverse, result: expr.StrType},
		"to_i":      {method: ToInteger, args: []expr.Kind{expr.Int}, optional: true, result: expr.IntType},
		"to_b":      {method: ToBytes, args: []expr.Kind{expr.Str}, result: expr.BytesType},
		"substring": {method: Substring, args: []expr.Kind{expr.Int, expr.Int}, result: expr.StrType},
	},
	expr.Bytes: {
		"length": {method: Length, result: expr.IntType}, "size": {method: Length, result: expr.IntType},
		"first": {method: First, result: expr.ByteType}, "last": {method: Last, result: expr.ByteType},
		"min": {method: Min, result: expr.ByteType}, "max": {method: Max, result: expr.ByteType},
		"to_s": {method: ToString, args: []expr.Kind{expr.Str}, result: expr.StrType},
	},
	expr.Array: { // without result: an element
		"size": {method: Length, result: expr.IntType}, "first": {method: First}, "last": {method: Last}, "min": {method: Min}, "max": {method: Max},
	},
	expr.IO: {
		"size": {method: StreamSize, result: expr.IntType}, "pos": {method: StreamPos, result: expr.IntType},
		"eof": {method: StreamEOF, result: expr.BoolType},
	},
}

// call returns the type of a method's result.
func (c *checker) call(e *expr.Expr, of *expr.Type, s scope) *expr.Type {
	args := e.Args[1:]
	for _, arg := range args {
		c.infer(arg, s)
	}
	m, known := methods[of.Kind][e.Name]
	if !known {
		return c.fail(e, "%v has no %q", of, e.Name)
	}
	e.Meaning = m.method
	if e.Op == expr.OpCall && len(m.args) == 0 {
		return c.fail(e, "%q takes no arguments; write it without parentheses", e.Name)
	}
	if len(args) != len(m.args) && (!m.optional || len(args) > 0) {
		return c.fail(e, "%q takes %s, not %d", e.Name, plural(len(m.args), "argument"), len(args))
	}
	for i, arg := range args {
		if arg.Type == nil {
			return nil
		}
		if arg.Type.Kind != m.args[i] {
			return c.fail(arg, "argument %d of %q is %v, not %v", i+1, e.Name, &expr.Type{Kind: m.args[i]}, arg.Type)
		}
		if m.args[i] == expr.Str && arg.Op != expr.OpStr {
			return c.fail(arg, "the encoding of %q is written out as a string; it can't be computed", e.Name)
		}
	}
	if m.result == nil {
		return of.Of
	}
	return m.result
}

func plural(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
