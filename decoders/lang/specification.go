package lang

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"cutaway/model"
)

// A Specification is a format as the program reads it: its records and rules.
type Specification struct {
	Name, Title string
	Known       []Term // numbers of a file that expressions name
	Functions   []Term // Go functions that expressions call
	Tables      []DescribedTable
	Records     []DescribedRecord
	Rules       []DescribedRule
	ksy         string // the same as a Kaitai Struct description
	noKSY       error  // what that cannot say, or nil
}

// KSY returns the format as a Kaitai Struct description, or the error that lists what that cannot say.
func (d *Specification) KSY() (string, error) { return d.ksy, d.noKSY }

// A Term is a name with its meaning.
type Term struct{ Name, Help string }

// A DescribedTable is a table whose rows expressions and fields name by number.
type DescribedTable struct {
	Name    string
	Columns []string   // the first is the number
	Rows    [][]string // a text for each column
}

// A DescribedRecord is a record of a Specification.
type DescribedRecord struct {
	Name, Help string
	Params     []string // values that whoever reads it gives
	Fields     []DescribedField
}

// A DescribedField is a field of a record, a part of a number, or the title of a case whose fields follow.
type DescribedField struct {
	Name   string
	Level  int      // how many cases and numbers it is in
	Case   string   // of a title, whose Name is "": the condition of the fields below
	Offset int64    // in the record, or -1 if that differs
	Type   string   // with size and number of elements
	There  string   // the condition, or "" for always
	Ends   string   // where the record ends after the field, or ""
	Value  string   // of a field without bytes
	Names  []string // of its numbers from 0 on
	Table  string   // whose rows name its numbers
	Help   string
	Role   model.Role
	Links  string // the list whose entries the number names
}

// A DescribedRule is a rule of a Specification.
type DescribedRule struct {
	ID     string
	On     []string // "Record.field"; with [] each element of a list
	Kind   model.Kind
	If     string // where it applies, or "" for everywhere
	Holds  string // or "" if Go finds breaches
	Soft   string // where a breach is suspicious whatever Kind is, or ""
	Wanted string
	Says   string
	Help   string
	Clause string // of the specification
}

// add appends what another part of the format's description says.
func (d *Specification) add(part *Specification) {
	d.Known, d.Functions = append(d.Known, part.Known...), append(d.Functions, part.Functions...)
	d.Tables, d.Records, d.Rules = append(d.Tables, part.Tables...), append(d.Records, part.Records...), append(d.Rules, part.Rules...)
	d.ksy, d.noKSY = "", errors.Join(d.noKSY, part.noKSY, errors.New("parts of the file have languages of their own"))
}

// Object returns the description as JSON has it.
func (d *Specification) Object() model.Object {
	var records, rules []model.Value
	for i := range d.Records {
		records = append(records, d.Records[i].object())
	}
	for i := range d.Rules {
		rules = append(rules, d.Rules[i].object())
	}
	tables := model.Seq{}
	for i := range d.Tables {
		tables = append(tables, d.Tables[i].object())
	}
	return model.Object{
		{Key: "name", Value: model.Text(d.Name)}, {Key: "title", Value: model.Text(d.Title)},
		{Key: "known", Value: terms(d.Known)}, {Key: "functions", Value: terms(d.Functions)}, {Key: "tables", Value: tables},
		{Key: "records", Value: model.Seq(records)}, {Key: "rules", Value: model.Seq(rules)},
	}
}

func terms(list []Term) model.Seq {
	seq := model.Seq{}
	for _, t := range list {
		seq = append(seq, model.Object{{Key: "name", Value: model.Text(t.Name)}, {Key: "help", Value: model.Text(t.Help)}})
	}
	return seq
}

func textSeq(list []string) model.Seq {
	seq := model.Seq{}
	for _, text := range list {
		seq = append(seq, model.Text(text))
	}
	return seq
}

// said adds members to o whose texts are not empty.
func said(o model.Object, pairs ...string) model.Object {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			o = append(o, model.Member{Key: pairs[i], Value: model.Text(pairs[i+1])})
		}
	}
	return o
}

func (t *DescribedTable) object() model.Object {
	rows := model.Seq{}
	for _, row := range t.Rows {
		rows = append(rows, textSeq(row))
	}
	return model.Object{{Key: "name", Value: model.Text(t.Name)}, {Key: "columns", Value: textSeq(t.Columns)}, {Key: "rows", Value: rows}}
}

func (r *DescribedRecord) object() model.Object {
	fields := model.Seq{}
	for i := range r.Fields {
		fields = append(fields, r.Fields[i].object())
	}
	o := said(model.Object{{Key: "name", Value: model.Text(r.Name)}}, "help", r.Help)
	if len(r.Params) > 0 {
		o = append(o, model.Member{Key: "params", Value: textSeq(r.Params)})
	}
	return append(o, model.Member{Key: "fields", Value: fields})
}

