package usdatext

import (
	"bytes"
	"context"
	"fmt"
	"unicode"
	"unicode/utf8"

	"cutaway/decoders/usda"
	"cutaway/model"
	"cutaway/source"
)

const (
	window    = 64 << 10
	shownWord = 40 // bytes of a token in a message
)

// maxToken returns the most bytes of a token that are read; the rest is skipped.
func maxToken() int64 { return min(64<<20, max(source.CacheLimit()/16, 2*window)) }

// A token is neither blank nor comment.
type token struct {
	kind     usda.Token
	off, len int64
	newLine  bool // follows the end of a line
	blank    bool // follows a blank, which comments are not
}

func (t *token) end() int64 { return t.off + t.len }

// A lexer reads the tokens of a range of a layer, in windows.
type lexer struct {
	ctx    context.Context
	src    *model.Source
	end    int64
	pos    int64  // after the next token
	tok    token  // the next one
	text   []byte // of the next token, valid until the next call
	window *textWindow
	before int64  // the end of the previous token
	cut    *token // the last token longer than maxToken, or nil once reported
	err    error  // failure to read
	line   line
}

// A line tracks whether the tokens of a statement are on one line, except inside brackets.
type line struct {
	stray func() // called once when the next token is on another line, or nil to accept any line
	first int64  // offset of the statement
	outer int    // number of open brackets around the statement
	open  int    // number of all open brackets
}

// follow reports a next token on a stray line, and counts open brackets.
func (l *lexer) follow() {
	if in := &l.line; in.stray != nil && in.open == in.outer && l.tok.newLine && l.tok.off != in.first {
		stray := in.stray
		in.stray = nil
		stray()
	}
	switch l.mark() {
	case '(', '[', '{':
		l.line.open++
	case ')', ']', '}':
		l.line.open--
	}
}

// begin starts to track the lines of a statement. It returns the state of the outer statement for goOn.
func (l *lexer) begin(stray func()) (around line) {
	around = l.line
	l.line.stray, l.line.first, l.line.outer = stray, l.tok.off, l.line.open
	return around
}

// goOn ends a statement and resumes the outer one.
func (l *lexer) goOn(around line) {
	open := l.line.open
	l.line = around
	l.line.open = open
}

// isApart reports whether the next token is on the line of the last one, after a blank.
func (l *lexer) isApart() bool { return l.tok.blank && !l.tok.newLine }

// isSeparated reports whether an entry ends here: at the end of the line, at the closing mark, or at a semicolon, which
// it consumes.
func (l *lexer) isSeparated(closing string) bool {
	return l.tok.newLine && !l.nextIs(";") || l.nextIs(closing) || !l.tok.newLine && l.accept(";")
}

// typeName consumes and returns the name of a prim type, whose parts are joined by dots.
func (l *lexer) typeName() string {
	name := l.word()
	for name != "" && l.accept(".") {
		name += "." + l.word()
	}
	return name
}

// newLexer returns a lexer before the first token of a range. It shares the window w, or has its own if w is nil.
func newLexer(ctx context.Context, src *model.Source, off, end int64, w *textWindow) *lexer {
	if w == nil {
		w = &textWindow{}
	}
	return &lexer{ctx: ctx, src: src, end: end, pos: off, window: w}
}

// A textWindow is a run of text shared by lexers. Its bytes never change: another run replaces the slice.
type textWindow struct {
	b     []byte
	off   int64
	ahead int64 // end of the range that may be read for later lexers
}

func (w *textWindow) end() int64 { return w.off + int64(len(w.b)) }

// fill returns want bytes or more from pos on, or fewer at the end; whole reports whether they reach the end.
func (l *lexer) fill(want int64) (b []byte, whole bool) {
	w := l.window
	if l.pos < w.off || min(l.pos+want, l.end) > w.end() || w.b == nil {
		n := min(max(want, window), max(l.end, w.ahead)-l.pos)
		b, err := l.src.Bytes(l.ctx, l.pos, n)
		if own := l.end - l.pos; err != nil && own < n { // the failure may be ahead of the lexer's range
			b, err = l.src.Bytes(l.ctx, l.pos, min(max(want, window), own))
		}
		if err != nil {
			l.err = err
			return nil, true
		}
		w.b, w.off = b, l.pos
	}
	return w.b[l.pos-w.off : min(l.end, w.end())-w.off], w.end() >= l.end
}

// raw consumes one token of any kind. ok is false after the last.
func (l *lexer) raw() (kind usda.Token, text []byte, ok bool) {
	for want := int64(1 << 10); l.pos < l.end; want *= 8 {
		b, whole := l.fill(want)
		if len(b) == 0 {
			return 0, nil, false
		}
		kind, n, done := usda.Scan(b, whole)
		if !done && int64(len(b)) < maxToken() && !whole {
			want = max(want, int64(len(b)))
			continue
		}
		if !done && !whole {
			return l.long(b)
		}
		l.pos += int64(n)
		return kind, b[:n], true
	}
	return 0, nil, false
}

