package grammar

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders/expr"
)

// A Vocabulary gives names of a language a meaning in expressions of its records, besides the records' own names.
type Vocabulary interface {
	// Name returns the value of a name, with its dots: what the document knows, the number of a table's row. The value is nil
	// while expressions are only checked.
	Name(name string) (v *Value, ok bool)
	// Column returns a column of a table as a function of the row's number.
	Column(table, column string) (Column, bool)
	// Func returns a function that Go computes.
	Func(name string) (Function, bool)
}

// A Column is a column of a table.
type Column struct {
	Type *expr.Type
	At   func(row int64) (Value, bool) // false where the table has no such row
}

// A Function is computed by Go. Args is the number of its arguments, or -1 if that differs.
type Function struct {
	Args int
	Type *expr.Type
	Do   func(s Scope, args []Value) (Value, error)
}

// Formula returns the expression that a text of the BuiltIn dialect is. Its names are found when its record is built: the
// record's fields, with _ for a blank, its parameters, its Vocabulary, and what the language gives:
//
//	it index left pos start depth   numbers of the place that is read, or the value that a rule is about
//	beyond                          bytes of the source after those of the record's range
//	root up                         the outermost record, and the one around
//	has(f) bytes(f) after(f)        whether a field is there, the number of its bytes, that of the bytes after it
//	known(f) whole(f)               the number of elements of a list that were read, and whether they are all
//	min(a, b) max(a, b)
//
// An absent field is 0, false and no text.
func Formula(text string) Expr { return &formula{text: text} }

type formula struct {
	text string
	code *Code
	num  numCode
}

func (e *formula) bind(r *Record) (err error) {
	e.code, err = (&recordNames{record: r}).code(e.text)
	e.num = e.code.number()
	return err
}

// Eval computes the value.
func (e *formula) Eval(s Scope) (Value, error) { return e.code.value(s) }

// code compiles an expression.
func (n *recordNames) code(text string) (*Code, error) {
	x, failed := expr.Parse(text, expr.BuiltIn, nil)
	if failed != nil {
		return &Code{}, textError(text, failed.Offset, failed.Message)
	}
	return n.codeOf(text, x)
}

// codeOf compiles an expression that is parsed.
func (n *recordNames) codeOf(text string, x *expr.Expr) (*Code, error) {
	n.text, n.errs = text, nil
	if expr.Infer(x, n); n.errs != nil {
		return &Code{}, errors.Join(n.errs...)
	}
	return compileNamed(x), nil
}

func textError(text string, offset int, message string) error {
	return fmt.Errorf("in %q at %d: %s", text, offset+1, message)
}

