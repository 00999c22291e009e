// Package compare shows the differences of two files in a tab: a merged tree of changes, with values and bytes of both sides. Another tab
// has several files side by side.
package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// mostChanges is the number of changes that are shown.
const mostChanges = 100_000

// errEnough ends a comparison that has found too many.
var errEnough = errors.New("too many changes")

// A Part is a file, or one node of a file.
type Part struct {
	File string
	Path string // of the node, or "" for the whole file
}

func (p Part) title() string {
	if p.Path == "" {
		return filepath.Base(p.File)
	}
	return filepath.Base(p.File) + "#" + p.Path
}

// Pane shows one comparison in a tab. All its methods belong on the UI goroutine.
type Pane struct {
	*shell.Page
	parts [2]Part
	docs  [2]*model.Document

	status    *widget.Label
	way       string      // a view, or bytes
	ways      *kit.TabBar // all ways
	stored    *kit.Check  // compares encodings too
	tolerance *kit.Entry  // the least difference of numbers that counts
	all       *kit.Check  // the tree has unchanged nodes too
	again     task.Latest
	page      *fyne.Container // the columns, or a message
	columns   *fyne.Container
	body      *fyne.Container // the tree
	tree      *treeview.Tree
	changes   *merged
	whole     *whole // the tree with unchanged nodes, or nil if they are hidden
	going     task.Latest
	at        int // the index of the shown change in changes.order, or -1
	sides     *sides
}

// New compares two files or nodes on a page. Both files are opened with the same options.
func New(page *shell.Page, a, b Part, opt decoders.OpenOptions) *Pane {
	p := &Pane{Page: page, at: -1, parts: [2]Part{a, b}, status: widget.NewLabel("Opening…")}
	p.Name = a.title() + " ↔ " + b.title()
	p.status.Truncation = fyne.TextTruncateEllipsis
	p.ways = kit.NewTabBar(func(i int) {
		p.way = p.ways.Tabs[i].Title
		p.compare()
	})
	p.stored = kit.NewCheck("As stored", func(bool) { p.compare() })
	p.tolerance = kit.NewEntry(p.TakeKeys)
	p.tolerance.SetPlaceHolder("Tolerance")
	p.tolerance.OnSubmitted = func(string) { p.compare() }
	p.all = kit.NewCheck("Unchanged", func(bool) { p.plant() })
	p.showOfNodes(false)
	p.sides = newSides(p, a.title(), b.title())
	p.body = container.NewStack()
	previous, next := stepButtons(p.Step)
	foot := container.NewVBox(kit.Border(nil, nil, nil, container.NewHBox(previous, next), p.status),
		kit.Border(nil, nil, container.NewHBox(p.stored, p.all), nil, p.tolerance))
	left := kit.Border(p.ways, kit.BarPadded(foot), nil, nil, p.body)
	p.columns = container.New(columnsLayout{p}, left, widget.NewSeparator(), p.sides.middle, widget.NewSeparator(), p.sides.card)
	p.page = container.NewStack(kit.Centered(kit.Message("Reading both…")))
	p.Object.Add(p.page)
	p.begin(opt)
	return p
}

// columnsLayout lays out the tree, a line, both sides, a line and the card, with the widths of a document's columns. A window for two
// columns has the card below the tree. A window for one column has the tree above the sides, and no card.
type columnsLayout struct{ p *Pane }

func (columnsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 150) }

