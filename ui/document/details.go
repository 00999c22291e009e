package document

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/size"
	"cutaway/model/values"
	"cutaway/ui/cards"
	"cutaway/ui/inspector"
	"cutaway/ui/kit"
	markspane "cutaway/ui/marks"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/problems"
	"cutaway/ui/references"
	searchpane "cutaway/ui/search"
	"cutaway/ui/sizes"
	"cutaway/ui/treeview"
)

// The tabs of the details pane that are always there; a node's cards follow them.
const (
	TabDetails = iota
	TabReferences
	TabProblems
	TabInspector
	TabSearch
	TabSizes
	TabMarks
	FixedTabs
)

// panel is one of the tabs that are always there.
type panel struct {
	title  func() string
	object func() fyne.CanvasObject // what to show now
}

// Details is the pane below: the selected node in full, its references, the document's problems, and the cards
// of the node.
type Details struct {
	s      *Pane
	Bar    *kit.TabBar
	box    *fyne.Container
	panels [FixedTabs]panel

	Crumb *breadcrumb
	Rows  *fyne.Container
	page  fyne.CanvasObject

	Refs *references.Pane

	Problems *problems.Pane

	Inspector *inspector.Pane
	Search    *searchpane.Pane
	Sizes     *sizes.Pane
	Kept      *markspane.Pane

	Refused fyne.CanvasObject            // why the file was not recognised; nil: it was
	scanned atomic.Pointer[[]model.Fact] // the facts after a scan

	others references.Owners
	shown  *Detail // what is said of the node; nil: it is being gathered
	Cards  *cards.Deck
	Front  int
	// awaited says that the next card gets the keyboard, unless something else than orphan, which may be nil, has it by then.
	awaited bool
	orphan  fyne.Focusable
}

func newDetailsPane(s *Pane) *Details {
	d := &Details{s: s, box: container.NewStack(), Cards: cards.New(s.Opened, cardsHost(s))}
	d.Bar = kit.NewTabBar(d.Choose)
	d.Bar.OnClick = func(i int) { // a click takes the keyboard from what had it
		if i != TabDetails {
			d.giveKeys(i)
		}
	}
	d.Crumb = newBreadcrumb(func(p *model.Place) { s.Nav.GoTo(p.Path()) })
	copyPath := kit.IconButton(theme.ContentCopyIcon(), "Copy the path (Ctrl+Shift+C)", s.Actions.CopyPath)
	d.Rows = container.New(&pairs{})
	top := kit.Border(nil, nil, nil, copyPath, container.New(layout.NewCustomPaddedLayout(4, 0, 12, 0), d.Crumb))
	d.page = kit.Border(top, nil, nil, nil,
		kit.NewScroller(container.New(layout.NewCustomPaddedLayout(2, 6, 9, 10), d.Rows), false))
	d.panels[TabDetails] = panel{func() string { return "Details" }, func() fyne.CanvasObject { return d.page }}
	d.Refs = references.New(s.Opened, references.Host{Follow: s.Nav.Follow, Selection: s.Selection, ShowTitles: d.showTabs, ShowTab: d.again,
		ReferencesInFront: func() bool { return d.Front == TabReferences }})
	d.panels[TabReferences] = panel{d.Refs.Title, d.Refs.Object}
	d.Problems = problems.New(s.Opened, problemsHost(s, d))
	d.panels[TabProblems] = panel{d.Problems.Title, d.Problems.Object}
	d.Inspector = inspector.New(s.Opened, inspector.Host{GoTo: s.Nav.GoTo, ShowSpan: s.ShowSpan, ChangeReading: s.editor.ChangeReading,
		Light: func(spans []model.Span) { s.Hex.LightSpans(spans) }})
	d.panels[TabInspector] = panel{func() string { return "Inspector" }, func() fyne.CanvasObject {
		if s.Beside.InspectorBeside() {
			return s.Beside.elsewhere()
		}
		d.followInspector()
		return d.Inspector.Object
	}}
	d.Search = searchpane.New(s.Opened, searchHost(s, d), s.Trail.Query)
	d.panels[TabSearch] = panel{d.Search.Title, d.Search.Object}
	d.Sizes = sizes.New(s.Opened, sizes.Host{GoToNode: s.Nav.GoToNode, View: s.Trees.View, Current: s.Current, ShowTab: d.again, Measured: s.Trees.Measured})
	d.panels[TabSizes] = panel{d.Sizes.Title, d.Sizes.Object}
	d.Kept = markspane.New(s.Opened, marksHost(s, d))
	d.panels[TabMarks] = panel{d.Kept.Title, d.Kept.Object}
	d.Choose(TabDetails)
	return d
}

