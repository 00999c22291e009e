package document

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/filter"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/treeview"
)

// Follow goes where a reference leads. Of bytes without a path it selects what they are.
func (s *Pane) Follow(r model.Ref) {
	s.Log.Write("followed", r.Kind, phrase.Target(r))
	switch {
	case r.Path != "":
		s.GoTo(r.Path)
	case r.Span.Source != nil:
		s.leave()
		s.ShowSpan(r.Span)
		s.Tapped(r.Span.Source, r.Span.Off, false)
	}
}

// MenuRefs is how many references a menu offers; the others are in the tab.
const MenuRefs = 12

// withRefs finds what the node of a row refers to, in the background, and hands it on.
func (s *Pane) withRefs(p *nodes.Item, then func(refs []model.Ref)) {
	at := p.Place.Fresh(s.Ctx) // the row may have been made before its node was decoded
	if p.IsStub() || at.Node.Refs == nil {
		then(nil)
		return
	}
	s.Tasks.Try(s.Ctx, "looking for references", func(ctx context.Context, _ model.Progress) (func(), error) {
		refs := at.Node.Refs(ctx)
		return func() { then(refs) }, nil
	})
}

// FollowFrom follows the reference of a node; where it has several, a menu offers them.
func (s *Pane) FollowFrom(p *nodes.Item, at fyne.Position) {
	s.withRefs(p, func(refs []model.Ref) {
		switch len(refs) {
		case 0:
			s.Notify(nodes.Label(p) + " refers to nothing")
		case 1:
			s.Follow(refs[0])
		default:
			widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", s.RefItems(refs, "")...), s.Win.Canvas(), at)
		}
	})
}

// RefItems offers references in a menu.
func (s *Pane) RefItems(refs []model.Ref, prefix string) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, r := range refs[:min(len(refs), MenuRefs)] {
		items = append(items, kit.MenuItem(prefix+phrase.Short(phrase.Ref(r), 80), "", 0, func() { s.Follow(r) }))
	}
	if len(refs) > MenuRefs {
		items = append(items, kit.MenuItem(fmt.Sprintf("%sall %s…", prefix, model.Grouped(int64(len(refs)))), "", 0, func() { s.Details.Choose(TabReferences) }))
	}
	return items
}

// FollowCurrent follows the reference of the selected node. A menu opens at its row.
func (s *Pane) FollowCurrent() {
	if s.current == nil {
		return
	}
	tree := s.Front(s.view)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(tree)
	if row, size, ok := tree.CursorRect(); ok {
		at = at.Add(row).AddXY(size.Height, size.Height)
	}
	s.FollowFrom(nodes.ItemOf(s.current), at)
}

// followLinks makes the rows of a tree lead where they refer to.
func (s *Pane) followLinks(t *treeview.Tree) {
	t.OnFollow = func(it treeview.Item, at fyne.Position) { s.FollowFrom(filter.PlaceOf(it), at) }
	t.OnChosen = func(it treeview.Item) {
		if p := filter.PlaceOf(it); p.Place.Fresh(s.Ctx).Node.Refs != nil {
			s.FollowCurrent()
		}
	}
}

// LinkItems is what the menu of a row offers of references.
func (s *Pane) LinkItems(p *nodes.Item, refs []model.Ref) []*fyne.MenuItem {
	items := s.RefItems(refs, "Go to ")
	if p.IsStub() || s.Doc.ReferencedBy == nil {
		return items
	}
	text := "Referenced by…"
	if n, known := s.Details.Refs.Referrers(p.Path()); known {
		text = fmt.Sprintf("Referenced by %s…", model.Grouped(n))
	}
	return append(items, kit.MenuItem(text, "", 0, func() {
		s.Details.Choose(TabReferences)
		s.Details.Refs.ShowReferrers()
	}))
}
