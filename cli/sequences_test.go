package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSequences are the sequences of which half of the verbs had nothing to tell.
func TestSequences(t *testing.T) {
	const faults = "../../shared/corpus/faults/"
	lists, listSchema := "../testdata/flatbuffer/lists.list#", "--schema=../testdata/flatbuffer/lists.bfbs"
	items, shared := faults+"flatbuffer/unshared.bin#fields/items/[0]/ps", "--schema=../testdata/flatbuffer/shared.bfbs"
	points, description := faults+"ksy/array-of-type.dat#fields/items", "--schema="+faults+"ksy/array-of-type.ksy"
	structs := faults + "udm/udm-struct-array-json.udm_b#asset/assetData/p18"
	empty := faults + "udm/udm-empty-struct-array-csv.udm#asset/assetData/"
	value := []string{"--json", "--whole", "--depth=0", "--fields=value"}
	tests := []struct {
		verb, file string
		flags      []string
		want       string
	}{
		{"export", items, []string{shared, "--as=csv"}, "id,v\n9,100000000\n524,1\n"},
		{"export", items, []string{shared, "--as=csv", "--rows=1"}, "id,v\n524,1\n"},
		{"export", items, []string{shared, "--as=python"}, `{"id": 9, "v": 1e+08}, {"id": 524, "v": 1.0},`},
		{"tree", items, append(value, shared), `{"value":[{"id":9,"v":100000000},{"id":524,"v":1}]}`},
		{"tree", items, []string{shared, "--json", "--fields=value"}, `{"value":[{"id":9,"v":100000000},{"id":524,"v":1}]}`},
		{"values", items, []string{shared, "--json", "--rows=1:"}, `{"row":1,"value":524,"column":"id"}` + "\n" + `{"row":1,"value":1,"column":"v"}`},
		{"export", points, []string{description, "--as=csv"}, "a,b\n0,0\n1,0.5\n2,1\n3,1.5\n"},
		{"tree", points, append(value, description), `{"value":[{"a":0,"b":0},{"a":1,"b":0.5},{"a":2,"b":1},{"a":3,"b":1.5}]}`},
		{"tree", structs, value, `{"value":[[7,[1.5,-2]],[7,[1.5,-2]]]}`},
		{"export", empty + "s", []string{"--as=csv"}, "a\n"},
		{"export", empty + "t", []string{"--as=csv"}, "value\n"},
		{"tree", empty + "s", value, `{"value":[]}`},
		{"export", lists + "fields/poses", []string{listSchema, "--as=csv"}, "at.x,at.y,turn,id\n0.5,-1,\"[1,2,3]\",7\n9,524,\"[-4,5,6]\",8\n"},
		{"export", lists + "fields/poses", []string{listSchema, "--as=npy"}, `[("at.x", '<f4'), ("at.y", '<f4'), ("turn", '<i2', (3,)), ("id", '<u8')]`},
		{"export", lists + "fields/any", []string{listSchema, "--as=csv"}, "name,size,at.x,at.y,tags,poses,sub\nl,,,,,,\n,0.25,3,4,,,\n,11,,,,,\n"},
		{"export", lists + "fields/words", []string{listSchema, "--as=csv"}, "value\none\n\n\"drei, \"\"vier\"\"\nfünf\"\n"},
		{"export", lists + "fields/no_poses", []string{listSchema, "--as=csv"}, "at.x,at.y,turn,id\n"},
		{"export", lists + "fields/no_words", []string{listSchema, "--as=csv"}, "value\n"},
		{"tree", lists + "fields/no_any", append(value, listSchema), `{"value":[]}`},
	}
	for _, test := range tests {
		t.Run(test.verb+" "+filepath.Base(test.file)+" "+strings.Join(test.flags, " "), func(t *testing.T) {
			file, _, _ := strings.Cut(test.file, "#")
			if _, err := os.Stat(file); err != nil {
				t.Skipf("without %s", file)
			}
			r := execute(t.Context(), decoderLibrary{}, append([]string{test.verb, test.file}, test.flags...)...)
			if r.status != StatusSound || !strings.Contains(r.out, test.want) {
				t.Errorf("status %d, %s%s\nwant %s", r.status, r.err, r.out, test.want)
			}
		})
	}
}

// TestSequencesAreSearched: what structures hold is found without --elements, of which the arrays of numbers are longer than 16.
func TestSequencesAreSearched(t *testing.T) {
	r := execute(t.Context(), decoderLibrary{}, "search", "../testdata/flatbuffer/lists.list", "--schema=../testdata/flatbuffer/lists.bfbs", "=524")
	if want := "fields/poses/[1]/at/y  float  524\n"; r.out != want {
		t.Errorf("found %q, want %q", r.out, want)
	}
}

// TestColumnIsRefused: a form that cannot hold a column names it and writes nothing.
func TestColumnIsRefused(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.npy")
	for path, want := range map[string]string{"fields/leaves": "tags, row 0: these are lists", "fields/any": "size: 11 is of another type"} {
		r := execute(t.Context(), decoderLibrary{}, "export", "../testdata/flatbuffer/lists.list", path, "--schema=../testdata/flatbuffer/lists.bfbs", "--as=npy", "-o", out)
		if _, err := os.Stat(out); r.status != StatusFailed || !strings.Contains(r.err, want) || err == nil {
			t.Errorf("%s: status %d, %s", path, r.status, r.err)
		}
	}
	r := execute(t.Context(), decoderLibrary{}, "export", "../testdata/flatbuffer/lists.list", "fields/poses", "--schema=../testdata/flatbuffer/lists.bfbs", "--as=c")
	if r.status != StatusFailed || !strings.Contains(r.err, "fields/poses: what is neither a number nor text is no constant") {
		t.Errorf("as C: status %d, %s", r.status, r.err)
	}
}

// TestBitsAreNodes: in nested JSON the parts of a number, which is no sequence, are there as nodes.
func TestBitsAreNodes(t *testing.T) {
	r := execute(t.Context(), decoderLibrary{}, "export", "../testdata/usdc/list-ops.usdc", "scene/World/.rel/targetPaths/bits")
	for _, want := range []string{`"value":"deleted, prepended, appended"`, `"children":8`, `"name":"prepended","type":"bit","value":true`, `"name":"explicit","type":"bit","value":false`} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%s lacks %s", r.out, want)
		}
	}
}
