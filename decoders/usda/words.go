package usda

import (
	"strconv"
	"strings"
)

// A Reader reads the tokens of a text that are neither blanks nor comments nor ends of lines.
type Reader interface {
	// Token returns the next token, of kind End after the last.
	Token() (kind Token, text []byte)
	Next()
	// Fail notes that something else was wanted than the next token.
	Fail(want string)
	// Skip goes past a token, or past a bracket and all up to the one that closes it.
	Skip()
}

// End is the kind of the end, after the last token.
const End = Token(255)

// ReadWords reads a value as metadata may have it that no schema knows, a word, number, string or asset, or a list or tuple of
// these, and returns its text as readers keep it: with one blank after each comma. A path has no text.
func ReadWords(r Reader) string { return words(r, 0) }

// maxNesting is the number of lists and tuples in one another.
const maxNesting = 10_000

func words(r Reader, depth int) string {
	kind, b := r.Token()
	text := string(b)
	switch kind {
	case Number:
		if strings.ContainsAny(text, ".eE") {
			if f, err := strconv.ParseFloat(text, 64); err == nil {
				text = strconv.FormatFloat(f, 'g', -1, 64)
			}
		}
	case String:
		text = Requote(Unquote(text))
	case PathRef:
		if text = ""; depth > 0 {
			r.Fail("no path in a list")
		}
	case Word:
		if keywords[text] && text != "None" {
			r.Fail("a value, not a word of the syntax")
		}
	case Asset:
	case Punct:
		if closing := map[string]string{"[": "]", "(": ")"}[text]; closing != "" && depth <= maxNesting {
			return grouped(r, text, closing, depth)
		}
		r.Fail("a value")
	default:
		r.Fail("a value")
	}
	if kind != End {
		r.Next()
	}
	return text
}

// grouped reads the values between brackets.
func grouped(r Reader, opening, closing string, depth int) string {
	r.Next()
	var parts []string
	for !take(r, closing) {
		if kind, _ := r.Token(); kind == End {
			break
		}
		parts = append(parts, words(r, depth+1))
		if !take(r, ",") && !isMark(r, closing) {
			r.Fail(", or " + closing)
			r.Skip()
		}
	}
	if len(parts) == 0 && opening == "(" {
		r.Fail("components")
	}
	return opening + strings.Join(parts, ", ") + closing
}

func isMark(r Reader, mark string) bool {
	kind, text := r.Token()
	return kind == Punct && string(text) == mark
}

// take reads a mark, if it is the next token.
func take(r Reader, mark string) bool {
	if !isMark(r, mark) {
		return false
	}
	r.Next()
	return true
}

// IsValue reports whether s is one value as metadata may have it that no schema knows: words, or a dictionary of values.
func IsValue(s string) bool {
	r := newReader(s)
	return r.value(0) && r.kind == End
}

// isString reports whether a text is one string in quotes.
func isString(s string) bool {
	r := newReader(s)
	isText := r.kind == String
	r.Next()
	return isText && r.kind == End
}

// textReader reads the tokens of a text in memory, up to the first failure.
type textReader struct {
	rest   []byte
	text   []byte // of the token
	kind   Token
	failed bool
}

func newReader(s string) *textReader {
	r := &textReader{rest: []byte(s)}
	r.Next()
	return r
}

func (r *textReader) Token() (Token, []byte) { return r.kind, r.text }

func (r *textReader) Next() {
	for {
		r.kind, r.text = End, nil
		if len(r.rest) == 0 || r.failed {
			return
		}
		kind, n, _ := Scan(r.rest, true)
		r.kind, r.text, r.rest = kind, r.rest[:n], r.rest[n:]
		if kind != Blank && kind != Newline && kind != Comment {
			return
		}
	}
}

// Fail implements Reader. It ends the text.
func (r *textReader) Fail(string) { r.failed, r.kind, r.text = true, End, nil }

// Skip implements Reader. Nothing is left after a failure.
func (r *textReader) Skip() {}

// value reads words or a dictionary, and reports whether that is one.
func (r *textReader) value(depth int) bool {
	if take(r, "{") {
		return depth <= maxNesting && r.entries(depth)
	}
	ReadWords(r)
	return !r.failed
}

// entries reads the entries of a dictionary, and reports whether they are some.
func (r *textReader) entries(depth int) bool {
	for !take(r, "}") {
		typ := string(r.text)
		if r.kind != Word {
			return false
		}
		r.Next()
		if take(r, "[") && !take(r, "]") {
			return false
		}
		if r.kind != Word && r.kind != String {
			return false
		}
		_, known := TypeOf(typ)
		r.Next()
		if !known && typ != dictionaryType || !take(r, "=") || !r.value(depth+1) {
			return false
		}
		take(r, ";")
	}
	return true
}
