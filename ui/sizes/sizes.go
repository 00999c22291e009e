// Package sizes shows where the bytes of a document went: a treemap beside the list of the largest nodes.
package sizes

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"slices"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/size"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Host lists the functions of its document that the pane may call.
type Host struct {
	GoToNode func(path string)   // selects a node; the keyboard stays where it is
	View     func() *model.View  // the tree that is shown
	Current  func() *model.Place // the selected node, or nil
	ShowTab  func()              // shows the tab in front anew
	Measured func(all bool)      // is called when a view is measured, whole or more than before
	Asked    func() bool         // reports whether the user has asked for the sizes
}

// typeColumn is the column of types in the list: it has the colours of the map.
const typeColumn = 4

// listed is the number of the largest nodes that are listed.
const listed = 50

// Pane shows the sizes of the nodes of the view that is shown.
type Pane struct {
	shell.Opened
	host Host

	view *model.View
	Tree *size.Tree // or nil until it is measured
	part *size.Tree // the sizes known so far, while it is measured or after a stop, or nil
	err  error
	next task.Latest

	fine    string // path of the branch that was measured more finely, or ""
	stopped bool   // by the user, before all was measured

	Map   *Map
	List  *treeview.Tree
	Data  *treeview.Slice[*size.Node]
	Line  *widget.Label // what is shown, or under the pointer
	up    *widget.Button
	anew  *widget.Button // measures the view that is shown now
	page  fyne.CanvasObject
	offer fyne.CanvasObject // to measure a large file

	index atomic.Pointer[measured]

	Savings *savings
	save    *widget.Button
	split   *container.Split
	keys    bool // the pane is to have the keyboard when there is something to see
}

// measured is the sizes of a view by path.
type measured struct {
	byPath map[string]*size.Node
	total  int64
	least  int64 // the least size of a node of its own; smaller ones are lumped together
}

// nearest returns the first of a node and its ancestors that has a size of its own, or nil.
func (m *measured) nearest(at *model.Place) *size.Node {
	for ; at != nil; at = at.Parent {
		if n := m.byPath[at.Path()]; n != nil {
			return n
		}
	}
	return nil
}

// New makes the pane of a document; it measures when it is looked at first.
func New(opened shell.Opened, host Host) *Pane {
	p := &Pane{Opened: opened, host: host, Line: kit.QuietLabel("")}
	p.Data = treeview.SliceOf(func(n *size.Node) treeview.Row {
		return treeview.Row{Cells: []string{p.title(n), model.Grouped(n.Own), model.Grouped(n.Stored), p.percent(n.Stored), typeOf(n)},
			Swatches: []color.Color{typeColumn: ground(n, kit.IsDark())}}
	})
	p.List = p.NewList(p.Ctx, "sizes", p.Data, []treeview.Column{
		{Title: "Node", Width: 210, Least: 200, Stretch: 1}, {Title: "Own bytes", Width: 82, Mono: true, Right: true},
		{Title: "With all below", Width: 106, Mono: true, Right: true}, {Title: "%", Width: 60, Mono: true, Right: true, Quiet: true}, {Title: "Type", Width: 110, Quiet: true}})
	p.List.OnSelected = p.Data.With(func(n *size.Node) {
		p.Map.Mark(n)
		host.GoToNode(n.Path)
	})
	p.Map = newMap()
	p.Map.onTap = func(n *size.Node) { host.GoToNode(n.Path) }
	p.Map.onHover, p.Map.words = p.describe, p.words
	p.Map.selected = func() string {
		if at := host.Current(); at != nil {
			return at.Path()
		}
		return ""
	}
	p.Map.onZoom = p.zoomed
	p.Line.Truncation = fyne.TextTruncateEllipsis
	p.up = kit.QuietButton("Whole file", theme.ZoomOutIcon(), func() { p.Map.Zoom(nil) })
	below := kit.QuietButton("Selected node", nil, p.zoomToSelection)
	measure := func() {
		p.measure(host.View())
		host.ShowTab()
	}
	p.anew = widget.NewButton("", measure)
	p.anew.Hide()
	p.Savings = newSavings(p)
	p.save = kit.QuietButton("Savings", nil, p.ShowSavings)
	bar := kit.Padded(3, 3, 8, 5,
		kit.Border(nil, nil, nil, container.NewHBox(p.anew, below, p.up, p.save), p.Line))
	p.split = container.NewHSplit(p.Map, p.List)
	p.split.Offset = 0.5
	p.page = kit.Border(bar, nil, nil, nil, p.split)
	p.offer = kit.Under(kit.Message(offerText(p.Doc.Source())), container.NewCenter(kit.NewTextButton("Measure where the bytes are", measure)))
	return p
}

