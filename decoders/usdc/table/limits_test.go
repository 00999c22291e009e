package table_test

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc"
	"cutaway/internal/crategen"
	"cutaway/internal/handgen"
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
	doc := decodertest.Open(t, usdc.Format, name, model.BytesReader(data))
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

// TestTooManyIntegers: a few compressed bytes that stand for very many integers are not decoded into memory.
func TestTooManyIntegers(t *testing.T) {
	const n = 8<<20 + 4
	// All codes are 0, so that the coding is 4 bytes and 2 bits for each integer: zeros, in one long LZ4 match.
	lz4 := []byte{0, 0x1F, 0, 1, 0}
	zeros := 4 + n/4 - 1 - 5 - 4 - 15
	for ; zeros >= 255; zeros -= 255 {
		lz4 = append(lz4, 255)
	}
	lz4 = append(lz4, byte(zeros), 0x50, 0, 0, 0, 0, 0)
	var body bytes.Buffer
	handgen.Put(&body, uint64(n), uint64(len(lz4)), lz4)
	b := handgen.Assemble(crategen.Version{0, 8, 0}, handgen.Section{Name: "FIELDSETS", Body: body.Bytes()})
	r := handgen.CheckAll(t, handgen.Open(t, usdc.Format, "many", b))
	var found []string
	for _, p := range r.Problems {
		if p.Rule != "usdc.toc.section-missing" {
			found = append(found, p.Rule+" "+p.Path)
		}
	}
	if want := []string{"usdc.compress.too-many layout/FIELDSETS/indexes"}; !slices.Equal(found, want) {
		t.Errorf("problems %q, want %q", found, want)
	}
}
