package expr

import (
	"regexp"
	"strings"
)

// Limits of an expression. The error of the expression that meets one names it.
const (
	maxDepth = 128  // operations in each other
	maxNodes = 4096 // operations of an expression
)

// Parse reads the text of an expression. Every node of the tree has the origin.
func Parse(text string, d Dialect, origin any) (*Expr, *Error) {
	return parse(text, d, origin, (*parser).expr)
}

// ParseFormat reads text with expressions in braces, as OpFormat: "{it} of {room:byte}".
func ParseFormat(text string, d Dialect, origin any) (*Expr, *Error) {
	p := &parser{dialect: d, origin: origin, text: text}
	x := p.format("{")
	return x, p.err
}

// ParseTypeRef reads the name of a type, perhaps of an array of it: a::b[].
func ParseTypeRef(text string, origin any) (*TypeRef, *Error) {
	return parse(text, Kaitai, origin, (*parser).typeRef)
}

// A Use is a name with arguments.
type Use struct {
	Path *Path
	Name string // of a process: words with dots
	Args []*Expr
}

// ParseUse reads the name of a type with its arguments: a::b(1, c).
func ParseUse(text string, origin any) (*Use, *Error) {
	return parse(text, Kaitai, origin, (*parser).use)
}

// ParseProcess reads the name of a process, with dots, and its arguments: xor(0x5f).
func ParseProcess(text string, origin any) (*Use, *Error) {
	return parse(text, Kaitai, origin, (*parser).process)
}

// parser reads the text of one expression.
type parser struct {
	dialect Dialect
	origin  any
	text    string
	token   token
	depth   int
	count   int
	err     *Error // the first; after it the text seems to be at its end
}

// binaryOp is an operation and how tightly its operator binds; level 0 is none.
type binaryOp struct {
	level int
	op    Op
}

const (
	levelOr = iota + 1
	levelAnd
	levelNot
	levelCompare
	levelBitOr
	levelBitXor
	levelBitAnd
	levelShift
	levelSum
	levelProduct
)

var binaryOps = map[string]binaryOp{
	"or": {levelOr, OpOr}, "and": {levelAnd, OpAnd},
	"==": {levelCompare, OpEqual}, "!=": {levelCompare, OpUnequal}, "<": {levelCompare, OpLess}, "<=": {levelCompare, OpAtMost},
	">": {levelCompare, OpGreater}, ">=": {levelCompare, OpAtLeast},
	"|": {levelBitOr, OpBitOr}, "^": {levelBitXor, OpBitXor}, "&": {levelBitAnd, OpBitAnd}, "&^": {levelBitAnd, OpBitClear},
	"<<": {levelShift, OpShiftLeft}, ">>": {levelShift, OpShiftRight}, "+": {levelSum, OpAdd}, "-": {levelSum, OpSubtract},
	"*": {levelProduct, OpMultiply}, "/": {levelProduct, OpDivide}, "%": {levelProduct, OpModulo},
}

var (
	idPattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	keywords  = map[string]bool{"and": true, "or": true, "not": true, "true": true, "false": true}
)

// specials are the names that Kaitai gives.
var specials = map[string]bool{"_root": true, "_parent": true, "_io": true, "_index": true, "_": true, "_on": true, "_sizeof": true}

// IsID reports whether a name is one that a .ksy file may declare.
func IsID(name string) bool { return idPattern.MatchString(name) }

// BadID is the format of the message about a name that is no IsID: the name, and what it is the name of.
const BadID = "%q can't be the name of %s: names begin with a small letter, then small letters, digits and _"

// parse reads the whole text.
func parse[T any](text string, d Dialect, origin any, read func(*parser) T) (T, *Error) {
	p := &parser{dialect: d, origin: origin, text: text}
	p.next()
	out := read(p)
	if p.err == nil && p.token.kind != endToken {
		p.unexpected("an operator or the end")
	}
	return out, p.err
}

