package cards_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"cutaway/closure"
	"cutaway/model/releases"
	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/treeview"
	"cutaway/ui/window/windowtest"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/size"
	"cutaway/model/values"
	"cutaway/ui/document"
	"cutaway/ui/phrase"
	searchpane "cutaway/ui/search"
	"cutaway/ui/uitest"
)

// numbersFiles are a file of each format.
var numbersFiles = []string{"assets/sample.usdc", "testdata/usdc/value-types.usdc", "testdata/usdc/samples.usdc", "testdata/usda/values.usda", "testdata/usdc/several.usdz",
	"testdata/vrs/audio.vrs", "testdata/vrs/damaged-record-size-too-large.vrs", "testdata/udm/twin.udm_b", "testdata/omnilive/world.oodf", "testdata/odin/every-entry.odin",
	"testdata/flatbuffer/stall.mrkt"}

// eachNumbers opens each of these files.
func eachNumbers(b *windowtest.Bench) iter.Seq2[string, *tab.Tab] {
	return func(yield func(string, *tab.Tab) bool) {
		for _, name := range numbersFiles {
			if file := filepath.Join("../..", name); !yield(file, b.Open(opening.Target{File: file})) {
				return
			}
		}
	}
}

// TestSameNumbers: facts of arrays, sizes, times and named files are those that the command line prints, in a file of each format.
func TestSameNumbers(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		arrays, nodes, tracks, names := 0, 0, 0, 0
		for file, s := range eachNumbers(b) {
			arrays += sameFacts(t, b, s, file)
			nodes += sameSizes(t, b, s, file)
			tracks += sameTimes(t, b, s, file)
			names += sameNames(t, b, s, file)
		}
		s := b.Open(opening.Target{File: "../../testdata/ksy/picture.png"})
		s.ReadBy("../../testdata/ksy/png.ksy")
		b.Until("the fields", func() bool {
			return b.W.Active.Pane != nil && b.W.Active.Pane.Current() != nil && b.W.Active.Pane.Trees.View().Name == "fields"
		})
		b.Idle()
		nodes += sameSizes(t, b, b.W.Active, "../../testdata/ksy/picture.png", "--schema", "../../testdata/ksy/png.ksy")
		fields := sameFields(t, b, b.Open(opening.Target{File: "../../testdata/vrs/damaged-record-size-too-large.vrs"}), "streams/999-1/data/[1]/data_layout/number") +
			sameFields(t, b, b.Open(opening.Target{File: "../../testdata/usdc/samples.usdc"}), "scene/World/.number/timeSamples")
		t.Logf("%d arrays, %d fields, %d nodes, %d tracks, %d named files", arrays, fields, nodes, tracks, names)
		if arrays < 12 || fields < 2 || nodes < 500 || tracks < 5 || names < 10 {
			t.Errorf("only %d arrays, %d fields, %d nodes, %d tracks, %d named files", arrays, fields, nodes, tracks, names)
		}
	})
}

