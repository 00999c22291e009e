package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/treeview"
)

// The columns of the list of problems.
const (
	byKind = iota
	byText
	byNode
	bySource
	byOffset
	byRule
	problemColumns
)

// problemsPane lists the problems of the document that are known, and checks it.
type problemsPane struct {
	d    *detailsPane
	list *treeview.Tree
	data *treeview.Slice[*model.LocatedProblem] // what is shown, in its order

	page   fyne.CanvasObject
	body   *fyne.Container // the list, or why it is empty
	show   [3]*widget.Check
	filter *kit.Entry
	state  *widget.Label
	check  *widget.Button
	cancel *widget.Button
	help   *widget.Label

	want    problemQuery
	listing bool // the list is being made in the background
	stale   bool // and has to be made again
	chosen  *model.LocatedProblem
}

// problemQuery says which problems are shown, and in what order.
type problemQuery struct {
	column int
	down   bool
	hidden [3]bool // by severity
	text   string
}

func newProblemsPane(d *detailsPane) *problemsPane {
	p := &problemsPane{d: d, body: container.NewStack(), state: widget.NewLabel(""), help: widget.NewLabel("")}
	p.data = treeview.SliceOf(func(one *model.LocatedProblem) treeview.Row {
		return treeview.Row{Cells: problemCells(one), Mark: nodes.MarkOf(one.Kind.Severity())}
	})
	p.list = d.s.NewList(d.s.Ctx, "problems", p.data, []treeview.Column{
		{Title: "Kind", Width: 120}, {Title: "Problem", Width: 200, Stretch: 3}, {Title: "Node", Width: 140, Stretch: 1},
		{Title: "Source", Width: 90, Quiet: true}, {Title: "Offset", Width: 84, Mono: true, Right: true, Quiet: true},
		{Title: "Rule", Width: 170, Quiet: true}})
	p.list.OnSelected = func(it treeview.Item) { p.goThere(it, false) }
	p.list.OnChosen = func(it treeview.Item) { p.goThere(it, true) }
	p.list.OnCopy = func(it treeview.Item) {
		if one, ok := p.data.At(it); ok {
			d.s.App.Clipboard().SetContent(problemLine(one))
		}
	}
	p.list.OnTitle = p.sortBy
	p.list.ShowSorted(byKind, false)
	for severity, word := range []string{model.Note: "notes", model.Warning: "warnings", model.Error: "errors"} {
		p.show[severity] = widget.NewCheck("0 "+word, nil)
		p.show[severity].Checked = true
		p.show[severity].OnChanged = func(on bool) {
			p.want.hidden[severity] = !on
			p.relist()
		}
	}
	p.filter = d.s.NewFilter(p.list, func(text string) {
		p.want.text = text
		p.relist()
	})
	p.state.Importance, p.state.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	p.check = widget.NewButton("Check everything", d.s.Check)
	p.cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), func() {
		if c := d.s.checking; c != nil {
			c.cancel()
		}
	})
	copyAll := widget.NewButtonWithIcon("Copy all", theme.ContentCopyIcon(), p.copyAll)
	copyAll.Importance = widget.LowImportance
	left := container.NewHBox(p.show[model.Error], p.show[model.Warning], p.show[model.Note])
	right := container.NewHBox(p.check, p.cancel, copyAll, kit.AtLeast(kit.FilterWide, p.filter))
	bar := container.New(layout.NewCustomPaddedLayout(3, 3, 8, 5), container.NewBorder(nil, nil, left, right, p.state))
	p.help.Importance, p.help.SizeName, p.help.Truncation = widget.LowImportance, theme.SizeNameCaptionText, fyne.TextTruncateEllipsis
	p.help.SetText("A click or the arrow keys show the place; Enter goes to the tree.")
	p.page = container.NewBorder(container.NewHScroll(bar), p.help, nil, nil, p.body)
	p.showCounts()
	p.showState()
	p.showBody()
	return p
}

