package udm

import "cutaway/model"

// typeID is a type's number in the binary form (chapter 3).
type typeID uint8

const (
	tNil typeID = iota
	tString
	tUTF8
	tInt8
	tUint8
	tInt16
	tUint16
	tInt32
	tUint32
	tInt64
	tUint64
	tFloat
	tDouble
	tBool
	tVec2
	tVec3
	tVec4
	tQuat
	tAng
	tSrgba
	tHdr
	tTransform
	tSTransform
	tMat4
	tMat3x4
	tBlob
	tLZ4
	tElement
	tArray
	tArrayLZ4
	tRef
	tStruct
	tHalf
	tVec2i
	tVec3i
	tVec4i
	typeCount
	tUnknown typeID = 255 // the reference's mark for "invalid"
)

// typeInfo is a line of the table of chapter 3. A fixed-size type is numbers of one scalar type; groups says how many
// are together in each part of it: a transform is 3 and 4.
type typeInfo struct {
	name   string
	size   int64  // bytes; variable: -1
	scalar typeID // what its numbers are
	groups []int
}

const variable = -1

var types = [typeCount]typeInfo{
	tNil:        {"nil", 0, tNil, nil},
	tString:     {"string", variable, tNil, nil},
	tUTF8:       {"utf8", variable, tNil, nil},
	tInt8:       {"int8", 1, tInt8, nil},
	tUint8:      {"uint8", 1, tUint8, nil},
	tInt16:      {"int16", 2, tInt16, nil},
	tUint16:     {"uint16", 2, tUint16, nil},
	tInt32:      {"int32", 4, tInt32, nil},
	tUint32:     {"uint32", 4, tUint32, nil},
	tInt64:      {"int64", 8, tInt64, nil},
	tUint64:     {"uint64", 8, tUint64, nil},
	tFloat:      {"float", 4, tFloat, nil},
	tDouble:     {"double", 8, tDouble, nil},
	tBool:       {"bool", 1, tBool, nil},
	tVec2:       {"vec2", 8, tFloat, []int{2}},
	tVec3:       {"vec3", 12, tFloat, []int{3}},
	tVec4:       {"vec4", 16, tFloat, []int{4}},
	tQuat:       {"quat", 16, tFloat, []int{4}},
	tAng:        {"ang", 12, tFloat, []int{3}},
	tSrgba:      {"srgba", 4, tUint8, []int{4}},
	tHdr:        {"hdr", 6, tUint16, []int{3}},
	tTransform:  {"transform", 28, tFloat, []int{3, 4}},
	tSTransform: {"stransform", 40, tFloat, []int{3, 4, 3}},
	tMat4:       {"mat4", 64, tFloat, []int{4, 4, 4, 4}},
	tMat3x4:     {"mat3x4", 48, tFloat, []int{4, 4, 4}},
	tBlob:       {"blob", variable, tNil, nil},
	tLZ4:        {"lz4", variable, tNil, nil},
	tElement:    {"element", variable, tNil, nil},
	tArray:      {"array", variable, tNil, nil},
	tArrayLZ4:   {"arrayLz4", variable, tNil, nil},
	tRef:        {"ref", variable, tNil, nil},
	tStruct:     {"struct", variable, tNil, nil},
	tHalf:       {"half", 2, tHalf, nil},
	tVec2i:      {"vec2i", 8, tInt32, []int{2}},
	tVec3i:      {"vec3i", 12, tInt32, []int{3}},
	tVec4i:      {"vec4i", 16, tInt32, []int{4}},
}

var typesByName = func() map[string]typeID {
	m := make(map[string]typeID, typeCount)
	for t := range typeCount {
		m[types[t].name] = t
	}
	return m
}()

// typeNamed finds a type by its ASCII name; tUnknown: there is none.
func typeNamed(name string) typeID {
	if t, ok := typesByName[name]; ok {
		return t
	}
	return tUnknown
}

func (t typeID) known() bool { return t < typeCount }

