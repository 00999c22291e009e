package udm

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"

	"cutaway/model"
)

// tokenKind is what a token is to the grammar (8.2, 8.3). The parser knows it, and all else goes by what it says.
type tokenKind uint8

const (
	tkMark         tokenKind = iota // byte-order mark
	tkSpace                         // white space
	tkLineComment                   // to the end of the line
	tkBlockComment                  // /* … */
	tkControl                       // one of the control characters
	tkJunk                          // what the grammar has no place for
	tkBase64                        // data
	tkType                          // the words: the name of a type
	tkKey                           // of a property or child element
	tkValue                         // of a property, an item, a member, or one of its numbers
	tkCount                         // how many items a header announces
	tkSize                          // how many bytes a block of a header gives
	tkEncoding                      // of a UTF-8 text
	tkMemberName                    // of a struct
)

// gap reports whether the token only separates others.
func (k tokenKind) gap() bool { return k <= tkBlockComment }

func (k tokenKind) word() bool { return k >= tkType }

// tokenNames are the names of nodes; those of gaps and junk have a number too.
var tokenNames = [...]string{
	tkMark: "mark", tkSpace: "space", tkLineComment: "comment", tkBlockComment: "comment", tkJunk: "junk", tkBase64: "base64",
	tkType: "type", tkKey: "key", tkValue: "value", tkCount: "count", tkSize: "uncompressedSize", tkEncoding: "encoding",
	tkMemberName: "name",
}

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
	gNumbers           // [ numbers ], some of which may be in inner brackets
	gInner             // such inner brackets
	gMembers           // [ values ] of a struct
	gItems             // [ items ] of an array
	gItem              // an item of several groups: an array in an array, lz4, utf8
)

// lists reports whether a group's values are named by their number or key.
func (k groupKind) lists() bool {
	switch k {
	case gFile, gBlock, gNumbers, gInner, gMembers, gItems:
		return true
	}
	return false
}

// groupNames are the names of the nodes of groups that are not in lists.
var groupNames = [...]string{
	gEntry: "value", gBlock: "block", gShape: "shape", gHeader: "header", gPrefix: "header", gData: "data", gNumbers: "value",
	gInner: "value", gMembers: "value", gItems: "items", gItem: "value",
}

// group is a run of tokens. Groups are in the order of their first tokens, outer ones first.
type group struct {
	first, end uint32 // tokens: end is after the last
	after      uint32 // the first group after those inside
	count      uint32 // entries of a block, items of a list, numbers with those of inner brackets
	kind       groupKind
	typ        typeID // of an entry, of the items of a list; else tNil
}

// index is what the parser found in a text: its tokens and groups, as flat arrays. The tokens tile the text. A token
// takes little more than a byte, as a text of hundreds of MB has as many.
type index struct {
	src    *model.Source
	size   int64               // of what is indexed; less than the source's where it is too large or cannot be read
	failed error               // why it cannot be read
	cut    bool                // a limit ended it
	tokens model.Chunks[uint8] // kind, and in the upper 4 bits the length; 0: it is in long
	starts model.Chunks[uint32]
	long   model.Chunks[longToken]
	groups model.Chunks[group]
	faults []fault             // in the order of their tokens
	deep   []fault             // of those, what is nested too deep
	odd    []uint32            // tokens that make the groups around them odd, in their order
	allOdd bool                // there are too many of them
	lines  model.Chunks[place] // for every lineRun bytes, what is before it
	recent atomic.Pointer[run]
}

// startEvery is how many tokens share a known start.
const startEvery = 32

// longToken is a token of 16 bytes or more.
type longToken struct{ token, length uint32 }

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

// fault is something wrong that the parser saw at a token.
type fault struct {
	token uint32
	next  uint32 // the token that was next when the parser saw it
	group uint32 // the innermost group around it
	code  faultCode
}

func (x *index) count() uint32 { return uint32(x.tokens.Len()) }

func (x *index) kind(i uint32) tokenKind { return tokenKind(*x.tokens.At(int64(i)) & 15) }

func (x *index) group(g uint32) *group { return x.groups.At(int64(g)) }

// add appends a token that begins at an offset.
func (x *index) add(kind tokenKind, off, length int64) {
	i := x.tokens.Len()
	if i%startEvery == 0 {
		x.starts.Add(uint32(off))
	}
	if length > 15 {
		x.long.Add(longToken{uint32(i), uint32(length)})
		length = 0
	}
	x.tokens.Add(uint8(length)<<4 | uint8(kind))
}

