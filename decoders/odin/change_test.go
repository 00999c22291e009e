package odin

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/odin/udon"
	"cutaway/internal/odingen"
	"cutaway/model"
)

// changeFile opens a file of the corpus, or of testdata with a slash before its name.
func changeFile(t *testing.T, name string) (*model.Document, []byte) {
	t.Helper()
	rest, own := strings.CutPrefix(name, "/")
	if !own {
		f := corpusFile(t, name)
		return openDoc(t, f), f.Data
	}
	f := decodertest.ReadFiles(t, "../../testdata/odin/"+rest)[0]
	return openDoc(t, f), f.Data
}

// changeOf asks how a node can be changed.
func changeOf(ctx context.Context, t *testing.T, doc *model.Document, path string) (*model.Change, error) {
	t.Helper()
	p, err := doc.Lookup(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Change(ctx, p)
}

// TestChange: values of all kinds, in every form and carrier, are changed in a new file. The oracle of the format's page and our own
// reader find the new value there, and nothing else that differs.
func TestChange(t *testing.T) {
	for _, c := range []struct {
		file, path, text string
		was              string
		facts            string // that differ, as the oracle says them of the new file
	}{
		{"udon-public-variables.odin.bin", "udon/variables/page", "12", "0", `"Value" int32 0x18 12`},
		{"udon-public-variables.odin.bin", "udon/variables/infoOK", "true", "false", `"Value" boolean 1`},
		{"udon-public-variables.odin.bin", "udon/variables/pivotX", "0.1", "-16383.5", `"Value" float 0.1`},
		{"udon-public-variables-arrays.odin.bin", "udon/variables/vec", "(1, -2.5, 1e9)", "0, 0, 0", "float 1|float -2.5|float 1e+09"},
		{"udon-public-variables-arrays.odin.bin", "udon/variables/charField", "ß", "a", `"Value" int16 0x26 223`},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString/variables/sbyteVal", "-128", "127", `"Value" int8 128`},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString~2/variables/eventName", "☃ a longer text", "eventName", `"Value" string "☃ a longer text"`},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString~3/variables/behaviourPos", "1,2,3", "-0.34, 0, 0", "float 1|float 2|float 3"},
		{"udon-program-2020.asset", "udon/serializedProgramBytesString/program/heap/2", "bye", "hello this is a new script 3", `"Value" string "bye"`},
		{"udon-doc-example.asset", "udon/serializedProgramCompressedBytes/program/heap/8", "1.5", "0", `"Value" float 1.5`},
		{"udon-program-large.odin.bin", "udon/program/code/0x00a8", "true", "false", `"Value" boolean 1`},
		{"udon-program-large.odin.bin", "udon/program/symbols/maxPlayers", "0x10", "82", `"Value" int32 0x18 16`},
		{"udon-program-synced.odin.bin.gz", "udon/program/heap/9", "0.25, -20, 7", "0, -20, 0", "float 0.25|float 7"},
		{"udonsharp-nodes-format.asset", "entries/SerializationNodes/fieldDefinitions/[1]/[1]/$v/<IsSerialized>k__BackingField", "true", "false", "line       Data: true\n"},
		{"gen-primitives.odin.bin", "objects/[0]/i16", "32767", "-16000", `"i16" int16 0x14 32767`},
		{"gen-primitives.odin.bin", "objects/[0]/u64", "18446744073709551615", "18000000000000000000", `"u64" int64 0x1e -1`},
		{"gen-primitives.odin.bin", "objects/[0]/dec", "-0.05", "-12345678901234567890.123456789", `"dec" 16 bytes 0x24: 00 00 02 80 00 00 00 00 05 00 00 00 00 00 00 00`},
		{"gen-primitives.odin.bin", "objects/[0]/guid", "FFEEDDCC-bbaa-9988-7766-554433221100", "00112233-4455-6677-8899-aabbccddeeff", `"guid" 16 bytes 0x2a: cc dd ee ff aa bb 88 99 77 66 55 44 33 22 11 00`},
		{"gen-primitives.odin.bin", "objects/[0]/empty", "no more", "", `"empty" string "no more"`},
		{"gen-primitives.odin.json", "objects/[0]/s", "a \"b\" \\ é\n", "plain", `token "a \"b\" \\ \u00e9\n"`},
		{"gen-primitives.odin.json", "objects/[0]/f64", "1e-5", "-2.718281828459045", "token 1E-05"},
		{"gen-primitives.odin.json", "objects/[0]/yes", "false", "true", "token false"},
		{"gen-unity-types.odin.bin", "objects/[0]/c32", "1, 2, 3, 4", "255, 128, 0, 255", "int8 1|int8 2|int8 3|int8 4"},
		{"gen-external-8bit.odin.bin", "objects/[0]/pt/tag", "ö", "pé", `narrow [116 97 103] string narrow [65533]`},
		{"udon-doc-example.odin.json", "udon/program/heap/8", "1.5", "0", "token 1.5"},
		{"udon-coredump.odin.bin", "udon/program/heap/4", "Log", "UnityEngineDebug.__Log__SystemObject__SystemVoid", `"Value" string "Log"`},
		{"gen-members.odin.json", "objects/pos", "1, 2.5, 3", "1, 2, 3", "token 2.5"},
		{"/hex.asset", "objects/SerializedBytes/[0]/count", "-3", "3", `"count" int32 0x18 -3`},
		{"/base64-windows-lines.asset", "objects/SerializedBytesString/[0]/list/[1]", "7", "2", "int32 0x18 7"},
		{"/json-in-base64.asset", "objects/SerializedBytesString/[0]/count", "99", "3", "token 99"},
		{"/gzip-in-hex.asset", "objects/serializedProgramCompressedBytes/[0]/UpdateOrder", "5", "0", `"UpdateOrder" int32 0x18 5`},
		{"/override.prefab", "objects/serializedPublicVariablesBytesString/[0]/count", "4", "3", `"count" int32 0x18 4`},
		{"/object.odin.gz", "objects/[0]/count", "4", "3", `"count" int32 0x18 4`},
		{"/nodes.asset", "objects/SerializationNodes/root/it's", "it's: \\ #", "two\nlines ☃", "line       Data: 'it''s: \\ #'\n"},
		{"/nodes.asset", "objects/SerializationNodes/root/it's", "☃ \\n\n", "two\nlines ☃", `line       Data: "\u2603 \\n\n"` + "\n"},
		{"/nodes.asset", "objects/SerializationNodes/root/pi", "3", "3.1415927", "line       Data: 3\n"},
		{"/nodes.asset", "objects/SerializationNodes/root/guid", "ffeeddcc-bbaa-9988-7766-554433221100", "00112233-4455-6677-8899-aabbccddeeff", "line       Data: ffeeddccbbaa99887766554433221100\n"},
	} {
		doc, was := changeFile(t, c.file)
		change, err := changeOf(t.Context(), t, doc, c.path)
		if err != nil {
			t.Errorf("%s, %s: %v", c.file, c.path, err)
			continue
		}
		if change.Text != c.was {
			t.Errorf("%s, %s was %q, not %q", c.file, c.path, change.Text, c.was)
		}
		now, err := change.Make(t.Context(), c.text)
		if err != nil {
			t.Errorf("%s, %s: %v", c.file, c.path, err)
			continue
		}
		before, err := oracleFacts(was)
		after, wrong := oracleFacts(now)
		if err != nil || wrong != nil || len(before) != len(after) {
			t.Errorf("%s, %s: %v, %v, %d facts and then %d", c.file, c.path, err, wrong, len(before), len(after))
			continue
		}
		var differ []string
		for i := range after {
			if before[i] != after[i] {
				differ = append(differ, after[i])
			}
		}
		if got := strings.Join(differ, "|"); got != c.facts {
			t.Errorf("%s, %s:\n%s\nnot\n%s", c.file, c.path, got, c.facts)
		}
		again := openDoc(t, decodertest.File{Name: c.file, Data: now})
		if change, err := changeOf(t.Context(), t, again, c.path); err != nil || change.Text == c.was {
			t.Errorf("%s, %s: the new file has %+v, %v", c.file, c.path, change, err)
		}
	}
}

