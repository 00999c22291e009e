package usda

import (
	"bytes"
	"unicode/utf8"
)

// Token is a kind of token of USD text.
type Token uint8

// The kinds of tokens.
const (
	Bad     Token = iota // no token, or one without end
	Blank                // spaces and tabs
	Newline              // the end of a line
	Comment              // # or // to the end of the line, /* to */
	Word                 // an identifier, possibly with namespaces: xformOp:translate, Foo::Bar
	Number               // also -inf; inf and nan are words
	String               // between one or three quotes
	Asset                // @path@ or @@@path@@@
	PathRef              // </World>
	Punct                // one of ()[]{}=:;,.&
)

// Scan returns the kind and length of the token that b begins with. b is not empty; whole says that the text ends with
// b. ok is false if the token may go on after b.
func Scan(b []byte, whole bool) (kind Token, n int, ok bool) {
	switch b[0] {
	case ' ', '\t':
		n = len(b) - len(bytes.TrimLeft(b, " \t"))
		return Blank, n, whole || n < len(b)
	case '\n':
		return Newline, 1, true
	case '\r':
		return scanReturn(b, whole)
	case '#':
		return scanLineComment(b, whole)
	case '/':
		return scanComment(b, whole)
	case '"', '\'':
		return scanString(b, whole)
	case '@':
		return scanAsset(b, whole)
	case '<':
		return scanUntil(b, whole, PathRef, '>')
	case '.':
		return scanDot(b, whole)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return scanNumber(b, whole)
	case '(', ')', '[', ']', '{', '}', '=', ':', ';', ',', '&':
		return Punct, 1, true
	}
	if b[0] < ' ' || b[0] == 0x7f {
		return scanControl(b, whole)
	}
	return scanWord(b, whole)
}

// longestControl is the most equal control bytes in one token.
const longestControl = 512

// scanControl scans a run of one control byte. Damaged files have billions of zeros.
func scanControl(b []byte, whole bool) (Token, int, bool) {
	n := 1
	for n < min(len(b), longestControl) && b[n] == b[0] {
		n++
	}
	return Bad, n, whole || n < len(b) || n == longestControl
}

// scanReturn scans the end of a line, of one character or two.
func scanReturn(b []byte, whole bool) (Token, int, bool) {
	if bytes.HasPrefix(b, []byte("\r\n")) {
		return Newline, 2, true
	}
	return Newline, 1, whole || len(b) > 1
}

// scanDot scans a number that begins with its point, or the mark.
func scanDot(b []byte, whole bool) (Token, int, bool) {
	if len(b) > 1 && isDigit(b[1]) {
		return scanNumber(b, whole)
	}
	return Punct, 1, whole || len(b) > 1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// lineEnd returns the length of the first line of b, without its end.
func lineEnd(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		b = b[:i]
	}
	if i := bytes.IndexByte(b, '\r'); i >= 0 {
		return i
	}
	return len(b)
}

func scanLineComment(b []byte, whole bool) (Token, int, bool) {
	n := lineEnd(b)
	return Comment, n, whole || n < len(b)
}

func scanComment(b []byte, whole bool) (Token, int, bool) {
	switch {
	case len(b) == 1:
		return Bad, 1, whole
	case b[1] == '/':
		return scanLineComment(b, whole)
	case b[1] != '*':
		return Bad, 1, true
	}
	if i := bytes.Index(b[2:], []byte("*/")); i >= 0 {
		return Comment, i + 4, true
	}
	return Bad, len(b), whole
}

// scanUntil scans a token of one line that ends with end.
func scanUntil(b []byte, whole bool, kind Token, end byte) (Token, int, bool) {
	if i := 1 + bytes.IndexByte(b[1:], end); i > 0 && lineEnd(b[:i]) == i { // b may have many lines
		return kind, i + 1, true
	}
	n := lineEnd(b)
	return Bad, n, whole || n < len(b)
}

