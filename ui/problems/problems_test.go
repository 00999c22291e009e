package problems_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/uitest"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/problems"
	"cutaway/ui/treeview"
)

// brokenDoc is a document of n rows of 8 bytes below a part that is decoded when it is opened; every row has a problem.
// The check goes on when step says so; nil: at once.
func brokenDoc(n int64, step chan struct{}) *model.Document {
	const size = 8
	src := model.NewFileSource("broken", uitest.Zeros(n*size+size))
	kinds := []model.Kind{model.Assumed, model.Suspicious, model.Malformed, model.Truncated}
	head := model.Node{Name: "head", Spans: []model.Span{src.Span(0, size)}}
	head.Problems = []model.Problem{model.Problemf(model.Malformed, "fake.head", src.Span(2, 1), "the head is wrong")}
	rows := model.FixedRows(src, size, size, n, func(_ context.Context, i int64) model.Node {
		node := model.Node{Name: model.IndexName(i), Spans: []model.Span{src.Span(size+i*size, size)}}
		node.Problems = []model.Problem{model.Problemf(kinds[i%4], fmt.Sprintf("fake.rule%d", i%3), node.Spans[0], "row %d is wrong", i)}
		return node
	})
	part := model.Node{Name: "part", Spans: []model.Span{src.Span(size, n*size)}, Children: model.NewLazy(
		func(context.Context, model.Progress) (model.Children, error) { return rows, nil })}
	children := model.NewList(head, part)
	doc := &model.Document{Format: "broken", Title: "Broken", Sources: []*model.Source{src}, Views: []*model.View{{Name: model.LayoutView, Of: src,
		Root: func(context.Context) model.Node {
			return model.Node{Name: "broken", Spans: []model.Span{src.Whole()}, Children: children}
		}}}}
	doc.Check = func(ctx context.Context, progress model.Progress, report func(string, model.Problem)) error {
		for i := range 3 {
			if step != nil {
				select {
				case <-step:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			report("layout/head", model.Problemf(model.Suspicious, "fake.late", src.Span(int64(i), 1), "late %d", i))
			progress.Report(int64(i), 4, "steps")
		}
		return nil
	}
	return doc
}

func broken(b *windowtest.Bench, n int64, step chan struct{}) *tab.Tab {
	b.W.Shell.Uncounted = true // only the checks take steps
	s := b.W.Add(opening.Subject{File: "broken"})
	s.Show(brokenDoc(n, step))
	b.Until("the head's problem", func() bool { return len(s.Pane.Lists.Problems.Found) >= 1 })
	s.Pane.Lists.Show(document.ListProblems)
	b.Until("its row", func() bool { return len(s.Pane.Lists.Problems.Listed) >= 1 })
	return s
}

// column is what a column of the list shows.
func column(p *problems.Pane, k int) []string {
	var texts []string
	for _, one := range p.Listed {
		texts = append(texts, problems.Row{LocatedProblem: one}.Cells()[k])
	}
	return texts
}

// TestProblemList: the list is ordered by any column, both ways, and filtered by severity and text; rows are copied.
func TestProblemList(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := broken(b, 12, nil)
		p := s.Pane.Lists.Problems
		if !p.CheckButton.Visible() || p.State.Text != "of what is decoded so far" {
			t.Errorf("state %q", p.State.Text)
		}
		test.Tap(p.CheckButton)
		b.Until("the check", func() bool { return s.Pane.Lists.Problems.Whole })
		shown := func(n int) {
			t.Helper()
			b.Until(fmt.Sprintf("%d rows", n), func() bool { return !p.Listing && len(p.Listed) == n })
		}
		shown(16)
		if p.CheckButton.Visible() || p.CancelButton.Visible() || p.State.Text != "everything is checked" || p.Show[model.Error].Text != "7 errors" {
			t.Errorf("state %q, %q", p.State.Text, p.Show[model.Error].Text)
		}
		if k := column(p, problems.ByKind); k[0] != "malformed" || k[15] != "assumed" {
			t.Errorf("kinds %q", k)
		}
		settle := func() { b.Until("the order", func() bool { return !p.Listing }) }
		const source = problems.ByNode + 1
		if row := p.Data.Row(p.Data.Top()[0]); row.Cells[source] != "" || p.List.Widths()[source] != 0 {
			t.Errorf("all are of the file, and the list says so of each: %q", row.Cells)
		}
		p.List.OnTitle(problems.ByNode)
		settle()
		if k := column(p, problems.ByNode); k[0] != "layout/head" || k[4] != "layout/part/[0]" || k[15] != "layout/part/[11]" || k[6] != "layout/part/[2]" {
			t.Errorf("nodes %q", k)
		}
		p.List.OnTitle(problems.ByOffset)
		settle()
		up := column(p, problems.ByOffset)
		p.List.OnTitle(problems.ByOffset)
		settle()
		down := column(p, problems.ByOffset)
		if up[0] != "0x0" || down[0] != "0x60" || up[15] != "0x60" {
			t.Errorf("offsets %q and %q", up, down)
		}
		p.Show[model.Error].SetChecked(false)
		p.Show[model.Note].SetChecked(false)
		shown(6)
		p.Filter.SetText("LATE 1")
		shown(1)
		p.List.SelectIndex(0, false)
		b.At(s, "layout/head")
		p.List.TypedShortcut(&fyne.ShortcutCopy{Clipboard: b.W.Shell.App.Clipboard()})
		if got := b.W.Shell.App.Clipboard().Content(); got != "warning\tlate 1\tsuspicious\tlayout/head\tbroken\t0x1\tfake.late" {
			t.Errorf("copied %q", got)
		}
		p.Filter.SetText("none of this")
		shown(0)
		if !strings.Contains(windowtest.Texts(p.Body), "No problem fits the filter.") {
			t.Errorf("says %q", windowtest.Texts(p.Body))
		}
		p.Filter.SetText("")
		p.Show[model.Error].SetChecked(true)
		p.Show[model.Note].SetChecked(true)
		shown(16)
		p.CopyAll()
		if lines := strings.Split(b.W.Shell.App.Clipboard().Content(), "\n"); len(lines) != 18 || !strings.HasPrefix(lines[0], "severity\tproblem\t") {
			t.Errorf("%d lines", len(lines))
		}
	})
}

