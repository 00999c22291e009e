// Package card shows what is said of the selected node: a title, a sentence, what can be done with it, and parts below headings.
package card

import (
	"context"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/size"
	"cutaway/model/values"
	"cutaway/ui/cards"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/nodes"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// Host lists what the card may ask of its document.
type Host struct {
	GoTo               func(path string)
	VisitSpan          func(at model.Span) // shows bytes; Back shows those that were shown before
	Follow             func(r model.Ref)
	Refs               func(ctx context.Context, n *model.Node, parts bool) []model.Ref // where a node refers to
	OpenDerived        func(p *model.Place, k int)                                      // in a tab of its own
	ShowReferences     func()
	Selection          func() context.Context // ends when another node is selected
	Size               func(p *model.Place) nodes.Sizes
	Saving             func(path string) string // what the file could do without of a node, as far as that is known
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

	place    *model.Place // of which something is shown
	got      *Detail      // nil: it is not known yet
	counting bool
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

// HasKeys reports whether something of the card has the keyboard.
func (d *Pane) HasKeys(focused fyne.Focusable) bool { return shell.Holds(d.Object, focused) }

// TakeKeys gives the keyboard to the card, which it scrolls.
func (d *Pane) TakeKeys() { d.Focus(d.scroll.Parts()[0].(fyne.Focusable)) }

// Path returns the path of the node that is shown, or "".
func (d *Pane) Path() string {
	if d.place == nil {
		return ""
	}
	return d.place.Path()
}

// Detail is what the card says of a node, gathered in the background.
type Detail struct {
	Title, Sentence string
	Parts           []Part
	Refs            []model.Ref
	icon            fyne.Resource
	found           cards.Found
	sum             *summary // nil where the node has no values to tell of
	uncounted       bool     // facts of the document are not counted yet
}

// Part is the rows below a heading.
type Part struct {
	Title string
	Note  string // at the right of the title
	Rows  []Row
	late  func() []Row // of what is known when they are shown; before Rows
	folds bool
}

// Row is one line of the card: text, or links.
type Row struct {
	Label string
	Text  string
	mono  bool
	level treeview.Mark // of a problem
	Links []Link
	name  func()            // what a click on the label does, or nil
	drawn fyne.CanvasObject // in place of a text
}

// Link is a link in the card.
type Link struct {
	Text string
	Tap  func()
}

// summary is what is known of the values of a node: of its array, or of its field in all records.
type summary struct {
	of      func(context.Context) (*values.Column, error)
	size    size.Size // of an array
	array   bool
	waits   string // what is to be read from a server when somebody asks for it, or ""
	started bool
	told    *cards.Told // nil: nothing is read yet
}

// Show puts what was gathered of a node on the screen.
func (d *Pane) Show(p *model.Place, got *Detail) {
	d.place, d.got = p, got
	d.Again()
	if got.sum != nil && got.sum.waits == "" {
		d.read(got.sum)
	}
	if got.uncounted && d.scanned.Load() == nil && !d.Uncounted && !d.Doc.Far() && d.Doc.Source().Size() <= countedAtOnce {
		d.count()
	}
}

// Again shows anew what is known of the node.
func (d *Pane) Again() {
	if d.got == nil {
		return
	}
	d.page.clear(d.Rows)
	d.head(d.got.Title, d.got.icon, d.got.Sentence)
	d.page.add(d.Rows, spaced, d.actions)
	for i := range d.got.Parts {
		d.addPart(&d.got.Parts[i])
	}
	d.Rows.Refresh()
}

// Wait shows that nothing is known of a node yet, and why.
func (d *Pane) Wait(p *model.Place, why string) {
	d.place, d.got = p, nil
	d.page.clear(d.Rows)
	d.head(nodes.Label(nodes.ItemOf(p)), nil, why)
	d.Rows.Refresh()
}

// head shows the title and the sentence.
func (d *Pane) head(title string, icon fyne.Resource, sentence string) {
	line := kit.NewLine(title, fyne.TextStyle{Bold: true}, theme.ColorNameForeground, look.Title)
	var o fyne.CanvasObject = line
	if icon != nil {
		o = container.New(beside{}, widget.NewIcon(icon), line)
	}
	d.page.add(d.Rows, full, o)
	if sentence != "" {
		l := kit.NewSelectable(sentence)
		l.Wrapping, l.Importance = fyne.TextWrapWord, widget.LowImportance
		d.page.add(d.Rows, full, kit.Bare(l))
	}
}

// addPart shows a part, or nothing of one that is empty.
func (d *Pane) addPart(p *Part) {
	rows := p.Rows
	if p.late != nil {
		rows = append(p.late(), rows...)
	}
	if len(rows) == 0 && p.Note == "" {
		return
	}
	d.page.add(d.Rows, rule, kit.NewRule())
	d.page.add(d.Rows, heading, d.heading(p))
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
		return kit.Border(nil, nil, title, nil, container.New(atRight{}, note))
	}
	icon, tip := theme.MenuExpandIcon(), "Unfold"
	if d.unfolded[p.Title] {
		icon, tip = theme.MenuDropDownIcon(), "Fold"
	}
	fold := kit.IconButton(icon, tip, nil)
	fold.Alignment = widget.ButtonAlignLeading
	fold.OnTapped = func() {
		d.unfolded[p.Title] = !d.unfolded[p.Title]
		d.Again()
		d.Log.Write("card part", p.Title, d.unfolded[p.Title])
	}
	return container.NewStack(kit.Border(nil, nil, kit.Padded(0, 0, foldIcon, 0, title), nil, container.New(atRight{}, note)), container.New(over{}, fold))
}

// addRow shows a row: what it says at the right of its label, or below it where it is long.
func (d *Pane) addRow(r *Row) {
	if r.drawn != nil {
		d.page.add(d.Rows, full, r.drawn)
		return
	}
	o := r.object()
	if r.Label == "" {
		d.page.add(d.Rows, full, o)
		return
	}
	var label fyne.CanvasObject = kit.NewLine(r.Label, fyne.TextStyle{}, theme.ColorNamePlaceHolder, theme.SizeNameText)
	if r.name != nil {
		label = kit.NewLink(r.Label, false, r.name)
	}
	if r.mono && isLong(r.Text) {
		d.page.add(d.Rows, full, label)
		d.page.add(d.Rows, full, o)
		return
	}
	d.page.add(d.Rows, named, label)
	d.page.add(d.Rows, told, o)
}

// words is the text of a row.
func (r *Row) words() fyne.CanvasObject {
	l := kit.NewSelectable(r.Text)
	l.Wrapping = fyne.TextWrapWord
	if r.mono {
		l.TextStyle.Monospace, l.SizeName = true, theme.SizeNameCaptionText
	}
	switch r.level {
	case treeview.Error:
		l.Importance = widget.DangerImportance
	case treeview.Warning:
		l.Importance = widget.WarningImportance
	}
	if r.mono {
		const lower = 2 // smaller letters stand on the line of the label
		return kit.Padded(lower, 0, 0, 0, kit.Bare(l))
	}
	return kit.Bare(l)
}

func (r *Row) object() fyne.CanvasObject {
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

// read reads values in the background, and tells of them from time to time, until another node is selected.
func (d *Pane) read(sum *summary) {
	if sum.started {
		return
	}
	sum.started = true
	d.Again()
	cards.Facts(d.host.Selection(), d.Tasks, sum.of, func(t cards.Told) {
		sum.told = &t
		d.Again()
	})
}

// countedAtOnce is how many bytes a file may have whose facts are counted unasked.
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