func (c columnsLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const line, cardPart, treePart = 1, 0.45, 0.6
	width := shell.WidthOf(c.p.Win.Canvas().Size())
	left, right := c.p.Columns(width, size.Width)
	kit.SetVisible(o[3], width != shell.Narrow)
	kit.SetVisible(o[4], width != shell.Narrow)
	switch width {
	case shell.Wide:
		kit.Put(o[0], 0, 0, left, size.Height)
		kit.Put(o[1], left, 0, line, size.Height)
		kit.Put(o[2], left+line, 0, max(size.Width-left-right-2*line, 0), size.Height)
		kit.Put(o[3], size.Width-right-line, 0, line, size.Height)
		kit.Put(o[4], size.Width-right, 0, right, size.Height)
	case shell.Middle:
		high := size.Height * cardPart
		kit.Put(o[0], 0, 0, left, size.Height-high)
		kit.Put(o[3], 0, size.Height-high, left, line)
		kit.Put(o[4], 0, size.Height-high+line, left, max(high-line, 0))
		kit.Put(o[1], left, 0, line, size.Height)
		kit.Put(o[2], left+line, 0, max(size.Width-left-line, 0), size.Height)
	default:
		top := size.Height * treePart
		kit.Put(o[0], 0, 0, size.Width, top)
		kit.Put(o[1], 0, top, size.Width, line)
		kit.Put(o[2], 0, top+line, size.Width, max(size.Height-top-line, 0))
	}
}

// stepButtons makes the buttons that go to the change before and to the next.
func stepButtons(step func(by int)) (previous, next *kit.TextButton) {
	previous, next = kit.NewTextButton("Previous", func() { step(-1) }), kit.NewTextButton("Next", func() { step(1) })
	previous.Icon, next.Icon = theme.MoveUpIcon(), theme.MoveDownIcon()
	return previous, next
}

// End ends the comparison and closes both documents.
func (p *Pane) End() {
	p.Page.End()
	closeAll(p.docs)
}

// closeAll closes documents, which were only read.
func closeAll(docs [2]*model.Document) {
	for i, d := range docs {
		if d != nil && (i == 0 || d != docs[0]) {
			_ = d.Close()
		}
	}
}

// begin opens both files and compares them.
func (p *Pane) begin(opt decoders.OpenOptions) {
	p.Tasks.Always(p.Ctx, "opening", func(ctx context.Context, _ model.Progress) func() {
		docs, err := open(ctx, p.parts, opt)
		return func() {
			if p.Ctx.Err() != nil { // the tab was closed meanwhile
				closeAll(docs)
				return
			}
			p.docs = docs
			if err != nil {
				p.nothing(err)
				return
			}
			var tabs []kit.Tab
			for _, way := range waysOf(docs, p.parts) {
				tabs = append(tabs, kit.Tab{Title: way})
			}
			p.ways.Set(tabs, 0)
			p.ways.Choose(0)
		}
	}, p.nothing)
}

// nothing says why nothing was compared.
func (p *Pane) nothing(err error) {
	p.status.SetText("Nothing was compared")
	p.fill(kit.Message(phrase.Sentence(err)))
}

// fill shows o on the page.
func (p *Pane) fill(o fyne.CanvasObject) {
	p.page.Objects = []fyne.CanvasObject{o}
	p.page.Refresh()
}

// how holds the user's choices for a comparison.
type how struct {
	way       string
	stored    bool
	tolerance float64
}

// chosen returns the user's choices, or false if the tolerance is no number.
func (p *Pane) chosen() (h how, ok bool) {
	h = how{way: p.way, stored: p.stored.Checked}
	text := strings.TrimSpace(p.tolerance.Text)
	if text == "" {
		return h, true
	}
	var err error
	h.tolerance, err = strconv.ParseFloat(text, 64)
	return h, err == nil && h.tolerance >= 0
}

// compare compares by the user's choices.
func (p *Pane) compare() {
	h, ok := p.chosen()
	if !ok {
		p.status.SetText(fmt.Sprintf("%q is no tolerance: a number of 0 or more is wanted", p.tolerance.Text))
		return
	}
	p.showOfNodes(h.way != asBytes)
	within := p.again.Next(p.Ctx)
	p.status.SetText("Comparing…")
	p.changes, p.at = nil, -1
	p.sides.clear()
	docs := p.docs
	p.Tasks.Always(within, "comparing", func(ctx context.Context, progress model.Progress) func() {
		m, more, err := compareIn(ctx, docs, p.parts, h, progress)
		return func() {
			switch {
			case within.Err() != nil: // another way was chosen
			case m == nil:
				p.nothing(err)
			default:
				p.show(within, h, m, more, err)
			}
		}
	}, p.nothing)
}

