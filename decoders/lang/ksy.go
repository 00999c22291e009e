package lang

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
)

// KSY returns the language as a Kaitai Struct description whose main type is the first record. The error lists everything that
// such a description cannot say: Go functions, Known values, codings.
func (l *Language) KSY() (string, error) {
	if err := l.Build(); err != nil {
		return "", err
	}
	w := &ksyWriter{language: l, ids: map[*Field]string{}}
	if len(l.Known) > 0 {
		w.fail("", "depends on what the document knows: %s", l.Known[0].Name)
	}
	for _, r := range l.Records {
		w.name(r)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "meta:\n  id: %s\n  title: %s\n  endian: le\n  bit-endian: le\n", snake(l.Name), quoted(l.title()))
	w.write(&out, l.Records[0], "")
	if len(l.Records) > 1 {
		out.WriteString("types:\n")
	}
	for _, r := range l.Records[1:] {
		fmt.Fprintf(&out, "  %s:\n", snake(r.Name))
		w.write(&out, r, "    ")
	}
	w.writeEnums(&out)
	return out.String(), errors.Join(w.errs...)
}

func (l *Language) title() string {
	if l.Title != "" {
		return l.Title
	}
	return l.Name
}

// A ksyWriter writes records as types.
type ksyWriter struct {
	language *Language
	record   *Record
	ids      map[*Field]string
	enums    []ksyEnum
	errs     []error
}

type ksyEnum struct {
	id    string
	names map[int64]string
}

func (w *ksyWriter) fail(field, format string, args ...any) {
	name := ""
	if w.record != nil {
		name = w.record.Name + "." + field + " "
	}
	w.errs = append(w.errs, errors.New(name+fmt.Sprintf(format, args...)))
}

// name gives the fields of a record ids of their own.
func (w *ksyWriter) name(r *Record) {
	used := map[string]bool{}
	r.each(func(f *Field) {
		if f.kind == choiceField {
			return
		}
		id := snake(f.Name)
		for k := 2; used[id]; k++ {
			id = fmt.Sprintf("%s_%d", snake(f.Name), k)
		}
		used[id] = true
		w.ids[f] = id
	})
}

// snake returns a name as .ksy has it: small letters, digits and underscores.
func snake(name string) string {
	var b strings.Builder
	var before rune
	for _, c := range name {
		if unicode.IsUpper(c) && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			b.WriteByte('_')
		}
		before = c
		switch c = unicode.ToLower(c); {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			b.WriteRune(c)
		default:
			b.WriteByte('_')
		}
	}
	id := strings.Trim(b.String(), "_")
	if id == "" || id[0] < 'a' {
		id = "n" + id
	}
	return id
}

// quoted returns a text as a YAML scalar in double quotes.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // every string can be encoded
	return strings.TrimSpace(b.String())
}

// A ksyScope gives names of expressions their meaning: the fields before, those of the case included.
type ksyScope struct {
	fields []*Field
	when   string // the condition of the case
}

func (w *ksyWriter) write(out *strings.Builder, r *Record, indent string) {
	w.record = r
	if r.Help != "" {
		fmt.Fprintf(out, "%sdoc: %s\n", indent, quoted(r.Help))
	}
	if len(r.Params) > 0 {
		fmt.Fprintf(out, "%sparams:\n", indent)
		for _, p := range r.Params {
			fmt.Fprintf(out, "%s  - id: %s\n%s    type: s8\n", indent, snake(p), indent)
		}
	}
	var seq, instances strings.Builder
	w.fields(&seq, &instances, r.Fields, ksyScope{}, indent+"  ")
	if seq.Len() > 0 {
		fmt.Fprintf(out, "%sseq:\n%s", indent, seq.String())
	}
	if instances.Len() > 0 {
		fmt.Fprintf(out, "%sinstances:\n%s", indent, instances.String())
	}
}

// fields writes fields: those with bytes into seq or, at a place of their own, into instances, as those without.
func (w *ksyWriter) fields(seq, instances *strings.Builder, fields []*Field, in ksyScope, indent string) {
	for _, f := range fields {
		switch f.kind {
		case choiceField:
			w.cases(seq, instances, f, in, indent)
			continue
		case letField, shownField:
			fmt.Fprintf(instances, "%s%s:\n%s  value: %s\n", indent, w.ids[f], indent, quoted(w.value(f.Name, f.value, in)))
		default:
			if f.at != "" {
				fmt.Fprintf(instances, "%s%s:\n%s  pos: %s\n", indent, w.ids[f], indent, quoted(w.value(f.Name, f.at, in)))
				w.field(instances, f, in, indent+"  ")
			} else {
				fmt.Fprintf(seq, "%s- id: %s\n", indent, w.ids[f])
				w.field(seq, f, in, indent+"  ")
			}
			w.parts(instances, f, indent)
		}
		in.fields = append(slices.Clone(in.fields), f)
	}
}

