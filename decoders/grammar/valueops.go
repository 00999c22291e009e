package grammar

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	bigint "math/big"
	"strings"

	"cutaway/decoders/expr"
)

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
	case a.kind == String || b.kind == String: // with an absent field
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
	case expr.OpAdd, expr.OpSubtract, expr.OpMultiply:
		n := intOps[op](a, b)
		return n, n != math.MaxInt64 && n != math.MinInt64
	case expr.OpBitAnd, expr.OpBitOr, expr.OpBitXor:
		return intOps[op](a, b), true
	case expr.OpShiftRight:
		return a >> min(uint64(b), 63), b >= 0 && b <= maxShift
	case expr.OpDivide, expr.OpModulo:
		if b > 0 {
			return intOps[op](a, b), true
		}
	}
	return 0, false
}

// calculate does the arithmetic of .ksy: integers have any size, and a quotient is rounded down.
func calculate(op expr.Op, a, b Value) (Value, error) {
	switch {
	case a.kind == Int && b.kind == Int:
		if n, ok := calculateInt(op, int64(a.bits), int64(b.bits)); ok {
			return IntValue(n), nil
		}
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
