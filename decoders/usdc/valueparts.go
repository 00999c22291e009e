package usdc

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"cutaway/model"
)

// A part is one field of a value that lies at an offset, in the order of the file. A value is the run of its parts;
// jumps (chapter 12) may leave room between two of them for the data of nested values.
type part struct {
	off, len int64
	raw      uint64 // the number that it holds, of at most 8 bytes
	kind     partKind
	list     uint8 // of a list op: 1 + the index in listOrder
	item     int32 // of a list, of a spline's custom data; -1: of none
	entry    int32 // of a dictionary; -1: of none
}

func (p *part) end() int64 { return p.off + p.len }

// partKind says which field a part is.
type partKind uint8

const (
	partWhole     partKind = iota // a value of fixed size
	partRank                      // arrays below 0.5.0
	partCount                     // of elements, items or entries
	partElements                  // fixed-size elements, one behind the other
	partCode                      // how floats are coded
	partTableSize                 // of the lookup table of coded floats
	partTable                     // its elements
	partCoded                     // coded integers: a size and a chunk container
	partBits                      // which lists a list op has
	partKey                       // of a dictionary's entry
	partJump                      // an indirection
	partTimesJump                 // the one to the times of TimeSamples
	partRepsJump                  // the one to their values
	partRep                       // of a nested value
	partAssetPath
	partPrimPath
	partOffset
	partScale
	partTimesRep // of the times of TimeSamples
	partReps     // of the values of TimeSamples
	partLiterals // of an array edit
	partInstructions
	partDense
	partKnotBytes // of a spline: the size of the knot data
	partHeader1
	partHeader2
	partHeader3
	partPreBoundary
	partPostBoundary
	partPreSlope
	partPostSlope
	partLoopStart
	partLoopEnd
	partLoopsBefore
	partLoopsAfter
	partLoopOffset
	partKnotCount
	partKnots
	partSpare     // what the spline data does not use
	partDataCount // of the knots that have custom data
	partKnotTime
)

// partInfo is how a part is shown.
type partInfo struct {
	name, typ, help string
}

var partInfos = [...]partInfo{
	partWhole:        {"value", "", ""},
	partRank:         {"rank", "u32", "always 1, ignored; below 0.5.0 only"},
	partCount:        {"count", "u64", "number of what follows"},
	partElements:     {"elements", "", ""},
	partCode:         {"code", "u8", "how the numbers are coded: i as integers, t by a lookup table"},
	partTableSize:    {"tableSize", "u32", "number of elements in the lookup table"},
	partTable:        {"table", "", "the distinct elements, which the coded integers index"},
	partCoded:        {"integers", "cints", "compressed integers: their size and a chunk container (5.2 to 5.4)"},
	partBits:         {"bits", "u8", "which lists follow"},
	partKey:          {"key", "StringIndex", "name of the entry"},
	partJump:         {"jump", "i64", "from its own first byte to the rep of the nested value"},
	partTimesJump:    {"timesJump", "i64", "from its own first byte to the rep of the times"},
	partRepsJump:     {"valuesJump", "i64", "from its own first byte to the number of values"},
	partRep:          {"value", "value rep", ""},
	partAssetPath:    {"assetPath", "StringIndex", "the layer; empty: this one"},
	partPrimPath:     {"primPath", "PathIndex", "the prim; the empty path: the layer's default prim"},
	partOffset:       {"offset", "f64", "layer offset: added to times"},
	partScale:        {"scale", "f64", "layer offset: times are multiplied with it"},
	partTimesRep:     {"times", "value rep", "the sample times: a DoubleVector, often shared"},
	partReps:         {"values", "value rep", "one rep for each time"},
	partLiterals:     {"literals", "value rep", "array of the values that the instructions write"},
	partInstructions: {"instructions", "value rep", "int64 array of operations and their arguments"},
	partDense:        {"dense", "u8", "1: the edit is a whole array"},
	partKnotBytes:    {"knotDataSize", "u64", "size in bytes of the knot data that follow; 0: an empty spline"},
	partHeader1:      {"header1", "u8", "data version, value type and curve type"},
	partHeader2:      {"header2", "u8", "extrapolation and loops"},
	partHeader3:      {"header3", "u8", "which loop boundary times follow"},
	partPreBoundary:  {"preLoopBoundary", "f64", "time up to which the loop before the knots runs"},
	partPostBoundary: {"postLoopBoundary", "f64", "time up to which the loop behind the knots runs"},
	partPreSlope:     {"preSlope", "f64", "slope before the first knot"},
	partPostSlope:    {"postSlope", "f64", "slope behind the last knot"},
	partLoopStart:    {"loopStart", "f64", "time at which the inner loop's prototype begins"},
	partLoopEnd:      {"loopEnd", "f64", "time at which the inner loop's prototype ends"},
	partLoopsBefore:  {"loopsBefore", "i32", "copies before the prototype"},
	partLoopsAfter:   {"loopsAfter", "i32", "copies behind the prototype"},
	partLoopOffset:   {"loopValueOffset", "f64", "added to the values with each copy"},
	partKnotCount:    {"knotCount", "u32", "number of knots that follow"},
	partKnots:        {"knots", "knot", "the spline's knots"},
	partSpare:        {"spare", "bytes", "what no knot uses"},
	partDataCount:    {"customDataCount", "u64", "number of knots with custom data"},
	partKnotTime:     {"time", "f64", "time of the knot that the dictionary belongs to"},
}

