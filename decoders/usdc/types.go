package usdc

import (
	"fmt"
	"math"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// valueType is the number of a value's type in a rep (chapter 9).
type valueType uint8

// The value types, by their numbers.
const (
	typeBool valueType = iota + 1
	typeUchar
	typeInt
	typeUint
	typeInt64
	typeUint64
	typeHalf
	typeFloat
	typeDouble
	typeString
	typeToken
	typeAsset
	typeMatrix2d
	typeMatrix3d
	typeMatrix4d
	typeQuatd
	typeQuatf
	typeQuath
	typeDouble2
	typeFloat2
	typeHalf2
	typeInt2
	typeDouble3
	typeFloat3
	typeHalf3
	typeInt3
	typeDouble4
	typeFloat4
	typeHalf4
	typeInt4
	typeDictionary
	typeTokenListOp
	typeStringListOp
	typePathListOp
	typeReferenceListOp
	typeIntListOp
	typeInt64ListOp
	typeUIntListOp
	typeUInt64ListOp
	typePathVector
	typeTokenVector
	typeSpecifier
	typePermission
	typeVariability
	typeVariantSelectionMap
	typeTimeSamples
	typePayload
	typeDoubleVector
	typeLayerOffsetVector
	typeStringVector
	typeValueBlock
	typeValue
	typeUnregisteredValue
	typeUnregisteredValueListOp
	typePayloadListOp
	typeTimeCode
	typePathExpression
	typeRelocates
	typeSpline
	typeAnimationBlock
	typeDuration
	typeEnd // one after the last
)

// inlineRule says when a value of a type lies in its rep.
type inlineRule uint8

const (
	inlineNever  inlineRule = iota // always at an offset
	inlineAlways                   // in the rep, whatever the inlined bit
	inlineSmall                    // in the rep where the inlined bit is set, in a smaller encoding (chapter 10)
	inlineEmpty                    // where the inlined bit is set the value is empty
)

// scalar is the encoding of one component of an element.
type scalar uint8

const (
	noScalar scalar = iota
	scalarBool
	scalarU8
	scalarI32
	scalarU32
	scalarI64
	scalarU64
	scalarF16
	scalarF32
	scalarF64
	scalarString // StringIndex
	scalarToken  // TokenIndex
	scalarPath   // PathIndex
	scalarAsset  // in arrays a StringIndex, else a TokenIndex
)

// scalarTypes are the types of the scalars in the description.
var scalarTypes = [...]*grammar.Scalar{scalarBool: lang.U8, scalarU8: lang.U8, scalarI32: lang.I32, scalarU32: lang.U32, scalarI64: lang.I64,
	scalarU64: lang.U64, scalarF16: lang.F16, scalarF32: lang.F32, scalarF64: lang.F64, scalarString: lang.U32, scalarToken: lang.U32,
	scalarPath: lang.U32, scalarAsset: lang.U32}

var scalarNames = [...]string{"", "bool", "uchar", "int", "uint", "int64", "uint64", "half", "float", "double", "string",
	"token", "path", "asset"}

// scalarNumbers are the numbers that scalars are; indexes are none.
var scalarNumbers = [scalarAsset + 1]model.NumberKind{scalarBool: model.NumberBool, scalarU8: model.NumberU8, scalarI32: model.NumberI32,
	scalarU32: model.NumberU32, scalarI64: model.NumberI64, scalarU64: model.NumberU64, scalarF16: model.NumberF16,
	scalarF32: model.NumberF32, scalarF64: model.NumberF64}

// size is the number of bytes of the encoding.
func (s scalar) size() int64 { return scalarSizes[s] }

// String returns the type's name in text layers.
func (s scalar) String() string { return scalarNames[s] }

// number returns the kind of number that the scalar is, or model.NoNumber of an index.
func (s scalar) number() model.NumberKind { return scalarNumbers[s] }

var scalarSizes = sizesOf(scalarTypes[:])

func sizesOf(types []*grammar.Scalar) (sizes [scalarAsset + 1]int64) {
	for i, t := range types {
		if t != nil {
			sizes[i] = t.Size()
		}
	}
	return sizes
}

// shape says how the components of an element make its value.
type shape uint8

const (
	single shape = iota
	vector
	matrix     // rows of equally many components
	quaternion // i, j, k, real in the file; real, i, j, k in text
)

// elem is the encoding of a fixed-size element: of a scalar value, of an array or of a vector type.
type elem struct {
	name   string // of its type in text layers
	scalar scalar
	count  int // components
	shape  shape
	parts  []string // names of the components, or nil if they are "[i]"
}

// size is the number of bytes of the element.
func (e elem) size() int64 { return e.scalar.size() * int64(e.count) }

// rows is the number of rows of a matrix.
func (e elem) rows() int {
	switch e.count {
	case 4:
		return 2
	case 9:
		return 3
	}
	return 4
}

// typeInfo is one row of the table of chapter 9.
type typeInfo struct {
	name   string
	elem   elem // of the value itself where it has a fixed size, of the items of a list op or vector
	array  bool // may be an array
	inline inlineRule
	values []string // the names of an enumeration's values, from 0 on
	coded  uint8    // arrays may be compressed from version 0.coded.0 on, or 0 if never
}

// title returns the type's name for the tables of the description.
func (t *typeInfo) title() string { return t.name }

// size returns the number of bytes of an element, or 0 if the type has none.
func (t *typeInfo) size() int64 { return t.elem.size() }

// codedFromNumber returns the version from which on arrays may be compressed, as expressions have it.
func (t *typeInfo) codedFromNumber() int64 {
	if t.coded == 0 {
		return math.MaxInt64
	}
	return lang.Version(0, t.coded, 0)
}

// elementType returns how an element is described, or nil if the type has none.
func (t *typeInfo) elementType() lang.Type {
	e := &t.elem
	if e.count == 0 {
		return nil
	}
	return lang.Tuple(e.name, scalarTypes[e.scalar], int64(e.count))
}

func plain(name string, s scalar, count int, shape shape, inline inlineRule) typeInfo {
	e := elem{name: name, scalar: s, count: count, shape: shape}
	if shape == quaternion {
		e.parts = []string{"i", "j", "k", "real"}
	}
	return typeInfo{name: name, elem: e, array: true, inline: inline}
}

// codedFrom sets the version from which on arrays may be compressed.
func (t typeInfo) codedFrom(minor uint8) typeInfo {
	t.coded = minor
	return t
}

func enum(name string, values ...string) typeInfo {
	return typeInfo{name: name, inline: inlineAlways, values: values}
}

func list(name string, s scalar) typeInfo {
	return typeInfo{name: name, elem: singleOf(scalarNames[s], s)}
}

// singleOf is an element of a single component.
func singleOf(name string, s scalar) elem { return elem{name: name, scalar: s, count: 1} }

// pair is an element of two components with names.
func pair(name string, s scalar, first, second string) elem {
	return elem{name: name, scalar: s, count: 2, shape: vector, parts: []string{first, second}}
}

// types is the table of chapter 9. Types without a name do not exist.
var types = [typeEnd]typeInfo{
	typeBool:     plain("bool", scalarBool, 1, single, inlineAlways),
	typeUchar:    plain("uchar", scalarU8, 1, single, inlineAlways),
	typeInt:      plain("int", scalarI32, 1, single, inlineAlways).codedFrom(5),
	typeUint:     plain("uint", scalarU32, 1, single, inlineAlways).codedFrom(5),
	typeInt64:    plain("int64", scalarI64, 1, single, inlineSmall).codedFrom(5),
	typeUint64:   plain("uint64", scalarU64, 1, single, inlineSmall).codedFrom(5),
	typeHalf:     plain("half", scalarF16, 1, single, inlineAlways).codedFrom(6),
	typeFloat:    plain("float", scalarF32, 1, single, inlineAlways).codedFrom(6),
	typeDouble:   plain("double", scalarF64, 1, single, inlineSmall).codedFrom(6),
	typeString:   plain("string", scalarString, 1, single, inlineAlways),
	typeToken:    plain("token", scalarToken, 1, single, inlineAlways),
	typeAsset:    plain("asset", scalarAsset, 1, single, inlineAlways),
	typeMatrix2d: plain("matrix2d", scalarF64, 4, matrix, inlineSmall),
	typeMatrix3d: plain("matrix3d", scalarF64, 9, matrix, inlineSmall),
	typeMatrix4d: plain("matrix4d", scalarF64, 16, matrix, inlineSmall),
	typeQuatd:    plain("quatd", scalarF64, 4, quaternion, inlineNever),
	typeQuatf:    plain("quatf", scalarF32, 4, quaternion, inlineNever),
	typeQuath:    plain("quath", scalarF16, 4, quaternion, inlineNever),
	typeDouble2:  plain("double2", scalarF64, 2, vector, inlineSmall),
	typeFloat2:   plain("float2", scalarF32, 2, vector, inlineSmall),
	typeHalf2:    plain("half2", scalarF16, 2, vector, inlineAlways),
	typeInt2:     plain("int2", scalarI32, 2, vector, inlineSmall),
	typeDouble3:  plain("double3", scalarF64, 3, vector, inlineSmall),
	typeFloat3:   plain("float3", scalarF32, 3, vector, inlineSmall),
	typeHalf3:    plain("half3", scalarF16, 3, vector, inlineSmall),
	typeInt3:     plain("int3", scalarI32, 3, vector, inlineSmall),
	typeDouble4:  plain("double4", scalarF64, 4, vector, inlineSmall),
	typeFloat4:   plain("float4", scalarF32, 4, vector, inlineSmall),
	typeHalf4:    plain("half4", scalarF16, 4, vector, inlineSmall),
	typeInt4:     plain("int4", scalarI32, 4, vector, inlineSmall),

	typeDictionary:      {name: "dictionary", inline: inlineEmpty},
	typeTokenListOp:     list("TokenListOp", scalarToken),
	typeStringListOp:    list("StringListOp", scalarString),
	typePathListOp:      list("PathListOp", scalarPath),
	typeReferenceListOp: {name: "ReferenceListOp"},
	typeIntListOp:       list("IntListOp", scalarI32),
	typeInt64ListOp:     list("Int64ListOp", scalarI64),
	typeUIntListOp:      list("UIntListOp", scalarU32),
	typeUInt64ListOp:    list("UInt64ListOp", scalarU64),
	typePathVector:      list("PathVector", scalarPath),
	typeTokenVector:     list("TokenVector", scalarToken),
	typeSpecifier:       enum("Specifier", "def", "over", "class"),
	typePermission:      enum("Permission", "public", "private"),
	// 2 is the legacy "config", which every reader takes for uniform.
	typeVariability:             enum("Variability", "varying", "uniform", "uniform"),
	typeVariantSelectionMap:     {name: "VariantSelectionMap", elem: pair("selection", scalarString, "set", "selection")},
	typeTimeSamples:             {name: "TimeSamples"},
	typePayload:                 {name: "Payload"},
	typeDoubleVector:            list("DoubleVector", scalarF64),
	typeLayerOffsetVector:       {name: "LayerOffsetVector", elem: pair("LayerOffset", scalarF64, "offset", "scale")},
	typeStringVector:            list("StringVector", scalarString),
	typeValueBlock:              {name: "ValueBlock", inline: inlineAlways},
	typeValue:                   {name: "Value"},
	typeUnregisteredValue:       {name: "UnregisteredValue"},
	typeUnregisteredValueListOp: {name: "UnregisteredValueListOp"},
	typePayloadListOp:           {name: "PayloadListOp"},
	typeTimeCode:                {name: "timecode", elem: singleOf("timecode", scalarF64), array: true},
	typePathExpression:          {name: "pathExpression", elem: singleOf("pathExpression", scalarString), array: true},
	typeRelocates:               {name: "Relocates", elem: pair("relocate", scalarPath, "source", "target")},
	typeSpline:                  {name: "Spline"},
	typeAnimationBlock:          {name: "AnimationBlock", inline: inlineAlways},
	typeDuration:                {name: "duration", elem: singleOf("duration", scalarF64), array: true},
}

// typeNames are the names of the types by their numbers.
func typeNames() []string {
	names := make([]string, typeEnd)
	for i := range types {
		names[i] = types[i].name
	}
	return names
}

// known reports whether the number is that of a type.
func (t valueType) known() bool { return t > 0 && t < typeEnd }

// info is the type's row of the table; an empty one for unknown types.
func (t valueType) info() *typeInfo {
	if !t.known() {
		return &typeInfo{}
	}
	return &types[t]
}

// String is the type's name in text layers.
func (t valueType) String() string {
	if !t.known() {
		return fmt.Sprintf("type %d", uint8(t))
	}
	return types[t].name
}

// nests reports whether values of the type hold reps of other values.
func (t valueType) nests() bool {
	switch t {
	case typeDictionary, typeReferenceListOp, typeTimeSamples, typeValue, typeUnregisteredValue,
		typeUnregisteredValueListOp, typeSpline:
		return true
	}
	return false
}

// arrange puts the components of an element into the order and shape of text layers.
func (e *elem) arrange(all model.Tuple) model.Value {
	switch e.shape {
	case quaternion:
		return model.Tuple{all[3], all[0], all[1], all[2]}
	case matrix:
		n := e.rows()
		rows := make(model.Tuple, n)
		for r := range rows {
			rows[r] = all[r*n : (r+1)*n : (r+1)*n]
		}
		return rows
	}
	return all
}

// partName is the name of component i.
func (e *elem) partName(i int64) string {
	if e.parts != nil {
		return e.parts[i]
	}
	return model.IndexName(i)
}

// packing describes elements one after the other.
func (e *elem) packing() model.Packing {
	p := model.Packing{Number: scalarNumbers[e.scalar], Components: e.count}
	if e.shape == quaternion {
		p.Order = []int{3, 0, 1, 2}
	}
	return p
}