// offerText says what measuring a file would do that is not measured by itself.
func offerText(src *model.Source) string {
	if src == nil {
		return "The sizes of these files are not counted yet: every node is visited for that."
	}
	where := ""
	if src.Far() {
		where = " from its server"
	}
	return "The sizes are not counted yet: every node is visited for that, and up to " + phrase.Roughly(src.Size()) + " are read" + where + "."
}

// isSmall reports whether the document is one of those that are checked without being asked to.
func (p *Pane) isSmall() bool {
	src := p.Doc.Source()
	return !p.Uncounted && !p.Doc.Far() && src != nil && src.Size() <= p.Store.CheckBytes()
}

// Object is the pane on the screen. The view that is shown is measured if none was, a large one only if that is asked for.
func (p *Pane) Object() fyne.CanvasObject {
	if p.view == nil && (p.host.Asked() || p.isSmall()) {
		p.measure(p.host.View())
	}
	p.ViewShown()
	switch {
	case p.view == nil:
		return p.offer
	case p.err != nil:
		return kit.Message("The sizes cannot be told: " + p.err.Error())
	case p.known() == nil && p.stopped:
		return kit.Under(kit.Message("Measuring was stopped."), container.NewCenter(p.anew))
	case p.known() == nil:
		return kit.Message("Measuring every node of " + p.view.Title + "…")
	}
	return p.page
}

// ViewShown follows the trees: another one than was measured can be measured in its place.
func (p *Pane) ViewShown() {
	v := p.host.View()
	other := p.view != nil && v != nil && (v != p.view || p.stopped)
	if other {
		p.anew.SetText("Measure " + v.Title)
	}
	kit.SetVisible(p.anew, other)
}

// Want measures a view, unless it is measured or being measured.
func (p *Pane) Want(v *model.View) {
	if p.view != v {
		p.measure(v)
	}
}

// Of returns the size of a node, as far as it is known. It is safe on every goroutine.
func (p *Pane) Of(at *model.Place) nodes.Sizes {
	m := p.index.Load()
	if m == nil {
		return nodes.Sizes{}
	}
	path := at.Path()
	if n := m.byPath[path]; n != nil && at.Parent == nil && !n.Open {
		return nodes.Sizes{Own: n.Own, Whole: m.total, Part: 1, Known: true} // with the rest of the file
	} else if n != nil {
		return nodes.Sizes{Own: n.Own, Whole: n.Stored, AtLeast: n.Open, Part: float32(n.Stored) / float32(max(m.total, 1)), Known: true}
	}
	if n := m.nearest(at.Parent); n == nil || n.Open {
		return nodes.Sizes{}
	}
	own := size.Of(&at.Node).Stored
	n, exact := at.Len(p.Ctx)
	leaf := at.Node.Elements || n == 0 && exact
	switch {
	case isElement(at) || leaf && own < m.least: // never visited, or lumped together
		return nodes.Sizes{Own: own, Whole: own, Part: float32(own) / float32(max(m.total, 1)), Known: true}
	case leaf || m.least <= 1: // its bytes are those of another node
		return nodes.Sizes{Known: true}
	}
	return nodes.Sizes{Own: min(own, m.least), Whole: m.least, AtMost: true, Known: true}
}

// Below returns what is known of a node and all below it, or nil if it is not measured whole.
func (p *Pane) Below(at *model.Place) *size.Node {
	if m := p.index.Load(); m != nil {
		if n := m.byPath[at.Path()]; n != nil && !n.Open {
			return n
		}
	}
	return nil
}

// Rest returns the number of bytes of the file that no node of a view has, and whether it is known.
func (p *Pane) Rest(v *model.View) (bytes int64, known bool) {
	if p.Tree == nil || p.view != v {
		return 0, false
	}
	return p.Tree.Total - p.Tree.Root.Stored, true
}

