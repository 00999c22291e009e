package lang

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"cutaway/decoders/expr"
	"cutaway/decoders/formula"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// A number is the function of a condition or an integer.
type number = func(s Scope) (int64, error)

// A compiledRule is a rule on one target. Its expressions are compiled when the record of the target is built.
type compiledRule struct {
	*Rule
	id                string // with the language's name
	element           bool   // of each element of a list
	words             *words
	binding           *binding
	field             *grammar.Field
	cond, holds       number
	soft, hard        number
	placed            bool // the conditions ask for the position, or may
	names             *recordNames
	once              sync.Once // for the texts
	want, found, says message
}

// A binding records whether a rule that several records share could be compiled in any of these.
type binding struct {
	done bool
	err  error // of the first record where that failed
}

// check returns the rule as the engine has it.
func (r *compiledRule) check() grammar.Check {
	c := grammar.Check{Ends: r.Stops, Find: r.find, Compile: r.compile}
	if r.Find == nil {
		c.Keeps = r.keeps
	}
	return c
}

// compile compiles the rule. It returns false where the rule never applies.
func (r *compiledRule) compile(rec *grammar.Record, f *grammar.Field) (applies bool, err error) {
	r.field = f
	r.placed = r.words.askForPlace(r.If) || r.words.askForPlace(r.Holds)
	names := &recordNames{record: rec, words: r.words, it: f, element: r.element}
	if r.If != "" {
		code, err := names.code(string(r.If))
		if err != nil {
			return true, r.wrong(err)
		}
		n, constant := code.Constant()
		switch {
		case constant && n == 0:
			return false, nil
		case !constant:
			r.cond = code.Number()
		}
	}
	applies, err = r.compileTexts(names)
	elsewhere := err != nil && r.words.elsewhere != nil && r.cond != nil // it is of another type in another case, where If does not hold
	if err != nil {
		err = r.wrong(err)
	}
	if b := r.binding; b != nil {
		b.done = b.done || err == nil
		b.err = cmp.Or(b.err, err)
	}
	if elsewhere {
		return false, nil
	}
	return applies, err
}

// compileTexts compiles the condition and the texts of the rule.
func (r *compiledRule) compileTexts(names *recordNames) (applies bool, err error) {
	if r.Find == nil {
		code, err := names.code(string(r.Holds))
		if err != nil {
			return true, err
		}
		if n, constant := code.Constant(); constant && n != 0 {
			return false, nil
		}
		r.holds = code.Number()
	}
	for _, where := range []struct {
		text E
		code *number
	}{{r.Soft, &r.soft}, {r.Hard, &r.hard}} {
		if where.text == "" {
			continue
		}
		code, err := names.code(string(where.text))
		if err != nil {
			return true, err
		}
		*where.code = code.Number()
	}
	r.names = names
	if r.binding != nil {
		return true, r.compileMessages()
	}
	return true, nil
}

// compileMessages compiles the texts of the rule, once: when its language is checked, or when it is first broken.
func (r *compiledRule) compileMessages() (err error) {
	r.once.Do(func() {
		want, says := r.wording()
		for _, m := range []struct {
			of   *message
			text string
		}{{&r.want, want}, {&r.found, r.Found}, {&r.says, says}} {
			var failed error
			*m.of, failed = r.names.message(m.text)
			err = errors.Join(err, failed)
		}
	})
	return err
}

// wording returns the expected text and the message, which the engine words where the rule does not.
func (r *compiledRule) wording() (want, says string) {
	want, says = r.Want, r.Says
	if r.Holds == "fits" && want == "" {
		want = "at most {most}"
	}
	if r.Holds == "fits" && says == "" && r.field != nil {
		says = r.field.Name + " claims {it} {things}, but {room} bytes follow"
	}
	if want == "" && r.Holds != "" {
		want = inWords(string(r.Holds))
	}
	return want, says
}

// askForPlace reports whether an expression may ask for the position: it names it, or calls a function, or names an expression.
func (w *words) askForPlace(e E) bool {
	named := func(word string) bool { return hasWord(string(e), word) }
	return strings.Contains(string(e), "(") || slices.ContainsFunc([]string{"room", "left", "pos", "fits", "most"}, named) ||
		slices.ContainsFunc(slices.Collect(maps.Keys(w.lets)), named)
}

