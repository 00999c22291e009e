package nodes

import (
	"cmp"
	"context"
	"encoding/binary"
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
	orders map[string]*order // by the parent's path; one that is being made is nil
}

// order is the order of one node's children.
type order struct{ rows, at []uint32 } // the child of each row, and the row of each child

// child returns the child that a row shows. Children that came later are at the end.
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

// orderOf returns the order of rows below a node, or nil if that is the file's.
func (s *Sorting) orderOf(b below) *order {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.column == 0 {
		return nil
	}
	return s.orders[b.list.Path()]
}

// By returns the column by which siblings are sorted, or -1.
func (s *Sorting) By() (column int, down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.column - 1, s.down
}

// SortBy sorts all siblings by a column, or, when they are, the other way round, and then not at all. Open are the items
// whose children are shown. It sorts in the background.
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
	d.move(old)
	for _, it := range open {
		if p, ok := it.(*Item); ok && !none && p.Derived == theNode {
			d.sort(d.rowsBelow(p.Place))
		}
	}
}

// move reports the rows that are elsewhere than in the old orders; below other nodes none has moved.
func (d *Data) move(old map[string]*order) {
	d.Sorting.Moved(func(parent treeview.Item, row int64) int64 {
		p := parent.(*Item)
		b := d.rowsBelow(p.Place)
		before, known := old[b.list.Path()]
		if !known || row < b.stubs || p.Derived != theNode {
			return row
		}
		return d.Sorting.orderOf(b).row(before.child(row-b.stubs)) + b.stubs
	})
}

// sortNew sorts the rows of n children below a node that was opened, once all are known.
func (d *Data) sortNew(b below, n int64) {
	s := &d.Sorting
	s.mu.Lock()
	o, begun := s.orders[b.list.Path()]
	wanted := s.column > 0 && n-b.first > 1 && (!begun || o != nil && int64(len(o.rows)) < n-b.first)
	s.mu.Unlock()
	if wanted {
		d.sort(b)
	}
}

// sort makes the order of rows below a node in the background.
func (d *Data) sort(b below) {
	s := &d.Sorting
	s.mu.Lock()
	path, column, down, orders := b.list.Path(), s.column, s.down, s.orders
	if _, begun := orders[path]; !begun {
		orders[path] = nil
	}
	s.mu.Unlock()
	d.Tasks.Go(d.Ctx, "sorting", func(ctx context.Context, progress model.Progress) func() {
		o := d.order(ctx, b, column-1, down, progress)
		return func() {
			s.mu.Lock()
			now := s.column == column && s.down == down
			old := map[string]*order{path: s.orders[path]}
			if now && o != nil {
				s.orders[path] = o
			}
			s.mu.Unlock()
			if now && o != nil {
				d.move(old)
			}
		}
	})
}

// keptText is the number of bytes of a text that are compared.
const keptText = 64

// order sorts the rows below a node, or returns nil if they are in order or ctx has ended.
func (d *Data) order(ctx context.Context, b below, column int, down bool, progress model.Progress) *order {
	n, _ := b.list.Len(ctx)
	n -= b.first
	if n < 2 || n > math.MaxUint32 {
		return nil
	}
	k := keys{rows: make([]keyed, 0, n)}
	walk := model.WalkOptions{Depth: 1, Fleeting: true}
	err := model.WalkChildren(ctx, b.list, b.first, b.first+n, walk, func(c *model.Place) error {
		if i := c.Index - b.first; i&(1<<12-1) == 0 {
			progress.Report(i, n, model.Grouped(n)+" rows")
		}
		k.add(d.key(ctx, c, column))
		return model.ErrSkip
	})
	if err != nil || int64(len(k.rows)) < n || !k.sort(ctx, down) {
		return nil
	}
	o := &order{rows: make([]uint32, n), at: make([]uint32, n)}
	for row, one := range k.rows {
		o.rows[row], o.at[one.child] = one.child, uint32(row)
	}
	return o
}

// keys are the sort keys of children.
type keys struct {
	rows   []keyed
	texts  []string // of those without a number, by child, or nil
	first  *string  // the first text
	common int      // bytes that all texts begin with
}

// keyed is a child with its sort key: a number, or a text's bytes after the common beginning of all texts.
type keyed struct {
	key   uint64 // in the order of the numbers or bytes
	child uint32
	text  bool // texts come after numbers
}

// add adds the next child's number, or with NaN its text.
func (k *keys) add(number float64, text string) {
	one := keyed{child: uint32(len(k.rows))}
	if number == number {
		if one.key = math.Float64bits(number + 0); one.key>>63 != 0 { // +0 makes 0 of -0
			one.key = ^one.key
		} else {
			one.key |= 1 << 63
		}
		k.rows = append(k.rows, one)
		return
	}
	one.text = true
	if k.texts == nil {
		k.texts = make([]string, cap(k.rows))
	}
	text = strings.Clone(text[:min(len(text), keptText)])
	if k.first == nil {
		k.first = &text
		k.common = len(text)
	}
	for k.common > len(text) || text[:k.common] != (*k.first)[:k.common] {
		k.common--
	}
	k.texts[one.child] = text
	k.rows = append(k.rows, one)
}

// shorten makes the keys of the texts, which lie together in memory and settle most comparisons.
func (k *keys) shorten() {
	for i := range k.rows {
		if r := &k.rows[i]; r.text {
			var b [8]byte
			copy(b[:], k.texts[r.child][k.common:])
			r.key = binary.BigEndian.Uint64(b[:])
		}
	}
}

// sort sorts the rows, of equal ones the child that comes first, and reports whether it came to the end before ctx did.
func (k *keys) sort(ctx context.Context, down bool) bool {
	const lookEvery = 1 << 12
	k.shorten()
	steps, ended := 0, false
	slices.SortFunc(k.rows, func(a, b keyed) int {
		if steps++; !ended && steps%lookEvery == 0 && ctx.Err() != nil {
			ended = true
		}
		switch {
		case ended:
			return 0 // all the same: the sorting ends soon
		case a.text != b.text && b.text:
			return -1
		case a.text != b.text:
			return 1
		}
		by := cmp.Compare(a.key, b.key)
		if by == 0 && a.text {
			by = strings.Compare(k.texts[a.child], k.texts[b.child])
		}
		if down {
			by = -by
		}
		return cmp.Or(by, cmp.Compare(a.child, b.child))
	})
	return !ended
}

// key returns the sort key of a node in a column: a number, or NaN and a text.
func (d *Data) key(ctx context.Context, p *model.Place, column int) (float64, string) {
	n := &p.Node
	none := math.NaN()
	switch column {
	case 0:
		if i, ok := model.ParseIndex(n.Name); ok {
			return float64(i), ""
		}
		return none, strings.ToLower(n.Name)
	case valueColumn:
		if f, ok := model.FloatOf(n.Value); ok {
			return f, ""
		}
		return none, ValueText(ctx, n, keptText)
	case typeColumn:
		return none, n.Type
	}
	own := Principal(ctx, n, d.Far)
	switch {
	case d.Sizes != nil && column == sizeColumn:
		return float64(d.Sizes(p).Whole), ""
	case len(own) == 0 || own[0].Source == nil:
		return none, ""
	case column == offsetColumn:
		return float64(own[0].Off), ""
	}
	return float64(SpansLen(own)), ""
}