// cases writes the fields of each case with its condition.
func (w *ksyWriter) cases(seq, instances *strings.Builder, f *Field, in ksyScope, indent string) {
	on := w.value("", f.on, in)
	var others []string
	for _, k := range f.cases {
		if !k.Else {
			others = append(others, fmt.Sprintf("%s != %d", on, k.N))
		}
	}
	for _, k := range f.cases {
		inside := in
		inside.when = fmt.Sprintf("%s == %d", on, k.N)
		if k.Else {
			inside.when = strings.Join(others, " and ")
		}
		if in.when != "" {
			inside.when = in.when + " and " + inside.when
		}
		w.fields(seq, instances, k.Fields, inside, indent)
	}
}

// parts writes the parts of a number as values.
func (w *ksyWriter) parts(instances *strings.Builder, f *Field, indent string) {
	shift := uint(0)
	for _, p := range f.parts {
		value := fmt.Sprintf("%s >> %d & %#x", w.ids[f], shift, uint64(1)<<p.Width-1)
		fmt.Fprintf(instances, "%s%s_%s:\n%s  value: %s\n", indent, w.ids[f], snake(p.Name), indent, quoted(value))
		shift += p.Width
	}
}

// field writes the keys of a field.
func (w *ksyWriter) field(out *strings.Builder, f *Field, in ksyScope, indent string) {
	line := func(key, value string) { fmt.Fprintf(out, "%s%s: %s\n", indent, key, value) }
	if f.Help != "" {
		line("doc", quoted(f.Help))
	}
	w.typ(line, f, f.of, in)
	conditions := []string{}
	if in.when != "" {
		conditions = append(conditions, in.when)
	}
	if f.cond != "" {
		conditions = append(conditions, w.truth(f.Name, f.cond, in))
	}
	if len(conditions) > 0 {
		line("if", quoted(strings.Join(conditions, " and ")))
	}
	switch {
	case f.times != "":
		line("repeat", "expr")
		line("repeat-expr", quoted(w.value(f.Name, f.times, in)))
	case f.toEnd:
		line("repeat", "eos")
	}
	if f.exact || f.last != "" || f.sizes || f.others {
		w.fail(f.Name, "ends or begins in a way that .ksy does not have")
	}
	if f.names != nil || f.table != "" {
		w.enum(line, f)
	}
	w.valid(line, f, in)
}

// typ writes the type and size of a field.
func (w *ksyWriter) typ(line func(key, value string), f *Field, of Type, in ksyScope) {
	switch t := of.(type) {
	case *grammar.Scalar:
		if name := t.KSY(); name != "" {
			line("type", name)
		} else {
			line("size", fmt.Sprint(t.Size()))
		}
	case *grammar.BitField:
		line("type", fmt.Sprintf("b%d", t.Width))
	case sized:
		w.inside(line, f, t, in)
		if strings.TrimSpace(string(t.size)) == "left" {
			line("size-eos", "true")
		} else {
			line("size", quoted(w.value(f.Name, t.size, in)))
		}
	case recordOf:
		line("type", quoted(w.call(f.Name, t, in)))
	case match:
		w.match(line, f, t, in)
	default:
		w.fail(f.Name, "is of the type %s, which Go reads", of.Name())
	}
}

// inside writes the type that is read inside a number of bytes.
func (w *ksyWriter) inside(line func(key, value string), f *Field, t sized, in ksyScope) {
	switch of := t.of.(type) {
	case *grammar.Opaque:
		if encoding := map[*grammar.Opaque]string{grammar.UTF8: "UTF-8", latin1: "ISO-8859-1"}[of]; encoding != "" {
			line("type", "str")
			line("encoding", encoding)
		}
	case recordOf, match, *grammar.Scalar:
		w.typ(line, f, of, in)
	default:
		w.fail(f.Name, "is %s in a number of bytes", of.Name())
	}
}

// call returns a type with its arguments.
func (w *ksyWriter) call(field string, t recordOf, in ksyScope) string {
	if len(t.args) == 0 {
		return snake(t.record)
	}
	args := make([]string, len(t.args))
	for i, a := range t.args {
		args[i] = w.value(field, a, in)
	}
	return snake(t.record) + "(" + strings.Join(args, ", ") + ")"
}

