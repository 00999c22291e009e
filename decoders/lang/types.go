package lang

import (
	"strconv"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// A Type is how bytes become a value: a type of this package, or one of package grammar.
type Type interface{ Name() string }

// The scalars, little-endian.
var (
	U8  = grammar.U8
	U16 = grammar.U16
	U24 = grammar.U24
	U32 = grammar.U32
	U64 = grammar.U64
	I8  = grammar.I8
	I16 = grammar.I16
	I24 = grammar.I24
	I32 = grammar.I32
	I64 = grammar.I64
	F16 = grammar.F16
	F32 = grammar.F32
	F64 = grammar.F64
)

// Bits is a number of so many bits; those that follow each other share bytes.
func Bits(width int) Type { return grammar.Bits(width) }

// Fixed is a scalar of size bytes whose value Go makes, which must not keep the bytes.
func Fixed(name string, size int64, valueOf func(b []byte) model.Value) *grammar.Scalar {
	return grammar.Fixed(name, size, valueOf)
}

// Tuple is n scalars as one value: a vector, or of vectors a matrix.
func Tuple(name string, of Type, n int64) Type { return grammar.Tuple(name, of.(*grammar.Scalar), n) }

// Named is a type under the format's own name.
func Named(name string, of Type) Type {
	switch t := of.(type) {
	case *grammar.Scalar:
		return t.Named(name)
	case *grammar.Opaque:
		return t.Named(name)
	case sized:
		t.display = name
		return t
	}
	panic("lang: " + of.Name() + " cannot have another name")
}

// A Codec is a coding that Go reads.
type Codec = grammar.Custom

// Raw is bytes, for In.
var Raw = grammar.Raw

// Bytes is so many bytes.
func Bytes(size E) Type { return sized{size: size, of: grammar.Raw} }

// BytesN is n bytes, for descriptions that a file makes.
func BytesN(n int64) Type { return Bytes(E(strconv.FormatInt(n, 10))) }

// UTF8 is so many bytes of text that is meant to be UTF-8.
func UTF8(size E) Type { return sized{size: size, of: grammar.UTF8} }

// Latin1 is so many bytes of text, a byte a character.
func Latin1(size E) Type { return sized{size: size, of: latin1} }

// In reads a type inside so many bytes. Those that the type leaves are a node of their own.
func In(size E, of Type) Type { return sized{size: size, of: of} }

type sized struct {
	display string
	size    E
	of      Type
}

// Name returns the name of the type inside.
func (t sized) Name() string {
	if t.display != "" {
		return t.display
	}
	return t.of.Name()
}

// Rec is a record of the language, by name, with the values of its parameters.
func Rec(name string, args ...E) Type { return recordOf{name, args} }

type recordOf struct {
	record string
	args   []E
}

// Name returns the record's name.
func (t recordOf) Name() string { return t.record }

// Match is one of several types, which a number chooses.
func Match(on E, cases ...Case) Type { return match{on: on, cases: cases} }

// Row is the type in a row of a table.
func Row(table string, n E) Type { return match{on: n, table: table} }

type match struct {
	on    E
	cases []Case
	table string
}

// Name returns "": each case has its own.
func (t match) Name() string { return "" }

// Measured is a type whose values are measured and shown as bytes: for values beyond a limit.
func Measured(of Type) Type { return measured{of} }

type measured struct{ Type }