// fixed reports whether all values of the type have one size.
func (t typeID) fixed() bool { return t.known() && types[t].size >= 0 }

// size is that of a fixed-size type, in bytes.
func (t typeID) size() int64 { return types[t].size }

// String is the type's ASCII name; "" where there is none.
func (t typeID) String() string {
	if !t.known() {
		return ""
	}
	return types[t].name
}

// numbers is how many numbers a value of several has; 0: it is not made of several.
func (t typeID) numbers() int {
	n := 0
	for _, g := range types[t].groups {
		n += g
	}
	return n
}

var packedNumbers = [typeCount]model.NumberKind{tInt8: model.NumberI8, tUint8: model.NumberU8, tInt16: model.NumberI16,
	tUint16: model.NumberU16, tInt32: model.NumberI32, tUint32: model.NumberU32, tInt64: model.NumberI64, tUint64: model.NumberU64,
	tFloat: model.NumberF32, tDouble: model.NumberF64, tBool: model.NumberBool, tHalf: model.NumberF16}

// packing is how the values of a fixed-size type are packed.
func (t typeID) packing() model.Packing {
	return model.Packing{Number: packedNumbers[types[t].scalar], Components: max(t.numbers(), 1)}
}

// value decodes the bytes of a fixed-size value (4, 3). Quaternions stay in their binary order x, y, z, w.
func (t typeID) value(b []byte) model.Value {
	info := &types[t]
	if info.groups == nil {
		return t.number(b)
	}
	size := types[info.scalar].size
	tuple := func(n int) model.Tuple {
		v := make(model.Tuple, n)
		for i := range v {
			v[i] = info.scalar.number(b)
			b = b[size:]
		}
		return v
	}
	if len(info.groups) == 1 {
		return tuple(info.groups[0])
	}
	v := make(model.Tuple, len(info.groups))
	for i, n := range info.groups {
		v[i] = tuple(n)
	}
	return v
}

// number decodes one little-endian number.
func (t typeID) number(b []byte) model.Value { return packedNumbers[t].Value(b) }

// inCompressedArray reports whether arrayLz4 may hold the type (5.8).
func (t typeID) inCompressedArray() bool {
	return t.fixed() || t == tStruct || t == tElement || t == tString
}

// least is the size of the smallest item of an array of a variable-size type (chapter 7, check 5); a struct's depends
// on its header.
func (t typeID) least() int64 {
	switch t {
	case tUTF8:
		return 4
	case tArray:
		return 5
	case tBlob:
		return 8
	case tElement:
		return 12
	case tArrayLZ4:
		return 13
	case tLZ4:
		return 16
	}
	return 1
}

// typeTitle is the type of a node: its name, and of one with a quaternion the order of the numbers, which the two forms
// write differently. Values have them in this one.
func typeTitle(t typeID) string {
	switch t {
	case tQuat:
		return "quat (x,y,z,w)"
	case tTransform:
		return "transform (quat x,y,z,w)"
	case tSTransform:
		return "stransform (quat x,y,z,w)"
	}
	return typeText(t)
}

// help is what the specification says of a value of the type.
func (t typeID) help() string {
	switch t {
	case tQuat:
		return "a quaternion: x, y, z, w in the binary form, w, x, y, z in the ASCII form"
	case tAng:
		return "Euler angles: pitch, yaw, roll in degrees"
	case tTransform:
		return "translation x, y, z and rotation as a quaternion"
	case tSTransform:
		return "translation x, y, z, rotation as a quaternion, scale x, y, z"
	case tMat4:
		return "four columns of four numbers"
	case tMat3x4:
		return "three columns of four numbers"
	case tSrgba:
		return "red, green, blue, alpha"
	case tHdr:
		return "red, green, blue as plain integers"
	case tRef:
		return "a path relative to assetData: parts separated by /, with [index] for items"
	case tBool:
		return "true is 1, false 0"
	case tNil:
		return "no value"
	}
	return ""
}
