package document

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/ui/hexpane"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
)

// treeMenu is the menu of a row of the tree.
func (s *Pane) treeMenu(p *nodes.Item, at fyne.Position) {
	s.withRefs(p, func(refs []model.Ref) { s.showTreeMenu(p, refs, at) })
}

func (s *Pane) showTreeMenu(p *nodes.Item, refs []model.Ref, at fyne.Position) {
	path := kit.MenuItem("Copy path", "", 0, s.CopyPath)
	if p.IsStub() {
		path.Action = func() { s.CopyText(p.Path(), model.GroupedCount(1, "path")) }
	}
	items := []*fyne.MenuItem{path}
	if !p.IsStub() {
		items = append(items, kit.MenuItem("Copy value", "", 0, s.CopyValue))
		for _, span := range p.Place.Node.Spans[:min(len(p.Place.Node.Spans), 5)] {
			if span.Source != nil {
				items = append(items, kit.MenuItem("Show "+phrase.Span(span), "", 0, func() { s.ShowSpan(span) }))
			}
		}
		if span := p.Place.Node.Span(); span.Len > 0 {
			items = append(items, kit.MenuItem("Decode its bytes as…", "", 0, func() { s.host.DecodeSpan(span) }))
		}
	}
	for k, der := range p.Place.Node.Derived[:min(len(p.Place.Node.Derived), 5)] {
		if !p.IsStub() || p.Derived == k {
			items = append(items, kit.MenuItem("Open "+der.Title+" in a tab", "", 0, func() { s.OpenDerived(p.Place, k) }))
		}
	}
	items = append(append(items, fyne.NewMenuItemSeparator()), s.exportItems()...)
	if links := s.LinkItems(p, refs); len(links) > 0 {
		items = append(append(items, fyne.NewMenuItemSeparator()), links...)
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.Win.Canvas(), at)
}

// BytesMenu is the menu of a byte.
func (s *Pane) BytesMenu(t *hexpane.Tab, off int64, at fyne.Position) {
	items := []*fyne.MenuItem{
		kit.MenuItem("Select what it is", "", 0, func() { s.Tapped(t.Src, off, false) }),
		kit.MenuItem("Copy offset", "", 0, func() { s.App.Clipboard().SetContent(phrase.Hex(off)) }),
	}
	bytes := fyne.NewMenuItem("Copy bytes as", nil)
	bytes.ChildMenu = fyne.NewMenu("", s.copyItems()...)
	items = append(items, bytes)
	if span, ok := s.chosenSpan(); ok {
		items = append(items, kit.MenuItem(fmt.Sprintf("Decode %s as…", phrase.Bytes(span.Len)), "", 0, func() { s.host.DecodeSpan(span) }))
	}
	if t == s.Hex.Follow {
		items = append(items, kit.MenuItem("Keep this tab", "", 0, func() { s.Hex.Pin(t) }))
	}
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), s.Win.Canvas(), at)
}

// CopyValue copies the values of the selected nodes, each on a line.
func (s *Pane) CopyValue() {
	s.ChosenNodes("copying values", func(places []*model.Place) {
		s.Tasks.Try(s.Ctx, "copying values", func(ctx context.Context, _ model.Progress) (func(), error) {
			var values []string
			for _, p := range places {
				text := nodes.ValueText(ctx, &p.Node, CopiedValue/len(places))
				if v, ok := p.Node.Value.(model.Text); ok {
					text = string(v)
				}
				values = append(values, text)
			}
			return func() { s.CopyText(strings.Join(values, "\n"), model.GroupedCount(int64(len(values)), "value")) }, ctx.Err()
		})
	})
}

// CopyPath copies the paths of the selected nodes, each on a line.
func (s *Pane) CopyPath() {
	s.ChosenNodes("copying paths", func(places []*model.Place) {
		var paths []string
		for _, p := range places {
			paths = append(paths, p.Path())
		}
		s.CopyText(strings.Join(paths, "\n"), model.GroupedCount(int64(len(paths)), "path"))
	})
}

// CopiedValue is how much of a value is copied, in bytes.
const CopiedValue = 1 << 20

// BytesCopied follows Ctrl+C in the hex pane.
func (s *Pane) BytesCopied(n int64, err error) {
	if err != nil {
		s.Tell("copying", err)
		return
	}
	s.Notify(phrase.Bytes(n) + " copied")
}

// NextView switches to the next tree.
func (s *Pane) NextView() {
	for i, v := range s.Doc.Views {
		if v == s.view {
			s.ShowView(s.Doc.Views[(i+1)%len(s.Doc.Views)], true)
			return
		}
	}
}

// copyItems offers the ways to copy the bytes that are selected.
func (s *Pane) copyItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, f := range hexview.CopyFormats {
		items = append(items, kit.MenuItem(f.Title, "", 0, func() { s.CopyBytes(f.Name) }))
	}
	return items
}

// CopyBytes copies the bytes that are selected, in a format of hexview's.
func (s *Pane) CopyBytes(format string) {
	text, err := s.Hex.Shown.View.CopyAs(format)
	if err != nil {
		s.Tell("copying", err)
		return
	}
	s.App.Clipboard().SetContent(text)
}