// match writes a type that a number chooses.
func (w *ksyWriter) match(line func(key, value string), f *Field, t match, in ksyScope) {
	cases := []string{}
	add := func(key string, of Type) {
		switch of := of.(type) {
		case *grammar.Scalar:
			if name := of.KSY(); name != "" {
				cases = append(cases, key+": "+name)
				return
			}
		case recordOf:
			cases = append(cases, key+": "+quoted(w.call(f.Name, of, in)))
			return
		}
		w.fail(f.Name, "may be %s, which .ksy cannot choose", of.Name())
	}
	for _, k := range t.cases {
		if k.Else {
			add("_", k.of)
		} else {
			add(fmt.Sprint(k.N), k.of)
		}
	}
	if t.table != "" {
		for i, of := range w.language.index.tables[t.table].types {
			if of != nil {
				add(fmt.Sprint(i), of)
			}
		}
	}
	line("type", fmt.Sprintf("{switch-on: %s, cases: {%s}}", quoted(w.value(f.Name, t.on, in)), strings.Join(cases, ", ")))
}

// enum names the numbers of a field.
func (w *ksyWriter) enum(line func(key, value string), f *Field) {
	e := ksyEnum{id: snake(w.record.Name) + "_" + w.ids[f], names: map[int64]string{}}
	names := f.names
	if t := w.language.index.tables[f.table]; t != nil {
		e.id, names = snake(f.table), t.labels["name"]
	}
	if names == nil {
		w.fail(f.Name, "is named by Go")
		return
	}
	for n, name := range names {
		if name != "" {
			e.names[int64(n)] = name
		}
	}
	if !slices.ContainsFunc(w.enums, func(other ksyEnum) bool { return other.id == e.id }) {
		w.enums = append(w.enums, e)
	}
	line("enum", e.id)
}

func (w *ksyWriter) writeEnums(out *strings.Builder) {
	if len(w.enums) > 0 {
		out.WriteString("enums:\n")
	}
	for _, e := range w.enums {
		fmt.Fprintf(out, "  %s:\n", e.id)
		used := map[string]bool{}
		for n := int64(0); len(used) < len(e.names); n++ {
			if name, ok := e.names[n]; ok {
				id := snake(name)
				for k := 2; used[id]; k++ {
					id = fmt.Sprintf("%s_%d", snake(name), k)
				}
				used[id] = true
				fmt.Fprintf(out, "    %d: %s\n", n, id)
			}
		}
	}
}

// valid writes the rules of a field that .ksy can have: conditions of the value that always apply.
func (w *ksyWriter) valid(line func(key, value string), f *Field, in ksyScope) {
	var all []string
	for i := range w.language.Rules {
		r := &w.language.Rules[i]
		if r.Kind != Malformed || r.If != "" || r.Holds == "" || mentions(r.Holds, "fits", "most", "least", "room") {
			continue
		}
		for _, t := range w.language.index.on[r.On] {
			if t.isField(w.record.Name, f.Name) && t.element == (f.times != "" || f.toEnd) {
				in.fields = append(slices.Clone(in.fields), f)
				all = append(all, w.truth(f.Name, r.Holds, in))
			}
		}
	}
	if len(all) > 0 && f.names == nil && f.table == "" {
		line("valid", "{expr: "+quoted(strings.Join(all, " and "))+"}")
	}
}

// value returns an expression in the syntax of .ksy.
func (w *ksyWriter) value(field string, e E, in ksyScope) string {
	x, failed := expr.Parse(string(e), expr.BuiltIn, nil)
	if failed != nil {
		w.fail(field, "%s", failed.Message)
		return "0"
	}
	return w.expr(field, x, in)
}

// truth returns a condition in the syntax of .ksy, which knows no numbers as truth.
func (w *ksyWriter) truth(field string, e E, in ksyScope) string {
	x, failed := expr.Parse(string(e), expr.BuiltIn, nil)
	if failed != nil {
		w.fail(field, "%s", failed.Message)
		return "true"
	}
	return w.condition(field, x, in)
}