// isElement reports whether a node is an element of an array, or below one.
func isElement(at *model.Place) bool {
	for up := at.Parent; up != nil; up = up.Parent {
		if up.Node.Elements {
			return true
		}
	}
	return false
}

// indexOf returns the sizes of the nodes of a measured view, by path.
func indexOf(t *size.Tree) *measured {
	m := &measured{byPath: map[string]*size.Node{}, total: t.Total, least: t.Least()}
	var add func(n *size.Node)
	add = func(n *size.Node) {
		m.byPath[n.Path] = n
		for _, c := range n.Children {
			add(c)
		}
	}
	add(t.Root)
	return m
}

// title returns the names of a node and of those above it, from below the root on, or its path where they are not known.
func (p *Pane) title(n *size.Node) string {
	m, title := p.index.Load(), n.Name
	for above := n.Path; m != nil; {
		i := strings.LastIndexByte(above, '/')
		if i < 0 {
			break
		}
		above = above[:i]
		switch up := m.byPath[above]; {
		case up == nil:
			return n.Path
		case strings.Contains(above, "/"):
			title = up.Name + "/" + title
		}
	}
	return title
}

func (p *Pane) measure(v *model.View) {
	p.view, p.Tree, p.part, p.stopped, p.err, p.fine = v, nil, nil, false, nil, ""
	if p.Savings.shown {
		p.ShowSavings()
	}
	within := p.next.Next(p.Ctx)
	peek := &size.Peek{}
	over, end := context.WithCancel(within)
	go p.Tasks.Every(over.Done(), func() func() {
		t := peek.Tree()
		if t == nil {
			return nil
		}
		index := indexOf(t)
		return func() {
			if within.Err() == nil && p.Tree == nil {
				p.grow(t, index)
			}
		}
	})
	what := "" // before anybody asks
	if p.host.Asked() {
		what = "measuring " + v.Title
	}
	p.Tasks.Always(within, what, func(ctx context.Context, progress model.Progress) func() {
		defer end()
		t, err := size.Measure(ctx, p.Doc, v, size.Options{Progress: progress, Peek: peek})
		var index *measured
		if err == nil {
			index = indexOf(t)
		}
		return func() {
			switch {
			case within.Err() != nil: // another view is measured
			case err != nil && ctx.Err() != nil:
				p.stop()
			default:
				p.end(t, index, err)
			}
		}
	}, func(err error) { p.end(nil, nil, err) })
}

// mostSteps is the most steps by which the map of a file grows, which can be read and clicked meanwhile.
const mostSteps = 40

// grow shows the sizes known so far, unless they are hardly more than before, in bytes and in nodes.
func (p *Pane) grow(t *size.Tree, index *measured) {
	if p.part != nil && (t.Root.Stored-p.part.Root.Stored)*mostSteps < t.Total && t.Root.Count*9 < p.part.Root.Count*10 {
		return
	}
	first := p.part == nil
	p.part = t
	p.show(t, index, false)
	p.Log.Write("sizes so far", p.view.Name, t.Root.Stored, t.Total)
	if first {
		p.host.ShowTab()
		p.takeFocus()
	}
}

// show shows sizes in tree, map and list.
func (p *Pane) show(t *size.Tree, index *measured, all bool) {
	p.index.Store(index)
	p.host.Measured(all)
	p.Map.Grow(t.Whole())
	p.zoomed()
}

// stop keeps the sizes known so far, after the measuring was cancelled.
func (p *Pane) stop() {
	p.stopped = true
	p.host.ShowTab()
	if p.part != nil {
		p.describe(nil)
	}
}

// end shows a view that is measured.
func (p *Pane) end(t *size.Tree, index *measured, err error) {
	p.Tree, p.err, p.part = t, err, nil
	if err == nil {
		p.show(t, index, true)
		p.Log.Write("sizes", p.view.Name, t.Total, t.Root.Stored)
	}
	p.host.ShowTab()
	p.takeFocus()
}

// known returns the sizes known so far, or nil.
func (p *Pane) known() *size.Tree {
	if p.Tree != nil {
		return p.Tree
	}
	return p.part
}

