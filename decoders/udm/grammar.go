package udm

import (
	"context"
	"sort"

	"cutaway/model"
)

// parser goes over a text once and writes down its tokens and groups (8.3). What does not fit the grammar becomes a
// fault, and the parser goes on with what does.
type parser struct {
	*lexer
	x       *index
	report  model.Progress
	pos     int64
	depth   int
	stopped bool // by ctx or a limit
	err     error
	lined   int64 // lines are known up to here
	line    place
}

// maxFaults bounds the faults that are kept: a text with more is no text of this kind.
const maxFaults = 10_000

// parse makes the index of a text. It fails only when ctx ends.
func parse(ctx context.Context, src *model.Source, progress model.Progress) (*index, error) {
	p := &parser{lexer: newLexer(ctx, src), x: &index{src: src}, report: progress}
	p.size = min(p.size, maxIndexed)
	p.file()
	if p.err != nil {
		return nil, p.err
	}
	x := p.x
	x.size = min(p.pos, p.size)
	x.offs, x.kinds, x.groups, x.lines = fitted(x.offs), fitted(x.kinds), fitted(x.groups), fitted(x.lines)
	sort.SliceStable(p.x.faults, func(i, j int) bool { return p.x.faults[i].token < p.x.faults[j].token })
	return p.x, nil
}

// fitted is a list without room for more, if it has much of that.
func fitted[T any](list []T) []T {
	if cap(list)-len(list) < len(list)/8 {
		return list
	}
	return append(make([]T, 0, len(list)), list...)
}

// file = { entry }
func (p *parser) file() {
	g := p.begin(gFile, tElement)
	if p.at(0) == 0xef && p.at(1) == 0xbb && p.at(2) == 0xbf {
		p.emit(tkMark, 3)
		p.fault(p.last(), faultMark)
	}
	p.entries(g, false)
	p.end(g)
	p.x.groups[g].end = p.x.tokens()
}

