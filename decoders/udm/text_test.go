package udm

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
	"cutaway/source"
)

// TestControlCharacter: one in a text is a problem at its place, wherever it is; the text is recognised all the same.
func TestControlCharacter(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 64<<10; i++ {
		fmt.Fprintf(&b, "\"entry %d\" {\n\t$int32 number %d // a number\n\t$string text \"some text\"\n}\n", i, i)
	}
	for _, near := range []string{"number 300 ", "a number", "some text", "entry 0"} {
		data := []byte(b.String())
		at := bytes.Index(data, []byte(near)) + 2
		data[at] = 0x01
		for _, name := range []string{"x.udm", "x.txt"} {
			if d := decodertest.Detect(t.Context(), Format, name, data); d.Confidence <= model.Guess {
				t.Errorf("%s with a control character in %q: %s", name, near, d.Reason)
			}
		}
		r := checkAll(t, openBytes(t, "x.udm", data))
		if len(r.Problems) != 1 || r.Problems[0].Rule != ascii.RuleTextStrange || r.Problems[0].Span.Off != int64(at) || r.Problems[0].Span.Len != 1 {
			t.Errorf("a control character at %#x, in %q: %v", at, near, r.Problems)
		}
	}
	binary := bytes.Repeat([]byte{1, 2, 'a', 'b'}, 100)
	if d := decodertest.Detect(t.Context(), Format, "x.udm", binary); d.Confidence > 0 {
		t.Errorf("bytes of which half are control characters: %s", d.Reason)
	}
}

// TestNilWord reads nil as the value of a nil, but not as part of it where it names a child element.
func TestNilWord(t *testing.T) {
	d := openBytes(t, "x.udm", []byte("$nil n nil\n$nil m nil /* c */ { $bool b 1 }\n$nil o\n$bool after 1"))
	if r := checkAll(t, d); len(r.Problems) > 0 {
		t.Error(r.Problems)
	}
	for path, want := range map[string]string{"n": "nil", "m": "nil", "nil": "element", "nil/b": "bool", "o": "nil", "after": "bool"} {
		p, err := d.Lookup(t.Context(), "asset/assetData/"+path)
		if err != nil || p.Node.Type != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// TestNestingInView: the view by meaning says where it ends, in both forms.
func TestNestingInView(t *testing.T) {
	for _, name := range []string{"x-nested-10000.udm", "x-nested-10000.udm_b", "x-lists-10000.udm", "x-arrays-10000.udm_b"} {
		f := fixtureFiles(t, name)[0]
		d := openBytes(t, f.Name, f.Data)
		told := 0
		err := model.Walk(t.Context(), d.View(assetView).Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
			for _, problem := range p.Node.Problems {
				if problem.Rule != ascii.RuleNesting {
					continue
				}
				if told++; problem.Kind != model.Limit || !strings.Contains(name, "lists") && len(p.Segments()) < types.MaxNesting/2 {
					t.Errorf("%s: %s at depth %d", name, problem.Kind, len(p.Segments()))
				}
			}
			return nil
		})
		if told != 1 || err != nil {
			t.Errorf("%s: the limit is told %d times, %v", name, told, err)
		}
	}
}

// TestMemoryLimit: a text of more tokens than memory allows is read up to there, and all that is wrong is the limit.
func TestMemoryLimit(t *testing.T) {
	limit := source.CacheLimit()
	defer source.SetCacheLimit(limit)
	source.SetCacheLimit(100_000)
	for name, text := range map[string]string{
		"keys":  strings.Repeat("$int32 k 1\n", 100_000),
		"array": "assetData { $array a [uint8;1000000][" + strings.Repeat("1,", 999_999) + "1]\n}",
		"block": "assetData { " + strings.Repeat("\"b\" { ", 100) + strings.Repeat("$vec3 v [1,2,3] ", 50_000) + strings.Repeat("}", 101),
	} {
		d := openBytes(t, "x.udm", []byte(text))
		limits := 0
		for _, p := range checkAll(t, d).Problems {
			if p.Kind == model.Limit && p.Rule == ascii.RuleTextLimit {
				limits++
			} else if p.Rule != ruleDuplicateKey {
				t.Errorf("%s: %v", name, p)
			}
		}
		if limits != 1 {
			t.Errorf("%s: the limit is told %d times", name, limits)
		}
		if x := d.View(assetView); x == nil {
			t.Errorf("%s: there is no asset", name)
		}
	}
}
