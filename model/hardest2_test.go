package model_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/model"
)

// TestSharedVtables: FlatBuffers. A vtable that several tables use is one leaf, marked shared, with a ref from each
// and the way back to all.
func TestSharedVtables(t *testing.T) {
	src := bytesSource([]byte("vtabTABLtabltABl"))
	table := func(i int64) model.Node {
		return model.Node{Name: model.IndexName(i), Type: "Table", Spans: []model.Span{src.Span(4+4*i, 4)},
			Refs: func(context.Context) []model.Ref {
				return []model.Ref{{Kind: "vtable", Path: "layout/vtable", Text: "4 fields"}}
			}}
	}
	children := model.NewList(
		model.Node{Name: "vtable", Type: "VTable", Shared: true, Spans: []model.Span{src.Span(0, 4)}},
		table(0), table(1), table(2))
	doc := document(src, func(context.Context) model.Node {
		return model.Node{Name: "buffer", Spans: []model.Span{src.Whole()}, Children: children}
	})
	doc.ReferencedBy = func(ctx context.Context, to *model.Place, limit int, _ model.Progress) ([]model.Ref, int64, error) {
		var all []model.Ref
		count := int64(0)
		err := model.Walk(ctx, doc.View(model.LayoutView).Place(ctx), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
			if p.Node.Refs == nil {
				return nil
			}
			for _, r := range p.Node.Refs(ctx) {
				if r.Path != to.Path() {
					continue
				}
				if count++; len(all) < limit {
					all = append(all, model.Ref{Kind: r.Kind, Path: p.Path(), Span: p.Node.Span()})
				}
			}
			return nil
		})
		return all, count, err
	}
	report := check(t, doc)
	if c := report.Coverage[0]; c.Shared != 4 || c.Explained != 16 {
		t.Errorf("coverage %+v", *c)
	}
	vtable, err := doc.Lookup(t.Context(), "layout/vtable")
	if err != nil {
		t.Fatal(err)
	}
	back, n, err := doc.ReferencedBy(t.Context(), vtable, 2, nil)
	if err != nil || n != 3 || len(back) != 2 || back[1].Path != "layout/[1]" {
		t.Errorf("referenced by %v of %d, %v", back, n, err)
	}
}

// TestChunkedFile: VRS recordings split into several files are one source with segments. What is damaged names the
// file and the offset in it; a missing part is a problem where it would begin.
func TestChunkedFile(t *testing.T) {
	src := bytesSource([]byte("first.second")).WithSegments([]model.Segment{
		{File: "rec.vrs", Start: 0, Length: 6},
		{File: "rec.vrs_1", Start: 6, Missing: true},
		{File: "rec.vrs_2", Start: 6, Length: 6},
	})
	var nodes []model.Node
	for _, s := range src.Segments() {
		n := model.Node{Name: s.File, Type: "chunk", Spans: []model.Span{src.Span(s.Start, s.Length)}}
		if s.Missing {
			n.Problems = []model.Problem{model.Problemf(model.Truncated, "fake.chunk.missing", n.Spans[0],
				"%s is missing between its neighbours", s.File)}
		}
		nodes = append(nodes, n)
	}
	doc := document(src, func(context.Context) model.Node {
		return model.Node{Name: "recording", Spans: []model.Span{src.Whole()}, Children: model.NewList(nodes...)}
	})
	report := check(t, doc)
	if len(report.Problems) != 1 || report.Problems[0].Span.Off != 6 || report.Problems[0].Path != "layout/rec.vrs_1" {
		t.Errorf("problems %+v", report.Problems)
	}
	for off, want := range map[int64]string{5: "layout/rec.vrs", 6: "layout/rec.vrs_2"} {
		if p, _ := doc.At(t.Context(), src, off); p.Path() != want {
			t.Errorf("over byte %d is %s, want %s", off, p.Path(), want)
		}
	}
}

