package usdatext

import (
	"math"

	"cutaway/decoders/usda"
)

// longestSwept is the most bytes of an element that sweep accepts.
const longestSwept = 1 << 10

// sweep consumes elements of an array of numbers, ten times as fast as token by token. It stops at any element that is
// not as writers write it: a comment, or a blank before a comma. All it consumes are values of the type of e. It adds
// them to a and returns their number; the next token is then the one after the last comma.
func (l *lexer) sweep(e *sweptType, a *arrayIndex) (n int64) {
	if e == nil {
		return 0
	}
	off, after := l.tok.off, l.pos
	l.pos = off
	last := off // the end of the last element
	for more := true; more && l.ctx.Err() == nil; {
		b, _ := l.fill(longestSwept)
		done, over, next := 0, 0, 0
		for {
			if over, next, more = e.scan(b, done); over == 0 {
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

// A sweptType describes the syntax of an array's elements.
type sweptType struct {
	depth  int    // of brackets around numbers: 0, 1 or, of a matrix, 2
	count  int    // of numbers or rows in brackets
	real   bool   // with a point and an exponent
	most   uint64 // the greatest whole number
	signed bool   // down to -most-1
}

// elementOf returns the syntax of elements of type t, or nil if they are no numbers.
func elementOf(t usda.Type) *sweptType {
	e := sweptType{count: t.Count}
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

// scan reads the element at b[i:]. end is after it and its comma, or 0 if it is written otherwise or b may end inside.
// next is the offset of the next element. more is false if the array ends, or may end, after this one.
func (e *sweptType) scan(b []byte, i int) (end, next int, more bool) {
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

// group returns the end of the number at b[i:], or of numbers in depth nested brackets. It returns 0 if the syntax
// differs, and len(b) if the number may go on after b.
func (e *sweptType) group(b []byte, i, depth int) int {
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

// skipBlank returns the offset of the next byte that is no blank or line end.
func skipBlank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t') {
		i++
	}
	return i
}

// realEnd returns the end of the decimal number at b[i:], or 0 if b[i:] begins with none.
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

// wholeEnd returns the end of the whole number at b[i:], or 0 if b[i:] begins with none that fits the type.
func (e *sweptType) wholeEnd(b []byte, i int) int {
	most := e.most
	if i < len(b) && b[i] == '-' && e.signed {
		most++
		i++
	}
	end := digitsEnd(b, i)
	if end == len(b) {
		return end
	}
	const surely = 19 // digits that always fit a uint64
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
