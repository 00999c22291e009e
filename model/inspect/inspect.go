// Package inspect interprets the bytes at a place in all ways: as numbers of every width, text, times, colours and
// identifiers, in both byte orders. It also finds the bit fields over a byte.
package inspect

import (
	"fmt"
	"image/color"
)

// Most is the number of bytes that Read uses.
const Most = 64

// A Value is the meaning of bytes in one interpretation and byte order.
type Value struct {
	Text  string      // "" if the bytes have no meaning
	Why   string      // the reason for that, in a few words
	Color color.NRGBA // if interpreted as a colour
}

// A Row is one interpretation of the bytes.
type Row struct {
	Name    string // "u32"
	Len     int    // number of bytes used, or 0 if they have no meaning in either order
	Ordered bool   // the byte order matters; otherwise Little holds the value and Big is empty
	Little  Value  // least significant byte first
	Big     Value  // most significant byte first
}

// An interpretation is an entry of the table of interpretations.
type interpretation struct {
	name string
	size int // bytes required
	// one interprets bytes whose order does not matter, both in a given order; one of them is nil. They get size bytes
	// or more, and return the number of bytes used.
	one  func(b []byte) (Value, int)
	both func(b []byte, o order) (Value, int)
}

// Read interprets b in all ways. b holds the bytes from a place on: Most bytes, or those up to the end of the source.
// The rows are always the same ones.
func Read(b []byte) []Row {
	b = b[:min(len(b), Most)]
	rows := make([]Row, len(ways))
	for i, w := range ways {
		row := Row{Name: w.name, Ordered: w.both != nil}
		switch {
		case len(b) < w.size:
			row.Little = Value{Why: tooFew(w.size, len(b))}
			if row.Ordered {
				row.Big = row.Little
			}
		case w.one != nil:
			row.Little, row.Len = w.one(b)
		default:
			var other int
			row.Little, row.Len = w.both(b, little)
			row.Big, other = w.both(b, big)
			row.Len = max(row.Len, other)
		}
		rows[i] = row
	}
	return rows
}

// tooFew returns the message that the source ends too early.
func tooFew(need, left int) string {
	if left == 0 {
		return "the source ends here"
	}
	return fmt.Sprintf("only %d of %d bytes", left, need)
}

// fixed returns an interpretation of size bytes that always has a meaning.
func fixed(name string, size int, show func(b []byte, o order) string) interpretation {
	read := func(b []byte, o order) (Value, int) { return Value{Text: show(b[:size], o)}, size }
	if size == 1 {
		return interpretation{name: name, size: 1, one: func(b []byte) (Value, int) { return read(b, little) }}
	}
	return interpretation{name: name, size: size, both: read}
}

// sometimes returns an interpretation of size bytes that may fail with a reason.
func sometimes(name string, size int, show func(b []byte, o order) (text, why string)) interpretation {
	return interpretation{name: name, size: size, both: func(b []byte, o order) (Value, int) {
		text, why := show(b[:size], o)
		if text == "" {
			return Value{Why: why}, 0
		}
		return Value{Text: text}, size
	}}
}

// ways lists the interpretations in display order.
var ways = []interpretation{
	fixed("u8", 1, showUnsigned), fixed("i8", 1, showSigned),
	fixed("u16", 2, showUnsigned), fixed("i16", 2, showSigned),
	fixed("u24", 3, showUnsigned), fixed("i24", 3, showSigned),
	fixed("u32", 4, showUnsigned), fixed("i32", 4, showSigned),
	fixed("u64", 8, showDecimal), fixed("u64, hex", 8, showHex), fixed("i64", 8, showSigned), // in one line they are long
	fixed("half", 2, showHalf), fixed("float", 4, showFloat), fixed("double", 8, showDouble),
	{name: "bool", size: 1, one: readBool},
	{name: "ULEB128", size: 1, one: readULEB}, {name: "SLEB128", size: 1, one: readSLEB},
	{name: "UTF-8 character", size: 1, one: readUTF8}, {name: "UTF-8 text", size: 1, one: readUTF8Text},
	{name: "UTF-16 character", size: 2, both: readUTF16}, {name: "UTF-16 text", size: 2, both: readUTF16Text},
	sometimes("Unix s, u32", 4, showUnix32),
	sometimes("Unix s, i64", 8, showUnix(second)), sometimes("Unix ms, i64", 8, showUnix(millisecond)),
	sometimes("Unix µs, i64", 8, showUnix(microsecond)), sometimes("Unix ns, i64", 8, showUnix(1)),
	sometimes("Unix s, double", 8, showUnixDouble),
	sometimes("FILETIME", 8, showFiletime), sometimes(".NET ticks", 8, showTicks), sometimes("DOS time", 4, showDOS),
	{name: "RGBA, u8", size: 4, both: readRGBA}, {name: "ARGB, u8", size: 4, both: readARGB},
	{name: "RGB, float", size: 12, both: readFloatRGB},
	fixed("GUID", 16, showGUID),
}
