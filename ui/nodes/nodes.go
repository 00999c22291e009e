// Package nodes shows the nodes of a document as rows of a tree, with the problems below them.
package nodes

import (
	"context"
	"image/color"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Item is what the tree shows: a node with its path, or a source that can be derived from a node and is not yet.
type Item struct {
	Place   *model.Place // the node; of a source not derived yet, its owner
	Derived int          // which derivation of at; -1: the node itself
}

// ItemOf is what the tree shows of a node.
func ItemOf(at *model.Place) *Item { return &Item{at, -1} }

// Path is the path of the node, or what that of the derived source will be.
func (p *Item) Path() string {
	if p.Derived < 0 {
		return p.Place.Path()
	}
	return p.Place.Path() + "@" + model.EscapeSegment(p.Place.Node.Derived[p.Derived].Name)
}

// IsStub reports whether p is a source that is not derived yet.
func (p *Item) IsStub() bool { return p.Derived >= 0 }

// Way is the way from the root to p, as the tree wants it: derived sources come before the children.
func (d *Data) Way(p *model.Place) []treeview.Step {
	var way []treeview.Step
	for _, seg := range p.Segments() {
		row := RowOf(seg)
		if seg.Parent != nil && seg.Index >= 0 {
			row += d.Sorting.of(seg.Parent).row(seg.Index) - seg.Index
		}
		way = append(way, treeview.Step{Index: row, Item: ItemOf(seg)})
	}
	return way
}

// RowOf is the number of p among the rows below its parent, in the order of the file.
func RowOf(p *model.Place) int64 {
	switch {
	case p.Parent == nil:
		return 0
	case p.Index < 0:
		return -1 - p.Index
	}
	return p.Index + int64(len(p.Parent.Node.Derived))
}

// Data shows a view of a document in a tree.
type Data struct {
	Ctx   context.Context // ends with the document
	View  *model.View
	Tasks *task.Group
	Marks *Marks
	// Marked is the colour of a person's mark on a node, nil where there is none; it is called in the background. It may
	// be nil.
	Marked func(path string) color.Color

	// Sizes tells how much of the file a node takes, and whether that is shown; nil: it is not. It is called in the background.
	Sizes   func(p *model.Place) Sizes
	Sorting Sorting
	Far     bool // of a server: nothing is read that is not shown

	once sync.Once
	root *model.Place
}

// Sizes is how much of the file a node takes.
type Sizes struct {
	Own, Whole int64
	AtMost     bool    // Whole is no more than a bound
	AtLeast    bool    // more may be found to be the node's; Own is not known yet
	Part       float32 // Whole's part of the file; 0 where it is not known
	Known      bool
	Shown      bool // in place of the offset and the size
}

// Root implements treeview.Data.
func (d *Data) Root() treeview.Item {
	d.once.Do(func() { d.root = d.View.Place(d.Ctx) })
	return ItemOf(d.root)
}

// Count implements treeview.Data.
func (d *Data) Count(it treeview.Item) (int64, bool) {
	p := it.(*Item)
	if p.IsStub() {
		return 0, true
	}
	n, exact := p.Place.Len(d.Ctx)
	if p.Place.Node.IsPending() {
		exact = true // the tree says that it is pending
	}
	if exact && !p.Place.Node.IsPending() {
		d.sortNew(p.Place, n)
	}
	return n + int64(len(p.Place.Node.Derived)), exact
}

// Pending implements treeview.Data.
func (d *Data) Pending(it treeview.Item) bool {
	p := it.(*Item)
	return p.IsStub() || p.Place.Node.IsPending()
}

// Child implements treeview.Data.
func (d *Data) Child(it treeview.Item, i int64) treeview.Item {
	p := it.(*Item)
	k := int64(len(p.Place.Node.Derived))
	if i < k {
		return &Item{p.Place, int(i)}
	}
	return ItemOf(p.Place.Child(d.Ctx, d.Sorting.of(p.Place).child(i-k)))
}

// Resolve implements treeview.Data.
func (d *Data) Resolve(ctx context.Context, it treeview.Item, progress func(done, total int64)) (treeview.Item, error) {
	p := it.(*Item)
	ctx, t := d.Tasks.Start(ctx, "decoding "+p.Path())
	defer t.End()
	at, err := p.Decode(ctx, func(done, total int64, what string) {
		progress(done, total)
		t.Progress(done, total, what)
	})
	if err != nil {
		return it, err
	}
	return ItemOf(at), nil
}

// Decode makes the place of p with its children known. A source that cannot be derived becomes a node with the
// problem. It fails only when ctx ends.
func (p *Item) Decode(ctx context.Context, progress model.Progress) (*model.Place, error) {
	at := p.Place
	if p.IsStub() {
		derived, err := p.Place.Derive(ctx, p.Derived)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			node := model.Node{Name: "@" + p.Place.Node.Derived[p.Derived].Name, Type: "source",
				Problems: []model.Problem{model.AsProblem(err, "source.derive", p.Place.Node.Span())}}
			return &model.Place{Parent: p.Place, Node: node, Index: int64(-1 - p.Derived), Of: p.Place.Of}, nil
		}
		at = derived
	}
	fresh := at.Copy() // others may be reading at
	if err := fresh.Resolve(ctx, progress); err != nil {
		return nil, err
	}
	return fresh, nil
}

