package ksy

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenKind is what a token of an expression is.
type tokenKind uint8

const (
	endToken tokenKind = iota
	intToken
	floatToken
	strToken
	formatToken // f"; the pieces are read by the parser
	nameToken
	opToken
)

type exprToken struct {
	kind   tokenKind
	text   string // of names and operators: as written; of strings: the value
	offset int
	end    int
	value  *big.Int
	float  float64
}

// exprError is a place in an expression where it stops being one.
type exprError struct {
	offset  int
	message string
}

func (e *exprError) Error() string { return e.message }

func failAt(offset int, format string, args ...any) *exprError {
	return &exprError{offset, fmt.Sprintf(format, args...)}
}

var operators = []string{"<<", ">>", "<=", ">=", "==", "!=", "::", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^", "~", "?", ":",
	"(", ")", "[", "]", ",", ".", "}"}

// scan reads the token at a byte of the text.
func scan(text string, at int) (exprToken, *exprError) {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	if strings.HasPrefix(text[at:], "\\\n") { // a line may be continued
		return scan(text, at+2)
	}
	if at == len(text) {
		return exprToken{kind: endToken, offset: at, end: at}, nil
	}
	c := text[at]
	switch {
	case isDigit(c), c == '.' && at+1 < len(text) && isDigit(text[at+1]):
		return scanNumber(text, at)
	case c == '\'', c == '"':
		return scanQuoted(text, at)
	case strings.HasPrefix(text[at:], `f"`):
		return exprToken{kind: formatToken, offset: at, end: at + 2}, nil
	case isNameByte(c):
		end := at
		for end < len(text) && isNameByte(text[end]) {
			end++
		}
		return exprToken{kind: nameToken, text: text[at:end], offset: at, end: end}, nil
	}
	return scanOperator(text, at)
}

func scanOperator(text string, at int) (exprToken, *exprError) {
	for wrong, right := range map[string]string{"&&": "and", "||": "or"} {
		if strings.HasPrefix(text[at:], wrong) {
			return exprToken{}, failAt(at, "%q is no operator here; write %q", wrong, right)
		}
	}
	for _, op := range operators {
		if strings.HasPrefix(text[at:], op) {
			return exprToken{kind: opToken, text: op, offset: at, end: at + len(op)}, nil
		}
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	if r == '!' {
		return exprToken{}, failAt(at, `"!" is no operator here; write "not"`)
	}
	return exprToken{}, failAt(at, "%q has no meaning in an expression", r)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// scanQuoted reads '…', in which nothing is special, or "…" with escapes.
func scanQuoted(text string, at int) (t exprToken, err *exprError) {
	t = exprToken{kind: strToken, offset: at}
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

// scanNumber reads 12, 1_000, 0x1f, 0b11, 0o17, 1.5, .5, 1e-3. A point belongs to the number only where no name follows it.
func scanNumber(text string, at int) (exprToken, *exprError) {
	t := exprToken{kind: intToken, offset: at}
	t.text = intPattern.FindString(text[at:])
	float := floatPattern.FindString(text[at:])
	next := at + len(float)
	if strings.HasSuffix(float, ".") && next < len(text) && isNameByte(text[next]) {
		float = float[:len(float)-1]
	}
	if len(float) > len(t.text) && strings.ContainsAny(float, ".eE") {
		t.kind, t.text = floatToken, float
		t.float, _ = strconv.ParseFloat(float, 64) // beyond the largest: infinite
	} else {
		t.value, _ = new(big.Int).SetString(strings.ReplaceAll(t.text, "_", ""), 0)
	}
	t.end = at + len(t.text)
	if t.kind == intToken && t.value == nil || t.end < len(text) && isNameByte(text[t.end]) {
		for t.end < len(text) && isNameByte(text[t.end]) {
			t.end++
		}
		return t, failAt(at, "%q is no number; integers are written 12, 0x1f, 0b101 or 0o17", text[at:t.end])
	}
	return t, nil
}

var escapes = map[byte]byte{'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, 'e': 27, '"': '"', '\'': '\'', '\\': '\\'}

// scanString reads the text of a string with escapes up to one of the bytes in stop, and gives where that is, or the end.
func scanString(text string, at int, stop string) (value string, end int, err *exprError) {
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

// scanEscape reads \n and the like, \uXXXX, and octal digits as many as there are.
func scanEscape(text string, at int) (char rune, size int, err *exprError) {
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
