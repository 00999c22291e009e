// Package card shows what is said of the selected node: its facts, each a line of text or of links.
package card

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
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
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// Host lists what the card may ask of its document.
type Host struct {
	GoTo           func(path string)
	VisitSpan      func(at model.Span) // shows bytes; Back shows those that were shown before
	Follow         func(r model.Ref)
	Own            func(p *model.Place) []model.Span                                // the bytes that are meant by a node
	Refs           func(ctx context.Context, n *model.Node, parts bool) []model.Ref // where a node refers to
	OpenDerived    func(p *model.Place, k int)                                      // in a tab of its own
	ShowReferences func()
	CopyPath       func()
	Selection      func() context.Context // ends when another node is selected
	TellAgain      func()                 // more is known of the selected node
}

// Pane is the card of the selected node.
type Pane struct {
	shell.Opened
	host   Host
	Object fyne.CanvasObject
	Crumb  *breadcrumb
	Rows   *fyne.Container
	scroll *kit.Scroller

	scanned atomic.Pointer[[]model.Fact] // the facts after a scan
}

// New makes the card of a document; Show fills it.
func New(opened shell.Opened, host Host) *Pane {
	d := &Pane{Opened: opened, host: host, Rows: container.New(&pairs{})}
	d.Crumb = newBreadcrumb(func(p *model.Place) { host.GoTo(p.Path()) })
	copyPath := kit.IconButton(theme.ContentCopyIcon(), "Copy the path (Ctrl+Shift+C)", host.CopyPath)
	top := kit.Border(nil, nil, nil, copyPath, kit.Padded(4, 0, 12, 0, d.Crumb))
	d.scroll = kit.NewScroller(kit.Padded(2, 6, 9, 10, d.Rows), false)
	d.Object = kit.Border(top, nil, nil, nil, d.scroll)
	return d
}

// HasKeys reports whether something of the card has the keyboard.
func (d *Pane) HasKeys(focused fyne.Focusable) bool { return shell.Holds(d.Object, focused) }

// TakeKeys gives the keyboard to the card, which it scrolls.
func (d *Pane) TakeKeys() { d.Focus(d.scroll.Parts()[0].(fyne.Focusable)) }

// Detail is what the card says of a node, gathered in the background.
type Detail struct {
	Rows []Row
	Refs []model.Ref
	sum  *summary // nil where the node has no values to tell of
}

// Row is one line of the card: text, or links.
type Row struct {
	Label string
	Text  string
	mono  bool
	level treeview.Mark // of a problem
	Links []Link
	once  bool             // the links are gone when they were followed
	told  **kit.Selectable // a text that is filled in later, or nil where the row has its text
}

// Link is a link in the card.
type Link struct {
	Text string
	Tap  func()
}

// Show puts what was gathered of a node on the screen.
func (d *Pane) Show(p *model.Place, got *Detail) {
	d.Crumb.set(p)
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
}