// sameFacts compares what the details say of some arrays of numbers.
func sameFacts(t *testing.T, b *windowtest.Bench, s *tab.Tab, file string) int {
	t.Helper()
	const most = 8
	var paths []string
	err := model.Walk(t.Context(), s.Pane.Doc.Views[0].Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		if a, ok := p.Node.Value.(model.Array); ok && a.Len() > 1 && len(paths) < most && model.PackingOf(a).Number != model.NoNumber {
			paths = append(paths, p.Path())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		s.Pane.Nav.GoTo(path)
		b.At(s, path)
		b.Until("facts of "+path, func() bool { return strings.Contains(b.CardWords(s), " distinct") })
		b.Idle()
		told := b.CardWords(s)
		for _, f := range uitest.Printed[printedFacts](t, "values", file+"#"+path) {
			for _, want := range append(f.told(), f.stored()...) {
				if !strings.Contains(told, want) {
					t.Errorf("%s#%s: the details say %q, and not %q", file, path, told, want)
				}
			}
		}
	}
	return len(paths)
}

type printedFacts struct {
	Count, None     int64
	Mean            []json.Number
	Std             []number
	Zero            []int64
	Distinct        any // a list, of text one number
	Sorted          []string
	Stored, Logical int64
	Ratio           float64
	Coding, Hash    string
}

// number is a number in JSON, of which NaN and what is infinite are texts.
type number float64

func (n *number) UnmarshalJSON(text []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	*n = number(f)
	return err
}

// told is what the details say of the first two components.
func (f *printedFacts) told() (list []string) {
	if f.None > 0 {
		list = append(list, model.Grouped(f.None)+" without a value")
	}
	if one, is := f.Distinct.(float64); is {
		return []string{fmt.Sprint(one, " distinct")}
	}
	for k := range f.Mean[:min(len(f.Mean), 2)] {
		one := values.Component{Finite: 1, Mean: model.Text(f.Mean[k]), Std: float64(f.Std[k])}
		if mean, err := f.Mean[k].Float64(); err == nil && (math.Abs(mean) < 1<<53 || strings.Contains(string(f.Mean[k]), "e")) {
			one.Mean = model.Float64(mean)
		}
		list = append(list, "mean "+one.MeanText(), "std "+one.StdText(),
			f.Sorted[k], fmt.Sprint(f.Distinct.([]any)[k], " distinct"))
		if f.Zero[k] > 0 {
			list = append(list, model.Grouped(f.Zero[k])+" zero")
		}
	}
	return list
}

// stored is what they say of the bytes.
func (f *printedFacts) stored() []string {
	list := []string{model.GroupedCount(f.Stored, "byte"), phrase.Capital(f.Coding), "hash " + f.Hash}
	if f.Stored != f.Logical {
		list = append(list, "for "+model.Grouped(f.Logical), "ratio "+strconv.FormatFloat(f.Ratio, 'g', 4, 64))
	}
	return list
}

// sameFields compares what the details of a node say of its values over time.
func sameFields(t *testing.T, b *windowtest.Bench, s *tab.Tab, path string) int {
	t.Helper()
	s.Pane.Nav.GoTo(path)
	b.At(s, path)
	b.Until("facts of "+path, func() bool { return strings.Contains(b.CardWords(s), " distinct") })
	told := b.CardWords(s)
	list := uitest.Printed[printedFacts](t, "values", s.Subject.File+"#"+path)
	last := list[len(list)-1]
	for _, want := range append(last.told(), model.GroupedCount(last.Count, "value")) {
		if !strings.Contains(told, want) {
			t.Errorf("%s#%s: the details say %q, and not %q", s.Subject.File, path, told, want)
		}
	}
	return 1
}

// TestSameSavings: what the pane of sizes says could be saved is what the command line says.
func TestSameSavings(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		count := 0
		for file, s := range eachNumbers(b) {
			s.Pane.Stage.Choose(document.Sizes)
			p := s.Pane.Sizes
			b.Until("sizes", func() bool { return p.Tree != nil })
			p.ShowSavings()
			b.Until("savings", func() bool { return len(p.Savings.Data.All()) > 0 })
			var told []string
			for _, r := range p.Savings.Data.All() {
				told = append(told, strings.TrimSpace(strings.Join(p.Savings.Data.Show(r).Cells[:1], "")))
			}
			type saving struct {
				Saving, Text string
				Bytes, Count int64
				Paths        []string
			}
			var want []string
			for _, l := range uitest.Printed[saving](t, "stats", "--savings", file) {
				count++
				want = append(want, phrase.Capital(l.Saving)+": "+l.Text)
				want = append(want, l.Paths...)
			}
			if want == nil {
				want = []string{"Nothing was found that the file could do without"}
			}
			if !slices.Equal(told, want) {
				t.Errorf("%s: the window has %q, the command line %q", file, told, want)
			}
		}
		if t.Logf("%d savings", count); count == 0 {
			t.Error("no file has savings")
		}
	})
}

