package data_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usda/data"
	"cutaway/decoders/usdatext"
	"cutaway/decoders/usdc"
	"cutaway/model"
)

// faults are what is wrong in data-faults, in text and as a crate.
var faults = []string{
	"note asset-path scene/Bound/.files/default",
	"note binding scene/Bound/.material:binding",
	"note primvar scene/Primvars/.primvars:constant/default",
	"note target scene/Bound/.material:binding/targetPaths",
	"note target scene/Bound/.value/connectionPaths",
	"note type scene/Role/.points/typeName",
	"warning asset-path scene/Bound/.file/default",
	"warning asset-path scene/Bound/.files/default",
	"warning asset-path scene/Referring/references/prepended/[0]/assetPath",
	"warning element-size scene/Primvars/.primvars:pairs/elementSize",
	"warning face-counts scene/Corners/.faceVertexCounts/default",
	"warning face-counts scene/Curves/.curveVertexCounts/default",
	"warning face-counts scene/Negative/.faceVertexCounts/default/[1]",
	"warning index scene/Above/.faceVertexIndices/default/[2]",
	"warning index scene/Negative/.faceVertexIndices/default/[2]",
	"warning index scene/Primvars/.primvars:indexed:indices/default/[2]",
	"warning not-finite scene/NotFinite/.points/timeSamples/[1]/value",
	"warning not-finite scene/Placed/.xformOp:translate/default",
	"warning primvar scene/Primvars/.primvars:faceVarying/default",
	"warning primvar scene/Primvars/.primvars:uniform/default",
	"warning primvar scene/Primvars/.primvars:vertex/default",
	"warning type scene/Ball/.radius/typeName",
}

// TestFaults: each rule of data is met where it is broken, at bytes of the file, the same in text and in a crate; what is sound,
// or other layers may say, breaks none.
func TestFaults(t *testing.T) {
	for _, of := range []struct {
		format *model.Format
		ext    string
	}{{usdatext.Format, "usda"}, {usdc.Format, "usdc"}} {
		for name, want := range map[string][]string{"faults": faults, "sound": nil} {
			file := "../../../testdata/" + of.ext + "/data-" + name + "." + of.ext
			doc := decodertest.OpenFile(t, of.format, file)
			report, err := doc.CheckAll(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range report.Problems {
				got = append(got, fmt.Sprintf("%s %s %s", p.Kind.Severity(), strings.TrimPrefix(p.Rule, "usd.data."), p.Path))
				if p.Span.Source == nil || p.Span.Len == 0 {
					t.Errorf("%s: %s has no bytes", file, p.Message)
				}
				if _, err := doc.Lookup(t.Context(), p.Path); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s: got\n%s\nwant\n%s", file, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			report, err = doc.CheckWith(t.Context(), nil, model.CheckOptions{NoData: true})
			if err != nil || len(report.Problems) > 0 {
				t.Errorf("%s without data: %v, %v", file, report.Problems, err)
			}
			report, err = doc.CheckWith(t.Context(), nil, model.CheckOptions{Root: true})
			if n := len(report.Problems) - len(want); err != nil || n != 1 {
				t.Errorf("%s: %d notes of what the first layer should say, %v", file, n, err)
			}
		}
	}
}

// TestNotFinite: numbers that are not finite are found wherever they are in a block, and none else.
func TestNotFinite(t *testing.T) {
	bits := map[model.NumberKind][2]uint64{ // infinite, and the greatest finite number, which is negative
		model.NumberF16: {0x7c00, 0xfbff}, model.NumberF32: {0x7f800000, 0xff7fffff}, model.NumberF64: {0x7ff << 52, 0xffefffffffffffff},
	}
	for kind, of := range bits {
		size := int(kind.Size())
		put := func(b []byte, i int, v uint64) {
			for k := range size {
				b[i*size+k] = byte(v >> (8 * k))
			}
		}
		b := make([]byte, 1000*size)
		for i := range 1000 {
			put(b, i, of[1])
		}
		if at := data.NotFinite(kind, b); at >= 0 {
			t.Fatalf("kind %d: %d", kind, at)
		}
		for _, i := range []int{0, 1, 31, 32, 33, 500, 997, 999} {
			put(b, i, of[0])
			if at := data.NotFinite(kind, b); at != i {
				t.Errorf("kind %d: %d, want %d", kind, at, i)
			}
			put(b, i, of[1]|1)
		}
	}
}

// TestSchemas: the table has attributes with types that are known.
func TestSchemas(t *testing.T) {
	for _, k := range []struct {
		typ, attribute, want string
		apis                 []string
	}{
		{"Mesh", "points", "point3f[]", nil}, {"Sphere", "radius", "double", nil}, {"Xform", "radius", "", nil}, {"Own", "points", "", nil},
		{"Material", "physics:density", "float", []string{"MaterialBindingAPI", "PhysicsMaterialAPI"}}, {"Material", "physics:density", "", nil},
	} {
		if got := data.AttributeType(k.typ, k.apis, k.attribute); got != k.want {
			t.Errorf("%s.%s is %q, want %q", k.typ, k.attribute, got, k.want)
		}
	}
	if data.MayDiffer("points", "point3f[]") || data.MayDiffer("points", "PointFloat[]") || !data.MayDiffer("points", "float3[]") || !data.MayDiffer("scales", "float3[]") {
		t.Error("types that differ")
	}
}

// TestCorpus: of the real files in the corpora none breaks a rule with a warning, and nothing is met that cannot be read.
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob("../../../../shared/corpus/usdc/*.usd*")
	if len(files) == 0 {
		t.Skip("no corpus")
	}
	for _, file := range files {
		if b, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(b), "PXR-USDC") {
			continue
		}
		doc := decodertest.OpenFile(t, usdc.Format, file)
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range report.Problems {
			if strings.HasPrefix(p.Rule, "usd.data.") && p.Kind.Severity() > model.Note {
				t.Errorf("%s: %s: %s", file, p.Path, p.Message)
			}
		}
	}
}
