package udm

import (
	"context"
	"hash/maphash"
	"slices"
	"sort"

	"cutaway/model"
)

// plainness tells of each group whether nothing is wrong with it and all in it, and nothing is to be decoded in it. It
// is found in one pass over the tokens, which says the same as the nodes made of them would. What it is not sure of it
// takes as not plain: the nodes tell.
type plainness struct {
	*lexer
	t      *text
	report model.Progress
	err    error
	seen   uint32   // tokens
	plain  []uint64 // a bit for each group
	hashes []uint64 // of the keys of the blocks that are open
}

// plainGroups finds the plain groups of the text; it fails only when ctx ends.
func plainGroups(ctx context.Context, t *text, progress model.Progress) ([]uint64, error) {
	p := &plainness{lexer: newLexer(ctx, t.x.src), t: t, report: progress}
	p.plain = make([]uint64, (len(t.x.groups)+63)/64)
	p.group(0, nil)
	return p.plain, p.err
}

// group goes over a group. s is the shape of the structs in it. A prefix goes with data that is to be decoded.
func (p *plainness) group(g uint32, s *shape) bool {
	x := p.t.x
	o := &x.groups[g]
	ok := o.kind != gPrefix && (o.kind != gNumbers || p.enough(o))
	keys := len(p.hashes)
	sub, nth, words := g+1, 0, 0
	for t := o.first; t < o.end && p.err == nil; {
		if sub < o.after && x.groups[sub].first == t {
			inner := &x.groups[sub]
			switch {
			case inner.kind == gShape:
				s = p.t.shape(p.ctx, sub)
			case inner.kind == gHeader:
				s = p.headerShape(sub)
			}
			if !p.group(sub, s) {
				ok = false
			}
			if o.kind == gFile || o.kind == gBlock {
				p.hashes = append(p.hashes, p.keyHash(sub))
			}
			t, sub = inner.end, inner.after
			nth++
			continue
		}
		switch x.kinds[t] {
		case tkBare, tkQuoted:
			if !p.word(o, t, nth, words, s) {
				ok = false
			}
			nth++
			words++
		case tkJunk, tkData:
			ok = false
		}
		p.step(t)
		t++
	}
	if p.repeats(keys) || p.faulty(o) {
		ok = false
	}
	if ok {
		p.plain[g/64] |= 1 << (g % 64)
	}
	return ok
}

// step counts a token that was gone over.
func (p *plainness) step(token uint32) {
	if p.seen++; p.seen&0xffff == 0 {
		p.err = p.ctx.Err()
		p.report.Report(p.t.x.off(token), p.t.x.size, "checking the text")
	}
}

// faulty tells whether the scan found something wrong in the group.
func (p *plainness) faulty(o *group) bool {
	faults := p.t.x.faults
	i := sort.Search(len(faults), func(i int) bool { return faults[i].token >= o.first })
	return i < len(faults) && faults[i].token < o.end
}

// enough tells whether a list of numbers has as many as its type.
func (p *plainness) enough(o *group) bool {
	want, n := o.typ.numbers(), int(o.count)
	return n == want || n == want-1 && (o.typ == tTransform || o.typ == tSTransform) // with Euler angles
}

// headerShape is the shape of the structs that a header announces.
func (p *plainness) headerShape(g uint32) *shape {
	for sub := g + 1; sub < p.t.x.groups[g].after; sub++ {
		if p.t.x.groups[sub].kind == gShape {
			return p.t.shape(p.ctx, sub)
		}
	}
	return nil
}

// word tells whether a word is in order where it stands: the nth child of its group that is a value, and the group's
// word after so many.
func (p *plainness) word(o *group, token uint32, nth, words int, s *shape) bool {
	t := tString
	switch o.kind {
	case gEntry:
		if words > 1 { // behind type and key
			t = o.typ
		}
	case gNumbers, gInner:
		t = types[o.typ].scalar
	case gItems:
		t = o.typ
	case gMembers:
		if s != nil && nth < len(s.types) {
			t = s.types[nth]
		}
	case gHeader:
		switch words {
		case 0:
		case 1:
			return p.countIs(o, token)
		default:
			return false // the size of data
		}
	}
	switch t {
	case tNil, tString, tRef:
		return true
	case tUnknown:
		return false
	}
	b := p.text(token)
	if b == nil {
		return false
	}
	if plainNumber(t, b) {
		return true
	}
	_, issue := parseWord(t, unquote(string(b)))
	return issue == nil
}