// Wait shows that nothing is known of a node yet, and why.
func (d *Pane) Wait(p *model.Place, why string) {
	d.Crumb.set(p)
	said := widget.NewLabel(why)
	said.Importance, said.Wrapping = widget.LowImportance, fyne.TextWrapWord
	d.Rows.Objects = []fyne.CanvasObject{widget.NewLabel(""), kit.Dense(said)}
	d.Rows.Refresh()
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
func (d *Pane) tellFacts(sum *summary) {
	for _, l := range []*kit.Selectable{sum.facts, sum.stored} {
		if l != nil {
			l.SetText("reading…")
		}
	}
	cards.Facts(d.host.Selection(), d.Tasks, sum.of, func(t cards.Told) {
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
func (r *Row) words() *kit.Selectable {
	l := kit.NewSelectable(r.Text)
	l.Wrapping, l.TextStyle.Monospace = fyne.TextWrapWord, r.mono
	return l
}

func (r *Row) object() fyne.CanvasObject {
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
		return kit.Padded(3, 2, 3, 0, box)
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
	return kit.Border(nil, nil, kit.Padded(2, 0, 3, 0, container.NewVBox(icon)), nil, kit.Dense(l))
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

// shownRefs is how many references are listed; the others are in the list of references.
const shownRefs = 12

// shownBytes is how many bytes of a blob the details show.
const shownBytes = 128

// Gather reads everything that the card says of a node, whose cards were found. It may take its time.
func (d *Pane) Gather(ctx context.Context, p *model.Place, found cards.Found) *Detail {
	n := &p.Node
	got := &Detail{}
	add := func(label, text string, mono bool) {
		if text != "" {
			got.Rows = append(got.Rows, Row{Label: label, Text: text, mono: mono})
		}
	}
	d.addProblems(got, n, false)
	if found.Array != nil { // its facts come first
		at := size.Of(&found.At.Node)
		got.sum = &summary{of: cards.ValuesOf(found.Array), size: at}
		d.addSummary(got, "Values", phrase.Bytes(at.Stored), d.Doc.Far() && at.Stored > fewFarBytes)
	}
	value := d.withUnit(ctx, p, fullValue(ctx, n))
	if !isLong(value) {
		add("Value", value, true)
	}
	if over := cards.OverTime(p, found.Cards); over != nil && found.Array == nil {
		got.sum = &summary{of: over}
		d.addSummary(got, "Over time", "all records", d.Doc.Far())
	}
	add("Type", n.Type, false)
	if n.Role != model.Explained {
		add("Role", n.Role.String(), false)
	}
	if n.Shared {
		add("Shared", "several owners share these bytes", false)
	}
	own := d.host.Own(p)
	first := min(len(own), fewSpans)
	d.addSpans(got, "Bytes", own[:first])
	if found.Array != nil {
		got.Rows = append(got.Rows, Row{Label: "Stored", told: &got.sum.stored})
	}
	add("Meaning", n.Help, false)
	got.Refs = d.host.Refs(ctx, n, !d.Doc.Far()) // of a file of a server nothing is read that is not shown
	d.addLinks(got)
	if target := found.Target; target != "" {
		got.Rows = append(got.Rows, Row{Label: "Numbers of", mono: true, Links: []Link{{target, func() { d.host.GoTo(target) }}}})
	}
	if isLong(value) { // what the node is stays in sight
		add("Value", value, true)
	}
	d.addMoreSpans(got, own[first:])
	if n.Principal != nil {
		d.addSpans(got, "How the file says it", others(n.Spans, own))
	}
	d.addInside(got, p)
	d.addProblems(got, n, true) // there may be many, which matter less than what the node is
	if p.Parent == nil {
		d.addIdentity(ctx, got)
	}
	return got
}

// fewFarBytes is how many bytes of a file of a server are read to tell of values without being asked to.
const fewFarBytes = 1 << 20

// addSummary adds the row that tells of the values of a node, and a link that has them read where that is much to ask of a server.
func (d *Pane) addSummary(got *Detail, label, what string, much bool) {
	sum := got.sum
	sum.waits = much
	got.Rows = append(got.Rows, Row{Label: label, told: &sum.facts})
	if much {
		got.Rows = append(got.Rows, Row{once: true, Links: []Link{{"Read " + what + " from the server", func() { d.tellFacts(sum) }}}})
	}
}

// addProblems adds the node's errors and warnings, or its notes. A fault of the program can be copied with its stack.
func (d *Pane) addProblems(got *Detail, n *model.Node, notes bool) {
	for _, p := range n.Problems {
		if (p.Kind.Severity() == model.Note) != notes {
			continue
		}
		text := phrase.Problem(p)
		got.Rows = append(got.Rows, Row{Label: p.Kind.String(), Text: text, level: nodes.MarkOf(p.Kind.Severity())})
		if p.Stack != "" {
			report := text + "\n\n" + p.Stack
			got.Rows = append(got.Rows, Row{Label: "Report", Links: []Link{
				{"copy it for a bug report", func() { d.App.Clipboard().SetContent(report) }}}})
		}
	}
}

// addLinks adds where the node refers to, each a link.
func (d *Pane) addLinks(got *Detail) {
	row := Row{Label: "Goes to", mono: true}
	for _, r := range got.Refs[:min(len(got.Refs), shownRefs)] {
		row.Links = append(row.Links, Link{phrase.Ref(r), func() { d.host.Follow(r) }})
	}
	if more := len(got.Refs) - shownRefs; more > 0 {
		row.Links = append(row.Links, Link{fmt.Sprintf("and %s more", model.Grouped(int64(more))), func() { d.host.ShowReferences() }})
	}
	if len(row.Links) > 0 {
		got.Rows = append(got.Rows, row)
	}
}

// addSpans adds the node's bytes, each span a link into the hex pane.
func (d *Pane) addSpans(got *Detail, label string, spans []model.Span) {
	row := Row{Label: label, mono: true}
	for _, s := range spans {
		if s.Source != nil {
			row.Links = append(row.Links, Link{phrase.Span(s), func() { d.host.VisitSpan(s) }})
		}
	}
	if len(row.Links) > 0 {
		got.Rows = append(got.Rows, row)
	}
}

// others returns the first spans that are none of the node's own.
func others(spans, own []model.Span) (rest []model.Span) {
	for _, s := range spans[:min(len(spans), mostSpans)] {
		if !slices.Contains(own, s) {
			rest = append(rest, s)
		}
	}
	return rest
}

// addMoreSpans adds the spans that follow what matters more.
func (d *Pane) addMoreSpans(got *Detail, spans []model.Span) {
	d.addSpans(got, "More bytes", spans[:min(len(spans), mostSpans)])
	if more := len(spans) - mostSpans; more > 0 {
		got.Rows = append(got.Rows, Row{Text: "and " + model.Grouped(int64(more)) + " more"})
	}
}

// addInside says what is below the node.
func (d *Pane) addInside(got *Detail, p *model.Place) {
	n := &p.Node
	count, exact := p.Len(d.Ctx)
	switch {
	case n.IsPending():
		got.Rows = append(got.Rows, Row{Label: "Inside", Text: "not decoded yet: open the node in the tree"})
	case count > 0 || !exact:
		what := "part"
		if n.Elements {
			what = "element"
		}
		text := model.GroupedCount(count, what)
		if !exact {
			text = "at least " + text
		}
		got.Rows = append(got.Rows, Row{Label: "Inside", Text: text})
	}
	row := Row{Label: "Opens as"}
	for k, der := range n.Derived {
		path := p.Path() + "@" + model.EscapeSegment(der.Name)
		text := der.Title
		if der.Codec != "" {
			text += " (" + der.Codec + ")"
		}
		row.Links = append(row.Links, Link{text, func() { d.host.GoTo(path) }},
			Link{"in a tab of its own", func() { d.host.OpenDerived(p, k) }})
	}
	if len(row.Links) > 0 {
		got.Rows = append(got.Rows, row)
	}
}

// addIdentity adds the document's identity card to the details of a root.
func (d *Pane) addIdentity(ctx context.Context, got *Detail) {
	doc := d.Doc
	got.Rows = append(got.Rows, Row{Label: "Format", Text: doc.Title}, Row{Label: "Recognised", Text: doc.Why})
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
		got.Rows = append(got.Rows, Row{Label: "Facts", Text: err.Error(), level: treeview.Warning})
	}
	var unknown []string
	for _, f := range facts {
		if f.Value == nil {
			unknown = append(unknown, f.Title)
			continue
		}
		got.Rows = append(got.Rows, Row{Label: phrase.Capital(f.Title), mono: true, Text: factText(ctx, &f)})
	}
	if len(unknown) > 0 {
		got.Rows = append(got.Rows, Row{Label: "Not counted yet", Text: strings.Join(unknown, ", "), Links: []Link{{"count them", d.scan}}})
	}
}

// scan finds the facts that take a scan of the file, and has them shown.
func (d *Pane) scan() {
	d.Tasks.Try(d.Ctx, "scanning", func(ctx context.Context, progress model.Progress) (func(), error) {
		facts, err := d.Doc.Facts(ctx, false, progress)
		return func() {
			d.scanned.Store(&facts)
			d.host.TellAgain()
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
func (d *Pane) withUnit(ctx context.Context, p *model.Place, value string) string {
	v := d.Doc.View(nodes.ViewOf(p))
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
