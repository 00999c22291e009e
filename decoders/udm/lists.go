package udm

import (
	"strings"

	"cutaway/model"
)

// numbers is a list of numbers for a vector, quaternion, matrix or transform: the flattened numbers count.
func (p *parser) numbers(t typeID) {
	g := p.begin(gNumbers, t)
	n := p.numberList(t)
	if p.x.group(g).count = n; !t.enough(int(n)) {
		p.oddAt(p.x.group(g).first)
	}
	p.end(g)
}

func (p *parser) numberList(t typeID) (count uint32) {
	open := p.x.count()
	p.emit(tkControl, p.pos+1)
	comma := true // a comma is out of place
	for !p.stopped {
		p.gaps()
		switch c := p.at(p.pos); {
		case c == ']':
			if comma && count > 0 {
				p.fault(p.lastSolid(), faultComma)
			}
			p.emit(tkControl, p.pos+1)
			return count
		case c == ',':
			p.emit(tkControl, p.pos+1)
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
			inner := p.begin(gInner, t)
			n := p.numberList(t)
			p.x.group(inner).count = n
			p.end(inner)
			p.depth--
			count += n
		case isWord(c):
			p.word(tkValue, types[t].scalar)
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
func (p *parser) members(s []typeID) {
	if !p.enter() {
		return
	}
	g := p.begin(gMembers, tNil)
	open := p.x.count()
	p.emit(tkControl, p.pos+1)
	for i, t := range s {
		if i > 0 {
			if p.gaps(); p.at(p.pos) == ',' {
				p.emit(tkControl, p.pos+1)
			} else {
				p.fault(open, faultMemberComma)
			}
		}
		p.gaps()
		if t != tNil && !p.value(t, nil) {
			break
		}
		p.x.group(g).count++
	}
	if int(p.x.group(g).count) < len(s) {
		p.fault(open, faultMemberCount)
	}
	p.closeList(open, faultMemberCount)
	p.end(g)
	p.depth--
}

// closeList takes the "]" of a list; what is before it is junk.
func (p *parser) closeList(open uint32, code faultCode) {
	for told := false; !p.stopped; told = true {
		p.gaps()
		switch c := p.at(p.pos); c {
		case ']':
			p.emit(tkControl, p.pos+1)
			return
		case eof, '}', '$', '{':
			p.fault(open, faultListOpen)
			return
		}
		p.emit(tkJunk, p.unit())
		if !told {
			p.fault(p.last(), code)
		}
	}
}

// unit is the end of what begins at pos, if that is to be left out: what is in brackets, a word, or a character.
func (p *parser) unit() int64 {
	switch c := p.at(p.pos); {
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
	g := p.begin(gData, tNil)
	open := p.x.count()
	p.emit(tkControl, p.pos+1)
	p.emit(tkSpace, p.space(p.pos))
	last, end := p.lexer.data(p.pos)
	p.emit(tkBase64, last)
	p.emit(tkSpace, end)
	if p.at(p.pos) == ']' {
		p.emit(tkControl, p.pos+1)
	} else {
		p.fault(open, faultDataOpen)
	}
	p.end(g)
}

// headed is a compressed blob or a UTF-8 text: "[" word "]" data.
func (p *parser) headed(t typeID) {
	g := p.begin(gPrefix, t)
	open := p.x.count()
	p.emit(tkControl, p.pos+1)
	if p.gaps(); isWord(p.at(p.pos)) {
		kind := tkSize
		if t == tUTF8 {
			kind = tkEncoding
		}
		p.word(kind, tString)
		p.x.group(g).count = 1
	}
	p.oddAt(open)
	p.closeList(open, faultHeader)
	p.end(g)
	if p.gaps(); p.at(p.pos) == '[' {
		p.data()
	} else {
		p.fault(open, faultNoData)
	}
}

// array is "[" valueType [ shape ] [ ";" count [ ";" size ] ] "]" and its items, or data where there is a size.
func (p *parser) array(t typeID) {
	if !p.enter() {
		return
	}
	defer func() { p.depth-- }()
	g := p.begin(gHeader, tUnknown)
	open := p.x.count()
	p.emit(tkControl, p.pos+1)
	item, s := tUnknown, []typeID(nil)
	if p.gaps(); isWord(p.at(p.pos)) {
		item = p.typeName()
		p.x.group(g).typ = item
		if item == tStruct {
			s = p.shape()
		}
	} else {
		p.fault(open, faultNoType)
	}
	count := p.counts(g, open)
	p.closeList(open, faultHeader)
	p.end(g)
	if p.gaps(); p.at(p.pos) != '[' {
		p.fault(open, faultNoItems)
		return
	}
	switch {
	case p.x.group(g).count == 2:
		if t == tArray {
			p.fault(open, faultPlainCompressed)
		} else if item.known() && !item.inCompressedArray() {
			p.fault(open+1, faultCompressedType)
		}
		p.data()
	case !item.known():
		p.emit(tkJunk, p.skip(p.pos))
	default:
		if n := p.items(item, s); count != nil && count != model.Uint(n) {
			p.oddAt(open)
		}
	}
}

// counts takes the numbers of a header, and returns the first: how many items are announced.
func (p *parser) counts(g, open uint32) (count model.Value) {
	for _, kind := range []tokenKind{tkCount, tkSize} {
		if p.gaps(); p.at(p.pos) != ';' {
			break
		}
		p.emit(tkControl, p.pos+1)
		if p.gaps(); !isWord(p.at(p.pos)) {
			p.fault(open, faultHeader)
			break
		}
		from := p.pos
		if p.x.group(g).count++; kind == tkSize {
			p.word(kind, tUnknown)
			continue
		}
		p.word(kind, tUint32)
		count, _ = parseWord(tUint32, unquote(string(p.bytes(from, p.pos))))
	}
	return count
}

// items is "[" items "]", with commas or white space between them. Items of type nil are counted by the commas.
func (p *parser) items(t typeID, s []typeID) (count uint32) {
	g := p.begin(gItems, t)
	defer func() {
		count = p.x.group(g).count
		p.end(g)
	}()
	open := p.x.count()
	p.emit(tkControl, p.pos+1)
	for comma := true; !p.stopped; {
		p.gaps()
		switch c := p.at(p.pos); {
		case c == ']':
			if comma && p.x.group(g).count > 0 && t != tNil {
				p.fault(p.lastSolid(), faultItemComma)
			}
			p.emit(tkControl, p.pos+1)
			return 0
		case c == ',':
			p.emit(tkControl, p.pos+1)
			if t == tNil {
				p.x.group(g).count++
			} else if comma {
				p.fault(p.last(), faultItemComma)
			}
			comma = true
		case c == eof || t == tNil || strings.IndexByte("}$;:<>", byte(c)) >= 0:
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
func (p *parser) countItem(g uint32, t typeID, s []typeID) {
	first, groups := p.x.count(), p.x.groups.Len()
	if !p.item(t, s) {
		p.junk(p.unit(), faultItem)
	} else if p.x.groups.Len() > groups || p.x.kind(first).word() { // not nested too deep
		p.x.group(g).count++
	}
}

// item reads an item. One that is made of several groups is one around them.
func (p *parser) item(t typeID, s []typeID) bool {
	switch t {
	case tBlob, tLZ4, tUTF8, tArray, tArrayLZ4:
		if p.at(p.pos) != '[' {
			return false
		}
		g := p.begin(gItem, t)
		got := p.value(t, s)
		p.end(g)
		return got
	}
	return p.value(t, s)
}
