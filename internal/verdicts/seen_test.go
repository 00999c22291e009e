package verdicts

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cutaway/decoders"
	"cutaway/model"
)

// Formats without a library to ask: a change of a file must be seen, in the values or by a problem.
var alone = []format{
	{name: "udm", files: []string{"../../testdata/udm/[^x]*.*", corpus + "/udm/*.*"}, largest: 16 << 10, count: 1000, share: 60},
	{name: "odin", files: []string{"../../testdata/odin/[^x]*.*", corpus + "/odin/*.*"}, largest: 64 << 10, count: 1000, share: 60},
	{name: "omnilive", files: []string{"../../testdata/omnilive/*.*", corpus + "/omnilive/*.oodf"}, largest: 64 << 10, count: 1000, share: 60},
}

// mostUnseen is how many of a hundred changes may be seen nowhere.
const mostUnseen = 1

// How a change is seen.
const (
	byProblem = iota
	byValue
	byLayout // in the layout alone: spelling, order of writing, filler
	nowhere
	seenWays
)

// A reading is what is had of a file: hashes of its values, and what is wrong with it.
type reading struct {
	refused        bool
	values, layout uint64
	problems       []string
}

// TestSeen changes files of the formats that have no library.
func TestSeen(t *testing.T) {
	figures := "| format | changes | seed | a problem | other values | seen in the layout alone | nowhere |\n| --- | --: | --: | --: | --: | --: | --: |\n"
	compared := 0 // -run may choose some of them: the page keeps its table of all
	for i := range alone {
		f := &alone[i]
		t.Run(f.name, func(t *testing.T) {
			compared++
			files := f.whole(t)
			for _, seed := range seeds(t) {
				counts := f.seen(t, mutants(t, bytesChanged, files, f.number(t), seed))
				t.Log(f.name, counts)
				if part, of := counts[nowhere], sum(counts[:]...); percent(part, of) > mostUnseen {
					t.Errorf("%d of %d changes are seen nowhere", part, of)
				}
				figures += fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d |\n", f.name, model.Grouped(int64(f.number(t))), seed,
					counts[byProblem], counts[byValue], counts[byLayout], counts[nowhere])
			}
		})
	}
	if *tries == everything && *seed == "" && compared == len(alone) && !t.Failed() {
		(&format{name: "seen"}).write(t, figures)
	}
}

// whole are the files of the format without errors.
func (f *format) whole(t *testing.T) (names []string) {
	for _, pattern := range f.files {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > f.largest || f.of(t, name) != f.name {
				continue
			}
			if rules, _ := check(t, name); len(rules[model.Error]) == 0 {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		t.Skip("no files")
	}
	return names
}

// of is the format that a file is opened as; "" where it is not opened.
func (f *format) of(t *testing.T, name string) string {
	doc, err := decoders.OpenTarget(t.Context(), decoders.Target{File: name, Offset: -1}, decoders.OpenOptions{})
	if err != nil {
		return ""
	}
	defer doc.Close()
	return doc.Format
}

func (f *format) seen(t *testing.T, list []*mutant) (counts [seenWays]int) {
	folder := t.TempDir()
	before := make(map[string]*reading)
	for i, m := range list {
		// The name stays, since a format may be told by it.
		if before[m.base] == nil {
			data, err := os.ReadFile(m.base)
			if err != nil {
				t.Fatal(err)
			}
			before[m.base] = f.read(t, filepath.Join(folder, filepath.Base(m.base)), data)
		}
		way := before[m.base].differs(f.read(t, filepath.Join(folder, filepath.Base(m.base)), m.data))
		counts[way]++
		if way == nowhere {
			t.Logf("nowhere %04d (%s)", i, m)
		}
	}
	return counts
}

// differs is how a reading after a change shows it.
func (r *reading) differs(after *reading) int {
	switch {
	case after.refused || !slices.Equal(r.problems, after.problems):
		return byProblem
	case r.values != after.values:
		return byValue
	case r.layout != after.layout:
		return byLayout
	}
	return nowhere
}

func (f *format) read(t *testing.T, name string, data []byte) *reading {
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	doc, err := decoders.OpenTarget(t.Context(), decoders.Target{File: name, Offset: -1}, decoders.OpenOptions{Options: decoders.Options{Format: f.name}})
	if err != nil {
		return &reading{refused: true}
	}
	defer doc.Close()
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	r := &reading{}
	for i := range report.Problems {
		if p := &report.Problems[i]; p.Kind.Severity() > model.Note {
			r.problems = append(r.problems, p.Rule+" "+p.Path+" "+p.Error())
		}
	}
	for _, view := range doc.Views {
		h := hashOf(t, doc, view.Name)
		if view.Name == model.LayoutView {
			r.layout = h
		} else {
			r.values = r.values*31 + h
		}
	}
	return r
}

// mostHashed is how many nodes of a view are looked at. A changed count can claim many millions of elements.
const mostHashed = 200_000

// errEnough ends a walk.
var errEnough = errors.New("enough nodes")

// hashOf is a hash of the names, types and values of a view, of its first nodes where it has very many.
func hashOf(t *testing.T, doc *model.Document, view string) uint64 {
	root, err := doc.Lookup(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	opt := model.WalkOptions{Resolve: true, Derived: view == model.LayoutView, Elements: true, Fleeting: true}
	count := 0
	err = model.Walk(t.Context(), root, opt, func(p *model.Place) error {
		if count++; count > mostHashed {
			return errEnough
		}
		n := p.Node
		_, _ = fmt.Fprintf(h, "%s|%s|%s|%s\n", n.Name, n.Type, n.Brief, model.Show(t.Context(), n.Value, 1<<16))
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		t.Fatalf("%s: %v", view, err)
	}
	return h.Sum64()
}
