package omnilive

import (
	"os"
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/flatbuffer"
	"cutaway/model"
)

// rulesOf are the rules of the document's problems that are more than notes.
func rulesOf(t *testing.T, doc *model.Document) map[string]bool {
	t.Helper()
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rules := make(map[string]bool)
	for _, p := range report.Problems {
		if p.Kind.Severity() > model.Note {
			rules[p.Rule] = true
		}
	}
	return rules
}

// put copies a file.
func put(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestSchemaFound: a schema of the user with the identifier is taken from beside the file or from the schema folder; one
// that fits worse, or cannot be used, is told of.
func TestSchemaFound(t *testing.T) {
	const schema = "schemas/omni-live-unionvec.bfbs"
	for _, place := range []string{"beside", "folder"} {
		t.Run(place, func(t *testing.T) {
			t.Setenv("XDG_CONFIG_HOME", t.TempDir())
			dir := t.TempDir()
			put(t, testdata+"/world.oodf", filepath.Join(dir, "a.oodf"))
			put(t, testdata+"/world-b.oodf", filepath.Join(dir, "b.oodf"))
			schemas := dir
			if place == "folder" {
				schemas = flatbuffer.SchemaFolder()
				if schemas == "" || os.MkdirAll(schemas, 0o755) != nil {
					t.Skip("no folder for configuration")
				}
			}
			put(t, schema, filepath.Join(schemas, "mine.bfbs"))
			doc := decodertest.OpenFile(t, Format, filepath.Join(dir, "b.oodf"))
			if got := factsOf(t, doc)["schema"]; got != model.Value(model.Text("mine.bfbs")) || len(rulesOf(t, doc)) > 0 {
				t.Errorf("the schema is %v, problems %v", got, rulesOf(t, doc))
			}
			doc = decodertest.OpenFile(t, Format, filepath.Join(dir, "a.oodf"))
			if got := factsOf(t, doc)["schema"]; got != model.Value(model.Text("A")) || !rulesOf(t, doc)["omnilive.schema.not-taken"] {
				t.Errorf("a schema that does not fit: %v is taken, problems %v", got, rulesOf(t, doc))
			}
		})
	}
}

// TestSchemaUnusable: a schema's text, without the program that compiles it, is told of, and the file opens without it.
func TestSchemaUnusable(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	put(t, testdata+"/world.oodf", filepath.Join(dir, "a.oodf"))
	put(t, "../../docs/formats/omni-live.fbs", filepath.Join(dir, "omni-live.fbs"))
	doc := decodertest.OpenFile(t, Format, filepath.Join(dir, "a.oodf"))
	if rules := rulesOf(t, doc); factsOf(t, doc)["schema"] != model.Value(model.Text("A")) || !rules[bufferRules+"schema.unusable"] {
		t.Errorf("schema %v, problems %v", factsOf(t, doc)["schema"], rules)
	}
}
