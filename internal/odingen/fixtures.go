package odingen

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
)

// File is a fixture.
type File struct {
	Name string
	Data []byte
}

// Fixtures returns the files of testdata/odin.
func Fixtures() []File {
	return append(sound(), damaged()...)
}

const (
	thing     = "Demo.Thing, Assembly-CSharp"
	other     = "Demo.Other, Assembly-CSharp"
	intList   = "System.Collections.Generic.List`1[[System.Int32, mscorlib]], mscorlib"
	intArray  = "System.Int32[], mscorlib"
	byteArray = "System.Byte[], mscorlib"
)

// stream writes a binary stream.
func stream(narrow bool, write func(w *Writer)) []byte {
	w := &Writer{Narrow: narrow}
	write(w)
	return bytes.Clone(w.Bytes())
}

// object writes a stream of one object.
func object(write func(w *Writer)) []byte {
	return stream(false, func(w *Writer) { w.Ref(thing, func() { write(w) }) })
}

func sound() []File {
	entries := stream(true, everyEntry)
	small := object(func(w *Writer) {
		w.Name("count").Int(3)
		w.Name("list").Ref(intList, func() { w.Array(2, func() { w.Int(1); w.Int(2) }) })
		w.Name("self").Internal(0)
		w.Name("asset").External(1)
	})
	return []File{
		{"every-entry.odin", entries},
		{"object.odin", small},
		{"program.odin", program(programCode())},
		{"repeated-names.odin", repeatedNames()},
		{"grid.odin", object(func(w *Writer) {
			w.Name("grid").Ref("System.Int32[,], mscorlib", func() {
				w.Array(6, func() {
					w.Name("ranks").Str("2|3")
					for i := range int32(6) {
						w.Int(i)
					}
				})
			})
		})},
		{"object.odin.gz", zipped(small)},
		{"hex.asset", asset("SerializedBytes: "+hex.EncodeToString(small), 0)},
		{"base64-windows-lines.asset", bytes.ReplaceAll(asset("SerializedBytesString: "+base64.StdEncoding.EncodeToString(small), 0), []byte("\n"), []byte("\r\n"))},
		{"gzip-in-hex.asset", programAsset(zipped(program(programCode())))},
		{"json-in-base64.asset", asset("SerializedBytesString: "+base64.StdEncoding.EncodeToString([]byte(jsonText)), 1)},
		{"object.odin.json", []byte(jsonText)},
		{"loose.odin.json", []byte("\xef\xbb\xbf" + looseJSON)},
		{"nodes.asset", []byte(nodesAsset)},
		{"override.prefab", override(small)},
		{"modifications.prefab", []byte(modifications)},
	}
}

// everyEntry writes each kind of entry, named and unnamed, at the top level.
func everyEntry(w *Writer) {
	guid := []byte{0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}
	decimal := []byte{0, 0, 1, 0, 6, 0, 0, 0, 0x39, 0x6c, 0x36, 0x2f, 0x81, 0x9f, 0x4e, 0xb1}
	for _, name := range []string{"named", ""} {
		entry := func(id byte, values ...any) {
			if name != "" {
				w.Name(fmt.Sprintf("%s %#02x", name, id))
			}
			w.ID(id)
			w.Put(values...)
		}
		named := func(what string) *Writer {
			if name != "" {
				w.Name(what)
			}
			return w
		}
		named("object").Ref(thing, func() { w.Name("snow ☃").Str("☃ and more") })
		named("value").Struct(other, func() {})
		named("untyped").Struct("", func() {})
		entry(0x09, int32(0))
		entry(0x0b, int32(7))
		entry(0x0d, guid)
		entry(0x0f, int8(-8))
		entry(0x11, uint8(200))
		entry(0x13, int16(-16000))
		entry(0x15, uint16(60000))
		entry(0x17, int32(-2000000000))
		entry(0x19, uint32(4000000000))
		entry(0x1b, int64(-9000000000000000000))
		entry(0x1d, uint64(18000000000000000000))
		entry(0x1f, float32(1.5))
		entry(0x21, float64(-2.25))
		entry(0x23, decimal)
		entry(0x25, uint16(0x20ac))
		named("text").Str("plain")
		entry(0x29, guid)
		entry(0x2b, byte(1))
		entry(0x2d)
		named("key").ID(0x32)
		w.Text("thing/9")
	}
	w.Array(2, func() { w.Int(1); w.Null() })
	w.Ref(intArray, func() { w.Primitives(4, 3, []int32{1, -2, 3}) })
	w.Ref("System.Boolean[], mscorlib", func() { w.Primitives(1, 2, []byte{1, 0}) })
}

