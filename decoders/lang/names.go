package lang

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders/expr"
	"cutaway/decoders/formula"
	"cutaway/decoders/grammar"
)

// words holds the names that expressions of a record have besides its fields, its parameters and what every language gives.
type words struct {
	*program
	lets      map[string]E     // expressions by name
	elsewhere map[string]bool  // fields that only other records of the same choice have
	given     map[string]Value // parameters whose values are known where the record is read
}

// An expression is the text of an expression. Its names are found when its record is built: the record's fields, with _ for a blank,
// its parameters, its words, and what the language gives:
//
//	it index left pos start depth   numbers of the place that is read, or the value that a rule is about
//	beyond                          bytes of the source after those of the record's range
//	root up                         the outermost record, and the one around
//	has(f) bytes(f) after(f)        whether a field is there, the number of its bytes, that of the bytes after it
//	known(f) whole(f)               the number of elements of a list that were read, and whether they are all
//	min(a, b) max(a, b)
//
// An absent field is 0, false and no text.
type expression struct {
	text  E
	words *words
}

// Compile finds what the names mean in a record.
func (e *expression) Compile(r *grammar.Record) (*grammar.Code, error) {
	code, err := (&recordNames{record: r, words: e.words}).code(string(e.text))
	if err != nil {
		return nil, err
	}
	return code.Saturating(), nil
}

// code compiles an expression.
func (n *recordNames) code(text string) (*grammar.Code, error) {
	x, failed := expr.Parse(text, expr.BuiltIn, nil)
	if failed != nil {
		return nil, textError(text, failed.Offset, failed.Message)
	}
	return n.codeOf(text, x)
}

// codeOf compiles an expression that is parsed.
func (n *recordNames) codeOf(text string, x *expr.Expr) (*grammar.Code, error) {
	n.text, n.errs = text, nil
	if expr.Infer(x, n); n.errs != nil {
		return nil, errors.Join(n.errs...)
	}
	return compileNamed(x), nil
}

func textError(text string, offset int, message string) error {
	return fmt.Errorf("in %q at %d: %s", text, offset+1, message)
}

// recordNames are the names of a record's expressions.
type recordNames struct {
	record  *grammar.Record
	words   *words
	it      *grammar.Field // that a rule is about
	element bool           // the rule is about each element
	text    string
	lets    int // names of expressions that it is in
	errs    []error
}

// Dialect returns BuiltIn.
func (*recordNames) Dialect() expr.Dialect { return expr.BuiltIn }

// Fail adds an error.
func (n *recordNames) Fail(x *expr.Expr, format string, args ...any) {
	n.errs = append(n.errs, textError(n.text, x.Offset, fmt.Sprintf(format, args...)))
}

func (n *recordNames) fail(x *expr.Expr, format string, args ...any) *expr.Type {
	n.Fail(x, format, args...)
	return nil
}

// A nameCode makes the code of a name: the meaning of a node that recordNames resolved.
type nameCode func(c *formula.Compiler) *grammar.Code

// Resolve finds the meaning of a name.
func (n *recordNames) Resolve(x *expr.Expr) *expr.Type {
	switch x.Op {
	case expr.OpName:
		return n.name(x)
	case expr.OpAttr:
		return n.attribute(x)
	case expr.OpFunc:
		return n.function(x)
	}
	return n.fail(x, "%q has no methods here; there are functions, such as min(a, b)", x.Name)
}

// compileNamed compiles an expression whose names recordNames resolved.
func compileNamed(x *expr.Expr) *grammar.Code {
	return formula.NewCompiler(expr.BuiltIn, func(c *formula.Compiler, x *expr.Expr) *grammar.Code { return x.Meaning.(nameCode)(c) }).Code(x)
}

// means sets the meaning of a name.
func means(x *expr.Expr, t *expr.Type, code nameCode) *expr.Type {
	x.Meaning = code
	return t
}

var blanks = strings.NewReplacer(" ", "_", "~", "_")

// Underscored returns the name of a field as expressions have it: with _ for each blank and ~.
func Underscored(name string) string { return blanks.Replace(name) }

// fieldNamed returns the field of a record that an expression names, or nil.
func fieldNamed(r *grammar.Record, name string) *grammar.Field {
	if f := r.Lookup(name); f != nil || !strings.Contains(name, "_") {
		return f
	}
	if i := slices.IndexFunc(r.Fields, func(f *grammar.Field) bool { return Underscored(f.Name) == name }); i >= 0 {
		return r.Fields[i]
	}
	return nil
}

