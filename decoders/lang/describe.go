package lang

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// Describe returns the specification of the format, joined of the languages that its parts are described in.
func Describe(parts ...*Language) (model.Specification, error) {
	whole, err := parts[0].describe()
	for _, l := range parts[1:] {
		part, wrong := l.describe()
		if err = errors.Join(err, wrong); err == nil {
			whole.add(part)
		}
	}
	return whole, err
}

// Describe returns the specification of the language's format.
func (l *Language) Describe() (model.Specification, error) { return Describe(l) }

func (l *Language) describe() (*Specification, error) {
	if err := l.Build(); err != nil {
		return nil, err
	}
	d := &Specification{Name: l.Name, Title: l.title()}
	for i := range l.Known {
		d.Known = append(d.Known, Term{Name: l.Known[i].Name, Help: l.Known[i].Help})
	}
	for i := range l.Funcs {
		d.Functions = append(d.Functions, Term{Name: l.Funcs[i].Name, Help: l.Funcs[i].Help})
	}
	for _, t := range l.Tables {
		d.Tables = append(d.Tables, t.describe())
	}
	for _, r := range l.Records {
		w := &describer{language: l, of: l.checked[r.Name]}
		w.fields(r.Fields, 0)
		d.Records = append(d.Records, DescribedRecord{Name: r.Name, Help: r.Help, Params: r.Params, Fields: w.out})
	}
	for i := range l.Rules {
		r := &l.Rules[i]
		rule := DescribedRule{ID: l.rule(r.ID), Kind: r.Kind, If: string(r.If), Holds: string(r.Holds), Soft: string(r.Soft), Wanted: r.Want, Says: r.Says, Help: r.Help, Clause: r.Clause}
		for on := range strings.SplitSeq(r.On, ",") {
			if on = strings.TrimSpace(on); on != "" {
				rule.On = append(rule.On, on)
			}
		}
		d.Rules = append(d.Rules, rule)
	}
	d.ksy, d.noKSY = l.KSY()
	return d, nil
}

// describe returns the rows of the table that have a name, a number or a type.
func (t *Table) describe() DescribedTable {
	d := DescribedTable{Name: t.Name, Columns: []string{"number"}}
	labels, numbers := slices.Sorted(maps.Keys(t.labels)), slices.Sorted(maps.Keys(t.numbers))
	d.Columns = append(append(d.Columns, labels...), numbers...)
	if t.types != nil {
		d.Columns = append(d.Columns, "type")
	}
	for i := range t.Len {
		row, empty := []string{strconv.Itoa(i)}, true
		for _, c := range labels {
			row = append(row, t.labels[c][i])
			empty = empty && t.labels[c][i] == ""
		}
		for _, c := range numbers {
			row = append(row, strconv.FormatInt(t.numbers[c][i], 10))
			empty = empty && t.numbers[c][i] == 0
		}
		if t.types != nil {
			of := ""
			if t.types[i] != nil {
				of, empty = typeText(t.types[i]), false
			}
			row = append(row, of)
		}
		if !empty {
			d.Rows = append(d.Rows, row)
		}
	}
	return d
}

// Doc returns a record as a table of a page in Markdown, with its rules. It panics if there is none.
func (l *Language) Doc(record string) string {
	d, err := l.describe()
	if err != nil {
		panic(err)
	}
	for i := range d.Records {
		if r := &d.Records[i]; r.Name == record {
			return strings.TrimSuffix(r.Table()+"\n"+d.RuleTable(record), "\n") + "\n"
		}
	}
	panic(fmt.Sprintf("lang: %s has no record %q", l.Name, record))
}

// A describer writes the fields of one record.
type describer struct {
	language *Language
	of       *grammar.Record
	out      []DescribedField
}

func (w *describer) fields(fields []*Field, level int) {
	for _, f := range fields {
		switch f.kind {
		case choiceField:
			w.cases(f, level)
		case letField:
			w.out = append(w.out, DescribedField{Name: f.Name, Level: level, Offset: -1, Value: string(f.value)})
		default:
			w.field(f, level)
		}
	}
}

// cases writes the fields of each case below its title.
func (w *describer) cases(f *Field, level int) {
	for _, k := range f.cases {
		title := fmt.Sprintf("%s = %d", f.on, k.N)
		if f.titles != "" {
			title += " " + w.language.index.tables[f.titles].Label(k.N)
		}
		if k.Else {
			title = "otherwise"
		}
		w.out = append(w.out, DescribedField{Case: title, Level: level, Offset: -1})
		w.fields(k.Fields, level+1)
	}
}

func (w *describer) field(f *Field, level int) {
	d := DescribedField{Name: f.Name, Level: level, Offset: -1, There: string(f.cond), Ends: string(f.last), Value: string(f.value), Names: f.names, Help: f.Help, Links: f.entries}
	if level == 0 {
		d.Offset = w.of.Place(f.Name)
	}
	switch {
	case f.padding:
		d.Role = model.Padding
	case f.unknown:
		d.Role = model.Unknown
	}
	if f.of != nil {
		d.Type = typeText(f.of)
	}
	switch {
	case f.times != "":
		d.Type += " × " + string(f.times)
	case f.toEnd:
		d.Type += " to the end"
	}
	if f.at != "" {
		d.Type += " at " + string(f.at)
	}
	if f.table != "" {
		d.Table = f.table
	}
	w.out = append(w.out, d)
	bit := uint(0)
	for _, p := range f.parts {
		at := fmt.Sprintf("bit %d", bit)
		if p.Width > 1 {
			at = fmt.Sprintf("bits %d to %d", bit, bit+p.Width-1)
		}
		w.out = append(w.out, DescribedField{Name: p.Name, Level: level + 1, Offset: -1, Type: at, Names: p.Names, Help: p.Help})
		bit += p.Width
	}
}

// typeText returns a type in the words of a description.
func typeText(t Type) string {
	switch t := t.(type) {
	case sized:
		name := t.Name()
		if t.display == "" {
			name = typeText(t.of)
		}
		return name + " in " + string(t.size)
	case recordOf:
		if len(t.args) == 0 {
			return t.record
		}
		args := make([]string, len(t.args))
		for i, a := range t.args {
			args[i] = string(a)
		}
		return t.record + "(" + strings.Join(args, ", ") + ")"
	case match:
		return t.text()
	case measured:
		return "bytes of " + typeText(t.Type)
	}
	return t.Name()
}

func (t match) text() string {
	if t.table != "" {
		return t.table + "[" + string(t.on) + "]"
	}
	var of []string
	for _, k := range t.cases {
		name := typeText(k.of)
		if !k.Else {
			name = fmt.Sprintf("%d %s", k.N, name)
		} else if len(t.cases) > 1 {
			name = "else " + name
		}
		of = append(of, name)
	}
	return "by " + string(t.on) + ": " + strings.Join(of, ", ")
}
