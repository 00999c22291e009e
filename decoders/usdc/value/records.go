package value

import (
	. "cutaway/decoders/lang"
	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/table"
)

// RecordLanguage describes values at offsets, chapters 10 to 13 of the specification. Conditions on the version alone are decided
// once for a file.
var RecordLanguage = &Language{
	Clauses: usda.Clause, Name: "usdc", Title: "values of OpenUSD crates", Short: "value.truncated", Invalid: "read",
	Known: []Known{Know("crate", "the version of the file", (*Values).versionNumber)},
	Funcs: []Func{
		{Name: "typeName", Help: "the type of the value that the field belongs to", Do: nameType},
		{Name: "offset", Help: "the sum of two numbers in words, also where it is too large", Do: offsetInWords},
		{Name: "timeCount", Help: "the number of the sample times that a rep leads to", Do: countTimes},
	},
	Tables: []*Table{
		table.TypeTable,
		NewTable("arrayCodes", arrayCodes[:], Label("name", table.RowText)),
		NewTable("splineValues", splineScalars, Number("size", (*table.Scalar).Size)),
	},
	Entries: []Entries{
		{Name: "strings", Show: table.ShowStringIndex},
		{Name: "paths"}, // by PathIndex
		{Name: "values", Show: table.ShowValueRep}, // by their reps
	},
	Records: []*Record{
		// Chapter 10: values of fixed size. The parameters of all records of values are the rep, the number of its type and whether it
		// is compressed.
		NewRecord("value(rep, type)", F("value", Row("types", "type"), "")).By("16.3.9"),

		// Chapter 11.
		NewRecord("array(rep, type, compressed)",
			F("rank", U32, "always 1, ignored; below 0.5.0 only").If("crate < v0.5.0"),
			F("count", Match("crate >= v0.7.0", Is(1, U64), Other(U32)), "number of what follows"),
			Let("coded", "compressed and count >= 16 and crate >= types[type].codedFrom"),
			F("elements", Row("types", "type"), "").Times("count").If("count > 0 and not coded"),
			F("code", U8, "how the numbers are coded: i as integers, t by a lookup table").If("coded and type >= types.half").
				NamedBy("arrayCodes"),
			F("tableSize", U32, "number of elements in the lookup table").If("code == 't'"),
			F("table", Row("types", "type"), "the distinct elements, which the coded integers index").If("tableSize > 0").
				Times("tableSize"),
			F("integers", codedIntegers, "compressed integers: their size and a chunk container (5.2 to 5.4)").If("coded"),
		).By("16.3.9.3"),

		// 12.1. A jump leads over the data of nested values, which are others.
		NewRecord("nested value",
			F("jump", Jump, "from its own first byte to the rep of the nested value"),
			F("after jump", Bytes("jump - 8"), "").Others(),
			F("value", table.ValueRep, "").To("values", "value"),
		).By("16.3.10.17"),

		// 12.2.
		NewRecord("dictionary",
			F("count", U64, "number of what follows"),
			F("entries", Rec("entry"), "").Times("count").Inline(),
		).By("16.3.10.19"),
		NewRecord("entry",
			F("key", table.StringIndex, "name of the entry").To("strings", "key"),
			F("jump", Jump, "from its own first byte to the rep of the nested value"),
			F("after jump", Bytes("jump - 8"), "").Others(),
			F("value", table.ValueRep, "").To("values", "value"),
		).By("16.3.10.19"),

		// 12.3: the lists in this order, each with its bit.
		NewRecord("list op(rep, type)",
			F("bits", U8, "which lists follow").Parts(
				B("isExplicit", 1, "the op replaces what weaker layers say; it may have an empty list"),
				B("explicit", 1, "the list of items that replaces"),
				B("added", 1, "items to add where they are not there"),
				B("deleted", 1, "items to take out"),
				B("ordered", 1, "the order of items"),
				B("prepended", 1, "items for the front; from 0.2.0"),
				B("appended", 1, "items for the back; from 0.2.0"),
				B("unused", 1, "always 0")),
			F("explicit", items, "the list of items that replaces").If("bits.explicit == 1"),
			F("added", items, "items to add where they are not there").If("bits.added == 1"),
			F("prepended", items, "items for the front; from 0.2.0").If("bits.prepended == 1"),
			F("appended", items, "items for the back; from 0.2.0").If("bits.appended == 1"),
			F("deleted", items, "items to take out").If("bits.deleted == 1"),
			F("ordered", items, "the order of items").If("bits.ordered == 1"),
		).By("16.3.10.25"),
		NewRecord("vector(rep, type)",
			F("count", U64, "number of what follows"),
			F("elements", Row("types", "type"), "").Times("count").If("count > 0"),
		).By("16.3.10.26"),
		NewRecord("items(type)",
			F("count", U64, "number of what follows"),
			F("items", Row("types", "type"), "").Times("count").If("count > 0"),
		).By("16.3.10.25"),
		NewRecord("references",
			F("count", U64, "number of what follows"),
			F("items", Rec("Reference"), "").Times("count").Inline(),
		).By("16.3.10.25"),
		NewRecord("payloads",
			F("count", U64, "number of what follows"),
			F("items", Rec("Payload"), "").Times("count").Inline(),
		).By("16.3.10.25"),
		NewRecord("nested values",
			F("count", U64, "number of what follows"),
			F("items", Rec("nested value"), "").Times("count").Inline(),
		).By("16.3.10.25"),

		// 12.4, 12.5.
		NewRecord("Reference",
			F("assetPath", table.StringIndex, "the layer; empty: this one").To("strings", "asset"),
			F("primPath", table.PathIndex, "the prim; the empty path: the layer's default prim").To("paths", "prim"),
			F("offset", F64, "layer offset: added to times"),
			F("scale", F64, "layer offset: times are multiplied with it"),
			F("customData", Rec("dictionary"), ""),
		).By("16.3.10.21"),
		NewRecord("Payload",
			F("assetPath", table.StringIndex, "the layer; empty: this one").To("strings", "asset"),
			F("primPath", table.PathIndex, "the prim; the empty path: the layer's default prim").To("paths", "prim"),
			F("offset", F64, "layer offset: added to times").If("crate >= v0.8.0"),
			F("scale", F64, "layer offset: times are multiplied with it").If("crate >= v0.8.0"),
		).By("16.3.10.21"),

		// 12.7.
		NewRecord("TimeSamples",
			F("timesJump", Jump, "from its own first byte to the rep of the times"),
			F("after timesJump", Bytes("timesJump - 8"), "").Others(),
			F("times", table.ValueRep, "the sample times: a DoubleVector, often shared").To("values", "times"),
			F("valuesJump", Jump, "from its own first byte to the number of values"),
			F("after valuesJump", Bytes("valuesJump - 8"), "").Others(),
			F("count", U64, "number of what follows"),
			F("values", table.ValueRep, "one rep for each time").If("count > 0").
				Times("count <= left / 8 ? count : min(timeCount(times), left / 8)").OneNode().To("values", "value"),
		).By("16.3.10.31"),

		// 12.8.
		NewRecord("Spline",
			F("knotDataSize", U64, "size in bytes of the knot data that follow; 0: an empty spline"),
			F("", In("knotDataSize", Rec("knot data")), "").If("knotDataSize > 0"),
			F("customDataCount", U64, "number of knots with custom data"),
			F("customData", Rec("customData"), "").Times("customDataCount"),
		).By("16.3.10.33"),
		NewRecord("knot data",
			F("header1", U8, "data version, value type and curve type"), // its parts depend on the version
			F("header2", U8, "extrapolation and loops").Parts(
				B("preExtrapolation", 3, "before the first knot", usda.Extrapolations...),
				B("postExtrapolation", 3, "after the last knot", usda.Extrapolations...),
				B("innerLoops", 1, "loop parameters follow"),
				B("unused", 1, "always 0")),
			Let("version", "header1 & 15"),
			Let("valueType", "version >= 3 ? header1 >> 4 & 7 : header1 >> 4 & 3"),
			Let("hermite", "header1 >> 7"),
			Let("knotSize", "9 + 3 * splineValues[valueType].size + (hermite == 1 ? 0 : 16) + (version >= 2 ? 1 : 0)"), // with one value
			F("header3", U8, "which loop boundary times follow").If("version >= 3").Parts(
				B("preBoundary", 1, "a time for the loops before the knots follows"),
				B("postBoundary", 1, "a time for the loops after the knots follows"),
				B("unused", 6, "always 0")),
			F("preLoopBoundary", F64, "time up to which the loop before the knots runs").If("header3.preBoundary == 1"),
			F("postLoopBoundary", F64, "time up to which the loop after the knots runs").If("header3.postBoundary == 1"),
			F("preSlope", F64, "slope before the first knot").If("header2.preExtrapolation == 3"),
			F("postSlope", F64, "slope after the last knot").If("header2.postExtrapolation == 3"),
			F("loopStart", F64, "time at which the inner loop's prototype begins").If("header2.innerLoops == 1"),
			F("loopEnd", F64, "time at which the inner loop's prototype ends").If("header2.innerLoops == 1"),
			F("loopsBefore", I32, "copies before the prototype").If("header2.innerLoops == 1"),
			F("loopsAfter", I32, "copies after the prototype").If("header2.innerLoops == 1"),
			F("loopValueOffset", F64, "added to the values with each copy").If("header2.innerLoops == 1"),
			F("knotCount", U32, "number of knots that follow").If("valueType != 0"),
			F("knots", Rec("knot", "header1"), "the spline's knots").Times("knotCount").OneNode().If("knotCount > 0"),
		).By("16.3.10.33"),
		NewRecord("knot(header1)",
			Let("version", "header1 & 15"),
			Let("valueType", "version >= 3 ? header1 >> 4 & 7 : header1 >> 4 & 3"),
			Let("hermite", "header1 >> 7"),
			F("flags", U8.Named("uchar"), "").Parts(
				B("dualValued", 1, "the knot has a value of its own for its left side"),
				B("interpolation", 2, "of the segment after the knot", usda.Interpolations...),
				B("curveType", 1, "", usda.CurveTypes...),
				B("preTangentMaya", 1, "by early writers"),
				B("postTangentMaya", 1, "by early writers"),
				B("unused", 2, "always 0")),
			F("time", F64.Named("double"), ""),
			F("value", splineNumber, ""),
			F("preValue", splineNumber, "the value on the knot's left side").If("flags.dualValued == 1"),
			F("preTangentWidth", F64.Named("double"), "in time").If("hermite == 0"),
			F("postTangentWidth", F64.Named("double"), "in time").If("hermite == 0"),
			F("preTangentSlope", splineNumber, ""),
			F("postTangentSlope", splineNumber, ""),
			F("tangentAlgorithms", U8.Named("uchar"), "").If("version >= 2").Parts(
				B("preTangent", 4, "how it was made", usda.TangentRules...),
				B("postTangent", 4, "how it was made", usda.TangentRules...)),
		).By("16.3.10.33.1"),
		NewRecord("customData",
			F("time", F64, "time of the knot that the dictionary belongs to"),
			F("count", U64, "number of what follows"),
			F("entries", Rec("entry"), "").Times("count").Inline(),
		).By("16.3.10.33"),

		// Chapter 13.
		NewRecord("array edit",
			F("literals", table.ValueRep, "array of the values that the instructions write").To("values", "value"),
			F("instructions", table.ValueRep, "int64 array of operations and their arguments").To("values", "value"),
			F("dense", U8, "whether the edit is a whole array"),
		),
	},
	Rules: []Rule{
		{ID: "value.unknown-enum", Standard: "16.3.10.27", Help: "an enumeration has no such value"},
		{ID: "value.bool", Standard: "16.3.10.2", Help: "a bool of an array is neither 0 nor 1"},
		{ID: "value.truncated", Standard: "16.3.6", Help: "a value runs off the file"},
		{ID: "value.count", Standard: "16.3.6",
			On: "dictionary.count, vector.count, items.count, references.count, payloads.count, nested values.count, " +
				"Spline.knotDataSize, Spline.customDataCount, customData.count",
			Kind: Truncated, Holds: "fits", Stops: true, Clause: "15",
			Says: "{typeName()}: a count of {it} things of {least} bytes or more needs more bytes than follow",
			Help: "a value counts more parts than there are bytes for"},
		{ID: "value.count", Standard: "16.3.6",
			On: "knot data.knotCount", Kind: Truncated, Holds: "it <= room / knotSize", Stops: true, Clause: "15",
			Says: "{typeName()}: a count of {it} things of {knotSize} bytes or more needs more bytes than follow"},
		{ID: "value.jump", Standard: "16.3.6", On: "nested value.jump, entry.jump, TimeSamples.timesJump, TimeSamples.valuesJump",
			Holds: "it in 8..room + 8", Stops: true, Clause: "12.1", Says: "{typeName()}: a jump leads to offset {offset(pos - 8, it)}",
			Help: "a jump inside a value leads out of the file, or backwards"},
		{ID: "value.overlap", Standard: "16.3.9.2", Help: "a value lies over bytes of another one"},
		{ID: "value.cycle", Standard: "16.3.9.2", Help: "a value contains itself"},
		{ID: "value.depth", Help: "values are nested deeper than this program follows"},
		{ID: "value.expansion", Help: "a value unfolds to more values than this program follows"},
		{ID: "value.too-many-parts", Help: "a value has more parts than this program takes apart"},
		{ID: "value.unregistered", Standard: "16.3.10.18",
			Help: "an UnregisteredValue holds neither text, nor a dictionary, nor a list op of such"},
		{ID: "value.asset-path", Standard: "16.3.10.13", Help: "an asset path has control characters, which readers refuse"},
		{ID: "value.path-expression", Standard: "16.3.10.14", Help: "a text is no path expression"},
		{ID: "value.repeated-key", Standard: "6.6.2", Help: "a key of a dictionary is repeated"},
		{ID: "array.past-end", Standard: "16.3.9.3",
			On: "array.count", Kind: Truncated, If: "not coded", Holds: "fits", Stops: true, Clause: "11",
			Says: "an array of {it} elements of type {types[type].name} runs off the file",
			Help: "an array runs off the file"},
		{ID: "array.short", Standard: "16.3.9.3", Discouraged: true, On: "array.count", Kind: Assumed, If: "compressed", Holds: "it >= 16",
			Says: "an array of {it} elements is marked as compressed; readers take it as it is",
			Help: "a short array is marked as compressed, by which readers do not go"},
		{ID: "array.count", Standard: "16.3.9.3", Help: "an array counts more elements than its compressed bytes can give"},
		{ID: "array.truncated", Standard: "16.3.9.3.1", Help: "elements of a compressed array are missing"},
		{ID: "array.code", Standard: "16.3.9.3.2", On: "array.code", Holds: "it in ('i', 't')", Stops: true, Clause: "11",
			Want: "'i' or 't'", Found: "{it:#q}", Says: "no such code for a compressed array of type {types[type].name}",
			Help: "the code of a compressed array of floating-point numbers does not exist"},
		{ID: "array.coded-size", Standard: "16.3.9.3.1", Help: "the compressed size of an array is missing or too large"},
		{ID: "array.coded-past-end", Standard: "16.3.9.3.1", Help: "the compressed elements of an array run off the file"},
		{ID: "array.table-past-end", Standard: "16.3.9.3.2",
			On: "array.tableSize", Kind: Truncated, Holds: "fits", Stops: true, Clause: "11",
			Says: "a lookup table of {it} elements runs off the file",
			Help: "the lookup table of a compressed array runs off the file"},
		{ID: "array.table-index", Standard: "16.3.9.3.2", Help: "an index into the lookup table of a compressed array is outside of it"},
		{ID: "samples.times-type", Standard: "16.3.10.31",
			Help: "the times of TimeSamples are not a DoubleVector; readers take a double[] as well"},
		{ID: "samples.times-order", Standard: "16.3.10.31", Help: "the times of TimeSamples do not ascend"},
		{ID: "samples.count", Standard: "16.3.10.31", On: "TimeSamples.count", Kind: Suspicious, Holds: "fits", Clause: "12.7",
			Says: "more values are counted than there are bytes for; readers take one for each time",
			Help: "TimeSamples have more or fewer values than times"},
		{ID: "samples.nested", Standard: "16.3.10.31", Help: "TimeSamples are inside another value"},
		{ID: "spline.version", Standard: "16.3.10.33", On: "knot data.header1", Holds: "version in 1..4", Stops: true, Clause: "12.8",
			Want: "1 to 4", Found: "{version}", Says: "spline data version {version} is not known",
			Help: "the version of a spline's data is not known"},
		{ID: "spline.value-type", Standard: "16.3.10.33",
			On: "knot data.header1", If: "version in 1..4", Holds: "valueType < 6", Stops: true,
			Want: "below 6", Found: "{valueType}", Clause: "12.8", Says: "a spline has no value type {valueType}",
			Help: "the value type of a spline does not exist"},
		{ID: "spline.knots", Standard: "16.3.10.33.1", On: "knot data.knotCount", Find: checkKnots, Stops: true, Clause: "12.8",
			Help: "a spline counts more knots than its data has room for"},
		{ID: "spline.leftover", Standard: "16.3.10.33", Help: "bytes are left after the last knot of a spline"},
		{ID: "spline.stray-data", Standard: "16.3.10.33", Help: "a spline has custom data at a time without a knot"},
		{ID: "edit.array-type", Help: "an array edit's literals or instructions have the wrong type"},
		{ID: "edit.operation", Help: "an array edit has an operation that does not exist"},
		{ID: "edit.count", Help: "an array edit's instructions end inside one"},
		{ID: "edit.limit", Help: "an array edit has more instructions than memory has room for"},
		{ID: "edit.literal", Help: "an array edit names a literal that it does not have"},
	},
	Looks: []Look{
		{On: "value.value", Node: showWhole},
		{On: "array.elements, array.table, vector.elements, items.items", Node: showElements},
		{On: "list op.bits", Node: showListBits},
		{On: "Reference.primPath, Payload.primPath", Node: table.ShowPrimPath},
		{On: "TimeSamples.values", Node: showReps},
		{On: "knot data.header1", Node: showHeader1},
		{On: "knot data.knots", Node: showKnots},
		{On: "knot data.knots[]", Node: showKnot},
	},
}

