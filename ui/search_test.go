package ui

import (
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
)

// find searches and waits for the end.
func (b *bench) find(s *session, what searchFor) *searchRun {
	b.Helper()
	p := s.details.search
	p.set(what)
	p.begin()
	r := p.run
	b.until("the end of the search for "+what.text, func() bool { return r.over })
	return r
}

// listed is the cells of a row of the list of hits, as far as they are not empty.
func listed(p *searchPane, i int64) string {
	return strings.Join(strings.Fields(strings.Join(p.data.row(i).Cells, " ")), " ")
}

// TestSearchTree: names, values and types, in the view that is shown; the first hit is gone to.
func TestSearchTree(t *testing.T) { synctest.Test(t, testSearchTree) }

func testSearchTree(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	close(doc.Gate)
	for _, c := range []struct {
		view  int
		text  string
		want  []string
		words string
	}{
		{0, "lamp", []string{"name /Lamp scene/Lamp fake.bin 0x30"}, "hit 1 of 1 in Scene"},
		{1, "type:record", []string{"type record layout/packed@inflated/[0] packed part @0x0"}, "hit 1 of 10 in Layout"},
		{1, "98..99", []string{"value 98 layout/table/[98] fake.bin 0x630", "value 99 layout/table/[99] fake.bin 0x640"}, "hit 1 of 2 in Layout"},
		{1, "inside", []string{"name layout/slow/inside fake.bin 0x834"}, "hit 1 of 1 in Layout"},
		{1, "nowhere", nil, "nothing found in Layout"},
	} {
		s.views.Choose(c.view)
		r := b.find(s, searchFor{text: c.text, decode: true})
		p := s.details.search
		for i, want := range c.want {
			if got := listed(p, int64(i)); got != want {
				t.Errorf("%s: hit %d is %q, want %q", c.text, i, got, want)
			}
		}
		if m := p.data.row(0).Match; len(c.want) > 0 && c.text == "inside" && (m != treeview.Match{Cell: 2, From: 12, To: 18}) {
			t.Errorf("%s: marked %+v", c.text, m)
		}
		if p.said.Text != c.words {
			t.Errorf("%s: said %q, want %q", c.text, p.said.Text, c.words)
		}
		if f, ok := r.hits.at(0); ok {
			b.at(s, f.path)
		} else if got := words(p.box.Objects[0].(*fyne.Container)); got != "Nothing found in Layout." {
			t.Errorf("in place of the list: %q", got)
		}
	}
}

// TestSearchKnown: without decoding, only what is known is searched.
func TestSearchKnown(t *testing.T) { synctest.Test(t, testSearchKnown) }

func testSearchKnown(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.views.Choose(1)
	if r := b.find(s, searchFor{text: "inside"}); r.hits.len() != 0 {
		t.Errorf("%d hits", r.hits.len())
	}
}

// TestSearchCancel: hits come while the search runs; Escape ends it and they stay; another Escape leaves the field.
func TestSearchCancel(t *testing.T) { synctest.Test(t, testSearchCancel) }

func testSearchCancel(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake() // its slow part never ends
	s.views.Choose(1)
	p := s.details.search
	s.find()
	p.set(searchFor{text: "type:row", decode: true})
	b.w.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	r := p.run
	b.until("the first hits", func() bool { return p.at == 0 && strings.HasSuffix(p.said.Text, "…") })
	if r.over || p.start.Text != "Cancel" || p.list.Rows() == 0 {
		t.Error("the search does not run, or shows nothing while it does")
	}
	p.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	b.until("the end", func() bool { return r.over })
	if want := "hit 1 of 101 in Layout · stopped after 101"; p.said.Text != want || r.hits.len() != 101 || p.start.Text != "Find" {
		t.Errorf("said %q, want %q; button %q", p.said.Text, want, p.start.Text)
	}
	if b.w.Win.Canvas().Focused() != p.entry {
		t.Error("the field has lost the keyboard")
	}
	p.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if b.w.Win.Canvas().Focused() != s.tree(s.view) {
		t.Error("the tree has no keyboard")
	}
}

// TestSearchAnew: a new search ends the one that runs.
func TestSearchAnew(t *testing.T) { synctest.Test(t, testSearchAnew) }

func testSearchAnew(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.views.Choose(1)
	p := s.details.search
	p.set(searchFor{text: "type:row", decode: true})
	p.begin()
	first := p.run
	r := b.find(s, searchFor{text: "magic"})
	b.until("the end of the first", func() bool { return first.over })
	if !first.stopped || p.run != r || r.hits.len() != 1 || p.list.Rows() != 1 {
		t.Errorf("%d hits, %d rows", r.hits.len(), p.list.Rows())
	}
}