// TestNotChanged: what does not fit, or is no value, is refused with the reason.
func TestNotChanged(t *testing.T) {
	for _, c := range []struct{ file, path, text, want string }{
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString/variables/sbyteVal", "128", "128 does not fit: it must be a whole number from -128 to 127"},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString/variables/uintField", "-1", `"-1" does not fit: write a whole number from 0 to 4294967295`},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString/variables/uintField", "4294967296", "4294967296 does not fit: it must be a whole number from 0 to 4294967295"},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString/variables/charField", "😀", `"😀" does not fit: a char holds one character of 16 bits`},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString/variables/vec", "1, 2", "it has 3 values: write as many, with commas between them"},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString/variables/vec", "1, 2, x", `"x" does not fit`},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString/variables/ints", "1", "it is an object of the type int[]: only single values, and structs of such, can be changed"},
		{"udonsharp-serialization-scene.unity", "udon/serializedPublicVariablesBytesString", "1", "it has no value: select a variable, a slot of the heap or a value"},
		{"udonsharp-serialization-scene.unity", "layout/[0]", "1", "it has no value: select a variable, a slot of the heap or a value"},
		{"udon-public-variables.odin.bin", "udon/variables/page", "1e3", `"1e3" does not fit: write a whole number from -2147483648 to 2147483647`},
		{"udon-public-variables.odin.bin", "udon/variables/page", "0", "this is the value that it has"},
		{"udon-public-variables.odin.bin", "udon/variables/infoOK", "yes", `"yes" is no truth value: write true or false`},
		{"udon-public-variables.odin.bin", "udon/variables/scale", "1e39", "1e39 does not fit: it must be a number of 32 bits"},
		{"udon-public-variables.odin.bin", "udon/variables/meshFilter", "1", "it is a reference to an object of Unity, which only Unity can find: set it there"},
		{"udon-public-variables.odin.bin", "udon/variables/infoMetadata", "x", "it is null: the file does not say what type of value could be there. Set it in Unity"},
		{"udon-program-large.odin.bin", "udon/program/code/0x0090", "1", "it is an object of the type UdonGameObjectComponentHeapReference: only single values, and structs of such, can be changed"},
		{"udon-program-large.odin.bin", "udon/program/code/0x00d0", "1", "it has no value: select a variable or a slot of the heap"},
		{"udon-program-large.odin.bin", "udon/program/entry points/_start", "1", "it has no value: select a variable or a slot of the heap"},
		{"gen-primitives.odin.bin", "objects/[0]/guid", "0011", `"0011" is no GUID`},
		{"gen-primitives.odin.bin", "objects/[0]/dec", "79228162514264337593543950336", "79228162514264337593543950336 does not fit: a decimal has 96 bits"},
		{"gen-primitives.odin.json", "objects/[0]/i8", "one", `"one" does not fit: write a number of 64 bits`},
		{"/modifications.prefab", "objects/PrefabModifications/path", "x", "it is in the changes of a prefab, which Unity writes itself"},
		{"/damaged-hex-odd.asset", "objects/SerializedBytes/[0]/count", "4", "the payload is damaged: what cannot be decoded would be lost"},
		{"/damaged-gzip-sum.asset", "objects/serializedProgramCompressedBytes/[0]/count", "4", "the payload is damaged: what cannot be decoded would be lost"},
		{"/object.odin", "objects/[0]/self", "4", "it is a reference to object 0 of the file: change that"},
	} {
		doc, _ := changeFile(t, c.file)
		change, err := changeOf(t.Context(), t, doc, c.path)
		if err == nil {
			_, err = change.Make(t.Context(), c.text)
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s, %s to %q: %v", c.file, c.path, c.text, err)
		}
	}
}

