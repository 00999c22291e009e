package table

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// A ValueType is the number of a value's type in a rep (chapter 9).
type ValueType uint8

// The value types, by their numbers.
const (
	TypeBool ValueType = iota + 1
	TypeUchar
	TypeInt
	TypeUint
	TypeInt64
	TypeUint64
	TypeHalf
	TypeFloat
	TypeDouble
	TypeString
	TypeToken
	TypeAsset
	TypeMatrix2d
	TypeMatrix3d
	TypeMatrix4d
	TypeQuatd
	TypeQuatf
	TypeQuath
	TypeDouble2
	TypeFloat2
	TypeHalf2
	TypeInt2
	TypeDouble3
	TypeFloat3
	TypeHalf3
	TypeInt3
	TypeDouble4
	TypeFloat4
	TypeHalf4
	TypeInt4
	TypeDictionary
	TypeTokenListOp
	TypeStringListOp
	TypePathListOp
	TypeReferenceListOp
	TypeIntListOp
	TypeInt64ListOp
	TypeUIntListOp
	TypeUInt64ListOp
	TypePathVector
	TypeTokenVector
	TypeSpecifier
	TypePermission
	TypeVariability
	TypeVariantSelectionMap
	TypeTimeSamples
	TypePayload
	TypeDoubleVector
	TypeLayerOffsetVector
	TypeStringVector
	TypeValueBlock
	TypeValue
	TypeUnregisteredValue
	TypeUnregisteredValueListOp
	TypePayloadListOp
	TypeTimeCode
	TypePathExpression
	TypeRelocates
	TypeSpline
	TypeAnimationBlock
	TypeDuration
	TypeEnd // one after the last
)

// InlineRule says when a value of a type lies in its rep.
type InlineRule uint8

// The rules of inlining.
const (
	InlineNever  InlineRule = iota // always at an offset
	InlineAlways                   // in the rep, whatever the inlined bit
	InlineSmall                    // in the rep where the inlined bit is set, in a smaller encoding (chapter 10)
	InlineEmpty                    // where the inlined bit is set the value is empty
)

// A Scalar is the encoding of one component of an element.
type Scalar uint8

// The encodings of components.
const (
	NoScalar Scalar = iota
	ScalarBool
	ScalarU8
	ScalarI32
	ScalarU32
	ScalarI64
	ScalarU64
	ScalarF16
	ScalarF32
	ScalarF64
	ScalarString // StringIndex
	ScalarToken  // TokenIndex
	ScalarPath   // PathIndex
	ScalarAsset  // in arrays a StringIndex, else a TokenIndex
)

// scalarTypes are the types of the scalars in the description.
var scalarTypes = [...]*grammar.Scalar{ScalarBool: lang.U8, ScalarU8: lang.U8, ScalarI32: lang.I32, ScalarU32: lang.U32, ScalarI64: lang.I64,
	ScalarU64: lang.U64, ScalarF16: lang.F16, ScalarF32: lang.F32, ScalarF64: lang.F64, ScalarString: lang.U32, ScalarToken: lang.U32,
	ScalarPath: lang.U32, ScalarAsset: lang.U32}

var scalarNames = [...]string{"", "bool", "uchar", "int", "uint", "int64", "uint64", "half", "float", "double", "string",
	"token", "path", "asset"}

// scalarNumbers are the numbers that scalars are; indexes are none.
var scalarNumbers = [ScalarAsset + 1]model.NumberKind{ScalarBool: model.NumberBool, ScalarU8: model.NumberU8, ScalarI32: model.NumberI32,
	ScalarU32: model.NumberU32, ScalarI64: model.NumberI64, ScalarU64: model.NumberU64, ScalarF16: model.NumberF16,
	ScalarF32: model.NumberF32, ScalarF64: model.NumberF64}

// Size returns the number of bytes of the encoding.
func (s Scalar) Size() int64 { return scalarSizes[s] }

// String returns the type's name in text layers.
func (s Scalar) String() string { return scalarNames[s] }

// Number returns the kind of number that the scalar is, or model.NoNumber of an index.
func (s Scalar) Number() model.NumberKind { return scalarNumbers[s] }

var scalarSizes = sizesOf(scalarTypes[:])

