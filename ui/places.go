package ui

import (
	"context"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// place is what the tree shows: a node where it stands, or a source that can be derived from a node and is not yet.
type place struct {
	at      *model.Place // the node; of a source not derived yet, its owner
	derived int          // which derivation of at; -1: the node itself
}

func (p *place) path() string {
	if p.derived < 0 {
		return p.at.Path()
	}
	return p.at.Path() + "@" + model.EscapeSegment(p.at.Node.Derived[p.derived].Name)
}

// isStub tells whether p is a source that is not derived yet.
func (p *place) isStub() bool { return p.derived >= 0 }

// placeName is the name that the tree and the breadcrumb show.
func placeName(p *model.Place) string {
	if p.Parent != nil && p.Index < 0 {
		if k := int(-1 - p.Index); k < len(p.Parent.Node.Derived) {
			return "@" + p.Parent.Node.Derived[k].Name
		}
	}
	return p.Node.Name
}

// treeWay is the way from the root to p, as the tree wants it: derived sources come before the children.
func treeWay(p *model.Place) []treeview.Step {
	var way []treeview.Step
	for _, seg := range p.Segments() {
		way = append(way, treeview.Step{Index: rowOf(seg), Item: &place{seg, -1}})
	}
	return way
}

// rowOf is the number of p among the rows below its parent.
func rowOf(p *model.Place) int64 {
	switch {
	case p.Parent == nil:
		return 0
	case p.Index < 0:
		return -1 - p.Index
	}
	return p.Index + int64(len(p.Parent.Node.Derived))
}

// treeData shows a view of a document in a tree.
type treeData struct {
	ctx   context.Context // ends with the document
	view  *model.View
	tasks *task.Group
	marks *marks

	once sync.Once
	root *model.Place
}

// Root implements treeview.Data.
func (d *treeData) Root() treeview.Item {
	d.once.Do(func() { d.root = d.view.Place(d.ctx) })
	return &place{d.root, -1}
}

// Count implements treeview.Data.
func (d *treeData) Count(it treeview.Item) (int64, bool) {
	p := it.(*place)
	if p.isStub() {
		return 0, true
	}
	n, exact := p.at.Len(d.ctx)
	if p.at.Node.IsPending() {
		exact = true // the tree says that it is pending
	}
	return n + int64(len(p.at.Node.Derived)), exact
}

// Pending implements treeview.Data.
func (d *treeData) Pending(it treeview.Item) bool {
	p := it.(*place)
	return p.isStub() || p.at.Node.IsPending()
}

// Child implements treeview.Data.
func (d *treeData) Child(it treeview.Item, i int64) treeview.Item {
	p := it.(*place)
	if k := int64(len(p.at.Node.Derived)); i < k {
		return &place{p.at, int(i)}
	} else {
		return &place{p.at.Child(d.ctx, i-k), -1}
	}
}

// Resolve implements treeview.Data.
func (d *treeData) Resolve(ctx context.Context, it treeview.Item, progress func(done, total int64)) (treeview.Item, error) {
	p := it.(*place)
	ctx, t := d.tasks.Start(ctx, "decoding "+p.path())
	defer t.End()
	at, err := p.settle(ctx, func(done, total int64, what string) {
		progress(done, total)
		t.Progress(done, total, what)
	})
	if err != nil {
		return it, err
	}
	return &place{at, -1}, nil
}

// settle makes the place of p with its children known. A source that cannot be derived becomes a node with the
// problem. It fails only when ctx ends.
func (p *place) settle(ctx context.Context, progress model.Progress) (*model.Place, error) {
	at := p.at
	if p.isStub() {
		derived, err := p.at.Derive(ctx, p.derived)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			node := model.Node{Name: "@" + p.at.Node.Derived[p.derived].Name, Type: "source",
				Problems: []model.Problem{model.AsProblem(err, "source.derive", p.at.Node.Span())}}
			return &model.Place{Parent: p.at, Node: node, Index: int64(-1 - p.derived), Of: p.at.Of}, nil
		}
		at = derived
	}
	fresh := *at // others may be reading at
	if err := fresh.Resolve(ctx, progress); err != nil {
		return nil, err
	}
	return &fresh, nil
}

// columnsFor is the columns of a tree of nodes, with room for every offset and size in doc.
func columnsFor(doc *model.Document) []treeview.Column {
	columns := append([]treeview.Column(nil), treeColumns...)
	const digit, pads = 8, 14
	for _, src := range doc.Sources {
		columns[3].Width = max(columns[3].Width, float32(len(phrase.Hex(src.Size()))*digit+pads))
		columns[4].Width = max(columns[4].Width, float32(len(model.Grouped(src.Size()))*digit+pads))
	}
	return columns
}

// treeColumns is the columns of every tree of nodes.
var treeColumns = []treeview.Column{
	{Title: "Name", Width: 170, Stretch: 2},
	{Title: "Value", Width: 170, Stretch: 5, Mono: true},
	{Title: "Type", Width: 88, Quiet: true, Stretch: 1},
	{Title: "Offset", Width: 76, Mono: true, Right: true, Quiet: true},
	{Title: "Size", Width: 78, Mono: true, Right: true, Quiet: true},
}

