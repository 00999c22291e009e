package document

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/export"
	exporting "cutaway/ui/export"
	"cutaway/ui/hexpane"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/references"
	"cutaway/ui/shell"
)

// Actions copy, export, open and follow the selection, and make the menus that offer to.
type Actions struct {
	shell.Opened
	pane *Pane
}

// ExportSelected asks how the selected nodes are to be exported.
func (s *Actions) ExportSelected() {
	s.pane.Trees.ChosenNodes("taking the selected nodes", func(places []*model.Place) { s.Exporter().Ask(places, nil) })
}

// ExportRows asks how some rows of the selected node's array or table are to be exported.
func (s *Actions) ExportRows(rows [][2]int64) {
	var some export.Rows
	for _, r := range rows {
		some = append(some, export.RowRange{First: r[0], End: r[1]})
	}
	x := s.Exporter()
	x.Rows = some
	s.pane.Trees.ChosenNodes("taking the selected node", func(places []*model.Place) { x.Ask(places, exporting.Forms.ByName("csv")) })
}

// ExportReport asks where a report on the whole file is to be saved.
func (s *Actions) ExportReport() {
	i := slices.IndexFunc(exporting.Forms, func(f *export.Form) bool { return f.Document })
	s.Exporter().Ask(nil, exporting.Forms[i])
}

// exportItems are the items of a row's menu that take the selected nodes elsewhere.
func (s *Actions) exportItems() []*fyne.MenuItem {
	label := "Export…"
	if n := s.pane.Trees.Front(s.pane.Trees.view).Selection.Count(); n > 1 {
		label = fmt.Sprintf("Export %s…", model.GroupedCount(n, "node"))
	}
	as := fyne.NewMenuItem("Copy as", nil)
	as.ChildMenu = fyne.NewMenu("")
	for _, f := range exporting.Forms {
		if f.Snippet {
			as.ChildMenu.Items = append(as.ChildMenu.Items, kit.MenuItem(f.Title, "", 0, func() {
				s.pane.Trees.ChosenNodes("copying", func(places []*model.Place) { s.Exporter().CopyAs(places, f) })
			}))
		}
	}
	return []*fyne.MenuItem{kit.MenuItem(label, "", 0, s.ExportSelected), as}
}

// Exporter exports nodes of the document.
func (s *Actions) Exporter() *exporting.Exporter {
	x := exporting.New(s.Opened, s.pane.host.Export, s.pane.host.LastExport)
	x.Notes = s.pane.Lists.Kept.Notes
	return x
}

// exportLeft returns the title of the form that holds most of the first view, and a function that asks where to write. The form is the
// first suitable one of the format's own, else JSON.
func (s *Actions) exportLeft(ctx context.Context) (title string, ask func()) {
	places := []*model.Place{s.Doc.Views[0].Place(ctx)}
	own := exporting.Copies(places)
	form := exporting.Forms.ByName("json")
	forms := exporting.Forms[len(export.Common):]
	if i := slices.IndexFunc(forms, func(f *export.Form) bool { return f.Refuse(ctx, own) == "" }); i >= 0 {
		form = forms[i]
	}
	return form.Title, func() { s.Exporter().Ask(places, form) }
}

// MenuRefs is the number of references that a menu offers. The list has all.
const MenuRefs = 12

// withRefs finds the references of a row's node in the background.
func (s *Actions) withRefs(p *nodes.Item, then func(refs []model.Ref)) {
	at := p.Place.Fresh(s.Ctx) // the row may have been made before its node was decoded
	if p.IsStub() {
		then(nil)
		return
	}
	s.Tasks.Try(s.Ctx, "looking for references", func(ctx context.Context, _ model.Progress) (func(), error) {
		refs := refsOf(ctx, s.Doc, &at.Node, true)
		return func() { then(refs) }, nil
	})
}

// refsOf returns the references of a node: to other files, nodes and bytes. With parts it adds the files that parts of the node name.
func refsOf(ctx context.Context, doc *model.Document, n *model.Node, parts bool) []model.Ref {
	refs := decoders.AssetRefs(ctx, doc, n, parts)
	if n.Refs != nil {
		refs = append(refs, n.Refs(ctx)...)
	}
	return refs
}

