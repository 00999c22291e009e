package udm

import (
	"context"

	"cutaway/model"
)

// lexer looks at the bytes of a text one by one, reading many at a time.
type lexer struct {
	ctx  context.Context
	src  *model.Source
	size int64
	off  int64 // of buf
	buf  []byte
	err  error // why the text ends before its size
}

const lexerRun = 64 << 10

func newLexer(ctx context.Context, src *model.Source) *lexer {
	return &lexer{ctx: ctx, src: src, size: src.Size()}
}

// eof is what at returns behind the end.
const eof = -1

// at is the byte at off, or eof.
func (l *lexer) at(off int64) int {
	if i := off - l.off; i >= 0 && i < int64(len(l.buf)) {
		return int(l.buf[i])
	}
	if off < 0 || off >= l.size {
		return eof
	}
	if l.buf == nil {
		l.buf = make([]byte, lexerRun)
	}
	l.off = off &^ 511 // a little before, for who looks back
	l.buf = l.buf[:min(lexerRun, l.size-l.off)]
	n, err := l.src.ReadAt(l.ctx, l.buf, l.off)
	l.buf = l.buf[:n]
	if off-l.off >= int64(n) {
		l.err, l.size = err, off
		return eof
	}
	return int(l.buf[off-l.off])
}

// isSpace tells whether c is white space (8.2).
func isSpace(c int) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// isControl tells whether c is a control character of the grammar (8.2).
func isControl(c int) bool {
	switch c {
	case '{', '}', '[', ']', '<', '>', '$', ',', ':', ';':
		return true
	}
	return false
}

// isWord tells whether a word may begin with c.
func isWord(c int) bool { return c != eof && !isSpace(c) && !isControl(c) }

// space is the end of the white space at off.
func (l *lexer) space(off int64) int64 {
	for isSpace(l.at(off)) {
		off++
	}
	return off
}

// comment is the end of the comment at off, which is off where there is none, and the token that it is. open tells
// that the end of the file ends it.
func (l *lexer) comment(off int64) (end int64, kind tokenKind, open bool) {
	if l.at(off) != '/' {
		return off, 0, false
	}
	switch l.at(off + 1) {
	case '/':
		for end = off + 2; l.at(end) != '\n' && l.at(end) != eof; {
			end++
		}
		if l.at(end-1) == '\r' {
			end--
		}
		return end, tkLineComment, false
	case '*':
		for end = off + 2; l.at(end) != eof; end++ {
			if l.at(end) == '*' && l.at(end+1) == '/' {
				return end + 2, tkBlockComment, false
			}
		}
		return end, tkBlockComment, true
	}
	return off, 0, false
}

// bare is the end of the bare word at off.
func (l *lexer) bare(off int64) int64 {
	for isWord(l.at(off)) {
		off++
	}
	return off
}

// quoted is the end of the quoted string that begins at off. closed is false where the file ends inside.
func (l *lexer) quoted(off int64) (end int64, closed bool) {
	for end = off + 1; ; end++ {
		switch l.at(end) {
		case eof:
			return end, false
		case '"':
			return end + 1, true
		case '\\':
			switch next := l.at(end + 1); {
			case next == '"' && end == off+1 && !l.quoteOnLine(end+2):
				return end + 2, true // "\" alone (8.7)
			case next == '"' || next == '\\':
				end++
			}
		}
	}
}

// quoteOnLine tells whether a quotation mark follows before the line ends.
func (l *lexer) quoteOnLine(off int64) bool {
	for ; ; off++ {
		switch l.at(off) {
		case '"':
			return true
		case '\n', eof:
			return false
		}
	}
}

// skip is the end of what begins with the bracket at off: behind its partner, or the end of the file.
func (l *lexer) skip(off int64) int64 {
	for depth := 0; ; {
		switch c := l.at(off); {
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
func (l *lexer) data(off int64) (last, end int64) {
	last = off
	for end = off; ; end++ {
		switch c := l.at(end); {
		case c == ']' || c == eof:
			return last, end
		case !isSpace(c):
			last = end + 1
		}
	}
}

// unquote is what a word says: a quoted one without its marks and escapes (8.2, 8.7).
func unquote(word string) string {
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
