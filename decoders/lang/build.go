package lang

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
)

// index finds what a language has by name.
type index struct {
	records map[string]*Record
	known   map[string]*Known
	funcs   map[string]*Func
	tables  map[string]*Table
	entries map[string]*Entries
	on      map[string][]target // what rules and looks are on
}

// Build parses all expressions of the language and resolves their names. It returns all mistakes, and the same ones when it is called
// again.
func (l *Language) Build() error {
	l.build.Do(func() {
		if l.err = l.prepare(); l.err == nil {
			l.err = errors.Join(l.check(), l.checkPlaces())
		}
	})
	if l.err != nil {
		return fmt.Errorf("language %s: %w", l.Name, l.err)
	}
	return nil
}

// prepare lists what the language names. It returns what has no name or one twice.
func (l *Language) prepare() error {
	l.named.Do(func() {
		if l.misnamed = l.makeIndex(); l.misnamed == nil && len(l.Known) == 0 {
			l.fixed = l.program(nil)
		}
	})
	return l.misnamed
}

// For returns the plan of a document. Its records are parsed when they are asked for: opening a file costs those that it has.
// A record that cannot be built panics there; a test of its package finds that by Build.
func (l *Language) For(doc any) *Plan {
	if err := l.prepare(); err != nil {
		panic(err)
	}
	return l.plan(doc)
}

// Plan is For of a language that a file describes: it returns all mistakes.
func (l *Language) Plan(doc any) (*Plan, error) {
	if err := l.Build(); err != nil {
		return nil, err
	}
	return l.plan(doc), nil
}

func (l *Language) plan(doc any) *Plan {
	if l.fixed != nil {
		return &Plan{l.fixed, doc}
	}
	return &Plan{l.program(doc), doc}
}

func (l *Language) program(doc any) *program {
	return &program{language: l, records: map[string]*grammar.Record{}, doc: doc}
}

// maxShared is the number of plans that documents share.
const maxShared = 32