func (n *recordNames) name(x *expr.Expr) *expr.Type {
	if text, ok := n.words.lets[x.Name]; ok {
		return n.let(x, text)
	}
	if f := fieldNamed(n.record, x.Name); f != nil {
		return means(x, valueType(f), func(*formula.Compiler) *grammar.Code { return n.record.FieldCode(f) })
	}
	if v, ok := n.words.given[x.Name]; ok {
		return means(x, typeOf(v), func(*formula.Compiler) *grammar.Code { return grammar.FixedCode(v) })
	}
	if i := slices.Index(n.record.Params, x.Name); i >= 0 {
		return means(x, expr.AnyType, func(*formula.Compiler) *grammar.Code {
			return grammar.Computed(func(s Scope) (Value, error) { return s.Object().Arg(i), nil })
		})
	}
	if n.words.elsewhere[x.Name] {
		return means(x, expr.AnyType, func(*formula.Compiler) *grammar.Code { return grammar.FixedCode(Value{}) })
	}
	if t := n.vocabulary(x, x.Name); t != nil {
		return t
	}
	if x.Name == "it" && n.it != nil {
		t := n.itType()
		if v := n.it.Fixed; v != nil {
			return means(x, t, func(*formula.Compiler) *grammar.Code { return grammar.FixedCode(*v) })
		}
		if !n.element && !n.it.Absent {
			return means(x, t, func(*formula.Compiler) *grammar.Code { return n.record.FieldCode(n.it) })
		}
		return means(x, t, func(*formula.Compiler) *grammar.Code { return itCode(t) })
	}
	if of, ok := ruleNames[x.Name]; ok && n.it != nil {
		return means(x, of.of, func(*formula.Compiler) *grammar.Code { return of.code(n) })
	}
	if of, ok := builtins[x.Name]; ok {
		return means(x, of.of, of.code)
	}
	return n.fail(x, "no field, parameter or value %q", x.Name)
}

// itCode returns the code of the value that a rule is about.
func itCode(t *expr.Type) *grammar.Code {
	value := func(s Scope) (Value, error) { return s.Item(), nil }
	if t.Kind != expr.Int {
		return grammar.Computed(value)
	}
	return grammar.NumberCode(value, func(s Scope) (int64, error) {
		n, _ := s.Item().Integer()
		return n, nil
	}, !t.Signed)
}

// maxLets is the most names of expressions in each other.
const maxLets = 32

// let returns the expression that a name stands for.
func (n *recordNames) let(x *expr.Expr, text E) *expr.Type {
	if n.lets > maxLets {
		return n.fail(x, "%q is told by itself", x.Name)
	}
	in := &recordNames{record: n.record, words: n.words, text: string(text), lets: n.lets + 1}
	tree, failed := expr.Parse(string(text), expr.BuiltIn, nil)
	if failed != nil {
		return n.fail(x, "%q: %s", x.Name, failed.Message)
	}
	t := expr.Infer(tree, in)
	n.errs = append(n.errs, in.errs...)
	if t == nil {
		return nil
	}
	return means(x, t, func(*formula.Compiler) *grammar.Code { return compileNamed(tree) })
}

// vocabulary finds a name of the language; nil where it has none.
func (n *recordNames) vocabulary(x *expr.Expr, name string) *expr.Type {
	v, ok := n.words.value(name)
	switch {
	case !ok:
		return nil
	case v == nil:
		return means(x, expr.IntType, func(*formula.Compiler) *grammar.Code {
			return grammar.IntCode(func(Scope) (int64, error) { return 0, nil })
		})
	}
	return means(x, typeOf(*v), func(*formula.Compiler) *grammar.Code { return grammar.FixedCode(*v) })
}

