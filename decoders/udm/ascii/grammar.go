// Package ascii reads the ASCII form of UDM (chapter 8): its parser makes an index of tokens and their groups.
package ascii

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"cutaway/decoders/udm/types"
	"cutaway/model"
	"cutaway/source"
)

// A parser reads a text once and writes down its tokens with their kinds, and its groups (8.3). What does not fit the
// grammar becomes a fault, and the parser continues with the rest.
type parser struct {
	*Lexer
	x       *Index
	report  model.Progress
	pos     int64
	open    []uint32 // the groups around pos
	depth   int      // of nesting
	limit   int64    // bytes that the index may take
	stopped bool     // by ctx or a limit
	err     error
	keys    []uint64 // hashes of the keys of the blocks around pos
	lined   int64    // lines are known up to here
	line    position
}

// maxFaults bounds the faults that are kept: a text with more is no text of this kind.
const maxFaults = 10_000

// maxOdd bounds the odd tokens that are kept. A text with more is checked node by node.
const maxOdd = 1 << 20

// Parse makes the index of a text. It fails only when ctx ends.
func Parse(ctx context.Context, src *model.Source, progress model.Progress) (*Index, error) {
	p := &parser{Lexer: NewLexer(ctx, src), x: &Index{Src: src}, report: progress, limit: source.CacheLimit()}
	p.size = min(p.size, maxIndexed)
	p.loaded = p.countLines
	p.file()
	if p.err != nil {
		return nil, p.err
	}
	x := p.x
	x.Size, x.failed, x.Cut = min(p.pos, p.size), p.Lexer.err, p.stopped
	slices.SortStableFunc(x.Faults, func(a, b Fault) int { return cmp.Compare(a.Token, b.Token) })
	slices.Sort(x.odd)
	for _, f := range x.Faults {
		if f.Code == faultNesting {
			x.Deep = append(x.Deep, f)
		}
	}
	return x, nil
}

// file = { entry }
func (p *parser) file() {
	g := p.begin(GroupFile, types.Element)
	if p.byteAt(0) == 0xef && p.byteAt(1) == 0xbb && p.byteAt(2) == 0xbf {
		p.emit(TokenMark, 3)
		p.fault(p.last(), faultMark)
	}
	p.entries(g, false)
	p.end(g)
	p.x.Group(g).End = p.x.Count()
}

// entries = { entry }; in a block they end with "}", which is taken.
func (p *parser) entries(g uint32, inBlock bool) {
	before := len(p.keys)
	p.eachEntry(g, inBlock)
	keys := p.keys[before:]
	slices.Sort(keys)
	if len(slices.Compact(keys)) < len(keys) {
		p.oddAt(p.x.Group(g).First)
	}
	p.keys = p.keys[:before]
}

func (p *parser) eachEntry(g uint32, inBlock bool) {
	for !p.stopped {
		p.gaps()
		switch c := p.byteAt(p.pos); {
		case c == eof:
			if inBlock {
				p.fault(p.x.Group(g).First, faultBlockOpen)
			}
			return
		case c == '}' && inBlock:
			p.emit(TokenControl, p.pos+1)
			return
		case c == '$':
			p.x.Group(g).Count++
			p.property()
		case isWord(c):
			p.x.Group(g).Count++
			p.childElement()
		case c == '}' || c == ']':
			p.junk(p.pos+1, faultUnmatched)
		case c == ',' || c == ';':
			p.junk(p.pos+1, faultSeparator)
		case c == '[' || c == '{':
			p.junk(p.skip(p.pos), faultStrayBracket)
		default:
			p.junk(p.pos+1, faultStray)
		}
	}
}

// childElement = name block
func (p *parser) childElement() {
	g := p.begin(GroupEntry, types.Element)
	p.key()
	end := p.x.Count()
	if p.gaps(); p.byteAt(p.pos) == '{' {
		p.block()
		end = p.x.Count()
	} else {
		p.fault(end-1, faultNoBlock)
	}
	p.endAt(g, end)
}

// key takes the key of an entry.
func (p *parser) key() {
	from := p.pos
	p.word(TokenKey, types.String)
	p.keys = append(p.keys, p.Hash(from, p.pos))
}

// block = "{" { entry } "}"
func (p *parser) block() {
	if !p.enter() {
		return
	}
	g := p.begin(GroupBlock, types.Element)
	p.emit(TokenControl, p.pos+1)
	p.entries(g, true)
	p.end(g)
	p.depth--
}

// enter counts a level of nesting. Where there are too many, what is in the brackets is left out.
func (p *parser) enter() bool {
	if p.depth >= types.MaxNesting {
		p.junk(p.skip(p.pos), faultNesting)
		return false
	}
	p.depth++
	return true
}

