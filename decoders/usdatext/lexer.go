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

// maxToken is how many bytes of a token are taken; what it has more is gone over.
func maxToken() int64 { return min(64<<20, max(source.CacheLimit()/16, 2*window)) }

// token is one that is neither blank nor comment.
type token struct {
	kind     usda.Token
	off, len int64
	newLine  bool // the end of a line is before it
}

func (t *token) end() int64 { return t.off + t.len }

// lexer goes through the tokens of a range of a layer, in windows.
type lexer struct {
	ctx    context.Context
	src    *model.Source
	end    int64
	pos    int64  // after the token
	tok    token  // the next one
	text   []byte // of it, until the next call
	window *textWindow
	before int64  // the end of the token before
	cut    *token // one of which not all is taken; whoever tells of it drops it
	err    error  // of reading
	line   line
}

// line is what a lexer knows of the line of a statement: its tokens are on one line, but for what is in brackets.
type line struct {
	stray func() // is told of the first token on another line, which is the next; nil: lines don't matter
	first int64  // where the statement begins
	outer int    // how many brackets are open around it
	open  int    // how many are open
}

// follow looks at the line of the next token, and counts it, if it is a bracket.
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

// begin makes the lexer look at the lines of a statement that begins here, until the statement around it goes on.
func (l *lexer) begin(stray func()) (around line) {
	around = l.line
	l.line.stray, l.line.first, l.line.outer = stray, l.tok.off, l.line.open
	return around
}

// goOn ends a statement in another.
func (l *lexer) goOn(around line) {
	open := l.line.open
	l.line = around
	l.line.open = open
}

// isApart reports whether the next token is on the line of the last one, with a blank between them.
func (l *lexer) isApart() bool { return l.tok.off > l.before && !l.tok.newLine }

// isSeparated reports whether what follows can be the next of several entries, or the mark that closes them: the line ends,
// or there is a ; which is gone over.
func (l *lexer) isSeparated(closing string) bool {
	return l.tok.newLine && !l.is(";") || l.is(closing) || !l.tok.newLine && l.take(";")
}

// typeName is the name of a type of prims, whose parts have dots between them, which it goes over.
func (l *lexer) typeName() string {
	name := l.word()
	for name != "" && l.take(".") {
		name += "." + l.word()
	}
	return name
}

// newLexer is a lexer that has gone over nothing yet; w is nil where it reads for itself alone.
func newLexer(ctx context.Context, src *model.Source, off, end int64, w *textWindow) *lexer {
	if w == nil {
		w = &textWindow{}
	}
	return &lexer{ctx: ctx, src: src, end: end, pos: off, window: w}
}

// textWindow is a run of the text that lexers have read. What is in it stays as it is: another one is read elsewhere.
type textWindow struct {
	b     []byte
	off   int64
	ahead int64 // up to where it may be read for lexers that end before
}

func (w *textWindow) end() int64 { return w.off + int64(len(w.b)) }

// fill makes the bytes from pos on at least want, or as many as there are; whole says that there are no more.
func (l *lexer) fill(want int64) (b []byte, whole bool) {
	w := l.window
	if l.pos < w.off || min(l.pos+want, l.end) > w.end() || w.b == nil {
		n := min(max(want, window), max(l.end, w.ahead)-l.pos)
		b, err := l.src.Bytes(l.ctx, l.pos, n)
		if own := l.end - l.pos; err != nil && own < n { // what cannot be read may be ahead
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

// raw goes over one token of any kind; ok is false after the last.
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

// long goes over a token that begins with b and is not taken whole.
func (l *lexer) long(begin []byte) (kind usda.Token, text []byte, ok bool) {
	open := begin[:1]
	if len(begin) > 2 && (begin[0] == '/' || begin[1] == begin[0] && begin[2] == begin[0]) {
		open = begin[:3]
	}
	// What closes it is found by the same rules in what is left of it, after what opens it.
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

// plain is a character that has no part in what closes a token.
func plain(c rune) bool {
	return c == ' ' || c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// next goes to the next token.
func (l *lexer) next() {
	l.follow()
	l.before = l.tok.end()
	newLine := false
	for {
		off := l.pos
		kind, text, ok := l.raw()
		switch {
		case !ok:
			l.tok, l.text = token{kind: usda.End, off: l.pos, newLine: true}, nil
			return
		case kind == usda.Newline:
			newLine = true
		case kind != usda.Blank && kind != usda.Comment:
			l.tok, l.text = token{kind, off, l.pos - off, newLine}, text
			if int64(len(text)) < l.tok.len {
				cut := l.tok
				l.cut = &cut
			}
			return
		}
	}
}

func (l *lexer) is(mark string) bool {
	return (l.tok.kind == usda.Punct || l.tok.kind == usda.Word) && string(l.text) == mark
}

// take goes over a mark or word, if it is the next token.
func (l *lexer) take(mark string) bool {
	if !l.is(mark) {
		return false
	}
	l.next()
	return true
}

// word is the next token's text, if it is a word, which it goes over.
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

// found names the next token for a message.
func (l *lexer) found() string {
	switch {
	case l.err != nil:
		return l.err.Error()
	case l.tok.kind == usda.End:
		return "the end"
	}
	return fmt.Sprintf("%.*q", shownWord, l.text)
}

// closing are the brackets that close others.
var closing = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// skipGroup goes over a bracket and all to the one that closes it. look looks at each token in the outermost, and reports whether
// it went over some itself, and whether their brackets fit. skipGroup reports whether all do.
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

// mark is the next token, if it is a mark; 0 where it is none.
func (l *lexer) mark() byte {
	if l.tok.kind != usda.Punct {
		return 0
	}
	return l.text[0]
}

// nested are the brackets that are open after a mark; ok is false for one that closes another bracket than the last.
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