// showTabs brings the bar up to date.
func (d *Details) showTabs() {
	var tabs []kit.Tab
	for _, p := range d.panels {
		tabs = append(tabs, kit.Tab{Title: p.title()})
	}
	tabs[TabProblems].Bad = d.Problems.Errors > 0
	tabs = append(tabs, d.Cards.Tabs()...)
	if d.Refused != nil {
		tabs = append(tabs, kit.Tab{Title: "What is it?"})
	}
	d.Bar.Set(tabs, d.Front)
}

// kinds are those of the tabs that are always there.
var kinds = [FixedTabs]string{"Details", "References", "Problems", "Inspector", "Search", "Sizes", "Marks"}

// kind is that of the tab in front: two that show the like have the same.
func (d *Details) kind() string {
	switch i := d.Front - FixedTabs; {
	case i < 0:
		return kinds[d.Front]
	case i < len(d.Cards.Tabs()):
		return d.Cards.Kind(i)
	}
	return "Refused"
}

// CardOf returns the first tab of a card of a kind, or -1.
func (d *Details) CardOf(kind string) int {
	for k := range d.Cards.Tabs() {
		if d.Cards.Kind(k) == kind {
			return FixedTabs + k
		}
	}
	return -1
}

// Choose shows tab i, also where the pane was hidden.
func (d *Details) Choose(i int) {
	d.Keep(i)
	if d.s.Below != nil {
		d.s.Below.Hide(false)
	}
	if i == TabProblems {
		d.s.host.Did(SawProblems, d.s.current)
	}
}

// ChooseForKeys shows tab i, if there is one, and gives the keyboard to its list, or to what else there takes it.
func (d *Details) ChooseForKeys(i int) {
	if i >= len(d.Bar.Tabs) {
		return
	}
	d.Choose(i)
	d.giveKeys(i)
}

// giveKeys gives the keyboard to the list of tab i, which is in front, or to what else there takes it.
func (d *Details) giveKeys(i int) {
	switch i {
	case TabSearch:
		d.Search.FocusField()
		return
	case TabSizes:
		d.Sizes.TakeKeys()
		return
	}
	if to := keyboardOf(d.box); to != nil {
		d.s.Focus(to)
	} else if i >= FixedTabs { // it is being read
		d.awaited, d.orphan = true, d.s.Win.Canvas().Focused()
	}
}

// leaveCard keeps in mind that a card that goes away has the keyboard.
func (d *Details) leaveCard() {
	if f := d.s.Win.Canvas().Focused(); f != nil && d.Front >= FixedTabs && holds(d.box, f) {
		d.awaited, d.orphan = true, f
	}
}

// adopt gives the keyboard of a card that went away to the card that came, or where none did to the tree.
func (d *Details) adopt() {
	was, awaited := d.orphan, d.awaited
	if d.orphan, d.awaited = nil, false; !awaited || d.s.Win.Canvas().Focused() != was {
		return
	}
	if to := keyboardOf(d.box); d.Front >= FixedTabs && to != nil {
		d.s.Focus(to)
	} else {
		d.s.Trees.FocusTree()
	}
}

// partsOf is what a container has on the screen.
func partsOf(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case *container.Split:
		return []fyne.CanvasObject{o.Leading, o.Trailing}
	case *container.Scroll:
		return []fyne.CanvasObject{o.Content}
	}
	return nil
}

// holds reports whether f is o or in it.
func holds(o fyne.CanvasObject, f fyne.Focusable) bool {
	is, _ := o.(fyne.Focusable)
	return is == f || slices.ContainsFunc(partsOf(o), func(part fyne.CanvasObject) bool { return holds(part, f) })
}

