package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
	"cutaway/ui/treeview"
)

// brokenDoc is a document of n rows of 8 bytes below a part that is decoded when it is opened; every row has a problem.
// The check goes on when step says so; nil: at once.
func brokenDoc(n int64, step chan struct{}) *model.Document {
	const size = 8
	src := model.NewFileSource("broken", zeros(n*size+size))
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

func (b *bench) broken(n int64, step chan struct{}) *session {
	s := newSession(b.w, "broken")
	b.w.add(s)
	s.adopt(brokenDoc(n, step), nil)
	b.until("the head's problem", func() bool { return len(s.problems) == 1 })
	s.details.choose(tabProblems)
	b.until("its row", func() bool { return len(s.details.problems.data.All()) == 1 })
	return s
}

// column is what a column of the list shows.
func (p *problemsPane) column(k int) []string {
	var texts []string
	for _, one := range p.data.All() {
		texts = append(texts, problemCells(one)[k])
	}
	return texts
}

// TestProblemList: the list is ordered by any column, both ways, and filtered by severity and text; rows are copied.
func TestProblemList(t *testing.T) { synctest.Test(t, testProblemList) }

func testProblemList(t *testing.T) {
	b := newBench(t)
	s := b.broken(12, nil)
	p := s.details.problems
	if !p.check.Visible() || p.state.Text != "of what is decoded so far" {
		t.Errorf("state %q", p.state.Text)
	}
	test.Tap(p.check)
	b.until("the check", func() bool { return s.checked })
	shown := func(n int) {
		t.Helper()
		b.until(fmt.Sprintf("%d rows", n), func() bool { return !p.listing && len(p.data.All()) == n })
	}
	shown(16)
	if p.check.Visible() || p.cancel.Visible() || p.state.Text != "everything is checked" || p.show[model.Error].Text != "7 errors" {
		t.Errorf("state %q, %q", p.state.Text, p.show[model.Error].Text)
	}
	if k := p.column(byKind); k[0] != "malformed" || k[15] != "assumed" {
		t.Errorf("kinds %q", k)
	}
	settle := func() { b.until("the order", func() bool { return !p.listing }) }
	p.list.OnTitle(byNode)
	settle()
	if k := p.column(byNode); k[0] != "layout/head" || k[4] != "layout/part/[0]" || k[15] != "layout/part/[11]" || k[6] != "layout/part/[2]" {
		t.Errorf("nodes %q", k)
	}
	p.list.OnTitle(byOffset)
	settle()
	up := p.column(byOffset)
	p.list.OnTitle(byOffset)
	settle()
	down := p.column(byOffset)
	if up[0] != "0x0" || down[0] != "0x60" || up[15] != "0x60" {
		t.Errorf("offsets %q and %q", up, down)
	}
	p.show[model.Error].SetChecked(false)
	p.show[model.Note].SetChecked(false)
	shown(6)
	p.filter.SetText("LATE 1")
	shown(1)
	p.list.SelectIndex(0, false)
	b.at(s, "layout/head")
	p.list.TypedShortcut(&fyne.ShortcutCopy{Clipboard: b.w.App.Clipboard()})
	if got := b.w.App.Clipboard().Content(); got != "warning\tsuspicious\tlate 1\tlayout/head\tbroken\t0x1\tfake.late" {
		t.Errorf("copied %q", got)
	}
	p.filter.SetText("none of this")
	shown(0)
	if !strings.Contains(texts(p.body), "No problem fits the filter.") {
		t.Errorf("says %q", texts(p.body))
	}
	p.filter.SetText("")
	p.show[model.Error].SetChecked(true)
	p.show[model.Note].SetChecked(true)
	shown(16)
	p.copyAll()
	if lines := strings.Split(b.w.App.Clipboard().Content(), "\n"); len(lines) != 18 || !strings.HasPrefix(lines[0], "severity\tkind\t") {
		t.Errorf("%d lines", len(lines))
	}
}

// TestGoToProblem: a problem leads to its node and to its bytes, with the keyboard in the list until Enter.
func TestGoToProblem(t *testing.T) { synctest.Test(t, testGoToProblem) }

func testGoToProblem(t *testing.T) {
	b := newBench(t)
	s := b.broken(12, nil)
	s.Check()
	b.until("the check", func() bool { return s.checked && len(s.details.problems.data.All()) == 16 })
	p := s.details.problems
	b.w.Focus(p.list)
	at := slices.IndexFunc(p.data.All(), func(one *model.LocatedProblem) bool { return one.Rule == "fake.head" })
	p.list.SelectIndex(int64(at), false)
	b.at(s, "layout/head")
	b.until("the bytes", func() bool { off, n := s.hex.shown.view.Selection(); return off == 2 && n == 1 })
	if b.w.Win.Canvas().Focused() != p.list || p.help.Text != "fake.head" {
		t.Error("the keyboard has left the list")
	}
	p.list.OnChosen(int64(at))
	b.until("the keyboard", func() bool { return b.w.Win.Canvas().Focused() == s.tree(s.view) })
	p.sortBy(byRule)
	b.until("the order", func() bool { return !p.listing })
	if it, ok := p.list.Selected().(int64); !ok || p.data.All()[it].Rule != "fake.head" {
		t.Error("the selected problem is lost")
	}
	if s.marks.Below("layout/part/[3]") != treeview.Error || s.marks.Below("layout/part/[0]") != treeview.Note || s.marks.Below("layout") != treeview.Error {
		t.Error("wrong marks")
	}
}

// TestCheckStreams: problems are listed and marked while the check runs; when it is cancelled, they stay, also when more
// becomes known.
func TestCheckStreams(t *testing.T) { synctest.Test(t, testCheckStreams) }

func testCheckStreams(t *testing.T) {
	b := newBench(t)
	step := make(chan struct{})
	s := b.broken(40, step)
	p := s.details.problems
	s.GoTo("layout/part")
	b.at(s, "layout/part")
	b.until("the details", func() bool { return strings.Contains(texts(s.details.rows), "not decoded yet") })
	s.Check()
	b.until("the first problems", func() bool { return len(p.data.All()) == 41 })
	if s.checked || !p.cancel.Visible() || p.check.Visible() || s.marks.Below("layout/part/[2]") == treeview.Sound {
		t.Error("not shown while it runs")
	}
	step <- struct{}{}
	b.until("one more", func() bool { return len(p.data.All()) == 42 })
	step <- struct{}{}
	b.until("progress", func() bool { return p.state.Text == "checking… 25 %" })
	s.Check() // runs already
	test.Tap(p.cancel)
	b.until("the end", func() bool { return s.checking == nil })
	b.idle()
	if s.checked || len(s.problems) != 43 || p.state.Text != "the check was cancelled" || !p.check.Visible() {
		t.Errorf("%d problems are kept, %q", len(s.problems), p.state.Text)
	}
	s.moreKnown()
	b.idle()
	if len(s.problems) != 43 {
		t.Errorf("%d problems after another look", len(s.problems))
	}
	if !strings.Contains(texts(s.details.rows), "40 parts") {
		t.Error("the details still say that the node is not decoded")
	}
}

// TestDetailsResolve: the details follow when the node that they show is opened.
func TestDetailsResolve(t *testing.T) { synctest.Test(t, testDetailsResolve) }

func testDetailsResolve(t *testing.T) {
	b := newBench(t)
	s := b.broken(40, nil)
	s.GoTo("layout/part")
	b.at(s, "layout/part")
	b.until("the details", func() bool { return strings.Contains(texts(s.details.rows), "not decoded yet") })
	s.tree(s.view).TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	b.until("its parts", func() bool { return strings.Contains(texts(s.details.rows), "40 parts") })
}

// TestManyProblems: 100,000 problems are picked and ordered beside the window, and the list makes few rows.
func TestManyProblems(t *testing.T) { synctest.Test(t, testManyProblems) }

func testManyProblems(t *testing.T) {
	b := newBench(t)
	const n = 100_000
	s := b.broken(n, nil)
	p := s.details.problems
	show, made := p.data.Show, atomic.Int64{}
	p.data.Show = func(one *model.LocatedProblem) treeview.Row {
		made.Add(1)
		return show(one)
	}
	s.Check()
	b.until("the end", func() bool { return s.checked && !p.listing && len(p.data.All()) == n+4 })
	for _, do := range []func(){func() { p.sortBy(byNode) }, func() { p.filter.SetText("row 9999") }, func() { p.show[model.Note].SetChecked(false) }} {
		before := &p.data.All()[0]
		do()
		if !p.listing || &p.data.All()[0] != before {
			t.Error("the window waits for the list")
		}
		b.until("the list", func() bool { return !p.listing })
	}
	p.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if len(p.data.All()) != 9 { // 9999, 99990 … 99999 without every fourth
		t.Errorf("%d rows", len(p.data.All()))
	}
	if made.Load() > 1000 {
		t.Errorf("%d rows were made", made.Load())
	}
}

func TestMerged(t *testing.T) {
	at := func(path string, off int64) model.LocatedProblem {
		return model.LocatedProblem{Path: path, Problem: model.Problem{Rule: "r", Span: model.Span{Off: off}}}
	}
	kept := []model.LocatedProblem{at("a", 1), at("b", 2)}
	if got := merged(kept, []model.LocatedProblem{at("b", 2), at("b", 3)}); len(got) != 3 || got[2] != at("b", 3) || len(kept) != 2 {
		t.Errorf("%v", got)
	}
	if got := merged(nil, kept); len(got) != 2 {
		t.Errorf("%v", got)
	}
}
