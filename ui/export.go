package ui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/ui/phrase"
)

// maxExported is how many nodes can be selected for one export: each is kept in memory.
const maxExported = 10_000

// copiedForm is how much of a form is copied, in bytes.
const copiedForm = 1 << 20

// chosenNodes finds the selected nodes in the background, in the order of the tree, and hands them on. They are those of
// the tree if several are selected, else the one that the details show. The places are for the receiver alone.
func (s *session) chosenNodes(what string, then func(places []*model.Place)) {
	t := s.front(s.view)
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
	s.Tasks.Try(s.ctx, what, func(ctx context.Context, progress model.Progress) (func(), error) {
		var places []*model.Place
		for _, it := range items(ctx) {
			p := placeOf(it)
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

// fresh makes copies of places, so that work on them does not change those that are looked at.
func fresh(places []*model.Place) []*model.Place {
	var list []*model.Place
	for _, p := range places {
		list = append(list, p.Copy())
	}
	return list
}

// exportSelected asks how the selected nodes are to be exported.
func (s *session) exportSelected() {
	s.chosenNodes("taking the selected nodes", func(places []*model.Place) { s.askForExport(places, s.w.lastForm) })
}

// exportReport asks where a report on the whole file is to be saved.
func (s *session) exportReport() {
	for _, f := range export.Forms {
		if f.Document {
			s.askForExport(nil, f)
			return
		}
	}
}

// askForExport finds which forms suit the places, and shows the dialog; form is the one to begin with, if it suits.
func (s *session) askForExport(places []*model.Place, form *export.Form) {
	s.Tasks.Try(s.ctx, "looking at what can be exported", func(ctx context.Context, _ model.Progress) (func(), error) {
		own := fresh(places)
		refused := make(map[*export.Form]string)
		for _, f := range export.Forms {
			refused[f] = f.Refuse(ctx, own)
		}
		return func() { newExportDialog(s, places, refused, form) }, ctx.Err()
	})
}

// copyAs copies the selected nodes in a form, if that is not too much.
func (s *session) copyAs(f *export.Form) {
	s.chosenNodes("copying", func(places []*model.Place) {
		s.Tasks.Try(s.ctx, "copying as "+f.Title, func(ctx context.Context, progress model.Progress) (func(), error) {
			own := fresh(places)
			if why := f.Refuse(ctx, own); why != "" {
				return nil, errors.New(why)
			}
			text, err := copied(ctx, f, &export.Request{Doc: s.Doc, Places: own, Depth: -1, Bare: true, Progress: progress})
			return func() {
				s.App.Clipboard().SetContent(text)
				s.Notify(phrase.Bytes(int64(len(text))) + " copied as " + f.Title)
				s.Log.Write("copied", f.Name, len(text))
			}, err
		})
	})
}

// copied is the text of a form, or the word that it is too much to be copied.
func copied(ctx context.Context, f *export.Form, r *export.Request) (string, error) {
	text, whole, err := f.Preview(ctx, r, copiedForm)
	if err == nil && !whole {
		err = errors.New("this is more than 1 MB, which is too much to copy: export it to a file")
	}
	return string(text), err
}

// exportItems are the items of a row's menu that take the selected nodes elsewhere.
func (s *session) exportItems() []*fyne.MenuItem {
	label := "Export…"
	if n := s.front(s.view).SelectedCount(); n > 1 {
		label = fmt.Sprintf("Export %s…", model.GroupedCount(n, "node"))
	}
	as := fyne.NewMenuItem("Copy as", nil)
	as.ChildMenu = fyne.NewMenu("")
	for _, f := range export.Forms {
		if f.Snippet {
			as.ChildMenu.Items = append(as.ChildMenu.Items, item(f.Title, "", 0, func() { s.copyAs(f) }))
		}
	}
	return []*fyne.MenuItem{item(label, "", 0, s.exportSelected), as}
}

// picked tells how many rows of a tree are selected.
func (s *session) picked(n int64) {
	s.Log.Write("picked", n)
	s.showWhere()
}

// pickedText is what the status bar says when several nodes are selected.
func (s *session) pickedText() string {
	if s.view == nil {
		return ""
	}
	if n := s.front(s.view).SelectedCount(); n > 1 {
		return "  ·  " + model.GroupedCount(n, "node") + " selected"
	}
	return ""
}

// exportedText says which nodes are exported.
func (s *session) exportedText(places []*model.Place) string {
	const shown = 3
	if len(places) == 0 {
		return "The whole of " + s.title()
	}
	var paths []string
	for _, p := range places[:min(len(places), shown)] {
		paths = append(paths, phrase.Short(export.PathText(p.Path()), 90))
	}
	text := strings.Join(paths, "\n")
	if more := len(places) - shown; more > 0 {
		text += fmt.Sprintf("\nand %s more", model.Grouped(int64(more)))
	}
	return text
}

// exportPath is where an export goes unless the user says otherwise.
func (s *session) exportPath(f *export.Form, places []*model.Place) string {
	dir := s.w.exportDir
	if dir == "" {
		dir = s.w.lastFolder()
	}
	return filepath.Join(dir, f.FileName(s.Doc, places))
}
