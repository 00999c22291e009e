package usdc

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sort"
	"sync/atomic"

	"cutaway/decoders/usda"
	"cutaway/model"
	"cutaway/source"
)

// markEvery is the distance of the checkpoints of coded integers: integer i is found from the one before it.
const markEvery = 1024

// codedMax returns the largest size of the coding of n integers of width bytes (5.3), or -1 if that has no int64.
func codedMax(n, width int64) int64 {
	if n > math.MaxInt64/16 {
		return -1
	}
	return width + (n+3)/4 + n*width
}

// codedInts is cints(n, W) as it is in the file (5.4): a size and a chunk container that gives coded integers.
type codedInts struct {
	buffer
	n     int64
	width int64
	keep  int64 // so many are kept when they are decoded
	show  showInt
	bytes model.Span // size and container
	list  model.Once[intList]
}

// showInt completes the node of integer i, whose value v is as stored: refs, a type, a value of another kind.
type showInt func(ctx context.Context, i, v int64, node *model.Node)

// newInts reads cints(n, width), of which at holds what is left if it is cut.
func newInts(ctx context.Context, in setting, at model.Span, n, width int64, show showInt) *codedInts {
	k := &codedInts{n: n, width: width, show: show, bytes: at}
	k.buffer = buffer{setting: in, limit: codedMax(n, width), root: k.layout}
	have := k.read(ctx, at, true)
	if have < 0 {
		return k
	}
	size, _ := k.nodes[0].Value.(model.Uint)
	if limit := 4 * 255 * have; n > limit+64 {
		k.blame(model.Problemf(model.Malformed, "usdc.compress.count", model.Span{}, "%d integers cannot come from %d bytes", n, have).
			WantAtMost(limit+64, n))
	}
	if most := uint64(k.limit) + uint64(k.limit)/255 + 17; k.limit >= 0 && uint64(size) > most {
		k.blame(model.Problemf(model.Malformed, "usdc.compress.size", model.Span{}, "the compressed size is beyond what %d integers can need", n).
			WantAtMost(most, uint64(size)))
	}
	if n > 4*255*have+64 {
		k.n, k.limit = 0, 0
	}
	return k
}

// leastTable is a number of entries that a table may always have.
const leastTable = 8 << 20

// possibleTable returns the number of entries that a table of a file of that size may have. A few bytes of compressed data can
// stand for very many, so that they alone bear out no claim.
func possibleTable(fileSize int64) int64 { return max(leastTable, 4*fileSize) }

// newTable is newInts for a table of which at most keep entries are kept in memory. A table of more entries than its file can have
// is not decoded.
func newTable(ctx context.Context, in setting, at model.Span, n, keep int64, show showInt) *codedInts {
	k := newInts(ctx, in, at, n, 4, show)
	fileSize := at.Source.Size()
	most := possibleTable(fileSize)
	k.keep = keep
	switch {
	case k.n > most:
		k.n = 0
		k.faulty = append(k.faulty, model.Problemf(model.Limit, "usdc.compress.too-many", k.bytes,
			"a table of that many entries is not decoded from a file of %d bytes, which is this program's limit", fileSize).WantAtMost(most, n))
	case k.n > k.keep:
		k.faulty = append(k.faulty, model.Problemf(model.Limit, "usdc.compress.too-many", k.bytes,
			"only the first entries of the table are taken, which is as many as memory allows; --max-memory raises it").WantAtMost(k.keep, n))
	}
	return k
}

// complete completes the layout node of the integers, whose path must be owner.
func (k *codedInts) complete(ctx context.Context, n *model.Node) error {
	l, err := k.load(ctx, nil)
	if err != nil {
		return err
	}
	n.Brief = usda.Plural(k.n, "integer", "integers")
	if err := k.buffer.complete(ctx, n); err != nil {
		return err
	}
	n.Problems = append(n.Problems, l.problems...)
	return nil
}

// load decodes the integers once to find the checkpoints and what is wrong.
func (k *codedInts) load(ctx context.Context, progress model.Progress) (*intList, error) {
	return k.list.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*intList, error) {
		in, err := k.inflate(ctx)
		if err != nil {
			return nil, err
		}
		l := newIntList(in.src, k.n, k.width)
		l.damaged = len(in.problems) > 0
		if err := l.scan(ctx, progress, k.keep); err != nil {
			return nil, err
		}
		if r, ok := in.src.Reader().(*source.CachedReader); ok && k.keep > 0 {
			r.Forget() // a table is in memory twice otherwise, and few look at how it is coded
		}
		return l, nil
	})
}

