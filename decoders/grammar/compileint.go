package grammar

import (
	"math"
	"math/bits"
	"slices"

	"cutaway/decoders/expr"
)

// Arithmetic of int64, which BuiltIn computes with. It saturates, so that a size or count that a damaged file makes too
// large stays too large.

func saturatingAdd(a, b int64) int64 {
	sum := a + b
	if (sum < a) != (b < 0) {
		return extreme(b < 0)
	}
	return sum
}

func saturatingSub(a, b int64) int64 {
	difference := a - b
	if (difference > a) != (b < 0) {
		return extreme(b > 0)
	}
	return difference
}

func saturatingMul(a, b int64) int64 {
	negative := a < 0 != (b < 0)
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	switch {
	case high == 0 && !negative && low <= math.MaxInt64:
		return int64(low)
	case high == 0 && negative && low <= 1<<63:
		return -int64(low)
	}
	return extreme(negative)
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// extreme returns the largest or least number.
func extreme(least bool) int64 {
	if least {
		return math.MinInt64
	}
	return math.MaxInt64
}

// clamp returns the number of the 64 bits of an unsigned integer.
func clamp(n int64) int64 {
	if n < 0 {
		return math.MaxInt64
	}
	return n
}

// saturatingDiv returns the quotient, rounded down.
func saturatingDiv(a, b int64) int64 {
	if a == math.MinInt64 && b == -1 {
		return math.MaxInt64
	}
	quotient := a / b
	if a%b != 0 && a < 0 != (b < 0) {
		quotient--
	}
	return quotient
}

// modulo returns the remainder, which has the sign of the divisor.
func modulo(a, b int64) int64 {
	if b == -1 {
		return 0
	}
	rest := a % b
	if rest != 0 && rest < 0 != (b < 0) {
		rest += b
	}
	return rest
}

// saturatingShift returns a shifted to the left.
func saturatingShift(a, n int64) int64 {
	switch {
	case a == 0:
		return 0
	case n >= 63:
		return extreme(a < 0)
	}
	return saturatingMul(a, 1<<n)
}

var errShift = failure("a shift by a negative number of bits")

type failure string

// Error returns the text.
func (f failure) Error() string { return string(f) }

// A bitsOf is some bits of the integer that a field of the sequence is.
type bitsOf struct {
	slot     int // the field's index and one; 0: of no field
	shift    uint
	mask     int64 // of the bits after the shift
	unsigned bool  // the highest bit of the integer is no sign
}

// isWide reports whether the bits may be a number above int64.
func (f bitsOf) isWide() bool { return f.unsigned && f.mask < 0 }

// code returns the code of the bits.
func (f bitsOf) code() *Code {
	code := ofBits(operand{field: f}.get, f.isWide())
	code.field = f
	return code
}

// An operand is a side of an operator of integers: bits of a field, or what num computes.
type operand struct {
	field bitsOf
	num   func(s Scope) (int64, error)
}

// operand returns the code as a side of an operator that takes all 64 bits of it, or a number that saturates.
func (c *Code) operand(all bool) operand {
	switch {
	case c.field.slot > 0 && (all || c.bits == nil):
		return operand{field: c.field}
	case all:
		return operand{num: c.allBits()}
	}
	return operand{num: c.number()}
}

// get computes the operand. The bits of a field that is not there are 0.
func (p operand) get(s Scope) (int64, error) {
	if p.field.slot == 0 {
		return p.num(s)
	}
	o, i := s.o, p.field.slot-1
	if i < o.next && !o.whole && (o.owner == s.r || o.done.Load()) {
		if slot := &o.slots[i]; slot.problem == nil && !slot.packed {
			return int64(slot.bits>>p.field.shift) & p.field.mask, nil
		}
	}
	v, err := o.value(s.r, i)
	return int64(v.bits>>p.field.shift) & p.field.mask, err
}

// constant returns the number that the code always computes.
func (c *Code) constant() (int64, bool) {
	if c.fixed == nil {
		return 0, false
	}
	return c.fixed.integer()
}

// ofBits returns the code of an integer of which the function computes all bits; wide says that the highest is no sign.
func ofBits(all func(s Scope) (int64, error), wide bool) *Code {
	if !wide {
		return ofNum(all)
	}
	return &Code{bits: all, num: func(s Scope) (int64, error) {
		n, err := all(s)
		return clamp(n), err
	}, value: func(s Scope) (Value, error) {
		n, err := all(s)
		return UintValue(uint64(n)), err
	}}
}

// intOps are the operators of two integers.
var intOps = map[expr.Op]func(a, b int64) int64{
	expr.OpAdd: saturatingAdd, expr.OpSubtract: saturatingSub, expr.OpMultiply: saturatingMul, expr.OpDivide: saturatingDiv,
	expr.OpModulo: modulo, expr.OpShiftLeft: saturatingShift,
	expr.OpShiftRight: func(a, b int64) int64 { return a >> min(b, 63) },
	expr.OpBitAnd:     func(a, b int64) int64 { return a & b },
	expr.OpBitOr:      func(a, b int64) int64 { return a | b },
	expr.OpBitXor:     func(a, b int64) int64 { return a ^ b },
	expr.OpBitClear:   func(a, b int64) int64 { return a &^ b },
	expr.OpEqual:      func(a, b int64) int64 { return truth(a == b) },
	expr.OpUnequal:    func(a, b int64) int64 { return truth(a != b) },
	expr.OpLess:       func(a, b int64) int64 { return truth(a < b) },
	expr.OpAtMost:     func(a, b int64) int64 { return truth(a <= b) },
	expr.OpGreater:    func(a, b int64) int64 { return truth(a > b) },
	expr.OpAtLeast:    func(a, b int64) int64 { return truth(a >= b) },
}

// refuses returns the error of an operator whose second operand it cannot take, or nil.
func refuses(op expr.Op, b int64) error {
	switch {
	case (op == expr.OpDivide || op == expr.OpModulo) && b == 0:
		return errDivision
	case (op == expr.OpShiftLeft || op == expr.OpShiftRight) && b < 0:
		return errShift
	}
	return nil
}

// arithmetic returns the code of an operator of two integers.
func (c *Compiler) arithmetic(op expr.Op, a, b *Code) *Code {
	if f, ok := a.field.with(op, b); ok {
		return f.code()
	}
	if op == expr.OpShiftRight && (a.bits != nil || a.num == nil) {
		return shiftWide(a, b)
	}
	all := op >= expr.OpBitOr && op <= expr.OpBitClear
	wide := all && (a.bits != nil || op != expr.OpBitClear && b.bits != nil)
	if k, ok := b.constant(); ok && refuses(op, k) == nil {
		if b.bits != nil && all {
			k = int64(b.fixed.bits)
		}
		return ofBits(withConstant(op, a.operand(all), k), wide && (op != expr.OpBitAnd || k < 0))
	}
	return ofBits(ofTwo(op, a.operand(all), b.operand(all)), wide)
}

// with returns the bits after an operator whose second operand is a constant, or false if they are no bits of the field.
func (f bitsOf) with(op expr.Op, b *Code) (bitsOf, bool) {
	k, ok := b.constant()
	switch {
	case !ok || f.slot == 0:
	case op == expr.OpBitAnd:
		f.mask &= int64(b.fixed.bits)
		return f, true
	case op == expr.OpShiftRight && f.unsigned && k >= 0 && k < 64:
		f.shift, f.mask = f.shift+uint(k), int64(uint64(f.mask)>>k)
		return f, true
	}
	return f, false
}

// withConstant returns the function of an operator whose second operand is k. The frequent operators have one of their own.
func withConstant(op expr.Op, a operand, k int64) func(s Scope) (int64, error) {
	switch op {
	case expr.OpEqual:
		return func(s Scope) (int64, error) {
			n, err := a.get(s)
			return truth(n == k), err
		}
	case expr.OpUnequal:
		return func(s Scope) (int64, error) {
			n, err := a.get(s)
			return truth(n != k), err
		}
	case expr.OpGreater:
		return func(s Scope) (int64, error) {
			n, err := a.get(s)
			return truth(n > k), err
		}
	case expr.OpMultiply:
		return func(s Scope) (int64, error) {
			n, err := a.get(s)
			return saturatingMul(n, k), err
		}
	}
	do := intOps[op]
	return func(s Scope) (int64, error) {
		n, err := a.get(s)
		if err != nil {
			return 0, err
		}
		return do(n, k), nil
	}
}

// ofTwo returns the function of an operator of two integers.
func ofTwo(op expr.Op, a, b operand) func(s Scope) (int64, error) {
	do := intOps[op]
	return func(s Scope) (int64, error) {
		v, err := a.get(s)
		if err != nil {
			return 0, err
		}
		w, err := b.get(s)
		if err == nil {
			err = refuses(op, w)
		}
		if err != nil {
			return 0, err
		}
		return do(v, w), nil
	}
}

// shiftWide returns the code of a shift to the right of an integer that may be above int64, whose highest bit is then no sign.
func shiftWide(a, b *Code) *Code {
	by := b.operand(false)
	shifted := func(s Scope) (Value, error) {
		v, err := a.value(s)
		if err != nil {
			return v, err
		}
		k, err := by.get(s)
		if err == nil {
			err = refuses(expr.OpShiftRight, k)
		}
		n, ok := v.integer()
		switch {
		case err != nil:
			return v, err
		case !ok:
			return v, errNoNumber(v)
		case v.kind == Uint:
			return UintValue(v.bits >> min(k, 64)), nil
		}
		return IntValue(n >> min(k, 63)), nil
	}
	code := Computed(shifted)
	code.num = func(s Scope) (int64, error) {
		v, err := shifted(s)
		n, _ := v.integer()
		return n, err
	}
	if k, ok := b.constant(); !ok || k == 0 {
		code.bits = func(s Scope) (int64, error) {
			v, err := shifted(s)
			return int64(v.bits), err
		}
	}
	return code
}

// compare returns the code of a comparison.
func (c *Compiler) compare(op expr.Op, a, b *Code) *Code {
	if !c.saturates || a.num == nil || b.num == nil || !comparable64(a, b) {
		return c.compareValues(op, a, b)
	}
	if k, ok := b.constant(); ok {
		return fold(ofTruth(withConstant(op, a.operand(false), k)), a, b)
	}
	return fold(ofTruth(ofTwo(op, a.operand(false), b.operand(false))), a, b)
}

// comparable64 reports whether two integers compare as the saturated ones do.
func comparable64(a, b *Code) bool {
	if a.bits == nil && b.bits == nil {
		return true
	}
	if a.bits != nil && b.bits != nil {
		return false
	}
	for _, one := range [2]*Code{a, b} {
		if k, ok := one.constant(); ok && k < math.MaxInt64 {
			return true
		}
	}
	return false
}

// compareValues returns the code of a comparison of any two values.
func (c *Compiler) compareValues(op expr.Op, a, b *Code) *Code {
	order := orderOf(a, b)
	code := &Code{value: func(s Scope) (Value, error) {
		n, err := order(s)
		return BoolValue(Holds(op, n)), err
	}}
	if c.saturates {
		code.num = func(s Scope) (int64, error) {
			n, err := order(s)
			return truth(Holds(op, n)), err
		}
	}
	return fold(code, a, b)
}

func orderOf(a, b *Code) func(s Scope) (int, error) {
	return func(s Scope) (int, error) {
		v, err := a.value(s)
		if err != nil {
			return 0, err
		}
		w, err := b.value(s)
		if err != nil {
			return 0, err
		}
		return Order(s, v, w)
	}
}

// in returns the code of x in a..b and x in (a, b).
func (c *Compiler) in(x *expr.Expr) *Code {
	all := c.Codes(x.Args)
	of, list := all[0], all[1:]
	if x.Op == expr.OpWithin {
		least, most := c.compare(expr.OpAtLeast, of, list[0]).num, c.compare(expr.OpAtMost, of, list[1]).num
		return fold(ofTruth(func(s Scope) (int64, error) {
			if n, err := least(s); err != nil || n == 0 {
				return 0, err
			}
			return most(s)
		}), all...)
	}
	var numbers []int64
	for _, one := range list {
		if k, ok := one.constant(); ok && comparable64(of, one) {
			numbers = append(numbers, k)
		}
	}
	if of.num != nil && len(numbers) == len(list) {
		number := of.operand(false)
		return fold(ofTruth(func(s Scope) (int64, error) {
			n, err := number.get(s)
			return truth(slices.Contains(numbers, n)), err
		}), all...)
	}
	tests := make([]func(s Scope) (int64, error), len(list))
	for i, one := range list {
		tests[i] = c.compare(expr.OpEqual, of, one).num
	}
	return fold(ofTruth(func(s Scope) (int64, error) {
		for _, test := range tests {
			if n, err := test(s); err != nil || n != 0 {
				return n, err
			}
		}
		return 0, nil
	}), all...)
}
