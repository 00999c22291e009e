package formula

import (
	"errors"
	"math"
	"math/bits"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
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

var errShift = errors.New("a shift by a negative number of bits")

// intOps are the operators of two integers.
var intOps = [...]func(a, b int64) int64{
	expr.OpAdd: saturatingAdd, expr.OpSubtract: saturatingSub, expr.OpMultiply: saturatingMul, expr.OpDivide: saturatingDiv,
	expr.OpModulo: modulo, expr.OpShiftLeft: saturatingShift,
	expr.OpShiftRight: func(a, b int64) int64 { return a >> min(b, 63) },
	expr.OpBitAnd:     func(a, b int64) int64 { return a & b },
	expr.OpBitOr:      func(a, b int64) int64 { return a | b },
	expr.OpBitXor:     func(a, b int64) int64 { return a ^ b },
	expr.OpBitClear:   func(a, b int64) int64 { return a &^ b },
	expr.OpEqual:      func(a, b int64) int64 { return Truth(a == b) },
	expr.OpUnequal:    func(a, b int64) int64 { return Truth(a != b) },
	expr.OpLess:       func(a, b int64) int64 { return Truth(a < b) },
	expr.OpAtMost:     func(a, b int64) int64 { return Truth(a <= b) },
	expr.OpGreater:    func(a, b int64) int64 { return Truth(a > b) },
	expr.OpAtLeast:    func(a, b int64) int64 { return Truth(a >= b) },
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
func arithmetic(op expr.Op, a, b *Code) *Code {
	if code := ofField(op, a, b); code != nil {
		return code
	}
	ofBits := op >= expr.OpBitOr && op <= expr.OpBitClear || op == expr.OpShiftRight
	if ofBits && (!a.IsNumber() || !b.IsNumber() || a.IsWide() || b.IsWide()) {
		value := func(s Scope) (Value, error) {
			v, w, err := both(s, a, b)
			if err != nil {
				return w, err
			}
			return bitwise(op, v, w)
		}
		return grammar.NumberCode(value, grammar.Computed(value).Number(), true)
	}
	if k, ok := b.Constant(); ok && refuses(op, k) == nil {
		return grammar.IntCode(withConstant(op, a.Operand(), k))
	}
	return grammar.IntCode(ofTwo(op, a.Operand(), b.Operand()))
}

// ofField returns the code of an operator whose result is bits of a field, or nil.
func ofField(op expr.Op, a, b *Code) *Code {
	k, ok := b.Constant()
	switch {
	case !ok:
	case op == expr.OpBitAnd:
		return a.And(*b.Fixed())
	case op == expr.OpShiftRight:
		return a.ShiftRight(k)
	}
	return nil
}

// bitwise computes an operator of bits. Negative integers have ones before their highest bit, others zeros.
func bitwise(op expr.Op, v, w Value) (Value, error) {
	a, isNumber := v.Integer()
	b, alsoNumber := w.Integer()
	if !isNumber {
		return v, grammar.NoNumber(v)
	}
	if !alsoNumber {
		return w, grammar.NoNumber(w)
	}
	if op == expr.OpShiftRight {
		if v.Kind() == grammar.Uint {
			return grammar.UintValue(uint64(allBits(v, a)) >> min(uint64(b), 64)), refuses(op, b)
		}
		return grammar.IntValue(intOps[op](a, max(b, 0))), refuses(op, b)
	}
	do := intOps[op]
	n := do(a, b)
	if v.Kind() == grammar.Uint || w.Kind() == grammar.Uint {
		n = do(allBits(v, a), allBits(w, b))
	}
	switch negative := do(a>>63, b>>63) < 0; {
	case !negative:
		return grammar.UintValue(uint64(n)), nil
	case n >= 0:
		return grammar.IntValue(math.MinInt64), nil
	}
	return grammar.IntValue(n), nil
}

// allBits returns all bits of an integer that saturates to n.
func allBits(v Value, n int64) int64 {
	if u, ok := v.Uint(); ok {
		return int64(u)
	}
	return n
}

// withConstant returns the function of an operator whose second operand is k. The frequent operators have one of their own.
func withConstant(op expr.Op, a grammar.Operand, k int64) numCode {
	switch op {
	case expr.OpEqual:
		return func(s Scope) (int64, error) {
			n, err := a.Get(s)
			return Truth(n == k), err
		}
	case expr.OpUnequal:
		return func(s Scope) (int64, error) {
			n, err := a.Get(s)
			return Truth(n != k), err
		}
	case expr.OpGreater:
		return func(s Scope) (int64, error) {
			n, err := a.Get(s)
			return Truth(n > k), err
		}
	case expr.OpMultiply:
		return func(s Scope) (int64, error) {
			n, err := a.Get(s)
			return saturatingMul(n, k), err
		}
	}
	do := intOps[op]
	return func(s Scope) (int64, error) {
		n, err := a.Get(s)
		if err != nil {
			return 0, err
		}
		return do(n, k), nil
	}
}

// ofTwo returns the function of an operator of two integers.
func ofTwo(op expr.Op, a, b grammar.Operand) numCode {
	do := intOps[op]
	return func(s Scope) (int64, error) {
		v, err := a.Get(s)
		if err != nil {
			return 0, err
		}
		w, err := b.Get(s)
		if err == nil {
			err = refuses(op, w)
		}
		if err != nil {
			return 0, err
		}
		return do(v, w), nil
	}
}
