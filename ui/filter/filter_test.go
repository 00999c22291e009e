package filter_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/ui/filter"
	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
)

// rowsOf lists the paths of the rows below an item as the tree has them.
func rowsOf(d treeview.Data, it treeview.Item, indent string) []string {
	rows := []string{indent + filter.PlaceOf(it).Path()}
	if d.Pending(it) {
		return rows
	}
	n, _ := d.Count(it)
	for i := range min(n, 50) {
		rows = append(rows, rowsOf(d, d.Child(it, i), indent+" ")...)
	}
	return rows
}

// TestFilterRows: matches and those above them are shown, in the order of the tree, open; nothing else.
func TestFilterRows(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		for _, c := range []struct {
			view  int
			text  string
			want  string
			label string
		}{
			{0, "lamp", "scene scene/Lamp", "1 of 4"},
			{0, "a", "scene scene/Lamp scene/Shade", "2 of 4"},
			{0, "nowhere", "scene", "0 of 4"},
			{1, "magic", "layout layout/header layout/header/magic", "1 of"},
			{1, "type:filler", "layout layout/gap layout/rest", "2 of"},
			{1, "98..", "layout layout/table layout/table/[98] layout/table/[99]", "2 of"},
		} {
			s.Pane.Trees.Views.Choose(c.view)
			f := b.FilterBy(s, c.text)
			if got := strings.Join(windowtest.ShownRows(f.Data.Root()), " "); got != c.want {
				t.Errorf("%q leaves %s, want %s", c.text, got, c.want)
			}
			if n := int64(len(strings.Fields(c.want))); f.Tree.Rows() != n {
				t.Errorf("%q: %d rows are open, want %d", c.text, f.Tree.Rows(), n)
			}
			if !f.Data.Row(f.Data.Root()).Dim {
				t.Errorf("%q: the root looks like a match, or does not", c.text)
			}
			if got := s.Pane.Trees.Filters.Note.Text; !strings.HasPrefix(got, c.label) {
				t.Errorf("%q is said to leave %q, want %q", c.text, got, c.label)
			}
			if s.Pane.Trees.TreeBox.Objects[0] != f.Tree {
				t.Errorf("%q: the filtered tree is not shown", c.text)
			}
		}
		if f := s.Pane.Trees.Filters.Views["scene"]; f.Text != "nowhere" || s.Pane.Trees.Front(f.View) != f.Tree {
			t.Error("the other view has lost its filter")
		}
		s.Pane.Trees.Views.Choose(0)
		if s.Pane.Trees.Filters.Entry.Text != "nowhere" {
			t.Errorf("the entry says %q in the other view", s.Pane.Trees.Filters.Entry.Text)
		}
	})
}

// TestFilterEndsWithItsDocument: what was typed just before another document came is not looked for in the old one, and
// what runs for the old one ends.
func TestFilterEndsWithItsDocument(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		old, shown := s.Pane.Trees.Filters, s.Pane.Ctx
		old.Entry.SetText("header")
		s.Show(doc.Document)
		if shown.Err() == nil {
			t.Error("what ran for the old document goes on")
		}
		time.Sleep(2 * filter.FilterAfter)
		b.Idle()
		for name, f := range old.Views {
			if f.Run != nil {
				t.Errorf("the old %s is filtered", name)
			}
		}
		if f := s.Pane.Trees.Filters.Now(); f.Text != "header" || f.Run == nil {
			t.Errorf("the new document is not filtered by %q", f.Text)
		}
	})
}

// TestFilterMarks: what matches is marked in the texts.
func TestFilterMarks(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		s.Pane.Trees.Views.Choose(1)
		for text, want := range map[string]treeview.Match{"AGIC": {}, "agi": {Cell: 0, From: 1, To: 4}, "fake": {Cell: 1, From: 0, To: 4}, "type:char": {Cell: 2, From: 0, To: 4}} {
			f := b.FilterBy(s, text)
			way, _ := f.Data.Way(windowtest.MustLookup(t, s.Pane.Doc, "layout/header/magic"))
			if row := f.Data.Row(way[len(way)-1].Item); row.Match != want {
				t.Errorf("%q marks %+v of %q, want %+v", text, row.Match, row.Cells, want)
			}
		}
	})
}

// TestFilterInside: a match can be opened to all that it has.
func TestFilterInside(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		s.Pane.Trees.Views.Choose(1)
		f := b.FilterBy(s, "name:header")
		got := rowsOf(f.Data, f.Data.Root(), "")
		if want := []string{"layout", " layout/header", "  layout/header/magic", "  layout/header/version"}; strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("rows %q", got)
		}
		s.Pane.Nav.GoTo("layout/header/magic")
		b.At(s, "layout/header/magic")
		if p := filter.PlaceOf(f.Tree.Selection.Item()); p.Path() != "layout/header/magic" || s.Pane.Trees.Filters.Told.Visible() {
			t.Errorf("the filtered tree selects %s", p.Path())
		}
	})
}

