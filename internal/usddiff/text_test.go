package usddiff

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders/usda"
	"cutaway/model"
	"cutaway/model/export"
)

// unsaid reports whether a field says what text leaves unsaid: what a reader assumes without it.
func unsaid(name string, f field) bool {
	list, isList := f.Value.([]any)
	switch name {
	case "custom":
		return f.Value == model.Bool(false) || f.Value == false
	case "variability":
		return f.Value == "varying" || isWord(f.Value, "varying")
	case "specifier":
		return f.Value == "over" || isWord(f.Value, "over")
	case "primChildren", "properties", "variantSetChildren":
		return isList && len(list) == 0
	}
	op, isMap := f.Value.(map[string]any)
	return isMap && strings.HasSuffix(f.Type, "ListOp") && len(op) == 1 && op["explicit"] != true && op["explicit"] != model.Bool(true)
}

func isWord(v any, word string) bool {
	s, ok := v.(model.Symbol)
	return ok && s.Name == word
}

// untold are fields of files made on purpose that no text can say, or that usd-core would not have written.
var untold = map[string][]string{
	"made-*.usdc":                  {"unknownText", "unknownList"}, // no value of the syntax, and an explicit list op of such
	"080-utf8.usdc":                {"displayName"},                // was unknown to its writer, is known to usd-core
	"scene-0.15.0.usdc":            {"spline"},                     // has inner loops beside times that bound the outer ones
	"scene-0.*.usdc":               {"numbers", "targetPaths", "variability", "properties"},
	"x-ok-*.usdc":                  {"numbers", "targetPaths", "variability", "properties", "default"},
	"package-foreign.usdz*":        {"default"}, // an int where the type says float
	"080-stale-version-bytes.usdc": {"properties"},
}

// dropBareSets takes out variant sets without variants, of which text has only the names in variantSets.
func dropBareSets(specs map[string]spec) {
	for path, s := range specs {
		if list, _ := s.Fields["variantChildren"].Value.([]any); s.Kind != "variantSet" || len(list) > 0 {
			continue
		}
		delete(specs, path)
		at := strings.LastIndexByte(path, '{')
		prim, set := path[:at], strings.TrimSuffix(path[at+1:], "=}")
		if f, there := specs[prim].Fields["variantSetChildren"]; there {
			list := slices.DeleteFunc(slices.Clone(f.Value.([]any)), func(v any) bool { return v == set || v == model.Text(set) })
			specs[prim].Fields["variantSetChildren"] = field{f.Type, list, f.Reached}
		}
	}
}

// TestText writes crates as text; usd-core must read what the crates say.
func TestText(t *testing.T) {
	interpreter := python(t)
	files := append(inputs(t), scenes(t, interpreter, sceneCount(t))...)
	folder := t.TempDir()
	texts := make([]string, len(files))
	for i, file := range files {
		texts[i] = filepath.Join(folder, strconv.Itoa(i)+".usda")
		if err := os.WriteFile(texts[i], textOf(t, file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	layers := usdCoreNow(t, interpreter, texts)
	compared, read := 0, 0
	for i, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want := layers[texts[i]]
			if want == nil || want.Refused != "" {
				t.Fatalf("usd-core does not read its text: %+v", want)
			}
			read++
			got, _ := decode(t, file)
			for _, specs := range []map[string]spec{got, want.Specs} {
				dropBareSets(specs)
				delete(specs, "/bora.bora::dora") // a name that USD does not take
				for _, s := range specs {
					for name, f := range s.Fields {
						if unsaid(name, f) || isUntold(file, name) {
							delete(s.Fields, name)
						}
					}
				}
			}
			compared += diffLayers(t, want.Specs, got)
		})
	}
	t.Logf("%d of %d layers are read back, %d fields compared", read, len(files), compared)
}

func isUntold(file, name string) bool {
	for pattern, names := range untold {
		if fits, _ := filepath.Match(pattern, filepath.Base(file)); fits && slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// textOf is a crate as USD text.
func textOf(t *testing.T, file string) []byte {
	t.Helper()
	doc, _ := open(t, file, "")
	defer doc.Close()
	var b bytes.Buffer
	if err := export.Words(t.Context(), &b, nil, doc.View("scene").Place(t.Context()), usda.CardTitle); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "\n#") {
		i := strings.Index(text, "\n#")
		t.Logf("%s: %.300q", file, text[i+1:min(len(text), i+300)])
	}
	return b.Bytes()
}
