// Package problems finds the problems of a document, and lists those that are known.
package problems

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/internal/natural"
	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// The columns of the list of problems.
const (
	ByText = iota
	ByKind
	ByNode
	bySource
	ByOffset
	ByRule
	problemColumns
)

// Pane lists the problems of the document that are known, and checks it.
type Pane struct {
	*finder
	List   *treeview.Tree
	Data   *treeview.Forest[Row]
	Listed []*model.LocatedProblem // the problems that fit the filter, in their order

	page         *fyne.Container
	Body         *fyne.Container // the list, or why it is empty
	Show         [3]*kit.Check
	Filter       *kit.Entry
	State        *widget.Label
	CheckButton  *widget.Button
	CancelButton *widget.Button
	Help         *widget.Label
	hint         *container.Scroll // it, which may have more lines than there is room for
	bar          *kit.Bar

	want    problemQuery
	Listing bool // the list is being made in the background
	stale   bool // and has to be made again
	sources bool // the list says which source each problem is of
	chosen  *model.LocatedProblem
}

// problemQuery selects and orders the problems that are shown.
type problemQuery struct {
	column int
	down   bool
	hidden [3]bool // by severity
	text   string
}

// A Row is a problem, or the first of several equal ones.
type Row struct {
	*model.LocatedProblem
	Equal  []*model.LocatedProblem // the problems of the row, or nil if it shows one of several
	follow int                     // the number of problems that follow
}

// New makes the pane of a document; nothing is looked for yet.
func New(opened shell.Opened, host Host) *Pane {
	p := &Pane{finder: &finder{Opened: opened, host: host, Marks: &nodes.Marks{}}, Body: container.NewStack(), State: kit.QuietLabel(""), Help: kit.QuietLabel(generalHint), want: problemQuery{column: ByKind}}
	p.pane = p
	p.Data = treeview.ForestOf(func(r Row) treeview.Row {
		row := treeview.Row{Cells: r.Cells()}
		if !p.sources {
			row.Cells[bySource] = ""
		}
		return row
	})
	p.List = treeview.NewForest(p.Ctx, p.Data, columns)
	p.Remember(listName, p.List)
	p.List.Chooses = true
	p.showColumns()
	with := func(do func(*model.LocatedProblem)) func(treeview.Item) {
		return func(it treeview.Item) { do(it.(*treeview.Twig[Row]).One.LocatedProblem) }
	}
	p.List.OnSelected = with(func(one *model.LocatedProblem) { p.goThere(one, false) })
	p.List.OnChosen = with(func(one *model.LocatedProblem) { p.goThere(one, true) })
	p.List.OnCopy = with(func(one *model.LocatedProblem) { p.App.Clipboard().SetContent(problemLine(one)) })
	p.List.OnTitle = p.SortBy
	p.List.ShowSorted(ByKind, false)
	p.makeChecks()
	p.Filter = p.NewFilter(p.List, func(text string) {
		p.want.text = text
		p.relist()
	})
	p.CheckButton = widget.NewButton("Check everything", p.Check)
	p.CancelButton = widget.NewButtonWithIcon("Stop", theme.CancelIcon(), func() {
		if p.Running != nil {
			p.Running.cancel()
		}
	})
	copyAll := kit.QuietButton("Copy all", theme.ContentCopyIcon(), p.CopyAll)
	p.bar = kit.NewBar(p.State, p.Filter, p.Show[model.Error], p.Show[model.Warning], p.Show[model.Note], p.State,
		p.CheckButton, p.CancelButton, copyAll, p.Filter)
	p.Help.SizeName, p.Help.Wrapping = theme.SizeNameCaptionText, fyne.TextWrapWord
	p.hint = container.NewVScroll(kit.Padded(0, 0, 4, 4, kit.Dense(p.Help)))
	p.page = container.New(kit.Tight{Yields: true}, container.NewHScroll(p.bar.Box), p.Body, kit.Filled(func() fyne.Size { return fyne.NewSize(0, p.hint.Content.MinSize().Height) }, p.hint))
	p.showCounts()
	p.showState()
	p.showBody()
	return p
}

