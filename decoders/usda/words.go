package usda

import (
	"strconv"
	"strings"
)

// A Reader reads the tokens of a text, without blanks, comments and line ends.
type Reader interface {
	// Token returns the next token. Its kind is End after the last.
	Token() (kind Token, text []byte)
	Next()
	// Fail notes that want was expected at the next token.
	Fail(want string)
	// Skip consumes a token, or a bracket up to its closing one.
	Skip()
}

// End is the kind of Token after the last one.
const End = Token(255)

// ReadWords reads a metadata value that no schema defines: a word, number, string or asset, or a list or tuple of such.
// It returns the text that readers keep, with a blank after each comma. It rejects paths.
func ReadWords(r Reader) string { return words(r, 0) }

// maxNesting is the most nested lists and tuples.
const maxNesting = 10_000

func words(r Reader, depth int) string {
	kind, b := r.Token()
	text := string(b)
	if want := fitting(kind, text, depth); want != "" {
		r.Fail(want)
	}
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
		text = ""
	case Word, Asset:
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

// fitting returns what is expected in the place of a token inside depth brackets, or "" if it fits.
func fitting(kind Token, text string, depth int) string {
	switch {
	case kind == PathRef && depth > 0:
		return "no path in a list"
	case kind == PathRef && !IsPathValue(text[1:len(text)-1]):
		return "a path, or none"
	case kind == Word && !IsTypeName(text) && (text != "None" || depth > 0):
		return "a value, not a word of the syntax nor one with a single colon"
	case kind == Asset && !IsAssetPath(UnquoteAsset(text)):
		return "an asset path without control characters"
	}
	return ""
}

// grouped reads the values between brackets.
func grouped(r Reader, opening, closing string, depth int) string {
	r.Next()
	var parts []string
	for !accept(r, closing) {
		if kind, _ := r.Token(); kind == End {
			break
		}
		parts = append(parts, words(r, depth+1))
		if !accept(r, ",") && !isMark(r, closing) {
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

// accept consumes the next token if it is mark, and reports whether it was.
func accept(r Reader, mark string) bool {
	if !isMark(r, mark) {
		return false
	}
	r.Next()
	return true
}

// IsValue reports whether s is a metadata value that no schema defines: words, or a dictionary.
func IsValue(s string) bool {
	r := newReader(s)
	return r.value(0) && r.kind == End
}

// isString reports whether s is one quoted string.
func isString(s string) bool {
	r := newReader(s)
	isText := r.kind == String
	r.Next()
	return isText && r.kind == End
}

// A textReader reads the tokens of a text in memory, up to the first failure.
type textReader struct {
	rest   []byte
	text   []byte // of the next token
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

// Fail ends the text.
func (r *textReader) Fail(string) { r.failed, r.kind, r.text = true, End, nil }

// Skip does nothing: after a failure there are no tokens.
func (r *textReader) Skip() {}

// value reads words or a dictionary, and reports success.
func (r *textReader) value(depth int) bool {
	if accept(r, "{") {
		return depth <= maxNesting && r.entries(depth)
	}
	ReadWords(r)
	return !r.failed
}

// entries reads the entries of a dictionary, and reports success.
func (r *textReader) entries(depth int) bool {
	for !accept(r, "}") {
		typ := string(r.text)
		if r.kind != Word {
			return false
		}
		r.Next()
		if accept(r, "[") && !accept(r, "]") {
			return false
		}
		if r.kind != Word && r.kind != String {
			return false
		}
		_, known := TypeOf(typ)
		r.Next()
		if !known && typ != dictionaryType || !accept(r, "=") || !r.value(depth+1) {
			return false
		}
		accept(r, ";")
	}
	return true
}