// FollowFrom follows the reference of a node. Of several it follows the one that is the node's value, such as a path's to the file, or
// else a menu offers them.
func (s *Actions) FollowFrom(p *nodes.Item, at fyne.Position) {
	s.withRefs(p, func(refs []model.Ref) {
		if own := ofValue(p, refs); own != nil {
			refs = []model.Ref{*own}
		}
		switch len(refs) {
		case 0:
			s.Notify(nodes.Label(p) + " refers to nothing")
		case 1:
			s.pane.Nav.Follow(refs[0])
		default:
			widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", s.RefItems(refs, "")...), s.Win.Canvas(), at)
		}
	})
}

// ofValue returns the one reference to a file, or of the kind that is the node's type, or nil unless there is exactly one.
func ofValue(p *nodes.Item, refs []model.Ref) *model.Ref {
	var own *model.Ref
	for i, r := range refs {
		switch {
		case p.IsStub() || r.File == "" && r.Kind != p.Place.Node.Type:
		case own != nil:
			return nil
		default:
			own = &refs[i]
		}
	}
	return own
}

// RefItems offers references in a menu.
func (s *Actions) RefItems(refs []model.Ref, prefix string) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, r := range refs[:min(len(refs), MenuRefs)] {
		items = append(items, kit.MenuItem(prefix+phrase.Short(phrase.Ref(r), 80), "", 0, func() { s.pane.Nav.Follow(r) }))
	}
	if len(refs) > MenuRefs {
		items = append(items, kit.MenuItem(fmt.Sprintf("%sall %s…", prefix, model.Grouped(int64(len(refs)))), "", 0, func() { s.pane.Lists.ShowForKeys(ListReferences) }))
	}
	return items
}

// FollowCurrent follows the reference of the selected node. A menu opens at its row.
func (s *Actions) FollowCurrent() {
	if code := s.pane.Stage.Code(); code != nil {
		code.Follow()
		return
	}
	if s.pane.current == nil {
		return
	}
	tree := s.pane.Trees.Front(s.pane.Trees.view)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(tree)
	if row, size, ok := tree.CursorRect(); ok {
		at = at.Add(row).AddXY(size.Height, size.Height)
	}
	s.FollowFrom(nodes.ItemOf(s.pane.current), at)
}

// LinkItems returns the items of a row's menu that go to its references.
func (s *Actions) LinkItems(p *nodes.Item, refs []model.Ref) []*fyne.MenuItem {
	items := s.RefItems(refs, "Go to ")
	if p.IsStub() || s.Doc.ReferencedBy == nil {
		return items
	}
	text := "Referenced by…"
	if n, known := s.pane.Lists.Refs.Referrers(p.Path()); known {
		text = fmt.Sprintf("Referenced by %s…", model.Grouped(n))
	}
	return append(items, kit.MenuItem(text, "", 0, func() {
		s.pane.Lists.ShowForKeys(ListReferences)
		s.pane.Lists.Refs.Filter.SetText(references.CameBy)
	}))
}

// treeMenu opens the menu of a row of the tree.
func (s *Actions) treeMenu(p *nodes.Item, at fyne.Position) {
	s.withRefs(p, func(refs []model.Ref) {
		widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", s.NodeItems(p, refs)...), s.Win.Canvas(), at)
	})
}