func sizesOf(types []*grammar.Scalar) (sizes [ScalarAsset + 1]int64) {
	for i, t := range types {
		if t != nil {
			sizes[i] = t.Size()
		}
	}
	return sizes
}

// Shape says how the components of an element make its value.
type Shape uint8

// The shapes.
const (
	Single Shape = iota
	Vector
	Matrix     // rows of equally many components
	Quaternion // i, j, k, real in the file; real, i, j, k in text
)

// An Elem is the encoding of a fixed-size element: of a scalar value, of an array or of a vector type.
type Elem struct {
	Name   string // of its type in text layers
	Scalar Scalar
	Count  int // components
	Shape  Shape
	parts  []string // names of the components, or nil if they are "[i]"
}

// Size returns the number of bytes of the element.
func (e Elem) Size() int64 { return e.Scalar.Size() * int64(e.Count) }

// Rows returns the number of rows of a matrix.
func (e Elem) Rows() int {
	switch e.Count {
	case 4:
		return 2
	case 9:
		return 3
	}
	return 4
}

// A TypeInfo is a row of the table of chapter 9.
type TypeInfo struct {
	Name       string
	Elem       Elem // of the value itself where it has a fixed size, of the items of a list op or vector
	MayBeArray bool // may be an array
	Inline     InlineRule
	Values     []string // the names of an enumeration's values, from 0 on
	coded      uint8    // arrays may be compressed from version 0.coded.0 on, or 0 if never
}

// title returns the type's name for the tables of the description.
func (t *TypeInfo) title() string { return t.Name }

// size returns the number of bytes of an element, or 0 if the type has none.
func (t *TypeInfo) size() int64 { return t.Elem.Size() }

// codedFromNumber returns the first version with compressed arrays, as a number of expressions.
func (t *TypeInfo) codedFromNumber() int64 {
	if t.coded == 0 {
		return math.MaxInt64
	}
	return lang.Version(0, t.coded, 0)
}

// inlineNames are the rules in words.
var inlineNames = [...]string{InlineNever: "", InlineAlways: "always", InlineSmall: "if small", InlineEmpty: "if empty"}

// inlined returns when a value lies in its rep, for the table of the description.
func (t *TypeInfo) inlined() string { return inlineNames[t.Inline] }

// isArray reports whether the type may be an array.
func (t *TypeInfo) isArray() bool { return t.MayBeArray }

// indexNames are the scalars that are numbers of entries.
var indexNames = map[Scalar]string{ScalarString: "StringIndex", ScalarToken: "TokenIndex", ScalarPath: "PathIndex",
	ScalarAsset: "TokenIndex, in arrays StringIndex"}

// encoding returns how an element is stored, for the table of the description.
func (t *TypeInfo) encoding() string {
	if t.Values != nil {
		named := make([]string, len(t.Values))
		for i, name := range t.Values {
			named[i] = fmt.Sprintf("%d %s", i, name)
		}
		return "u32: " + strings.Join(named, ", ")
	}
	e := &t.Elem
	if e.Count == 0 {
		return ""
	}
	words := cmp.Or(indexNames[e.Scalar], scalarTypes[e.Scalar].Name())
	if e.Count > 1 {
		words = fmt.Sprintf("%d %s", e.Count, words)
	}
	switch {
	case e.Shape == Matrix:
		words += ", row by row"
	case e.parts != nil:
		words += ": " + strings.Join(e.parts, ", ")
	}
	return words
}

// elementType returns how an element is described, or nil if the type has none.
func (t *TypeInfo) elementType() lang.Type {
	e := &t.Elem
	if e.Count == 0 {
		return nil
	}
	return lang.Tuple(e.Name, scalarTypes[e.Scalar], int64(e.Count))
}

func plain(name string, s Scalar, count int, shape Shape, inline InlineRule) TypeInfo {
	e := Elem{Name: name, Scalar: s, Count: count, Shape: shape}
	if shape == Quaternion {
		e.parts = []string{"i", "j", "k", "real"}
	}
	return TypeInfo{Name: name, Elem: e, MayBeArray: true, Inline: inline}
}

