package ascii

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// Issue says what is odd about a word as a value of its type.
type Issue struct {
	Rule    string
	Message string
}

var (
	noNumber   = &Issue{RuleTextNumber, "the word is no number of its type; the engine takes as much of it as is one"}
	outOfRange = &Issue{RuleTextRange, "the number is out of the range of its type; the engine takes it as 0"}
)

// ParseWord decodes a word as a value of a type (8.3). A fault is returned beside the value that the engine takes.
func ParseWord(t types.ID, word string) (model.Value, *Issue) {
	switch t {
	case types.String, types.Ref:
		return model.Text(word), nil
	case types.Bool:
		return parseBool(word)
	case types.Float, types.Double, types.Half:
		return parseFloat(t, word)
	case types.Int8, types.Int16, types.Int32, types.Int64:
		bits := int(8 * t.Size())
		text := integerPrefix(word, true)
		i, err := strconv.ParseInt(text, 10, bits)
		if errors.Is(err, strconv.ErrRange) {
			return model.Int(0), outOfRange
		}
		return model.Int(i), issueUnless(text == word)
	case types.Uint8, types.Uint16, types.Uint32, types.Uint64:
		text := integerPrefix(word, false)
		u, err := strconv.ParseUint(text, 10, int(8*t.Size()))
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

func issueUnless(ok bool) *Issue {
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

func parseBool(word string) (model.Value, *Issue) {
	switch {
	case strings.Contains(word, "true"):
		return model.Bool(true), nil
	case strings.Contains(word, "false"):
		return model.Bool(false), nil
	}
	text := integerPrefix(word, true)
	return model.Bool(strings.Trim(text, "-0") != ""), issueUnless(text == word && text != "")
}

func parseFloat(t types.ID, word string) (model.Value, *Issue) {
	text := floatPrefix(word)
	bits := 32
	if t == types.Double {
		bits = 64
	}
	f, err := strconv.ParseFloat(text, bits)
	issue := issueUnless(text == word && text != "")
	if errors.Is(err, strconv.ErrRange) {
		f, issue = 0, outOfRange
	}
	switch t {
	case types.Double:
		return model.Float64(f), issue
	case types.Half:
		h := model.HalfOf(float64(float32(f)))
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

// TupleOf puts the numbers of a value together as its type has them: a quaternion as x, y, z, w. ok is false where
// their number is wrong.
func TupleOf(t types.ID, numbers []model.Value) (v model.Value, ok bool) {
	groups, n := types.Table[t].Groups, len(numbers)
	switch {
	case !t.Enough(n):
		return model.Tuple(numbers), false
	case n < t.Numbers():
		groups = append([]int{3, 3}, groups[2:]...)
	}
	all := make(model.Tuple, 0, len(groups))
	for _, size := range groups {
		part := make(model.Tuple, size)
		copy(part, numbers)
		numbers = numbers[size:]
		if size == 4 && (t == types.Quat || t == types.Transform || t == types.STransform) {
			part = model.Tuple{part[1], part[2], part[3], part[0]}
		}
		all = append(all, part)
	}
	if len(all) == 1 {
		return all[0], true
	}
	return all, true
}

// WordText is a key or name as a writer writes it: in quotation marks only where it needs them (8.5).
func WordText(key string) string {
	for i := 0; i < len(key); i++ {
		if c := int(key[i]); IsSpace(c) || isControl(c) || c == '/' {
			return Quote(key)
		}
	}
	if key == "" || key[0] == '"' {
		return Quote(key)
	}
	return key
}

// Quote puts a text in quotation marks as writers do: backslashes are doubled, quotation marks are not escaped (8.5).
func Quote(s string) string { return `"` + strings.ReplaceAll(s, `\`, `\\`) + `"` }

// plainDigits holds the most digits before a point that are surely no number out of range.
var plainDigits = [types.Count]int{
	types.Uint8: 2, types.Uint16: 4, types.Uint32: 9, types.Uint64: 19, types.Int8: 2, types.Int16: 4, types.Int32: 9, types.Int64: 18, types.Float: 30, types.Double: 30, types.Half: 4,
}

// plainNumber reports at a glance that a word is a number of its type, and in its range. Others may be, too.
func plainNumber(t types.ID, word []byte) bool {
	fraction := false
	switch t {
	case types.Uint8, types.Uint16, types.Uint32, types.Uint64:
	case types.Bool:
		return len(word) == 1 && (word[0] == '0' || word[0] == '1')
	case types.Unknown:
		return false
	default:
		fraction = t == types.Float || t == types.Double || t == types.Half
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
