package crategen

import "math"

// Scene writes one and the same small scene in the writer's version: a value of each type that the version has, on
// prims that hold each kind of spec.
func Scene(w *Writer) {
	attributes := sceneAttributes(w.Version)
	names := []string{"drives"}
	for _, a := range attributes {
		names = append(names, a.name)
	}
	layer := []Field{
		{"primChildren", Tokens("World", "Models")},
		{"defaultPrim", Token("World")},
		{"documentation", Text("a scene in crate version by version")},
		{"subLayers", Strings("over.usda", "under.usdc")},
		{"subLayerOffsets", Bytes(TLayerOffsetVector, counted(2, Doubles(0, 1, 10, 0.5)))},
		{"startTimeCode", Double(1)},
		{"endTimeCode", Double(100.1)},
		{"customLayerData", Dict(Entry{"made", Dict(Entry{"by", Text("crategen")}, Entry{"on", Ints(TInt, 2026, 11, 21)})}, Entry{"none", Dict()})},
	}
	if w.Version.From(11) {
		layer = append(layer, Field{"layerRelocates", Relocates("/World/Old", "/World/New", "/World/Gone", "")})
	}
	w.Spec("/", PseudoRoot, layer...)
	w.Spec("/World", Prim, append(worldFields(w.Version), Field{"properties", Tokens(names...)})...)
	for _, a := range attributes {
		w.Spec("/World."+a.name, Attribute, append([]Field{{"typeName", Token(a.typeName)}, {"custom", Bool(true)}}, a.fields...)...)
	}
	w.Spec("/World.drives", Relationship, Field{"variability", Inline(TVariability, 1)},
		Field{"targetPaths", ListOp[string]{Type: TPathListOp, Explicit: true, Items: []string{"/World.int", "/Models/Ball"}, Item: PathItem}.Value})
	variants(w)
	w.Spec("/Models", Prim, Field{"specifier", Inline(TSpecifier, 1)}, Field{"primChildren", Tokens("Ball")})
	w.Spec("/Models/Ball", Prim, Field{"specifier", Inline(TSpecifier, 2)}, Field{"permission", Inline(TPermission, 1)},
		Field{"kind", Token("component")}, Field{"comment", Text("größer")})
}

func variants(w *Writer) {
	w.Spec("/World{size=}", VariantSet, Field{"variantChildren", Tokens("big", "small")})
	w.Spec("/World{size=big}", Variant, Field{"primChildren", Tokens("Inner")})
	w.Spec("/World{size=big}Inner", Prim, Field{"specifier", Inline(TSpecifier, 0)}, Field{"typeName", Token("Scope")},
		Field{"properties", Tokens("radius")})
	w.Spec("/World{size=big}Inner.radius", Attribute, Field{"typeName", Token("double")}, Field{"default", Double(2)})
	w.Spec("/World{size=small}", Variant)
}

func worldFields(v Version) []Field {
	refs := []Arc{
		{Asset: "ball.usdc", Prim: "/Ball", Offset: 1.5, Scale: 2, CustomData: []Entry{{"why", Text("asked for")}}},
		{Asset: "", Prim: "/Models/Ball", Scale: 1},
		{Asset: "whole.usda", Prim: "", Scale: 1},
	}
	references := ListOp[Arc]{Type: TReferenceListOp, Item: ReferenceItem, Explicit: true, Items: refs}
	names := ListOp[string]{Type: TTokenListOp, Item: TokenItem, Added: []string{"A"}, Deleted: []string{"B", "C"}}
	if v.From(2) {
		references = ListOp[Arc]{Type: TReferenceListOp, Item: ReferenceItem, Prepended: refs}
		names.Prepended, names.Appended = []string{"P"}, []string{"Q", "R"}
	}
	payload := PayloadOf(Arc{Asset: "heavy.usdc", Prim: "/Heavy", Scale: 1})
	if v.From(8) {
		payload = ListOp[Arc]{Type: TPayloadListOp, Item: PayloadItem, Prepended: []Arc{{"heavy.usdc", "/Heavy", 3, 1, nil}}}.Value
	}
	return []Field{
		{"specifier", Inline(TSpecifier, 0)},
		{"typeName", Token("Xform")},
		{"active", Bool(true)},
		{"apiSchemas", names.Value},
		{"references", references.Value},
		{"payload", payload},
		{"inheritPaths", ListOp[string]{Type: TPathListOp, Item: PathItem, Explicit: true, Items: []string{"/Models/Ball"}}.Value},
		{"variantSetNames", ListOp[string]{Type: TStringListOp, Item: StringItem, Ordered: []string{"size"}, Added: []string{"size"}}.Value},
		{"variantSelection", Selections("size", "big")},
		{"variantSetChildren", Tokens("size")},
		{"customData", Dict(
			Entry{"depth", Dict(Entry{"depth", Dict(Entry{"floor", Double(0.1)})})},
			Entry{"list", Texts(TString, "one", "two")},
			Entry{"number", Int(7)})},
		{"unknownText", Nested(TUnregisteredValue, Text("never heard of"))},
		{"unknownDict", Nested(TUnregisteredValue, Dict(Entry{"k", Text("v")}))},
		{"unknownList", Nested(TUnregisteredValue, ListOp[Value]{Type: TUnregisteredValueListOp, Item: ValueItem,
			Explicit: true, Items: []Value{Text("first"), Text("second")}}.Value)},
	}
}

type sceneAttribute struct {
	name, typeName string
	fields         []Field
}

