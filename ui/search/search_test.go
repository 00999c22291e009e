package search_test

import (
	"strings"
	"testing"

	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/hexview"
	"cutaway/ui/hexpane"
	searchpane "cutaway/ui/search"
	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
)

// listed is the cells of a row of the list of hits, as far as they are not empty.
func listed(p *searchpane.Pane, i int64) string {
	return strings.Join(strings.Fields(strings.Join(p.Data.Row(i).Cells, " ")), " ")
}

// TestSearchTree: names, values and types, in the view that is shown; the first hit is gone to.
func TestSearchTree(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		for _, c := range []struct {
			view  int
			text  string
			want  []string
			words string
		}{
			{0, "lamp", []string{"name /Lamp scene/Lamp fake.bin 0x30"}, "hit 1 of 1 in Scene"},
			{1, "type:record", []string{"type record layout/packed@inflated/[0] packed part 0x0"}, "hit 1 of 10 in Layout"},
			{1, "98..99", []string{"value 98 layout/table/[98] fake.bin 0x630", "value 99 layout/table/[99] fake.bin 0x640"}, "hit 1 of 2 in Layout"},
			{1, "inside", []string{"name layout/slow/inside fake.bin 0x834"}, "hit 1 of 1 in Layout"},
			{1, "nowhere", nil, "nothing found in Layout"},
		} {
			s.Pane.Trees.Views.Choose(c.view)
			r := b.Find(s, searchpane.Query{Text: c.text, Decode: true, Elements: true})
			p := s.Pane.Lists.Search
			for i, want := range c.want {
				if got := listed(p, int64(i)); got != want {
					t.Errorf("%s: hit %d is %q, want %q", c.text, i, got, want)
				}
			}
			if m := p.Data.Row(0).Match; len(c.want) > 0 && c.text == "inside" && (m != treeview.Match{Cell: 2, From: 12, To: 18}) {
				t.Errorf("%s: marked %+v", c.text, m)
			}
			if p.Said.Text != c.words {
				t.Errorf("%s: said %q, want %q", c.text, p.Said.Text, c.words)
			}
			if f, ok := r.Hits.At(0); ok {
				b.At(s, f.Path)
			}
		}
	})
}

// TestSearchKnown: without decoding, only what is known is searched.
func TestSearchKnown(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Trees.Views.Choose(1)
		if r := b.Find(s, searchpane.Query{Text: "inside"}); r.Hits.Len() != 0 {
			t.Errorf("%d hits", r.Hits.Len())
		}
	})
}

// TestSearchCancel: hits come while the search runs; Escape ends it and they stay; another Escape leaves the list.
func TestSearchCancel(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake() // its slow part never ends
		s.Pane.Trees.Views.Choose(1)
		p := s.Pane.Lists.Search
		p.ShowAll(searchpane.Query{Text: "type:row", Decode: true})
		r := p.Run
		b.Until("the first hits", func() bool { return p.At == 0 && strings.HasSuffix(p.Said.Text, "…") })
		if r.Over || !p.Stop.Visible() || p.List.Rows() == 0 {
			t.Error("the search does not run, or shows nothing while it does")
		}
		p.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		b.Until("the end", func() bool { return r.Over })
		if want := "hit 1 of 101 in Layout · stopped after 101"; p.Said.Text != want || r.Hits.Len() != 101 || p.Stop.Visible() {
			t.Errorf("said %q, want %q; Stop is there: %v", p.Said.Text, want, p.Stop.Visible())
		}
		if b.W.Shell.Win.Canvas().Focused() != p.List {
			t.Error("the list has lost the keyboard")
		}
		p.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if b.W.Shell.Win.Canvas().Focused() != s.Pane.Trees.Tree(s.Pane.Trees.View()) {
			t.Error("the tree has no keyboard")
		}
	})
}

