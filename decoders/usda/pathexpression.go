package usda

import "strings"

// CheckPathExpression reports where a text is no path expression of USD, a byte of it, and what was expected there. The
// empty text is one, and what follows the end of a line does not count.
func CheckPathExpression(s string) (at int, want string, ok bool) {
	if s == "" {
		return 0, "", true
	}
	p := &pattern{s: s}
	must("a path expression", spaced(pathExpression))(p)
	must("the end of the expression", endOfLine)(p)
	return p.far, p.want, !p.wrong
}

// maxExpressionDepth is how deep groups in path expressions may be in one another; what is deeper is taken for right.
const maxExpressionDepth = 1000

// pattern is a text that rules are matched with, from at on.
type pattern struct {
	s     string
	at    int
	far   int // the furthest byte that was looked at for what must match here
	depth int
	wrong bool   // something was expected that is not there: the text matches no rule any more
	want  string // what it was
}

// A rule takes what it matches, or leaves the pattern as it is; choices are ordered, and the first that matches counts.
type rule func(p *pattern) bool

func one(of func(c byte) bool) rule {
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
	return one(func(c byte) bool { return strings.IndexByte(chars, c) >= 0 })
}

func all(rules ...rule) rule {
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
	r := all(rules...)
	return func(p *pattern) bool {
		for more := true; more; {
			at := p.at
			more = r(p) && p.at > at
		}
		return !p.wrong
	}
}

func some(rules ...rule) rule { return all(all(rules...), many(rules...)) }

func maybe(rules ...rule) rule {
	r := all(rules...)
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

// must is of rules that nothing but them can match here.
func must(want string, rules ...rule) rule {
	r := all(rules...)
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

// nested is a rule that leads back to itself.
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

func spaced(r rule) rule { return all(many(blank), r, many(blank)) }

// word is an identifier that is s.
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

// The grammar of SdfPathExpression, from its smallest parts on. Identifiers are of ASCII alone.
var (
	blank      = among(" \t")
	slash      = among("/")
	stretch    = all(slash, slash)
	nameChar   = one(nameByte)
	identifier = all(one(firstByte), many(nameChar))

	// Predicates, in braces: functions of a prim, joined by words.
	reserved = either(word("not"), word("and"), word("or"), word("inf"), word("true"), word("false"))
	function = all(not(reserved), identifier)
	digits   = some(one(digitByte))
	exponent = all(among("eE"), maybe(among("-+")), must("digits", digits))
	fraction = all(among("."), must("digits", digits))
	number   = all(maybe(among("-")), either(word("inf"), all(digits, either(all(fraction, maybe(exponent)), exponent))))
	integer  = all(maybe(among("-")), digits)
	unquoted = many(either(nameChar, among(`~!@#$%^&*-+=|\.?/`)))
	argument = either(number, integer, word("true"), word("false"), quoted('"'), quoted('\''), unquoted)
	keyword  = all(all(not(reserved), identifier), spaced(among("=")))
	named    = all(keyword, argument)
	comma    = spaced(among(","))
	place    = all(not(keyword), argument)
	names    = all(named, many(comma, must("a named argument after ','", named)))
	places   = all(place, many(comma, place))

	arguments = either(all(places, maybe(comma, must("a named argument after ','", names))), maybe(names))
	colonCall = all(function, among(":"), argument, many(among(","), argument))
	call      = all(function, spaced(among("(")), must("arguments", arguments, many(blank)), must("')' after the arguments", among(")")))
	predicate rule
	predAtom  = either(colonCall, call, function,
		all(among("("), must("a predicate after '('", spaced(nested(&predicate))), must("')' after the predicate", among(")"))))
	predFactor = all(maybe(spaced(all(word("not"), many(some(blank), word("not"))))), predAtom)

	// Patterns of paths.
	braced = all(among("{"), must("a predicate", spaced(nested(&predicate))), must("'}' after the predicate", among("}")))
	class  = all(among("["), must("characters after '['", some(either(nameChar, among("!-?*")))), must("']' after the characters", among("]")))

	primPattern = element("?*")
	propPattern = element(":?*")
	pathPattern = all(primPattern,
		many(either(all(stretch, primPattern), all(slash, not(slash), must("a pattern of prims after '/'", primPattern)))),
		either(all(among("."), must("a pattern of properties after '.'", propPattern)), maybe(stretch)))
	ups = all(among("."), among("."), many(slash, among("."), among(".")))

	anyPattern = either(
		all(slash, maybe(slash), maybe(pathPattern)),
		all(ups, maybe(either(all(stretch, maybe(pathPattern)), all(slash, not(slash), must("a pattern of prims after '/'", pathPattern))))),
		pathPattern,
		all(among("."), maybe(stretch, maybe(pathPattern))))

	// References to other expressions.
	refName   = all(among(":"), must("an identifier", identifier))
	refPath   = all(identifier, many(slash, must("an identifier", identifier)), refName)
	refRest   = all(slash, must("the path of an expression after '/'", refPath))
	reference = either(all(among("%"), among("_"), not(either(nameChar, among(":")))),
		all(among("%"), either(refRest, all(maybe(ups), either(refRest, refName)))))

	pathExpression rule
	pathAtom       = either(reference, anyPattern,
		all(among("("), must("a path expression after '('", spaced(nested(&pathExpression))), must("')' after the expression", among(")"))))
	pathFactor = all(maybe(spaced(among("~"))), pathAtom)
)

func init() {
	predicate = all(predFactor, many(either(
		all(either(spaced(word("and")), spaced(word("or"))), must("a predicate after the operator", predFactor)),
		all(some(blank), predFactor))))
	pathExpression = all(pathFactor, many(either(
		all(spaced(among("+&-")), must("a path expression after the operator", pathFactor)),
		all(some(blank), pathFactor))))
}

// element is a rule for a part of a pattern: text with wild cards, a predicate, or both.
func element(wild string) rule {
	return either(all(some(either(class, nameChar, among(wild))), maybe(braced)), braced)
}

// quoted is a rule for a text in quotes.
func quoted(quote byte) rule {
	return all(one(func(c byte) bool { return c == quote }),
		many(either(
			all(among(`\`), must("a character that can come after '\\'", either(one(func(c byte) bool { return c == quote }), among(`\bfnrt`)))),
			one(func(c byte) bool { return c >= 0x20 && c != quote && c != '\\' }))),
		must("the closing quote", one(func(c byte) bool { return c == quote })))
}