// showOfNodes shows or hides the choices that only nodes have.
func (p *Pane) showOfNodes(on bool) {
	for _, o := range []fyne.CanvasObject{p.stored, p.tolerance, p.all} {
		kit.SetVisible(o, on)
	}
}

// Ways to compare that are no view: of bytes, and of two nodes.
const (
	asBytes = "Bytes"
	asNodes = "Content"
)

// open opens the files, as bytes if they are of no known format.
func open(ctx context.Context, parts [2]Part, opt decoders.OpenOptions) (docs [2]*model.Document, err error) {
	for i, part := range parts {
		if i > 0 && part.File == parts[0].File {
			docs[i] = docs[0]
			break
		}
		opt.OrBytes = part.Path == ""
		if docs[i], err = decoders.OpenFile(ctx, part.File, opt); err != nil {
			closeAll(docs)
			return [2]*model.Document{}, err
		}
	}
	return docs, nil
}

// waysOf lists the ways to compare two documents, the best first: by the views that both have, and by bytes.
func waysOf(docs [2]*model.Document, parts [2]Part) (ways []string) {
	if parts[0].Path != "" && parts[1].Path != "" {
		return []string{asNodes, asBytes}
	}
	for _, v := range docs[0].Views {
		other := docs[1].View(v.Name)
		if other != nil && docs[0].Format != decoders.PlainBytes && (v.Name != model.LayoutView || docs[0].Format == docs[1].Format) {
			ways = append(ways, v.Title)
		}
	}
	return append(ways, asBytes)
}

// sidesOf returns the places that are compared.
func sidesOf(ctx context.Context, docs [2]*model.Document, parts [2]Part, way string) (sides [2]diff.Side, err error) {
	for i, d := range docs {
		if path := parts[i].Path; path != "" {
			p, err := d.Lookup(ctx, path)
			if err != nil {
				return sides, err
			}
			sides[i] = diff.SideOf(d, p)
			continue
		}
		name := model.LayoutView
		for _, v := range docs[0].Views {
			if v.Title == way {
				name = v.Name
			}
		}
		sides[i] = diff.SideOf(d, d.View(name).Place(ctx))
	}
	return sides, nil
}

// compareIn finds the differences of two documents or nodes. more reports that there are others.
func compareIn(ctx context.Context, docs [2]*model.Document, parts [2]Part, h how, progress model.Progress) (m *merged, more bool, err error) {
	sides, err := sidesOf(ctx, docs, parts, h.way)
	if err != nil {
		return nil, false, err
	}
	if h.way == asBytes {
		return compareBytes(ctx, docs, parts, sides, progress)
	}
	var changes []*diff.Change
	err = diff.Trees(ctx, sides[0], sides[1], diff.Options{Progress: progress, Stored: h.stored, Tolerance: h.tolerance}, func(c *diff.Change) error {
		if changes = append(changes, c); len(changes) == mostChanges {
			return errEnough
		}
		return nil
	})
	if more = errors.Is(err, errEnough); more {
		err = nil
	}
	m = merge(ctx, h.way, sides, changes)
	for _, d := range docs {
		met, failed := d.Limits(ctx)
		m.limited = m.limited || len(met) > 0
		err = cmp.Or(err, failed)
	}
	return m, more, err
}

// compareBytes finds the bytes that differ in two files or nodes, or that only one has.
func compareBytes(ctx context.Context, docs [2]*model.Document, parts [2]Part, sides [2]diff.Side, progress model.Progress) (m *merged, more bool, err error) {
	at, err := bytesOf(docs, parts, sides)
	if err != nil {
		return nil, false, err
	}
	m = &merged{ctx: ctx, root: &branch{name: asBytes}}
	err = diff.Bytes(ctx, at[0], at[1], progress, func(r diff.Range) error {
		b := m.root.add("", rowOf{name: phrase.Hex(r.OffA)})
		b.piece = &[2]model.Span{at[0].Source.Span(r.OffA, r.LenA), at[1].Source.Span(r.OffB, r.LenB)}
		m.root.counts[r.Kind()]++
		if m.order = append(m.order, b); len(m.order) == mostChanges {
			return errEnough
		}
		return nil
	})
	if more = errors.Is(err, errEnough); more {
		err = nil
	}
	return m, more, err
}