// property = "$" type key value, or "$" "struct" shape key value
func (p *parser) property() {
	g := p.begin(GroupEntry, types.Unknown)
	p.emit(TokenControl, p.pos+1)
	t := p.typeName()
	p.x.Group(g).Typ = t
	var s []types.ID
	if t == types.Struct {
		s = p.shape()
	}
	end := p.x.Count()
	if p.gaps(); !isWord(p.byteAt(p.pos)) {
		p.fault(end-1, faultNoKey)
		p.endAt(g, end)
		return
	}
	p.key()
	end = p.x.Count()
	p.gaps()
	switch {
	case t == types.Nil:
		if p.nilWord() {
			end = p.x.Count()
		}
	case p.value(t, s):
		end = p.x.Count()
	default:
		p.fault(end-1, faultNoValue)
	}
	p.endAt(g, end)
}

// nilWord takes the word nil where it is the value of a property of this type, as some write it, and not the name of a
// child element.
func (p *parser) nilWord() bool {
	end := p.bare(p.pos)
	if p.strange = false; end-p.pos != int64(len(nilText)) || string(p.bytes(p.pos, end)) != nilText {
		return false
	}
	after := p.space(end)
	for next, _, _ := p.comment(after); next > after; next, _, _ = p.comment(after) {
		after = p.space(next)
	}
	if p.strange = false; p.byteAt(after) == '{' {
		return false
	}
	p.word(TokenValue, types.String)
	return true
}

// nilText is the word for nil.
const nilText = "nil"

// typeName reads the name of a type, which must follow at once.
func (p *parser) typeName() types.ID {
	if !isWord(p.byteAt(p.pos)) {
		p.fault(p.last(), faultNoType)
		return types.Unknown
	}
	end := p.bare(p.pos)
	t := types.Named(string(p.bytes(p.pos, end)))
	p.emit(TokenType, end)
	if t == types.Unknown {
		p.fault(p.last(), FaultType)
	}
	return t
}

// shape = "<" member { "," member } ">", member = type [ ":" word ]
func (p *parser) shape() []types.ID {
	before := p.x.Count()
	if p.gaps(); p.byteAt(p.pos) != '<' {
		p.fault(before-1, faultNoShape)
		return nil
	}
	var s []types.ID
	g := p.begin(GroupShape, types.Nil)
	p.emit(TokenControl, p.pos+1)
	for !p.stopped {
		p.gaps()
		if !isWord(p.byteAt(p.pos)) {
			p.fault(p.x.Group(g).First, faultShape)
			break
		}
		t := p.typeName()
		if t.Known() && !t.Fixed() {
			p.fault(p.last(), faultMemberType)
		}
		s = append(s, t)
		if p.gaps(); p.byteAt(p.pos) == ':' {
			p.emit(TokenControl, p.pos+1)
			if p.gaps(); isWord(p.byteAt(p.pos)) {
				p.word(TokenMemberName, types.String)
				p.gaps()
			}
		}
		if p.byteAt(p.pos) == ',' {
			p.emit(TokenControl, p.pos+1)
			continue
		}
		if p.byteAt(p.pos) == '>' {
			p.emit(TokenControl, p.pos+1)
			break
		}
		p.fault(p.x.Group(g).First, faultShape)
		break
	}
	if len(s) > 255 {
		p.fault(p.x.Group(g).First, faultMembers)
	}
	p.x.Group(g).Count = uint32(len(s))
	p.end(g)
	return s
}

// value reads the value of a property, an item or a member. It returns false, taking nothing, where there is none.
func (p *parser) value(t types.ID, s []types.ID) bool {
	c, lists := p.byteAt(p.pos), t.Known() && t != types.Element && (!t.Fixed() && t != types.String && t != types.Ref || t.Numbers() > 0)
	switch {
	case !t.Known():
		return p.anything()
	case t == types.Element && c == '{':
		p.block()
	case t != types.Element && !lists && isWord(c):
		p.word(TokenValue, t)
	case lists && c == '[':
		p.list(t, s)
	default:
		return false
	}
	return true
}

// list reads a value that is in brackets.
func (p *parser) list(t types.ID, s []types.ID) {
	switch t {
	case types.Array, types.ArrayLZ4:
		p.array(t)
	case types.Struct:
		p.members(s)
	case types.Blob:
		p.data()
	case types.LZ4, types.UTF8:
		p.headed(t)
	default:
		p.numbers(t)
	}
}

