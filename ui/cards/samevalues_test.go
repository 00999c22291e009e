package cards_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/model"
	"cutaway/model/timeline"
	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
)

// pathsOf are the first nodes of a file's first tree that fit.
func pathsOf(t *testing.T, s *tab.Tab, most int, fits func(p *model.Place) bool) (paths []string) {
	t.Helper()
	err := model.Walk(t.Context(), s.Pane.Doc.Views[0].Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		if len(paths) < most && fits(p) {
			paths = append(paths, p.Path())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// cardOf selects a node and shows its first card of a kind, such as a Plot.
func cardOf(b *windowtest.Bench, s *tab.Tab, path, kind string) fyne.CanvasObject {
	b.Helper()
	if s.Pane.Current() == nil || s.Pane.Current().Path() != path {
		s.Pane.Nav.GoTo(path)
		b.At(s, path)
	}
	b.Idle()
	if !s.Pane.Stage.Has(kind) {
		b.Fatalf("%s of %s: the stage has %v", kind, path, s.Pane.Stage.Kinds())
	}
	s.Pane.Stage.Choose(kind)
	b.Idle()
	return s.Pane.Stage.Object.Objects[0]
}

// isLong reports whether a node is an array of several elements, which are numbers or not.
func isLong(numbers bool) func(p *model.Place) bool {
	return func(p *model.Place) bool {
		a, is := p.Node.Value.(model.Array)
		return is && a.Len() > 1 && (model.PackingOf(a).Number != model.NoNumber) == numbers
	}
}

// TestSameDistributions: how many values a histogram says that there are in each range is what the command line says.
func TestSameDistributions(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		ranges := 0
		for file, s := range eachNumbers(b) {
			for _, path := range pathsOf(t, s, 3, isLong(true)) {
				card := cardOf(b, s, path, "Plot")
				s.Pane.Frame.FullStage(true) // so that each range is a pixel wide
				b.W.Shell.Win.Canvas().Capture()
				windowtest.CheckIn(card, "Histogram").SetChecked(true)
				b.Idle()
				told := toldRanges(b, card)
				type distribution struct {
					From, Width number
					Counts      []int64
				}
				for k, d := range uitest.Printed[struct{ Histogram []*distribution }](t, "values", file+"#"+path)[0].Histogram {
					if d == nil || k >= 4 { // no finite value; a box that is not checked
						continue
					}
					for i, n := range d.Counts {
						from := float64(d.From) + float64(i)*float64(d.Width)
						want := fmt.Sprintf("%d: %d … %.7g", k, n, from)
						if ranges++; !slices.ContainsFunc(told, func(one toldRange) bool { return one.component == k && one.count == n && near(one.from, from) }) {
							t.Errorf("%s#%s: the histogram does not say %s, of %v", file, path, want, told)
						}
					}
				}
			}
		}
		if t.Logf("%d ranges", ranges); ranges < 300 {
			t.Errorf("only %d ranges", ranges)
		}
	})
}

// near reports whether two numbers are the same in 7 digits.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-7*max(math.Abs(a), math.Abs(b)) }

// toldRange is what a histogram says where the pointer is.
type toldRange struct {
	component int
	count     int64
	from      float64
}

var rangeText = regexp.MustCompile(`(?:\[(\d+)\] |([xyzuvrgb]) )?([\d,]+): (\S+) … `)

// toldRanges moves the pointer over a histogram, and returns what it says.
func toldRanges(b *windowtest.Bench, card fyne.CanvasObject) (list []toldRange) {
	b.Helper()
	for o := range windowtest.All(card) {
		chart, is := o.(desktop.Hoverable)
		if _, dragged := o.(fyne.Draggable); !is || !dragged {
			continue
		}
		for x := float32(0); x < o.Size().Width; x += 2 {
			chart.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, o.Size().Height/2)}})
			for _, m := range rangeText.FindAllStringSubmatch(windowtest.Words(card), -1) {
				var one toldRange
				if one.component, _ = strconv.Atoi(m[1]); m[2] != "" {
					one.component = map[string]int{"y": 1, "v": 1, "g": 1, "z": 2, "b": 2}[m[2]]
				}
				one.count, _ = strconv.ParseInt(strings.ReplaceAll(m[3], ",", ""), 10, 64)
				one.from, _ = strconv.ParseFloat(m[4], 64)
				if !slices.Contains(list, one) {
					list = append(list, one)
				}
			}
		}
	}
	return list
}

// shapeFiles are files of others with shapes, which may not be there.
var shapeFiles = []string{"../shared/corpus/udm/cube.pmdl_b", "../shared/corpus/udm/skybox_3.pmdl_b"}