func sceneAttributes(v Version) []sceneAttribute {
	var as []sceneAttribute
	add := func(name, typeName string, value Value) {
		as = append(as, sceneAttribute{name, typeName, []Field{{"default", value}}})
	}
	add("bool", "bool", Bool(true))
	add("uchar", "uchar", Inline(TUChar, 200))
	add("int", "int", Int(-5))
	add("uint", "uint", Inline(TUInt, math.MaxUint32))
	add("int64", "int64", Int64(math.MinInt64))
	add("int64small", "int64", Int64(-9))
	add("uint64", "uint64", UInt64(math.MaxUint64))
	add("half", "half", Inline(THalf, 0x3C01))
	add("float", "float", Float(0.1))
	add("double", "double", Double(math.Pi))
	add("nan", "double", Double(math.NaN()))
	add("string", "string", Text("two\nlines"))
	add("token", "token", Token("word"))
	add("asset", "asset", Asset("tex/a.png"))
	add("float3", "float3", Bytes(TFloat3, Floats(0.5, -1, 2)))
	add("float3small", "color3f", Inline(TFloat3, 0x00FF02))
	add("half2", "half2", Inline(THalf2, 0x3C00C000))
	add("double2", "double2", Bytes(TDouble2, Doubles(0.1, math.Inf(-1))))
	add("int4", "int4", Inline(TInt4, 0x04FD0201))
	add("matrix2d", "matrix2d", Inline(TMatrix2d, 0xFF02))
	add("matrix4d", "matrix4d", Bytes(TMatrix4d, Doubles(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6.5, 1)))
	add("quatf", "quatf", Bytes(TQuatf, Floats(0.1, 0.2, 0.3, 0.9)))
	add("quath", "quath", Bytes(TQuath, Words(2, 0x3C00, 0x4000, 0x4200, 0x3800)))
	add("empty", "float3[]", Array(TFloat3, 0, nil))
	add("points", "point3f[]", Array(TFloat3, 3, Floats(0, 0, 0, 1, 0, 0, 0, 1, 0)))
	add("bools", "bool[]", Array(TBool, 3, []byte{1, 0, 1}))
	add("tokens", "token[]", Texts(TToken, "word", "other"))
	add("strings", "string[]", Texts(TString, "eins", ""))
	add("assets", "asset[]", Texts(TAsset, "tex/a.png", "tex/b.png"))
	add("matrices", "matrix2d[]", Array(TMatrix2d, 2, Doubles(1, 2, 3, 4, 5, 6, 7, 8)))
	add("ints", "int[]", Ints(TInt, counting(100, 7)...))
	add("intsShort", "int[]", Ints(TInt, 1, -2, 3))
	add("int64s", "int64[]", Ints(TInt64, counting(30, 1<<40)...))
	add("floatInts", "float[]", FloatArray(cycle(40, 1, 2, -3)...))
	add("floatTable", "float[]", FloatArray(cycle(64, 0.5, 0.25)...))
	add("floatPlain", "float[]", FloatArray(0.1, 0.2, 0.3))
	add("blocked", "double", Inline(TValueBlock, 0))
	if v.From(9) {
		add("timecode", "timecode", Bytes(TTimeCode, Doubles(12.5)))
		add("timecodes", "timecode[]", Array(TTimeCode, 2, Doubles(1, 2.25)))
	}
	if v.From(10) {
		add("expression", "pathExpression", func(w *Writer) Rep {
			return Bytes(TPathExpression, indexes([]string{"/World//"}, w.String))(w)
		})
	}
	as = append(as, sampledAttributes()...)
	if v.From(12) {
		as = append(as, sceneAttribute{"curve", "double", []Field{{"spline", Spline(0.5,
			Knot{1, 10, 0.25, 2, nil}, Knot{3, 20, 0.5, -1, []Entry{{"note", Text("top")}}})}}})
	}
	if v.From(14) {
		const writeLiteral = 0
		add("edited", "int[]", ArrayEdit([]int64{42, 43}, []int64{writeLiteral<<56 | 2, 0, 1, 1, -1}))
		add("same", "int[]", Raw(MakeRep(TInt, ArrayEditBit, 0)))
	}
	return append(as, sceneAttribute{"linked", "float", []Field{
		{"connectionPaths", ListOp[string]{Type: TPathListOp, Item: PathItem, Explicit: true, Items: []string{"/World.float"}}.Value},
		{"connectionChildren", Paths("/World.float")},
	}})
}

func sampledAttributes() []sceneAttribute {
	return []sceneAttribute{
		{"sampled", "double", []Field{{"timeSamples", Gap(5, Samples([]float64{1, 2, 3.5},
			Double(0.25), Gap(3, Double(math.E)), Inline(TValueBlock, 0)))}}},
		{"sampledPoints", "float3[]", []Field{{"timeSamples", Samples([]float64{1, 2, 3.5},
			Array(TFloat3, 1, Floats(1, 2, 3)), Array(TFloat3, 2, Floats(1, 2, 3, 4, 5, 6)), Array(TFloat3, 0, nil))}}},
	}
}

// counting returns n numbers with a step that changes its sign now and then.
func counting(n int, step int64) []int64 {
	vs := make([]int64, n)
	for i := range vs {
		vs[i] = step * int64(i%11-i/7)
	}
	return vs
}

func cycle(n int, of ...float32) []float32 {
	vs := make([]float32, n)
	for i := range vs {
		vs[i] = of[i%len(of)]
	}
	return vs
}
