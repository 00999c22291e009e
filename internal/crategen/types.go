// Package crategen writes OpenUSD crates of every version, sound or damaged on purpose, small or huge. It makes test
// data and bench inputs; the product never writes. Chapter numbers are those of the crate format's description.
package crategen

import "fmt"

// Version is major, minor, patch.
type Version [3]byte

// Less orders versions.
func (v Version) Less(o Version) bool {
	for i := range v {
		if v[i] != o[i] {
			return v[i] < o[i]
		}
	}
	return false
}

// String is "0.8.0".
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// From reports whether v is 0.minor.0 or later.
func (v Version) From(minor byte) bool { return !v.Less(Version{0, minor, 0}) }

// Versions lists all that a writer may use: 0.3.0 was withdrawn.
func Versions() []Version {
	vs := []Version{{0, 0, 1}}
	for minor := byte(1); minor <= 16; minor++ {
		if minor != 3 {
			vs = append(vs, Version{0, minor, 0})
		}
	}
	return vs
}

// Type is a value type's number (chapter 9).
type Type uint64

// The value types.
const (
	TBool Type = iota + 1
	TUChar
	TInt
	TUInt
	TInt64
	TUInt64
	THalf
	TFloat
	TDouble
	TString
	TToken
	TAsset
	TMatrix2d
	TMatrix3d
	TMatrix4d
	TQuatd
	TQuatf
	TQuath
	TDouble2
	TFloat2
	THalf2
	TInt2
	TDouble3
	TFloat3
	THalf3
	TInt3
	TDouble4
	TFloat4
	THalf4
	TInt4
	TDictionary
	TTokenListOp
	TStringListOp
	TPathListOp
	TReferenceListOp
	TIntListOp
	TInt64ListOp
	TUIntListOp
	TUInt64ListOp
	TPathVector
	TTokenVector
	TSpecifier
	TPermission
	TVariability
	TVariantSelectionMap
	TTimeSamples
	TPayload
	TDoubleVector
	TLayerOffsetVector
	TStringVector
	TValueBlock
	TValue
	TUnregisteredValue
	TUnregisteredValueListOp
	TPayloadListOp
	TTimeCode
	TPathExpression
	TRelocates
	TSpline
	TAnimationBlock
	TDuration
)

// Rep is a value representation (chapter 8).
type Rep uint64

// The flags of a rep.
const (
	ArrayBit      Rep = 1 << 63
	InlinedBit    Rep = 1 << 62
	CompressedBit Rep = 1 << 61
	ArrayEditBit  Rep = 1 << 60
)

// MakeRep puts a rep together: the payload is an offset or, inlined, the value.
func MakeRep(t Type, flags Rep, payload int64) Rep {
	return flags | Rep(t)<<48 | Rep(payload)&(1<<48-1)
}

// SpecType says what a spec describes (chapter 6, SPECS).
type SpecType uint32

// The spec types that files hold.
const (
	Attribute    SpecType = 1
	Prim         SpecType = 6
	PseudoRoot   SpecType = 7
	Relationship SpecType = 8
	// RelationshipTarget is a target that has fields of its own.
	RelationshipTarget SpecType = 9
	Variant            SpecType = 10
	VariantSet         SpecType = 11
)

// None is the index that says "none", and ends a field set.
const None uint32 = 0xFFFFFFFF