// attribute finds a.b: a name of the language, a column of a row, or the field of a record.
func (n *recordNames) attribute(x *expr.Expr) *expr.Type {
	of := x.Args[0]
	if words := x.Dotted(); words != nil && !n.hides(words[0]) {
		name := strings.Join(words, ".")
		if t := n.vocabulary(x, name); t != nil {
			return t
		}
		if _, given := builtins[words[0]]; !given && !n.isKnown(words[0]) {
			return n.fail(x, "no field, parameter or value %q", name)
		}
	}
	if of.Op == expr.OpIndex && of.Args[0].Op == expr.OpName && !n.hides(of.Args[0].Name) {
		table := of.Args[0].Name
		if t, column := n.words.column(table, x.Name); t != nil {
			return n.row(x, of.Args[1], t, column)
		}
		if !n.isKnown(table) {
			return n.fail(x, "no table %q with a column %q", table, x.Name)
		}
	}
	switch t := expr.Infer(of, n); {
	case t == nil:
		return nil
	case t.Kind == expr.User:
		return n.member(x, t.Named.(recordType).Record)
	case t.Kind == expr.Int || t.Kind == expr.Any:
		return n.part(x)
	default:
		return n.fail(x, "%v has no %q", t, x.Name)
	}
}

// hides reports whether a name is one of the record's, which hides those of the language. A list of numbers hides none: it has
// no attributes.
func (n *recordNames) hides(name string) bool {
	if f := fieldNamed(n.record, name); f != nil {
		t := valueType(f)
		return t.Kind != expr.Array || t.Of.Kind != expr.Int
	}
	return slices.Contains(n.record.Params, name)
}

// isKnown reports whether a name alone has a meaning.
func (n *recordNames) isKnown(name string) bool {
	quiet := *n
	return quiet.name(&expr.Expr{Op: expr.OpName, Name: name}) != nil
}

// row returns the column of a row.
func (n *recordNames) row(x, at *expr.Expr, t *expr.Type, column func(row int64) Value) *expr.Type {
	expr.Want(at, n, "the number of a row", expr.Int)
	return means(x, t, func(c *formula.Compiler) *grammar.Code {
		row := c.Code(at)
		number := row.Number()
		return formula.Fold(grammar.Computed(func(s Scope) (Value, error) {
			row, err := number(s)
			if err != nil {
				return Value{}, err
			}
			return column(row), nil
		}), row)
	})
}

// member returns a field of a record that is a value. It builds the record of a field that is not built yet.
func (n *recordNames) member(x *expr.Expr, of *grammar.Record) *expr.Type {
	if err := of.Build(); err != nil {
		n.errs = append(n.errs, err)
		return nil
	}
	f := fieldNamed(of, x.Name)
	if f == nil {
		return n.fail(x, "%s has no field %q", recordType{of}.Words(), x.Name)
	}
	return means(x, valueType(f), func(c *formula.Compiler) *grammar.Code { return memberCode(c.Code(x.Args[0]), x.Name) })
}

// memberCode computes the field of a name of a record, or its argument.
func memberCode(object *grammar.Code, name string) *grammar.Code {
	return grammar.Computed(func(s Scope) (Value, error) {
		v, err := object.Eval(s)
		if err != nil {
			return v, err
		}
		o := v.Object()
		if o == nil {
			if v.Kind() == grammar.Null {
				return v, nil
			}
			return Value{}, fmt.Errorf("%s is asked of %s", name, v.Kind())
		}
		if f := fieldNamed(o.Record(), name); f != nil {
			return s.In(o).Value(f)
		}
		if i := slices.Index(o.Record().Params, name); i >= 0 {
			return o.Arg(i), nil
		}
		return Value{}, fmt.Errorf("%s has no field %q", o.Record().Title, name)
	})
}

// part returns a part of a number, or an attribute of a value that is known only when it is computed.
func (n *recordNames) part(x *expr.Expr) *expr.Type {
	if f := n.fieldOf(x.Args[0]); f != nil && x.Args[0].Type.Kind != expr.Any {
		shift := uint(0)
		for _, part := range origin(f).parts {
			if Underscored(part.Name) == x.Name {
				return means(x, expr.IntType, func(c *formula.Compiler) *grammar.Code {
					return c.Code(x.Args[0]).Part(shift, part.Width)
				})
			}
			shift += part.Width
		}
		return n.fail(x, "the number %q has no part %q", f.Name, x.Name)
	}
	if x.Args[0].Type.Kind == expr.Any {
		return means(x, expr.AnyType, func(c *formula.Compiler) *grammar.Code { return memberCode(c.Code(x.Args[0]), x.Name) })
	}
	return n.fail(x, "a number has no %q", x.Name)
}

// itType returns the type of the value that a rule is about.
func (n *recordNames) itType() *expr.Type {
	if n.element {
		return elementType(n.it)
	}
	return valueType(n.it)
}

