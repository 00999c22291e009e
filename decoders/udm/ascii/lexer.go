package ascii

import (
	"context"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// A Lexer looks at the bytes of a text one by one, reading many at a time.
type Lexer struct {
	ctx  context.Context
	src  *model.Source
	size int64
	off  int64 // of buf
	buf  []byte
	err  error // why the text ends before its size
	// loaded receives the bytes that are in memory, in the order of the text.
	loaded  func(off int64, b []byte)
	strange bool // a byte that no text has was met
}

const lexerRun = 64 << 10

// NewLexer makes a lexer that has read nothing yet.
func NewLexer(ctx context.Context, src *model.Source) *Lexer {
	return &Lexer{ctx: ctx, src: src, size: src.Size()}
}

// eof is returned by at after the end.
const eof = -1

// byteAt is the byte at off, or eof.
func (l *Lexer) byteAt(off int64) int {
	if i := off - l.off; i >= 0 && i < int64(len(l.buf)) {
		return int(l.buf[i])
	}
	return l.load(off)
}

// load is at for bytes that are not in memory.
func (l *Lexer) load(off int64) int {
	if off < 0 || off >= l.size {
		return eof
	}
	if l.buf == nil {
		l.buf = make([]byte, lexerRun)
	}
	l.off = off &^ 511 // a little before, for those that look back
	l.buf = l.buf[:min(lexerRun, l.size-l.off)]
	n, err := l.src.ReadAt(l.ctx, l.buf, l.off)
	l.buf = l.buf[:n]
	if l.loaded != nil {
		l.loaded(l.off, l.buf)
	}
	if off-l.off >= int64(n) {
		l.err, l.size = err, off
		return eof
	}
	return int(l.buf[off-l.off])
}

// bytes are those between two offsets, at most maxText, good until others are looked at; nil where they cannot be read.
func (l *Lexer) bytes(off, end int64) []byte {
	if end = min(end, off+MaxText); end <= off || l.byteAt(off) == eof {
		return nil
	}
	if end-l.off > int64(len(l.buf)) { // some are not in memory
		b, err := l.src.Bytes(l.ctx, off, end-off)
		if err != nil {
			return nil
		}
		return b
	}
	return l.buf[off-l.off : end-l.off]
}

// class is the class of a byte in the grammar (8.2).
type class uint8

const (
	inWord  class = iota
	strange       // in a word too, but no text has it
	isBlank
	isMark // one of the control characters
)

var classes = func() (t [256]class) {
	for c := range t {
		if c < ' ' || c == 0x7f {
			t[c] = strange
		}
	}
	for _, c := range " \t\n\v\f\r" {
		t[c] = isBlank
	}
	for _, c := range "{}[]<>$,:;" {
		t[c] = isMark
	}
	return t
}()

// IsStrange reports whether no text has the byte.
func IsStrange(c byte) bool { return classes[c] == strange }

// IsSpace reports whether c is white space.
func IsSpace(c int) bool { return c >= 0 && classes[c] == isBlank }

// isControl reports whether c is a control character of the grammar.
func isControl(c int) bool { return c >= 0 && classes[c] == isMark }

// isWord reports whether a word may begin with c.
func isWord(c int) bool { return c >= 0 && classes[c] <= strange }

// space is the end of the white space at off.
func (l *Lexer) space(off int64) int64 {
	for l.byteAt(off) != eof {
		for _, c := range l.buf[off-l.off:] {
			if classes[c] != isBlank {
				return off
			}
			off++
		}
	}
	return off
}

// comment is the end of the comment at off, which is off where there is none, and the token that it is. open reports
// that the end of the file ends it.
func (l *Lexer) comment(off int64) (end int64, kind TokenKind, open bool) {
	if l.byteAt(off) != '/' {
		return off, 0, false
	}
	switch l.byteAt(off + 1) {
	case '/':
		for end = off + 2; l.byteAt(end) != '\n' && l.byteAt(end) != eof; end++ {
			l.strange = l.strange || classes[l.byteAt(end)] == strange
		}
		if l.byteAt(end-1) == '\r' {
			end--
		}
		return end, TokenLineComment, false
	case '*':
		for end = off + 2; l.byteAt(end) != eof; end++ {
			if l.byteAt(end) == '*' && l.byteAt(end+1) == '/' {
				return end + 2, TokenBlockComment, false
			}
			l.strange = l.strange || classes[l.byteAt(end)] == strange
		}
		return end, TokenBlockComment, true
	}
	return off, 0, false
}

// bare is the end of the bare word at off.
func (l *Lexer) bare(off int64) int64 {
	for l.byteAt(off) != eof {
		for _, c := range l.buf[off-l.off:] {
			if k := classes[c]; k == strange {
				l.strange = true
			} else if k != inWord {
				return off
			}
			off++
		}
	}
	return off
}

// quoted is the end of the quoted string that begins at off. closed is false where the file ends inside.
func (l *Lexer) quoted(off int64) (end int64, closed bool) {
	for end = off + 1; ; end++ {
		switch c := l.byteAt(end); {
		case c == eof:
			return end, false
		case c == '"':
			return end + 1, true
		case classes[c] == strange:
			l.strange = true
		case c == '\\':
			switch next := l.byteAt(end + 1); {
			case next == '"' && end == off+1 && !l.quoteOnLine(end+2):
				return end + 2, true // "\" alone (8.7)
			case next == '"' || next == '\\':
				end++
			}
		}
	}
}

// quoteOnLine reports whether a quotation mark follows before the line ends.
func (l *Lexer) quoteOnLine(off int64) bool {
	for ; ; off++ {
		switch l.byteAt(off) {
		case '"':
			return true
		case '\n', eof:
			return false
		}
	}
}

// skip returns the end of the brackets that begin at off: after the partner, or the end of the file.
func (l *Lexer) skip(off int64) int64 {
	for depth := 0; ; {
		switch c := l.byteAt(off); {
		case c == eof:
			return off
		case c == '"':
			off, _ = l.quoted(off)
			continue
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth <= 0 {
				return off + 1
			}
		case c == '/':
			if end, _, _ := l.comment(off); end > off {
				off = end
				continue
			}
			off = l.bare(off)
			continue
		case isWord(c):
			off = l.bare(off)
			continue
		}
		off++
	}
}

// data is the end of base64 data at off: the bracket that closes it, or the end of the file; and where the white
// space before that begins.
func (l *Lexer) data(off int64) (last, end int64) {
	last = off
	for end = off; ; end++ {
		switch c := l.byteAt(end); {
		case c == ']' || c == eof:
			return last, end
		case !IsSpace(c):
			last = end + 1
		}
	}
}

// Unquote returns the text of a word: a quoted one without its marks and escapes (8.2, 8.7).
func Unquote(word string) string {
	if len(word) == 0 || word[0] != '"' {
		return word
	}
	word = word[1:]
	if n := len(word); n > 0 && word[n-1] == '"' {
		word = word[:n-1]
	}
	var b []byte // nil while nothing is escaped
	for i := 0; i < len(word); i++ {
		if word[i] == '\\' && i+1 < len(word) && (word[i+1] == '"' || word[i+1] == '\\') {
			if b == nil {
				b = append(make([]byte, 0, len(word)), word[:i]...)
			}
			i++
		}
		if b != nil {
			b = append(b, word[i])
		}
	}
	if b == nil {
		return word
	}
	return string(b)
}

// Hash is that of the word between two offsets as a key.
func (l *Lexer) Hash(off, end int64) uint64 {
	b := l.bytes(off, end)
	if len(b) > 0 && b[0] != '"' {
		return types.HashBytes(b)
	}
	return types.HashOf(Unquote(string(b)))
}