// keyboardOf is what of o takes the keyboard: a list, or else a drawing, or else the first thing that does.
func keyboardOf(o fyne.CanvasObject) (best fyne.Focusable) {
	if !o.Visible() {
		return nil
	}
	if f, is := o.(fyne.Focusable); is {
		return f
	}
	for _, part := range partsOf(o) {
		if to := keyboardOf(part); keyboardRank(to) > keyboardRank(best) {
			best = to
		}
	}
	return best
}

// keyboardRank is the higher the sooner something of a pane gets the keyboard: what scrolls by itself is what the pane is about.
func keyboardRank(o fyne.Focusable) int {
	switch o.(type) {
	case nil:
		return 0
	case *treeview.Tree:
		return 3
	case fyne.Scrollable:
		return 2
	}
	return 1
}

// Keep puts tab i in front; a hidden pane stays hidden.
func (d *Details) Keep(i int) {
	d.Front = i
	d.s.Below.inFront(d.kind())
	var o fyne.CanvasObject
	switch {
	case i < FixedTabs:
		o = d.panels[i].object()
	case i-FixedTabs < len(d.Cards.Titles()):
		o = d.Cards.Card(i - FixedTabs)
	case d.Refused != nil:
		o = d.Refused
	}
	kit.Swap(d.box, o)
	d.showTabs()
	d.s.Save()
}

// followInspector has the inspector look at the cursor of the hex pane, if it is in sight.
func (d *Details) followInspector() {
	if t := d.s.Hex.Shown; (d.Front == TabInspector || d.s.Beside.InspectorBeside()) && t != nil {
		spans, from := d.s.subject()
		d.Inspector.Follow(inspector.Place{Source: t.Src, Off: t.View.Cursor(), Node: d.s.current}, spans, from)
	}
}

// again shows the present tab anew, after what it shows has changed.
func (d *Details) again() { d.Keep(d.Front) }

// Detail is what the details of a node say, gathered in the background.
type Detail struct {
	Rows  []DetailRow
	cards []model.Card
	refs  []model.Ref
	sum   *summary // nil: the node has no values to tell of
}

// DetailRow is one line of the details: text, or links.
type DetailRow struct {
	Label string
	Text  string
	mono  bool
	level treeview.Mark // of a problem
	Links []DetailLink
	once  bool             // the links are gone when they were followed
	told  **kit.Selectable // a text that is filled in later; nil: the row has its text
}

// DetailLink is a link in the details.
type DetailLink struct {
	Text string
	Tap  func()
}

// set shows a node: what it is at once, and what is said of it when that is read. Until then nothing says what another
// node was.
func (d *Details) set(p *model.Place, how Showing) {
	if d.Crumb.Path() != p.Path() {
		d.wait(p, "reading…")
	}
	d.Crumb.set(p)
	d.others = how.others
	d.s.Tasks.Try(d.s.about, "reading "+p.Label(), func(ctx context.Context, _ model.Progress) (func(), error) {
		got := d.Gather(ctx, p)
		return func() { d.fill(p, got, how) }, nil
	})
}

// isShown reports whether all there is of the selected node is on the screen.
func (d *Details) isShown() bool { return d.shown != nil }

// stay is set for the node that is shown already: its cards stay as the user has them.
func (d *Details) stay(p *model.Place, how Showing) {
	if !slices.Equal(d.others.Paths, how.others.Paths) {
		d.others = how.others
		d.Refs.Set(p, d.shown.refs, how.others)
		d.again()
	}
	d.resume(how)
}

// fill puts what was gathered on the screen.
func (d *Details) fill(p *model.Place, got *Detail, how Showing) {
	d.shown = got
	d.Rows.Objects = nil
	for _, r := range got.Rows {
		label := widget.NewLabel(r.Label)
		label.Importance = widget.LowImportance
		label.Alignment = fyne.TextAlignTrailing
		o := r.object()
		if r.told != nil {
			*r.told = newFactsLabel()
			o = kit.Dense(*r.told)
		}
		d.Rows.Objects = append(d.Rows.Objects, kit.Dense(label), o)
	}
	d.Rows.Refresh()
	if got.sum != nil && !got.sum.waits {
		d.tellFacts(got.sum)
	}
	d.keepFront(func() { d.Cards.Set(got.cards) })
	d.Refs.Set(p, got.refs, how.others)
	d.again()
	d.adopt()
	d.resume(how)
}

