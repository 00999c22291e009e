package vrs

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"cutaway/model"
)

// The JSON of tags (chapters 4 and 7.5), read as its writers write it: NaN and Infinity are numbers, strings are bytes
// that need not be UTF-8, and of equal members the first counts.

type jsonKind uint8

const (
	jsonNull jsonKind = iota
	jsonBool
	jsonNumber
	jsonText
	jsonList
	jsonObject
)

// jsonValue is one value with where it is in its text.
type jsonValue struct {
	kind    jsonKind
	at, end int64
	text    string  // of a string; of a number its characters
	number  float64 // of a number; of a bool 1 or 0
	list    []jsonValue
	members []jsonMember
}

type jsonMember struct {
	name  string
	value jsonValue
}

// jsonError says what is wrong where.
type jsonError struct {
	at     int64
	reason string
	limit  bool // it is this program that reads no further
}

// problem is the error in a text of something, at a place of a source.
func (e *jsonError) problem(rule string, at model.Span, what string) model.Problem {
	if e.limit {
		return model.Problemf(model.Limit, rule, at, "%s is read up to here: %s", what, e.reason)
	}
	return model.Problemf(model.Malformed, rule, at, "%s is not JSON: %s", what, e.reason)
}

// maxJSONDepth bounds lists and objects inside one another.
const maxJSONDepth = 10_000

// parseJSON reads a text. With an error comes what is before it.
func parseJSON(text string) (jsonValue, *jsonError) {
	p := jsonParser{s: text}
	v := p.value(0)
	if p.space(); p.err == nil && p.pos < len(text) {
		p.fail("more text follows the value")
	}
	return v, p.err
}

// get is a member of an object; null where it has none of that name.
func (v *jsonValue) get(name string) *jsonValue {
	for i := range v.members {
		if v.members[i].name == name {
			return &v.members[i].value
		}
	}
	return &jsonValue{}
}

// tag makes a tag out of a string in the text at base of src.
func (v *jsonValue) tag(name string, src *model.Source, base int64) tag {
	return tag{name: name, value: v.text, src: src, off: base + v.at, end: base + v.end, valueOff: base + v.at}
}

// textMembers lists the members of an object that are strings.
func (v *jsonValue) textMembers(src *model.Source, base int64) (list tagList) {
	for _, m := range v.members {
		if m.value.kind == jsonText {
			list = append(list, m.value.tag(m.name, src, base))
		}
	}
	return list
}

// model is the value for showing.
func (v *jsonValue) model() model.Value {
	switch v.kind {
	case jsonBool:
		return model.Bool(v.number != 0)
	case jsonNumber:
		if n, err := strconv.ParseInt(v.text, 10, 64); err == nil {
			return model.Int(n)
		}
		return model.Float64(v.number)
	case jsonText:
		return model.Text(v.text)
	case jsonList:
		list := model.Seq{}
		for i := range v.list {
			list = append(list, v.list[i].model())
		}
		return list
	case jsonObject:
		object := model.Object{}
		for i := range v.members {
			object = append(object, model.Member{Key: v.members[i].name, Value: v.members[i].value.model()})
		}
		return object
	}
	return model.None{}
}

type jsonParser struct {
	s   string
	pos int
	err *jsonError
}

func (p *jsonParser) fail(reason string) {
	if p.err == nil {
		p.err = &jsonError{at: int64(p.pos), reason: reason}
	}
}

