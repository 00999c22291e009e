package grammar

import "cutaway/decoders/expr"

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
	"index": builtinInt(Scope.Index),
	"left":  builtinInt(func(s Scope) int64 { return s.o.stream.Size() - s.Pos() }),
	"pos":   builtinInt(Scope.Pos),
	"start": builtinInt(func(s Scope) int64 { return s.o.start - s.o.stream.Start }),
	"depth": builtinInt(func(s Scope) int64 { return int64(s.o.depth) }),
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

// fieldFunction is a function of a field, not of its value.
type fieldFunction struct {
	of   *expr.Type
	none Value // of a field that the record does not have
	do   func(s Scope, f *Field) (Value, error)
}

var fieldFunctions = map[string]fieldFunction{
	"has": {expr.BoolType, BoolValue(false), func(s Scope, f *Field) (Value, error) {
		v, err := s.Value(f)
		return BoolValue(err == nil && v.kind != Null), nil
	}},
	"bytes": {expr.IntType, IntValue(0), func(s Scope, f *Field) (Value, error) { return IntValue(s.Span(f).Len), nil }},
	"known": {expr.IntType, IntValue(0), func(s Scope, f *Field) (Value, error) {
		v, err := s.Value(f)
		if l := v.List(); l != nil {
			return IntValue(l.Known()), nil
		}
		return IntValue(0), err
	}},
	"whole": {expr.BoolType, BoolValue(true), func(s Scope, f *Field) (Value, error) {
		v, err := s.Value(f)
		return BoolValue(v.List() == nil || v.List().Whole()), err
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
	return means(x, of.of, func(*Compiler) *Code {
		return Computed(func(s Scope) (Value, error) { return of.do(s, f) })
	})
}
