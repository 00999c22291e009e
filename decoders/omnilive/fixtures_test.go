package omnilive

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/flatbuffer"
	"cutaway/internal/livegen"
	"cutaway/model"
)

const testdata = "../../testdata/omnilive"

// fixtureProblems is what check tells of the files of testdata that are not sound in every way.
var fixtureProblems = map[string]string{
	"external-small.ompf":       "omnilive.external.limit",
	"inline-large.oodf":         "omnilive.external.limit",
	"names.oodf":                "omnilive.command.no-name",
	"twins.oodf":                "omnilive.command.name-clash",
	"x-bool-2.oodf":             "omnilive.value.range",
	"x-hash-of-other-part.ompf": "omnilive.external.hash",
	"x-hash-short.ompf":         "omnilive.external.hash-size",
	"x-list-op-bit-7.oodf":      "omnilive.value.misfit",
	"x-children-list-9.oodf":    "omnilive.command.children-list",
	"x-name-not-set.oodf":       "omnilive.command.name-not-set",
	"x-spec-type-200.oodf":      "omnilive.command.spec-type",
	"x-unregistered-int.oodf":   "omnilive.value.unregistered",
}

func TestFixtures(t *testing.T) {
	for _, f := range livegen.Fixtures() {
		data, err := os.ReadFile(filepath.Join(testdata, f.Name))
		if err != nil || !bytes.Equal(data, f.Data) {
			t.Errorf("%s is not what livegen makes: %v", f.Name, err)
		}
		doc := decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range report.Problems {
			if p.Kind.Severity() > model.Note {
				got = append(got, p.Rule)
			}
		}
		if strings.Join(got, " ") != fixtureProblems[f.Name] {
			t.Errorf("%s: problems %q, want %q", f.Name, got, fixtureProblems[f.Name])
		}
		decodertest.Invariants(t, Format, func() *model.Document {
			return decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
		})
	}
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"world.oodf", "world-b.oodf", "names.oodf", "twins.oodf", "expressions.oodf"} {
		doc := decodertest.OpenFile(t, Format, filepath.Join(testdata, name))
		for _, v := range doc.Views {
			decodertest.Golden(t, filepath.Join(testdata, "golden", name+"."+v.Name+".txt"), decodertest.Tree(t, doc, v.Name))
		}
	}
}

// TestAssumptionsAreMarked looks for the notes: on the FlatBuffer, and in the layer view on values and placeholders.
func TestAssumptionsAreMarked(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(testdata, "external.ompf"))
	noted := make(map[string]bool)
	for _, v := range doc.Views {
		err := model.Walk(t.Context(), v.Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
			for _, pr := range p.Node.Problems {
				noted[pr.Rule] = noted[pr.Rule] || pr.Kind == model.Assumed
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range assumptions {
		if a != assumedPrefix && a != assumedUserPacking && !noted[a.ruleID()] {
			t.Errorf("%s marks nothing", a.ruleID())
		}
	}
}

// TestUserSchema decodes by a schema that is handed in: B's, compiled, under another name, which then comes first.
func TestUserSchema(t *testing.T) {
	for _, k := range []struct{ file, option, want string }{
		{"world.oodf", "", "A"}, {"world-b.oodf", "", "B"}, {"world-b.oodf", "B", "B"},
		{"world-b.oodf", "schemas/omni-live-unionvec.bfbs", "omni-live-unionvec.bfbs"},
		{"world.oodf", "schemas/omni-live-unionvec.bfbs", "A"},
	} {
		doc := optionOpen(t, k.file, map[string]string{schemaOption: k.option})
		if got := factsOf(t, doc)["schema"]; got != model.Text(k.want) {
			t.Errorf("%s with %q: schema %v, want %s", k.file, k.option, got, k.want)
		}
		again, err := doc.SetOption(t.Context(), schemaOption, "B")
		if err != nil || factsOf(t, again)["schema"] != model.Value(model.Text("B")) && k.file == "world-b.oodf" {
			t.Errorf("%s: set to B: %v", k.file, err)
		}
	}
	for _, bad := range []string{"nothing.bfbs", "format.go", "../../testdata/omnilive/world.oodf"} {
		if _, err := openWith(t.Context(), "world.oodf", map[string]string{schemaOption: bad}); err == nil {
			t.Errorf("the schema %s is accepted", bad)
		}
	}
}

func optionOpen(t *testing.T, name string, options map[string]string) *model.Document {
	t.Helper()
	doc, err := openWith(t.Context(), name, options)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func openWith(ctx context.Context, name string, options map[string]string) (*model.Document, error) {
	data, err := os.ReadFile(filepath.Join(testdata, name))
	if err != nil {
		return nil, err
	}
	req := decodertest.Request(nil, model.NewFileSource(name, model.BytesReader(data)), name)
	req.Options = options
	return Format.Open(ctx, req)
}

// TestLongLists applies more commands than the schema is chosen by; a failure after those is found by the check.
func TestLongLists(t *testing.T) {
	for _, union := range []bool{false, true} {
		data := livegen.Commands(3*firstItems, union).Build()
		doc := decodertest.Open(t, Format, "long.oodf", model.BytesReader(data))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil || len(report.Tiling) > 0 || counted(report) > 0 || report.Coverage[0].Sum() != int64(len(data)) {
			t.Errorf("union vector %t: %v, %v, %d problems", union, err, report.Tiling, counted(report))
		}
		known, err := doc.Known(t.Context())
		if err != nil || known.Coverage[0].Pending == 0 {
			continue // resolved by the check
		}
	}
	data := livegen.Commands(3*firstItems, false).Build()
	doc := decodertest.Open(t, Format, "long.oodf", model.BytesReader(data))
	p, err := doc.Lookup(t.Context(), commandsView+"/"+model.IndexName(3*firstItems-10))
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(data)
	copy(bad[p.Node.Span().Off:], []byte{0xff, 0xff, 0xff, 0x7f}) // its vtable offset
	doc = decodertest.Open(t, Format, "bad.oodf", model.BytesReader(bad))
	if known, err := doc.Known(t.Context()); err != nil || !known.Sound() {
		t.Errorf("a failure after the first items is known at once: %v", err)
	}
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil || report.Sound() {
		t.Errorf("a failure after the first items is not found: %v", err)
	}
	doc = decodertest.Open(t, Format, "bad.oodf", model.BytesReader(bad))
	if err := doc.View(layerView).Place(t.Context()).Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if known, err := doc.Known(t.Context()); err != nil || known.Sound() {
		t.Errorf("a failure after the first items is not known when the layer is: %v", err)
	}
}

// TestOtherSchema: where the schema fails after the items that it was chosen by, one that reads all is offered.
func TestOtherSchema(t *testing.T) {
	data := livegen.Commands(2*firstItems, false).Build()
	d := newDelta(t.Context(), model.NewFileSource("long.oodf", model.BytesReader(data)), candidates{list: schemas(t.Context())})
	offered := func() bool {
		return slices.ContainsFunc(d.bufferNode(bufferName).Problems, func(p model.Problem) bool { return p.Rule == "omnilive.schema.other" })
	}
	d.choice.others = []flatbuffer.Verdict{d.choice.verdict}
	for _, sound := range []bool{true, false} {
		if err := d.tryOthers(t.Context(), sound, nil); err != nil {
			t.Fatal(err)
		}
		if offered() == sound {
			t.Errorf("all verifies: %t; another schema is offered: %t", sound, offered())
		}
	}
}