// ColumnsFor is the columns of a tree of nodes, with room for every offset and size in doc.
func ColumnsFor(doc *model.Document) []treeview.Column {
	columns := append([]treeview.Column(nil), TreeColumns...)
	const digit, pads = 8, 14
	for _, src := range doc.Sources {
		columns[3].Width = max(columns[3].Width, float32(len(phrase.Hex(src.Size()))*digit+pads))
		columns[4].Width = max(columns[4].Width, float32(len(model.Grouped(src.Size()))*digit+pads))
	}
	return columns
}

// TreeColumns is the columns of every tree of nodes.
var TreeColumns = []treeview.Column{
	{Title: "Name", Width: 158, Least: 128, Stretch: 2},
	{Title: "Value", Width: 158, Least: 58, Stretch: 6, Mono: true},
	{Title: "Type", Width: 82, Least: 16, Quiet: true, Stretch: 1},
	{Title: "Offset", Width: 68, Mono: true, Right: true, Quiet: true},
	{Title: "Size", Width: 68, Mono: true, Right: true, Quiet: true},
}

// The columns that Sizes can take.
const offsetColumn, sizeColumn = 3, 4

// ShowSizes gives the columns of offsets and sizes to what a node takes alone, and with all below it.
func ShowSizes(columns []treeview.Column) {
	columns[1].Width = 110 // the numbers matter more, also in a narrow window
	own, all := columns[offsetColumn].Width, columns[sizeColumn].Width
	columns[offsetColumn].Title, columns[offsetColumn].Width, columns[offsetColumn].Least = "Own bytes", max(own, 84), own
	columns[sizeColumn] = treeview.Column{Title: "With all below", Width: max(all, 112), Least: all, Mono: true, Right: true}
}

// Principal returns the principal bytes of a node. Of a file of a server it returns all spans, since principal bytes may need a
// read.
func Principal(ctx context.Context, n *model.Node, far bool) []model.Span {
	if far {
		return n.Spans
	}
	return n.PrincipalSpans(ctx)
}

// Row implements treeview.Data.
func (d *Data) Row(it treeview.Item) treeview.Row {
	p := it.(*Item)
	if p.IsStub() {
		der := p.Place.Node.Derived[p.Derived]
		return treeview.Row{Cells: []string{"@" + der.Name, "not opened", der.Codec, "", ""}, Branch: true, Pending: true, NoValue: true,
			Below: d.Marks.Below(p.Path())}
	}
	n := &p.Place.Fresh(d.Ctx).Node // work elsewhere may have told more of it
	row := treeview.Row{Cells: []string{p.Place.Label(), d.valueText(n, phrase.ShownValue), n.Type, "", ""}, Dim: n.Role != model.Explained,
		Pending: n.IsPending(), Below: d.Marks.Below(p.Place.Path())}
	if row.Pending && row.Cells[1] == "" {
		row.Cells[1], row.NoValue = "not decoded", true
	}
	if own := Principal(d.Ctx, n, d.Far); len(own) > 0 && own[0].Source != nil {
		row.Cells[3], row.Cells[4] = phrase.Offset(own[0]), model.Grouped(SpansLen(own))
	}
	if d.Sizes != nil {
		if is := d.Sizes(p.Place); is.Shown {
			addSizes(&row, is)
		}
	}
	count, exact := p.Place.Len(d.Ctx)
	row.Branch = len(n.Derived) > 0 || count > 0 || !exact || row.Pending
	for i := range n.Problems {
		row.Mark = max(row.Mark, MarkOf(n.Problems[i].Kind.Severity()))
	}
	if d.Marked != nil {
		if c := d.Marked(p.Place.Path()); c != nil {
			row.Swatches = []color.Color{c}
		}
	}
	return row
}

