package coding

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

// Ints is cints(n, W) as it is in the file (5.4): a size and a chunk container that gives coded integers.
type Ints struct {
	Buffer
	n       int64
	width   int64
	keep    int64 // so many are kept when they are decoded
	show    Show
	bytes   model.Span // size and container
	list    model.Once[List]
	Scanned func(r model.IntegerRange) // called with the range of integers that all could be decoded, or nil
}

// Show completes the node of integer i, whose value v is as stored: refs, a type, a value of another kind.
type Show func(ctx context.Context, i, v int64, node *model.Node)

// NewInts reads cints(n, width) at a span, which ends early if the file does. width is 4 or 8 bytes; show may be nil.
func NewInts(ctx context.Context, in Setting, at model.Span, n, width int64, show Show) *Ints {
	k := &Ints{n: n, width: width, show: show, bytes: at}
	k.Buffer = Buffer{Setting: in, Limit: codedMax(n, width), Root: k.Layout}
	have := k.Read(ctx, at, true)
	if have < 0 {
		return k
	}
	size, _ := k.Nodes[0].Value.(model.Uint)
	if limit := 4 * 255 * have; n > limit+64 {
		k.Blame(model.Problemf(model.Malformed, "usdc.compress.count", model.Span{}, "%d integers cannot come from %d bytes", n, have).
			WantAtMost(limit+64, n))
	}
	if most := uint64(k.Limit) + uint64(k.Limit)/255 + 17; k.Limit >= 0 && uint64(size) > most {
		k.Blame(model.Problemf(model.Malformed, "usdc.compress.size", model.Span{}, "the compressed size is beyond what %d integers can need", n).
			WantAtMost(most, uint64(size)))
	}
	if n > 4*255*have+64 {
		k.n, k.Limit = 0, 0
	}
	return k
}

// leastTable is a number of entries that a table may always have.
const leastTable = 8 << 20

// MostEntries returns the number of entries that a table of a file of that size may have. A few bytes of compressed data can
// stand for very many, so that they alone bear out no claim.
func MostEntries(fileSize int64) int64 { return max(leastTable, 4*fileSize) }

// NewTableInts is NewInts for a table whose first keep entries stay in memory. A table of more entries than its file can have (MostEntries)
// is not decoded.
func NewTableInts(ctx context.Context, in Setting, at model.Span, n, keep int64, show Show) *Ints {
	k := NewInts(ctx, in, at, n, 4, show)
	fileSize := at.Source.Size()
	most := MostEntries(fileSize)
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

// Complete completes the layout node of the integers, whose path must be Owner.
func (k *Ints) Complete(ctx context.Context, n *model.Node) error {
	l, err := k.Load(ctx, nil)
	if err != nil {
		return err
	}
	n.Brief = usda.Plural(k.n, "integer", "integers")
	if err := k.Buffer.Complete(ctx, n); err != nil {
		return err
	}
	n.Problems = append(n.Problems, l.Problems...)
	return nil
}

// Load decodes the integers once, to find checkpoints and problems.
func (k *Ints) Load(ctx context.Context, progress model.Progress) (*List, error) {
	return k.list.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*List, error) {
		in, err := k.Inflate(ctx)
		if err != nil {
			return nil, err
		}
		l := newIntList(in.Src, k.n, k.width)
		l.damaged = len(in.Problems) > 0
		if err := l.scan(ctx, progress, k.keep); err != nil {
			return nil, err
		}
		if k.Scanned != nil && l.Good == l.n {
			k.Scanned(l.Range)
		}
		if r, ok := in.Src.Reader().(*source.CachedReader); ok && k.keep > 0 {
			r.Forget() // a table is in memory twice otherwise, and few look at how it is coded
		}
		return l, nil
	})
}

// Layout returns the root of the layout of the inflated source.
func (k *Ints) Layout(ctx context.Context, in *Inflated) (model.Node, error) {
	l, err := k.Load(ctx, nil)
	if err != nil {
		return model.Node{}, err
	}
	root := model.Node{
		Name: InflatedName, Type: "coded integers", Clause: usda.Clause("16.3.7.2.2"), Spans: []model.Span{in.Src.Whole()},
		Help: "a common delta, 2 bits for each integer, and the deltas that are not the common one",
	}
	if nodes := l.nodes(k.show); len(nodes) > 0 {
		root.Children = model.NewList(nodes...)
	}
	return root, nil
}

