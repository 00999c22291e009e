package udm

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"cutaway/model"
)

// wordIssue says what is odd about a word as a value of its type.
type wordIssue struct {
	rule    string
	message string
}

var (
	noNumber   = &wordIssue{ruleTextNumber, "the word is no number of its type; the engine takes as much of it as is one"}
	outOfRange = &wordIssue{ruleTextRange, "the number is out of the range of its type; the engine takes it as 0"}
)

// parseWord decodes a word as a value of a type (8.3). What is odd is told beside the value that the engine takes.
func parseWord(t typeID, word string) (model.Value, *wordIssue) {
	switch t {
	case tString, tRef:
		return model.Text(word), nil
	case tBool:
		return parseBool(word)
	case tFloat, tDouble, tHalf:
		return parseFloat(t, word)
	case tInt8, tInt16, tInt32, tInt64:
		bits := int(8 * t.size())
		text := integerPrefix(word, true)
		i, err := strconv.ParseInt(text, 10, bits)
		if errors.Is(err, strconv.ErrRange) {
			return model.Int(0), outOfRange
		}
		return model.Int(i), issueUnless(text == word)
	case tUint8, tUint16, tUint32, tUint64:
		text := integerPrefix(word, false)
		u, err := strconv.ParseUint(text, 10, int(8*t.size()))
		if errors.Is(err, strconv.ErrRange) {
			return model.Uint(0), outOfRange
		}
		if text == "" && strings.HasPrefix(word, "-") && integerPrefix(word, true) == word {
			return model.Uint(0), outOfRange
		}
		return model.Uint(u), issueUnless(text == word)
	}
	return model.Text(word), nil
}

func issueUnless(ok bool) *wordIssue {
	if ok {
		return nil
	}
	return noNumber
}

// integerPrefix is the part of a word that is an integer.
func integerPrefix(word string, signed bool) string {
	n := 0
	if signed && strings.HasPrefix(word, "-") {
		n = 1
	}
	digits := n
	for n < len(word) && word[n] >= '0' && word[n] <= '9' {
		n++
	}
	if n == digits {
		return ""
	}
	return word[:n]
}

func parseBool(word string) (model.Value, *wordIssue) {
	switch {
	case strings.Contains(word, "true"):
		return model.Bool(true), nil
	case strings.Contains(word, "false"):
		return model.Bool(false), nil
	}
	text := integerPrefix(word, true)
	return model.Bool(strings.Trim(text, "-0") != ""), issueUnless(text == word && text != "")
}

func parseFloat(t typeID, word string) (model.Value, *wordIssue) {
	text := floatPrefix(word)
	bits := 32
	if t == tDouble {
		bits = 64
	}
	f, err := strconv.ParseFloat(text, bits)
	issue := issueUnless(text == word && text != "")
	if errors.Is(err, strconv.ErrRange) {
		f, issue = 0, outOfRange
	}
	switch t {
	case tDouble:
		return model.Float64(f), issue
	case tHalf:
		h := halfOf(float32(f))
		if h&0x7fff == 0x7c00 && !math.IsInf(f, 0) {
			return model.Half(0), outOfRange
		}
		return h, issue
	}
	return model.Float32(f), issue
}

// floatPrefix is the part of a word that is a number with a fraction or exponent, inf or nan. A + before it is none.
func floatPrefix(word string) string {
	n := 0
	if strings.HasPrefix(word, "-") {
		n = 1
	}
	for _, name := range []string{"infinity", "inf", "nan"} {
		if end := n + len(name); len(word) >= end && strings.EqualFold(word[n:end], name) {
			return word[:end]
		}
	}
	digits := func() bool {
		from := n
		for n < len(word) && word[n] >= '0' && word[n] <= '9' {
			n++
		}
		return n > from
	}
	some := digits()
	if n < len(word) && word[n] == '.' {
		n++
		some = digits() || some
	}
	if !some {
		return ""
	}
	whole := n
	if n < len(word) && (word[n] == 'e' || word[n] == 'E') {
		n++
		if n < len(word) && (word[n] == '-' || word[n] == '+') {
			n++
		}
		if digits() {
			whole = n
		}
	}
	return word[:whole]
}

// halfOf rounds to the nearest half, ties to even.
func halfOf(f float32) model.Half {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	switch a := math.Abs(float64(f)); {
	case f != f:
		return model.Half(sign | 0x7e00)
	case a >= 65520:
		return model.Half(sign | 0x7c00)
	case a < 1.0/(1<<14):
		return model.Half(sign | uint16(math.RoundToEven(a*(1<<24))))
	}
	mant := b&0x7fffff | 0x800000
	exp := int(b>>23&0xff) - 127
	rounded := mant >> 13
	if rest := mant & 0x1fff; rest > 0x1000 || rest == 0x1000 && rounded&1 == 1 {
		rounded++
	}
	return model.Half(sign | uint16(uint32(exp+14)<<10+rounded))
}

// tupleOf puts the numbers of a value together as its type has them: a quaternion as x, y, z, w. ok is false where
// their number is wrong. A transform may have its rotation as three Euler angles.
func tupleOf(t typeID, numbers []model.Value) (v model.Value, ok bool) {
	groups := types[t].groups
	n := len(numbers)
	if (t == tTransform || t == tSTransform) && n == t.numbers()-1 {
		groups = append([]int{3, 3}, groups[2:]...)
		n++
	}
	if n != t.numbers() {
		return model.Tuple(numbers), false
	}
	all := make(model.Tuple, 0, len(groups))
	for _, size := range groups {
		part := make(model.Tuple, size)
		copy(part, numbers)
		numbers = numbers[size:]
		if size == 4 && (t == tQuat || t == tTransform || t == tSTransform) {
			part = model.Tuple{part[1], part[2], part[3], part[0]}
		}
		all = append(all, part)
	}
	if len(all) == 1 {
		return all[0], true
	}
	return all, true
}

// wordText is a key or name as a writer writes it: in quotation marks only where it needs them (8.5).
func wordText(key string) string {
	for i := 0; i < len(key); i++ {
		if c := int(key[i]); isSpace(c) || isControl(c) || c == '/' {
			return quote(key)
		}
	}
	if key == "" || key[0] == '"' {
		return quote(key)
	}
	return key
}

// quote puts a text in quotation marks as writers do: backslashes are doubled, quotation marks are not escaped (8.5).
func quote(s string) string { return `"` + strings.ReplaceAll(s, `\`, `\\`) + `"` }
