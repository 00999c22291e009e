package usdatext

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// A parser makes values of tokens.
type parser struct {
	lexer
	l       *layer
	spec    int32          // the spec of the statement
	problem *model.Problem // the first one
}

func (l *layer) parser(ctx context.Context, off, end int64, w *textWindow) *parser {
	p := &parser{lexer: *newLexer(ctx, l.src, off, end, w), l: l}
	p.next()
	return p
}

// fail notes a problem at the next token, unless one is noted. It returns false.
func (p *parser) fail(want string) bool {
	if p.problem == nil {
		p.failAt(p.tok, want, p.found())
	}
	return false
}

// failAt notes a problem at a token, unless one is noted.
func (p *parser) failAt(t token, want, found string) {
	if p.problem == nil {
		line, column := p.l.index.place(p.ctx, p.src, t.off)
		at := p.src.Span(min(t.off, p.src.Size()), t.len)
		e := model.Problemf(model.Malformed, ruleValue, at, "line %d, column %d: USD takes no such value", line, column).Want(want, found)
		p.problem = &e
	}
}

// strayed notes that the next token is not on the line of its statement.
func (p *parser) strayed() { p.fail("it on the line before") }

// done gives n the span from off to the previous token, and the noted problem.
func (p *parser) done(n model.Node, off int64) model.Node {
	n.Spans = []model.Span{p.src.Span(off, max(p.before-off, 0))}
	if p.problem != nil {
		n.Problems = append(n.Problems, *p.problem)
		p.problem = nil
	}
	if cut := p.cut; cut != nil && cut.off >= off && cut.off < p.before {
		p.cut = nil
		n.Problems = append(n.Problems, model.Problemf(model.Limit, ruleLimit, p.src.Span(cut.off, cut.len),
			"only the beginning is taken of a text, which is as much as memory allows; --max-memory raises it").
			Want(fmt.Sprintf("at most %d bytes", maxToken()), cut.len))
	}
	return n
}

// attributeValue reads a value of an attribute of type typ: its default, or that of a sample.
func (p *parser) attributeValue(name, typ string) model.Node {
	off := p.tok.off
	n := model.Node{Name: name}
	element, isArray := strings.CutSuffix(typ, "[]")
	t, known := usda.TypeOf(element)
	switch {
	case p.nextIs("None"):
		p.next()
		n.Type, n.Value = "ValueBlock", model.None{}
	case p.nextIs("AnimationBlock"):
		if name == sampleValue {
			p.fail("a value, or None")
		}
		p.next()
		n.Type, n.Value = "AnimationBlock", model.Symbol{Name: "AnimationBlock"}
	case p.nextIs("edit") && isArray && known:
		n.Type = t.Name + "[] edit"
		p.edit(&n, t)
	case p.nextIs("edit"):
		p.fail("a value: only arrays of known types are edited")
		p.next()
		p.skipValue()
	case p.nextIs("{"):
		p.fail("a value of an attribute")
		p.skipValue()
	default:
		return p.value(name, typ)
	}
	return p.done(n, off)
}

// value reads a value of type typ: of an attribute, of metadata, or of an entry of a dictionary.
func (p *parser) value(name, typ string) model.Node {
	off := p.tok.off
	element, isArray := strings.CutSuffix(typ, "[]")
	t, known := usda.TypeOf(element)
	n := model.Node{Name: name, Type: typ}
	switch {
	case p.tok.kind == usda.PathRef:
		n.Type, n.Value = "Path", p.pathValue()
	case isEmptyType(typ):
		p.fail("None: the type has no values")
		p.skipValue()
	case !known:
		return p.unregistered(name)
	case isArray:
		n.Type = t.Name + "[]"
		p.array(&n, t)
	default:
		n.Type = t.Name
		n.Value = p.components(t)
		if s, ok := n.Value.(model.Text); ok && element == "pathExpression" {
			if _, want, ok := usda.CheckPathExpression(string(s)); !ok {
				p.fail("a path expression; in it " + want)
			}
		}
	}
	return p.done(n, off)
}

// isEmptyType reports whether a type has no values.
func isEmptyType(typ string) bool { return typ == "opaque" || typ == "group" }

// pathValue reads a path, which is not resolved.
func (p *parser) pathValue() model.Text {
	path := string(p.text[1 : len(p.text)-1])
	if !usda.IsPathValue(path) {
		p.fail("a path, or none")
	}
	p.next()
	return model.Text(path)
}

