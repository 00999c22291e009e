package hexview

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// An Encoding is the encoding of the text column.
type Encoding string

// The encodings, as named in settings.
const (
	ASCII    Encoding = ""
	UTF8     Encoding = "utf-8"
	Latin1   Encoding = "latin-1"
	UTF16LE  Encoding = "utf-16le"
	UTF16BE  Encoding = "utf-16be"
	ShiftJIS Encoding = "shift-jis"
)

// Encodings lists the encodings with their titles for a menu.
var Encodings = []struct {
	Encoding Encoding
	Title    string
}{
	{ASCII, "ASCII"}, {UTF8, "UTF-8"}, {Latin1, "Latin-1"}, {UTF16LE, "UTF-16, little endian"}, {UTF16BE, "UTF-16, big endian"},
	{ShiftJIS, "Shift-JIS"},
}

// A letter is the character shown at a byte. It is shown at the first of its n bytes; n is 0 at the others. r is 0 if
// the bytes are no character.
type letter struct {
	r rune
	n uint8
}

// contextBefore and contextAfter are the numbers of bytes around the visible ones that are read to complete characters
// at the edges.
const (
	contextBefore = 64
	contextAfter  = 4
)

// letters fills dst with the letters of data[from:from+len(dst)]; off is the source offset of data[from]. Characters
// begin anew with each band, since text in a field is aligned to the field.
func (e Encoding) letters(dst []letter, data []byte, from int, off int64, bands []Band) {
	base := off - int64(from) // the source offset of data[0]
	at := e.start(data, from, base, bands)
	for at < from+len(dst) {
		for len(bands) > 0 && bands[0].Off <= base+int64(at) {
			bands = bands[1:]
		}
		end := len(data)
		if len(bands) > 0 {
			end = min(end, int(bands[0].Off-base))
		}
		if at >= end {
			break
		}
		r, n := e.next(data[at:end])
		setLetter(dst, at-from, letter{r, uint8(n)})
		for i := 1; i < n; i++ {
			setLetter(dst, at+i-from, letter{})
		}
		at += n
	}
}

// setLetter sets letter i, if it is visible.
func setLetter(dst []letter, i int, l letter) {
	if i >= 0 && i < len(dst) {
		dst[i] = l
	}
}

// start returns the index to begin decoding at, so that no character is cut before data[from]. base is the source
// offset of data[0]. Characters of two bytes are aligned to the band, or else to the source.
func (e Encoding) start(data []byte, from int, base int64, bands []Band) int {
	at := from
	switch e {
	case UTF8:
		for at > 0 && from-at < utf8.UTFMax-1 && at < len(data) && !utf8.RuneStart(data[at]) {
			at--
		}
	case UTF16LE, UTF16BE:
		return e.startUnit(data, from, base, bands)
	case ShiftJIS:
		for at > 0 && from-at < contextBefore && data[at-1] >= 0x40 { // a byte below 0x40 is never part of two
			at--
		}
	}
	return at
}

// startUnit is like start, for characters that consist of pairs of bytes.
func (e Encoding) startUnit(data []byte, from int, base int64, bands []Band) int {
	off := base + int64(from)
	if len(bands) > 0 && bands[0].Holds(off) {
		off -= bands[0].Off
	}
	at := from - int(off&1)
	if at < 0 {
		return from
	}
	if at >= 2 && at+2 <= len(data) && e.unit(data[at:])&0xfc00 == 0xdc00 {
		at -= 2
	}
	return at
}

func (e Encoding) unit(b []byte) uint16 {
	if e == UTF16BE {
		return uint16(b[0])<<8 | uint16(b[1])
	}
	return uint16(b[1])<<8 | uint16(b[0])
}

// next returns the character that b begins with and its length, or 0 if it cannot be shown.
func (e Encoding) next(b []byte) (r rune, n int) {
	switch e {
	case UTF8:
		r, n = utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			return 0, 1
		}
	case UTF16LE, UTF16BE:
		if len(b) < 2 {
			return 0, 1
		}
		r, n = rune(e.unit(b)), 2
		if utf16.IsSurrogate(r) {
			if len(b) < 4 {
				return 0, 2
			}
			if r = utf16.DecodeRune(r, rune(e.unit(b[2:]))); r == unicode.ReplacementChar {
				return 0, 2
			}
			n = 4
		}
	case ShiftJIS:
		r, n = nextShiftJIS(b)
	case Latin1:
		r, n = rune(b[0]), 1
	default:
		if r, n = rune(b[0]), 1; r > rune(lastGlyph) {
			return 0, 1
		}
	}
	if !unicode.IsPrint(r) {
		r = 0
	}
	return r, n
}

// nextShiftJIS is like next, for Shift-JIS: one byte, or a lead byte and a second one.
func nextShiftJIS(b []byte) (rune, int) {
	n := 1
	if lead := b[0]; lead >= 0x81 && lead <= 0x9f || lead >= 0xe0 && lead <= 0xfc {
		n = 2
	}
	if len(b) < n {
		return 0, 1
	}
	var utf [8]byte
	size, _, err := japanese.ShiftJIS.NewDecoder().Transform(utf[:], b[:n], true)
	r, _ := utf8.DecodeRune(utf[:size])
	if err != nil || r == utf8.RuneError {
		return 0, 1
	}
	return r, n
}