// codedFrom sets the first version with compressed arrays: 0.minor.0.
func (t TypeInfo) codedFrom(minor uint8) TypeInfo {
	t.coded = minor
	return t
}

func enum(name string, values ...string) TypeInfo {
	return TypeInfo{Name: name, Inline: InlineAlways, Values: values}
}

func list(name string, s Scalar) TypeInfo {
	return TypeInfo{Name: name, Elem: SingleOf(scalarNames[s], s)}
}

// SingleOf returns an element of a single component.
func SingleOf(name string, s Scalar) Elem { return Elem{Name: name, Scalar: s, Count: 1} }

// pair returns an element of two components with names.
func pair(name string, s Scalar, first, second string) Elem {
	return Elem{Name: name, Scalar: s, Count: 2, Shape: Vector, parts: []string{first, second}}
}

// Types is the table of chapter 9. Types without a name do not exist.
var Types = [TypeEnd]TypeInfo{
	TypeBool:     plain("bool", ScalarBool, 1, Single, InlineAlways),
	TypeUchar:    plain("uchar", ScalarU8, 1, Single, InlineAlways),
	TypeInt:      plain("int", ScalarI32, 1, Single, InlineAlways).codedFrom(5),
	TypeUint:     plain("uint", ScalarU32, 1, Single, InlineAlways).codedFrom(5),
	TypeInt64:    plain("int64", ScalarI64, 1, Single, InlineSmall).codedFrom(5),
	TypeUint64:   plain("uint64", ScalarU64, 1, Single, InlineSmall).codedFrom(5),
	TypeHalf:     plain("half", ScalarF16, 1, Single, InlineAlways).codedFrom(6),
	TypeFloat:    plain("float", ScalarF32, 1, Single, InlineAlways).codedFrom(6),
	TypeDouble:   plain("double", ScalarF64, 1, Single, InlineSmall).codedFrom(6),
	TypeString:   plain("string", ScalarString, 1, Single, InlineAlways),
	TypeToken:    plain("token", ScalarToken, 1, Single, InlineAlways),
	TypeAsset:    plain("asset", ScalarAsset, 1, Single, InlineAlways),
	TypeMatrix2d: plain("matrix2d", ScalarF64, 4, Matrix, InlineSmall),
	TypeMatrix3d: plain("matrix3d", ScalarF64, 9, Matrix, InlineSmall),
	TypeMatrix4d: plain("matrix4d", ScalarF64, 16, Matrix, InlineSmall),
	TypeQuatd:    plain("quatd", ScalarF64, 4, Quaternion, InlineNever),
	TypeQuatf:    plain("quatf", ScalarF32, 4, Quaternion, InlineNever),
	TypeQuath:    plain("quath", ScalarF16, 4, Quaternion, InlineNever),
	TypeDouble2:  plain("double2", ScalarF64, 2, Vector, InlineSmall),
	TypeFloat2:   plain("float2", ScalarF32, 2, Vector, InlineSmall),
	TypeHalf2:    plain("half2", ScalarF16, 2, Vector, InlineAlways),
	TypeInt2:     plain("int2", ScalarI32, 2, Vector, InlineSmall),
	TypeDouble3:  plain("double3", ScalarF64, 3, Vector, InlineSmall),
	TypeFloat3:   plain("float3", ScalarF32, 3, Vector, InlineSmall),
	TypeHalf3:    plain("half3", ScalarF16, 3, Vector, InlineSmall),
	TypeInt3:     plain("int3", ScalarI32, 3, Vector, InlineSmall),
	TypeDouble4:  plain("double4", ScalarF64, 4, Vector, InlineSmall),
	TypeFloat4:   plain("float4", ScalarF32, 4, Vector, InlineSmall),
	TypeHalf4:    plain("half4", ScalarF16, 4, Vector, InlineSmall),
	TypeInt4:     plain("int4", ScalarI32, 4, Vector, InlineSmall),

	TypeDictionary:      {Name: "dictionary", Inline: InlineEmpty},
	TypeTokenListOp:     list("TokenListOp", ScalarToken),
	TypeStringListOp:    list("StringListOp", ScalarString),
	TypePathListOp:      list("PathListOp", ScalarPath),
	TypeReferenceListOp: {Name: "ReferenceListOp"},
	TypeIntListOp:       list("IntListOp", ScalarI32),
	TypeInt64ListOp:     list("Int64ListOp", ScalarI64),
	TypeUIntListOp:      list("UIntListOp", ScalarU32),
	TypeUInt64ListOp:    list("UInt64ListOp", ScalarU64),
	TypePathVector:      list("PathVector", ScalarPath),
	TypeTokenVector:     list("TokenVector", ScalarToken),
	TypeSpecifier:       enum("Specifier", "def", "over", "class"),
	TypePermission:      enum("Permission", "public", "private"),
	// 2 is the legacy "config", which every reader takes for uniform.
	TypeVariability:             enum("Variability", "varying", "uniform", "uniform"),
	TypeVariantSelectionMap:     {Name: "VariantSelectionMap", Elem: pair("selection", ScalarString, "set", "selection")},
	TypeTimeSamples:             {Name: "TimeSamples"},
	TypePayload:                 {Name: "Payload"},
	TypeDoubleVector:            list("DoubleVector", ScalarF64),
	TypeLayerOffsetVector:       {Name: "LayerOffsetVector", Elem: pair("LayerOffset", ScalarF64, "offset", "scale")},
	TypeStringVector:            list("StringVector", ScalarString),
	TypeValueBlock:              {Name: "ValueBlock", Inline: InlineAlways},
	TypeValue:                   {Name: "Value"},
	TypeUnregisteredValue:       {Name: "UnregisteredValue"},
	TypeUnregisteredValueListOp: {Name: "UnregisteredValueListOp"},
	TypePayloadListOp:           {Name: "PayloadListOp"},
	TypeTimeCode:                {Name: "timecode", Elem: SingleOf("timecode", ScalarF64), MayBeArray: true},
	TypePathExpression:          {Name: "pathExpression", Elem: SingleOf("pathExpression", ScalarString), MayBeArray: true},
	TypeRelocates:               {Name: "Relocates", Elem: pair("relocate", ScalarPath, "source", "target")},
	TypeSpline:                  {Name: "Spline"},
	TypeAnimationBlock:          {Name: "AnimationBlock", Inline: InlineAlways},
	TypeDuration:                {Name: "duration", Elem: SingleOf("duration", ScalarF64), MayBeArray: true},
}

