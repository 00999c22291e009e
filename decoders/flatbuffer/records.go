package flatbuffer

import (
	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// scalars are the scalars of schemas, by their base types. Those of an enumeration are made of these (Schema.scalar).
var scalars = [...]*grammar.Scalar{
	reflection.BaseTypeUType:  lang.U8.Named("utype"),
	reflection.BaseTypeBool:   lang.U8.As("bool", truth),
	reflection.BaseTypeByte:   lang.I8.Named("byte"),
	reflection.BaseTypeUByte:  lang.U8.Named("ubyte"),
	reflection.BaseTypeShort:  lang.I16.Named("short"),
	reflection.BaseTypeUShort: lang.U16.Named("ushort"),
	reflection.BaseTypeInt:    lang.I32.Named("int"),
	reflection.BaseTypeUInt:   lang.U32.Named("uint"),
	reflection.BaseTypeLong:   lang.I64.Named("long"),
	reflection.BaseTypeULong:  lang.U64.Named("ulong"),
	reflection.BaseTypeFloat:  lang.F32.Named("float"),
	reflection.BaseTypeDouble: lang.F64.Named("double"),
}

// truth is a bool; what is neither 0 nor 1 stays a number.
func truth(n uint64) model.Value {
	if n > 1 {
		return model.Uint(n)
	}
	return model.Bool(n == 1)
}

// The numbers of the encoding itself.
var (
	intType    = scalars[reflection.BaseTypeInt]
	uintType   = scalars[reflection.BaseTypeUInt]
	ushortType = scalars[reflection.BaseTypeUShort]
	offsetType = lang.U32.Named("offset")
)

// vtableOffsetName is the name of the first field of a table.
const vtableOffsetName = "vtable offset"

// vtableOffset describes the first field of a table.
func vtableOffset() *lang.Field {
	return lang.F(vtableOffsetName, intType, "subtracted from the table's own place it gives the vtable's")
}

// Records that are also read by number.
var (
	offsetRecord = lang.NewRecord("offset(name, least, align)",
		lang.F("offset", offsetType, "from its own place to an object of at least so many bytes"),
	)
	vtableRecord = lang.NewRecord("vtable(tables)",
		lang.F("vtable size", ushortType, "bytes, these two included"),
		lang.F("table size", ushortType, "bytes of a table inline"),
		lang.F("slots", ushortType, "from the table's first byte to the field; 0: absent").Times("(vtable_size - 4) / 2").If("vtable_size > 4"),
	)
	offsetField = offsetRecord.Number("offset")
	vtableSize  = vtableRecord.Number("vtable size")
	tableSize   = vtableRecord.Number("table size")
	vtableHead  = vtableRecord.Least()
)

// language is the encoding of FlatBuffers, chapter 2 of omni-live.md. Places count from the first byte of the buffer. The
// fields of tables and structs, and the vectors of scalars and structs, are described by a schema (describe.go).
var language = &lang.Language{
	Name: Name, Title: "FlatBuffer", Short: ruleTruncated,
	Known: []lang.Known{
		lang.Know("lenient", "1: only what readers need counts; 0: so does what a format's own verifier wants", (*Buffer).lenientNumber),
	},
	Entries: []lang.Entries{
		{Name: "root table", Show: showRootTable}, {Name: "vtables", Show: showVTable}, {Name: "tables", Show: showTable},
		{Name: "strings", Show: showString}, {Name: "vectors", Show: showVector}, {Name: "guessed", Show: showGuessed},
	},
	Records: []*lang.Record{
		lang.NewRecord("buffer(prefixed, identified)",
			lang.F("size prefix", uintType, "the number of bytes that follow").If("prefixed == 1"),
			lang.F("root offset", uintType, "from here to the root table").To("root table", "root table"),
			lang.F("identifier", lang.Named("char[4]", lang.UTF8("4")), "the file identifier that the schema gives").If("identified == 1"),
		),
		lang.NewRecord("size prefix", lang.F("size", uintType, "the number of bytes that follow")),
		offsetRecord,
		lang.NewRecord("table",
			vtableOffset(),
			lang.F("vtable size", ushortType, "of the vtable").At("start - vtable_offset"),
			lang.F("table size", ushortType, "of the vtable").At("start - vtable_offset + 2"),
			lang.Let("end", "pos + left"),
		),
		vtableRecord,
		// A slot of a vtable, and the field that it leads to in a table.
		lang.NewRecord("slot(name, known, width, align, table, table_size)",
			lang.F("slot", ushortType, "from the table's first byte to the field"),
			lang.F("field", lang.Bytes("width"), "").At("table + slot"),
			lang.Let("end", "pos + left"),
		),
		lang.NewRecord("string",
			lang.F("length", uintType, "bytes, without the NUL"),
			lang.F("text", lang.Named("char[]", lang.UTF8("length")), "").If("length > 0"),
			lang.F("NUL", lang.Named("char", lang.Bytes("1")), ""),
		),
		lang.NewRecord("vector(name, width)", lang.F("length", uintType, "elements")),
		lang.NewRecord("first element(name, width, align)", lang.F("element", lang.Bytes("min(width, left)"), "")),
		// Vectors of offsets, and of bytes without a schema. A schema describes those of its scalars and structs.
		lang.NewRecord("tables(count)",
			lang.F("length", uintType, "elements"),
			lang.F("elements", offsetType, "").Times("count").If("count > 0").To("tables", "table"),
		),
		lang.NewRecord("strings(count)",
			lang.F("length", uintType, "elements"),
			lang.F("elements", offsetType, "").Times("count").If("count > 0").To("strings", "string"),
		),
		lang.NewRecord("bytes(count)",
			lang.F("length", uintType, "elements"),
			lang.F("elements", lang.Bytes("count"), "inferred: elements may be wider than a byte, and then what follows is theirs").If("count > 0"),
		),
	},
	Rules: []lang.Rule{
		{ID: ruleTruncated, Help: "the bytes end before the root table"},
		{ID: ruleIdentifier, Help: "the file identifier is not the schema's"},
		{ID: rulePrefix, On: "size prefix.size", Kind: model.Truncated, Holds: "it <= room", Want: "{room}", Clause: "1",
			Says: "the size prefix is not the number of bytes after it", Help: "the size prefix is not the number of bytes that follow it"},
		{ID: rulePrefix, On: "size prefix.size", Holds: "it >= room", Want: "{room}", Clause: "1",
			Says: "the size prefix is not the number of bytes after it"},
		{ID: ruleOffset, On: "offset.offset", Holds: "it in 1..2147483647", Clause: "2",
			Says: "{name} has an offset that no buffer can have", Help: "an offset is zero, negative or leads out of the buffer"},
		{ID: ruleOffset, On: "offset.offset", Holds: "it <= room + 4 - least", Want: "at most {max(room + 4 - least, 0)}", Clause: "2",
			Says: "{name} leads out of the buffer"},
		{ID: ruleAlign, On: "offset.offset", Holds: "(start + it) % align == 0", Want: "a multiple of {align}", Found: "{start + it}", Clause: "2",
			Says: "{name} does not lead to a multiple of {align}", Help: "something is not at a multiple of its alignment"},
		{ID: ruleVTable, On: "table.vtable offset", Holds: "start - it in 0..end - 4", Want: "0 to {end - 4}", Found: "{start - it}", Clause: "2",
			Says: "the vtable is not inside the buffer", Help: "a vtable is not inside the buffer, or its size is odd or too small"},
		{ID: ruleAlign, On: "table.vtable offset", Holds: "(start - it) % 2 == 0", Want: "even", Found: "{start - it}", Clause: "2",
			Says: "the vtable does not begin at a multiple of 2"},
		{ID: ruleVTable, On: "table.vtable size", Holds: "it >= 4 and it % 2 == 0 and start - vtable_offset + it <= end", Clause: "2",
			Want: "an even number from 4 to {end - start + vtable_offset}", Says: "the vtable's size is odd, below 4 or runs out of the buffer"},
		{ID: ruleTable, On: "table.table size", Soft: "lenient", Holds: "it >= 4 and start + it <= end", Want: "4 to {end - start}", Clause: "2",
			Says: "the table's size is below 4 or runs out of the buffer: its fields are read where its vtable says",
			Help: "the size that a vtable gives its table is below 4, or runs out of the buffer; readers do not need it"},
		{ID: ruleSlot, On: "slot.slot", Soft: "lenient and known == 0", Holds: "it >= 4 and table + it + width <= end", Want: "4 to {end - table - width}", Clause: "2",
			Says: "{name} is not inside the buffer, after the table's first 4 bytes",
			Help: "a field is not inside the buffer, or not inside its table, after its vtable offset"},
		{ID: ruleAlign, On: "slot.field", Holds: "(table + slot) % align == 0", Want: "a multiple of {align}", Found: "{table + slot}", Clause: "2",
			Says: "{name} is not at a multiple of {align}"},
		{ID: ruleSlot, On: "slot.slot", Soft: "lenient", If: "(table + slot) % align == 0 and table_size > 4", Clause: "2",
			Holds: "it + width <= table_size", Want: "4 to {table_size - width}", Says: "{name} lies after its table, if the size in the vtable is right"},
		{ID: ruleSlotOverlap, Help: "two fields of a table share bytes"},
		{ID: ruleUnknownSlot, Help: "a table has fields that the schema does not know"},
		{ID: ruleRequired, Help: "a field that the schema requires is absent"},
		{ID: ruleString, On: "string.length", Holds: "it < room", Want: "at most {room - 1}", Clause: "2", Stops: true,
			Says: "the string runs out of the buffer", Help: "a string runs out of the buffer or has no NUL after it"},
		{ID: ruleString, On: "string.NUL", Holds: "it[0] == 0", Want: "0", Found: "{it[0]}", Clause: "2", Stops: true,
			Says: "no NUL follows the string"},
		{ID: ruleUTF8, Help: "a string is not UTF-8, which FlatBuffers allow"},
		{ID: ruleVector, On: "vector.length", Holds: "it <= room / width", Want: "at most {room / width}", Clause: "2",
			Says: "{name} announces more elements than the buffer holds",
			Help: "a vector announces more elements than the buffer holds; those that are there are shown"},
		{ID: ruleAlign, On: "first element.element", Holds: "start % align == 0", Clause: "2",
			Says: "the elements of {name} are not at a multiple of {align}"},
		{ID: ruleUnion, Help: "the schema does not know a union's type, as of a newer member, or it has a type without a value or a value without a type"},
		{ID: ruleOverlap, Help: "two objects share bytes that are not one object"},
		{ID: ruleCycle, Help: "a table holds itself"},
		{ID: ruleDepth, Help: "tables are nested deeper than this program follows"},
		{ID: ruleObjects, Help: "the buffer has more objects than memory allows"},
		{ID: ruleWork, Help: "the vtables are larger together than this program reads"},
		{ID: ruleUnusable, Help: "a schema with the buffer's identifier was found and cannot be used"},
		{ID: ruleInferred, Help: "without a schema, types and widths are guesses"},
	},
	Looks: []lang.Look{
		{On: "vtable.vtable size, vtable.table size, vtable.slots, vtable.slots[]", Node: showSharing},
		{On: "tables.elements, strings.elements", Node: showOffsets},
	},
}
