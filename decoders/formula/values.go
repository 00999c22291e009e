package formula

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
)

// ElementOf returns element i of a list or of bytes.
func ElementOf(s Scope, v Value, i int64) (Value, error) {
	if l := v.List(); l != nil {
		return l.At(s, i)
	}
	if blob := v.Blob(); blob != nil {
		b, err := blob.Read(s.Reading().Context())
		if err != nil {
			return Value{}, err
		}
		if i < 0 || i >= int64(len(b)) {
			return Value{}, fmt.Errorf("byte %d of %d", i, len(b))
		}
		return grammar.IntValue(int64(b[i])), nil
	}
	values := v.Values()
	if i < 0 || i >= int64(len(values)) {
		return Value{}, fmt.Errorf("element %d of %d", i, len(values))
	}
	return values[i], nil
}

// Order compares two values: -1, 0 or 1, or 2 where they have no order.
func Order(s Scope, a, b Value) (int, error) {
	switch {
	case a.Kind() == grammar.Int && b.Kind() == grammar.Int:
		v, _ := a.Int()
		w, _ := b.Int()
		return cmp.Compare(v, w), nil
	case a.Kind() == grammar.String && b.Kind() == grammar.String:
		return strings.Compare(a.String(), b.String()), nil
	case a.Kind() == grammar.Bytes || b.Kind() == grammar.Bytes: // in BuiltIn also with text
		v, err := raw(s, a)
		if err != nil {
			return 0, err
		}
		w, err := raw(s, b)
		return bytes.Compare(v, w), err
	case a.Kind() == grammar.String || b.Kind() == grammar.String: // with an absent field
		return 2, nil
	case a.Kind() == grammar.Float || b.Kind() == grammar.Float:
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
func raw(s Scope, v Value) ([]byte, error) {
	if blob := v.Blob(); blob != nil {
		return blob.Read(s.Reading().Context())
	}
	if v.Kind() == grammar.String {
		return []byte(v.String()), nil
	}
	return nil, nil
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
	case a.Kind() == grammar.Int && b.Kind() == grammar.Int:
		v, _ := a.Int()
		w, _ := b.Int()
		if n, ok := calculateInt(op, v, w); ok {
			return grammar.IntValue(n), nil
		}
	case a.Kind() == grammar.String:
		return grammar.StringValue(a.String() + b.String()), nil
	case a.Kind() == grammar.Float || b.Kind() == grammar.Float:
		v, _ := a.Float()
		w, _ := b.Float()
		return calculateFloat(op, v, w), nil
	}
	v, w := a.Big(), b.Big()
	switch op {
	case expr.OpAdd:
		return grammar.NumberValue(v.Add(v, w)), nil
	case expr.OpSubtract:
		return grammar.NumberValue(v.Sub(v, w)), nil
	case expr.OpMultiply:
		return grammar.NumberValue(v.Mul(v, w)), nil
	case expr.OpBitAnd:
		return grammar.NumberValue(v.And(v, w)), nil
	case expr.OpBitOr:
		return grammar.NumberValue(v.Or(v, w)), nil
	case expr.OpBitXor:
		return grammar.NumberValue(v.Xor(v, w)), nil
	case expr.OpShiftLeft, expr.OpShiftRight:
		return shift(op, v, w)
	}
	return divide(op, v, w)
}

func shift(op expr.Op, v, w *big.Int) (Value, error) {
	if w.Sign() < 0 || w.Cmp(big.NewInt(maxShift)) > 0 {
		return Value{}, fmt.Errorf("a shift by %s bits, and the limit is %d", w, maxShift)
	}
	if op == expr.OpShiftLeft {
		return grammar.NumberValue(v.Lsh(v, uint(w.Int64()))), nil
	}
	return grammar.NumberValue(v.Rsh(v, uint(w.Int64()))), nil
}

// divide returns the quotient, rounded down, or the remainder, which has the sign of the divisor.
func divide(op expr.Op, v, w *big.Int) (Value, error) {
	if w.Sign() == 0 {
		return Value{}, errDivision
	}
	quotient, rest := new(big.Int).QuoRem(v, w, new(big.Int))
	if rest.Sign() != 0 && rest.Sign() != w.Sign() {
		quotient.Sub(quotient, big.NewInt(1))
		rest.Add(rest, w)
	}
	if op == expr.OpDivide {
		return grammar.NumberValue(quotient), nil
	}
	return grammar.NumberValue(rest), nil
}

func calculateFloat(op expr.Op, v, w float64) Value {
	switch op {
	case expr.OpAdd:
		return grammar.FloatValue(v + w)
	case expr.OpSubtract:
		return grammar.FloatValue(v - w)
	case expr.OpMultiply:
		return grammar.FloatValue(v * w)
	case expr.OpDivide:
		return grammar.FloatValue(v / w)
	}
	return grammar.FloatValue(math.Mod(v, w))
}
