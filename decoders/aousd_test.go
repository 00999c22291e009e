package decoders

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/diff"
)

// suite is the official supplement of the AOUSD Core Specification, which is not ours to give away.
const suite = "../../shared/corpus/aousd"

func openSuite(t *testing.T, name string, data []byte) *model.Document {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := OpenTarget(t.Context(), Target{File: path}, OpenOptions{})
	if err != nil {
		t.Fatal(name, err)
	}
	t.Cleanup(func() { _ = doc.Close() }) // it was only read
	return doc
}

// TestSuiteTwins: each crate of the suite has the scene of its text twin. Lines of some texts ended with CR LF when their crates were
// written.
func TestSuiteTwins(t *testing.T) {
	if _, err := os.Stat(suite); err != nil {
		t.Skip("without ../shared/corpus/aousd")
	}
	twins := 0
	err := filepath.WalkDir(suite, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".usd") {
			return err
		}
		text := []byte(readDoc(t, path))
		crate := twinOf(path)
		if !bytes.HasPrefix(text, []byte("#usda")) || crate == "" {
			return nil
		}
		twins++
		data := []byte(readDoc(t, crate))
		if sameScenes(t, crate, data, text) || sameScenes(t, crate, data, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))) {
			return nil
		}
		t.Errorf("%s is another scene than %s", crate, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d twins", twins)
}

// twinOf returns the crate of a text: of the same name beside it, or beside its folder usda; or "".
func twinOf(text string) string {
	dir, stem := filepath.Dir(text), strings.TrimSuffix(filepath.Base(text), filepath.Ext(text))
	if filepath.Base(dir) == "usda" {
		dir = filepath.Dir(dir)
	}
	for _, extension := range []string{".usdc", ".usd"} {
		name := filepath.Join(dir, stem+extension)
		if data, err := os.ReadFile(name); err == nil && bytes.HasPrefix(data, []byte("PXR-USDC")) {
			return name
		}
	}
	return ""
}

func sameScenes(t *testing.T, name string, crate, text []byte) bool {
	t.Helper()
	a, b := openSuite(t, name, crate), openSuite(t, "twin.usda", text)
	same := true
	err := diff.Trees(t.Context(), diff.SideOf(a, a.View("scene").Place(t.Context())), diff.SideOf(b, b.View("scene").Place(t.Context())),
		diff.Options{}, func(*diff.Change) error {
			same = false
			return nil
		})
	if err != nil {
		t.Fatal(name, err)
	}
	return same
}

// otherBaselines are the specs and fields of the suite's expected JSON that are not as OpenUSD has them, with the reason.
var otherBaselines = map[string]string{
	"attributes /foo propertyChildren":              "a property is where its last statement is; in OpenUSD where its first one is",
	"attributes /foo.my:attribute timeSamples":      "numbers as vectors, which OpenUSD refuses",
	"layermetadata / documentation":                 "a backslash before a quote stays; OpenUSD takes it away",
	"relations /foo/otherFoo.foo:bar2 targetPaths":  "an empty path is left out; OpenUSD refuses it",
	"splines /foo.bar spline":                       knotsAsWritten,
	"splines /foo/baz.anotherSpline spline":         knotsAsWritten,
	"splines /foo/baz.mySpline spline":              knotsAsWritten,
	"variants /MultipleVariants variantSetChildren": named,
	"variants /MultipleVariants{_notPresent2=}":     named,
	"variants /MultipleVariants{notPresent=}":       named,
}

const (
	knotsAsWritten = "knots in the order of the text, slopes before widths; OpenUSD sorts knots and reads widths first"
	named          = "a variant set that variantSets names has no spec without variants; in OpenUSD it has"
)

