// Package search finds things in a document: nodes of a tree by what a person typed (Query, Tree), and bytes of its
// sources (Pattern, Bytes, EverySource). It reads only model.
//
// Everything is streamed to a callback as it is found, so that cancelling keeps what was found and memory does not
// grow with the file. An error that a callback returns ends the search and is returned as it is.
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

// A Query is what nodes are searched for: one or more terms, all of which a node must satisfy. It is safe for
// concurrent use.
type Query struct {
	text  string
	terms []*term
}

// field is the part of a node that a term looks at.
type field uint8

const (
	anyField field = iota
	nameField
	valueField
	typeField
	pathField
	sizeField   // bytes after every decoding
	storedField // bytes in the file
)

var fieldNames = map[string]field{"name": nameField, "value": valueField, "type": typeField, "path": pathField, "size": sizeField, "stored": storedField}

// term is one word of a query.
type term struct {
	text  string // as written
	field field
	words finder     // nil: numbers only
	is    *condition // the condition of numbers; nil for words only
	path  bool       // has a '/': looks at the path too
	below finder     // of a word with dots, the same with '/' between its parts, for the path; else nil
	last  finder     // the last of those parts
	// What text of numbers and structures must have in common with the term, so that they are written out only where
	// it can be in them.
	numeric, composed bool
}

// maxQuery bounds the length of a query, in bytes.
const maxQuery = 4096

// ErrEmpty says that a query or pattern has nothing in it.
var ErrEmpty = errors.New("there is nothing to search for: type a word, a number or a part of a path")

// ParseQuery reads what a person typed: terms separated by blanks, all of which must be satisfied by one node.
//
//	mesh          name, value or type contains the word, in any case; with a capital in it (Mesh): in this case
//	"two words"   the same with blanks, or with what has another meaning here
//	World/Mesh    with a slash: the path, too, is looked at
//	flags.loop    with dots between names: nodes below each other, too
//	/exp[0-9]+/   a regular expression (RE2); it ends at a slash before a blank. In any case unless it has a capital
//	42 0x2a -1.5  values equal to the number; words that hold it between other signs than digits
//	>1e6 <=3 =0.5 values that compare so; !=0 too
//	10..20        values in the range, both ends included; either may be left out
//	name:x type:x value:x path:x
//	              the same, for this part of the node only; x with * or ? in it must fit the whole (type:vec3*)
//	size:>1M stored:>=4096 size:1k..2k
//	              the node's own bytes after every decoding, or those of the file; K, M, G and T are 1024 and its powers
//
// Errors are in words for the person.
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

// String is the query as it was typed, without blanks around it.
func (q *Query) String() string { return q.text }

// wantsSpans reports whether a term is about where a node is.
func (q *Query) wantsSpans() bool {
	return slices.ContainsFunc(q.terms, func(t *term) bool { return t.field == sizeField || t.field == storedField })
}

// wantsPath reports whether a term is about the nodes above, too.
func (q *Query) wantsPath() bool {
	return slices.ContainsFunc(q.terms, func(t *term) bool { return t.path || t.below != nil })
}

// nextWord is the first term of s, as it is written.
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

// operand returns the text behind the name of a field.
func operand(s string) string {
	for name := range fieldNames {
		if rest, ok := strings.CutPrefix(s, name+":"); ok {
			return rest
		}
	}
	return s
}

// regexpEnd returns the length of the regular expression that s begins with, its slashes included, or 0.
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

// set reads what is after the name of the field.
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

// setBelow looks at the path of names with dots between them, too.
func (t *term) setBelow(s string) {
	if (t.field == anyField || t.field == pathField) && dotted.MatchString(s) {
		t.below, t.last = newWords(strings.ReplaceAll(s, ".", "/")), newWords(s[strings.LastIndexByte(s, '.')+1:])
	}
}

// amount is a number of bytes with a unit.
var amount = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)([kmgt])(?:i?b)?`)

// setSize reads a comparison of bytes.
func (t *term) setSize(s string) (err error) {
	plain := amount.ReplaceAllStringFunc(s, func(one string) string {
		parts := amount.FindStringSubmatch(one)
		f, _ := strconv.ParseFloat(parts[1], 64) // the expression lets nothing else through
		shift := 10 * (1 + strings.Index("kmgt", strings.ToLower(parts[2])))
		return strconv.FormatInt(int64(f*float64(int64(1)<<shift)), 10)
	})
	if t.is, err = parseCondition(plain); t.is == nil && err == nil {
		return fmt.Errorf("%s wants a number of bytes, such as %s:>1M", t.text, strings.SplitN(t.text, ":", 2)[0])
	}
	return err
}

// dotted is names with dots between them.
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

// regexpFault is err without the words that the error of parseTerm has already.
func regexpFault(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

// hasCapital reports whether a person wrote a capital, which an escape such as \S is not.
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
