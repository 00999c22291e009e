// Package card describes the selected node: a title, a sentence, actions, and parts below headings.
package card

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/profile"
	"cutaway/ui/cards"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/nodes"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Host lists what the card may ask of its document.
type Host struct {
	GoTo               func(path string)
	VisitSpan          func(at model.Span) // shows bytes; Back shows those that were shown before
	Follow             func(r model.Ref)
	Refs               func(ctx context.Context, n *model.Node, parts bool) []model.Ref // where a node refers to
	OpenDerived        func(p *model.Place, k int)                                      // in a tab of its own
	GoToPlot           func(path string)                                                // shows the plot of a node
	ShowReferences     func()
	Moment             func() (time float64, known bool) // the selected one
	Selection          func() context.Context            // ends when another node is selected
	Size               func(p *model.Place) nodes.Sizes
	Clause             func(rule string) string // of the format's standard, or ""
	Verdicts           func() string            // what the judges of the format say, where they part
	Copy, Export, Mark func()
	More               func(at fyne.Position) // offers what else can be done
}

// Pane is the card of the selected node.
type Pane struct {
	shell.Opened
	host     Host
	Object   fyne.CanvasObject
	Rows     *fyne.Container
	page     *page
	actions  fyne.CanvasObject
	scroll   *kit.Scroller
	unfolded map[string]bool // parts, by title

	place    *model.Place // the node on the screen
	got      *Detail      // nil: it is not known yet
	counting bool
	users    *users                       // or nil while they are looked for
	moment   []model.Said                 // of the values of the node, that of the selected moment
	timed    task.Latest                  // reads the value of a moment
	scanned  atomic.Pointer[[]model.Fact] // the facts after a scan
}

// New makes the card of a document; Show fills it.
func New(opened shell.Opened, host Host) *Pane {
	d := &Pane{Opened: opened, host: host, page: &page{}, unfolded: make(map[string]bool)}
	d.Rows = container.New(d.page)
	var more *kit.TextButton
	more = kit.NewTextButton("More ▾", func() {
		host.More(fyne.CurrentApp().Driver().AbsolutePositionForObject(more).AddXY(0, more.Size().Height))
	})
	d.actions = kit.Flow(nil, kit.NewTextButton("Copy", host.Copy), kit.NewTextButton("Export…", host.Export), kit.NewTextButton("Mark…", host.Mark), more)
	d.scroll = kit.NewScroller(d.Rows, false)
	d.Object = d.scroll
	return d
}

// TakeKeys gives the keyboard to the card, which it scrolls.
func (d *Pane) TakeKeys() { d.Focus(d.scroll.Parts()[0].(fyne.Focusable)) }

// Path returns the path of the node that is shown, or "".
func (d *Pane) Path() string {
	if d.place == nil {
		return ""
	}
	return d.place.Path()
}

// Detail is the content of the card of a node. It is gathered in the background.
type Detail struct {
	Title, Sentence string
	Parts           []Part
	Refs            []model.Ref
	icon            fyne.Resource
	found           cards.Found
	sum             *summary // or nil if no values characterise the node
	uncounted       bool     // facts of the document are not counted yet
}

// users are the nodes that use the one on the screen.
type users struct {
	links []model.Ref
	total int64 // references; some may have no node in the view
}

// Part is the rows below a heading.
type Part struct {
	Title string
	Note  string // at the right of the title
	Rows  []Row
	late  func() []Row // rows that depend on the moment when they are shown
	first int          // how many of Rows come before these
	folds bool
	wrong bool // it has errors
}

// Row is one line of the card: text, or links.
type Row struct {
	Label string
	Text  string
	mono  bool
	quiet bool          // a default
	level treeview.Mark // of a problem
	Links []Link
	name  func()                   // what a click on the label does, or nil
	drawn func() fyne.CanvasObject // a drawing, or nil; Text identifies it
}

// Link is a link in the card.
type Link struct {
	Text string
	Tap  func()
}

// Show puts what was gathered of a node on the screen.
func (d *Pane) Show(p *model.Place, got *Detail) {
	d.turnTo(p)
	d.got = got
	d.Again()
	d.FollowTime()
	if got.sum != nil && got.sum.waits == "" {
		d.read(got.sum)
	}
	if got.uncounted && d.scanned.Load() == nil && !d.Uncounted && !d.Doc.Far() && d.Doc.Source().Size() <= countedAtOnce {
		d.count()
	}
}

