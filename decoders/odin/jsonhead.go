package odin

import (
	"bytes"
	"context"
	"strconv"
	"strings"
)

// jsonToken is a token of an entry: what it is, and where.
type jsonToken struct {
	what     string
	from, to int64
}

// jsonHead is one entry of the JSON form: blanks and commas before it, then its tokens. A node's is its beginning up
// to its type, an array's up to its bracket.
type jsonHead struct {
	own    int64 // offset of the first token
	tokens []jsonToken
	kind   kind
	node   int64
	end    int64
	fault  *jsonFault
}

// jsonFault says why the text cannot be followed beyond a place.
type jsonFault struct {
	at        int64
	truncated bool
	expected  string
	message   string
}

func (h *jsonHead) find(what string) *jsonToken {
	for i := range h.tokens {
		if h.tokens[i].what == what {
			return &h.tokens[i]
		}
	}
	return nil
}

// jsonReader reads the tokens of one entry.
type jsonReader struct {
	w   *window
	h   *jsonHead
	pos int64
}

// readJSON reads the entry behind an offset; false where there is none. h.fault tells when the text is not at its end.
func readJSON(ctx context.Context, w *window, at int64, h *jsonHead) bool {
	*h = jsonHead{tokens: h.tokens[:0], own: at}
	r := jsonReader{w: w, h: h, pos: at}
	r.blanks(ctx, true)
	h.own = r.pos
	c, ok := r.peek(ctx)
	if !ok {
		return false
	}
	switch c {
	case '}', ']':
		h.kind = kEndNode
		if c == ']' {
			h.kind = kEndArray
		}
		r.take("close", 1)
	default:
		ok = r.entry(ctx)
	}
	h.end = r.pos
	return ok && h.fault == nil
}

