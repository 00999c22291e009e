package grammar

import (
	"fmt"
	"math"
)

// An Expr is a value that is computed from fields read before: a condition, a size, a count, a position. Building its record
// replaces it by its code.
type Expr interface {
	// Compile resolves the names that the expression uses.
	Compile(r *Record) (*Code, error)
}

// A Code computes an expression in a record.
type Code struct {
	value func(s Scope) (Value, error)
	num   func(s Scope) (int64, error) // nil if the values may be others than int64, false and true, and integers above int64 if wide
	wide  bool
	fixed *Value // of an expression that is the same in every record
	field bitsOf // of an expression that is bits of a field
}

// Computed returns the code of values that Go computes.
func Computed(value func(s Scope) (Value, error)) *Code { return &Code{value: value} }

// FixedCode returns the code of a value that is the same in every record.
func FixedCode(v Value) *Code {
	c := &Code{fixed: &v, value: func(Scope) (Value, error) { return v, nil }, wide: v.kind == Uint}
	if n, ok := v.Integer(); ok && v.kind != Float {
		c.num = func(Scope) (int64, error) { return n, nil }
	}
	return c
}

// IntCode returns the code of integers that are int64.
func IntCode(num func(s Scope) (int64, error)) *Code {
	return &Code{num: num, value: func(s Scope) (Value, error) {
		n, err := num(s)
		return IntValue(n), err
	}}
}

// BoolCode returns the code of a condition. num computes 1 or 0.
func BoolCode(num func(s Scope) (int64, error)) *Code {
	return &Code{num: num, value: func(s Scope) (Value, error) {
		n, err := num(s)
		return BoolValue(n != 0), err
	}}
}

// NumberCode returns the code of integers, false and true. num computes them as numbers, where those above int64 saturate; wide says
// that there may be such.
func NumberCode(value func(s Scope) (Value, error), num func(s Scope) (int64, error), wide bool) *Code {
	return &Code{value: value, num: num, wide: wide}
}

// Saturating returns the code with numbers alone: those above int64 saturate.
func (c *Code) Saturating() *Code {
	if c.num != nil && !c.wide {
		return c
	}
	return &Code{value: c.value, num: c.Number(), fixed: c.fixed, field: c.field}
}

// Compile returns the code itself.
func (c *Code) Compile(*Record) (*Code, error) { return c, nil }

// Eval computes the value in a record.
func (c *Code) Eval(s Scope) (Value, error) { return c.value(s) }

// Fixed returns the value that the code computes in every record, or nil if it differs.
func (c *Code) Fixed() *Value { return c.fixed }

// Constant returns the number that the code computes in every record, or false if there is none.
func (c *Code) Constant() (int64, bool) {
	if c.fixed == nil {
		return 0, false
	}
	return c.fixed.Integer()
}

// IsNumber reports whether all values are integers, false or true.
func (c *Code) IsNumber() bool { return c.num != nil }

// IsWide reports whether the integers may be above int64.
func (c *Code) IsWide() bool { return c.wide }

// Number returns the function that computes the value as a number: 0 and 1 for false and true, the largest for an integer above
// int64. It fails for other values.
func (c *Code) Number() func(s Scope) (int64, error) {
	if c.num != nil {
		return c.num
	}
	return func(s Scope) (int64, error) {
		v, err := c.value(s)
		if err != nil {
			return 0, err
		}
		n, ok := v.Integer()
		if !ok {
			err = NoNumber(v)
		}
		return n, err
	}
}

// NoNumber returns the error of a value that is no number where one is needed.
func NoNumber(v Value) error { return fmt.Errorf("a number is needed, and %s is %s", v, v.kind) }

// A bitsOf is some bits of the integer that a field of the sequence is.
type bitsOf struct {
	slot     int // the field's index and one, or 0 for no field
	shift    uint
	mask     int64 // of the bits after the shift
	unsigned bool  // the highest bit of the integer is no sign
}

// code returns the code of the bits.
func (f bitsOf) code() *Code {
	bits := Operand{field: f}.Get
	code := IntCode(bits)
	if f.unsigned && f.mask < 0 {
		code = NumberCode(func(s Scope) (Value, error) {
			n, err := bits(s)
			return UintValue(uint64(n)), err
		}, func(s Scope) (int64, error) {
			n, err := bits(s)
			if n < 0 {
				n = math.MaxInt64
			}
			return n, err
		}, true)
	}
	code.field = f
	return code
}

