package lang

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/grammar"
)

// A Record is the description of a record: its fields in the order of the bytes.
type Record struct {
	Name     string
	Title    string // type of the nodes, or "" for Name
	Help     string
	Standard string   // clause of the standard of the format, or ""
	Params   []string // whoever reads the record gives these values
	Fields   []*Field
}

// NewRecord describes a record. Parameters follow its name in parentheses: "knot(version, type)".
func NewRecord(name string, fields ...*Field) *Record {
	r := &Record{Name: name, Fields: fields}
	head, params, ok := strings.Cut(name, "(")
	if !ok {
		return r
	}
	r.Name = head
	for p := range strings.SplitSeq(strings.TrimSuffix(params, ")"), ",") {
		r.Params = append(r.Params, strings.TrimSpace(p))
	}
	return r
}

// Titled gives the nodes of the record another type than its name, for records that a format has one name for.
func (r *Record) Titled(title string) *Record {
	r.Title = title
	return r
}

// About adds one line of help.
func (r *Record) About(help string) *Record {
	r.Help = help
	return r
}

// By gives the clause of the format's standard that defines the record, and those of its fields that have none of their own.
func (r *Record) By(clause string) *Record {
	r.Standard = clause
	return r
}

// Number returns a field at the same place of the record in every document, to read it from bytes and write it into them. It
// panics if there is none.
func (r *Record) Number(field string) grammar.Number { return r.head().Number(field) }

// Least returns the size of the fields of fixed size that the record begins with in every document.
func (r *Record) Least() int64 { return r.head().Least() }

// head makes the fields of fixed size that the record begins with in every document, without names, rules and looks.
func (r *Record) head() *grammar.Record {
	fields := r.Fields
	if i := slices.IndexFunc(fields, func(f *Field) bool { return !f.isFixed() }); i >= 0 {
		fields = fields[:i]
	}
	out := &grammar.Record{}
	c := &lowering{program: &program{language: &Language{}}, record: r, bare: true}
	if err := errors.Join(c.fill(out, r.Name, fields, nil), out.Build()); err != nil {
		panic(err)
	}
	return out
}

// isFixed reports whether the field has the same size in every document.
func (f *Field) isFixed() bool {
	if f.kind != plainField || f.cond != "" || f.times != "" || f.toEnd || f.at != "" {
		return false
	}
	switch t := f.of.(type) {
	case *grammar.Scalar:
		return true
	case sized:
		_, err := strconv.ParseInt(string(t.size), 10, 64)
		return err == nil
	}
	return false
}

// A Field is one line of a record.
type Field struct {
	Name, Help string
	of         Type

	kind    fieldKind
	cond    E
	times   E
	toEnd   bool
	at      E
	last    E // the record ends after the field where it holds
	value   E // of Let and Shows
	slack   E // bytes that a field that is exact may leave, or "" for none
	on      E // of Then
	cases   []Case
	parts   []Part
	names   []string
	table   string // or function, that names numbers
	entries string // that numbers name
	link    string // kind of those links
	titles  string // table with the titles of the cases of Then
	looked  []look // of a field whose name a file gives
	short   grammar.Short

	padding, unknown, exact, inline, others, oneNode, hidden, hex, numbered, sizes bool
	standard                                                                       string // clause of the standard, or "" for that of the record
}

type fieldKind uint8

const (
	plainField  fieldKind = iota
	letField              // names a value
	shownField            // has a value and no bytes
	choiceField           // one of several cases follows
)

// F describes a field.
func F(name string, of Type, help string) *Field { return &Field{Name: name, of: of, Help: help} }

// Pad describes bytes without meaning.
func Pad(name string, of Type, help string) *Field {
	f := F(name, of, help)
	f.padding = true
	return f
}

// Rest describes all bytes that are left, if any, which no rule explains.
func Rest(name, help string) *Field { return F(name, Bytes("left"), help).If("left > 0").Unknown() }

// Let names the value of an expression for those after it. It has no bytes and no node.
func Let(name string, value E) *Field { return &Field{Name: name, kind: letField, value: value} }

// Shows describes a field without bytes whose value is computed. It follows all fields that have bytes.
func Shows(name string, value E, help string) *Field {
	return &Field{Name: name, Help: help, kind: shownField, value: value}
}

// Then continues the record with the fields of one of several cases. on, computed from the fields before, chooses the case.
func Then(on E, cases ...Case) *Field { return &Field{kind: choiceField, on: on, cases: cases} }

