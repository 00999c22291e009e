package ui

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/cards"
	"cutaway/ui/inspector"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/problems"
	"cutaway/ui/references"
	searchpane "cutaway/ui/search"
	"cutaway/ui/treeview"
)

// The tabs of the details pane that are always there; a node's cards follow them.
const (
	tabDetails = iota
	tabReferences
	tabProblems
	tabInspector
	tabSearch
	fixedTabs
)

// panel is one of the tabs that are always there.
type panel struct {
	title  func() string
	object func() fyne.CanvasObject // what to show now
}

// detailsPane is the pane below: the selected node in full, its references, the document's problems, and the cards
// of the node.
type detailsPane struct {
	s      *document
	bar    *kit.TabBar
	box    *fyne.Container
	object fyne.CanvasObject
	panels [fixedTabs]panel

	crumb *breadcrumb
	rows  *fyne.Container
	page  fyne.CanvasObject

	refs *references.Pane

	problems *problems.Pane

	inspector *inspector.Pane
	search    *searchpane.Pane

	refused fyne.CanvasObject            // why the file was not recognised; nil: it was
	scanned atomic.Pointer[[]model.Fact] // the facts after a scan

	others references.Owners
	cards  *cards.Deck
	shown  int
}

func newDetailsPane(s *document) *detailsPane {
	d := &detailsPane{s: s, box: container.NewStack(), cards: cards.New(s.Opened, s)}
	d.bar = kit.NewTabBar(d.choose)
	d.bar.OnClick = func(i int) {
		if i == tabSearch {
			d.search.FocusField()
		}
	}
	d.object = kit.Under(d.bar, d.box)
	d.crumb = newBreadcrumb(func(p *model.Place) { s.GoTo(p.Path()) })
	copyPath := kit.IconButton(theme.ContentCopyIcon(), s.CopyPath)
	d.rows = container.New(pairs{})
	top := container.NewBorder(nil, nil, nil, copyPath, container.New(layout.NewCustomPaddedLayout(4, 0, 12, 0), d.crumb))
	d.page = container.NewBorder(top, nil, nil, nil,
		container.NewVScroll(container.New(layout.NewCustomPaddedLayout(2, 6, 9, 10), d.rows)))
	d.panels[tabDetails] = panel{func() string { return "Details" }, func() fyne.CanvasObject { return d.page }}
	d.refs = references.New(s.Opened, s)
	d.panels[tabReferences] = panel{d.refs.Title, d.refs.Object}
	d.problems = problems.New(s.Opened, s)
	d.panels[tabProblems] = panel{d.problems.Title, d.problems.Object}
	d.inspector = inspector.New(s.Opened, s)
	d.panels[tabInspector] = panel{func() string { return "Inspector" }, func() fyne.CanvasObject {
		d.followInspector()
		return d.inspector.Object
	}}
	d.search = searchpane.New(s.Opened, s, s.searched)
	d.panels[tabSearch] = panel{d.search.Title, d.search.Object}
	d.choose(tabDetails)
	return d
}

// showTabs brings the bar up to date.
func (d *detailsPane) showTabs() {
	var tabs []kit.Tab
	for _, p := range d.panels {
		tabs = append(tabs, kit.Tab{Title: p.title()})
	}
	for _, title := range d.cards.Titles() {
		tabs = append(tabs, kit.Tab{Title: title})
	}
	if d.refused != nil {
		tabs = append(tabs, kit.Tab{Title: "Why not recognised"})
	}
	d.bar.Set(tabs, d.shown)
}

// choose shows tab i.
func (d *detailsPane) choose(i int) {
	d.shown = i
	var o fyne.CanvasObject
	switch {
	case i < fixedTabs:
		o = d.panels[i].object()
	case i-fixedTabs < len(d.cards.Titles()):
		o = d.cards.Card(i - fixedTabs)
	case d.refused != nil:
		o = d.refused
	}
	kit.Swap(d.box, o)
	d.showTabs()
}

// followInspector has the inspector look at the cursor of the hex pane, if it is in sight.
func (d *detailsPane) followInspector() {
	if t := d.s.hex.Shown; d.shown == tabInspector && t != nil {
		spans, from := d.s.subject()
		d.inspector.Follow(inspector.Place{Source: t.Src, Off: t.View.Cursor(), Node: d.s.current}, spans, from)
	}
}

// again shows the present tab anew, after what it shows has changed.
func (d *detailsPane) again() { d.choose(d.shown) }

// detail is what the details of a node say, gathered in the background.
type detail struct {
	rows  []detailRow
	cards []model.Card
	refs  []model.Ref
}

// detailRow is one line of the details: text, or links.
type detailRow struct {
	label string
	text  string
	mono  bool
	level treeview.Mark // of a problem
	links []detailLink
}

type detailLink struct {
	text string
	tap  func()
}

