// Package types holds the table of the types of UDM values, for both forms of a file.
package types

import (
	"fmt"

	"cutaway/model"
)

// ID is a type's number in the binary form (chapter 3).
type ID uint8

// The types by their numbers.
const (
	Nil ID = iota
	String
	UTF8
	Int8
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
	Float
	Double
	Bool
	Vec2
	Vec3
	Vec4
	Quat
	Ang
	Srgba
	Hdr
	Transform
	STransform
	Mat4
	Mat3x4
	Blob
	LZ4
	Element
	Array
	ArrayLZ4
	Ref
	Struct
	Half
	Vec2i
	Vec3i
	Vec4i
	Count
	Unknown ID = 255 // the reference's mark for "invalid"
)

// Info is a line of the table of chapter 3. A fixed-size type is numbers of one scalar type; groups says how many
// are together in each part of it: a transform is 3 and 4.
type Info struct {
	name   string
	size   int64 // bytes; variable: -1
	Scalar ID    // what its numbers are
	Groups []int
}

const variable = -1

// Table holds the types by their numbers.
var Table = [Count]Info{
	Nil:        {"nil", 0, Nil, nil},
	String:     {"string", variable, Nil, nil},
	UTF8:       {"utf8", variable, Nil, nil},
	Int8:       {"int8", 1, Int8, nil},
	Uint8:      {"uint8", 1, Uint8, nil},
	Int16:      {"int16", 2, Int16, nil},
	Uint16:     {"uint16", 2, Uint16, nil},
	Int32:      {"int32", 4, Int32, nil},
	Uint32:     {"uint32", 4, Uint32, nil},
	Int64:      {"int64", 8, Int64, nil},
	Uint64:     {"uint64", 8, Uint64, nil},
	Float:      {"float", 4, Float, nil},
	Double:     {"double", 8, Double, nil},
	Bool:       {"bool", 1, Bool, nil},
	Vec2:       {"vec2", 8, Float, []int{2}},
	Vec3:       {"vec3", 12, Float, []int{3}},
	Vec4:       {"vec4", 16, Float, []int{4}},
	Quat:       {"quat", 16, Float, []int{4}},
	Ang:        {"ang", 12, Float, []int{3}},
	Srgba:      {"srgba", 4, Uint8, []int{4}},
	Hdr:        {"hdr", 6, Uint16, []int{3}},
	Transform:  {"transform", 28, Float, []int{3, 4}},
	STransform: {"stransform", 40, Float, []int{3, 4, 3}},
	Mat4:       {"mat4", 64, Float, []int{4, 4, 4, 4}},
	Mat3x4:     {"mat3x4", 48, Float, []int{4, 4, 4}},
	Blob:       {"blob", variable, Nil, nil},
	LZ4:        {"lz4", variable, Nil, nil},
	Element:    {"element", variable, Nil, nil},
	Array:      {"array", variable, Nil, nil},
	ArrayLZ4:   {"arrayLz4", variable, Nil, nil},
	Ref:        {"ref", variable, Nil, nil},
	Struct:     {"struct", variable, Nil, nil},
	Half:       {"half", 2, Half, nil},
	Vec2i:      {"vec2i", 8, Int32, []int{2}},
	Vec3i:      {"vec3i", 12, Int32, []int{3}},
	Vec4i:      {"vec4i", 16, Int32, []int{4}},
}

var typesByName = func() map[string]ID {
	m := make(map[string]ID, Count)
	for t := range Count {
		m[Table[t].name] = t
	}
	return m
}()

// Named finds a type by its ASCII name; Unknown: there is none.
func Named(name string) ID {
	if t, ok := typesByName[name]; ok {
		return t
	}
	return Unknown
}

// All returns the types by their numbers.
func All() []ID {
	all := make([]ID, Count)
	for t := range Count {
		all[t] = t
	}
	return all
}

// Known reports whether there is such a type.
func (t ID) Known() bool { return t < Count }

// Fixed reports whether all values of the type have one size.
func (t ID) Fixed() bool { return t.Known() && Table[t].size >= 0 }

// Size is that of a fixed-size type, in bytes.
func (t ID) Size() int64 { return Table[t].size }

