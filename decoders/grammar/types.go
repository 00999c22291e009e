package grammar

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"cutaway/model"
)

// A Type is how bytes become a value. The types are those of this package; Custom is the way out to Go.
type Type interface {
	// Name is the type in the format's words, for nodes.
	Name() string
	// Size is the number of bytes of every value; -1 where it depends on the bytes.
	Size() int64
	// least is the fewest bytes that a value takes.
	least() int64
	// bind resolves names when the record that uses the type is built.
	bind(r *Record) error
	// read finds the end of a value that begins at off, and fills in the slot.
	read(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64)
}

// A Scalar is a value of a fixed number of bytes: a number, a vector, a matrix.
type Scalar struct {
	name  string
	size  int64
	order byteOrder
	kind  scalarKind
	shown model.NumberKind           // the number that its value is; NoNumber of 24 bits
	make  func(b []byte) model.Value // of values that are no number; b is little-endian or as the format has it
	parts *Scalar                    // the numbers of a tuple, or nil
	as    func(n uint64) model.Value // of numbers that stand for something else
}

type byteOrder uint8

const (
	little    byteOrder = iota
	big                 // the most significant byte first
	inherited           // as the record says
)

type scalarKind uint8

const (
	unsigned scalarKind = iota
	signed
	float
	composite // Go makes its value
)

// The scalars, little-endian.
var (
	U8  = &Scalar{name: "u8", size: 1, shown: model.NumberU8}
	U16 = &Scalar{name: "u16", size: 2, shown: model.NumberU16}
	U24 = &Scalar{name: "u24", size: 3}
	U32 = &Scalar{name: "u32", size: 4, shown: model.NumberU32}
	U64 = &Scalar{name: "u64", size: 8, shown: model.NumberU64}
	I8  = &Scalar{name: "i8", size: 1, kind: signed, shown: model.NumberI8}
	I16 = &Scalar{name: "i16", size: 2, kind: signed, shown: model.NumberI16}
	I24 = &Scalar{name: "i24", size: 3, kind: signed}
	I32 = &Scalar{name: "i32", size: 4, kind: signed, shown: model.NumberI32}
	I64 = &Scalar{name: "i64", size: 8, kind: signed, shown: model.NumberI64}
	F16 = &Scalar{name: "f16", size: 2, kind: float, shown: model.NumberF16}
	F32 = &Scalar{name: "f32", size: 4, kind: float, shown: model.NumberF32}
	F64 = &Scalar{name: "f64", size: 8, kind: float, shown: model.NumberF64}
)

// BigEndian returns the scalar with the most significant byte first: "u32be", unless the format has a name of its own.
func (t *Scalar) BigEndian() *Scalar {
	c := t.ordered(big)
	if t.name == t.Stored() {
		c.name = c.Stored()
	}
	return c
}

// IsBig reports whether the most significant byte always comes first.
func (t *Scalar) IsBig() bool { return t.order == big }

// RecordOrder returns the scalar in the byte order of the record that it is read in (Record.BigEndian).
func (t *Scalar) RecordOrder() *Scalar { return t.ordered(inherited) }

func (t *Scalar) ordered(o byteOrder) *Scalar {
	c := *t
	c.order = o
	return &c
}

// Named returns the scalar under a name of the format's.
func (t *Scalar) Named(name string) *Scalar {
	c := *t
	c.name = name
	return &c
}

// As returns the scalar under a name of the format's, whose numbers stand for values that Go makes.
func (t *Scalar) As(name string, value func(n uint64) model.Value) *Scalar {
	c := *t
	c.name, c.as = name, value
	return &c
}

// Fixed returns a scalar of size bytes whose value Go makes, which must not keep the bytes.
func Fixed(name string, size int64, valueOf func(b []byte) model.Value) *Scalar {
	return &Scalar{name: name, size: size, kind: composite, make: valueOf}
}

// Tuple returns n scalars as one value: a vector, or of vectors a matrix.
func Tuple(name string, of *Scalar, n int64) *Scalar {
	tuple := Fixed(name, of.size*n, func(b []byte) model.Value {
		t := make(model.Tuple, n)
		for i := range t {
			t[i] = of.Decode(b[int64(i)*of.size:], false)
		}
		return t
	})
	if tuple.parts = of; of.parts != nil {
		tuple.parts = of.parts
	}
	return tuple
}