// TestSameMarks: the marks of a file have the same types and values in the pane, on the command line and in the report.
func TestSameMarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Setenv("XDG_STATE_HOME", t.TempDir())
		const file = "../../assets/sample.usdc"
		for _, args := range [][]string{{file, "--add", "whole"}, {file + "#scene/metersPerUnit", "--add", "unit"}, {file + "#scene/Prototypes/Leg/.points/default", "--add", ""},
			{file + ":8", "--add", "version", "--type", "u8[3]", "--colour", "red"}, {file + ":0", "--length", "8", "--add", "magic"}} {
			uitest.Printed[struct{}](t, append([]string{"notes"}, args...)...)
		}
		b := windowtest.New(t)
		s := b.Open(opening.Target{File: file})
		p := s.Pane.Lists.Kept
		b.Until("the marks", func() bool { return len(p.All()) == 5 })
		lines := uitest.Printed[struct {
			Text  string
			Value json.RawMessage
		}](t, "notes", file)
		for i, n := range p.Notes() {
			var value json.RawMessage
			if n.Value != nil {
				var err error
				if value, err = export.AppendValue(t.Context(), nil, n.Value); err != nil {
					t.Fatal(err)
				}
			}
			if n.Text != lines[i].Text || !bytes.Equal(value, lines[i].Value) {
				t.Errorf("the window has %q with %s, the command line %q with %s", n.Text, value, lines[i].Text, lines[i].Value)
			}
			if (n.Value == nil) != (n.Text == "whole") {
				t.Errorf("%q has the value %v", n.Text, n.Value)
			}
		}
	})
}

// TestSameHits: a search by size finds the same nodes in the window.
func TestSameHits(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		count := 0
		for file, s := range eachNumbers(b) {
			for _, query := range []string{"size:>100", "stored:8..64"} {
				r := b.Find(s, searchpane.Query{Text: query, Decode: true, Elements: true})
				var got, want []string
				for i := range r.Hits.Len() {
					f, _ := r.Hits.At(i)
					got = append(got, f.Path)
				}
				for _, l := range uitest.Printed[struct{ Path string }](t, "search", "--elements", file, query) {
					want = append(want, l.Path)
				}
				if count += len(want); !slices.Equal(got, want) {
					t.Errorf("%s: of %s the window finds %d, the command line %d", file, query, len(got), len(want))
				}
			}
		}
		if t.Logf("%d hits", count); count < 100 {
			t.Errorf("only %d hits", count)
		}
	})
}

type lineOfSizes struct {
	Path, Role           string
	Own, Stored, Logical int64
}

// sameSizes compares all that the pane of sizes tells of the view that is shown.
func sameSizes(t *testing.T, b *windowtest.Bench, s *tab.Tab, file string, flags ...string) int {
	t.Helper()
	p := s.Pane.Sizes
	s.Pane.Stage.Choose(document.Sizes)
	b.Until("sizes", func() bool { return p.Tree != nil })
	want := make(map[string]lineOfSizes)
	for _, l := range uitest.Printed[lineOfSizes](t, append([]string{"stats", "--tree", file, "--view", s.Pane.Trees.View().Name}, flags...)...) {
		want[l.Path+" "+l.Role] = l
	}
	compare := func(path, role string, n size.Size) {
		if l, is := want[path+" "+role]; !is || (size.Size{Own: l.Own, Stored: l.Stored, Logical: l.Logical}) != n {
			t.Errorf("%s: the window has %s with %+v, the command line %+v", file, path, n, l)
		}
	}
	count := 0
	var each func(n *size.Node)
	each = func(n *size.Node) {
		count++
		compare(n.Path, "", n.Size)
		for _, c := range n.Children {
			each(c)
		}
	}
	each(p.Tree.Root)
	for _, f := range p.Tree.Free {
		compare(f.Path, f.Role.String(), size.Size{Own: f.Size, Stored: f.Size, Logical: f.Size})
	}
	return count
}