// bytesOf returns the bytes of two files or nodes.
func bytesOf(docs [2]*model.Document, parts [2]Part, sides [2]diff.Side) (at [2]model.Span, err error) {
	for i, part := range parts {
		if at[i] = docs[i].Source().Whole(); part.Path == "" {
			continue
		}
		if at[i] = sides[i].Start.Node.Span(); at[i].Source == nil {
			err = errors.New(part.Path + " has no bytes of its own")
		}
	}
	return at, err
}

// show shows the changes. err says why they may not be all.
func (p *Pane) show(within context.Context, h how, m *merged, more bool, err error) {
	m.ctx = p.Ctx
	p.changes = m
	all := m.root.counts
	if m.root.change != nil {
		all[m.root.change.Kind]++
	}
	text := counted(all)
	switch {
	case err != nil:
		text += " so far; stopped"
	case more:
		text += "; there are more"
	case text == "" && h.way == asBytes:
		text = "The same bytes"
	case text == "" && h.stored:
		text = "The same content, stored in the same way"
	case text == "" && h.tolerance > 0:
		text = fmt.Sprintf("The same content, but for numbers that differ by %g or less", h.tolerance)
	case text == "":
		text = "The same content"
	}
	if m.limited {
		text += "; not all was compared, since the tables of a file are larger than the memory for them (Edit › Settings)"
	}
	p.status.SetText(text)
	p.Log.Write("compared", text)
	if len(m.order) == 0 {
		p.tree = nil
		p.showSame(within, h, text)
		return
	}
	p.fill(p.columns)
	p.plant()
	p.TakeKeys()
}

// plant makes the tree of changes and selects the shown change again, or the first.
func (p *Pane) plant() {
	m := p.changes
	if m == nil || len(m.order) == 0 {
		return
	}
	p.whole = nil
	data := treeview.Data(m)
	if p.all.Checked && m.sides[0].Start != nil {
		p.whole = &whole{merged: m, docs: p.docs}
		data = p.whole
	}
	p.tree = treeview.New(p.Ctx, data, columns)
	p.Remember("compare", p.tree)
	p.tree.OnSelected = func(it treeview.Item) { p.selected(m, it) }
	p.body.Objects = []fyne.CanvasObject{p.tree}
	p.body.Refresh()
	p.tree.OpenRoot()
	p.goTo(max(p.at, 0))
}

// selected shows a row, unless it belongs to an earlier comparison.
func (p *Pane) selected(m *merged, it treeview.Item) {
	if m != p.changes {
		return
	}
	b, ok := it.(*branch)
	if !ok {
		h := it.(*held)
		if h.change() == nil {
			p.sides.same(p.whole, h)
			return
		}
		b = h.branch
	}
	b = b.shown()
	if i := slices.Index(m.order, b); i >= 0 {
		p.at = i
	}
	p.sides.show(b)
}

// Step goes to the next change, or with -1 to the one before, around the ends.
func (p *Pane) Step(by int) {
	if p.changes == nil || len(p.changes.order) == 0 {
		return
	}
	n := len(p.changes.order)
	if p.at < 0 && by < 0 {
		p.at = 0
	}
	p.goTo((p.at + by + n) % n)
}

// goTo selects a change and shows it.
func (p *Pane) goTo(at int) {
	p.at = at
	b := p.changes.order[at]
	within := p.going.Next(p.Ctx)
	if p.whole == nil {
		p.tree.Select(b.way(), true)
	} else {
		tree, whole := p.tree, p.whole
		p.Tasks.Try(within, "finding the node", func(ctx context.Context, _ model.Progress) (func(), error) {
			way, err := whole.way(ctx, b)
			return func() { tree.Select(way, true) }, err
		})
	}
	p.sides.show(b)
	p.Log.Write("change", at+1, len(p.changes.order), b.kind().String(), b.name)
}
