package omnilive

import (
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/livegen"
	"cutaway/model"
)

// TestFieldHelp: every field that a schema has says what it means, and so does what the views show of it.
func TestFieldHelp(t *testing.T) {
	fields := 0
	for _, s := range schemas(t.Context()) {
		for _, o := range s.Objects {
			for _, f := range o.Fields {
				if fields++; f.Help == "" {
					t.Errorf("%s: %s.%s says nothing", s.Name, o.Name, f.Name)
				}
			}
		}
	}
	if fields < 70 {
		t.Errorf("only %d fields", fields)
	}
	doc := decodertest.Open(t, Format, "all.oodf", model.BytesReader((&livegen.Delta{Commands: append(livegen.World(),
		livegen.Command{Kind: livegen.Move, Section: 10, OldParent: 1, Parent: 1, Name: "renamed"}, livegen.Command{Kind: livegen.Reorder, Section: 1, Children: []uint64{10}},
		livegen.Command{Kind: livegen.Delete, Section: 99, Parent: 1})}).Build()))
	shown := 0
	err := model.Walk(t.Context(), doc.View(commandsView).Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		if shown++; p.Node.Help == "" {
			t.Errorf("%s says nothing", p.Path())
		}
		return nil
	})
	if err != nil || shown < 30 {
		t.Errorf("%d nodes, %v", shown, err)
	}
}

// TestOwnParent: a section that would be its own parent changes nothing, whether its number is new or not.
func TestOwnParent(t *testing.T) {
	of := func(kind livegen.Kind) livegen.Command {
		return livegen.Command{Kind: kind, Section: 23, Parent: 23, OldParent: 1, Name: "x", Type: 6}
	}
	for name, d := range map[string]*livegen.Delta{
		"made of nothing":     {Commands: append(livegen.World(), of(livegen.Create))},
		"made in another":     {Commands: []livegen.Command{of(livegen.Create)}},
		"moved":               {Commands: []livegen.Command{of(livegen.Move)}},
		"in a diff":           {IsDiff: true, Commands: []livegen.Command{{Kind: livegen.DiffChange, Section: 1, Type: 7}, of(livegen.DiffChange)}},
		"in a diff of others": {IsDiff: true, BaseVersion: 3, Commands: []livegen.Command{of(livegen.DiffChange)}},
	} {
		doc := decodertest.Open(t, Format, "cycle.oodf", model.BytesReader(d.Build()))
		p, err := doc.Lookup(t.Context(), commandsView+"/"+model.IndexName(int64(len(d.Commands)-1)))
		if err == nil {
			err = p.Resolve(t.Context(), nil)
		}
		if err != nil || !strings.HasPrefix(p.Node.Brief, "no-op: cycle") {
			t.Errorf("%s: %s, %v", name, p.Node.Brief, err)
		}
	}
}

// TestWithoutName: each section without a name has a path of its own, by which it is found.
func TestWithoutName(t *testing.T) {
	d := &livegen.Delta{Commands: []livegen.Command{{Kind: livegen.Create, Section: 1, Type: 7}}}
	for i, c := range []livegen.Command{{Parent: 1, Type: 6, Unnamed: true}, {Parent: 10, Type: 1}, {Parent: 11, Type: 9}, {Parent: 1, Type: 6, Name: "a"}, {Parent: 13, Type: 11}} {
		c.Kind, c.Section = livegen.Create, uint64(10+i)
		d.Commands = append(d.Commands, c)
	}
	d.Commands = append(d.Commands, livegen.Command{Kind: livegen.Move, Section: 13, OldParent: 1, Parent: 12})
	doc := decodertest.Open(t, Format, "nameless.oodf", model.BytesReader(d.Build()))
	paths, warned := map[string]bool{}, 0
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		if p.Rule == "omnilive.command.no-name" {
			warned++
		}
	}
	if warned != 5 {
		t.Errorf("%d warnings", warned)
	}
	err = model.Walk(t.Context(), doc.View(layerView).Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		if again, err := doc.Lookup(t.Context(), p.Path()); err != nil || again.Node.Type != p.Node.Type || paths[p.Path()] {
			t.Errorf("%q: %v", p.Path(), err)
		}
		paths[p.Path()] = true
		return nil
	})
	if err != nil || !paths["layer/%2310/.%2311/[]%2312/%2313/{=}%2314"] {
		t.Errorf("%v, %v", paths, err)
	}
}

// TestSummaries: list ops, references and payloads say what they hold.
func TestSummaries(t *testing.T) {
	text := func(s string) []byte { return append(binary.LittleEndian.AppendUint32(nil, uint32(len(s))), s...) }
	count := func(n uint64, items ...[]byte) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, n), slices.Concat(items...)...)
	}
	offset := func(by float64) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, math.Float64bits(by)), math.Float64bits(1))
	}
	to := func(asset, prim string, by float64) []byte { return slices.Concat(text(asset), text(prim), offset(by)) }
	none := count(0)
	for want, value := range map[string][]byte{
		"explicit a, b":            slices.Concat([]byte{32, 0, 3}, count(2, text("a"), text("b"))),
		"prepended a; deleted b":   slices.Concat([]byte{32, 0, 0x28}, count(1, text("a")), count(1, text("b"))),
		"explicit, empty":          {34, 0, 1},
		"no items":                 {36, 0, 0},
		"appended 1, 2, 3, … of 5": slices.Concat([]byte{38, 0, 0x40}, count(5, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0})),
		"prepended @a.usd@</A>, </B>, @c.usd@ offset (2, 1)": slices.Concat([]byte{35, 0, 0x20}, count(3), to("a.usd", "/A", 0), none, to("", "/B", 0), none, to("c.usd", "", 2), none),
		"added @p.usd@</P>": slices.Concat([]byte{57, 0, 4}, count(1, to("p.usd", "/P", 0))),
		"@p.usd@</P>":       slices.Concat([]byte{47, 0}, to("p.usd", "/P", 0)),
	} {
		d := &livegen.Delta{Commands: livegen.World(), Settings: []livegen.Setting{{Section: 1, Key: "k", Value: value}}}
		doc := decodertest.Open(t, Format, "value.oodf", model.BytesReader(d.Build()))
		p, err := doc.Lookup(t.Context(), layerView+"/k")
		if err != nil || p.Node.Brief != want {
			t.Errorf("%q, want %q, %v", p.Node.Brief, want, err)
		}
	}
}

// TestSourceFormat: what is for old clients only is shown.
func TestSourceFormat(t *testing.T) {
	file := "../../../shared/corpus/faults/omnilive/omni-fields-without-help.oodf"
	if _, err := os.Stat(file); err != nil {
		t.Skip("the faults are not here: ", err)
	}
	doc := decodertest.OpenFile(t, Format, file)
	facts, err := doc.Facts(t.Context(), true, nil)
	if err != nil || !slices.ContainsFunc(facts, func(f model.Fact) bool { return f.Key == "sourceFormat" && f.Value != nil }) {
		t.Errorf("%+v, %v", facts, err)
	}
}
