package phrase

import (
	"math/big"
	"strings"
)

// Calculate returns the value of a sum as a person types it: numbers as ParseCount parses them and names in lower case,
// with + - * and parentheses. It reports whether the text is such a sum and its value an int64.
func Calculate(text string, names map[string]int64) (int64, bool) {
	c := calculation{rest: strings.ToLower(text), names: names}
	n := c.sum(0)
	return n.Int64(), !c.failed && c.rest == "" && n.IsInt64()
}

// A calculation holds the part of a text that is not parsed yet.
type calculation struct {
	rest   string
	names  map[string]int64
	failed bool
}

// maxParentheses is the maximum depth of parentheses.
const maxParentheses = 100

// next removes the next character from the rest and returns it, if it is one of several.
func (c *calculation) next(of string) (byte, bool) {
	c.rest = strings.TrimSpace(c.rest)
	if c.rest == "" || strings.IndexByte(of, c.rest[0]) < 0 {
		return 0, false
	}
	op := c.rest[0]
	c.rest = strings.TrimSpace(c.rest[1:])
	return op, true
}

func (c *calculation) sum(depth int) *big.Int {
	n := c.product(depth)
	for {
		switch op, ok := c.next("+-"); {
		case !ok:
			return n
		case op == '+':
			n.Add(n, c.product(depth))
		default:
			n.Sub(n, c.product(depth))
		}
	}
}

func (c *calculation) product(depth int) *big.Int {
	n := c.operand(depth)
	for {
		if _, ok := c.next("*"); !ok || c.failed {
			return n
		}
		n.Mul(n, c.operand(depth))
	}
}

func (c *calculation) operand(depth int) *big.Int {
	if _, open := c.next("("); open && depth < maxParentheses {
		n := c.sum(depth + 1)
		_, closed := c.next(")")
		c.failed = c.failed || !closed
		return n
	}
	end := strings.IndexAny(c.rest, "+-*()")
	if end < 0 {
		end = len(c.rest)
	}
	word := strings.TrimSpace(c.rest[:end])
	c.rest = c.rest[end:]
	n, ok := c.names[word]
	if !ok {
		n, ok = ParseCount(word)
	}
	c.failed = c.failed || !ok
	return big.NewInt(n)
}
