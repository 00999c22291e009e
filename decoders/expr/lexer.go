package expr

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	endToken tokenKind = iota
	intToken
	floatToken
	strToken
	formatToken // f"; the parser reads the pieces
	nameToken
	opToken
)

type token struct {
	kind   tokenKind
	text   string // of names, operators, versions and characters: as written; of strings: the value
	offset int
	end    int
	value  *big.Int
	float  float64
}

var operators = []string{"..", "&^", "<<", ">>", "<=", ">=", "==", "!=", "::", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^", "~", "?", ":",
	"(", ")", "[", "]", ",", ".", "}"}

// extensions says what to write in .ksy for operators of BuiltIn.
var extensions = map[string]string{"&^": `a & ~b`, "..": `a <= x and x <= b`, "in": `x == a or x == b`}

// refuseExtension returns the error of an operator that only BuiltIn has.
func refuseExtension(at int, op string) *Error {
	return failAt(at, "%q is no operator of .ksy; write %s", op, extensions[op])
}

// scan returns the token at an offset of the text.
func scan(text string, at int, d Dialect) (token, *Error) {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	if strings.HasPrefix(text[at:], "\\\n") { // a line may be continued
		return scan(text, at+2, d)
	}
	if at == len(text) {
		return token{kind: endToken, offset: at, end: at}, nil
	}
	c := text[at]
	switch {
	case isDigit(c), c == '.' && at+1 < len(text) && isDigit(text[at+1]):
		return scanNumber(text, at, d)
	case c == '\'' && d == BuiltIn:
		return scanCharacter(text, at)
	case c == '\'', c == '"':
		return scanQuoted(text, at)
	case strings.HasPrefix(text[at:], `f"`):
		return token{kind: formatToken, offset: at, end: at + 2}, nil
	case isNameByte(c):
		return scanName(text, at, d)
	}
	return scanOperator(text, at, d)
}

// scanName reads a name or a version.
func scanName(text string, at int, d Dialect) (token, *Error) {
	if text[at] == 'v' && versionPattern.MatchString(text[at:]) {
		version := versionPattern.FindString(text[at:])
		if d == Kaitai {
			return token{}, failAt(at, "%q is a version, and .ksy has no versions", version)
		}
		return scanVersion(version, at)
	}
	end := at
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	return token{kind: nameToken, text: text[at:end], offset: at, end: end}, nil
}

var versionPattern = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+`)

// scanVersion reads v1.2.3.
func scanVersion(version string, at int) (token, *Error) {
	var parts [3]uint8
	for i, text := range strings.Split(version[1:], ".") {
		n, err := strconv.ParseUint(text, 10, 8)
		if err != nil {
			return token{}, failAt(at, "%q is no version: its parts go up to 255", version)
		}
		parts[i] = uint8(n)
	}
	value := big.NewInt(Version(parts[0], parts[1], parts[2]))
	return token{kind: intToken, text: version, value: value, offset: at, end: at + len(version)}, nil
}

// Version returns the number that a version such as v1.2.3 is in an expression.
func Version(major, minor, patch uint8) int64 {
	return int64(major)<<16 | int64(minor)<<8 | int64(patch)
}

// VersionText returns the version that a number of Version stands for, such as 1.2.3.
func VersionText(n int64) string { return fmt.Sprintf("%d.%d.%d", n>>16, n>>8&0xff, n&0xff) }

func scanOperator(text string, at int, d Dialect) (token, *Error) {
	switch {
	case strings.HasPrefix(text[at:], "&&"):
		return token{}, failAt(at, `"&&" is no operator here; write "and"`)
	case strings.HasPrefix(text[at:], "||"):
		return token{}, failAt(at, `"||" is no operator here; write "or"`)
	}
	for _, op := range operators {
		if strings.HasPrefix(text[at:], op) {
			if d == Kaitai && extensions[op] != "" {
				return token{}, refuseExtension(at, op)
			}
			return token{kind: opToken, text: op, offset: at, end: at + len(op)}, nil
		}
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	if r == '!' {
		return token{}, failAt(at, `"!" is no operator here; write "not"`)
	}
	return token{}, failAt(at, "%q has no meaning in an expression", r)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// scanCharacter reads 'i', the number of a character.
func scanCharacter(text string, at int) (token, *Error) {
	r, size := utf8.DecodeRuneInString(text[at+1:])
	end := at + 1 + size
	if r == '\'' || r == utf8.RuneError || !strings.HasPrefix(text[end:], "'") {
		return token{}, failAt(at, `one character and a ' should follow; text is written "…"`)
	}
	return token{kind: intToken, text: text[at : end+1], value: big.NewInt(int64(r)), offset: at, end: end + 1}, nil
}

