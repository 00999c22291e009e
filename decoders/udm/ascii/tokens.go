package ascii

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"

	"cutaway/decoders/udm/types"
	"cutaway/model"
	"cutaway/source"
)

// TokenKind is a kind of token of the grammar (8.2, 8.3), which the parser sets.
type TokenKind uint8

// The kinds of tokens.
const (
	TokenMark         TokenKind = iota // byte-order mark
	TokenSpace                         // white space
	TokenLineComment                   // to the end of the line
	TokenBlockComment                  // /* … */
	TokenControl                       // one of the control characters
	TokenJunk                          // what the grammar has no place for
	TokenBase64                        // data
	TokenType                          // the words: the name of a type
	TokenKey                           // of a property or child element
	TokenValue                         // of a property, an item, a member, or one of its numbers
	TokenCount                         // how many items a header announces
	TokenSize                          // how many bytes a block of a header gives
	TokenEncoding                      // of a UTF-8 text
	TokenMemberName                    // of a struct
)

// Gap reports whether the token only separates others.
func (k TokenKind) Gap() bool { return k <= TokenBlockComment }

// Word reports whether the token is a word of the grammar.
func (k TokenKind) Word() bool { return k >= TokenType }

// TokenNames are the names of nodes; those of gaps and junk have a number too.
var TokenNames = [...]string{
	TokenMark: "mark", TokenSpace: "space", TokenLineComment: "comment", TokenBlockComment: "comment", TokenJunk: "junk", TokenBase64: "base64",
	TokenType: "type", TokenKey: "key", TokenValue: "value", TokenCount: "count", TokenSize: "uncompressedSize", TokenEncoding: "encoding",
	TokenMemberName: "name",
}

// GroupKind is a kind of group of the grammar (8.3).
type GroupKind uint8

// The kinds of groups.
const (
	GroupFile    GroupKind = iota
	GroupEntry             // a property, or a child element with its name
	GroupBlock             // { entries }
	GroupShape             // < members >
	GroupHeader            // [ … ] that says what items an array has
	GroupPrefix            // [ … ] before the data of a compressed blob or a UTF-8 text
	GroupData              // [ base64 ]
	GroupNumbers           // [ numbers ], some perhaps in inner brackets
	GroupInner             // such inner brackets
	GroupMembers           // [ values ] of a struct
	GroupItems             // [ items ] of an array
	GroupItem              // an item of several groups, such as an array in an array
)

// Lists reports whether a group's values are named by their number or key.
func (k GroupKind) Lists() bool {
	switch k {
	case GroupFile, GroupBlock, GroupNumbers, GroupInner, GroupMembers, GroupItems:
		return true
	}
	return false
}

// GroupNames are the names of the nodes of groups that are not in lists.
var GroupNames = [...]string{
	GroupEntry: "value", GroupBlock: "block", GroupShape: "shape", GroupHeader: "header", GroupPrefix: "header", GroupData: "data", GroupNumbers: "value",
	GroupInner: "value", GroupMembers: "value", GroupItems: "items", GroupItem: "value",
}

// Group is a run of tokens. Groups are in the order of their first tokens, outer ones first.
type Group struct {
	First, End uint32 // tokens: end is after the last
	After      uint32 // the first group after those inside
	Count      uint32 // entries of a block, items of a list, numbers with those of inner brackets
	Kind       GroupKind
	Typ        types.ID // of an entry, of the items of a list; else tNil
}

// Index holds the tokens and groups of a text, as flat arrays. The tokens tile the text. A token
// takes little more than a byte, as a text of hundreds of MB has as many.
type Index struct {
	Src    *model.Source
	Size   int64               // bytes in the index; fewer than the source's where it is too large or cannot be read
	failed error               // why it cannot be read
	Cut    bool                // a limit ended it
	tokens model.Chunks[uint8] // kind, and in the upper 4 bits the length, or 0 if it is in long
	starts model.Chunks[uint32]
	long   model.Chunks[longToken]
	Groups model.Chunks[Group]
	Faults []Fault                // in the order of their tokens
	Deep   []Fault                // of those, what is nested too deep
	odd    []uint32               // tokens that make the groups around them odd, in their order
	allOdd bool                   // they are too many
	lines  model.Chunks[position] // for every lineRun bytes, what is before it
	recent atomic.Pointer[run]
}

// startEvery is the number of tokens that share a known start.
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

// A position is the number of lines before a run of bytes, and the beginning of the last of these.
type position struct{ line, start uint32 }

const lineRun = 512

// Fault is something wrong that the parser saw at a token.
type Fault struct {
	Token uint32
	Next  uint32 // the token that was next when the parser saw it
	Group uint32 // the innermost group around it
	Code  FaultCode
}

// Count returns the number of tokens.
func (x *Index) Count() uint32 { return uint32(x.tokens.Len()) }

// Kind returns the kind of token i.
func (x *Index) Kind(i uint32) TokenKind { return TokenKind(*x.tokens.At(int64(i)) & 15) }

// Group returns group g.
func (x *Index) Group(g uint32) *Group { return x.Groups.At(int64(g)) }