// Stored returns the type of the stored bytes: "u32", "u32be", "3 f64" for a tuple, "16 bytes" for values that Go makes.
func (t *Scalar) Stored() string {
	switch {
	case t.parts != nil:
		return fmt.Sprintf("%d %s", t.size/t.parts.size, t.parts.Stored())
	case t.kind == composite && t.size == 1:
		return "1 byte"
	case t.kind == composite:
		return fmt.Sprintf("%d bytes", t.size)
	}
	name := "uif"[t.kind:t.kind+1] + strconv.FormatInt(8*t.size, 10)
	if t.order == big && t.size > 1 {
		name += "be"
	}
	return name
}

// Kind returns the kind of the scalar's values: Int, Uint, Float, or Null if Go makes them.
func (t *Scalar) Kind() Kind {
	return [...]Kind{unsigned: Uint, signed: Int, float: Float, composite: Null}[t.kind]
}

// IsByte reports whether the scalar is an unsigned number of one byte.
func (t *Scalar) IsByte() bool { return t.size == 1 && t.kind == unsigned }

// packing returns how scalars in a row are packed, in records of an order.
func (t *Scalar) packing(record bool) model.Packing {
	of := t
	if t.parts != nil {
		of, record = t.parts, false
	}
	p := model.Packing{Number: of.packed(), Big: of.isBigIn(record)}
	if size := p.Number.Size(); size > 0 {
		p.Components = int(t.size / size)
	}
	return p
}

// packed returns the kind of number that a scalar shows, or NoNumber for another value.
func (t *Scalar) packed() model.NumberKind {
	if t.as != nil {
		return model.NoNumber
	}
	return t.shown
}

// Name returns the type's name.
func (t *Scalar) Name() string { return t.name }

// Size returns the bytes of every value.
func (t *Scalar) Size() int64 { return t.size }

func (t *Scalar) least() int64       { return t.size }
func (t *Scalar) bind(*Record) error { return nil }

// isBig reports the byte order in a record, isBigIn in records of an order.
func (t *Scalar) isBig(o *Object) bool { return t.isBigIn(o.big) }

func (t *Scalar) isBigIn(record bool) bool { return t.order == big || t.order == inherited && record }

func (t *Scalar) read(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64) {
	if !s.setRange(o, f, in, off, t.size) {
		return
	}
	if t.kind == composite {
		return
	}
	b, err := r.bytes(in.Source, off, t.size)
	if err != nil {
		s.fail(o, err)
		return
	}
	s.bits = t.number(b, t.isBig(o))
}

// number returns the stored number: a signed one with its sign in all bits, a float as its bits.
func (t *Scalar) number(b []byte, big bool) uint64 {
	v := model.UintOf(b[:t.size], big)
	if t.kind == signed {
		shift := 64 - 8*uint(t.size)
		v = uint64(int64(v<<shift) >> shift)
	}
	return v
}

// Decode returns the value of the bytes at the start of b; big is the order of the record that the scalar is in.
func (t *Scalar) Decode(b []byte, big bool) model.Value {
	if t.kind == composite {
		return t.make(b[:t.size])
	}
	return t.show(t.number(b, t.isBigIn(big)))
}

// Number returns the number that Decode gives, or Null if the scalar is no number.
func (t *Scalar) Number(b []byte, big bool) Value {
	if t.kind == composite {
		return Value{}
	}
	return t.value(t.number(b, t.isBigIn(big)))
}

// show returns a stored number as a node's value.
func (t *Scalar) show(n uint64) model.Value {
	switch {
	case t.as != nil:
		return t.as(n)
	case t.shown != model.NoNumber:
		return t.shown.OfBits(n)
	case t.kind == signed:
		return model.Int(n)
	}
	return model.Uint(n)
}

// value returns a stored number as a Value.
func (t *Scalar) value(n uint64) Value {
	switch {
	case t.kind == unsigned:
		return UintValue(n)
	case t.kind == signed:
		return IntValue(int64(n))
	case t.size == 2:
		return FloatValue(float64(model.Half(n).Float()))
	case t.size == 4:
		return FloatValue(float64(math.Float32frombits(uint32(n))))
	}
	return FloatValue(math.Float64frombits(n))
}

// A BitField is width bits, which need not begin at a byte. Bit fields that follow each other share bytes; whatever
// follows them begins at the next byte.
type BitField struct {
	Width int  // 1 to 64
	Big   bool // the most significant bit of a byte comes first
	Flag  bool // one bit that is true or false
}

