package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A Form is a way to convert the text of a pattern to bytes.
type Form uint8

// The forms. Numbers are little-endian (LE) or big-endian (BE).
const (
	Auto    Form = iota // Hex if it looks like hexadecimal bytes, otherwise text, as UTF8 and UTF16LE
	Hex                 // "50 58 ?? 2d": two digits per byte, ? for any digit; blanks are optional
	UTF8                // text
	UTF16LE             //
	UTF16BE
	U8 // one or more numbers, separated by blanks or commas
	U16LE
	U16BE
	U32LE
	U32BE
	U64LE
	U64BE
	I8
	I16LE
	I16BE
	I32LE
	I32BE
	I64LE
	I64BE
	F16LE
	F16BE
	F32LE
	F32BE
	F64LE
	F64BE
)

// formTable holds the names of the forms on the command line, and their titles in lists.
var formTable = [...]struct {
	name, title string
	kind        byte // of numbers: u, i, f
	size        int  // bytes of a number
	big         bool
}{
	Auto: {"auto", "Hex or text", 0, 0, false}, Hex: {"hex", "Hex bytes", 0, 0, false},
	UTF8: {"utf8", "Text (UTF-8)", 0, 0, false}, UTF16LE: {"utf16le", "Text (UTF-16)", 0, 0, false}, UTF16BE: {"utf16be", "Text (UTF-16, big-endian)", 0, 0, true},
	U8: {"u8", "Unsigned 8 bit", 'u', 1, false}, I8: {"i8", "Signed 8 bit", 'i', 1, false},
	U16LE: {"u16le", "Unsigned 16 bit", 'u', 2, false}, U16BE: {"u16be", "Unsigned 16 bit, big-endian", 'u', 2, true},
	U32LE: {"u32le", "Unsigned 32 bit", 'u', 4, false}, U32BE: {"u32be", "Unsigned 32 bit, big-endian", 'u', 4, true},
	U64LE: {"u64le", "Unsigned 64 bit", 'u', 8, false}, U64BE: {"u64be", "Unsigned 64 bit, big-endian", 'u', 8, true},
	I16LE: {"i16le", "Signed 16 bit", 'i', 2, false}, I16BE: {"i16be", "Signed 16 bit, big-endian", 'i', 2, true},
	I32LE: {"i32le", "Signed 32 bit", 'i', 4, false}, I32BE: {"i32be", "Signed 32 bit, big-endian", 'i', 4, true},
	I64LE: {"i64le", "Signed 64 bit", 'i', 8, false}, I64BE: {"i64be", "Signed 64 bit, big-endian", 'i', 8, true},
	F16LE: {"f16le", "Float 16 bit", 'f', 2, false}, F16BE: {"f16be", "Float 16 bit, big-endian", 'f', 2, true},
	F32LE: {"f32le", "Float 32 bit", 'f', 4, false}, F32BE: {"f32be", "Float 32 bit, big-endian", 'f', 4, true},
	F64LE: {"f64le", "Float 64 bit", 'f', 8, false}, F64BE: {"f64be", "Float 64 bit, big-endian", 'f', 8, true},
}

// Forms returns all forms, in display order.
func Forms() []Form {
	all := make([]Form, len(formTable))
	for i := range all {
		all[i] = Form(i)
	}
	return all
}

// String returns the form's name on the command line: "auto", "hex", "utf8", "u32le".
func (f Form) String() string { return formTable[f].name }

// Title returns the form's name in lists: "Unsigned 32 bit".
func (f Form) Title() string { return formTable[f].title }

// ParseForm returns the form with a name, in any case. Numbers without "le" or "be" are little-endian.
func ParseForm(name string) (Form, error) {
	want := strings.ToLower(strings.TrimSpace(name))
	for i := range formTable {
		if has := formTable[i].name; has == want || strings.TrimSuffix(has, "le") == want {
			return Form(i), nil
		}
	}
	var names []string
	for i := range formTable {
		names = append(names, formTable[i].name)
	}
	return Auto, fmt.Errorf("there is no form %q; there are %s", name, strings.Join(names, ", "))
}

// PatternOptions control the parsing of a pattern.
type PatternOptions struct {
	IgnoreCase bool // letters A to Z of text match in both cases
}

// maxPattern is the greatest length of a pattern, in bytes.
const maxPattern = 64 << 10

// A Pattern is a sequence of bytes to search for, each with a mask of the bits that must be equal. It is safe for
// concurrent use.
type Pattern struct {
	text string
	form Form
	// data &^ mask is 0. If mask is 0, any byte matches.
	data, mask []byte
	plan       plan
	also       *Pattern // the same text in the alternative form, or nil
}