// bytes is about how much memory the index takes, and the names of the entries when they are found.
func (x *index) bytes() int64 {
	return x.tokens.Len() + 4*x.starts.Len() + 8*x.long.Len() + (20+12)*x.groups.Len() + 8*x.lines.Len()
}

func (x *index) length(i uint32) int64 {
	if n := *x.tokens.At(int64(i)) >> 4; n > 0 {
		return int64(n)
	}
	k := sort.Search(int(x.long.Len()), func(k int) bool { return x.long.At(int64(k)).token >= i })
	return int64(x.long.At(int64(k)).length)
}

// off is where token i begins; that of the number of tokens is the end.
func (x *index) off(i uint32) int64 {
	if i >= x.count() {
		return x.size
	}
	off := int64(*x.starts.At(int64(i / startEvery)))
	for k := i - i%startEvery; k < i; k++ {
		off += x.length(k)
	}
	return off
}

// tokenOver is the token over a byte.
func (x *index) tokenOver(off int64) uint32 {
	k := sort.Search(int(x.starts.Len()), func(k int) bool { return int64(*x.starts.At(int64(k))) > off }) - 1
	i := uint32(max(k, 0) * startEvery)
	for end := x.off(i); i+1 < x.count(); i++ {
		if end += x.length(i); end > off {
			break
		}
	}
	return i
}

func (x *index) span(first, end uint32) model.Span {
	return x.src.Span(x.off(first), x.off(end)-x.off(first))
}

func (x *index) tokenSpan(i uint32) model.Span { return x.src.Span(x.off(i), x.length(i)) }

func (x *index) groupSpan(g uint32) model.Span { return x.span(x.group(g).first, x.group(g).end) }

// raw is the text of token i as it is written; at most maxText bytes of it.
func (x *index) raw(ctx context.Context, i uint32) string {
	at := x.tokenSpan(i)
	b, err := x.src.Bytes(ctx, at.Off, min(at.Len, maxText))
	if err != nil {
		return ""
	}
	return string(b)
}

// text is what token i says.
func (x *index) text(ctx context.Context, i uint32) string { return unquote(x.raw(ctx, i)) }

// line is the line and column of a byte, both from 1 on; columns count bytes.
func (x *index) line(ctx context.Context, off int64) (line, column int64) {
	if x.lines.Len() == 0 {
		return 1, off + 1
	}
	k := min(off/lineRun, x.lines.Len()-1)
	line, start := int64(x.lines.At(k).line), int64(x.lines.At(k).start)
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

// lineText is where a byte is, in words.
func (x *index) lineText(ctx context.Context, off int64) string {
	line, column := x.line(ctx, off)
	return "line " + strconv.FormatInt(line, 10) + ", column " + strconv.FormatInt(column, 10)
}

// faultsIn lists what the parser found wrong at some tokens.
func (x *index) faultsIn(first, end uint32) []fault {
	from := sort.Search(len(x.faults), func(k int) bool { return x.faults[k].token >= first })
	to := from
	for to < len(x.faults) && x.faults[to].token < end {
		to++
	}
	return x.faults[from:to]
}

// problem is a fault in words.
func (x *index) problem(ctx context.Context, f fault) model.Problem {
	text := &faultText[f.code]
	i := f.token
	if text.next {
		for i = f.next; i < x.count() && x.kind(i).gap(); {
			i++
		}
	}
	found := "the end of the text"
	if i < x.count() {
		found = foundText(ctx, x.raw(ctx, i))
	}
	at := x.tokenSpan(f.token)
	if f.code == faultStrange {
		if i := strings.IndexFunc(x.raw(ctx, f.token), func(c rune) bool { return c < 256 && classes[c] == strange }); i >= 0 {
			at = x.src.Span(at.Off+int64(i), 1)
		}
	}
	return model.Problem{Rule: text.rule, Kind: text.kind, Span: at, Expected: text.expected, Found: found, Message: text.message}
}

// plain reports whether nothing is wrong with a group and all in it, and nothing is to be decoded in it.
func (x *index) plain(g uint32) bool {
	o := x.group(g)
	k, _ := slices.BinarySearch(x.odd, o.first)
	return !x.allOdd && (k == len(x.odd) || x.odd[k] >= o.end)
}
