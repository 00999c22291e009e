package lang

import (
	"cmp"
	"errors"
	"fmt"
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
		if of := t.describe(l); len(of.Rows) > 0 {
			d.Tables = append(d.Tables, of)
		}
	}
	shared := map[*Case]string{}
	for _, r := range l.Records {
		w := &describer{language: l, record: r, of: l.checked[r.Name], shared: shared}
		w.fields(r.Fields, 0)
		d.Records = append(d.Records, DescribedRecord{Name: r.Name, Help: r.Help, Params: r.Params, Fields: w.out})
	}
	for i := range l.Rules {
		r := &l.Rules[i]
		rule := DescribedRule{ID: l.rule(r.ID), Kind: r.Kind, If: string(r.If), Holds: string(r.Holds), Soft: string(r.Soft), Hard: string(r.Hard), Wanted: r.Want, Says: r.Says, Help: r.Help, Clause: r.Clause}
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

// describe returns the rows of the table that have a name, a number or a type. Numbers that fields of a file have are in hexadecimal too.
func (t *Table) describe(l *Language) DescribedTable {
	d := DescribedTable{Name: t.Name, Columns: []string{"number"}}
	named := slices.ContainsFunc(l.Records, func(r *Record) (found bool) {
		r.each(func(f *Field) { found = found || f.table == t.Name })
		return found
	})
	if named {
		d.Columns = append(d.Columns, "hex")
	}
	row := func(n int64) []string {
		if named {
			return []string{strconv.FormatInt(n, 10), fmt.Sprintf("%02x", n)}
		}
		return []string{strconv.FormatInt(n, 10)}
	}
	if t.label != nil {
		d.Columns = append(d.Columns, "name")
		for _, n := range t.known {
			d.Rows = append(d.Rows, append(row(n), t.label(n)))
		}
		return d
	}
	for _, c := range t.columns {
		d.Columns = append(d.Columns, c.name)
	}
	if t.types != nil {
		d.Columns = append(d.Columns, "type")
	}
	for i := range t.Len {
		if t.isEmpty(i) {
			continue
		}
		cells := row(int64(i))
		for _, c := range t.columns {
			cells = append(cells, c.text(l, i))
		}
		if t.types != nil {
			of := ""
			if t.types[i] != nil {
				of = typeText(t.types[i])
			}
			cells = append(cells, of)
		}
		d.Rows = append(d.Rows, cells)
	}
	return d
}

// isEmpty reports whether a row has neither a text nor a type, nor, in a table of numbers alone, a number.
func (t *Table) isEmpty(i int) bool {
	if t.types != nil && t.types[i] != nil {
		return false
	}
	for _, texts := range t.labels {
		if texts[i] != "" {
			return false
		}
	}
	for _, numbers := range t.numbers {
		if numbers[i] != 0 && len(t.labels) == 0 {
			return false
		}
	}
	return true
}

// A describer writes the fields of one record.
type describer struct {
	language *Language
	record   *Record
	of       *grammar.Record
	next     int              // index in of.Fields after the last field of the record itself
	shared   map[*Case]string // the records with cases that were written, by the first case
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

// cases writes the fields of each case below its title, those of cases in a row that have the same fields once. Cases that another record
// has too are written there.
func (w *describer) cases(f *Field, level int) {
	if like, twice := w.shared[&f.cases[0]]; twice {
		w.out = append(w.out, DescribedField{Case: fmt.Sprintf("by %s, as %s", f.on, like), Like: like, Level: level, Offset: -1})
		return
	}
	w.shared[&f.cases[0]] = w.record.Name
	for i := 0; i < len(f.cases); {
		title := ""
		fields := f.cases[i].Fields
		for ; i < len(f.cases) && slices.Equal(fields, f.cases[i].Fields); i++ {
			if title != "" {
				title += ", or "
			}
			title += w.title(f, &f.cases[i])
		}
		w.out = append(w.out, DescribedField{Case: title, Level: level, Offset: -1})
		w.fields(fields, level+1)
	}
}

// title returns the condition of a case, with the name of its number.
func (w *describer) title(f *Field, k *Case) string {
	if k.Else {
		return "otherwise"
	}
	label := w.label(f, k.N)
	switch {
	case f.titles != "":
		return string(f.on) + " = " + f.titles + "." + label
	case label != "":
		return equals(f.on, k.N) + " " + label
	}
	return equals(f.on, k.N)
}

// label returns the name of the number that chooses a case, or "" if it has none.
func (w *describer) label(choice *Field, n int64) (name string) {
	if choice.titles != "" {
		return w.language.index.tables[choice.titles].Label(n)
	}
	w.record.each(func(f *Field) {
		if f.Name == string(choice.on) && n >= 0 && n < int64(len(f.names)) {
			name = f.names[n]
		}
	})
	return name
}

// place returns where a field of the record itself begins, or -1 if that differs. The second of two fields in a row that have one name
// is instead of the first.
func (w *describer) place(f *Field) int64 {
	if last := len(w.out) - 1; last >= 0 && w.out[last].Name == f.Name && w.out[last].There != "" && f.cond != "" {
		return w.out[last].Offset
	}
	for i := w.next; i < len(w.of.Fields); i++ {
		if w.of.Fields[i].Name == f.Name {
			w.next = i + 1
			return w.of.Place(i)
		}
	}
	return -1
}

func (w *describer) field(f *Field, level int) {
	d := DescribedField{Name: f.Name, Level: level, Offset: -1, Type: f.typeText(), There: string(f.cond), Ends: string(f.last),
		Value: string(f.value), Names: f.names, Table: f.table, Help: f.Help, Links: f.entries}
	if level == 0 {
		d.Offset = w.place(f)
	}
	switch {
	case f.padding:
		d.Role = model.Padding
	case f.unknown:
		d.Role = model.Unknown
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

// typeText returns the field's type, the number of its elements and its place in the words of a description, or "" if it has no type.
func (f *Field) typeText() string {
	if f.of == nil {
		return ""
	}
	text := typeText(f.of)
	if isChoice(f.of) && (f.times != "" || f.toEnd) {
		text = "(" + text + ")"
	}
	switch {
	case f.times != "":
		text += " × " + operand(f.times)
	case f.toEnd:
		text += " to the end"
	}
	if f.at != "" {
		text += " at " + string(f.at)
	}
	switch {
	case f.slack != "":
		text += " that takes all bytes but at most " + string(f.slack)
	case f.exact:
		text += " that takes all bytes"
	}
	return text
}

// typeText returns a type in the words of a description.
func typeText(t Type) string {
	switch t := t.(type) {
	case *grammar.Scalar:
		stored := t.Stored()
		if t.Name() == "" || t.Name() == stored {
			return stored
		}
		return t.Name() + " (" + stored + ")"
	case *Codec:
		return cmp.Or(t.Name(), "read by code")
	case sized:
		return t.text()
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

// text returns the size with the type inside.
func (t sized) text() string {
	size, name := operand(t.size)+" bytes", t.Name()
	if t.size == "1" {
		size = "1 byte"
	}
	if t.display == "" {
		name = typeText(t.of)
	}
	if isChoice(t.of) {
		name = "(" + name + ")"
	}
	switch all := t.size == "left"; {
	case all && t.of == grammar.Raw && t.display == "":
		return "the bytes left"
	case all:
		return name + " in the bytes left"
	case t.of == grammar.Raw && t.display == "":
		return size
	}
	return size + " of " + name
}

// operand returns an expression as a part of a text.
func operand(e E) string {
	if strings.Contains(string(e), " ? ") {
		return "(" + string(e) + ")"
	}
	return string(e)
}

// isChoice reports whether the text of a type names several.
func isChoice(t Type) bool {
	choice, ok := t.(match)
	return ok && len(choice.cases) > 1
}

// equals returns the condition that an expression has a value.
func equals(on E, n int64) string {
	if n == 1 && strings.ContainsAny(string(on), "<>=") {
		return string(on)
	}
	return fmt.Sprintf("%s = %d", on, n)
}

func (t match) text() string {
	if t.table != "" {
		return t.table + "[" + string(t.on) + "]"
	}
	var of []string
	for _, k := range t.cases {
		switch name := typeText(k.of); {
		case !k.Else:
			of = append(of, name+" if "+equals(t.on, k.N))
		case len(t.cases) > 1:
			of = append(of, "otherwise "+name)
		default:
			of = append(of, name)
		}
	}
	return strings.Join(of, ", ")
}
