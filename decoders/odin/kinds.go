package odin

import (
	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/decoders/odin/dotnet"
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
	keyword string          // a word for the type: the one of C# if it has one
	of      *grammar.Scalar // that type in the binary form, as the content of an entry and as an element
}

var kinds = withKeywords([...]kindRow{
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
	kSByte:          {name: "SByte", id: 0x0f, net: "SByte", of: grammar.I8},
	kByte:           {name: "Byte", id: 0x11, net: "Byte", of: grammar.U8},
	kShort:          {name: "Short", id: 0x13, net: "Int16", of: grammar.I16},
	kUShort:         {name: "UShort", id: 0x15, net: "UInt16", of: grammar.U16},
	kInt:            {name: "Int", id: 0x17, net: "Int32", of: grammar.I32},
	kUInt:           {name: "UInt", id: 0x19, net: "UInt32", of: grammar.U32},
	kLong:           {name: "Long", id: 0x1b, net: "Int64", of: grammar.I64},
	kULong:          {name: "ULong", id: 0x1d, net: "UInt64", of: grammar.U64},
	kFloat:          {name: "Float", id: 0x1f, net: "Single", of: grammar.F32},
	kDouble:         {name: "Double", id: 0x21, net: "Double", of: grammar.F64},
	kDecimal:        {name: "Decimal", id: 0x23, net: "Decimal", of: decimal},
	kChar:           {name: "Char", id: 0x25, net: "Char", of: char},
	kString:         {name: "String", id: 0x27, keyword: "string"},
	kGUID:           {name: "Guid", id: 0x29, net: "Guid", of: guid},
	kBoolean:        {name: "Boolean", id: 0x2b, net: "Boolean", of: boolean},
	kNull:           {name: "Null", id: 0x2d},
	kEndStream:      {name: "EndOfStream", id: 0x31},
	kInteger:        {name: "Integer", keyword: "integer"},
	kFloating:       {name: "FloatingPoint", keyword: "number"},
})

// withKeywords adds the keywords of .NET types.
func withKeywords(rows [kFloating + 1]kindRow) [kFloating + 1]kindRow {
	for i := range rows {
		if k := &rows[i]; k.net != "" {
			k.keyword = dotnet.Short("System." + k.net)
		}
	}
	return rows
}

// The types that are no numbers (chapters 3 and 6).
var (
	char    = grammar.U16.As("utf-16", func(n uint64) model.Value { return model.Text(dotnet.TextOfUnits([]uint16{uint16(n)})) })
	guid    = grammar.Fixed("guid", 16, func(b []byte) model.Value { return model.Text(dotnet.GUIDText(b)) })
	decimal = grammar.Fixed("decimal", 16, func(b []byte) model.Value { return model.Text(dotnet.DecimalText(b)) })
	boolean = grammar.U8.As("bool", func(n uint64) model.Value {
		if n > 1 {
			return model.Uint(n) // readers take it for false
		}
		return model.Bool(n == 1)
	})
	wide = grammar.Text("utf-16", func(b []byte) (string, error) { return dotnet.DecodeText(b, true), nil }).Total()
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
		lang.Number("kind", func(c *code) int64 { return int64(c.kind) }),
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