// typeNames returns the names of the types by their numbers.
func typeNames() []string {
	names := make([]string, TypeEnd)
	for i := range Types {
		names[i] = Types[i].Name
	}
	return names
}

// known reports whether the number is that of a type.
func (t ValueType) known() bool { return t > 0 && t < TypeEnd }

// Info returns the type's row of the table, or an empty one if there is no such type.
func (t ValueType) Info() *TypeInfo {
	if !t.known() {
		return &TypeInfo{}
	}
	return &Types[t]
}

// String returns the type's name in text layers.
func (t ValueType) String() string {
	if !t.known() {
		return fmt.Sprintf("type %d", uint8(t))
	}
	return Types[t].Name
}

// nests reports whether values of the type hold reps of other values.
func (t ValueType) nests() bool {
	switch t {
	case TypeDictionary, TypeReferenceListOp, TypeTimeSamples, TypeValue, TypeUnregisteredValue,
		TypeUnregisteredValueListOp, TypeSpline:
		return true
	}
	return false
}

// Arrange puts the components of an element into the order and shape of text layers.
func (e *Elem) Arrange(all model.Tuple) model.Value {
	switch e.Shape {
	case Quaternion:
		return model.Tuple{all[3], all[0], all[1], all[2]}
	case Matrix:
		n := e.Rows()
		rows := make(model.Tuple, n)
		for r := range rows {
			rows[r] = all[r*n : (r+1)*n : (r+1)*n]
		}
		return rows
	}
	return all
}

// PartName returns the name of component i.
func (e *Elem) PartName(i int64) string {
	if e.parts != nil {
		return e.parts[i]
	}
	return model.IndexName(i)
}

// Packing describes elements one after the other.
func (e *Elem) Packing() model.Packing {
	p := model.Packing{Number: scalarNumbers[e.Scalar], Components: e.Count}
	if e.Shape == Quaternion {
		p.Order = []int{3, 0, 1, 2}
	}
	return p
}