// FollowTime shows the value of the selected moment, of a node with values over time.
func (d *Pane) FollowTime() {
	time, known := d.host.Moment()
	if d.got == nil || !known || d.Doc.Far() {
		return
	}
	table := profile.OverTime(d.got.found.Cards)
	if table == nil {
		return
	}
	d.Tasks.Go(d.timed.Next(d.host.Selection()), "", func(ctx context.Context, _ model.Progress) func() {
		lines := profile.At(ctx, table, time)
		return func() {
			d.moment = lines
			d.Again()
		}
	})
}

// Used shows the nodes that use the one on the screen. in are references to that node, total is the number of all.
func (d *Pane) Used(in []model.Ref, total int64) {
	p := d.place
	d.Tasks.Go(d.host.Selection(), "", func(ctx context.Context, _ model.Progress) func() {
		links := profile.Users(ctx, d.Doc, p, in)
		return func() {
			if d.place != nil && d.Path() == p.Path() {
				d.users = &users{links, total}
				d.Again()
			}
		}
	})
}

// turnTo forgets what is on the screen if it is of another node.
func (d *Pane) turnTo(p *model.Place) {
	if d.Path() != p.Path() {
		d.page.forget()
		d.scroll.ScrollToTop()
		d.users, d.moment = nil, nil
	}
	d.place = p
}

// Again shows anew what is known of the node. Lines that stay the same keep their place, selection and keyboard.
func (d *Pane) Again() {
	if d.got == nil {
		return
	}
	d.page.begin()
	d.head(d.got.Title, d.got.icon, d.got.Sentence)
	d.page.add(spaced, "actions", func() fyne.CanvasObject { return d.actions })
	for i := range d.got.Parts {
		d.addPart(&d.got.Parts[i])
	}
	d.page.end(d.Rows)
}

// Wait shows that nothing is known of a node yet, and why.
func (d *Pane) Wait(p *model.Place, why string) {
	d.turnTo(p)
	d.got = nil
	d.page.begin()
	d.head(nodes.Label(nodes.ItemOf(p)), nil, why)
	d.page.end(d.Rows)
}

// head shows the title and the sentence.
func (d *Pane) head(title string, icon fyne.Resource, sentence string) {
	d.page.add(full, fmt.Sprint("title ", title, icon != nil), func() fyne.CanvasObject {
		line := kit.NewLine(title, fyne.TextStyle{Bold: true}, theme.ColorNameForeground, look.Title)
		if icon == nil {
			return line
		}
		return withIcon(icon, 4, line)
	})
	if sentence != "" {
		d.page.add(full, "sentence "+sentence, func() fyne.CanvasObject {
			l := kit.NewSelectable(sentence)
			l.Wrapping, l.Importance = fyne.TextWrapWord, widget.LowImportance
			return kit.Bare(l)
		})
	}
}

// addPart shows a part, or nothing of one that is empty.
func (d *Pane) addPart(p *Part) {
	rows := p.Rows
	if p.late != nil {
		rows = slices.Concat(rows[:p.first], p.late(), rows[p.first:])
	}
	if len(rows) == 0 && p.Note == "" {
		return
	}
	d.page.add(rule, "rule", func() fyne.CanvasObject { return kit.NewRule() })
	if p.wrong {
		d.page.add(ground, "ground", func() fyne.CanvasObject { return kit.NewBacked(look.Wrong, container.NewWithoutLayout()) })
	}
	d.page.add(heading, fmt.Sprint("heading ", p.Title, p.Note, p.folds), func() fyne.CanvasObject { return d.heading(p) })
	if p.folds && !d.unfolded[p.Title] {
		return
	}
	for i := range rows {
		d.addRow(&rows[i])
	}
}