func (r *compiledRule) wrong(err error) error { return fmt.Errorf("rule %s: %w", r.id, err) }

// keeps reports whether a value keeps the rule. A rule that cannot be decided is not broken: what it needs has its own problem.
func (r *compiledRule) keeps(s Scope, v Value) bool {
	if !r.placed && !r.element && r.field != nil { // it is the field's own value
		return r.isKept(s)
	}
	was := s.EnterRule(r.field, v, r.placed && !r.element)
	keeps := r.isKept(s)
	s.LeaveRule(&was)
	return keeps
}

func (r *compiledRule) isKept(s Scope) bool {
	if !r.applies(s) {
		return true
	}
	n, err := r.holds(s)
	return err != nil || n != 0
}

// applies reports whether the rule is one for the record.
func (r *compiledRule) applies(s Scope) bool {
	return r.cond == nil || isTrue(r.cond, s)
}

// isTrue reports whether a condition is true; one that is nil or cannot be computed is not.
func isTrue(condition number, s Scope) bool {
	if condition == nil {
		return false
	}
	n, err := condition(s)
	return err == nil && n != 0
}

// find finds the breach of the rule.
func (r *compiledRule) find(s Scope, v Value) (p Problem, breach bool) {
	if r.Find == nil && r.keeps(s, v) {
		return p, false
	}
	was := s.EnterRule(r.field, v, !r.element)
	defer s.LeaveRule(&was)
	if r.Find != nil {
		if !r.applies(s) {
			return p, false
		}
		if p, breach = r.Find(s, v); !breach {
			return p, false
		}
	}
	r.complete(s, v, &p)
	return p, true
}

// complete sets what Go left empty.
func (r *compiledRule) complete(s Scope, v Value, p *Problem) {
	_ = r.compileMessages() // they were compiled when the language was checked
	if p.Rule == "" {
		p.Rule = r.id
	}
	if p.Kind == model.Malformed {
		p.Kind = r.Kind
	}
	if isTrue(r.soft, s) {
		p.Kind = model.Suspicious
	}
	if isTrue(r.hard, s) {
		p.Kind = model.Malformed
	}
	if r.Cut && p.Kind == model.Truncated {
		src := s.Object().Stream().Source
		if p.Because = src.Span(src.Size(), 0); src.Origin() != nil && len(src.Origin().Spans) > 0 {
			p.Because = src.Origin().Spans[0] // it ends since these are damaged
		}
	}
	if p.Message == "" {
		p.Message = r.says.write(s)
	}
	if p.Expected == "" {
		p.Expected = r.want.write(s)
	}
	switch {
	case p.Found != "":
	case r.found != nil:
		p.Found = r.found.write(s)
	case r.Find == nil && p.Expected != "":
		p.Found = v.String()
	}
}

// A message is a text with values of expressions.
type message []messagePart

// A messagePart is text, or a value that is written as verb says.
type messagePart struct {
	text  string
	value func(s Scope) (Value, error)
	verb  string
}

// message compiles a text with expressions in braces.
func (n *recordNames) message(text string) (message, error) {
	if text == "" {
		return nil, nil
	}
	x, failed := expr.ParseFormat(text, expr.BuiltIn, nil)
	if failed != nil {
		return nil, textError(text, failed.Offset, failed.Message)
	}
	var m message
	for _, arg := range x.Args {
		if arg.Op == expr.OpStr {
			m = append(m, messagePart{text: arg.Str})
			continue
		}
		code, err := n.codeOf(text, arg)
		if err != nil {
			return nil, err
		}
		p := messagePart{value: code.Eval}
		if arg.Op == expr.OpShown {
			p.verb = arg.Name
		}
		m = append(m, p)
	}
	return m, nil
}

// write returns the text; a value that cannot be computed is "?".
func (m message) write(s Scope) string {
	var b strings.Builder
	for _, p := range m {
		if p.value == nil {
			b.WriteString(p.text)
			continue
		}
		v, err := p.value(s)
		if err != nil {
			b.WriteString("?")
			continue
		}
		b.WriteString(written(v, p.verb))
	}
	return b.String()
}