func scanString(b []byte, whole bool) (Token, int, bool) {
	if len(b) < 3 && !whole {
		return Bad, len(b), false
	}
	if len(b) >= 3 && b[1] == b[0] && b[2] == b[0] {
		return scanLongString(b, whole)
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '\n', '\r':
			return Bad, i, true
		case b[0]:
			return String, i + 1, true
		}
	}
	return Bad, len(b), whole
}

// scanLongString scans a string between triple quotes, which may have several lines.
func scanLongString(b []byte, whole bool) (Token, int, bool) {
	quotes := b[:3]
	for i := len(quotes); i < len(b); i++ {
		switch {
		case b[i] == '\\':
			i++
		case b[i] != quotes[0]:
		case len(b)-i < len(quotes) && !whole:
			return Bad, len(b), false
		case bytes.HasPrefix(b[i:], quotes):
			return String, i + len(quotes), true
		}
	}
	return Bad, len(b), whole
}

const tripleAt = "@@@"

func scanAsset(b []byte, whole bool) (Token, int, bool) {
	if len(b) < len(tripleAt) && !whole {
		return Bad, len(b), false
	}
	if !bytes.HasPrefix(b, []byte(tripleAt)) {
		return scanUntil(b, whole, Asset, '@')
	}
	line := b[:lineEnd(b)]
	for i := len(tripleAt); i < len(line); i++ {
		if bytes.HasPrefix(line[i:], []byte(`\@@@`)) {
			i += 3
			continue
		}
		if !bytes.HasPrefix(line[i:], []byte(tripleAt)) {
			continue
		}
		end := i + len(tripleAt)
		for end < len(line) && end < i+5 && line[end] == '@' { // of up to five, the last three close it
			end++
		}
		return Asset, end, whole || end < len(b)
	}
	return Bad, len(line), whole || len(line) < len(b)
}

func scanNumber(b []byte, whole bool) (Token, int, bool) {
	from := 0
	if b[0] == '-' {
		from = 1
	}
	end := digitsEnd(b, from)
	digits := end - from
	if end < len(b) && b[end] == '.' {
		fraction := end + 1
		end = digitsEnd(b, fraction)
		digits += end - fraction
	}
	if digits == 0 {
		if bytes.HasPrefix(b, []byte("-inf")) {
			return Number, 4, whole || len(b) > 4
		}
		return Bad, 1, whole || len(b) > 4
	}
	end = exponentEnd(b, end, whole)
	return Number, end, whole || end < len(b)
}

// digitsEnd returns the end of the digits at b[i:], or i if there are none.
func digitsEnd(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

// exponentEnd returns the end of the exponent at b[i:], or i if there is none. At the end of b, unless whole, one
// without digits counts.
func exponentEnd(b []byte, i int, whole bool) int {
	if i == len(b) || b[i] != 'e' && b[i] != 'E' {
		return i
	}
	digits := i + 1
	if digits < len(b) && (b[digits] == '+' || b[digits] == '-') {
		digits++
	}
	end := digitsEnd(b, digits)
	if end == digits && (whole || end < len(b)) {
		return i
	}
	return end
}

func scanWord(b []byte, whole bool) (Token, int, bool) {
	n := 0
	for {
		end := identifierEnd(b[n:])
		if end == 0 {
			break
		}
		n += end
		if next := n + 1; next < len(b) && b[n] == ':' {
			if b[next] == ':' {
				next++
			}
			if next < len(b) && identifierEnd(b[next:min(len(b), next+utf8.UTFMax)]) > 0 {
				n = next
				continue
			}
		}
		break
	}
	if n == 0 {
		_, size := utf8.DecodeRune(b)
		return Bad, size, whole || utf8.FullRune(b)
	}
	return Word, n, whole || n+2*utf8.UTFMax < len(b)
}

// identifierEnd returns nameEnd of the first maxWord bytes of b.
func identifierEnd(b []byte) int {
	b = b[:min(len(b), maxWord)]
	for i, c := range b {
		switch {
		case c >= utf8.RuneSelf:
			return nameEnd(string(b))
		case c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || i > 0 && isDigit(c):
		default:
			return i
		}
	}
	return len(b)
}

// maxWord is the most bytes of an identifier that are read.
const maxWord = 1 << 12
