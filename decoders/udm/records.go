package udm

import (
	. "cutaway/decoders/lang"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// The binary form, chapters 2 to 5. outer is the number of levels of nesting outside of the bytes: those around an LZ4 block, or -1
// in the file.
var language = &Language{
	Name: formatName, Title: "UDM of the Pragma engine, binary form", Short: "truncated",
	Tables: []*Table{NewTable("types", types.All(), Label("name", (*types.ID).String), Number("size", (*types.ID).Size),
		Number("least", (*types.ID).Least), Flag("fixed", (*types.ID).Fixed), Flag("packs", (*types.ID).InCompressedArray), Of(fixedType))},
	Funcs: []Func{
		{Name: "hasKey", Help: "whether the bytes hold the key that begins where reading is", Do: hasKey},
		{Name: "childNames", Help: "the names that keys give the children of an element", Do: makeNames},
		{Name: "shapeOf", Help: "the members of a struct, where their types and names can be read", Do: makeShape},
		{Name: "strideOf", Help: "bytes of a struct of the shape, or -1 if there is none", Do: makeStride},
	},
	Records: []*Record{
		// Chapter 2.
		NewRecord("UDM binary(outer)",
			F("header", Rec("header"), ""),
			F("root", Rec("property"), "").If("header.version in 1..2 and left > 0"),
			F("type", U8, "the type of the root property: element").If("header.version in 1..2 and not has(root)"),
			F("rest", Bytes("left"), "bytes after the root property, which the engine does not read").
				If("left > 0 and header.version in 1..2").Unknown(),
			F("rest", Bytes("left"), "bytes of a version that is not known").If("left > 0 and not (header.version in 1..2)").Unknown()),
		NewRecord("header",
			F("identifier", UTF8("4"), identifier),
			F("version", U32, "of the format, 1 or 2; unrelated to assetVersion")),

		// Chapter 4: a property has its type before the value, an item of an array has none.
		NewRecord("property",
			F("type", U8, "the type of the value").NamedBy("types"),
			Then("type", values...).TitledBy("types")),
		NewRecord("item(type)", Then("type", values...).TitledBy("types")),

		// Values below the limit of nesting (7, check 8) are measured.
		NewRecord("deep property",
			F("type", U8, "the type of the value").NamedBy("types"),
			F("rest", Measured(Rec("item", "type")), "").If("type < 36").Unknown(),
			F("rest", Bytes("left"), "bytes that cannot be decoded").If("type > 35 and left > 0").Unknown().EndsIf("true")),
		NewRecord("deep item(type)", F("rest", Measured(Rec("item", "type")), "").Unknown()),

		NewRecord("string", stringFields...), // 5.1
		NewRecord("key", // 5.5
			F("length", U8, "bytes of the key; 255 means 255"),
			F("text", UTF8("length"), "no terminator; usually UTF-8").If("length > 0")),

		// 5.7.
		NewRecord("struct header",
			F("members", U8, "how many members"),
			F("types", U8, "the type of a member: fixed-size types only").NamedBy("types").Times("members"),
			F("names", Rec("string"), "one string for each member, which may be empty").Times("members"),
			Shows("shape", "shapeOf(types, names)", "").Hidden(),
			Shows("stride", "strideOf(shape)", "").Hidden()),

		// What an LZ4 block gives: bytes (5.4), or the items of a compressed array (5.8). stride is the size of each, or 0 if they differ.
		NewRecord("bytes(outer)", F("bytes", Bytes("left"), "any bytes").If("left > 0")),
		NewRecord("content(outer, valueType, total, stride)",
			F("count", U32, "how many items, again").If("valueType in (types.string, types.element)"),
			F("data", Bytes("min(total * stride, left)"), "the values, back to back").If("stride > 0 and total > 0"),
			F("items", items, "the items, one after another").If("count > 0 and left > 0").Times("count").KeepCut(),
			Rest("rest", "bytes after the last item")),
	},
	Rules: []Rule{
		{ID: "header.identifier", On: "header.identifier", Holds: `it == "UDMB"`, Says: "this is not a binary UDM file", Clause: "2",
			Help: "a binary file does not begin with UDMB"},
		{ID: "header.version", On: "header.version", Holds: "it in 1..2", Want: "1 or 2", Clause: "2",
			Says: "this version of UDM is not known, so nothing after it is decoded", Help: "the version is not 1 or 2"},
		{ID: "truncated", Help: "the bytes end inside a field"},
		{ID: "read", Help: "bytes could not be read"},
		{ID: "root.type", On: "UDM binary.root", Find: findRootType, Clause: "2", Help: "the root property is not an element"},
		{ID: "root.trailing", On: "UDM binary.rest", Kind: Suspicious, If: "header.version in 1..2", Holds: "false", Want: "none",
			Found: "{bytes(rest):byte}", Says: "bytes follow the root property", Clause: "2"},
		{ID: "root.asset-keys", Clause: "4.1", Help: "the root lacks assetType, assetVersion or assetData, or has it with another type"},
		{ID: "type.unknown", On: "property.type, deep property.type", Holds: "it < 36", Want: "0 to 35", Clause: "3",
			Says: "there is no type {it}, so the length of the value is not known", Help: "a type number does not exist"},
		{ID: "type.unknown", On: "property.valueType, item.valueType", Holds: "it < 36", Want: "0 to 35", Clause: "3",
			Says: "there is no such type, so the length of the items is not known"},
		{ID: "bool", On: "property.value, item.value", If: "type == types.bool", Kind: Suspicious, Holds: "it <= 1", Want: "0 or 1", Clause: "3",
			Says: "a bool is neither 0 nor 1; it is read as true", Help: "a bool is neither 0 nor 1"},
		{ID: "string.long-form", On: "property.longLength, item.longLength, string.longLength", Kind: Suspicious, Holds: "it >= 255",
			Want: "255 or more", Says: "a length that one byte can hold takes four", Clause: "5.1", Help: "the length of a short string has the long form"},

		// What the range of a record lacks is missing in the file only where the range ends with it: else a number is wrong.
		{ID: "element.size", On: "property.size, item.size", If: "type == types.element", Kind: Truncated, Hard: "beyond > 0", Cut: true, Holds: "it <= room",
			Want: "at most {room}", Says: "the element claims {it} bytes, but {room:byte} " + follow, Clause: "5.5",
			Help: "an element claims more bytes than there are"},
		{ID: "element.count", On: "property.count, item.count", If: "type == types.element", Kind: Truncated, Hard: "beyond > 0", Cut: true,
			Holds: "it <= room / 2", Want: "at most {room / 2}", Clause: "7",
			Says: "the element counts {it} children of at least 2 bytes, but {room:byte} " + follow,
			Help: "an element counts more children than its bytes can hold"},
		{ID: "element.keys", On: childFields, If: "type == types.element and known(keys) < count", Kind: Truncated, Hard: "beyond > 0", Cut: true,
			Find: findMissing, Want: "{count}", Found: "{known(keys)}", Clause: "5.5",
			Says: "the key table ends after {known(keys)} of {count} keys", Help: "the key table of an element ends too early"},
		{ID: "element.values", On: childFields, If: "type == types.element and known(keys) == count and known(values) < count",
			Kind: Truncated, Hard: "beyond > 0", Cut: true, Find: findMissing, Want: "{count}", Found: "{known(values)}", Clause: "5.5",
			Says: "{count - known(values)} of {count} children are missing", Help: "children of an element are missing"},
		{ID: "element.gap", On: "property.rest, item.rest", Kind: Suspicious, Want: "none", Found: "{bytes(rest):byte}", Clause: "5.5",
			If: "type == types.element and known(keys) == count and known(values) == count and size <= after(size)", Holds: "false",
			Says: "the element is larger than its children", Help: "an element is larger than its children"},
		{ID: "element.duplicate-key", On: "property.keys[], item.keys[]", Kind: Suspicious, Find: findRepeated, Want: "a key of its own",
			Says: "an earlier child has the same key; the engine takes the last of them", Clause: "5.5",
			Help: "two children of an element have one key"},

		{ID: "array.size", On: "property.size, item.size", If: "type == types.array", Kind: Truncated, Hard: "beyond > 0", Cut: true, Holds: "it <= room",
			Want: "at most {room}", Says: "the array claims {it} bytes, but {room:byte} " + follow, Clause: "5.6",
			Help: "an array claims more bytes than there are"},
		{ID: "array.count", On: "property.data, item.data", If: "type in (types.array, types.struct)", Kind: Truncated, Hard: "beyond > 0", Cut: true,
			Holds: "bytes(data) / stride >= count", Want: "at most {bytes(data) / stride}", Found: "{count}", Clause: "7",
			Says: "the array counts {count} values of {stride:byte}, but {bytes(data) + room:byte} " + followAll,
			Help: "an array counts more items than its bytes can hold"},
		{ID: "array.count", On: "content.data", Kind: Truncated, Hard: "beyond > 0", Cut: true, Holds: "bytes(data) / stride >= total",
			Want: "at most {bytes(data) / stride}", Found: "{total}", Clause: "7",
			Says: "the array counts {total} values of {stride:byte}, but {bytes(data) + room:byte} " + followAll},
		{ID: "array.count", On: "property.count, item.count", If: "type == types.array and has(size) and valueType != types.struct",
			Kind: Truncated, Hard: "beyond > 0", Cut: true, Holds: "it <= after(size) / types[valueType].least", Clause: "7",
			Want: "at most {after(size) / types[valueType].least}",
			Says: `the array counts {it} items of at least {types[valueType].least:byte}, but {after(size):byte} {after(size) == 1 ? "follows" : "follow"}`},
		{ID: "array.items", On: "property.size, item.size, property.items, item.items, content.count, content.items", Kind: Truncated,
			Hard: "beyond > 0", Cut: true, If: "types[valueType].size < 0 and valueType != types.struct and known(items) < count", Find: findMissing,
			Want: "{count}", Found: "{known(items)}", Says: "{count - known(items)} of {count} items are missing", Clause: "5.6",
			Help: "items of an array are missing"},
		{ID: "array.gap", On: "property.rest, item.rest", Kind: Suspicious, Holds: "false", Want: "none", Found: "{bytes(rest):byte}", Clause: "5.6",
			If: "type == types.array and size <= after(size) and (stride >= 0 ? valueType < 36 : " +
				"valueType != types.struct and known(items) == count)",
			Says: "the array is larger than its items", Help: "an array is larger than its items"},

		{ID: "struct.members", On: "struct header.members", Holds: "it >= 1", Want: "1 to 255", Says: "a struct has no members", Clause: "5.7"},
		{ID: "struct.member-type", On: "struct header.types[]", Holds: "types[it].fixed", Want: "a fixed-size type",
			Found: `{it < 36 ? types[it].name : f"type {it}"}`, Says: "a struct has a member whose type has no fixed size", Clause: "5.7"},
		{ID: "struct.header-size", On: "property.headerSize, item.headerSize", If: "stride >= 0", Kind: Suspicious, Holds: "it == bytes(header)",
			Says: "the size of a struct header does not agree with the header", Clause: "5.6"},
		{ID: "struct.size", On: "property.size, item.size", If: "type == types.struct and stride >= 0", Kind: Suspicious,
			Holds: "it == bytes(header) + bytes(data)", Says: "the size of a struct does not agree with its header and data", Clause: "5.7"},

		{ID: "lz4.block", Clause: "6", Help: "an LZ4 block is broken, or gives less than claimed"},
		{ID: "lz4.size", On: "property.uncompressedSize, item.uncompressedSize", Holds: "gives <= possible", Clause: "7",
			If:   "type == types.lz4 ? compressedSize <= room : has(count) and compressedSize <= after(count)",
			Want: "at most {255 * compressedSize}", Found: "{gives}", Says: cannotGive, Help: "an LZ4 block cannot give as much as claimed"},
		{ID: "lz4.size", On: "property.count, item.count", Holds: "gives <= possible", Clause: "7",
			If:   "type == types.arrayLz4 and not has(uncompressedSize) and compressedSize <= room",
			Want: "at most {255 * compressedSize}", Found: "{gives}", Says: cannotGive},
		{ID: "lz4.size", On: "property.data, item.data", If: "type in (types.lz4, types.arrayLz4)", Kind: Suspicious, Holds: "gives != 0",
			Want: "0 bytes", Found: "{compressedSize} bytes", Clause: "5.8",
			Says: "an LZ4 block of {compressedSize} bytes is where nothing is to come out"},
		{ID: "lz4.type", On: "property.valueType, item.valueType", If: "type == types.arrayLz4 and it < 36", Holds: "types[it].packs",
			Want: "a fixed-size type, struct, element or string", Found: "{types[it].name}", Clause: "5.8",
			Says: "a compressed array cannot hold items of this type", Help: "a compressed array has items of a type that it cannot hold"},
		{ID: "lz4.count", On: "content.count", Kind: Suspicious, Holds: "it == total", Clause: "5.8",
			Says: "a compressed array counts its items twice, and differently"},
		{ID: "array.count", On: "content.count", Kind: Truncated, Hard: "beyond > 0", Cut: true, Holds: "it <= room / types[valueType].least",
			Want: "at most {room / types[valueType].least}", Clause: "7",
			Says: "the array counts {it} items of at least {types[valueType].least:byte}, but {room:byte} " + follow},
		{ID: "lz4.gap", On: "content.rest", Kind: Suspicious, If: "known(items) == count", Holds: "false", Want: "none",
			Found: "{bytes(rest):byte}", Says: "the block gives more than the items take", Clause: "5.8", Help: "an LZ4 block gives more than the items take"},
		{ID: "lz4.cut-short", On: "content.items", If: "valueType == types.string", Kind: Assumed, Find: findCutShort, Clause: "5.8",
			Says: "the engine cuts compressed arrays that hold strings of 255 bytes and more short when it writes them",
			Help: "why strings may be missing in a compressed array"},
		{ID: "limit.nesting", On: "deep property.rest, deep item.rest", If: "type < 36", Kind: Limit, Find: findNesting, Clause: "7",
			Help: "elements and arrays are nested deeper than Cutaway follows"},
		{ID: "limit.block", Help: "an LZ4 block gives more than Cutaway inflates"},
		{ID: "limit.text", Help: "a text is longer than Cutaway reads"},

		{ID: "text.empty", Help: "a text has no bytes, which is an empty tree"},
		{ID: "text.byte-order-mark", Help: "a text begins with a byte-order mark"},
		{ID: "text.syntax", Help: "a text does not follow the grammar"},
		{ID: "text.unclosed", Help: "a string, list, block or base64 data is not closed"},
		{ID: "text.comment", Help: "a comment is not closed"},
		{ID: "text.type", Help: "a type name does not exist"},
		{ID: "text.number", Help: "a word is no number of its type"},
		{ID: "text.range", Help: "a number is out of the range of its type"},
		{ID: "text.value-count", Help: "a value has too few or too many numbers"},
		{ID: "text.comma", Help: "a comma is out of place"},
		{ID: "text.inner-comma", Help: "a comma is before an inner bracket"},
		{ID: "text.count-hint", Help: "an array has another number of items than its header says"},
		{ID: "text.size", Help: "the size of a compressed array is not that of its items"},
		{ID: "text.base64", Help: "base64 data has a character that does not belong there"},
		{ID: "text.base64-bits", Help: "the last digit of base64 data has bits that make no byte"},
		{ID: "text.encoding", Help: "the encoding of a UTF-8 text is not base64"},
		{ID: "text.members", Help: "a struct has more than 255 members, or one whose type has no fixed size"},
		{ID: "text.control-character", Help: "a text has a control character, which no writer writes"},
	},
	Looks: []Look{
		{On: "UDM binary.root", Node: showRoot},
		{On: "property.value, item.value", Node: showFixed},
		{On: "property.keys, item.keys, property.values, item.values", Node: showCount},
		{On: "property.keys[], item.keys[]", Node: showKey},
		{On: "property.values[], item.values[]", Node: showProperty, Names: namesOfValues},
		{On: "property.items, item.items, content.items", Node: showItems},
		{On: "property.items[], item.items[], content.items[]", Node: showItem},
		{On: "property.data, item.data, content.data", Node: showData},
		{On: "struct header.types", Node: showMemberTypes},
		{On: "struct header.names[]", Node: hideHelp},
	},
}

const (
	childFields = "property.count, item.count, property.keys, item.keys, property.values, item.values, property.rest, item.rest"
	follow      = `{room == 1 ? "follows" : "follow"}`
	followAll   = `{bytes(data) + room == 1 ? "follows" : "follow"}`
	cannotGive  = "{gives} bytes are to come out of an LZ4 block of {compressedSize}, which cannot give so many"
)

// values are the values of all types (chapters 3 and 5).
var values = []Case{
	On(types.String, stringFields...),
	On(types.Ref, stringFields...),
	On(types.UTF8, // 5.2
		F("size", U32, "bytes of the text"),
		F("text", UTF8("size"), "no terminator; usually UTF-8").If("size > 0")),
	On(types.Blob, // 5.3
		F("size", U64, "bytes of the data"),
		F("data", Bytes("size"), "any bytes").If("size > 0")),
	On(types.LZ4, // 5.4
		F("compressedSize", U64, "bytes of the LZ4 block"),
		F("uncompressedSize", U64, "bytes that the block gives"),
		F("data", In("compressedSize", lz4Block), "one raw LZ4 block: no frame, no checksum").If("compressedSize > 0"),
		Let("possible", "compressedSize == 0 ? 0 : compressedSize * 255 + 64"),
		Shows("gives", "uncompressedSize", "").Hidden()),
	On(types.Element, // 5.5: all keys, then all values
		F("size", U64, "bytes of the element after this field").Sizes(),
		F("count", U32, "how many children"),
		F("keys", Rec("key"), "the names of all children, before all values").If("count > 0 and hasKey()").Times("count").DropCut(),
		F("values", Match(tooDeep, Is(1, Rec("deep property")), Other(Rec("property"))), "the children, in the order of the keys").
			If("count > 0 and known(keys) == count and left > 0").Times("count").KeepCut(),
		F("rest", Bytes("left"), "bytes after the last child").If("known(keys) == count and left > 0").Unknown(),
		F("rest", Bytes("left"), "what is left of the key table").If("known(keys) < count and left > 0").Unknown(),
		Shows("childNames", "childNames(keys)", "").Hidden()),
	On(types.Array, // 5.6: packed values, or items one after another
		F("valueType", U8, "the type of the items, which have no type byte").NamedBy("types"),
		F("count", U32, "how many items"),
		F("size", U64, "bytes of the array after this field").If("types[valueType].size < 0").Sizes(),
		F("headerSize", U16, "bytes of the struct header").If("valueType == types.struct"),
		F("header", Rec("struct header"), membersHelp).If("valueType == types.struct"),
		Let("stride", "valueType == types.struct ? header.stride : types[valueType].size"),
		F("data", Bytes("min(count * stride, left)"), "the values, back to back").If("stride > 0 and count > 0"),
		F("items", items, "the items, one after another").Times("count").KeepCut().
			If("types[valueType].size < 0 and valueType != types.struct and count > 0 and left > 0"),
		F("rest", Bytes("left"), "bytes after the last item").If("left > 0 and (has(size) or valueType > 35)").Unknown().EndsIf("valueType > 35")),
	On(types.Struct, // 5.7: as an array of one
		F("size", U16, "bytes of header and data"),
		F("header", Rec("struct header"), membersHelp),
		Let("stride", "header.stride"),
		Let("count", "1"),
		Let("unread", "min(size - bytes(header), left)"),
		F("data", Bytes("min(stride, left)"), "the values, back to back").If("stride > 0"),
		F("rest", Bytes("unread"), "bytes after a struct header that has no meaning").If("stride < 0 and unread > 0").Unknown()),
	On(types.ArrayLZ4, // 5.8
		F("compressedSize", U64, "bytes of the LZ4 block at the end"),
		F("valueType", U8, "the type of the items, which have no type byte").NamedBy("types"),
		F("headerSize", U16, "bytes of the struct header").If("valueType == types.struct"),
		F("header", Rec("struct header"), membersHelp).If("valueType == types.struct"),
		Let("stride", "valueType == types.struct ? header.stride : types[valueType].size"),
		Let("unread", "valueType == types.struct and stride < 0 ? min(headerSize - bytes(header), left) : 0"),
		F("rest", Bytes("left"), "bytes that have no meaning").If("not types[valueType].packs and left > 0").Unknown().EndsIf("true"),
		F("rest", Bytes("unread"), "bytes that have no meaning").If("types[valueType].packs and unread > 0").Unknown(),
		F("uncompressedSize", U64, "bytes that the block gives").If("valueType in (types.string, types.element)"),
		F("count", U32, "how many items").If("types[valueType].packs"),
		F("data", In("compressedSize", lz4Block), "one raw LZ4 block: no frame, no checksum").If("compressedSize > 0"),
		Let("possible", "compressedSize == 0 ? 0 : compressedSize * 255 + 64"),
		Shows("gives", "has(uncompressedSize) ? uncompressedSize : count * max(stride, 0)", "").Hidden()),
	Else( // a fixed-size type, or none
		F("value", Row("types", "type"), "").If("types[type].size > 0"),
		F("rest", Bytes("left"), "bytes that cannot be decoded").If("type > 35 and left > 0").Unknown().EndsIf("true")),
}

const (
	tooDeep     = "root.outer + depth >= 256"
	membersHelp = "the members of the structs: how many, their types, their names"
)

// stringFields are those of a string or ref (5.1).
var stringFields = []*Field{
	F("length", U8, "bytes of the text, or 255: a longer length follows"),
	F("longLength", U32, "bytes of the text").If("length == 255"),
	F("text", UTF8("length == 255 ? longLength : length"), "no terminator; usually UTF-8").If("length == 255 ? longLength > 0 : length > 0"),
}

// items are the items of an array of a variable-size type.
var items = Match(tooDeep, Is(1, Rec("deep item", "valueType")), Other(Rec("item", "valueType")))

// fixedType returns how a value of a fixed-size type is read, whose numbers the type groups (3).
func fixedType(t *types.ID) Type {
	switch {
	case *t == types.Bool:
		return U8.As(t.String(), func(n uint64) model.Value { return model.Bool(n != 0) })
	case t.Size() > 0:
		return Fixed(types.Title(*t), t.Size(), t.Value)
	}
	return nil
}
