package grammar

import (
	"context"
	"errors"
	"fmt"
	"math"
	bigint "math/big"

	"cutaway/model"
)

// A Kind is the kind of a Value.
type Kind uint8

// The kinds of values.
const (
	Null   Kind = iota // nothing: a field whose condition does not hold
	Int                // a signed number
	Uint               // an unsigned number beyond the signed ones
	Float              // a floating-point number
	Bool               // true or false
	String             // text, decoded
	Bytes              // a run of bytes
	Struct             // an Object
	Array              // a List, or values held in memory
	IO                 // a Stream
	Go                 // what the format's own functions know
)

var kindNames = [...]string{"nothing", "a number", "a number", "a number", "true or false", "text", "bytes", "a record", "a list", "a stream", "nothing to compute with"}

// String names the kind in messages.
func (k Kind) String() string { return kindNames[k] }

// A Value is an operand or a result of an expression.
type Value struct {
	kind Kind
	bits uint64
	ref  any // String: string; Bytes: *Run of bytes; Struct: *Object; Array: *List or []Value; IO: *Stream; Go: anything
}

// IntValue returns a signed number.
func IntValue(v int64) Value { return Value{kind: Int, bits: uint64(v)} }

// UintValue returns an unsigned number.
func UintValue(v uint64) Value {
	if v > math.MaxInt64 {
		return Value{kind: Uint, bits: v}
	}
	return Value{kind: Int, bits: v}
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

// FloatValue returns a floating-point number.
func FloatValue(v float64) Value { return Value{kind: Float, bits: math.Float64bits(v)} }

// BoolValue is true or false.
func BoolValue(v bool) Value {
	if v {
		return Value{kind: Bool, bits: 1}
	}
	return Value{kind: Bool}
}

// StringValue is text.
func StringValue(s string) Value { return Value{kind: String, ref: s} }

// BytesValue returns a run of bytes in memory.
func BytesValue(b []byte) Value { return Value{kind: Bytes, ref: &Blob{data: b}} }

// SpanValue returns a run of bytes of a source, which are read when they are asked for.
func SpanValue(at model.Span) Value { return Value{kind: Bytes, ref: &Blob{at: at}} }

// ArrayValue is values held in memory.
func ArrayValue(v []Value) Value { return Value{kind: Array, ref: v} }

// ObjectValue returns a record.
func ObjectValue(o *Object) Value {
	if o == nil {
		return Value{}
	}
	return Value{kind: Struct, ref: o}
}

// ListValue returns a field that is repeated.
func ListValue(l *List) Value { return Value{kind: Array, ref: l} }

// StreamValue returns a range of bytes that fields are read from.
func StreamValue(s *Stream) Value { return Value{kind: IO, ref: s} }

// GoValue returns a value that only the format's own functions use: a computed field that is Hidden keeps it with its record.
func GoValue(v any) Value { return Value{kind: Go, ref: v} }

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.kind }

// same reports whether two values are the same number, truth or text. Values in bytes are taken for the same.
func (v Value) same(w Value) bool {
	return v.kind == w.kind && v.bits == w.bits && (v.kind != String || v.ref == w.ref)
}

// Int returns a number as a signed one, or false if it is none or does not fit. A float is cut to its whole part.
func (v Value) Int() (int64, bool) {
	switch v.kind {
	case Int:
		return int64(v.bits), true
	case Float:
		f := math.Float64frombits(v.bits)
		return int64(f), f >= math.MinInt64 && f < math.MaxInt64
	}
	return 0, false
}

// Uint returns a number as an unsigned one, or false if it is none or negative.
func (v Value) Uint() (uint64, bool) {
	return v.bits, v.kind == Uint || v.kind == Int && int64(v.bits) >= 0
}

// Float returns a number as a floating-point one, or false if it is none.
func (v Value) Float() (float64, bool) {
	switch v.kind {
	case Int:
		return float64(int64(v.bits)), true
	case Uint:
		return float64(v.bits), true
	case Float:
		return math.Float64frombits(v.bits), true
	}
	return 0, false
}

// Integer returns a number as an integer that saturates, 0 and 1 for false and true, and 0 for an absent field.
func (v Value) Integer() (n int64, ok bool) {
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

// Bool returns the truth of the value; ok is false if it has none.
func (v Value) Bool() (truth, ok bool) { return v.bits != 0, v.kind == Bool }

// String returns a text, or the value in words for a message.
func (v Value) String() string {
	switch v.kind {
	case Int:
		return fmt.Sprint(int64(v.bits))
	case Uint:
		return fmt.Sprint(v.bits)
	case Float:
		return model.FormatFloat(math.Float64frombits(v.bits), 64)
	case Bool:
		return fmt.Sprint(v.bits != 0)
	case String:
		return v.ref.(string)
	case Bytes:
		b := v.ref.(*Blob)
		if b.data != nil {
			return fmt.Sprintf("% x", b.data)
		}
		return fmt.Sprintf("%d bytes", b.at.Len)
	}
	return v.kind.String()
}

// Object returns a record, or nil for other values.
func (v Value) Object() *Object {
	o, _ := v.ref.(*Object)
	return o
}

// List returns a repeated field, or nil for other values.
func (v Value) List() *List {
	l, _ := v.ref.(*List)
	return l
}

// Values returns the values of an array held in memory, or nil for other values.
func (v Value) Values() []Value {
	a, _ := v.ref.([]Value)
	return a
}

// Stream returns a stream, or nil for other values.
func (v Value) Stream() *Stream {
	s, _ := v.ref.(*Stream)
	return s
}

// Go returns the argument of GoValue, or nil for other values.
func (v Value) Go() any {
	if v.kind != Go {
		return nil
	}
	return v.ref
}

// Blob returns bytes, or nil for other values.
func (v Value) Blob() *Blob {
	b, _ := v.ref.(*Blob)
	return b
}

// A Blob is a run of bytes, of a source or in memory.
type Blob struct {
	at   model.Span
	data []byte
}

// Len returns the number of bytes.
func (b *Blob) Len() int64 {
	if b.data != nil {
		return int64(len(b.data))
	}
	return b.at.Len
}

// span returns the range of the bytes; those in memory are a source of their own.
func (b *Blob) span() model.Span {
	if b.data == nil && b.at.Source != nil {
		return b.at
	}
	return model.NewSource("computed", "computed", "", model.BytesReader(b.data)).Whole()
}

// errLong says that a run of bytes is too long to be held in memory.
var errLong = errors.New("too many bytes to be worked with at once")

// Read returns the bytes. More than MaxBytes are refused, which is a limit.
func (b *Blob) Read(ctx context.Context) ([]byte, error) {
	if b.data != nil || b.at.Len == 0 {
		return b.data, nil
	}
	if b.at.Len > MaxBytes {
		return nil, fmt.Errorf("%w: %d, and the limit is %d", errLong, b.at.Len, MaxBytes)
	}
	return sourceBytes(ctx, b.at.Source, b.at.Off, b.at.Len)
}

// sourceBytes reads n bytes at off.
func sourceBytes(ctx context.Context, src *model.Source, off, n int64) ([]byte, error) {
	return src.Bytes(ctx, off, n)
}