// TestSameShapes: a shape has as many points and parts as the command line says.
func TestSameShapes(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		shapes := 0
		for _, name := range append(slices.Clone(numbersFiles), shapeFiles...) {
			file := filepath.Join("../..", name)
			if _, err := os.Stat(file); err != nil && slices.Contains(shapeFiles, name) {
				t.Logf("%s is not there", file)
				continue
			}
			s := b.Open(opening.Target{File: file})
			for _, path := range pathsOf(t, s, 4, func(p *model.Place) bool { return len(model.CardsOf[model.Shape](t.Context(), &p.Node)) > 0 }) {
				card := cardOf(b, s, path, "Shape")
				for _, want := range uitest.Printed[struct {
					Points, Parts int64
					Closed        bool
				}](t, "values", file+"#"+path) {
					text := model.GroupedCount(want.Points, "point")
					if want.Parts > 0 {
						text += ", " + model.GroupedCount(want.Parts, map[bool]string{true: "face", false: "line"}[want.Closed])
					}
					if shapes++; !strings.Contains(windowtest.Words(card), text) {
						t.Errorf("%s#%s: the window has %q, the command line %q", file, path, windowtest.Words(card), text)
					}
				}
			}
		}
		if t.Logf("%d shapes", shapes); shapes < 4 {
			t.Errorf("only %d shapes", shapes)
		}
	})
}

// textsOf is the texts of a list on the screen.
func textsOf(o fyne.CanvasObject) string {
	var texts []string
	for part := range windowtest.All(o) {
		if text, is := part.(*canvas.Text); is && text.Visible() && text.Text != "" {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, " ")
}

// TestSameFindings: gaps, what is out of order, jumps and drift are listed as the command line tells them.
func TestSameFindings(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		kinds := make(map[string]int)
		for _, name := range append(slices.Clone(numbersFiles), "testdata/vrs/index-stale.vrs", "testdata/vrs/pieces.vrs") {
			file := filepath.Join("../..", name)
			s := b.Open(opening.Target{File: file})
			b.Idle()
			if len(s.Pane.Time.Tracks) == 0 {
				continue
			}
			s.Pane.Time.ShowList()
			b.Until("the list of "+name, func() bool { return !strings.Contains(windowtest.Words(s.Pane.Time.Object), "looking for jumps") })
			var got []string
			for _, f := range s.Pane.Time.Findings() {
				kinds[f.What]++
				got = append(got, f.What+" | "+f.Of+" | "+f.Text)
			}
			want := printedFindings(t, file)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: the window lists\n%s\nthe command line\n%s", file, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		if t.Log(kinds); kinds["gap"] < 3 || kinds["drift"] < 2 || kinds["jump"] < 1 {
			t.Errorf("only %v", kinds)
		}
	})
}

// printedFindings is what the command line tells of the times of a file, in the words of the window.
func printedFindings(t *testing.T, file string) (list []string) {
	t.Helper()
	unit := map[string]string{".vrs": "s"}[filepath.Ext(file)] // others have times of their own
	add := func(found ...timeline.Finding) {
		for _, f := range found {
			list = append(list, f.What+" | "+f.Of+" | "+f.Text)
		}
	}
	for _, l := range uitest.Printed[struct {
		Track           string
		Count           int64
		Gaps, Unordered []timeline.Gap
		Jumps           []struct {
			Field, Path string
			From, To    json.Number
		}
	}](t, "timeline", file) {
		var jumps []timeline.Jump
		for _, j := range l.Jumps {
			jumps = append(jumps, timeline.Jump{Field: j.Field, From: model.Text(j.From), To: model.Text(j.To), Path: j.Path})
		}
		if l.Count > 0 {
			add((&timeline.Facts{Track: &model.Track{Name: l.Track, Unit: unit}, Gaps: l.Gaps, Unordered: l.Unordered, Jumps: jumps}).Findings()...)
		}
	}
	for _, l := range uitest.Printed[struct {
		Track, Other           string
		Pairs                  int64
		Offset, Drift, Largest float64
	}](t, "timeline", "--drift", "all", file) {
		add((&timeline.Drift{A: &model.Track{Name: l.Track}, B: &model.Track{Name: l.Other}, Pairs: l.Pairs, Offset: l.Offset, Rate: l.Drift, Largest: l.Largest}).Finding())
	}
	return list
}

// TestSameTexts: the distinct texts of an array are listed with the numbers of the command line.
func TestSameTexts(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		count := 0
		for file, s := range eachNumbers(b) {
			for _, path := range pathsOf(t, s, 4, isLong(false)) {
				card := cardOf(b, s, path, "Table")
				box := windowtest.CheckIn(card, "Distinct")
				if box == nil { // a table of the decoder's own
					continue
				}
				box.SetChecked(true)
				b.Idle()
				list := windowtest.First[*treeview.Tree](card)
				b.W.Shell.Win.Canvas().Capture()
				lines := uitest.Printed[struct {
					Value        string
					Count, First int64
				}](t, "values", "--distinct", file+"#"+path)
				total := int64(0)
				for _, l := range lines {
					total += l.Count
				}
				if list.Rows() != int64(len(lines)) {
					t.Errorf("%s#%s: the window lists %d texts, the command line %d", file, path, list.Rows(), len(lines))
				}
				for i, l := range lines {
					if _, _, inSight := list.RowRect(int64(i)); !inSight {
						break
					}
					count++
					want := strings.TrimSpace(fmt.Sprintf("%s %.1f %% %s %s", model.Grouped(l.Count), 100*float64(l.Count)/float64(total), model.Grouped(l.First), l.Value))
					if got := textsOf(list); !strings.Contains(got, want) {
						t.Errorf("%s#%s: the window lists %q, the command line %q", file, path, got, want)
					}
				}
			}
		}
		if t.Logf("%d texts", count); count < 10 {
			t.Errorf("only %d texts", count)
		}
	})
}