// components reads one value of a type. It returns nil if it fails.
func (p *parser) components(t usda.Type) model.Value {
	if t.Count == 1 {
		return p.atom(t.Scalar)
	}
	row := t.Count
	if t.Rows > 0 {
		row = t.Rows
	}
	return p.tuple(t, row, t.Rows > 0)
}

func (p *parser) tuple(t usda.Type, n int, rows bool) model.Value {
	if !p.accept("(") {
		p.fail("(")
		p.skipValue()
		return nil
	}
	all := make(model.Tuple, 0, n)
	for i := range n {
		var v model.Value
		if rows {
			v = p.tuple(t, n, false)
		} else {
			v = p.atom(t.Scalar)
		}
		if v == nil {
			return nil
		}
		all = append(all, v)
		if comma := p.comma(); !comma && i+1 < n {
			p.fail(", and " + strconv.Itoa(n) + " components")
			return nil
		}
	}
	if !p.accept(")") {
		p.fail(")")
		return nil
	}
	return all
}

// skipValue consumes a token or a group that is no value.
func (p *parser) skipValue() {
	if p.nextIs("(") || p.nextIs("[") || p.nextIs("{") {
		p.skipGroup(nil)
	} else if p.tok.kind != usda.End {
		p.next()
	}
}

// comma consumes a comma on the line of the previous token, and reports whether it was one.
func (p *parser) comma() bool { return !p.tok.newLine && p.accept(",") }

// asset returns the asset path of the next token.
func (p *parser) asset() model.Text {
	s := string(p.text)
	if p.tok.kind == usda.String {
		s = usda.Unquote(s)
	} else {
		s = usda.UnquoteAsset(s)
	}
	if !usda.IsAssetPath(s) {
		p.fail("an asset path without control characters")
	}
	return model.Text(s)
}

// atom reads one component. It returns nil if it fails.
func (p *parser) atom(s usda.Scalar) model.Value {
	text := string(p.text)
	v := model.Value(nil)
	switch {
	case s == usda.Text && p.tok.kind == usda.String:
		v = model.Text(usda.Unquote(text))
	case s == usda.AssetPath && (p.tok.kind == usda.Asset || p.tok.kind == usda.String):
		v = p.asset()
	case s == usda.Bool:
		v = boolOf(p.tok.kind, text)
	case s < usda.Text && (p.tok.kind == usda.Number || p.tok.kind == usda.Word):
		v = numberOf(s, text)
	}
	if v == nil {
		p.fail(scalarNames[s])
		p.skipValue()
		return nil
	}
	p.next()
	return v
}

var scalarNames = [...]string{usda.Bool: "a bool", usda.UChar: "a uchar", usda.Int: "an int", usda.UInt: "a uint", usda.Int64: "an int64",
	usda.UInt64: "a uint64", usda.Half: "a half", usda.Float: "a float", usda.Double: "a double", usda.Text: "a string in quotes",
	usda.AssetPath: "an asset path between @"}

func boolOf(kind usda.Token, text string) model.Value {
	if kind == usda.String {
		text = usda.Unquote(text)
	}
	switch strings.ToLower(text) {
	case "true", "yes":
		return model.Bool(true)
	case "false", "no":
		return model.Bool(false)
	}
	f, ok := floatOf(text)
	if !ok || kind == usda.String && text != "0" && text != "1" {
		return nil
	}
	return model.Bool(f != 0)
}

// floatOf parses a number in the syntax of USD text: no plus sign, no underscores, inf and nan in lower case. One that
// is too large is infinite.
func floatOf(text string) (float64, bool) {
	if begin := strings.TrimPrefix(text, "-"); begin == "" || begin[0]|0x20 >= 'a' && begin != "inf" && begin != "nan" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, (err == nil || math.IsInf(f, 0)) && text[0] != '+' && strings.IndexByte(text, '_') < 0
}

// numberOf parses a number of kind s, or returns nil if s has no such number.
func numberOf(s usda.Scalar, text string) model.Value {
	f, ok := floatOf(text)
	if !ok {
		return nil
	}
	switch s {
	case usda.Half:
		return model.HalfOf(f)
	case usda.Float:
		return model.Float32(f)
	case usda.Double:
		return model.Float64(f)
	}
	bits := map[usda.Scalar]int{usda.UChar: 8, usda.Int: 32, usda.UInt: 32, usda.Int64: 64, usda.UInt64: 64}[s]
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	whole := text
	if strings.ContainsAny(text, ".eE") { // a reader cuts off what is after the point
		whole = strconv.FormatFloat(math.Trunc(f), 'f', 0, 64)
	}
	if s == usda.Int || s == usda.Int64 {
		if i, err := strconv.ParseInt(whole, 10, bits); err == nil {
			return model.Int(i)
		}
		return nil
	}
	if f == 0 || f > -1 && f < 0 { // -0 and fractions truncate to zero
		whole = "0"
	}
	if u, err := strconv.ParseUint(whole, 10, bits); err == nil {
		return model.Uint(u)
	}
	return nil
}

