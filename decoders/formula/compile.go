package formula

import (
	"math"
	"slices"
	"strings"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
)

// NameCode makes the code of a name, attribute, call, member, cast or size that an expr.Env gave a type.
type NameCode func(c *Compiler, x *expr.Expr) *Code

// A numCode computes a number without a Value: 0 and 1 for false and true, and the largest for an integer above int64.
type numCode = func(s Scope) (int64, error)

// Truth returns 1 for true, 0 for false.
func Truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// A Compiler makes the code of expressions that expr.Infer gave types.
type Compiler struct {
	names     NameCode
	saturates bool // BuiltIn: arithmetic is that of int64
}

// NewCompiler returns a compiler of expressions of a dialect.
func NewCompiler(d expr.Dialect, names NameCode) *Compiler {
	return &Compiler{names, d == expr.BuiltIn}
}

// Code makes the code of an expression.
func (c *Compiler) Code(x *expr.Expr) *Code {
	switch x.Op {
	case expr.OpInt:
		return grammar.FixedCode(grammar.NumberValue(x.Int))
	case expr.OpFloat:
		return grammar.FixedCode(grammar.FloatValue(x.Float))
	case expr.OpStr:
		return grammar.FixedCode(grammar.StringValue(x.Str))
	case expr.OpBool:
		return grammar.FixedCode(grammar.BoolValue(x.Bool))
	case expr.OpName, expr.OpFunc, expr.OpMember, expr.OpAttr, expr.OpCall, expr.OpCast, expr.OpSizeOf, expr.OpBitSizeOf:
		return c.names(c, x)
	}
	return c.operation(x, c.Codes(x.Args))
}

// operation makes the code of an operation of its operands.
func (c *Compiler) operation(x *expr.Expr, args []*Code) *Code {
	switch x.Op {
	case expr.OpShown:
		return args[0]
	case expr.OpFormat:
		return ofFormat(args)
	case expr.OpList:
		return ofList(args, x.Type.Kind == expr.Bytes)
	case expr.OpIndex:
		return ofElement(args[0], args[1])
	case expr.OpCond:
		return choose(args[0], args[1], args[2])
	case expr.OpIn:
		return c.among(args[0], args[1:])
	case expr.OpWithin:
		return Fold(c.inRange(args[0], args[1], args[2]), args...)
	case expr.OpAnd, expr.OpOr:
		return logical(x.Op, args[0], args[1])
	case expr.OpNot:
		return Fold(not(args[0]), args...)
	case expr.OpNegate, expr.OpInvert:
		return Fold(c.unary(x, args[0]), args...)
	}
	if x.Op.IsComparison() {
		return Fold(c.compare(x.Op, args[0], args[1]), args...)
	}
	return Fold(c.binary(x, args[0], args[1]), args...)
}

// Codes makes the code of several expressions.
func (c *Compiler) Codes(list []*expr.Expr) []*Code {
	out := make([]*Code, len(list))
	for i, x := range list {
		out[i] = c.Code(x)
	}
	return out
}

// Fold computes a code whose operands are the same in every record. One that fails does so when it is computed.
func Fold(code *Code, of ...*Code) *Code {
	if slices.ContainsFunc(of, func(one *Code) bool { return one.Fixed() == nil }) {
		return code
	}
	v, err := code.Eval(Scope{})
	if err != nil {
		return code
	}
	return grammar.FixedCode(v)
}

// maxComputedText is the most bytes of a text that an expression makes.
const maxComputedText = 16 << 20

func errTextLong(s Scope) error {
	return s.Limit("a text of more than %d bytes is computed", maxComputedText)
}

func ofFormat(pieces []*Code) *Code {
	return grammar.Computed(func(s Scope) (Value, error) {
		var text strings.Builder
		for _, piece := range pieces {
			v, err := piece.Eval(s)
			if err != nil {
				return v, err
			}
			if text.WriteString(v.String()); text.Len() > maxComputedText {
				return v, errTextLong(s)
			}
		}
		return grammar.StringValue(text.String()), nil
	})
}

func ofList(elements []*Code, isBytes bool) *Code {
	return grammar.Computed(func(s Scope) (Value, error) {
		values := make([]Value, len(elements))
		raw := make([]byte, len(elements))
		for i, element := range elements {
			v, err := element.Eval(s)
			if err != nil {
				return v, err
			}
			values[i] = v
			n, _ := v.Int()
			raw[i] = byte(n)
		}
		if isBytes {
			return grammar.BytesValue(raw), nil
		}
		return grammar.ArrayValue(values), nil
	})
}

// both computes two codes in their order. With an error the second value is that of the code that failed.
func both(s Scope, a, b *Code) (v, w Value, err error) {
	if v, err = a.Eval(s); err != nil {
		return v, v, err
	}
	w, err = b.Eval(s)
	return v, w, err
}

func ofElement(of, at *Code) *Code {
	return grammar.Computed(func(s Scope) (Value, error) {
		list, v, err := both(s, of, at)
		if err != nil {
			return v, err
		}
		i, _ := v.Int()
		return ElementOf(s, list, i)
	})
}

// choose returns the code of is ? yes : no.
func choose(is, yes, no *Code) *Code {
	if n, ok := is.Constant(); ok && n != 0 {
		return yes
	} else if ok {
		return no
	}
	when := is.Number()
	value := func(s Scope) (Value, error) {
		switch n, err := when(s); {
		case err != nil:
			return Value{}, err
		case n != 0:
			return yes.Eval(s)
		}
		return no.Eval(s)
	}
	if !yes.IsNumber() || !no.IsNumber() {
		return grammar.Computed(value)
	}
	ofYes, ofNo := yes.Number(), no.Number()
	return grammar.NumberCode(value, func(s Scope) (int64, error) {
		switch n, err := when(s); {
		case err != nil:
			return 0, err
		case n != 0:
			return ofYes(s)
		}
		return ofNo(s)
	}, yes.IsWide() || no.IsWide())
}

