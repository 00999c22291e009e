package udm

// numbers is a list of numbers for a vector, quaternion, matrix or transform: the flattened numbers count.
func (p *parser) numbers(t typeID) bool {
	g := p.begin(gNumbers, t)
	p.x.groups[g].count = p.numberList(t)
	p.end(g)
	return true
}

func (p *parser) numberList(t typeID) (count uint32) {
	open := p.x.tokens()
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
			p.x.groups[inner].count = n
			p.end(inner)
			p.depth--
			count += n
		case isWord(c):
			p.word()
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
func (p *parser) members(s []typeID) bool {
	if !p.enter() {
		return true
	}
	g := p.begin(gMembers, tNil)
	open := p.x.tokens()
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
		p.x.groups[g].count++
	}
	if int(p.x.groups[g].count) < len(s) {
		p.fault(open, faultMemberCount)
	}
	p.closeList(open, faultMemberCount)
	p.end(g)
	p.depth--
	return true
}

// closeList takes the "]" of a list; what stands before it is junk.
func (p *parser) closeList(open uint32, code faultCode) {
	for told := false; !p.stopped; told = true {
		p.gaps()
		switch c := p.at(p.pos); {
		case c == ']':
			p.emit(tkControl, p.pos+1)
			return
		case c == eof || c == '}' || c == '$' || c == '{':
			p.fault(open, faultListOpen)
			return
		default:
			end := p.pos + 1
			switch {
			case c == '[':
				end = p.skip(p.pos)
			case c == '"':
				end, _ = p.quoted(p.pos)
			case isWord(c):
				end = p.bare(p.pos)
			}
			p.emit(tkJunk, end)
			if !told {
				p.fault(p.last(), code)
			}
		}
	}
}

// data = "[" base64 "]"
func (p *parser) data() bool {
	g := p.begin(gData, tNil)
	open := p.x.tokens()
	p.emit(tkControl, p.pos+1)
	p.emit(tkSpace, p.space(p.pos))
	last, end := p.lexer.data(p.pos)
	p.emit(tkData, last)
	p.emit(tkSpace, end)
	if p.at(p.pos) == ']' {
		p.emit(tkControl, p.pos+1)
	} else {
		p.fault(open, faultDataOpen)
	}
	p.end(g)
	return true
}

// headed is a compressed blob or a UTF-8 text: "[" word "]" data.
func (p *parser) headed(t typeID) bool {
	g := p.begin(gPrefix, t)
	open := p.x.tokens()
	p.emit(tkControl, p.pos+1)
	if p.gaps(); isWord(p.at(p.pos)) {
		p.word()
		p.x.groups[g].count = 1
	}
	p.closeList(open, faultHeader)
	p.end(g)
	if p.gaps(); p.at(p.pos) == '[' {
		return p.data()
	}
	p.fault(open, faultNoData)
	return true
}

// array is "[" valueType [ shape ] [ ";" count [ ";" size ] ] "]" and its items, or data where there is a size.
func (p *parser) array(t typeID) bool {
	if !p.enter() {
		return true
	}
	defer func() { p.depth-- }()
	g := p.begin(gHeader, tUnknown)
	open := p.x.tokens()
	p.emit(tkControl, p.pos+1)
	item := tUnknown
	var s []typeID
	if p.gaps(); isWord(p.at(p.pos)) {
		item = p.typeName()
		p.x.groups[g].typ = item
		if item == tStruct {
			s = p.shape()
		}
	} else {
		p.fault(open, faultNoType)
	}
	for p.x.groups[g].count < 2 {
		if p.gaps(); p.at(p.pos) != ';' {
			break
		}
		p.emit(tkControl, p.pos+1)
		if p.gaps(); !isWord(p.at(p.pos)) {
			p.fault(open, faultHeader)
			break
		}
		p.word()
		p.x.groups[g].count++
	}
	p.closeList(open, faultHeader)
	p.end(g)
	if p.gaps(); p.at(p.pos) != '[' {
		p.fault(open, faultNoItems)
		return true
	}
	switch {
	case p.x.groups[g].count == 2:
		if t == tArray {
			p.fault(open, faultPlainCompressed)
		} else if item.known() && !item.inCompressedArray() {
			p.fault(open+1, faultCompressedType)
		}
		return p.data()
	case !item.known():
		p.emit(tkJunk, p.skip(p.pos))
	default:
		p.items(item, s)
	}
	return true
}

// items is "[" items "]", with commas or white space between them. Items of type nil are counted by the commas.
func (p *parser) items(t typeID, s []typeID) {
	g := p.begin(gItems, t)
	open := p.x.tokens()
	p.emit(tkControl, p.pos+1)
	comma := true
	for !p.stopped {
		p.gaps()
		c := p.at(p.pos)
		switch {
		case c == ']':
			if comma && p.x.groups[g].count > 0 && t != tNil {
				p.fault(p.lastSolid(), faultItemComma)
			}
			p.emit(tkControl, p.pos+1)
			p.end(g)
			return
		case c == ',':
			p.emit(tkControl, p.pos+1)
			if t == tNil {
				p.x.groups[g].count++
			} else if comma {
				p.fault(p.last(), faultItemComma)
			}
			comma = true
			continue
		case c == eof || c == '}' || c == '$' || t == tNil || c == ';' || c == ':' || c == '<' || c == '>':
			p.closeList(open, faultItem)
			p.end(g)
			return
		}
		comma = false
		if !p.item(t, s) {
			p.junkItem()
			continue
		}
		p.x.groups[g].count++
	}
	p.end(g)
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

// junkItem takes what is no item of the type of its list.
func (p *parser) junkItem() {
	end := p.pos + 1
	switch c := p.at(p.pos); {
	case c == '[' || c == '{':
		end = p.skip(p.pos)
	case c == '"':
		end, _ = p.quoted(p.pos)
	case isWord(c):
		end = p.bare(p.pos)
	}
	p.junk(end, faultItem)
}
