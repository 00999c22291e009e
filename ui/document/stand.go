package document

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/ui/cards"
	"cutaway/ui/filter"
	"cutaway/ui/hexpane"
	"cutaway/ui/nodes"
)

// Stand is where the user is in a document, in words that hold for another reading of the same file too, and at the next start.
type Stand struct {
	Path     string   `json:"-"`               // of the selected node
	Branches []string `json:"-"`               // open ones, those above before those below
	View     string   `json:"view,omitempty"`  // the tree that is shown
	Row      int64    `json:"row,omitempty"`   // the first in sight there; negative where it is sorted, so that it would be another
	Rows     []Rows   `json:"rows,omitempty"`  // those that are selected there, where they are not the node's alone
	Bytes    []Bytes  `json:"bytes,omitempty"` // what the tabs of the hex pane show
	Source   string   `json:"source,omitempty"`
	Second   *Bytes   `json:"second,omitempty"` // what the second pane shows; nil: there is none
	List     string   `json:"list,omitempty"`   // the one below the tree
	Stage    string   `json:"stage,omitempty"`  // the kind of card that was chosen last
	Card     *place   `json:"card,omitempty"`   // where in the card of the stage; nil: it is none of a node
}

// Rows are several of a branch, from the first to the last.
type Rows struct {
	Branch string `json:"branch"`
	First  int64  `json:"first"`
	Last   int64  `json:"last"`
}

// maxRows is how many runs of selected rows are remembered.
const maxRows = 1000

// Bytes are what a tab of the hex pane shows.
type Bytes struct {
	Source string `json:"source"`
	Pinned bool   `json:"pinned,omitempty"` // it does not follow the selection
	Top    int64  `json:"top,omitempty"`    // the first byte in sight
	Cursor int64  `json:"cursor,omitempty"`
	Seen   bool   `json:"seen,omitempty"` // the cursor is in sight
	Off    int64  `json:"off,omitempty"`  // the bytes selected; none where Len is 0
	Len    int64  `json:"len,omitempty"`
}

// place is a cards.State as it is written.
type place struct {
	Title string `json:"title"`
	Row   int64  `json:"row"`
	Top   int64  `json:"top,omitempty"`
	Keys  bool   `json:"keys,omitempty"`
}

// KeptBranches is how many open branches of a tree are opened again where a document is read anew.
const KeptBranches = 1000

// Found is what of a Stand there is in a document.
type Found struct {
	path    *model.Place
	open    []*model.Place
	picked  map[string]*model.Place
	sources map[string]*model.Source
}

// Stand is where the user is, or will be once the document is shown as it was left. Of each tree it has at most so many branches.
func (s *Pane) Stand(branches int) Stand {
	if s.coming != nil {
		return *s.coming
	}
	at := Stand{Branches: s.Trees.OpenBranches(branches), View: s.Trees.view.Name, Source: s.Hex.Shown.Src.Name(), Stage: s.Stage.Chosen(), List: s.Lists.name()}
	if at.Row = s.Trees.Tree(s.Trees.view).Top(); s.Trees.SortedBy() >= 0 {
		at.Row = -1
	} else {
		for _, r := range s.Trees.Tree(s.Trees.view).Picked(maxRows) {
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
		at.Card = &place{c.Title, c.Row, c.Top, c.Keys}
	}
	return at
}

// bytesOf is what a tab of the hex pane shows.
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

// showIn shows them in a tab again.
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

// Find looks for what there is of a Stand in a document, in place of what there is not for what is above it.
func (at *Stand) Find(ctx context.Context, doc *model.Document) Found {
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

// Resume shows a document as it was left: the same view, branches, node, bytes, and what is in sight of them.
func (s *Pane) Resume(at Stand, f Found) {
	v := s.Doc.View(at.View)
	if v == nil && f.path != nil {
		v = s.Doc.View(nodes.ViewOf(f.path))
	}
	if v == nil {
		v = s.Doc.Views[0]
	}
	s.ShowView(v, false)
	s.Trees.openBranches(f.open)
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
	s.ShowLike(at)
	s.Lists.Problems.Look()
	s.CursorMoved()
}

// ShowLike opens the list and has the kind of card on the stage that another reading of the document had.
func (s *Pane) ShowLike(at Stand) {
	s.Stage.Choose(at.Stage)
	if list := slices.Index(listNames[:], at.List); list >= 0 {
		s.Lists.Show(list)
	}
}

// resumeBytes shows the same bytes.
func (s *Pane) resumeBytes(at Stand, f Found) {
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

// TypeLike shows the bytes as the pane before does, where they are being typed over too.
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

// FocusLike gives the keyboard to what had it in the pane before: its tree or its bytes.
func (s *Pane) FocusLike(before *Pane, focused fyne.Focusable) {
	switch {
	case focused == before.Hex.Shown.View:
		s.Focus(s.Hex.Shown.View)
	case focused == before.Trees.Front(before.Trees.view):
		s.Trees.FocusTree()
	}
}