func (p *parser) fail(offset int, format string, args ...any) {
	p.failWith(failAt(offset, format, args...))
}

func (p *parser) failWith(err *Error) {
	if p.err == nil {
		p.err = err
	}
	p.token = token{kind: endToken, offset: len(p.text), end: len(p.text)}
}

func (p *parser) next() {
	t, err := scan(p.text, p.token.end, p.dialect)
	if p.token = t; err != nil {
		p.failWith(err)
	}
}

// isNext reports whether a name or an operator is the next token.
func (p *parser) isNext(text string) bool {
	return (p.token.kind == opToken || p.token.kind == nameToken) && p.token.text == text
}

// skip consumes a token if it is the next.
func (p *parser) skip(text string) bool {
	next := p.isNext(text)
	if next {
		p.next()
	}
	return next
}

// require consumes a token that must be the next.
func (p *parser) require(text, why string) {
	if !p.skip(text) {
		p.unexpected(why)
	}
}

func (p *parser) unexpected(wanted string) {
	switch {
	case p.err != nil:
	case p.token.kind == endToken:
		p.fail(len(strings.TrimRight(p.text, " \r\n")), "%s is missing at the end of %q", wanted, Excerpt(p.text))
	case p.dialect == Kaitai && p.isNext("in"):
		p.failWith(refuseExtension(p.token.offset, "in"))
	default:
		p.fail(p.token.offset, "%s should be here, not %q", wanted, Excerpt(p.text[p.token.offset:p.token.end]))
	}
}

// Excerpt shortens what a message quotes.
func Excerpt(text string) string {
	text = strings.TrimSpace(text)
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return text
}

func (p *parser) make(op Op, offset int, args ...*Expr) *Expr {
	if p.count++; p.count > maxNodes {
		p.fail(offset, "the expression has more than %d operations", maxNodes)
	}
	return &Expr{Op: op, Offset: offset, Args: args, Origin: p.origin}
}

// deeper counts operations in each other, and returns a function that undoes it.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.token.offset, "operations in each other go deeper than %d", maxDepth)
	}
	return func() { p.depth-- }
}

// expr reads a ternary or anything that binds tighter.
func (p *parser) expr() *Expr {
	defer p.deeper()()
	condition := p.binary(levelOr)
	offset := p.token.offset
	if !p.skip("?") {
		return condition
	}
	yes := p.expr()
	p.require(":", `":" and what to take otherwise`)
	return p.make(OpCond, offset, condition, yes, p.expr())
}

// operator returns the binary operator that is the next token.
func (p *parser) operator() binaryOp {
	if p.token.kind != opToken && p.token.kind != nameToken {
		return binaryOp{}
	}
	if p.dialect == BuiltIn && p.token.text == "in" {
		return binaryOp{levelCompare, OpIn}
	}
	return binaryOps[p.token.text]
}

// binary reads operators of a level and those that bind tighter.
func (p *parser) binary(level int) *Expr {
	left := p.prefix(level)
	for {
		operator, offset := p.operator(), p.token.offset
		if operator.level < level || operator.level == 0 {
			return left
		}
		p.next()
		if operator.op == OpIn {
			left = p.membership(left, offset)
		} else {
			left = p.make(operator.op, offset, left, p.binary(operator.level+1))
		}
		if operator.level == levelCompare && p.operator().level == levelCompare {
			p.fail(p.token.offset, "comparisons can't be chained; join them by \"and\"")
		}
	}
}

// membership reads the rest of "x in": (a, b, c) or a..b.
func (p *parser) membership(x *Expr, offset int) *Expr {
	first := p.binary(levelBitOr)
	if first.Op == OpList {
		return p.make(OpIn, offset, append([]*Expr{x}, first.Args...)...)
	}
	p.require("..", `a range such as 1..4 or a list such as (1, 2)`)
	return p.make(OpWithin, offset, x, first, p.binary(levelBitOr))
}