// name is the part's name in the layout.
func (p *part) name() string {
	name := partInfos[p.kind].name
	if p.kind == partElements && p.list > 0 {
		name = "items"
	}
	if p.entry >= 0 {
		name = fmt.Sprintf("[%d].%s", p.entry, name)
	}
	switch {
	case p.list == 0 && p.item < 0:
		return name
	case p.list == 0:
		return dotted(fmt.Sprintf("customData[%d]", p.item), name)
	case p.item < 0:
		return listOrder[p.list-1].name + "." + name
	}
	in := fmt.Sprintf("%s[%d]", listOrder[p.list-1].name, p.item)
	if p.entry >= 0 || p.kind == partCount {
		in += ".customData"
	}
	return dotted(in, name)
}

func dotted(a, b string) string {
	if b[0] == '[' {
		return a + b
	}
	return a + "." + b
}

// minimal sizes of what a count counts, in bytes (chapter 15).
const (
	entrySize     = 4 + 8 + 8         // a dictionary's entry with the least jump
	nestedSize    = 8 + 8             // a jump and a rep
	referenceSize = 4 + 4 + 8 + 8 + 8 // with an empty dictionary
	knotDataSize  = 8 + 8             // a time and an empty dictionary
	shortArray    = 16                // elements from which on a compressed array is
)

// maxParts bounds what one value may take in memory when it is taken apart.
const maxParts = 1 << 20

// A nearby reads small numbers one after another from a source without a read for each.
type nearby struct {
	src *model.Source
	at  int64
	n   int
	buf [256]byte
}

// get returns the n ≤ 8 bytes at off, valid until the next call.
func (w *nearby) get(ctx context.Context, off int64, n int) ([]byte, error) {
	if i := off - w.at; i >= 0 && i+int64(n) <= int64(w.n) {
		return w.buf[i : i+int64(n)], nil
	}
	want := min(int64(len(w.buf)), w.src.Size()-off)
	got, err := w.src.ReadFull(ctx, w.buf[:max(want, int64(n))], off)
	w.at, w.n = off, got
	if got < n {
		return nil, err
	}
	return w.buf[:n], nil
}

// u64 is the number at off.
func (w *nearby) u64(ctx context.Context, off int64) (uint64, error) {
	b, err := w.get(ctx, off, 8)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b), nil
}

// walker goes through the parts of one value.
type walker struct {
	c        *crate
	in       *nearby
	r        rep
	at       int64 // of the next part
	end      int64 // where the parts must end
	visit    func(p *part) bool
	part     part // the one that is visited
	list     uint8
	item     int32
	entry    int32
	problems []model.Problem
}

// walk visits the parts of the value at r's payload, in the order of the file, until visit returns false, and
// returns what is wrong with them. r must lie outside its rep. in serves a run of walks. A part that is visited is
// good until the next one.
func (c *crate) walk(ctx context.Context, in *nearby, r rep, visit func(p *part) bool) []model.Problem {
	w := walker{c: c, in: in, r: r, at: r.payload(), end: c.size, visit: visit, item: -1, entry: -1}
	switch c.form(r) {
	case formArray:
		w.array(ctx)
	case formEdit:
		_ = w.number(ctx, partLiterals, 8) && w.number(ctx, partInstructions, 8) && w.number(ctx, partDense, 1)
	case formAt:
		w.value(ctx)
	}
	return w.problems
}