// A textArray is an array whose elements are parsed on demand.
type textArray struct {
	model.ArrayBase
	l     *layer
	t     usda.Type
	off   int64 // of the opening bracket
	index arrayIndex
}

var _ model.Located = (*textArray)(nil)

func (a *textArray) Elem() string { return a.t.Name }

func (a *textArray) Len() int64 { return a.index.count }

func (a *textArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	n := 0
	err := a.each(ctx, first, func(p *parser) int64 {
		if n == len(dst) {
			return 0
		}
		v := p.components(a.t)
		if v == nil {
			return 0
		}
		dst[n] = v
		n++
		return 1
	})
	return n, err
}

func (a *textArray) At(ctx context.Context, i int64) (at model.Span) {
	_ = a.each(ctx, i, func(p *parser) int64 {
		off := p.tok.off
		p.components(a.t)
		n := p.done(model.Node{}, off)
		at = n.Span()
		return 0
	})
	return at
}

// each calls f at each element from first on. f returns the number of elements that it consumed, or 0 to stop.
func (a *textArray) each(ctx context.Context, first int64, f func(p *parser) (over int64)) error {
	if first >= a.index.count {
		return nil
	}
	mark := first / markEvery
	p := a.l.parser(ctx, a.index.marks[mark], a.index.end, nil)
	for i := mark * markEvery; i < a.index.count; {
		if i&markEvery-1 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		over := int64(1)
		if i < first {
			p.skipValue()
		} else if over = f(p); over == 0 {
			break
		}
		if i += over; !p.comma() && i < a.index.count {
			p.fail(", or ]")
			break
		}
	}
	if p.problem != nil {
		return *p.problem
	}
	return p.err
}

// known skips an array that the scan indexed, and returns its index.
func (p *parser) known() (a arrayIndex, ok bool) {
	off := p.tok.off
	if a, ok = p.l.index.arrays[off]; !ok {
		return a, false
	}
	p.pos, p.tok.len = a.end, a.end-off
	p.next()
	p.line.open-- // the first bracket was counted, the closing one skipped
	return a, true
}

// check parses every element, unless the scan found them valid.
func (a *textArray) check(ctx context.Context) error {
	if a.index.sound == a.t {
		return nil
	}
	e, last := elementOf(a.t), (*parser)(nil)
	err := a.each(ctx, 0, func(p *parser) int64 {
		last = p
		over := p.sweep(e, &arrayIndex{})
		if over > 0 && p.nextIs("]") {
			return over
		}
		if p.components(a.t) == nil {
			return 0
		}
		return over + 1
	})
	if err == nil && last != nil && !last.nextIs("]") {
		last.fail(", or ]")
		return *last.problem
	}
	return err
}

// array reads an array, or skips it if the scan indexed it.
func (p *parser) array(n *model.Node, t usda.Type) {
	off := p.tok.off
	if !p.nextIs("[") {
		p.fail("[")
		p.skipValue()
		return
	}
	a := &textArray{l: p.l, t: t, off: off}
	if known, ok := p.known(); ok {
		a.index = known
	} else {
		p.next()
		for !p.accept("]") {
			begin := p.tok.off
			if p.components(t) == nil || p.tok.kind == usda.End {
				break
			}
			a.index.add(begin)
			if !p.comma() && !p.nextIs("]") {
				p.fail(", or ]")
				break
			}
		}
		a.index.end = p.before
	}
	n.Value = a
	n.Elements = true
	n.Children = &model.Rows{Count: a.index.count, Make: func(ctx context.Context, i int64) model.Node {
		e := model.Node{Name: model.IndexName(i), Type: t.Name}
		_ = a.each(ctx, i, func(p *parser) int64 {
			off := p.tok.off
			e.Value = p.components(t)
			e = p.done(e, off)
			return 0
		})
		return e
	}}
}