// variables writes a table of one public variable.
func variables(name string, value int32) []byte {
	const list = "System.Collections.Generic.List`1[[VRC.Udon.Common.Interfaces.IUdonVariable, VRC.Udon.Common]], mscorlib"
	w := &odingen.Writer{}
	w.Ref(udon.TypeVariables+", VRC.Udon.Common", func() {
		w.Array(1, func() {
			w.Member(list, "Variables", func() {
				w.Ref(list, func() {
					w.Array(1, func() {
						w.Ref("VRC.Udon.Common.UdonVariable`1[[System.Int32, mscorlib]], VRC.Udon.Common", func() {
							w.Array(2, func() {
								w.Member("System.String, mscorlib", "SymbolName", func() { w.Str(name) })
								w.Member("System.Int32, mscorlib", "Value", func() { w.Int(value) })
							})
						})
					})
				})
			})
		})
	})
	return w.Bytes()
}

// sharedHeap writes a program whose slots share boxes and objects: 6 has the box of 5, and 7 the object of 8.
func sharedHeap() []byte {
	const list, box, integer = "System.Collections.Generic.List`1[[System.Object, mscorlib]], mscorlib", "System.Runtime.CompilerServices.StrongBox`1[[System.Object, mscorlib]], System.Core", "System.Int32, mscorlib"
	w := &odingen.Writer{}
	slot := func(index uint32, item2 func()) {
		w.Struct("System.ValueTuple`3, mscorlib", func() {
			w.Name("Item1").UInt(index)
			w.Name("Item2")
			item2()
			w.Name("Item3").TypeNode(integer)
		})
	}
	w.Ref(udon.TypeProgram+", VRC.Udon.Common", func() {
		w.Name("Heap").Ref("VRC.Udon.Common.UdonHeap, VRC.Udon.Common", func() {
			w.Array(1, func() {
				w.Member(list, "HeapDump", func() {
					w.Ref(list, func() {
						w.Array(4, func() {
							var first, object int32
							slot(5, func() { first = w.Ref(box, func() { w.Name("Value").Int(1) }) })
							slot(6, func() { w.Internal(first) })
							slot(8, func() { w.Ref(box, func() { object = w.Name("Value").Ref(integer, func() { w.Int(2) }) }) })
							slot(7, func() { w.Ref(box, func() { w.Name("Value").Internal(object) }) })
						})
					})
				})
			})
		})
	})
	return w.Bytes()
}

