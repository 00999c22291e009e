package entry

import (
	"strconv"
	"strings"

	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
)

// A jsonToken is a named range of an entry.
type jsonToken struct {
	what     string
	from, to int64
}

// A jsonHead is an entry of the JSON form: blanks and commas, then tokens. Of a node it ends at the type, of an array
// at the bracket.
type jsonHead struct {
	own    int64 // offset of the first token
	tokens []jsonToken
	kind   kind.Kind
	node   int64
	end    int64
	fault  *jsonFault
}

// A jsonFault says why the text cannot be followed beyond a place.
type jsonFault struct {
	at        int64
	truncated bool
	expected  string
	message   string
}

// find returns the token of a name, or nil if the entry has none.
func (h *jsonHead) find(what string) *jsonToken {
	for i := range h.tokens {
		if h.tokens[i].what == what {
			return &h.tokens[i]
		}
	}
	return nil
}

// A jsonReader reads the tokens of one entry.
type jsonReader struct {
	w   *textio.Window
	h   *jsonHead
	pos int64
}

// readJSON reads the entry after an offset, or returns false if there is none. h.fault says why, unless the text is at
// its end.
func readJSON(w *textio.Window, at int64, h *jsonHead) bool {
	*h = jsonHead{tokens: h.tokens[:0], own: at, node: NoNode}
	r := jsonReader{w: w, h: h, pos: at}
	r.blanks(true)
	h.own = r.pos
	c, ok := r.peek()
	switch {
	case !ok:
		return false
	case c == '}':
		h.kind = kind.EndOfNode
		r.add("close", 1)
	case c == ']':
		h.kind = kind.EndOfArray
		r.add("close", 1)
	default:
		ok = r.entry()
	}
	h.end = r.pos
	return ok && h.fault == nil
}