// stand is which card is in front, and where in it the user is.
func (d *Details) stand() cards.Stand { return d.Cards.Stand(d.Front - FixedTabs) }

// resume shows the card that was in front when the node was left.
func (d *Details) resume(how Showing) {
	k := slices.Index(d.Cards.Titles(), how.card.Title)
	if k < 0 {
		return
	}
	d.Keep(FixedTabs + k)
	d.Cards.Resume(k, how.card, how.marked)
}

// wait shows that nothing is known of a node yet, and why.
func (d *Details) wait(p *model.Place, why string) {
	d.shown = nil
	d.Crumb.set(p)
	said := widget.NewLabel(why)
	said.Importance, said.Wrapping = widget.LowImportance, fyne.TextWrapWord
	d.Rows.Objects = []fyne.CanvasObject{widget.NewLabel(""), kit.Dense(said)}
	d.Rows.Refresh()
	d.keepFront(func() { d.Cards.Wait(d.Front - FixedTabs) })
	d.Refs.Wait(p)
	d.again()
}

// keepFront changes the cards. The tab in front stays there if there still is one with its title.
func (d *Details) keepFront(change func()) {
	d.leaveCard()
	before, card := d.Cards.Titles(), d.Front-FixedTabs
	change()
	now := d.Cards.Titles()
	switch {
	case card < 0 || card < len(before) && card < len(now) && now[card] == before[card]:
	case card >= len(before): // why the file was not recognised
		d.Front = FixedTabs + len(now)
	case slices.Contains(now, before[card]):
		d.Front = FixedTabs + slices.Index(now, before[card])
	default:
		d.Front = TabDetails
	}
}

// summary is what is known of the values of a node: of its array, or of its field in all records.
type summary struct {
	of            func(context.Context) (*values.Column, error)
	size          size.Size       // of an array
	facts, stored *kit.Selectable // stored is nil where values are in many places
	waits         bool            // until somebody asks for it
}

func newFactsLabel() *kit.Selectable {
	l := kit.NewSelectable("not read yet")
	l.Wrapping, l.TextStyle.Monospace = fyne.TextWrapWord, true
	return l
}

// tellFacts tells of values as far as they are read, until another node is selected.
func (d *Details) tellFacts(sum *summary) {
	for _, l := range []*kit.Selectable{sum.facts, sum.stored} {
		if l != nil {
			l.SetText("reading…")
		}
	}
	cards.Facts(d.s.about, d.s.Tasks, sum.of, func(t cards.Told) {
		if sum.stored != nil {
			sum.facts.SetText(t.Text)
			sum.stored.SetText(t.Stored(sum.size))
		} else {
			sum.facts.SetText(model.GroupedCount(t.Facts.Count, "value") + " · " + t.Text)
		}
		d.Rows.Refresh()
	})
}

// words is the text of a row.
func (r *DetailRow) words() *kit.Selectable {
	l := kit.NewSelectable(r.Text)
	l.Wrapping, l.TextStyle.Monospace = fyne.TextWrapWord, r.mono
	return l
}

func (r *DetailRow) object() fyne.CanvasObject {
	if len(r.Links) > 0 {
		box := container.NewVBox()
		if r.Text != "" {
			box.Add(kit.Dense(r.words()))
		}
		for _, l := range r.Links {
			link := kit.NewLink(l.Text, r.mono, l.Tap)
			if r.once {
				link.Tap = func() {
					link.Hide()
					l.Tap()
				}
			}
			box.Add(container.New(kit.AsWide{}, link))
		}
		return container.New(layout.NewCustomPaddedLayout(3, 2, 3, 0), box)
	}
	l := r.words()
	switch r.level {
	case treeview.Error:
		l.Importance = widget.DangerImportance
	case treeview.Warning:
		l.Importance = widget.WarningImportance
	}
	if r.level == treeview.Sound {
		return kit.Dense(l)
	}
	icon := widget.NewIcon(nodes.Icon(r.level))
	return kit.Border(nil, nil, container.New(layout.NewCustomPaddedLayout(2, 0, 3, 0), container.NewVBox(icon)), nil, kit.Dense(l))
}