// entries = { entry }; in a block they end with "}", which is taken.
func (p *parser) entries(g uint32, inBlock bool) {
	for !p.stopped {
		p.gaps()
		switch c := p.at(p.pos); {
		case c == eof:
			if inBlock {
				p.fault(p.x.groups[g].first, faultBlockOpen)
			}
			return
		case c == '}' && inBlock:
			p.emit(tkControl, p.pos+1)
			return
		case c == '$':
			p.x.groups[g].count++
			p.property()
		case isWord(c):
			p.x.groups[g].count++
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
	g := p.begin(gEntry, tElement)
	p.word()
	end := p.x.tokens()
	if p.gaps(); p.at(p.pos) == '{' {
		p.block()
		end = p.x.tokens()
	} else {
		p.fault(end-1, faultNoBlock)
	}
	p.endAt(g, end)
}

// block = "{" { entry } "}"
func (p *parser) block() {
	if !p.enter() {
		return
	}
	g := p.begin(gBlock, tElement)
	p.emit(tkControl, p.pos+1)
	p.entries(g, true)
	p.end(g)
	p.depth--
}

// enter counts a level of nesting. Where there are too many, what is in the brackets is left out.
func (p *parser) enter() bool {
	if p.depth >= maxNesting {
		p.junk(p.skip(p.pos), faultNesting)
		return false
	}
	p.depth++
	return true
}

// property = "$" type key value, or "$" "struct" shape key value
func (p *parser) property() {
	g := p.begin(gEntry, tUnknown)
	p.emit(tkControl, p.pos+1)
	t := p.typeName()
	p.x.groups[g].typ = t
	var s []typeID
	if t == tStruct {
		s = p.shape()
	}
	end := p.x.tokens()
	if p.gaps(); !isWord(p.at(p.pos)) {
		p.fault(end-1, faultNoKey)
		p.endAt(g, end)
		return
	}
	p.word()
	end = p.x.tokens()
	if t != tNil {
		if p.gaps(); p.value(t, s) {
			end = p.x.tokens()
		} else {
			p.fault(end-1, faultNoValue)
		}
	}
	p.endAt(g, end)
}

// typeName reads the name of a type, which must follow at once.
func (p *parser) typeName() typeID {
	if !isWord(p.at(p.pos)) {
		p.fault(p.last(), faultNoType)
		return tUnknown
	}
	p.emit(tkBare, p.bare(p.pos))
	t := typeNamed(p.lastText())
	if t == tUnknown {
		p.fault(p.last(), faultType)
	}
	return t
}

// lastText is the token taken last, unless it is longer than any type name.
func (p *parser) lastText() string {
	const longest = 16
	from := int64(p.x.offs[p.last()])
	if p.pos-from > longest {
		return ""
	}
	var b []byte
	for off := from; off < p.pos; off++ {
		b = append(b, byte(p.at(off)))
	}
	return string(b)
}

// shape = "<" member { "," member } ">", member = type [ ":" word ]
func (p *parser) shape() []typeID {
	before := p.x.tokens()
	if p.gaps(); p.at(p.pos) != '<' {
		p.fault(before-1, faultNoShape)
		return nil
	}
	var s []typeID
	g := p.begin(gShape, tNil)
	p.emit(tkControl, p.pos+1)
	for !p.stopped {
		p.gaps()
		if !isWord(p.at(p.pos)) {
			p.fault(p.x.groups[g].first, faultShape)
			break
		}
		t := p.typeName()
		if t.known() && !t.fixed() {
			p.fault(p.last(), faultMemberType)
		}
		s = append(s, t)
		if p.gaps(); p.at(p.pos) == ':' {
			p.emit(tkControl, p.pos+1)
			if p.gaps(); isWord(p.at(p.pos)) {
				p.word()
				p.gaps()
			}
		}
		if p.at(p.pos) == ',' {
			p.emit(tkControl, p.pos+1)
			continue
		}
		if p.at(p.pos) == '>' {
			p.emit(tkControl, p.pos+1)
			break
		}
		p.fault(p.x.groups[g].first, faultShape)
		break
	}
	if len(s) > 255 {
		p.fault(p.x.groups[g].first, faultMembers)
	}
	p.x.groups[g].count = uint32(len(s))
	p.end(g)
	return s
}

// value reads the value of a property, an item or a member. It returns false, taking nothing, where there is none.
func (p *parser) value(t typeID, s []typeID) bool {
	c := p.at(p.pos)
	switch {
	case !t.known():
		return p.anything()
	case t == tElement:
		if c == '{' {
			p.block()
			return true
		}
	case t == tArray || t == tArrayLZ4:
		return c == '[' && p.array(t)
	case t == tStruct:
		return c == '[' && p.members(s)
	case t == tBlob:
		return c == '[' && p.data()
	case t == tLZ4 || t == tUTF8:
		return c == '[' && p.headed(t)
	case t.numbers() > 0:
		return c == '[' && p.numbers(t)
	default:
		if isWord(c) {
			p.word()
			return true
		}
	}
	return false
}

// anything takes what stands where a value of an unknown type is expected.
func (p *parser) anything() bool {
	c := p.at(p.pos)
	switch {
	case c == '[' || c == '{':
		p.emit(tkJunk, p.skip(p.pos))
		if p.gaps(); p.at(p.pos) == '[' {
			p.emit(tkJunk, p.skip(p.pos))
		}
	case isWord(c):
		p.word()
	default:
		return false
	}
	return true
}

// word takes a word.
func (p *parser) word() {
	if p.at(p.pos) != '"' {
		p.emit(tkBare, p.bare(p.pos))
		return
	}
	end, closed := p.quoted(p.pos)
	p.emit(tkQuoted, end)
	if !closed {
		p.fault(p.last(), faultStringOpen)
	}
}

// gaps takes white space and comments.
func (p *parser) gaps() {
	for !p.stopped {
		end := p.space(p.pos)
		p.emit(tkSpace, end)
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
func (p *parser) emit(kind tokenKind, end int64) {
	if end <= p.pos {
		return
	}
	x := p.x
	x.offs = append(x.offs, uint32(p.pos))
	x.kinds = append(x.kinds, kind)
	p.lineUp(end)
	p.pos = end
	if n := len(x.offs); n&0xffff == 0 {
		if p.err = p.ctx.Err(); p.err != nil {
			p.stopped = true
		}
		p.report.Report(p.pos, p.size, "reading the text")
		if n >= isGroup-1<<16 {
			p.stopped = true
		}
	}
}

// lineUp notes where lines begin.
func (p *parser) lineUp(end int64) {
	for ; p.lined < end; p.lined++ {
		if p.lined%lineRun == 0 {
			p.x.lines = append(p.x.lines, p.line)
		}
		if p.at(p.lined) == '\n' {
			p.line.line++
			p.line.start = uint32(p.lined + 1)
		}
	}
}

// last is the token taken last.
func (p *parser) last() uint32 { return p.x.tokens() - 1 }

// lastSolid is the last token that is no gap.
func (p *parser) lastSolid() uint32 {
	i := p.last()
	for i > 0 && p.x.kinds[i].gap() {
		i--
	}
	return i
}

func (p *parser) junk(end int64, code faultCode) {
	p.emit(tkJunk, end)
	p.fault(p.last(), code)
}

func (p *parser) fault(token uint32, code faultCode) {
	if len(p.x.faults) < maxFaults {
		p.x.faults = append(p.x.faults, fault{token, p.x.tokens(), code})
	}
}

// begin begins a group at the next token.
func (p *parser) begin(kind groupKind, t typeID) uint32 {
	p.x.groups = append(p.x.groups, group{first: p.x.tokens(), kind: kind, typ: t})
	return uint32(len(p.x.groups) - 1)
}

// end ends a group behind the last token.
func (p *parser) end(g uint32) { p.endAt(g, p.x.tokens()) }

// endAt ends a group before the token end, behind which only gaps were taken.
func (p *parser) endAt(g, end uint32) {
	p.x.groups[g].end = end
	p.x.groups[g].after = uint32(len(p.x.groups))
}
