package sizes

import (
	"context"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/model/size"
	"cutaway/ui/phrase"
	"cutaway/ui/treeview"
)

// savings lists what a file could do without, each with the first of its places.
type savings struct {
	p     *Pane
	of    *model.View // searched last, or nil
	Data  *treeview.Slice[saving]
	List  *treeview.Tree
	shown bool
}

// nothingSaved is the text of an empty list.
const nothingSaved = "Nothing was found that the file could do without"

// saving is a row: a saving, or with a path one of its places. Without either it says that there is nothing.
type saving struct {
	*size.Saving
	path string
}

func newSavings(p *Pane) *savings {
	s := &savings{p: p}
	s.Data = treeview.SliceOf(func(r saving) treeview.Row {
		if r.path != "" {
			return treeview.Row{Cells: []string{"    " + r.path}, Dim: true}
		}
		if r.Saving == nil {
			return treeview.Row{Cells: []string{nothingSaved}, Dim: true}
		}
		return treeview.Row{Cells: []string{phrase.Capital(r.Kind) + ": " + r.Text, model.Grouped(r.Count), model.Grouped(r.Bytes), p.percent(r.Bytes)}}
	})
	s.List = p.NewList(p.Ctx, "savings", s.Data, []treeview.Column{{Title: "What the file could do without", Width: 200, Stretch: 1},
		{Title: "Places", Width: 70, Mono: true, Right: true, Quiet: true}, {Title: "Bytes", Width: 96, Mono: true, Right: true},
		{Title: "%", Width: 56, Mono: true, Right: true, Quiet: true}})
	s.List.OnSelected = s.Data.With(func(r saving) {
		if r.path != "" {
			p.host.GoToNode(r.path)
		}
	})
	return s
}

// AskSavings shows the savings, if they are not shown yet, and gives them the keyboard.
func (p *Pane) AskSavings() {
	if !p.Savings.shown {
		p.ShowSavings()
	}
	p.TakeKeys()
}

// ShowSavings shows the savings beside the map instead of the largest nodes, or these again.
func (p *Pane) ShowSavings() {
	s := p.Savings
	s.shown = !s.shown
	p.split.Trailing, p.save.Text = fyne.CanvasObject(p.List), "Savings"
	if s.shown {
		p.split.Trailing, p.save.Text = s.List, "Largest"
		s.look()
	}
	p.save.Refresh()
	p.split.Refresh()
}

// look looks for savings in the view that was measured, once.
func (s *savings) look() {
	p, v := s.p, s.p.view
	if s.of == v {
		return
	}
	s.of = v
	s.Data.Set(nil)
	s.List.Recount()
	p.Tasks.Try(p.Ctx, "looking for savings", func(ctx context.Context, progress model.Progress) (func(), error) {
		found, err := size.Savings(ctx, p.Doc, v, progress)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var rows []saving
		for i := range found {
			rows = append(rows, saving{Saving: &found[i]})
			for _, path := range found[i].Paths {
				rows = append(rows, saving{&found[i], path})
			}
		}
		if len(rows) == 0 {
			rows = []saving{{}}
		}
		return func() {
			s.Data.Set(rows)
			s.List.Recount()
			p.Log.Write("savings", len(found))
		}, err
	})
}
