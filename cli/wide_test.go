package cli

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"cutaway/internal/vrsgen"
)

// Integers that a float64 does not hold: each is one off one that it does.
const (
	wideFirst = 9007199254740993    // 2^53+1
	wideAbove = 1152921504606846977 // 2^60+1
	wideEpoch = 1700000000123456789 // nanoseconds since 1970
	wideLast  = 18446744073709551615
)

const wideSchema = `meta: {id: wide, endian: le}
seq:
  - {id: one, type: u8}
  - {id: few, type: u8, repeat: expr, repeat-expr: 4}
  - {id: pairs, type: pair, repeat: eos}
types:
  pair: {seq: [{id: t, type: u8}]}
`

// wideFiles are a file of large integers by a description, another in which each is one more, and the description.
func wideFiles(t *testing.T) (a, b, schema string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var x, y []byte
	for _, v := range []uint64{wideFirst, wideAbove, wideAbove + 1, wideAbove + 2, wideLast - 1, wideAbove, wideAbove + 4} {
		x, y = binary.LittleEndian.AppendUint64(x, v), binary.LittleEndian.AppendUint64(y, v+1)
	}
	return write("a.bin", x), write("b.bin", y), write("wide.ksy", []byte(wideSchema))
}

// wideRecording is a recording of 40 records with a counter above 2^60 and nanoseconds since 1970; both jump at record 25.
func wideRecording(t *testing.T) string {
	t.Helper()
	f := &vrsgen.File{Index: vrsgen.AtEnd}
	layout := func(i uint64) *vrsgen.Layout {
		l := &vrsgen.Layout{}
		jump := i / 25
		l.Fixed("seq", "DataPieceValue<uint64_t>", "", binary.LittleEndian.AppendUint64(nil, wideAbove+i+2*jump))
		l.Fixed("ns", "DataPieceValue<int64_t>", "", binary.LittleEndian.AppendUint64(nil, wideEpoch+33_333_333*(i+jump)+i/3))
		return l
	}
	f.Streams = []vrsgen.Stream{{Type: 371, Instance: 1, VRS: []vrsgen.Tag{{Name: "RF:Data:1", Value: "data_layout/size=16"}, {Name: "DL:Data:1:0", Value: layout(0).JSON()}}}}
	for i := range uint64(40) {
		f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: float64(i) / 30, Payload: layout(i).Block()})
	}
	path := filepath.Join(t.TempDir(), "wide.vrs")
	data, _ := f.Bytes()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWideIntegers: every verb that shows or computes numbers has all digits of integers that a float64 does not hold.
