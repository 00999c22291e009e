package example

import . "cutaway/decoders/lang"

var language = &Language{
	Name: "tide", Short: "truncated",
	Records: []*Record{
		NewRecord("Tide file",
			F("magic", UTF8("4"), "TIDE"),
			F("version", U8, "always 1"),
			F("unit", Bits(2), "of levels").Names("millimetre", "centimetre", "foot"),
			F("corrected", Bits(1), "levels are corrected for air pressure"),
			Pad("unused", Bits(5), ""),
			Pad("padding", Bytes("2"), ""),
			F("count", U32, "stations that follow"),
			F("stations", Rec("Station"), "").Times("count"),
			Rest("trailing", ""),
		),
		NewRecord("Station",
			F("length", U8, "bytes of the name"),
			F("name", UTF8("length"), "UTF-8"),
			F("count", U32, "readings that follow"),
			F("readings", Rec("Reading"), "in the order of their times").Times("count"),
		),
		NewRecord("Reading",
			F("minutes", U32, "since 1970-01-01 00:00 UTC"),
			F("level", I16, "above the gauge's zero, in the file's unit"),
			F("grade", Bits(3), "best is 0"),
			F("estimated", Bits(1), ""),
			Pad("unused", Bits(4), ""),
			Pad("padding", U8, ""),
		),
	},
	Rules: []Rule{
		{ID: "truncated", Help: "the file ends inside a field"},
		{ID: "magic", On: "Tide file.magic", Holds: `it == "TIDE"`, Says: "this is not a tide file"},
		{ID: "version", On: "Tide file.version", Holds: "it == 1", Says: "unknown version", Help: "only version 1 is known"},
		{ID: "stations", On: "Tide file.stations", Kind: Truncated, Holds: "fits", Help: "more stations are counted than the bytes can hold"},
		{ID: "trailing", On: "Tide file.trailing", Kind: Suspicious, Holds: "false", Want: "the end", Says: "bytes follow the last station"},
	},
}