// value walks a value of a type that is no array.
func (w *walker) value(ctx context.Context) {
	t := w.r.typ()
	info := t.info()
	switch t {
	case typeDictionary:
		w.dictionary(ctx)
	case typeValue, typeUnregisteredValue:
		w.nested(ctx)
	case typeTokenListOp, typeStringListOp, typePathListOp, typeReferenceListOp, typeIntListOp, typeInt64ListOp,
		typeUIntListOp, typeUInt64ListOp, typeUnregisteredValueListOp, typePayloadListOp:
		w.listOp(ctx)
	case typePathVector, typeTokenVector, typeStringVector, typeDoubleVector, typeLayerOffsetVector, typeRelocates,
		typeVariantSelectionMap:
		w.vec(ctx, info.elem.size())
	case typePayload:
		w.payload(ctx)
	case typeTimeSamples:
		w.timeSamples(ctx)
	case typeSpline:
		w.spline(ctx)
	default:
		w.run(partWhole, info.elem.size())
	}
}

// where is the range of n bytes at off as far as the file has it.
func (w *walker) where(off, n int64) model.Span {
	return w.c.src.Span(off, max(min(n, w.c.size-off), 0))
}

// fail ends the walk with a problem and is false.
func (w *walker) fail(p model.Problem) bool {
	w.problems = append(w.problems, p)
	return false
}

// emit hands the part of n bytes at w.at to the visitor.
func (w *walker) emit(kind partKind, n int64, raw uint64) bool {
	w.part = part{off: w.at, len: n, raw: raw, kind: kind, list: w.list, item: w.item, entry: w.entry}
	w.at += n
	return w.visit(&w.part)
}

// run is a part of n bytes that is not looked at; one that the file does not hold is cut.
func (w *walker) run(kind partKind, n int64) bool {
	if left := w.end - w.at; n > left {
		at := w.where(w.at, n)
		if left > 0 {
			w.emit(kind, left, 0)
		}
		return w.fail(model.Problemf(model.Truncated, "usdc.value.truncated", at,
			"%s of %s: the bytes end inside it", partInfos[kind].name, w.c.typeName(w.r)).
			Want(fmt.Sprintf("%d bytes", n), fmt.Sprintf("%d", max(left, 0))))
	}
	return w.emit(kind, n, 0)
}

// number is a part that is a number of size ≤ 8 bytes.
func (w *walker) number(ctx context.Context, kind partKind, size int) bool {
	_, ok := w.read(ctx, kind, size)
	return ok
}

func (w *walker) read(ctx context.Context, kind partKind, size int) (uint64, bool) {
	if int64(size) > w.end-w.at {
		return 0, w.run(kind, int64(size))
	}
	var b [8]byte
	got, err := w.in.get(ctx, w.at, size)
	if err != nil {
		return 0, w.fail(model.AsProblem(err, "usdc.read", w.where(w.at, int64(size))))
	}
	copy(b[:], got)
	raw := binary.LittleEndian.Uint64(b[:])
	return raw, w.emit(kind, int64(size), raw)
}

// counted reads a count of things of at least size bytes each and checks it against the bytes left.
func (w *walker) counted(ctx context.Context, kind partKind, width int, size int64) (int64, bool) {
	at := w.at
	n, ok := w.read(ctx, kind, width)
	if !ok {
		return 0, false
	}
	if room := (w.end - w.at) / size; n > uint64(room) {
		return 0, w.fail(model.Problemf(model.Truncated, "usdc.value.count", w.where(at, int64(width)),
			"%s: a count of %d things of %d bytes or more needs more bytes than follow", w.c.typeName(w.r), n, size).
			Want(fmt.Sprintf("at most %d", room), n))
	}
	return int64(n), true
}

// vec is a u64 count and elements of size bytes each.
func (w *walker) vec(ctx context.Context, size int64) bool {
	n, ok := w.counted(ctx, partCount, 8, size)
	return ok && (n == 0 || w.emit(partElements, n*size, uint64(n)))
}

// nested is a jump and the rep of a nested value behind it (12.1).
func (w *walker) nested(ctx context.Context) bool {
	return w.jump(ctx, partJump) && w.number(ctx, partRep, 8)
}