// prefix reads not, signs and ~.
func (p *parser) prefix(level int) *Expr {
	defer p.deeper()()
	offset := p.token.offset
	switch {
	case level <= levelNot && p.skip("not"):
		return p.make(OpNot, offset, p.binary(levelNot))
	case p.token.kind != opToken:
	case p.skip("-"):
		return p.make(OpNegate, offset, p.prefix(levelProduct+1))
	case p.skip("~"):
		return p.make(OpInvert, offset, p.prefix(levelProduct+1))
	case p.skip("+"):
		return p.prefix(levelProduct + 1)
	}
	return p.postfix()
}

// postfix reads a value and what follows it: .name, .name(…), .as<…>, […].
func (p *parser) postfix() *Expr {
	e := p.primary()
	for {
		offset := p.token.offset
		switch {
		case p.skip("."):
			e = p.attribute(e)
		case p.skip("["):
			e = p.make(OpIndex, offset, e, p.expr())
			p.require("]", `"]"`)
		default:
			return e
		}
	}
}

func (p *parser) attribute(of *Expr) *Expr {
	e := p.make(OpAttr, p.token.offset, of)
	e.Name = p.word("a name")
	switch {
	case p.dialect == Kaitai && e.Name == "as" && p.isNext("<"):
		e.Op = OpCast
		p.typeArgument(e)
	case p.isNext("("):
		e.Op, e.Args = OpCall, append(e.Args, p.arguments()...)
	}
	return e
}

// word consumes a name.
func (p *parser) word(wanted string) string {
	text := p.token.text
	if p.token.kind != nameToken {
		p.unexpected(wanted)
		return ""
	}
	p.next()
	return text
}

// typeArgument reads <type>.
func (p *parser) typeArgument(e *Expr) {
	p.next()
	e.Ref = p.typeRef()
	p.require(">", `">"`)
}

func (p *parser) typeRef() *TypeRef {
	ref := &TypeRef{Path: p.path()}
	if ref.Array = p.skip("["); ref.Array {
		p.require("]", `"]"`)
	}
	return ref
}

func (p *parser) use() *Use {
	u := &Use{Path: p.path()}
	if p.isNext("(") {
		u.Args = p.arguments()
	}
	return u
}

func (p *parser) process() *Use {
	var words []string
	for len(words) == 0 || p.skip(".") {
		if !idPattern.MatchString(p.token.text) {
			p.unexpected("the name of a process")
		}
		words = append(words, p.word("the name of a process"))
	}
	u := &Use{Name: strings.Join(words, ".")}
	if p.isNext("(") {
		u.Args = p.arguments()
	}
	return u
}

// path reads a::b::c.
func (p *parser) path() *Path {
	n := &Path{Offset: p.token.offset, Origin: p.origin, Absolute: p.skip("::")}
	n.Parts = []string{p.word("a name")}
	for p.skip("::") {
		n.Parts = append(n.Parts, p.word("a name"))
	}
	return n
}

// arguments reads (a, b).
func (p *parser) arguments() []*Expr {
	p.next()
	return p.list(")", false)
}

// list reads expressions up to what closes them; a list may have a comma after the last.
func (p *parser) list(closing string, trailing bool) (list []*Expr) {
	if p.skip(closing) {
		return nil
	}
	for p.err == nil {
		list = append(list, p.expr())
		if p.skip(closing) {
			break
		}
		p.require(",", `"," or "`+closing+`"`)
		if trailing && p.skip(closing) {
			break
		}
	}
	return list
}