// countIs tells whether the number of items that a header announces is that of the items behind it.
func (p *plainness) countIs(header *group, token uint32) bool {
	b := p.text(token)
	if b == nil || !plainNumber(tUint32, b) || header.after >= uint32(len(p.t.x.groups)) {
		return false
	}
	items := &p.t.x.groups[header.after]
	v, _ := parseWord(tUint32, string(b))
	return items.kind == gItems && v == model.Uint(items.count)
}

// text is the bytes of a token as it stands; nil where they are too many to look at here, or cannot be read.
func (p *plainness) text(token uint32) []byte {
	off := p.t.x.off(token)
	n := p.t.x.off(token+1) - off
	if p.at(off) == eof || p.at(off+n-1) == eof {
		return nil
	}
	if off < p.lexer.off { // the last byte brought the next run
		if n > lexerRun/2 || p.at(off) == eof {
			return nil
		}
	}
	if off -= p.lexer.off; off+n <= int64(len(p.buf)) {
		return p.buf[off : off+n]
	}
	return nil
}

// keyHash is a hash of the key of an entry.
func (p *plainness) keyHash(g uint32) uint64 {
	x := p.t.x
	o := &x.groups[g]
	token := o.first
	if x.kinds[token] == tkControl { // "$" and the type
		for token += 2; token < o.end && x.kinds[token] != tkBare && x.kinds[token] != tkQuoted; {
			token++
		}
		for sub := g + 1; sub < o.after; sub++ { // a struct has its shape before the key
			if s := &x.groups[sub]; s.kind == gShape && s.first <= token && token < s.end {
				return maphash.String(seed, nameOf(p.t.key(p.ctx, g)))
			}
		}
	}
	b := p.text(token)
	if token >= o.end || len(b) == 0 || b[0] == '"' && slices.Contains(b, '\\') {
		return maphash.String(seed, nameOf(p.t.key(p.ctx, g)))
	}
	if b[0] == '"' {
		if b = b[1:]; len(b) > 0 && b[len(b)-1] == '"' {
			b = b[:len(b)-1]
		}
	}
	if len(b) == 0 {
		return maphash.String(seed, unnamed)
	}
	return maphash.Bytes(seed, b)
}

// repeats tells whether two of the keys from that on may be equal, and forgets them.
func (p *plainness) repeats(from int) bool {
	keys := p.hashes[from:]
	p.hashes = p.hashes[:from]
	slices.Sort(keys)
	return len(slices.Compact(keys)) < len(keys)
}

// plainNumber tells at a glance that a word is a number of its type, and in its range. Others may be, too.
func plainNumber(t typeID, word []byte) bool {
	signed, fraction, most := true, false, 0
	switch t {
	case tUint8, tUint16, tUint32, tUint64:
		signed = false
		most = [...]int{1: 2, 2: 4, 4: 9, 8: 19}[t.size()]
	case tInt8, tInt16, tInt32, tInt64:
		most = [...]int{1: 2, 2: 4, 4: 9, 8: 18}[t.size()]
	case tFloat, tDouble:
		fraction, most = true, 30
	case tHalf:
		fraction, most = true, 4
	case tBool:
		return len(word) == 1 && (word[0] == '0' || word[0] == '1')
	}
	if signed && len(word) > 0 && word[0] == '-' {
		word = word[1:]
	}
	digits := 0
	for digits < len(word) && word[digits] >= '0' && word[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > most {
		return false
	}
	if word = word[digits:]; fraction && len(word) > 0 && word[0] == '.' {
		for word = word[1:]; len(word) > 0 && word[0] >= '0' && word[0] <= '9'; {
			word = word[1:]
		}
	}
	return len(word) == 0
}

// plainGroups are found when a check asks for them first, and kept.
func (t *text) plainGroups(ctx context.Context, progress model.Progress) ([]uint64, error) {
	got, err := t.plain.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*[]uint64, error) {
		bits, err := plainGroups(ctx, t, progress)
		return &bits, err
	})
	if err != nil {
		return nil, err
	}
	return *got, nil
}

// Survey implements model.Surveyor.
func (p *part) Survey(ctx context.Context, progress model.Progress) (c model.Coverage, plain bool, err error) {
	if p.twice { // which its key tells
		return c, false, nil
	}
	bits, err := p.t.plainGroups(ctx, progress)
	if err != nil || bits[p.g/64]>>(p.g%64)&1 == 0 {
		return c, false, err
	}
	x := p.t.x
	o := &x.groups[p.g]
	for t := o.first; t < o.end; t++ {
		if x.kinds[t].gap() {
			c.Padding += x.off(t+1) - x.off(t)
		}
	}
	c.Explained = x.off(o.end) - x.off(o.first) - c.Padding
	return c, true, nil
}