// Shared is For of a document whose Known values can be asked for now. Documents with equal values share their records, so
// that opening many small files does not make them anew.
func (l *Language) Shared(doc any) *Plan {
	if err := l.prepare(); err != nil {
		panic(err)
	}
	known := make(map[string]int64, len(l.Known))
	for i := range l.Known {
		known[l.Known[i].Name] = l.Known[i].of(doc)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.shared {
		if maps.Equal(p.known, known) {
			return &Plan{p, doc}
		}
	}
	p := l.program(nil)
	p.known = known
	if len(l.shared) == maxShared {
		l.shared = l.shared[1:]
	}
	l.shared = append(l.shared, p)
	return &Plan{p, doc}
}

// makeIndex finds what is named twice.
func (l *Language) makeIndex() error {
	x := &index{map[string]*Record{}, map[string]*Known{}, map[string]*Func{}, map[string]*Table{}, map[string]*Entries{}, map[string][]target{}}
	l.index = x
	var errs []error
	for _, r := range l.Records {
		errs = append(errs, add(x.records, "record", r.Name, r))
	}
	for i := range l.Known {
		errs = append(errs, add(x.known, "known value", l.Known[i].Name, &l.Known[i]))
	}
	for i := range l.Funcs {
		errs = append(errs, add(x.funcs, "function", l.Funcs[i].Name, &l.Funcs[i]))
	}
	for _, t := range l.Tables {
		errs = append(errs, add(x.tables, "table", t.Name, t))
	}
	for i := range l.Entries {
		errs = append(errs, add(x.entries, "list of entries", l.Entries[i].Name, &l.Entries[i]))
	}
	for i := range l.Rules {
		if on := l.Rules[i].On; on != "" {
			x.on[on] = targets(on)
		}
	}
	for i := range l.Looks {
		x.on[l.Looks[i].On] = targets(l.Looks[i].On)
	}
	return errors.Join(errs...)
}

func add[T any](to map[string]T, what, name string, of T) error {
	if _, twice := to[name]; twice {
		return fmt.Errorf("two of the kind %s are named %q", what, name)
	}
	to[name] = of
	return nil
}

// checkPlaces finds rules, looks and entries whose records or fields do not exist, and links to no entries.
func (l *Language) checkPlaces() error {
	var errs []error
	check := func(what, on string) {
		for _, p := range targets(on) {
			if err := l.checkPlace(p); err != nil {
				errs = append(errs, fmt.Errorf("%s on %s: %w", what, on, err))
			}
		}
	}
	for i := range l.Rules {
		if l.Rules[i].On != "" {
			check("rule "+l.Rules[i].ID, l.Rules[i].On)
		}
		errs = append(errs, l.Rules[i].check())
	}
	for i := range l.Looks {
		check("look", l.Looks[i].On)
	}
	for i := range l.Entries {
		if list := l.Entries[i].List; list != "" {
			check("entries "+l.Entries[i].Name, list)
		}
	}
	for _, r := range l.Records {
		r.each(func(f *Field) {
			if f.entries != "" && l.index.entries[f.entries] == nil {
				errs = append(errs, fmt.Errorf("record %s, field %q: no entries %q", r.Name, f.Name, f.entries))
			}
		})
	}
	return errors.Join(errs...)
}

// check finds a rule without a condition, and one that cannot end a record.
func (r *Rule) check() error {
	switch isChecked := r.Holds != "" || r.Find != nil; {
	case !isChecked && (r.On != "" || r.Help == ""), isChecked && r.On == "":
		return fmt.Errorf("rule %s: it says nothing", r.ID)
	case r.Stops && slices.ContainsFunc(targets(r.On), func(p target) bool { return p.whole || p.element }):
		return fmt.Errorf("rule %s: only the rule of a field can end a record", r.ID)
	}
	return nil
}

func (l *Language) checkPlace(p target) error {
	r := l.index.records[p.record]
	if r == nil {
		return fmt.Errorf("no record %q", p.record)
	}
	found := p.whole
	r.each(func(f *Field) { found = found || f.kind != choiceField && p.isField(r.Name, f.Name) })
	if !found {
		return fmt.Errorf("%s has no field %q", p.record, p.field)
	}
	return nil
}

// each visits all fields of the record, those of cases included.
func (r *Record) each(visit func(f *Field)) {
	var all func(fields []*Field)
	all = func(fields []*Field) {
		for _, f := range fields {
			visit(f)
			for _, k := range f.cases {
				all(k.Fields)
			}
		}
	}
	all(r.Fields)
}

// value returns the value of a name in expressions: a known value, or a row of a table by its label. The value is nil while the
// language is only checked.
func (p *program) value(name string) (*Value, bool) {
	x := p.language.index
	if k := x.known[name]; k != nil {
		if p.checks != nil {
			return nil, true
		}
		v := grammar.IntValue(p.valueOf(k))
		return &v, true
	}
	for dot := range name {
		if t := x.tables[name[:dot]]; name[dot] == '.' && t != nil {
			if row, ok := t.rows[name[dot+1:]]; ok {
				v := grammar.IntValue(row)
				return &v, true
			}
		}
	}
	return nil, false
}

// valueOf returns a value that the document knows.
func (p *program) valueOf(k *Known) int64 {
	if n, ok := p.known[k.Name]; ok {
		return n
	}
	return k.of(p.doc)
}

// column returns the type of a column of a table, or nil if there is none, and its value in a row: 0 or "" in one that the table
// does not have.
func (p *program) column(table, name string) (*expr.Type, func(row int64) Value) {
	t := p.language.index.tables[table]
	if t == nil {
		return nil, nil
	}
	if numbers, ok := t.numbers[name]; ok {
		return expr.IntType, func(row int64) Value { return grammar.IntValue(cell(numbers, row)) }
	}
	if labels, ok := t.labels[name]; ok {
		return expr.StrType, func(row int64) Value { return grammar.StringValue(cell(labels, row)) }
	}
	return nil, nil
}

// cell returns a row of a column, or nothing if there is no such row.
func cell[T any](column []T, row int64) (none T) {
	if row < 0 || row >= int64(len(column)) {
		return none
	}
	return column[row]
}

// Exceptions lists the Go functions of the language by name: functions, tables, rules that Go finds, looks.
func (l *Language) Exceptions() (list []string) {
	for _, t := range l.Tables {
		if t.label != nil {
			list = append(list, "table "+t.Name)
		}
	}
	for i := range l.Funcs {
		list = append(list, "func "+l.Funcs[i].Name)
	}
	for i := range l.Rules {
		if l.Rules[i].Find != nil {
			list = append(list, "rule "+l.Rules[i].ID+" on "+l.Rules[i].On)
		}
	}
	for i := range l.Looks {
		list = append(list, "look on "+l.Looks[i].On)
	}
	for i := range l.Entries {
		if l.Entries[i].Show != nil {
			list = append(list, "look on numbers of "+l.Entries[i].Name)
		}
	}
	slices.Sort(list)
	return list
}
