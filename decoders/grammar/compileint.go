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

// unwide returns the code of an integer of which the function computes all bits; wide says that the highest is no sign.
func unwide(all func(s Scope) (int64, error), wide bool) *Code {
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

// arithmetic returns the code of an operator of two integers.
func (c *Compiler) arithmetic(op expr.Op, a, b *Code) *Code {
	v, w := a.allBits(), b.allBits()
	switch op {
	case expr.OpBitAnd:
		if k, ok := b.constant(); ok && b.bits == nil {
			if i := a.slot - 1; i >= 0 {
				return ofNum(func(s Scope) (int64, error) {
					n, err := s.slotBits(i)
					return n & k, err
				})
			}
			return unwide(func(s Scope) (int64, error) {
				n, err := v(s)
				return n & k, err
			}, a.bits != nil && k < 0)
		}
		return unwide(both(v, w, func(a, b int64) int64 { return a & b }), a.bits != nil || b.bits != nil)
	case expr.OpBitOr:
		return unwide(both(v, w, func(a, b int64) int64 { return a | b }), a.bits != nil || b.bits != nil)
	case expr.OpBitXor:
		return unwide(both(v, w, func(a, b int64) int64 { return a ^ b }), a.bits != nil || b.bits != nil)
	case expr.OpBitClear:
		return unwide(both(v, w, func(a, b int64) int64 { return a &^ b }), a.bits != nil)
	case expr.OpShiftRight:
		return c.shiftRight(a, b)
	}
	v, w = a.number(), b.number()
	switch op {
	case expr.OpAdd:
		if k, ok := b.constant(); ok {
			return ofNum(with(v, func(n int64) int64 { return saturatingAdd(n, k) }))
		}
		return ofNum(both(v, w, saturatingAdd))
	case expr.OpSubtract:
		if k, ok := b.constant(); ok {
			return ofNum(with(v, func(n int64) int64 { return saturatingSub(n, k) }))
		}
		return ofNum(both(v, w, saturatingSub))
	case expr.OpMultiply:
		if k, ok := b.constant(); ok {
			return ofNum(with(v, func(n int64) int64 { return saturatingMul(n, k) }))
		}
		return ofNum(both(v, w, saturatingMul))
	case expr.OpShiftLeft:
		return ofNum(checked(v, w, saturatingShift, func(n int64) bool { return n >= 0 }, errShift))
	case expr.OpModulo:
		return ofNum(checked(v, w, modulo, func(n int64) bool { return n != 0 }, errDivision))
	}
	return ofNum(checked(v, w, saturatingDiv, func(n int64) bool { return n != 0 }, errDivision))
}

// constant returns the number that the code always computes.
func (c *Code) constant() (int64, bool) {
	if c.fixed == nil {
		return 0, false
	}
	return c.fixed.integer()
}

func with(v func(s Scope) (int64, error), do func(n int64) int64) func(s Scope) (int64, error) {
	return func(s Scope) (int64, error) {
		n, err := v(s)
		return do(n), err
	}
}

func both(v, w func(s Scope) (int64, error), do func(a, b int64) int64) func(s Scope) (int64, error) {
	return func(s Scope) (int64, error) {
		a, err := v(s)
		if err != nil {
			return 0, err
		}
		b, err := w(s)
		return do(a, b), err
	}
}

// checked is both where the second number must be one that ok accepts.
func checked(v, w func(s Scope) (int64, error), do func(a, b int64) int64, ok func(n int64) bool, refused error) func(s Scope) (int64, error) {
	return func(s Scope) (int64, error) {
		a, err := v(s)
		if err != nil {
			return 0, err
		}
		b, err := w(s)
		switch {
		case err != nil:
			return 0, err
		case !ok(b):
			return 0, refused
		}
		return do(a, b), nil
	}
}

// shiftRight returns the code of a shift to the right, which keeps the sign of what has one.
func (c *Compiler) shiftRight(a, b *Code) *Code {
	unsigned := func(a, n int64) int64 {
		if n > 63 {
			return 0
		}
		return int64(uint64(a) >> n)
	}
	signed := func(a, n int64) int64 { return a >> min(n, 63) }
	notNegative := func(n int64) bool { return n >= 0 }
	switch by := b.number(); {
	case a.bits != nil:
		k, ok := b.constant()
		return unwide(checked(a.bits, by, unsigned, notNegative, errShift), !ok || k == 0)
	case a.num != nil:
		return ofNum(checked(a.num, by, signed, notNegative, errShift))
	default: // of a value that is known when it is computed
		num := a.number()
		return ofNum(func(s Scope) (int64, error) {
			v, err := a.value(s)
			if err != nil {
				return 0, err
			}
			if v.kind == Uint {
				return checked(func(Scope) (int64, error) { return int64(v.bits), nil }, by, unsigned, notNegative, errShift)(s)
			}
			return checked(num, by, signed, notNegative, errShift)(s)
		})
	}
}

// compare returns the code of a comparison.
func (c *Compiler) compare(op expr.Op, a, b *Code) *Code {
	if !c.saturates || a.num == nil || b.num == nil || !comparable64(a, b) {
		return c.compareValues(op, a, b)
	}
	v, w := a.num, b.num
	if k, ok := b.constant(); ok {
		switch op {
		case expr.OpEqual:
			return fold(ofTruth(with(v, func(n int64) int64 { return truth(n == k) })), a, b)
		case expr.OpUnequal:
			return fold(ofTruth(with(v, func(n int64) int64 { return truth(n != k) })), a, b)
		}
	}
	var do func(a, b int64) int64
	switch op {
	case expr.OpEqual:
		do = func(a, b int64) int64 { return truth(a == b) }
	case expr.OpUnequal:
		do = func(a, b int64) int64 { return truth(a != b) }
	case expr.OpLess:
		do = func(a, b int64) int64 { return truth(a < b) }
	case expr.OpAtMost:
		do = func(a, b int64) int64 { return truth(a <= b) }
	case expr.OpGreater:
		do = func(a, b int64) int64 { return truth(a > b) }
	default:
		do = func(a, b int64) int64 { return truth(a >= b) }
	}
	return fold(ofTruth(both(v, w, do)), a, b)
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
		return fold(code, a, b)
	}
	return code
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
		return fold(ofTruth(with(of.num, func(n int64) int64 { return truth(slices.Contains(numbers, n)) })), all...)
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

// slotBits returns the bits of the integer that field i of the sequence is, and 0 where it is not there.
func (s Scope) slotBits(i int) (int64, error) {
	o := s.o
	if i < o.next && !o.whole && (o.owner == s.r || o.done.Load()) {
		if slot := &o.slots[i]; slot.problem == nil && !slot.packed {
			return int64(slot.bits), nil
		}
	}
	v, err := o.value(s.r, i)
	return int64(v.bits), err
}