// jump follows an indirection. It must lead forward, over at least itself, so that every walk ends.
func (w *walker) jump(ctx context.Context, kind partKind) bool {
	p := w.at
	raw, ok := w.read(ctx, kind, 8)
	if !ok {
		return false
	}
	j := int64(raw)
	if j < 8 || j > w.c.size-p {
		return w.fail(model.Problemf(model.Malformed, "usdc.value.jump", w.c.src.Span(p, 8),
			"%s: a jump leads to offset %s", w.c.typeName(w.r), jumpTarget(p, j)).
			Want(fmt.Sprintf("8 to %d", w.c.size-p), j))
	}
	w.at = p + j
	return true
}

// jumpTarget is p + j in words, also where the sum has no int64.
func jumpTarget(p, j int64) string {
	if j > math.MaxInt64-p {
		return "beyond any file"
	}
	return fmt.Sprint(p + j)
}

// dictionary is a dictionary's body (12.2).
func (w *walker) dictionary(ctx context.Context) bool {
	n, ok := w.counted(ctx, partCount, 8, entrySize)
	for i := int64(0); ok && i < n; i++ {
		w.entry = int32(i)
		ok = w.number(ctx, partKey, 4) && w.nested(ctx)
	}
	w.entry = -1
	return ok
}

// payload is a payload: asset path, prim path and, from 0.8.0, a layer offset (12.5).
func (w *walker) payload(ctx context.Context) bool {
	return w.number(ctx, partAssetPath, 4) && w.number(ctx, partPrimPath, 4) && (w.c.before(8, 0) || w.layerOffset(ctx))
}

func (w *walker) layerOffset(ctx context.Context) bool {
	return w.number(ctx, partOffset, 8) && w.number(ctx, partScale, 8)
}

// reference is an item of a ReferenceListOp (12.4).
func (w *walker) reference(ctx context.Context) bool {
	return w.number(ctx, partAssetPath, 4) && w.number(ctx, partPrimPath, 4) && w.layerOffset(ctx) && w.dictionary(ctx)
}

// timeSamples are two indirections: to the rep of the times and to the reps of the values (12.7).
func (w *walker) timeSamples(ctx context.Context) bool {
	if !w.jump(ctx, partTimesJump) || !w.number(ctx, partTimesRep, 8) || !w.jump(ctx, partRepsJump) {
		return false
	}
	n, ok := w.counted(ctx, partCount, 8, 8)
	return ok && (n == 0 || w.emit(partReps, 8*n, uint64(n)))
}

// taken is a value taken apart.
type taken struct {
	r        rep
	parts    []part
	problems []model.Problem

	knotsOnce sync.Once
	knots     *knotList // of a spline, when it was asked for
}

// takeApart returns the parts of the value of r, which must lie outside its rep. Structured values are kept for a
// while, since looking at one asks for its parts many times.
func (c *crate) takeApart(ctx context.Context, r rep) *taken {
	r = c.normal(r)
	if c.form(r) != formAt || r.typ().info().array {
		return c.partsOf(ctx, r)
	}
	return c.values.recent.get(r, func() *taken { return c.partsOf(ctx, r) })
}

func (c *crate) partsOf(ctx context.Context, r rep) *taken {
	t := &taken{r: r}
	in := nearby{src: c.src}
	t.problems = c.walk(ctx, &in, r, func(p *part) bool {
		t.parts = append(t.parts, *p)
		return len(t.parts) < maxParts
	})
	if len(t.parts) >= maxParts {
		t.problems = append(t.problems, model.Problemf(model.Assumed, "usdc.value.too-many-parts",
			c.src.Span(r.payload(), min(8, c.size-r.payload())),
			"the value has more than %d fields; the rest is not taken apart", maxParts))
	}
	return t
}

// spans are the ranges of the value's parts, those that touch made one.
func (t *taken) spans(src *model.Source) []model.Span {
	var spans []model.Span
	for i := range t.parts {
		p := &t.parts[i]
		if n := len(spans); n > 0 && spans[n-1].End() == p.off {
			spans[n-1].Len += p.len
			continue
		}
		spans = append(spans, src.Span(p.off, p.len))
	}
	return spans
}

// find returns the first part of a kind, or nil.
func (t *taken) find(kind partKind) *part {
	for i := range t.parts {
		if t.parts[i].kind == kind {
			return &t.parts[i]
		}
	}
	return nil
}