// recordNames are the names of a record's expressions.
type recordNames struct {
	record  *Record
	it      *Field // that a rule is about
	element bool   // the rule is about each element
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

// meaning of a name: what it compiles to.
type nameCode func(c *Compiler) *Code

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
func compileNamed(x *expr.Expr) *Code {
	return NewCompiler(expr.BuiltIn, func(c *Compiler, x *expr.Expr) *Code { return x.Meaning.(nameCode)(c) }).Code(x)
}

// means sets the meaning of a name.
func means(x *expr.Expr, t *expr.Type, code nameCode) *expr.Type {
	x.Meaning = code
	return t
}

var blanks = strings.NewReplacer(" ", "_", "~", "_")

// Underscored returns the name of a field as expressions have it: with _ for each blank and ~.
func Underscored(name string) string { return blanks.Replace(name) }

// field finds the record's field that an expression names.
func (n *recordNames) field(name string) (int, bool) {
	if i, ok := n.record.byName[name]; ok || !strings.Contains(name, "_") {
		return i, ok
	}
	i := slices.IndexFunc(n.record.Fields, func(f *Field) bool { return Underscored(f.Name) == name })
	return i, i >= 0
}

func (n *recordNames) name(x *expr.Expr) *expr.Type {
	if text, ok := n.record.Lets[x.Name]; ok {
		return n.let(x, text)
	}
	if i, ok := n.field(x.Name); ok {
		return means(x, n.record.Fields[i].valueType(), func(*Compiler) *Code { return n.record.fieldCode(i) })
	}
	if v, ok := n.record.Given[x.Name]; ok {
		return means(x, v.exprType(), func(*Compiler) *Code { return FixedCode(v) })
	}
	if i := slices.Index(n.record.Params, x.Name); i >= 0 {
		return means(x, expr.AnyType, func(*Compiler) *Code {
			return Computed(func(s Scope) (Value, error) { return s.o.Arg(i), nil })
		})
	}
	if n.record.Elsewhere[x.Name] {
		return means(x, expr.AnyType, func(*Compiler) *Code { return FixedCode(Value{}) })
	}
	if t := n.vocabulary(x, x.Name); t != nil {
		return t
	}
	if x.Name == "it" && n.it != nil {
		t := n.itType()
		if v := n.it.Fixed; v != nil {
			return means(x, t, func(*Compiler) *Code { return FixedCode(*v) })
		}
		if !n.element && !n.it.Absent {
			return means(x, t, func(*Compiler) *Code { return n.record.fieldCode(n.it.index) })
		}
		return means(x, t, func(*Compiler) *Code { return itCode(t) })
	}
	if of, ok := ruleNames[x.Name]; ok && n.it != nil {
		return means(x, of.of, func(*Compiler) *Code { return of.code(n.record, n.it) })
	}
	if of, ok := builtins[x.Name]; ok {
		return means(x, of.of, of.code)
	}
	return n.fail(x, "no field, parameter or value %q", x.Name)
}

// itCode returns the code of the value that a rule is about.
func itCode(t *expr.Type) *Code {
	code := Computed(func(s Scope) (Value, error) { return s.r.item, nil })
	if t.Kind == expr.Int {
		code.num = func(s Scope) (int64, error) {
			n, _ := s.r.item.integer()
			return n, nil
		}
		code.wide = !t.Signed
	}
	return code
}

// maxLets is the most names of expressions in each other.
const maxLets = 32

// let returns the expression that a name stands for.
func (n *recordNames) let(x *expr.Expr, text string) *expr.Type {
	if n.lets > maxLets {
		return n.fail(x, "%q is told by itself", x.Name)
	}
	in := &recordNames{record: n.record, text: text, lets: n.lets + 1}
	tree, failed := expr.Parse(text, expr.BuiltIn, nil)
	if failed != nil {
		return n.fail(x, "%q: %s", x.Name, failed.Message)
	}
	t := expr.Infer(tree, in)
	n.errs = append(n.errs, in.errs...)
	if t == nil {
		return nil
	}
	return means(x, t, func(*Compiler) *Code { return compileNamed(tree) })
}

// vocabulary finds a name of the language; nil where it has none.
func (n *recordNames) vocabulary(x *expr.Expr, name string) *expr.Type {
	if n.record.Vocabulary == nil {
		return nil
	}
	v, ok := n.record.Vocabulary.Name(name)
	switch {
	case !ok:
		return nil
	case v == nil:
		return means(x, expr.IntType, func(*Compiler) *Code {
			return ofInt(func(Scope) (int64, error) { return 0, nil })
		})
	}
	return means(x, v.exprType(), func(*Compiler) *Code { return FixedCode(*v) })
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
		if column, ok := n.column(table, x.Name); ok {
			return n.row(x, of.Args[1], column)
		}
		if !n.isKnown(table) {
			return n.fail(x, "no table %q with a column %q", table, x.Name)
		}
	}
	switch t := expr.Infer(of, n); {
	case t == nil:
		return nil
	case t.Kind == expr.User:
		return n.member(x, t.Named.(*Record))
	case t.Kind == expr.Int || t.Kind == expr.Any:
		return n.part(x)
	default:
		return n.fail(x, "%v has no %q", t, x.Name)
	}
}

// column returns a column of a table of the language.
func (n *recordNames) column(table, column string) (Column, bool) {
	if n.record.Vocabulary == nil {
		return Column{}, false
	}
	return n.record.Vocabulary.Column(table, column)
}

