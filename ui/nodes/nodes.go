// Package nodes shows the nodes of a document as rows of a tree, with the problems below them.
package nodes

import (
	"cmp"
	"context"
	"image/color"
	"strings"
	"sync"

	"cutaway/model"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Item is a row of the tree: a node, a source that can be derived from a node and is not yet, or the folded fields of a node.
type Item struct {
	Place   *model.Place // the node; for the other rows the node that they belong to
	Derived int          // the number of the derivation of Place, or one of the following
}

const (
	theNode   = -1
	theFields = -2 // that View.Fold folds
)

// ItemOf returns the row of a node.
func ItemOf(at *model.Place) *Item { return &Item{at, theNode} }

// Path returns the path of the node, or the future one of the derived source.
func (p *Item) Path() string {
	if !p.IsStub() {
		return p.Place.Path()
	}
	return p.Place.Path() + "@" + model.EscapeSegment(p.Place.Node.Derived[p.Derived].Name)
}

// IsStub reports whether p is a source that is not derived yet.
func (p *Item) IsStub() bool { return p.Derived >= 0 }

// Data shows a view of a document in a tree.
type Data struct {
	Ctx   context.Context // ends with the document
	View  *model.View
	Tasks *task.Group
	Marks *Marks
	// Marked is the colour of a person's mark on a node, nil where there is none; it is called in the background. It may
	// be nil.
	Marked func(path string) color.Color

	// Sizes returns how much of the file a node takes with all below. It is nil for a tree that shows the bytes of nodes alone, and
	// called in the background.
	Sizes   func(p *model.Place) Sizes
	Title   string // of the file
	Sorting Sorting
	Far     bool // of a server: nothing is read that is not shown

	once sync.Once
	root *model.Place

	mu    sync.Mutex
	folds map[string]model.Fold // by path
}

// Sizes is the share of the file that a node takes.
type Sizes struct {
	Own, Whole int64
	AtMost     bool    // Whole is no more than a bound
	AtLeast    bool    // more may be found to be the node's; Own is not known yet
	Part       float32 // Whole's part of the file; 0 where it is not known
	Known      bool
}

// Root returns the item of the view's root.
func (d *Data) Root() treeview.Item {
	d.once.Do(func() { d.root = d.View.Place(d.Ctx) })
	return ItemOf(d.root)
}

// Count returns the number of rows below an item.
func (d *Data) Count(it treeview.Item) (int64, bool) {
	p := it.(*Item)
	if p.IsStub() {
		return 0, true
	}
	below := d.rowsBelow(p.Place)
	if p.Derived == theFields {
		return below.fields, true
	}
	n, exact := below.list.Len(d.Ctx)
	pending := below.list.Node.IsPending()
	if exact && !pending {
		d.sortNew(below, n)
	}
	return below.stubs + n - below.first + below.folded(), exact || pending // of a pending one the tree says that it is
}

// Pending reports whether an item is to be decoded before its rows are known.
func (d *Data) Pending(it treeview.Item) bool {
	p := it.(*Item)
	return p.IsStub() || p.Derived == theNode && p.Place.Node.IsPending()
}

// Child makes the item of row i below an item.
func (d *Data) Child(it treeview.Item, i int64) treeview.Item {
	p := it.(*Item)
	below := d.rowsBelow(p.Place)
	switch {
	case p.Derived == theFields:
		return ItemOf(p.Place.Child(d.Ctx, i))
	case i < below.stubs:
		return &Item{p.Place, int(i)}
	}
	i = d.Sorting.orderOf(below).child(i-below.stubs) + below.first
	if n, _ := below.list.Len(d.Ctx); i >= n && below.fields > 0 {
		return &Item{p.Place, theFields}
	}
	return ItemOf(below.list.Child(d.Ctx, i))
}

// Resolve decodes an item.
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

// ColumnsFor returns the columns of the tree of a view, with room for every offset and size in doc. In a tree of meaning a few
// words follow the name, and the size is with all below. Offsets and types are in the layout and in trees by a description.
func ColumnsFor(doc *model.Document, v *model.View) []treeview.Column {
	columns := append([]treeview.Column(nil), TreeColumns...)
	const digit, pads = 8, 14
	for _, src := range doc.Sources {
		columns[offsetColumn].Width = max(columns[offsetColumn].Width, float32(len(phrase.Hex(src.Size()))*digit+pads))
		columns[sizeColumn].Width = max(columns[sizeColumn].Width, float32(len(model.Grouped(src.Size()))*digit+pads))
	}
	if TellsMeaning(doc, v) {
		columns[0] = treeview.Column{Title: "Name and summary", Width: 240, Least: 150, Stretch: 1}
		columns[valueColumn] = treeview.Column{Title: "Value", Follows: true, Quiet: true}
		columns[typeColumn], columns[offsetColumn] = treeview.Column{}, treeview.Column{}
	}
	return columns
}

// TellsMeaning reports whether a view shows what a file means, not how it is laid out.
func TellsMeaning(doc *model.Document, v *model.View) bool {
	return v.Of == nil && v.Name != model.LayoutView && doc.Description == nil
}

// TreeColumns are the columns of a tree of all that there is to say of nodes.
var TreeColumns = []treeview.Column{
	{Title: "Name", Width: 158, Least: 128, Stretch: 2},
	{Title: "Value", Width: 158, Least: 58, Stretch: 6, Mono: true},
	{Title: "Type", Width: 82, Least: 16, Quiet: true, Stretch: 1},
	{Title: "Offset", Width: 68, Mono: true, Right: true, Quiet: true},
	{Title: "Size", Width: 68, Mono: true, Right: true, Quiet: true},
}

// The columns after that of names.
const valueColumn, typeColumn, offsetColumn, sizeColumn = 1, 2, 3, 4

// Principal returns the principal bytes of a node. Of a file of a server it returns all spans, since principal bytes may need a
// read.
func Principal(ctx context.Context, n *model.Node, far bool) []model.Span {
	if far {
		return n.Spans
	}
	return n.PrincipalSpans(ctx)
}

// Row returns what the row of an item shows.
func (d *Data) Row(it treeview.Item) treeview.Row {
	p := it.(*Item)
	switch p.Derived {
	case theNode:
		return d.nodeRow(p.Place)
	case theFields:
		return d.fieldsRow(p.Place)
	}
	der := p.Place.Node.Derived[p.Derived]
	return treeview.Row{Cells: []string{"@" + der.Name, "not opened", der.Codec, "", ""}, Branch: true, Pending: true, NoValue: true,
		Below: d.Marks.Below(p.Path())}
}

// shownFields is the number of fields that the row of folded ones names.
const shownFields = 12

// fieldsRow returns the row of the folded fields of a node.
func (d *Data) fieldsRow(p *model.Place) treeview.Row {
	fold := d.foldOf(p)
	fields := fold.Fields
	row := treeview.Row{Branch: true, Dim: true, Folded: true, Icon: Icons[model.DetailKind]}
	var names []string
	for i := range min(fields, shownFields) {
		c := p.Child(d.Ctx, i)
		names = append(names, d.label(c))
		for k := range c.Node.Problems {
			row.Mark = max(row.Mark, MarkOf(c.Node.Problems[k].Kind.Severity()))
		}
		row.Below = max(row.Below, d.Marks.Below(c.Path()))
	}
	title := cmp.Or(fold.Title, model.GroupedCount(fields, "field"))
	row.Cells = []string{title, strings.Join(names, ", "), "", "", ""}
	return row
}

func (d *Data) nodeRow(p *model.Place) treeview.Row {
	n := &p.Fresh(d.Ctx).Node // more may be known by now
	row := treeview.Row{Cells: []string{d.label(p), d.valueText(n, phrase.ShownValue), n.Type, "", ""}, Dim: n.Role != model.Explained,
		Pending: n.IsPending(), Below: d.Marks.Below(p.Path())}
	if row.Pending && row.Cells[valueColumn] == "" {
		row.Cells[valueColumn], row.NoValue = "not decoded", true
	}
	if d.Sizes != nil {
		d.addMeaning(&row, p, n)
	} else if own := Principal(d.Ctx, n, d.Far); len(own) > 0 && own[0].Source != nil {
		row.Cells[offsetColumn], row.Cells[sizeColumn] = phrase.Hex(own[0].Off), model.Grouped(SpansLen(own))
	}
	count, exact := p.Len(d.Ctx)
	row.Branch = len(n.Derived) > 0 || (count > 0 || !exact) && !d.IsThrough(p) || row.Pending
	for i := range n.Problems {
		row.Mark = max(row.Mark, MarkOf(n.Problems[i].Kind.Severity()))
	}
	if d.Marked != nil {
		if c := d.Marked(p.Path()); c != nil {
			row.Swatches = []color.Color{c}
		}
	}
	return row
}

// addMeaning adds icon, summary and size to the row of a tree of meaning, which has no type and no offset.
func (d *Data) addMeaning(row *treeview.Row, p *model.Place, n *model.Node) {
	row.Icon = Icons[d.kindOf(d.Ctx, n)]
	row.Strong = p.Parent == nil
	if !row.Strong {
		row.Cells[valueColumn] = d.summary(n, row.Cells[valueColumn])
	} else if n.Value == nil && n.Brief != "" {
		row.Cells[valueColumn] = n.Brief
	}
	addSize(row, d.Sizes(p))
}

// label returns the name of a node in its row: the view's, or that of the file for the root of a tree of meaning.
func (d *Data) label(p *model.Place) string {
	if d.Sizes != nil && p.Parent == nil && d.Title != "" {
		return d.Title
	}
	return d.View.LabelOf(d.Ctx, p)
}

// summary returns the words after the name of a node whose value is said as text. The type is said where the value is none, or
// a long array.
func (d *Data) summary(n *model.Node, text string) string {
	const few = 4
	switch a, array := n.Value.(model.Array); {
	case n.Type == "" || n.Type == text || n.Name == n.Type || d.View.Summary != nil && d.View.Summary(d.Ctx, n) != "":
		return text
	case array && a.Len() > few:
		return n.Type + " × " + model.Grouped(a.Len())
	case n.Value != nil:
		return text
	case text == "":
		return n.Type
	}
	return n.Type + "  ·  " + text
}

// addSize fills the column of the size, which is with all below.
func addSize(row *treeview.Row, is Sizes) {
	whole := "…"
	if is.Known {
		whole = model.Grouped(is.Whole)
		switch {
		case is.AtMost:
			whole = "< " + whole
		case is.AtLeast && is.Whole == 0:
			whole = "…"
		case is.AtLeast:
			whole = "≥ " + whole
		}
		row.Bars = make([]float32, sizeColumn+1)
		row.Bars[sizeColumn] = is.Part
	}
	row.Cells[sizeColumn] = whole
}

// SpansLen adds up the spans that lie in the source of the first one.
func SpansLen(spans []model.Span) int64 {
	size, _ := Extent(spans)
	return size
}

// Extent returns the number of bytes of spans in the source of the first one, and the number of these spans.
func Extent(spans []model.Span) (size int64, places int) {
	for _, s := range spans {
		if s.Source.Same(spans[0].Source) {
			size, places = size+s.Len, places+1
		}
	}
	return size, places
}

// ValueText returns the text of a node's value.
func ValueText(ctx context.Context, n *model.Node, limit int) string {
	if words, ok := n.InWords(); ok {
		return words
	}
	return model.Show(ctx, n.Value, limit)
}

// valueText returns the text of the value column: a summary, or else fields of a record, or else the value.
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

// MarkOf returns the mark of a severity.
func MarkOf(s model.Severity) treeview.Mark {
	return [...]treeview.Mark{model.Note: treeview.Note, model.Warning: treeview.Warning, model.Error: treeview.Error}[s]
}

// Marks knows how bad the problems below each path are. It is safe on every goroutine.
type Marks struct {
	mu    sync.Mutex
	worst map[string]treeview.Mark
}

// Set replaces the problems. The roots of all views are marked with the worst one, wherever it is.
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

// Below returns the worst mark at a path and below.
func (m *Marks) Below(path string) treeview.Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.worst[path]
}

// ParentPath returns the path of the parent; a derived source is below its owner.
func ParentPath(path string) string {
	i := strings.LastIndexByte(path, '/')
	if k := strings.LastIndexByte(path, '@'); k > i {
		return path[:k]
	}
	return path[:max(i, 0)]
}

// ViewOf returns the name of the view of a place.
func ViewOf(p *model.Place) string {
	for p.Parent != nil {
		p = p.Parent
	}
	return p.Path()
}

// ViewName returns the name of the view that a path begins with.
func ViewName(path string) string {
	name, _, _ := strings.Cut(path, "/")
	return name
}

// Label returns the name of an item in messages.
func Label(p *Item) string {
	if p.IsStub() {
		return "@" + p.Place.Node.Derived[p.Derived].Name
	}
	return p.Place.Label()
}

// MatchOf returns the first place of a text in a cell.
func MatchOf(cells []string, cell int, text string) treeview.Match {
	from := strings.Index(cells[cell], text)
	if from < 0 {
		return treeview.Match{}
	}
	return treeview.Match{Cell: cell, From: from, To: from + len(text)}
}