// repeatedNames returns an object with members of equal, empty and odd names.
func repeatedNames() []byte {
	return object(func(w *Writer) {
		for _, name := range []string{"a", "a", "", "start", "end", "[3]", "a/b%#"} {
			w.Name(name).Int(1)
		}
		w.Int(2)
		w.Name("a~2").Int(3)
	})
}

const (
	programType = "VRC.Udon.Common.UdonProgram, VRC.Udon.Common"
	common      = ", VRC.Udon.Common"
)

// programCode has every instruction.
func programCode() []uint32 {
	return []uint32{1, 0, 4, 0x20, 1, 0, 1, 1, 9, 6, 2, 0, 2, 7, 99, 8, 3, 5, 0xfffffffc, 5, 0}
}

// program returns an Udon program with the code.
func program(code []uint32) []byte {
	big := binary.BigEndian
	var raw []byte
	for _, word := range code {
		raw = big.AppendUint32(raw, word)
	}
	return rawProgram(raw)
}

func rawProgram(code []byte) []byte {
	return stream(false, func(w *Writer) {
		w.Ref(programType, func() {
			w.Name("InstructionSetIdentifier").Str("UDON")
			w.Name("InstructionSetVersion").Int(1)
			w.Name("ByteCode").Ref(byteArray, func() { w.Primitives(1, int32(len(code)), code) })
			w.Name("Heap").Ref("VRC.Udon.Common.UdonHeap"+common, func() { heap(w) })
			w.Name("EntryPoints")
			symbols(w, map[string]uint32{"_start": 0}, []string{"_start"}, "")
			w.Name("SymbolTable")
			symbols(w, map[string]uint32{"flag": 0, "result": 1}, []string{"flag", "result"}, "System.Boolean, mscorlib")
			w.Name("SyncMetadataTable").Ref("VRC.Udon.Common.UdonSyncMetadataTable"+common, func() {
				w.Array(1, func() { w.Member("x, y", "SyncMetadata", func() { syncList(w) }) })
			})
			w.Name("UpdateOrder").Int(0)
		})
	})
}

func heap(w *Writer) {
	const tuple = "System.ValueTuple`3[[System.UInt32, mscorlib],[System.Runtime.CompilerServices.IStrongBox, System.Core],[System.Type, mscorlib]], mscorlib"
	slot := func(index uint32, box, typ string, value func()) {
		w.Struct(tuple, func() {
			w.Name("Item1").UInt(index)
			w.Name("Item2").Ref("System.Runtime.CompilerServices.StrongBox`1[["+box+"]], System.Core", func() { w.Name("Value"); value() })
			w.Name("Item3").TypeNode(typ)
		})
	}
	w.Array(2, func() {
		w.Member("System.UInt32, mscorlib", "HeapCapacity", func() { w.UInt(512) })
		w.Member("System.Collections.Generic.List`1[["+tuple+"]], mscorlib", "HeapDump", func() {
			w.Ref("System.Collections.Generic.List`1[["+tuple+"]], mscorlib", func() {
				w.Array(4, func() {
					slot(0, "System.Boolean, mscorlib", "System.Boolean, mscorlib", func() { w.ID(0x2b); w.WriteByte(1) })
					slot(1, "System.Boolean, mscorlib", "System.Boolean, mscorlib", func() { w.Null() })
					slot(2, "System.String, mscorlib", "System.String, mscorlib", func() { w.Str("UnityEngineDebug.__Log__SystemObject__SystemVoid") })
					slot(3, "System.UInt32, mscorlib", "System.UInt32, mscorlib", func() { w.UInt(0) })
				})
			})
		})
	})
}

