package grammar

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	bigint "math/big"
	"slices"
	"strings"

	"cutaway/decoders/expr"
)

// NameCode makes the code of a name, attribute, call, member, cast or size that an expr.Env gave a type.
type NameCode func(c *Compiler, x *expr.Expr) *Code

// A Code computes an expression in a record. The zero Code computes nothing.
type Code struct {
	value func(s Scope) (Value, error)
	// num computes a number, or 0 and 1 for false and true, without a Value. It saturates: a number beyond int64 is the
	// largest or least. It is nil in .ksy, whose integers have any size.
	num func(s Scope) (int64, error)
	// bits computes all 64 bits of an integer that may be above int64, or is nil where num has them.
	bits  func(s Scope) (int64, error)
	fixed *Value // what is the same in every record
	field bitsOf // of what is bits of a field
}

// Computed returns the code of a function of Go.
func Computed(value func(s Scope) (Value, error)) *Code { return &Code{value: value} }

// FixedCode returns the code of a value that is the same in every record.
func FixedCode(v Value) *Code {
	c := &Code{fixed: &v, value: func(Scope) (Value, error) { return v, nil }}
	if n, ok := v.integer(); ok {
		c.num = func(Scope) (int64, error) { return n, nil }
		if v.kind == Uint {
			c.bits = func(Scope) (int64, error) { return int64(v.bits), nil }
		}
	}
	return c
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

// integer returns a number or a truth as an integer that saturates, and 0 for a field that is not there.
func (v Value) integer() (n int64, ok bool) {
	switch v.kind {
	case Int, Bool:
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
		return int64(f), f == f
	case Null:
		return 0, true
	}
	return 0, false
}

// A Compiler makes the code of expressions that Infer gave types.
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
	case expr.OpShown:
		return c.Code(x.Args[0])
	case expr.OpFormat:
		return c.format(x)
	case expr.OpList:
		return c.list(x)
	case expr.OpName, expr.OpFunc, expr.OpMember, expr.OpAttr, expr.OpCall, expr.OpCast, expr.OpSizeOf, expr.OpBitSizeOf:
		return c.names(c, x)
	case expr.OpIndex:
		return c.index(x)
	case expr.OpCond:
		return c.cond(x)
	case expr.OpAnd, expr.OpOr:
		return c.logical(x)
	case expr.OpNot:
		return c.not(x)
	case expr.OpIn, expr.OpWithin:
		return c.in(x)
	case expr.OpNegate, expr.OpInvert:
		return c.unary(x)
	}
	return c.binary(x)
}

// Codes makes the code of several expressions.
func (c *Compiler) Codes(list []*expr.Expr) []*Code {
	out := make([]*Code, len(list))
	for i, x := range list {
		out[i] = c.Code(x)
	}
	return out
}

// ofNum returns the code of a number.
func ofNum(num func(s Scope) (int64, error)) *Code {
	return &Code{num: num, value: func(s Scope) (Value, error) {
		n, err := num(s)
		return IntValue(n), err
	}}
}