// set shows a node.
func (d *detailsPane) set(p *model.Place, others references.Owners) {
	d.crumb.set(p)
	d.others = others
	d.s.Tasks.Try(d.s.about, "reading "+nodes.Name(p), func(ctx context.Context, _ model.Progress) (func(), error) {
		got := d.gather(ctx, p)
		return func() { d.fill(p, got, others) }, nil
	})
}

// fill puts what was gathered on the screen.
func (d *detailsPane) fill(p *model.Place, got *detail, others references.Owners) {
	d.rows.Objects = nil
	for _, r := range got.rows {
		label := widget.NewLabel(r.label)
		label.Importance = widget.LowImportance
		label.Alignment = fyne.TextAlignTrailing
		d.rows.Objects = append(d.rows.Objects, kit.Dense(label), r.object())
	}
	d.rows.Refresh()
	before, card := d.cards.Titles(), d.shown-fixedTabs
	d.cards.Set(got.cards)
	now := d.cards.Titles()
	switch {
	case card < 0 || card < len(before) && card < len(now) && now[card] == before[card]:
	case d.refused != nil && card == len(before):
		d.shown = fixedTabs + len(now)
	default:
		d.shown = tabDetails
	}
	d.refs.Set(p, got.refs, others)
	d.again()
}

func (r *detailRow) object() fyne.CanvasObject {
	if len(r.links) > 0 {
		box := container.NewVBox()
		for _, l := range r.links {
			box.Add(container.NewHBox(kit.NewLink(l.text, r.mono, l.tap)))
		}
		return container.New(layout.NewCustomPaddedLayout(3, 2, 3, 0), box)
	}
	l := widget.NewLabel(r.text)
	l.Selectable = true
	l.Wrapping = fyne.TextWrapWord
	l.TextStyle.Monospace = r.mono
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
	return container.NewBorder(nil, nil, container.New(layout.NewCustomPaddedLayout(2, 0, 3, 0), container.NewVBox(icon)), nil, kit.Dense(l))
}

// shownInFull is how much of a value the details show, in bytes; more is for a card or an export.
const shownInFull = 6000

// shownBytes is how many bytes of a blob the details show.
const shownBytes = 128

// gather reads everything that the details say of a node. It may take its time.
func (d *detailsPane) gather(ctx context.Context, p *model.Place) *detail {
	n := &p.Node
	got := &detail{}
	add := func(label, text string, mono bool) {
		if text != "" {
			got.rows = append(got.rows, detailRow{label: label, text: text, mono: mono})
		}
	}
	d.addProblems(got, n, false)
	add("Value", fullValue(ctx, n), true)
	add("Type", n.Type, false)
	if n.Role != model.Explained {
		add("Role", n.Role.String(), false)
	}
	if n.Shared {
		add("Shared", "several owners share these bytes", false)
	}
	d.addSpans(got, n)
	add("Meaning", n.Help, false)
	if n.Refs != nil {
		got.refs = n.Refs(ctx)
		d.addLinks(got)
	}
	d.addInside(got, p)
	d.addProblems(got, n, true) // there may be many, which matter less than what the node is
	if p.Parent == nil {
		d.addIdentity(ctx, got)
	}
	if n.Cards != nil {
		got.cards = n.Cards(ctx)
	}
	return got
}

// addProblems adds the node's errors and warnings, or its notes. A fault of the program can be copied with its stack.
func (d *detailsPane) addProblems(got *detail, n *model.Node, notes bool) {
	for _, p := range n.Problems {
		if (p.Kind.Severity() == model.Note) != notes {
			continue
		}
		text := phrase.Problem(p)
		got.rows = append(got.rows, detailRow{label: p.Kind.String(), text: text, level: nodes.MarkOf(p.Kind.Severity())})
		if p.Stack != "" {
			report := text + "\n\n" + p.Stack
			got.rows = append(got.rows, detailRow{label: "Report", links: []detailLink{
				{"copy it for a bug report", func() { d.s.App.Clipboard().SetContent(report) }}}})
		}
	}
}

// addLinks adds where the node refers to, each a link.
func (d *detailsPane) addLinks(got *detail) {
	row := detailRow{label: "Goes to", mono: true}
	for _, r := range got.refs[:min(len(got.refs), menuRefs)] {
		row.links = append(row.links, detailLink{phrase.Ref(r), func() { d.s.Follow(r) }})
	}
	if more := len(got.refs) - menuRefs; more > 0 {
		row.links = append(row.links, detailLink{fmt.Sprintf("and %s more", model.Grouped(int64(more))), func() { d.choose(tabReferences) }})
	}
	if len(row.links) > 0 {
		got.rows = append(got.rows, row)
	}
}

