package grammar

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
	"cutaway/model"
)

// A Rule is a rule of a field in the words of a description: expressions and texts with expressions.
type Rule struct {
	ID      string
	Kind    model.Kind
	If      string // condition under which the rule applies, or "" for always
	Holds   string // it is the value
	Want    string // expected text with {expressions}, or "" for Holds in words
	Found   string // found text with {expressions}, or "" for the value
	Says    string // the message, with {expressions}
	Soft    string // where a breach is suspicious, whatever Kind is
	Hard    string // where a breach is malformed, whatever Kind is
	Ends    bool   // a breach ends the record
	Element bool   // of each element of a list
	Find    func(s Scope, v Value) (p model.Problem, breach bool)
	Binding *Binding // receives the result of compiling, or nil
}

// Check returns the rule as a check, whose expressions are compiled when the record of its field is built.
func (r Rule) Check() Check {
	code := &ruleCode{Rule: r}
	c := Check{Ends: r.Ends, Find: code.find, bind: code.bind}
	if r.Find == nil {
		c.keeps = code.keeps
	}
	return c
}

// ruleCode is a compiled rule.
type ruleCode struct {
	Rule
	field             *Field
	cond, holds       numCode
	soft, hard        numCode
	placed            bool // the conditions ask for the position, or may
	names             *recordNames
	once              sync.Once // for the texts
	want, found, says message
}

// A Binding records whether a rule that several records share could be compiled in any of these.
type Binding struct {
	Done bool
	Err  error // of the first record where that failed
}

// bind compiles the rule. It returns false where the rule never applies.
func (r *ruleCode) bind(rec *Record, f *Field) (keep bool, err error) {
	r.field = f
	r.placed = asksForPlace(r.If, rec) || asksForPlace(r.Holds, rec)
	names := &recordNames{record: rec, it: f, element: r.Element}
	if r.If != "" {
		code, err := names.code(r.If)
		if err != nil {
			return true, r.wrong(err)
		}
		n, constant := code.constant()
		switch {
		case constant && n == 0:
			return false, nil
		case !constant:
			r.cond = code.number()
		}
	}
	keep, err = r.bindTexts(names)
	elsewhere := err != nil && rec.Elsewhere != nil && r.cond != nil // it is of another type in another case, where If does not hold
	if err != nil {
		err = r.wrong(err)
	}
	if b := r.Binding; b != nil {
		b.Done = b.Done || err == nil
		b.Err = cmp.Or(b.Err, err)
	}
	if elsewhere {
		return false, nil
	}
	return keep, err
}

// bindTexts compiles the condition and the texts of the rule.
func (r *ruleCode) bindTexts(names *recordNames) (keep bool, err error) {
	if r.Find == nil {
		code, err := names.code(r.Holds)
		if err != nil {
			return true, err
		}
		if n, constant := code.constant(); constant && n != 0 {
			return false, nil
		}
		r.holds = code.number()
	}
	for _, where := range []struct {
		text string
		code *numCode
	}{{r.Soft, &r.soft}, {r.Hard, &r.hard}} {
		if where.text == "" {
			continue
		}
		code, err := names.code(where.text)
		if err != nil {
			return true, err
		}
		*where.code = code.number()
	}
	r.names = names
	if r.Binding != nil {
		return true, r.bindMessages()
	}
	return true, nil
}

// bindMessages compiles the texts of the rule, once: when its language is checked, or when it is first broken.
func (r *ruleCode) bindMessages() (err error) {
	r.once.Do(func() {
		r.saySize(r.names.it)
		for _, m := range []struct {
			of   *message
			text string
		}{{&r.want, r.Want}, {&r.found, r.Found}, {&r.says, r.Says}} {
			var failed error
			*m.of, failed = r.names.message(m.text)
			err = errors.Join(err, failed)
		}
	})
	return err
}

// asksForPlace reports whether an expression may ask for the position: it names it, or calls a function, or names an expression.
func asksForPlace(text string, r *Record) bool {
	named := func(word string) bool { return hasWord(text, word) }
	return strings.Contains(text, "(") || slices.ContainsFunc([]string{"room", "left", "pos", "fits", "most"}, named) ||
		slices.ContainsFunc(slices.Collect(maps.Keys(r.Lets)), named)
}

// saySize words what the writer of the rule left to the engine.
func (r *ruleCode) saySize(f *Field) {
	if r.Holds == "fits" && r.Want == "" {
		r.Want = "at most {most}"
	}
	if r.Holds == "fits" && r.Says == "" && f != nil {
		r.Says = f.Name + " claims {it} {things}, but {room} bytes follow"
	}
	if r.Want == "" && r.Holds != "" {
		r.Want = inWords(r.Holds)
	}
}

func (r *ruleCode) wrong(err error) error { return fmt.Errorf("rule %s: %w", r.ID, err) }

// enter sets the rule's value and, for rules about it, the position after that value. It returns the former state.
func (r *ruleCode) enter(s Scope, v Value, placed bool) (was ruled) {
	was = ruled{s.r.item, s.r.ruled, s.r.stream, s.r.pos}
	s.r.item, s.r.ruled = v, r.field
	switch {
	case !placed || r.Element:
	case r.field == nil || s.o.next == r.field.index+1 && !s.o.whole: // it was read last
		s.r.stream, s.r.pos = s.o.stream, s.o.End()
	default:
		if at := s.Span(r.field); at.Source != nil {
			s.r.stream, s.r.pos = s.o.stream, at.End()
		}
	}
	return was
}