// ofTruth returns the code of a condition that is 0 or 1.
func ofTruth(num func(s Scope) (int64, error)) *Code {
	return &Code{num: num, value: func(s Scope) (Value, error) {
		n, err := num(s)
		return BoolValue(n != 0), err
	}}
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// number returns code's num, which it makes of its value if need be.
func (c *Code) number() func(s Scope) (int64, error) {
	if c.num != nil {
		return c.num
	}
	return func(s Scope) (int64, error) {
		v, err := c.value(s)
		if err != nil {
			return 0, err
		}
		n, ok := v.integer()
		if !ok {
			return 0, errNoNumber(v)
		}
		return n, nil
	}
}

func errNoNumber(v Value) error { return fmt.Errorf("a number is needed, and %s is %s", v, v.kind) }

// allBits returns the function of all 64 bits of an integer.
func (c *Code) allBits() func(s Scope) (int64, error) {
	switch {
	case c.bits != nil:
		return c.bits
	case c.num != nil:
		return c.num
	}
	num := c.number()
	return func(s Scope) (int64, error) {
		if v, err := c.value(s); err == nil && v.kind == Uint {
			return int64(v.bits), nil
		}
		return num(s)
	}
}

func (c *Compiler) format(x *expr.Expr) *Code {
	pieces := c.Codes(x.Args)
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

// maxComputedText is how many bytes a text that is computed may have.
const maxComputedText = 16 << 20

func errTextLong(s Scope) error {
	return s.o.limit(s.o.stream.Source.Span(s.o.start, 0), "a text of more than %d bytes is computed", maxComputedText)
}

func (c *Compiler) list(x *expr.Expr) *Code {
	elements := c.Codes(x.Args)
	isBytes := x.Type.Kind == expr.Bytes
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

func (c *Compiler) index(x *expr.Expr) *Code {
	of, at := c.Code(x.Args[0]), c.Code(x.Args[1])
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

// ElementOf returns element i of a list or of bytes.
func ElementOf(s Scope, v Value, i int64) (Value, error) {
	if l := v.List(); l != nil {
		return l.At(s, i)
	}
	if blob := v.Blob(); blob != nil {
		b, err := blob.Read(s.r.ctx)
		if err != nil {
			return Value{}, err
		}
		if i < 0 || i >= int64(len(b)) {
			return Value{}, fmt.Errorf("byte %d of %d", i, len(b))
		}
		return IntValue(int64(b[i])), nil
	}
	values := v.Values()
	if i < 0 || i >= int64(len(values)) {
		return Value{}, fmt.Errorf("element %d of %d", i, len(values))
	}
	return values[i], nil
}

func (c *Compiler) cond(x *expr.Expr) *Code {
	if !c.saturates {
		args := c.Codes(x.Args)
		return Computed(func(s Scope) (Value, error) {
			v, err := args[0].value(s)
			if err != nil {
				return v, err
			}
			if truth, _ := v.Bool(); truth {
				return args[1].value(s)
			}
			return args[2].value(s)
		})
	}
	is, yes, no := c.Code(x.Args[0]), c.Code(x.Args[1]), c.Code(x.Args[2])
	if is.fixed != nil {
		if n, _ := is.fixed.integer(); n != 0 {
			return yes
		}
		return no
	}
	when := is.number()
	choose := func(s Scope) (*Code, error) {
		n, err := when(s)
		if n != 0 {
			return yes, err
		}
		return no, err
	}
	code := Computed(func(s Scope) (Value, error) {
		of, err := choose(s)
		if err != nil {
			return Value{}, err
		}
		return of.value(s)
	})
	if yes.num != nil && no.num != nil && yes.bits == nil && no.bits == nil {
		code.num = func(s Scope) (int64, error) {
			of, err := choose(s)
			if err != nil {
				return 0, err
			}
			return of.num(s)
		}
	}
	return code
}

func (c *Compiler) logical(x *expr.Expr) *Code {
	a, b := c.Code(x.Args[0]), c.Code(x.Args[1])
	or := x.Op == expr.OpOr
	if !c.saturates {
		return Computed(func(s Scope) (Value, error) {
			v, err := a.value(s)
			if truth, _ := v.Bool(); err != nil || truth == or {
				return v, err
			}
			return b.value(s)
		})
	}
	for _, one := range [2]*Code{a, b} {
		if one.fixed == nil {
			continue
		}
		if n, _ := one.fixed.integer(); n != 0 == or {
			return FixedCode(BoolValue(or))
		}
	}
	left, right := a.number(), b.number()
	switch {
	case a.fixed != nil && b.fixed != nil:
		return FixedCode(BoolValue(!or))
	case a.fixed != nil:
		left = right
		fallthrough
	case b.fixed != nil:
		return ofTruth(func(s Scope) (int64, error) {
			n, err := left(s)
			return truth(n != 0), err
		})
	}
	return ofTruth(func(s Scope) (int64, error) {
		n, err := left(s)
		if err != nil || n != 0 == or {
			return truth(n != 0), err
		}
		n, err = right(s)
		return truth(n != 0), err
	})
}

func (c *Compiler) not(x *expr.Expr) *Code {
	of := c.Code(x.Args[0])
	if !c.saturates {
		return Computed(func(s Scope) (Value, error) {
			v, err := of.value(s)
			truth, _ := v.Bool()
			return BoolValue(!truth), err
		})
	}
	num := of.number()
	return fold(ofTruth(func(s Scope) (int64, error) {
		n, err := num(s)
		return truth(n == 0), err
	}), of)
}

// fold computes a code whose operands are all fixed.
func fold(code *Code, of ...*Code) *Code {
	if slices.ContainsFunc(of, func(one *Code) bool { return one.fixed == nil }) {
		return code
	}
	v, err := code.value(Scope{})
	if err != nil {
		return code // a division by zero fails when it is computed
	}
	return FixedCode(v)
}

func (c *Compiler) unary(x *expr.Expr) *Code {
	of := c.Code(x.Args[0])
	if c.saturates && x.Type.Kind == expr.Int {
		num := of.allBits()
		if x.Op == expr.OpNegate {
			num = of.number()
			return fold(ofNum(func(s Scope) (int64, error) {
				n, err := num(s)
				return saturatingSub(0, n), err
			}), of)
		}
		return fold(ofNum(func(s Scope) (int64, error) {
			n, err := num(s)
			return ^n, err
		}), of)
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

func (c *Compiler) binary(x *expr.Expr) *Code {
	a, b := c.Code(x.Args[0]), c.Code(x.Args[1])
	if x.Op.IsComparison() {
		return c.compare(x.Op, a, b)
	}
	if c.saturates && x.Type.Kind == expr.Int {
		return fold(c.arithmetic(x.Op, a, b), a, b)
	}
	op := x.Op
	return fold(Computed(func(s Scope) (Value, error) {
		v, err := a.value(s)
		if err != nil {
			return v, err
		}
		w, err := b.value(s)
		if err != nil {
			return w, err
		}
		if v.kind == Int && w.kind == Int {
			if n, ok := calculateInt(op, int64(v.bits), int64(w.bits)); ok {
				return IntValue(n), nil
			}
		}
		if v.kind == String && w.kind == String && len(v.String())+len(w.String()) > maxComputedText {
			return v, errTextLong(s)
		}
		return calculate(op, v, w)
	}), a, b)
}

// Holds reports whether a comparison is true of values in an order: -1, 0 or 1, or 2 where there is none.
func Holds(op expr.Op, order int) bool {
	switch op {
	case expr.OpEqual:
		return order == 0
	case expr.OpUnequal:
		return order != 0
	case expr.OpLess:
		return order == -1
	case expr.OpAtMost:
		return order == -1 || order == 0
	case expr.OpGreater:
		return order == 1
	}
	return order == 0 || order == 1
}

// Order compares two values: -1, 0 or 1, or 2 where they have no order.
func Order(s Scope, a, b Value) (int, error) {
	switch {
	case a.kind == Int && b.kind == Int:
		return cmp.Compare(int64(a.bits), int64(b.bits)), nil
	case a.kind == String && b.kind == String:
		return strings.Compare(a.String(), b.String()), nil
	case a.kind == Bytes || b.kind == Bytes: // in BuiltIn also with text
		v, err := a.raw(s)
		if err != nil {
			return 0, err
		}
		w, err := b.raw(s)
		return bytes.Compare(v, w), err
	case a.kind == String || b.kind == String: // with what is not there
		return 2, nil
	case a.kind == Float || b.kind == Float:
		v, _ := a.Float()
		w, _ := b.Float()
		if math.IsNaN(v) || math.IsNaN(w) {
			return 2, nil
		}
		return cmp.Compare(v, w), nil
	}
	return a.Big().Cmp(b.Big()), nil
}

// raw returns the bytes of bytes or of text.
func (v Value) raw(s Scope) ([]byte, error) {
	if blob := v.Blob(); blob != nil {
		return blob.Read(s.r.ctx)
	}
	if v.kind == String {
		return []byte(v.String()), nil
	}
	return nil, nil
}

// Big returns an integer, or 0 and 1 for false and true.
func (v Value) Big() *bigint.Int {
	if u, ok := v.Uint(); ok {
		return new(bigint.Int).SetUint64(u)
	}
	if truth, ok := v.Bool(); ok && truth {
		return bigint.NewInt(1)
	}
	n, _ := v.Int()
	return bigint.NewInt(n)
}

// NumberValue returns an integer of any size as a Value; beyond 64 bits it is a float.
func NumberValue(n *bigint.Int) Value {
	switch {
	case n.IsInt64():
		return IntValue(n.Int64())
	case n.IsUint64():
		return UintValue(n.Uint64())
	}
	f, _ := new(bigint.Float).SetInt(n).Float64()
	return FloatValue(f)
}

// maxShift is by how many bits an integer may be shifted.
const maxShift = 1 << 12

var errDivision = errors.New("a division by zero")

// calculateInt does the arithmetic of .ksy where the result is an int64, and returns false where it may not be.
func calculateInt(op expr.Op, a, b int64) (int64, bool) {
	switch op {
	case expr.OpAdd:
		n := saturatingAdd(a, b)
		return n, n != math.MaxInt64 && n != math.MinInt64
	case expr.OpSubtract:
		n := saturatingSub(a, b)
		return n, n != math.MaxInt64 && n != math.MinInt64
	case expr.OpMultiply:
		n := saturatingMul(a, b)
		return n, n != math.MaxInt64 && n != math.MinInt64
	case expr.OpBitAnd:
		return a & b, true
	case expr.OpBitOr:
		return a | b, true
	case expr.OpBitXor:
		return a ^ b, true
	case expr.OpShiftRight:
		return a >> min(uint64(b), 63), b >= 0 && b <= maxShift
	case expr.OpDivide:
		if b > 0 {
			return saturatingDiv(a, b), true
		}
	case expr.OpModulo:
		if b > 0 {
			return modulo(a, b), true
		}
	}
	return 0, false
}

// calculate does the arithmetic of .ksy: integers have any size, and a quotient is rounded down.
func calculate(op expr.Op, a, b Value) (Value, error) {
	switch {
	case a.kind == String:
		return StringValue(a.String() + b.String()), nil
	case a.kind == Float || b.kind == Float:
		v, _ := a.Float()
		w, _ := b.Float()
		return calculateFloat(op, v, w), nil
	}
	v, w := a.Big(), b.Big()
	switch op {
	case expr.OpAdd:
		return NumberValue(v.Add(v, w)), nil
	case expr.OpSubtract:
		return NumberValue(v.Sub(v, w)), nil
	case expr.OpMultiply:
		return NumberValue(v.Mul(v, w)), nil
	case expr.OpBitAnd:
		return NumberValue(v.And(v, w)), nil
	case expr.OpBitOr:
		return NumberValue(v.Or(v, w)), nil
	case expr.OpBitXor:
		return NumberValue(v.Xor(v, w)), nil
	case expr.OpShiftLeft, expr.OpShiftRight:
		return shift(op, v, w)
	}
	return divide(op, v, w)
}

func shift(op expr.Op, v, w *bigint.Int) (Value, error) {
	if w.Sign() < 0 || w.Cmp(bigint.NewInt(maxShift)) > 0 {
		return Value{}, fmt.Errorf("a shift by %s bits, and the limit is %d", w, maxShift)
	}
	if op == expr.OpShiftLeft {
		return NumberValue(v.Lsh(v, uint(w.Int64()))), nil
	}
	return NumberValue(v.Rsh(v, uint(w.Int64()))), nil
}

// divide returns the quotient, rounded down, or the remainder, which has the sign of the divisor.
func divide(op expr.Op, v, w *bigint.Int) (Value, error) {
	if w.Sign() == 0 {
		return Value{}, errDivision
	}
	quotient, rest := new(bigint.Int).QuoRem(v, w, new(bigint.Int))
	if rest.Sign() != 0 && rest.Sign() != w.Sign() {
		quotient.Sub(quotient, bigint.NewInt(1))
		rest.Add(rest, w)
	}
	if op == expr.OpDivide {
		return NumberValue(quotient), nil
	}
	return NumberValue(rest), nil
}

func calculateFloat(op expr.Op, v, w float64) Value {
	switch op {
	case expr.OpAdd:
		return FloatValue(v + w)
	case expr.OpSubtract:
		return FloatValue(v - w)
	case expr.OpMultiply:
		return FloatValue(v * w)
	case expr.OpDivide:
		return FloatValue(v / w)
	}
	return FloatValue(math.Mod(v, w))
}