// addSpans adds the node's bytes, each span a link into the hex pane.
func (d *detailsPane) addSpans(got *detail, n *model.Node) {
	const most = 200
	row := detailRow{label: "Bytes", mono: true}
	for _, s := range n.Spans[:min(len(n.Spans), most)] {
		if s.Source != nil {
			row.links = append(row.links, detailLink{phrase.Span(s), func() { d.s.ShowSpan(s) }})
		}
	}
	if len(row.links) > 0 {
		got.rows = append(got.rows, row)
	}
	if more := len(n.Spans) - most; more > 0 {
		got.rows = append(got.rows, detailRow{text: "and " + model.Grouped(int64(more)) + " more"})
	}
}

// addInside says what is below the node.
func (d *detailsPane) addInside(got *detail, p *model.Place) {
	n := &p.Node
	count, exact := p.Len(d.s.Ctx)
	switch {
	case n.IsPending():
		got.rows = append(got.rows, detailRow{label: "Inside", text: "not decoded yet: open the node in the tree"})
	case count > 0 || !exact:
		what := "part"
		if n.Elements {
			what = "element"
		}
		text := model.GroupedCount(count, what)
		if !exact {
			text = "at least " + text
		}
		got.rows = append(got.rows, detailRow{label: "Inside", text: text})
	}
	row := detailRow{label: "Opens as"}
	for k, der := range n.Derived {
		path := p.Path() + "@" + model.EscapeSegment(der.Name)
		text := der.Title
		if der.Codec != "" {
			text += " (" + der.Codec + ")"
		}
		row.links = append(row.links, detailLink{text, func() { d.s.GoTo(path) }},
			detailLink{"in a tab of its own", func() { d.s.OpenDerived(p, k) }})
	}
	if len(row.links) > 0 {
		got.rows = append(got.rows, row)
	}
}

// addIdentity adds the document's identity card to the details of a root.
func (d *detailsPane) addIdentity(ctx context.Context, got *detail) {
	doc := d.s.Doc
	got.rows = append(got.rows, detailRow{label: "Format", text: doc.Title}, detailRow{label: "Recognised", text: doc.Why})
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
		got.rows = append(got.rows, detailRow{label: "Facts", text: err.Error(), level: treeview.Warning})
	}
	for _, f := range facts {
		row := detailRow{label: phrase.Capital(f.Title), mono: true}
		if f.Value != nil {
			row.text = factText(ctx, f.Value)
		} else {
			row.mono, row.links = false, []detailLink{{"scan the file for it", d.scan}}
		}
		got.rows = append(got.rows, row)
	}
}

// scan finds the facts that take a scan of the file, and shows them.
func (d *detailsPane) scan() {
	doc := d.s.Doc
	d.s.Tasks.Try(d.s.Ctx, "scanning", func(ctx context.Context, progress model.Progress) (func(), error) {
		facts, err := doc.Facts(ctx, false, progress)
		return func() {
			d.scanned.Store(&facts)
			if d.s.details == d && d.s.current != nil {
				d.set(d.s.current, references.Owners{})
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
		return fmt.Sprintf("%s × %s\n%s", model.Grouped(v.Len()), v.Elem(), model.Show(ctx, v, shownInFull))
	case model.Blob:
		return model.Show(ctx, v, shownBytes*3) // the hex pane shows all
	case model.Text:
		if strings.ContainsAny(string(v), "\n\t") && len(v) <= shownInFull {
			return strings.ToValidUTF8(string(v), "\ufffd")
		}
	}
	return model.Show(ctx, n.Value, shownInFull)
}

// pairs lays out labels of one width beside what they label.
type pairs struct{}

// The least and the largest width of the labels, and what stands between them and what they label.
const minLabels, maxLabels, labelGap = 96, 200, 6

// labels is the width of the labels: that of the widest.
func (pairs) labels(o []fyne.CanvasObject) float32 {
	width := float32(minLabels)
	for i := 0; i < len(o); i += 2 {
		width = max(width, o[i].MinSize().Width)
	}
	return min(width, maxLabels)
}

// Layout implements fyne.Layout.
func (p pairs) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y, labels := float32(0), p.labels(o)
	for i := 0; i+1 < len(o); i += 2 {
		width := max(size.Width-labels-labelGap, 0)
		o[i+1].Resize(fyne.NewSize(width, o[i+1].MinSize().Height)) // wrapped text gets its height from its width
		h := max(o[i].MinSize().Height, o[i+1].MinSize().Height)
		kit.Put(o[i], 0, y, labels, o[i].MinSize().Height)
		kit.Put(o[i+1], labels+labelGap, y, width, h)
		y += h
	}
}

// MinSize implements fyne.Layout.
func (p pairs) MinSize(o []fyne.CanvasObject) fyne.Size {
	h := float32(0)
	for i := 0; i+1 < len(o); i += 2 {
		h += max(o[i].MinSize().Height, o[i+1].MinSize().Height)
	}
	return fyne.NewSize(p.labels(o)+labelGap+80, h)
}
