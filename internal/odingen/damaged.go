package odingen

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// damaged returns the fixtures with faults. The content behind the fault must be found.
func damaged() []File {
	good := object(func(w *Writer) { w.Name("count").Int(3); w.Name("text").Str("some text") })
	zip := zipped(good)
	badSum := bytes.Clone(zip)
	badSum[len(badSum)-6] ^= 1
	code := func(words ...uint32) []byte { return program(words) }
	files := []File{
		{"node-never-closed", good[:len(good)-1]},
		{"array-never-closed", object(func(w *Writer) {
			w.Name("list").Ref(intList, func() { w.Put(byte(6), int64(1)); w.Int(1) })
		})},
		{"type-id-never-defined", object(func(w *Writer) {
			w.Name("lost")
			w.ID(0x03)
			w.Put(byte(0x30), int32(9), byte(EndOfNode))
			w.Name("kept").Int(1)
		})},
		{"type-id-defined-twice", object(func(w *Writer) {
			w.Name("second")
			w.ID(0x03)
			w.Put(byte(0x2f), int32(0))
			w.Text(other)
			w.WriteByte(EndOfNode)
			w.Name("kept").Struct(thing, func() {})
		})},
		{"type-ids-out-of-order", object(func(w *Writer) {
			w.ID(0x03)
			w.Put(byte(0x2f), int32(5))
			w.Text(other)
			w.WriteByte(EndOfNode)
		})},
		{"nested-10000-deep", nested(10_000)},
		{"array-of-4294967296", object(func(w *Writer) {
			w.Name("list").Ref(intList, func() { w.Array(1<<32, func() { w.Int(1); w.Int(2) }) })
			w.Name("kept").Int(1)
		})},
		{"array-holds-more", object(func(w *Writer) {
			w.Name("list").Ref(intList, func() { w.Array(2, func() { w.Int(1); w.Int(2); w.Int(3) }) })
		})},
		{"array-with-other-ranks", object(func(w *Writer) {
			w.Name("grid").Ref("System.Int32[,], mscorlib", func() {
				w.Array(2, func() { w.Name("ranks").Str("2|3"); w.Int(1); w.Int(2) })
			})
		})},
		{"array-negative", object(func(w *Writer) {
			w.Name("list").Ref(intList, func() { w.Array(-1, func() {}) })
			w.Name("kept").Int(1)
		})},
		{"member-without-value", object(func(w *Writer) {
			w.Array(2, func() {
				w.Name("type").Str("System.Int32, mscorlib")
				w.Member("System.Int32, mscorlib", "kept", func() { w.Int(5) })
			})
		})},
		{"primitive-array-of-4-gigabytes", object(func(w *Writer) {
			w.Name("list").Ref(intArray, func() { w.Primitives(4, 1<<30, []int32{1, 2}) })
			w.Name("lost").Int(1)
		})},
		{"primitive-array-negative", object(func(w *Writer) {
			w.Name("list").Ref(intArray, func() { w.Primitives(4, -1, []int32{}) })
		})},
		{"primitive-array-of-other-size", object(func(w *Writer) {
			w.Name("list").Ref(intArray, func() { w.Primitives(2, 2, []int16{1, 2}) })
			w.Name("kept").Int(1)
		})},
		{"string-cut-off", good[:len(good)-8]},
		{"string-negative", object(func(w *Writer) { w.Name("text").ID(0x27); w.Put(byte(1), int32(-5)) })},
		{"string-flag-7", object(func(w *Writer) { w.ID(0x27); w.Put(byte(7), int32(1), uint16('a')); w.Name("kept").Int(1) })},
		{"invalid-entry-id", object(func(w *Writer) { w.Name("kept").Int(1); w.Put(byte(0x40), []byte("and more")) })},
		{"type-entry-among-entries", object(func(w *Writer) { w.Put(byte(0x30), int32(0)) })},
		{"type-tag", object(func(w *Writer) { w.ID(0x03); w.Put(byte(0x2c), int32(0)) })},
		{"stray-end", object(func(w *Writer) { w.WriteByte(EndOfArray); w.Name("kept").Int(1) })},
		{"reference-to-nothing", object(func(w *Writer) { w.Name("lost").Internal(77); w.Name("kept").Int(1) })},
		{"node-ids-go-back", object(func(w *Writer) { w.nodes = 0; w.Name("again").Ref(other, func() {}) })},
		{"end-of-stream", append(bytes.Clone(good), EndOfStream, 'm', 'o', 'r', 'e')},
		{"boolean-2", object(func(w *Writer) { w.Name("flag").ID(0x2b); w.WriteByte(2) })},
		{"decimal-scale-40", object(func(w *Writer) { w.Name("d").ID(0x23); w.Put(uint32(40<<16), uint32(0), uint32(1), uint32(0)) })},
		{"opcode-3", code(1, 0, 3, 5, 0xfffffffc)},
		{"jump-to-nowhere", code(5, 0x44, 5, 0xfffffffc)},
		{"operand-not-on-the-heap", code(1, 300, 5, 0xfffffffc)},
		{"code-cut-off", rawProgram([]byte{0, 0, 0, 1, 0, 0})},
	}
	for i := range files {
		files[i].Name = "damaged-" + files[i].Name + ".odin"
	}
	text := base64.StdEncoding.EncodeToString(good)
	return append(files,
		File{"damaged-base64.asset", asset("SerializedBytesString: "+text[:40]+"*"+text[41:], 0)},
		File{"damaged-base64-cut-off.asset", asset("SerializedBytesString: "+text[:len(text)-6], 0)},
		File{"damaged-hex-odd.asset", asset("SerializedBytes: "+hex.EncodeToString(good)+"0", 0)},
		File{"damaged-hex.asset", asset("SerializedBytes: "+strings.Replace(hex.EncodeToString(good), "2c", "2x", 1), 0)},
		File{"damaged-gzip-cut-off.asset", programAsset(zip[:len(zip)-20])},
		File{"damaged-gzip-sum.asset", programAsset(badSum)},
		File{"damaged-json-string-never-ends.odin.json", []byte(jsonText[:len(jsonText)-2] + ",\n    \"text\": \"never")},
		File{"damaged-json-array-without-content.odin.json", []byte(strings.Replace(jsonText, `"$rcontent"`, `"content"`, 1))},
		File{"damaged-json-node-never-closed.odin.json", []byte(jsonText[:len(jsonText)-1])},
		File{"damaged-json-type-never-defined.odin.json", []byte(strings.Replace(jsonText, `"$type": "1|`, `"$type": 9, "name": "`, 1))},
		File{"damaged-json-no-value.odin.json", []byte(strings.Replace(jsonText, `"count": 3`, `"count": maybe`, 1))},
		File{"damaged-nodes-entry.asset", []byte(strings.Replace(nodesAsset, "Entry: 5", "Entry: 99", 1))},
		File{"damaged-external-index.asset", asset("SerializedBytes: "+hex.EncodeToString(object(func(w *Writer) { w.Name("asset").External(5) })), 0)},
	)
}

// nested is structs in one another, and a member after them.
func nested(depth int) []byte {
	return object(func(w *Writer) {
		for range depth {
			w.ID(0x03)
			w.Type("")
		}
		for range depth {
			w.WriteByte(EndOfNode)
		}
		w.Name("kept").Int(1)
	})
}