// panel is the tab of the problems.
func (p *problemsPane) panel() panel {
	return panel{func() string { return "Problems " + model.Grouped(int64(len(p.d.s.problems))) },
		func() fyne.CanvasObject { return p.page }}
}

func problemCells(p *model.LocatedProblem) []string {
	at, src := "", ""
	if p.Span.Source != nil {
		at, src = phrase.Hex(p.Span.Off), p.Span.Source.Title()
	}
	return []string{byKind: p.Kind.String(), byText: p.Problem.Error(), byNode: p.Path, bySource: src,
		byOffset: at, byRule: p.Rule}
}

// problemLine is a problem as it is copied: severity, kind, message, node, place and rule, with tabs between them.
func problemLine(p *model.LocatedProblem) string {
	return p.Kind.Severity().String() + "\t" + strings.Join(problemCells(p), "\t")
}

// goThere goes to a problem; with focus the tree gets the keyboard.
func (p *problemsPane) goThere(it treeview.Item, focus bool) {
	one, ok := p.data.At(it)
	if !ok {
		return
	}
	p.chosen = one
	p.help.SetText(ruleHelp(one.Rule))
	p.d.s.GoToProblem(*one, focus)
}

// ruleHelp is what a rule means.
func ruleHelp(id string) string {
	if help := rules()[id]; help != "" {
		return id + ": " + help
	}
	return id
}

// rules is what the rules of all formats mean, by id.
var rules = sync.OnceValue(func() map[string]string {
	help := make(map[string]string)
	for _, f := range decoders.All() {
		for _, r := range f.Rules {
			help[r.ID] = r.Help
		}
	}
	return help
})

// sortBy orders the list by a column; by the same one again, the other way round.
func (p *problemsPane) sortBy(column int) {
	p.want.down = column == p.want.column && !p.want.down
	p.want.column = column
	p.list.ShowSorted(column, p.want.down)
	p.relist()
}

// changed follows a change of the session's problems.
func (p *problemsPane) changed() {
	p.showCounts()
	p.showState()
	p.relist()
	p.d.showTabs()
}

// showCounts says how many problems there are of each severity.
func (p *problemsPane) showCounts() {
	counts := severities(p.d.s.problems)
	for severity, word := range []string{model.Note: "note", model.Warning: "warning", model.Error: "error"} {
		if text := model.GroupedCount(int64(counts[severity]), word); text != p.show[severity].Text {
			p.show[severity].SetText(text)
		}
	}
}

// severities counts problems by their severity.
func severities(problems []model.LocatedProblem) (counts [3]int) {
	for i := range problems {
		counts[problems[i].Kind.Severity()]++
	}
	return counts
}

// showState says how much of the document is checked, and offers what can be done.
func (p *problemsPane) showState() {
	s := p.d.s
	text := "of what is decoded so far"
	switch {
	case s.checking != nil:
		text = "checking…"
	case s.checked:
		text = "everything is checked"
	case s.kept != nil:
		text = "the check was cancelled"
	}
	p.state.SetText(text)
	kit.SetVisible(p.check, s.checking == nil && !s.checked)
	kit.SetVisible(p.cancel, s.checking != nil)
	p.showBody()
}

// showProgress says how far the check is.
func (p *problemsPane) showProgress(done, total int64) {
	text := "checking…"
	if total > 0 {
		text = fmt.Sprintf("checking… %d %%", int64(100*float64(done)/float64(total)))
	}
	if text != p.state.Text {
		p.state.SetText(text)
	}
}

// relist makes the list anew, in the background.
func (p *problemsPane) relist() {
	if p.listing {
		p.stale = true
		return
	}
	s, want := p.d.s, p.want
	problems := s.problems
	p.listing, p.stale = true, false
	s.Tasks.Go(s.Ctx, "", func(context.Context, model.Progress) func() {
		rows := query(problems, want)
		return func() {
			p.listing = false
			p.fill(rows)
			if p.stale {
				p.relist()
			}
		}
	})
}

