package lang

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// A Plan is a language for one document: records as the engine reads them, with Known values as constants. A record whose
// conditions depend on Known values alone has a fixed size. Records are made when they are asked for.
type Plan struct {
	*program
	env any
}

// A program is the records of a language for some Known values.
type program struct {
	language *Language
	doc      any                // whose Known values are asked for
	known    map[string]int64   // those that were asked for already, or nil
	checks   map[*Rule]*binding // of a language that is checked: which rules could be compiled

	mu      sync.Mutex // held while records are made
	records map[string]*grammar.Record
	err     error
}

// Record returns the record of that name. It panics if the language has none.
func (p *Plan) Record(name string) *grammar.Record {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.record(name)
	if r == nil {
		panic(fmt.Sprintf("lang: %s has no record %q", p.language.Name, name))
	}
	if err := errors.Join(p.err, r.Build()); err != nil {
		panic(fmt.Sprintf("lang: %s, record %s: %v", p.language.Name, name, err)) // Language.Build had found that
	}
	return r
}

// record returns the record of a name, made on the first call, or nil if the language has none. The caller holds mu until the record
// and those inside are built.
func (p *program) record(name string) *grammar.Record {
	if r := p.records[name]; r != nil {
		return r
	}
	of := p.language.index.records[name]
	if of == nil {
		return nil
	}
	r := &grammar.Record{}
	p.records[name] = r
	p.err = errors.Join(p.err, p.lower(of, r))
	return r
}

// Field returns a field of a record, which records that go on in several ways have in common. It panics if there is none.
func (p *Plan) Field(record, field string) *grammar.Field { return p.Record(record).Field(field) }

// Number returns a field at a fixed place of a record, to read it from bytes and write it into them. It panics if there is none.
func (p *Plan) Number(record, field string) grammar.Number { return p.Record(record).Number(field) }

// Session returns a new session of the document: its rules, and doc for Go functions.
func (p *Plan) Session() *grammar.Session {
	return &grammar.Session{Truncated: p.language.rule(p.language.Short), Invalid: p.language.rule(p.language.Invalid),
		Limit: p.language.rule(p.language.Limit), Env: p.env}
}

// rule returns the id of a rule of the language, or "" if it has no name.
func (l *Language) rule(id string) string {
	if id == "" {
		return ""
	}
	return l.Name + "." + id
}

// Compile makes a record that a file describes, beside those of the language. The rules are on its fields alone.
func (p *Plan) Compile(r *Record, rules ...Rule) (*grammar.Record, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := &grammar.Record{}
	c := &lowering{program: p.program, record: r, own: rules}
	if err := c.fill(out, cmp.Or(r.Title, r.Name), r.Fields, nil); err != nil {
		return nil, err
	}
	return out, out.Build()
}

// check makes all records of the language, with every case, and returns their mistakes.
func (l *Language) check() error {
	p := &program{language: l, records: map[string]*grammar.Record{}, checks: map[*Rule]*binding{}}
	for _, r := range l.Records {
		p.record(r.Name)
	}
	if p.err != nil {
		return p.err
	}
	var errs []error
	for _, r := range l.Records {
		if err := p.records[r.Name].Build(); err != nil {
			errs = append(errs, fmt.Errorf("record %s: %w", r.Name, err))
		}
	}
	for _, b := range p.checks {
		if !b.done {
			errs = append(errs, b.err)
		}
	}
	l.checked = p.records
	return errors.Join(errs...)
}

// lower fills in the record that the engine reads.
func (p *program) lower(r *Record, out *grammar.Record) error {
	c := &lowering{program: p, record: r}
	return c.fill(out, cmp.Or(r.Title, r.Name), r.Fields, nil)
}

// A lowering makes the engine's form of one record, or of one case.
type lowering struct {
	*program
	record *Record
	bare   bool   // without names, rules and looks: to find out which case a record is, and where its fields are
	own    []Rule // of a record that is not one of the language
	words  *words
	errs   []error
}

func (c *lowering) fail(field, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("record %s, field %q: %w", c.record.Name, field, fmt.Errorf(format, args...)))
}

// fill sets the fields of a record. tags are the values that are known where it is read.
func (c *lowering) fill(out *grammar.Record, title string, fields []*Field, tags []*knownTag) error {
	out.Title, out.Help, out.Clause, out.Params = title, c.record.Help, c.language.clause(c.record.Standard), c.record.Params
	choice := slices.IndexFunc(fields, func(f *Field) bool { return f.kind == choiceField })
	plain := fields
	if choice >= 0 {
		plain = fields[:choice]
	}
	c.words = &words{program: c.program, elsewhere: c.language.elsewhere(c.record, fields)}
	for _, tag := range tags {
		if tag.param && c.words.given == nil {
			c.words.given = map[string]Value{}
		}
		if tag.param {
			c.words.given[tag.name] = tag.value
		}
	}
	c.recordRules(out)
	c.fields(out, plain, tags)
	if choice >= 0 {
		out.Choice = c.choice(title, fields, choice, tags)
	}
	return errors.Join(c.errs...)
}

// elsewhere returns the names that a record has in some cases, but not in that of the fields, or nil if it has no cases.
func (l *Language) elsewhere(r *Record, fields []*Field) map[string]bool {
	if !slices.ContainsFunc(r.Fields, func(f *Field) bool { return f.kind == choiceField }) {
		return nil
	}
	names := map[string]bool{}
	r.each(func(f *Field) {
		if f.kind != choiceField && !slices.Contains(fields, f) {
			names[Underscored(f.Name)] = true
		}
	})
	for _, f := range fields {
		delete(names, Underscored(f.Name))
	}
	return names
}

