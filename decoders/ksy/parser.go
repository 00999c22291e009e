package ksy

import (
	"math/big"
	"regexp"
	"strings"
)

// exprParser reads an expression, or a type with arguments, out of the text of a scalar.
type exprParser struct {
	node  *node
	text  string
	token exprToken
	depth int
	count int
	err   *exprError // the first; after it the text seems to be at its end
}

// binaryOp is an operation and how tightly its operator binds; 0 is none.
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
	"|": {levelBitOr, OpBitOr}, "^": {levelBitXor, OpBitXor}, "&": {levelBitAnd, OpBitAnd},
	"<<": {levelShift, OpShiftLeft}, ">>": {levelShift, OpShiftRight}, "+": {levelSum, OpAdd}, "-": {levelSum, OpSubtract},
	"*": {levelProduct, OpMultiply}, "/": {levelProduct, OpDivide}, "%": {levelProduct, OpModulo},
}

// opText is the operator as it is written.
func opText(op Op) string {
	for text, binary := range binaryOps {
		if binary.op == op {
			return text
		}
	}
	return map[Op]string{OpNot: "not", OpNegate: "-", OpInvert: "~"}[op]
}

var (
	idPattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	keywords  = map[string]bool{"and": true, "or": true, "not": true, "true": true, "false": true}
)

// parse reads the whole text of a scalar.
func parse[T any](n *node, read func(*exprParser) T) (T, *exprError) {
	p := &exprParser{node: n, text: n.text}
	p.next()
	out := read(p)
	if p.err == nil && p.token.kind != endToken {
		p.unexpected("an operator or the end")
	}
	return out, p.err
}

func (p *exprParser) fail(offset int, format string, args ...any) {
	if p.err == nil {
		p.err = failAt(offset, format, args...)
	}
	p.token = exprToken{kind: endToken, offset: len(p.text), end: len(p.text)}
}

func (p *exprParser) next() {
	token, err := scan(p.text, p.token.end)
	if p.token = token; err != nil {
		p.fail(err.offset, "%s", err.message)
	}
}

func (p *exprParser) is(text string) bool {
	return (p.token.kind == opToken || p.token.kind == nameToken) && p.token.text == text
}

// skip goes over a token if it is there.
func (p *exprParser) skip(text string) bool {
	is := p.is(text)
	if is {
		p.next()
	}
	return is
}

// take goes over a token that must be there.
func (p *exprParser) take(text, why string) {
	if !p.skip(text) {
		p.unexpected(why)
	}
}

func (p *exprParser) unexpected(wanted string) {
	if p.token.kind == endToken {
		p.fail(len(strings.TrimRight(p.text, " \r\n")), "%s is missing at the end of %q", wanted, excerpt(p.text))
		return
	}
	p.fail(p.token.offset, "%s should be here, not %q", wanted, excerpt(p.text[p.token.offset:p.token.end]))
}

// excerpt keeps what a message quotes short.
func excerpt(text string) string {
	text = strings.TrimSpace(text)
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return text
}

func (p *exprParser) make(op Op, offset int, args ...*Expr) *Expr {
	if p.count++; p.count > maxExprNodes {
		p.fail(offset, "the expression has more than %d operations", maxExprNodes)
	}
	return &Expr{Op: op, Offset: offset, Args: args, node: p.node}
}

// deeper counts what is in each other; what it gives undoes that.
func (p *exprParser) deeper() func() {
	if p.depth++; p.depth > maxExprDepth {
		p.fail(p.token.offset, "operations in each other go deeper than %d", maxExprDepth)
	}
	return func() { p.depth-- }
}

// expr reads a ternary or anything that binds tighter.
func (p *exprParser) expr() *Expr {
	defer p.deeper()()
	condition := p.binary(levelOr)
	offset := p.token.offset
	if !p.skip("?") {
		return condition
	}
	yes := p.expr()
	p.take(":", `":" and what to take otherwise`)
	return p.make(OpCond, offset, condition, yes, p.expr())
}

// operator is the binary operator that the token is.
func (p *exprParser) operator() binaryOp {
	if p.token.kind != opToken && p.token.kind != nameToken {
		return binaryOp{}
	}
	return binaryOps[p.token.text]
}

// binary reads operators of a level and those that bind tighter.
func (p *exprParser) binary(level int) *Expr {
	left := p.prefix(level)
	for {
		operator, offset := p.operator(), p.token.offset
		if operator.level < level || operator.level == 0 {
			return left
		}
		p.next()
		left = p.make(operator.op, offset, left, p.binary(operator.level+1))
		if operator.level == levelCompare && p.operator().level == levelCompare {
			p.fail(p.token.offset, "comparisons can't be chained; join them by \"and\"")
		}
	}
}