// layout is the root of the inflated source.
func (k *codedInts) layout(ctx context.Context, in *inflated) (model.Node, error) {
	l, err := k.load(ctx, nil)
	if err != nil {
		return model.Node{}, err
	}
	root := model.Node{
		Name: inflatedName, Type: "coded integers", Spans: []model.Span{in.src.Whole()},
		Help: "a common delta, 2 bits for each integer, and the deltas that are not the common one",
	}
	if nodes := l.nodes(k.show); len(nodes) > 0 {
		root.Children = model.NewList(nodes...)
	}
	return root, nil
}

// intList is coded integers (5.3) over their inflated bytes.
type intList struct {
	src    *model.Source
	n      int64 // integers there should be
	good   int64 // integers that exist
	width  int64
	common int64
	deltas int64 // offset of the first delta
	used   int64 // bytes that the coding takes
	marks  []mark
	block  atomic.Pointer[codeBlock]
	values model.Numbers // of a table, until that takes them
	// damaged says that the source is not all that was compressed, which is reported elsewhere.
	damaged bool
	spare   uint8 // what is in the unused bits of the last byte of codes
	// problems are those of the coding, not of the compression.
	problems []model.Problem
}

// mark is the state before integer i·markEvery.
type mark struct {
	prev  int64 // the integer before it
	delta int64 // offset of its delta or the next one
}

func newIntList(src *model.Source, n, width int64) *intList {
	return &intList{src: src, n: n, width: width, deltas: width + (n+3)/4}
}

// scan decodes all integers, and keeps so many.
func (l *intList) scan(ctx context.Context, progress model.Progress, keep int64) error {
	if l.n == 0 {
		return nil
	}
	size := l.src.Size()
	if size < l.deltas {
		l.used = size
		l.runOut(size, "the codes run out")
		return nil
	}
	if err := l.readCommon(ctx); err != nil {
		l.problems = append(l.problems, model.AsProblem(err, "usdc.integers.read", l.src.Whole()))
		return nil
	}
	w := l.walk(0, l.n)
	var kept model.NumbersBuilder
	for l.good = 0; l.good < l.n; l.good++ {
		if l.good%markEvery == 0 {
			l.marks = append(l.marks, mark{w.prev, w.delta})
			if l.good%(1<<20) == 0 {
				progress.Report(l.good, l.n, "integers")
				if err := ctx.Err(); err != nil {
					return err
				}
			}
		}
		if !w.next(ctx) {
			break
		}
		if l.good < keep {
			kept.Add(uint32(w.prev))
		}
	}
	l.values, l.used = kept.Numbers(), w.delta
	if l.good < l.n {
		l.used = size
		if w.err != nil {
			l.problems = append(l.problems, model.AsProblem(w.err, "usdc.integers.read", l.src.Whole()))
		} else {
			l.runOut(w.delta, "the deltas run out")
		}
		return nil
	}
	if at, ok := l.unused(); ok {
		if l.spare = w.lastCode >> (2 * (l.n % 4)); l.spare != 0 {
			l.problems = append(l.problems, model.Problemf(model.Suspicious, "usdc.integers.unused-bits", at,
				"bits after the last code are not 0").Want(0, l.spare))
		}
	}
	return nil
}

func (l *intList) runOut(at int64, what string) {
	if l.damaged {
		return
	}
	l.problems = append(l.problems, model.Problemf(model.Truncated, "usdc.integers.truncated", l.src.Span(at, l.src.Size()-at),
		"%s at integer %d of %d", what, l.good, l.n))
}

func (l *intList) readCommon(ctx context.Context) error {
	var b [8]byte
	if _, err := l.src.ReadFull(ctx, b[:l.width], 0); err != nil {
		return err
	}
	l.common = signed(b[:l.width])
	return nil
}

// signed reads 1, 2, 4 or 8 bytes as a signed number.
func signed(b []byte) int64 {
	switch len(b) {
	case 1:
		return int64(int8(b[0]))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(b)))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// deltaSize returns the number of bytes of the delta of a code.
func deltaSize(code uint8, width int64) int64 {
	if code == 0 {
		return 0
	}
	if width == 4 {
		return 1 << (code - 1)
	}
	return 1 << code
}