// TestHelpStays: where there is little room, the general hint gives way, but not what is said of the selected problem.
func TestHelpStays(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := broken(b, 12, nil)
		p := s.Pane.Lists.Problems
		p.Check()
		b.Until("the check", func() bool { return p.Whole && len(p.Listed) == 16 })
		s.Pane.Lists.Show(document.ListProblems)
		p.Object().Resize(fyne.NewSize(600, 106))
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject
		if y := at(p.Help).Y; y > 0 {
			t.Errorf("the general hint is at %.0f", y)
		}
		p.List.SelectIndex(0, false)
		if from, list := at(p.Help).Y, at(p.List).Y; from < list+p.List.Size().Height-10 || p.List.Size().Height < 40 {
			t.Errorf("what is said of the problem is at %.0f, the list at %.0f, %.0f high", from, list, p.List.Size().Height)
		}
		p.Object().Resize(fyne.NewSize(600, 60))
		if y := at(p.Help).Y; y > 0 {
			t.Errorf("with no room for a row it is at %.0f", y)
		}
	})
}

// TestGoToProblem: a problem leads to its node and to its bytes, with the keyboard in the list until Enter.
func TestGoToProblem(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := broken(b, 12, nil)
		s.Pane.Lists.Problems.Check()
		b.Until("the check", func() bool { return s.Pane.Lists.Problems.Whole && len(s.Pane.Lists.Problems.Listed) == 16 })
		p := s.Pane.Lists.Problems
		b.W.Shell.Focus(p.List)
		at := rowOf(p, "fake.head")
		p.List.SelectIndex(int64(at), false)
		b.At(s, "layout/head")
		b.Until("the bytes", func() bool { off, n := s.Pane.Hex.Shown.View.Selection(); return off == 2 && n == 1 })
		if b.W.Shell.Win.Canvas().Focused() != p.List || p.Help.Text != "The head is wrong  at 0x2 in broken  [fake.head]" {
			t.Error("the keyboard has left the list")
		}
		p.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		b.Until("the keyboard", func() bool { return b.W.Shell.Win.Canvas().Focused() == s.Pane.Trees.Tree(s.Pane.Trees.View()) })
		p.SortBy(problems.ByRule)
		b.Until("the order", func() bool { return !p.Listing })
		if it, ok := p.List.Selection.Item().(*treeview.Twig[problems.Row]); !ok || it.One.Rule != "fake.head" {
			t.Error("the selected problem is lost")
		}
		if s.Pane.Lists.Problems.Marks.Below("layout/part/[3]") != treeview.Error || s.Pane.Lists.Problems.Marks.Below("layout/part/[0]") != treeview.Note || s.Pane.Lists.Problems.Marks.Below("layout") != treeview.Error {
			t.Error("wrong marks")
		}
	})
}