// shownValue is how much of a value a row shows, in bytes.
const shownValue = 160

// Row implements treeview.Data.
func (d *treeData) Row(it treeview.Item) treeview.Row {
	p := it.(*place)
	if p.isStub() {
		der := p.at.Node.Derived[p.derived]
		return treeview.Row{Cells: []string{"@" + der.Name, "not opened", der.Codec, "", ""}, Branch: true, Pending: true,
			Below: d.marks.below(p.path())}
	}
	n := &p.at.Fresh(d.ctx).Node // work elsewhere may have told more of it
	row := treeview.Row{Cells: []string{placeName(p.at), valueText(d.ctx, n, shownValue), n.Type, "", ""}, Dim: n.Role != model.Explained,
		Pending: n.IsPending(), Below: d.marks.below(p.at.Path())}
	if row.Pending && row.Cells[1] == "" {
		row.Cells[1] = "not decoded"
	}
	if s := n.Span(); s.Source != nil {
		row.Cells[3], row.Cells[4] = Offset(s), model.Grouped(spansLen(n.Spans))
	}
	count, exact := p.at.Len(d.ctx)
	row.Branch = len(n.Derived) > 0 || count > 0 || !exact || row.Pending
	for i := range n.Problems {
		row.Mark = max(row.Mark, markOf(n.Problems[i].Kind.Severity()))
	}
	return row
}

// Offset is an offset for the tree; the @ of derived sources stands before offsets in them.
func Offset(s model.Span) string {
	text := phrase.Hex(s.Off)
	if s.Source.Origin() != nil {
		text = "@" + text
	}
	return text
}

// spansLen adds up the spans that lie in the source of the first one.
func spansLen(spans []model.Span) int64 {
	var n int64
	for _, s := range spans {
		if s.Source.Same(spans[0].Source) {
			n += s.Len
		}
	}
	return n
}

// valueText is what the value column shows of a node.
func valueText(ctx context.Context, n *model.Node, limit int) string {
	if n.Value != nil {
		return model.Show(ctx, n.Value, limit)
	}
	return n.Brief
}

func markOf(s model.Severity) treeview.Mark {
	return [...]treeview.Mark{model.Note: treeview.Note, model.Warning: treeview.Warning, model.Error: treeview.Error}[s]
}

// marks knows how bad the problems below each path are. It is safe on every goroutine.
type marks struct {
	mu    sync.Mutex
	worst map[string]treeview.Mark
}

// set replaces the problems. The roots of all views are marked with the worst of them, wherever it is.
func (m *marks) set(problems []model.LocatedProblem, views []*model.View) {
	worst := make(map[string]treeview.Mark)
	markWorst(worst, problems, views)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.worst = worst
}

// take takes over what other marks know.
func (m *marks) take(other *marks) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.worst = other.worst
}

// add adds problems.
func (m *marks) add(problems []model.LocatedProblem, views []*model.View) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.worst == nil {
		m.worst = make(map[string]treeview.Mark)
	}
	markWorst(m.worst, problems, views)
}

func markWorst(worst map[string]treeview.Mark, problems []model.LocatedProblem, views []*model.View) {
	for i := range problems {
		mark := markOf(problems[i].Kind.Severity())
		for _, v := range views {
			worst[v.Name] = max(worst[v.Name], mark)
		}
		for path := problems[i].Path; path != ""; path = parentPath(path) {
			if worst[path] >= mark {
				break // and so have those above it
			}
			worst[path] = mark
		}
	}
}

func (m *marks) below(path string) treeview.Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.worst[path]
}

// parentPath is the path of the node above: a derived source stands below its owner.
func parentPath(path string) string {
	i := strings.LastIndexByte(path, '/')
	if k := strings.LastIndexByte(path, '@'); k > i {
		return path[:k]
	}
	return path[:max(i, 0)]
}

// viewOf is the name of the view that a place is in.
func viewOf(p *model.Place) string {
	for p.Parent != nil {
		p = p.Parent
	}
	return p.Path()
}

// viewName is the view that a path begins with.
func viewName(path string) string {
	name, _, _ := strings.Cut(path, "/")
	return name
}

func levelIcon(m treeview.Mark) fyne.Resource {
	switch m {
	case treeview.Error:
		return theme.NewErrorThemedResource(theme.ErrorIcon())
	case treeview.Warning:
		return theme.NewWarningThemedResource(theme.WarningIcon())
	default:
		return theme.InfoIcon()
	}
}

func placeText(p *place) string {
	if p.isStub() {
		return "@" + p.at.Node.Derived[p.derived].Name
	}
	return placeName(p.at)
}

// matchOf is where a cell has a text first.
func matchOf(cells []string, cell int, text string) treeview.Match {
	from := strings.Index(cells[cell], text)
	if from < 0 {
		return treeview.Match{}
	}
	return treeview.Match{Cell: cell, From: from, To: from + len(text)}
}
