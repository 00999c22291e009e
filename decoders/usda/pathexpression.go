package usda

import "strings"

// CheckPathExpression checks a path expression. If it is invalid, at is the offset of the error and want describes the
// text expected there. It accepts the empty text, and ignores everything after the first line.
func CheckPathExpression(s string) (at int, want string, ok bool) {
	if s == "" {
		return 0, "", true
	}
	p := &pattern{s: s}
	must("a path expression", spaced(pathExpression))(p)
	must("the end of the expression", endOfLine)(p)
	return p.far, p.want, !p.wrong
}

// maxExpressionDepth is the greatest depth of groups in a path expression. Deeper ones are accepted unchecked.
const maxExpressionDepth = 1000

// A pattern is a text that rules match from at on.
type pattern struct {
	s     string
	at    int
	far   int // the furthest byte that a required rule looked at
	depth int
	wrong bool   // a required rule did not match; no rule matches afterwards
	want  string // the text that was required
}

// A rule consumes text that it matches, or leaves the pattern unchanged. Choices are ordered: the first match counts.
type rule func(p *pattern) bool

func char(of func(c byte) bool) rule {
	return func(p *pattern) bool {
		p.far = max(p.far, p.at)
		if p.wrong || p.at == len(p.s) || !of(p.s[p.at]) {
			return false
		}
		p.at++
		return true
	}
}

func among(chars string) rule {
	return char(func(c byte) bool { return strings.IndexByte(chars, c) >= 0 })
}

func sequence(rules ...rule) rule {
	return func(p *pattern) bool {
		at := p.at
		for _, r := range rules {
			if !r(p) {
				if !p.wrong {
					p.at = at
				}
				return false
			}
		}
		return true
	}
}

func either(rules ...rule) rule {
	return func(p *pattern) bool {
		for _, r := range rules {
			if r(p) {
				return true
			}
		}
		return false
	}
}

func many(rules ...rule) rule {
	r := sequence(rules...)
	return func(p *pattern) bool {
		for more := true; more; {
			at := p.at
			more = r(p) && p.at > at
		}
		return !p.wrong
	}
}

func some(rules ...rule) rule { return sequence(sequence(rules...), many(rules...)) }

func maybe(rules ...rule) rule {
	r := sequence(rules...)
	return func(p *pattern) bool { return r(p) || !p.wrong }
}

func not(r rule) rule {
	return func(p *pattern) bool {
		at, far := p.at, p.far
		matches := r(p)
		if !p.wrong {
			p.at, p.far = at, far
		}
		return !matches && !p.wrong
	}
}

// must matches rules, or fails the whole text because want is required here.
func must(want string, rules ...rule) rule {
	r := sequence(rules...)
	return func(p *pattern) bool {
		if p.wrong {
			return false
		}
		before := p.far
		p.far = p.at
		if !r(p) && !p.wrong {
			p.wrong, p.want = true, want
		}
		if !p.wrong {
			p.far = max(before, p.far)
		}
		return !p.wrong
	}
}

// nested calls a rule that refers to itself.
func nested(r *rule) rule {
	return func(p *pattern) bool {
		if p.depth == maxExpressionDepth {
			p.at = len(p.s)
			return true
		}
		p.depth++
		defer func() { p.depth-- }()
		return (*r)(p)
	}
}

func spaced(r rule) rule { return sequence(many(blank), r, many(blank)) }

// word matches the identifier s.
func word(s string) rule {
	return func(p *pattern) bool {
		if p.wrong || !strings.HasPrefix(p.s[p.at:], s) || len(p.s) > p.at+len(s) && nameByte(p.s[p.at+len(s)]) {
			return false
		}
		p.at += len(s)
		return true
	}
}

