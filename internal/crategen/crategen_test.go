package crategen

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/internal/usddiff"
)

const fixtures = "../../testdata/usdc"

func TestEncodeIntsWorkedExample(t *testing.T) {
	got := EncodeInts([]int32{123, 124, 125, 100125, 100125, 100126, 100126}, 4)
	want := []byte{1, 0, 0, 0, 0xC1, 0x11, 0x7B, 0xA0, 0x86, 1, 0, 0, 0}
	if !bytes.Equal(got, want) {
		t.Errorf("coded % x, the specification says % x", got, want)
	}
}

func TestSplitPath(t *testing.T) {
	for _, c := range []struct {
		path, parent, element string
		property              bool
	}{
		{"/A", "/", "A", false},
		{"/A/B", "/A", "B", false},
		{"/A/B.c:d", "/A/B", "c:d", true},
		{"/A{v=x}", "/A", "{v=x}", false},
		{"/A{v=x}B", "/A{v=x}", "B", false},
		{"/A{v=x}{w=}", "/A{v=x}", "{w=}", false},
		{"/A{v=x}.b", "/A{v=x}", "b", true},
		{"/A.r[/B/C.d]", "/A.r", "[/B/C.d]", false},
		{"/A.r[/B].e", "/A.r[/B]", ".e", false},
	} {
		parent, element, property := splitPath(c.path)
		if parent != c.parent || element != c.element || property != c.property {
			t.Errorf("%s: %q %q %v, want %q %q %v", c.path, parent, element, property, c.parent, c.element, c.property)
		}
	}
}

// TestFixtures compares the committed files with what the package writes today.
func TestFixtures(t *testing.T) {
	files, err := Fixtures()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(fixtures, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from what crategen makes (%v): run go run ./internal/crategen/cmd/crategen -kind fixtures -o testdata/usdc", name, err)
		}
	}
	for _, pattern := range []string{"made-*.usd[cz]", "x-*.usd[cz]"} {
		there, _ := filepath.Glob(filepath.Join(fixtures, pattern))
		for _, name := range there {
			if _, ok := files[filepath.Base(name)]; !ok {
				t.Errorf("%s is not made by crategen any more", name)
			}
		}
	}
}

func TestBulkHasItsSize(t *testing.T) {
	for kind, size := range map[Kind]int64{Arrays: 20 << 20, Specs: 8000, Children: 5000, Sparse: 1 << 20} {
		var m Memory
		if err := Bulk(&m, kind, size); err != nil {
			t.Fatal(err)
		}
		specs := int64(binary.LittleEndian.Uint64(m[start(m, "SPECS"):]))
		got := map[Kind]int64{Arrays: int64(len(m)), Specs: specs, Children: specs - 2, Sparse: int64(len(m))}[kind]
		if slack := int64(MeshPoints*16 + 2000); got < size || kind != Arrays && kind != Sparse && got > size+20 || got > size+slack {
			t.Errorf("%s of size %d came out as %d", kind, size, got)
		}
	}
}

// python returns an interpreter that has usd-core, or skips the test.
func python(t *testing.T) string {
	if usddiff.Python() == "" {
		t.Skip(usddiff.NoPython)
	}
	return usddiff.Python()
}

// TestUsdCoreReadsTheScene exports the scene of every version that usd-core reads as text, and compares it with
// testdata/scene.usda, which was read against scene.go by eye. Older versions lack lines, and say the payload otherwise.
func TestUsdCoreReadsTheScene(t *testing.T) {
	interpreter := python(t)
	golden, err := os.ReadFile("testdata/scene.usda")
	if err != nil {
		t.Fatal(err)
	}
	// how many lines of the newest version's text a version lacks
	lacking := map[byte]int{4: 16, 5: 16, 6: 16, 7: 16, 8: 16, 9: 14, 10: 13, 11: 9, 12: 2, 13: 2, 14: 0, 15: 0}
	for _, v := range Versions() {
		if !v.From(4) {
			continue // usd-core 26.11 refuses what is older
		}
		name := filepath.Join(fixtures, "made-"+v.String()+".usdc")
		out, err := exec.Command(interpreter, "-c", "import sys; from pxr import Sdf; "+
			"sys.stdout.write(Sdf.Layer.FindOrOpen(sys.argv[1]).ExportToString())", name).Output()
		if err != nil {
			t.Errorf("%s: usd-core: %v", name, err)
			continue
		}
		want := string(golden)
		if !v.From(8) {
			want = strings.Replace(want, "prepend payload = @heavy.usdc@</Heavy> (offset = 3)", "payload = @heavy.usdc@</Heavy>", 1)
		}
		missing, extra := lineDiff(strings.Split(want, "\n"), strings.Split(string(out), "\n"))
		if len(missing) != lacking[v[1]] || len(extra) > 0 {
			t.Errorf("%s: lacks %d lines, want %d: %q; unexpected: %q", name, len(missing), lacking[v[1]], missing, extra)
		}
	}
}

// lineDiff goes through both lists in order: lines of want that got lacks, and lines of got that want lacks.
func lineDiff(want, got []string) (missing, extra []string) {
	for _, line := range want {
		if len(got) > 0 && got[0] == line {
			got = got[1:]
		} else {
			missing = append(missing, line)
		}
	}
	return missing, got
}

// TestUsdCoreReadsBulk opens small bulk crates with usd-core.
func TestUsdCoreReadsBulk(t *testing.T) {
	interpreter := python(t)
	const script = `
import sys
from pxr import Sdf
layer = Sdf.Layer.FindOrOpen(sys.argv[1])
paths = []
layer.Traverse("/", paths.append)
print(len([p for p in paths if layer.GetObjectAtPath(p)]), sum(p.IsPropertyPath() for p in paths))
value = lambda path: layer.GetAttributeAtPath(path).default
for expression in sys.argv[2:]:
    print(eval(expression))
`
	for _, c := range []struct {
		kind        Kind
		size        int64
		expressions []string
		want        string
	}{
		{Specs, 8000, nil, "8004 6000\n"},
		{Children, 5000, nil, "5002 0\n"},
		{Sparse, 5 << 30, []string{"value('/World.before')[-1]", "value('/World.behind')[-1]", "len(value('/World.hole'))", "value('/World.indices')[-1]"},
			"6 4\n(4, 5, 6)\n(10, 11, 12)\n5368709120\n-399\n"},
		{Arrays, 20 << 20, []string{"[len(value('/World/Mesh_0002.' + n)) for n in ('points', 'faceVertexIndices')]",
			"value('/World/Mesh_0002.points')[5] == value('/World/Mesh_0001.points')[5 + 16384]",
			"all(0 <= v - i < 300 for i, v in enumerate(value('/World/Mesh_0002.faceVertexIndices')))"},
			"11 6\n[524288, 524288]\nTrue\nTrue\n"},
	} {
		name := filepath.Join(t.TempDir(), string(c.kind)+".usdc")
		if err := BulkFile(name, c.kind, c.size); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(interpreter, append([]string{"-c", script, name}, c.expressions...)...).Output()
		if err != nil || string(out) != c.want {
			t.Errorf("%s: usd-core says %q, want %q (%v)", c.kind, out, c.want, err)
		}
	}
}
