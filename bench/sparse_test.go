package bench

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc"
	"cutaway/internal/crategen"
	"cutaway/model"
)

// TestBeyond4GB reads values on both sides of an array of 5 GB, a hole in a sparse file, and elements inside it.
func TestBeyond4GB(t *testing.T) {
	const hole = 5 << 30
	doc := decodertest.OpenFile(t, usdc.Format, input(t, crategen.Sparse, hole))
	for path, want := range map[string]string{
		"scene/World/.before/default":            "[(1, 2, 3), (4, 5, 6)]",
		"scene/World/.behind/default":            "[(7, 8, 9), (10, 11, 12)]",
		"scene/World/.behind/default/[1]":        "(10, 11, 12)",
		"scene/World/.indices/default/[999]":     "-399",
		"scene/World/.hole/default/[5368709119]": "0",
		"scene/World/.hole/default/[2147483648]": "0",
	} {
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := model.Show(t.Context(), p.Node.Value, 100); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	behind, err := doc.Lookup(t.Context(), "scene/World/.behind/default/[0]")
	if err != nil {
		t.Fatal(err)
	}
	span := behind.Node.Span()
	if span.Off < hole {
		t.Errorf("the value behind the hole is at %#x", span.Off)
	}
	at, err := doc.ResolveAt(t.Context(), doc.Source(), span.Off, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := at.Node.Span(); !s.Covers(doc.Source(), span.Off) || s.Len > 12 {
		t.Errorf("at %#x is %s with %v", span.Off, at.Path(), s)
	}
}
