package grammar

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cutaway/decoders/expr"
)

// NameCode makes the code of a name, attribute, call, member, cast or size that an expr.Env gave a type.
type NameCode func(c *Compiler, x *expr.Expr) *Code

// A Code computes an expression in a record.
type Code struct {
	value func(s Scope) (Value, error)
	num   numCode // nil if the values may be others than int64, false and true, and integers above int64 if wide
	wide  bool
	fixed *Value // of an expression that is the same in every record
	field bitsOf // of an expression that is bits of a field
}

// A numCode computes a number without a Value: 0 and 1 for false and true, and the largest for an integer above int64.
type numCode func(s Scope) (int64, error)

// Computed returns the code of a function of Go.
func Computed(value func(s Scope) (Value, error)) *Code { return &Code{value: value} }

// FixedCode returns the code of a value that is the same in every record.
func FixedCode(v Value) *Code {
	c := &Code{fixed: &v, value: func(Scope) (Value, error) { return v, nil }, wide: v.kind == Uint}
	if n, ok := v.integer(); ok && v.kind != Float {
		c.num = func(Scope) (int64, error) { return n, nil }
	}
	return c
}

// ofInt returns the code of integers that are int64.
func ofInt(num numCode) *Code {
	return &Code{num: num, value: func(s Scope) (Value, error) {
		n, err := num(s)
		return IntValue(n), err
	}}
}

// ofTruth returns the code of a condition that num computes.
func ofTruth(num numCode) *Code {
	return &Code{num: num, value: func(s Scope) (Value, error) {
		n, err := num(s)
		return BoolValue(n != 0), err
	}}
}

// ofWide returns the code of integers that may be above int64.
func ofWide(value func(s Scope) (Value, error)) *Code {
	code := Computed(value)
	code.num, code.wide = code.number(), true
	return code
}

// Eval computes the value in a record.
func (c *Code) Eval(s Scope) (Value, error) { return c.value(s) }

func (*Code) bind(*Record) error { return nil }

// OrZero returns code that computes 0 where c computes nothing.
func (c *Code) OrZero() *Code {
	if c.fixed != nil {
		return c
	}
	return Computed(func(s Scope) (Value, error) {
		v, err := c.value(s)
		if v.kind == Null && err == nil {
			v = IntValue(0)
		}
		return v, err
	})
}

// number returns num, which it makes of value if need be.
func (c *Code) number() numCode {
	if c.num != nil {
		return c.num
	}
	return func(s Scope) (int64, error) {
		v, err := c.value(s)
		if err != nil {
			return 0, err
		}
		n, ok := v.integer()
		return n, errNoNumber(v, ok)
	}
}

// constant returns the number that the code computes in every record.
func (c *Code) constant() (int64, bool) {
	if c.fixed == nil {
		return 0, false
	}
	return c.fixed.integer()
}

// integer returns a number as an integer that saturates, 0 and 1 for false and true, and 0 for an absent field.
func (v Value) integer() (n int64, ok bool) {
	switch v.kind {
	case Null, Int, Bool:
		return int64(v.bits), true
	case Uint:
		return math.MaxInt64, true
	case Float:
		f := math.Float64frombits(v.bits)
		switch {
		case f >= math.MaxInt64:
			return math.MaxInt64, true
		case f <= math.MinInt64:
			return math.MinInt64, true
		}
		return int64(f), !math.IsNaN(f)
	}
	return 0, false
}

// errNoNumber returns the error of a value that is no number.
func errNoNumber(v Value, isNumber bool) error {
	if isNumber {
		return nil
	}
	return fmt.Errorf("a number is needed, and %s is %s", v, v.kind)
}