// hides reports whether a name is one of the record's, which hides those of the language. A list of numbers hides none: it has
// no attributes.
func (n *recordNames) hides(name string) bool {
	if i, ok := n.field(name); ok {
		t := n.record.Fields[i].valueType()
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
func (n *recordNames) row(x, at *expr.Expr, column Column) *expr.Type {
	expr.Want(at, n, "the number of a row", expr.Int)
	return means(x, column.Type, func(c *Compiler) *Code {
		row := c.Code(at)
		number := row.number()
		return fold(Computed(func(s Scope) (Value, error) {
			row, err := number(s)
			if err != nil {
				return Value{}, err
			}
			v, ok := column.At(row)
			if !ok {
				return v, fmt.Errorf("there is no row %d of %s", row, x.Args[0].Args[0].Name)
			}
			return v, nil
		}), row)
	})
}

// member returns a field of a record that is a value. It builds the record of a field that is not built yet.
func (n *recordNames) member(x *expr.Expr, of *Record) *expr.Type {
	if err := of.Build(); err != nil {
		n.errs = append(n.errs, err)
		return nil
	}
	in := recordNames{record: of}
	i, ok := in.field(x.Name)
	if !ok {
		return n.fail(x, "%s has no field %q", of.Words(), x.Name)
	}
	return means(x, of.Fields[i].valueType(), func(c *Compiler) *Code { return memberCode(c.Code(x.Args[0]), x.Name) })
}

// memberCode computes the field of a name of a record, or its argument.
func memberCode(object *Code, name string) *Code {
	return Computed(func(s Scope) (Value, error) {
		v, err := object.value(s)
		if err != nil {
			return v, err
		}
		o := v.Object()
		if o == nil {
			if v.kind == Null {
				return v, nil
			}
			return Value{}, fmt.Errorf("%s is asked of %s", name, v.kind)
		}
		in := recordNames{record: o.rec}
		if i, ok := in.field(name); ok {
			return s.In(o).o.value(s.r, i)
		}
		if i := slices.Index(o.rec.Params, name); i >= 0 {
			return o.Arg(i), nil
		}
		return Value{}, fmt.Errorf("%s has no field %q", o.rec.Title, name)
	})
}

// part returns a part of a number, or an attribute of a value that is known only when it is computed.
func (n *recordNames) part(x *expr.Expr) *expr.Type {
	if f := n.fieldOf(x.Args[0]); f != nil && x.Args[0].Type.Kind != expr.Any {
		shift := uint(0)
		for _, part := range f.Parts {
			if Underscored(part.Name) == x.Name {
				return means(x, expr.IntType, func(c *Compiler) *Code {
					return c.part(x.Args[0], shift, int64(1)<<part.Width-1)
				})
			}
			shift += part.Width
		}
		return n.fail(x, "the number %q has no part %q", f.Name, x.Name)
	}
	if x.Args[0].Type.Kind == expr.Any {
		return means(x, expr.AnyType, func(c *Compiler) *Code { return memberCode(c.Code(x.Args[0]), x.Name) })
	}
	return n.fail(x, "a number has no %q", x.Name)
}

// itType returns the type of the value that a rule is about.
func (n *recordNames) itType() *expr.Type {
	if n.element {
		return n.it.elementType()
	}
	return n.it.valueType()
}

// part returns the code of some bits of a number.
func (c *Compiler) part(x *expr.Expr, shift uint, mask int64) *Code {
	of := c.Code(x)
	if f := of.field; f.slot > 0 {
		f.shift, f.mask, f.unsigned = f.shift+shift, f.mask>>shift&mask, true
		return f.code()
	}
	return Computed(func(s Scope) (Value, error) {
		v, err := of.value(s)
		return UintValue(v.bits >> shift & uint64(mask)), err
	})
}

// fieldOf returns the field that an expression is, or nil.
func (n *recordNames) fieldOf(x *expr.Expr) *Field {
	switch {
	case x.Op == expr.OpName && x.Name == "it" && n.it != nil:
		return n.it
	case x.Op == expr.OpName:
		if i, ok := n.field(x.Name); ok {
			return n.record.Fields[i]
		}
	case x.Op == expr.OpAttr && x.Args[0].Type != nil && x.Args[0].Type.Kind == expr.User:
		in := recordNames{record: x.Args[0].Type.Named.(*Record)}
		if i, ok := in.field(x.Name); ok {
			return in.record.Fields[i]
		}
	}
	return nil
}

// Words names a record in messages.
func (r *Record) Words() string { return fmt.Sprintf("%q", r.Title) }

// valueType returns the type of a field's value in expressions.
func (f *Field) valueType() *expr.Type {
	of := f.elementType()
	if f.Repeat != nil {
		return &expr.Type{Kind: expr.Array, Of: of}
	}
	return of
}

func (f *Field) elementType() *expr.Type {
	switch t := f.Of.(type) {
	case *Scalar:
		return t.valueType()
	case *BitField:
		if t.Flag {
			return expr.BoolType
		}
		return &expr.Type{Kind: expr.Int, Width: t.Width, Bits: true}
	case *Opaque:
		if t.decode != nil {
			return expr.StrType
		}
		return expr.BytesType
	case *Record:
		return &expr.Type{Kind: expr.User, Named: t}
	case *call:
		return &expr.Type{Kind: expr.User, Named: t.Record}
	}
	return expr.AnyType
}

func (t *Scalar) valueType() *expr.Type {
	switch t.kind {
	case float:
		return &expr.Type{Kind: expr.Float, Width: int(t.size)}
	case composite:
		return expr.AnyType
	}
	return &expr.Type{Kind: expr.Int, Width: int(t.size), Signed: t.kind == signed}
}

// exprType returns the type of a value.
func (v Value) exprType() *expr.Type {
	switch v.kind {
	case Int:
		return expr.IntType
	case Uint:
		return &expr.Type{Kind: expr.Int, Width: 8}
	case Float:
		return expr.FloatType
	case Bool:
		return expr.BoolType
	case String:
		return expr.StrType
	case Bytes:
		return expr.BytesType
	}
	return expr.AnyType
}

// fieldCode returns the code of a field's value.
func (r *Record) fieldCode(i int) *Code {
	f := r.Fields[i]
	if f.Fixed != nil {
		return FixedCode(*f.Fixed)
	}
	if f.Absent {
		return FixedCode(Value{})
	}
	code := Computed(func(s Scope) (Value, error) { return s.o.value(s.r, i) })
	t := f.valueType()
	if t.Kind != expr.Int && t.Kind != expr.Bool {
		return code
	}
	bits := bitsOf{slot: i + 1, mask: -1, unsigned: !t.Signed}
	if t.Bits || t.Kind == expr.Bool {
		bits.mask = 1<<max(t.Width, 1) - 1 // all of 64 bits: -1
	} else if t.Width < 8 && !t.Signed {
		bits.mask = 1<<(8*t.Width) - 1
	}
	typed := bits.code()
	typed.value = code.value
	return typed
}

// builtin is a name that the language gives.
type builtin struct {
	of   *expr.Type
	code nameCode
}

func builtinInt(of func(s Scope) int64) builtin {
	return builtin{expr.IntType, func(*Compiler) *Code {
		return ofInt(func(s Scope) (int64, error) { return of(s), nil })
	}}
}

var builtins = map[string]builtin{
	"it": {expr.AnyType, func(*Compiler) *Code {
		return Computed(func(s Scope) (Value, error) { return s.r.item, nil })
	}},
	"index":  builtinInt(Scope.Index),
	"left":   builtinInt(func(s Scope) int64 { return s.o.stream.Size() - s.Pos() }),
	"pos":    builtinInt(Scope.Pos),
	"start":  builtinInt(func(s Scope) int64 { return s.o.start - s.o.stream.Start }),
	"depth":  builtinInt(func(s Scope) int64 { return int64(s.o.depth) }),
	"beyond": builtinInt(func(s Scope) int64 { return s.o.stream.Source.Size() - s.o.stream.End }),
	"root": {expr.AnyType, func(*Compiler) *Code {
		return Computed(func(s Scope) (Value, error) { return ObjectValue(s.o.Root()), nil })
	}},
	"up": {expr.AnyType, func(*Compiler) *Code {
		return Computed(func(s Scope) (Value, error) { return ObjectValue(s.o.parent), nil })
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
	if n.record.Vocabulary != nil {
		if f, ok := n.record.Vocabulary.Func(x.Name); ok {
			return n.goFunction(x, f)
		}
	}
	return n.fail(x, "no function %q", x.Name)
}

func (n *recordNames) minMax(x *expr.Expr) *expr.Type {
	if len(x.Args) != 2 {
		return n.fail(x, "%q takes 2 arguments, not %d", x.Name, len(x.Args))
	}
	return means(x, expr.IntType, func(c *Compiler) *Code {
		a, b := c.Code(x.Args[0]), c.Code(x.Args[1])
		v, w := a.operand(), b.operand()
		do := func(a, b int64) int64 { return min(a, b) }
		if x.Name == "max" {
			do = func(a, b int64) int64 { return max(a, b) }
		}
		return fold(ofInt(func(s Scope) (int64, error) {
			n, err := v.get(s)
			if err != nil {
				return 0, err
			}
			m, err := w.get(s)
			return do(n, m), err
		}), a, b)
	})
}

func (n *recordNames) goFunction(x *expr.Expr, f Function) *expr.Type {
	if f.Args >= 0 && len(x.Args) != f.Args {
		return n.fail(x, "%q takes %d arguments, not %d", x.Name, f.Args, len(x.Args))
	}
	return means(x, f.Type, func(c *Compiler) *Code {
		args := c.Codes(x.Args)
		return Computed(func(s Scope) (Value, error) {
			values := make([]Value, len(args))
			for i, arg := range args {
				var err error
				if values[i], err = arg.value(s); err != nil {
					return Value{}, err
				}
			}
			return f.Do(s, values)
		})
	})
}

// fieldFunction is a function of a field, not of its value; of a condition it is 0 or 1.
type fieldFunction struct {
	of   *expr.Type
	none Value // of a field that the record does not have
	do   func(s Scope, f *Field) (int64, error)
}

// code returns the code of the function of one field.
func (of fieldFunction) code(f *Field) *Code {
	num := func(s Scope) (int64, error) { return of.do(s, f) }
	if of.of == expr.BoolType {
		return ofTruth(num)
	}
	return ofInt(num)
}

var fieldFunctions = map[string]fieldFunction{
	"has": {expr.BoolType, BoolValue(false), func(s Scope, f *Field) (int64, error) {
		v, err := s.Value(f)
		return truth(err == nil && v.kind != Null), nil
	}},
	"bytes": {expr.IntType, IntValue(0), func(s Scope, f *Field) (int64, error) { return s.Span(f).Len, nil }},
	"after": {expr.IntType, IntValue(0), func(s Scope, f *Field) (int64, error) {
		at := s.Span(f)
		if at.Source == nil {
			return 0, nil
		}
		return s.o.stream.End - at.End(), nil
	}},
	"known": {expr.IntType, IntValue(0), func(s Scope, f *Field) (int64, error) {
		v, err := s.Value(f)
		if l := v.List(); l != nil {
			return l.Known(), nil
		}
		return 0, err
	}},
	"whole": {expr.BoolType, BoolValue(true), func(s Scope, f *Field) (int64, error) {
		v, err := s.Value(f)
		return truth(v.List() == nil || v.List().Whole()), err
	}},
}

func (n *recordNames) fieldFunction(x *expr.Expr, of fieldFunction) *expr.Type {
	if len(x.Args) != 1 {
		return n.fail(x, "%q takes the name of a field", x.Name)
	}
	if word := x.Args[0]; word.Op == expr.OpName && n.record.Elsewhere[word.Name] {
		word.Type = expr.AnyType
		return means(x, of.of, func(*Compiler) *Code { return FixedCode(of.none) })
	}
	f := n.fieldOf(x.Args[0])
	if f == nil {
		return n.fail(x.Args[0], "%q takes the name of a field", x.Name)
	}
	x.Args[0].Type = f.valueType()
	return means(x, of.of, func(*Compiler) *Code { return of.code(f) })
}