// TestCheckStreams: problems are listed and marked while the check runs; when it is cancelled, they stay, also when more
// becomes known.
func TestCheckStreams(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		step := make(chan struct{})
		b.W.Shell.Store.CheckLimit = -1 // nothing else decodes it
		s := broken(b, 40, step)
		p := s.Pane.Lists.Problems
		s.Pane.Nav.GoTo("layout/part")
		b.At(s, "layout/part")
		b.Until("the details", func() bool { return strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), "not decoded yet") })
		s.Pane.Lists.Problems.Check()
		b.Until("the first problems", func() bool { return len(p.Listed) == 41 })
		if s.Pane.Lists.Problems.Whole || !p.CancelButton.Visible() || p.CheckButton.Visible() || s.Pane.Lists.Problems.Marks.Below("layout/part/[2]") == treeview.Sound {
			t.Error("not shown while it runs")
		}
		step <- struct{}{}
		b.Until("one more", func() bool { return len(p.Listed) == 42 })
		step <- struct{}{}
		b.Until("progress", func() bool { return p.State.Text == "checking… 25 %" })
		s.Pane.Lists.Problems.Check() // runs already
		test.Tap(p.CancelButton)
		b.Until("the end", func() bool { return s.Pane.Lists.Problems.Running == nil })
		b.Idle()
		if s.Pane.Lists.Problems.Whole || len(s.Pane.Lists.Problems.Found) != 43 || p.State.Text != "the check was cancelled" || !p.CheckButton.Visible() {
			t.Errorf("%d problems are kept, %q", len(s.Pane.Lists.Problems.Found), p.State.Text)
		}
		s.Pane.Decoded()
		b.Idle()
		if len(s.Pane.Lists.Problems.Found) != 43 {
			t.Errorf("%d problems after another look", len(s.Pane.Lists.Problems.Found))
		}
		if !strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), "40 parts") {
			t.Error("the details still say that the node is not decoded")
		}
	})
}

// TestDetailsResolve: the details follow when the node that they show is opened.
func TestDetailsResolve(t *testing.T) {
	windowtest.Run(t, func(_ *testing.T, b *windowtest.Bench) {
		b.W.Shell.Store.CheckLimit = -1 // nothing else decodes it
		s := broken(b, 40, nil)
		s.Pane.Nav.GoTo("layout/part")
		b.At(s, "layout/part")
		b.Until("the details", func() bool { return strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), "not decoded yet") })
		s.Pane.Trees.Tree(s.Pane.Trees.View()).TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		b.Until("its parts", func() bool { return strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), "40 parts") })
	})
}

