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
	if end := digits(word, n); end > n {
		return word[:end]
	}
	return ""
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
	end := digits(word, n)
	some := end > n
	if end < len(word) && word[end] == '.' {
		n = end + 1
		end = digits(word, n)
		some = some || end > n
	}
	if !some {
		return ""
	}
	return word[:exponent(word, end)]
}

// exponent is the end of the exponent at n, which is n where there is none.
func exponent(word string, n int) int {
	if n == len(word) || word[n] != 'e' && word[n] != 'E' {
		return n
	}
	from := n + 1
	if from < len(word) && (word[from] == '-' || word[from] == '+') {
		from++
	}
	if end := digits(word, from); end > from {
		return end
	}
	return n
}

// digits is the end of the decimal digits from n on.
func digits[T string | []byte](word T, n int) int {
	for n < len(word) && word[n] >= '0' && word[n] <= '9' {
		n++
	}
	return n
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

// enough reports whether a list of n numbers has as many as its type. A transform may have its rotation as three Euler
// angles.
func (t typeID) enough(n int) bool {
	return n == t.numbers() || n == t.numbers()-1 && (t == tTransform || t == tSTransform)
}

// tupleOf puts the numbers of a value together as its type has them: a quaternion as x, y, z, w. ok is false where
// their number is wrong.
func tupleOf(t typeID, numbers []model.Value) (v model.Value, ok bool) {
	groups, n := types[t].groups, len(numbers)
	switch {
	case !t.enough(n):
		return model.Tuple(numbers), false
	case n < t.numbers():
		groups = append([]int{3, 3}, groups[2:]...)
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

// plainDigits are how many digits before a point a number of a type may have that is surely in its range.
var plainDigits = [typeCount]int{
	tUint8: 2, tUint16: 4, tUint32: 9, tUint64: 19, tInt8: 2, tInt16: 4, tInt32: 9, tInt64: 18, tFloat: 30, tDouble: 30, tHalf: 4,
}

// plainNumber reports at a glance that a word is a number of its type, and in its range. Others may be, too.
func plainNumber(t typeID, word []byte) bool {
	fraction := false
	switch t {
	case tUint8, tUint16, tUint32, tUint64:
	case tBool:
		return len(word) == 1 && (word[0] == '0' || word[0] == '1')
	case tUnknown:
		return false
	default:
		fraction = t == tFloat || t == tDouble || t == tHalf
		if len(word) > 0 && word[0] == '-' {
			word = word[1:]
		}
	}
	n := digits(word, 0)
	if n == 0 || n > plainDigits[t] {
		return false
	}
	return n == len(word) || fraction && word[n] == '.' && digits(word, n+1) == len(word)
}