// heading is the title of a part, which folds it where it can be folded.
func (d *Pane) heading(p *Part) fyne.CanvasObject {
	title := heading11(p.Title)
	note := kit.NewLine(p.Note, fyne.TextStyle{}, theme.ColorNamePlaceHolder, theme.SizeNameCaptionText)
	if !p.folds {
		return kit.Border(nil, nil, title, note)
	}
	fold := kit.IconButton(theme.MenuExpandIcon(), "Unfold", nil)
	fold.Alignment = widget.ButtonAlignLeading
	show := func() {
		tip, icon := "Unfold", theme.MenuExpandIcon()
		if d.unfolded[p.Title] {
			tip, icon = "Fold", theme.MenuDropDownIcon()
		}
		fold.Tip = tip
		fold.SetIcon(icon)
	}
	fold.OnTapped = func() {
		d.unfolded[p.Title] = !d.unfolded[p.Title]
		show()
		d.Again()
		d.Log.Write("card part", p.Title, d.unfolded[p.Title])
	}
	show()
	return container.NewStack(kit.Border(nil, nil, kit.Padded(0, 0, foldIcon, 0, title), note), container.New(over{}, fold))
}

// addRow shows a row: what it says at the right of its label, or below it where it is long.
func (d *Pane) addRow(r *Row) {
	key := fmt.Sprint(r.Label, "\x00", r.Text, r.mono, r.quiet, r.level, r.name != nil, r.drawn != nil)
	for _, l := range r.Links {
		key += "\x00" + l.Text
	}
	if r.Label == "" || r.drawn != nil {
		d.page.add(full, key, r.object)
		return
	}
	nameAt, at := named, told
	if r.mono && isLong(r.Text) {
		nameAt, at = full, full
	}
	d.page.add(nameAt, "label "+key, func() fyne.CanvasObject {
		if r.name != nil {
			return kit.NewLink(r.Label, false, r.name)
		}
		return kit.NewLine(r.Label, fyne.TextStyle{}, theme.ColorNamePlaceHolder, theme.SizeNameText)
	})
	d.page.add(at, key, r.object)
}

// words is the text of a row.
func (r *Row) words() fyne.CanvasObject {
	l := kit.NewSelectable(r.Text)
	l.Wrapping = fyne.TextWrapWord
	if r.quiet {
		l.Importance = widget.LowImportance
	}
	if r.mono {
		const lower = 2 // smaller letters stand on the line of the label
		l.TextStyle.Monospace, l.SizeName = true, theme.SizeNameCaptionText
		return kit.Padded(lower, 0, 0, 0, kit.Bare(l))
	}
	if r.level != treeview.Sound {
		return withIcon(treeview.MarkIcon(r.level), 1, kit.Bare(l))
	}
	return kit.Bare(l)
}

func (r *Row) object() fyne.CanvasObject {
	if r.drawn != nil {
		return r.drawn()
	}
	if len(r.Links) == 0 {
		return r.words()
	}
	box := container.NewVBox()
	if r.Text != "" {
		box.Add(r.words())
	}
	for _, l := range r.Links {
		box.Add(container.New(kit.AsWide{}, kit.NewLink(l.Text, r.mono, l.Tap)))
	}
	return box
}

// read reads values in the background and shows their facts from time to time, until another node is selected.
func (d *Pane) read(sum *summary) {
	if sum.started || sum.told != nil {
		return
	}
	sum.started = true
	d.Again()
	cards.Facts(d.host.Selection(), d.Tasks, sum.Of, func(t cards.Told) {
		sum.told = &t
		d.Again()
	})
}

// countedAtOnce is the greatest size of a file whose facts are counted unasked.
const countedAtOnce = 64 << 20

// count finds the facts of the document that take a scan of the file, and shows them.
func (d *Pane) count() {
	if d.counting {
		return
	}
	d.counting = true
	d.Tasks.Try(d.Ctx, "scanning", func(ctx context.Context, progress model.Progress) (func(), error) {
		facts, err := d.Doc.Facts(ctx, false, progress)
		return func() {
			d.counting = false
			d.scanned.Store(&facts)
			if p, got := d.place, d.got; got != nil && got.uncounted {
				d.Tasks.Try(d.host.Selection(), "reading "+p.Label(), func(ctx context.Context, _ model.Progress) (func(), error) {
					again := d.Gather(ctx, p, got.found)
					return func() { d.Show(p, again) }, nil
				})
			}
		}, err
	})
}