func (r *jsonReader) peek(ctx context.Context) (byte, bool) {
	b := r.w.peek(ctx, r.pos, 1)
	if b == nil {
		return 0, false
	}
	return b[0], true
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// blanks skips white space, where asked commas, and a byte order mark at the start.
func (r *jsonReader) blanks(ctx context.Context, commas bool) {
	if r.pos == 0 && string(r.w.peek(ctx, 0, len(utf8Mark))) == string(utf8Mark) {
		r.pos = int64(len(utf8Mark))
	}
	for c, ok := r.peek(ctx); ok && (isBlank(c) || commas && c == ','); c, ok = r.peek(ctx) {
		r.pos++
	}
}

func (r *jsonReader) take(what string, n int64) {
	r.h.tokens = append(r.h.tokens, jsonToken{what, r.pos, r.pos + n})
	r.pos += n
}

func (r *jsonReader) fail(truncated bool, expected, message string) bool {
	r.h.fault = &jsonFault{r.pos, truncated, expected, message}
	return false
}

// quoted is the end of the string that begins here.
func (r *jsonReader) quoted(ctx context.Context) (int64, bool) {
	for p := r.pos + 1; ; p++ {
		b := r.w.peek(ctx, p, 1)
		if b == nil {
			return 0, r.fail(true, `"`, "a string does not end")
		}
		switch b[0] {
		case '\\':
			p++
		case '"':
			return p + 1, true
		}
	}
}

// bare is the end of the token without quotes that begins here.
func (r *jsonReader) bare(ctx context.Context) int64 {
	for p := r.pos; ; p++ {
		b := r.w.peek(ctx, p, 1)
		if b == nil || isBlank(b[0]) || bytes.IndexByte([]byte(`,:{}[]"`), b[0]) >= 0 {
			return p
		}
	}
}

func (r *jsonReader) text(ctx context.Context, from, to int64) string {
	if to-from > jsonWindow {
		return ""
	}
	return string(r.w.peek(ctx, from, int(to-from)))
}

// colonAt is the offset of the colon behind a token, or -1.
func (r *jsonReader) colonAt(ctx context.Context, from int64) int64 {
	for p := from; ; p++ {
		b := r.w.peek(ctx, p, 1)
		switch {
		case b == nil:
			return -1
		case b[0] == ':':
			return p
		case !isBlank(b[0]):
			return -1
		}
	}
}

// entry reads [name ':'] value, or the head of an array.
func (r *jsonReader) entry(ctx context.Context) bool {
	c, _ := r.peek(ctx)
	var end int64
	if c == '"' {
		var ok bool
		if end, ok = r.quoted(ctx); !ok {
			return false
		}
	} else {
		end = r.bare(ctx)
	}
	colon := int64(-1)
	if end > r.pos {
		colon = r.colonAt(ctx, end)
	}
	word := r.text(ctx, r.pos, end)
	if colon < 0 || c != '"' && refKinds[word] != kInvalid {
		return r.value(ctx)
	}
	switch word {
	case `"$rlength"`, `"$plength"`:
		return r.arrayHead(ctx, word[2:3], end, colon)
	}
	r.take("name", end-r.pos)
	r.pos = colon
	r.take("colon", 1)
	r.blanks(ctx, false)
	return r.value(ctx)
}

// arrayHead reads "$rlength": n, "$rcontent": [, or that of a primitive array.
func (r *jsonReader) arrayHead(ctx context.Context, letter string, end, colon int64) bool {
	r.h.kind = kArray
	if letter == "p" {
		r.h.kind = kPrimitives
	}
	r.take("length key", end-r.pos)
	r.pos = colon
	r.take("colon", 1)
	r.blanks(ctx, false)
	n := r.bare(ctx)
	if _, err := strconv.ParseInt(r.text(ctx, r.pos, n), 10, 64); err != nil {
		return r.fail(n == r.w.end, "a number", "the length of an array is no number")
	}
	r.take("length", n-r.pos)
	r.blanks(ctx, true)
	key := `"$` + letter + `content"`
	if r.text(ctx, r.pos, min(r.pos+int64(len(key)), r.w.end)) != key {
		return r.fail(r.w.end-r.pos < int64(len(key)), key, "the content of an array does not follow its length")
	}
	r.take("content key", int64(len(key)))
	colon = r.colonAt(ctx, r.pos)
	if colon < 0 {
		return r.fail(r.pos == r.w.end, ":", "no colon follows the key of an array's content")
	}
	r.pos = colon
	r.take("colon", 1)
	r.blanks(ctx, false)
	if c, ok := r.peek(ctx); c != '[' {
		return r.fail(!ok, "[", "the content of an array does not begin")
	}
	r.take("open", 1)
	return true
}

// refKinds are the words before the colon of references.
var refKinds = map[string]kind{
	"$iref": kInternal, "$eref": kExternalIndex, "$guidref": kExternalGUID, "$fstrref": kExternalString, "$strref": kExternalString,
}

// value reads a node's beginning or a value.
func (r *jsonReader) value(ctx context.Context) bool {
	c, ok := r.peek(ctx)
	switch {
	case !ok:
		return r.fail(true, "a value", "a value is missing")
	case c == '{':
		return r.nodeHead(ctx)
	case c == '[':
		r.h.kind = kArray
		r.take("open", 1)
		return true
	case c == '"':
		end, ok := r.quoted(ctx)
		if !ok {
			return false
		}
		r.h.kind = kString
		r.take("value", end-r.pos)
		return true
	}
	end := r.bare(ctx)
	word := r.text(ctx, r.pos, end)
	if k := refKinds[word]; k != kInvalid && r.colonAt(ctx, end) == end {
		return r.reference(ctx, k, word, end)
	}
	if end == r.pos {
		return r.fail(false, "a value", "neither a value nor an end stands here")
	}
	r.h.kind = bareKind(word)
	r.take("value", end-r.pos)
	return true
}

// reference reads what stands behind $iref: and the like.
func (r *jsonReader) reference(ctx context.Context, k kind, word string, end int64) bool {
	r.h.kind = k
	r.take("key", end-r.pos)
	r.take("colon", 1)
	c, _ := r.peek(ctx)
	switch {
	case c == '"':
		var ok bool
		if end, ok = r.quoted(ctx); !ok {
			return false
		}
	case word == "$strref":
		// Ambiguous on purpose: the text goes on up to a comma, a line's end or a closing bracket.
		end = r.pos
		for b := r.w.peek(ctx, end, 1); b != nil && !strings.ContainsRune(",\r\n}]", rune(b[0])); b = r.w.peek(ctx, end, 1) {
			end++
		}
	default:
		end = r.bare(ctx)
	}
	if end == r.pos {
		return r.fail(r.pos == r.w.end, "what is referred to", "a reference is empty")
	}
	r.take("value", end-r.pos)
	return true
}

// nodeHead reads { and the members "$id" and "$type" that may follow.
func (r *jsonReader) nodeHead(ctx context.Context) bool {
	r.h.kind = kStructNode
	r.h.node = noNodeFound
	r.take("open", 1)
	if at, end, ok := r.member(ctx, `"$id"`); ok {
		if id, err := strconv.ParseInt(r.text(ctx, at, end), 10, 64); err == nil {
			r.h.kind, r.h.node = kRefNode, id
			r.keyed(ctx, "id key", `"$id"`, "id", at, end)
		}
	}
	if at, end, ok := r.member(ctx, `"$type"`); ok {
		r.keyed(ctx, "type key", `"$type"`, "type", at, end)
	}
	return r.h.fault == nil
}

// member looks for a key and its value next; it takes nothing.
func (r *jsonReader) member(ctx context.Context, key string) (from, to int64, ok bool) {
	save := r.pos
	defer func() { r.pos = save }()
	r.blanks(ctx, true)
	if b := r.w.peek(ctx, r.pos, len(key)); string(b) != key {
		return 0, 0, false
	}
	if r.pos = r.colonAt(ctx, r.pos+int64(len(key))); r.pos < 0 {
		return 0, 0, false
	}
	r.pos++
	r.blanks(ctx, false)
	from = r.pos
	if c, _ := r.peek(ctx); c == '"' {
		to, ok = r.quoted(ctx)
	} else {
		to = r.bare(ctx)
		ok = to > from
	}
	return from, to, ok
}

// keyed takes a key, its colon and its value.
func (r *jsonReader) keyed(ctx context.Context, keyWhat, key, what string, from, to int64) {
	r.blanks(ctx, true)
	r.take(keyWhat, int64(len(key)))
	r.pos = r.colonAt(ctx, r.pos)
	r.take("colon", 1)
	r.pos = from
	r.take(what, to-from)
}

// bareKind guesses what a token without quotes is, in the order of the genuine reader.
func bareKind(word string) kind {
	switch {
	case strings.EqualFold(word, "null"):
		return kNull
	case len(word) == 36 && strings.Contains(word, "-"):
		return kGUID
	case strings.EqualFold(word, "true"), strings.EqualFold(word, "false"):
		return kBoolean
	case word == "NaN", strings.Contains(word, "Infinity"), strings.Contains(word, "∞"), strings.Contains(word, "."),
		isExponent(word):
		return kFloating
	}
	return kInteger
}

// isExponent tells whether a number has an exponent.
func isExponent(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil && strings.ContainsAny(word, "eE")
}