// TestDetailsUnit: the details tell a number with the unit that its tree shows it with.
func TestDetailsUnit(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		const record = "streams/999-1/data/[0]"
		s := b.Open(opening.Target{File: "../../testdata/vrs/index-in-front.vrs", Path: record})
		b.At(s, record)
		b.Idle()
		if got := windowtest.Texts(s.Pane.Side.Card.Rows); !strings.Contains(got, "at 1 s") {
			t.Errorf("%s", got)
		}
	})
}

// TestReportOfFault: the details of a fault of the program offer its stack, and do not show it.
func TestReportOfFault(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := broken(b, 1, nil)
		node := model.Node{Name: "x", Problems: []model.Problem{{Rule: "cutaway.fault", Message: "oh no", Stack: "main.go:7"}}}
		row := b.CardRow(s, &model.Place{Node: node, Parent: s.Pane.Current()}, "")
		if len(row.Links) != 1 || strings.Contains(row.Text, "main.go") {
			t.Fatalf("%+v", row)
		}
		row.Links[0].Tap()
		if text := b.W.Shell.App.Clipboard().Content(); text != "oh no  [cutaway.fault]\n\nmain.go:7" {
			t.Errorf("%q is copied", text)
		}
	})
}

// TestManyProblems: 100,000 problems are picked and ordered beside the window, and the list makes few rows.
func TestManyProblems(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		const n = 100_000
		s := broken(b, n, nil)
		p := s.Pane.Lists.Problems
		show, made := p.Data.Show, atomic.Int64{}
		p.Data.Show = func(one problems.Row) treeview.Row {
			made.Add(1)
			return show(one)
		}
		s.Pane.Lists.Problems.Check()
		b.Until("the end", func() bool { return s.Pane.Lists.Problems.Whole && !p.Listing && len(p.Listed) == n+4 })
		for _, do := range []func(){func() { p.SortBy(problems.ByNode) }, func() { p.Filter.SetText("row 9999") }, func() { p.Show[model.Note].SetChecked(false) }} {
			before := &p.Listed[0]
			do()
			if !p.Listing || &p.Listed[0] != before {
				t.Error("the window waits for the list")
			}
			b.Until("the list", func() bool { return !p.Listing })
		}
		p.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		if len(p.Listed) != 9 { // 9999, 99990 … 99999 without every fourth
			t.Errorf("%d rows", len(p.Listed))
		}
		if made.Load() > 1000 {
			t.Errorf("%d rows were made", made.Load())
		}
	})
}

// TestProblemOfMember: a check looks at the other members of a package too; a problem in one is listed with its name, marks no
// bytes of the package, and Enter on it opens the member there.
func TestProblemOfMember(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		pkg, err := os.ReadFile("../../testdata/usdc/several.usdz")
		if err != nil {
			t.Fatal(err)
		}
		look := bytes.Index(pkg, []byte("#usda 1.0"))
		copy(pkg[look+bytes.Index(pkg[look:], []byte("def ")):], "dxf ")
		file := filepath.Join(t.TempDir(), "broken.usdz")
		if err := os.WriteFile(file, pkg, 0o600); err != nil {
			t.Fatal(err)
		}
		s := b.Open(opening.Target{File: file})
		p := s.Pane.Lists.Problems
		s.Pane.Lists.Show(document.ListProblems)
		b.Until("its check", func() bool { return p.Whole })
		b.Idle()
		at := slices.IndexFunc(p.Data.Top(), func(t *treeview.Twig[problems.Row]) bool { return t.One.Member == "look.usda" })
		if at < 0 {
			t.Fatalf("the problems are of %q", column(p, problems.ByNode))
		}
		one := p.Data.Top()[at].One
		flaws := s.Pane.Hex.Shown.FlawsIn(nil, one.Span.Off, one.Span.Off+1)
		if where := one.Where(); where != "[look.usda]#"+one.Path || len(flaws) > 0 {
			t.Errorf("it is at %s, and marks %v in the package's own bytes", where, flaws)
		}
		if p.List.OnSelected(p.Data.Top()[at]); b.W.Active != s || !strings.HasPrefix(p.Help.Text, "Enter opens look.usda in a tab") {
			t.Errorf("the choice of it opens a tab, or does not say what Enter does: %q", p.Help.Text)
		}
		p.List.OnChosen(p.Data.Top()[at])
		b.Until("the member", func() bool { return b.W.Active != s && b.W.Active.Pane != nil && b.W.Active.Pane.Current() != nil })
		b.At(b.W.Active, one.Path)
	})
}