// TestSeveralFiles: a folder of OODF deltas is a document with one source for each file, whose layouts stand side by
// side under the layout's root, which has no bytes of its own.
func TestSeveralFiles(t *testing.T) {
	var sources []*model.Source
	var parts []model.Node
	for i, data := range []string{"base", "delta 1", "delta 22"} {
		path := model.LayoutView + "/" + model.IndexName(int64(i))
		src := model.NewSource("file"+strconv.Itoa(i), data, path, model.BytesReader(data))
		sources = append(sources, src)
		parts = append(parts, model.Node{Name: model.IndexName(int64(i)), Brief: data, Spans: []model.Span{src.Whole()},
			Children: model.NewList(
				model.Node{Name: "kind", Spans: []model.Span{src.Span(0, 4)}},
				model.Node{Name: "body", Spans: []model.Span{src.Span(4, src.Size()-4)}})})
	}
	children := model.NewList(parts...)
	doc := &model.Document{
		Sources: sources,
		Views: []*model.View{{Name: model.LayoutView, Root: func(context.Context) model.Node {
			return model.Node{Name: "sequence", Children: children}
		}}},
	}
	if report := check(t, doc); len(report.Coverage) != 3 {
		t.Errorf("%d sources are covered", len(report.Coverage))
	}
	for i, src := range sources[1:] {
		p, final := doc.At(t.Context(), src, 5)
		if want := fmt.Sprintf("layout/[%d]/body", i+1); p == nil || !final || p.Path() != want {
			t.Errorf("over byte 5 of %s is %v, want %s", src.Name(), p, want)
		}
		if again, err := doc.SourceByName(t.Context(), src.Name()); err != nil || again != src {
			t.Errorf("%s is not found by its name: %v", src.Name(), err)
		}
	}
}

// TestStepOption: omnilive. The scene depends on the step of a sequence; setting it gives a document with other
// views over the same sources.
func TestStepOption(t *testing.T) {
	src := bytesSource([]byte("abc"))
	var at func(step int64) *model.Document
	at = func(step int64) *model.Document {
		doc := document(src, func(context.Context) model.Node {
			return model.Node{Name: "commands", Spans: []model.Span{src.Whole()}}
		})
		scene := model.FixedRows(src, 0, 1, step, func(_ context.Context, i int64) model.Node {
			return model.Node{Name: "prim" + strconv.FormatInt(i, 10), Spans: []model.Span{src.Span(i, 1)}}
		})
		doc.Views = slices.Insert(doc.Views, 0, &model.View{Name: "scene", Root: func(context.Context) model.Node {
			return model.Node{Name: "scene", Children: scene}
		}})
		doc.Options = []model.Option{{Name: "step", Kind: model.Number, Min: 0, Max: 3, Value: strconv.FormatInt(step, 10)}}
		doc.SetOption = func(_ context.Context, name, value string) (*model.Document, error) {
			n, err := strconv.ParseInt(value, 10, 64)
			if name != "step" || err != nil || n < 0 || n > 3 {
				return nil, fmt.Errorf("%s cannot be %q", name, value)
			}
			return at(n), nil
		}
		return doc
	}
	doc := at(1)
	if _, err := doc.Lookup(t.Context(), "scene/prim2"); err == nil {
		t.Error("prim2 is there at step 1")
	}
	if _, err := doc.SetOption(t.Context(), "step", "4"); err == nil {
		t.Error("step 4 of 3 can be set")
	}
	later, err := doc.SetOption(t.Context(), "step", "3")
	if err != nil || later.Source() != doc.Source() || later.Options[0].Value != "3" {
		t.Fatalf("step 3: %v", err)
	}
	p, err := later.Lookup(t.Context(), "scene/prim2")
	if err != nil || p.Node.Span() != src.Span(2, 1) || p.Of != nil {
		t.Errorf("prim2 at step 3: %v, %v", p, err)
	}
}

// coded is integers as USD codes them, in small: two bits of code each, then the differences: code 0 has none and
// repeats the last difference, code 1 has one byte.
type coded struct {
	src    *model.Source
	count  int64
	marks  []mark // one each checkpoint elements
	starts int64  // where the differences begin
}

// mark is what is known before an element.
type mark struct{ value, off int64 }

const checkpoint = 4

func newCoded(ctx context.Context, src *model.Source, count int64) (*coded, error) {
	c := &coded{src: src, count: count, starts: (count + 3) / 4}
	at := mark{0, c.starts}
	for i := range count {
		if i%checkpoint == 0 {
			c.marks = append(c.marks, at)
		}
		next, err := c.step(ctx, i, at)
		if err != nil {
			return nil, err
		}
		at = next
	}
	return c, nil
}

func (c *coded) step(ctx context.Context, i int64, at mark) (mark, error) {
	code, err := c.src.Bytes(ctx, i/4, 1)
	if err != nil {
		return at, err
	}
	if code[0]>>(2*(i%4))&3 == 0 {
		return mark{at.value + 1, at.off}, nil
	}
	delta, err := c.src.Bytes(ctx, at.off, 1)
	if err != nil {
		return at, err
	}
	return mark{at.value + int64(int8(delta[0])), at.off + 1}, nil
}