// TestSuiteBaselines: the specs and fields of each text layer are those of its expected JSON. What the JSON leaves out is what readers
// fill in.
func TestSuiteBaselines(t *testing.T) {
	folder := suite + "/file_formats/tests/assets/text"
	baselines, err := filepath.Glob(folder + "/baseline/*.json")
	if err != nil || len(baselines) == 0 {
		t.Skip("without ../shared/corpus/aousd")
	}
	equal, explained := 0, map[string]bool{}
	for _, baseline := range baselines {
		name := strings.TrimSuffix(filepath.Base(baseline), ".json")
		var want map[string]map[string]any
		if err := json.Unmarshal([]byte(readDoc(t, baseline)), &want); err != nil {
			t.Fatal(baseline, err)
		}
		for path, fields := range maps.Clone(want) {
			delete(want, path)
			want[strings.ReplaceAll(path, "}/", "}")] = fields // OpenUSD has nothing between a variant and a prim in it
		}
		got := specsOf(t, openSuite(t, name+".usda", []byte(readDoc(t, folder+"/usda/"+name+".usda"))))
		for _, path := range slices.Sorted(maps.Keys(got)) {
			if _, has := want[path]; !has && otherBaselines[name+" "+path] == "" {
				t.Errorf("%s: the JSON has no %s", name, path)
			}
		}
		for _, path := range slices.Sorted(maps.Keys(want)) {
			if got[path] == nil {
				t.Errorf("%s: no %s", name, path)
				continue
			}
			for field, value := range want[path] {
				key := name + " " + path + " " + field
				switch _, known := otherBaselines[key]; {
				case isLike(got[path][field], value):
					equal++
					if known {
						t.Errorf("%s is as expected", key)
					}
				case known:
					explained[key] = true
				default:
					t.Errorf("%s: %v, want %v", key, got[path][field], value)
				}
			}
		}
	}
	t.Logf("%d layers, %d fields as expected, %d explained", len(baselines), equal, len(explained))
}

// refusedInSuite are the layers of the suite that usd-core 26.11 does not read.
var refusedInSuite = []string{"text/usda/attributes.usda", "text/usda/geometryattributes.usda", "text/usda/relations.usda",
	"text/usda/splines.usda",
	"BasicInherits_root/usda/root.usd", "ErrorRelocateWithVariantSelection_root/usda/root.usd",
	"SubrootReferenceAndVariants_root/usda/root.usd", "clip_basic/usda/ref.usda"}