// fields lowers fields without a choice: those with bytes first, then those that are read elsewhere or computed.
func (c *lowering) fields(out *grammar.Record, fields []*Field, tags []*knownTag) {
	var last []*grammar.Field
	for _, f := range fields {
		if f.kind == letField {
			if c.words.lets == nil {
				c.words.lets = map[string]E{}
			}
			c.words.lets[f.Name] = f.value
			continue
		}
		low := c.field(out, f)
		for _, tag := range tags {
			if tag.name == f.Name && !tag.param {
				low.Fixed = &tag.value
			}
		}
		if low.Place != nil || low.Computed != nil {
			last = append(last, low)
		} else {
			out.Fields = append(out.Fields, low)
		}
	}
	out.Fields = append(out.Fields, last...)
}

// field lowers one field.
func (c *lowering) field(out *grammar.Record, f *Field) *grammar.Field {
	low := &grammar.Field{Name: f.Name, Help: f.Help, Clause: c.language.clause(cmp.Or(f.standard, c.record.Standard)), Inlined: f.inline, OneLeaf: f.oneNode, Skip: f.others, Hidden: f.hidden,
		Exact: f.exact, Entries: f.entries, Origin: f}
	if f.of != nil {
		low.Of, low.Extent = c.typ(f.Name, f.of)
	}
	low.Condition, low.Stop, low.Slack = c.expression(f.cond), c.expression(f.last), c.expression(f.slack)
	if of, ok := f.of.(sized); ok {
		low.NotEmpty = f.cond == of.size+" > 0"
	}
	switch {
	case f.padding:
		low.Role = model.Padding
	case f.unknown:
		low.Role = model.Unknown
	}
	if f.times != "" || f.toEnd {
		low.Repeat = &grammar.Repeat{Count: c.expression(f.times), ToEnd: f.toEnd, Short: f.short}
	}
	if f.at != "" {
		low.Place = &grammar.Place{Pos: c.expression(f.at)}
	}
	if f.kind == shownField {
		low.Computed = c.expression(f.value)
	}
	if f.sizes {
		out.SizedBy = f.Name
	}
	c.names(f, low)
	c.rules(f, low)
	c.looks(f, low)
	return low
}

// expression returns the expression that a text is, or nil if there is none.
func (c *lowering) expression(e E) grammar.Expr {
	if e == "" {
		return nil
	}
	return &expression{e, c.words}
}

// names sets what names the field's numbers.
func (c *lowering) names(f *Field, low *grammar.Field) {
	low.ShowsNumber = f.numbered
	switch {
	case c.bare:
	case f.names != nil:
		low.Names = func(_ grammar.Scope, n int64) string {
			if n >= 0 && n < int64(len(f.names)) {
				return f.names[n]
			}
			return ""
		}
	case f.table != "":
		if t := c.language.index.tables[f.table]; t != nil {
			low.Names = func(_ grammar.Scope, n int64) string { return t.Label(n) }
		} else if named := c.language.index.funcs[f.table]; named != nil {
			low.Names = func(s grammar.Scope, n int64) string { return named.Do(s, []Value{grammar.IntValue(n)}).String() }
		} else {
			c.fail(f.Name, "no table or function %q", f.table)
		}
	}
}

// typ lowers a type: how a value is read, and which bytes it has where the type does not say.
func (c *lowering) typ(where string, t Type) (of grammar.Type, x *grammar.Extent) {
	switch t := t.(type) {
	case sized:
		return c.sized(where, t)
	case recordOf:
		r := c.program.record(t.record)
		if r == nil {
			c.fail(where, "no record %q", t.record)
			return grammar.U8, nil
		}
		if len(t.args) == 0 {
			return r, nil
		}
		args := make([]grammar.Expr, len(t.args))
		for i, a := range t.args {
			args[i] = c.expression(a)
		}
		return grammar.Call(r, args...), nil
	case match:
		return c.match(where, t), nil
	case measured:
		of, x = c.typ(where, t.Type)
		return grammar.AsBytes(of), x
	case grammar.Type:
		return t, nil
	}
	c.fail(where, "%T is no type of a field", t)
	return grammar.U8, nil
}

// sized lowers a type that is read in so many bytes.
func (c *lowering) sized(where string, t sized) (of grammar.Type, x *grammar.Extent) {
	of = c.inside(where, t.of)
	if t.display != "" {
		if text, ok := of.(*grammar.Opaque); ok {
			of = text.Named(t.display)
		}
	}
	x = &grammar.Extent{Size: c.expression(t.size)}
	if strings.TrimSpace(string(t.size)) == "left" {
		x = &grammar.Extent{ToEnd: true}
	}
	return of, x
}

// inside lowers a type that is read inside another one.
func (c *lowering) inside(where string, t Type) grammar.Type {
	of, x := c.typ(where, t)
	if x == nil {
		return of
	}
	return grammar.Within(x, nil, of)
}

// match lowers a choice of types.
func (c *lowering) match(where string, t match) grammar.Type {
	of, other := map[int64]grammar.Type{}, grammar.Type(nil)
	if t.table != "" {
		table := c.language.index.tables[t.table]
		if table == nil || table.types == nil {
			c.fail(where, "no table %q with types", t.table)
			return grammar.U8
		}
		for i, row := range table.types {
			if row != nil {
				of[int64(i)] = c.inside(where, row)
			}
		}
	}
	for _, k := range t.cases {
		if k.Else {
			other = c.inside(where, k.of)
		} else {
			of[k.N] = c.inside(where, k.of)
		}
	}
	s := grammar.Cases(c.expression(t.on), of, other)
	s.Once = !mentions(t.on, "it", "index", "pos", "left", "room")
	return s
}