func symbols(w *Writer, addresses map[string]uint32, order []string, typ string) {
	w.Ref("VRC.Udon.Common.UdonSymbolTable"+common, func() {
		w.Array(2, func() {
			const list = "System.Collections.Generic.List`1[[VRC.Udon.Common.Interfaces.IUdonSymbol, VRC.Udon.Common]], mscorlib"
			w.Member(list, "Symbols", func() {
				w.Ref(list, func() {
					w.Array(int64(len(order)), func() {
						for _, name := range order {
							w.Ref("VRC.Udon.Common.UdonSymbol"+common, func() {
								w.Array(3, func() {
									w.Member("System.String, mscorlib", "Name", func() { w.Str(name) })
									w.Member("System.Type, mscorlib", "Type", func() {
										if typ == "" {
											w.Null()
										} else {
											w.TypeNode(typ)
										}
									})
									w.Member("System.UInt32, mscorlib", "Address", func() { w.UInt(addresses[name]) })
								})
							})
						}
					})
				})
			})
			const names = "System.Collections.Generic.List`1[[System.String, mscorlib]], mscorlib"
			w.Member(names, "ExportedSymbols", func() { w.Ref(names, func() { w.Array(1, func() { w.Str(order[0]) }) }) })
		})
	})
}

func syncList(w *Writer) {
	const list = "System.Collections.Generic.List`1[[VRC.Udon.Common.Interfaces.IUdonSyncMetadata, VRC.Udon.Common]], mscorlib"
	const properties = "System.Collections.Generic.List`1[[VRC.Udon.Common.Interfaces.IUdonSyncProperty, VRC.Udon.Common]], mscorlib"
	w.Ref(list, func() {
		w.Array(1, func() {
			w.Ref("VRC.Udon.Common.UdonSyncMetadata"+common, func() {
				w.Array(2, func() {
					w.Member("System.String, mscorlib", "Name", func() { w.Str("flag") })
					w.Member(properties, "Properties", func() {
						w.Ref(properties, func() {
							w.Array(1, func() {
								w.Ref("VRC.Udon.Common.UdonSyncProperty"+common, func() {
									w.Array(2, func() {
										w.Member("System.String, mscorlib", "Name", func() { w.Str("this") })
										w.Member("System.UInt64, mscorlib", "InterpolationAlgorithm", func() { w.ID(0x1d); w.Put(uint64(2)) })
									})
								})
							})
						})
					})
				})
			})
		})
	})
}

// zipped returns the bytes as a gzip stream, whose system byte is 0x0a as Unity's runtime writes it.
func zipped(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data) // a buffer takes all
	_ = z.Close()
	b.Bytes()[9] = 0x0a
	return b.Bytes()
}

const yamlHead = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_Name: Holder\n--- !u!114 &11400000\nMonoBehaviour:\n"

// asset returns a Unity file whose object has a field with a payload.
func asset(field string, format int) []byte {
	rest := []string{"SerializedBytes: ", "SerializedBytesString: "}
	if strings.HasPrefix(field, rest[0]) {
		rest[0] = field
	} else {
		rest[1] = field
	}
	return []byte(yamlHead + "  m_Name: Thing\n  serializationData:\n" +
		fmt.Sprintf("    SerializedFormat: %d\n    %s\n", format, rest[0]) +
		"    ReferencedUnityObjects:\n    - {fileID: 0}\n    - {fileID: 2100000, guid: e10ab24bd1c8f7abca1605dfcddbc499,\n      type: 2}\n" +
		"    " + rest[1] + "\n    PrefabModifications: []\n    SerializationNodes: []\n")
}