// TestSuiteVerdicts: the layers of the suite are sound but for those that usd-core refuses too.
func TestSuiteVerdicts(t *testing.T) {
	if _, err := os.Stat(suite); err != nil {
		t.Skip("without ../shared/corpus/aousd")
	}
	layers := 0
	err := filepath.WalkDir(suite, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".usd") {
			return err
		}
		layers++
		report, err := openSuite(t, path, []byte(readDoc(t, path))).CheckAll(t.Context(), nil)
		if err != nil {
			return err
		}
		refused := slices.ContainsFunc(refusedInSuite, func(name string) bool { return strings.HasSuffix(filepath.ToSlash(path), "/"+name) })
		if report.Sound() == refused {
			t.Errorf("%s is sound: %t, %v", path, report.Sound(), report.Problems)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d layers", layers)
}

// specsOf returns the fields of each spec of a scene, as the expected JSON has them.
func specsOf(t *testing.T, doc *model.Document) map[string]map[string]any {
	t.Helper()
	specs := map[string]map[string]any{}
	kinds := []string{"pseudoRoot", "prim", "attribute", "relationship", "variantSet", "variant"}
	err := model.Walk(t.Context(), doc.View("scene").Place(t.Context()), model.WalkOptions{Resolve: true}, func(at *model.Place) error {
		if !slices.Contains(kinds, at.Node.Type) {
			return model.ErrSkip
		}
		fields, count := map[string]any{}, int64(0)
		if at.Node.Children != nil {
			count, _ = at.Node.Children.Len(t.Context())
		}
		for i := range count {
			if n := at.Node.Children.At(t.Context(), i); !slices.Contains(kinds, n.Type) {
				name := n.Name
				if name == "properties" {
					name = "propertyChildren"
				}
				fields[name] = plainField(t.Context(), &n)
			}
		}
		specs[string(at.Node.Value.(model.Text))] = fields
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return specs
}

// operations are the keys of a list operation's parts.
var operations = map[string]string{"explicit": "explicit", "prepended": "prepend", "appended": "append", "deleted": "delete", "ordered": "order", "added": "add"}

// plainField returns a field as the expected JSON has it.
func plainField(ctx context.Context, n *model.Node) any {
	children := map[string]*model.Node{}
	var order []*model.Node
	if n.Children != nil && n.Value == nil {
		count, _ := n.Children.Len(ctx)
		for i := range count {
			k := n.Children.At(ctx, i)
			children[k.Name] = &k
			order = append(order, &k)
		}
	}
	switch {
	case strings.HasSuffix(n.Type, "ListOp"):
		op := map[string]any{}
		for name, key := range operations {
			if k := children[name]; k != nil {
				op[key] = plainField(ctx, k)
			}
		}
		return op
	case n.Type == "Payload" && n.Name == "payload":
		return map[string]any{"explicit": []any{plainArc(ctx, children)}}
	case n.Type == "Payload" || n.Type == "Reference":
		return plainArc(ctx, children)
	case n.Type == "TimeSamples":
		samples := map[string]any{}
		for _, k := range order {
			count, _ := k.Children.Len(ctx)
			var time, value any
			for i := range count {
				switch part := k.Children.At(ctx, i); part.Name {
				case "time":
					time = plainField(ctx, &part)
				case "value":
					value = plainField(ctx, &part)
				}
			}
			samples[fmt.Sprint(time)] = value
		}
		return samples
	case strings.HasSuffix(n.Type, "[]") && len(order) > 0:
		var list []any
		for _, k := range order {
			list = append(list, plainField(ctx, k))
		}
		return list
	case len(order) > 0:
		all := map[string]any{}
		for _, k := range order {
			all[k.Name] = plainField(ctx, k)
		}
		return all
	}
	if offsets, ok := n.Value.(model.Array); ok && n.Type == "LayerOffsetVector" {
		list := plainValue(ctx, offsets, false).([]any)
		for i, offset := range list {
			list[i] = map[string]any{"offset": offset.([]any)[0], "scale": offset.([]any)[1]}
		}
		return list
	}
	return plainValue(ctx, n.Value, strings.HasPrefix(n.Type, "Unregistered") || strings.HasPrefix(n.Type, "Value: "))
}

func plainArc(ctx context.Context, children map[string]*model.Node) any {
	arc := map[string]any{}
	for name, key := range map[string]string{"assetPath": "asset", "primPath": "path"} {
		if k := children[name]; k != nil {
			if text := plainField(ctx, k); text != "" {
				arc[key] = text
			}
		}
	}
	if k := children["layerOffset"]; k != nil {
		offset := plainField(ctx, k).([]any)
		if offset[0] != 0.0 || offset[1] != 1.0 {
			arc["layerOffset"] = map[string]any{"offset": offset[0], "scale": offset[1]}
		}
	}
	return arc
}

// plainValue returns a value as JSON has it. The texts of unregistered values are as in the layer.
func plainValue(ctx context.Context, v model.Value, asWritten bool) any {
	switch v := v.(type) {
	case model.Text:
		if number, err := strconv.ParseFloat(string(v), 64); asWritten && err == nil {
			return number
		}
		if text, err := strconv.Unquote(string(v)); asWritten && err == nil {
			return text
		}
		if asWritten && v == "None" {
			return nil
		}
		return string(v)
	case model.Bool:
		return bool(v)
	case model.Symbol:
		if v.Name == "None" {
			return nil
		}
		return v.Name
	case model.Array:
		values := make([]model.Value, v.Len())
		n, _ := v.Read(ctx, 0, values)
		list := []any{}
		for _, e := range values[:n] {
			list = append(list, plainValue(ctx, e, asWritten))
		}
		return list
	case model.Tuple:
		list := []any{}
		for _, e := range v {
			list = append(list, plainValue(ctx, e, asWritten))
		}
		return list
	case model.Seq:
		list := []any{}
		for _, e := range v {
			list = append(list, plainValue(ctx, e, asWritten))
		}
		return list
	}
	if number, ok := model.FloatOf(v); ok {
		return number
	}
	return nil
}

// isLike reports whether two values of JSON are equal, numbers as float32 has them.
func isLike(got, want any) bool {
	switch want := want.(type) {
	case float64:
		number, ok := got.(float64)
		return ok && (number == want || math.Abs(number-want) <= 1e-6*math.Abs(want) || math.IsInf(number, 0) && math.Abs(want) > math.MaxFloat32)
	case []any:
		list, ok := got.([]any)
		return ok && slices.EqualFunc(list, want, isLike)
	case map[string]any:
		all, ok := got.(map[string]any)
		return ok && maps.EqualFunc(all, want, isLike) || len(want) == 0 && (got == nil || len(all) == 0)
	}
	return got == want
}
