package expr

import (
	"fmt"
	"math/big"
	"strings"
)

// A Dialect selects what the text of an expression may say.
type Dialect uint8

// The dialects.
const (
	Kaitai  Dialect = iota // of .ksy files
	BuiltIn                // of the program's own descriptions
)

// Op is the operation of a node.
type Op uint8

// The operations. Args holds the operands in the order of the text.
const (
	OpInt       Op = iota // Int; Name holds a version or a character as written
	OpFloat               // Float
	OpStr                 // Str
	OpBool                // Bool
	OpFormat              // f"…": the pieces, literals as OpStr
	OpShown               // {Args[0]:Name}, of OpFormat; BuiltIn
	OpList                // [Args…]
	OpName                // Name alone
	OpFunc                // Name(Args…); BuiltIn
	OpMember              // Path: enum::member; Kaitai
	OpAttr                // Args[0].Name
	OpCall                // Args[0].Name(Args[1:]…)
	OpIndex               // Args[0][Args[1]]
	OpCast                // Args[0].as<Ref>; Kaitai
	OpSizeOf              // sizeof<Ref>; Kaitai
	OpBitSizeOf           // bitsizeof<Ref>; Kaitai
	OpNot
	OpNegate
	OpInvert
	OpAnd
	OpOr
	OpEqual
	OpUnequal
	OpLess
	OpAtMost
	OpGreater
	OpAtLeast
	OpWithin // Args[0] in Args[1]..Args[2]; BuiltIn
	OpIn     // Args[0] in (Args[1:]…); BuiltIn
	OpBitOr
	OpBitXor
	OpBitAnd
	OpBitClear // &^; BuiltIn
	OpShiftLeft
	OpShiftRight
	OpAdd // joins strings as well
	OpSubtract
	OpMultiply
	OpDivide
	OpModulo
	OpCond // Args[0] ? Args[1] : Args[2]
)

// IsComparison reports whether the operation compares two values.
func (op Op) IsComparison() bool { return op >= OpEqual && op <= OpAtLeast }

// Holds reports whether a comparison is true of values in an order: -1, 0 or 1, or 2 where there is none.
func (op Op) Holds(order int) bool {
	switch op {
	case OpEqual:
		return order == 0
	case OpUnequal:
		return order != 0
	case OpLess:
		return order == -1
	case OpAtMost:
		return order == -1 || order == 0
	case OpGreater:
		return order == 1
	}
	return order == 0 || order == 1
}

// String returns the operator as it is written.
func (op Op) String() string {
	for text, binary := range binaryOps {
		if binary.op == op {
			return text
		}
	}
	return map[Op]string{OpNot: "not", OpNegate: "-", OpInvert: "~", OpCond: "? :", OpWithin: "in", OpIn: "in"}[op]
}

// An Expr is a node of the tree of an expression. Infer adds its Type, and an Env its Meaning.
type Expr struct {
	Op     Op
	Offset int // in the text, bytes: of the operator or of the first word
	Args   []*Expr
	Name   string
	Int    *big.Int
	Float  float64
	Str    string
	Bool   bool
	Path   *Path    // OpMember
	Ref    *TypeRef // OpCast, OpSizeOf, OpBitSizeOf
	Origin any      // as given to the parser: where the text is from

	Type    *Type // nil where it is wrong
	Meaning any   // of a name, as its Env has it
}

// Start returns the offset of the first byte of the expression.
func (x *Expr) Start() int {
	for len(x.Args) > 0 && x.Args[0].Offset < x.Offset {
		x = x.Args[0]
	}
	return x.Offset
}

// Dotted returns the words of a name with dots, a.b.c, or nil if the expression is none.
func (x *Expr) Dotted() []string {
	switch x.Op {
	case OpName:
		return []string{x.Name}
	case OpAttr:
		if words := x.Args[0].Dotted(); words != nil {
			return append(words, x.Name)
		}
	}
	return nil
}

// A Path is a name such as a::b::c.
type Path struct {
	Parts    []string
	Absolute bool // ::a
	Offset   int
	Origin   any
}

// String returns the path as it is written.
func (p *Path) String() string {
	text := strings.Join(p.Parts, "::")
	if p.Absolute {
		return "::" + text
	}
	return text
}

// A TypeRef names a type, or an array of it: a::b[].
type TypeRef struct {
	Path  *Path
	Array bool
}

// An Error is the first place of a text where it is no expression.
type Error struct {
	Offset  int // bytes
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func failAt(offset int, format string, args ...any) *Error {
	return &Error{offset, fmt.Sprintf(format, args...)}
}
