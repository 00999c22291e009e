// Package search searches documents: the nodes of a tree for a user's query (Query, Tree), and the bytes of its sources
// for a pattern (Pattern, Bytes, EverySource). It only depends on model.
//
// Results are passed to a callback when they are found, so that cancelling keeps them and memory does not grow with the
// file. An error of a callback ends the search and is returned unchanged.
package search

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Query holds one or more terms that a node must match. It is safe for concurrent use.
type Query struct {
	text  string
	terms []*term
}

// A field is the part of a node that a term is about.
type field uint8

const (
	anyField field = iota
	nameField
	valueField
	typeField
	pathField
	sizeField   // bytes after all decoding
	storedField // bytes in the file
)

var fieldNames = map[string]field{"name": nameField, "value": valueField, "type": typeField, "path": pathField, "size": sizeField, "stored": storedField}

// A term is a word of a query.
type term struct {
	text  string // as written
	field field
	words finder     // or nil for numbers only
	is    *condition // the condition for numbers, or nil for words only
	path  bool       // has a slash, and matches paths too
	below finder     // a word with dots, as a path with slashes, or nil
	last  finder     // the last part of below
	// numeric and composed are false if texts of numbers, or of structures, cannot match the term, so that they need
	// not be made.
	numeric, composed bool
}

// maxQuery is the greatest length of a query, in bytes.
const maxQuery = 4096

// ErrEmpty is the error for an empty query or pattern.
var ErrEmpty = errors.New("there is nothing to search for: type a word, a number or a part of a path")

// ParseQuery parses the query of a user: terms separated by blanks. A node must match all terms.
//
//	mesh          name, value or type contains the word, in any case; with a capital in it (Mesh): in this case
//	"two words"   the same with blanks, or with characters that have another meaning here
//	World/Mesh    with a slash: the path is searched too
//	flags.loop    with dots between names: nested nodes are searched too
//	/exp[0-9]+/   a regular expression (RE2), up to a slash before a blank; in any case unless it has a capital
//	42 0x2a -1.5  values equal to the number; words that contain it, not next to digits
//	>1e6 <=3 =0.5 values that satisfy the comparison; also !=0
//	10..20        values in the range, limits included; either is optional
//	name:x type:x value:x path:x
//	              the same for one part of the node; x with * or ? must match the whole part (type:vec3*)
//	size:>1M stored:>=4096 size:1k..2k
//	              the node's own bytes after decoding, or in the file; K, M, G and T are powers of 1024
//
// Errors are for the user.
func ParseQuery(text string) (*Query, error) {
	q := &Query{text: strings.TrimSpace(text)}
	if len(q.text) > maxQuery {
		return nil, fmt.Errorf("the query has %d bytes; it may have %d", len(q.text), maxQuery)
	}
	for rest := q.text; rest != ""; rest = strings.TrimLeftFunc(rest, unicode.IsSpace) {
		word, err := nextWord(rest)
		if err != nil {
			return nil, err
		}
		rest = rest[len(word):]
		t, err := parseTerm(word)
		if err != nil {
			return nil, err
		}
		q.terms = append(q.terms, t)
	}
	if len(q.terms) == 0 {
		return nil, ErrEmpty
	}
	return q, nil
}

// String returns the query as it was typed, without blanks around.
func (q *Query) String() string { return q.text }

// wantsSpans reports whether a term is about the bytes of a node.
func (q *Query) wantsSpans() bool {
	return slices.ContainsFunc(q.terms, func(t *term) bool { return t.field == sizeField || t.field == storedField })
}

// wantsPath reports whether a term is about the ancestors too.
func (q *Query) wantsPath() bool {
	return slices.ContainsFunc(q.terms, func(t *term) bool { return t.path || t.below != nil })
}

// nextWord returns the first term of s, as written.
func nextWord(s string) (string, error) {
	head := len(s) - len(operand(s))
	body := s[head:]
	switch {
	case strings.HasPrefix(body, `"`):
		end := strings.IndexByte(body[1:], '"')
		if end < 0 {
			return "", fmt.Errorf("the quote before %s is not closed: write another \" after it", shorten(body[1:]))
		}
		return s[:head+end+2], nil
	case strings.HasPrefix(body, "/"):
		if end := regexpEnd(body); end > 0 {
			return s[:head+end], nil
		}
	}
	if end := strings.IndexFunc(s, unicode.IsSpace); end >= 0 {
		return s[:end], nil
	}
	return s, nil
}