// NodeItems returns the menu of a row, whose node has some references.
func (s *Actions) NodeItems(p *nodes.Item, refs []model.Ref) []*fyne.MenuItem {
	path := kit.MenuItem("Copy path", "", 0, s.CopyPath)
	if p.IsStub() {
		path.Action = func() { s.CopyText(p.Path(), model.GroupedCount(1, "path")) }
	}
	items := []*fyne.MenuItem{path}
	if !p.IsStub() {
		items = append(items, kit.MenuItem("Copy value", "", 0, s.CopyValue))
		if at := p.Place.Fresh(s.Ctx); s.pane.editor.CanChange(at) { // the row may have been made before its node was decoded
			items = append(items, kit.MenuItem("Change value…", "", 0, func() { s.pane.editor.ChangeValue(at) }))
		}
		items = append(items, kit.MenuItem("Mark…", "", 0, s.pane.Lists.Kept.Add))
		own := s.pane.ownSpans(p.Place)
		for _, span := range own[:min(len(own), 5)] {
			if span.Source != nil {
				items = append(items, kit.MenuItem("Show "+phrase.Span(span), "", 0, func() { s.pane.Nav.VisitSpan(span) }))
			}
		}
		if len(own) > 0 && own[0].Len > 0 {
			items = append(items, kit.MenuItem("Read its bytes as…", "", 0, func() { s.pane.host.DecodeSpan(own[0]) }))
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
	return items
}

// BytesMenu opens the menu of a byte.
func (s *Actions) BytesMenu(t *hexpane.Tab, off int64, at fyne.Position) {
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", s.BytesItems(t, off)...), s.Win.Canvas(), at)
}

// BytesItems returns the menu of a byte and of the selected bytes.
func (s *Actions) BytesItems(t *hexpane.Tab, off int64) []*fyne.MenuItem {
	items := []*fyne.MenuItem{
		kit.MenuItem("Select what it is", "", 0, func() { s.pane.Nav.Tapped(t.Src, off, false) }),
		kit.MenuItem("Copy offset", "", 0, func() { s.App.Clipboard().SetContent(phrase.Hex(off)) }),
	}
	bytes := fyne.NewMenuItem("Copy bytes as", nil)
	bytes.ChildMenu = fyne.NewMenu("")
	for _, f := range hexview.CopyFormats {
		bytes.ChildMenu.Items = append(bytes.ChildMenu.Items, kit.MenuItem(f.Title, "", 0, func() { s.CopyBytes(f.Name) }))
	}
	items = append(items, bytes)
	span, ok := s.chosenSpan()
	if !ok {
		span = t.Src.Span(off, t.Src.Size()-off)
	}
	marked := t.Src.Span(off, 1)
	if from, n := t.View.Selection(); n > 0 {
		marked = t.Src.Span(from, n)
	}
	items = append(items, kit.MenuItem("Inspect", "", 0, func() { s.pane.Side.InspectAs(s.pane.Side.Inspector.Front) }),
		kit.MenuItem("Mark…", "", 0, func() { s.pane.Lists.Kept.AddTo("", marked) }),
		kit.MenuItem(fmt.Sprintf("Read %s as…", phrase.Bytes(span.Len)), "", 0, func() { s.pane.host.DecodeSpan(span) }))
	if t == s.pane.Hex.Follow {
		items = append(items, kit.MenuItem("Keep this tab", "", 0, func() { s.pane.Hex.Pin(t) }))
	}
	return items
}

// CopyValue copies the values of the selected nodes, each on a line.
func (s *Actions) CopyValue() {
	s.pane.Trees.ChosenNodes("copying values", func(places []*model.Place) {
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
func (s *Actions) CopyPath() {
	s.pane.Trees.ChosenNodes("copying paths", func(places []*model.Place) {
		var paths []string
		for _, p := range places {
			paths = append(paths, p.Path())
		}
		s.CopyText(strings.Join(paths, "\n"), model.GroupedCount(int64(len(paths)), "path"))
	})
}

// CopiedValue is the most bytes of a value that are copied.
const CopiedValue = 1 << 20

// BytesCopied follows Ctrl+C in the hex pane.
func (s *Actions) BytesCopied(n int64, err error) {
	if err != nil {
		s.Tell("copying", err)
		return
	}
	s.Notify(phrase.Bytes(n) + " copied")
}

// CopyBytes copies the bytes that are selected, in a format of hexview's.
func (s *Actions) CopyBytes(format string) {
	text, err := s.pane.Hex.Shown.View.CopyAs(format)
	if err != nil {
		s.Tell("copying", err)
		return
	}
	s.App.Clipboard().SetContent(text)
}

// OpenDerived opens what is derived from a node in a tab of its own.
func (s *Actions) OpenDerived(p *model.Place, k int) {
	der := p.Node.Derived[k]
	s.Tasks.Try(s.Ctx, "opening "+der.Title, func(ctx context.Context, _ model.Progress) (func(), error) {
		src, _, err := der.Open(ctx)
		if err != nil {
			return nil, err
		}
		return func() { s.pane.host.OpenPart(der.Title, src.Whole()) }, nil
	})
}

// chosenSpan returns the bytes that are selected in the hex pane, or else those of the selected node.
func (s *Actions) chosenSpan() (model.Span, bool) {
	t := s.pane.Hex.Shown
	if off, n := t.View.Selection(); n > 0 {
		return t.Src.Span(off, n), true
	}
	if s.pane.current != nil {
		if at := s.pane.own.first(); at.Len > 0 && at.Source.Same(t.Src) {
			return at, true
		}
	}
	return model.Span{}, false
}

// DecodeSelection decodes the bytes that are selected.
func (s *Actions) DecodeSelection() {
	if at, ok := s.chosenSpan(); ok {
		s.pane.host.DecodeSpan(at)
	} else {
		s.TellWords("No bytes are selected", theme.InfoIcon(), "Drag over bytes, or select a node that has some, and try again.")
	}
}