// ruled holds the state of a pass that a rule sets.
type ruled struct {
	item   Value
	field  *Field
	stream *Stream
	pos    int64
}

// leave sets what enter returned.
func (u *ruled) leave(r *Reading) {
	r.item, r.ruled, r.stream, r.pos = u.item, u.field, u.stream, u.pos
}

// keeps reports whether a value keeps the rule. A rule that cannot be decided is not broken: what it needs has its own problem.
func (r *ruleCode) keeps(s Scope, v Value) bool {
	if !r.placed && !r.Element && r.field != nil { // it is the field's own value
		return r.isKept(s)
	}
	was := r.enter(s, v, r.placed)
	keeps := r.isKept(s)
	was.leave(s.r)
	return keeps
}

func (r *ruleCode) isKept(s Scope) bool {
	if !r.applies(s) {
		return true
	}
	n, err := r.holds(s)
	return err != nil || n != 0
}

// applies reports whether the rule is one for the record.
func (r *ruleCode) applies(s Scope) bool {
	return r.cond == nil || isTrue(r.cond, s)
}

// isTrue reports whether a condition is true; one that is nil or cannot be computed is not.
func isTrue(condition numCode, s Scope) bool {
	if condition == nil {
		return false
	}
	n, err := condition(s)
	return err == nil && n != 0
}

// find finds the breach of the rule.
func (r *ruleCode) find(s Scope, v Value) (p model.Problem, breach bool) {
	if r.Find == nil && r.keeps(s, v) {
		return p, false
	}
	was := r.enter(s, v, true)
	defer was.leave(s.r)
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
func (r *ruleCode) complete(s Scope, v Value, p *model.Problem) {
	_ = r.bindMessages() // they were compiled when the language was checked
	if p.Rule == "" {
		p.Rule = r.ID
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
		p := messagePart{value: code.value}
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
		b.WriteString(v.written(p.verb))
	}
	return b.String()
}

// written returns the value by a verb: a word counts things, q quotes, others are those of package fmt.
func (v Value) written(verb string) string {
	switch n, isNumber := v.integer(); {
	case verb == "":
		return v.String()
	case verb == "q":
		return fmt.Sprintf("%q", v.String())
	case len(verb) > 1 && verb[0] >= 'a' && verb[0] <= 'z':
		return model.Counted(n, verb)
	case isNumber && v.kind != Float:
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
	code func(r *Record, it *Field) *Code
}

// ruleNames are of a field that counts things: the bytes after it, the fewest bytes of one thing, the most things that the bytes
// hold, and whether they hold as many as it says.
var ruleNames = map[string]ruleName{
	"room": {expr.IntType, func(*Record, *Field) *Code { return ofInt(func(s Scope) (int64, error) { return s.room(), nil }) }},
	"least": {expr.IntType, func(r *Record, it *Field) *Code {
		c := r.counted(it)
		return ofInt(func(s Scope) (int64, error) { return c.leastThing(s), nil })
	}},
	"most": {expr.IntType, func(r *Record, it *Field) *Code {
		c := r.counted(it)
		return ofInt(func(s Scope) (int64, error) { return s.most(c), nil })
	}},
	"fits": {expr.BoolType, func(r *Record, it *Field) *Code {
		c := r.counted(it)
		return ofTruth(func(s Scope) (int64, error) {
			n, ok := s.r.item.integer()
			return truth(!ok || n <= s.most(c)), nil
		})
	}},
	"things": {expr.StrType, func(r *Record, it *Field) *Code {
		c := r.counted(it)
		return Computed(func(s Scope) (Value, error) {
			if n := c.leastThing(s); n > 1 {
				return StringValue(fmt.Sprintf("elements of at least %d bytes", n)), nil
			}
			return StringValue("bytes"), nil
		})
	}},
}

// room returns how many bytes of the record's stream follow where reading is.
func (s Scope) room() int64 { return s.o.stream.Size() - s.Pos() }

// most returns how many things of a field the bytes that follow can hold.
func (s Scope) most(counted *Field) int64 {
	if least := counted.leastThing(s); least > 0 {
		return s.room() / least
	}
	return math.MaxInt64
}

// counted returns the list whose elements a field counts, or nil if it counts bytes.
func (r *Record) counted(by *Field) *Field {
	name := Underscored(by.Name)
	for _, f := range r.Fields {
		if f.Repeat == nil || f.Absent {
			continue
		}
		if e, ok := f.Repeat.Count.(*formula); ok && hasWord(e.text, name) {
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

// leastThing returns the fewest bytes of an element of a list, or 1 for bytes.
func (f *Field) leastThing(s Scope) int64 {
	if f == nil || f.Repeat == nil {
		return 1
	}
	if t, ok := f.Of.(*Switch); ok && t.Once && f.Extent == nil {
		if of, err := t.pick(s); err == nil && of != nil {
			return max(of.least(), 0)
		}
	}
	return f.least
}
