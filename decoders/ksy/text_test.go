package ksy

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cutaway/model"
)

const lined = `meta: {id: lined, endian: le}
seq:
  - id: magic # line 3

    contents: LN
  - id: parts
    type: part
    repeat: expr
    repeat-expr: 3
types:
  part:
    seq:
      - {id: kind, type: u1}
      - id: body
        size: 2
        type:
          switch-on: kind
          cases:
            1: word
    instances:
      twice:
        value: kind * 2
        # of kind

  word:
    seq: [{id: number,
           type: u2}]
`

// TestPassages goes from nodes to lines, and from lines to nodes.
func TestPassages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lined.ksy")
	if err := os.WriteFile(file, []byte(lined), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := open(t.Context(), &model.OpenRequest{Source: model.NewFileSource("a", model.BytesReader([]byte("LN\x01ab\x00cd\x01ef"))),
		Options: map[string]string{schemaOption: file}})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct{ path, want string }{
		{"fields", "[1-1]"}, {"fields/magic", "[3-5]"}, {"layout/0x0", "[3-5]"}, {"fields/parts", "[6-9]"},
		{"fields/parts/[1]", "[6-9] [11-22]"}, {"fields/parts/[1]/kind", "[13-13]"}, {"fields/parts/[0]/body", "[14-19] [25-27]"},
		{"fields/parts/[1]/body", "[14-19]"}, {"fields/parts/[0]/body/number", "[26-27]"}, {"fields/parts/[0]/twice", "[21-22]"},
	} {
		list, err := d.Description.Of(t.Context(), k.path)
		got := ""
		for _, p := range list {
			got += fmt.Sprintf(" [%d-%d]", p.First, p.Last)
		}
		if got != " "+k.want || err != nil {
			t.Errorf("%s:%s %v, want %s", k.path, got, err, k.want)
		}
	}
	for _, k := range []struct {
		line        int
		after, want string
	}{
		{13, "", "fields/parts/[0]/kind"}, {13, "fields/parts/[1]/body", "fields/parts/[1]/kind"}, {13, "fields/parts/[1]/kind", "fields/parts/[2]/kind"},
		{13, "fields/parts/[2]/kind", "fields/parts/[0]/kind"}, {3, "fields/parts/[2]/kind", "fields/magic"}, {25, "", "fields/parts/[0]/body"},
		{26, "fields/parts/[0]/body/number", "fields/parts/[2]/body/number"}, {26, "fields/parts/[1]", "fields/parts/[0]/body/number"},
		{21, "", "fields/parts/[0]/twice"}, {7, "", "fields/parts"}, {24, "", "fields"}, {1, "", "fields"}, {99, "", ""},
	} {
		if got, err := d.Description.Next(t.Context(), file, k.line, k.after, nil); got != k.want || err != nil {
			t.Errorf("line %d after %q: %q %v, want %q", k.line, k.after, got, err, k.want)
		}
	}
}