// Bits returns a bit field, the least significant bits of a byte first.
func Bits(width int) *BitField { return &BitField{Width: width} }

// Name returns the type's name.
func (t *BitField) Name() string {
	if t.Width == 1 {
		return "bit"
	}
	return strconv.Itoa(t.Width) + " bits"
}

// Size returns -1: bits share bytes.
func (t *BitField) Size() int64 { return -1 }

func (t *BitField) least() int64       { return 0 }
func (t *BitField) bind(*Record) error { return nil }

// read reads from a bit of the byte at off on: the slot's in a record of fixed size, else the one after the last that
// was read.
func (t *BitField) read(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64) {
	if !o.whole {
		s.bit = o.bit
	}
	n := t.bytes(s.bit)
	if !s.setRange(o, f, in, off, n) {
		if s.bit > 0 && s.off < s.end {
			s.off++ // the first byte is that of the bits before
		}
		o.bit = 0
		return
	}
	b, err := r.bytes(in.Source, off, n)
	if err != nil {
		s.fail(o, err)
		return
	}
	var v uint64
	for i := range t.Width {
		at := int(s.bit) + i
		if t.Big {
			v = v<<1 | uint64(b[at/8]>>(7-at%8)&1)
		} else {
			v |= uint64(b[at/8]>>(at%8)&1) << i
		}
	}
	s.bits = v
	if !o.whole {
		o.bit = uint8((int(s.bit) + t.Width) % 8)
	}
}

// bytes returns the number of bytes that the field has a part in, from a bit of the first on.
func (t *BitField) bytes(first uint8) int64 { return (int64(first) + int64(t.Width) + 7) / 8 }

// mask returns the bits of the bytes that the field has, taken as one little-endian number, or 0 if they are too many.
func (t *BitField) mask(first uint8) uint64 {
	if int(first)+t.Width > 64 {
		return 0
	}
	var m uint64
	for i := range t.Width {
		at := int(first) + i
		if t.Big {
			at = at&^7 | (7 - at&7)
		}
		m |= 1 << at
	}
	return m
}

// An Opaque type is bytes or text: all that its extent gives it.
type Opaque struct {
	name   string
	decode func(b []byte) (string, error) // of text, or nil for bytes
	total  bool                           // decode never fails
}

// Raw is bytes.
var Raw = &Opaque{name: "bytes"}

// UTF8 is text that is meant to be UTF-8, and is shown as it is where it is not.
var UTF8 = Text("text", func(b []byte) (string, error) { return string(b), nil }).Total()

// Text returns the type of text of an encoding.
func Text(name string, decode func(b []byte) (string, error)) *Opaque {
	return &Opaque{name: name, decode: decode}
}

// Total returns the type for encodings without invalid bytes.
func (t *Opaque) Total() *Opaque {
	c := *t
	c.total = true
	return &c
}

// Named returns the type under a name of the format's.
func (t *Opaque) Named(name string) *Opaque {
	c := *t
	c.name = name
	return &c
}

// Name returns the type's name.
func (t *Opaque) Name() string { return t.name }

// IsText reports whether the values are text.
func (t *Opaque) IsText() bool { return t.decode != nil }

// Size returns -1: the extent decides.
func (t *Opaque) Size() int64 { return -1 }

func (t *Opaque) least() int64       { return 0 }
func (t *Opaque) bind(*Record) error { return nil }

// read takes the whole stream, which the field's extent has cut.
func (t *Opaque) read(_ *Reading, o *Object, f *Field, s *slot, in Stream, off int64) {
	s.setRange(o, f, in, off, in.End-off)
}

// A Switch is one of several types, by a value.
type Switch struct {
	On      Expr
	Types   []Type                                // all that Pick may return
	Pick    func(s Scope, on Value) (Type, error) // nil: no case fits, and the field has no bytes but its extent's; see Within
	Display string
	Once    bool // the elements of a list are all of one type: nothing that On names differs between them

	few       []Type // of the first numbers; nil where Go picks
	of        map[int64]Type
	otherwise Type
}