// sameNames compares the files that a file names with those of the command line.
func sameNames(t *testing.T, b *windowtest.Bench, s *tab.Tab, file string) (count int) {
	t.Helper()
	if !s.Pane.Stage.Has(document.Files) {
		return 0
	}
	p := s.Pane.Files
	s.Pane.Stage.Choose(document.Files)
	b.Until("the files", func() bool {
		return !p.Running && p.State.Text != "" || strings.Contains(windowtest.Texts(p.Body), "names no other file")
	})
	type place struct {
		File, Path     string
		Offset, Length int64
	}
	type line struct {
		File, State, Arc, Asset, OpenedBy string
		Size                              *int64
		Chain                             []place
		Problem                           *struct{ Rule, Message string }
	}
	want := uitest.Printed[line](t, "check", "--closure", file)
	want = want[:len(want)-1] // the sum
	var each func(at *treeview.Twig[*closure.File])
	each = func(at *treeview.Twig[*closure.File]) {
		f := at.One
		if count >= len(want) {
			t.Fatalf("%s: the command line has %d files", file, len(want))
		}
		w := want[count]
		if count++; f.Name() != w.File || string(f.State) != w.State || f.Arc != w.Arc || f.Asset != w.Asset || len(f.Chain()) != len(w.Chain)+1 || releases.OpenedBy(f.Releases) != w.OpenedBy ||
			(f.Size < 0) != (w.Size == nil) || w.Size != nil && *w.Size != f.Size || (f.Problem == nil) != (w.Problem == nil) || f.Problem != nil && f.Problem.Message != w.Problem.Message {
			t.Errorf("%s: the window has %+v, the command line %+v", file, f, w)
		}
		if n := len(w.Chain); n > 0 && (f.At.Path != w.Chain[n-1].Path || f.At.Off != w.Chain[n-1].Offset) {
			t.Errorf("%s: the window has %+v, the command line %+v", file, f.At, w.Chain[n-1])
		}
		for _, kid := range at.Kids {
			each(kid)
		}
	}
	each(p.Data.Root().(*treeview.Twig[*closure.File]))
	if count != len(want) {
		t.Errorf("%s: the window has %d files, the command line %d", file, count, len(want))
	}
	return count
}

// sameTimes compares the tracks of the time bar with those of the command line.
func sameTimes(t *testing.T, b *windowtest.Bench, s *tab.Tab, file string) int {
	t.Helper()
	b.Idle()
	type track struct {
		Track               string
		Count               int64
		First, Last, Median *float64
		Gaps, Unordered     []struct{ From, To float64 }
	}
	want := make(map[string]track)
	for _, l := range uitest.Printed[track](t, "timeline", file) {
		if l.First != nil {
			want[l.Track] = l
		}
	}
	if len(s.Pane.Time.Tracks) != len(want) {
		t.Errorf("%s: the window has %d tracks with a time, the command line %d", file, len(s.Pane.Time.Tracks), len(want))
	}
	for _, x := range s.Pane.Time.Tracks {
		w, f := want[x.Track.Name], x.Facts
		if w.First == nil || w.Last == nil || x.Len() != w.Count || f.First != *w.First || f.Last != *w.Last || w.Median != nil && f.Median != *w.Median ||
			len(f.Gaps) != len(w.Gaps) || len(f.Unordered) != len(w.Unordered) { // jumps are looked for when the list is opened: TestTimeList
			t.Errorf("%s: the window has %s with %d, %+v, the command line %+v", file, x.Track.Name, x.Len(), *f, w)
			continue
		}
		for i, g := range f.Gaps {
			if g.From != w.Gaps[i].From || g.To != w.Gaps[i].To {
				t.Errorf("%s: the window has a gap %+v, the command line %+v", file, g, w.Gaps[i])
			}
		}
	}
	return len(s.Pane.Time.Tracks)
}
