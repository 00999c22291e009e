package odin

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/odingen"
	"cutaway/model"
)

const fixtures = "../../testdata/odin"

// made are the fixtures as they are written.
func made() []decodertest.File {
	var files []decodertest.File
	for _, f := range odingen.Fixtures() {
		files = append(files, decodertest.File{Name: f.Name, Data: f.Data})
	}
	return files
}

// TestFixturesAreMade compares the files of testdata with what writes them.
func TestFixturesAreMade(t *testing.T) {
	for _, f := range made() {
		b, err := os.ReadFile(filepath.Join(fixtures, f.Name))
		if err != nil || !bytes.Equal(b, f.Data) {
			t.Errorf("%s is not what go run ./testdata/odin writes: %v", f.Name, err)
		}
	}
}

// damage is the first problem of each damaged fixture, and what else is expected of it: rule, kind, end of the path.
var damage = map[string]string{
	"node-never-closed.odin":               "odin.container.unclosed truncated layout/[0]",
	"array-never-closed.odin":              "odin.container.unclosed truncated layout/[0]",
	"type-id-never-defined.odin":           "odin.type.undefined malformed layout/[0]/lost/start entry/type/type id",
	"type-id-defined-twice.odin":           "odin.type.repeated suspicious layout/[0]/second/start entry/type/type id",
	"type-ids-out-of-order.odin":           "odin.type.order suspicious layout/[0]/[0]/start entry/type/type id",
	"nested-10000-deep.odin":               "odin.container.depth limit layout/[0]" + strings.Repeat("/[0]", 399),
	"array-of-4294967296.odin":             "odin.array.length malformed layout/[0]/list/[0]/start entry/length",
	"array-holds-more.odin":                "odin.array.count suspicious layout/[0]/list/[0]",
	"array-with-other-ranks.odin":          "odin.array.ranks suspicious layout/[0]/grid/[0]",
	"array-negative.odin":                  "odin.array.negative malformed layout/[0]/list/[0]/start entry/length",
	"member-without-value.odin":            "odin.array.member-missing assumed layout/[0]/[0]",
	"primitive-array-of-4-gigabytes.odin":  "odin.entry.truncated truncated layout/broken entry/elements",
	"primitive-array-negative.odin":        "odin.primitives.count malformed layout/broken entry/count",
	"primitive-array-of-other-size.odin":   "odin.primitives.type suspicious layout/[0]/list/[0]/elements",
	"string-cut-off.odin":                  "odin.entry.truncated truncated layout/broken entry/value/characters",
	"string-negative.odin":                 "odin.string.count malformed layout/broken entry/value/count",
	"string-flag-7.odin":                   "odin.string.flag suspicious layout/[0]/[0]/value/flag",
	"invalid-entry-id.odin":                "odin.entry.invalid-id malformed layout/broken entry/id",
	"type-entry-among-entries.odin":        "odin.entry.type-entry malformed layout/broken entry/id",
	"type-tag.odin":                        "odin.type.tag malformed layout/broken entry/type/tag",
	"stray-end.odin":                       "odin.container.stray-end malformed layout/[0]/[0]",
	"reference-to-nothing.odin":            "odin.reference.unknown-node suspicious layout/[0]/lost/node id",
	"node-ids-go-back.odin":                "odin.node.order suspicious layout/[0]/again/start entry/node id",
	"end-of-stream.odin":                   "odin.entry.end-of-stream suspicious layout/[1]/id",
	"boolean-2.odin":                       "odin.value.boolean suspicious layout/[0]/flag/value",
	"decimal-scale-40.odin":                "odin.value.decimal suspicious layout/[0]/d/value/flags",
	"opcode-3.odin":                        "odin.udon.opcode malformed udon/program/code/0x0008",
	"jump-to-nowhere.odin":                 "odin.udon.jump suspicious udon/program/code/0x0000",
	"operand-not-on-the-heap.odin":         "odin.udon.operand suspicious udon/program/code/0x0000",
	"code-cut-off.odin":                    "odin.udon.instruction truncated udon/program/code/0x0000",
	"base64.asset":                         "odin.carrier.text malformed layout/[1]/SerializedBytesString/value",
	"base64-cut-off.asset":                 "odin.carrier.text truncated layout/[1]/SerializedBytesString/value",
	"hex-odd.asset":                        "odin.carrier.text truncated layout/[1]/SerializedBytes/value",
	"hex.asset":                            "odin.carrier.text malformed layout/[1]/SerializedBytes/value",
	"gzip-cut-off.asset":                   "odin.carrier.gzip truncated layout/[1]/serializedProgramCompressedBytes/value@decoded",
	"gzip-sum.asset":                       "odin.carrier.gzip malformed layout/[1]/serializedProgramCompressedBytes/value@decoded",
	"json-string-never-ends.odin.json":     "odin.json.text truncated layout/broken entry/trailing bytes",
	"json-array-without-content.odin.json": "odin.json.text malformed layout/broken entry/trailing bytes",
	"json-node-never-closed.odin.json":     "odin.container.unclosed truncated layout/[0]",
	"json-type-never-defined.odin.json":    "odin.type.undefined malformed layout/[0]/list/start entry/type",
	"json-no-value.odin.json":              "odin.json.value malformed layout/[0]/count/value",
	"nodes-entry.asset":                    "odin.nodes.entry malformed layout/[1]/SerializationNodes/trailing bytes",
	"external-index.asset":                 "odin.reference.external-index suspicious layout/[1]/SerializedBytes/value@decoded/[0]/asset/index",
}

