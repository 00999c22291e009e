package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestValues: an array's facts, its rows, a picture of it.
func TestValues(t *testing.T) {
	var got struct {
		Count, Components, Stored, Logical int64
		Coding, Hash                       string
		Min, Max                           []float64
		Sorted                             []string
	}
	if err := json.Unmarshal([]byte(cutaway(t, "values", "--json", "sound.fake#layout/points").out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Count != 4 || got.Components != 1 || got.Stored != 16 || got.Coding != "plain" || len(got.Min) != 1 || len(got.Hash) != 16 {
		t.Errorf("%+v", got)
	}
	all := cutaway(t, "values", "--rows", ":", "sound.fake#layout/points").out
	if some := cutaway(t, "values", "--rows", "1:3", "sound.fake#layout/points").out; strings.Count(all, "\n") != 4 || strings.Count(some, "\n") != 2 || !strings.Contains(all, some) {
		t.Errorf("rows %q, of them %q", all, some)
	}
	file := filepath.Join(t.TempDir(), "a.png")
	if r := cutaway(t, "values", "--plot", file, "sound.fake#layout/points"); r.status != StatusSound {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	if b, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(b), "\x89PNG") {
		t.Errorf("the picture: %v", err)
	}
	for _, args := range [][]string{{"--rows", "3:1", "sound.fake#layout/points"}, {"--column", "none", "sound.fake#layout/points"}, {"sound.fake#layout/count"},
		{"--plot", file + ".gif.txt", "sound.fake#layout/points"}} {
		if r := cutaway(t, append([]string{"values"}, args...)...); r.status != StatusFailed {
			t.Errorf("%s: status %d", args, r.status)
		}
	}
}

// TestDistinctTexts: each distinct text with its numbers; numbers are refused.
func TestDistinctTexts(t *testing.T) {
	run := func(args ...string) result {
		return execute(t.Context(), decoderLibrary{}, append([]string{"values"}, args...)...)
	}
	const children = "../assets/sample.usdc#scene/primChildren"
	if got := run("--distinct", children).out; got != "count  first row  value\n    1          3  Prototypes\n    1          0  Workshop\n    1          1  _Machine\n    1          2  _Tagged\n" {
		t.Errorf("printed is\n%s", got)
	}
	if got := run("--distinct", "--json", children).out; !strings.HasPrefix(got, `{"value":"Prototypes","count":1,"first":3}`+"\n") {
		t.Errorf("printed is\n%s", got)
	}
	if r := run("--distinct", "../assets/sample.usdc#scene/Prototypes/Leg/.points"); r.status != StatusFailed || !strings.Contains(r.err, "has numbers") {
		t.Errorf("of numbers: status %d, %s", r.status, r.err)
	}
}

// TestShapeFacts: a mesh is told with its points, faces and bounds.
func TestShapeFacts(t *testing.T) {
	const leg = "../assets/sample.usdc#scene/Prototypes/Leg"
	want := `{"path":"scene/Prototypes/Leg","shape":"Shape","points":84,"parts":60,"closed":true,"min":[-0.06,-0.9,-0.06],"max":[0.06,0,0.06],` +
		`"bounds":[[-0.06,-0.9,-0.06],[0.06,0,0.06]]}` + "\n"
	if got := execute(t.Context(), decoderLibrary{}, "values", "--json", leg).out; got != want {
		t.Errorf("printed is %s", got)
	}
	if got := execute(t.Context(), decoderLibrary{}, "values", leg).out; !strings.Contains(got, "points      84\n") || !strings.Contains(got, "bounds      [(-0.06, ") {
		t.Errorf("printed is\n%s", got)
	}
}

// TestSizesOfNodes: the lines of all nodes, and of what none of them has, sum to the file.
func TestSizesOfNodes(t *testing.T) {
	var own, size int64
	decoder := json.NewDecoder(strings.NewReader(cutaway(t, "stats", "--tree", "--json", "sound.fake").out))
	for decoder.More() {
		var line struct {
			Path string
			Own  int64
		}
		if err := decoder.Decode(&line); err != nil {
			t.Fatal(err)
		}
		own += line.Own
	}
	var info struct{ Size int64 }
	if err := json.Unmarshal([]byte(cutaway(t, "info", "--json", "sound.fake").out), &info); err != nil {
		t.Fatal(err)
	}
	if size = info.Size; own != size {
		t.Errorf("the nodes have %d of %d bytes", own, size)
	}
	if some := cutaway(t, "stats", "--tree", "--json", "--least", "1G", "sound.fake").out; !strings.HasPrefix(some, `{"path":"scene",`) || strings.Count(some, "\n") != 1+strings.Count(some, `"role"`) {
		t.Errorf("of 1 GB at least: %s", some)
	}
	if text := cutaway(t, "stats", "--tree", "sound.fake").out; !strings.Contains(text, "total") {
		t.Error(text)
	}
}