// scanQuoted reads '…', where nothing is special, or "…" with escapes.
func scanQuoted(text string, at int) (t token, err *Error) {
	t = token{kind: strToken, offset: at}
	if text[at] == '"' {
		t.text, t.end, err = scanString(text, at+1, `"`)
	} else if t.end = strings.IndexByte(text[at+1:], '\'') + at + 1; t.end == at {
		t.end = len(text)
	} else {
		t.text = text[at+1 : t.end]
	}
	if err == nil && t.end == len(text) {
		err = failAt(at, "the string that begins here has no closing %c", text[at])
	}
	t.end++
	return t, err
}

var (
	intPattern   = regexp.MustCompile(`^(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|0|[1-9][0-9_]*)`)
	floatPattern = regexp.MustCompile(`^(?:[0-9]*\.[0-9]+|[0-9]+\.?)(?:[eE][+-]?[0-9]+)?`)
)

// scanNumber reads 12, 1_000, 0x1f, 0b11, 0o17, 1.5, .5, 1e-3. A point belongs to the number only where no name follows it,
// and in BuiltIn no second point.
func scanNumber(text string, at int, d Dialect) (token, *Error) {
	t := token{kind: intToken, offset: at}
	digits := intPattern.FindString(text[at:])
	float := floatPattern.FindString(text[at:])
	next := at + len(float)
	if strings.HasSuffix(float, ".") && next < len(text) && (isNameByte(text[next]) || d == BuiltIn && text[next] == '.') {
		float = float[:len(float)-1]
	}
	t.end = at + len(digits)
	if len(float) > len(digits) && strings.ContainsAny(float, ".eE") {
		t.kind, t.end = floatToken, at+len(float)
		t.float, _ = strconv.ParseFloat(float, 64) // beyond the largest: infinite
	} else {
		t.value, _ = new(big.Int).SetString(strings.ReplaceAll(digits, "_", ""), 0)
	}
	if t.kind == intToken && t.value == nil || t.end < len(text) && isNameByte(text[t.end]) {
		for t.end < len(text) && isNameByte(text[t.end]) {
			t.end++
		}
		return t, failAt(at, "%q is no number; integers are written 12, 0x1f, 0b101 or 0o17", text[at:t.end])
	}
	return t, nil
}

var escapes = map[byte]byte{'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, 'e': 27, '"': '"', '\'': '\'', '\\': '\\'}

// scanString reads the text of a string with escapes up to one of the bytes in stop. It returns the offset of that byte, or
// the end of the text.
func scanString(text string, at int, stop string) (value string, end int, err *Error) {
	var b strings.Builder
	for at < len(text) && strings.IndexByte(stop, text[at]) < 0 {
		if text[at] != '\\' {
			b.WriteByte(text[at])
			at++
			continue
		}
		char, size, err := scanEscape(text[at:], at)
		if err != nil {
			return "", at, err
		}
		b.WriteRune(char)
		at += size
	}
	return b.String(), at, nil
}

// scanEscape reads \n and the like, \uXXXX, and any number of octal digits.
func scanEscape(text string, at int) (char rune, size int, err *Error) {
	if len(text) < 2 {
		return 0, 0, failAt(at, "the string ends in an escape")
	}
	if c, ok := escapes[text[1]]; ok {
		return rune(c), 2, nil
	}
	size = 2
	digits, base := "", 16
	switch {
	case text[1] == 'u' && len(text) >= 6:
		digits, size = text[2:6], 6
	case text[1] >= '0' && text[1] <= '7':
		for size < len(text) && text[size] >= '0' && text[size] <= '7' {
			size++
		}
		digits, base = text[1:size], 8
	}
	value, failed := strconv.ParseUint(digits, base, 21)
	if failed != nil || value > utf8.MaxRune {
		return 0, 0, failAt(at, `%q is no escape; there are \a \b \t \n \v \f \r \e \" \' \\, \uXXXX, and octal digits`, text[:min(len(text), size)])
	}
	return rune(value), size, nil
}
