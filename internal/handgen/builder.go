// Package handgen makes crates for tests byte by byte, as no writer would: value data with sections around (builder.go), and sections
// of paths alone (paths.go). It finds the real crates too (files.go), and writes nodes as text (text.go).
package handgen

import (
	"bytes"
	"encoding/binary"

	"cutaway/internal/crategen"
)

// FirstValue is the lowest offset of value data: the bootstrap ends there.
const FirstValue = 88

// Builder writes crates by hand: value data as the test puts them, and sections around them with one spec that has
// all fields. Compressed parts are written with literals and full deltas only.
type Builder struct {
	ver     crategen.Version
	Data    bytes.Buffer // from FirstValue on
	tokens  []string
	strings []uint32
	Fields  []builtField
}

type builtField struct {
	name string
	rep  any // 8 bytes
}

// NewBuilder returns a builder of a crate of version 0.minor.0.
func NewBuilder(minor uint8) *Builder {
	return &Builder{ver: crategen.Version{0, minor, 0}, tokens: []string{";-)"}}
}

// Token returns the index of a token, which is added if need be.
func (b *Builder) Token(s string) uint32 {
	for i, t := range b.tokens {
		if t == s {
			return uint32(i)
		}
	}
	b.tokens = append(b.tokens, s)
	return uint32(len(b.tokens) - 1)
}

// Str returns the index of a string, which is added if need be.
func (b *Builder) Str(s string) uint32 {
	t := b.Token(s)
	for i, have := range b.strings {
		if have == t {
			return uint32(i)
		}
	}
	b.strings = append(b.strings, t)
	return uint32(len(b.strings) - 1)
}

// At returns the offset of the next value.
func (b *Builder) At() int64 { return FirstValue + int64(b.Data.Len()) }

// Put appends numbers, bytes and text to the value data and returns the offset of the first.
func (b *Builder) Put(parts ...any) int64 {
	at := b.At()
	Put(&b.Data, parts...)
	return at
}

// Put appends numbers, little-endian, bytes and text.
func Put(w *bytes.Buffer, parts ...any) {
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			w.WriteString(p)
		default:
			if err := binary.Write(w, binary.LittleEndian, p); err != nil {
				panic(err)
			}
		}
	}
}

// Field adds a field.
func (b *Builder) Field(name string, rep any) { b.Fields = append(b.Fields, builtField{name, rep}) }

// Ints returns cints(n, width) of the integers (5.4).
func Ints(width int, ints ...int64) []byte {
	coded := make([]byte, width+(len(ints)+3)/4)
	prev := int64(0)
	for i, v := range ints {
		coded[width+i/4] |= 3 << (2 * (i % 4))
		var d [8]byte
		binary.LittleEndian.PutUint64(d[:], uint64(v-prev))
		coded = append(coded, d[:width]...)
		prev = v
	}
	var w bytes.Buffer
	c := container(coded)
	Put(&w, uint64(len(c)), c)
	return w.Bytes()
}

// container returns a chunk container of one LZ4 block of literals (5.1, 5.2).
func container(b []byte) []byte {
	out := []byte{0}
	n := len(b)
	if n < 15 {
		return append(append(out, byte(n<<4)), b...)
	}
	out = append(out, 0xF0)
	for n -= 15; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return append(append(out, byte(n)), b...)
}

// Bytes returns the whole file: the paths are "/" and "/A".
func (b *Builder) Bytes() []byte {
	a := b.Token("A")
	for _, f := range b.Fields {
		b.Token(f.name)
	}
	var text bytes.Buffer
	for _, t := range b.tokens {
		text.WriteString(t + "\x00")
	}
	var w bytes.Buffer
	Put(&w, magicText, b.ver[:], make([]byte, 77), b.Data.Bytes())
	type placed struct {
		name        string
		start, size int
	}
	var toc []placed
	section := func(name string, parts ...any) {
		start := w.Len()
		Put(&w, parts...)
		toc = append(toc, placed{name, start, w.Len() - start})
	}
	old := b.ver[1] < 4
	if old {
		section("TOKENS", uint64(len(b.tokens)), uint64(text.Len()), text.Bytes())
	} else {
		c := container(text.Bytes())
		section("TOKENS", uint64(len(b.tokens)), uint64(text.Len()), uint64(len(c)), c)
	}
	section("STRINGS", uint64(len(b.strings)), b.strings)
	var records, reps bytes.Buffer
	var names, set []int64
	for i, f := range b.Fields {
		Put(&records, uint32(0xCDCDCDCD), b.Token(f.name), f.rep)
		Put(&reps, f.rep)
		names, set = append(names, int64(b.Token(f.name))), append(set, int64(i))
	}
	set = append(set, -1)
	if old {
		section("FIELDS", uint64(len(b.Fields)), records.Bytes())
		ids := make([]int32, len(set))
		for i, v := range set {
			ids[i] = int32(v)
		}
		section("FIELDSETS", uint64(len(set)), ids)
		section("PATHS", uint64(2), []uint32{0, 0, 1}, []uint32{1, a, 0})
		section("SPECS", uint64(2), []uint32{0, 0, 7}, []uint32{1, 0, 6})
	} else {
		c := container(reps.Bytes())
		section("FIELDS", uint64(len(b.Fields)), Ints(4, names...), uint64(len(c)), c)
		section("FIELDSETS", uint64(len(set)), Ints(4, set...))
		section("PATHS", uint64(2), uint64(2), Ints(4, 0, 1), Ints(4, 0, int64(a)), Ints(4, -1, -2))
		section("SPECS", uint64(2), Ints(4, 0, 1), Ints(4, 0, 0), Ints(4, 7, 6))
	}
	at := w.Len()
	Put(&w, uint64(len(toc)))
	for _, s := range toc {
		name := make([]byte, 16)
		copy(name, s.name)
		Put(&w, name, int64(s.start), int64(s.size))
	}
	all := w.Bytes()
	binary.LittleEndian.PutUint64(all[16:], uint64(at))
	return all
}
