package document

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/ui/cards"
	"cutaway/ui/filter"
	"cutaway/ui/hexpane"
	"cutaway/ui/nodes"
)

// A Position is the user's place in a document, in words that hold for another reading of the file and at the next start.
type Position struct {
	Path     string        `json:"-"`               // of the selected node
	Branches []string      `json:"-"`               // open ones, those above before those below
	View     string        `json:"view,omitempty"`  // the tree that is shown
	Row      int64         `json:"row,omitempty"`   // the first in sight, or negative if the tree is sorted
	Rows     []Rows        `json:"rows,omitempty"`  // the selected ones, unless only the node's is
	Bytes    []Bytes       `json:"bytes,omitempty"` // what the tabs of the hex pane show
	Source   string        `json:"source,omitempty"`
	Second   *Bytes        `json:"second,omitempty"` // of the second pane, or nil without one
	List     string        `json:"list,omitempty"`   // the one below the tree
	Stage    string        `json:"stage,omitempty"`  // the kind of card that was chosen last
	Card     *cardPosition `json:"card,omitempty"`   // in the card of the stage, or nil if that is of no node
}

// Rows are several of a branch, from the first to the last.
type Rows struct {
	Branch string `json:"branch"`
	First  int64  `json:"first"`
	Last   int64  `json:"last"`
}

// maxRows is the number of runs of selected rows that are stored.
const maxRows = 1000

// Bytes is the state of a tab of the hex pane.
type Bytes struct {
	Source string `json:"source"`
	Pinned bool   `json:"pinned,omitempty"` // it does not follow the selection
	Top    int64  `json:"top,omitempty"`    // the first byte in sight
	Cursor int64  `json:"cursor,omitempty"`
	Seen   bool   `json:"seen,omitempty"` // the cursor is in sight
	Off    int64  `json:"off,omitempty"`  // the bytes selected; none where Len is 0
	Len    int64  `json:"len,omitempty"`
}

// A cardPosition is a cards.State in JSON.
type cardPosition struct {
	Title string `json:"title"`
	Row   int64  `json:"row"`
	Top   int64  `json:"top,omitempty"`
	Keys  bool   `json:"keys,omitempty"`
}

// KeptBranches is the number of branches of a tree that stay open when a document is read again.
const KeptBranches = 1000

// Found holds the nodes and sources of a Position that a document has.
type Found struct {
	path    *model.Place
	open    []*model.Place
	picked  map[string]*model.Place
	sources map[string]*model.Source
}

// Position returns the user's position, or the one that is being restored, with at most so many branches of each tree.
func (s *Pane) Position(branches int) Position {
	if s.coming != nil {
		return *s.coming
	}
	at := Position{Branches: s.Trees.OpenBranches(branches), View: s.Trees.view.Name, Source: s.Hex.Shown.Src.Name(), Stage: s.Stage.Chosen(), List: s.Lists.name()}
	if at.Row = s.Trees.Tree(s.Trees.view).Top(); s.Trees.SortedBy() >= 0 {
		at.Row = -1
	} else {
		for _, r := range s.Trees.Tree(s.Trees.view).Selection.Runs(maxRows) {
			at.Rows = append(at.Rows, Rows{filter.PlaceOf(r.Branch).Path(), r.First, r.Last})
		}
	}
	if s.current != nil {
		at.Path = s.current.Path()
	}
	for _, t := range s.Hex.Tabs {
		shown := bytesOf(t)
		shown.Pinned = !t.File && t != s.Hex.Follow
		at.Bytes = append(at.Bytes, shown)
	}
	if s.Hex.Second != nil {
		shown := bytesOf(s.Hex.Second)
		at.Second = &shown
	}
	if c := s.Stage.Stand(); c.Title != "" {
		at.Card = &cardPosition{c.Title, c.Row, c.Top, c.Keys}
	}
	return at
}

// bytesOf returns the state of a tab of the hex pane.
func bytesOf(t *hexpane.Tab) Bytes {
	b := Bytes{Source: t.Src.Name(), Cursor: t.View.Cursor()}
	if off, n := t.View.Selection(); n > 0 {
		b.Off, b.Len = off, n
	}
	in := int64(0)
	if b.Top, in = t.View.VisibleBytes(); in == 0 { // it was not on the screen yet
		b.Top = b.Cursor
	}
	b.Seen = b.Cursor >= b.Top && b.Cursor < b.Top+in
	return b
}