// shownInFull is how much of a value the details show, in bytes; more is for a card or an export.
const shownInFull = 6000

// shownOfArray is how much of an array they show, so that what follows stays in sight; all of it is in a card.
const shownOfArray = 90

// How many spans the details list: the first at once, others where they push nothing out of sight.
const fewSpans, mostSpans = 6, 200

// isLong reports whether a value would push what follows out of sight.
func isLong(text string) bool {
	const most = 300 // bytes
	return len(text) > most || strings.Count(text, "\n") > 2
}

// shownBytes is how many bytes of a blob the details show.
const shownBytes = 128

// Gather reads everything that the details say of a node. It may take its time.
func (d *Details) Gather(ctx context.Context, p *model.Place) *Detail {
	n := &p.Node
	got := &Detail{}
	add := func(label, text string, mono bool) {
		if text != "" {
			got.Rows = append(got.Rows, DetailRow{Label: label, Text: text, mono: mono})
		}
	}
	d.addProblems(got, n, false)
	array, target := d.addValues(ctx, got, p)
	value := d.withUnit(ctx, p, fullValue(ctx, n))
	if !isLong(value) {
		add("Value", value, true)
	}
	if over := cards.OverTime(p, got.cards); over != nil && !array {
		got.sum = &summary{of: over}
		d.addSummary(got, "Over time", "all records", d.s.Doc.Far())
	}
	add("Type", n.Type, false)
	if n.Role != model.Explained {
		add("Role", n.Role.String(), false)
	}
	if n.Shared {
		add("Shared", "several owners share these bytes", false)
	}
	first := min(len(n.Spans), fewSpans)
	d.addSpans(got, "Bytes", n.Spans[:first])
	if array {
		got.Rows = append(got.Rows, DetailRow{Label: "Stored", told: &got.sum.stored})
	}
	add("Meaning", n.Help, false)
	got.refs = refsOf(ctx, d.s.Doc, n, !d.s.Doc.Far()) // of a file of a server nothing is read that is not shown
	d.addLinks(got)
	if target != "" {
		got.Rows = append(got.Rows, DetailRow{Label: "Numbers of", mono: true, Links: []DetailLink{{target, func() { d.s.Nav.GoTo(target) }}}})
	}
	if isLong(value) { // what the node is stays in sight
		add("Value", value, true)
	}
	d.addMoreSpans(got, n.Spans[first:])
	d.addInside(got, p)
	d.addProblems(got, n, true) // there may be many, which matter less than what the node is
	if p.Parent == nil {
		d.addIdentity(ctx, got)
	}
	return got
}

// addValues adds the cards of a node, and reports whether it is an array, whose facts come first, and which one its elements are
// numbers of.
func (d *Details) addValues(ctx context.Context, got *Detail, p *model.Place) (is bool, target string) {
	if p.Node.Cards != nil {
		got.cards = p.Node.Cards(ctx)
	}
	a, of := arrayAt(ctx, p)
	if a == nil || a.Len() == 0 {
		got.cards = append(got.cards, rowsBelow(ctx, p, got.cards)...)
		got.cards = append(got.cards, elementsTable(ctx, p, got.cards)...)
		return false, ""
	}
	at := size.Of(&of.Node)
	got.sum = &summary{of: cards.ValuesOf(a), size: at}
	d.addSummary(got, "Values", phrase.Bytes(at.Stored), d.s.Doc.Far() && at.Stored > fewFarBytes)
	target = d.indexed(ctx, of)
	got.cards = append(got.cards, cards.OfArray(ctx, a, elementOf(of), target)...)
	return true, target
}

// fewFarBytes is how many bytes of a file of a server are read to tell of values without being asked to.
const fewFarBytes = 1 << 20

