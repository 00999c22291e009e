package udm

import (
	"bytes"
	"context"
	"sort"
	"strconv"
	"sync/atomic"

	"cutaway/model"
)

// tokenKind is what a token is.
type tokenKind uint8

const (
	tkMark         tokenKind = iota // byte-order mark
	tkSpace                         // white space
	tkLineComment                   // to the end of the line
	tkBlockComment                  // /* … */
	tkControl                       // one of the control characters
	tkQuoted                        // a word in quotation marks
	tkBare                          // a word
	tkData                          // base64
	tkJunk                          // what the grammar has no place for
)

// gap tells whether the token only stands between others.
func (k tokenKind) gap() bool { return k <= tkBlockComment }

// groupKind is what a group of tokens is to the grammar (8.3).
type groupKind uint8

const (
	gFile    groupKind = iota
	gEntry             // a property, or a child element with its name
	gBlock             // { entries }
	gShape             // < members >
	gHeader            // [ … ] that says what items an array has
	gPrefix            // [ … ] before the data of a compressed blob or a UTF-8 text
	gData              // [ base64 ]
	gNumbers           // [ numbers ], which may stand in inner brackets
	gInner             // such inner brackets
	gMembers           // [ values ] of a struct
	gItems             // [ items ] of an array
	gItem              // an item of several groups: an array in an array, lz4, utf8
)

// group is a run of tokens. Groups stand in the order of their first tokens, outer ones first.
type group struct {
	first, end uint32 // tokens: end is behind the last
	after      uint32 // the first group behind those inside
	count      uint32 // entries of a block, items of a list, numbers with those of inner brackets
	kind       groupKind
	typ        typeID // of an entry, of the items of a list; else tNil
}

// index is what a scan of a text found: its tokens and groups, as flat arrays. The tokens tile the text.
type index struct {
	src    *model.Source
	size   int64    // of what is indexed; less than the source's where it is too large
	offs   []uint32 // where each token begins
	kinds  []tokenKind
	groups []group
	faults []fault // in the order of their tokens
	lines  []place // for every lineRun bytes, what is before it
	recent atomic.Pointer[run]
}

// run is lineRun bytes, or fewer at the end. The last one is kept: neighbours are asked for one after the other.
type run struct {
	k     int64
	bytes []byte
}

// maxIndexed is the largest text that the index reaches over, in bytes.
const maxIndexed = 1<<32 - 1

// place is where a run of bytes begins: how many lines are before it, and where the last of them begins.
type place struct{ line, start uint32 }

const lineRun = 512

// fault is something wrong that the scan saw at a token.
type fault struct {
	token uint32
	next  uint32 // the token that was next when the scan saw it
	code  faultCode
}

func (x *index) tokens() uint32 { return uint32(len(x.offs)) }

// off is where token i begins; that of the number of tokens is the end.
func (x *index) off(i uint32) int64 {
	if i < x.tokens() {
		return int64(x.offs[i])
	}
	return x.size
}

func (x *index) span(first, end uint32) model.Span {
	return x.src.Span(x.off(first), x.off(end)-x.off(first))
}

func (x *index) tokenSpan(i uint32) model.Span { return x.span(i, i+1) }

func (x *index) groupSpan(g uint32) model.Span { return x.span(x.groups[g].first, x.groups[g].end) }

// raw is the text of token i as it stands; at most maxText bytes of it.
func (x *index) raw(ctx context.Context, i uint32) string {
	at := x.tokenSpan(i)
	b, err := x.src.Bytes(ctx, at.Off, min(at.Len, maxText))
	if err != nil {
		return ""
	}
	return string(b)
}

// word is what token i says.
func (x *index) word(ctx context.Context, i uint32) string { return unquote(x.raw(ctx, i)) }

// control tells whether token i is that control character.
func (x *index) control(ctx context.Context, i uint32, c byte) bool {
	return x.kinds[i] == tkControl && x.first(ctx, i) == c
}

func (x *index) first(ctx context.Context, i uint32) byte {
	var b [1]byte
	if _, err := x.src.ReadFull(ctx, b[:], x.off(i)); err != nil {
		return 0
	}
	return b[0]
}

// tokenOver is the token over a byte.
func (x *index) tokenOver(off int64) uint32 {
	return uint32(sort.Search(len(x.offs), func(i int) bool { return int64(x.offs[i]) > off })) - 1
}

// line is the line and column of a byte, both from 1 on; columns count bytes.
func (x *index) line(ctx context.Context, off int64) (line, column int64) {
	if len(x.lines) == 0 {
		return 1, off + 1
	}
	k := min(off/lineRun, int64(len(x.lines))-1)
	line, start := int64(x.lines[k].line), int64(x.lines[k].start)
	b, err := x.before(ctx, k, off)
	if err != nil {
		return line + 1, off - start + 1
	}
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		line, start = line+int64(bytes.Count(b, []byte{'\n'})), k*lineRun+int64(i)+1
	}
	return line + 1, off - start + 1
}

// before is the bytes from the start of run k to off.
func (x *index) before(ctx context.Context, k, off int64) ([]byte, error) {
	n := off - k*lineRun
	if kept := x.recent.Load(); kept != nil && kept.k == k && n <= int64(len(kept.bytes)) {
		return kept.bytes[:n], nil
	}
	b, err := x.src.Bytes(ctx, k*lineRun, min(max(n, lineRun), x.src.Size()-k*lineRun))
	if err != nil || n > int64(len(b)) {
		return x.src.Bytes(ctx, k*lineRun, n)
	}
	x.recent.Store(&run{k, b})
	return b[:n], nil
}

// lineText is where a byte stands, in words.
func (x *index) lineText(ctx context.Context, off int64) string {
	line, column := x.line(ctx, off)
	return "line " + strconv.FormatInt(line, 10) + ", column " + strconv.FormatInt(column, 10)
}

// faultsAt lists what the scan found wrong at token i.
func (x *index) faultsAt(i uint32) []fault {
	from := sort.Search(len(x.faults), func(k int) bool { return x.faults[k].token >= i })
	to := from
	for to < len(x.faults) && x.faults[to].token == i {
		to++
	}
	return x.faults[from:to]
}

// found is the text that a fault is about: its token, or what stands where something else is expected.
func (x *index) found(ctx context.Context, f fault) string {
	i := f.token
	if faultText[f.code].next {
		for i = f.next; i < x.tokens() && x.kinds[i].gap(); {
			i++
		}
	}
	if i >= x.tokens() {
		return "the end of the text"
	}
	return foundText(ctx, x.raw(ctx, i))
}

// child is a child of a group: a token, or a group where the top bit is set.
type child uint32

const isGroup = 1 << 31

func (c child) group() (uint32, bool) { return uint32(c &^ isGroup), c&isGroup != 0 }

// children lists the children of a group, gaps included.
func (x *index) children(g uint32) []child {
	var list []child
	outer := &x.groups[g]
	sub := g + 1
	for t := outer.first; t < outer.end; {
		if sub < outer.after && x.groups[sub].first == t {
			list = append(list, child(sub|isGroup))
			t, sub = x.groups[sub].end, x.groups[sub].after
			continue
		}
		list = append(list, child(t))
		t++
	}
	return list
}