// A List is coded integers (5.3) over their inflated bytes.
type List struct {
	Src    *model.Source
	n      int64 // integers there should be
	Good   int64 // integers that could be decoded
	width  int64
	common int64
	deltas int64 // offset of the first delta
	used   int64 // bytes that the coding takes
	marks  []mark
	block  atomic.Pointer[codeBlock]
	Values model.Numbers      // of a table, until that takes them
	Range  model.IntegerRange // of the integers that could be decoded
	// damaged says that the source is not all that was compressed, which is reported elsewhere.
	damaged bool
	spare   uint8 // what is in the unused bits of the last byte of codes
	// Problems are those of the coding, not of the compression.
	Problems []model.Problem
}

// mark is the state before integer i·markEvery.
type mark struct {
	prev  int64 // the integer before it
	delta int64 // offset of its delta or the next one
}

func newIntList(src *model.Source, n, width int64) *List {
	return &List{Src: src, n: n, width: width, deltas: width + (n+3)/4}
}

// scan decodes all integers, and keeps so many.
func (l *List) scan(ctx context.Context, progress model.Progress, keep int64) error {
	if l.n == 0 {
		return nil
	}
	size := l.Src.Size()
	if size < l.deltas {
		l.used = size
		l.runOut(size, "the codes run out")
		return nil
	}
	if err := l.readCommon(ctx); err != nil {
		l.Problems = append(l.Problems, model.AsProblem(err, "usdc.integers.read", l.Src.Whole()))
		return nil
	}
	w := l.walk(0, l.n)
	kept, r := model.NumbersBuilder{}, model.NoIntegers
	var run [markEvery]int64
	for l.Good = 0; l.Good < l.n && l.Good%markEvery == 0; {
		l.marks = append(l.marks, mark{w.prev, w.delta})
		if l.Good%(1<<20) == 0 {
			progress.Report(l.Good, l.n, "integers")
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		n := w.run(ctx, run[:min(markEvery, l.n-l.Good)])
		r.Add(run[:n])
		for _, v := range run[:min(int64(n), max(keep-l.Good, 0))] {
			kept.Add(uint32(v))
		}
		if l.Good += int64(n); n == 0 {
			break
		}
	}
	l.Values, l.used, l.Range = kept.Numbers(), w.delta, r
	l.judge(w, l.wide(ctx))
	return nil
}

// wide returns the range of the first delta that a shorter code would give, among the integers before the second checkpoint, or no
// range: a writer that codes so does it everywhere.
func (l *List) wide(ctx context.Context) model.Span {
	for w := l.walk(0, min(l.Good, markEvery)); w.i < min(l.Good, markEvery) && w.next(ctx); {
		if w.isWide() {
			return l.Src.Span(w.from, w.size)
		}
	}
	return model.Span{}
}

// judge reports problems of a coding that w has read: the end of its bytes, unused bits, and wide, a delta that is too long.
func (l *List) judge(w *intWalk, wide model.Span) {
	if wide.Source != nil {
		l.Problems = append(l.Problems, model.Problemf(model.Assumed, "usdc.integers.width", wide, "an integer is coded in more bytes than it needs"))
	}
	if l.Good < l.n {
		l.used = l.Src.Size()
		if w.err != nil {
			l.Problems = append(l.Problems, model.AsProblem(w.err, "usdc.integers.read", l.Src.Whole()))
		} else {
			l.runOut(w.delta, "the deltas run out")
		}
		return
	}
	if at, ok := l.unused(); ok {
		if l.spare = w.lastCode >> (2 * (l.n % 4)); l.spare != 0 {
			l.Problems = append(l.Problems, model.Problemf(model.Suspicious, "usdc.integers.unused-bits", at,
				"bits after the last code are not 0").Want(0, l.spare))
		}
	}
}

func (l *List) runOut(at int64, what string) {
	if l.damaged {
		return
	}
	l.Problems = append(l.Problems, model.Problemf(model.Truncated, "usdc.integers.truncated", l.Src.Span(at, l.Src.Size()-at),
		"%s at integer %d of %d", what, l.Good, l.n))
}

func (l *List) readCommon(ctx context.Context) error {
	var b [8]byte
	if _, err := l.Src.ReadFull(ctx, b[:l.width], 0); err != nil {
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
	l        *List
	i        int64 // of the next integer
	prev     int64 // the value of the last integer
	step     int64 // from the integer before it
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

// from returns the bytes in memory from off on.
func (w *window) from(off int64) []byte {
	if !w.covers(off, 0) {
		return nil
	}
	return w.b[off-w.off:]
}

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
func (l *List) walk(k, n int64) *intWalk {
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
		if ok, w.err = w.codes.move(ctx, l.Src, at, 1, l.deltas); !ok {
			return false
		}
	}
	w.lastCode = w.codes.b[at-w.codes.off]
	w.size = deltaSize(w.lastCode>>(2*(w.i%4))&3, l.width)
	w.from = w.delta
	delta := l.common
	if w.size > 0 {
		if !w.bytes.covers(w.delta, w.size) {
			if ok, w.err = w.bytes.move(ctx, l.Src, w.delta, w.size, l.Src.Size()); !ok {
				return false
			}
		}
		delta = signed(w.bytes.b[w.delta-w.bytes.off:][:w.size])
	}
	w.delta += w.size
	w.step = delta
	w.prev += delta
	if l.width == 4 {
		w.prev = int64(int32(w.prev))
	}
	w.i++
	return true
}

// isWide reports whether the last integer has a delta of its own that a shorter code would give.
func (w *intWalk) isWide() bool {
	if w.size == 0 {
		return false
	}
	half, least := w.size*4, max(w.l.width/4, 1) // half the delta's bits, the bytes of the shortest delta
	return w.step == w.l.common || w.size > least && w.step>>(half-1) == w.step>>63
}

// run fills dst with the next integers and returns their number, which is smaller where the deltas run out or reading fails.
func (w *intWalk) run(ctx context.Context, dst []int64) int {
	for n := 0; ; {
		n += w.quick(dst[n:])
		if n == len(dst) || !w.next(ctx) {
			return n
		}
		dst[n] = w.prev
		n++
	}
}

// quick fills dst with the next integers, four at a time, while their codes and deltas are in memory, and returns their number.
func (w *intWalk) quick(dst []int64) (n int) {
	l := w.l
	codes, bytes := w.codes.from(l.width+w.i/4), w.bytes.from(w.delta)
	const most = 4 * 8 // bytes of four deltas
	if w.i%4 != 0 || len(codes) == 0 || len(bytes) < most {
		return 0
	}
	var sizes [4]int
	for code := range sizes {
		sizes[code] = int(deltaSize(uint8(code), l.width))
	}
	prev, common, narrow, at := w.prev, l.common, l.width == 4, 0
	for _, four := range codes[:min(len(codes), len(dst)/4)] {
		if len(bytes)-at < most {
			break
		}
		w.lastCode = four
		for range 4 {
			size := sizes[four&3]
			unused := uint(64-8*size) & 63
			delta := int64(binary.LittleEndian.Uint64(bytes[at:])<<unused) >> unused
			if size == 0 {
				delta = common
			}
			if prev += delta; narrow {
				prev = int64(int32(prev))
			}
			dst[n] = prev
			n++
			at += size
			four >>= 2
		}
	}
	w.prev, w.i, w.delta = prev, w.i+int64(n), w.delta+int64(at)
	return n
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

// Integer returns integer i < Good, sign-extended.
func (l *List) Integer(ctx context.Context, i int64) (int64, error) {
	w := l.walk(i/markEvery, i%markEvery+1)
	if !w.forward(ctx, i+1) {
		return 0, w.err
	}
	return w.prev, nil
}

// Place returns the delta of integer i, or its code bits if it has no delta of its own.
func (l *List) Place(ctx context.Context, i int64) model.Span {
	spans := l.Spans(ctx, i)
	return spans[len(spans)-1]
}

// Read fills dst with the integers from first on and returns their number.
func (l *List) Read(ctx context.Context, first int64, dst []int64) (int, error) {
	if first >= l.Good || len(dst) == 0 {
		return 0, nil
	}
	n := min(int64(len(dst)), l.Good-first)
	w := l.walk(first/markEvery, first%markEvery+n)
	if !w.forward(ctx, first) {
		return 0, w.err
	}
	const atOnce = 1 << 16
	for k := int64(0); k < n; {
		if err := ctx.Err(); err != nil {
			return int(k), err
		}
		end := min(k+atOnce, n)
		if k += int64(w.run(ctx, dst[k:end])); k < end {
			return int(k), w.err
		}
	}
	return int(n), nil
}

// Find returns the integer over the byte at off, or the first of the four that share a byte of codes.
func (l *List) Find(ctx context.Context, off int64) (int64, bool) {
	if off >= l.width && off < l.deltas {
		i := 4 * (off - l.width)
		return i, i < l.n
	}
	if off < l.deltas || off >= l.used {
		return 0, false
	}
	k := sort.Search(len(l.marks), func(k int) bool { return l.marks[k].delta > off }) - 1
	for w := l.walk(int64(k), markEvery); w.i < l.Good && w.next(ctx); {
		if off < w.delta {
			return w.i - 1, true
		}
	}
	return 0, false
}

// nodes makes the parts of the inflated source.
func (l *List) nodes(show Show) []model.Node {
	if l.n == 0 {
		rest, ok := l.leftover("the coding of no integers")
		if !ok {
			return nil
		}
		return []model.Node{rest}
	}
	head := min(l.width, l.Src.Size())
	nodes := []model.Node{{
		Name: "commonDelta", Type: l.typ(), Value: model.Int(l.common), Spans: []model.Span{l.Src.Span(0, head)},
		Help: "the difference to the integer before, of all integers whose code is 0",
	}, l.leaf(head, show)}
	if rest, ok := l.leftover("the coding of the integers"); ok {
		nodes = append(nodes, rest)
	}
	return nodes
}

// leftover returns the node of the bytes after the coding.
func (l *List) leftover(of string) (rest model.Node, ok bool) {
	rest, ok = Leftover(l.Src, l.used, l.Src.Size(), "usdc.integers.leftover", of)
	if l.damaged {
		rest.Problems = nil
	}
	return rest, ok
}

// leaf returns the node over codes and deltas, whose elements are the integers.
func (l *List) leaf(head int64, show Show) model.Node {
	return model.Node{
		Name: "integers", Type: l.typ() + "[]", Value: &intArray{l: l}, Elements: true,
		Spans: []model.Span{l.Src.Span(head, l.used-head)}, Problems: l.Problems,
		Help:     "first 2 bits for each integer, then a delta of 1 to 8 bytes for each whose bits are not 0",
		Children: l.elements(show),
	}
}

// elements makes the integers as nodes, and after them the unused bits of the last byte of codes.
func (l *List) elements(show Show) model.Children {
	count := l.n
	if l.Src.Size() < l.deltas {
		count = 0 // not all codes exist, so none can be found
	}
	rows := &model.Rows{
		Count: count,
		Make: func(ctx context.Context, i int64) model.Node {
			if i < l.Good {
				return l.Element(ctx, i, show)
			}
			return model.Node{
				Name: model.IndexName(i), Type: l.typ(), Brief: "missing", Spans: []model.Span{l.code(i)},
				Help: "its code is there, but its delta or that of an integer before it is not",
			}
		},
		ByByte: func(ctx context.Context, src *model.Source, off int64) (int64, bool) {
			if src != l.Src {
				return 0, false
			}
			return l.Find(ctx, off)
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

// unused returns the bits of the last byte of codes that no integer has, and false if all are used.
func (l *List) unused() (at model.Span, ok bool) {
	taken := 2 * (l.n % 4)
	at = l.Src.Span(l.deltas-1, 1)
	at.Mask = 0xFF << taken & 0xFF
	return at, taken != 0
}

// code returns the two bits of the code of integer i.
func (l *List) code(i int64) model.Span {
	s := l.Src.Span(l.width+i/4, 1)
	s.Mask = 3 << (2 * (i % 4))
	return s
}

func (l *List) typ() string { return fmt.Sprintf("i%d", 8*l.width) }

// Element returns the node of integer i < Good.
func (l *List) Element(ctx context.Context, i int64, show Show) model.Node {
	n := model.Node{Name: model.IndexName(i), Type: l.typ(), Spans: l.Spans(ctx, i)}
	v, err := l.Integer(ctx, i)
	if err != nil {
		n.Problems = []model.Problem{ProblemAt(err, n.Spans[len(n.Spans)-1])}
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
	l *List
}

var _ model.Array = (*intArray)(nil)

func (a *intArray) Elem() string { return a.l.typ() }

func (a *intArray) Len() int64 { return a.l.Good }

func (a *intArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	ints := make([]int64, len(dst))
	n, err := a.l.Read(ctx, first, ints)
	for k, v := range ints[:n] {
		dst[k] = model.Int(v)
	}
	return n, err
}
