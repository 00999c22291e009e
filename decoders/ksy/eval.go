package ksy

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/expr"
	"cutaway/decoders/formula"
	"cutaway/decoders/grammar"
)

// code compiles an expression.
func (c *compiler) code(e *expr.Expr) *grammar.Code { return c.exprs.Code(e) }

// expr compiles an optional expression.
func (c *compiler) expr(e *expr.Expr) grammar.Expr {
	if e == nil {
		return nil
	}
	return c.code(e)
}

// nameCode compiles the expressions that only .ksy has: names, methods, members, casts and sizes.
func (c *compiler) nameCode(_ *formula.Compiler, e *expr.Expr) *grammar.Code {
	switch meaning := e.Meaning.(type) {
	case *big.Int: // a size
		return grammar.FixedCode(grammar.NumberValue(meaning))
	case *EnumMember:
		return grammar.FixedCode(grammar.NumberValue(meaning.Value))
	case Method:
		return c.method(e, meaning)
	case *Field:
		return c.named(e, c.field(meaning))
	case Special:
		return c.named(e, c.special(meaning))
	}
	return c.cast(e)
}

// An eval computes the value of an expression in a record.
type eval func(s grammar.Scope) (grammar.Value, error)

// named returns the code of a name in the current record, or in the record Args[0].
func (c *compiler) named(e *expr.Expr, get eval) *grammar.Code {
	if e.Op != expr.OpAttr {
		return grammar.Computed(get)
	}
	object := c.code(e.Args[0])
	return grammar.Computed(func(s grammar.Scope) (grammar.Value, error) {
		v, err := object.Eval(s)
		if err != nil {
			return v, err
		}
		o := v.Object()
		if o == nil {
			return v, fmt.Errorf("%s is asked of %s", e.Name, v.Kind())
		}
		return get(s.In(o))
	})
}

func (c *compiler) special(special Special) eval {
	switch special {
	case Root:
		return func(s grammar.Scope) (grammar.Value, error) { return grammar.ObjectValue(c.rootOf(s.Object())), nil }
	case Parent:
		return c.parentOf
	case Stream:
		return func(s grammar.Scope) (grammar.Value, error) { return grammar.StreamValue(s.Object().Stream()), nil }
	case Index:
		return func(s grammar.Scope) (grammar.Value, error) { return grammar.IntValue(s.Index()), nil }
	case Current:
		return func(s grammar.Scope) (grammar.Value, error) { return s.Item(), nil }
	}
	return func(s grammar.Scope) (grammar.Value, error) { return s.On(), nil }
}

// field returns the value of a param, field or instance of the record.
func (c *compiler) field(f *Field) eval {
	if f.Role == RoleParam {
		return func(s grammar.Scope) (grammar.Value, error) { return s.Object().Arg(f.Slot), nil }
	}
	rec, of := c.record(f.Owner), c.fields[f]
	return func(s grammar.Scope) (grammar.Value, error) {
		if s.Object().Record() != rec {
			return grammar.Value{}, fmt.Errorf("%s is asked of a %s, which is no %s", f.ID, s.Object().Record().Title, rec.Title)
		}
		return s.Value(of)
	}
}

// rootOf returns _root of a record: the outermost enclosing record of the same module.
func (c *compiler) rootOf(o *grammar.Object) *grammar.Object {
	top := c.types[o.Record()].Top()
	for o.Parent() != nil && c.types[o.Parent().Record()].Top() == top {
		o = o.Parent()
	}
	return o
}

// parentOf returns _parent of a record: the record that reads it, or that of the parent key of the reading field.
func (c *compiler) parentOf(s grammar.Scope) (grammar.Value, error) {
	o := s.Object()
	parent := o.Parent()
	if parent == nil {
		return grammar.Value{}, nil
	}
	switch f := o.Field().Origin.(*Field); {
	case f.NoParent:
		return grammar.Value{}, nil
	case f.ParentOf != nil:
		return c.parents[f].Eval(s.In(parent))
	}
	return grammar.ObjectValue(parent), nil
}

// lengthOf returns the number of elements, bytes or characters.
func lengthOf(s grammar.Scope, v grammar.Value) (int64, error) {
	switch v.Kind() {
	case grammar.String:
		return int64(len([]rune(v.String()))), nil
	case grammar.Bytes:
		return v.Blob().Len(), nil
	}
	if l := v.List(); l != nil {
		return l.Len(s)
	}
	return int64(len(v.Values())), nil
}

// cast compiles a cast. It changes a value only from a list of numbers to bytes.
func (c *compiler) cast(e *expr.Expr) *grammar.Code {
	of := c.code(e.Args[0])
	if e.Type.Kind != expr.Bytes {
		return of
	}
	return grammar.Computed(func(s grammar.Scope) (grammar.Value, error) {
		v, err := of.Eval(s)
		if err != nil || v.Kind() != grammar.Array {
			return v, err
		}
		n, err := lengthOf(s, v)
		if err != nil {
			return v, err
		}
		b := make([]byte, 0, min(n, grammar.MaxBytes))
		for i := range min(n, grammar.MaxBytes) {
			element, err := formula.ElementOf(s, v, i)
			if err != nil {
				return v, err
			}
			number, _ := element.Int()
			b = append(b, byte(number))
		}
		return grammar.BytesValue(b), nil
	})
}

