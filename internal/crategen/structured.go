package crategen

import (
	"encoding/binary"
	"math"
)

// jump writes an indirection (chapter 12): the distance, what inner writes, and inner's rep.
func (w *Writer) jump(inner Value) {
	at := w.Pos()
	w.u64(0)
	rep := inner(w)
	w.patchLater(at, uint64(w.Pos()-at))
	w.u64(uint64(rep))
}

// Gap puts n bytes of filler before a value, so that a jump to the value is longer than necessary.
func Gap(n int, v Value) Value {
	return func(w *Writer) Rep {
		w.fill(n)
		return v(w)
	}
}

// Entry is an entry of a dictionary.
type Entry struct {
	Key   string
	Value Value
}

func (w *Writer) dictionary(entries []Entry) {
	w.u64(uint64(len(entries)))
	for _, e := range entries {
		w.u32(w.String(e.Key))
		w.jump(e.Value)
	}
}

// Dict returns a dictionary (12.2); an empty one is inlined.
func Dict(entries ...Entry) Value {
	if len(entries) == 0 {
		return Inline(TDictionary, 0)
	}
	return func(w *Writer) Rep {
		at := w.Pos()
		w.dictionary(entries)
		return MakeRep(TDictionary, 0, at)
	}
}

// Nested returns a Value or an UnregisteredValue (12.1).
func Nested(t Type, inner Value) Value {
	return func(w *Writer) Rep {
		at := w.Pos()
		w.jump(inner)
		return MakeRep(t, 0, at)
	}
}

// ListOp is the lists of a list op of one item type, with the writer of an item; a nil list is not written.
type ListOp[T any] struct {
	Type                                                Type
	Explicit                                            bool
	Items, Added, Prepended, Appended, Deleted, Ordered []T
	Item                                                func(w *Writer, item T)
}

// Value returns the list op (12.3).
func (op ListOp[T]) Value(w *Writer) Rep {
	lists := []struct {
		bit   byte
		items []T
	}{{0x02, op.Items}, {0x04, op.Added}, {0x20, op.Prepended}, {0x40, op.Appended}, {0x08, op.Deleted}, {0x10, op.Ordered}}
	at := w.Pos()
	bits := byte(0)
	if op.Explicit {
		bits = 1
	}
	for _, l := range lists {
		if l.items != nil {
			bits |= l.bit
		}
	}
	w.u8(bits)
	for _, l := range lists {
		if l.items == nil {
			continue
		}
		w.u64(uint64(len(l.items)))
		for _, item := range l.items {
			op.Item(w, item)
		}
	}
	return MakeRep(op.Type, 0, at)
}

// Item writers for list ops.
var (
	TokenItem  = func(w *Writer, s string) { w.u32(w.Token(s)) }
	StringItem = func(w *Writer, s string) { w.u32(w.String(s)) }
	PathItem   = func(w *Writer, s string) { w.u32(w.Path(s)) }
	Word4Item  = func(w *Writer, v int64) { w.u32(uint32(v)) }
	Word8Item  = func(w *Writer, v int64) { w.u64(uint64(v)) }
	ValueItem  = func(w *Writer, v Value) { w.jump(v) }
)

// Arc is a reference or payload.
type Arc struct {
	Asset, Prim   string
	Offset, Scale float64
	CustomData    []Entry // of references
}

func (w *Writer) f64(v float64) { w.u64(math.Float64bits(v)) }

// ReferenceItem writes a reference (12.4).
func ReferenceItem(w *Writer, a Arc) {
	w.u32(w.String(a.Asset))
	w.u32(w.Path(a.Prim))
	w.f64(a.Offset)
	w.f64(a.Scale)
	w.dictionary(a.CustomData)
}

// PayloadItem writes a payload (12.5).
func PayloadItem(w *Writer, a Arc) {
	w.u32(w.String(a.Asset))
	w.u32(w.Path(a.Prim))
	if w.Version.From(8) {
		w.f64(a.Offset)
		w.f64(a.Scale)
	}
}

// PayloadOf returns a single payload.
func PayloadOf(a Arc) Value {
	return func(w *Writer) Rep {
		at := w.Pos()
		PayloadItem(w, a)
		return MakeRep(TPayload, 0, at)
	}
}

// Samples is time samples (12.7). Equal times are stored once.
func Samples(times []float64, values ...Value) Value {
	return func(w *Writer) Rep {
		at := w.Pos()
		body := Doubles(times...)
		w.jump(func(w *Writer) Rep {
			rep, ok := w.times[string(body)]
			if !ok {
				rep = Bytes(TDoubleVector, counted(len(times), body))(w)
				w.times[string(body)] = rep
			}
			return rep
		})
		reps := w.Pos()
		w.u64(0)
		var list []byte
		for _, v := range values {
			list = binary.LittleEndian.AppendUint64(list, uint64(v(w)))
		}
		w.patchLater(reps, uint64(w.Pos()-reps))
		w.write(counted(len(values), list))
		return MakeRep(TTimeSamples, 0, at)
	}
}

// Knot is a knot of a Bezier spline of doubles.
type Knot struct {
	Time, Value, Width, Slope float64
	CustomData                []Entry
}

// Spline returns a Bezier spline of doubles, held before and sloped after its knots, its segments curves (12.8). The
// spline's data version follows the crate's.
func Spline(postSlope float64, knots ...Knot) Value {
	return func(w *Writer) Rep {
		data, valueType := byte(1), byte(1)
		switch {
		case w.Version.From(15):
			data = 3
		case w.Version.From(13):
			data = 2
		}
		block := []byte{data | valueType<<4, 1 | 3<<3}
		if data == 3 {
			block = append(block, 0)
		}
		block = append(block, Doubles(postSlope)...)
		block = binary.LittleEndian.AppendUint32(block, uint32(len(knots)))
		n := 0
		for _, k := range knots {
			block = append(block, 3<<1)
			block = append(block, Doubles(k.Time, k.Value, k.Width, k.Width, k.Slope, k.Slope)...)
			if data >= 2 {
				block = append(block, 0)
			}
			if k.CustomData != nil {
				n++
			}
		}
		at := w.Pos()
		w.sized(block)
		w.u64(uint64(n))
		for _, k := range knots {
			if k.CustomData != nil {
				w.f64(k.Time)
				w.dictionary(k.CustomData)
			}
		}
		return MakeRep(TSpline, 0, at)
	}
}

// ArrayEdit returns an array edit of ints (chapter 13): its literals and instruction words.
func ArrayEdit(literals []int64, instructions []int64) Value {
	return func(w *Writer) Rep {
		lits, ins := Ints(TInt, literals...)(w), Ints(TInt64, instructions...)(w)
		at := w.Pos()
		w.u64(uint64(lits))
		w.u64(uint64(ins))
		w.u8(0)
		return MakeRep(TInt, ArrayEditBit, at)
	}
}
