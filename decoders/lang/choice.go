package lang

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
)

// knownTag is a value that is known of a field or parameter where a record is read: of the one that chose its case.
type knownTag struct {
	name  string
	param bool
	value Value
}

// A choice makes one record for each case of a Then. If one byte or one parameter chooses, it makes one for each value that a file
// has, where conditions on that value are decided.
type choice struct {
	*program
	record  *Record
	title   string
	fields  []*Field // of the record, the choice included
	at      int      // index of the choice in fields
	tags    []*knownTag
	key     *grammar.Field // the byte that chooses, or nil
	param   int            // the parameter that chooses, or -1
	keyName string
	alone   bool                             // nothing but the byte chooses
	cases   []atomic.Pointer[grammar.Record] // those for numbers that are no byte
	byByte  [256]atomic.Pointer[grammar.Record]
	made    [256]atomic.Pointer[[]atomic.Pointer[grammar.Record]]
}

// choice lowers the Then with index at.
func (c *lowering) choice(title string, fields []*Field, at int, tags []*knownTag) *grammar.Choice {
	x := &choice{program: c.program, record: c.record, title: title, fields: fields, at: at, tags: tags, param: -1}
	prefix := fields[:at]
	named, err := x.named()
	if err != nil {
		c.fail("", "%w", err)
		return nil
	}
	last := 0
	for i, f := range prefix {
		if slices.Contains(named, f.Name) {
			last = i + 1
		}
	}
	decides := slices.DeleteFunc(slices.Clone(prefix), func(f *Field) bool { return f.kind != letField && slices.Index(prefix, f) >= last })
	out := &grammar.Choice{Tag: &grammar.Record{}, Common: &grammar.Record{}, Pick: x.pick}
	tag := &lowering{program: c.program, record: c.record, bare: true}
	c.errs = append(c.errs, tag.fill(out.Tag, title, decides, tags))
	out.On = tag.expression(fields[at].on)
	c.errs = append(c.errs, (&lowering{program: c.program, record: c.record}).fill(out.Common, title, prefix, tags))
	x.setKey(named, out.Tag)
	x.cases = make([]atomic.Pointer[grammar.Record], x.count())
	for i := range x.cases { // without rules these have the fewest bytes alone: pick makes the records that a file has
		k := &grammar.Record{}
		c.errs = append(c.errs, x.fill(k, i, x.number(i), tags, c.checks == nil))
		out.Cases = append(out.Cases, k)
	}
	if x.key != nil && x.isAlone() {
		x.alone = true
		out.ByByte = func(b byte) *grammar.Record { return x.byByte[b].Load() }
		out.Key = x.key
	}
	return out
}

// isAlone reports whether the number of the choice depends on nothing but the byte, tables and what the document knows.
func (x *choice) isAlone() bool {
	tree, failed := expr.Parse(string(x.fields[x.at].on), expr.BuiltIn, nil)
	if failed != nil {
		return false
	}
	index := x.language.index
	alone := true
	var walk func(e *expr.Expr)
	walk = func(e *expr.Expr) {
		switch words := e.Dotted(); {
		case words != nil:
			name := strings.Join(words, ".")
			alone = alone && (words[0] == Underscored(x.keyName) || index.tables[words[0]] != nil || index.known[name] != nil)
			return
		case e.Op == expr.OpFunc:
			alone = false
		}
		for _, a := range e.Args {
			walk(a)
		}
	}
	walk(tree)
	return alone
}

// named returns the names that the number of the choice is computed of: fields and parameters of the record.
func (x *choice) named() (names []string, err error) {
	lets := map[string]E{}
	for _, f := range x.fields[:x.at] {
		if f.kind == letField {
			lets[f.Name] = f.value
		}
	}
	var add func(e E) error
	add = func(e E) error {
		words, err := namesIn(e)
		for _, w := range words {
			if of, ok := lets[w]; ok {
				delete(lets, w)
				err = add(of)
			} else if i := slices.IndexFunc(x.fields[:x.at], func(f *Field) bool { return Underscored(f.Name) == w }); i >= 0 {
				names = append(names, x.fields[i].Name)
			} else if slices.Contains(x.record.Params, w) {
				names = append(names, w)
			}
			if err != nil {
				return err
			}
		}
		return err
	}
	err = add(x.fields[x.at].on)
	slices.Sort(names)
	return slices.Compact(names), err
}

