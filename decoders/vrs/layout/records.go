package layout

import . "cutaway/decoders/lang"

// entryRecord is the record of an entry of the index of variable pieces, which is also read by its numbers.
var entryRecord = NewRecord("index entry",
	F("offset", U32, "in the variable part"),
	F("length", U32, "bytes"),
)

// FieldLanguage is the description of data layouts, chapter 7.5, which need nothing of their recording. The fixed part of a layout
// is made of its definition (Layout.describeFixed). After it comes the index of the variable pieces, whose bytes these records have.
// Row 0 of the element types is of texts.
var FieldLanguage = &Language{
	Name: "vrs", Short: "field.strings",
	Tables: []*Table{NewTable("elementTypes", elementRows, Of(typeOfRow))},
	Records: []*Record{
		entryRecord,
		NewRecord("DataPieceVector(type, count)",
			F("elements", Row("elementTypes", "type"), "").Times("count"),
		),
		NewRecord("DataPieceVector<string>",
			F("count", U32, ""),
			F("texts", Rec("string"), "").Times("count").Inline(),
		),
		NewRecord("string",
			F("length", U32, "bytes"),
			F("text", UTF8("length"), ""),
		),
		NewRecord("DataPieceStringMap(type)",
			F("entries", Rec("entry", "type"), "").ToEnd().Inline(),
		),
		NewRecord("entry(type)",
			F("keyLength", U32, "bytes"),
			F("key", UTF8("keyLength"), ""),
			Then("type",
				On(0, F("valueLength", U32, "bytes"), F("value", UTF8("valueLength"), "")),
				Else(F("value", Row("elementTypes", "type"), ""))),
		),
	},
}
