package ksy

import "math/big"

// Op is what an expression does.
type Op uint8

// The operations. Args holds the operands in the order of the text.
const (
	OpInt       Op = iota // Int
	OpFloat               // Float
	OpStr                 // Str
	OpBool                // Bool
	OpFormat              // f"…": the pieces, literals as OpStr
	OpList                // of type Bytes where all elements are bytes
	OpName                // a name alone: Field or Special
	OpMember              // enum::member
	OpAttr                // Args[0].Name: Field, Special or Method
	OpCall                // Args[0].Name(Args[1:]): Method
	OpIndex               // Args[0][Args[1]]
	OpCast                // Args[0].as<Type>
	OpSizeOf              // sizeof<…>, _sizeof: Int
	OpBitSizeOf           // bitsizeof<…>: Int
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
	OpBitOr
	OpBitXor
	OpBitAnd
	OpShiftLeft
	OpShiftRight
	OpAdd // also joins strings
	OpSubtract
	OpMultiply
	OpDivide // of integers: rounded down
	OpModulo // of integers: never negative for a positive divisor
	OpCond   // Args[0] ? Args[1] : Args[2]
)

// Special is a name that the language gives.
type Special uint8

// The special names.
const (
	NotSpecial Special = iota
	Root
	Parent
	Stream  // _io
	Index   // _index
	Current // _
	On      // _on
	SizeOf  // _sizeof: Int holds it
)

var specials = map[string]Special{"_root": Root, "_parent": Parent, "_io": Stream, "_index": Index, "_": Current, "_on": On, "_sizeof": SizeOf}

// Expr is a node of an expression. What it means is filled in by the check.
type Expr struct {
	Op      Op
	Offset  int // in the text of the scalar that it is written in, bytes
	Args    []*Expr
	Name    string
	Int     *big.Int
	Float   float64
	Str     string
	Bool    bool
	Field   *Field
	Special Special
	Method  Method
	Enum    *Enum
	Member  *EnumMember
	Type    *DataType // nil where it is wrong

	node *node
	name *name    // OpMember
	ref  *typeRef // OpCast, OpSizeOf, OpBitSizeOf
}

// Place is where the expression is written.
func (e *Expr) Place() (path string, line, column int) {
	line, column = e.node.placeOf(e.Offset)
	return e.node.path(), line, column
}

// name is a::b::c, not resolved yet.
type name struct {
	parts    []string
	absolute bool // ::a
	offset   int
	node     *node
}

// typeRef is a type as params, casts and sizeof name it.
type typeRef struct {
	name  *name
	array bool
}
