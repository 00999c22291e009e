package nodes

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"cutaway/model"
	"cutaway/ui/treeview"
)

// Sorting is the order of siblings in a tree: that of the file, or by a column.
type Sorting struct {
	// Moved is called on the UI goroutine when rows have moved; move says to where, of a row below a parent.
	Moved func(move func(parent treeview.Item, row int64) int64)

	mu     sync.Mutex
	column int // 0: that of the file, else the column's number and 1
	down   bool
	orders map[string]*order // by the parent's path; nil: it is being made
}

// order is that of one node's children.
type order struct{ rows, at []uint32 } // the child of each row, and the row of each child

// child is the child that a row shows. What came after the order was made stands at the end.
func (o *order) child(row int64) int64 {
	if o == nil || row >= int64(len(o.rows)) {
		return row
	}
	return int64(o.rows[row])
}

func (o *order) row(child int64) int64 {
	if o == nil || child >= int64(len(o.at)) {
		return child
	}
	return int64(o.at[child])
}

// of is the order below a node.
func (s *Sorting) of(p *model.Place) *order {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.column == 0 {
		return nil
	}
	return s.orders[p.Path()]
}

// By is the column by which siblings are sorted; -1: by none.
func (s *Sorting) By() (column int, down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.column - 1, s.down
}

// SortBy sorts all siblings by a column, or, when they are, the other way round, and then not at all. Open are the items
// whose children are shown. It goes on in the background.
func (d *Data) SortBy(column int, open []treeview.Item) {
	s := &d.Sorting
	s.mu.Lock()
	first := column == sizeColumn // the largest first
	switch {
	case s.column != column+1:
		s.column, s.down = column+1, first
	case s.down == first:
		s.down = !first
	default:
		s.column, s.down = 0, false
	}
	s.mu.Unlock()
	d.SortAgain(open)
}

// SortAgain sorts anew by the same column: what it shows may have changed.
func (d *Data) SortAgain(open []treeview.Item) {
	s := &d.Sorting
	s.mu.Lock()
	old, none := s.orders, s.column == 0
	s.orders = map[string]*order{}
	s.mu.Unlock()
	s.move(old)
	for _, it := range open {
		if p, ok := it.(*Item); ok && !none && !p.IsStub() {
			d.sort(p.Place)
		}
	}
}

// move tells of the rows that are elsewhere than in the old orders; below other nodes none has moved.
func (s *Sorting) move(old map[string]*order) {
	s.Moved(func(parent treeview.Item, row int64) int64 {
		p := parent.(*Item).Place
		k := int64(len(p.Node.Derived))
		before, known := old[p.Path()]
		if !known || row < k {
			return row
		}
		return s.of(p).row(before.child(row-k)) + k
	})
}

// sortNew sorts the children of a node that was opened, once they are all known.
func (d *Data) sortNew(p *model.Place, n int64) {
	s := &d.Sorting
	s.mu.Lock()
	o, begun := s.orders[p.Path()]
	wanted := s.column > 0 && n > 1 && (!begun || o != nil && int64(len(o.rows)) < n)
	s.mu.Unlock()
	if wanted {
		d.sort(p)
	}
}

// sort makes the order of a node's children in the background.
func (d *Data) sort(p *model.Place) {
	s := &d.Sorting
	s.mu.Lock()
	path, column, down, orders := p.Path(), s.column, s.down, s.orders
	if _, begun := orders[path]; !begun {
		orders[path] = nil
	}
	s.mu.Unlock()
	d.Tasks.Go(d.Ctx, "sorting", func(ctx context.Context, progress model.Progress) func() {
		o := d.order(ctx, p, column-1, down, progress)
		return func() {
			s.mu.Lock()
			now := s.column == column && s.down == down
			old := map[string]*order{path: s.orders[path]}
			if now && o != nil {
				s.orders[path] = o
			}
			s.mu.Unlock()
			if now && o != nil {
				s.move(old)
			}
		}
	})
}

// keys are what children are sorted by: numbers, and texts of those without one.
type keys struct {
	numbers []float64 // NaN: see texts
	texts   []string  // nil: there are none
}

// keptText is how much of a text counts, in bytes.
const keptText = 64

// order sorts the children of a node; nil: they are in order, or ctx has ended.
func (d *Data) order(ctx context.Context, p *model.Place, column int, down bool, progress model.Progress) *order {
	n, _ := p.Len(ctx)
	if n < 2 || n > math.MaxUint32 {
		return nil
	}
	k := keys{numbers: make([]float64, n)}
	for i := range n {
		if i&(1<<12-1) == 0 {
			if progress.Report(i, n, model.Grouped(n)+" rows"); ctx.Err() != nil {
				return nil
			}
		}
		c := p.Child(ctx, i)
		number, text := d.key(ctx, c, column)
		if k.numbers[i] = number; number != number {
			if k.texts == nil {
				k.texts = make([]string, n)
			}
			k.texts[i] = strings.Clone(text[:min(len(text), keptText)])
		}
	}
	o := &order{rows: make([]uint32, n), at: make([]uint32, n)}
	for i := range o.rows {
		o.rows[i] = uint32(i)
	}
	slices.SortStableFunc(o.rows, func(a, b uint32) int {
		if down && math.IsNaN(k.numbers[a]) == math.IsNaN(k.numbers[b]) {
			a, b = b, a
		}
		return k.compare(a, b)
	})
	for row, child := range o.rows {
		o.at[child] = uint32(row)
	}
	return o
}

// compare orders numbers before texts.
func (k *keys) compare(a, b uint32) int {
	x, y := k.numbers[a], k.numbers[b]
	switch {
	case x == x && y == y:
		return cmp.Compare(x, y)
	case x == x:
		return -1
	case y == y:
		return 1
	}
	return strings.Compare(k.texts[a], k.texts[b])
}

// key is what a node is sorted by in a column: a number, or with NaN a text.
func (d *Data) key(ctx context.Context, p *model.Place, column int) (float64, string) {
	n := &p.Node
	none := math.NaN()
	switch column {
	case 0:
		if i, ok := model.ParseIndex(n.Name); ok {
			return float64(i), ""
		}
		return none, strings.ToLower(n.Name)
	case 1:
		if f, ok := model.FloatOf(n.Value); ok {
			return f, ""
		}
		return none, ValueText(ctx, n, keptText)
	case 2:
		return none, n.Type
	}
	s := n.Span()
	switch {
	case d.Sizes != nil && d.Sizes(p).Shown:
		is := d.Sizes(p)
		return float64([]int64{offsetColumn: is.Own, sizeColumn: is.Whole}[column]), ""
	case s.Source == nil:
		return none, ""
	case column == offsetColumn:
		return float64(s.Off), ""
	}
	return float64(SpansLen(n.Spans)), ""
}