// fill shows rows; the selected problem stays selected.
func (p *problemsPane) fill(rows []*model.LocatedProblem) {
	p.data.Set(rows)
	p.list.Recount()
	if p.chosen != nil {
		// The problems may stand elsewhere in memory now.
		at := slices.IndexFunc(rows, func(one *model.LocatedProblem) bool { return one == p.chosen || *one == *p.chosen })
		if at >= 0 {
			p.chosen = rows[at]
			p.list.KeepIndex(int64(at))
		}
	}
	p.showBody()
	p.logPlace(len(rows))
}

// logPlace tells an end-to-end test how many problems are listed, and where the first is.
func (p *problemsPane) logPlace(n int) {
	s := p.d.s
	if at, size, ok := p.list.RowRect(0); ok && p.d.shown == tabProblems {
		at = fyne.CurrentApp().Driver().AbsolutePositionForObject(p.list).Add(at)
		s.Log.Write("problems", len(s.problems), n, at.X, at.Y, size.Width, size.Height)
	}
}

// showBody shows the list, or says why it is empty.
func (p *problemsPane) showBody() {
	var o fyne.CanvasObject = p.list
	if len(p.data.All()) == 0 {
		o = kit.Message(p.none())
	}
	kit.Swap(p.body, o)
}

// none says why the list is empty.
func (p *problemsPane) none() string {
	s := p.d.s
	switch {
	case len(s.problems) > 0:
		return "No problem fits the filter."
	case s.checking != nil:
		return "No problems so far."
	case s.checked:
		return "No problems: the whole file was decoded and is sound."
	}
	return "No problems in what is decoded so far. Check everything to decode the rest."
}

// copyAll copies the problems that are listed, a line each.
func (p *problemsPane) copyAll() {
	rows, s := p.data.All(), p.d.s
	var b strings.Builder
	b.WriteString(strings.Join([]string{"severity", "kind", "problem", "node", "source", "offset", "rule"}, "\t") + "\n")
	for _, one := range rows {
		b.WriteString(problemLine(one) + "\n")
	}
	s.CopyText(b.String(), model.GroupedCount(int64(len(rows)), "problem"))
}

// query picks and orders problems. Those that are equal in the column stay in the order in which they were found.
func query(problems []model.LocatedProblem, q problemQuery) []*model.LocatedProblem {
	rows := make([]*model.LocatedProblem, 0, len(problems))
	for i := range problems {
		p := &problems[i]
		if !q.hidden[p.Kind.Severity()] && (q.text == "" || phrase.Holds(q.text, problemCells(p)...)) {
			rows = append(rows, p)
		}
	}
	order := problemOrders[q.column]
	if q.down {
		slices.SortStableFunc(rows, func(a, b *model.LocatedProblem) int { return order(b, a) })
	} else {
		slices.SortStableFunc(rows, order)
	}
	return rows
}

// problemOrders compares problems, by column.
var problemOrders = [problemColumns]func(a, b *model.LocatedProblem) int{
	byKind: func(a, b *model.LocatedProblem) int { // the worst first
		return cmp.Or(cmp.Compare(b.Kind.Severity(), a.Kind.Severity()), cmp.Compare(a.Kind, b.Kind))
	},
	byText:   func(a, b *model.LocatedProblem) int { return model.CompareNatural(a.Message, b.Message) },
	byNode:   func(a, b *model.LocatedProblem) int { return model.CompareNatural(a.Path, b.Path) },
	bySource: compareSources,
	byOffset: func(a, b *model.LocatedProblem) int {
		return cmp.Or(cmp.Compare(a.Span.Off, b.Span.Off), compareSources(a, b))
	},
	byRule: func(a, b *model.LocatedProblem) int { return cmp.Compare(a.Rule, b.Rule) },
}

func compareSources(a, b *model.LocatedProblem) int {
	name := func(p *model.LocatedProblem) string {
		if p.Span.Source == nil {
			return ""
		}
		return p.Span.Source.Title()
	}
	return cmp.Or(model.CompareNatural(name(a), name(b)), cmp.Compare(a.Span.Off, b.Span.Off))
}