// showIn restores the state in a tab.
func (b *Bytes) showIn(t *hexpane.Tab) {
	t.View.SetCursor(b.Cursor)
	if b.Len > 0 {
		t.View.Select(b.Off, b.Len)
	}
	t.View.ScrollTo(b.Top)
	if _, in := t.View.VisibleBytes(); in > 0 && b.Seen { // also where rows are shorter now, or fewer
		t.View.Reveal(b.Cursor, 1)
	}
}

// Find looks a Position up in a document. If the node is missing, it finds the nearest ancestor.
func (at *Position) Find(ctx context.Context, doc *model.Document) Found {
	f := Found{open: branchesIn(ctx, doc, at.Branches), picked: make(map[string]*model.Place), sources: make(map[string]*model.Source)}
	for path := at.Path; path != "" && f.path == nil && ctx.Err() == nil; path = path[:max(strings.LastIndexByte(path, '/'), 0)] {
		if p, err := doc.Lookup(ctx, path); err == nil {
			f.path = p
		}
	}
	for _, r := range at.Rows {
		if p, err := doc.Lookup(ctx, r.Branch); f.picked[r.Branch] == nil && err == nil {
			f.picked[r.Branch] = p
		}
	}
	for _, b := range at.Bytes {
		if src, err := doc.SourceByName(ctx, b.Source); err == nil {
			f.sources[b.Source] = src
		}
	}
	return f
}

// Resume restores a position: view, branches, node, bytes and scrolling.
func (s *Pane) Resume(at Position, f Found) {
	v := s.Doc.View(at.View)
	if v == nil && f.path != nil {
		v = s.Doc.View(nodes.ViewOf(f.path))
	}
	if v == nil {
		v = s.Doc.Views[0]
	}
	s.ShowView(v, false)
	s.Trees.Unfold(f.open)
	if f.path == nil {
		f.path = v.Place(s.Ctx)
	}
	how := Showing{tree: nodes.ViewOf(f.path) == v.Name, hex: at.Path != "" && at.Bytes == nil, marked: true}
	if at.Card != nil {
		how.card = cards.State(*at.Card)
	}
	s.resumeBytes(at, f)
	s.Show(f.path, how)
	for _, r := range at.Rows {
		if p := f.picked[r.Branch]; p != nil {
			s.Trees.Tree(v).Pick(s.Trees.sorted[v.Name].Way(p), r.First, r.Last)
		}
	}
	if at.Bytes != nil && at.Row >= 0 && f.path.Path() == at.Path {
		s.Trees.Tree(v).SetTop(at.Row)
	}
	s.Stage.Choose(at.Stage)
	for i, l := range Listed {
		if l.Name == at.List {
			s.Lists.Show(i)
		}
	}
	s.Lists.Problems.Look()
	s.CursorMoved()
}

// resumeBytes shows the same bytes.
func (s *Pane) resumeBytes(at Position, f Found) {
	front := s.Hex.Shown
	for _, b := range at.Bytes {
		src := f.sources[b.Source]
		if src == nil {
			continue
		}
		t := s.Hex.TabFor(src)
		if b.Pinned {
			s.Hex.Pin(t)
		}
		b.showIn(t)
		if b.Source == at.Source {
			front = t
		}
	}
	s.Hex.Choose(front) // which shows that there are others
	if second := s.Hex.Second; second != nil && at.Second != nil && second.Src.Name() == at.Second.Source {
		at.Second.showIn(second)
	}
}

// TypeLike takes the state of the bytes over from the pane before, also while they are typed over.
func (s *Pane) TypeLike(before *Pane) {
	stands := make(map[string]hexview.State)
	for _, t := range before.Hex.Tabs {
		stands[t.Src.Name()] = t.View.State()
	}
	for _, t := range s.Hex.Tabs {
		if stand, ok := stands[t.Src.Name()]; ok {
			t.View.SetState(stand)
		}
	}
	s.Hex.SecondLike(before.Hex)
}

// FocusLike focuses the tree or the bytes if those of the pane before had the keyboard.
func (s *Pane) FocusLike(before *Pane, focused fyne.Focusable) {
	switch {
	case focused == before.Hex.Shown.View:
		s.Focus(s.Hex.Shown.View)
	case focused == before.Trees.Front(before.Trees.view):
		s.Trees.FocusTree()
	}
}
