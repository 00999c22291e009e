package odin

import (
	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// A kind says what an entry is, in any form and with a name or without (chapter 1).
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

// A kindRow holds what is known of a kind.
type kindRow struct {
	name    string          // in the words of the binary form, without Named or Unnamed
	id      byte            // in the binary form; of the named one where there are two
	net     string          // of element types of primitive arrays: the .NET type, after "System."
	keyword string          // that type as C# writes it
	of      *grammar.Scalar // that type in the binary form, as the content of an entry and as an element
}

var kinds = [...]kindRow{
	kInvalid:        {name: "Invalid"},
	kRefNode:        {name: "StartOfReferenceNode", id: 0x01},
	kStructNode:     {name: "StartOfStructNode", id: 0x03},
	kEndNode:        {name: "EndOfNode", id: 0x05},
	kArray:          {name: "StartOfArray", id: 0x06},
	kEndArray:       {name: "EndOfArray", id: 0x07},
	kPrimitives:     {name: "PrimitiveArray", id: 0x08},
	kInternal:       {name: "InternalReference", id: 0x09},
	kExternalIndex:  {name: "ExternalReferenceByIndex", id: 0x0b},
	kExternalGUID:   {name: "ExternalReferenceByGuid", id: 0x0d, of: guid},
	kExternalString: {name: "ExternalReferenceByString", id: 0x32},
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
	kDecimal:        {name: "Decimal", id: 0x23, net: "Decimal", keyword: "decimal", of: decimal},
	kChar:           {name: "Char", id: 0x25, net: "Char", keyword: "char", of: char},
	kString:         {name: "String", id: 0x27, keyword: "string"},
	kGUID:           {name: "Guid", id: 0x29, net: "Guid", keyword: "Guid", of: guid},
	kBoolean:        {name: "Boolean", id: 0x2b, net: "Boolean", keyword: "bool", of: boolean},
	kNull:           {name: "Null", id: 0x2d},
	kEndStream:      {name: "EndOfStream", id: 0x31},
	kInteger:        {name: "Integer", keyword: "integer"},
	kFloating:       {name: "FloatingPoint", keyword: "number"},
}

// The types that are no numbers (chapters 3 and 6).
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
	wide = grammar.Text("utf-16", func(b []byte) (string, error) { return decodeText(b, true), nil }).Total()
)

// primitiveKinds holds the element types of primitive arrays by their .NET names.
var primitiveKinds = func() map[string]kind {
	m := map[string]kind{}
	for k, is := range kinds {
		if is.net != "" {
			m["System."+is.net] = kind(k)
		}
	}
	return m
}()

// The tags of a type entry (chapter 4), which are ids as well.
const (
	idNull     = 0x2e
	idTypeName = 0x2f
	idTypeID   = 0x30
)

var tagNames = [...]string{idNull: "UnnamedNull", idTypeName: "TypeName", idTypeID: "TypeID"}

// A code is an id byte of the binary form (chapter 2).
type code struct {
	name  string // "" where the byte is no id
	kind  kind   // kInvalid unless entries begin with the byte
	named bool   // the entry has a name
}

// codes holds the id bytes. Most kinds have one for entries with a name and the next one for entries without.
var codes = func() (table [256]code) {
	table[0].name, table[idTypeName].name, table[idTypeID].name = kinds[kInvalid].name, tagNames[idTypeName], tagNames[idTypeID]
	for i, is := range kinds {
		switch k := kind(i); {
		case is.id == 0:
		case k >= kEndNode && k <= kPrimitives || k == kEndStream:
			table[is.id] = code{is.name, k, false}
		default:
			table[is.id], table[is.id+1] = code{"Named" + is.name, k, true}, code{"Unnamed" + is.name, k, false}
		}
	}
	return table
}()

// The tables that the description names.
var (
	codeTable = lang.NewTable("codes", codes[:],
		lang.Label("name", func(c *code) string { return c.name }),
		lang.Among("kind", "kinds", func(c *code) int64 { return int64(c.kind) }),
		lang.Flag("named", func(c *code) bool { return c.named }))
	kindTable = lang.NewTable("kinds", kinds[:],
		lang.Label("name", func(k *kindRow) string { return k.name }),
		lang.Of(func(k *kindRow) lang.Type {
			if k.of == nil {
				return nil
			}
			return k.of
		}))
	typeTable = lang.NewTable("types", kinds[:],
		lang.Label("keyword", func(k *kindRow) string { return k.keyword }),
		lang.Number("size", func(k *kindRow) int64 {
			if k.of == nil {
				return 0
			}
			return k.of.Size()
		}),
		lang.Of(func(k *kindRow) lang.Type {
			if k.of == nil {
				return nil
			}
			return k.of.Named(k.keyword)
		}))
)