// TakeKeys gives the keyboard to the treemap, or to the savings while these are shown, as soon as the sizes are known.
func (p *Pane) TakeKeys() {
	switch p.keys = p.known() == nil; {
	case p.keys:
	case p.Savings.shown:
		p.Focus(p.Savings.List)
	default:
		p.Focus(p.Map)
	}
}

// takeFocus gives the keyboard to the pane if that was asked for before.
func (p *Pane) takeFocus() {
	if p.keys && p.err == nil {
		p.TakeKeys()
	}
}

// zoomed lists the largest nodes of the shown part.
func (p *Pane) zoomed() {
	root := p.Map.Root()
	rows, chosen := p.known().Largest(root, listed), -1
	if it := p.List.Selection.Item(); it != nil {
		was, _ := p.Data.At(it)
		chosen = slices.IndexFunc(rows, func(n *size.Node) bool { return was != nil && n.Path == was.Path })
	}
	p.Data.Set(rows)
	p.List.Recount()
	p.List.KeepIndex(int64(chosen))
	kit.SetVisible(p.up, p.Map.Zoomed())
	p.describe(nil)
}

// zoomToSelection shows the selected node alone, or the one above it that has bytes.
func (p *Pane) zoomToSelection() {
	at := p.host.Current()
	if at == nil || p.known() == nil {
		return
	}
	n := p.Map.whole.Find(at.Path())
	if p.Tree != nil && p.fine != at.Path() && p.host.View() == p.view && (n == nil || n.Lumps()) {
		p.measureFinely(at, n)
		return
	}
	p.zoomTo(at)
}

// measureFinely measures a branch whose nodes are too small for the map of the file, and shows it alone. n is nil if the
// branch is too small itself.
func (p *Pane) measureFinely(at *model.Place, n *size.Node) {
	least := size.LeastOf(p.Tree.Least())
	if n != nil {
		least = size.LeastOf(n.Stored)
	}
	v := p.view
	p.Tasks.Try(p.next.Next(p.Ctx), "measuring "+at.Path(), func(ctx context.Context, progress model.Progress) (func(), error) {
		t, err := size.Measure(ctx, p.Doc, v, size.Options{Progress: progress, Branch: at, BranchLeast: least})
		if err != nil {
			return nil, err
		}
		index := indexOf(t)
		return func() {
			p.fine = at.Path()
			p.end(t, index, nil)
			p.zoomTo(at)
		}, nil
	})
}

// zoomTo shows a node alone, or the nearest ancestor with a size of its own.
func (p *Pane) zoomTo(at *model.Place) {
	for ; at != nil; at = at.Parent {
		if n := p.Map.whole.Find(at.Path()); n != nil && n.Stored > 0 {
			p.Map.Zoom(n)
			return
		}
	}
}

// describe shows the words on a node, or on the whole map if n is nil.
func (p *Pane) describe(n *size.Node) {
	if n == nil {
		root := p.Map.Root()
		text := phrase.Bytes(root.Stored)
		if p.Map.Zoomed() {
			text = root.Path + "   " + text + " of " + phrase.Roughly(p.known().Total)
		}
		p.Line.SetText(text + "   " + p.hint())
		return
	}
	p.Line.SetText(p.words(n))
}

// hint returns help on the map, or the progress of the measuring.
func (p *Pane) hint() string {
	if p.Tree != nil {
		return "A click or an arrow key selects, a double click or Enter zooms."
	}
	so := "measured so far: " + phrase.Roughly(p.part.Root.Stored) + " of " + p.view.Title
	if p.stopped {
		return so + "; stopped"
	}
	return so + "…"
}

// words returns the path, size, share and type of a node.
func (p *Pane) words(n *size.Node) string {
	return fmt.Sprintf("%s   %s   %s %%   %s", cmp.Or(n.Path, n.Name), phrase.Bytes(n.Stored), p.percent(n.Stored), typeOf(n))
}

// typeOf returns the type of a node, or "in no node" for explained bytes that no node of the view has.
func typeOf(n *size.Node) string {
	if n.IsFree() && n.Type == model.Explained.String() {
		return "in no node"
	}
	return n.Type
}

func (p *Pane) percent(n int64) string {
	total := int64(0)
	if m := p.index.Load(); m != nil {
		total = m.total
	}
	return fmt.Sprintf("%.1f", 100*float64(n)/float64(max(total, 1)))
}
