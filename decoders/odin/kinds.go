package odin

import (
	"cutaway/decoders/grammar"
	"cutaway/model"
)

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

// kinds are what is known of each kind.
var kinds = [...]struct {
	name    string          // in the words of the binary form, without Named or Unnamed
	id      byte            // in the binary form; of the named one where there are two
	net     string          // the .NET type of a scalar, after "System.", of which there are primitive arrays
	keyword string          // that type as C# writes it
	of      *grammar.Scalar // content of fixed size in the binary form, and the elements of primitive arrays
	help    string          // on the content
}{
	kInvalid:        {name: "Invalid"},
	kRefNode:        {name: "StartOfReferenceNode", id: 0x01},
	kStructNode:     {name: "StartOfStructNode", id: 0x03},
	kEndNode:        {name: "EndOfNode", id: 0x05},
	kArray:          {name: "StartOfArray", id: 0x06, of: grammar.I64, help: "elements or members that the formatter announced"},
	kEndArray:       {name: "EndOfArray", id: 0x07},
	kPrimitives:     {name: "PrimitiveArray", id: 0x08},
	kInternal:       {name: "InternalReference", id: 0x09, of: grammar.I32, help: "id of a reference node of this stream"},
	kExternalIndex:  {name: "ExternalReferenceByIndex", id: 0x0b, of: grammar.I32, help: "position in the list of objects that the carrier keeps"},
	kExternalGUID:   {name: "ExternalReferenceByGuid", id: 0x0d, of: guid, help: "GUID of an object outside the stream"},
	kExternalString: {name: "ExternalReferenceByString", id: 0x32, help: "key of an object outside the stream"},
	kSByte:          {name: "SByte", id: 0x0f, net: "SByte", keyword: "sbyte", of: grammar.I8},
	kByte:           {name: "Byte", id: 0x11, net: "Byte", keyword: "byte", of: grammar.U8},
	kShort:          {name: "Short", id: 0x13, net: "Int16", keyword: "short", of: grammar.I16},
	kUShort:         {name: "UShort", id: 0x15, net: "UInt16", keyword: "ushort", of: grammar.U16},
	kInt:            {name: "Int", id: 0x17, net: "Int32", keyword: "int", of: grammar.I32},
	kUInt:           {name: "UInt", id: 0x19, net: "UInt32", keyword: "uint", of: grammar.U32},
	kLong:           {name: "Long", id: 0x1b, net: "Int64", keyword: "long", of: grammar.I64},
	kULong:          {name: "ULong", id: 0x1d, net: "UInt64", keyword: "ulong", of: grammar.U64},
	kFloat:          {name: "Float", id: 0x1f, net: "Single", keyword: "float", of: grammar.F32},
	kDouble:         {name: "Double", id: 0x21, net: "Double", keyword: "double", of: grammar.F64},
	kDecimal:        {name: "Decimal", id: 0x23, net: "Decimal", keyword: "decimal", of: decimal, help: "a .NET decimal: flags, then 96 bits of magnitude"},
	kChar:           {name: "Char", id: 0x25, net: "Char", keyword: "char", of: char, help: "one UTF-16 code unit"},
	kString:         {name: "String", id: 0x27, keyword: "string", help: "the text"},
	kGUID:           {name: "Guid", id: 0x29, net: "Guid", keyword: "Guid", of: guid, help: "a GUID"},
	kBoolean:        {name: "Boolean", id: 0x2b, net: "Boolean", keyword: "bool", of: boolean, help: "true is 1; readers take all else for false"},
	kNull:           {name: "Null", id: 0x2d},
	kEndStream:      {name: "EndOfStream", id: 0x31},
	kInteger:        {name: "Integer", keyword: "integer"},
	kFloating:       {name: "FloatingPoint", keyword: "number"},
}

// The scalars that are no numbers (chapter 6).
var (
	char    = grammar.U16.As("utf-16", func(n uint64) model.Value { return model.Text(textOfUnits([]uint16{uint16(n)})) })
	guid    = grammar.Fixed("guid", 16, func(b []byte) model.Value { return model.Text(guidText(b)) })
	decimal = grammar.Fixed("decimal", 16, func(b []byte) model.Value { return model.Text(decimalText(b)) })
	boolean = grammar.U8.As("bool", func(n uint64) model.Value {
		if n > 1 {
			return model.Uint(n) // readers take it for false
		}
		return model.Bool(n == 1)
	})
)

// primitiveKinds are the element types of primitive arrays by their .NET names.
var primitiveKinds = func() map[string]kind {
	m := map[string]kind{}
	for k, is := range kinds {
		if is.net != "" {
			m["System."+is.net] = kind(k)
		}
	}
	return m
}()

// single reports whether a kind has one id in the binary form; the others have one for named entries and the next one
// for entries without a name.
func (k kind) single() bool { return k >= kEndNode && k <= kPrimitives || k == kEndStream }

// code is one id byte of the binary form (chapter 2).
type code struct {
	kind  kind
	named bool
	name  string
	// record is the whole entry: id, name, content. Its content begins with the field content.
	record  *grammar.Record
	content *grammar.Field // nil: none
	node    *grammar.Field // the id of a reference node
	fixed   int64          // bytes after the name; -1: they differ
	checked bool           // a rule says what the content may be
	number  bool           // the head of an entry has the content
}

// The ids that are only inside a node start.
const (
	idNull     = 0x2e
	idTypeName = 0x2f
	idTypeID   = 0x30
)

// codes are the ids that may begin an entry; the others have kind kInvalid.
var codes = makeCodes()

func makeCodes() (table [256]code) {
	for id := range table {
		table[id].record, table[id].fixed = notAnEntry, -1
	}
	for i, is := range kinds {
		switch k := kind(i); {
		case is.id == 0:
		case k.single():
			table[is.id] = newCode(k, false, is.name)
		default:
			table[is.id], table[is.id+1] = newCode(k, true, "Named"+is.name), newCode(k, false, "Unnamed"+is.name)
		}
	}
	return table
}

// newCode is an id with the record of its entries.
func newCode(k kind, named bool, name string) code {
	c := code{kind: k, named: named, name: name, number: k == kInternal || k == kArray}
	fields := []*grammar.Field{idField(k, name)}
	if named {
		fields = append(fields, textField("name", "the member's name"))
	}
	content := contentOf(k)
	if len(content) > 0 {
		c.content = content[0]
	}
	if k == kRefNode {
		c.node = content[1]
	}
	c.record = grammar.NewRecord(name, append(fields, content...)...)
	for _, f := range content {
		_, inside := f.Of.(*grammar.Record)
		c.checked = c.checked || inside || len(f.Checks) > 0
		if c.fixed += f.Of.Size(); f.Of.Size() < 0 {
			c.fixed = -1
			break
		}
	}
	return c
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
