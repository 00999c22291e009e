package search_test

import (
	"context"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"cutaway/model/search"
	"cutaway/ui/filter"
	searchpane "cutaway/ui/search"
)

// searchedFiles are one file of each format. They are not searched in a bubble of synctest: the decoders of a codec, which
// are used again, have channels that may not leave it.
var searchedFiles = []string{"usdc/dictionaries.usdc", "usdc/single.usdz", "vrs/index-in-front.vrs", "udm/twin.udm_b", "odin/object.odin", "omnilive/world.oodf"}

// TestSearchFiles: in files of every format, each hit of the bytes leads to bytes that are the pattern, in the source
// that the list names, and each hit of the trees to its node.
func TestSearchFiles(t *testing.T) {
	for _, file := range searchedFiles {
		b := windowtest.New(t)
		s := b.Open(opening.Target{File: "../../testdata/" + file})
		p := s.Pane.Lists.Search
		r := b.Find(s, searchpane.Query{Text: "01 00", Scope: searchpane.InAll})
		if r.Hits.Len() == 0 {
			t.Errorf("%s: nothing is found", file)
		}
		for i := int64(0); i < r.Hits.Len(); i += 1 + r.Hits.Len()/4 {
			f, _ := r.Hits.At(i)
			p.GoTo(i)
			b.Until("the bytes of "+file, func() bool {
				off, n := s.Pane.Hex.Shown.View.Selection()
				return s.Pane.Hex.Shown.Src.Name() == f.Source && off == f.Off && n == 2
			})
			if data, err := s.Pane.Hex.Shown.Src.Bytes(t.Context(), f.Off, f.Len); err != nil || string(data) != "\x01\x00" {
				t.Errorf("%s: hit %d shows % x, error %v", file, i, data, err)
			}
		}
		for i := range s.Pane.Doc.Views {
			s.Pane.Trees.Views.Choose(i)
			r := b.Find(s, searchpane.Query{Text: "e", Decode: true})
			for i := int64(0); i < r.Hits.Len(); i += 1 + r.Hits.Len()/4 {
				p.GoTo(i)
				f, _ := r.Hits.At(i)
				b.At(s, f.Path)
				if it := s.Pane.Trees.Tree(s.Pane.Trees.View()).Selection.Item(); it == nil || filter.PlaceOf(it).Path() != f.Path {
					t.Errorf("%s: hit %d is %s, the tree selects another", file, i, f.Path)
				}
			}
		}
	}
}

// TestSearchMembers: the other members of a package are searched too, which is said; Enter on a hit opens its member there.
func TestSearchMembers(t *testing.T) {
	b := windowtest.New(t)
	s := b.Open(opening.Target{File: "../../testdata/usdc/several.usdz"})
	p := s.Pane.Lists.Search
	if b.Find(s, searchpane.Query{Text: "defaultPrim"}); !strings.HasSuffix(p.Said.Text, "what is decoded of Scene, without 3 other members") {
		t.Errorf("said %q", p.Said.Text)
	}
	r := b.Find(s, searchpane.Query{Text: "defaultPrim", Decode: true})
	if want := "hit 1 of 3 in Scene and 2 other members, not in 1 member without a tree"; p.Said.Text != want {
		t.Errorf("said %q, want %q", p.Said.Text, want)
	}
	for i, want := range []string{"name Root scene/defaultPrim FIELDS reps", "name Root scene/defaultPrim shape.usdc", "name Root scene/defaultPrim look.usda"} {
		if got := listed(p, int64(i)); !strings.HasPrefix(got, want) {
			t.Errorf("hit %d is %q, want %q", i, got, want)
		}
	}
	p.GoTo(2)
	if at := b.W.Active; at != s || r.Hits.Len() != 3 {
		t.Error("going through hits opens a tab")
	}
	p.List.OnChosen(int64(1))
	b.Until("the member", func() bool { return b.W.Active != s && b.W.Active.Pane != nil && b.W.Active.Pane.Current() != nil })
	member := b.W.Active
	b.At(member, "scene/defaultPrim")
	if !strings.HasSuffix(member.Subject.File, "several.usdz[shape.usdc]") {
		t.Errorf("%s is opened", member.Subject.File)
	}
}

// TestFilterFiles: a filtered tree has what a search finds and what is above that, once and in order.
func TestFilterFiles(t *testing.T) {
	for _, file := range searchedFiles {
		b := windowtest.New(t)
		s := b.Open(opening.Target{File: "../../testdata/" + file})
		for i, v := range s.Pane.Doc.Views {
			s.Pane.Trees.Views.Choose(i)
			f := b.FilterBy(s, "e")
			f.Decode()
			b.Until("everything of "+file, func() bool { return f.Run.Done && f.Run.All })
			q, _ := search.ParseQuery("e")
			want := []string{v.Place(t.Context()).Path()}
			seen := map[string]bool{want[0]: true}
			_, err := search.Tree(t.Context(), v.Place(t.Context()), q, search.TreeOptions{Elements: true, Derived: true, Resolve: true}, func(_ context.Context, h search.Hit) error {
				for _, p := range h.Place.Segments() {
					if !seen[p.Path()] {
						seen[p.Path()] = true
						want = append(want, p.Path())
					}
				}
				return nil
			})
			got := windowtest.ShownRows(f.Data.Root())
			if err != nil || len(got) != len(want) || f.Tree.Rows() != int64(len(want)) {
				t.Fatalf("%s, %s: %d rows, of which %d are open, want %d, error %v", file, v.Name, len(got), f.Tree.Rows(), len(want), err)
			}
			for k := range want {
				if got[k] != want[k] {
					t.Errorf("%s, %s: row %d is %s, want %s", file, v.Name, k, got[k], want[k])
					break
				}
			}
		}
	}
}
