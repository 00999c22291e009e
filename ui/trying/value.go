package trying

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"cutaway/model"
	"cutaway/model/search"
)

// longestNumber is the maximum length of a number in digits, in bytes.
const longestNumber = 24

// ErrNoValue reports that a value is of a kind that cannot be typed.
var ErrNoValue = errors.New("a value of this kind cannot be typed: type over its bytes")

// CanType reports whether a node has bytes and a value that can be typed.
func CanType(n *model.Node) bool {
	_, ok := Text(n.Value)
	return ok && n.Span().Source != nil && n.Span().Len > 0
}

// Typed parses text as a value of the kind of v.
func Typed(v model.Value, text string) (model.Value, error) {
	text = strings.TrimSpace(text)
	switch v.(type) {
	case model.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, errors.New("write true or false")
		}
		return model.Bool(b), nil
	case model.Uint:
		n, err := strconv.ParseUint(text, 0, 64)
		return model.Uint(n), wrongNumber(text, err)
	case model.Int, model.Symbol:
		n, err := strconv.ParseInt(text, 0, 64)
		return model.Int(n), wrongNumber(text, err)
	case model.Float32, model.Half:
		f, err := strconv.ParseFloat(text, 32)
		return model.Float32(f), wrongNumber(text, err)
	case model.Float64:
		f, err := strconv.ParseFloat(text, 64)
		return model.Float64(f), wrongNumber(text, err)
	}
	return nil, ErrNoValue
}

func wrongNumber(text string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%s does not fit", text)
	}
	return fmt.Errorf("%q is no such number: write it in decimal, or a whole one in hexadecimal after 0x", text)
}

// Text returns a value as it is typed. ok is false for kinds that cannot be typed.
func Text(v model.Value) (text string, ok bool) {
	switch v := v.(type) {
	case model.Bool, model.Uint, model.Int:
		return fmt.Sprint(v), true
	case model.Symbol:
		return strconv.FormatInt(v.Number, 10), true
	case model.Float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32), true
	case model.Float64:
		return strconv.FormatFloat(float64(v), 'g', -1, 64), true
	case model.Half:
		return strconv.FormatFloat(v.Shortest(), 'g', -1, 64), true
	case model.Text:
		return string(v), true
	}
	return "", false
}

// Encodings encodes text, a value as a user types it, as v is encoded in the bytes was. Several encodings may turn v
// into was: the list has the bytes of each. want is the value of text. mask selects the bits of a bit field in was,
// taken as one little-endian number; 0 selects all.
func Encodings(v model.Value, was []byte, mask uint64, text string) (list [][]byte, want model.Value, err error) {
	if len(was) == 0 {
		return nil, nil, errors.New("it has no bytes of its own that could be others")
	}
	if old, ok := v.(model.Text); ok {
		list, err = textEncodings(string(old), was, text)
		return list, model.Text(text), err
	}
	if want, err = Typed(v, text); err != nil {
		return nil, nil, err
	}
	for _, encode := range numberEncodings(was, mask) {
		old, can := encode(v)
		now, fits := encode(want)
		if can && fits && bytes.Equal(old, was) && !slices.ContainsFunc(list, func(b []byte) bool { return bytes.Equal(b, now) }) {
			list = append(list, now)
		}
	}
	if len(list) == 0 {
		err = fmt.Errorf("%s does not fit into these %s, or it is not known how they say a value: type over them", text, model.GroupedCount(int64(len(was)), "byte"))
	}
	return list, want, err
}

// An encoding encodes a value. ok is false if it cannot.
type encoding func(v model.Value) (b []byte, ok bool)

// numberEncodings returns the encodings of numbers as bytes of the length of was.
func numberEncodings(was []byte, mask uint64) []encoding {
	var list []encoding
	if len(was) <= 8 {
		list = append(list, inBits(was, mask, binary.LittleEndian), inBits(was, mask, binary.BigEndian))
	}
	if mask == 0 {
		list = append(list, floatOf(len(was), binary.LittleEndian), floatOf(len(was), binary.BigEndian), inGroups(len(was), false), inGroups(len(was), true))
		for _, base := range []int{10, 8, 16} {
			list = append(list, inDigits(was, base))
		}
	}
	return list
}

// wholeOf returns the bits of a whole number, and whether it is negative.
func wholeOf(v model.Value) (n uint64, negative, ok bool) {
	switch v := v.(type) {
	case model.Bool:
		if v {
			n = 1
		}
		return n, false, true
	case model.Uint:
		return uint64(v), false, true
	case model.Int:
		return uint64(v), v < 0, true
	case model.Symbol:
		return uint64(v.Number), v.Number < 0, true
	}
	return 0, false, false
}

// padded extends b with zeros to the 8 bytes of a number in a byte order.
func padded(b []byte, order binary.ByteOrder) []byte {
	all := make([]byte, 8)
	if order == binary.ByteOrder(binary.BigEndian) {
		copy(all[8-len(b):], b)
	} else {
		copy(all, b)
	}
	return all
}

// inBits encodes a whole number in the bits of was that mask selects.
func inBits(was []byte, mask uint64, order binary.ByteOrder) encoding {
	n := len(was)
	if mask == 0 {
		mask = math.MaxUint64 >> (64 - 8*n)
	}
	if order == binary.ByteOrder(binary.BigEndian) {
		mask = bits.ReverseBytes64(mask) >> (64 - 8*n)
	}
	shift, width := bits.TrailingZeros64(mask), bits.OnesCount64(mask)
	return func(v model.Value) ([]byte, bool) {
		number, negative, ok := wholeOf(v)
		unused := 64 - width
		fits := number<<unused>>unused == number || negative && int64(number<<unused)>>unused == int64(number)
		if !ok || !fits || mask>>shift != math.MaxUint64>>unused {
			return nil, false
		}
		word := order.Uint64(padded(was, order))&^mask | number<<shift&mask
		all := make([]byte, 8)
		order.PutUint64(all, word)
		if order == binary.ByteOrder(binary.BigEndian) {
			return all[8-n:], true
		}
		return all[:n], true
	}
}

