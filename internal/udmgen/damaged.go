package udmgen

import (
	"bytes"
	"fmt"
	"strings"
)

// after is a property that follows a damaged one, to show that it still decodes.
var after = prop("after", typeUint8, 7)

// amongSound puts a damaged property into an element of its own, after which is a sound one.
func amongSound(damaged ...any) []byte {
	return file(prop("damaged", typeElement, element(prop("x", damaged...))), after)
}

// binaries returns small binary files, named by their faults. Those whose names begin with ok are sound.
func binaries() map[string][]byte {
	pair := header(typeUint8, "a", typeVec2, "")
	row := join(7, floats(1.5, -2))
	short := literals([]byte("abc"))
	long := str(strings.Repeat("y", 300))
	cut := join(u32(2), str("a"), long)
	sound := file(prop("name", typeString, str("value")), prop("list", typeArray, typeUint16, u32(3), u16(1), u16(2), u16(3)), after)
	element1 := element(after)
	return map[string][]byte{
		"ok-version-1":       fileOf(1, typeElement, root(element(after))),
		"ok-nils-4294967295": amongSound(typeArray, typeNil, u32(-1)),
		"ok-struct-of-nils":  amongSound(typeArray, typeStruct, u32(-1), sized(u16(4), header(typeNil, "n"))),
		"ok-key-255":         file(prop(strings.Repeat("k", 255), typeUint8, 1), prop("", typeUint8, 2)),

		"x-identifier-only":     []byte("UDMB"),
		"x-version-0":           fileOf(0, typeElement, root(element(after))),
		"x-version-3":           fileOf(3, typeElement, root(element(after))),
		"x-cut-in-header":       []byte("UDMB\x02\x00"),
		"x-identifier":          append([]byte("UDMA"), sound[4:]...),
		"x-root-missing":        []byte("UDMB\x02\x00\x00\x00"),
		"x-root-uint32":         fileOf(2, typeUint32, u32(5)),
		"x-root-type-99":        fileOf(2, 99, u32(5)),
		"x-trailing":            join(sound, "more"),
		"x-cut-in-half":         sound[:len(sound)/2],
		"x-cut-last-byte":       sound[:len(sound)-1],
		"x-asset-type-int":      fileOf(2, typeElement, element(prop("assetType", typeInt32, u32(1)), prop("assetData", typeElement, element(after)))),
		"x-element-beyond":      amongSound(typeElement, u64(1<<40), element1[8:]),
		"x-element-size-max":    amongSound(typeElement, u64(-1), element1[8:]),
		"x-element-gap":         amongSound(typeElement, u64(len(element1)-8+3), element1[8:], 1, 2, 3),
		"x-element-short":       amongSound(typeElement, u64(len(element1)-8-1), element1[8:]),
		"x-element-count":       amongSound(typeElement, u64(len(element1)-8), u32(-1), element1[12:]),
		"x-element-more-keys":   amongSound(typeElement, sized(u32(2), 1, "a", 1, "b", typeUint8, 1)),
		"x-key-cut":             amongSound(typeElement, sized(u32(1), 200, "k")),
		"x-array-beyond":        amongSound(typeArray, typeString, u32(1), u64(1<<40), str("a")),
		"x-array-gap":           amongSound(typeArray, typeString, u32(1), sized(str("a"), "zz")),
		"x-array-count-strings": amongSound(typeArray, typeString, u32(-1), sized(str("a"))),
		"x-array-count-vec3":    amongSound(typeArray, typeVec3, u32(-1), floats(1, 2, 3)),
		"x-array-items-missing": amongSound(typeArray, typeString, u32(3), sized(str("a"), 5, "bc")),
		"x-array-type-77":       amongSound(typeArray, 77, u32(1), 1),
		"x-string-beyond":       amongSound(typeString, 200, "short"),
		"x-string-long-beyond":  amongSound(typeString, 255, u32(-1), "short"),
		"x-string-long-small":   amongSound(typeString, 255, u32(5), "short"),
		"x-utf8-beyond":         amongSound(typeUTF8, u32(-1), "short"),
		"x-blob-beyond":         amongSound(typeBlob, u64(-1), "short"),
		"x-type-36":             amongSound(36, 1, 2, 3),
		"x-type-255":            amongSound(255),
		"x-bool-2":              amongSound(typeBool, 2),
		"x-bool-2-in-array":     amongSound(typeArray, typeBool, u32(3), 0, 1, 2),
		"x-duplicate-keys":      file(prop("a", typeUint8, 1), prop("b", typeUint8, 2), prop("a", typeUint8, 3)),
		"x-struct-members-0":    amongSound(typeStruct, u16(1), 0),
		"x-struct-of-strings":   amongSound(typeStruct, u16(5), 1, typeString, str("s"), 0),
		"x-struct-size":         amongSound(typeStruct, u16(99), pair, row),
		"x-struct-header-size":  amongSound(typeArray, typeStruct, u32(1), sized(u16(99), pair, row)),
		"x-struct-count":        amongSound(typeArray, typeStruct, u32(5), sized(u16(len(pair)), pair, row)),
		"x-lz4-claims-more":     amongSound(typeLZ4, u64(len(short)), u64(100), short),
		"x-lz4-claims-less":     amongSound(typeLZ4, u64(len(short)), u64(2), short),
		"x-lz4-bomb":            amongSound(typeLZ4, u64(len(short)), u64(1<<40), short),
		"x-lz4-offset-0":        amongSound(typeLZ4, u64(7), u64(9), 0x11, "a", u16(0), 0x20, "zz"),
		"x-lz4-cut":             amongSound(typeLZ4, u64(3), u64(9), 0x90, "ab"),
		"x-lz4-beyond":          amongSound(typeLZ4, u64(1<<50), u64(3), short),
		"x-lz4-of-nothing":      amongSound(typeLZ4, u64(0), u64(3)),
		"x-lz4-for-nothing":     amongSound(typeLZ4, u64(len(short)), u64(0), short),
		"x-lz4-array-of-utf8":   amongSound(typeArrayLZ4, arrayLZ4(typeUTF8, nil, 1, short)),
		"x-lz4-array-counts":    amongSound(typeArrayLZ4, arrayLZ4(typeString, u64(6), 2, literals(join(u32(1), str("a"))))),
		"x-lz4-array-gap":       amongSound(typeArrayLZ4, arrayLZ4(typeUint8, nil, 2, short)),
		"x-lz4-array-cut-short": amongSound(typeArrayLZ4, arrayLZ4(typeString, u64(len(cut)-1), 2, compress(cut[:len(cut)-1]))),
		"x-nested-10000":        file(prop("deep", typeElement, nested(10000)), after),
		"x-arrays-10000":        file(prop("deep", typeArray, arrays(10000)), after),
	}
}

