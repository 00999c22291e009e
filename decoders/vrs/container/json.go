package container

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

// A JSONKind is the kind of a value.
type JSONKind uint8

// The kinds of values.
const (
	JSONNull JSONKind = iota
	JSONBool
	JSONNumber
	JSONText
	JSONList
	JSONObject
)

// A JSONValue is one value and its place in its text.
type JSONValue struct {
	Kind    JSONKind
	At, End int64
	Text    string  // of a string; of a number its characters
	Number  float64 // of a number; of a bool 1 or 0
	List    []JSONValue
	Members []jsonMember
}

type jsonMember struct {
	Name  string
	Value JSONValue
}

// A JSONError is an error at an offset of a text.
type JSONError struct {
	At     int64
	reason string
	limit  bool // it is this program that reads no further
}

// Problem is the error in a text of something, at a place of a source.
func (e *JSONError) Problem(rule string, at model.Span, what string) model.Problem {
	if e.limit {
		return model.Problemf(model.Limit, rule, at, "%s is read up to here: %s", what, e.reason)
	}
	return model.Problemf(model.Malformed, rule, at, "%s is not JSON: %s", what, e.reason)
}

// maxJSONDepth bounds lists and objects inside one another.
const maxJSONDepth = 10_000

// ParseJSON reads a text. With an error comes what is before it.
func ParseJSON(text string) (JSONValue, *JSONError) {
	p := jsonParser{s: text}
	v := p.value(0)
	if p.space(); p.err == nil && p.pos < len(text) {
		p.fail("more text follows the value")
	}
	return v, p.err
}

// Get is a member of an object; null where it has none of that name.
func (v *JSONValue) Get(name string) *JSONValue {
	for i := range v.Members {
		if v.Members[i].Name == name {
			return &v.Members[i].Value
		}
	}
	return &JSONValue{}
}

// tag makes a tag out of a string in the text at base of src.
func (v *JSONValue) tag(name string, src *model.Source, base int64) Tag {
	return Tag{Name: name, Value: v.Text, Src: src, Off: base + v.At, End: base + v.End, ValueOff: base + v.At}
}

// textMembers lists the members of an object that are strings.
func (v *JSONValue) textMembers(src *model.Source, base int64) (list TagList) {
	for _, m := range v.Members {
		if m.Value.Kind == JSONText {
			list = append(list, m.Value.tag(m.Name, src, base))
		}
	}
	return list
}

// Model is the value for showing.
func (v *JSONValue) Model() model.Value {
	switch v.Kind {
	case JSONBool:
		return model.Bool(v.Number != 0)
	case JSONNumber:
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return model.Int(n)
		}
		return model.Float64(v.Number)
	case JSONText:
		return model.Text(v.Text)
	case JSONList:
		list := model.Seq{}
		for i := range v.List {
			list = append(list, v.List[i].Model())
		}
		return list
	case JSONObject:
		object := model.Object{}
		for i := range v.Members {
			object = append(object, model.Member{Key: v.Members[i].Name, Value: v.Members[i].Value.Model()})
		}
		return object
	}
	return model.None{}
}

type jsonParser struct {
	s   string
	pos int
	err *JSONError
}

func (p *jsonParser) fail(reason string) {
	if p.err == nil {
		p.err = &JSONError{At: int64(p.pos), reason: reason}
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

func (p *jsonParser) value(depth int) (v JSONValue) {
	p.space()
	v.At = int64(p.pos)
	defer func() { v.End = int64(p.pos) }()
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
		v.Kind, v.Text = JSONText, p.str()
	default:
		p.word(&v)
	}
	return v
}

func (p *jsonParser) object(v *JSONValue, depth int) {
	v.Kind = JSONObject
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
			v.Members = append(v.Members, jsonMember{name, m})
		}
		if p.next('}') {
			return
		}
		if !p.next(',') {
			p.fail("a comma or the end of the object should be here")
		}
	}
}

func (p *jsonParser) array(v *JSONValue, depth int) {
	v.Kind = JSONList
	p.pos++
	if p.next(']') {
		return
	}
	for p.err == nil {
		v.List = append(v.List, p.value(depth+1))
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

var jsonWords = map[string]JSONValue{
	"null": {Kind: JSONNull}, "true": {Kind: JSONBool, Number: 1}, "false": {Kind: JSONBool},
	"NaN": {Kind: JSONNumber, Number: math.NaN()}, "nan": {Kind: JSONNumber, Number: math.NaN()},
	"Infinity": {Kind: JSONNumber, Number: math.Inf(1)}, "Inf": {Kind: JSONNumber, Number: math.Inf(1)},
	"-Infinity": {Kind: JSONNumber, Number: math.Inf(-1)}, "-Inf": {Kind: JSONNumber, Number: math.Inf(-1)},
}

// word reads a number or a name without quotes.
func (p *jsonParser) word(v *JSONValue) {
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
		known.At, known.Text = v.At, text
		*v = known
		return
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(n, 0) {
		p.pos = start
		p.fail("neither a value nor a number")
		return
	}
	v.Kind, v.Text, v.Number = JSONNumber, text, n
}

// Count returns a member that is a whole number from 0 to 2³², or unset.
func (v *JSONValue) Count(name string) int64 {
	if m := v.Get(name); m.Kind == JSONNumber && m.Number >= 0 && m.Number <= 1<<32 && m.Number == float64(int64(m.Number)) {
		return int64(m.Number)
	}
	return Unset
}
