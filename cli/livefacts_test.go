package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestLiveFacts compares what info --json says of every live layer of the corpus with what its generator counted:
// facts.commands by kind, facts.setFields, facts.timeSamples and facts.parts are the counts of expected.json by the
// same names.
func TestLiveFacts(t *testing.T) {
	const corpus = "../../shared/corpus/omnilive"
	data, err := os.ReadFile(filepath.Join(corpus, "expected.json"))
	if err != nil {
		t.Skip("the corpus is not here: ", err)
	}
	var all map[string]struct {
		Form, Schema string
		IsDiff       bool
		BaseVersion  float64
		Counts       map[string]any
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for name, want := range all {
		if want.Counts == nil {
			continue
		}
		compared++
		r := execute(t.Context(), decoderLibrary{}, "info", "--json", filepath.Join(corpus, name))
		var info struct{ Facts map[string]any }
		if err := json.Unmarshal([]byte(r.out), &info); err != nil {
			t.Errorf("%s: %v, %s", name, err, r.err)
			continue
		}
		want.Counts["form"], want.Counts["schema"] = want.Form, want.Schema
		want.Counts["isDiff"], want.Counts["baseVersion"] = want.IsDiff, want.BaseVersion
		for key, value := range want.Counts {
			if !reflect.DeepEqual(info.Facts[key], value) {
				t.Errorf("%s: facts.%s is %v, want %v", name, key, info.Facts[key], value)
			}
		}
		commands := 0.0
		for _, n := range want.Counts["commands"].(map[string]any) {
			commands += n.(float64)
		}
		if info.Facts["commandCount"] != commands {
			t.Errorf("%s: facts.commandCount is %v, want %v", name, info.Facts["commandCount"], commands)
		}
	}
	if compared < 100 {
		t.Errorf("only %d files were compared", compared)
	}
}