// TestProblemOfFirstLayer: what only the check of a package's first layer sees is listed with that layer, and its choice
// goes to the node in the package's own tree.
func TestProblemOfFirstLayer(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		file := filepath.Join(t.TempDir(), "damaged.usdz")
		var pkg bytes.Buffer
		z := zip.NewWriter(&pkg)
		layer, err := z.CreateHeader(&zip.FileHeader{Name: "model.usda", Method: zip.Store})
		if err == nil {
			_, err = layer.Write([]byte("#usda 1.0\ndef Shader \"S\"\n{\n    float inputs:roughness = undefined\n}\n"))
		}
		if err = errors.Join(err, z.Close(), os.WriteFile(file, pkg.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		s := b.Open(opening.Target{File: file})
		p := s.Pane.Lists.Problems
		s.Pane.Lists.Show(document.ListProblems)
		b.Until("its check", func() bool { return p.Whole })
		b.Idle()
		const path = "scene/S/.inputs:roughness/default"
		at := slices.IndexFunc(p.Data.Top(), func(t *treeview.Twig[problems.Row]) bool { return t.One.Where() == "[model.usda]#"+path })
		if at < 0 {
			t.Fatalf("the problems are of %q", column(p, problems.ByNode))
		}
		if p.List.OnChosen(p.Data.Top()[at]); b.W.Active != s {
			t.Error("the choice of it opens a tab")
		}
		b.At(s, path)
	})
}

// rowOf returns the number of the row with a rule.
func rowOf(p *problems.Pane, rule string) int {
	return slices.IndexFunc(p.Data.Top(), func(t *treeview.Twig[problems.Row]) bool { return t.One.Rule == rule })
}

// texts returns what the list shows of a column, from its first row on.
func texts(p *problems.Pane, k int) (list []string) {
	var walk func(it treeview.Item)
	walk = func(it treeview.Item) {
		n, _ := p.Data.Count(it)
		for i := range n {
			kid := p.Data.Child(it, i)
			list = append(list, p.Data.Row(kid).Cells[k])
			walk(kid)
		}
	}
	walk(p.Data.Root())
	return list
}

// TestSameGroups: the list has the groups of check --fold, each with as many problems, and below those that they follow from.
func TestSameGroups(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		equal, follow := 0, 0
		for _, file := range []string{"../../testdata/usdc/x-section-missing.usdc", "../../testdata/vrs/damaged-record-size-too-large.vrs", "../../testdata/udm/x-cut-in-half.udm_b"} {
			s := b.Open(opening.Target{File: file})
			p := s.Pane.Lists.Problems
			b.Until("the check", func() bool { return p.Whole && !p.Listing })
			b.Idle()
			type group struct {
				Rule           string
				Count          int
				Group, Because int
			}
			var want, got []string
			rules := map[int]string{}
			for _, l := range uitest.Printed[struct{ Problems []group }](t, "check", "--fold", file) {
				for _, g := range l.Problems {
					rules[g.Group] = g.Rule
				}
				for _, g := range l.Problems {
					want = append(want, fmt.Sprint(rules[g.Because], " ", g.Count, " ", g.Rule))
				}
			}
			var walk func(t *treeview.Twig[problems.Row], above string)
			walk = func(t *treeview.Twig[problems.Row], above string) {
				for _, kid := range t.Kids {
					if n := len(kid.One.Equal); n > 0 {
						if n > 1 {
							equal++
						}
						if above != "" {
							follow++
						}
						got = append(got, fmt.Sprint(above, " ", n, " ", kid.One.Rule))
						walk(kid, kid.One.Rule)
					}
				}
			}
			walk(p.Data.Root().(*treeview.Twig[problems.Row]), "")
			slices.Sort(want)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s: the window has %q, the command line %q", file, got, want)
			}
		}
		if equal < 1 || follow < 1 {
			t.Errorf("%d groups of equal problems, %d that follow", equal, follow)
		}
	})
}