// TestSearchSteps: Enter and F3 go on, round the ends with a word, in the tree and among the bytes.
func TestSearchSteps(t *testing.T) { synctest.Test(t, testSearchSteps) }

func testSearchSteps(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	close(doc.Gate)
	s.views.Choose(1)
	b.find(s, searchFor{text: "value:97..99"})
	p := s.details.search
	b.at(s, "layout/table/[97]")
	b.w.Focus(s.hex.shown.view)
	b.w.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
	b.at(s, "layout/table/[98]")
	if p.list.Selected() != nil && p.list.Selected() != int64(1) || s.hex.shown.view.Cursor() != uitest.TableAt+98*uitest.RowSize {
		t.Error("the list or the bytes are elsewhere")
	}
	b.w.Focus(s.front(s.view))
	b.w.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
	b.at(s, "layout/table/[99]")
	s.find()
	b.w.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.at(s, "layout/table/[97]")
	if p.said.Text != "hit 1 of 3 in what is decoded of Layout · continued from the first" {
		t.Errorf("said %q", p.said.Text)
	}
	p.step(-1)
	b.at(s, "layout/table/[99]")
	if !strings.HasSuffix(p.said.Text, "continued from the last") {
		t.Errorf("said %q", p.said.Text)
	}
	p.list.SelectIndex(1, false)
	b.until("the row", func() bool { return p.at == 1 })
	b.at(s, "layout/table/[98]")
	if b.w.Win.Canvas().Focused() != p.entry {
		t.Error("the keyboard has moved")
	}
}

// TestSearchBytes: hits in the source that is shown are selected in the hex pane, the node in the view that is open,
// and all are marked.
func TestSearchBytes(t *testing.T) { synctest.Test(t, testSearchBytes) }

func testSearchBytes(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	close(doc.Gate)
	b.find(s, searchFor{text: "fak", scope: inSource, fold: true})
	p := s.details.search
	b.at(s, "layout/header/magic")
	tab := s.hex.shown
	b.until("the selected bytes", func() bool { off, n := tab.view.Selection(); return off == 0 && n == 3 })
	if s.view.Name != "scene" {
		t.Error("the view has changed by itself")
	}
	if got := listed(p, 0); got != "utf8 [46 41 4b] 45 00 00 00 00 00 00 00 [FAK]E....... layout/header/magic fake.bin 0x0" {
		t.Errorf("listed as %q", got)
	}
	b.find(s, searchFor{text: "00 00", scope: inSource})
	b.until("the marks", func() bool { return tab.found != nil && len(tab.found.ranges) == uitest.Size-5 })
	if got := tab.matches(nil, 8, 10); len(got) != 3 || got[0] != (hexview.Range{Off: 7, Len: 2}) {
		t.Errorf("marked in [8, 10): %v", got)
	}
	if n := len(tab.found.strip); n == 0 || n > stripParts {
		t.Errorf("%d marks in the strip", n)
	}
}

// TestSearchEverywhere: text that is only in a decompressed part of a real file is found, and its bytes are shown.
func TestSearchEverywhere(t *testing.T) { synctest.Test(t, testSearchEverywhere) }

func testSearchEverywhere(t *testing.T) {
	b := newBench(t)
	b.w.openSample()
	s := b.w.active
	b.until("the sample", func() bool { return s.Doc != nil && s.current != nil })
	if r := b.find(s, searchFor{text: "outputs:surface", scope: inSource}); r.hits.len() != 0 {
		t.Fatal("the text is in the file as it is")
	}
	b.find(s, searchFor{text: "outputs:surface", scope: inAll})
	b.until("the bytes", func() bool { _, n := s.hex.shown.view.Selection(); return n == int64(len("outputs:surface")) })
	tab := s.hex.shown
	off, n := tab.view.Selection()
	if data, err := tab.src.Bytes(t.Context(), off, n); err != nil || string(data) != "outputs:surface" || tab.src.Origin() == nil {
		t.Errorf("shown are %q of %s, error %v", data, tab.src.Name(), err)
	}
	b.until("the marks", func() bool { return tab.found != nil && len(tab.found.ranges) == 1 })
	if got := listed(s.details.search, 0); !strings.Contains(got, "[outputs:surface]") || !strings.Contains(got, "@inflated/[") {
		t.Errorf("listed as %q", got)
	}
}

// TestSearchWords: what is wrong is said while it is typed, and nothing is searched.
func TestSearchWords(t *testing.T) { synctest.Test(t, testSearchWords) }