// fieldOf returns the field that an expression is, or nil.
func (n *recordNames) fieldOf(x *expr.Expr) *grammar.Field {
	switch {
	case x.Op == expr.OpName && x.Name == "it" && n.it != nil:
		return n.it
	case x.Op == expr.OpName:
		return fieldNamed(n.record, x.Name)
	case x.Op == expr.OpAttr && x.Args[0].Type != nil && x.Args[0].Type.Kind == expr.User:
		return fieldNamed(x.Args[0].Type.Named.(recordType).Record, x.Name)
	}
	return nil
}

// A recordType is a record as the type of an expression.
type recordType struct{ *grammar.Record }

// Words names the record in messages.
func (r recordType) Words() string { return fmt.Sprintf("%q", r.Title) }

// origin returns the field of the language that one of the engine is made of.
func origin(f *grammar.Field) *Field { return f.Origin.(*Field) }

// valueType returns the type of a field's value in expressions.
func valueType(f *grammar.Field) *expr.Type {
	of := elementType(f)
	if f.Repeat != nil {
		return &expr.Type{Kind: expr.Array, Of: of}
	}
	return of
}

// elementType returns the type of the elements of a list, or of a field that is none.
func elementType(f *grammar.Field) *expr.Type {
	switch t := f.Of.(type) {
	case *grammar.Scalar:
		return scalarType(t)
	case *grammar.BitField:
		if t.Flag {
			return expr.BoolType
		}
		return &expr.Type{Kind: expr.Int, Width: t.Width, Bits: true}
	case *grammar.Opaque:
		if t.IsText() {
			return expr.StrType
		}
		return expr.BytesType
	}
	if r := grammar.RecordOf(f.Of); r != nil {
		return &expr.Type{Kind: expr.User, Named: recordType{r}}
	}
	return expr.AnyType
}

func scalarType(t *grammar.Scalar) *expr.Type {
	switch kind := t.Kind(); kind {
	case grammar.Int, grammar.Uint:
		return &expr.Type{Kind: expr.Int, Width: int(t.Size()), Signed: kind == grammar.Int}
	case grammar.Float:
		return &expr.Type{Kind: expr.Float, Width: int(t.Size())}
	}
	return expr.AnyType
}

// typeOf returns the type of a value.
func typeOf(v Value) *expr.Type {
	switch v.Kind() {
	case grammar.Int:
		return expr.IntType
	case grammar.Uint:
		return &expr.Type{Kind: expr.Int, Width: 8}
	case grammar.Float:
		return expr.FloatType
	case grammar.Bool:
		return expr.BoolType
	case grammar.String:
		return expr.StrType
	case grammar.Bytes:
		return expr.BytesType
	}
	return expr.AnyType
}

// builtin is a name that the language gives.
type builtin struct {
	of   *expr.Type
	code nameCode
}

func builtinInt(of func(s Scope) int64) builtin {
	return builtin{expr.IntType, func(*formula.Compiler) *grammar.Code {
		return grammar.IntCode(func(s Scope) (int64, error) { return of(s), nil })
	}}
}

var builtins = map[string]builtin{
	"it": {expr.AnyType, func(*formula.Compiler) *grammar.Code {
		return grammar.Computed(func(s Scope) (Value, error) { return s.Item(), nil })
	}},
	"index": builtinInt(Scope.Index),
	"left":  builtinInt(func(s Scope) int64 { return s.Object().Stream().Size() - s.Pos() }),
	"pos":   builtinInt(Scope.Pos),
	"start": builtinInt(func(s Scope) int64 { return s.Object().Start() - s.Object().Stream().Start }),
	"depth": builtinInt(func(s Scope) int64 { return int64(s.Object().Depth()) }),
	"beyond": builtinInt(func(s Scope) int64 {
		in := s.Object().Stream()
		return in.Source.Size() - in.End
	}),
	"root": {expr.AnyType, func(*formula.Compiler) *grammar.Code {
		return grammar.Computed(func(s Scope) (Value, error) { return grammar.ObjectValue(s.Object().Root()), nil })
	}},
	"up": {expr.AnyType, func(*formula.Compiler) *grammar.Code {
		return grammar.Computed(func(s Scope) (Value, error) { return grammar.ObjectValue(s.Object().Parent()), nil })
	}},
}

