package flatbuffer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

const testdata = "../../testdata/flatbuffer"

func market(t testing.TB) *Schema {
	t.Helper()
	s, err := LoadSchema(t.Context(), filepath.Join(testdata, "market.bfbs"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// withSchema is the format with a schema handed in, as --option schema=PATH does.
func withSchema(path string) *model.Format {
	f := *Format
	f.Open = func(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
		again := *req
		again.Options = map[string]string{schemaOption: path}
		return Format.Open(ctx, &again)
	}
	return &f
}

func TestForeignSchema(t *testing.T) {
	for _, name := range []string{"stall.mrkt", "empty.mrkt", "stall-size-prefixed.mrkt"} {
		doc := decodertest.OpenFile(t, Format, filepath.Join(testdata, name)) // the schema lies beside it
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil || len(report.Problems) > 0 || len(report.Tiling) > 0 {
			t.Errorf("%s: %v, %+v", name, err, report)
		}
		if c := report.Coverage[0]; c.Unknown > 0 || c.Unreferenced > 0 {
			t.Errorf("%s: coverage %+v", name, c)
		}
	}
}

func TestFieldsByPath(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(testdata, "stall.mrkt"))
	root, err := doc.Lookup(t.Context(), "layout/0x3c")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"colour": "Blue", "level": "High", "open": "false", "rent": "12.5", "debt": "-5000000000", "discount": "0.5", "days": "None",
		"place/x": "1.5", "box/high/y": "2", "grid/cells": "[1, -2, 3, -4]", "grid/id": "18446744073709551615", "offer_type": "Crate",
	} {
		p, err := doc.Lookup(t.Context(), root.Path()+"/"+name)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := model.Show(t.Context(), p.Node.Value, 100); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// TestFieldsView looks at values by their fields' names: through tables, vectors, unions and FlatBuffers in vectors of
// bytes, bit flags by name.
func TestFieldsView(t *testing.T) {
	for file, values := range map[string]map[string]string{
		"stall.mrkt": {
			"owner": "Grüße", "offer/apples/[1]/sort": "Cox", "stock/[1]/label": "empty", "names/[2]": "three", "box/high/y": "2",
			"prices": "[0.1, 2.5, 1e+300]", "neighbours/[0]/rent": "12.5",
		},
		"envelope.post": {
			"to": "Ada", "rights": "Read | Sign", "all": "[Read | Write, 0, Sign]", "letter/rights": "Write",
			"letter/enclosed/text": "inner", "letter/enclosed/rights": "Read | Write | Sign",
		},
	} {
		doc := decodertest.OpenFile(t, Format, filepath.Join(testdata, file))
		for path, want := range values {
			p, err := doc.Lookup(t.Context(), fieldsName+"/"+path)
			if err != nil {
				t.Error(err)
				continue
			}
			if got := model.Show(t.Context(), p.Node.Value, 100); got != want {
				t.Errorf("%s: %s is %s, want %s", file, path, got, want)
			}
		}
	}
}

// TestFieldsOfSharedTable: a table that two fields lead to is below both; the second is marked and refers to the first.
func TestFieldsOfSharedTable(t *testing.T) {
	data := stall(2, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		label := b.CreateString("x")
		apple := func() flatbuffers.UOffsetT { b.StartObject(2); return b.EndObject() }()
		b.StartVector(4, 2, 4)
		b.PrependUOffsetT(apple)
		b.PrependUOffsetT(apple)
		apples := b.EndVector(2)
		b.StartObject(3)
		b.PrependUOffsetTSlot(0, apples, 0)
		b.PrependUOffsetTSlot(2, label, 0)
		return b.EndObject()
	})
	doc := decodertest.Open(t, withSchema(filepath.Join(testdata, "market.bfbs")), "shared", model.BytesReader(data))
	p, err := doc.Lookup(t.Context(), fieldsName+"/offer/apples/[1]")
	if err != nil {
		t.Fatal(err)
	}
	if refs := p.Node.Refs(t.Context()); len(refs) != 1 || refs[0].Path != fieldsName+"/offer/apples/[0]" || !p.Node.Shared {
		t.Errorf("it refers to %v, shared: %t", refs, p.Node.Shared)
	}
	if n, _ := p.Len(t.Context()); n != 2 {
		t.Errorf("of its fields %d are shown", n)
	}
	decodertest.Invariants(t, withSchema(filepath.Join(testdata, "market.bfbs")), func() *model.Document {
		return decodertest.Open(t, withSchema(filepath.Join(testdata, "market.bfbs")), "shared", model.BytesReader(data))
	})
}

// TestSharedVTable follows a vtable to its tables and back.
func TestSharedVTable(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(testdata, "stall.mrkt"))
	shared := 0
	err := model.Walk(t.Context(), doc.View(model.LayoutView).Place(t.Context()), model.WalkOptions{Depth: 1}, func(p *model.Place) error {
		if !p.Node.Shared {
			return nil
		}
		shared++
		refs, n, err := decodertest.Referrers(t, doc, p.Path(), 10)
		if err != nil || n < 2 || int64(len(refs)) != n {
			t.Errorf("%s: %v of %d, %v", p.Path(), refs, n, err)
		}
		for _, r := range refs {
			if r.Kind != "vtable" || r.Text == "" {
				t.Errorf("%s is referred to as %q of a %q", p.Path(), r.Kind, r.Text)
			}
		}
		return nil
	})
	if err != nil || shared < 2 {
		t.Errorf("%d shared vtables, %v", shared, err)
	}
}

func TestInvariants(t *testing.T) {
	byHand := withSchema(filepath.Join(testdata, "market.bfbs"))
	for _, f := range []*model.Format{byHand, Format} {
		for _, name := range []string{"stall.mrkt", "empty.mrkt", "stall-size-prefixed.mrkt", "envelope.post", "market.bfbs"} {
			if f == byHand && !strings.HasSuffix(name, ".mrkt") {
				continue
			}
			data := read(t, name)
			decodertest.Invariants(t, f, func() *model.Document { return decodertest.Open(t, f, name, model.BytesReader(data)) })
		}
	}
}

func TestMutate(t *testing.T) {
	files := []decodertest.File{{Name: "stall.mrkt", Data: read(t, "stall.mrkt")}, {Name: "stall-size-prefixed.mrkt", Data: read(t, "stall-size-prefixed.mrkt")}}
	decodertest.Mutate(t, withSchema(filepath.Join(testdata, "market.bfbs")), files, decodertest.MutateOptions{})
}

// TestMutateInferred does without a schema. What is cut off a buffer without a schema may be nobody's.
func TestMutateInferred(t *testing.T) {
	decodertest.Mutate(t, Format, []decodertest.File{{Name: "stall", Data: read(t, "stall.mrkt")}}, decodertest.MutateOptions{
		Exceptions: []decodertest.Exception{{Path: "layout", Cut: true, Reason: "without a schema an offset that leads out of the buffer may be a number"}},
	})
}

// TestInferred compares the objects that are found without a schema with those that are found by it.
func TestInferred(t *testing.T) {
	data := read(t, "stall.mrkt")
	b := NewBuffer(model.NewFileSource("x", model.BytesReader(data)), 0, int64(len(data)), false)
	known, guessed := b.verify(t.Context(), market(t), 0), b.verify(t.Context(), nil, 0)
	same := 0
	for _, o := range known.objects {
		if g := guessed.find(int64(o.off)); g != nil && g.kind == o.kind {
			same++
		}
	}
	if same*10 < len(known.objects)*8 {
		t.Errorf("%d of %d objects are found without the schema", same, len(known.objects))
	}
}

func TestDetect(t *testing.T) {
	data := read(t, "stall.mrkt")
	src := model.NewFileSource("x", model.BytesReader(data))
	probe := &model.Probe{Source: src, Name: "x", Head: data}
	if d := Format.Detect(t.Context(), probe); d.Confidence >= model.Guess {
		t.Error("recognised without a schema:", d.Reason)
	}
	probe.Options = map[string]string{schemaOption: filepath.Join(testdata, "market.bfbs")}
	if d := Format.Detect(t.Context(), probe); d.Confidence < model.Guess {
		t.Error("not recognised by the schema that is handed in:", d.Reason)
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if SchemaFolder() == "" || os.MkdirAll(SchemaFolder(), 0o755) != nil {
		t.Skip("no folder for configuration")
	}
	if err := os.WriteFile(filepath.Join(SchemaFolder(), "m.bfbs"), read(t, "market.bfbs"), 0o644); err != nil {
		t.Fatal(err)
	}
	probe.Options = nil
	if d := Format.Detect(t.Context(), probe); d.Confidence < model.Guess {
		t.Error("not recognised by a schema in the user's folder:", d.Reason)
	}
}

// TestSchemaDamage cuts and changes a schema: it is refused in words, or read.
func TestSchemaDamage(t *testing.T) {
	data := read(t, "market.bfbs")
	for i := range data {
		if _, err := ParseSchema(t.Context(), data[:i], "cut"); err == nil && i < len(data)-4 { // padding ends it
			t.Errorf("a schema cut to %d bytes is read", i)
		}
		bad := append([]byte(nil), data...)
		bad[i] ^= 0xff
		s, err := ParseSchema(t.Context(), bad, "changed")
		if err != nil {
			continue
		}
		b := NewBuffer(model.NewFileSource("x", model.BytesReader(read(t, "empty.mrkt"))), 0, 16, false)
		b.verify(t.Context(), s, 0)
	}
}

func FuzzOpen(f *testing.F) {
	schema := withSchema(filepath.Join(testdata, "market.bfbs"))
	decodertest.Fuzz(f, schema, []decodertest.File{{Name: "stall", Data: read(f, "stall.mrkt")}, {Name: "empty", Data: read(f, "empty.mrkt")}})
}

// TestFindSchemaAmongManyFiles: a folder of thousands of files has its schema found.
func TestFindSchemaAmongManyFiles(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	for i := range 2 * maxSchemaFiles {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("a%d.mrkt", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for to, from := range map[string]string{"z.bfbs": "market.bfbs", "z.mrkt": "stall.mrkt"} {
		if err := os.WriteFile(filepath.Join(dir, to), read(t, from), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	doc := decodertest.OpenFile(t, Format, filepath.Join(dir, "z.mrkt"))
	if doc.Title != "FlatBuffer by z.bfbs" {
		t.Errorf("it is a %s", doc.Title)
	}
}
