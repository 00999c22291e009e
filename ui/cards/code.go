package cards

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// A Code shows a listing: its lines, above each the labels that it has, and beside them the jumps.
type Code struct {
	d       *Deck
	ctx     context.Context
	listing model.Listing
	labels  []model.Label
	flows   []flow
	lines   *windowed[model.Line]
	used    atomic.Pointer[string] // the path that the selected line names
	sought  atomic.Pointer[string] // in lower case
	seek    task.Latest
	lit     task.Latest // boxes of a line that was selected elsewhere

	list   *treeview.Tree
	field  *kit.Entry
	object fyne.CanvasObject
}

// codeWide is the least width of the lines, below which the card scrolls sideways.
const codeWide = 540

// codeCard makes the card of a listing.
func (d *Deck) codeCard(ctx context.Context, listing model.Listing) *Code {
	c := &Code{d: d, ctx: ctx, listing: listing, labels: listing.Labels(),
		lines: &windowed[model.Line]{read: func(first int64, dst []model.Line) (int, error) { return listing.Read(ctx, first, dst) }}}
	c.flows = flowsOf(c.labels, c.rowOf)
	lanes := 0
	for _, f := range c.flows {
		lanes = max(lanes, f.lane+1)
	}
	c.list = d.NewList(ctx, "", treeview.ListOf(c.rows, c.row), []treeview.Column{{Width: treeview.FlowWidth(lanes)}, {Width: codeWide, Least: codeWide, Stretch: 1, Mono: true}})
	c.list.OnSelected = func(it treeview.Item) { c.selected(it.(int64)) }
	c.list.OnChosen = func(it treeview.Item) { c.choose(it.(int64)) }
	c.list.OnCopy = func(it treeview.Item) { d.CopyText(c.row(it.(int64)).Cells[1], "1 line") }
	c.object = kit.Under(c.bar(), c.list)
	return c
}

// bar makes the line above the listing: the entry points to go to, and a field to search.
func (c *Code) bar() fyne.CanvasObject {
	var names []string
	var lines []int64
	for _, l := range c.labels {
		if l.Entry {
			names, lines = append(names, l.Name), append(lines, l.Line)
		}
	}
	var to *kit.Select
	to = kit.NewSelect(names, func(string) {
		if k := to.SelectedIndex(); k >= 0 {
			c.list.SelectIndex(c.rowOf(lines[k]), false)
			c.d.Focus(c.list)
		}
	})
	to.PlaceHolder = "Go to…"
	kit.SetVisible(to, len(names) > 0)
	c.field = kit.NewEntry(func() { c.d.Focus(c.list) })
	c.field.SetPlaceHolder("Find, or an address")
	c.field.OnChanged = func(text string) {
		text = strings.ToLower(text)
		c.sought.Store(&text)
		c.list.Invalidate()
	}
	c.field.OnSubmitted = func(text string) {
		if i, is := c.listing.LineAt(text); is {
			c.list.SelectIndex(c.rowOf(i), false)
			return
		}
		c.Step(false)
	}
	n, _ := c.listing.Lines()
	count := widget.NewLabel(model.GroupedCount(n, "line"))
	count.Importance = widget.LowImportance
	return kit.NewBar(count, c.field, count, kit.AtLeast(150, to), c.field).Box
}

// rows returns the number of rows: one for each line and label.
func (c *Code) rows() (int64, bool) {
	n, exact := c.listing.Lines()
	return n + int64(len(c.labels)), exact
}

// rowOf returns the row of a line.
func (c *Code) rowOf(line int64) int64 {
	return line + int64(sort.Search(len(c.labels), func(k int) bool { return c.labels[k].Line > line }))
}

// lineAt returns the line in a row, or below it if the row is that of a label.
func (c *Code) lineAt(row int64) (line int64, label *model.Label) {
	k := sort.Search(len(c.labels), func(k int) bool { return c.labels[k].Line+int64(k) >= row })
	if k < len(c.labels) && c.labels[k].Line+int64(k) == row {
		return c.labels[k].Line, &c.labels[k]
	}
	return row - int64(k), nil
}

// tokenColors are the colours of tokens.
var tokenColors = [...]fyne.ThemeColorName{model.QuietToken: theme.ColorNamePlaceHolder, model.NameToken: look.Link, model.ValueToken: look.Value,
	model.CallToken: look.Shape, model.JumpToken: look.Code, model.TargetToken: theme.ColorNameHyperlink}

// row makes a row of the list.
func (c *Code) row(row int64) treeview.Row {
	i, label := c.lineAt(row)
	r := treeview.Row{Flow: lanesIn(c.flows, row)}
	if label != nil {
		r.Cells = []string{"", label.Name + "  " + label.Note}
		r.Inks = []treeview.Ink{{To: len(label.Name), Color: look.Code}, {From: len(label.Name), To: len(r.Cells[1]), Color: theme.ColorNamePlaceHolder}}
		return r
	}
	line, err := c.lines.get(i)
	if err != nil {
		return treeview.Row{Cells: []string{"", err.Error()}, Mark: treeview.Error}
	}
	used, text, at := c.used.Load(), "", 0
	for _, t := range line.Tokens {
		text += line.Text[at:t.From]
		at = t.To
		from := len(text)
		text += cmp.Or(t.Short, line.Text[t.From:t.To])
		r.Inks = append(r.Inks, treeview.Ink{From: from, To: len(text), Color: tokenColors[t.Kind], Boxed: used != nil && t.Path != "" && t.Path == *used})
	}
	text += line.Text[at:]
	r.Cells = []string{"", text}
	if s := c.sought.Load(); s != nil && *s != "" {
		if from := strings.Index(strings.ToLower(text), *s); from >= 0 {
			r.Match = treeview.Match{Cell: 1, From: from, To: from + len(*s)}
		}
	}
	return r
}

