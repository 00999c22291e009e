package usdc

import (
	"bytes"
	"encoding/binary"
	"slices"

	"cutaway/internal/crategen"
)

// rawSection is a section to assemble a crate of.
type rawSection struct {
	name string
	body []byte
}

// assemble writes a crate out of its sections, in order, with the table of contents at the end.
func assemble(v crategen.Version, sections ...rawSection) []byte {
	var w bytes.Buffer
	putAll(&w, magicText, v[:], make([]byte, 77))
	var toc bytes.Buffer
	for _, s := range sections {
		putAll(&toc, s.name, make([]byte, 16-len(s.name)), int64(w.Len()), int64(len(s.body)))
		w.Write(s.body)
	}
	at := w.Len()
	putAll(&w, uint64(len(sections)), toc.Bytes())
	binary.LittleEndian.PutUint64(w.Bytes()[16:], uint64(at))
	return w.Bytes()
}

// tree is a path item and what is under it.
type tree struct {
	element  string
	property bool
	kids     []tree
}

const magicText = "PXR-USDC"

// The jumps of items from 0.4.0 on, and their bits below.
const (
	leafJump    = -2
	childJump   = -1
	siblingJump = 0

	bitChild    = 1
	bitSibling  = 2
	bitProperty = 4
)

// pathCrate encodes a tree of paths as version v would, with no fields and specs.
type pathCrate struct {
	v      crategen.Version
	tokens []string
	// From 0.4.0 on.
	indexes, elements, jumps []int64
	// Below.
	records bytes.Buffer
	count   uint32
}

func (p *pathCrate) token(s string) int64 {
	i := slices.Index(p.tokens, s)
	if i < 0 {
		i = len(p.tokens)
		p.tokens = append(p.tokens, s)
	}
	return int64(i)
}

func (p *pathCrate) add(siblings []tree) {
	for i, n := range siblings {
		last := i == len(siblings)-1
		at := len(p.indexes)
		token := p.token(n.element)
		if n.property {
			token = -token
		}
		p.indexes = append(p.indexes, int64(at))
		p.elements = append(p.elements, token)
		p.jumps = append(p.jumps, leafJump)
		p.add(n.kids)
		switch {
		case len(n.kids) > 0 && last:
			p.jumps[at] = childJump
		case len(n.kids) > 0:
			p.jumps[at] = int64(len(p.indexes) - at)
		case !last:
			p.jumps[at] = siblingJump
		}
	}
}

// addOld writes records; base is the offset in the file of the first.
func (p *pathCrate) addOld(siblings []tree, base int64) {
	for i, n := range siblings {
		bits := uint8(0)
		if len(n.kids) > 0 {
			bits |= bitChild
		}
		if i < len(siblings)-1 {
			bits |= bitSibling
		}
		if n.property {
			bits |= bitProperty
		}
		if p.v == (crategen.Version{0, 0, 1}) {
			putAll(&p.records, uint32(0xCDCDCDCD))
		}
		putAll(&p.records, p.count, uint32(p.token(n.element)), bits, []byte{0xCD, 0xCD, 0xCD})
		p.count++
		hole := p.records.Len()
		if both := bits&3 == 3; both {
			putAll(&p.records, int64(0))
			p.addOld(n.kids, base)
			binary.LittleEndian.PutUint64(p.records.Bytes()[hole:], uint64(base)+uint64(p.records.Len()))
			continue
		}
		p.addOld(n.kids, base)
	}
}

func (p *pathCrate) bytes(root tree) []byte {
	p.add([]tree{root})
	if p.v[1] < 4 {
		return p.plain(root)
	}
	return p.compressed()
}

// compressed is the file of a version from 0.4.0 on.
func (p *pathCrate) compressed() []byte {
	var text, paths, tokens bytes.Buffer
	for _, t := range p.tokens {
		text.WriteString(t + "\x00")
	}
	c := container(text.Bytes())
	putAll(&tokens, uint64(len(p.tokens)), uint64(text.Len()), uint64(len(c)), c)
	items, empty := uint64(len(p.indexes)), make([]byte, 8)
	putAll(&paths, items, items, cintsOf(4, p.indexes...), cintsOf(4, p.elements...), cintsOf(4, p.jumps...))
	none := []byte{2, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	return assemble(p.v, rawSection{"TOKENS", tokens.Bytes()}, rawSection{"STRINGS", empty},
		rawSection{"FIELDS", slices.Concat(empty, none, none)}, rawSection{"FIELDSETS", slices.Concat(empty, none)},
		rawSection{"PATHS", paths.Bytes()}, rawSection{"SPECS", slices.Concat(empty, none, none, none)})
}

// plain is the file of a version below 0.4.0.
func (p *pathCrate) plain(root tree) []byte {
	var text, paths, tokens bytes.Buffer
	for _, t := range p.tokens {
		text.WriteString(t + "\x00")
	}
	putAll(&tokens, uint64(len(p.tokens)), uint64(text.Len()), text.Bytes())
	empty := make([]byte, 8)
	p.addOld([]tree{root}, int64(firstValue+tokens.Len()+3*len(empty)+8))
	putAll(&paths, uint64(p.count), p.records.Bytes())
	return assemble(p.v, rawSection{"TOKENS", tokens.Bytes()}, rawSection{"STRINGS", empty}, rawSection{"FIELDS", empty},
		rawSection{"FIELDSETS", empty}, rawSection{"PATHS", paths.Bytes()}, rawSection{"SPECS", empty})
}

// everyElement has elements of all kinds, by the rules of 7.1.
var everyElement = tree{"", false, []tree{
	{"A", false, []tree{
		{"b", true, []tree{
			{"[/B]", false, []tree{{".attr", false, []tree{{".mapper[/C]", false, nil}}}}},
		}},
		{"{v=}", false, nil},
		{"{v=x}", false, []tree{
			{"B", false, []tree{{"c", true, nil}, {"D", false, nil}}},
			{"{w=y}", false, []tree{{"E", false, nil}}},
			{"p", true, nil},
		}},
	}},
	{"x", false, []tree{{"xformOp:translate", true, nil}}},
}}

// everyPath are its paths.
var everyPath = []string{
	"/", "/A", "/A.b", "/A.b[/B]", "/A.b[/B].attr", "/A.b[/B].attr.mapper[/C]", "/A{v=}", "/A{v=x}", "/A{v=x}B", "/A{v=x}B.c",
	"/A{v=x}B/D", "/A{v=x}{w=y}", "/A{v=x}{w=y}E", "/A{v=x}.p", "/x", "/x.xformOp:translate",
}
