package ksy

import "fmt"

// Method is what can be asked of a value that is no structure.
type Method uint8

// The methods.
const (
	NoMethod  Method = iota
	ToString         // of an integer, decimal; of bytes, by the encoding of the argument
	ToInteger        // of a string, by the base of the argument or 10; of a float, cut; of a boolean, 0 or 1; of an enum
	ToBytes          // of a string, by the encoding of the argument
	Length           // characters, bytes or elements
	Reverse          // of a string
	Substring        // from, to
	First
	Last
	Min
	Max
	StreamSize
	StreamPos
	StreamEOF
)

// signature says how a method is called. A method with neither args nor call is written without parentheses.
type signature struct {
	method   Method
	args     []Kind
	optional bool // the arguments may be left out
	result   *DataType
}

var methods = map[Kind]map[string]signature{
	Int:       {"to_s": {method: ToString, result: strType}},
	Float:     {"to_i": {method: ToInteger, result: intType}},
	Bool:      {"to_i": {method: ToInteger, result: intType}},
	EnumValue: {"to_i": {method: ToInteger, result: intType}},
	Str: {
		"length": {method: Length, result: intType}, "reverse": {method: Reverse, result: strType},
		"to_i":      {method: ToInteger, args: []Kind{Int}, optional: true, result: intType},
		"to_b":      {method: ToBytes, args: []Kind{Str}, result: bytesType},
		"substring": {method: Substring, args: []Kind{Int, Int}, result: strType},
	},
	Bytes: {
		"length": {method: Length, result: intType}, "size": {method: Length, result: intType},
		"first": {method: First, result: byteType}, "last": {method: Last, result: byteType},
		"min": {method: Min, result: byteType}, "max": {method: Max, result: byteType},
		"to_s": {method: ToString, args: []Kind{Str}, result: strType},
	},
	Array: { // without result: an element
		"size": {method: Length, result: intType}, "first": {method: First}, "last": {method: Last}, "min": {method: Min}, "max": {method: Max},
	},
	IO: {
		"size": {method: StreamSize, result: intType}, "pos": {method: StreamPos, result: intType},
		"eof": {method: StreamEOF, result: boolType},
	},
}

// call is the type of a method's result.
func (c *checker) call(e *Expr, of *DataType, s scope) *DataType {
	args := e.Args[1:]
	for _, arg := range args {
		c.infer(arg, s)
	}
	m, known := methods[of.Kind][e.Name]
	if !known {
		return c.fail(e, "%v has no %q", of, e.Name)
	}
	e.Method = m.method
	if e.Op == OpCall && len(m.args) == 0 {
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
			return c.fail(arg, "argument %d of %q is %v, not %v", i+1, e.Name, &DataType{Kind: m.args[i]}, arg.Type)
		}
		if m.args[i] == Str && arg.Op != OpStr {
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
