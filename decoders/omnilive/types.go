package omnilive

import (
	"encoding/binary"

	"cutaway/model"
)

// typeLayout is how the bytes of a type's value are laid out.
type typeLayout uint8

const (
	fixed        typeLayout = iota // size bytes
	text                           // uint32 length, bytes
	list                           // uint64 count, items
	record                         // fields, one after another
	listOp                         // header byte, then for each present list a list of items
	rest                           // a value with its own header, to the end
	sized                          // uint64 size, then a value with its own header
	nothing                        // no bytes
	unregistered                   // rest, of few types
)

// shape is the layout of a type.
type shape struct {
	form   typeLayout
	name   string
	size   int64                    // of fixed
	value  func([]byte) model.Value // of fixed
	item   *shape                   // of list and listOp
	fields []part                   // of record
	leads  bool                     // of record: it begins with an asset, a prim and an offset
	most   int64                    // of fixed: the greatest number that has a meaning; 0: all have
}

// part is a field of a record.
type part struct {
	name  string
	shape *shape
}

// valueType is a row of the type table.
type valueType struct {
	name  string
	array bool // may be an array
	shape *shape
}

const timeCode = 58

var (
	le        = binary.LittleEndian
	textShape = &shape{form: text, name: "text"}
	f64Shape  = numberOf("double", model.NumberF64)
	i32Shape  = numberOf("int", model.NumberI32)
	u32Shape  = numberOf("uint", model.NumberU32)
	i64Shape  = numberOf("int64", model.NumberI64)
	u64Shape  = numberOf("uint64", model.NumberU64)
	f32Shape  = numberOf("float", model.NumberF32)
	f16Shape  = numberOf("half", model.NumberF16)
	u8Shape   = numberOf("uchar", model.NumberU8)
	boolShape = &shape{form: fixed, name: "bool", size: 1, value: model.NumberBool.Value, most: 1}

	sizedShape  = &shape{form: sized, name: "value"}
	offsetShape = tuple("LayerOffset", f64Shape, 2)
	dictEntry   = &shape{form: record, name: "entry", fields: []part{{"key", textShape}, {"value", sizedShape}}}
	dictShape   = listOf("entry", dictEntry)
	payload     = &shape{form: record, name: "Payload", leads: true, fields: []part{{"assetPath", textShape}, {"primPath", textShape}, {"layerOffset", offsetShape}}}
	reference   = &shape{form: record, name: "Reference", leads: true, fields: append(payload.fields[:3:3], part{"customData", dictShape})}
)

func numberOf(name string, kind model.NumberKind) *shape {
	return scalarOf(name, kind.Size(), kind.Value)
}

func scalarOf(name string, size int64, value func([]byte) model.Value) *shape {
	return &shape{form: fixed, name: name, size: size, value: value}
}

// tuple is n scalars as one value.
func tuple(name string, of *shape, n int64) *shape {
	return scalarOf(name, of.size*n, func(b []byte) model.Value {
		t := make(model.Tuple, n)
		for i := range t {
			t[i] = of.value(b[int64(i)*of.size:])
		}
		return t
	})
}

// matrix is n rows of n doubles.
func matrix(name string, n int64) *shape { return tuple(name, tuple("row", f64Shape, n), n) }

func listOf(item string, of *shape) *shape { return &shape{form: list, name: item, item: of} }

func listOpOf(of *shape) *shape { return &shape{form: listOp, item: of} }

// enum is a uint32 whose values have names.
func enum(name string, names ...string) *shape {
	return &shape{form: fixed, name: name, size: 4, most: int64(len(names)) - 1, value: func(b []byte) model.Value {
		n := le.Uint32(b)
		s := model.Symbol{Number: int64(n)}
		if int64(n) < int64(len(names)) {
			s.Name = names[n]
		}
		return s
	}}
}

// specTypes are SdfSpecType's names by number.
var specTypes = []string{
	"Unknown", "Attribute", "Connection", "Expression", "Mapper", "MapperArg", "Prim", "PseudoRoot", "Relationship",
	"RelationshipTarget", "Variant", "VariantSet",
}

