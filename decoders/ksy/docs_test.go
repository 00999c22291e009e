package ksy

import (
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"cutaway/model"
)

// TestTutorial does what docs/use/describe.md tells: each of its descriptions reads its file, the last one all of it.
func TestTutorial(t *testing.T) {
	page, err := os.ReadFile("../../docs/use/describe.md")
	if err != nil {
		t.Fatal(err)
	}
	dump := regexp.MustCompile("(?m)^```\n([0-9a-f ]+)\n```$").FindSubmatch(page)
	steps := regexp.MustCompile("(?s)```ksy [0-9]\n(.*?)```").FindAllSubmatch(page, -1)
	if dump == nil || len(steps) != 2 {
		t.Fatalf("%d descriptions on the page", len(steps))
	}
	data, err := hex.DecodeString(strings.ReplaceAll(string(dump[1]), " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	for i, unknown := range []int64{16, 0} {
		d := reads(t, string(steps[i][1]), string(data))
		r, err := d.CheckAll(t.Context(), nil)
		if err != nil || len(r.Problems) > 0 || r.Coverage[0].Unknown != unknown {
			t.Errorf("description %d: %d unknown bytes, not %d; %v, %v", i+1, r.Coverage[0].Unknown, unknown, r.Problems, err)
		}
		if i == 1 {
			shows(t, d, "fields/name", "Kiel!")
			p, err := d.Lookup(t.Context(), "fields/levels/[3]")
			if err != nil || p.Node.Value != model.Uint(30) && p.Node.Value != model.Int(30) {
				t.Errorf("%+v, %v", p, err)
			}
		}
	}
}