func digitByte(c byte) bool { return c >= '0' && c <= '9' }
func firstByte(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func nameByte(c byte) bool  { return firstByte(c) || digitByte(c) }

// endOfLine matches the end of the text or of its first line.
func endOfLine(p *pattern) bool {
	rest := p.s[p.at:]
	return !p.wrong && (rest == "" || rest[0] == '\n' || strings.HasPrefix(rest, "\r\n"))
}

// The grammar of SdfPathExpression, bottom up. Identifiers are ASCII.
var (
	blank      = among(" \t")
	slash      = among("/")
	stretch    = sequence(slash, slash)
	nameChar   = char(nameByte)
	identifier = sequence(char(firstByte), many(nameChar))

	// Predicates, in braces: functions of a prim, joined by words.
	reserved = either(word("not"), word("and"), word("or"), word("inf"), word("true"), word("false"))
	function = sequence(not(reserved), identifier)
	digits   = some(char(digitByte))
	exponent = sequence(among("eE"), maybe(among("-+")), must("digits", digits))
	fraction = sequence(among("."), must("digits", digits))
	number   = sequence(maybe(among("-")), either(word("inf"), sequence(digits, either(sequence(fraction, maybe(exponent)), exponent))))
	integer  = sequence(maybe(among("-")), digits)
	unquoted = many(either(nameChar, among(`~!@#$%^&*-+=|\.?/`)))
	argument = either(number, integer, word("true"), word("false"), quoted('"'), quoted('\''), unquoted)
	keyword  = sequence(sequence(not(reserved), identifier), spaced(among("=")))
	named    = sequence(keyword, argument)
	comma    = spaced(among(","))
	place    = sequence(not(keyword), argument)
	names    = sequence(named, many(comma, must("a named argument after ','", named)))
	places   = sequence(place, many(comma, place))

	arguments = either(sequence(places, maybe(comma, must("a named argument after ','", names))), maybe(names))
	colonCall = sequence(function, among(":"), argument, many(among(","), argument))
	call      = sequence(function, spaced(among("(")), must("arguments", arguments, many(blank)), must("')' after the arguments", among(")")))
	predicate rule
	predAtom  = either(colonCall, call, function,
		sequence(among("("), must("a predicate after '('", spaced(nested(&predicate))), must("')' after the predicate", among(")"))))
	predFactor = sequence(maybe(spaced(sequence(word("not"), many(some(blank), word("not"))))), predAtom)

	// Patterns of paths.
	braced = sequence(among("{"), must("a predicate", spaced(nested(&predicate))), must("'}' after the predicate", among("}")))
	class  = sequence(among("["), must("characters after '['", some(either(nameChar, among("!-?*")))), must("']' after the characters", among("]")))

	primPattern = element("?*")
	propPattern = element(":?*")
	pathPattern = sequence(primPattern,
		many(either(sequence(stretch, primPattern), sequence(slash, not(slash), must("a pattern of prims after '/'", primPattern)))),
		either(sequence(among("."), must("a pattern of properties after '.'", propPattern)), maybe(stretch)))
	ups = sequence(among("."), among("."), many(slash, among("."), among(".")))

	anyPattern = either(
		sequence(slash, maybe(slash), maybe(pathPattern)),
		sequence(ups, maybe(either(sequence(stretch, maybe(pathPattern)), sequence(slash, not(slash), must("a pattern of prims after '/'", pathPattern))))),
		pathPattern,
		sequence(among("."), maybe(stretch, maybe(pathPattern))))

	// References to other expressions.
	refName   = sequence(among(":"), must("an identifier", identifier))
	refPath   = sequence(identifier, many(slash, must("an identifier", identifier)), refName)
	refRest   = sequence(slash, must("the path of an expression after '/'", refPath))
	reference = either(sequence(among("%"), among("_"), not(either(nameChar, among(":")))),
		sequence(among("%"), either(refRest, sequence(maybe(ups), either(refRest, refName)))))

	pathExpression rule
	pathAtom       = either(reference, anyPattern,
		sequence(among("("), must("a path expression after '('", spaced(nested(&pathExpression))), must("')' after the expression", among(")"))))
	pathFactor = sequence(maybe(spaced(among("~"))), pathAtom)
)

func init() {
	predicate = sequence(predFactor, many(either(
		sequence(either(spaced(word("and")), spaced(word("or"))), must("a predicate after the operator", predFactor)),
		sequence(some(blank), predFactor))))
	pathExpression = sequence(pathFactor, many(either(
		sequence(spaced(among("+&-")), must("a path expression after the operator", pathFactor)),
		sequence(some(blank), pathFactor))))
}

// element returns a rule for a path element: text with the given wild cards, a predicate, or both.
func element(wild string) rule {
	return either(sequence(some(either(class, nameChar, among(wild))), maybe(braced)), braced)
}

// quoted returns a rule for a text in quotes.
func quoted(quote byte) rule {
	return sequence(char(func(c byte) bool { return c == quote }),
		many(either(
			sequence(among(`\`), must("a character that can come after '\\'", either(char(func(c byte) bool { return c == quote }), among(`\bfnrt`)))),
			char(func(c byte) bool { return c >= 0x20 && c != quote && c != '\\' }))),
		must("the closing quote", char(func(c byte) bool { return c == quote })))
}