// function finds the function of a call.
func (n *recordNames) function(x *expr.Expr) *expr.Type {
	if of, ok := fieldFunctions[x.Name]; ok {
		return n.fieldFunction(x, of)
	}
	for _, arg := range x.Args {
		if expr.Infer(arg, n) == nil {
			return nil
		}
	}
	if x.Name == "min" || x.Name == "max" {
		return n.minMax(x)
	}
	if f := n.words.language.index.funcs[x.Name]; f != nil {
		return goFunction(x, f)
	}
	return n.fail(x, "no function %q", x.Name)
}

func (n *recordNames) minMax(x *expr.Expr) *expr.Type {
	if len(x.Args) != 2 {
		return n.fail(x, "%q takes 2 arguments, not %d", x.Name, len(x.Args))
	}
	return means(x, expr.IntType, func(c *formula.Compiler) *grammar.Code {
		a, b := c.Code(x.Args[0]), c.Code(x.Args[1])
		v, w := a.Operand(), b.Operand()
		do := func(a, b int64) int64 { return min(a, b) }
		if x.Name == "max" {
			do = func(a, b int64) int64 { return max(a, b) }
		}
		return formula.Fold(grammar.IntCode(func(s Scope) (int64, error) {
			n, err := v.Get(s)
			if err != nil {
				return 0, err
			}
			m, err := w.Get(s)
			return do(n, m), err
		}), a, b)
	})
}

// goFunction computes a function of the language.
func goFunction(x *expr.Expr, f *Func) *expr.Type {
	return means(x, expr.AnyType, func(c *formula.Compiler) *grammar.Code {
		args := c.Codes(x.Args)
		return grammar.Computed(func(s Scope) (Value, error) {
			values := make([]Value, len(args))
			for i, arg := range args {
				var err error
				if values[i], err = arg.Eval(s); err != nil {
					return Value{}, err
				}
			}
			return f.Do(s, values), nil
		})
	})
}

// fieldFunction is a function of a field, not of its value; of a condition it is 0 or 1.
type fieldFunction struct {
	of   *expr.Type
	none Value // of a field that the record does not have
	do   func(s Scope, f *grammar.Field) (int64, error)
}

// code returns the code of the function of one field.
func (of fieldFunction) code(f *grammar.Field) *grammar.Code {
	num := func(s Scope) (int64, error) { return of.do(s, f) }
	if of.of == expr.BoolType {
		return grammar.BoolCode(num)
	}
	return grammar.IntCode(num)
}

var fieldFunctions = map[string]fieldFunction{
	"has": {expr.BoolType, grammar.BoolValue(false), func(s Scope, f *grammar.Field) (int64, error) {
		v, err := s.Value(f)
		return formula.Truth(err == nil && v.Kind() != grammar.Null), nil
	}},
	"bytes": {expr.IntType, grammar.IntValue(0), func(s Scope, f *grammar.Field) (int64, error) { return s.Span(f).Len, nil }},
	"after": {expr.IntType, grammar.IntValue(0), func(s Scope, f *grammar.Field) (int64, error) {
		at := s.Span(f)
		if at.Source == nil {
			return 0, nil
		}
		return s.Object().Stream().End - at.End(), nil
	}},
	"known": {expr.IntType, grammar.IntValue(0), func(s Scope, f *grammar.Field) (int64, error) {
		v, err := s.Value(f)
		if l := v.List(); l != nil {
			return l.Known(), nil
		}
		return 0, err
	}},
	"whole": {expr.BoolType, grammar.BoolValue(true), func(s Scope, f *grammar.Field) (int64, error) {
		v, err := s.Value(f)
		return formula.Truth(v.List() == nil || v.List().Whole()), err
	}},
}

func (n *recordNames) fieldFunction(x *expr.Expr, of fieldFunction) *expr.Type {
	if len(x.Args) != 1 {
		return n.fail(x, "%q takes the name of a field", x.Name)
	}
	if word := x.Args[0]; word.Op == expr.OpName && n.words.elsewhere[word.Name] {
		word.Type = expr.AnyType
		return means(x, of.of, func(*formula.Compiler) *grammar.Code { return grammar.FixedCode(of.none) })
	}
	f := n.fieldOf(x.Args[0])
	if f == nil {
		return n.fail(x.Args[0], "%q takes the name of a field", x.Name)
	}
	x.Args[0].Type = valueType(f)
	return means(x, of.of, func(*formula.Compiler) *grammar.Code { return of.code(f) })
}