// setKey finds out whether one byte or one parameter chooses.
func (x *choice) setKey(named []string, tag *grammar.Record) {
	if len(named) != 1 {
		return
	}
	x.keyName = named[0]
	if x.param = slices.Index(x.record.Params, named[0]); x.param >= 0 {
		return
	}
	for i, f := range tag.Fields {
		if scalar, ok := f.Of.(*grammar.Scalar); f.Name == named[0] && ok && scalar.IsByte() && f.Condition == nil && f.Repeat == nil {
			x.key = tag.Fields[i]
		}
	}
}

// count returns the number of cases, with one for all other numbers.
func (x *choice) count() int {
	cases := x.fields[x.at].cases
	if slices.ContainsFunc(cases, func(k Case) bool { return k.Else }) {
		return len(cases)
	}
	return len(cases) + 1
}

// number returns a number of case i; of that of all others it is none.
func (x *choice) number(i int) int64 {
	if cases := x.fields[x.at].cases; i < len(cases) && !cases[i].Else {
		return cases[i].N
	}
	return -1
}

// caseOf returns the case of a number.
func (x *choice) caseOf(on int64) int {
	other := len(x.fields[x.at].cases)
	for i, k := range x.fields[x.at].cases {
		switch {
		case k.Else:
			other = i
		case k.N == on:
			return i
		}
	}
	return other
}

// fill sets the fields of case i: those before the choice, those of the case, those after it.
func (x *choice) fill(out *grammar.Record, i int, on int64, tags []*knownTag, bare bool) error {
	fields := slices.Clone(x.fields[:x.at])
	if cases := x.fields[x.at].cases; i < len(cases) {
		fields = append(fields, cases[i].Fields...)
	}
	title := x.title
	if name := x.fields[x.at].titles; name != "" {
		t := x.language.index.tables[name]
		if t == nil {
			return fmt.Errorf("record %s: no table %q", x.record.Name, name)
		}
		if label := t.Label(on); label != "" {
			title = label
		}
	}
	c := &lowering{program: x.program, record: x.record, bare: bare}
	return c.fill(out, title, append(fields, x.fields[x.at+1:]...), tags)
}

// pick returns the record for a number.
func (x *choice) pick(s Scope, on int64) *grammar.Record {
	i := x.caseOf(on)
	key := int64(-1)
	switch {
	case x.key != nil:
		key = s.Int(x.key)
	case x.param >= 0:
		if n, ok := s.Object().Arg(x.param).Int(); ok {
			key = n
		}
	}
	if key < 0 || key > 255 {
		return x.caseRecord(i)
	}
	cells := x.made[key].Load()
	if cells == nil {
		fresh := make([]atomic.Pointer[grammar.Record], len(x.cases))
		x.made[key].CompareAndSwap(nil, &fresh)
		cells = x.made[key].Load()
	}
	if r := (*cells)[i].Load(); r != nil {
		return r
	}
	made := x.make(i, on, append(slices.Clone(x.tags), &knownTag{x.keyName, x.param >= 0, grammar.IntValue(key)}))
	if made == nil {
		made = x.caseRecord(i) // what is wrong only with one value known is no reason to read nothing
	}
	(*cells)[i].CompareAndSwap(nil, made)
	r := (*cells)[i].Load()
	if x.alone {
		x.byByte[key].Store(r)
	}
	return r
}

// caseRecord returns the record of case i for any number.
func (x *choice) caseRecord(i int) *grammar.Record {
	if x.cases[i].Load() == nil {
		x.cases[i].CompareAndSwap(nil, x.make(i, x.number(i), x.tags))
	}
	return x.cases[i].Load()
}

// make makes the record of case i where some values are known, or nil if it cannot be built.
func (x *choice) make(i int, on int64, tags []*knownTag) *grammar.Record {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := &grammar.Record{}
	if x.fill(out, i, on, tags, false) != nil || out.Build() != nil {
		return nil
	}
	return out
}

// namesIn returns the first words of the names in an expression.
func namesIn(e E) (names []string, err error) {
	x, failed := expr.Parse(string(e), expr.BuiltIn, nil)
	if failed != nil {
		return nil, fmt.Errorf("in %q at %d: %s", e, failed.Offset+1, failed.Message)
	}
	var walk func(x *expr.Expr)
	walk = func(x *expr.Expr) {
		if x.Op == expr.OpName {
			names = append(names, x.Name)
		}
		for _, a := range x.Args {
			walk(a)
		}
	}
	walk(x)
	return names, nil
}

// mentions reports whether an expression has one of some names.
func mentions(e E, words ...string) bool {
	names, err := namesIn(e)
	return err == nil && slices.ContainsFunc(names, func(n string) bool { return slices.Contains(words, n) })
}
