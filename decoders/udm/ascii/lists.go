package ascii

import (
	"strings"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// numbers is a list of numbers for a vector, quaternion, matrix or transform: the flattened numbers count.
func (p *parser) numbers(t types.ID) {
	g := p.begin(GroupNumbers, t)
	n := p.numberList(t)
	if p.x.Group(g).Count = n; !t.Enough(int(n)) {
		p.oddAt(p.x.Group(g).First)
	}
	p.end(g)
}

func (p *parser) numberList(t types.ID) (count uint32) {
	open := p.x.Count()
	p.emit(TokenControl, p.pos+1)
	comma := true // a comma is out of place
	for !p.stopped {
		p.gaps()
		switch c := p.byteAt(p.pos); {
		case c == ']':
			if comma && count > 0 {
				p.fault(p.lastSolid(), faultComma)
			}
			p.emit(TokenControl, p.pos+1)
			return count
		case c == ',':
			p.emit(TokenControl, p.pos+1)
			if comma {
				p.fault(p.last(), faultComma)
			}
			comma = true
		case c == '[':
			if comma && count > 0 {
				p.fault(p.lastSolid(), faultInnerComma)
			}
			comma = false
			if !p.enter() {
				continue
			}
			inner := p.begin(GroupInner, t)
			n := p.numberList(t)
			p.x.Group(inner).Count = n
			p.end(inner)
			p.depth--
			count += n
		case isWord(c):
			p.word(TokenValue, types.Table[t].Scalar)
			count++
			comma = false
		default:
			p.fault(open, faultListOpen)
			return count
		}
	}
	return count
}

// members is the values of a struct: "[" value { "," value } "]".
func (p *parser) members(s []types.ID) {
	if !p.enter() {
		return
	}
	g := p.begin(GroupMembers, types.Nil)
	open := p.x.Count()
	p.emit(TokenControl, p.pos+1)
	for i, t := range s {
		if i > 0 {
			if p.gaps(); p.byteAt(p.pos) == ',' {
				p.emit(TokenControl, p.pos+1)
			} else {
				p.fault(open, faultMemberComma)
			}
		}
		p.gaps()
		if t != types.Nil && !p.value(t, nil) {
			break
		}
		p.x.Group(g).Count++
	}
	if int(p.x.Group(g).Count) < len(s) {
		p.fault(open, faultMemberCount)
	}
	p.closeList(open, faultMemberCount)
	p.end(g)
	p.depth--
}

// closeList takes the "]" of a list; what is before it is junk.
func (p *parser) closeList(open uint32, code FaultCode) {
	for told := false; !p.stopped; told = true {
		p.gaps()
		switch c := p.byteAt(p.pos); c {
		case ']':
			p.emit(TokenControl, p.pos+1)
			return
		case eof, '}', '$', '{':
			p.fault(open, faultListOpen)
			return
		}
		p.emit(TokenJunk, p.unit())
		if !told {
			p.fault(p.last(), code)
		}
	}
}

// unit returns the end of a part at pos that is to be left out: brackets with their content, a word, or a character.
func (p *parser) unit() int64 {
	switch c := p.byteAt(p.pos); {
	case c == '[' || c == '{':
		return p.skip(p.pos)
	case c == '"':
		end, _ := p.quoted(p.pos)
		return end
	case isWord(c):
		return p.bare(p.pos)
	}
	return p.pos + 1
}

// data = "[" base64 "]"
func (p *parser) data() {
	g := p.begin(GroupData, types.Nil)
	open := p.x.Count()
	p.emit(TokenControl, p.pos+1)
	p.emit(TokenSpace, p.space(p.pos))
	last, end := p.Lexer.data(p.pos)
	p.emit(TokenBase64, last)
	p.emit(TokenSpace, end)
	if p.byteAt(p.pos) == ']' {
		p.emit(TokenControl, p.pos+1)
	} else {
		p.fault(open, faultDataOpen)
	}
	p.end(g)
}

// headed is a compressed blob or a UTF-8 text: "[" word "]" data.
func (p *parser) headed(t types.ID) {
	g := p.begin(GroupPrefix, t)
	open := p.x.Count()
	p.emit(TokenControl, p.pos+1)
	if p.gaps(); isWord(p.byteAt(p.pos)) {
		kind := TokenSize
		if t == types.UTF8 {
			kind = TokenEncoding
		}
		p.word(kind, types.String)
		p.x.Group(g).Count = 1
	}
	p.oddAt(open)
	p.closeList(open, faultHeader)
	p.end(g)
	if p.gaps(); p.byteAt(p.pos) == '[' {
		p.data()
	} else {
		p.fault(open, faultNoData)
	}
}

// array is "[" valueType [ shape ] [ ";" count [ ";" size ] ] "]" and its items, or data where there is a size.
func (p *parser) array(t types.ID) {
	if !p.enter() {
		return
	}
	defer func() { p.depth-- }()
	g := p.begin(GroupHeader, types.Unknown)
	open := p.x.Count()
	p.emit(TokenControl, p.pos+1)
	item, s := types.Unknown, []types.ID(nil)
	if p.gaps(); isWord(p.byteAt(p.pos)) {
		item = p.typeName()
		p.x.Group(g).Typ = item
		if item == types.Struct {
			s = p.shape()
		}
	} else {
		p.fault(open, faultNoType)
	}
	count := p.counts(g, open)
	p.closeList(open, faultHeader)
	p.end(g)
	if p.gaps(); p.byteAt(p.pos) != '[' {
		p.fault(open, faultNoItems)
		return
	}
	switch {
	case p.x.Group(g).Count == 2:
		if t == types.Array {
			p.fault(open, faultPlainCompressed)
		} else if item.Known() && !item.InCompressedArray() {
			p.fault(open+1, faultCompressedType)
		}
		p.data()
	case !item.Known():
		p.emit(TokenJunk, p.skip(p.pos))
	default:
		if n := p.items(item, s); count != nil && count != model.Uint(n) {
			p.oddAt(open)
		}
	}
}

// counts takes the numbers of a header, and returns the first: how many items are announced.
func (p *parser) counts(g, open uint32) (count model.Value) {
	for _, kind := range []TokenKind{TokenCount, TokenSize} {
		if p.gaps(); p.byteAt(p.pos) != ';' {
			break
		}
		p.emit(TokenControl, p.pos+1)
		if p.gaps(); !isWord(p.byteAt(p.pos)) {
			p.fault(open, faultHeader)
			break
		}
		from := p.pos
		if p.x.Group(g).Count++; kind == TokenSize {
			p.word(kind, types.Unknown)
			continue
		}
		p.word(kind, types.Uint32)
		count, _ = ParseWord(types.Uint32, Unquote(string(p.bytes(from, p.pos))))
	}
	return count
}

// items is "[" items "]", with commas or white space between them. Items of type nil are counted by the commas.
func (p *parser) items(t types.ID, s []types.ID) (count uint32) {
	g := p.begin(GroupItems, t)
	defer func() {
		count = p.x.Group(g).Count
		p.end(g)
	}()
	open := p.x.Count()
	p.emit(TokenControl, p.pos+1)
	for comma := true; !p.stopped; {
		p.gaps()
		switch c := p.byteAt(p.pos); {
		case c == ']':
			if comma && p.x.Group(g).Count > 0 && t != types.Nil {
				p.fault(p.lastSolid(), faultItemComma)
			}
			p.emit(TokenControl, p.pos+1)
			return 0
		case c == ',':
			p.emit(TokenControl, p.pos+1)
			if t == types.Nil {
				p.x.Group(g).Count++
			} else if comma {
				p.fault(p.last(), faultItemComma)
			}
			comma = true
		case c == eof || t == types.Nil || strings.IndexByte("}$;:<>", byte(c)) >= 0:
			p.closeList(open, faultItem)
			return 0
		default:
			p.countItem(g, t, s)
			comma = false
		}
	}
	return 0
}

// countItem takes an item, or what is in its place.
func (p *parser) countItem(g uint32, t types.ID, s []types.ID) {
	first, groups := p.x.Count(), p.x.Groups.Len()
	if !p.item(t, s) {
		p.junk(p.unit(), faultItem)
	} else if p.x.Groups.Len() > groups || p.x.Kind(first).Word() { // not nested too deep
		p.x.Group(g).Count++
	}
}

// item reads an item. One that is made of several groups is one around them.
func (p *parser) item(t types.ID, s []types.ID) bool {
	switch t {
	case types.Blob, types.LZ4, types.UTF8, types.Array, types.ArrayLZ4:
		if p.byteAt(p.pos) != '[' {
			return false
		}
		g := p.begin(GroupItem, t)
		got := p.value(t, s)
		p.end(g)
		return got
	}
	return p.value(t, s)
}
