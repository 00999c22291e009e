package usdc

import (
	"os"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/crategen"
	"cutaway/model"
	"cutaway/source"
)

// TestTablesInPart: of tables that memory has no room for the beginning is read, which a limit tells and no error.
func TestTablesInPart(t *testing.T) {
	name := t.TempDir() + "/many.usdc"
	if err := crategen.BulkFile(name, crategen.Specs, 20_000); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer source.SetCacheLimit(source.CacheLimit())
	source.SetCacheLimit(4 << 20)
	doc := decodertest.Open(t, Format, name, model.BytesReader(data))
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	limits := 0
	for _, p := range report.Problems {
		if p.Kind == model.Limit {
			limits++
		} else if p.Kind.Severity() > model.Note {
			t.Errorf("%s: %s", p.Path, p.Error())
		}
	}
	if limits == 0 {
		t.Error("no limit is told")
	}
	p, err := doc.Lookup(t.Context(), "scene/World/group_0")
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := p.Len(t.Context()); n == 0 {
		t.Error("nothing of the scene is read")
	}
}