// TestSearchAnew: a new search ends the one that runs.
func TestSearchAnew(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Trees.Views.Choose(1)
		p := s.Pane.Lists.Search
		p.Set(searchpane.Query{Text: "type:row", Decode: true})
		p.Begin()
		first := p.Run
		r := b.Find(s, searchpane.Query{Text: "magic"})
		b.Until("the end of the first", func() bool { return first.Over })
		if !first.Stopped || p.Run != r || r.Hits.Len() != 1 || p.List.Rows() != 1 {
			t.Errorf("%d hits, %d rows", r.Hits.Len(), p.List.Rows())
		}
	})
}

// TestSearchSteps: F3 goes on, round the ends with a word, in the tree and among the bytes.
func TestSearchSteps(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		s.Pane.Trees.Views.Choose(1)
		b.Find(s, searchpane.Query{Text: "value:97..99"})
		p := s.Pane.Lists.Search
		b.At(s, "layout/table/[97]")
		b.W.Shell.Focus(s.Pane.Hex.Shown.View)
		b.W.Shell.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
		b.At(s, "layout/table/[98]")
		if p.List.Selection.Item() != nil && p.List.Selection.Item() != int64(1) || s.Pane.Hex.Shown.View.Cursor() != uitest.TableAt+98*uitest.RowSize {
			t.Error("the list or the bytes are elsewhere")
		}
		b.W.Shell.Focus(s.Pane.Trees.Front(s.Pane.Trees.View()))
		b.W.Shell.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
		b.At(s, "layout/table/[99]")
		p.Step(1)
		b.At(s, "layout/table/[97]")
		if p.Said.Text != "hit 1 of 3 in what is decoded of Layout · continued from the first" {
			t.Errorf("said %q", p.Said.Text)
		}
		p.Step(-1)
		b.At(s, "layout/table/[99]")
		if !strings.HasSuffix(p.Said.Text, "continued from the last") {
			t.Errorf("said %q", p.Said.Text)
		}
		p.List.SelectIndex(1, false)
		b.Until("the row", func() bool { return p.At == 1 })
		b.At(s, "layout/table/[98]")
	})
}

// TestSearchBytes: hits in the source that is shown are selected in the hex pane, the node in the view that is open,
// and all are marked.
func TestSearchBytes(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		b.Find(s, searchpane.Query{Text: "fak", Scope: searchpane.InSource, Fold: true})
		p := s.Pane.Lists.Search
		b.At(s, "layout/header/magic")
		tab := s.Pane.Hex.Shown
		b.Until("the selected bytes", func() bool { off, n := tab.View.Selection(); return off == 0 && n == 3 })
		if s.Pane.Trees.View().Name != "scene" {
			t.Error("the view has changed by itself")
		}
		if got := listed(p, 0); got != "utf8 [46 41 4b] 45 00 00 00 00 00 00 00 [FAK]E....... layout/header/magic fake.bin 0x0" {
			t.Errorf("listed as %q", got)
		}
		b.Find(s, searchpane.Query{Text: "00 00", Scope: searchpane.InSource})
		b.Until("the marks", func() bool { return tab.Found != nil && len(tab.Found.Ranges) == uitest.Size-5 })
		if got := tab.Matches(nil, 8, 10); len(got) != 3 || got[0] != (hexview.Range{Off: 7, Len: 2}) {
			t.Errorf("marked in [8, 10): %v", got)
		}
		if n := len(tab.Found.Strip); n == 0 || n > hexpane.StripParts {
			t.Errorf("%d marks in the strip", n)
		}
	})
}