// add appends a token that begins at an offset.
func (x *Index) add(kind TokenKind, off, length int64) {
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
func (x *Index) bytes() int64 {
	return x.tokens.Len() + 4*x.starts.Len() + 8*x.long.Len() + (20+12)*x.Groups.Len() + 8*x.lines.Len()
}

// Length returns the number of bytes of token i.
func (x *Index) Length(i uint32) int64 {
	if n := *x.tokens.At(int64(i)) >> 4; n > 0 {
		return int64(n)
	}
	k := sort.Search(int(x.long.Len()), func(k int) bool { return x.long.At(int64(k)).token >= i })
	return int64(x.long.At(int64(k)).length)
}

// Off returns the offset of token i; that of the number of tokens is the end.
func (x *Index) Off(i uint32) int64 {
	if i >= x.Count() {
		return x.Size
	}
	off := int64(*x.starts.At(int64(i / startEvery)))
	for k := i - i%startEvery; k < i; k++ {
		off += x.Length(k)
	}
	return off
}

// TokenOver is the token over a byte.
func (x *Index) TokenOver(off int64) uint32 {
	k := sort.Search(int(x.starts.Len()), func(k int) bool { return int64(*x.starts.At(int64(k))) > off }) - 1
	i := uint32(max(k, 0) * startEvery)
	for end := x.Off(i); i+1 < x.Count(); i++ {
		if end += x.Length(i); end > off {
			break
		}
	}
	return i
}

func (x *Index) span(first, end uint32) model.Span {
	return x.Src.Span(x.Off(first), x.Off(end)-x.Off(first))
}

// TokenSpan returns the bytes of token i.
func (x *Index) TokenSpan(i uint32) model.Span { return x.Src.Span(x.Off(i), x.Length(i)) }

// GroupSpan returns the bytes of group g.
func (x *Index) GroupSpan(g uint32) model.Span { return x.span(x.Group(g).First, x.Group(g).End) }

// Raw returns the text of token i as it is written, cut at maxText bytes.
func (x *Index) Raw(ctx context.Context, i uint32) string {
	at := x.TokenSpan(i)
	b, err := x.Src.Bytes(ctx, at.Off, min(at.Len, MaxText))
	if err != nil {
		return ""
	}
	return string(b)
}

// Text returns the text of token i without quotes and escapes.
func (x *Index) Text(ctx context.Context, i uint32) string { return Unquote(x.Raw(ctx, i)) }

// line is the line and column of a byte, both from 1 on; columns count bytes.
func (x *Index) line(ctx context.Context, off int64) (line, column int64) {
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
func (x *Index) before(ctx context.Context, k, off int64) ([]byte, error) {
	n := off - k*lineRun
	if kept := x.recent.Load(); kept != nil && kept.k == k && n <= int64(len(kept.bytes)) {
		return kept.bytes[:n], nil
	}
	b, err := x.Src.Bytes(ctx, k*lineRun, min(max(n, lineRun), x.Src.Size()-k*lineRun))
	if err != nil || n > int64(len(b)) {
		return x.Src.Bytes(ctx, k*lineRun, n)
	}
	x.recent.Store(&run{k, b})
	return b[:n], nil
}

// LineText returns the line and column of a byte in words.
func (x *Index) LineText(ctx context.Context, off int64) string {
	line, column := x.line(ctx, off)
	return "line " + strconv.FormatInt(line, 10) + ", column " + strconv.FormatInt(column, 10)
}

// FaultsIn lists what the parser found wrong at some tokens.
func (x *Index) FaultsIn(first, end uint32) []Fault {
	from := sort.Search(len(x.Faults), func(k int) bool { return x.Faults[k].Token >= first })
	to := from
	for to < len(x.Faults) && x.Faults[to].Token < end {
		to++
	}
	return x.Faults[from:to]
}

// Problem is a fault in words.
func (x *Index) Problem(ctx context.Context, f Fault) model.Problem {
	text := &FaultText[f.Code]
	i := f.Token
	if text.next {
		for i = f.Next; i < x.Count() && x.Kind(i).Gap(); {
			i++
		}
	}
	found := "the end of the text"
	if i < x.Count() {
		found = Found(ctx, x.Raw(ctx, i))
	}
	at := x.TokenSpan(f.Token)
	if f.Code == faultStrange {
		if i := strings.IndexFunc(x.Raw(ctx, f.Token), func(c rune) bool { return c < 256 && classes[c] == strange }); i >= 0 {
			at = x.Src.Span(at.Off+int64(i), 1)
		}
	}
	return model.Problem{Rule: text.rule, Kind: text.Kind, Span: at, Expected: text.expected, Found: found, Message: text.Message}
}

// Plain reports whether a group and all groups inside have no fault and no base64 data.
func (x *Index) Plain(g uint32) bool {
	o := x.Group(g)
	k, _ := slices.BinarySearch(x.odd, o.First)
	return !x.allOdd && (k == len(x.odd) || x.odd[k] >= o.End)
}

// EndProblem says why the index ends before the text does.
func (x *Index) EndProblem(rest model.Span) model.Problem {
	if x.failed != nil {
		return model.AsProblem(x.failed, RuleRead, rest)
	}
	limit, raise := int64(maxIndexed), ""
	if x.Size < maxIndexed {
		limit, raise = source.CacheLimit(), " of memory for the index of a text, which --max-memory raises"
	}
	return model.Problemf(model.Limit, RuleTextLimit, rest, "the text is read up to here, where it passes Cutaway's limit of %d bytes%s", limit, raise)
}

// Found is as much of a text as a message holds.
func Found(ctx context.Context, s string) string { return model.Show(ctx, model.Text(s), 60) }

// MaxText is the longest text that is shown as one; longer ones are shown as bytes.
const MaxText = 1 << 20
