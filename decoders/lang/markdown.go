package lang

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cutaway/model"
)

// Guide says how the tables of a specification are read.
const Guide = `A record is a table of its fields in the order of the bytes; what is in parentheses after its name, whoever reads it gives. The
offset is empty where it is not the same in all files. Numbers are little-endian; those of a type that ends in "be" are big-endian.
A field with a condition under "if" is there where that holds. A field after "·" is bits of the number above it, or belongs to the
case in italics above it. "= …" names a value that has no bytes. "Name × n" is n records, "table[n]" the type in that row of the
table, and "→ list" says that the number is that of an entry of the list. "left" is the bytes from here to the end, "pos" the offset
here.

Below the fields are the rules: what holds in a sound file, and what is said of a file where it does not. "it" is the field's value,
"room" the bytes after the field. A count "fits" if as many of the least things that it counts have room; "most" is how many would
have, "least" the fewest bytes of one. Where "false" holds, the field should not be there. A rule without a condition is checked by code.
`

// A PagePart is a part of a description in Markdown: "guide", "names FORMAT" (numbers and functions that expressions name), "record NAME",
// "table NAME" or "rules FORMAT" (those that no field has).
type PagePart struct{ Name, Text string }

// PageParts returns the parts of the description.
func (d *Specification) PageParts() []PagePart {
	regions := []PagePart{{"guide", Guide}}
	add := func(name, text string) {
		if text != "" {
			regions = append(regions, PagePart{name, text})
		}
	}
	add("names "+d.Name, d.names())
	for i := range d.Records {
		r := &d.Records[i]
		add("record "+r.Name, "**"+plain(r.heading())+"**\n\n"+d.record(r))
	}
	for i := range d.Tables {
		add("table "+d.Tables[i].Name, "**"+d.Tables[i].Name+"**\n\n"+d.Tables[i].markdown())
	}
	add("rules "+d.Name, d.otherRules())
	return regions
}

// WriteText writes the description as Markdown: a table for each record with its rules.
func (d *Specification) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s", d.Title, Guide)
	chapter := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n## %s\n\n%s", title, text)
		}
	}
	chapter("Names", d.names())
	for i := range d.Records {
		chapter(plain(d.Records[i].heading()), d.record(&d.Records[i]))
	}
	for i := range d.Tables {
		chapter("Table "+d.Tables[i].Name, d.Tables[i].markdown())
	}
	chapter("Other rules", d.otherRules())
	_, err := io.WriteString(w, b.String())
	return err
}