// addSummary adds the row that tells of the values of a node, and a link that has them read where that is much to ask of a server.
func (d *Details) addSummary(got *Detail, label, what string, much bool) {
	sum := got.sum
	sum.waits = much
	got.Rows = append(got.Rows, DetailRow{Label: label, told: &sum.facts})
	if much {
		got.Rows = append(got.Rows, DetailRow{once: true, Links: []DetailLink{{"Read " + what + " from the server", func() { d.tellFacts(sum) }}}})
	}
}

// indexed is the array that the elements of the one at p are numbers of, if it is there.
func (d *Details) indexed(ctx context.Context, p *model.Place) string {
	name, _, _ := strings.Cut(p.Path(), "/")
	v := d.s.Doc.View(name)
	if v == nil || v.Indexed == nil {
		return ""
	}
	target := v.Indexed(p)
	if target == "" {
		return ""
	}
	if _, err := d.s.Doc.Lookup(ctx, target); err != nil {
		return ""
	}
	return target
}

// fewChildren is how many children of a node are looked at for an array that is meant by it.
const fewChildren = 8

// arrayAt is the array that a node is, or that the only one of its few children is that is an array, as an attribute's
// value; nil where there is none.
func arrayAt(ctx context.Context, p *model.Place) (a model.Array, of *model.Place) {
	if a, ok := p.Node.Value.(model.Array); ok {
		return a, p
	}
	n, exact := p.Len(ctx)
	if p.Parent == nil || !exact || n > fewChildren || p.Node.Elements {
		return nil, nil
	}
	for i := range n {
		c := p.Child(ctx, i)
		if is, ok := c.Node.Value.(model.Array); ok {
			if a != nil {
				return nil, nil
			}
			a, of = is, c
		}
	}
	return a, of
}

// fewElements is how many elements of a sequence are looked at for the columns of its table.
const fewElements = 1 << 10

// elementsTable is the table of a node's elements that are structures, unless the node has rows of its own.
func elementsTable(ctx context.Context, p *model.Place, own []model.Card) []model.Card {
	if len(model.WithRows(own)) > 0 || !model.HasElements(ctx, &p.Node) {
		return nil
	}
	t, err := model.FieldsOf(ctx, p, fewElements, nil)
	if err != nil {
		return nil
	}
	if rows, _ := t.Rows(); rows == 0 || t.Plain() && !p.Node.Elements {
		return nil
	}
	return []model.Card{t}
}

// rowsBelow are the tables and series of the only one of a node's few children that has some, as an attribute's samples, unless
// the node has some of its own.
func rowsBelow(ctx context.Context, p *model.Place, own []model.Card) (rows []model.Card) {
	n, exact := p.Len(ctx)
	if p.Parent == nil || !exact || n > fewChildren || p.Node.Elements || len(model.WithRows(own)) > 0 {
		return nil
	}
	for i := range n {
		c := p.Child(ctx, i)
		if c.Node.Cards == nil {
			continue
		}
		if list := model.WithRows(c.Node.Cards(ctx)); rows != nil && list != nil {
			return nil
		} else if list != nil {
			rows = list
		}
	}
	return rows
}

// elementOf returns what makes the place of an element of the array at p; nil: its elements are no nodes.
func elementOf(p *model.Place) func(ctx context.Context, i int64) *model.Place {
	if !p.Node.Elements || p.Node.Children == nil {
		return nil
	}
	return func(ctx context.Context, i int64) *model.Place {
		if n, _ := p.Len(ctx); i >= n {
			return nil
		}
		return p.Child(ctx, i)
	}
}

// addProblems adds the node's errors and warnings, or its notes. A fault of the program can be copied with its stack.
func (d *Details) addProblems(got *Detail, n *model.Node, notes bool) {
	for _, p := range n.Problems {
		if (p.Kind.Severity() == model.Note) != notes {
			continue
		}
		text := phrase.Problem(p)
		got.Rows = append(got.Rows, DetailRow{Label: p.Kind.String(), Text: text, level: nodes.MarkOf(p.Kind.Severity())})
		if p.Stack != "" {
			report := text + "\n\n" + p.Stack
			got.Rows = append(got.Rows, DetailRow{Label: "Report", Links: []DetailLink{
				{"copy it for a bug report", func() { d.s.App.Clipboard().SetContent(report) }}}})
		}
	}
}