// kept are members after the damage that must still be found.
var kept = []string{
	"type-id-never-defined.odin", "type-id-defined-twice.odin", "nested-10000-deep.odin", "array-of-4294967296.odin", "array-negative.odin",
	"primitive-array-of-other-size.odin", "string-flag-7.odin", "invalid-entry-id.odin", "stray-end.odin", "reference-to-nothing.odin",
}

func TestDamaged(t *testing.T) {
	seen := 0
	for _, f := range made() {
		name, is := strings.CutPrefix(f.Name, "damaged-")
		if !is {
			if report := checkAll(t, openDoc(t, f)); len(report.Problems) > 0 {
				t.Errorf("%s: %v", f.Name, report.Problems)
			}
			continue
		}
		seen++
		report := checkAll(t, openDoc(t, f))
		want, found := damage[name], false
		var got []string
		for i := range report.Problems {
			p := &report.Problems[i]
			line := fmt.Sprintf("%s %s %s", p.Rule, p.Kind, p.Path)
			found = found || line == want
			got = append(got, line)
		}
		if !found {
			t.Errorf("%s: problems\n%s\nwant %s", f.Name, strings.Join(got, "\n"), want)
		}
		if strings.Contains(" truncated malformed ", " "+strings.Fields(want + " - -")[1]+" ") == report.Sound() {
			t.Errorf("%s: sound is %t", f.Name, report.Sound())
		}
	}
	if seen != len(damage) {
		t.Errorf("%d damaged fixtures, %d expectations", seen, len(damage))
	}
	for _, name := range kept {
		doc := openDoc(t, decodertest.ReadFiles(t, filepath.Join(fixtures, "damaged-"+name))[0])
		for _, view := range []string{"layout", "entries", "objects"} {
			if _, err := doc.Lookup(t.Context(), view+"/[0]/kept"); err != nil {
				t.Errorf("%s: what stands after the damage is lost: %v", name, err)
			}
		}
	}
}

func TestFixtureInvariants(t *testing.T) {
	for _, f := range made() {
		if strings.Contains(f.Name, "10000-deep") {
			continue // TestDamaged walks it; paths of 400 segments, each sought from the root, take half a minute
		}
		t.Run(f.Name, func(t *testing.T) {
			decodertest.Invariants(t, Format, func() *model.Document { return openDoc(t, f) })
		})
	}
}

// TestMutate leaves out what cannot be seen: a stream has no length, so one of several top-level entries that is cut
// between two of them is whole; and of Unity's YAML only the payloads are decoded.
func TestMutate(t *testing.T) {
	var objects, several, carriers []decodertest.File
	for _, f := range made() {
		switch {
		case strings.HasPrefix(f.Name, "damaged-"):
		case strings.HasSuffix(f.Name, ".asset"), strings.HasSuffix(f.Name, ".prefab"):
			carriers = append(carriers, f)
		case strings.HasPrefix(f.Name, "every") || strings.HasPrefix(f.Name, "loose"):
			several = append(several, f)
		default:
			objects = append(objects, f)
		}
	}
	for _, name := range []string{"gen-primitives.odin.bin", "gen-external.odin.json", "gen-collections.odin.bin"} {
		if b, err := os.ReadFile(filepath.Join(corpus, name)); err == nil {
			objects = append(objects, decodertest.File{Name: name, Data: b})
		}
	}
	cut := func(reason string, paths ...string) decodertest.MutateOptions {
		opt := decodertest.MutateOptions{Try: 700}
		for _, path := range paths {
			opt.Exceptions = append(opt.Exceptions, decodertest.Exception{Path: path, Cut: true, Reason: reason})
		}
		return opt
	}
	decodertest.Mutate(t, Format, objects, cut("an empty file is an empty stream", "layout/[0]/start entry", "layout/magic"))
	decodertest.Mutate(t, Format, several, cut("cut between two top-level entries a stream is whole", "layout/"))
	yaml := cut("what is left is YAML text without a payload, or with an empty one", "layout/header", "layout/[0]/line", "layout/[1]/PrefabModifications", "layout/[0]/serializedPublicVariablesBytesString/field key",
		"layout/[0]/serializedPublicVariablesBytesString/line", "layout/[1]/line",
		"layout/[1]/SerializedBytes/field key", "layout/[1]/SerializedBytesString/field key", "layout/[1]/serializedProgramCompressedBytes/field key",
		"layout/[1]/SerializationNodes/field key", "layout/[1]/SerializationNodes/root/end entry/Data",
		"layout/[1]/SerializationNodes/root/start entry/Name", "layout/[1]/SerializedBytes/line", "layout/[1]/SerializedBytesString/line", "layout/[1]/serializedProgramCompressedBytes/line")
	yaml.Exceptions = append(yaml.Exceptions, decodertest.Exception{
		Path: "layout/[0]/serializedPublicVariablesBytesString/value", Cut: true, Whole: true, Reason: "an empty payload is none",
	})
	decodertest.Mutate(t, Format, carriers, yaml)
}

func FuzzOdin(f *testing.F) { decodertest.Fuzz(f, Format, made()) }

// TestSurveyed: a sound stream of the binary form is checked without its nodes.
func TestSurveyed(t *testing.T) {
	f := decodertest.ReadFiles(t, fixtures+"/every-entry.odin")[0]
	if r := checkAll(t, openDoc(t, f)); r.Surveyed == 0 {
		t.Error("the check made all nodes")
	}
}
