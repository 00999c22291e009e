package table

import (
	. "cutaway/decoders/lang"
	"cutaway/decoders/usdc/coding"
)

// SectionLanguage describes the sections of a crate, chapters 3, 4, 6 and 7 of the specification. Conditions on the version alone are
// decided once for a file. Rules on tables are here, whoever finds their breaches.
var SectionLanguage = &Language{
	Name: "usdc", Title: "OpenUSD crate", Short: "value.truncated", Invalid: "read",
	Known: []Known{
		Know("crate", "the version of the file", (*Crate).VersionNumber),
		Know("crate.coded", "1: sections are compressed, from 0.4.0 on and in one reading of 0.3", (*Crate).codedNumber),
		Know("crate.oneCount", "1: PATHS has one count for table and lists, in that reading of 0.3", (*Crate).oneCountNumber),
	},
	Tables: []*Table{
		TypeTable,
		NewTable("specTypes", specTypes[:], Label("name", RowText)),
	},
	Entries: []Entries{
		{Name: "contents", Refs: tocRefs}, // the one table of contents
		{Name: "tokens", List: "TOKENS.text", Show: showTokenIndex},
		{Name: "strings", List: "STRINGS.indexes[]", Show: ShowStringIndex},
		{Name: "fields", List: "FIELDS.fields[], FIELDS.reps", Show: showFieldIndex},
		{Name: "positions", List: "FIELDSETS.indexes[]", Show: showSetIndex},
		{Name: "items", List: "PATHS.pathIndexes"},
		{Name: "paths"},                      // by PathIndex
		{Name: "values", Show: ShowValueRep}, // by their reps
	},
	Records: []*Record{
		// Chapter 3. A file has size bytes; in some a section begins before the end of the reserved ones.
		NewRecord("Bootstrap(end, size)",
			F("magic", UTF8("8"), "the letters PXR-USDC"),
			F("version", Rec("version"), "the layout of everything after depends on it"),
			Pad("unused", Bytes("5"), "zero, or stale memory in old files"),
			F("tocOffset", I64, "where the table of contents begins").To("contents", "toc"),
			Pad("reserved", Bytes("end - pos"), "eight i64; zero, or stale memory in old files"),
		).About("the first 88 bytes: what the file is and where its table of contents is"),
		NewRecord("version",
			F("major", U8, "always 0"),
			F("minor", U8, "decides the layout"),
			F("patch", U8, "ignored by readers"),
		),

		// Chapter 4.
		NewRecord("TableOfContents",
			F("count", U64, "number of sections"),
			F("sections", Rec("Section"), "").Times("min(count, 65536)").DropCut().If("count > 0"),
		).About("where each section begins and how long it is"),
		NewRecord("Section",
			F("name", In("16", paddedText), "NUL-padded, at most 15 characters"),
			F("start", I64, "offset of the section's first byte"),
			F("size", I64, "bytes; readers go by the content instead"),
		),

		// Chapter 6, with chapter 7: records below 0.4.0, from then on columns of coded integers.
		NewRecord("TOKENS",
			F("count", U64, "number of tokens"),
			F("size", U64, "bytes of text, with a NUL after each token"),
			F("compressedSize", U64, "bytes of the compressed buffer after it").If("crate.coded"),
			F("text", Named("text", Bytes("min(size, left)")), "the tokens, each with a NUL after it").If("not crate.coded"),
			F("text", Named("compressed text", Bytes("min(compressedSize, left)")), "the tokens, each with a NUL after it, compressed").
				If("crate.coded"),
		),
		NewRecord("STRINGS",
			F("count", U64, "number of strings"),
			F("indexes", tokenIndex, "TokenIndex of each string's text").Times("min(count, 0xFFFFFFFF)").DropCut().If("count > 0").
				To("tokens", "string"),
		),
		NewRecord("FIELDS",
			F("count", U64, "number of fields"),
			F("fields", Rec("Field"), "records of filler, name and value rep").Times("min(count, 0xFFFFFFFF)").DropCut().
				If("not crate.coded and count > 0"),
			F("names", coding.SizedBuffer("TokenIndex[]"), "the name of each field, as coded integers").If("crate.coded").To("tokens", "name"),
			F("reps", coding.SizedBuffer("rep[]"), "the value of each field, or where it is").If("crate.coded and left > 0").To("values", "value"),
		),
		NewRecord("Field",
			Pad("filler", Bytes("4"), "stale memory"),
			F("name", tokenIndex, "TokenIndex of the field's name").To("tokens", "name"),
			F("rep", ValueRep, "").To("values", "value"),
		),
		NewRecord("FIELDSETS",
			F("count", U64, "number of list elements, terminators included"),
			F("indexes", fieldIndex, "FieldIndexes; -1 ends a field set").Times("min(count, 0xFFFFFFFF)").DropCut().
				If("not crate.coded and count > 0").To("fields", "fieldset"),
			F("indexes", coding.SizedBuffer("FieldIndex[]"), "FieldIndexes, as coded integers; -1 ends a field set").If("crate.coded").
				To("fields", "fieldset"),
		),
		NewRecord("PATHS",
			F("count", U64, "size of the path table").If("not crate.oneCount"),
			F("count", U64, "size of the path table, and number of items in the lists").If("crate.oneCount"),
			F("encodedCount", U64, "number of items in the lists; the rest of the table is empty paths").
				If("crate.coded and not crate.oneCount"),
			F("pathIndexes", coding.SizedBuffer("PathIndex[]"), "which path each item is").If("crate.coded").To("paths", "path"),
			F("elementTokenIndexes", coding.SizedBuffer("i32[]"), "the last element of each path: a TokenIndex, negative for a property").
				If("crate.coded and left > 0").To("tokens", "element"),
			F("jumps", coding.SizedBuffer("i32[]"), "what follows each item: -2 nothing, -1 its child, 0 its sibling, k both, the sibling k items on").
				If("crate.coded and left > 0").To("items", "jump"),
		),
		NewRecord("PathItem", // below 0.4.0 the items of PATHS, which only a walk finds
			Pad("filler", Bytes("4"), "stale memory").If("crate < v0.0.2"),
			F("pathIndex", PathIndex, "which path the item is").To("paths", "path"),
			F("elementTokenIndex", tokenIndex, "the last element of the path").To("tokens", "element"),
			F("bits", U8, "what follows the item, and what its element is").Hex().Parts(
				B("hasChild", 1, "its first child follows"),
				B("hasSibling", 1, "its next sibling follows, or with a child is at siblingOffset"),
				B("isProperty", 1, "the element is a prim's property")),
			Pad("filler", Bytes("3"), "stale memory"),
			F("siblingOffset", I64, "offset in the file of the next sibling's item").If("bits.hasChild == 1 and bits.hasSibling == 1"),
		),
		NewRecord("SPECS",
			F("count", U64, "number of specs"),
			F("specs", Rec("Spec"), "records of path, field set and type").Times("min(count, 0xFFFFFFFF)").DropCut().
				If("not crate.coded and count > 0"),
			F("pathIndexes", coding.SizedBuffer("PathIndex[]"), "the path of each spec, as coded integers").If("crate.coded").To("paths", "spec"),
			F("fieldSetIndexes", coding.SizedBuffer("FieldSetIndex[]"), "where the field set of each spec begins in FIELDSETS, as coded integers").
				If("crate.coded and left > 0").To("positions", "spec"),
			F("types", coding.SizedBuffer("SpecType[]"), "the type of each spec, as coded integers").If("crate.coded and left > 0"),
		),
		NewRecord("Spec",
			Pad("filler", Bytes("4"), "stale memory").If("crate < v0.0.2"),
			F("path", PathIndex, "PathIndex").To("paths", "spec"),
			F("fieldSet", U32.Named("FieldSetIndex"), "FieldSetIndex: position in FIELDSETS").To("positions", "spec"),
			F("type", U32.Named("SpecType"), "spec type").NamedBy("specTypes"),
		),
	},
	Rules: []Rule{
		{ID: "bootstrap.truncated", Help: "the file ends inside the bootstrap, its first 88 bytes"},
		{ID: "bootstrap.magic", On: "Bootstrap.magic", Holds: `it == "PXR-USDC"`, Found: "{it:q}", Clause: "3",
			Says: "this is no crate: the magic is missing",
			Help: "the file does not begin with PXR-USDC"},
		{ID: "bootstrap.version", On: "Bootstrap.version", Find: refusal, Clause: "2",
			Help: "the version is not one that can be decoded"},
		{ID: "bootstrap.toc-offset", On: "Bootstrap.tocOffset", Kind: Truncated, Holds: "it < size", Clause: "3",
			Want: "88 or more, inside the file", Says: "the table of contents begins at {it}, but the file has {size} bytes",
			Help: "the table of contents is not inside the file, after the bootstrap"},
		{ID: "bootstrap.toc-offset", On: "Bootstrap.tocOffset", If: "it < size", Holds: "it >= 88", Clause: "3",
			Want: "88 or more, inside the file", Says: "the table of contents cannot begin inside the bootstrap or before the file"},

		{ID: "toc.truncated", Help: "the file ends inside the table of contents"},
		{ID: "toc.count", On: "TableOfContents.count", Kind: Truncated, Holds: "fits", Clause: "4",
			Help: "more sections are counted than entries follow"},
		{ID: "toc.too-many", On: "TableOfContents.count", Holds: "min(it, most) <= 65536", Want: "65536", Found: "{min(it, most)}",
			Says: "only the first 65536 sections are read, which is this program's limit",
			Help: "more sections are listed than this program reads"},
		{ID: "toc.read", Help: "the table of contents could not be read"},
		{ID: "toc.name", On: "Section.name", Kind: Suspicious, Find: findNoNUL, Clause: "4",
			Want: "at most 15 characters and a NUL", Says: "the section's name has no NUL after it",
			Help: "a section's name has no NUL after it"},
		{ID: "toc.section-missing", Help: "one of the six required sections is not listed"},
		{ID: "toc.section-repeated", Help: "a section is listed twice; readers use the first"},
		{ID: "toc.section-out-of-file", Help: "a section does not begin inside the file"},
		{ID: "toc.section-overlap",
			Help: "a section begins inside the bootstrap or the table of contents, or one that readers ignore inside another"},
		{ID: "toc.section-size", Help: "a section's size is not that of its content, by which readers go"},

		{ID: "section.leftover", Help: "a section is larger than its content"},
		{ID: "read", Help: "bytes could not be read"},

		{ID: "compress.truncated", Help: "a compressed buffer is missing"},
		{ID: "compress.size", Help: "a compressed size is larger than what is there, or than what its content can need"},
		{ID: "compress.count", Help: "more is counted than compressed bytes of that size can give"},
		{ID: "compress.too-many", Help: "a table has more entries than this program decodes from a file of that size, or keeps in memory"},
		{ID: "compress.chunk-count", Help: "the chunk count is negative"},
		{ID: "compress.chunk-size", Help: "a chunk does not fit into its buffer"},
		{ID: "compress.lz4", Help: "an LZ4 block is broken"},
		{ID: "compress.short", Help: "a compressed buffer gives less than is claimed"},
		{ID: "integers.truncated", Help: "coded integers run out of bytes"},
		{ID: "integers.leftover", Help: "bytes are left after the last coded integer"},
		{ID: "integers.unused-bits", Help: "bits after the last code are not 0"},
		{ID: "integers.read", Help: "coded integers could not be read"},

		{ID: "tokens.truncated", Help: "the section TOKENS ends inside its header"},
		{ID: "tokens.size", On: "TOKENS.size", Kind: Truncated, If: "not crate.coded", Holds: "fits", Clause: "6",
			Help: "the text of the tokens is claimed to be larger than it can be"},
		{ID: "tokens.compressed-size", On: "TOKENS.compressedSize", Kind: Truncated, Holds: "fits", Clause: "6",
			Help: "the compressed text of the tokens runs off its section"},
		{ID: "tokens.no-nul", Help: "the text of the tokens does not end with a NUL"},
		{ID: "tokens.too-few", Help: "there are fewer tokens than counted"},
		{ID: "tokens.too-many", Help: "there are more tokens than this program reads from a file of that size"},
		{ID: "limit.text", Help: "a token is longer than what is taken as text"},
		{ID: "tokens.leftover", Help: "there is more text than the counted tokens"},
		{ID: "tokens.utf-8", Help: "the text of a token is not UTF-8"},
		{ID: "tokens.read", Help: "the tokens could not be read"},
		{ID: "strings.truncated", Help: "the section STRINGS ends inside its count"},
		{ID: "strings.count", On: "STRINGS.count", Kind: Truncated, Holds: "fits", Clause: "6",
			Help: "more strings are counted than the section holds"},
		{ID: "strings.read", Help: "the strings could not be read"},
		{ID: "fields.truncated", Help: "the section FIELDS ends too early"},
		{ID: "fields.count", On: "FIELDS.count", Kind: Truncated, If: "not crate.coded", Holds: "fits", Clause: "6",
			Help: "more fields are counted than the section holds"},
		{ID: "fields.no-name", Help: "a field has no name"},
		{ID: "fields.type", Help: "the value of a field is not of the type that readers take it for"},
		{ID: "fields.value", Help: "a field of readers' own, such as specifier, has a value that its type does not have"},
		{ID: "fields.read", Help: "the fields could not be read"},
		{ID: "fieldsets.truncated", Help: "the section FIELDSETS ends inside its count"},
		{ID: "fieldsets.count", On: "FIELDSETS.count", Kind: Truncated, If: "not crate.coded", Holds: "fits", Clause: "6",
			Help: "more field indexes are counted than the section holds"},
		{ID: "fieldsets.unterminated", Help: "the last field set has no terminator"},
		{ID: "fieldsets.read", Help: "the field sets could not be read"},
		{ID: "paths.truncated", Help: "the section PATHS ends too early"},
		{ID: "paths.count", Help: "the path table is far larger than its items"},
		{ID: "paths.encoded-count", Help: "more paths are encoded than the table has room for"},
		{ID: "paths.index-repeated", Help: "a path is encoded twice"},
		{ID: "paths.item-repeated", Help: "an item of the path tree is reached twice"},
		{ID: "paths.unreached", Help: "an item of the path tree is never reached"},
		{ID: "paths.jump", Help: "a jump is none that there is; readers take it for a leaf's"},
		{ID: "paths.walk", Help: "a jump leads beyond the last item"},
		{ID: "paths.sibling-offset", Help: "the offset of a sibling leads out of the items"},
		{ID: "paths.element", Help: "readers make no path of an element: it is no identifier, or does not belong there"},
		{ID: "paths.order", Help: "siblings are in another order than that of writers, on which no reader relies"},
		{ID: "paths.read", Help: "the paths could not be read"},
		{ID: "specs.truncated", Help: "the section SPECS ends too early"},
		{ID: "specs.count", On: "SPECS.count", Kind: Truncated, If: "not crate.coded", Holds: "fits", Clause: "6",
			Help: "more specs are counted than the section holds"},
		{ID: "specs.empty-path", Help: "a spec is of the empty path"},
		{ID: "specs.path-repeated", Help: "two specs have one path"},
		{ID: "specs.field-set", Help: "a spec's field set index does not lead to the beginning of a field set"},
		{ID: "specs.type", Help: "a spec's type does not exist"},
		{ID: "specs.path", Help: "a spec's type is not that of its path"},
		{ID: "specs.read", Help: "the specs could not be read"},

		{ID: "children.list", Help: "the field for a prim's children is no list of names"},
		{ID: "children.offsets", Help: "a layer has fewer offsets of sublayers than sublayers"},
		{ID: "children.missing", Help: "a spec lists a child that has no spec"},
		{ID: "children.repeated", Help: "a spec lists a child twice"},
		{ID: "children.unlisted", Help: "a spec does not list one of its children"},
		{ID: "targets.path", Help: "a target, connection or class is no path that its field can have"},
		{ID: "targets.repeated", Help: "a list names a path twice"},
		{ID: "targets.owner", Help: "an attribute has targets, or a relationship connections"},
		{ID: "targets.unlisted", Help: "a target or connection has a spec, but its property does not list it"},

		{ID: "index.token-out-of-range", Help: "a token index is outside the token table"},
		{ID: "index.string-out-of-range", Help: "a string index is outside the string table"},
		{ID: "index.path-out-of-range", Help: "a path index is outside the path table"},
		{ID: "index.field-out-of-range", Help: "a field index is outside the field table"},
		{ID: "index.field-set-out-of-range", Help: "a field set index is outside the list of field sets"},
		{ID: "index.token-missing", Help: "a token is lost because the token table is damaged"},
		{ID: "index.string-missing", Help: "a string is lost because the string table is damaged"},
		{ID: "index.path-missing", Help: "a path is lost because the path table is damaged"},
		{ID: "index.field-missing", Help: "a field is lost because the field table is damaged"},

		{ID: "rep.unknown-type", On: "Field.rep", Find: checkRep, Clause: "8",
			Help: "a value rep has a type that does not exist"},
		{ID: "rep.cannot-inline", Help: "a value rep is marked as inlined, which its type cannot be"},
		{ID: "rep.flags", Help: "flags of a value rep are not what its type and the version ask for; readers go by the type"},
		{ID: "rep.inlined-spline", Help: "a spline is marked as inlined, as some writers do with an empty one"},
		{ID: "rep.past-end", Help: "a value lies beyond the end of the file"},
		{ID: "rep.in-bootstrap", Help: "a value lies in the bootstrap"},
	},
	Looks: []Look{
		{On: "Bootstrap.version", Node: showVersion},
		{On: "STRINGS.indexes", Node: showStrings},
		{On: "STRINGS.indexes[]", Node: showString},
		{On: "FIELDS.fields[]", Node: showField},
		{On: "FIELDSETS.indexes", Node: showPositions},
		{On: "FIELDSETS.indexes[]", Node: showPosition},
		{On: "PathItem.filler", Node: showFiller},
		{On: "Spec.path", Node: showSpecPath},
	},
}

// TypeTable is the table of chapter 9 for descriptions.
var TypeTable = NewTable("types", Types[:], Label("name", (*TypeInfo).title), Number("size", (*TypeInfo).size), Label("encoding", (*TypeInfo).encoding),
	Flag("array", (*TypeInfo).isArray), Release("codedFrom", (*TypeInfo).codedFromNumber), Label("inline", (*TypeInfo).inlined), Of((*TypeInfo).elementType))

// The types of numbers with a meaning.
var (
	tokenIndex  = U32.Named("TokenIndex")
	fieldIndex  = U32.Named("FieldIndex")
	StringIndex = U32.Named("StringIndex")
	PathIndex   = U32.Named("PathIndex")
	ValueRep    = U64.Named("value rep")
)