// addLinks adds where the node refers to, each a link.
func (d *Details) addLinks(got *Detail) {
	row := DetailRow{Label: "Goes to", mono: true}
	for _, r := range got.refs[:min(len(got.refs), MenuRefs)] {
		row.Links = append(row.Links, DetailLink{phrase.Ref(r), func() { d.s.Nav.Follow(r) }})
	}
	if more := len(got.refs) - MenuRefs; more > 0 {
		row.Links = append(row.Links, DetailLink{fmt.Sprintf("and %s more", model.Grouped(int64(more))), func() { d.Choose(TabReferences) }})
	}
	if len(row.Links) > 0 {
		got.Rows = append(got.Rows, row)
	}
}

// addSpans adds the node's bytes, each span a link into the hex pane.
func (d *Details) addSpans(got *Detail, label string, spans []model.Span) {
	row := DetailRow{Label: label, mono: true}
	for _, s := range spans {
		if s.Source != nil {
			row.Links = append(row.Links, DetailLink{phrase.Span(s), func() { d.s.Nav.VisitSpan(s) }})
		}
	}
	if len(row.Links) > 0 {
		got.Rows = append(got.Rows, row)
	}
}

// addMoreSpans adds the spans that follow what matters more.
func (d *Details) addMoreSpans(got *Detail, spans []model.Span) {
	d.addSpans(got, "More bytes", spans[:min(len(spans), mostSpans)])
	if more := len(spans) - mostSpans; more > 0 {
		got.Rows = append(got.Rows, DetailRow{Text: "and " + model.Grouped(int64(more)) + " more"})
	}
}

// addInside says what is below the node.
func (d *Details) addInside(got *Detail, p *model.Place) {
	n := &p.Node
	count, exact := p.Len(d.s.Ctx)
	switch {
	case n.IsPending():
		got.Rows = append(got.Rows, DetailRow{Label: "Inside", Text: "not decoded yet: open the node in the tree"})
	case count > 0 || !exact:
		what := "part"
		if n.Elements {
			what = "element"
		}
		text := model.GroupedCount(count, what)
		if !exact {
			text = "at least " + text
		}
		got.Rows = append(got.Rows, DetailRow{Label: "Inside", Text: text})
	}
	row := DetailRow{Label: "Opens as"}
	for k, der := range n.Derived {
		path := p.Path() + "@" + model.EscapeSegment(der.Name)
		text := der.Title
		if der.Codec != "" {
			text += " (" + der.Codec + ")"
		}
		row.Links = append(row.Links, DetailLink{text, func() { d.s.Nav.GoTo(path) }},
			DetailLink{"in a tab of its own", func() { d.s.Actions.OpenDerived(p, k) }})
	}
	if len(row.Links) > 0 {
		got.Rows = append(got.Rows, row)
	}
}

// addIdentity adds the document's identity card to the details of a root.
func (d *Details) addIdentity(ctx context.Context, got *Detail) {
	doc := d.s.Doc
	got.Rows = append(got.Rows, DetailRow{Label: "Format", Text: doc.Title}, DetailRow{Label: "Recognised", Text: doc.Why})
	if doc.Facts == nil {
		return
	}
	var facts []model.Fact
	var err error
	if scanned := d.scanned.Load(); scanned != nil {
		facts = *scanned
	} else {
		facts, err = doc.Facts(ctx, true, nil)
	}
	if err != nil {
		got.Rows = append(got.Rows, DetailRow{Label: "Facts", Text: err.Error(), level: treeview.Warning})
	}
	var unknown []string
	for _, f := range facts {
		if f.Value == nil {
			unknown = append(unknown, f.Title)
			continue
		}
		got.Rows = append(got.Rows, DetailRow{Label: phrase.Capital(f.Title), mono: true, Text: factText(ctx, &f)})
	}
	if len(unknown) > 0 {
		got.Rows = append(got.Rows, DetailRow{Label: "Not counted yet", Text: strings.Join(unknown, ", "), Links: []DetailLink{{"count them", d.scan}}})
	}
}