// written returns the value by a verb: a word counts things, q quotes, others are those of package fmt.
func written(v Value, verb string) string {
	switch n, isNumber := v.Integer(); {
	case verb == "":
		return v.String()
	case verb == "q":
		return fmt.Sprintf("%q", v.String())
	case len(verb) > 1 && verb[0] >= 'a' && verb[0] <= 'z':
		return model.Counted(n, verb)
	case isNumber && v.Kind() != grammar.Float:
		return fmt.Sprintf("%"+verb, n)
	}
	return fmt.Sprintf("%"+verb, v.String())
}

// comparisons are the words of conditions on the value.
var comparisons = map[expr.Op]string{expr.OpEqual: "", expr.OpUnequal: "not ", expr.OpLess: "below ", expr.OpAtMost: "at most ",
	expr.OpGreater: "more than ", expr.OpAtLeast: "at least ", expr.OpWithin: ""}

// inWords returns the expected value of a condition, or "" unless the condition compares the value alone.
func inWords(holds string) string {
	x, failed := expr.Parse(holds, expr.BuiltIn, nil)
	if failed != nil || len(x.Args) < 2 || x.Args[0].Op != expr.OpName || x.Args[0].Name != "it" {
		return ""
	}
	before, ok := comparisons[x.Op]
	switch {
	case !ok:
		return ""
	case x.Op == expr.OpWithin:
		return comparedWith(x.Args[1], holds[:x.Args[2].Start()]) + " to " + comparedWith(x.Args[2], holds)
	}
	return before + comparedWith(x.Args[1], holds)
}

// comparedWith returns the operand that is the last in a text: a literal as it is, anything else as its value.
func comparedWith(x *expr.Expr, in string) string {
	if x.Op == expr.OpStr {
		return x.Str
	}
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(in[x.Start():]), ".."))
	if x.Op == expr.OpInt {
		return text
	}
	return "{" + text + "}"
}

// ruleName is a name that only rules have.
type ruleName struct {
	of   *expr.Type
	code func(n *recordNames) *grammar.Code
}

// ruleNames are of a field that counts things: the bytes after it, the fewest bytes of one thing, the most things that the bytes
// hold, and whether they hold as many as it says.
var ruleNames = map[string]ruleName{
	"room": {expr.IntType, func(*recordNames) *grammar.Code {
		return grammar.IntCode(func(s Scope) (int64, error) { return room(s), nil })
	}},
	"least": {expr.IntType, func(n *recordNames) *grammar.Code {
		list := n.counted()
		return grammar.IntCode(func(s Scope) (int64, error) { return list.LeastElement(s), nil })
	}},
	"most": {expr.IntType, func(n *recordNames) *grammar.Code {
		list := n.counted()
		return grammar.IntCode(func(s Scope) (int64, error) { return most(s, list), nil })
	}},
	"fits": {expr.BoolType, func(n *recordNames) *grammar.Code {
		list := n.counted()
		return grammar.BoolCode(func(s Scope) (int64, error) {
			n, ok := s.Item().Integer()
			return formula.Truth(!ok || n <= most(s, list)), nil
		})
	}},
	"things": {expr.StrType, func(n *recordNames) *grammar.Code {
		list := n.counted()
		return grammar.Computed(func(s Scope) (Value, error) {
			if n := list.LeastElement(s); n > 1 {
				return grammar.StringValue(fmt.Sprintf("elements of at least %d bytes", n)), nil
			}
			return grammar.StringValue("bytes"), nil
		})
	}},
}

// room returns how many bytes of the record's stream follow where reading is.
func room(s Scope) int64 { return s.Object().Stream().Size() - s.Pos() }

// most returns how many elements of a list, or bytes, the bytes that follow can hold.
func most(s Scope, list *grammar.Field) int64 {
	if least := list.LeastElement(s); least > 0 {
		return room(s) / least
	}
	return math.MaxInt64
}

// counted returns the list whose elements the rule's field counts, or nil if it counts bytes.
func (n *recordNames) counted() *grammar.Field {
	name := Underscored(n.it.Name)
	for _, f := range n.record.Fields {
		if f.Repeat != nil && !f.Absent && hasWord(string(origin(f).times), name) {
			return f
		}
	}
	return nil
}

// hasWord reports whether a name is in the text of an expression.
func hasWord(text, name string) bool {
	inside := func(c byte) bool { return c == '_' || c == '.' || c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'z' }
	for at := 0; ; at++ {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		if (at == 0 || !inside(text[at-1]) || strings.HasSuffix(text[:at], "..")) && (end == len(text) || !inside(text[end])) {
			return true
		}
	}
}
