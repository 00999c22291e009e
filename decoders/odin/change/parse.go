package change

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// integers holds the bits of the kinds of whole numbers, negative for signed ones.
var integers = map[kind.Kind]int{kind.SByte: -8, kind.Short: -16, kind.Int: -32, kind.Long: -64, kind.Byte: 8, kind.UShort: 16, kind.UInt: 32, kind.ULong: 64}

// parse returns the value of a kind that a text means, or an error that says what fits.
func parse(k kind.Kind, text string) (model.Value, error) {
	number := strings.TrimSpace(text)
	if bits, whole := integers[k]; whole {
		return parseInteger(number, bits)
	}
	switch k {
	case kind.Float:
		f, err := strconv.ParseFloat(number, 32)
		return model.Float32(f), misfit(number, err, "a number of 32 bits")
	case kind.Double, kind.FloatingPoint:
		f, err := strconv.ParseFloat(number, 64)
		return model.Float64(f), misfit(number, err, "a number of 64 bits")
	case kind.Decimal:
		_, err := decimal(number)
		return model.Text(number), err
	case kind.Boolean:
		if number == "true" || number == "false" {
			return model.Bool(number == "true"), nil
		}
		return nil, fmt.Errorf("%q is no truth value: write true or false", number)
	case kind.GUID:
		if number = strings.ToLower(number); !guid.MatchString(number) {
			return nil, fmt.Errorf("%q is no GUID: write 00112233-4455-6677-8899-aabbccddeeff", number)
		}
		return model.Text(number), nil
	case kind.Char, kind.String:
		if !utf8.ValidString(text) {
			return nil, errors.New("the text is not UTF-8")
		}
		if k == kind.Char && len(utf16.Encode([]rune(text))) != 1 {
			return nil, fmt.Errorf("%q does not fit: a char holds one character of 16 bits", text)
		}
		return model.Text(text), nil
	}
	return nil, fmt.Errorf("a value of the kind %s cannot be changed", k)
}

// parseInteger returns a whole number of so many bits, negative for a signed one.
func parseInteger(text string, bits int) (model.Value, error) {
	if bits < 0 {
		n, err := strconv.ParseInt(text, 0, -bits)
		return model.Int(n), misfit(text, err, fmt.Sprintf("a whole number from %d to %d", int64(-1)<<(-bits-1), int64(^uint64(0)>>1)>>(64+bits)))
	}
	n, err := strconv.ParseUint(text, 0, bits)
	return model.Uint(n), misfit(text, err, fmt.Sprintf("a whole number from 0 to %d", ^uint64(0)>>(64-bits)))
}

var guid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// misfit says what a number was to be, or returns nil if it is that.
func misfit(text string, err error, want string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%s does not fit: it must be %s", text, want)
	}
	return fmt.Errorf("%q does not fit: write %s", text, want)
}

// decimals matches a decimal number: sign, digits, and digits after the point.
var decimals = regexp.MustCompile(`^(-?)([0-9]+)(?:\.([0-9]{1,28}))?$`)

// decimal returns the parts of a decimal: its magnitude of 96 bits, the number of digits after the point, and its sign.
func decimal(text string) (d struct {
	magnitude *big.Int
	scale     int
	negative  bool
}, err error) {
	m := decimals.FindStringSubmatch(text)
	if m == nil {
		return d, fmt.Errorf("%q does not fit: write a decimal number with at most 28 digits after the point", text)
	}
	d.magnitude, _ = new(big.Int).SetString(m[2]+m[3], 10)
	d.scale, d.negative = len(m[3]), m[1] != ""
	if d.magnitude.BitLen() > 96 {
		return d, fmt.Errorf("%s does not fit: a decimal has 96 bits", text)
	}
	return d, nil
}
