package model

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Value is the content of a node: a typed scalar, text, a tuple of fixed length, an array that is read in windows, or
// a small structure (for facts only). The set of types is closed.
type Value interface{ isValue() }

type (
	// Bool is true or false, however wide it is in the file.
	Bool bool
	// Int is a signed integer of any width.
	Int int64
	// Uint is an unsigned integer of any width.
	Uint uint64
	// Float64 is an IEEE 754 binary64.
	Float64 float64
	// Float32 is an IEEE 754 binary32. It keeps its width, so that 0.1 prints as 0.1.
	Float32 float32
	// Half holds the bits of an IEEE 754 binary16.
	Half uint16
	// Text holds bytes that are meant as text, which may be invalid UTF-8.
	Text string
	// Tuple is a vector, quaternion or, of Tuples, a matrix.
	Tuple []Value
	// Seq is a small list held in memory, for facts and not for file content.
	Seq []Value
	// Object is a small structure held in memory, for facts and not for file content.
	Object []Member
)

// A Symbol is a number with a name: an enumeration or a type number. Name is "" if the number is unknown.
type Symbol struct {
	Number   int64
	Name     string
	Numbered bool // the text shows the number too
}

// Flags returns a number of named bits as the names of the set ones. names begins with the lowest bit.
func Flags(number uint64, names []string) Symbol {
	var set []string
	for i, name := range names {
		if number>>i&1 != 0 {
			set = append(set, name)
		}
	}
	return Symbol{Number: int64(number), Name: strings.Join(set, ", ")}
}

// None is a value that means "no value", such as USD's ValueBlock.
type None struct{}

// A Member is an entry of an Object.
type Member struct {
	Key   string
	Value Value
}

// An Array is a typed sequence that is read in windows, never whole.
type Array interface {
	Value
	// Elem returns the element type in the format's words.
	Elem() string
	// Len returns the number of elements.
	Len() int64
	// Read fills dst with the elements from first on and returns their number. The elements before an error are valid.
	Read(ctx context.Context, first int64, dst []Value) (int, error)
}

// A Blob is raw bytes in a source.
type Blob struct{ Span Span }

func (Bool) isValue()    {}
func (Int) isValue()     {}
func (Uint) isValue()    {}
func (Float64) isValue() {}
func (Float32) isValue() {}
func (Half) isValue()    {}
func (Text) isValue()    {}
func (Tuple) isValue()   {}
func (Seq) isValue()     {}
func (Object) isValue()  {}
func (Symbol) isValue()  {}
func (None) isValue()    {}
func (Blob) isValue()    {}

// ArrayBase makes an Array a Value; embed it.
type ArrayBase struct{}

func (ArrayBase) isValue() {}

// Float returns the half as a float32, exactly.
func (h Half) Float() float32 {
	sign := uint32(h&0x8000) << 16
	exp, frac := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exp {
	case 0:
		f := float32(frac) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// HalfOf returns the binary16 nearest to v, ties to even.
func HalfOf(v float64) Half {
	b := math.Float64bits(v)
	sign := uint16(b >> 48 & 0x8000)
	a := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return Half(sign | 0x7E00)
	case a >= 65520:
		return Half(sign | 0x7C00)
	case a < 1.0/(1<<14): // subnormal: multiples of 2^-24
		return Half(sign | uint16(math.RoundToEven(a*(1<<24))))
	}
	frac, exp := math.Frexp(a)                 // a = frac × 2^exp, ½ ≤ frac < 1
	m := math.RoundToEven((frac*2 - 1) * 1024) // 0 … 1024; 1024 carries into the exponent, as it should
	return Half(sign | (uint16(exp+14)<<10 + uint16(m)))
}

// Shortest returns the float64 with the fewest decimal digits that rounds to h: 0.1 if Float is 0.099975586.
func (h Half) Shortest() float64 {
	const digits, largest = 5, 0x7bff // more digits are never needed
	f := float64(h.Float())
	size := h & 0x7fff
	if size == 0 || size > largest {
		return f
	}
	a := math.Abs(f)
	below := a - float64((size - 1).Float())
	above := below
	if size < largest {
		above = float64((size + 1).Float()) - a
	}
	for n := range digits {
		if x, err := strconv.ParseFloat(strconv.FormatFloat(a, 'e', n, 64), 64); err == nil && x > a-below/2 && x < a+above/2 {
			return math.Copysign(x, f)
		}
	}
	return f
}

// Elements is an Array whose elements are made by a function.
type Elements struct {
	ArrayBase
	Type  string
	Count int64
	Make  func(ctx context.Context, i int64) (Value, error)
	Pack  Packing                                 // if the elements are numbers that can be read packed
	Place func(ctx context.Context, i int64) Span // the bytes of element i, or nil if Pack defines them or elements have none of their own
}

// At returns the bytes of element i.
func (e *Elements) At(ctx context.Context, i int64) Span {
	if e.Place == nil {
		return e.Pack.element(i)
	}
	return e.Place(ctx, i)
}

// Packing returns Pack.
func (e *Elements) Packing() Packing { return e.Pack }

// Elem returns the name of the type of the elements.
func (e *Elements) Elem() string { return e.Type }

// Len returns the number of elements.
func (e *Elements) Len() int64 { return e.Count }

// Read makes the elements from first on.
func (e *Elements) Read(ctx context.Context, first int64, dst []Value) (int, error) {
	for i := range dst {
		at := first + int64(i)
		if at >= e.Count {
			return i, nil
		}
		if i&1023 == 1023 && ctx.Err() != nil {
			return i, ctx.Err()
		}
		v, err := e.Make(ctx, at)
		if err != nil {
			return i, err
		}
		dst[i] = v
	}
	return len(dst), nil
}

// Show returns a value for a person in one line of about limit bytes at most; an ellipsis stands for the rest. It reads
// only the part of arrays and blobs that it shows.
func Show(ctx context.Context, v Value, limit int) string {
	p := printer{ctx: ctx, limit: limit}
	p.value(v, false)
	return p.String()
}

// ShowHeld is like Show, for a value held in memory, such as a default in a description. It reads nothing, and shows an
// ellipsis for arrays and blobs.
func ShowHeld(v Value, limit int) string {
	p := printer{limit: limit}
	p.value(v, false)
	return p.String()
}

// A printer writes one value.
type printer struct {
	strings.Builder
	ctx   context.Context // nil to read nothing
	limit int
}

func (p *printer) value(v Value, nested bool) {
	switch v := v.(type) {
	case Bool:
		p.WriteString(strconv.FormatBool(bool(v)))
	case Int:
		p.WriteString(strconv.FormatInt(int64(v), 10))
	case Uint:
		p.WriteString(strconv.FormatUint(uint64(v), 10))
	case Float64:
		p.WriteString(FormatFloat(float64(v), 64))
	case Float32:
		p.WriteString(FormatFloat(float64(v), 32))
	case Half:
		p.WriteString(FormatFloat(v.Shortest(), 64))
	case Text:
		p.text(string(v), nested)
	case Symbol:
		switch {
		case v.Name == "":
			fmt.Fprintf(p, "%d", v.Number)
		case v.Numbered:
			fmt.Fprintf(p, "%s (%d)", printable(v.Name), v.Number)
		default:
			p.WriteString(printable(v.Name))
		}
	default:
		p.composite(v)
	}
}

func (p *printer) composite(v Value) {
	switch v := v.(type) {
	case None:
		p.WriteString("None")
	case Tuple:
		p.seq(v, '(', ')')
	case Seq:
		p.seq(v, '[', ']')
	case Object:
		p.object(v)
	case Blob:
		p.blob(v)
	case Array:
		p.array(v)
	}
}

func (p *printer) object(o Object) {
	p.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			p.WriteString(", ")
		}
		if p.Len() >= p.limit {
			p.WriteString("…")
			break
		}
		p.WriteString(printable(m.Key) + ": ")
		p.value(m.Value, true)
	}
	p.WriteByte('}')
}