func (w *ksyWriter) condition(field string, x *expr.Expr, in ksyScope) string {
	switch {
	case x.Op == expr.OpAnd, x.Op == expr.OpOr:
		return "(" + w.condition(field, x.Args[0], in) + " " + x.Op.String() + " " + w.condition(field, x.Args[1], in) + ")"
	case x.Op == expr.OpNot:
		return "(not " + w.condition(field, x.Args[0], in) + ")"
	case x.Op.IsComparison(), x.Op == expr.OpIn, x.Op == expr.OpWithin, x.Op == expr.OpBool, x.Op == expr.OpFunc && x.Name == "has":
		return w.expr(field, x, in)
	}
	return "(" + w.expr(field, x, in) + " != 0)"
}

// expr returns an expression in the syntax of .ksy.
func (w *ksyWriter) expr(field string, x *expr.Expr, in ksyScope) string {
	arg := func(i int) string { return w.expr(field, x.Args[i], in) }
	switch x.Op {
	case expr.OpInt, expr.OpFloat, expr.OpStr, expr.OpBool:
		return literal(x)
	case expr.OpName, expr.OpAttr:
		return w.word(field, x, in)
	case expr.OpFunc:
		return w.function(field, x, in)
	case expr.OpNot, expr.OpAnd, expr.OpOr:
		return w.condition(field, x, in)
	case expr.OpNegate:
		return "(-" + arg(0) + ")"
	case expr.OpInvert:
		return "(~" + arg(0) + ")"
	case expr.OpWithin:
		return fmt.Sprintf("(%s >= %s and %s <= %s)", arg(0), arg(1), arg(0), arg(2))
	case expr.OpIn:
		var either []string
		for i := range x.Args[1:] {
			either = append(either, arg(0)+" == "+arg(i+1))
		}
		return "(" + strings.Join(either, " or ") + ")"
	case expr.OpBitClear:
		return "(" + arg(0) + " & ~" + arg(1) + ")"
	case expr.OpCond:
		return "(" + w.condition(field, x.Args[0], in) + " ? " + arg(1) + " : " + arg(2) + ")"
	case expr.OpIndex:
		return arg(0) + "[" + arg(1) + "]"
	}
	return "(" + arg(0) + " " + x.Op.String() + " " + arg(1) + ")"
}

// literal returns a number, a text or a truth as it is written.
func literal(x *expr.Expr) string {
	switch x.Op {
	case expr.OpInt:
		return x.Int.String()
	case expr.OpFloat:
		return fmt.Sprint(x.Float)
	case expr.OpStr:
		return `"` + x.Str + `"`
	}
	return fmt.Sprint(x.Bool)
}

// word returns a name.
func (w *ksyWriter) word(field string, x *expr.Expr, in ksyScope) string {
	words := x.Dotted()
	if words == nil {
		w.fail(field, "needs a row of a table")
		return "0"
	}
	if v, _ := (&program{language: w.language, checks: map[*Rule]*binding{}}).value(strings.Join(words, ".")); v != nil {
		n, _ := v.Int()
		return fmt.Sprint(n)
	}
	given := map[string]string{"it": "_", "index": "_index", "left": "(_io.size - _io.pos)", "pos": "_io.pos", "root": "_root", "up": "_parent"}
	first, ok := given[words[0]]
	for _, f := range in.fields {
		if Underscored(f.Name) != words[0] || f.kind == choiceField {
			continue
		}
		if first, ok = w.ids[f], true; f.names != nil || w.language.index.tables[f.table] != nil {
			first += ".to_i"
		}
		if f.parts != nil && len(words) == 2 {
			return w.ids[f] + "_" + snake(words[1])
		}
	}
	switch {
	case ok:
	case slices.Contains(w.record.Params, words[0]):
		first = snake(words[0])
	default:
		w.fail(field, "needs %q", strings.Join(words, "."))
	}
	for _, word := range words[1:] {
		first += "." + snake(word)
	}
	return first
}

// function returns a call.
func (w *ksyWriter) function(field string, x *expr.Expr, in ksyScope) string {
	arg := func(i int) string { return w.expr(field, x.Args[i], in) }
	switch x.Name {
	case "min":
		return fmt.Sprintf("(%s < %s ? %s : %s)", arg(0), arg(1), arg(0), arg(1))
	case "max":
		return fmt.Sprintf("(%s > %s ? %s : %s)", arg(0), arg(1), arg(0), arg(1))
	case "known":
		return arg(0) + ".size"
	case "has":
		for _, f := range in.fields {
			if Underscored(f.Name) == x.Args[0].Name {
				if f.cond == "" {
					return "true"
				}
				return w.truth(field, f.cond, in)
			}
		}
		return "false"
	}
	w.fail(field, "calls %s", x.Name)
	return "0"
}
