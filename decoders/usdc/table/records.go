package table

import (
	. "cutaway/decoders/lang"
	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/coding"
)

// SectionLanguage describes the sections of a crate, chapters 3, 4, 6 and 7 of the specification. Conditions on the version alone are
// decided once for a file. Rules on tables are here, whoever finds their breaches.
var SectionLanguage = &Language{
	Clauses: usda.Clause, Name: "usdc", Title: "OpenUSD crate", Short: "value.truncated", Invalid: "read",
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
			F("magic", UTF8("8"), "the letters PXR-USDC").By("16.3.8.1"),
			F("version", Rec("version"), "the layout of everything after depends on it"),
			Pad("unused", Bytes("5"), "zero, or stale memory in old files"),
			F("tocOffset", I64, "where the table of contents begins").To("contents", "toc"),
			Pad("reserved", Bytes("end - pos"), "eight i64; zero, or stale memory in old files"),
		).By("16.3.8.3").About("the first 88 bytes: what the file is and where its table of contents is"),
		NewRecord("version",
			F("major", U8, "always 0"),
			F("minor", U8, "decides the layout"),
			F("patch", U8, "ignored by readers"),
		).By("16.3.8.2"),

		// Chapter 4.
		NewRecord("TableOfContents",
			F("count", U64, "number of sections"),
			F("sections", Rec("Section"), "").Times("min(count, 65536)").DropCut().If("count > 0"),
		).By("16.3.8.4").About("where each section begins and how long it is"),
		NewRecord("Section",
			F("name", In("16", paddedText), "NUL-padded, at most 15 characters"),
			F("start", I64, "offset of the section's first byte"),
			F("size", I64, "bytes; readers go by the content instead"),
		).By("16.3.8.4"),

		// Chapter 6, with chapter 7: records below 0.4.0, from then on columns of coded integers.
		NewRecord("TOKENS",
			F("count", U64, "number of tokens"),
			F("size", U64, "bytes of text, with a NUL after each token"),
			F("compressedSize", U64, "bytes of the compressed buffer after it").If("crate.coded"),
			F("text", Named("text", Bytes("min(size, left)")), "the tokens, each with a NUL after it").If("not crate.coded"),
			F("text", Named("compressed text", Bytes("min(compressedSize, left)")), "the tokens, each with a NUL after it, compressed").
				If("crate.coded"),
		).By("16.3.8.4.1"),
		NewRecord("STRINGS",
			F("count", U64, "number of strings"),
			F("indexes", tokenIndex, "TokenIndex of each string's text").Times("min(count, 0xFFFFFFFF)").DropCut().If("count > 0").
				To("tokens", "string"),
		).By("16.3.8.4.2"),
		NewRecord("FIELDS",
			F("count", U64, "number of fields"),
			F("fields", Rec("Field"), "records of filler, name and value rep").Times("min(count, 0xFFFFFFFF)").DropCut().
				If("not crate.coded and count > 0"),
			F("names", coding.SizedBuffer("TokenIndex[]"), "the name of each field, as coded integers").If("crate.coded").To("tokens", "name"),
			F("reps", coding.SizedBuffer("rep[]"), "the value of each field, or where it is").If("crate.coded and left > 0").To("values", "value"),
		).By("16.3.8.4.3"),
		NewRecord("Field",
			Pad("filler", Bytes("4"), "stale memory"),
			F("name", tokenIndex, "TokenIndex of the field's name").To("tokens", "name"),
			F("rep", ValueRep, "").To("values", "value"),
		).By("16.3.8.4.3"),
		NewRecord("FIELDSETS",
			F("count", U64, "number of list elements, terminators included"),
			F("indexes", fieldIndex, "FieldIndexes; -1 ends a field set").Times("min(count, 0xFFFFFFFF)").DropCut().
				If("not crate.coded and count > 0").To("fields", "fieldset"),
			F("indexes", coding.SizedBuffer("FieldIndex[]"), "FieldIndexes, as coded integers; -1 ends a field set").If("crate.coded").
				To("fields", "fieldset"),
		).By("16.3.8.4.4"),
		NewRecord("PATHS",
			F("count", U64, "size of the path table").If("not crate.oneCount"),
			F("count", U64, "size of the path table, and number of items in the lists").If("crate.oneCount"),
			F("encodedCount", U64, "number of items in the lists; the rest of the table is empty paths").
				If("crate.coded and not crate.oneCount"),
			F("pathIndexes", coding.SizedBuffer("PathIndex[]"), "which path each item is").By("16.3.8.4.5.1").If("crate.coded").To("paths", "path"),
			F("elementTokenIndexes", coding.SizedBuffer("i32[]"), "the last element of each path: a TokenIndex, negative for a property").By("16.3.8.4.5.2").
				If("crate.coded and left > 0").To("tokens", "element"),
			F("jumps", coding.SizedBuffer("i32[]"), "what follows each item: -2 nothing, -1 its child, 0 its sibling, k both, the sibling k items on").By("16.3.8.4.5.3").
				If("crate.coded and left > 0").To("items", "jump"),
		).By("16.3.8.4.5"),
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
		).By("16.3.8.4.5"),
		NewRecord("SPECS",
			F("count", U64, "number of specs"),
			F("specs", Rec("Spec"), "records of path, field set and type").Times("min(count, 0xFFFFFFFF)").DropCut().
				If("not crate.coded and count > 0"),
			F("pathIndexes", coding.SizedBuffer("PathIndex[]"), "the path of each spec, as coded integers").If("crate.coded").To("paths", "spec"),
			F("fieldSetIndexes", coding.SizedBuffer("FieldSetIndex[]"), "where the field set of each spec begins in FIELDSETS, as coded integers").
				If("crate.coded and left > 0").To("positions", "spec"),
			F("types", coding.SizedBuffer("SpecType[]"), "the type of each spec, as coded integers").If("crate.coded and left > 0"),
		).By("16.3.8.4.6"),
		NewRecord("Spec",
			Pad("filler", Bytes("4"), "stale memory").If("crate < v0.0.2"),
			F("path", PathIndex, "PathIndex").To("paths", "spec"),
			F("fieldSet", U32.Named("FieldSetIndex"), "FieldSetIndex: position in FIELDSETS").To("positions", "spec"),
			F("type", U32.Named("SpecType"), "spec type").NamedBy("specTypes"),
		).By("16.3.8.4.6"),
	},
	Rules: []Rule{
		{ID: "bootstrap.truncated", Standard: "16.3.8.1", Help: "the file ends inside the bootstrap, its first 88 bytes"},
		{ID: "bootstrap.magic", Standard: "16.3.8.1", On: "Bootstrap.magic", Holds: `it == "PXR-USDC"`, Found: "{it:q}", Clause: "3",
			Says: "this is no crate: the magic is missing",
			Help: "the file does not begin with PXR-USDC"},
		{ID: "bootstrap.version", Standard: "16.3.8.2", On: "Bootstrap.version", Find: refusal, Clause: "2",
			Help: "the version is not one that can be decoded"},
		{ID: "bootstrap.toc-offset", Standard: "16.3.8.3", On: "Bootstrap.tocOffset", Kind: Truncated, Holds: "it < size", Clause: "3",
			Want: "88 or more, inside the file", Says: "the table of contents begins at {it}, but the file has {size} bytes",
			Help: "the table of contents is not inside the file, after the bootstrap"},
		{ID: "bootstrap.toc-offset", Standard: "16.3.8.3", On: "Bootstrap.tocOffset", If: "it < size", Holds: "it >= 88", Clause: "3",
			Want: "88 or more, inside the file", Says: "the table of contents cannot begin inside the bootstrap or before the file"},

		{ID: "toc.truncated", Standard: "16.3.8.4", Help: "the file ends inside the table of contents"},
		{ID: "toc.count", Standard: "16.3.8.4", On: "TableOfContents.count", Kind: Truncated, Holds: "fits", Clause: "4",
			Help: "more sections are counted than entries follow"},
		{ID: "toc.too-many", On: "TableOfContents.count", Holds: "min(it, most) <= 65536", Want: "65536", Found: "{min(it, most)}",
			Says: "only the first 65536 sections are read, which is this program's limit",
			Help: "more sections are listed than this program reads"},
		{ID: "toc.read", Help: "the table of contents could not be read"},
		{ID: "toc.name", Standard: "16.3.8.4", On: "Section.name", Kind: Suspicious, Find: findNoNUL, Clause: "4",
			Want: "at most 15 characters and a NUL", Says: "the section's name has no NUL after it",
			Help: "a section's name has no NUL after it"},
		{ID: "toc.section-missing", Standard: "16.3.8.4", Help: "one of the six required sections is not listed"},
		{ID: "toc.not-last", Standard: "16.3.8.4", Forbidden: true, Help: "bytes follow the table of contents, which the standard has at the end of the file"},
		{ID: "toc.section-repeated", Standard: "16.3.8.4", Help: "a section is listed twice; readers use the first"},
		{ID: "toc.section-out-of-file", Standard: "16.3.8.4", Help: "a section does not begin inside the file"},
		{ID: "toc.section-overlap", Standard: "16.3.8.4",
			Help: "a section begins inside the bootstrap or the table of contents, or one that readers ignore inside another"},
		{ID: "toc.section-size", Standard: "16.3.8.4", Help: "a section's size is not that of its content, by which readers go"},

		{ID: "section.leftover", Standard: "16.3.8.4", Help: "a section is larger than its content"},
		{ID: "read", Help: "bytes could not be read"},

		{ID: "compress.truncated", Standard: "16.3.7.1", Help: "a compressed buffer is missing"},
		{ID: "compress.size", Standard: "16.3.7.1",
			Help: "a compressed size is larger than what is there, or than what its content can need"},
		{ID: "compress.count", Standard: "16.3.6", Help: "more is counted than compressed bytes of that size can give"},
		{ID: "compress.too-many", Help: "a table has more entries than this program decodes from a file of that size, or keeps in memory"},
		{ID: "compress.chunk-count", Standard: "16.3.7.1", Help: "the chunk count is negative"},
		{ID: "compress.chunk-size", Standard: "16.3.7.1", Help: "a chunk does not fit into its buffer"},
		{ID: "compress.lz4", Standard: "16.3.7.1", Help: "an LZ4 block is broken"},
		{ID: "compress.short", Standard: "16.3.7.1", Help: "a compressed buffer gives less than is claimed"},
		{ID: "integers.truncated", Standard: "16.3.7.2.2", Help: "coded integers run out of bytes"},
		{ID: "integers.leftover", Standard: "16.3.7.2.2", Help: "bytes are left after the last coded integer"},
		{ID: "integers.unused-bits", Standard: "16.3.7.2.2", Help: "bits after the last code are not 0"},
		{ID: "integers.width", Standard: "16.3.7.2.2", Discouraged: true, Help: "an integer is coded in more bytes than it needs"},
		{ID: "integers.read", Help: "coded integers could not be read"},

		{ID: "tokens.truncated", Standard: "16.3.8.4.1", Help: "the section TOKENS ends inside its header"},
		{ID: "tokens.size", Standard: "16.3.8.4.1", On: "TOKENS.size", Kind: Truncated, If: "not crate.coded", Holds: "fits", Clause: "6",
			Help: "the text of the tokens is claimed to be larger than it can be"},
		{ID: "tokens.compressed-size", Standard: "16.3.8.4.1", On: "TOKENS.compressedSize", Kind: Truncated, Holds: "fits", Clause: "6",
			Help: "the compressed text of the tokens runs off its section"},
		{ID: "tokens.no-nul", Standard: "16.3.8.4.1", Help: "the text of the tokens does not end with a NUL"},
		{ID: "tokens.too-few", Standard: "16.3.8.4.1", Help: "there are fewer tokens than counted"},
		{ID: "tokens.too-many", Help: "there are more tokens than this program reads from a file of that size"},
		{ID: "limit.text", Help: "a token is longer than what is taken as text"},
		{ID: "tokens.leftover", Standard: "16.3.8.4.1", Help: "there is more text than the counted tokens"},
		{ID: "tokens.utf-8", Standard: "16.3.10.12", Help: "the text of a token is not UTF-8"},
		{ID: "tokens.first", Standard: "16.3.8.4.1", Forbidden: true, Help: "a field or string is the first token, which nothing may name"},
		{ID: "tokens.read", Help: "the tokens could not be read"},
		{ID: "strings.truncated", Standard: "16.3.8.4.2", Help: "the section STRINGS ends inside its count"},
		{ID: "strings.count", Standard: "16.3.8.4.2", On: "STRINGS.count", Kind: Truncated, Holds: "fits", Clause: "6",
			Help: "more strings are counted than the section holds"},
		{ID: "strings.read", Help: "the strings could not be read"},
		{ID: "fields.truncated", Standard: "16.3.8.4.3", Help: "the section FIELDS ends too early"},
		{ID: "fields.count", Standard: "16.3.8.4.3", On: "FIELDS.count", Kind: Truncated, If: "not crate.coded", Holds: "fits", Clause: "6",
			Help: "more fields are counted than the section holds"},
		{ID: "fields.no-name", Standard: "16.3.8.4.3", Help: "a field has no name"},
		{ID: "fields.type", Standard: "7.4.3", Help: "the value of a field is not of the type that readers take it for"},
		{ID: "fields.value", Standard: "7.4.5",
			Help: "a field of readers' own, such as specifier, has a value that its type does not have"},
		{ID: "fields.read", Help: "the fields could not be read"},
		{ID: "fieldsets.truncated", Standard: "16.3.8.4.4", Help: "the section FIELDSETS ends inside its count"},
		{ID: "fieldsets.count", Standard: "16.3.8.4.4",
			On: "FIELDSETS.count", Kind: Truncated, If: "not crate.coded", Holds: "fits", Clause: "6",
			Help: "more field indexes are counted than the section holds"},
		{ID: "fieldsets.unterminated", Standard: "16.3.8.4.4", Help: "the last field set has no terminator"},
		{ID: "fieldsets.read", Help: "the field sets could not be read"},
		{ID: "paths.truncated", Standard: "16.3.8.4.5", Help: "the section PATHS ends too early"},
		{ID: "paths.count", Standard: "16.3.8.4.5", Help: "the path table is far larger than its items"},
		{ID: "paths.encoded-count", Standard: "16.3.8.4.5", Help: "more paths are encoded than the table has room for"},
		{ID: "paths.index-repeated", Standard: "16.3.8.4.5.1", Help: "a path is encoded twice"},
		{ID: "paths.item-repeated", Standard: "16.3.8.4.5.4", Help: "an item of the path tree is reached twice"},
		{ID: "paths.unreached", Standard: "16.3.8.4.5.4", Help: "an item of the path tree is never reached"},
		{ID: "paths.jump", Standard: "16.3.8.4.5.3", Help: "a jump is none that there is; readers take it for a leaf's"},
		{ID: "paths.walk", Standard: "16.3.8.4.5.4", Help: "a jump leads beyond the last item"},
		{ID: "paths.sibling-offset", Standard: "16.3.8.4.5.4", Help: "the offset of a sibling leads out of the items"},
		{ID: "paths.element", Standard: "8.5", Help: "readers make no path of an element: it is no identifier, or does not belong there"},
		{ID: "paths.first-token", Standard: "16.3.8.4.5.2", Forbidden: true, Help: "an element of a path is the first token, whose index has no sign"},
		{ID: "paths.order", Standard: "8.2", Help: "siblings are in another order than that of writers, on which no reader relies"},
		{ID: "paths.read", Help: "the paths could not be read"},
		{ID: "specs.truncated", Standard: "16.3.8.4.6", Help: "the section SPECS ends too early"},
		{ID: "specs.count", Standard: "16.3.8.4.6", On: "SPECS.count", Kind: Truncated, If: "not crate.coded", Holds: "fits", Clause: "6",
			Help: "more specs are counted than the section holds"},
		{ID: "specs.empty-path", Standard: "7.2", Help: "a spec is of the empty path"},
		{ID: "specs.path-repeated", Standard: "7.2", Help: "two specs have one path"},
		{ID: "specs.field-set", Standard: "16.3.8.4.6", Help: "a spec's field set index does not lead to the beginning of a field set"},
		{ID: "specs.type", Standard: "16.3.8.4.6", Help: "a spec's type does not exist"},
		{ID: "specs.path", Standard: "7.3.1", Help: "a spec's type is not that of its path"},
		{ID: "specs.read", Help: "the specs could not be read"},

		{ID: "children.list", Standard: "7.6.2.2", Help: "the field for a prim's children is no list of names"},
		{ID: "children.offsets", Standard: "7.6.1.2.2", Help: "a layer has fewer offsets of sublayers than sublayers"},
		{ID: "children.missing", Standard: "7.6.2.2.1", Help: "a spec lists a child that has no spec"},
		{ID: "children.repeated", Standard: "7.6.2.2.1", Help: "a spec lists a child twice"},
		{ID: "children.unlisted", Standard: "7.6.2.2.1", Help: "a spec does not list one of its children"},
		{ID: "targets.path", Standard: "7.4.2.3", Help: "a target, connection or class is no path that its field can have"},
		{ID: "targets.repeated", Standard: "6.6.3.2", Help: "a list names a path twice"},
		{ID: "targets.owner", Standard: "7.6.4.2.3", Help: "an attribute has targets, or a relationship connections"},
		{ID: "targets.unlisted", Standard: "7.6.5.1.1", Help: "a target or connection has a spec, but its property does not list it"},

		{ID: "index.token-out-of-range", Standard: "16.3.5", Help: "a token index is outside the token table"},
		{ID: "index.string-out-of-range", Standard: "16.3.5", Help: "a string index is outside the string table"},
		{ID: "index.path-out-of-range", Standard: "16.3.5", Help: "a path index is outside the path table"},
		{ID: "index.field-out-of-range", Standard: "16.3.5", Help: "a field index is outside the field table"},
		{ID: "index.field-set-out-of-range", Standard: "16.3.5", Help: "a field set index is outside the list of field sets"},
		{ID: "index.token-missing", Standard: "16.3.5", Help: "a token is lost because the token table is damaged"},
		{ID: "index.string-missing", Standard: "16.3.5", Help: "a string is lost because the string table is damaged"},
		{ID: "index.path-missing", Standard: "16.3.5", Help: "a path is lost because the path table is damaged"},
		{ID: "index.field-missing", Standard: "16.3.5", Help: "a field is lost because the field table is damaged"},

		{ID: "rep.unknown-type", Standard: "16.3.10.1", On: "Field.rep", Find: checkRep, Clause: "8",
			Help: "a value rep has a type that does not exist"},
		{ID: "rep.cannot-inline", Standard: "16.3.9.1", Help: "a value rep is marked as inlined, which its type cannot be"},
		{ID: "rep.flags", Standard: "16.3.9",
			Help: "flags of a value rep are not what its type and the version ask for; readers go by the type"},
		{ID: "rep.inlined-spline", Standard: "16.3.9.1", Help: "a spline is marked as inlined, as some writers do with an empty one"},
		{ID: "rep.past-end", Standard: "16.3.9.2", Help: "a value lies beyond the end of the file"},
		{ID: "rep.in-bootstrap", Standard: "16.3.9.2", Help: "a value lies in the bootstrap"},
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
	Flag("array", (*TypeInfo).isArray), Release("codedFrom", (*TypeInfo).codedFromNumber), Label("inline", (*TypeInfo).inlined), Of((*TypeInfo).elementType),
	Label("clause", (*TypeInfo).clause))

// The types of numbers with a meaning.
var (
	tokenIndex  = U32.Named("TokenIndex")
	fieldIndex  = U32.Named("FieldIndex")
	StringIndex = U32.Named("StringIndex")
	PathIndex   = U32.Named("PathIndex")
	ValueRep    = U64.Named("value rep")
)
