package udmgen

import (
	"fmt"
	"strings"
)

// twinPart is a property that the two forms of the twin file share: as bytes, and as text.
type twinPart struct {
	key    string
	binary []byte
	text   string // with %s for the key
}

func twinParts() []twinPart {
	pair := header(typeUint8, "a", typeVec2, "")
	rows := join(7, floats(1.5, -2), 9, floats(0, 4))
	strings := join(str("a"), str("bc"))
	inner := element(prop("x", typeBool, 1))
	counted := join(u32(2), strings)
	elements := join(u32(1), inner)
	uints := join(u16(1), u16(2), u16(3))
	long := "long " + string(make260())
	return []twinPart{
		{"nil", join(typeNil), "$nil %s "},
		{"string", join(typeString, str(`C:\dir "x"`)), `$string %s "C:\\dir \"x\""`},
		{"long", join(typeString, str(long)), `$string %s "` + long + `"`},
		{"utf8", join(typeUTF8, u32(2), "é"), "$utf8 %s [base64][w6k=]"},
		{"int8", join(3, 0x85), "$int8 %s -123"},
		{"uint8", join(typeUint8, 200), "$uint8 %s 200"},
		{"int16", join(5, u16(-300)), "$int16 %s -300"},
		{"uint16", join(typeUint16, u16(60000)), "$uint16 %s 60000"},
		{"int32", join(typeInt32, u32(-70000)), "$int32 %s -70000"},
		{"uint32", join(typeUint32, u32(4000000000)), "$uint32 %s 4000000000"},
		{"int64", join(9, u64(-1<<40)), "$int64 %s -1099511627776"},
		{"uint64", join(typeUint64, u64(-1)), "$uint64 %s 18446744073709551615"},
		{"float", join(typeFloat, floats(-0.25)), "$float %s -0.25"},
		{"double", join(typeDouble, double(1e-3)), "$double %s 1e-3"},
		{"bool", join(typeBool, 1), "$bool %s true"},
		{"vec2", join(typeVec2, floats(1, 2)), "$vec2 %s [1,2]"},
		{"vec3", join(typeVec3, floats(1, 2, 3)), "$vec3 %s [1 2 3]"},
		{"vec4", join(typeVec4, floats(1, 2, 3, 4)), "$vec4 %s [1,2,3,4]"},
		{"quat", join(17, floats(0.5, 0.25, 0.125, 1)), "$quat %s [1,0.5,0.25,0.125]"},
		{"ang", join(18, floats(10, 20, 30)), "$ang %s [10,20,30]"},
		{"srgba", join(19, 255, 128, 0, 255), "$srgba %s [255,128,0,255]"},
		{"hdr", join(20, u16(800), u16(500), u16(12)), "$hdr %s [800,500,12]"},
		{"transform", join(typeTransform, floats(1, 2, 3, 0, 0, 0, 1)), "$transform %s [[1,2,3][1,0,0,0]]"},
		{"stransform", join(22, floats(1, 2, 3, 0.5, 0.25, 0.125, 1, 4, 5, 6)), "$stransform %s [[1,2,3][1,0.5,0.25,0.125][4,5,6]]"},
		{"mat4", join(typeMat4, floats(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)), "$mat4 %s [[0,1,2,3][4,5,6,7][8,9,10,11][12,13,14,15]]"},
		{"mat3x4", join(24, floats(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)), "$mat3x4 %s [[0,1,2,3][4,5,6,7][8,9,10,11]]"},
		{"blob", join(typeBlob, u64(3), 1, 2, 3), "$blob %s [AQID]"},
		{"lz4", join(typeLZ4, u64(4), u64(3), literals([]byte("abc"))), "$lz4 %s [3][" + text64(literals([]byte("abc"))) + "]"},
		{"element", join(typeElement, element(prop("x", typeBool, 1), prop("space~0", typeUint8, 5))), "%s { $bool x 1 $uint8 space~0 5 }"},
		{"empty", join(typeElement, element()), "%s {\n\n}"},
		{"numbers", join(typeArray, typeUint16, u32(3), uints), "$array %s [uint16;3][1,2,3]"},
		{"vectors", join(typeArray, typeVec3, u32(2), floats(1, 2, 3, 4, 5, 6)), "$array %s [vec3;2][[1,2,3],[4,5,6]]"},
		{"nils", join(typeArray, typeNil, u32(2)), "$array %s [nil;2][,,]"},
		{"strings", join(typeArray, typeString, u32(2), sized(strings)), `$array %s [string]["a" "bc"]`},
		{"structs", join(typeArray, typeStruct, u32(2), sized(u16(len(pair)), pair, rows)), "$array %s [struct<uint8:a,vec2>;2][[7,[1.5,-2]],[9,[0,4]]]"},
		{"arrays", join(typeArray, typeArray, u32(2), sized(typeUint8, u32(2), 1, 2, typeString, u32(2), sized(strings))),
			`$array %s [array;2][[uint8;2][1,2],[string;2]["a","bc"]]`},
		{"elements", join(typeArray, typeElement, u32(1), sized(inner)), "$array %s [element;1][ { $bool x 1 } ]"},
		{"blobs", join(typeArray, typeBlob, u32(2), sized(u64(1), 9, u64(0))), "$array %s [blob;2][[CQ==],[]]"},
		{"lz4s", join(typeArray, typeLZ4, u32(1), sized(u64(4), u64(3), literals([]byte("abc")))), "$array %s [lz4;1][[3][" + text64(literals([]byte("abc"))) + "]]"},
		{"utf8s", join(typeArray, typeUTF8, u32(1), sized(u32(2), "é")), "$array %s [utf8;1][[base64][w6k=]]"},
		{"refs", join(typeArray, typeRef, u32(2), sized(str("element/x"), str("strings[1]"))), `$array %s [ref;2]["element/x","strings[1]"]`},
		{"lz4Numbers", join(typeArrayLZ4, arrayLZ4(typeUint16, nil, 3, literals(uints))), "$arrayLz4 %s [uint16;3;6][" + text64(literals(uints)) + "]"},
		{"lz4Strings", join(typeArrayLZ4, arrayLZ4(typeString, u64(len(counted)), 2, literals(counted))),
			fmt.Sprintf("$arrayLz4 %%s [string;2;%d][%s]", len(counted), text64(literals(counted)))},
		{"lz4Elements", join(typeArrayLZ4, arrayLZ4(typeElement, u64(len(elements)), 1, literals(elements))),
			fmt.Sprintf("$arrayLz4 %%s [element;1;%d][%s]", len(elements), text64(literals(elements)))},
		{"lz4Structs", join(typeArrayLZ4, arrayLZ4(typeStruct, join(u16(len(pair)), pair), 2, literals(rows))),
			fmt.Sprintf("$arrayLz4 %%s [struct<uint8:a,vec2>;2;%d][%s]", len(rows), text64(literals(rows)))},
		{"lz4Empty", join(typeArrayLZ4, arrayLZ4(typeElement, u64(0), 0, nil)), "$arrayLz4 %s [element;0;0][]"},
		{"lz4Plain", join(typeArrayLZ4, arrayLZ4(typeUint8, nil, 2, literals([]byte{5, 6}))), "$arrayLz4 %s [uint8;2][5,6]"},
		{"ref", join(typeRef, str("elements[0]/x")), `$ref %s "elements[0]/x"`},
		{"struct", join(typeStruct, u16(len(pair)+9), pair, 7, floats(1.5, -2)), "$struct<uint8:a,vec2> %s [7,[1.5,-2]]"},
		{"half", join(typeHalf, u16(0x3c00)), "$half %s 1"},
		{"vec2i", join(33, u32(-1), u32(2)), "$vec2i %s [-1,2]"},
		{"vec3i", join(34, u32(-1), u32(2), u32(-3)), "$vec3i %s [-1,2,-3]"},
		{"vec4i", join(35, u32(1), u32(-2), u32(3), u32(-4)), "$vec4i %s [1,-2,3,-4]"},
		{"with / and \"", join(typeUint8, 1), "$uint8 %s 1"},
		{"{", join(typeUint8, 2), "$uint8 %s 2"},
	}
}

// make260 is text that needs the long form.
func make260() []byte {
	b := make([]byte, 255)
	for i := range b {
		b[i] = 'a' + byte(i%26)
	}
	return b
}

// twins returns one tree in both forms, with a property of every type.
func twins() (binary, text []byte) {
	var children []child
	var b strings.Builder
	b.WriteString("/* every type, in both forms */\n$string assetType TEST // a bare word\n$uint32 assetVersion 1\nassetData {\n")
	for _, p := range twinParts() {
		children = append(children, child{p.key, p.binary})
		key := p.key
		if strings.ContainsAny(key, " /{\"") {
			key = `"` + strings.ReplaceAll(key, `"`, `\"`) + `"`
		}
		fmt.Fprintf(&b, "\t"+p.text+"\n", key)
	}
	b.WriteString("}\n")
	return file(children...), []byte(b.String())
}