// Jump is the type of relative offsets.
var Jump = I64.Named("i64")

// items is a list of a list op, by the type of the op.
var items = Match("type", Is(table.TypeReferenceListOp, Rec("references")), Is(table.TypePayloadListOp, Rec("payloads")),
	Is(table.TypeUnregisteredValueListOp, Rec("nested values")), Other(Rec("items", "type")))

// splineNumber is a number of a spline, by the spline's value type.
var splineNumber = Match("valueType", Is(2, F32.Named("float")), Is(3, F16.Named("half")), Other(F64.Named("double")))

// structureOf names the record of values at offsets by their type; others are a "value". Arrays and edits have records of their own.
var structureOf = [table.TypeEnd]string{
	table.TypeDictionary: "dictionary", table.TypeValue: "nested value", table.TypeUnregisteredValue: "nested value",
	table.TypeTokenListOp: "list op", table.TypeStringListOp: "list op", table.TypePathListOp: "list op", table.TypeReferenceListOp: "list op",
	table.TypeIntListOp: "list op", table.TypeInt64ListOp: "list op", table.TypeUIntListOp: "list op", table.TypeUInt64ListOp: "list op",
	table.TypePayloadListOp: "list op", table.TypeUnregisteredValueListOp: "list op",
	table.TypePathVector: "vector", table.TypeTokenVector: "vector", table.TypeStringVector: "vector", table.TypeDoubleVector: "vector",
	table.TypeLayerOffsetVector: "vector", table.TypeRelocates: "vector", table.TypeVariantSelectionMap: "vector",
	table.TypePayload: "Payload", table.TypeTimeSamples: "TimeSamples", table.TypeSpline: "Spline",
}