// arrays returns an array in an array, depth deep.
func arrays(depth int) []byte {
	b := join(typeUint8, u32(1), 5)
	for range depth {
		b = join(typeArray, u32(1), sized(b))
	}
	return b
}

// texts returns small texts, named by their faults. Those whose names begin with ok are sound.
func texts() map[string]string {
	members := strings.TrimSuffix(strings.Repeat("uint8,", 256), ",")
	ones := strings.TrimSuffix(strings.Repeat("1,", 256), ",")
	return map[string]string{
		"x-empty":             "",
		"ok-comment-only":     "// nothing here\n",
		"ok-no-asset-keys":    "a { $uint8 x 1 }\n",
		"ok-crlf":             "a\r\n{\r\n\t$uint8 x 1 // one\r\n}\r\n",
		"ok-backslash":        "$string a \"\\\"\n$string b \"C:\\dir\"\n$string c \"a\\\\\"\n$uint8 after 7\n",
		"ok-slash-in-word":    "$string a 5//x\n$string b c//d/*\n$uint8 after 7\n",
		"ok-base64-alphabets": "$blob a [-_8]\n$blob b [+/8=]\n$blob c [ AQ\n ID ]\n$blob d [AQ]\n$blob e []\n$blob f [//8A]\n$uint8 after 7\n",
		"ok-spaces":           "$struct < uint8 : a , vec2 > s [ 7 , [ 1.5 , -2 ] ]\n$array l [ uint8 ; 2 ][ 5 6 ]\n$uint8 after 7\n",
		"ok-element-type":     "$element e { $uint8 x 1 }\n$uint8 after 7\n",
		"ok-euler":            "$transform t [[1,2,3][10,20,30]]\n$stransform s [[1,2,3][10,20,30][1,1,1]]\n$uint8 after 7\n",
		"ok-names-of-tokens":  "\"{\" { $uint8 space~1 1 $uint8 \"space~1'\" 2 }\n$uint8 after 7\n",
		"x-string-open":       "$uint8 before 7\n$string s \"no end\n$uint8 x 1\n",
		"x-comment-open":      "$uint8 before 7\n/* no end\n",
		"x-block-open":        "$uint8 before 7\na { $uint8 x 1\n",
		"x-list-open":         "$vec3 v [1,2,3\n$uint8 after 7\n",
		"x-items-open":        "a { $array l [uint8;2][1,2 }\n$uint8 after 7\n",
		"x-data-open":         "$uint8 before 7\n$blob b [AQID\n",
		"x-bracket":           "$uint8 a 1 }\n$uint8 after 7\n",
		"x-separator":         "$uint8 a 1,\n$uint8 after 7;\n",
		"x-stray":             "$uint8 a 1 : [1,2] { x }\n$uint8 after 7\n",
		"x-type":              "$texture albedo \"a/b\"\n$colour c [1,2] $thing t { $uint8 x 1 }\n$uint8 after 7\n",
		"x-type-missing":      "$ float a 1\n$uint8 after 7\n",
		"x-key-missing":       "a { $uint8 }\n$uint8 after 7\n",
		"x-value-missing":     "a { $uint8 x }\n$vec2 v { }\n$uint8 after 7\n",
		"x-block-missing":     "\"material\" \"value\"\n$uint8 after 7\n",
		"x-too-few":           "$vec3 v [1,2]\n$uint8 after 7\n",
		"x-too-many":          "$quat q [1,0,0,0,0]\n$mat4 m [1 2 3]\n$uint8 after 7\n",
		"x-comma-at-end":      "$vec3 v [1,2,3,]\n$uint8 after 7\n",
		"x-two-commas":        "$vec3 v [1,,2,3]\n$uint8 after 7\n",
		"x-comma-inside":      "$transform t [[1,2,3],[1,0,0,0]]\n$uint8 after 7\n",
		"x-comma-items":       "$array l [uint8;2][1,,2,]\n$uint8 after 7\n",
		"x-item":              "$array l [vec2;2][[1,2],3]\n$array m [uint8;1][{ }]\n$uint8 after 7\n",
		"x-range":             "$uint8 a 256 $int8 b -129 $uint16 c -1 $float d 1e99 $half e 70000\n$uint8 after 7\n",
		"x-number":            "$int32 a 16.0 $float b 1.5f $uint8 c x $float d +1 $bool e maybe\n$uint8 after 7\n",
		"x-count":             "$array l [uint8;3][1,2]\n$array n [nil;3][,,]\n$uint8 after 7\n",
		"x-duplicate-keys":    "$uint8 a 1\n$uint8 b 2\n$uint8 a 3\na { }\n$uint8 after 7\n",
		"x-mark":              "\ufeff$uint8 after 7\n",
		"x-asset-keys":        "assetData { $uint8 after 7 }\n",
		"x-members-256":       "$struct<" + members + "> s [" + ones + "]\n$uint8 after 7\n",
		"x-member-type":       "$struct<string:a> s [x]\n$uint8 after 7\n",
		"x-member-count":      "$struct<uint8,uint8> s [1]\n$struct<uint8> t [1,2]\n$struct<uint8,uint8> u [1 2]\n$uint8 after 7\n",
		"x-shape-missing":     "$struct s [1]\n$uint8 after 7\n",
		"x-shape-open":        "$struct<uint8 s [1]\n$uint8 after 7\n",
		"x-size":              "$arrayLz4 l [uint16;3;7][YAEAAgADAA==]\n$uint8 after 7\n",
		"x-base64":            "$blob b [AQ*D]\n$uint8 after 7\n",
		"x-base64-length":     "$blob b [AQIDB]\n$uint8 after 7\n",
		"x-encoding":          "$utf8 u [hex][w6k=]\n$uint8 after 7\n",
		"x-lz4-block":         "$lz4 z [3][EWEAAA==]\n$uint8 after 7\n",
		"x-lz4-bomb":          "$lz4 z [1099511627776][MGFiYw==]\n$uint8 after 7\n",
		"x-lz4-type":          "$arrayLz4 l [utf8;1;3][MGFiYw==]\n$array m [uint8;3;3][MGFiYw==]\n$uint8 after 7\n",
		"x-header":            "$array l [uint8;2;3;4][1]\n$array m []\n$array n [uint8;x][1]\n$lz4 z [3]\n$uint8 after 7\n",
		"x-nested-10000":      strings.Repeat("a {", 10000) + strings.Repeat("}", 10000) + "\n$uint8 after 7\n",
		"x-lists-10000":       "$vec3 v " + strings.Repeat("[", 10000) + "1" + strings.Repeat("]", 10000) + "\n$uint8 after 7\n",
	}
}