func testSearchWords(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	p := s.details.search
	for _, c := range []searchFor{{text: "/(/"}, {text: ">x"}, {text: "5", form: search.Hex, scope: inSource}, {text: "300", form: search.U8, scope: inAll}} {
		p.set(c)
		p.changed()
		if p.said.Text == "" || p.said.Text != c.check().Error() || p.said.Importance != widget.DangerImportance {
			t.Errorf("%q: said %q", c.text, p.said.Text)
		}
		p.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if p.run != nil {
			t.Errorf("%q is searched for", c.text)
		}
	}
	p.set(searchFor{})
	p.changed()
	if p.said.Text != "" {
		t.Errorf("an empty field is told of: %q", p.said.Text)
	}
}

// TestSearchControls: the choices fit the scope.
func TestSearchControls(t *testing.T) { synctest.Test(t, testSearchControls) }

func testSearchControls(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	p := s.details.search
	for _, c := range []struct {
		what                searchFor
		form, fold, decoded bool
	}{
		{searchFor{}, false, false, true}, {searchFor{scope: inSource}, true, true, false},
		{searchFor{scope: inAll, form: search.F32BE}, true, false, false}, {searchFor{scope: inAll, form: search.UTF16LE}, true, true, false},
	} {
		p.set(c.what)
		p.changed()
		if p.forms.Visible() != c.form || p.fold.Visible() != c.fold || p.decode.Visible() != c.decoded || p.want() != c.what {
			t.Errorf("%+v: form %t, case %t, decode %t", p.want(), p.forms.Visible(), p.fold.Visible(), p.decode.Visible())
		}
	}
	b.filterBy(s, "lamp")
	s.setOptions(map[string]string{"step": "3"})
	b.until("the other step", func() bool { return s.details.search != p })
	b.until("its filtered tree", func() bool { f := s.filters.now(); return f.run != nil && f.run.done && f.run.matches.Load() == 1 })
	if got := s.details.search.want(); got.form != search.UTF16LE || got.scope != inAll {
		t.Errorf("after a change of options the fields say %+v", got)
	}
}

// TestSearchFiltered: a hit that the filter hides is gone to, and the filter says so.
func TestSearchFiltered(t *testing.T) { synctest.Test(t, testSearchFiltered) }

func testSearchFiltered(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	close(doc.Gate)
	s.views.Choose(1)
	f := b.filterBy(s, "header")
	b.find(s, searchFor{text: "type:row 42"})
	b.at(s, "layout/table/[42]")
	if !s.filters.told.Visible() || s.front(s.view) != f.tree {
		t.Error("the filter does not say that it hides the hit")
	}
}

// TestHits: a million fit, those of many sources are told apart, and no more.
func TestHits(t *testing.T) {
	h := newHits()
	files := []*model.Source{model.NewFileSource("a", model.BytesReader("abc")), model.NewSource("b", "b", "layout", model.BytesReader("abc"))}
	for i := range int64(maxHits) {
		if !h.addBytes(files[i/10%2], i, 3) {
			t.Fatalf("no room for hit %d", i)
		}
	}
	if h.addBytes(files[0], 0, 1) || h.len() != maxHits {
		t.Error("more than the limit is kept")
	}
	if f, ok := h.at(maxHits - 1); !ok || f.source != "b" || f.off != maxHits-1 || f.path != "" {
		t.Errorf("the last is %+v", f)
	}
	if m := marksOf(h, model.FileSource, maxHits); len(m.ranges) != maxHits/2 || m.longest != 3 || len(m.strip) > stripParts {
		t.Errorf("%d ranges, %d marks", len(m.ranges), len(m.strip))
	}
	if m := marksOf(h, "c", 9); len(m.ranges) != 0 {
		t.Error("hits in a source without any")
	}
}

func TestContextText(t *testing.T) {
	src := model.NewFileSource("x", model.BytesReader("0123456789abcdefghijklmnopqrstuvwxyz\x00\xff"))
	for _, c := range []struct {
		off, n int64
		want   string
	}{
		{0, 2, "[30 31] 32 33 34 35 36 37 38 39   [01]23456789"},
		{2, 1, "30 31 [32] 33 34 35 36 37 38 39 61   01[2]3456789a"},
		{36, 2, "77 78 79 7a [00 ff]   wxyz[..]"},
		{10, 26, "36 37 38 39 [61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70] 71 72 73 74 75 76 77 78   6789[abcdefghijklmnop]qrstuvwx"},
	} {
		if got := contextText(t.Context(), src, c.off, c.n); got != c.want {
			t.Errorf("%d+%d: %q, want %q", c.off, c.n, got, c.want)
		}
	}
}