func TestWideIntegers(t *testing.T) {
	a, b, schema := wideFiles(t)
	vrs := wideRecording(t)
	few := fmt.Sprint([]uint64{wideAbove, wideAbove + 1, wideAbove + 2, wideLast - 1})
	column := strings.Join(strings.Fields(strings.Trim(few, "[]")), "\n") + "\n"
	for _, c := range []struct {
		args []string
		want []string // each of these is said
		not  string   // and this is not
	}{
		{[]string{"tree", "--elements", a}, []string{" 9007199254740993 ", " 1152921504606846977 ", " 18446744073709551614 "}, "e+"},
		{[]string{"tree", "--json", "--whole", a}, []string{`"value":"9007199254740993"`, `"1152921504606846979","18446744073709551614"`}, "e+"},
		{[]string{"at", a + ":0"}, []string{" 9007199254740993 "}, "e+"},
		{[]string{"values", a + "#fields/few"}, []string{"  1152921504606846977  18446744073709551614  5476377146882523137  ", "last        18446744073709551614", "ascending"}, ""},
		{[]string{"values", a + "#fields/pairs"}, []string{"  1152921504606846977  1152921504606846981  1152921504606846979    2 "}, ""},
		{[]string{"values", "--json", a + "#fields/few"}, []string{`"mean":["5476377146882523137"]`, `"distinct":[4]`}, ""},
		{[]string{"values", "--rows", "1:3", a + "#fields/few"}, []string{"1152921504606846978\n", "1152921504606846979\n"}, "e+"},
		{[]string{"values", "--column", "seq", vrs + "#streams/371-1/data"}, []string{"  1152921504606846977  1152921504606847018  1152921504606846997  12.36679 ", "ascending"}, "e+"},
		{[]string{"values", "--column", "seq", "--json", vrs + "#streams/371-1/data"}, []string{`"from":"115292150460684697`, `"distinct":[40]`}, `"std":[0]`},
		{[]string{"values", "--column", "ns", vrs + "#streams/371-1/data"}, []string{"  1700000000123456789  1700000001", " 40  ascending"}, "1.7e+18"},
		{[]string{"timeline", vrs}, []string{"jump: seq from 1152921504606847001 to 1152921504606847004, streams/371-1/data/[25]",
			"jump: ns from 1700000000923456789 to 1700000000990123455, streams/371-1/data/[25]"}, "[24]"},
		{[]string{"timeline", "--json", vrs}, []string{`"jumps":[{"field":"seq","from":"1152921504606847001","to":"1152921504606847004"`}, ""},
		{[]string{"timeline", "--drift", "all", vrs}, []string{"data:ns starts 1700000000.123457 s after"}, "e+"},
		{[]string{"search", a, "=9007199254740993"}, []string{"fields/one"}, "few"},
		{[]string{"search", a, "1152921504606846978..1152921504606846978"}, []string{"fields/few"}, "one"},
		{[]string{"search", a, ">18446744073709551613"}, []string{"fields/few"}, "one"},
		{[]string{"search", vrs, "=1700000000923456789"}, []string{"data/[24]/data_layout/ns"}, "[23]"},
		{[]string{"diff", a, b}, []string{"9007199254740993 → 9007199254740994", "4 of 4 elements; [0] 1152921504606846977 → 1152921504606846978; at most by 1"}, ""},
		{[]string{"diff", "--json", a, b}, []string{`"before":"9007199254740993","after":"9007199254740994"`, `"largest":1}`}, ""},
		{[]string{"export", "--as", "csv", a + "#fields/few"}, []string{column}, "e+"},
		{[]string{"export", "--as", "json", a + "#fields/few"}, []string{`["1152921504606846977","1152921504606846978","1152921504606846979","18446744073709551614"]`}, ""},
		{[]string{"export", "--as", "yaml", a + "#fields/few"}, []string{"1152921504606846977"}, "e+"},
		{[]string{"export", "--as", "python", a + "#fields/few"}, []string{"1152921504606846977", "18446744073709551614"}, "e+"},
		{[]string{"export", "--as", "csv", vrs + "#streams/371-1/data"}, []string{",1152921504606847001,1700000000923456789\n"}, "e+"},
	} {
		args := c.args
		if !slices.Contains(args, vrs) && !strings.Contains(strings.Join(args, " "), vrs) {
			args = append(slices.Clone(args), "--schema", schema)
		}
		r := execute(t.Context(), decoderLibrary{}, args...)
		for _, want := range c.want {
			if !strings.Contains(r.out, want) {
				t.Errorf("%s: %q is not said (%d):\n%s%s", strings.Join(c.args, " "), want, r.status, r.out, r.err)
			}
		}
		if c.not != "" && strings.Contains(r.out, c.not) {
			t.Errorf("%s: %q is said:\n%s", strings.Join(c.args, " "), c.not, r.out)
		}
	}
	if r := execute(t.Context(), decoderLibrary{}, "diff", "--tolerance", "1", "--schema", schema, a, b); r.status != 0 {
		t.Errorf("one more is within a tolerance of 1: %d\n%s", r.status, r.out)
	}
}

// TestWideBinaryForms: npy and parquet have all bits.
func TestWideBinaryForms(t *testing.T) {
	a, _, schema := wideFiles(t)
	data, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	npy, table := filepath.Join(dir, "few.npy"), filepath.Join(dir, "few.parquet")
	for form, out := range map[string]string{"npy": npy, "parquet": table} {
		if r := execute(t.Context(), decoderLibrary{}, "export", a+"#fields/few", "--as", form, "-o", out, "--schema", schema); r.status != 0 {
			t.Fatalf("%s: %s", out, r.err)
		}
	}
	if b, err := os.ReadFile(npy); err != nil || !bytes.HasSuffix(b, data[8:40]) || !bytes.Contains(b, []byte("'<u8'")) {
		t.Errorf("npy: %q, %v", b, err)
	}
	rows, err := parquet.ReadFile[struct {
		Value uint64 `parquet:"value"`
	}](table)
	if err != nil || len(rows) != 4 || rows[0].Value != wideAbove || rows[3].Value != wideLast-1 {
		t.Errorf("parquet: %v, %v", rows, err)
	}
}

// TestTimelineFaults: the recordings whose counters were told wrongly.
func TestTimelineFaults(t *testing.T) {
	const faults = "../../shared/corpus/faults/vrs/"
	for file, want := range map[string]string{"timeline-false-jump.vrs": `"jumps":[]`, "timeline-missed-jump-u64.vrs": `"path":"streams/371-1/data/[25]"`,
		"timeline-missed-jump-epoch-ns.vrs": `"from":"1700000000240000000","to":"1700000000260000000","path":"streams/371-1/data/[25]"}]`} {
		if _, err := os.Stat(faults + file); err != nil {
			t.Skip("the faults are not here: ", err)
		}
		if r := execute(t.Context(), decoderLibrary{}, "timeline", "--json", faults+file); !strings.Contains(r.out, want) {
			t.Errorf("%s: %s, want %s", file, r.out, want)
		}
	}
}