// operand returns the text after the name of a field.
func operand(s string) string {
	for name := range fieldNames {
		if rest, ok := strings.CutPrefix(s, name+":"); ok {
			return rest
		}
	}
	return s
}

// regexpEnd returns the length of the regular expression that s begins with, including slashes, or 0.
func regexpEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '/' && i > 1 && (i+1 == len(s) || unicode.IsSpace(rune(s[i+1]))):
			return i + 1
		}
	}
	return 0
}

func parseTerm(word string) (*term, error) {
	t := &term{text: word}
	body := operand(word)
	if len(body) < len(word) {
		t.field = fieldNames[word[:len(word)-len(body)-1]]
	}
	if body == "" {
		return nil, fmt.Errorf("%s wants a word after it", word)
	}
	if t.field == sizeField || t.field == storedField {
		return t, t.setSize(body)
	}
	return t, t.set(body)
}

// set parses the text after the name of the field.
func (t *term) set(body string) (err error) {
	numbers := t.field == anyField || t.field == valueField
	switch {
	case body[0] == '"':
		if len(body) == 2 {
			return fmt.Errorf("there is nothing between the quotes of %s", t.text)
		}
		t.setWords(body[1:len(body)-1], newWords)
	case body[0] == '/' && regexpEnd(body) == len(body):
		err = t.setRegexp(body[1 : len(body)-1])
	case t.field != anyField && strings.ContainsAny(body, "*?"):
		t.setWords(body, newGlob)
	case numbers:
		if t.is, err = parseCondition(body); err != nil {
			return err
		}
		switch {
		case t.is == nil:
			t.setWords(body, newWords)
			t.setBelow(body)
		case t.is.plain:
			t.setWords(body, newNumberWord)
		}
	default:
		t.setWords(body, newWords)
		t.setBelow(body)
	}
	return err
}

// setBelow makes a word with dots match paths too.
func (t *term) setBelow(s string) {
	if (t.field == anyField || t.field == pathField) && dotted.MatchString(s) {
		t.below, t.last = newWords(strings.ReplaceAll(s, ".", "/")), newWords(s[strings.LastIndexByte(s, '.')+1:])
	}
}

// amount matches a number of bytes with a unit.
var amount = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)([kmgt])(?:i?b)?`)

// setSize parses a comparison of bytes.
func (t *term) setSize(s string) (err error) {
	plain := amount.ReplaceAllStringFunc(s, func(one string) string {
		parts := amount.FindStringSubmatch(one)
		f, _ := strconv.ParseFloat(parts[1], 64) // the expression ensures success
		shift := 10 * (1 + strings.Index("kmgt", strings.ToLower(parts[2])))
		return strconv.FormatInt(int64(f*float64(int64(1)<<shift)), 10)
	})
	if t.is, err = parseCondition(plain); t.is == nil && err == nil {
		return fmt.Errorf("%s wants a number of bytes, such as %s:>1M", t.text, strings.SplitN(t.text, ":", 2)[0])
	}
	return err
}

// dotted matches names separated by dots.
var dotted = regexp.MustCompile(`^[\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)+$`)

func (t *term) setWords(s string, finderOf func(string) finder) {
	t.words = finderOf(s)
	t.path = t.field == pathField || t.field == anyField && strings.Contains(s, "/")
	t.numeric = strings.Trim(strings.ToLower(s), "0123456789+-.einfatyrulsox*?") == ""
	t.composed = strings.ContainsAny(s, "()[]{},: *?")
}

func (t *term) setRegexp(s string) error {
	expression := s
	if !hasCapital(s) {
		expression = "(?i)" + s
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return fmt.Errorf("%s is no regular expression: %s", t.text, regexpFault(err))
	}
	t.words = (*regexpFinder)(re)
	t.path = t.field == pathField || t.field == anyField && strings.Contains(s, "/")
	t.numeric, t.composed = true, true
	return nil
}

// regexpFault returns err without the words that parseTerm adds.
func regexpFault(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

// hasCapital reports whether s has a capital other than in an escape such as \S.
func hasCapital(s string) bool {
	escaped := false
	for _, r := range s {
		if unicode.IsUpper(r) && !escaped {
			return true
		}
		escaped = r == '\\' && !escaped
	}
	return false
}