// names returns a table of the names in expressions besides fields.
func (d *Specification) names() string {
	t := newTable("name", "meaning")
	for _, known := range d.Known {
		t.add(code(known.Name), plain(known.Help))
	}
	for _, function := range d.Functions {
		t.add(code(function.Name+"()"), plain(function.Help))
	}
	return t.String()
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

// record returns a record as tables of its fields and rules.
func (d *Specification) record(r *DescribedRecord) string {
	text := cmp.Or(r.fields(), "It has no bytes.\n")
	if rules := d.rules(r); rules != "" {
		text += "\n" + rules
	}
	return text
}

// A table is a table of a page. Columns that may be empty are left out where all their cells are.
type table struct {
	head []string // of a column that may be empty ends in "?"
	rows [][]string
}

func newTable(head ...string) *table { return &table{head: head} }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// String returns the table in Markdown, or "" if it has no rows.
func (t *table) String() string {
	if len(t.rows) == 0 {
		return ""
	}
	var shown []int
	for i, name := range t.head {
		if !strings.HasSuffix(name, "?") || slices.ContainsFunc(t.rows, func(row []string) bool { return row[i] != "" }) {
			shown = append(shown, i)
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		for _, i := range shown {
			b.WriteString(strings.TrimRight("| "+strings.TrimSuffix(cells[i], "?"), " ") + " ")
		}
		b.WriteString("|\n")
	}
	line(t.head)
	b.WriteString("|" + strings.Repeat(" --- |", len(shown)) + "\n")
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

// markdown escapes what Markdown takes for a tag or the end of a cell.
var markdown = strings.NewReplacer("|", `\|`, "<", `\<`)

// plain returns a text as it is in a page.
func plain(s string) string { return markdown.Replace(s) }

// code returns an expression as it is in a cell of a table, or "" for none.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
}

// fields returns the fields of the record as a table.
func (r *DescribedRecord) fields() string {
	t := newTable("offset", "field", "type", "if?", "meaning?")
	for i := range r.Fields {
		f := &r.Fields[i]
		indent := strings.Repeat("· ", f.Level)
		if f.Case != "" {
			follows := ""
			if next := i + 1; f.Like == "" && (next == len(r.Fields) || r.Fields[next].Level <= f.Level) {
				follows = "nothing"
			}
			t.add("", indent+"*"+plain(f.Case)+"*", follows, "", "")
			continue
		}
		at := ""
		if f.Offset >= 0 {
			at = fmt.Sprint(f.Offset)
		}
		t.add(at, indent+plain(cmp.Or(f.Name, "–")), f.typeText(), code(f.There), plain(f.meaning()))
	}
	return t.String()
}

func (f *DescribedField) typeText() string {
	if f.Value != "" {
		return "= " + code(f.Value)
	}
	return plain(f.Type)
}

// meaning joins help, role, names and links of a field.
func (f *DescribedField) meaning() string {
	var parts []string
	add := func(s string) {
		if s != "" && !strings.Contains(f.Help, s) {
			parts = append(parts, s)
		}
	}
	if f.Help != "" {
		parts = append(parts, f.Help)
	}
	switch f.Role {
	case model.Padding:
		add("filler")
	case model.Unknown:
		add("outside any rule")
	}
	add(f.named())
	switch f.Ends {
	case "":
	case "true":
		add("the record ends here")
	default:
		add("the record ends here if " + f.Ends)
	}
	if f.Table != "" {
		add("named by " + f.Table)
	}
	if f.Links != "" {
		add("→ " + f.Links)
	}
	return strings.Join(parts, "; ")
}

// named lists the names of the field's numbers, those above 9 in hexadecimal as well.
func (f *DescribedField) named() string {
	var named []string
	for i, name := range f.Names {
		switch {
		case name == "":
		case i > 9:
			named = append(named, fmt.Sprintf("%d (0x%02x) %s", i, i, name))
		default:
			named = append(named, fmt.Sprintf("%d %s", i, name))
		}
	}
	return strings.Join(named, ", ")
}

// markdown returns the rows of the table.
func (t *DescribedTable) markdown() string {
	of := newTable(t.Columns...)
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, text := range row {
			cells[i] = plain(text)
		}
		of.add(cells...)
	}
	return of.String()
}

// rules returns the rules on a record as a table, or "" if it has none. Rules on fields that another record shows are left to its table.
func (d *Specification) rules(record *DescribedRecord) string {
	t := newTable("rule", "of", "if?", "holds?", "otherwise")
	for i := range d.Rules {
		r := &d.Rules[i]
		var on []string
		for _, o := range r.On {
			if o == record.Name {
				on = append(on, "the record")
			} else if field, ok := strings.CutPrefix(o, record.Name+"."); ok && !record.isElsewhere(field, r.On) {
				list, each := strings.CutSuffix(field, "[]")
				if each {
					list = "each of " + list
				}
				on = append(on, list)
			}
		}
		if len(on) > 0 {
			t.add(code(r.ID), plain(strings.Join(on, ", ")), code(r.If), code(r.Holds), r.otherwise())
		}
	}
	return t.String()
}

// otherwise returns the kind of a breach and its message.
func (r *DescribedRule) otherwise() string {
	kind := r.Kind.String()
	if r.Soft != "" {
		kind += " (suspicious if " + code(r.Soft) + ")"
	}
	if r.Hard != "" {
		kind += " (malformed if " + code(r.Hard) + ")"
	}
	says := cmp.Or(r.Says, r.Help)
	if says == "" && r.Holds == "fits" {
		says = "more are counted than have room"
	}
	return strings.TrimSuffix(kind+": "+plain(says), ": ")
}

// isElsewhere reports whether a rule on a field is also on the record that shows the field.
func (r *DescribedRecord) isElsewhere(field string, on []string) bool {
	return slices.ContainsFunc(r.Fields, func(f DescribedField) bool { return f.Like != "" && slices.Contains(on, f.Like+"."+field) })
}

// otherRules returns the rules that no field has as a table, each once, or "" if there are none.
func (d *Specification) otherRules() string {
	t := newTable("rule", "means")
	met := map[string]bool{}
	for i := range d.Rules {
		if len(d.Rules[i].On) > 0 {
			met[d.Rules[i].ID] = true
		}
	}
	for i := range d.Rules {
		if r := &d.Rules[i]; !met[r.ID] {
			met[r.ID] = true
			t.add(code(r.ID), plain(r.Help))
		}
	}
	return t.String()
}