// String is the type's ASCII name; "" where there is none.
func (t ID) String() string {
	if !t.Known() {
		return ""
	}
	return Table[t].name
}

// Numbers returns the number of numbers of a value made of several, or else 0.
func (t ID) Numbers() int {
	n := 0
	for _, g := range Table[t].Groups {
		n += g
	}
	return n
}

var packedNumbers = [Count]model.NumberKind{Int8: model.NumberI8, Uint8: model.NumberU8, Int16: model.NumberI16,
	Uint16: model.NumberU16, Int32: model.NumberI32, Uint32: model.NumberU32, Int64: model.NumberI64, Uint64: model.NumberU64,
	Float: model.NumberF32, Double: model.NumberF64, Bool: model.NumberBool, Half: model.NumberF16}

// Packing returns the packing of the values of a fixed-size type.
func (t ID) Packing() model.Packing {
	return model.Packing{Number: packedNumbers[Table[t].Scalar], Components: max(t.Numbers(), 1)}
}

// Value decodes the bytes of a fixed-size value (4, 3). Quaternions stay in their binary order x, y, z, w.
func (t ID) Value(b []byte) model.Value {
	info := &Table[t]
	if info.Groups == nil {
		return t.number(b)
	}
	size := Table[info.Scalar].size
	tuple := func(n int) model.Tuple {
		v := make(model.Tuple, n)
		for i := range v {
			v[i] = info.Scalar.number(b)
			b = b[size:]
		}
		return v
	}
	if len(info.Groups) == 1 {
		return tuple(info.Groups[0])
	}
	v := make(model.Tuple, len(info.Groups))
	for i, n := range info.Groups {
		v[i] = tuple(n)
	}
	return v
}

// number decodes one little-endian number.
func (t ID) number(b []byte) model.Value { return packedNumbers[t].Value(b) }

// InCompressedArray reports whether arrayLz4 may hold the type (5.8).
func (t ID) InCompressedArray() bool {
	return t.Fixed() || t == Struct || t == Element || t == String
}

// Least is the size of the smallest item of an array of a variable-size type (chapter 7, check 5); a struct's depends
// on its header.
func (t ID) Least() int64 {
	switch t {
	case UTF8:
		return 4
	case Array:
		return 5
	case Blob:
		return 8
	case Element:
		return 12
	case ArrayLZ4:
		return 13
	case LZ4:
		return 16
	}
	return 1
}

// Title is the type of a node: its name, and of one with a quaternion the order of the numbers, which the two forms
// write differently. Values have them in this one.
func Title(t ID) string {
	switch t {
	case Quat:
		return "quat (x,y,z,w)"
	case Transform:
		return "transform (quat x,y,z,w)"
	case STransform:
		return "stransform (quat x,y,z,w)"
	}
	return Text(t)
}

// Help returns a remark of the specification on values of the type.
func (t ID) Help() string {
	switch t {
	case Quat:
		return "a quaternion: x, y, z, w in the binary form, w, x, y, z in the ASCII form"
	case Ang:
		return "Euler angles: pitch, yaw, roll in degrees"
	case Transform:
		return "translation x, y, z and rotation as a quaternion"
	case STransform:
		return "translation x, y, z, rotation as a quaternion, scale x, y, z"
	case Mat4:
		return "four columns of four numbers"
	case Mat3x4:
		return "three columns of four numbers"
	case Srgba:
		return "red, green, blue, alpha"
	case Hdr:
		return "red, green, blue as plain integers"
	case Ref:
		return "a path relative to assetData: parts separated by /, with [index] for items"
	case Bool:
		return "true is 1, false 0"
	case Nil:
		return "no value"
	}
	return ""
}

// Enough reports whether a list of n numbers has as many as its type. A transform may have its rotation as three Euler
// angles.
func (t ID) Enough(n int) bool {
	return n == t.Numbers() || n == t.Numbers()-1 && (t == Transform || t == STransform)
}

// MaxNesting bounds elements and arrays in one another, those of decompressed blocks included
// (chapter 7, check 8).
const MaxNesting = 256

// Text names a type for a message.
func Text(t ID) string {
	if t.Known() {
		return t.String()
	}
	return fmt.Sprintf("type %d", uint8(t))
}