// valueTypes is the type table by number; 0 is no type.
var valueTypes = []valueType{
	{},
	{"Bool", true, boolShape}, {"UChar", true, u8Shape}, {"Int", true, i32Shape}, {"UInt", true, u32Shape},
	{"Int64", true, i64Shape}, {"UInt64", true, u64Shape}, {"Half", true, f16Shape}, {"Float", true, f32Shape},
	{"Double", true, f64Shape}, {"String", true, textShape}, {"Token", true, textShape}, {"AssetPath", true, textShape},
	{"Matrix2d", true, matrix("Matrix2d", 2)}, {"Matrix3d", true, matrix("Matrix3d", 3)}, {"Matrix4d", true, matrix("Matrix4d", 4)},
	{"Quatd", true, tuple("Quatd", f64Shape, 4)}, {"Quatf", true, tuple("Quatf", f32Shape, 4)}, {"Quath", true, tuple("Quath", f16Shape, 4)},
	{"Vec2d", true, tuple("Vec2d", f64Shape, 2)}, {"Vec2f", true, tuple("Vec2f", f32Shape, 2)}, {"Vec2h", true, tuple("Vec2h", f16Shape, 2)}, {"Vec2i", true, tuple("Vec2i", i32Shape, 2)},
	{"Vec3d", true, tuple("Vec3d", f64Shape, 3)}, {"Vec3f", true, tuple("Vec3f", f32Shape, 3)}, {"Vec3h", true, tuple("Vec3h", f16Shape, 3)}, {"Vec3i", true, tuple("Vec3i", i32Shape, 3)},
	{"Vec4d", true, tuple("Vec4d", f64Shape, 4)}, {"Vec4f", true, tuple("Vec4f", f32Shape, 4)}, {"Vec4h", true, tuple("Vec4h", f16Shape, 4)}, {"Vec4i", true, tuple("Vec4i", i32Shape, 4)},
	{"Dictionary", false, dictShape},
	{"TokenListOp", false, listOpOf(textShape)}, {"StringListOp", false, listOpOf(textShape)}, {"PathListOp", false, listOpOf(textShape)},
	{"ReferenceListOp", false, listOpOf(reference)},
	{"IntListOp", false, listOpOf(i32Shape)}, {"Int64ListOp", false, listOpOf(i64Shape)}, {"UIntListOp", false, listOpOf(u32Shape)}, {"UInt64ListOp", false, listOpOf(u64Shape)},
	{"PathVector", false, listOf("Path", textShape)}, {"TokenVector", false, listOf("Token", textShape)},
	{"Specifier", false, enum("Specifier", "def", "over", "class")}, {"Permission", false, enum("Permission", "public", "private")},
	{"Variability", false, enum("Variability", "varying", "uniform")},
	{"VariantSelectionMap", false, listOf("selection", &shape{form: record, name: "selection", fields: []part{{"variantSet", textShape}, {"variant", textShape}}})},
	{"TimeSamples", false, listOf("sample", &shape{form: record, name: "sample", fields: []part{{"time", f64Shape}, {"value", sizedShape}}})},
	{"Payload", false, payload},
	{"DoubleVector", false, listOf("double", f64Shape)}, {"LayerOffsetVector", false, listOf("LayerOffset", offsetShape)},
	{"StringVector", false, listOf("String", textShape)},
	{"ValueBlock", false, &shape{form: nothing}},
	{"Value", false, &shape{form: rest, name: "value"}},
	{"UnregisteredValue", false, &shape{form: unregistered, name: "value"}},
	{"UnregisteredValueListOp", false, listOpOf(sizedShape)},
	{"Path", false, textShape}, {"SpecType", false, enum("SpecType", specTypes...)},
	{"PayloadListOp", false, listOpOf(payload)},
	{"TimeCode", true, f64Shape},
}

// listOpParts are the lists of a list op in the order of the file, with the bit of the header that says that the
// list is there.
var listOpParts = []struct {
	name string
	bit  uint8
}{{"explicit", 1}, {"added", 2}, {"prepended", 5}, {"appended", 6}, {"deleted", 3}, {"ordered", 4}}
