// Package odingen writes OdinSerializer data for tests and measurements: sound, damaged and large.
package odingen

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf16"
)

// Ids of the binary form that are not written through a method of their own.
const (
	EndOfNode   = 0x05
	EndOfArray  = 0x07
	EndOfStream = 0x31
)

// Writer writes the binary form. Name gives the next entry a name.
type Writer struct {
	bytes.Buffer
	Narrow bool // strings of characters up to 255 take 8 bits each
	name   *string
	types  map[string]int32
	nodes  int32
}

// Name names the entry that is written next.
func (w *Writer) Name(name string) *Writer {
	w.name = &name
	return w
}

// Put writes values little-endian.
func (w *Writer) Put(values ...any) {
	for _, v := range values {
		_ = binary.Write(&w.Buffer, binary.LittleEndian, v) // a buffer takes all
	}
}

// Text writes a string: flag, count, characters.
func (w *Writer) Text(s string) {
	units := utf16.Encode([]rune(s))
	narrow := w.Narrow
	for _, u := range units {
		narrow = narrow && u < 256
	}
	if !narrow {
		w.Put(byte(1), int32(len(units)), units)
		return
	}
	w.Put(byte(0), int32(len(units)))
	for _, u := range units {
		w.WriteByte(byte(u))
	}
}

// ID writes an entry's id and name: that of the named form, or the next one. The by-string pair follows that, too.
func (w *Writer) ID(named byte) {
	if w.name == nil {
		w.WriteByte(named + 1)
		return
	}
	w.WriteByte(named)
	w.Text(*w.name)
	w.name = nil
}

// Type writes a type entry: it defines the name's id, or uses it; "" writes no type.
func (w *Writer) Type(name string) {
	if name == "" {
		w.WriteByte(0x2e)
		return
	}
	if id, ok := w.types[name]; ok {
		w.Put(byte(0x30), id)
		return
	}
	if w.types == nil {
		w.types = map[string]int32{}
	}
	id := int32(len(w.types))
	w.types[name] = id
	w.Put(byte(0x2f), id)
	w.Text(name)
}

// Ref writes a reference node with the entries that inside writes, and returns its id.
func (w *Writer) Ref(typ string, inside func()) int32 {
	w.ID(0x01)
	w.Type(typ)
	id := w.nodes
	w.nodes++
	w.Put(id)
	inside()
	w.WriteByte(EndOfNode)
	return id
}

// Struct writes a struct node.
func (w *Writer) Struct(typ string, inside func()) {
	w.ID(0x03)
	w.Type(typ)
	inside()
	w.WriteByte(EndOfNode)
}

// Array writes an array that announces n.
func (w *Writer) Array(n int64, inside func()) {
	w.Put(byte(0x06), n)
	inside()
	w.WriteByte(EndOfArray)
}

// Primitives writes a primitive array out of a slice of numbers of size bytes each.
func (w *Writer) Primitives(size int32, count int32, values any) {
	w.Put(byte(0x08), count, size, values)
}

// Int writes an Int entry.
func (w *Writer) Int(v int32) { w.ID(0x17); w.Put(v) }

// UInt writes a UInt entry.
func (w *Writer) UInt(v uint32) { w.ID(0x19); w.Put(v) }

// Float writes a Float entry.
func (w *Writer) Float(v float32) { w.ID(0x1f); w.Put(math.Float32bits(v)) }

// Str writes a String entry.
func (w *Writer) Str(s string) { w.ID(0x27); w.Text(s) }

// Null writes a Null entry.
func (w *Writer) Null() { w.ID(0x2d) }

// Internal writes an internal reference.
func (w *Writer) Internal(id int32) { w.ID(0x09); w.Put(id) }

// External writes an external reference by index.
func (w *Writer) External(index int32) { w.ID(0x0b); w.Put(index) }

// TypeNode writes a Type value.
func (w *Writer) TypeNode(name string) int32 {
	return w.Ref("System.RuntimeType, mscorlib", func() { w.Str(name) })
}

// Member writes a member of an ISerializable type: its type, then the value under its name.
func (w *Writer) Member(typ, name string, value func()) {
	w.Name("type").Str(typ)
	w.Name(name)
	value()
}