// FieldCode returns the code of the value of a field.
func (r *Record) FieldCode(f *Field) *Code {
	if f.Fixed != nil {
		return FixedCode(*f.Fixed)
	}
	if f.Absent {
		return FixedCode(Value{})
	}
	value := func(s Scope) (Value, error) { return s.o.value(s.r, f.index) }
	if f.Repeat != nil {
		return Computed(value)
	}
	bits := bitsOf{slot: f.index + 1, mask: -1, unsigned: true}
	switch t := f.Of.(type) {
	case *Scalar:
		switch {
		case t.kind == float || t.kind == composite:
			return Computed(value)
		case t.kind == signed:
			bits.unsigned = false
		case t.size < 8:
			bits.mask = 1<<(8*t.size) - 1
		}
	case *BitField:
		bits.mask = 1<<t.Width - 1 // all of 64 bits: -1
	default:
		return Computed(value)
	}
	code := bits.code()
	code.value = value
	return code
}

// And returns the code of the bits of a field that a mask keeps, or nil if the code is not one of bits.
func (c *Code) And(mask Value) *Code {
	f := c.field
	n, ok := mask.Integer()
	if f.slot == 0 || !ok {
		return nil
	}
	f.mask &= int64(mask.bits)
	f.unsigned = f.unsigned || n >= 0
	return f.code()
}

// ShiftRight returns the code of the bits of a field without the lowest, or nil if the code is not one of bits or has a sign.
func (c *Code) ShiftRight(by int64) *Code {
	f := c.field
	if f.slot == 0 || !f.unsigned || by < 0 || by >= 64 {
		return nil
	}
	f.shift, f.mask = f.shift+uint(by), int64(uint64(f.mask)>>by)
	return f.code()
}

// Part returns the code of some bits of a number.
func (c *Code) Part(shift, width uint) *Code {
	mask := int64(1)<<width - 1
	if f := c.field; f.slot > 0 {
		f.shift, f.mask, f.unsigned = f.shift+shift, f.mask>>shift&mask, true
		return f.code()
	}
	return Computed(func(s Scope) (Value, error) {
		v, err := c.value(s)
		return UintValue(v.bits >> shift & uint64(mask)), err
	})
}

// An Operand is a side of an operator of integers: bits of a field, or a number that is computed.
type Operand struct {
	field bitsOf
	num   func(s Scope) (int64, error)
}

// Operand returns the code as a side of an operator of numbers that saturate.
func (c *Code) Operand() Operand {
	if c.field.slot > 0 && !c.wide {
		return Operand{field: c.field}
	}
	return Operand{num: c.Number()}
}

// Get computes the operand. The bits of an absent field are 0.
func (p Operand) Get(s Scope) (int64, error) {
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

// compile replaces an expression by its code.
func compile(e *Expr, r *Record) error {
	if *e == nil {
		return nil
	}
	code, err := (*e).Compile(r)
	if err == nil {
		*e = code
	}
	return err
}

// evalInt computes a number.
func evalInt(e Expr, s Scope) (int64, error) {
	c := e.(*Code)
	if c.num != nil && !c.wide {
		return c.num(s)
	}
	v, err := c.value(s)
	if err != nil {
		return 0, err
	}
	n, ok := v.Int()
	if !ok {
		return 0, NoNumber(v)
	}
	return n, nil
}

// evalBool decides a condition.
func evalBool(e Expr, s Scope) (bool, error) {
	c := e.(*Code)
	if c.num != nil && !c.wide {
		n, err := c.num(s)
		return n != 0, err
	}
	v, err := c.value(s)
	if err != nil {
		return false, err
	}
	truth, ok := v.Bool()
	if !ok {
		return false, fmt.Errorf("true or false is needed, and %s is %s", v, v.kind)
	}
	return truth, nil
}

// constantOf returns the number that an expression is in every record.
func constantOf(e Expr) (n int64, ok bool) {
	c, compiled := e.(*Code)
	if !compiled || c.wide {
		return 0, false
	}
	return c.Constant()
}