// logical returns the code of "and" or "or". An operand that is the same in every record and decides leaves the other out.
func logical(op expr.Op, a, b *Code) *Code {
	decides := op == expr.OpOr
	sides := slices.DeleteFunc([]*Code{a, b}, func(one *Code) bool {
		n, ok := one.Constant()
		return ok && n != 0 != decides
	})
	for _, one := range sides {
		if one.Fixed() != nil {
			return grammar.FixedCode(grammar.BoolValue(decides))
		}
	}
	switch len(sides) {
	case 0:
		return grammar.FixedCode(grammar.BoolValue(!decides))
	case 1:
		return not(not(sides[0]))
	}
	left, right := a.Number(), b.Number()
	return grammar.BoolCode(func(s Scope) (int64, error) {
		n, err := left(s)
		if err != nil || n != 0 == decides {
			return Truth(n != 0), err
		}
		n, err = right(s)
		return Truth(n != 0), err
	})
}

func not(of *Code) *Code {
	num := of.Number()
	return grammar.BoolCode(func(s Scope) (int64, error) {
		n, err := num(s)
		return Truth(n == 0), err
	})
}

// inRange returns the code of x in a..b.
func (c *Compiler) inRange(of, least, most *Code) *Code {
	from, ok := least.Constant()
	to, okay := most.Constant()
	if !ok || !okay || !comparesAsInt(of, least) || !comparesAsInt(of, most) {
		return logical(expr.OpAnd, c.compare(expr.OpAtLeast, of, least), c.compare(expr.OpAtMost, of, most))
	}
	number := of.Operand()
	return grammar.BoolCode(func(s Scope) (int64, error) {
		n, err := number.Get(s)
		return Truth(from <= n && n <= to), err
	})
}

// among returns the code of x in (a, b).
func (c *Compiler) among(of *Code, list []*Code) *Code {
	var numbers []int64
	for _, one := range list {
		if k, ok := one.Constant(); ok && comparesAsInt(of, one) {
			numbers = append(numbers, k)
		}
	}
	if of.Fixed() == nil && len(numbers) == len(list) {
		number := of.Operand()
		return grammar.BoolCode(func(s Scope) (int64, error) {
			n, err := number.Get(s)
			return Truth(slices.Contains(numbers, n)), err
		})
	}
	is := grammar.FixedCode(grammar.BoolValue(false))
	for _, one := range list {
		is = logical(expr.OpOr, is, Fold(c.compare(expr.OpEqual, of, one), of, one))
	}
	return is
}

func (c *Compiler) unary(x *expr.Expr, of *Code) *Code {
	if c.saturates && x.Type.Kind == expr.Int {
		from := int64(0)
		if x.Op == expr.OpInvert {
			from = -1 // ~n is -1 - n
		}
		number := of.Operand()
		return grammar.IntCode(func(s Scope) (int64, error) {
			n, err := number.Get(s)
			return saturatingSub(from, n), err
		})
	}
	return grammar.Computed(func(s Scope) (Value, error) {
		v, err := of.Eval(s)
		if err != nil {
			return v, err
		}
		if v.Kind() == grammar.Float {
			f, _ := v.Float()
			return grammar.FloatValue(-f), nil
		}
		n := v.Big()
		if x.Op == expr.OpInvert {
			return grammar.NumberValue(n.Not(n)), nil
		}
		return grammar.NumberValue(n.Neg(n)), nil
	})
}

func (c *Compiler) binary(x *expr.Expr, a, b *Code) *Code {
	if c.saturates && x.Type.Kind == expr.Int {
		return arithmetic(x.Op, a, b)
	}
	return grammar.Computed(func(s Scope) (Value, error) {
		v, w, err := both(s, a, b)
		if err != nil {
			return w, err
		}
		if v.Kind() == grammar.String && w.Kind() == grammar.String && len(v.String())+len(w.String()) > maxComputedText {
			return v, errTextLong(s)
		}
		return calculate(x.Op, v, w)
	})
}

// compare returns the code of a comparison.
func (c *Compiler) compare(op expr.Op, a, b *Code) *Code {
	if !comparesAsInt(a, b) {
		return compareValues(op, a, b)
	}
	if k, ok := b.Constant(); ok {
		return grammar.BoolCode(withConstant(op, a.Operand(), k))
	}
	return grammar.BoolCode(ofTwo(op, a.Operand(), b.Operand()))
}

// comparesAsInt reports whether two values compare as the int64 that num computes.
func comparesAsInt(a, b *Code) bool {
	switch {
	case !a.IsNumber() || !b.IsNumber() || a.IsWide() && b.IsWide():
		return false
	case !a.IsWide() && !b.IsWide():
		return true
	}
	n, ok := a.Constant()
	k, okay := b.Constant()
	return ok && n < math.MaxInt64 || okay && k < math.MaxInt64
}

// compareValues returns the code of a comparison of any two values.
func compareValues(op expr.Op, a, b *Code) *Code {
	return grammar.BoolCode(func(s Scope) (int64, error) {
		v, w, err := both(s, a, b)
		if err != nil {
			return 0, err
		}
		order, err := Order(s, v, w)
		return Truth(op.Holds(order)), err
	})
}
