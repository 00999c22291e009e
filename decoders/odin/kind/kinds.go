// Package kind lists the kinds of entries, the ids of the binary form, and the types of single values. The chapters
// named in comments are those of docs/formats/odin.md.
package kind

import (
	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/decoders/odin/dotnet"
	"cutaway/model"
)

// A Kind says what an entry is, in any form and with a name or without (chapter 1).
type Kind uint8

// The kinds.
const (
	Invalid Kind = iota
	ReferenceNode
	StructNode
	EndOfNode
	Array
	EndOfArray
	PrimitiveArray
	InternalReference
	ExternalByIndex
	ExternalByGUID
	ExternalByString
	SByte
	Byte
	Short
	UShort
	Int
	UInt
	Long
	ULong
	Float
	Double
	Decimal
	Char
	String
	GUID
	Boolean
	Null
	EndOfStream
	Integer       // of the text forms, which do not record the width
	FloatingPoint // likewise
)

// String returns the name of a kind in the words of the binary form, without Named or Unnamed.
func (k Kind) String() string { return rows[k].name }

// Keyword returns a word for the values of a kind, the one of C# if it has one, or "" if they have none.
func (k Kind) Keyword() string { return rows[k].keyword }

// Scalar returns the type of the values of a kind in the binary form, or nil if they have no fixed size.
func (k Kind) Scalar() *grammar.Scalar { return rows[k].of }

// A row holds the facts of a kind.
type row struct {
	name    string          // in the words of the binary form, without Named or Unnamed
	id      byte            // in the binary form; of the named one where there are two
	net     string          // of element types of primitive arrays: the .NET type, after "System."
	keyword string          // a word for the type: the one of C# if it has one
	of      *grammar.Scalar // that type in the binary form, as the content of an entry and as an element
}

var rows = withKeywords([...]row{
	Invalid:           {name: "Invalid"},
	ReferenceNode:     {name: "StartOfReferenceNode", id: 0x01},
	StructNode:        {name: "StartOfStructNode", id: 0x03},
	EndOfNode:         {name: "EndOfNode", id: 0x05},
	Array:             {name: "StartOfArray", id: 0x06},
	EndOfArray:        {name: "EndOfArray", id: 0x07},
	PrimitiveArray:    {name: "PrimitiveArray", id: 0x08},
	InternalReference: {name: "InternalReference", id: 0x09},
	ExternalByIndex:   {name: "ExternalReferenceByIndex", id: 0x0b},
	ExternalByGUID:    {name: "ExternalReferenceByGuid", id: 0x0d, of: GUIDScalar},
	ExternalByString:  {name: "ExternalReferenceByString", id: 0x32},
	SByte:             {name: "SByte", id: 0x0f, net: "SByte", of: grammar.I8},
	Byte:              {name: "Byte", id: 0x11, net: "Byte", of: grammar.U8},
	Short:             {name: "Short", id: 0x13, net: "Int16", of: grammar.I16},
	UShort:            {name: "UShort", id: 0x15, net: "UInt16", of: grammar.U16},
	Int:               {name: "Int", id: 0x17, net: "Int32", of: grammar.I32},
	UInt:              {name: "UInt", id: 0x19, net: "UInt32", of: grammar.U32},
	Long:              {name: "Long", id: 0x1b, net: "Int64", of: grammar.I64},
	ULong:             {name: "ULong", id: 0x1d, net: "UInt64", of: grammar.U64},
	Float:             {name: "Float", id: 0x1f, net: "Single", of: grammar.F32},
	Double:            {name: "Double", id: 0x21, net: "Double", of: grammar.F64},
	Decimal:           {name: "Decimal", id: 0x23, net: "Decimal", of: decimal},
	Char:              {name: "Char", id: 0x25, net: "Char", of: CharScalar},
	String:            {name: "String", id: 0x27, keyword: "string"},
	GUID:              {name: "Guid", id: 0x29, net: "Guid", of: GUIDScalar},
	Boolean:           {name: "Boolean", id: 0x2b, net: "Boolean", of: BooleanScalar},
	Null:              {name: "Null", id: 0x2d},
	EndOfStream:       {name: "EndOfStream", id: 0x31},
	Integer:           {name: "Integer", keyword: "integer"},
	FloatingPoint:     {name: "FloatingPoint", keyword: "number"},
})