func (p *jsonParser) space() {
	for p.pos < len(p.s) {
		switch p.s[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// next skips space and takes the byte c if it is next.
func (p *jsonParser) next(c byte) bool {
	p.space()
	if p.err == nil && p.pos < len(p.s) && p.s[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *jsonParser) value(depth int) (v jsonValue) {
	p.space()
	v.at = int64(p.pos)
	defer func() { v.end = int64(p.pos) }()
	switch {
	case p.err != nil:
	case p.pos >= len(p.s):
		p.fail("the text ends where a value should be")
	case depth > maxJSONDepth:
		p.fail(fmt.Sprintf("lists and objects are nested more than %d deep, which is this program's limit", maxJSONDepth))
		p.err.limit = true
	case p.s[p.pos] == '{':
		p.object(&v, depth)
	case p.s[p.pos] == '[':
		p.array(&v, depth)
	case p.s[p.pos] == '"':
		v.kind, v.text = jsonText, p.str()
	default:
		p.word(&v)
	}
	return v
}

func (p *jsonParser) object(v *jsonValue, depth int) {
	v.kind = jsonObject
	seen := map[string]bool{}
	p.pos++
	if p.next('}') {
		return
	}
	for p.err == nil {
		p.space()
		if p.pos >= len(p.s) || p.s[p.pos] != '"' {
			p.fail("a member's name should be here")
			return
		}
		name := p.str()
		if !p.next(':') {
			p.fail("a colon should follow the member's name")
			return
		}
		if m := p.value(depth + 1); !seen[name] {
			seen[name] = true
			v.members = append(v.members, jsonMember{name, m})
		}
		if p.next('}') {
			return
		}
		if !p.next(',') {
			p.fail("a comma or the end of the object should be here")
		}
	}
}

func (p *jsonParser) array(v *jsonValue, depth int) {
	v.kind = jsonList
	p.pos++
	if p.next(']') {
		return
	}
	for p.err == nil {
		v.list = append(v.list, p.value(depth+1))
		if p.next(']') {
			return
		}
		if !p.next(',') {
			p.fail("a comma or the end of the list should be here")
		}
	}
}

func (p *jsonParser) str() string {
	p.pos++
	start := p.pos
	var out []byte
	for p.pos < len(p.s) {
		switch c := p.s[p.pos]; c {
		case '"':
			s := p.s[start:p.pos]
			p.pos++
			return string(append(out, s...))
		case '\\':
			out = append(out, p.s[start:p.pos]...)
			out = p.escape(out)
			start = p.pos
		default:
			if c < ' ' {
				p.fail("a control character in a string is not escaped")
			}
			p.pos++
		}
	}
	p.fail("the text ends inside of a string")
	return string(append(out, p.s[min(start, len(p.s)):]...))
}

var jsonEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *jsonParser) escape(out []byte) []byte {
	p.pos++ // the backslash
	if p.pos >= len(p.s) {
		return out
	}
	c := p.s[p.pos]
	p.pos++
	if c != 'u' {
		if plain, ok := jsonEscapes[c]; ok {
			return append(out, plain)
		}
		return append(out, c)
	}
	u, ok := p.hex()
	if !ok {
		return append(out, "\ufffd"...)
	}
	if utf16.IsSurrogate(u) && p.pos+1 < len(p.s) && p.s[p.pos] == '\\' && p.s[p.pos+1] == 'u' {
		p.pos += 2
		low, _ := p.hex()
		u = utf16.DecodeRune(u, low)
	}
	return utf8.AppendRune(out, u)
}

func (p *jsonParser) hex() (rune, bool) {
	if p.pos+4 > len(p.s) {
		return 0, false
	}
	n, err := strconv.ParseUint(p.s[p.pos:p.pos+4], 16, 32)
	if err != nil {
		return 0, false
	}
	p.pos += 4
	return rune(n), true
}

var jsonWords = map[string]jsonValue{
	"null": {kind: jsonNull}, "true": {kind: jsonBool, number: 1}, "false": {kind: jsonBool},
	"NaN": {kind: jsonNumber, number: math.NaN()}, "nan": {kind: jsonNumber, number: math.NaN()},
	"Infinity": {kind: jsonNumber, number: math.Inf(1)}, "Inf": {kind: jsonNumber, number: math.Inf(1)},
	"-Infinity": {kind: jsonNumber, number: math.Inf(-1)}, "-Inf": {kind: jsonNumber, number: math.Inf(-1)},
}

// word reads a number or a name without quotes.
func (p *jsonParser) word(v *jsonValue) {
	start := p.pos
	for p.pos < len(p.s) {
		c := p.s[p.pos]
		if c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		p.pos++
	}
	text := p.s[start:p.pos]
	if known, ok := jsonWords[text]; ok {
		known.at, known.text = v.at, text
		*v = known
		return
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(n, 0) {
		p.pos = start
		p.fail("neither a value nor a number")
		return
	}
	v.kind, v.text, v.number = jsonNumber, text, n
}

// count returns a member that is a whole number from 0 to 2³², or unset.
func (v *jsonValue) count(name string) int64 {
	if m := v.get(name); m.kind == jsonNumber && m.number >= 0 && m.number <= 1<<32 && m.number == float64(int64(m.number)) {
		return int64(m.number)
	}
	return unset
}