// method compiles a method call.
func (c *compiler) method(e *expr.Expr, method Method) *grammar.Code {
	of := c.code(e.Args[0])
	args := c.exprs.Codes(e.Args[1:])
	return grammar.Computed(func(s grammar.Scope) (grammar.Value, error) {
		v, err := of.Eval(s)
		if err != nil {
			return v, err
		}
		with := make([]grammar.Value, len(args))
		for i, arg := range args {
			if with[i], err = arg.Eval(s); err != nil {
				return v, err
			}
		}
		return call(s, method, v, with)
	})
}

func call(s grammar.Scope, m Method, v grammar.Value, args []grammar.Value) (grammar.Value, error) {
	switch m {
	case ToString:
		return toString(s, v, args)
	case ToInteger:
		return toInteger(v, args)
	case ToBytes:
		b, err := encode(args[0].String(), v.String())
		return grammar.BytesValue(b), err
	case Length:
		n, err := lengthOf(s, v)
		return grammar.IntValue(n), err
	case Reverse:
		r := []rune(v.String())
		slices.Reverse(r)
		return grammar.StringValue(string(r)), nil
	case Substring:
		return substring(v.String(), args)
	case First:
		return formula.ElementOf(s, v, 0)
	case Last:
		n, err := lengthOf(s, v)
		if err != nil {
			return v, err
		}
		return formula.ElementOf(s, v, n-1)
	case Min:
		return extreme(s, v, -1)
	case Max:
		return extreme(s, v, 1)
	case StreamSize:
		return grammar.IntValue(v.Stream().Size()), nil
	case StreamPos:
		return grammar.IntValue(s.PosIn(v.Stream())), nil
	case StreamEOF:
		return grammar.BoolValue(s.AtEnd(v.Stream())), nil
	}
	return v, nil
}

func toString(s grammar.Scope, v grammar.Value, args []grammar.Value) (grammar.Value, error) {
	if v.Kind() != grammar.Bytes {
		return grammar.StringValue(v.String()), nil
	}
	b, err := v.Blob().Read(s.Reading().Context())
	if err != nil {
		return v, err
	}
	text, err := decode(args[0].String(), b)
	return grammar.StringValue(text), err
}

func toInteger(v grammar.Value, args []grammar.Value) (grammar.Value, error) {
	switch v.Kind() {
	case grammar.Float:
		f, _ := v.Float()
		n, accuracy := big.NewFloat(math.Trunc(f)).Int(nil)
		if accuracy != big.Exact {
			return v, fmt.Errorf("%s has no whole part", v)
		}
		return grammar.NumberValue(n), nil
	case grammar.String:
		base := int64(10)
		if len(args) > 0 {
			base, _ = args[0].Int()
		}
		return parseInteger(v.String(), int(base))
	}
	return grammar.NumberValue(v.Big()), nil
}

// parseInteger parses the digits that text begins with and ignores the rest, as the reference does.
func parseInteger(text string, base int) (grammar.Value, error) {
	if base < 2 || base > 36 {
		return grammar.Value{}, fmt.Errorf("there are no integers of base %d", base)
	}
	text = strings.TrimSpace(text)
	end := 0
	for ; end < len(text); end++ {
		if _, err := strconv.ParseUint(text[end:end+1], base, 8); err != nil && (end > 0 || text[0] != '-' && text[0] != '+') {
			break
		}
	}
	n, ok := new(big.Int).SetString(text[:end], base)
	if !ok {
		return grammar.Value{}, fmt.Errorf("%s is no integer of base %d", strconv.Quote(text), base)
	}
	return grammar.NumberValue(n), nil
}

func substring(text string, args []grammar.Value) (grammar.Value, error) {
	r := []rune(text)
	from, _ := args[0].Int()
	to, _ := args[1].Int()
	if from < 0 || to < from || to > int64(len(r)) {
		return grammar.Value{}, fmt.Errorf("characters %d to %d of %d", from, to, len(r))
	}
	return grammar.StringValue(string(r[from:to])), nil
}

// extreme returns the least (sign -1) or greatest (1) element.
func extreme(s grammar.Scope, v grammar.Value, sign int) (grammar.Value, error) {
	n, err := lengthOf(s, v)
	if err != nil {
		return v, err
	}
	best, err := formula.ElementOf(s, v, 0)
	for i := int64(1); i < n && err == nil; i++ {
		var element grammar.Value
		if element, err = formula.ElementOf(s, v, i); err != nil {
			break
		}
		order, failed := formula.Order(s, element, best)
		if err = failed; order == sign {
			best = element
		}
	}
	return best, err
}
