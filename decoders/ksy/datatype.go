package ksy

import (
	"regexp"
	"strconv"
)

// Kind is what an expression's value is.
type Kind uint8

// The kinds.
const (
	Int Kind = iota
	Float
	Bool
	Str
	Bytes
	EnumValue
	User   // a value of Type
	Struct // a value of a type that isn't known: it has _io and _parent, and can be cast
	Array
	IO  // a stream
	Any // can only be passed on and cast
)

// DataType is the type of an expression. DataTypes are not changed once they are made.
type DataType struct {
	Kind   Kind
	Signed bool
	Width  int // Int: bytes, 0 where it is computed, with Bits: bits; Float: bytes, 0 computed
	Bits   bool
	Enum   *Enum
	Type   *Type
	Of     *DataType // Array: the elements; EnumValue: the integer, nil where it is computed
}

var (
	intType    = &DataType{Kind: Int, Signed: true}
	byteType   = &DataType{Kind: Int, Width: 1}
	floatType  = &DataType{Kind: Float}
	boolType   = &DataType{Kind: Bool}
	strType    = &DataType{Kind: Str}
	bytesType  = &DataType{Kind: Bytes}
	structType = &DataType{Kind: Struct}
	ioType     = &DataType{Kind: IO}
	anyType    = &DataType{Kind: Any}
)

var simpleTypes = map[string]*DataType{"str": strType, "strz": strType, "bytes": bytesType, "bool": boolType, "struct": structType,
	"io": ioType, "any": anyType}

// String says the type to the writer of a description.
func (t *DataType) String() string {
	switch t.Kind {
	case Int:
		return "an integer"
	case Float:
		return "a floating-point number"
	case Bool:
		return "a boolean"
	case Str:
		return "a string"
	case Bytes:
		return "a byte array"
	case EnumValue:
		return "a member of the enum " + t.Enum.path()
	case User:
		return "a " + strconv.Quote(t.Type.path())
	case Struct:
		return "a structure of unknown type"
	case Array:
		return "a list, each element " + t.Of.String()
	case IO:
		return "a stream"
	}
	return "a value of any type"
}

func (e *Enum) path() string {
	if e.Owner.Outer == nil {
		return e.Name
	}
	return e.Owner.path() + "::" + e.Name
}

func (t *DataType) numeric() bool { return t.Kind == Int || t.Kind == Float }

func (t *DataType) isByte() bool { return t.Kind == Int && t.Width == 1 && !t.Bits }

// same reports whether two types have the same values; widths and orders of numbers don't matter.
func same(a, b *DataType) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case EnumValue:
		return a.Enum == b.Enum
	case User:
		return a.Type == b.Type
	case Array:
		return same(a.Of, b.Of)
	}
	return true
}

// combine is the type of a value that is one or the other: of a ternary, a list's elements, a switch. What goes together
// with nothing else gives Any.
func combine(a, b *DataType) *DataType {
	switch {
	case a.Kind == Int && b.Kind == Int:
		if a.isByte() && b.isByte() {
			if a.Signed {
				return b
			}
			return a
		}
		return &DataType{Kind: Int, Signed: a.Signed || b.Signed}
	case a.numeric() && b.numeric():
		return floatType
	case same(a, b):
		return a
	case a.structure() && b.structure():
		return structType
	}
	return anyType
}

func (t *DataType) structure() bool { return t.Kind == User || t.Kind == Struct }

// accepts reports whether a param of type t takes a value of type v.
func (t *DataType) accepts(v *DataType) bool {
	switch {
	case t.Kind == Any, t.Kind == Struct && v.structure(), t.Kind == Float && v.Kind == Int:
		return true
	case t.Kind == Array && v.Kind == Array:
		return t.Of.accepts(v.Of)
	case t.Kind == Array && v.Kind == Bytes:
		return t.Of.Kind == Int
	case t.Kind == User && t.Type.Opaque, v.Kind == User && v.Type.Opaque:
		return t.structure() && v.structure()
	}
	return same(t, v)
}

var builtinPattern = regexp.MustCompile(`^(?:([us])([1248])|f([48])|b(0|[1-9][0-9]{0,3}))(le|be)?$`)

// builtin reads the name of a type of the language that is read from bytes: u1, s4le, f8, b12, b3le. The order is NoOrder
// where the name says none.
func builtin(name string) (use Use, ok bool) {
	m := builtinPattern.FindStringSubmatch(name)
	if m == nil || m[2] == "1" && m[5] != "" {
		return use, false
	}
	use = Use{Form: FormInt, Signed: m[1] == "s", Order: orders[m[5]]}
	if m[3] != "" {
		use.Form = FormFloat
	} else if m[4] != "" {
		use.Form = FormBits
	}
	use.Width, _ = strconv.Atoi(m[2] + m[3] + m[4])
	return use, true
}

// data is the type of a value that is read by a use of the language's own.
func (u *Use) data() *DataType {
	switch u.Form {
	case FormInt:
		return &DataType{Kind: Int, Signed: u.Signed, Width: u.Width}
	case FormFloat:
		return &DataType{Kind: Float, Width: u.Width}
	case FormBits:
		if u.Width == 1 {
			return boolType
		}
		return &DataType{Kind: Int, Width: u.Width, Bits: true}
	case FormStr:
		return strType
	case FormUser:
		return &DataType{Kind: User, Type: u.Type}
	}
	return bytesType
}
