package document

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/model/export"
	exporting "cutaway/ui/export"
	"cutaway/ui/filter"
	"cutaway/ui/kit"
)

// ChosenNodes finds the selected nodes in the background, in the order of the tree, and hands them on. They are those of
// the tree if several are selected, else the one that the details show. The places are for the receiver alone.
func (s *Pane) ChosenNodes(what string, then func(places []*model.Place)) {
	t := s.Front(s.view)
	n := t.SelectedCount()
	switch {
	case n <= 1 && s.current == nil:
		return
	case n <= 1:
		then([]*model.Place{s.current})
		return
	case n > maxExported:
		s.TellWords("Too many nodes", nil, fmt.Sprintf("%s are selected; at most %s can be taken one by one. Select the node above them, which has all of them below it.",
			model.GroupedCount(n, "node"), model.Grouped(maxExported)))
		return
	}
	items := t.SelectedAll(maxExported)
	s.Tasks.Try(s.Ctx, what, func(ctx context.Context, progress model.Progress) (func(), error) {
		var places []*model.Place
		for _, it := range items(ctx) {
			p := filter.PlaceOf(it)
			at := p.Place
			if p.IsStub() {
				var err error
				if at, err = p.Decode(ctx, progress); err != nil {
					return nil, err
				}
			}
			places = append(places, at)
		}
		return func() { then(places) }, ctx.Err()
	})
}

// ExportSelected asks how the selected nodes are to be exported.
func (s *Pane) ExportSelected() {
	s.ChosenNodes("taking the selected nodes", func(places []*model.Place) { s.Exporter().Ask(places, nil) })
}

// ExportReport asks where a report on the whole file is to be saved.
func (s *Pane) ExportReport() {
	for _, f := range export.Forms {
		if f.Document {
			s.Exporter().Ask(nil, f)
			return
		}
	}
}

// exportItems are the items of a row's menu that take the selected nodes elsewhere.
func (s *Pane) exportItems() []*fyne.MenuItem {
	label := "Export…"
	if n := s.Front(s.view).SelectedCount(); n > 1 {
		label = fmt.Sprintf("Export %s…", model.GroupedCount(n, "node"))
	}
	as := fyne.NewMenuItem("Copy as", nil)
	as.ChildMenu = fyne.NewMenu("")
	for _, f := range export.Forms {
		if f.Snippet {
			as.ChildMenu.Items = append(as.ChildMenu.Items, kit.MenuItem(f.Title, "", 0, func() {
				s.ChosenNodes("copying", func(places []*model.Place) { s.Exporter().CopyAs(places, f) })
			}))
		}
	}
	return []*fyne.MenuItem{kit.MenuItem(label, "", 0, s.ExportSelected), as}
}

// picked tells how many rows of a tree are selected.
func (s *Pane) picked(n int64) {
	s.Log.Write("picked", n)
	s.CursorMoved()
}

// PickedText is what the status bar says when several nodes are selected.
func (s *Pane) PickedText() string {
	if s.view == nil {
		return ""
	}
	if n := s.Front(s.view).SelectedCount(); n > 1 {
		return "  ·  " + model.GroupedCount(n, "node") + " selected"
	}
	return ""
}

// maxExported is how many nodes can be selected for one export: each is kept in memory.
const maxExported = 10_000

// Exporter exports nodes of the document.
func (s *Pane) Exporter() *exporting.Exporter {
	return exporting.New(s.Opened, s.host, s.host.LastExport())
}
