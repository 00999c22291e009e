package expr

// Kind is the kind of an expression's value.
type Kind uint8

// The kinds.
const (
	Int Kind = iota
	Float
	Bool
	Str
	Bytes
	EnumValue // a member of Named
	User      // a structure of the type Named
	Struct    // a structure of unknown type: it has _io and _parent, and can be cast
	Array
	IO  // a stream
	Any // Kaitai: can only be passed on and cast; BuiltIn: known when it is computed
)

// A Type is the type of an expression. Types do not change once they are made.
type Type struct {
	Kind   Kind
	Signed bool
	Width  int // Int: bytes, 0 where it is computed, with Bits: bits; Float: bytes, 0 computed
	Bits   bool
	Named  Named // EnumValue, User
	Of     *Type // Array: the elements; EnumValue: the integer, nil where it is computed
}

// Named is an enum or a type that a description declares. Types of equal Named are the same.
type Named interface {
	// Words names it to the writer of a description.
	Words() string
}

// The types of computed values.
var (
	IntType    = &Type{Kind: Int, Signed: true}
	ByteType   = &Type{Kind: Int, Width: 1}
	FloatType  = &Type{Kind: Float}
	BoolType   = &Type{Kind: Bool}
	StrType    = &Type{Kind: Str}
	BytesType  = &Type{Kind: Bytes}
	StructType = &Type{Kind: Struct}
	IOType     = &Type{Kind: IO}
	AnyType    = &Type{Kind: Any}
)

var kindWords = [...]string{Int: "an integer", Float: "a floating-point number", Bool: "a boolean", Str: "a string", Bytes: "a byte array",
	Struct: "a structure of unknown type", IO: "a stream", Any: "a value of any type"}

// String names the type to the writer of a description.
func (t *Type) String() string {
	switch t.Kind {
	case EnumValue:
		return "a member of the enum " + t.Named.Words()
	case User:
		return "a " + t.Named.Words()
	case Array:
		return "a list, each element " + t.Of.String()
	}
	return kindWords[t.Kind]
}

// isNumber reports whether values are integers or floats.
func (t *Type) isNumber() bool { return t.Kind == Int || t.Kind == Float }

// IsByte reports whether values are integers of one byte.
func (t *Type) IsByte() bool { return t.Kind == Int && t.Width == 1 && !t.Bits }

// IsStructure reports whether values have fields.
func (t *Type) IsStructure() bool { return t.Kind == User || t.Kind == Struct }

// Same reports whether two types have the same values, whatever the widths of numbers.
func Same(a, b *Type) bool {
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == Array:
		return Same(a.Of, b.Of)
	}
	return a.Named == b.Named
}

// Combine returns the type of a value that is of a or b: of a ternary, a list's elements, a switch. It is AnyType where
// they have nothing in common.
func Combine(a, b *Type) *Type {
	switch {
	case a.Kind == Int && b.Kind == Int:
		if a.IsByte() && b.IsByte() {
			if a.Signed {
				return b
			}
			return a
		}
		return &Type{Kind: Int, Signed: a.Signed || b.Signed}
	case a.isNumber() && b.isNumber():
		return FloatType
	case Same(a, b):
		return a
	case a.IsStructure() && b.IsStructure():
		return StructType
	}
	return AnyType
}