// withKeywords adds the keywords of .NET types.
func withKeywords(rows [FloatingPoint + 1]row) [FloatingPoint + 1]row {
	for i := range rows {
		if k := &rows[i]; k.net != "" {
			k.keyword = dotnet.Short("System." + k.net)
		}
	}
	return rows
}

// The types that are no numbers (chapters 3 and 6).
var (
	CharScalar    = grammar.U16.As("utf-16", func(n uint64) model.Value { return model.Text(dotnet.TextOfUnits([]uint16{uint16(n)})) })
	GUIDScalar    = grammar.Fixed("guid", 16, func(b []byte) model.Value { return model.Text(dotnet.GUIDText(b)) })
	decimal       = grammar.Fixed("decimal", 16, func(b []byte) model.Value { return model.Text(dotnet.DecimalText(b)) })
	BooleanScalar = grammar.U8.As("bool", func(n uint64) model.Value {
		if n > 1 {
			return model.Uint(n) // readers take it for false
		}
		return model.Bool(n == 1)
	})
	WideText = grammar.Text("utf-16", func(b []byte) (string, error) { return dotnet.DecodeText(b, true), nil }).Total()
)

// byTypeName holds the element types of primitive arrays.
var byTypeName = func() map[string]Kind {
	m := map[string]Kind{}
	for k, is := range rows {
		if is.net != "" {
			m["System."+is.net] = Kind(k)
		}
	}
	return m
}()

// OfType returns the kind of a .NET type by its full name, or Invalid if it is no element type of primitive arrays.
func OfType(name string) Kind { return byTypeName[name] }

// The tags of a type entry (chapter 4), which are ids too.
const (
	UnnamedNull = 0x2e
	TypeName    = 0x2f
	TypeID      = 0x30
)

// TagNames holds the names of the tags.
var TagNames = [...]string{UnnamedNull: "UnnamedNull", TypeName: "TypeName", TypeID: "TypeID"}

// A Code says what an id byte of the binary form means (chapter 2).
type Code struct {
	Name  string // "" where the byte is no id
	Kind  Kind   // Invalid unless entries begin with the byte
	Named bool   // the entry has a name
}

// Codes holds the id bytes. Most kinds have one for entries with a name and the next one for entries without.
var Codes = func() (table [256]Code) {
	table[0].Name, table[TypeName].Name, table[TypeID].Name = rows[Invalid].name, TagNames[TypeName], TagNames[TypeID]
	for i, is := range rows {
		switch k := Kind(i); {
		case is.id == 0:
		case k >= EndOfNode && k <= PrimitiveArray || k == EndOfStream:
			table[is.id] = Code{is.name, k, false}
		default:
			table[is.id], table[is.id+1] = Code{"Named" + is.name, k, true}, Code{"Unnamed" + is.name, k, false}
		}
	}
	return table
}()

// Tables are those that the description of the binary form names: "codes" by id, "kinds" and "types" by kind.
var Tables = []*lang.Table{
	lang.NewTable("codes", Codes[:],
		lang.Label("name", func(c *Code) string { return c.Name }),
		lang.Among("kind", "kinds", func(c *Code) int64 { return int64(c.Kind) }),
		lang.Flag("named", func(c *Code) bool { return c.Named })),
	lang.NewTable("kinds", rows[:],
		lang.Label("name", func(k *row) string { return k.name }),
		lang.Of(func(k *row) lang.Type {
			if k.of == nil {
				return nil
			}
			return k.of
		})),
	lang.NewTable("types", rows[:],
		lang.Label("keyword", func(k *row) string { return k.keyword }),
		lang.Number("size", func(k *row) int64 {
			if k.of == nil {
				return 0
			}
			return k.of.Size()
		}),
		lang.Of(func(k *row) lang.Type {
			if k.of == nil {
				return nil
			}
			return k.of.Named(k.keyword)
		})),
}