// prefix reads not, signs and ~.
func (p *exprParser) prefix(level int) *Expr {
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

// postfix reads a value with what is asked of it: .name, .name(…), .as<…>, […].
func (p *exprParser) postfix() *Expr {
	e := p.primary()
	for {
		offset := p.token.offset
		switch {
		case p.skip("."):
			e = p.attribute(e)
		case p.skip("["):
			e = p.make(OpIndex, offset, e, p.expr())
			p.take("]", `"]"`)
		default:
			return e
		}
	}
}

func (p *exprParser) attribute(of *Expr) *Expr {
	e := p.make(OpAttr, p.token.offset, of)
	e.Name = p.word("a name")
	switch {
	case e.Name == "as" && p.is("<"):
		e.Op = OpCast
		p.typeArgument(e)
	case p.is("("):
		e.Op, e.Args = OpCall, append(e.Args, p.arguments()...)
	}
	return e
}

// word goes over a name.
func (p *exprParser) word(wanted string) string {
	text := p.token.text
	if p.token.kind != nameToken {
		p.unexpected(wanted)
		return ""
	}
	p.next()
	return text
}

// typeArgument reads <type>.
func (p *exprParser) typeArgument(e *Expr) {
	p.next()
	e.ref = p.typeRef()
	p.take(">", `">"`)
}

// typeRef reads a name of a type, perhaps of an array of it: a::b[].
func (p *exprParser) typeRef() *typeRef {
	ref := &typeRef{name: p.name()}
	if ref.array = p.skip("["); ref.array {
		p.take("]", `"]"`)
	}
	return ref
}

// use reads a name of a type with arguments: a::b(1, c).
func (p *exprParser) use() *Use {
	u := &Use{Form: FormUser, name: p.name()}
	if p.is("(") {
		u.Args = p.arguments()
	}
	return u
}

// process reads the name of a process, with dots, and its arguments.
func (p *exprParser) process() *Process {
	var words []string
	for len(words) == 0 || p.skip(".") {
		if !idPattern.MatchString(p.token.text) {
			p.unexpected("the name of a process")
		}
		words = append(words, p.word("the name of a process"))
	}
	process := &Process{Name: strings.Join(words, ".")}
	if p.is("(") {
		process.Args = p.arguments()
	}
	return process
}

// name reads a::b::c.
func (p *exprParser) name() *name {
	n := &name{offset: p.token.offset, node: p.node, absolute: p.skip("::")}
	n.parts = []string{p.word("a name")}
	for p.skip("::") {
		n.parts = append(n.parts, p.word("a name"))
	}
	return n
}

// arguments reads (a, b).
func (p *exprParser) arguments() []*Expr {
	p.next()
	return p.list(")", false)
}

// list reads expressions up to what closes them; a list may have a comma after the last.
func (p *exprParser) list(closing string, trailing bool) (list []*Expr) {
	if p.skip(closing) {
		return nil
	}
	for p.err == nil {
		list = append(list, p.expr())
		if p.skip(closing) {
			break
		}
		p.take(",", `"," or "`+closing+`"`)
		if trailing && p.skip(closing) {
			break
		}
	}
	return list
}

// primary reads a literal, a name, a list or what is in parentheses.
func (p *exprParser) primary() *Expr {
	t := p.token
	switch {
	case t.kind == intToken, t.kind == floatToken:
		e := p.make(OpInt, t.offset)
		if e.Int, e.Float = t.value, t.float; t.kind == floatToken {
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
		return p.format()
	case p.is("true"), p.is("false"):
		e := p.make(OpBool, t.offset)
		e.Bool = t.text == "true"
		p.next()
		return e
	case t.kind == nameToken && !keywords[t.text], p.is("::"):
		return p.named()
	case p.skip("("):
		e := p.expr()
		p.take(")", `")"`)
		return e
	case p.skip("["):
		return p.make(OpList, t.offset, p.list("]", true)...)
	}
	p.unexpected("a value")
	return p.make(OpInt, t.offset)
}

// format reads f"text {expression} text".
func (p *exprParser) format() *Expr {
	e := p.make(OpFormat, p.token.offset)
	for p.err == nil {
		at := p.token.end
		value, end, err := scanString(p.text, at, `"{`)
		if err == nil && end == len(p.text) {
			err = failAt(e.Offset, `the string that begins here has no closing "`)
		}
		if err != nil {
			p.fail(err.offset, "%s", err.message)
			break
		}
		if value != "" {
			piece := p.make(OpStr, at)
			piece.Str = value
			e.Args = append(e.Args, piece)
		}
		p.token.end = end + 1
		if p.next(); p.text[end] == '"' {
			break
		}
		if e.Args = append(e.Args, p.expr()); !p.is("}") {
			p.unexpected(`"}"`)
		}
	}
	return e
}

// named reads a name, an enum's member or sizeof<…>.
func (p *exprParser) named() *Expr {
	first := p.token
	name := p.name()
	e := p.make(OpName, first.offset)
	e.Name = name.parts[len(name.parts)-1]
	op, sized := map[string]Op{"sizeof": OpSizeOf, "bitsizeof": OpBitSizeOf}[first.text]
	switch {
	case sized && len(name.parts) == 1 && p.is("<"):
		e.Op = op
		p.typeArgument(e)
	case len(name.parts) > 1:
		e.Op, e.name = OpMember, name
	case name.absolute:
		p.fail(first.offset, "the member of an enum should be here: enum::member")
	case specials[e.Name] == NotSpecial && !idPattern.MatchString(e.Name):
		p.fail(first.offset, badID, e.Name, "a field")
	}
	return e
}

// intLiteral is the value of an integer as YAML writes it.
func intLiteral(n *node) (*big.Int, bool) {
	if n.kind != intNode && n.kind != textNode {
		return nil, false
	}
	return new(big.Int).SetString(strings.ReplaceAll(n.text, "_", ""), 0)
}
