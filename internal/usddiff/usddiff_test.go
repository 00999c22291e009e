package usddiff

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/model"
)

// sceneCount is how many scenes are made at random: 80, or CUTAWAY_SCENES. Usd-core and its Python take most of a test's time.
func sceneCount(t *testing.T) int {
	text := os.Getenv("CUTAWAY_SCENES")
	if text == "" {
		return 80
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// refused are the sound files that usd-core does not read, with the reason; versions below 0.4.0 are all refused.
var refused = map[string]string{
	"080-corrupt.usd":              "damaged on purpose: a section runs off the file",
	"080-stale-version-bytes.usdc": "has a spec without a path; usd-core refuses the file, we show the rest and say so",
}

// An exception is a difference that is no fault: it makes alike what differs with reason, and reports whether it did.
type exception struct {
	reason string
	apply  func(want, got *field) bool
	used   int
}

var exceptions = []*exception{
	{"usd-core reads a single Payload, which it writes itself where that suffices, as a PayloadListOp", func(want, got *field) bool {
		payload, ok := got.Value.(map[string]any)
		if !ok || want.Type != "PayloadListOp" || got.Type != "Payload" {
			return false
		}
		op := map[string]any{"explicit": model.Bool(true)}
		if payload["asset"] != model.Text("") || payload["prim"] != model.Text("") {
			op["items"] = []any{payload}
		}
		*got = field{want.Type, op, true}
		return true
	}, 0},
	{"usd-core computes the tangents of auto-ease knots anew when it reads them", func(want, got *field) bool {
		used := false
		for _, f := range []*field{want, got} {
			s, ok := f.Value.(map[string]any)
			if !ok || f.Type != "Spline" {
				return false
			}
			for _, k := range s["knots"].([]any) {
				knot := k.(map[string]any)
				for _, side := range []string{"pre", "post"} {
					if rule := knot[side+"Algorithm"]; rule == "autoease" || rule == model.Text("autoease") {
						delete(knot, side+"Width")
						delete(knot, side+"Slope")
						used = true
					}
				}
			}
		}
		return used
	}, 0},
}

// derivedFields are fields that usd-core's reader makes out of connectionPaths and targetPaths, whatever the file says.
var derivedFields = []string{"connectionChildren", "targetChildren"}

// derived are the specs that usd-core makes out of connectionPaths and targetPaths.
func derived(s spec) bool { return s.Kind == "connection" || s.Kind == "relationshipTarget" }

// members are crates inside of packages.
var members = []string{
	"../../testdata/usdc/single.usdz[shape.usdc]",
	"../../testdata/usdc/several.usdz[root.usdc]",
	"../../testdata/usdc/several.usdz[shape.usdc]",
	"../../testdata/usdc/nested.usdz[inner/single.usdz[shape.usdc]]",
	"../../../shared/corpus/usdc/package-foreign.usdz[cube.usdc]",
	"../../../shared/corpus/usdc/package-nested.usdz[subdir/file_3.usdc]",
	"../../../shared/corpus/usdc/package-nested.usdz[nested.usdz[file_2.usdc]]",
}

// inputs are the sound crates at hand. The variable CUTAWAY_USD_FILES names more of them: patterns, separated like the
// folders of PATH.
func inputs(t *testing.T) []string {
	var all []string
	patterns := []string{"../../testdata/usdc/*.usdc", "../../assets/*.usdc",
		"../../../shared/corpus/usdc/*.usd", "../../../shared/corpus/usdc/*.usdc", "../../../shared/corpus/usdc/made/*.usdc"}
	for _, pattern := range append(patterns, filepath.SplitList(os.Getenv("CUTAWAY_USD_FILES"))...) {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			t.Logf("no files match %s: not compared", pattern)
		}
		for _, f := range files {
			if base := filepath.Base(f); !strings.HasPrefix(base, "x-") || strings.HasPrefix(base, "x-ok-") {
				all = append(all, f)
			}
		}
	}
	for _, m := range members {
		if file, _, _ := strings.Cut(m, "["); exists(file) {
			all = append(all, m)
		}
	}
	return all
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func TestAgainstUsdCore(t *testing.T) {
	interpreter := python(t)
	files := inputs(t)
	files = append(files, scenes(t, interpreter, sceneCount(t))...)
	layers := usdCore(t, interpreter, files)
	compared := 0
	for _, file := range files {
		want := layers[file]
		if want == nil {
			t.Errorf("%s: usd-core said nothing", file)
			continue
		}
		if want.Refused != "" {
			if refused[filepath.Base(file)] == "" && !strings.Contains(want.Refused, "obsolete version") {
				t.Errorf("%s: usd-core refuses it: %s", file, want.Refused)
			}
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			got, report := decode(t, file)
			for _, p := range report.Problems {
				if p.Kind.Severity() == model.Error {
					t.Errorf("usd-core reads it, we have a problem at %s: %v", p.Path, p.Problem)
				}
			}
			compared += diffLayers(t, want.Specs, got)
		})
	}
	t.Logf("compared %d fields of %d files", compared, len(files))
	for _, e := range exceptions {
		t.Logf("%d times excused: %s", e.used, e.reason)
	}
}

// diffLayers compares specs with those that usd-core read and returns the number of fields compared.
func diffLayers(t *testing.T, want, got map[string]spec) int {
	compared := 0
	for _, path := range sorted(want) {
		w := want[path]
		g, there := got[path]
		if derived(w) {
			continue
		}
		if !there {
			t.Errorf("%s: not found, usd-core has a %s", path, w.Kind)
			continue
		}
		for _, name := range derivedFields {
			delete(w.Fields, name)
			delete(g.Fields, name)
		}
		if w.Kind != g.Kind {
			t.Errorf("%s: is a %s, usd-core has a %s", path, g.Kind, w.Kind)
		}
		for _, name := range sorted(w.Fields) {
			if _, there := g.Fields[name]; !there {
				t.Errorf("%s %s: not found, usd-core has a %s", path, name, w.Fields[name].Type)
				continue
			}
			compared++
			for _, d := range diffField(t.Context(), name, w.Fields[name], g.Fields[name]) {
				t.Errorf("%s %s", path, d)
			}
		}
		for _, name := range sorted(g.Fields) {
			if _, there := w.Fields[name]; !there {
				t.Errorf("%s %s: usd-core has no such field, we have a %s", path, name, g.Fields[name].Type)
			}
		}
	}
	for _, path := range sorted(got) {
		if _, there := want[path]; !there && !derived(got[path]) {
			t.Errorf("%s: usd-core has no such spec, we have a %s", path, got[path].Kind)
		}
	}
	return compared
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// diffField compares a field with what usd-core has.
func diffField(ctx context.Context, at string, want, got field) []string {
	for _, e := range exceptions {
		if e.apply(&want, &got) {
			e.used++
		}
	}
	var diffs []string
	if !slices.Contains(strings.Split(want.Type, "|"), got.Type) {
		diffs = append(diffs, fmt.Sprintf("%s: type %s, usd-core has %s", at, got.Type, want.Type))
	}
	if !want.Reached {
		return diffs
	}
	return append(diffs, diffValue(ctx, at, want.Value, got.Value)...)
}

// diffValue compares a value, as read takes it apart, with what usd-core has, as JSON.
func diffValue(ctx context.Context, at string, want, got any) []string {
	switch g := got.(type) {
	case field:
		w, ok := want.(map[string]any)
		if kind, typed := w["type"].(string); ok && typed {
			value, reached := w["value"]
			return diffField(ctx, at, field{kind, value, reached}, g)
		}
	case map[string]any:
		if w, ok := want.(map[string]any); ok {
			return diffMaps(ctx, at, w, g)
		}
	case []any:
		w, ok := want.([]any)
		if !ok {
			break
		}
		if len(w) != len(g) {
			return []string{fmt.Sprintf("%s: %d elements, usd-core has %d", at, len(g), len(w))}
		}
		for i := range g {
			if d := diffValue(ctx, fmt.Sprintf("%s[%d]", at, i), w[i], g[i]); d != nil {
				return d // one is enough
			}
		}
		return nil
	case nil:
		if want == nil {
			return nil
		}
	case model.Value:
		if sameScalar(want, g) {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s: %s, usd-core has %s", at, brief(ctx, got), brief(ctx, want))}
}

func diffMaps(ctx context.Context, at string, want, got map[string]any) []string {
	var diffs []string
	for _, key := range sorted(want) {
		if g, there := got[key]; there {
			diffs = append(diffs, diffValue(ctx, at+"/"+key, want[key], g)...)
		} else {
			diffs = append(diffs, fmt.Sprintf("%s/%s: not found, usd-core has %s", at, key, brief(ctx, want[key])))
		}
	}
	for _, key := range sorted(got) {
		if _, there := want[key]; !there {
			diffs = append(diffs, fmt.Sprintf("%s/%s: usd-core has none, we have %s", at, key, brief(ctx, got[key])))
		}
	}
	return diffs
}

func brief(ctx context.Context, v any) string {
	var s string
	switch v := v.(type) {
	case model.Value:
		s = fmt.Sprintf("%T %s", v, model.Show(ctx, v, 100))
	default:
		s = fmt.Sprintf("%T %v", v, v)
	}
	return s[:min(len(s), 200)]
}

// sameScalar compares a scalar, text or symbol with JSON: floats bit by bit but for the kinds of NaN.
func sameScalar(want any, got model.Value) bool {
	text := ""
	switch w := want.(type) {
	case bool:
		return got == model.Bool(w)
	case json.Number:
		text = w.String()
	case string:
		switch g := got.(type) {
		case model.Text:
			return string(g) == w
		case model.Symbol:
			return g.Name == w
		}
		text = w
	}
	switch g := got.(type) {
	case model.Int:
		return strconv.FormatInt(int64(g), 10) == text
	case model.Uint:
		return strconv.FormatUint(uint64(g), 10) == text
	}
	w, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	var g float64
	switch v := got.(type) {
	case model.Float64:
		g = float64(v)
	case model.Float32:
		g = float64(v)
	case model.Half:
		g = float64(v.Float())
	default:
		return false
	}
	return math.IsNaN(w) && math.IsNaN(g) || math.Float64bits(w) == math.Float64bits(g)
}

// TestOldVersions compares the scene in the versions that usd-core does not read any more with the scene in the
// oldest that it does.
func TestOldVersions(t *testing.T) {
	const folder = "../../testdata/usdc/"
	want, _ := decode(t, folder+"made-0.4.0.usdc")
	for version, lacks := range map[string][]string{
		"0.0.1": {"apiSchemas", "references"}, // no prepended and appended items before 0.2.0
		"0.1.0": {"apiSchemas", "references"},
		"0.2.0": nil,
	} {
		got, report := decode(t, folder+"made-"+version+".usdc")
		if !report.Sound() || len(got) != len(want) {
			t.Errorf("%s: %d specs, want %d; problems %v", version, len(got), len(want), report.Problems)
		}
		for path, w := range want {
			g := got[path]
			for _, name := range sorted(w.Fields) {
				if slices.Contains(lacks, name) {
					continue
				}
				if w, g := fmt.Sprint(w.Fields[name]), fmt.Sprint(g.Fields[name]); w != g {
					t.Errorf("%s: %s %s is %s, in 0.4.0 it is %s", version, path, name, g, w)
				}
			}
			if len(g.Fields) != len(w.Fields) {
				t.Errorf("%s: %s has %d fields, in 0.4.0 %d", version, path, len(g.Fields), len(w.Fields))
			}
		}
		list := "prepended"
		if len(lacks) > 0 {
			list = "items"
		}
		refs := got["/World"].Fields["references"].Value.(map[string]any)
		if items, _ := refs[list].([]any); len(items) != 3 {
			t.Errorf("%s: references %v, want 3 %s", version, refs, list)
		}
	}
}