// primary reads a literal, a name, a list or what is in parentheses.
func (p *parser) primary() *Expr {
	t := p.token
	switch {
	case t.kind == intToken, t.kind == floatToken:
		e := p.make(OpInt, t.offset)
		if e.Int, e.Float, e.Name = t.value, t.float, t.text; t.kind == floatToken {
			e.Op = OpFloat
		}
		p.next()
		return e
	case t.kind == strToken:
		e := p.make(OpStr, t.offset)
		for ; p.token.kind == strToken; p.next() { // strings that follow each other are one
			p.make(OpStr, p.token.offset) // counted, so that many can't be joined
			e.Str += p.token.text
		}
		return e
	case t.kind == formatToken:
		return p.format(`"{`)
	case p.isNext("true"), p.isNext("false"):
		e := p.make(OpBool, t.offset)
		e.Bool = t.text == "true"
		p.next()
		return e
	case t.kind == nameToken && !keywords[t.text] && p.operator().op != OpIn, p.isNext("::") && p.dialect == Kaitai:
		return p.named()
	case p.skip("("):
		return p.parenthesized(t.offset)
	case p.skip("["):
		return p.make(OpList, t.offset, p.list("]", true)...)
	}
	p.unexpected("a value")
	e := p.make(OpBool, t.offset)
	return e
}

// parenthesized reads what is in parentheses; of several values, for "in", it makes a list.
func (p *parser) parenthesized(offset int) *Expr {
	e := p.expr()
	if p.dialect == BuiltIn && p.skip(",") {
		return p.make(OpList, offset, append([]*Expr{e}, p.list(")", false)...)...)
	}
	p.require(")", `")"`)
	return e
}

// format reads text {expression} text up to the byte in stop that is no brace, or to the end.
func (p *parser) format(stop string) *Expr {
	e := p.make(OpFormat, p.token.offset)
	for p.err == nil {
		at := p.token.end
		value, end, err := scanString(p.text, at, stop)
		if err == nil && end == len(p.text) && stop != "{" {
			err = failAt(e.Offset, `the string that begins here has no closing "`)
		}
		if err != nil {
			p.failWith(err)
			break
		}
		if value != "" {
			piece := p.make(OpStr, at)
			piece.Str = value
			e.Args = append(e.Args, piece)
		}
		if end == len(p.text) {
			break
		}
		p.token.end = end + 1
		if p.next(); p.text[end] == '"' {
			break
		}
		if e.Args = append(e.Args, p.shown()); !p.isNext("}") {
			p.unexpected(`"}"`)
		}
	}
	return e
}

// shown reads an expression of a format, and in BuiltIn how it is shown, up to the brace: it:q, it:#08x.
func (p *parser) shown() *Expr {
	x := p.expr()
	if p.dialect != BuiltIn || !p.isNext(":") {
		return x
	}
	verb, _, closed := strings.Cut(p.text[p.token.end:], "}")
	x = p.make(OpShown, p.token.offset, x)
	if x.Name = verb; !closed || verb == "" {
		p.fail(p.token.end, "how the value is shown, and a closing brace, should be here")
		return x
	}
	p.token.end += len(verb)
	p.next()
	return x
}

// named reads a name, a function's call, an enum's member or sizeof<…>.
func (p *parser) named() *Expr {
	first := p.token
	if p.dialect == BuiltIn {
		e := p.make(OpName, first.offset)
		e.Name = p.word("a name")
		if p.isNext("(") {
			e.Op, e.Args = OpFunc, p.arguments()
		}
		return e
	}
	path := p.path()
	e := p.make(OpName, first.offset)
	e.Name = path.Parts[len(path.Parts)-1]
	op, sized := map[string]Op{"sizeof": OpSizeOf, "bitsizeof": OpBitSizeOf}[first.text]
	switch {
	case sized && len(path.Parts) == 1 && p.isNext("<"):
		e.Op = op
		p.typeArgument(e)
	case len(path.Parts) > 1:
		e.Op, e.Path = OpMember, path
	case path.Absolute:
		p.fail(first.offset, "the member of an enum should be here: enum::member")
	case p.isNext("("):
		p.fail(first.offset, "%q is called like a function, and .ksy has none; methods are asked of a value: value.method", e.Name)
	case !specials[e.Name] && !idPattern.MatchString(e.Name):
		p.fail(first.offset, BadID, e.Name, "a field")
	}
	return e
}