// TestShared: what else has the value of a slot is said, and changes with it.
func TestShared(t *testing.T) {
	b := sharedHeap()
	doc := openDoc(t, decodertest.File{Name: "shared.odin", Data: b})
	for path, want := range map[string]string{"5": "in slot 6 too", "7": "in slot 8 too", "8": "in slot 7 too"} {
		change, err := changeOf(t.Context(), t, doc, "udon/program/heap/"+path)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(change.Notes, " ")
		if !strings.Contains(notes, want) || !strings.Contains(notes, "compile") {
			t.Errorf("of slot %s it says %q", path, notes)
		}
		now, err := change.Make(t.Context(), "-9")
		if err != nil {
			t.Fatal(err)
		}
		again := openDoc(t, decodertest.File{Name: "shared.odin", Data: now})
		if change, err := changeOf(t.Context(), t, again, "udon/program/heap/"+path); err != nil || change.Text != "-9" {
			t.Errorf("slot %s is %+v, %v", path, change, err)
		}
	}
}

// TestWinner: where a component of the file has a public variable of a slot's name, that is changed; of several the user must select
// one.
func TestWinner(t *testing.T) {
	program := decodertest.ReadFiles(t, fixtures+"/program.odin")[0].Data
	scene := func(components ...string) *model.Document {
		text := "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &1\nMonoBehaviour:\n  serializedProgramBytesString: " + base64.StdEncoding.EncodeToString(program) + "\n"
		for i, name := range components {
			text += fmt.Sprintf("--- !u!114 &%d\nMonoBehaviour:\n  serializedPublicVariablesBytesString: %s\n", i+2, base64.StdEncoding.EncodeToString(variables(name, 5)))
		}
		return openDoc(t, decodertest.File{Name: "scene.unity", Data: []byte(text)})
	}
	const slot = "udon/serializedProgramBytesString/program/heap/0" // of the exported symbol flag
	for _, c := range []struct {
		components []string
		path, note string // or the error
	}{
		{nil, slot, "A component that has flag among its public variables starts with its own value, which wins over this one."},
		{[]string{"other"}, slot, "A component that has flag among its public variables"},
		{[]string{"other", "flag"}, "udon/serializedPublicVariablesBytesString~2/variables/flag", "A component has a public variable of this name, so that is changed instead of the heap."},
		{[]string{"flag", "flag"}, "", "2 components have a public variable flag, which wins over the heap: select the one to be changed, such as udon/serializedPublicVariablesBytesString/variables/flag"},
	} {
		change, err := changeOf(t.Context(), t, scene(c.components...), slot)
		if err != nil {
			if err.Error() != c.note {
				t.Errorf("%v: %v", c.components, err)
			}
			continue
		}
		if change.Path != c.path || !strings.HasPrefix(strings.Join(change.Notes, " "), c.note) {
			t.Errorf("%v: %+v", c.components, change)
		}
	}
}