// TestFilterHides: what is selected elsewhere and hidden by the filter shows in the details, the bar says that it is
// hidden, and the tree stays.
func TestFilterHides(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		s.Pane.Trees.Views.Choose(1)
		f := b.FilterBy(s, "magic")
		if s.Pane.Trees.Filters.Told.Visible() {
			t.Error("what was selected before is told of")
		}
		s.Pane.Nav.Tapped(s.Pane.Doc.Source(), uitest.TableAt+uitest.RowSize*7, false)
		b.At(s, "layout/table/[7]")
		if !s.Pane.Trees.Filters.Told.Visible() || s.Pane.Trees.Front(s.Pane.Trees.View()) != f.Tree || filter.PlaceOf(f.Tree.Selection.Item()).Path() != "layout" {
			t.Error("the hidden node is not told of, or the tree has changed")
		}
		s.Pane.Nav.Tapped(s.Pane.Doc.Source(), 5, false)
		b.At(s, "layout/header/version")
		if got := filter.PlaceOf(f.Tree.Selection.Item()).Path(); got != "layout/header" || !s.Pane.Trees.Filters.Told.Visible() {
			t.Errorf("the nearest node above is %s", got)
		}
		s.Pane.Trees.Filters.Leave()
		if got := filter.PlaceOf(s.Pane.Trees.Front(s.Pane.Trees.View()).Selection.Item()).Path(); got != "layout/header/version" || s.Pane.Trees.Filters.Told.Visible() || s.Pane.Trees.TreeBox.Objects[0] != s.Pane.Trees.Tree(s.Pane.Trees.View()) {
			t.Errorf("without the filter %s is selected", got)
		}
	})
}

// TestFilterSelects: rows of the filtered tree lead to their bytes, and stay selected without the filter.
func TestFilterSelects(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		s.Pane.Trees.Views.Choose(1)
		b.FilterBy(s, "97..98")
		b.W.Shell.Focus(s.Pane.Trees.Front(s.Pane.Trees.View()))
		for range 2 {
			s.Pane.Trees.Front(s.Pane.Trees.View()).TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		}
		b.At(s, "layout/table/[97]")
		if got := s.Pane.Hex.Shown.View.Cursor(); got != uitest.TableAt+97*uitest.RowSize {
			t.Errorf("cursor at %d", got)
		}
		s.Pane.Trees.Filters.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if got := filter.PlaceOf(s.Pane.Trees.Front(s.Pane.Trees.View()).Selection.Item()).Path(); got != "layout/table/[97]" || s.Pane.Trees.Filters.Entry.Text != "" {
			t.Errorf("without the filter %s is selected", got)
		}
		if b.W.Shell.Win.Canvas().Focused() != s.Pane.Trees.Tree(s.Pane.Trees.View()) {
			t.Error("the tree has no keyboard")
		}
	})
}

// TestFilterPending: what is not decoded is said, and decoded when asked for; parts that are decoded in the tree join
// by themselves.
func TestFilterPending(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		s.Pane.Trees.Views.Choose(1)
		f := b.FilterBy(s, "inside")
		b.Until("the parts", func() bool { return s.Pane.Trees.Filters.All.Visible() })
		if f.Run.Matches.Load() != 0 || s.Pane.Trees.Filters.All.Text != "Decode 2 parts" || !s.Pane.Trees.Filters.All.Visible() {
			t.Errorf("%d matches, button %q", f.Run.Matches.Load(), s.Pane.Trees.Filters.All.Text)
		}
		close(doc.Gate)
		s.Pane.Trees.Filters.All.OnTapped()
		b.Until("the decoded part", func() bool { return f.Run.Done && f.Run.All })
		if got := strings.Join(windowtest.ShownRows(f.Data.Root()), " "); got != "layout layout/slow layout/slow/inside" {
			t.Errorf("rows %s", got)
		}
		if s.Pane.Trees.Filters.All.Visible() {
			t.Error("there is still something to decode")
		}
		f = b.FilterBy(s, "record")
		b.Until("the derived part", func() bool { return s.Pane.Trees.Filters.All.Visible() })
		s.Pane.Trees.Filters.All.OnTapped()
		b.Until("the derived part", func() bool { return f.Run.Done && f.Run.All })
		if got := windowtest.ShownRows(f.Data.Root()); len(got) != 13 || got[2] != "layout/packed@inflated" {
			t.Errorf("rows %q", got)
		}
		b.Idle()
		if !f.Run.Done {
			t.Error("it is filtered again and again")
		}
	})
}

func TestFilterFollowsDecoding(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		s.Pane.Trees.Views.Choose(1)
		f := b.FilterBy(s, "inside")
		before := f.Run
		close(doc.Gate)
		s.Pane.Nav.GoTo("layout/slow/inside")
		b.At(s, "layout/slow/inside")
		s.Pane.Decoded()
		b.Until("the match in what is decoded now", func() bool { return f.Run != before && f.Run.Done && f.Run.Matches.Load() == 1 })
		if filter.PlaceOf(f.Tree.Selection.Item()).Path() != "layout/slow/inside" {
			t.Error("the selected node is shown now and not selected")
		}
	})
}