// floatOf encodes a float of n bytes.
func floatOf(n int, order binary.ByteOrder) encoding {
	return func(v model.Value) ([]byte, bool) {
		f, ok := model.FloatOf(v)
		if _, _, whole := wholeOf(v); !ok || whole {
			return nil, false
		}
		all := make([]byte, 8)
		switch n {
		case 2:
			b, err := Reading("half", order == binary.ByteOrder(binary.BigEndian), strconv.FormatFloat(f, 'g', -1, 64))
			return b, err == nil
		case 4:
			order.PutUint32(all, math.Float32bits(float32(f)))
		case 8:
			order.PutUint64(all, math.Float64bits(f))
		default:
			return nil, false
		}
		return all[:n], true
	}
}

// inGroups encodes a whole number in n groups of 7 bits, the lowest first or last. Bit 7 is set in all bytes but the
// last.
func inGroups(n int, lowestLast bool) encoding {
	return func(v model.Value) ([]byte, bool) {
		number, negative, ok := wholeOf(v)
		if !ok || negative || n < 1 || n > binary.MaxVarintLen64 || 7*n < bits.Len64(number) {
			return nil, false
		}
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(number>>(7*i)) & 0x7f
		}
		if lowestLast {
			slices.Reverse(b)
		}
		for i := range n - 1 {
			b[i] |= 0x80
		}
		return b, true
	}
}

// inDigits encodes a whole number as text of the length of was. It keeps the kind of filler before the digits, and the
// bytes after them.
func inDigits(was []byte, base int) encoding {
	end := len(was)
	for end > 0 && (was[end-1] == 0 || was[end-1] == ' ') {
		end--
	}
	fill := "0"
	if end > 0 && was[0] == ' ' {
		fill = " "
	}
	return func(v model.Value) ([]byte, bool) {
		number, negative, ok := wholeOf(v)
		digits := strconv.FormatUint(number, base)
		if !ok || negative || end == 0 || len(was) > longestNumber || len(digits) > end {
			return nil, false
		}
		return append([]byte(strings.Repeat(fill, end-len(digits))+digits), was[end:]...), true
	}
}

// textEncodings encodes text as old is encoded in was. A shorter text gets filler after it, a longer one replaces
// filler.
func textEncodings(old string, was []byte, text string) (list [][]byte, err error) {
	room := 0
	for _, encode := range []func(string) []byte{func(s string) []byte { return []byte(s) }, utf16Bytes(binary.LittleEndian), utf16Bytes(binary.BigEndian)} {
		before, now := encode(old), encode(text)
		at := bytes.Index(was, before)
		if at < 0 || len(before) == 0 && len(was) == 0 {
			continue
		}
		tail := was[at+len(before):]
		for _, fill := range []byte{0, ' '} {
			filler := len(tail) - len(bytes.TrimLeft(tail, string(fill)))
			if room = max(room, len(before)+filler); len(now) > len(before)+filler {
				continue
			}
			b := append(bytes.Clone(was[:at]), now...)
			for len(b) < at+len(before) {
				b = append(b, fill)
			}
			b = append(b, was[len(b):]...)
			if !slices.ContainsFunc(list, func(o []byte) bool { return bytes.Equal(o, b) }) {
				list = append(list, b)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the text takes more than the %s that there are: nothing in the file gets longer", model.GroupedCount(int64(room), "byte"))
	}
	return list, nil
}

func utf16Bytes(order binary.AppendByteOrder) func(string) []byte {
	return func(s string) (b []byte) {
		for _, u := range utf16.Encode([]rune(s)) {
			b = order.AppendUint16(b, u)
		}
		return b
	}
}

// readings maps the names of the inspector's rows to the forms of a search's patterns. Those of more than a byte get le
// or be at their end.
var readings = map[string]string{"u8": "u8", "i8": "i8", "u16": "u16", "i16": "i16", "u32": "u32", "i32": "i32", "u64": "u64", "i64": "i64",
	"u64, hex": "u64", "half": "f16", "float": "f32", "double": "f64", "UTF-8 character": "utf8", "UTF-8 text": "utf8",
	"UTF-16 character": "utf16", "UTF-16 text": "utf16"}

// CanRead reports whether Reading can encode a row of the inspector.
func CanRead(name string) bool { return readings[name] != "" }

// Reading returns the bytes that a row of the inspector reads as the typed text.
func Reading(name string, big bool, text string) ([]byte, error) {
	form := readings[name]
	if !strings.HasSuffix(form, "8") {
		form += map[bool]string{false: "le", true: "be"}[big]
	}
	f, err := search.ParseForm(form)
	if err != nil {
		return nil, ErrNoValue
	}
	p, err := search.ParsePattern(text, f, search.PatternOptions{})
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(strings.ReplaceAll(p.Bytes(), " ", ""))
}

// Says reports whether a value is the one that was typed.
func Says(v, want model.Value) bool {
	a, _, isWhole := wholeOf(v)
	b, _, wantsWhole := wholeOf(want)
	if isWhole && wantsWhole {
		return a == b
	}
	x, isFloat := model.FloatOf(v)
	y, wantsFloat := model.FloatOf(want)
	switch {
	case isFloat && wantsFloat:
		if _, half := v.(model.Half); half {
			return math.Abs(x-y) <= math.Abs(y)/1024
		}
		return x == y
	case isFloat || wantsFloat:
		return false
	}
	text, ok := v.(model.Text)
	return ok && text == want
}