// addSizes fills the columns of sizes.
func addSizes(row *treeview.Row, is Sizes) {
	row.Cells[offsetColumn], row.Cells[sizeColumn] = "", ""
	if !is.Known || is.AtLeast && is.Whole == 0 {
		return
	}
	own, whole := model.Grouped(is.Own), model.Grouped(is.Whole)
	switch {
	case is.AtMost:
		whole = "< " + whole
	case is.AtLeast:
		own, whole = "", "≥ "+whole
	}
	row.Cells[offsetColumn], row.Cells[sizeColumn] = own, whole
	row.Bars = make([]float32, sizeColumn+1)
	row.Bars[sizeColumn] = is.Part
}

// SpansLen adds up the spans that lie in the source of the first one.
func SpansLen(spans []model.Span) int64 {
	size, _ := Extent(spans)
	return size
}

// Extent is how many bytes spans have in the source of the first one, and in how many places.
func Extent(spans []model.Span) (size int64, places int) {
	for _, s := range spans {
		if s.Source.Same(spans[0].Source) {
			size, places = size+s.Len, places+1
		}
	}
	return size, places
}

// ValueText is what the value column shows of a node.
func ValueText(ctx context.Context, n *model.Node, limit int) string {
	if words, ok := n.InWords(); ok {
		return words
	}
	return model.Show(ctx, n.Value, limit)
}

// valueText is what a row of the view says of a node: what matters of it, else its value, else what a record holds.
func (d *Data) valueText(n *model.Node, limit int) string {
	if d.View.Summary != nil {
		if text := d.View.Summary(d.Ctx, n); text != "" {
			return text
		}
	}
	if text := model.Preview(d.Ctx, n); text != "" {
		return text
	}
	return ValueText(d.Ctx, n, limit)
}

// MarkOf is the mark of a severity.
func MarkOf(s model.Severity) treeview.Mark {
	return [...]treeview.Mark{model.Note: treeview.Note, model.Warning: treeview.Warning, model.Error: treeview.Error}[s]
}

// Marks knows how bad the problems below each path are. It is safe on every goroutine.
type Marks struct {
	mu    sync.Mutex
	worst map[string]treeview.Mark
}

// Set replaces the problems. The roots of all views are marked with the worst of them, wherever it is.
func (m *Marks) Set(problems []model.LocatedProblem, views []*model.View) {
	worst := make(map[string]treeview.Mark)
	markWorst(worst, problems, views)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.worst = worst
}

// Take takes over what other marks know.
func (m *Marks) Take(other *Marks) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.worst = other.worst
}

// Add adds problems.
func (m *Marks) Add(problems []model.LocatedProblem, views []*model.View) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.worst == nil {
		m.worst = make(map[string]treeview.Mark)
	}
	markWorst(m.worst, problems, views)
}

func markWorst(worst map[string]treeview.Mark, problems []model.LocatedProblem, views []*model.View) {
	for i := range problems {
		mark := MarkOf(problems[i].Kind.Severity())
		for _, v := range views {
			worst[v.Name] = max(worst[v.Name], mark)
		}
		if problems[i].Member != "" {
			continue // its path is of another tree
		}
		for path := problems[i].Path; path != ""; path = ParentPath(path) {
			if worst[path] >= mark {
				break // and so have those above it
			}
			worst[path] = mark
		}
	}
}

// Below is the worst mark at a path and below it.
func (m *Marks) Below(path string) treeview.Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.worst[path]
}

// ParentPath is the path of the node above: a derived source is below its owner.
func ParentPath(path string) string {
	i := strings.LastIndexByte(path, '/')
	if k := strings.LastIndexByte(path, '@'); k > i {
		return path[:k]
	}
	return path[:max(i, 0)]
}

// ViewOf is the name of the view that a place is in.
func ViewOf(p *model.Place) string {
	for p.Parent != nil {
		p = p.Parent
	}
	return p.Path()
}

// ViewName is the view that a path begins with.
func ViewName(path string) string {
	name, _, _ := strings.Cut(path, "/")
	return name
}

// Icon is the picture of a mark.
func Icon(m treeview.Mark) fyne.Resource {
	switch m {
	case treeview.Error:
		return theme.NewErrorThemedResource(theme.ErrorIcon())
	case treeview.Warning:
		return theme.NewWarningThemedResource(theme.WarningIcon())
	default:
		return theme.InfoIcon()
	}
}

// Label is what messages call an item.
func Label(p *Item) string {
	if p.IsStub() {
		return "@" + p.Place.Node.Derived[p.Derived].Name
	}
	return p.Place.Label()
}

// MatchOf is where a cell has a text first.
func MatchOf(cells []string, cell int, text string) treeview.Match {
	from := strings.Index(cells[cell], text)
	if from < 0 {
		return treeview.Match{}
	}
	return treeview.Match{Cell: cell, From: from, To: from + len(text)}
}