// long consumes a token that begins with begin and is longer than maxToken.
func (l *lexer) long(begin []byte) (kind usda.Token, text []byte, ok bool) {
	open := begin[:1]
	if len(begin) > 2 && (begin[0] == '/' || begin[1] == begin[0] && begin[2] == begin[0]) {
		open = begin[:3]
	}
	// Each step scans the opening mark, the last bytes that may be part of a closing mark, and the next window.
	b := append(make([]byte, 0, len(open)+shownWord+window), open...)
	for last := begin; ; {
		rest := last[bytes.LastIndexFunc(last, plain)+1:]
		if len(rest) > shownWord {
			rest = nil
		}
		b = append(b[:len(open)], rest...)
		l.pos += int64(len(last))
		n := min(window, l.end-l.pos)
		if n > 0 {
			_, l.err = l.src.ReadFull(l.ctx, b[len(b):len(b)+int(n)], l.pos)
		}
		if n == 0 || l.err != nil {
			return usda.Bad, begin, true
		}
		last = b[len(b) : len(b)+int(n)]
		whole := l.pos+n == l.end
		kind, k, done := usda.Scan(b[:len(b)+int(n)], whole)
		if done || whole {
			l.pos += int64(k - len(b))
			return kind, begin, true
		}
	}
}

// plain reports whether c is part of no closing mark.
func plain(c rune) bool {
	return c == ' ' || c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// next advances to the next token.
func (l *lexer) next() {
	l.follow()
	l.before = l.tok.end()
	newLine, blank := false, false
	for {
		off := l.pos
		kind, text, ok := l.raw()
		switch {
		case !ok:
			l.tok, l.text = token{kind: usda.End, off: l.pos, newLine: true}, nil
			return
		case kind == usda.Newline:
			newLine = true
		case kind == usda.Blank:
			blank = true
		case kind != usda.Comment:
			l.tok, l.text = token{kind, off, l.pos - off, newLine, blank}, text
			if int64(len(text)) < l.tok.len {
				cut := l.tok
				l.cut = &cut
			}
			return
		}
	}
}

func (l *lexer) nextIs(mark string) bool {
	return (l.tok.kind == usda.Punct || l.tok.kind == usda.Word) && string(l.text) == mark
}

// accept consumes the next token if it is the given mark or word, and reports whether it was.
func (l *lexer) accept(mark string) bool {
	if !l.nextIs(mark) {
		return false
	}
	l.next()
	return true
}

// word consumes and returns the next token if it is a word; otherwise it returns "".
func (l *lexer) word() string {
	if l.tok.kind != usda.Word {
		return ""
	}
	s := string(l.text)
	l.next()
	return s
}

// isIdentifier reports whether the next token is a word without namespace.
func (l *lexer) isIdentifier() bool {
	return l.tok.kind == usda.Word && usda.IsIdentifier(string(l.text))
}

// found describes the next token for a message.
func (l *lexer) found() string {
	switch {
	case l.err != nil:
		return l.err.Error()
	case l.tok.kind == usda.End:
		return "the end"
	}
	return fmt.Sprintf("%.*q", shownWord, l.text)
}

// closing maps an opening bracket to its closing one.
var closing = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// skipGroup consumes a bracket and everything up to its closing one, and reports whether all brackets match. look, if
// not nil, is called for tokens at the outermost level: over reports that it consumed some, ok that their brackets
// match.
func (l *lexer) skipGroup(look func(mark byte) (over, ok bool)) bool {
	var open []byte
	for l.tok.kind != usda.End && l.ctx.Err() == nil {
		mark := l.mark()
		if look != nil && len(open) == 1 {
			over, ok := look(mark)
			if !ok {
				return false
			}
			if over {
				continue
			}
		}
		still, ok := nested(open, mark)
		if !ok {
			return false
		}
		open = still
		l.next()
		if len(open) == 0 {
			return true
		}
	}
	return false
}

// mark returns the next token if it is a mark, or 0.
func (l *lexer) mark() byte {
	if l.tok.kind != usda.Punct {
		return 0
	}
	return l.text[0]
}

// nested returns the open brackets after mark. ok is false if mark closes another bracket than the last.
func nested(open []byte, mark byte) (still []byte, ok bool) {
	switch mark {
	case '(', '[', '{':
		return append(open, closing[mark]), true
	case ')', ']', '}':
		last := len(open) - 1
		return open[:last], open[last] == mark
	}
	return open, true
}