// intWalk decodes integers in order, reading codes and deltas in windows.
type intWalk struct {
	l        *intList
	i        int64 // of the next integer
	prev     int64 // the value of the last integer
	delta    int64 // offset of the next delta
	from     int64 // offset of the last integer's delta
	size     int64 // of the last integer's delta, or 0 if it has the common one
	codes    window
	bytes    window
	lastCode uint8 // the last byte of codes
	err      error
}

// window is a part of the source in memory.
type window struct {
	off int64
	b   []byte
}

// covers reports whether n bytes at off are in memory.
func (w *window) covers(off, n int64) bool { return off >= w.off && off+n <= w.off+int64(len(w.b)) }

// move brings n ≤ 8 bytes at off into memory, with as many after them as there is room for; false where they do not lie
// before end or cannot be read.
func (w *window) move(ctx context.Context, src *model.Source, off, n, end int64) (bool, error) {
	size := min(max(int64(cap(w.b)), n), end-off)
	if size < n {
		return false, nil
	}
	if int64(cap(w.b)) < size {
		w.b = make([]byte, size)
	}
	w.b, w.off = w.b[:size], off
	if _, err := src.ReadFull(ctx, w.b, off); err != nil {
		w.b = w.b[:0]
		return false, err
	}
	return true, nil
}

// walk starts at mark k; it is meant for about n integers.
func (l *intList) walk(k, n int64) *intWalk {
	w := &intWalk{l: l, i: k * markEvery, delta: l.deltas}
	if k > 0 {
		w.prev, w.delta = l.marks[k].prev, l.marks[k].delta
	}
	const ahead = 32 << 10
	w.codes.b = make([]byte, 0, min(ahead, n/4+1))
	w.bytes.b = make([]byte, 0, min(ahead, n*l.width))
	return w
}

// next decodes one more integer into prev; false where the deltas run out or reading fails.
func (w *intWalk) next(ctx context.Context) bool {
	l := w.l
	var ok bool
	at := l.width + w.i/4
	if !w.codes.covers(at, 1) {
		if ok, w.err = w.codes.move(ctx, l.src, at, 1, l.deltas); !ok {
			return false
		}
	}
	w.lastCode = w.codes.b[at-w.codes.off]
	w.size = deltaSize(w.lastCode>>(2*(w.i%4))&3, l.width)
	w.from = w.delta
	delta := l.common
	if w.size > 0 {
		if !w.bytes.covers(w.delta, w.size) {
			if ok, w.err = w.bytes.move(ctx, l.src, w.delta, w.size, l.src.Size()); !ok {
				return false
			}
		}
		delta = signed(w.bytes.b[w.delta-w.bytes.off:][:w.size])
	}
	w.delta += w.size
	w.prev += delta
	if l.width == 4 {
		w.prev = int64(int32(w.prev))
	}
	w.i++
	return true
}

// forward decodes the integers before i; false where reading fails.
func (w *intWalk) forward(ctx context.Context, i int64) bool {
	for w.i < i {
		if !w.next(ctx) {
			return false
		}
	}
	return true
}

// integer is integer i, i < good, sign-extended.
func (l *intList) integer(ctx context.Context, i int64) (int64, error) {
	w := l.walk(i/markEvery, i%markEvery+1)
	if !w.forward(ctx, i+1) {
		return 0, w.err
	}
	return w.prev, nil
}

// place is the one span that shows where integer i is best: its delta, or else its code bits.
func (l *intList) place(ctx context.Context, i int64) model.Span {
	spans := l.spans(ctx, i)
	return spans[len(spans)-1]
}

// read fills dst with the integers from first on and returns how many there were.
func (l *intList) read(ctx context.Context, first int64, dst []int64) (int, error) {
	if first >= l.good || len(dst) == 0 {
		return 0, nil
	}
	n := min(int64(len(dst)), l.good-first)
	w := l.walk(first/markEvery, first%markEvery+n)
	if !w.forward(ctx, first) {
		return 0, w.err
	}
	for k := range n {
		if k&0xFFFF == 0 && ctx.Err() != nil {
			return int(k), ctx.Err()
		}
		if !w.next(ctx) {
			return int(k), w.err
		}
		dst[k] = w.prev
	}
	return int(n), nil
}

// find returns the integer over the byte at off: of four integers of a byte of codes the first.
func (l *intList) find(ctx context.Context, off int64) (int64, bool) {
	if off >= l.width && off < l.deltas {
		i := 4 * (off - l.width)
		return i, i < l.n
	}
	if off < l.deltas || off >= l.used {
		return 0, false
	}
	k := sort.Search(len(l.marks), func(k int) bool { return l.marks[k].delta > off }) - 1
	for w := l.walk(int64(k), markEvery); w.i < l.good && w.next(ctx); {
		if off < w.delta {
			return w.i - 1, true
		}
	}
	return 0, false
}