// Cases returns a switch on a number with a type for each; other numbers are of the type otherwise, which may be nil.
func Cases(on Expr, of map[int64]Type, otherwise Type) *Switch {
	t := &Switch{On: on, Types: slices.Collect(maps.Values(of)), few: make([]Type, manyCases), of: of, otherwise: otherwise}
	if otherwise != nil {
		t.Types = append(t.Types, otherwise)
	}
	for n := range t.few {
		t.few[n] = otherwise
	}
	for n, one := range of {
		if n >= 0 && n < manyCases {
			t.few[n] = one
		}
	}
	return t
}

// byNumber returns the type for a number, of a switch that Cases made.
func (t *Switch) byNumber(n int64) Type {
	if n >= 0 && n < manyCases {
		return t.few[n] // a slice is faster than a map
	}
	if of, ok := t.of[n]; ok {
		return of
	}
	return t.otherwise
}

// manyCases is the first number whose type a switch looks up in a map.
const manyCases = 64

// Name returns the type's name.
func (t *Switch) Name() string { return t.Display }

// Size returns -1: the case decides.
func (t *Switch) Size() int64 { return -1 }

func (t *Switch) least() int64 { return 0 }

func (t *Switch) bind(r *Record) error {
	errs := []error{compile(&t.On, r)}
	for _, of := range t.Types {
		errs = append(errs, of.bind(r))
	}
	return errors.Join(errs...)
}

func (t *Switch) read(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64) {
	of, err := t.pick(Scope{r, o})
	if err != nil {
		s.off, s.end = off, off
		s.fail(o, err)
		return
	}
	if of == nil && !s.sized {
		s.typ = nil // no value
		return
	}
	if of == nil {
		of = Raw
	}
	s.typ = of
	of.read(r, o, f, s, in, off)
}

func (t *Switch) pick(s Scope) (Type, error) {
	if t.few != nil {
		n, err := evalInt(t.On, s)
		if err != nil {
			return nil, err
		}
		return t.byNumber(n), nil
	}
	on, err := t.On.(*Code).Eval(s)
	if err != nil {
		return nil, err
	}
	outer := s.r.on
	defer func() { s.r.on = outer }()
	s.r.on = on
	return t.Pick(s, on)
}

// A Custom type is read by Go code: the way out for codings that no description can say.
type Custom struct {
	Display string
	Bytes   int64 // of every value, or 0 if they differ
	Fewest  int64 // fewest bytes of a value
	// Read finds the end of a value that begins at off of the stream, and its node, which may be nil where only the
	// end was asked for. A problem says that the value is not whole; the end is then how far it goes.
	Read func(s Scope, in Stream, off int64) (end int64, value Value, problem *model.Problem)
	// Node completes the node of a value, whose name, type, help and span are set.
	Node func(s Scope, v Value, n *model.Node)
}

// Name returns the type's name.
func (t *Custom) Name() string { return t.Display }

// Size returns the bytes of every value, or -1 if they differ.
func (t *Custom) Size() int64 {
	if t.Bytes > 0 {
		return t.Bytes
	}
	return -1
}

func (t *Custom) least() int64       { return max(t.Fewest, t.Bytes) }
func (t *Custom) bind(*Record) error { return nil }

func (t *Custom) read(r *Reading, o *Object, _ *Field, s *slot, in Stream, off int64) {
	end, v, problem := t.Read(Scope{r, o}, in, off)
	s.off, s.end, s.ref, s.problem = off, end, v, problem
}

// AsBytes returns a type whose values are measured, and shown as bytes, where a format's own limit keeps them from being read.
// Where the bytes do not hold the value it takes them all.
func AsBytes(of Type) Type { return asBytes{of} }

type asBytes struct{ Type }

// Name returns the type's name.
func (t asBytes) Name() string { return Raw.name }

func (t asBytes) read(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64) {
	if t.Type.read(r, o, f, s, in, off); s.problem != nil && !r.stopped {
		s.end, s.problem = in.End, nil
	}
	r.release(s)
	s.off, s.ref, s.typ, s.sized, s.inner = off, nil, Raw, false, false
}

// KSY returns the scalar's name in Kaitai Struct, or "" if it has none.
func (t *Scalar) KSY() string {
	if t.kind == composite || t.size == 3 || t.kind == float && t.size == 2 {
		return ""
	}
	name := map[scalarKind]string{unsigned: "u", signed: "s", float: "f"}[t.kind] + strconv.FormatInt(t.size, 10)
	if t.size > 1 && t.order == big {
		name += "be"
	}
	return name
}