// TestFilterWords: what is wrong with the text is said beside it, and the tree stays as it was.
func TestFilterWords(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		f := b.FilterBy(s, "lamp")
		s.Pane.Trees.Filters.Entry.SetText("/lam(p/")
		if s.Pane.Trees.Filters.Note.Text == "" || f.Wrong == nil {
			t.Error("nothing is said of a wrong regular expression")
		}
		s.Pane.Trees.Filters.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		b.Idle()
		if f.Run.Text != "lamp" || s.Pane.Trees.Front(s.Pane.Trees.View()) != f.Tree {
			t.Error("the tree is filtered by nonsense")
		}
		s.Pane.Trees.Filters.Entry.SetText("")
		if s.Pane.Trees.Filters.Note.Text != "" || s.Pane.Trees.Front(s.Pane.Trees.View()) == f.Tree {
			t.Error("the filter stays without text")
		}
	})
}

// manyDoc is a document of rows that are made on demand, 1,000 in a millisecond of the test's clock.
func manyDoc(rows int64) *model.Document {
	src := model.NewFileSource("many.bin", model.BytesReader(make([]byte, 16)))
	root := model.Node{Name: "many.bin", Spans: []model.Span{src.Whole()}, Children: &model.Rows{Count: 10, Make: func(_ context.Context, k int64) model.Node {
		return model.Node{Name: fmt.Sprintf("group %d", k), Children: &model.Rows{Count: rows / 10, Make: func(_ context.Context, i int64) model.Node {
			if i%1000 == 0 {
				time.Sleep(time.Millisecond)
			}
			return model.Node{Name: model.IndexName(i), Type: "row", Value: model.Uint(k*rows/10 + i)}
		}}}
	}}}
	return &model.Document{Format: "fake", Title: "Many", Name: "many.bin", Sources: []*model.Source{src},
		Views: []*model.View{{Name: model.LayoutView, Title: "Layout", Root: func(context.Context) model.Node { return root }, Of: src}},
		Facts: func(context.Context, bool, model.Progress) ([]model.Fact, error) { return nil, nil }}
}

// TestFilterMany: a long tree is filtered while the window works, only so many matches are kept, and a new text ends
// the search for the old one.
func TestFilterMany(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.W.Add(opening.Subject{File: "many.bin"})
		s.Show(manyDoc(10_000_000))
		s.Pane.Trees.Filters.Entry.SetText("type:row 9999999")
		f := s.Pane.Trees.Filters.Now()
		b.Until("the search", func() bool { return f.Run != nil })
		slow := f.Run
		f = b.FilterBy(s, "type:row")
		b.Until("the end of the search for the old text", func() bool { return slow.Done })
		if !slow.Stopped {
			t.Error("the search for the old text went on")
		}
		if f.Run.Matches.Load() != filter.MaxFiltered || !f.Run.Enough || f.Tree.Rows() != filter.MaxFiltered+2 {
			t.Errorf("%d matches, %d rows", f.Run.Matches.Load(), f.Tree.Rows())
		}
		if got := s.Pane.Trees.Filters.Note.Text; got != "first 20,000 shown" {
			t.Errorf("said %q", got)
		}
	})
}

// TestFilterSteps: Enter goes to the first match, also where there was none yet; F3 and Enter go on, around the ends.
func TestFilterSteps(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		s.Pane.Trees.Views.Choose(1)
		s.Pane.Nav.GoTo("layout/packed")
		b.At(s, "layout/packed")
		enter, f3 := &fyne.KeyEvent{Name: fyne.KeyReturn}, &fyne.KeyEvent{Name: fyne.KeyF3}
		b.W.Shell.Focus(s.Pane.Trees.Filters.Entry)
		s.Pane.Trees.Filters.Entry.SetText("97..")
		s.Pane.Trees.Filters.Entry.TypedKey(enter)
		b.At(s, "layout/table/[97]")
		tree := s.Pane.Trees.Front(s.Pane.Trees.View())
		if b.W.Shell.Win.Canvas().Focused() != tree || s.Pane.Trees.Filters.Tree(s.Pane.Trees.View()) != tree {
			t.Error("the filtered tree has not got the keyboard")
		}
		for _, want := range []string{"98", "99", "97"} {
			tree.TypedKey(f3)
			b.At(s, "layout/table/["+want+"]")
		}
		b.Menu("Find previous").Action()
		b.At(s, "layout/table/[99]")
		b.W.Shell.Focus(s.Pane.Trees.Filters.Entry)
		s.Pane.Trees.Filters.Entry.TypedKey(enter)
		b.At(s, "layout/table/[97]")
		b.FilterBy(s, "nowhere")
		s.Pane.Trees.Filters.Entry.TypedKey(enter)
		b.Idle()
		if got := s.Pane.Current().Path(); got != "layout/table/[97]" {
			t.Errorf("without a match, %s is selected", got)
		}
	})
}
