package odin

// kind is what an entry is, whatever form it is written in and whether it is named (chapter 1).
type kind uint8

const (
	kInvalid kind = iota
	kRefNode
	kStructNode
	kEndNode
	kArray
	kEndArray
	kPrimitives
	kInternal
	kExternalIndex
	kExternalGUID
	kExternalString
	kSByte
	kByte
	kShort
	kUShort
	kInt
	kUInt
	kLong
	kULong
	kFloat
	kDouble
	kDecimal
	kChar
	kString
	kGUID
	kBoolean
	kNull
	kEndStream
	kInteger  // of the text forms, which do not record the width
	kFloating // likewise
)

// kindNames are the kinds in the words of the binary form, without Named or Unnamed.
var kindNames = [...]string{
	"Invalid", "StartOfReferenceNode", "StartOfStructNode", "EndOfNode", "StartOfArray", "EndOfArray", "PrimitiveArray",
	"InternalReference", "ExternalReferenceByIndex", "ExternalReferenceByGuid", "ExternalReferenceByString", "SByte",
	"Byte", "Short", "UShort", "Int", "UInt", "Long", "ULong", "Float", "Double", "Decimal", "Char", "String", "Guid",
	"Boolean", "Null", "EndOfStream", "Integer", "FloatingPoint",
}

// keywords are the .NET types of the kinds of scalars, as C# writes them.
var keywords = map[kind]string{
	kSByte: "sbyte", kByte: "byte", kShort: "short", kUShort: "ushort", kInt: "int", kUInt: "uint", kLong: "long",
	kULong: "ulong", kFloat: "float", kDouble: "double", kDecimal: "decimal", kChar: "char", kString: "string",
	kGUID: "Guid", kBoolean: "bool", kInteger: "integer", kFloating: "number",
}

// Content of entries that has no fixed size.
const (
	contentString     = -1
	contentNode       = -2
	contentPrimitives = -3
)

// code is one id byte of the binary form (chapter 2).
type code struct {
	kind    kind
	named   bool
	content int8 // bytes behind the name, or one of the above
	name    string
}

// The ids that stand only inside a node start.
const (
	idNull     = 0x2e
	idTypeName = 0x2f
	idTypeID   = 0x30
)

// codes are the ids that may begin an entry; the others have kind kInvalid.
var codes = makeCodes()

func makeCodes() (table [256]code) {
	pair := func(id byte, k kind, content int8) {
		table[id] = code{k, true, content, "Named" + kindNames[k]}
		table[id+1] = code{k, false, content, "Unnamed" + kindNames[k]}
	}
	one := func(id byte, k kind, content int8) { table[id] = code{k, false, content, kindNames[k]} }
	pair(0x01, kRefNode, contentNode)
	pair(0x03, kStructNode, contentNode)
	one(0x05, kEndNode, 0)
	one(0x06, kArray, 8)
	one(0x07, kEndArray, 0)
	one(0x08, kPrimitives, contentPrimitives)
	pair(0x09, kInternal, 4)
	pair(0x0b, kExternalIndex, 4)
	pair(0x0d, kExternalGUID, 16)
	pair(0x0f, kSByte, 1)
	pair(0x11, kByte, 1)
	pair(0x13, kShort, 2)
	pair(0x15, kUShort, 2)
	pair(0x17, kInt, 4)
	pair(0x19, kUInt, 4)
	pair(0x1b, kLong, 8)
	pair(0x1d, kULong, 8)
	pair(0x1f, kFloat, 4)
	pair(0x21, kDouble, 8)
	pair(0x23, kDecimal, 16)
	pair(0x25, kChar, 2)
	pair(0x27, kString, contentString)
	pair(0x29, kGUID, 16)
	pair(0x2b, kBoolean, 1)
	pair(0x2d, kNull, 0)
	one(0x31, kEndStream, 0)
	pair(0x32, kExternalString, contentString)
	return table
}

// reservedName names an id that cannot begin an entry.
func reservedName(id byte) string {
	switch id {
	case 0:
		return "Invalid"
	case idTypeName:
		return "TypeName"
	case idTypeID:
		return "TypeID"
	}
	return ""
}