// peek returns the next byte, or false at the end.
func (r *jsonReader) peek() (byte, bool) {
	b := r.w.Peek(r.pos, 1)
	if b == nil {
		return 0, false
	}
	return b[0], true
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// blanks skips white space, commas if asked, and a byte order mark at the start.
func (r *jsonReader) blanks(commas bool) {
	if r.pos == 0 && string(r.w.Peek(0, len(textio.ByteOrderMark))) == string(textio.ByteOrderMark) {
		r.pos = int64(len(textio.ByteOrderMark))
	}
	for c, ok := r.peek(); ok && (isBlank(c) || commas && c == ','); c, ok = r.peek() {
		r.pos++
	}
}

// add adds the next n bytes as a token.
func (r *jsonReader) add(what string, n int64) {
	r.h.tokens = append(r.h.tokens, jsonToken{what, r.pos, r.pos + n})
	r.pos += n
}

// fail sets the fault of the entry, and returns false.
func (r *jsonReader) fail(truncated bool, expected, message string) bool {
	r.h.fault = &jsonFault{r.pos, truncated, expected, message}
	return false
}

// token returns the end of the string or word that is next, or false if the string does not end.
func (r *jsonReader) token() (end int64, ok bool) {
	if c, _ := r.peek(); c != '"' {
		return r.bare(), true
	}
	for p := r.pos + 1; ; p++ {
		b := r.w.Peek(p, 1)
		switch {
		case b == nil:
			return 0, r.fail(true, `"`, "a string does not end")
		case b[0] == '\\':
			p++
		case b[0] == '"':
			return p + 1, true
		}
	}
}

// bare returns the end of the word without quotes that is next.
func (r *jsonReader) bare() int64 {
	for p := r.pos; ; p++ {
		b := r.w.Peek(p, 1)
		if b == nil || isBlank(b[0]) || strings.IndexByte(`,:{}[]"`, b[0]) >= 0 {
			return p
		}
	}
}

// text returns the text between two offsets, or "" if it is long.
func (r *jsonReader) text(from, to int64) string {
	if to-from > jsonWindow {
		return ""
	}
	return string(r.w.Peek(from, int(to-from)))
}

// colonAt returns the offset of the colon after a token, or -1 if none follows.
func (r *jsonReader) colonAt(from int64) int64 {
	p := from
	b := r.w.Peek(p, 1)
	for ; b != nil && isBlank(b[0]); b = r.w.Peek(p, 1) {
		p++
	}
	if b == nil || b[0] != ':' {
		return -1
	}
	return p
}

// colon reads the colon that is next, and the blanks after it. It returns false if none is next.
func (r *jsonReader) colon() bool {
	at := r.colonAt(r.pos)
	if at < 0 {
		return false
	}
	r.pos = at
	r.add("colon", 1)
	r.blanks(false)
	return true
}

// entry reads [name ':'] value, or the head of an array.
func (r *jsonReader) entry() bool {
	end, ok := r.token()
	if !ok {
		return false
	}
	word := r.text(r.pos, end)
	switch {
	case end == r.pos || r.colonAt(end) < 0 || refKinds[word] != kind.Invalid:
	case word == `"$rlength"`, word == `"$plength"`:
		return r.arrayHead(word[2:3], end)
	default:
		r.add("name", end-r.pos)
		r.colon()
	}
	return r.value()
}

// arrayHead reads "$rlength": n, "$rcontent": [, or that of a primitive array.
func (r *jsonReader) arrayHead(letter string, end int64) bool {
	r.h.kind = kind.Array
	if letter == "p" {
		r.h.kind = kind.PrimitiveArray
	}
	r.add("length key", end-r.pos)
	r.colon()
	n := r.bare()
	if _, err := strconv.ParseInt(r.text(r.pos, n), 10, 64); err != nil {
		return r.fail(n == r.w.Limit(), "a number", "the length of an array is no number")
	}
	r.add("length", n-r.pos)
	r.blanks(true)
	key := `"$` + letter + `content"`
	if r.text(r.pos, min(r.pos+int64(len(key)), r.w.Limit())) != key {
		return r.fail(r.w.Limit()-r.pos < int64(len(key)), key, "the content of an array does not follow its length")
	}
	r.add("content key", int64(len(key)))
	if !r.colon() {
		return r.fail(r.pos == r.w.Limit(), ":", "no colon follows the key of an array's content")
	}
	if c, ok := r.peek(); c != '[' {
		return r.fail(!ok, "[", "the content of an array does not begin")
	}
	r.add("open", 1)
	return true
}

// refKinds are the words before the colon of references.
var refKinds = map[string]kind.Kind{
	"$iref": kind.InternalReference, "$eref": kind.ExternalByIndex, "$guidref": kind.ExternalByGUID, "$fstrref": kind.ExternalByString, "$strref": kind.ExternalByString,
}

// value reads a node's beginning or a value.
func (r *jsonReader) value() bool {
	c, ok := r.peek()
	switch {
	case !ok:
		return r.fail(true, "a value", "a value is missing")
	case c == '{':
		return r.nodeHead()
	case c == '[':
		r.h.kind = kind.Array
		r.add("open", 1)
		return true
	}
	end, ok := r.token()
	if !ok {
		return false
	}
	word := r.text(r.pos, end)
	switch k := refKinds[word]; {
	case k != kind.Invalid && r.colonAt(end) == end:
		return r.reference(k, word, end)
	case end == r.pos:
		return r.fail(false, "a value", "neither a value nor an end is here")
	case c == '"':
		r.h.kind = kind.String
	default:
		r.h.kind = bareKind(word)
	}
	r.add("value", end-r.pos)
	return true
}

// reference reads the value after $iref: and the like.
func (r *jsonReader) reference(k kind.Kind, word string, end int64) bool {
	r.h.kind = k
	r.add("key", end-r.pos)
	r.add("colon", 1)
	c, _ := r.peek()
	end, ok := r.token()
	if word == "$strref" && c != '"' {
		// Ambiguous on purpose: the text ends before a comma, a line break or a closing bracket.
		end = r.pos
		for b := r.w.Peek(end, 1); b != nil && !strings.ContainsRune(",\r\n}]", rune(b[0])); b = r.w.Peek(end, 1) {
			end++
		}
	}
	if ok && end == r.pos {
		return r.fail(r.pos == r.w.Limit(), "what is referred to", "a reference is empty")
	}
	if ok {
		r.add("value", end-r.pos)
	}
	return ok
}

// nodeHead reads { and the members "$id" and "$type" that may follow.
func (r *jsonReader) nodeHead() bool {
	r.h.kind = kind.StructNode
	r.add("open", 1)
	r.member("id", `"$id"`, func(value string) bool {
		id, err := strconv.ParseInt(value, 10, 64)
		if err == nil {
			r.h.kind, r.h.node = kind.ReferenceNode, id
		}
		return err == nil
	})
	r.member("type", `"$type"`, func(string) bool { return true })
	return r.h.fault == nil
}

// member reads a key, its colon and its value, if they are next and the value is accepted.
func (r *jsonReader) member(what, key string, accept func(value string) bool) {
	start, tokens := r.pos, len(r.h.tokens)
	r.blanks(true)
	if string(r.w.Peek(r.pos, len(key))) == key {
		r.add(what+" key", int64(len(key)))
		if r.colon() {
			if end, ok := r.token(); ok && end > r.pos && accept(r.text(r.pos, end)) {
				r.add(what, end-r.pos)
				return
			}
		}
	}
	r.pos, r.h.tokens = start, r.h.tokens[:tokens]
}

// bareKind returns the kind of a token without quotes, by the order of tests of the genuine reader.
func bareKind(word string) kind.Kind {
	switch {
	case strings.EqualFold(word, "null"):
		return kind.Null
	case len(word) == 36 && strings.Contains(word, "-"):
		return kind.GUID
	case strings.EqualFold(word, "true"), strings.EqualFold(word, "false"):
		return kind.Boolean
	case word == "NaN", strings.Contains(word, "Infinity"), strings.Contains(word, "∞"), strings.Contains(word, "."),
		isExponent(word):
		return kind.FloatingPoint
	}
	return kind.Integer
}

// isExponent reports whether a number has an exponent.
func isExponent(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil && strings.ContainsAny(word, "eE")
}