// TestSearchEverywhere: text that is only in a decompressed part of a real file is found, and its bytes are shown.
func TestSearchEverywhere(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		if r := b.Find(s, searchpane.Query{Text: "outputs:surface", Scope: searchpane.InSource}); r.Hits.Len() != 0 {
			t.Fatal("the text is in the file as it is")
		}
		b.Find(s, searchpane.Query{Text: "outputs:surface", Scope: searchpane.InAll})
		b.Until("the bytes", func() bool { _, n := s.Pane.Hex.Shown.View.Selection(); return n == int64(len("outputs:surface")) })
		tab := s.Pane.Hex.Shown
		off, n := tab.View.Selection()
		if data, err := tab.Src.Bytes(t.Context(), off, n); err != nil || string(data) != "outputs:surface" || tab.Src.Origin() == nil {
			t.Errorf("shown are %q of %s, error %v", data, tab.Src.Name(), err)
		}
		b.Until("the marks", func() bool { return tab.Found != nil && len(tab.Found.Ranges) == 1 })
		if got := listed(s.Pane.Lists.Search, 0); !strings.Contains(got, "[outputs:surface]") || !strings.Contains(got, "@inflated/[") {
			t.Errorf("listed as %q", got)
		}
	})
}

// TestSearchControls: the choices fit the scope.
func TestSearchControls(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		p := s.Pane.Lists.Search
		for _, c := range []struct {
			what         searchpane.Query
			fold, decode bool
		}{
			{searchpane.Query{}, false, true}, {searchpane.Query{Scope: searchpane.InNames}, false, true},
			{searchpane.Query{Scope: searchpane.InSource}, true, false}, {searchpane.Query{Scope: searchpane.InAll, Fold: true}, true, false},
		} {
			c.what.Text = "lamp"
			b.Find(s, c.what)
			if p.Fold.Visible() != c.fold || p.Decode.Visible() != c.decode || p.Want() != c.what {
				t.Errorf("%+v: case %t, decode %t", p.Want(), p.Fold.Visible(), p.Decode.Visible())
			}
		}
		b.FilterBy(s, "lamp")
		s.SetOptions(map[string]string{"step": "3"})
		b.Until("the other step", func() bool { return s.Pane.Lists.Search != p })
		b.Until("its filtered tree", func() bool {
			f := s.Pane.Trees.Filters.Now()
			return f.Run != nil && f.Run.Done && f.Run.Matches.Load() == 1
		})
		if got := s.Pane.Lists.Search.Want(); !got.Fold || got.Scope != searchpane.InAll {
			t.Errorf("after a change of options the fields say %+v", got)
		}
	})
}

// TestSearchFiltered: a hit that the filter hides is gone to, and the filter says so.
func TestSearchFiltered(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		s.Pane.Trees.Views.Choose(1)
		f := b.FilterBy(s, "header")
		b.Find(s, searchpane.Query{Text: "type:row 42"})
		b.At(s, "layout/table/[42]")
		if !s.Pane.Trees.Filters.Told.Visible() || s.Pane.Trees.Front(s.Pane.Trees.View()) != f.Tree {
			t.Error("the filter does not say that it hides the hit")
		}
	})
}

// TestSearchNarrow: in a narrow column no part of the list gets a size that nobody can use.
func TestSearchNarrow(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		p := s.Pane.Lists.Search
		p.ShowAll(searchpane.Query{Text: "lamp"})
		for _, width := range []float32{900, 246, 180, 900} {
			for _, scope := range []searchpane.Scope{searchpane.InTree, searchpane.InAll} {
				b.Find(s, searchpane.Query{Text: "lamp", Scope: scope})
				p.Object().Resize(fyne.NewSize(width, 400))
				for _, o := range []fyne.CanvasObject{p.Said, p.Fold, p.Decode, p.Box} {
					if size := o.Size(); o.Visible() && (size.Width < 36 || size.Width > width || size.Height < 20) {
						t.Errorf("%.0f wide, scope %d: %T has %v", width, scope, o, size)
					}
				}
				at := fyne.CurrentApp().Driver().AbsolutePositionForObject
				if y, end := at(p.Box).Y, at(p.Said).Y+p.Said.Size().Height; y < end {
					t.Errorf("%.0f wide, scope %d: the list is at %.0f, the words end at %.0f", width, scope, y, end)
				}
			}
		}
	})
}
