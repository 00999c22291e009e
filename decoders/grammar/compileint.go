package grammar

import (
	"cmp"
	"errors"
	"math"
	"math/bits"

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

// A bitsOf is some bits of the integer that a field of the sequence is.
type bitsOf struct {
	slot     int // the field's index and one, or 0 for no field
	shift    uint
	mask     int64 // of the bits after the shift
	unsigned bool  // the highest bit of the integer is no sign
}

// code returns the code of the bits.
func (f bitsOf) code() *Code {
	bits := operand{field: f}.get
	code := ofInt(bits)
	if f.unsigned && f.mask < 0 {
		code = ofWide(func(s Scope) (Value, error) {
			n, err := bits(s)
			return UintValue(uint64(n)), err
		})
		code.num = func(s Scope) (int64, error) {
			n, err := bits(s)
			if n < 0 {
				n = math.MaxInt64
			}
			return n, err
		}
	}
	code.field = f
	return code
}

// with returns the bits after an operator whose second operand is a constant, or false if they are no bits of the field.
func (f bitsOf) with(op expr.Op, b *Code) (bitsOf, bool) {
	k, ok := b.constant()
	switch {
	case !ok || f.slot == 0:
	case op == expr.OpBitAnd:
		f.mask &= int64(b.fixed.bits)
		f.unsigned = f.unsigned || k >= 0
		return f, true
	case op == expr.OpShiftRight && f.unsigned && k >= 0 && k < 64:
		f.shift, f.mask = f.shift+uint(k), int64(uint64(f.mask)>>k)
		return f, true
	}
	return f, false
}

// An operand is a side of an operator of integers: bits of a field, or a number that is computed.
type operand struct {
	field bitsOf
	num   numCode
}

// operand returns the code as a side of an operator of numbers that saturate.
func (c *Code) operand() operand {
	if c.field.slot > 0 && !c.wide {
		return operand{field: c.field}
	}
	return operand{num: c.number()}
}

// get computes the operand. The bits of an absent field are 0.
func (p operand) get(s Scope) (int64, error) {
	if p.field.slot == 0 {
		return p.num(s)
	}
	o, i := s.o, p.field.slot-1
	if i < o.next && !o.whole && s.r.sees(o) {
		if slot := &o.slots[i]; slot.problem == nil && !slot.packed {
			return int64(slot.bits>>p.field.shift) & p.field.mask, nil
		}
	}
	v, err := o.value(s.r, i)
	return int64(v.bits>>p.field.shift) & p.field.mask, err
}

// intOps are the operators of two integers.
var intOps = [...]func(a, b int64) int64{
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
func arithmetic(op expr.Op, a, b *Code) *Code {
	if f, ok := a.field.with(op, b); ok {
		return f.code()
	}
	ofBits := op >= expr.OpBitOr && op <= expr.OpBitClear || op == expr.OpShiftRight
	if ofBits && (a.num == nil || b.num == nil || a.wide || b.wide) {
		return ofWide(func(s Scope) (Value, error) {
			v, err := a.value(s)
			if err != nil {
				return v, err
			}
			w, err := b.value(s)
			if err != nil {
				return w, err
			}
			return bitwise(op, v, w)
		})
	}
	if k, ok := b.constant(); ok && refuses(op, k) == nil {
		return ofInt(withConstant(op, a.operand(), k))
	}
	return ofInt(ofTwo(op, a.operand(), b.operand()))
}

// bitwise computes an operator of bits. Negative integers have ones before their highest bit, others zeros.
func bitwise(op expr.Op, v, w Value) (Value, error) {
	a, isNumber := v.integer()
	b, alsoNumber := w.integer()
	if !isNumber || !alsoNumber {
		return v, cmp.Or(errNoNumber(v, isNumber), errNoNumber(w, alsoNumber))
	}
	if op == expr.OpShiftRight {
		if v.kind == Uint {
			return UintValue(v.bits >> min(uint64(b), 64)), refuses(op, b)
		}
		return IntValue(intOps[op](a, max(b, 0))), refuses(op, b)
	}
	do := intOps[op]
	n := do(a, b)
	if v.kind == Uint || w.kind == Uint {
		n = do(v.allBits(a), w.allBits(b))
	}
	switch negative := do(a>>63, b>>63) < 0; {
	case !negative:
		return UintValue(uint64(n)), nil
	case n >= 0:
		return IntValue(math.MinInt64), nil
	}
	return IntValue(n), nil
}

// allBits returns all bits of an integer that saturates to n.
func (v Value) allBits(n int64) int64 {
	if v.kind == Uint {
		return int64(v.bits)
	}
	return n
}

// withConstant returns the function of an operator whose second operand is k. The frequent operators have one of their own.
func withConstant(op expr.Op, a operand, k int64) numCode {
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
func ofTwo(op expr.Op, a, b operand) numCode {
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