func (f *DescribedField) object() model.Object {
	if f.Case != "" {
		return model.Object{{Key: "case", Value: model.Text(f.Case)}, {Key: "level", Value: model.Int(f.Level)}}
	}
	o := model.Object{{Key: "name", Value: model.Text(f.Name)}, {Key: "level", Value: model.Int(f.Level)}}
	if f.Offset >= 0 {
		o = append(o, model.Member{Key: "offset", Value: model.Int(f.Offset)})
	}
	o = said(o, "type", f.Type, "if", f.There, "ends", f.Ends, "value", f.Value, "help", f.Help, "links", f.Links, "table", f.Table)
	if f.Role != model.Explained {
		o = said(o, "role", f.Role.String())
	}
	if len(f.Names) > 0 {
		o = append(o, model.Member{Key: "names", Value: textSeq(f.Names)})
	}
	return o
}

func (r *DescribedRule) object() model.Object {
	return said(model.Object{{Key: "id", Value: model.Text(r.ID)}, {Key: "on", Value: textSeq(r.On)}, {Key: "kind", Value: model.Text(r.Kind.String())}},
		"if", r.If, "holds", r.Holds, "soft", r.Soft, "wanted", r.Wanted, "says", r.Says, "help", r.Help, "clause", r.Clause)
}

// WriteText writes the description as Markdown: a table for each record with its rules.
func (d *Specification) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", d.Title)
	for _, list := range []struct {
		title string
		terms []Term
	}{{"What a file tells", d.Known}, {"Functions", d.Functions}} {
		if len(list.terms) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| name | meaning |\n| --- | --- |\n", list.title)
		for _, t := range list.terms {
			fmt.Fprintf(&b, "| `%s` | %s |\n", t.Name, cell(t.Help))
		}
	}
	for i := range d.Records {
		r := &d.Records[i]
		fmt.Fprintf(&b, "\n## %s\n\n", r.heading())
		b.WriteString(r.Table())
		if rules := d.RuleTable(r.Name); rules != "" {
			b.WriteString("\n" + rules)
		}
	}
	for i := range d.Tables {
		t := &d.Tables[i]
		fmt.Fprintf(&b, "\n## Table %s\n\n| %s |\n|%s\n", t.Name, strings.Join(t.Columns, " | "), strings.Repeat(" --- |", len(t.Columns)))
		for _, row := range t.Rows {
			fmt.Fprintf(&b, "| %s |\n", cell(strings.Join(row, "\x00")))
		}
	}
	_, err := io.WriteString(w, strings.ReplaceAll(b.String(), "\x00", " | "))
	return err
}

func (r *DescribedRecord) heading() string {
	name := r.Name
	if len(r.Params) > 0 {
		name += "(" + strings.Join(r.Params, ", ") + ")"
	}
	if r.Help != "" {
		name += ": " + r.Help
	}
	return name
}

// cell returns a text as it is in a cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// code returns an expression as it is in a cell of a table, or "" for none.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + cell(s) + "`"
}

// Table returns the fields of the record as a table in Markdown.
func (r *DescribedRecord) Table() string {
	var b strings.Builder
	b.WriteString("| offset | field | type | if | meaning |\n| --- | --- | --- | --- | --- |\n")
	for i := range r.Fields {
		f := &r.Fields[i]
		indent := strings.Repeat("· ", f.Level)
		if f.Case != "" {
			fmt.Fprintf(&b, "| | %s*%s* | | | |\n", indent, cell(f.Case))
			continue
		}
		at, name := "", f.Name
		if f.Offset >= 0 {
			at = fmt.Sprint(f.Offset)
		}
		if name == "" {
			name = "–"
		}
		fmt.Fprintf(&b, "| %s | %s%s | %s | %s | %s |\n", at, indent, cell(name), cell(f.typeText()), code(f.There), cell(f.meaning()))
	}
	return b.String()
}

func (f *DescribedField) typeText() string {
	if f.Value != "" {
		return "= " + f.Value
	}
	return f.Type
}

// meaning joins help, role, names and links of a field.
func (f *DescribedField) meaning() string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	add(f.Help)
	switch f.Role {
	case model.Padding:
		add("filler")
	case model.Unknown:
		add("outside any rule")
	}
	if len(f.Names) > 0 {
		var named []string
		for i, name := range f.Names {
			if name != "" {
				named = append(named, fmt.Sprintf("%d %s", i, name))
			}
		}
		add(strings.Join(named, ", "))
	}
	if f.Ends != "" {
		add("the record ends here where " + f.Ends)
	}
	if f.Table != "" {
		add("a row of " + f.Table)
	}
	if f.Links != "" {
		add("→ " + f.Links)
	}
	return strings.Join(parts, "; ")
}

// RuleTable returns the rules on a record as a table in Markdown, or "" if it has none.
func (d *Specification) RuleTable(record string) string {
	var b strings.Builder
	for i := range d.Rules {
		r := &d.Rules[i]
		var on []string
		for _, o := range r.On {
			if o == record {
				on = append(on, "the record")
			} else if field, ok := strings.CutPrefix(o, record+"."); ok {
				on = append(on, field)
			}
		}
		if len(on) == 0 {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("| rule | of | if | holds | else |\n| --- | --- | --- | --- | --- |\n")
		}
		says := cmp.Or(r.Says, r.Help, "Go finds breaches and says which")
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s: %s |\n", r.ID, cell(strings.Join(on, ", ")), code(r.If), code(r.Holds), r.Kind, cell(says))
	}
	return b.String()
}