// Fixtures returns the small files that the tests read, by name.
func Fixtures() map[string][]byte {
	files := map[string][]byte{}
	for name, b := range binaries() {
		files[name+".udm_b"] = b
	}
	for name, s := range texts() {
		files[name+".udm"] = []byte(s)
	}
	files["twin.udm_b"], files["twin.udm"] = twins()
	files["lookalike.wmi"] = []byte("\"pbr\"\n{\n\t$texture albedo_map \"a/b\"\n\t$float metalness \"0.5\"\n}\n")
	files["lookalike.vmt"] = []byte("\"LightmappedGeneric\"\n{\n\t\"$basetexture\" \"a/b\"\n}\n")
	files["lookalike.css"] = []byte("body {\n\tcolor: red;\n}\n")
	files["many.udm_b"] = many()
	return files
}

// many has an element of more children, and arrays of more items, than are found at once.
func many() []byte {
	const n = 5000
	var children []child
	var strs, elements bytes.Buffer
	for i := range n {
		children = append(children, prop(fmt.Sprintf("key%d", i), typeUint16, u16(i)))
		strs.Write(str(fmt.Sprint(i)))
		elements.Write(element(prop("i", typeUint16, u16(i))))
	}
	inner := join(u32(n), elements.Bytes())
	return file(
		prop("element", typeElement, element(children...)),
		prop("strings", typeArray, typeString, u32(n), sized(strs.Bytes())),
		prop("elements", typeArrayLZ4, arrayLZ4(typeElement, u64(len(inner)), n, compress(inner))),
		after)
}