func (c *coded) element(ctx context.Context, i int64) model.Node {
	at := c.marks[i/checkpoint]
	var was mark
	for k := i / checkpoint * checkpoint; k <= i; k++ {
		was = at
		next, err := c.step(ctx, k, at)
		if err != nil {
			return model.Node{Name: model.IndexName(i), Problems: []model.Problem{model.AsProblem(err, "fake.coded", c.src.Whole())}}
		}
		at = next
	}
	bits := c.src.Span(i/4, 1)
	bits.Mask = 3 << (2 * (i % 4))
	n := model.Node{Name: model.IndexName(i), Value: model.Int(at.value), Spans: []model.Span{bits}}
	if at.off > was.off {
		n.Spans = append(n.Spans, c.src.Span(was.off, 1))
	}
	return n
}

// over finds the element of a byte: the first of a code byte, or the one with that difference.
func (c *coded) over(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(c.src) || off >= c.src.Size() {
		return 0, false
	}
	if off < c.starts {
		return off * 4, off*4 < c.count
	}
	k, _ := slices.BinarySearchFunc(c.marks, off+1, func(m mark, off int64) int { return int(m.off - off) })
	for i := int64(max(k-1, 0)) * checkpoint; i < c.count; i++ {
		if n := c.element(ctx, i); len(n.Spans) == 2 && n.Spans[1].Off == off {
			return i, true
		}
	}
	return 0, false
}

// TestCodedIntegers: USD crate. A compressed section is a derived source; the integers coded in it are one leaf,
// each element with two spans, found by both.
func TestCodedIntegers(t *testing.T) {
	file := bytesSource([]byte("head\x06\x41\x04\x05\x02\x01\x07\x63")) // 6 × 'A'… stands for the packed bytes
	plain := []byte{0b01_00_00_01, 0b00_00_00_01, 10, 20, 0xff}         // elements 0, 3 and 4 have differences
	inflate := func(ctx context.Context) (*model.Source, model.Node, error) {
		d := model.Derive("layout/section", "inflated", "section", model.BytesReader(plain),
			model.Origin{Parent: file, Spans: []model.Span{file.Span(4, 8)}, Codec: "fake"})
		c, err := newCoded(ctx, d, 6)
		if err != nil {
			return nil, model.Node{}, err
		}
		rows := &model.Rows{Count: 6, Make: c.element, ByByte: c.over}
		return d, model.Node{Name: "inflated", Type: "int[]", Spans: []model.Span{d.Whole()}, Elements: true, Children: rows}, nil
	}
	children := model.NewList(
		model.Node{Name: "head", Spans: []model.Span{file.Span(0, 4)}},
		model.Node{Name: "section", Spans: []model.Span{file.Span(4, 8)},
			Derived: []*model.Derivation{{Name: "inflated", Codec: "fake", Open: inflate}}})
	doc := document(file, func(context.Context) model.Node {
		return model.Node{Name: "crate", Spans: []model.Span{file.Whole()}, Children: children}
	})
	report := check(t, doc)
	if len(report.Coverage) != 2 || report.Coverage[1].Explained != int64(len(plain)) {
		t.Errorf("coverage %+v", report.Coverage)
	}
	var values []string
	root, err := doc.Lookup(t.Context(), "layout/section@inflated")
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(6) {
		values = append(values, model.Show(t.Context(), root.Child(t.Context(), i).Node.Value, 20))
	}
	if got := strings.Join(values, " "); got != "10 11 12 32 31 32" {
		t.Errorf("decoded %s", got)
	}
	for off, want := range []string{"[0]", "[4]", "[0]", "[3]", "[4]"} {
		p, final := doc.At(t.Context(), root.Of, int64(off))
		if !final || p.Node.Name != want {
			t.Errorf("over byte %d is %s, want %s", off, p.Path(), want)
		}
	}
	if p, err := doc.Lookup(t.Context(), "layout/section@inflated/[3]"); err != nil || len(p.Node.Spans) != 2 {
		t.Errorf("element 3: %v, %v", p, err)
	}
}

// TestArchitectureNamesTests: the table in docs/architecture.md names tests that exist, and all of them.
func TestArchitectureNamesTests(t *testing.T) {
	page, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"hardest_test.go", "hardest2_test.go"} {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(code), "\nfunc Test")[1:] {
			name, _, _ := strings.Cut(part, "(")
			if name != "ArchitectureNamesTests" && !strings.Contains(string(page), "`Test"+name+"`") {
				t.Errorf("Test%s is not in docs/architecture.md", name)
			}
		}
	}
	_, table, _ := strings.Cut(string(page), "\n## The hardest case of each format\n")
	table, _, _ = strings.Cut(table, "\n## ")
	if n := strings.Count(table, "| `Test"); n != 9 {
		t.Errorf("the table names %d tests, there are 9", n)
	}
}
