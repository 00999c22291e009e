package flatbuffer

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/model"
)

// leastRecall is the share of tables, strings and vectors, in percent, that are found without a schema.
const leastRecall = 95

// TestRecall counts the objects of flatc's buffers that are found without their schemas, kind by kind: what a schema
// says that there is at a place is found there, as what it is.
func TestRecall(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testdata, "inferred", "*.bin"))
	if err != nil || len(files) == 0 {
		t.Fatal("no buffers", err)
	}
	var all, found [aGap]int
	for _, name := range files {
		schema, _, _ := strings.Cut(name, "-")
		s, err := LoadSchema(t.Context(), schema+".bfbs")
		if err != nil {
			t.Fatal(err)
		}
		data := read(t, strings.TrimPrefix(name, testdata))
		b := NewBuffer(model.NewFileSource("x", model.BytesReader(data)), 0, int64(len(data)), false)
		known, guessed := b.verify(t.Context(), s, 0), b.verify(t.Context(), nil, 0)
		for i := range known.problems {
			t.Errorf("%s: %v", name, &known.problems[i])
		}
		for i := range guessed.problems {
			if guessed.problems[i].Kind.Severity() > model.Note {
				t.Errorf("%s without its schema: %v", name, &guessed.problems[i])
			}
		}
		for _, o := range known.objects {
			if o.kind == aGap || o.kind == aVTable {
				continue
			}
			all[o.kind]++
			if g := guessed.find(int64(o.off)); g != nil && g.kind == o.kind {
				found[o.kind]++
				continue
			}
			t.Logf("%s: %s is not found", filepath.Base(name), describe(known, o, guessed))
		}
	}
	for kind, what := range map[kind]string{aTable: "tables", aString: "strings", aVector: "vectors"} {
		t.Logf("%s: %d of %d", what, found[kind], all[kind])
		if found[kind]*100 < all[kind]*leastRecall {
			t.Errorf("%d of %d %s are found without the schema, less than %d %%", found[kind], all[kind], what, leastRecall)
		}
	}
}

// describe says what an object is and what was found over it.
func describe(known *walk, o object, guessed *walk) string {
	what := [...]string{aTable: "table", aString: "string", aVector: "vector"}[o.kind]
	if o.kind == aVector {
		what = known.s.typeName(known.vectors[o.typ])
	}
	s := fmt.Sprintf("the %s at %#x of %d bytes", what, o.off, o.end-o.off)
	for _, g := range guessed.objects {
		if g.off <= o.off && o.off < g.end {
			s += fmt.Sprintf(" (kind %d at %#x of %d bytes)", g.kind, g.off, g.end-g.off)
		}
	}
	return s
}