// makeChecks makes the checks for the severities.
func (p *Pane) makeChecks() {
	for severity, word := range []string{model.Note: "notes", model.Warning: "warnings", model.Error: "errors"} {
		p.Show[severity] = kit.NewCheck("0 "+word, nil)
		p.Show[severity].Checked = true
		p.Show[severity].OnChanged = func(on bool) {
			p.want.hidden[severity] = !on
			p.relist()
		}
	}
}

// generalHint is below the list while no problem is selected.
const generalHint = "A click or the arrow keys show the place; Enter goes to the tree, → opens equal ones and those that follow."

// listName is the name by which the widths of the columns are kept.
const listName = "causes"

// columns are those of the list.
var columns = []treeview.Column{
	ByText: {Title: "Problem", Width: 320, Least: 280, Stretch: 3, Marked: true}, ByKind: {Title: "Kind", Width: 90, Quiet: true}, ByNode: {Title: "Node", Width: 120, Least: 60, Stretch: 1},
	bySource: {Title: "Source", Width: 90, Least: 40, Quiet: true}, ByOffset: {Title: "Offset", Width: 80, Mono: true, Right: true, Quiet: true},
	ByRule: {Title: "Rule", Width: 150, Least: 16, Stretch: 1, Quiet: true}}

// showColumns gives the column of sources no room while all problems are of the file.
func (p *Pane) showColumns() {
	var hidden []int
	if !p.sources {
		hidden = []int{bySource}
	}
	p.ShowColumns(listName, p.List, columns, hidden...)
}

// Title returns the text of the tab.
func (p *Pane) Title() string { return "Problems " + model.Grouped(int64(len(p.Found))) }

// Object returns the pane on the screen.
func (p *Pane) Object() fyne.CanvasObject { return p.page }

// Cells returns the texts of the row, by column.
func (r Row) Cells() []string {
	at, src, text, where := "", "", r.Error(), r.Where()
	if r.Span.Source != nil {
		at, src = phrase.Hex(r.Span.Off), r.Span.Source.Title()
	}
	if n := len(r.Equal); n > 1 {
		text = model.Grouped(int64(n)) + " × " + text
		for _, other := range r.Equal[1:min(n, model.MostPlaces)] {
			where += ", " + other.Where()
		}
		if n > model.MostPlaces {
			where += fmt.Sprintf(" and %s more", model.Grouped(int64(n-model.MostPlaces)))
		}
	}
	if r.follow > 0 {
		text += "  ·  " + followText(int64(r.follow)) + " from it"
	}
	return []string{ByText: text, ByKind: r.Kind.String(), ByNode: where, bySource: src, ByOffset: at, ByRule: r.Rule}
}

// followText says that so many problems follow from others.
func followText(n int64) string {
	if n == 1 {
		return "1 follows"
	}
	return model.Grouped(n) + " follow"
}

// problemLine returns a problem as copied text: severity, message, kind, node, place and rule, with tabs between them.
func problemLine(p *model.LocatedProblem) string {
	return p.Kind.Severity().String() + "\t" + strings.Join(Row{LocatedProblem: p}.Cells(), "\t")
}

// goThere goes to a problem; with focus the tree gets the keyboard.
func (p *Pane) goThere(one *model.LocatedProblem, focus bool) {
	p.chosen = one
	text := phrase.Capital(phrase.Problem(one.Problem))
	if help := rules()[one.Rule]; help != "" {
		text += "  " + phrase.Capital(help)
	}
	if one.Member != "" {
		text = "Enter opens " + one.Member + " in a tab.  " + text
	}
	p.Help.SetText(text)
	p.hint.ScrollToTop()
	p.page.Layout = kit.Tight{Yields: true, Shrinks: true} // a row may lack room for all
	p.page.Layout.Layout(p.page.Objects, p.page.Size())    // the text may take more lines or fewer
	p.host.GoToProblem(*one, focus)
}

// rules returns the help on the rules of all formats, by id.
var rules = sync.OnceValue(func() map[string]string {
	help := make(map[string]string)
	for _, f := range decoders.All() {
		for _, r := range f.Rules {
			help[r.ID] = r.Help
		}
	}
	return help
})

// SortBy orders the list by a column; by the same one again, the other way round.
func (p *Pane) SortBy(column int) {
	p.want.down = column == p.want.column && !p.want.down
	p.want.column = column
	p.List.ShowSorted(column, p.want.down)
	p.relist()
}