// scan finds the facts that take a scan of the file, and shows them.
func (d *Details) scan() {
	doc := d.s.Doc
	d.s.Tasks.Try(d.s.Ctx, "scanning", func(ctx context.Context, progress model.Progress) (func(), error) {
		facts, err := doc.Facts(ctx, false, progress)
		return func() {
			d.scanned.Store(&facts)
			if d.s.Details == d && d.s.current != nil {
				d.set(d.s.current, Showing{card: d.stand(), marked: true})
			}
		}, err
	})
}

// fullValue is a value as the details show it: integers also in hexadecimal, arrays with their length.
func fullValue(ctx context.Context, n *model.Node) string {
	switch v := n.Value.(type) {
	case nil:
		return n.Brief
	case model.Int:
		if v > 9 {
			return fmt.Sprintf("%d   %#x", int64(v), int64(v))
		}
	case model.Uint:
		if v > 9 {
			return fmt.Sprintf("%d   %#x", uint64(v), uint64(v))
		}
	case model.Symbol:
		return strings.TrimSpace(fmt.Sprintf("%s   %d", v.Name, v.Number))
	case model.Array:
		return fmt.Sprintf("%s × %s   %s", model.Grouped(v.Len()), v.Elem(), model.Show(ctx, v, shownOfArray))
	case model.Blob:
		return model.Show(ctx, v, shownBytes*3) // the hex pane shows all
	case model.Text:
		if pretty := phrase.Pretty(string(v)); len(v) <= shownInFull && pretty != string(v) {
			return pretty
		}
		if strings.ContainsAny(string(v), "\n\t") && len(v) <= shownInFull {
			return strings.ToValidUTF8(string(v), "\ufffd")
		}
	}
	return model.Show(ctx, n.Value, shownInFull)
}

// withUnit is a number as its tree shows it, where that is the number with a unit.
func (d *Details) withUnit(ctx context.Context, p *model.Place, value string) string {
	v := d.s.Doc.View(nodes.ViewOf(p))
	if _, is := p.Node.Value.(model.Float64); !is || v == nil || v.Summary == nil {
		return value
	}
	return cmp.Or(v.Summary(ctx, &p.Node), value)
}

// pairs lays out labels of one width beside what they label, or, where there is little room, above it.
type pairs struct{ stacked bool }

// The least and the largest width of the labels, what is between them and what they label, and from which width on they are beside it.
const minLabels, maxLabels, labelGap, besideLabels = 96, 200, 6, 360

// labels is the width of the labels: that of the widest.
func (*pairs) labels(o []fyne.CanvasObject) float32 {
	width := float32(minLabels)
	for i := 0; i < len(o); i += 2 {
		width = max(width, o[i].MinSize().Width)
	}
	return min(width, maxLabels)
}

func (p *pairs) Layout(o []fyne.CanvasObject, size fyne.Size) {
	p.stacked = size.Width < besideLabels
	y, labels := float32(0), p.labels(o)
	for i := 0; i+1 < len(o); i += 2 {
		x, width, label := labels+labelGap, max(size.Width-labels-labelGap, 0), o[i].MinSize()
		if p.stacked {
			kit.Put(o[i], 0, y, label.Width, label.Height)
			x, width, y = labelGap, size.Width-labelGap, y+label.Height
		} else {
			kit.Put(o[i], 0, y, labels, label.Height)
		}
		o[i+1].Resize(fyne.NewSize(width, o[i+1].MinSize().Height)) // wrapped text gets its height from its width
		h := max(label.Height, o[i+1].MinSize().Height)
		kit.Put(o[i+1], x, y, width, h)
		y += h
	}
}

func (p *pairs) MinSize(o []fyne.CanvasObject) fyne.Size {
	h := float32(0)
	for i := 0; i+1 < len(o); i += 2 {
		label := o[i].MinSize().Height
		if h += max(label, o[i+1].MinSize().Height); p.stacked {
			h += label
		}
	}
	return fyne.NewSize(minLabels+labelGap+80, h)
}
