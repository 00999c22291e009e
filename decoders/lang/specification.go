package lang

import (
	"errors"
	"slices"

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
	Like   string   // the record that has the fields below this title, or ""
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
	Hard   string // where it is malformed, or ""
	Wanted string
	Says   string
	Help   string
	Clause string // of the specification
}

// add appends what another part of the format's description says. Parts may have values, functions and tables in common.
func (d *Specification) add(part *Specification) {
	name := func(t Term) string { return t.Name }
	d.Known, d.Functions = appendNew(d.Known, part.Known, name), appendNew(d.Functions, part.Functions, name)
	d.Tables = appendNew(d.Tables, part.Tables, func(t DescribedTable) string { return t.Name })
	d.Records, d.Rules = append(d.Records, part.Records...), append(d.Rules, part.Rules...)
	reasons := append(reasonsOf(part.noKSY), errors.New("parts of the file have languages of their own"))
	d.ksy, d.noKSY = "", errors.Join(appendNew(reasonsOf(d.noKSY), reasons, error.Error)...)
}

// appendNew appends those of more to list whose name nothing in list has.
func appendNew[T any](list, more []T, name func(T) string) []T {
	known := map[string]bool{}
	for _, t := range list {
		known[name(t)] = true
	}
	return append(list, slices.DeleteFunc(slices.Clone(more), func(t T) bool { return known[name(t)] })...)
}

// reasonsOf returns the errors that err was joined from.
func reasonsOf(err error) []error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return slices.Clone(many.Unwrap())
	}
	return nil
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
		return said(model.Object{{Key: "case", Value: model.Text(f.Case)}, {Key: "level", Value: model.Int(f.Level)}}, "like", f.Like)
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
		"if", r.If, "holds", r.Holds, "soft", r.Soft, "hard", r.Hard, "wanted", r.Wanted, "says", r.Says, "help", r.Help, "clause", r.Clause)
}