// changed follows a change of the session's problems.
func (p *Pane) changed() {
	p.showCounts()
	if others := slices.ContainsFunc(p.Found, p.isElsewhere); others != p.sources {
		p.sources = others
		p.showColumns()
	}
	p.showState()
	p.relist()
	p.host.ShowTitles()
}

// isElsewhere reports whether a problem is of other bytes than those of the file.
func (p *Pane) isElsewhere(one model.LocatedProblem) bool {
	return one.Span.Source != nil && !one.Span.Source.Same(p.Doc.Source())
}

// showCounts says how many problems there are of each severity.
func (p *Pane) showCounts() {
	counts := severities(p.Found)
	for severity, word := range []string{model.Note: "note", model.Warning: "warning", model.Error: "error"} {
		if text := model.GroupedCount(int64(counts[severity]), word); text != p.Show[severity].Text {
			p.Show[severity].SetText(text)
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
func (p *Pane) showState() {
	text := "of what is decoded so far"
	switch {
	case p.Running != nil:
		text = "checking…"
	case p.Whole && p.unexplained():
		text = ""
	case p.Whole && model.FailedRead(p.Doc) != nil:
		text = "what could be read is checked"
	case p.Whole:
		text = "everything is checked"
	case p.kept != nil:
		text = "the check was cancelled"
	}
	p.State.SetText(text)
	kit.SetVisible(p.CheckButton, p.Running == nil && !p.Whole)
	kit.SetVisible(p.CancelButton, p.Running != nil)
	p.bar.Fit()
	p.showBody()
}

// showProgress says how far the check is.
func (p *Pane) showProgress(done, total int64) {
	text := "checking…"
	if total > 0 {
		text = fmt.Sprintf("checking… %d %%", int64(100*float64(done)/float64(total)))
	}
	if text != p.State.Text {
		p.State.SetText(text)
		p.bar.Fit()
	}
}

// relist makes the list anew, in the background.
func (p *Pane) relist() {
	if p.Listing {
		p.stale = true
		return
	}
	problems, want := p.Found, p.want
	p.Listing, p.stale = true, false
	p.Tasks.Go(p.Ctx, "", func(context.Context, model.Progress) func() {
		rows := query(problems, want)
		top := folded(rows, problems)
		return func() {
			p.Listing = false
			p.fill(rows, top)
			if p.stale {
				p.relist()
			}
		}
	})
}

// fill shows rows; the selected problem stays selected, and open rows stay open.
func (p *Pane) fill(rows []*model.LocatedProblem, top *treeview.Twig[Row]) {
	for _, it := range p.List.OpenItems() {
		was := it.(*treeview.Twig[Row])
		for _, t := range top.Kids { // the problems may be elsewhere in memory now
			t.Open = t.Open || was.One.LocatedProblem != nil && *t.One.LocatedProblem == *was.One.LocatedProblem
		}
	}
	p.Listed = rows
	p.Data.Set(top)
	p.List.Recount()
	if p.chosen != nil {
		at := slices.IndexFunc(top.Kids, func(t *treeview.Twig[Row]) bool {
			return slices.ContainsFunc(t.One.Equal, func(one *model.LocatedProblem) bool { return *one == *p.chosen })
		})
		p.List.KeepIndex(int64(at))
	}
	p.showBody()
	p.logPlace(len(top.Kids))
}

// logPlace logs the number of listed problems and the place of the first, for end-to-end tests.
func (p *Pane) logPlace(n int) {
	if at, size, ok := p.List.RowRect(0); ok && p.host.ProblemsInFront() {
		at = fyne.CurrentApp().Driver().AbsolutePositionForObject(p.List).Add(at)
		p.Log.Write("problems", len(p.Found), n, at.X, at.Y, size.Width, size.Height)
	}
}

// showBody shows the list, or says why it is empty.
func (p *Pane) showBody() {
	o := fyne.CanvasObject(p.List)
	if len(p.Listed) == 0 {
		o = kit.Message(p.none())
	}
	kit.SetVisible(p.page.Objects[2], o == p.List)
	kit.Swap(p.Body, o)
}

// none says why the list is empty.
func (p *Pane) none() string {
	switch {
	case len(p.Found) > 0:
		return "No problem fits the filter."
	case p.Running != nil:
		return "No problems so far."
	case p.empty():
		return "The file is empty."
	case p.Whole && p.unexplained():
		return "No format is known for these bytes, so there is nothing to check."
	case p.Whole && model.FailedRead(p.Doc) != nil:
		return "No problems in what could be read: " + model.FailedRead(p.Doc).Error()
	case p.Whole:
		return "No problems: the whole file was decoded."
	}
	return "No problems in what is decoded so far. Check everything to decode the rest."
}

// CopyAll copies the problems that are listed, a line each.
func (p *Pane) CopyAll() {
	var b strings.Builder
	b.WriteString(strings.Join([]string{"severity", "problem", "kind", "node", "source", "offset", "rule"}, "\t") + "\n")
	for _, one := range p.Listed {
		b.WriteString(problemLine(one) + "\n")
	}
	p.CopyText(b.String(), model.GroupedCount(int64(len(p.Listed)), "problem"))
}

// query selects and orders problems. Equal ones stay in the order of their finding.
func query(problems []model.LocatedProblem, q problemQuery) (rows []*model.LocatedProblem) {
	rows = make([]*model.LocatedProblem, 0, len(problems))
	for i := range problems {
		p := &problems[i]
		if !q.hidden[p.Kind.Severity()] && (q.text == "" || phrase.Holds(q.text, Row{LocatedProblem: p}.Cells()...)) {
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

// folded returns rows with equal problems as one, and those that follow from others below these.
func folded(rows []*model.LocatedProblem, problems []model.LocatedProblem) (top *treeview.Twig[Row]) {
	groups := model.GroupProblems(problems)
	number := make(map[*model.LocatedProblem]int, len(rows))
	for i := range problems {
		number[&problems[i]] = groups.Of[i]
	}
	heads := make(map[int]*treeview.Twig[Row])
	var order []int
	for _, p := range rows {
		of := number[p]
		if heads[of] == nil {
			order = append(order, of)
			heads[of] = &treeview.Twig[Row]{One: Row{LocatedProblem: p}, Mark: nodes.MarkOf(p.Kind.Severity())}
		}
		heads[of].One.Equal = append(heads[of].One.Equal, p)
	}
	top = &treeview.Twig[Row]{}
	for _, of := range order {
		head, up := heads[of], top
		if cause := heads[groups.List[of].Because]; cause != nil {
			up = cause
			cause.One.follow += len(head.One.Equal)
		}
		up.Kids = append(up.Kids, head)
	}
	for _, head := range heads { // the equal ones before those that follow
		if all := head.One.Equal; len(all) > 1 {
			kids := make([]*treeview.Twig[Row], 0, len(all)+len(head.Kids))
			for _, p := range all {
				kids = append(kids, &treeview.Twig[Row]{One: Row{LocatedProblem: p}, Mark: head.Mark})
			}
			head.Kids = append(kids, head.Kids...)
		}
	}
	return top
}

// problemOrders compares problems, by column.
var problemOrders = [problemColumns]func(a, b *model.LocatedProblem) int{
	ByKind: func(a, b *model.LocatedProblem) int { // the worst first
		return cmp.Or(cmp.Compare(b.Kind.Severity(), a.Kind.Severity()), cmp.Compare(a.Kind, b.Kind))
	},
	ByText:   func(a, b *model.LocatedProblem) int { return natural.Compare(a.Message, b.Message) },
	ByNode:   func(a, b *model.LocatedProblem) int { return natural.Compare(a.Where(), b.Where()) },
	bySource: compareSources,
	ByOffset: func(a, b *model.LocatedProblem) int {
		return cmp.Or(cmp.Compare(a.Span.Off, b.Span.Off), compareSources(a, b))
	},
	ByRule: func(a, b *model.LocatedProblem) int { return cmp.Compare(a.Rule, b.Rule) },
}

func compareSources(a, b *model.LocatedProblem) int {
	name := func(p *model.LocatedProblem) string {
		if p.Span.Source == nil {
			return ""
		}
		return p.Span.Source.Title()
	}
	return cmp.Or(natural.Compare(name(a), name(b)), cmp.Compare(a.Span.Off, b.Span.Off))
}
