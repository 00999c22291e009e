// Package inspect reads the bytes at a place as everything that they could be: numbers of every width, text, times,
// colours and identifiers, in both byte orders; and finds the bit fields that lie over a byte.
package inspect

import (
	"fmt"
	"image/color"
)

// Most is the number of bytes that Read uses.
const Most = 64

// A Value is what bytes mean when they are read in one way and byte order.
type Value struct {
	Text  string      // "" where they mean nothing
	Why   string      // then: why not, in a few words
	Color color.NRGBA // of readings as a colour
}

// A Row is one way to read the bytes.
type Row struct {
	Name    string // "u32"
	Len     int    // how many bytes it takes; 0 where the bytes mean nothing in either order
	Ordered bool   // the byte order matters; else Little holds the value and Big is empty
	Little  Value  // the bytes taken with the least significant first
	Big     Value  // and with the most significant first
}

// interpretation is one entry of the table of readings.
type interpretation struct {
	name string
	size int // bytes that are needed
	// one reads bytes whose order does not matter, both reads them in an order; one of them is set. They are given
	// size bytes or more, and return how many they took.
	one  func(b []byte) (Value, int)
	both func(b []byte, o order) (Value, int)
}

// Read reads b in every way. b is the bytes from a place on, Most of them or as many as there are before the end of
// the source. The rows are always the same ones.
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

// tooFew says that the source ends too early.
func tooFew(need, left int) string {
	if left == 0 {
		return "the source ends here"
	}
	return fmt.Sprintf("only %d of %d bytes", left, need)
}

// fixed is a reading of exactly size bytes that always means something.
func fixed(name string, size int, show func(b []byte, o order) string) interpretation {
	read := func(b []byte, o order) (Value, int) { return Value{Text: show(b[:size], o)}, size }
	if size == 1 {
		return interpretation{name: name, size: 1, one: func(b []byte) (Value, int) { return read(b, little) }}
	}
	return interpretation{name: name, size: size, both: read}
}

// sometimes is a reading of exactly size bytes that fails with a reason where they do not make sense.
func sometimes(name string, size int, show func(b []byte, o order) (text, why string)) interpretation {
	return interpretation{name: name, size: size, both: func(b []byte, o order) (Value, int) {
		text, why := show(b[:size], o)
		if text == "" {
			return Value{Why: why}, 0
		}
		return Value{Text: text}, size
	}}
}

// ways lists the readings, in the order in which they are shown.
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
