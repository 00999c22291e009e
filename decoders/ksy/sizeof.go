package ksy

import (
	"math/big"

	"cutaway/decoders/expr"
)

// A sizeState holds the size of a type, once computed.
type sizeState struct {
	state   inferState
	bits    int64
	dynamic bool
}

const maxStaticBits = 1 << 50

// typeBits returns the size of a type, and whether it is fixed.
func (c *checker) typeBits(t *Type) (bits int64, fixed bool) {
	if t.size.state == inferring || t.Opaque {
		return 0, false
	}
	if t.size.state == notInferred {
		t.size = sizeState{state: inferring}
		bits, fixed := c.sumBits(t)
		t.size = sizeState{state: inferred, bits: bits, dynamic: !fixed}
	}
	return t.size.bits, !t.size.dynamic
}

// sumBits adds up a sequence. A field that is no bit field begins at a whole byte.
func (c *checker) sumBits(t *Type) (bits int64, fixed bool) {
	for _, f := range t.Seq {
		if f.Use == nil || f.Use.Form != FormBits {
			bits = (bits + 7) &^ 7
		}
		size, fixed := c.fieldBits(f)
		if bits += size; !fixed || bits > maxStaticBits {
			return 0, false
		}
	}
	return bits, true
}

// fieldBits returns the size of a field with all its elements.
func (c *checker) fieldBits(f *Field) (int64, bool) {
	count := int64(1)
	if f.Repeat != Once {
		n, ok := constant(f.RepeatExpr)
		if f.Repeat != RepeatExpr || !ok {
			return 0, false
		}
		count = n
	}
	size, ok := c.elementBits(f)
	if f.If != nil || !ok || size > 0 && count > maxStaticBits/size {
		return 0, false
	}
	return count * size, true
}

func (c *checker) elementBits(f *Field) (int64, bool) {
	size, sized := constant(f.Size)
	switch {
	case f.Size != nil:
		return 8 * size, sized
	case f.Contents != nil && f.Use != nil && f.Use.Form == FormBytes:
		return 8 * int64(len(f.Contents)), true
	case f.Use == nil, f.SizeEOS, f.Use.Term != nil:
		return 0, false
	}
	return c.useBits(f.Use)
}

func (c *checker) useBits(u *Use) (int64, bool) {
	switch u.Form {
	case FormInt, FormFloat:
		return 8 * int64(u.Width), true
	case FormBits:
		return int64(u.Width), true
	case FormUser:
		if u.Type != nil {
			return c.typeBits(u.Type)
		}
	}
	return 0, false
}

// constant returns the value of an expression of literals, if it can be a size.
func constant(e *expr.Expr) (int64, bool) {
	if value := fold(e); value != nil && value.Sign() >= 0 && value.Cmp(big.NewInt(maxStaticBits/8)) <= 0 {
		return value.Int64(), true
	}
	return 0, false
}

// fold evaluates sums and products of literals. It returns nil for other expressions.
func fold(e *expr.Expr) *big.Int {
	if e == nil || e.Op == expr.OpInt {
		if e == nil || e.Int.BitLen() > 128 {
			return nil
		}
		return e.Int
	}
	if len(e.Args) != 2 || e.Op < expr.OpAdd || e.Op > expr.OpMultiply {
		return nil
	}
	a, b := fold(e.Args[0]), fold(e.Args[1])
	if a == nil || b == nil || a.BitLen() > 128 || b.BitLen() > 128 {
		return nil
	}
	switch e.Op {
	case expr.OpAdd:
		return new(big.Int).Add(a, b)
	case expr.OpSubtract:
		return new(big.Int).Sub(a, b)
	}
	return new(big.Int).Mul(a, b)
}

// sizeConstant replaces an expression for a size with its value in bytes.
func (c *checker) sizeConstant(e *expr.Expr, of string, size func() (int64, bool)) *expr.Type {
	bits, fixed := size()
	if !fixed {
		return c.fail(e, "the size of %q depends on the bytes, so it can't be asked for", of)
	}
	if e.Op != expr.OpBitSizeOf {
		bits = (bits + 7) / 8
	}
	e.Meaning = big.NewInt(bits)
	return expr.IntType
}

// sizeOfType evaluates sizeof<type> and bitsizeof<type>.
func (c *checker) sizeOfType(e *expr.Expr, from *Type) *expr.Type {
	parts := e.Ref.Path.Parts
	if use, ok := builtin(parts[0]); ok && len(parts) == 1 && !e.Ref.Array {
		return c.sizeConstant(e, parts[0], func() (int64, bool) { return c.useBits(&use) })
	}
	if e.Ref.Array || len(parts) == 1 && simpleTypes[parts[0]] != nil {
		return c.sizeConstant(e, e.Ref.Path.String(), func() (int64, bool) { return 0, false })
	}
	t := c.typeNamed(from, e.Ref.Path)
	if t == nil {
		return nil
	}
	return c.sizeConstant(e, t.path(), func() (int64, bool) { return c.typeBits(t) })
}

// valueSize evaluates value._sizeof of a field or structure.
func (c *checker) valueSize(e *expr.Expr, of *expr.Type) *expr.Type {
	f, what := fieldOf(e.Args[0]), e.Args[0].Name
	if what == "" {
		what = "this value"
	}
	return c.sizeConstant(e, what, func() (int64, bool) {
		switch {
		case f != nil && (f.Role == RoleSeq || f.Role == RoleInstance):
			return c.fieldBits(f)
		case of.Kind == expr.User:
			return c.typeBits(typeIn(of))
		}
		return 0, false
	})
}