// anything takes what is where a value of an unknown type is expected.
func (p *parser) anything() bool {
	c := p.byteAt(p.pos)
	switch {
	case c == '[' || c == '{':
		p.emit(TokenJunk, p.skip(p.pos))
		if p.gaps(); p.byteAt(p.pos) == '[' {
			p.emit(TokenJunk, p.skip(p.pos))
		}
	case isWord(c):
		p.word(TokenValue, types.Unknown)
	default:
		return false
	}
	return true
}

// word reads a word, as a value of a type if kind says so.
func (p *parser) word(kind TokenKind, t types.ID) {
	from := p.pos
	if p.byteAt(from) != '"' {
		p.emit(kind, p.bare(from))
	} else {
		end, closed := p.quoted(from)
		if p.emit(kind, end); !closed {
			p.fault(p.last(), faultStringOpen)
		}
	}
	switch t {
	case types.String, types.Ref, types.Nil:
		return
	}
	if b := p.bytes(from, p.pos); !plainNumber(t, b) {
		if _, issue := ParseWord(t, Unquote(string(b))); issue != nil || t == types.Unknown {
			p.oddAt(p.last())
		}
	}
}

// gaps takes white space and comments.
func (p *parser) gaps() {
	for !p.stopped {
		end := p.space(p.pos)
		p.emit(TokenSpace, end)
		end, kind, open := p.comment(p.pos)
		if end == p.pos {
			return
		}
		p.emit(kind, end)
		if open {
			p.fault(p.last(), faultCommentOpen)
		}
	}
}

// emit makes a token of the bytes up to end; none of no bytes.
func (p *parser) emit(kind TokenKind, end int64) {
	if end <= p.pos {
		return
	}
	x := p.x
	x.add(kind, p.pos, end-p.pos)
	p.pos = end
	if kind == TokenJunk || kind == TokenBase64 {
		p.oddAt(p.last())
	}
	if p.strange {
		p.strange = false
		p.fault(p.last(), faultStrange)
	}
	if x.Count()&0xffff == 0 {
		if p.err = p.ctx.Err(); p.err != nil {
			p.stopped = true
		}
		p.report.Report(p.pos, p.size, "reading the text")
		p.stopped = p.stopped || x.Count() >= IsGroup-1<<16 || x.bytes() > p.limit
	}
}

// countLines notes where lines begin.
func (p *parser) countLines(off int64, b []byte) {
	for end := off + int64(len(b)); p.lined >= off && p.lined < end; p.lined += lineRun {
		p.x.lines.Add(p.line)
		run := b[p.lined-off : min(p.lined-off+lineRun, int64(len(b)))]
		if i := bytes.LastIndexByte(run, '\n'); i >= 0 {
			p.line.line += uint32(bytes.Count(run, []byte{'\n'}))
			p.line.start = uint32(p.lined + int64(i) + 1)
		}
	}
}

// last is the token taken last.
func (p *parser) last() uint32 { return p.x.Count() - 1 }

// lastSolid is the last token that is no gap.
func (p *parser) lastSolid() uint32 {
	i := p.last()
	for i > 0 && p.x.Kind(i).Gap() {
		i--
	}
	return i
}

func (p *parser) junk(end int64, code FaultCode) {
	p.emit(TokenJunk, end)
	p.fault(p.last(), code)
}

func (p *parser) fault(token uint32, code FaultCode) {
	if p.stopped {
		return // what is missing was not read
	}
	p.oddAt(token)
	if len(p.x.Faults) < maxFaults {
		p.x.Faults = append(p.x.Faults, Fault{token, p.x.Count(), p.open[len(p.open)-1], code})
	}
}

// oddAt notes a token that makes the groups around it odd: one with a fault, or one to be decoded.
func (p *parser) oddAt(token uint32) {
	if p.x.allOdd = len(p.x.odd) >= maxOdd; !p.x.allOdd {
		p.x.odd = append(p.x.odd, token)
	}
}

// begin begins a group at the next token.
func (p *parser) begin(kind GroupKind, t types.ID) uint32 {
	g := uint32(p.x.Groups.Len())
	p.x.Groups.Add(Group{First: p.x.Count(), Kind: kind, Typ: t})
	p.open = append(p.open, g)
	return g
}

// end ends a group after the last token.
func (p *parser) end(g uint32) { p.endAt(g, p.x.Count()) }

// endAt ends a group before the token end, after which only gaps were taken.
func (p *parser) endAt(g, end uint32) {
	p.x.Group(g).End = end
	p.x.Group(g).After = uint32(p.x.Groups.Len())
	p.open = p.open[:len(p.open)-1]
}