// ParsePattern parses the text of a user, and returns errors for the user.
func ParsePattern(text string, form Form, opt PatternOptions) (*Pattern, error) {
	p := &Pattern{text: text, form: form}
	if form == Auto {
		p.form = UTF8
		if looksLikeHex(text) {
			p.form = Hex
		}
	}
	err := p.parse(text)
	if err != nil {
		return nil, err
	}
	if len(p.data) > maxPattern {
		return nil, fmt.Errorf("the pattern has %d bytes; it may have %d", len(p.data), maxPattern)
	}
	if p.mask == nil {
		p.mask = make([]byte, len(p.data))
		for i := range p.mask {
			p.mask[i] = 0xff
		}
	}
	if opt.IgnoreCase {
		p.foldCase()
	}
	p.plan = p.makePlan()
	if form == Auto && p.form == UTF8 && utf8.ValidString(text) {
		p.also, err = ParsePattern(text, UTF16LE, opt)
	}
	return p, err
}

// parse parses the text in the pattern's form.
func (p *Pattern) parse(text string) error {
	isText := p.form == UTF8 || p.form == UTF16LE || p.form == UTF16BE
	switch {
	case text == "" || !isText && strings.TrimSpace(text) == "":
		return errors.New("there is nothing to search for: type the bytes, the text or the number")
	case p.form == Hex:
		return p.hex(text)
	case p.form == UTF8:
		p.data = []byte(text)
		return nil
	case isText:
		return p.utf16(text)
	}
	return p.numbers(text)
}

// lengths returns the least and the greatest number of bytes of a match.
func (p *Pattern) lengths() (least, most int) {
	least = len(p.data)
	if p.also == nil {
		return least, least
	}
	return min(least, len(p.also.data)), max(least, len(p.also.data))
}

// FormOf returns the form of a match: for Auto, the one that was chosen.
func (p *Pattern) FormOf(match []byte) Form {
	if p.also != nil && (len(match) != len(p.data) || !p.matches(match)) {
		return p.also.form
	}
	return p.form
}

// String returns the text of the pattern.
func (p *Pattern) String() string { return p.text }

// Bytes returns the pattern in hexadecimal, with ? for digits that do not matter.
func (p *Pattern) Bytes() string {
	var b strings.Builder
	for i := range p.data {
		if i > 0 {
			b.WriteByte(' ')
		}
		for _, shift := range []int{4, 0} {
			if p.mask[i]>>shift&0xf == 0 {
				b.WriteByte('?')
			} else {
				b.WriteByte("0123456789abcdef"[p.data[i]>>shift&0xf])
			}
		}
	}
	return b.String()
}

// matches reports whether b, of the pattern's length, matches.
func (p *Pattern) matches(b []byte) bool {
	for i, m := range p.mask {
		if (b[i]^p.data[i])&m != 0 {
			return false
		}
	}
	return true
}

// looksLikeHex reports whether text is hexadecimal bytes rather than words or a decimal number. It is one run of digit
// pairs with letters and figures, or several pairs, or has a ?, or begins with 0x.
func looksLikeHex(text string) bool {
	fields := fieldsOf(text)
	for _, f := range fields {
		digits := trimHexPrefix(f)
		switch {
		case digits == "" || len(digits)%2 != 0 || strings.Trim(digits, "0123456789abcdefABCDEF?") != "" || strings.Trim(digits, "?") == "" && len(fields) == 1:
			return false
		case len(digits) < len(f) || strings.Contains(f, "?"):
		case len(fields) > 1 && len(f) == 2:
		case strings.ContainsAny(f, "0123456789") && strings.ContainsAny(f, "abcdefABCDEF"):
		default:
			return false
		}
	}
	return len(fields) > 0
}

// fieldsOf returns the words of text, which blanks or commas separate.
func fieldsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
}

func trimHexPrefix(s string) string { return strings.TrimPrefix(strings.TrimPrefix(s, "0x"), "0X") }

func (p *Pattern) hex(text string) error {
	fixed := false
	for _, field := range fieldsOf(text) {
		digits := trimHexPrefix(field)
		if digits == "?" {
			digits = "??"
		}
		for i := 0; i < len(digits); i += 2 {
			var data, mask byte
			for k := i; k < i+2 && k < len(digits); k++ {
				data, mask = data<<4, mask<<4
				if digits[k] == '?' {
					continue
				}
				v, err := strconv.ParseUint(digits[k:k+1], 16, 8)
				if err != nil {
					r, _ := utf8.DecodeRuneInString(digits[k:])
					return fmt.Errorf("%q in %s is no hexadecimal digit: bytes are written as 50 58 2d, with ? for a digit that does not matter", r, shorten(field))
				}
				data, mask = data|byte(v), mask|0xf
			}
			if i+1 == len(digits) {
				return fmt.Errorf("%s has an odd number of digits: a byte has two, such as %s or %s?", shorten(field), "0"+digits[i:], digits[i:])
			}
			p.data, p.mask = append(p.data, data), append(p.mask, mask)
			fixed = fixed || mask != 0
		}
	}
	if len(p.data) == 0 {
		return errors.New("there are no hexadecimal digits: bytes are written as 50 58 2d")
	}
	if !fixed {
		return errors.New("the pattern has no digit that matters: it would be found everywhere")
	}
	return nil
}