// A Case is the fields (of Then) or the type (of Match) for one number, or for all others.
type Case struct {
	N      int64
	Else   bool
	Fields []*Field
	of     Type
}

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// On gives the fields that follow for a number.
func On[N integer](n N, fields ...*Field) Case { return Case{N: int64(n), Fields: fields} }

// Else gives the fields that follow for all other numbers.
func Else(fields ...*Field) Case { return Case{Else: true, Fields: fields} }

// Is gives the type for a number.
func Is[N integer](n N, of Type) Case { return Case{N: int64(n), of: of} }

// Other gives the type for all other numbers.
func Other(of Type) Case { return Case{Else: true, of: of} }

// If makes the field conditional.
func (f *Field) If(e E) *Field {
	f.cond = e
	return f
}

// Times repeats the field.
func (f *Field) Times(n E) *Field {
	f.times = n
	return f
}

// ToEnd repeats the field until the bytes end.
func (f *Field) ToEnd() *Field {
	f.toEnd = true
	return f
}

// At reads the field at a position of the record's range of bytes, not after the field before it.
func (f *Field) At(pos E) *Field {
	f.at = pos
	return f
}

// EndsIf ends the record after the field where the condition holds. A rule says why.
func (f *Field) EndsIf(e E) *Field {
	f.last = e
	return f
}

// Inline shows the elements of a list, or the fields of a record, among the fields of the record around.
func (f *Field) Inline() *Field {
	f.inline = true
	return f
}

// Hidden keeps the field from being a node.
func (f *Field) Hidden() *Field {
	f.hidden = true
	return f
}

// Unknown marks the field's bytes as outside any rule.
func (f *Field) Unknown() *Field {
	f.unknown = true
	return f
}

// OneNode makes the list one leaf, whatever its elements are.
func (f *Field) OneNode() *Field {
	f.oneNode = true
	return f
}

// Others marks the field's bytes as those of other values: the field has no node.
func (f *Field) Others() *Field {
	f.others = true
	return f
}

// Names names the field's numbers from 0 on; "" names none.
func (f *Field) Names(names ...string) *Field {
	f.names = names
	return f
}

// NamedBy names the field's numbers by the labels of a table, or by a function of the language that makes a text of a number.
func (f *Field) NamedBy(table string) *Field {
	f.table = table
	return f
}

// Numbered has text show the field's numbers beside their names.
func (f *Field) Numbered() *Field {
	f.numbered = true
	return f
}

// Parts shows the field's number as its bits, the first in the lowest. Expressions name a part "field.part".
func (f *Field) Parts(parts ...Part) *Field {
	f.parts = parts
	return f
}

// Hex shows a number that has parts in hexadecimal, not as a value.
func (f *Field) Hex() *Field {
	f.hex = true
	return f
}

// To links the field's number to the entry with that number; kind is the kind of the links.
func (f *Field) To(entries, kind string) *Field {
	f.entries, f.link = entries, kind
	return f
}

// KeepCut makes an element that is cut the last one of a list. Without KeepCut and DropCut the record ends there.
func (f *Field) KeepCut() *Field {
	f.short = grammar.WithCut
	return f
}

// DropCut ends a list before an element that is cut.
func (f *Field) DropCut() *Field {
	f.short = grammar.WithoutCut
	return f
}

// Exactly makes the field absent unless its type takes all bytes that are left, and is not cut. The bytes then belong to the fields
// after it.
func (f *Field) Exactly() *Field {
	f.exact = true
	return f
}

// Leaving is Exactly for a type that may leave so many bytes.
func (f *Field) Leaving(most E) *Field {
	f.slack = most
	return f.Exactly()
}

// TitledBy names the records that the cases of Then make by the labels of a table; otherwise they have the name of the record.
func (f *Field) TitledBy(table string) *Field {
	f.titles = table
	return f
}

// Sizes makes the field's number that of the record's bytes after it.
func (f *Field) Sizes() *Field {
	f.sizes = true
	return f
}

// Look completes the node of the field, of a list that of the whole: for descriptions that a file makes, whose fields no table of
// looks can name.
func (f *Field) Look(node func(s Scope, it Value, n *Node)) *Field {
	f.looked = append(f.looked, node)
	return f
}

// By gives the clause of the format's standard that defines the field, if it is not the record's.
func (f *Field) By(clause string) *Field {
	f.standard = clause
	return f
}
