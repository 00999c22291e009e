package odin

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestConflicts: each conflict marker of Git is an error at its line, wherever in the file, and text like it is none.
func TestConflicts(t *testing.T) {
	const object = "--- !u!114 &1\nMonoBehaviour:\n  m_Name: %sFoo\n  serializationData:\n    SerializedFormat: 2\n    SerializedBytes: %s\n    SerializationNodes:\n    - Name: a\n      Entry: 3\n      Data: 1\n%s"
	const bytes = "170005000000616674657207000000"
	for name, c := range map[string]struct {
		text string
		want []int
	}{
		"none":            {fmt.Sprintf("%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n"+object, "", bytes, ""), nil},
		"like one":        {fmt.Sprintf("%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n"+object, "<<<<<<< ", bytes, "=======\n>>>>>>>\n"), nil},
		"in the header":   {fmt.Sprintf("%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n<<<<<<< HEAD\n=======\n>>>>>>> b\n"+object, "", bytes, ""), []int{3, 4, 5}},
		"around a field":  {fmt.Sprintf("%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n"+object, "", bytes+"\n<<<<<<< HEAD\r\n    x: 1\n||||||| base\n=======\n>>>>>>> origin/feature: x", ""), []int{9, 11, 12, 13}},
		"in a list":       {fmt.Sprintf("%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n"+object, "", bytes, "<<<<<<< HEAD\n    - Name: b\n      Entry: 3\n      Data: 1\n=======\n>>>>>>> b\n"), []int{13, 17, 18}},
		"one that is cut": {fmt.Sprintf("%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n"+object, "", bytes, ">>>>>>> b"), []int{13}},
	} {
		doc := decodertest.Open(t, Format, "made.asset", model.BytesReader([]byte(c.text)))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, p := range report.Problems {
			if p.Rule != "odin.carrier.conflict" {
				continue
			}
			number := 1 + strings.Count(c.text[:p.Span.Off], "\n")
			if got = append(got, number); !strings.Contains(p.Message, fmt.Sprintf("line %d ", number)) || !strings.Contains(p.Path, fmt.Sprintf("line %d", number)) {
				t.Errorf("%s: line %d says %q at %s", name, number, p.Message, p.Path)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: markers at lines %v, want %v", name, got, c.want)
		}
	}
	const fault = "../../../shared/corpus/faults/odin/git-conflict.asset"
	if _, err := os.Stat(fault); err != nil {
		t.Skip("the faults are not here: ", err)
	}
	report, err := decodertest.OpenFile(t, Format, fault).CheckAll(t.Context(), nil)
	if err != nil || len(report.Problems) != 3 {
		t.Errorf("%v, %v", report.Problems, err)
	}
}
