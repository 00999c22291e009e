package ui

import (
	"context"
	"strconv"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/ui/treeview"
)

func (d *detailsPane) makeProblems() panel {
	d.problemData = &listData[model.LocatedProblem]{row: func(p model.LocatedProblem) treeview.Row {
		at, src := "", ""
		if p.Span.Source != nil {
			at, src = "0x"+strconv.FormatInt(p.Span.Off, 16), p.Span.Source.Title()
		}
		return treeview.Row{Cells: []string{p.Kind.String(), p.Problem.Error(), p.Path, src, at, p.Rule},
			Mark: markOf(p.Kind.Severity())}
	}}
	d.problems = d.s.newList("problems", d.problemData, []treeview.Column{
		{Title: "Kind", Width: 120}, {Title: "Problem", Width: 200, Stretch: 3}, {Title: "Node", Width: 140, Stretch: 1},
		{Title: "Source", Width: 90, Quiet: true}, {Title: "Offset", Width: 84, Mono: true, Right: true, Quiet: true},
		{Title: "Rule", Width: 170, Quiet: true}})
	d.problems.OnSelected = func(it treeview.Item) {
		if p, ok := d.problemData.at(it); ok {
			d.s.goToProblem(p)
		}
	}
	d.problems.OnChosen = d.problems.OnSelected
	return panel{d.problemsTitle, func() fyne.CanvasObject {
		if len(d.problemData.all()) == 0 {
			return message(d.noProblems())
		}
		return d.problems
	}}
}

// setProblems lists the document's problems.
func (d *detailsPane) setProblems(problems []model.LocatedProblem) {
	d.problemData.rows.Store(&problems)
	d.problems.Recount()
	if d.shown == tabProblems {
		d.again()
	} else {
		d.showTabs()
	}
}

func (d *detailsPane) problemsTitle() string {
	return "Problems " + grouped(int64(len(d.problemData.all())))
}

// noProblems says why the list of problems is empty.
func (d *detailsPane) noProblems() string {
	if d.s.checked {
		return "No problems: the whole file was decoded and is sound."
	}
	return "No problems in what is decoded so far. Tools › Check file decodes everything."
}

// newList makes a list whose column widths are remembered under name.
func (s *session) newList(name string, data treeview.Data, columns []treeview.Column) *treeview.Tree {
	t := treeview.NewList(data, columns)
	s.remember(name, t)
	return t
}

// remember gives a tree or list the widths that its columns had, and keeps them when they change.
func (s *session) remember(name string, t *treeview.Tree) {
	t.SetPost(s.w.post)
	defaults := t.Widths()
	t.SetWidths(s.w.store.Columns[name])
	t.OnColumns = func(widths []float32) {
		for i := range widths {
			if widths[i] == defaults[i] {
				widths[i] = 0 // not the user's choice, and another file may want another width
			}
		}
		s.w.store.Columns[name] = widths
		s.w.save()
	}
	context.AfterFunc(s.ctx, t.Close)
}