// unregistered reads the value of a metadata field that no schema defines: its words, or a dictionary.
func (p *parser) unregistered(name string) model.Node {
	off := p.tok.off
	n := model.Node{Name: name, Type: "UnregisteredValue: string"}
	if p.nextIs("{") {
		n.Type = "UnregisteredValue: dictionary"
		p.dictionary(&n, "")
		return p.done(n, off)
	}
	n.Value = model.Text(p.words())
	return p.done(n, off)
}

// words returns the text of a value that no schema defines.
func (p *parser) words() string { return usda.ReadWords(wordReader{p}) }

// A wordReader adapts a parser to usda.ReadWords.
type wordReader struct{ *parser }

var _ usda.Reader = wordReader{}

func (r wordReader) Token() (usda.Token, []byte) { return r.tok.kind, r.text }

func (r wordReader) Next() { r.next() }

func (r wordReader) Fail(want string) { r.fail(want) }

func (r wordReader) Skip() { r.skipValue() }

// dictionary reads a dictionary. If only is not "", it is the type of all entries.
func (p *parser) dictionary(n *model.Node, only string) {
	if !p.accept("{") {
		p.fail("{")
		p.skipValue()
		return
	}
	var list []model.Node
	at := map[string]int{}
	for !p.accept("}") {
		if p.tok.kind == usda.End {
			p.fail("}")
			break
		}
		around := p.begin(p.strayed)
		e, ok := p.entry(only)
		p.goOn(around)
		if ok && !p.isSeparated("}") {
			p.fail("the end of the line, ; or }")
		}
		if !ok {
			p.skipValue()
			continue
		}
		if i, again := at[e.Name]; again {
			list[i] = e
			continue
		}
		at[e.Name] = len(list)
		list = append(list, e)
	}
	listed(n, list)
}

func listed(n *model.Node, entries []model.Node) {
	n.Brief = plural(int64(len(entries)), "entry", "entries")
	if len(entries) > 0 {
		n.Children = model.NewList(entries...)
	}
}

func (p *parser) entry(only string) (model.Node, bool) {
	off := p.tok.off
	typ := p.entryType(only)
	if typ == "" || !p.isApart() || !p.isIdentifier() && p.tok.kind != usda.String {
		return model.Node{}, p.fail("a type and a name; one with a namespace in quotes")
	}
	name := p.entryName()
	if !p.accept("=") {
		return model.Node{}, p.fail("=")
	}
	var n model.Node
	if element := strings.TrimSuffix(typ, "[]"); typ == "dictionary" {
		n = model.Node{Name: name, Type: typ}
		p.dictionary(&n, "")
	} else if _, known := usda.TypeOf(element); known || isEmptyType(typ) {
		at := p.tok
		n = p.value(name, typ)
		if variant, isText := n.Value.(model.Text); only != "" && isText && !usda.IsSelection(string(variant)) {
			p.failAt(at, "the name of a variant, none, or an expression between `", model.Show(p.ctx, variant, 40))
		}
	} else {
		p.fail("a type of values")
		p.skipValue()
		n = model.Node{Name: name, Type: typ}
	}
	n = p.done(n, off)
	return n, true
}

// entryType consumes and returns the type of an entry. If only is not "", it is the one that is accepted.
func (p *parser) entryType(only string) string {
	if only != "" && !p.nextIs(only) {
		p.fail("an entry of type " + only)
	}
	typ := p.word()
	if !p.accept("[") {
		return typ
	}
	if p.tok.newLine || !p.accept("]") {
		p.fail("]")
	}
	if only != "" {
		p.fail("no array")
	}
	return typ + "[]"
}

// entryName consumes and returns the name of an entry.
func (p *parser) entryName() string {
	name := string(p.text)
	if p.tok.kind == usda.String {
		name = usda.Unquote(name)
	}
	p.next()
	return name
}

// substitutions reads a dictionary of quoted strings, which has no types.
func (p *parser) substitutions(n *model.Node) {
	if !p.accept("{") {
		p.fail("{")
	}
	var list []model.Node
	for p.tok.kind == usda.String {
		around := p.begin(p.strayed)
		off, name := p.tok.off, p.entryName()
		if !p.accept(":") {
			p.fail(":")
			break
		}
		n := model.Node{Name: name, Type: "string", Value: p.atom(usda.Text)}
		p.goOn(around)
		list = append(list, p.done(n, off))
		if !p.comma() {
			break
		}
	}
	if !p.accept("}") {
		p.fail("a string in quotes, or }")
		p.skipValue()
	}
	listed(n, list)
}

func plural(n int64, singular, more string) string {
	if n == 1 {
		return "1 " + singular
	}
	return strconv.FormatInt(n, 10) + " " + more
}