// override returns an instance of a prefab that changes a field with a payload.
func override(payload []byte) []byte {
	return []byte("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1001 &77\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n" +
		"    - target: {fileID: 1, guid: e10ab24bd1c8f7abca1605dfcddbc499, type: 3}\n      propertyPath: m_Name\n      value: Instance\n" +
		"    - target: {fileID: 2, guid: e10ab24bd1c8f7abca1605dfcddbc499, type: 3}\n      propertyPath: serializedPublicVariablesBytesString\n" +
		"      value: " + base64.StdEncoding.EncodeToString(payload) + "\n      objectReference: {fileID: 0}\n")
}

func programAsset(zip []byte) []byte {
	return []byte(yamlHead + "  m_Name: Program\n  serializedProgramCompressedBytes: " + hex.EncodeToString(zip) +
		"\n  serializedProgramBytesString: \n  programUnityEngineObjects: []\n  serializationDataFormat: 0\n")
}

const jsonText = `{
    "$id": 0,
    "$type": "0|Demo.Thing, Assembly-CSharp",
    "count": 3,
    "list": {
        "$id": 1,
        "$type": "1|System.Collections.Generic.List` + "`" + `1[[System.Int32, mscorlib]], mscorlib",
        "$rlength": 2,
        "$rcontent": [
            1,
            2
        ]
    },
    "self": $iref:0,
    "asset": $eref:1
}`

// looseJSON has deviations that the tolerant reader must accept.
const looseJSON = `"bytes": {"$id":0,"$type":"0|System.Byte[], mscorlib","$plength":3,"$pcontent":[1,2,3]},
unquoted: -1.5E+10, "nan": NaN, 00112233-4455-6677-8899-aabbccddeeff,
"pair": {"$k": "a \"quoted\" \u2603", "$v": NULL},
"old": $strref:some raw text, "key": $fstrref:"thing/\"9\"", "guid": $guidref:00112233-4455-6677-8899-aabbccddeeff,
"again": {"$id":3,"$type":0}, "plain": {"$type":"Demo.Other, Assembly-CSharp"}, True ,
`

const modifications = yamlHead + `  serializationData:
    SerializedFormat: 2
    PrefabModificationsReferencedUnityObjects:
    - {fileID: 5}
    PrefabModifications:
    - '"path": "speed", "value": 5'
    - "\"path\": \"name\", \"value\": \"it's\""
    - '"path": "list",

      "length": 3'
    - '"path": "target", "references": {"$id":0,"$type":"0|System.String[], mscorlib","$rlength":1,"$rcontent":["a"]},
      "value": $eref:0'
    SerializationNodes: []
`

const nodesAsset = yamlHead + `  m_Name: 'Nodes'
  serializationData:
    SerializedFormat: 2
    SerializedBytes: 
    ReferencedUnityObjects: []
    SerializedBytesString: 
    SerializationNodes:
    - Name: root
      Entry: 7
      Data: 0|Demo.Thing, Assembly-CSharp
    - Name: bytes
      Entry: 7
      Data: 1|System.Byte[], mscorlib
    - Name: 
      Entry: 14
      Data: 0102ff
    - Name: 
      Entry: 8
      Data: 
    - Name: numbers
      Entry: 7
      Data: 2|System.Int32[], mscorlib
    - Name: 
      Entry: 14
      Data: 2
    - Name: 
      Entry: 3
      Data: 10
    - Name: 
      Entry: 3
      Data: -20
    - Name: 
      Entry: 13
      Data: 
    - Name: 
      Entry: 8
      Data: 
    - Name: 'it''s'
      Entry: 1
      Data: "two\nlines \u2603"
    - Name: folded
      Entry: 1
      Data: a text that goes on
        - with a dash, and

        a line apart;
        Name: like a field
    - Name: guid
      Entry: 2
      Data: 00112233445566778899aabbccddeeff
    - Name: pi
      Entry: 4
      Data: 3.14159274
    - Name: yes
      Entry: 5
      Data: true
    - Name: self
      Entry: 9
      Data: 0
    - Name: none
      Entry: 6
      Data: 
    - Name: value
      Entry: 7
      Data: Demo.Other, Assembly-CSharp
    - Name: 
      Entry: 8
      Data: 
    - Name: 
      Entry: 8
      Data: 
  after: 1
`