func truth(b bool) int64 {
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
		return FixedCode(NumberValue(x.Int))
	case expr.OpFloat:
		return FixedCode(FloatValue(x.Float))
	case expr.OpStr:
		return FixedCode(StringValue(x.Str))
	case expr.OpBool:
		return FixedCode(BoolValue(x.Bool))
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
		return fold(c.inRange(args[0], args[1], args[2]), args...)
	case expr.OpAnd, expr.OpOr:
		return logical(x.Op, args[0], args[1])
	case expr.OpNot:
		return fold(not(args[0]), args...)
	case expr.OpNegate, expr.OpInvert:
		return fold(c.unary(x, args[0]), args...)
	}
	if x.Op.IsComparison() {
		return fold(c.compare(x.Op, args[0], args[1]), args...)
	}
	return fold(c.binary(x, args[0], args[1]), args...)
}

// Codes makes the code of several expressions.
func (c *Compiler) Codes(list []*expr.Expr) []*Code {
	out := make([]*Code, len(list))
	for i, x := range list {
		out[i] = c.Code(x)
	}
	return out
}

// fold computes a code whose operands are the same in every record. One that fails does so when it is computed.
func fold(code *Code, of ...*Code) *Code {
	if slices.ContainsFunc(of, func(one *Code) bool { return one.fixed == nil }) {
		return code
	}
	v, err := code.value(Scope{})
	if err != nil {
		return code
	}
	return FixedCode(v)
}

// maxComputedText is the most bytes of a text that an expression makes.
const maxComputedText = 16 << 20

func errTextLong(s Scope) error {
	return s.o.limit(s.o.stream.Source.Span(s.o.start, 0), "a text of more than %d bytes is computed", maxComputedText)
}

func ofFormat(pieces []*Code) *Code {
	return Computed(func(s Scope) (Value, error) {
		var text strings.Builder
		for _, piece := range pieces {
			v, err := piece.value(s)
			if err != nil {
				return v, err
			}
			if text.WriteString(v.String()); text.Len() > maxComputedText {
				return v, errTextLong(s)
			}
		}
		return StringValue(text.String()), nil
	})
}

func ofList(elements []*Code, isBytes bool) *Code {
	return Computed(func(s Scope) (Value, error) {
		values := make([]Value, len(elements))
		raw := make([]byte, len(elements))
		for i, element := range elements {
			v, err := element.value(s)
			if err != nil {
				return v, err
			}
			values[i] = v
			n, _ := v.Int()
			raw[i] = byte(n)
		}
		if isBytes {
			return BytesValue(raw), nil
		}
		return ArrayValue(values), nil
	})
}

func ofElement(of, at *Code) *Code {
	return Computed(func(s Scope) (Value, error) {
		list, err := of.value(s)
		if err != nil {
			return list, err
		}
		v, err := at.value(s)
		if err != nil {
			return v, err
		}
		i, _ := v.Int()
		return ElementOf(s, list, i)
	})
}

// choose returns the code of is ? yes : no.
func choose(is, yes, no *Code) *Code {
	if n, ok := is.constant(); ok && n != 0 {
		return yes
	} else if ok {
		return no
	}
	when := is.number()
	code := Computed(func(s Scope) (Value, error) {
		switch n, err := when(s); {
		case err != nil:
			return Value{}, err
		case n != 0:
			return yes.value(s)
		}
		return no.value(s)
	})
	if yes.num != nil && no.num != nil {
		code.wide = yes.wide || no.wide
		code.num = func(s Scope) (int64, error) {
			switch n, err := when(s); {
			case err != nil:
				return 0, err
			case n != 0:
				return yes.num(s)
			}
			return no.num(s)
		}
	}
	return code
}

// logical returns the code of "and" or "or". An operand that is the same in every record and decides leaves the other out.
func logical(op expr.Op, a, b *Code) *Code {
	decides := op == expr.OpOr
	sides := slices.DeleteFunc([]*Code{a, b}, func(one *Code) bool {
		n, ok := one.constant()
		return ok && n != 0 != decides
	})
	for _, one := range sides {
		if one.fixed != nil {
			return FixedCode(BoolValue(decides))
		}
	}
	switch len(sides) {
	case 0:
		return FixedCode(BoolValue(!decides))
	case 1:
		return not(not(sides[0]))
	}
	left, right := a.number(), b.number()
	return ofTruth(func(s Scope) (int64, error) {
		n, err := left(s)
		if err != nil || n != 0 == decides {
			return truth(n != 0), err
		}
		n, err = right(s)
		return truth(n != 0), err
	})
}