// FormatTime returns a time with all its digits, but at most those that 64 bits are sure to have: further ones are
// artefacts of computation. The least and greatest float64 mean before and after all others.
func FormatTime(t float64) string {
	const most, sure = 16, 15
	switch t {
	case -math.MaxFloat64:
		return "start"
	case math.MaxFloat64:
		return "end"
	}
	text := strings.TrimLeft(strings.TrimLeft(FormatFloat(t, 64), "-"), "0.")
	if len(text)-strings.Count(text, ".") <= most {
		return FormatFloat(t, 64)
	}
	return strconv.FormatFloat(t, 'g', sure, 64)
}

// FormatDigits returns f with so many digits, or all those before its point.
func FormatDigits(f float64, digits int) string {
	const most = 17
	if a := math.Abs(f); a >= 1 && a < 1e16 {
		digits = max(digits, int(math.Log10(a))+1)
	}
	if short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', min(digits, most), 64), 64); err == nil {
		f = short
	}
	return FormatFloat(f, 64)
}

// FormatFloat returns the shortest text that is read back as f with so many bits.
func FormatFloat(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-5 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, bits)
	}
	return strconv.FormatFloat(f, 'f', -1, bits)
}

func (p *printer) text(s string, quoted bool) {
	cut := ""
	if room := p.limit - p.Len(); len(s) > room {
		room = max(room, 0)
		for room > 0 && !utf8.RuneStart(s[room]) {
			room--
		}
		s, cut = s[:room], "…"
	}
	if quoted {
		p.WriteString(strconv.Quote(s))
	} else {
		p.WriteString(printable(s))
	}
	p.WriteString(cut)
}

// Unprintable reports whether a character would break a line, move a terminal's cursor or change the direction of the
// text.
func Unprintable(r rune) bool {
	if r < utf8.RuneSelf {
		return r < 0x20 || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}

// printable escapes unprintable characters and invalid UTF-8.
func printable(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, Unprintable) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

func (p *printer) seq(vs []Value, open, shut byte) {
	p.WriteByte(open)
	for i, v := range vs {
		if i > 0 {
			p.WriteString(", ")
		}
		if p.Len() >= p.limit {
			p.WriteString("…")
			break
		}
		p.value(v, true)
	}
	p.WriteByte(shut)
}

func (p *printer) array(a Array) {
	if p.ctx == nil {
		p.WriteString("[…]")
		return
	}
	p.WriteByte('[')
	var one [16]Value
	for first := int64(0); first < a.Len(); {
		n, err := a.Read(p.ctx, first, one[:])
		for i := range n {
			if first > 0 || i > 0 {
				p.WriteString(", ")
			}
			if p.Len() >= p.limit {
				p.WriteString("…]")
				return
			}
			p.value(one[i], true)
		}
		if err != nil || n == 0 {
			p.WriteString("…")
			break
		}
		first += int64(n)
	}
	p.WriteByte(']')
}

func (p *printer) blob(v Blob) {
	if p.ctx == nil {
		p.WriteString("…")
		return
	}
	n := min(v.Span.Len, int64(max(p.limit-p.Len(), 0)/3+1))
	b := make([]byte, n)
	got, _ := v.Span.Source.ReadAt(p.ctx, b, v.Span.Off)
	for i, c := range b[:got] {
		if i > 0 {
			p.WriteByte(' ')
		}
		fmt.Fprintf(p, "%02x", c)
	}
	if int64(got) < v.Span.Len {
		p.WriteString(" …")
	}
}
