package ui

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/treeview"
)

// shownRefs is how many references to a node are listed.
const shownRefs = 1000

// refRow is one line of the references.
type refRow struct {
	way  string // "goes to", "from", "also here"
	kind string
	ref  model.Ref
}

func (d *detailsPane) makeRefs() panel {
	d.refData = &listData[refRow]{row: func(r refRow) treeview.Row {
		where := r.ref.Path
		if where == "" {
			where = r.ref.Text
		}
		at := ""
		if r.ref.Span.Source != nil {
			at = "0x" + strconv.FormatInt(r.ref.Span.Off, 16)
		}
		return treeview.Row{Cells: []string{r.way, r.kind, where, r.ref.Text, at}}
	}}
	d.refs = d.s.newList("references", d.refData, []treeview.Column{
		{Title: "Direction", Width: 110, Quiet: true}, {Title: "Link", Width: 90, Quiet: true}, {Title: "Node", Width: 160, Stretch: 2},
		{Title: "Text", Width: 120, Stretch: 1}, {Title: "Offset", Width: 90, Mono: true, Right: true}})
	open := func(it treeview.Item) {
		if r, ok := d.refData.at(it); ok {
			d.s.follow(r.ref)
		}
	}
	d.refs.OnChosen = open
	hint := widget.NewLabel("Double click or Enter goes there.")
	hint.Importance, hint.SizeName = widget.LowImportance, theme.SizeNameCaptionText
	page := container.NewBorder(nil, hint, nil, nil, d.refs)
	return panel{d.refsTitle, func() fyne.CanvasObject {
		if len(d.refData.all()) == 0 && !d.refsBusy {
			return message("Nothing refers to this node, and it refers to nothing.")
		}
		return page
	}}
}

func (d *detailsPane) refsTitle() string {
	text := "References"
	if d.refCount > 0 {
		text += " " + grouped(d.refCount)
	}
	if d.refsBusy {
		text += " …"
	}
	return text
}

// setRefs lists the references of a node: those it has at once, those that come to it when they are found.
func (d *detailsPane) setRefs(p *model.Place, out []model.Ref, others []string) {
	var rows []refRow
	for _, path := range others {
		rows = append(rows, refRow{"also here", "same byte", model.Ref{Path: path}})
	}
	for _, r := range out {
		rows = append(rows, refRow{"goes to", r.Kind, r})
	}
	d.showRefs(rows, int64(len(rows)))
	byOthers := d.s.doc.ReferencedBy
	if byOthers == nil {
		return
	}
	d.refsBusy = true
	about := d.s.about
	d.s.run(about, "looking for references", func(ctx context.Context, progress model.Progress) (func(), error) {
		select { // who goes through rows wants none of this
		case <-time.After(refsAfter):
		case <-about.Done():
			return nil, about.Err()
		}
		in, total, err := byOthers(ctx, p.Path(), shownRefs, progress)
		return func() {
			d.refsBusy = false
			for _, r := range in {
				rows = append(rows, refRow{"referenced by", r.Kind, r})
			}
			if more := total - int64(len(in)); more > 0 {
				rows = append(rows, refRow{"referenced by", "", model.Ref{Text: fmt.Sprintf("and %s more", grouped(more))}})
			}
			if err != nil {
				rows = append(rows, refRow{"", "", model.Ref{Text: "not all were found: " + err.Error()}})
			}
			d.showRefs(rows, int64(len(rows))+max(total-int64(len(in)), 0))
			d.s.w.log.write("done", "references")
		}, nil
	})
}

// refsAfter is how long a node is selected before references to it are looked for.
const refsAfter = 120 * time.Millisecond

func (d *detailsPane) showRefs(rows []refRow, count int64) {
	d.refCount = count
	d.refData.rows.Store(&rows)
	d.refs.Recount()
	if d.shown == tabReferences {
		d.again()
	} else {
		d.showTabs()
	}
}

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
