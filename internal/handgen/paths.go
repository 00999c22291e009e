package handgen

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"cutaway/internal/crategen"
)

// Section is a section to assemble a crate of.
type Section struct {
	Name string
	Body []byte
}

// Assemble writes a crate out of its sections, in order, with the table of contents at the end.
func Assemble(v crategen.Version, sections ...Section) []byte {
	var w bytes.Buffer
	Put(&w, magicText, v[:], make([]byte, 77))
	var toc bytes.Buffer
	for _, s := range sections {
		Put(&toc, s.Name, make([]byte, 16-len(s.Name)), int64(w.Len()), int64(len(s.Body)))
		w.Write(s.Body)
	}
	at := w.Len()
	Put(&w, uint64(len(sections)), toc.Bytes())
	binary.LittleEndian.PutUint64(w.Bytes()[16:], uint64(at))
	return w.Bytes()
}

// Tree is a path item and what is under it.
type Tree struct {
	Element  string
	Property bool
	Kids     []Tree
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

// Paths encodes a tree of paths as its version does, with no fields and specs.
type Paths struct {
	Version crategen.Version
	Tokens  []string
	// From 0.4.0 on.
	indexes, elements, Jumps []int64
	// Below.
	records bytes.Buffer
	count   uint32
}

// Token returns the index of a token, which is added if need be.
func (p *Paths) Token(s string) int64 {
	i := slices.Index(p.Tokens, s)
	if i < 0 {
		i = len(p.Tokens)
		p.Tokens = append(p.Tokens, s)
	}
	return int64(i)
}

// Add adds items to the lists of versions from 0.4.0 on.
func (p *Paths) Add(siblings []Tree) {
	for i, n := range siblings {
		last := i == len(siblings)-1
		at := len(p.indexes)
		token := p.Token(n.Element)
		if n.Property {
			token = -token
		}
		p.indexes = append(p.indexes, int64(at))
		p.elements = append(p.elements, token)
		p.Jumps = append(p.Jumps, leafJump)
		p.Add(n.Kids)
		switch {
		case len(n.Kids) > 0 && last:
			p.Jumps[at] = childJump
		case len(n.Kids) > 0:
			p.Jumps[at] = int64(len(p.indexes) - at)
		case !last:
			p.Jumps[at] = siblingJump
		}
	}
}

// addOld writes records; base is the offset in the file of the first.
func (p *Paths) addOld(siblings []Tree, base int64) {
	for i, n := range siblings {
		bits := uint8(0)
		if len(n.Kids) > 0 {
			bits |= bitChild
		}
		if i < len(siblings)-1 {
			bits |= bitSibling
		}
		if n.Property {
			bits |= bitProperty
		}
		if p.Version == (crategen.Version{0, 0, 1}) {
			Put(&p.records, uint32(0xCDCDCDCD))
		}
		Put(&p.records, p.count, uint32(p.Token(n.Element)), bits, []byte{0xCD, 0xCD, 0xCD})
		p.count++
		hole := p.records.Len()
		if both := bits&3 == 3; both {
			Put(&p.records, int64(0))
			p.addOld(n.Kids, base)
			binary.LittleEndian.PutUint64(p.records.Bytes()[hole:], uint64(base)+uint64(p.records.Len()))
			continue
		}
		p.addOld(n.Kids, base)
	}
}

// Bytes returns the file of a tree.
func (p *Paths) Bytes(root Tree) []byte {
	p.Add([]Tree{root})
	if p.Version[1] < 4 {
		return p.plain(root)
	}
	return p.Compressed()
}

// Compressed returns the file of a version from 0.4.0 on.
func (p *Paths) Compressed() []byte {
	var text, paths, tokens bytes.Buffer
	for _, t := range p.Tokens {
		text.WriteString(t + "\x00")
	}
	c := container(text.Bytes())
	Put(&tokens, uint64(len(p.Tokens)), uint64(text.Len()), uint64(len(c)), c)
	items, empty := uint64(len(p.indexes)), make([]byte, 8)
	Put(&paths, items, items, Ints(4, p.indexes...), Ints(4, p.elements...), Ints(4, p.Jumps...))
	none := []byte{2, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	return Assemble(p.Version, Section{"TOKENS", tokens.Bytes()}, Section{"STRINGS", empty},
		Section{"FIELDS", slices.Concat(empty, none, none)}, Section{"FIELDSETS", slices.Concat(empty, none)},
		Section{"PATHS", paths.Bytes()}, Section{"SPECS", slices.Concat(empty, none, none, none)})
}

// plain returns the file of a version below 0.4.0.
func (p *Paths) plain(root Tree) []byte {
	var text, paths, tokens bytes.Buffer
	for _, t := range p.Tokens {
		text.WriteString(t + "\x00")
	}
	Put(&tokens, uint64(len(p.Tokens)), uint64(text.Len()), text.Bytes())
	empty := make([]byte, 8)
	p.addOld([]Tree{root}, int64(FirstValue+tokens.Len()+3*len(empty)+8))
	Put(&paths, uint64(p.count), p.records.Bytes())
	return Assemble(p.Version, Section{"TOKENS", tokens.Bytes()}, Section{"STRINGS", empty}, Section{"FIELDS", empty},
		Section{"FIELDSETS", empty}, Section{"PATHS", paths.Bytes()}, Section{"SPECS", empty})
}

// EveryElement has elements of all kinds, by the rules of 7.1.
var EveryElement = Tree{"", false, []Tree{
	{"A", false, []Tree{
		{"b", true, []Tree{
			{"[/B]", false, []Tree{{".attr", false, []Tree{{".mapper[/C]", false, nil}}}}},
		}},
		{"{v=}", false, nil},
		{"{v=x}", false, []Tree{
			{"B", false, []Tree{{"c", true, nil}, {"D", false, nil}}},
			{"{w=y}", false, []Tree{{"E", false, nil}}},
			{"p", true, nil},
		}},
	}},
	{"x", false, []Tree{{"xformOp:translate", true, nil}}},
}}

// EveryPath are its paths.
var EveryPath = []string{
	"/", "/A", "/A.b", "/A.b[/B]", "/A.b[/B].attr", "/A.b[/B].attr.mapper[/C]", "/A{v=}", "/A{v=x}", "/A{v=x}B", "/A{v=x}B.c",
	"/A{v=x}B/D", "/A{v=x}{w=y}", "/A{v=x}{w=y}E", "/A{v=x}.p", "/x", "/x.xformOp:translate",
}

// Large is a crate of n prims under the root, each with a property.
func Large(n int) []byte {
	root := Tree{Element: "", Kids: make([]Tree, n)}
	for i := range root.Kids {
		root.Kids[i] = Tree{Element: fmt.Sprintf("prim_%d", i), Kids: []Tree{{Element: "size", Property: true}}}
	}
	return (&Paths{Version: crategen.Version{0, 8, 0}, Tokens: []string{";-)"}}).Bytes(root)
}