// selected selects the node of a line, or shows its bytes if that is no part of the listing's, and boxes what the line names. A label
// selects nothing.
func (c *Code) selected(row int64) {
	i, label := c.lineAt(row)
	if label != nil {
		return
	}
	c.light(c.seek.Next(c.ctx), i, func(line model.Line) {
		if of := c.d.host.Current(); of != nil && strings.HasPrefix(line.Path, of.Path()+"/") {
			c.d.host.GoToNode(line.Path)
		} else {
			c.d.showBytes(model.Ref{Span: firstSpan(line.Spans)})
		}
	})
}

// light boxes what line i names, wherever it is named, and calls then.
func (c *Code) light(within context.Context, i int64, then func(line model.Line)) {
	c.d.Tasks.Go(within, "", func(context.Context, model.Progress) func() {
		line, err := c.lines.get(i)
		if err != nil {
			return nil
		}
		used := pathIn(line)
		return func() {
			c.used.Store(&used)
			c.list.Invalidate()
			then(line)
		}
	})
}

// pathIn returns the first path that a line names, or "".
func pathIn(line model.Line) string {
	if k := slices.IndexFunc(line.Tokens, func(t model.Token) bool { return t.Path != "" }); k >= 0 {
		return line.Tokens[k].Path
	}
	return ""
}

// choose goes to the target of a jump, or shows the line in the tree.
func (c *Code) choose(row int64) {
	i, _ := c.lineAt(row)
	line, err := c.lines.get(i)
	switch {
	case err != nil:
	case line.Target >= 0 && line.Target != i:
		c.list.SelectIndex(c.rowOf(line.Target), false)
	default:
		c.d.host.Follow(model.Ref{Path: line.Path, Span: firstSpan(line.Spans)})
	}
}

// Follow goes to what the selected line names: the target of a jump, which is in the listing, or a variable.
func (c *Code) Follow() {
	row, is := c.list.Selection.Item().(int64)
	if !is {
		return
	}
	i, _ := c.lineAt(row)
	line, err := c.lines.get(i)
	switch path := pathIn(line); {
	case err != nil:
	case line.Target >= 0:
		c.list.SelectIndex(c.rowOf(line.Target), false)
	case path != "":
		c.d.host.Follow(model.Ref{Path: path})
	default:
		c.d.Notify("This line names nothing")
	}
}

// Step selects the next line that has the sought text, or without one the next that names what the selected one does. With back
// it selects the one before.
func (c *Code) Step(back bool) {
	row, _ := c.list.Selection.Item().(int64)
	from, _ := c.lineAt(row)
	text := strings.ToLower(c.field.Text)
	c.d.Tasks.Try(c.seek.Next(c.ctx), "searching the listing", func(ctx context.Context, _ model.Progress) (func(), error) {
		to, err := c.next(ctx, from, back, text)
		return func() {
			if to < 0 {
				c.d.Notify("No other line has this")
				return
			}
			c.list.SelectIndex(c.rowOf(to), false)
		}, err
	})
}

// next returns the line that Step selects, or -1.
func (c *Code) next(ctx context.Context, from int64, back bool, text string) (int64, error) {
	by, n := int64(1), int64(0)
	if back {
		by = -1
	}
	if text == "" {
		uses := c.listing.Uses(from)
		k, found := slices.BinarySearch(uses, from)
		if n = int64(len(uses)); !found || n < 2 {
			return -1, nil
		}
		return uses[(int64(k)+by+n)%n], nil
	}
	n, _ = c.listing.Lines()
	for k := int64(1); k <= n && ctx.Err() == nil; k++ {
		i := ((from+k*by)%n + n) % n
		line, err := c.lines.get(i)
		if err != nil {
			return -1, err
		}
		if strings.Contains(strings.ToLower(line.Text), text) {
			return i, nil
		}
	}
	return -1, ctx.Err()
}

// A flow is the arrow from some rows to a label.
type flow struct {
	to, first, last int64 // rows
	from            []int64
	lane            int
}

// Limits of the arrows that are drawn.
const (
	mostLanes = 6
	mostFlows = 5000
)

// flowsOf gives the arrows of labels a lane each, short ones next to the text. Arrows that no lane has room for are left out.
func flowsOf(labels []model.Label, rowOf func(line int64) int64) (flows []flow) {
	for k, l := range labels[:min(len(labels), mostFlows)] {
		if len(l.From) == 0 {
			continue
		}
		f := flow{to: l.Line + int64(k)}
		for _, i := range l.From {
			f.from = append(f.from, rowOf(i))
		}
		f.first, f.last = min(f.to, f.from[0]), max(f.to, f.from[len(f.from)-1])
		flows = append(flows, f)
	}
	slices.SortStableFunc(flows, func(a, b flow) int { return cmp.Compare(a.last-a.first, b.last-b.first) })
	var lanes [mostLanes][]flow
	placed := flows[:0]
	for _, f := range flows {
		for f.lane = 0; f.lane < mostLanes; f.lane++ {
			if !slices.ContainsFunc(lanes[f.lane], func(o flow) bool { return o.first <= f.last && f.first <= o.last }) {
				lanes[f.lane] = append(lanes[f.lane], f)
				placed = append(placed, f)
				break
			}
		}
	}
	return placed
}

// lanesIn returns the parts of arrows in a row.
func lanesIn(flows []flow, row int64) (lanes []treeview.Lane) {
	for _, f := range flows {
		if row < f.first || row > f.last {
			continue
		}
		_, begins := slices.BinarySearch(f.from, row)
		lanes = append(lanes, treeview.Lane{At: f.lane, Up: row > f.first, Down: row < f.last, Turn: begins || row == f.to, Head: row == f.to})
	}
	return lanes
}