func not(of *Code) *Code {
	num := of.number()
	return ofTruth(func(s Scope) (int64, error) {
		n, err := num(s)
		return truth(n == 0), err
	})
}

// inRange returns the code of x in a..b.
func (c *Compiler) inRange(of, least, most *Code) *Code {
	from, ok := least.constant()
	to, okay := most.constant()
	if !ok || !okay || !comparesAsInt(of, least) || !comparesAsInt(of, most) {
		return logical(expr.OpAnd, c.compare(expr.OpAtLeast, of, least), c.compare(expr.OpAtMost, of, most))
	}
	number := of.operand()
	return ofTruth(func(s Scope) (int64, error) {
		n, err := number.get(s)
		return truth(from <= n && n <= to), err
	})
}

// among returns the code of x in (a, b).
func (c *Compiler) among(of *Code, list []*Code) *Code {
	var numbers []int64
	for _, one := range list {
		if k, ok := one.constant(); ok && comparesAsInt(of, one) {
			numbers = append(numbers, k)
		}
	}
	if of.fixed == nil && len(numbers) == len(list) {
		number := of.operand()
		return ofTruth(func(s Scope) (int64, error) {
			n, err := number.get(s)
			return truth(slices.Contains(numbers, n)), err
		})
	}
	is := FixedCode(BoolValue(false))
	for _, one := range list {
		is = logical(expr.OpOr, is, fold(c.compare(expr.OpEqual, of, one), of, one))
	}
	return is
}

func (c *Compiler) unary(x *expr.Expr, of *Code) *Code {
	if c.saturates && x.Type.Kind == expr.Int {
		from := int64(0)
		if x.Op == expr.OpInvert {
			from = -1 // ~n is -1 - n
		}
		number := of.operand()
		return ofInt(func(s Scope) (int64, error) {
			n, err := number.get(s)
			return saturatingSub(from, n), err
		})
	}
	return Computed(func(s Scope) (Value, error) {
		v, err := of.value(s)
		if err != nil {
			return v, err
		}
		if v.kind == Float {
			return FloatValue(-math.Float64frombits(v.bits)), nil
		}
		n := v.Big()
		if x.Op == expr.OpInvert {
			return NumberValue(n.Not(n)), nil
		}
		return NumberValue(n.Neg(n)), nil
	})
}

func (c *Compiler) binary(x *expr.Expr, a, b *Code) *Code {
	if c.saturates && x.Type.Kind == expr.Int {
		return arithmetic(x.Op, a, b)
	}
	return Computed(func(s Scope) (Value, error) {
		v, err := a.value(s)
		if err != nil {
			return v, err
		}
		w, err := b.value(s)
		if err != nil {
			return w, err
		}
		if v.kind == String && w.kind == String && len(v.String())+len(w.String()) > maxComputedText {
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
	if k, ok := b.constant(); ok {
		return ofTruth(withConstant(op, a.operand(), k))
	}
	return ofTruth(ofTwo(op, a.operand(), b.operand()))
}

// comparesAsInt reports whether two values compare as the int64 that num computes.
func comparesAsInt(a, b *Code) bool {
	switch {
	case a.num == nil || b.num == nil || a.wide && b.wide:
		return false
	case !a.wide && !b.wide:
		return true
	}
	n, ok := a.constant()
	k, okay := b.constant()
	return ok && n < math.MaxInt64 || okay && k < math.MaxInt64
}

// compareValues returns the code of a comparison of any two values.
func compareValues(op expr.Op, a, b *Code) *Code {
	return ofTruth(func(s Scope) (int64, error) {
		v, err := a.value(s)
		if err != nil {
			return 0, err
		}
		w, err := b.value(s)
		if err != nil {
			return 0, err
		}
		order, err := Order(s, v, w)
		return truth(Holds(op, order)), err
	})
}