// nodes makes the parts of the inflated source.
func (l *intList) nodes(show showInt) []model.Node {
	if l.n == 0 {
		rest, ok := l.leftover("the coding of no integers")
		if !ok {
			return nil
		}
		return []model.Node{rest}
	}
	head := min(l.width, l.src.Size())
	nodes := []model.Node{{
		Name: "commonDelta", Type: l.typ(), Value: model.Int(l.common), Spans: []model.Span{l.src.Span(0, head)},
		Help: "the difference to the integer before, of all integers whose code is 0",
	}, l.leaf(head, show)}
	if rest, ok := l.leftover("the coding of the integers"); ok {
		nodes = append(nodes, rest)
	}
	return nodes
}

// leftover is the node of the bytes after the coding.
func (l *intList) leftover(of string) (rest model.Node, ok bool) {
	rest, ok = leftover(l.src, l.used, l.src.Size(), "usdc.integers.leftover", of)
	if l.damaged {
		rest.Problems = nil
	}
	return rest, ok
}

// leaf is the node over codes and deltas, whose elements are the integers.
func (l *intList) leaf(head int64, show showInt) model.Node {
	return model.Node{
		Name: "integers", Type: l.typ() + "[]", Value: &intArray{l: l}, Elements: true,
		Spans: []model.Span{l.src.Span(head, l.used-head)}, Problems: l.problems,
		Help:     "first 2 bits for each integer, then a delta of 1 to 8 bytes for each whose bits are not 0",
		Children: l.elements(show),
	}
}

// elements makes the integers as nodes, and after them the unused bits of the last byte of codes.
func (l *intList) elements(show showInt) model.Children {
	count := l.n
	if l.src.Size() < l.deltas {
		count = 0 // not all codes exist, so none can be found
	}
	rows := &model.Rows{
		Count: count,
		Make: func(ctx context.Context, i int64) model.Node {
			if i < l.good {
				return l.element(ctx, i, show)
			}
			return model.Node{
				Name: model.IndexName(i), Type: l.typ(), Brief: "missing", Spans: []model.Span{l.code(i)},
				Help: "its code is there, but its delta or that of an integer before it is not",
			}
		},
		ByByte: func(ctx context.Context, src *model.Source, off int64) (int64, bool) {
			if src != l.src {
				return 0, false
			}
			return l.find(ctx, off)
		},
	}
	if at, ok := l.unused(); ok && count > 0 {
		return model.Concat(rows, model.NewList(model.Node{
			Name: "unused", Type: "bits", Role: model.Padding, Value: model.Uint(l.spare), Spans: []model.Span{at},
			Help: "always 0: there are no more integers",
		}))
	}
	return rows
}

// unused is the bits of the last byte of codes that no integer has; ok is false where there are none.
func (l *intList) unused() (at model.Span, ok bool) {
	taken := 2 * (l.n % 4)
	at = l.src.Span(l.deltas-1, 1)
	at.Mask = 0xFF << taken & 0xFF
	return at, taken != 0
}

// code is the two bits of the code of integer i.
func (l *intList) code(i int64) model.Span {
	s := l.src.Span(l.width+i/4, 1)
	s.Mask = 3 << (2 * (i % 4))
	return s
}

func (l *intList) typ() string { return fmt.Sprintf("i%d", 8*l.width) }

func (l *intList) element(ctx context.Context, i int64, show showInt) model.Node {
	n := model.Node{Name: model.IndexName(i), Type: l.typ(), Spans: l.spans(ctx, i)}
	v, err := l.integer(ctx, i)
	if err != nil {
		n.Problems = []model.Problem{problemAt(err, n.Spans[len(n.Spans)-1])}
		return n
	}
	n.Value = model.Int(v)
	if show != nil {
		show(ctx, i, v, &n)
	}
	return n
}

// intArray is coded integers as a value.
type intArray struct {
	model.ArrayBase
	l *intList
}

var _ model.Array = (*intArray)(nil)

func (a *intArray) Elem() string { return a.l.typ() }

func (a *intArray) Len() int64 { return a.l.good }

func (a *intArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	ints := make([]int64, len(dst))
	n, err := a.l.read(ctx, first, ints)
	for k, v := range ints[:n] {
		dst[k] = model.Int(v)
	}
	return n, err
}
