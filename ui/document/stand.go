package document

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/ui/nodes"
)

// Stand is where the user is in a document, in words that hold for another reading of the same file too.
type Stand struct {
	Path     string
	Branches []string // open ones
	Sources  []string // shown in tabs of the hex pane besides the files
}

// Found is what of a Stand there is in a document.
type Found struct {
	path    *model.Place
	open    []*model.Place
	sources map[string]*model.Source
}

// keptBranches is how many open branches of a tree are opened again.
const keptBranches = 1000

// Stand is where the user is.
func (s *Pane) Stand() Stand {
	at := Stand{Branches: s.OpenBranches(keptBranches)}
	if s.current != nil {
		at.Path = s.current.Path()
	}
	for _, t := range s.Hex.Tabs {
		if !t.File {
			at.Sources = append(at.Sources, t.Src.Name())
		}
	}
	return at
}

// Find looks for what there is of a Stand in a document, in place of what there is not for what is above it.
func (at Stand) Find(ctx context.Context, doc *model.Document) Found {
	f := Found{open: branchesIn(ctx, doc, at.Branches), sources: make(map[string]*model.Source)}
	for path := at.Path; path != "" && f.path == nil && ctx.Err() == nil; path = path[:max(strings.LastIndexByte(path, '/'), 0)] {
		if p, err := doc.Lookup(ctx, path); err == nil {
			f.path = p
		}
	}
	for _, name := range at.Sources {
		if src, err := doc.SourceByName(ctx, name); err == nil {
			f.sources[name] = src
		}
	}
	return f
}

// Resume shows a document as the pane before it showed another reading of the same file: the same view, branches, node,
// bytes, and what is in sight of them.
func (s *Pane) Resume(before *Pane, f Found) {
	v := s.Doc.View(before.view.Name)
	if v == nil {
		v = s.Doc.Views[0]
	}
	s.ShowView(v, false)
	s.openBranches(f.open)
	if f.path == nil {
		f.path = v.Place(s.Ctx)
	}
	s.resumeBytes(before, f)
	s.Show(f.path, Showing{tree: nodes.ViewOf(f.path) == v.Name})
	s.Tree(v).SetTop(before.Tree(before.view).Top())
	if tab := before.Details.Front; tab < FixedTabs {
		s.Details.Keep(tab)
	}
	s.Details.Problems.Look()
	s.CursorMoved()
}

// resumeBytes shows the same bytes.
func (s *Pane) resumeBytes(before *Pane, f Found) {
	stands := make(map[string]hexview.Stand)
	for i, t := range before.Hex.Tabs {
		stands[t.Src.Name()] = t.View.Stand()
		if src := f.sources[t.Src.Name()]; src != nil && !t.File {
			now := s.Hex.TabFor(src)
			if before.Hex.Tabs[i] != before.Hex.Follow {
				s.Hex.Pin(now)
			}
		}
	}
	for _, t := range s.Hex.Tabs {
		if stand, ok := stands[t.Src.Name()]; ok {
			t.View.SetStand(stand)
		}
		if t.Src.Name() == before.Hex.Shown.Src.Name() {
			s.Hex.Choose(t)
		}
	}
	s.Hex.SecondLike(before.Hex)
}

// FocusLike gives the keyboard to what had it in the pane before: its tree or its bytes.
func (s *Pane) FocusLike(before *Pane, focused fyne.Focusable) {
	switch {
	case focused == before.Hex.Shown.View:
		s.Focus(s.Hex.Shown.View)
	case focused == before.Front(before.view):
		s.FocusTree()
	}
}
