package usdatext

import (
	"math"

	"cutaway/decoders/usda"
)

// longestSwept is how many bytes the longest element has that sweep goes over.
const longestSwept = 1 << 10

// sweep goes over elements of an array of numbers from the next token on, as long as they are written as writers do: without
// comments, and with each comma right after what it follows. It does not make tokens of them, which is ten times as fast. All
// of them are values of the type that e is of. n is how many there were, which are added to a; the next token is then the one that
// follows them and their comma.
func (l *lexer) sweep(e *swept, a *arrayIndex) (n int64) {
	if e == nil {
		return 0
	}
	off, after := l.tok.off, l.pos
	l.pos = off
	last := off // the end of what was gone over
	for more := true; more && l.ctx.Err() == nil; {
		b, _ := l.fill(longestSwept)
		done, over, next := 0, 0, 0
		for {
			if over, next, more = e.over(b, done); over == 0 {
				break
			}
			a.add(l.pos + int64(done))
			n++
			last, done = l.pos+int64(over), next
			if !more {
				break
			}
		}
		l.pos += int64(done)
		more = more && done > 0
	}
	if n == 0 {
		l.pos = after
		return 0
	}
	l.tok, l.text = token{kind: usda.Number, off: off, len: last - off}, nil
	l.pos = last
	l.next()
	return n
}

// swept says how the elements of an array are written.
type swept struct {
	depth  int    // of brackets around numbers: 0, 1 or, of a matrix, 2
	count  int    // numbers or rows in brackets
	real   bool   // with a point and an exponent
	most   uint64 // of a whole number
	signed bool   // down to -most-1
}

// elementOf is how elements of a type are written; nil: they are no numbers.
func elementOf(t usda.Type) *swept {
	e := swept{count: t.Count}
	switch t.Scalar {
	case usda.Half, usda.Float, usda.Double:
		e.real = true
	case usda.UChar:
		e.most = math.MaxUint8
	case usda.Int:
		e.most, e.signed = math.MaxInt32, true
	case usda.UInt:
		e.most = math.MaxUint32
	case usda.Int64:
		e.most, e.signed = math.MaxInt64, true
	case usda.UInt64:
		e.most = math.MaxUint64
	default:
		return nil
	}
	if t.Count > 1 {
		e.depth = 1
	}
	if t.Rows > 0 {
		e.depth, e.count = 2, t.Rows
	}
	return &e
}

// over goes over the element at b[i:]: it and its comma end at end, and the next element begins at next. end is 0 where there
// is none that is written so, or not all of it is in b. more is false where the array ends after it, or may.
func (e *swept) over(b []byte, i int) (end, next int, more bool) {
	end = e.group(b, i, e.depth)
	if end == 0 || end == len(b) {
		return 0, 0, end == len(b)
	}
	switch b[end] {
	case ']':
		return end, end, false
	case ',':
		next = skipBlank(b, end+1)
		if next < len(b) {
			return end + 1, next, b[next] != ']'
		}
		return 0, 0, true
	}
	return 0, 0, false
}

// group is where the numbers in brackets at b[i:] end, depth of them around each other; 0: there are none that are written so.
// It is len(b) where they may go on after b.
func (e *swept) group(b []byte, i, depth int) int {
	if depth == 0 {
		if e.real {
			return realEnd(b, i)
		}
		return e.wholeEnd(b, i)
	}
	for k := range e.count {
		opening := byte('(')
		if k > 0 {
			opening = ','
		}
		switch {
		case i == len(b):
			return i
		case b[i] != opening:
			return 0
		}
		if i = skipBlank(b, i+1); i == len(b) {
			return i
		}
		if i = e.group(b, i, depth-1); i == 0 || i == len(b) {
			return i
		}
	}
	if b[i] != ')' {
		return 0
	}
	return i + 1
}

// skipBlank is where what follows blanks and ends of lines begins.
func skipBlank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t') {
		i++
	}
	return i
}

// realEnd is where the number ends that is at b[i:]; 0: there is none.
func realEnd(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	end := digitsEnd(b, i)
	digits := end - i
	if end < len(b) && b[end] == '.' {
		i = end + 1
		end = digitsEnd(b, i)
		digits += end - i
	}
	switch {
	case end == len(b):
		return end
	case digits == 0:
		return 0
	case b[end]|0x20 != 'e':
		return end
	}
	i = end + 1
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	if end = digitsEnd(b, i); end == i && end < len(b) {
		return 0
	}
	return end
}

func digitsEnd(b []byte, i int) int {
	for i < len(b) && b[i]-'0' < 10 {
		i++
	}
	return i
}

// wholeEnd is where the whole number ends that is at b[i:]; 0: there is none, or it is none of the type.
func (e *swept) wholeEnd(b []byte, i int) int {
	most := e.most
	if i < len(b) && b[i] == '-' && e.signed {
		most++
		i++
	}
	end := digitsEnd(b, i)
	if end == len(b) {
		return end
	}
	const surely = 19 // digits that a uint64 has room for
	if end == i || end-i > surely {
		return 0
	}
	number := uint64(0)
	for _, c := range b[i:end] {
		number = number*10 + uint64(c-'0')
	}
	if number > most {
		return 0
	}
	return end
}
