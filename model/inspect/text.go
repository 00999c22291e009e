package inspect

import (
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"cutaway/model"
)

func readUTF8(b []byte) (Value, int) {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n <= 1 {
		if !utf8.FullRune(b) {
			return Value{Why: endsInside}, 0
		}
		return Value{Why: "not UTF-8"}, 0
	}
	return Value{Text: showRune(r)}, n
}

func showRune(r rune) string { return fmt.Sprintf("%s   U+%04X", strconv.QuoteRune(r), r) }

// readUTF8Text reads characters up to the first that is invalid or unprintable.
func readUTF8Text(b []byte) (Value, int) {
	return readText(b, func(b []byte) (rune, int) {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			n = 0
		}
		return r, n
	}, utf8.UTFMax)
}

// utf16Rune reads a character; n is 0 if there is none.
func utf16Rune(b []byte, o order) (r rune, n int) {
	if len(b) < 2 {
		return 0, 0
	}
	r = rune(o.number(b[:2]))
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if len(b) < 4 {
		return 0, 0
	}
	if r = utf16.DecodeRune(r, rune(o.number(b[2:4]))); r == utf8.RuneError {
		return 0, 0
	}
	return r, 4
}

func readUTF16(b []byte, o order) (Value, int) {
	r, n := utf16Rune(b, o)
	switch {
	case n == 0 && len(b) < 4:
		return Value{Why: endsInside}, 0
	case n == 0:
		return Value{Why: "half of a surrogate pair"}, 0
	}
	return Value{Text: showRune(r)}, n
}

func readUTF16Text(b []byte, o order) (Value, int) {
	return readText(b, func(b []byte) (rune, int) { return utf16Rune(b, o) }, 4)
}

// readText reads a run of printable characters. longest is the most bytes of a character: if fewer are left, the text
// may go on, and ends in an ellipsis.
func readText(b []byte, next func([]byte) (r rune, n int), longest int) (Value, int) {
	var text []rune
	at := 0
	for at < len(b) {
		r, n := next(b[at:])
		if n == 0 || !unicode.IsPrint(r) && r != '\t' && r != '\n' && r != '\r' {
			break
		}
		text = append(text, r)
		at += n
	}
	if at == 0 {
		return Value{Why: "no printable text"}, 0
	}
	shown := strconv.Quote(string(text))
	if len(b) == Most && at > Most-longest {
		shown += "…"
	}
	return Value{Text: shown + "   " + model.Counted(int64(at), "byte")}, at
}