func (p *Pattern) utf16(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("the text is not UTF-8, so that it cannot be written as UTF-16")
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		p.append(uint64(unit), 2, p.form == UTF16BE)
	}
	return nil
}

func (p *Pattern) append(v uint64, size int, big bool) {
	var b [8]byte
	if big {
		binary.BigEndian.PutUint64(b[:], v)
		p.data = append(p.data, b[8-size:]...)
	} else {
		binary.LittleEndian.PutUint64(b[:], v)
		p.data = append(p.data, b[:size]...)
	}
}

// caseBit is the bit by which a small ASCII letter differs from a capital.
const caseBit = 'a' - 'A'

// isLetter reports whether c is a capital ASCII letter.
func isLetter(c byte) bool { return c-'A' < 26 }

// foldCase makes letters match in both cases.
func (p *Pattern) foldCase() {
	step, first := 1, 0
	switch p.form {
	case UTF8:
	case UTF16LE:
		step = 2
	case UTF16BE:
		step, first = 2, 1
	default:
		return
	}
	for i := first; i < len(p.data); i += step {
		if step == 2 && p.data[i^1] != 0 {
			continue // no letter from A to Z
		}
		if c := p.data[i] &^ caseBit; isLetter(c) {
			p.data[i], p.mask[i] = c, ^byte(caseBit)
		}
	}
}

func (p *Pattern) numbers(text string) error {
	form := &formTable[p.form]
	words := fieldsOf(text)
	if len(words) == 0 {
		return errors.New("there is no number to search for")
	}
	for _, word := range words {
		v, err := numberBits(word, form.kind, 8*form.size)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return fmt.Errorf("%s does not fit: %s", shorten(word), rangeOf(form.kind, 8*form.size))
		case err != nil && form.kind == 'f':
			return fmt.Errorf("%s is no number: write it as 0.5, -1e6 or inf", shorten(word))
		case err != nil:
			return fmt.Errorf("%s is no whole number: write it in decimal, or in hexadecimal after 0x", shorten(word))
		}
		p.append(v, form.size, form.big)
	}
	return nil
}

// rangeOf returns the numbers of a form in words.
func rangeOf(kind byte, size int) string {
	switch kind {
	case 'u':
		return fmt.Sprintf("%d bits without sign hold 0 to %d", size, uint64(math.MaxUint64)>>(64-size))
	case 'i':
		return fmt.Sprintf("%d bits with sign hold %d to %d", size, int64(math.MinInt64)>>(64-size), int64(math.MaxInt64)>>(64-size))
	}
	return fmt.Sprintf("a float of %d bits ends at %g", size, map[int]float64{16: 65504, 32: math.MaxFloat32, 64: math.MaxFloat64}[size])
}

// numberBits returns the bits of a number. The error is strconv.ErrRange if it does not fit.
func numberBits(word string, kind byte, size int) (uint64, error) {
	if kind != 'f' {
		return integerBits(word, kind, size)
	}
	f, err := strconv.ParseFloat(word, max(size, 32))
	if err != nil {
		return 0, err
	}
	if math.IsNaN(f) {
		return 0, strconv.ErrSyntax // NaN has many bit patterns
	}
	switch size {
	case 16:
		return halfBits(word)
	case 32:
		return uint64(math.Float32bits(float32(f))), nil
	}
	return math.Float64bits(f), nil
}

func integerBits(word string, kind byte, size int) (uint64, error) {
	n, ok := parseNumber(word)
	switch {
	case !ok || n.float != math.Trunc(n.float): // includes NaN
		return 0, strconv.ErrSyntax
	case !n.whole:
		return 0, strconv.ErrRange
	}
	limit := uint64(math.MaxUint64) >> (64 - size) // the largest magnitude
	switch {
	case kind == 'u' && n.negative && n.magnitude > 0:
		limit = 0
	case kind == 'i' && n.negative:
		limit = limit>>1 + 1
	case kind == 'i':
		limit >>= 1
	}
	switch {
	case n.magnitude > limit:
		return 0, strconv.ErrRange
	case n.negative:
		return -n.magnitude, nil
	}
	return n.magnitude, nil
}

// halfBits returns the bits of the IEEE 754 binary16 nearest to a number, ties to even.
func halfBits(word string) (uint64, error) {
	f, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return 0, err
	}
	sign := math.Float64bits(f) >> 63 << 15
	f = math.Abs(f)
	const (
		overflow = 65520           // least number whose nearest half is not 65504
		normal   = 1.0 / (1 << 14) // the least number with a full mantissa
		unit     = 1 << 24         // subnormals count in 1/unit
	)
	switch {
	case math.IsInf(f, 0):
		return sign | 0x7c00, nil
	case f >= overflow:
		return 0, strconv.ErrRange
	case f < normal:
		return sign | uint64(math.RoundToEven(f*unit)), nil
	}
	fraction, exponent := math.Frexp(f) // 0.5 ≤ fraction < 1
	mantissa := uint64(math.RoundToEven(fraction * (1 << 11)))
	return sign | uint64(exponent+13)<<10 + mantissa, nil
}