// TestFolded: equal problems are one row with their number and first places, which opens to all; those that follow from another are
// below it. The status line counts them apart. What is open stays open when the list is made anew.
func TestFolded(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		doc := brokenDoc(4, nil)
		src := doc.Sources[0]
		root := doc.Views[0].Root
		doc.Views[0].Root = func(ctx context.Context) model.Node {
			n := root(ctx)
			for i := range 3 {
				p := model.Problemf(model.Suspicious, "fake.follows", src.Span(int64(16+i), 1), "%d is not named", i)
				p.Because = src.Span(0, 8)
				n.Problems = append(n.Problems, p)
			}
			for i := range 5 {
				n.Problems = append(n.Problems, model.Problemf(model.Assumed, "fake.equal", src.Span(int64(24+i), 1), "\"%d\" is odd", i))
			}
			return n
		}
		s := b.W.Add(opening.Subject{File: "broken"})
		s.Show(doc)
		b.Idle()
		p := s.Pane.Lists.Problems
		p.Check()
		b.Until("the check", func() bool { return p.Whole && !p.Listing })
		b.Idle()
		if len(p.Listed) != len(p.Found) || !strings.Contains(b.W.Status.Verdict.Text, ", 3 follow") {
			t.Errorf("%d of %d fit, the status is %q", len(p.Listed), len(p.Found), b.W.Status.Verdict.Text)
		}
		want := []string{"the head is wrong  ·  3 follow from it", "3 × 0 is not named", "0 is not named", "1 is not named", "2 is not named", "row 2 is wrong", "row 3 is wrong",
			"3 × late 0", "late 0", "late 1", "late 2", "row 1 is wrong", "5 × \"0\" is odd", "\"0\" is odd", "\"1\" is odd", "\"2\" is odd", "\"3\" is odd", "\"4\" is odd", "row 0 is wrong"}
		if got := texts(p, problems.ByText); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) || !slices.Equal(got[:5], want[:5]) {
			t.Errorf("the list has %q, want %q", got, want)
		}
		at := rowOf(p, "fake.equal")
		if where := p.Data.Row(p.Data.Top()[at]).Cells[problems.ByNode]; where != "layout, layout, layout and 2 more" {
			t.Errorf("the equal ones are at %q", where)
		}
		b.W.Shell.Focus(p.List)
		p.List.SelectIndex(int64(at), false)
		b.Idle()
		closed := p.List.Rows()
		p.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		p.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		p.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		b.Until("the second", func() bool { off, n := s.Pane.Hex.Shown.View.Selection(); return off == 25 && n == 1 })
		p.SortBy(problems.ByRule)
		b.Until("the order", func() bool { return !p.Listing })
		if p.List.Rows() != closed+5 {
			t.Errorf("%d rows are shown, %d before it was opened", p.List.Rows(), closed)
		}
		p.Show[model.Error].SetChecked(false)
		b.Until("no errors", func() bool { return !p.Listing })
		if at := rowOf(p, "fake.follows"); at < 0 {
			t.Error("what follows from a problem that is not listed is not listed either")
		}
	})
}
