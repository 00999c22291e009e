package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"

	"cutaway/model"
)

// setRanges parses numbers, comparisons and ranges such as 0.5..0.7 and >3.
func (p *Pattern) setRanges(words []string) error {
	for _, word := range words {
		c, err := parseCondition(word)
		if err == nil && c == nil {
			err = fmt.Errorf("%s is no number, comparison or range: write it as 0.5, >0.5 or 0.5..0.7", shorten(word))
		}
		if err != nil {
			return err
		}
		p.numbers = append(p.numbers, c)
	}
	return nil
}

// nextInRanges returns the offset of the next numbers in the ranges, or -1.
func (p *Pattern) nextInRanges(block []byte, from int) int {
	form := &formTable[p.form]
	order := binary.ByteOrder(binary.LittleEndian)
	if form.big {
		order = binary.BigEndian
	}
	for last := len(block) - p.length(); from <= last; from++ {
		at := from
		if !slices.ContainsFunc(p.numbers, func(c *condition) bool {
			at += form.size
			return !c.value(numberIn(block[at-form.size:], form.kind, form.size, order))
		}) {
			return from
		}
	}
	return -1
}

// numberIn returns the number that b begins with.
func numberIn(b []byte, kind byte, size int, order binary.ByteOrder) model.Value {
	var bits uint64
	switch size {
	case 1:
		bits = uint64(b[0])
	case 2:
		bits = uint64(order.Uint16(b))
	case 4:
		bits = uint64(order.Uint32(b))
	default:
		bits = order.Uint64(b)
	}
	switch unused := 64 - 8*size; {
	case kind == 'i':
		return model.Int(int64(bits<<unused) >> unused)
	case kind == 'u':
		return model.Uint(bits)
	case size == 2:
		return model.Half(bits)
	case size == 4:
		return model.Float32(math.Float32frombits(uint32(bits)))
	}
	return model.Float64(math.Float64frombits(bits))
}

// longestMatch is the greatest length of a match of a regular expression, in bytes: longer ones end there.
const longestMatch = 4096

// An expression is a regular expression over bytes.
type expression struct {
	*regexp.Regexp
	// single means that a character is one byte, since the expression has bytes of more than 7 bits. Otherwise characters are UTF-8.
	single bool
}

// manyBits matches an escape of a byte of more than 7 bits.
var manyBits = regexp.MustCompile(`\\x[89A-Fa-f]`)

// setExpression parses a regular expression.
func (p *Pattern) setExpression(text string, opt PatternOptions) error {
	flags := "(?s)"
	if opt.IgnoreCase {
		flags = "(?is)"
	}
	tree, err := syntax.Parse(flags+text, syntax.Perl)
	if err != nil {
		return fmt.Errorf("/%s/ is no regular expression: %s", shorten(text), regexpFault(err))
	}
	if looksAround(tree) {
		return errors.New(`^, $, \b and the like look at what is around, of which bytes have none: write bytes instead, such as \n or [^a-z]`)
	}
	re := regexp.MustCompile(flags + text)
	if re.MatchString("") {
		return fmt.Errorf("/%s/ matches no bytes at all, so that it would be found everywhere", shorten(text))
	}
	p.expression = &expression{re, manyBits.MatchString(text)}
	return nil
}

// looksAround reports whether an expression depends on the bytes before or after a match.
func looksAround(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return slices.ContainsFunc(tree.Sub, looksAround)
}

// find returns the first match in block from an offset on, or -1.
func (x *expression) find(block []byte, from int) (at, end int) {
	for {
		found := x.first(block[from:])
		if found == nil {
			return -1, -1
		}
		at, end = from+found[0], from+found[1]
		if end-at <= longestMatch {
			return at, end
		}
		if found = x.first(block[at : at+longestMatch]); found != nil && found[0] == 0 {
			return at, at + found[1]
		}
		from = at + 1
	}
}

func (x *expression) first(b []byte) []int {
	if x.single {
		r := byteRunes(b)
		return x.FindReaderIndex(&r)
	}
	return x.FindIndex(b)
}

// byteRunes reads each byte as a character.
type byteRunes []byte

// ReadRune returns the next byte.
func (b *byteRunes) ReadRune() (r rune, size int, err error) {
	if len(*b) == 0 {
		return 0, 0, io.EOF
	}
	r = rune((*b)[0])
	*b = (*b)[1:]
	return r, 1, nil
}
