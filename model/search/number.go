package search

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cutaway/model"
)

// A number is a number that a user wrote. Whole ones keep all 64 bits.
type number struct {
	float     float64
	whole     bool
	negative  bool
	magnitude uint64 // of a whole number
}

// parseNumber parses a decimal or hexadecimal number, NaN or an infinity.
func parseNumber(s string) (number, bool) {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || strings.Contains(s, "_") {
		return number{}, false
	}
	n := number{negative: strings.HasPrefix(s, "-")}
	base := 10
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		digits, base = hex, 16
	}
	if m, err := strconv.ParseUint(digits, base, 64); err == nil {
		n.whole, n.magnitude, n.float = true, m, float64(m)
		if n.negative {
			n.float = -n.float
		}
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return number{}, false
	}
	n.float = f
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		n.whole, n.magnitude = true, uint64(math.Abs(f))
	}
	return n, true
}

// integer compares a whole value, given by sign and magnitude, with n.
func (n number) integer(negative bool, magnitude uint64) int {
	if !n.whole {
		f := float64(magnitude)
		if negative {
			f = -f
		}
		return cmp.Compare(f, n.float)
	}
	belowZero, nBelowZero := negative && magnitude > 0, n.negative && n.magnitude > 0
	switch {
	case belowZero && nBelowZero:
		return cmp.Compare(n.magnitude, magnitude)
	case belowZero:
		return -1
	case nBelowZero:
		return 1
	}
	return cmp.Compare(magnitude, n.magnitude)
}

// A condition accepts numbers: a range, one number, or all others.
type condition struct {
	low, high         *number // or nil if unlimited
	openLow, openHigh bool    // excludes the limit
	not               bool    // accepts the numbers outside of the range
	plain             bool    // written as a number
}

// parseCondition parses a number, a comparison or a range. It returns nil for other texts, and an error for an invalid
// condition.
func parseCondition(s string) (*condition, error) {
	for _, sign := range []string{"<=", ">=", "!=", "==", "<", ">", "="} {
		rest, ok := strings.CutPrefix(s, sign)
		if !ok {
			continue
		}
		n, ok := parseNumber(rest)
		if !ok {
			return nil, fmt.Errorf("%s: after %s comes a number, such as %s0.5; to look for these signs themselves, put them in quotes", shorten(s), sign, sign)
		}
		if math.IsNaN(n.float) && sign[0] != '=' && sign != "!=" {
			return nil, fmt.Errorf("%s: NaN is neither smaller nor larger than a number; =nan finds it", s)
		}
		c := &condition{low: &n, high: &n, not: sign == "!="}
		switch sign[0] {
		case '<':
			c.low, c.openHigh = nil, sign == "<"
		case '>':
			c.high, c.openLow = nil, sign == ">"
		}
		return c, nil
	}
	if from, to, ok := strings.Cut(s, ".."); ok {
		return parseRange(s, from, to)
	}
	if digits := strings.TrimLeft(s, "+-."); digits == "" || !digit(digits[0]) {
		return nil, nil // words, including "inf" and "nan"
	}
	n, ok := parseNumber(s)
	if !ok {
		return nil, nil
	}
	return &condition{low: &n, high: &n, plain: true}, nil
}

// parseRange parses from..to. It returns nil if neither is a number.
func parseRange(s, from, to string) (*condition, error) {
	c := &condition{}
	for _, end := range []struct {
		text string
		n    **number
	}{{from, &c.low}, {to, &c.high}} {
		if end.text == "" {
			continue
		}
		n, ok := parseNumber(end.text)
		if !ok || math.IsNaN(n.float) {
			continue
		}
		*end.n = &n
	}
	switch {
	case c.low == nil && c.high == nil:
		return nil, nil
	case c.low == nil && from != "" || c.high == nil && to != "":
		return nil, fmt.Errorf("%s: a range has a number at each end, such as 10..20, or at one; to look for these signs themselves, put them in quotes", shorten(s))
	case c.low != nil && c.high != nil && c.low.float > c.high.float:
		return nil, fmt.Errorf("%s: the range ends before it begins; write %s..%s", s, to, from)
	}
	return c, nil
}

// holds reports whether a value satisfies the condition. compare compares the value with a limit.
func (c *condition) holds(compare func(n number) int) bool {
	in := true
	if c.low != nil {
		order := compare(*c.low)
		in = order > 0 || order == 0 && !c.openLow
	}
	if c.high != nil && in && c.high != c.low {
		order := compare(*c.high)
		in = order < 0 || order == 0 && !c.openHigh
	} else if c.high != nil && in {
		in = compare(*c.high) == 0
	}
	return in != c.not
}

// integer reports whether a whole number satisfies the condition.
func (c *condition) integer(negative bool, magnitude uint64) bool {
	return c.holds(func(n number) int { return n.integer(negative, magnitude) })
}

// float reports whether a floating-point number satisfies the condition. Limits are rounded to its width: 0.1 is the
// nearest float32.
func (c *condition) float(f float64, width func(float64) float64) bool {
	if math.IsNaN(f) {
		return c.low != nil && c.low == c.high && math.IsNaN(c.low.float) != c.not
	}
	return c.holds(func(n number) int {
		if math.IsNaN(n.float) {
			return -1
		}
		return cmp.Compare(f, width(n.float))
	})
}

func asDouble(f float64) float64 { return f }
func asSingle(f float64) float64 { return float64(float32(f)) }

// value reports whether a value is a number that satisfies the condition.
func (c *condition) value(v model.Value) bool {
	switch v := v.(type) {
	case model.Int:
		if v < 0 {
			return c.integer(true, -uint64(v))
		}
		return c.integer(false, uint64(v))
	case model.Uint:
		return c.integer(false, uint64(v))
	case model.Float64:
		return c.float(float64(v), asDouble)
	case model.Float32:
		return c.float(float64(v), asSingle)
	case model.Half:
		return c.float(v.Shortest(), asDouble) || c.float(float64(v.Float()), asDouble)
	case model.Symbol:
		return c.value(model.Int(v.Number))
	}
	return false
}
