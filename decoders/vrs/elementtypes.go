package vrs

import (
	"encoding/binary"
	"fmt"
	"math"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// elementType is an element type of data pieces (chapter 7.5).
type elementType struct {
	*grammar.Scalar
	of *grammar.Scalar // the numbers that it is made of
	// numbers is how many of them; 1 for a scalar. Matrices have rows, which are stored one after another.
	numbers int
	rows    int
}

var le = binary.LittleEndian

func readF64(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }
func readF32(b []byte) float32 { return math.Float32frombits(le.Uint32(b)) }

// elementTypes are the element types by name.
var elementTypes = makeElementTypes()

func makeElementTypes() map[string]*elementType {
	byName := map[string]*elementType{
		"Bool": {Scalar: grammar.U8.As("Bool", func(n uint64) model.Value { return model.Bool(n != 0) })},
	}
	for name, of := range map[string]*grammar.Scalar{
		"char": grammar.I8, "int8_t": grammar.I8, "uint8_t": grammar.U8, "int16_t": grammar.I16, "uint16_t": grammar.U16,
		"int32_t": grammar.I32, "uint32_t": grammar.U32, "int64_t": grammar.I64, "uint64_t": grammar.U64,
		"float": grammar.F32, "double": grammar.F64,
	} {
		byName[name] = &elementType{Scalar: of.Named(name)}
	}
	for _, t := range byName {
		t.of, t.numbers = t.Scalar, 1
	}
	for letter, of := range map[string]*grammar.Scalar{"d": grammar.F64, "f": grammar.F32, "i": grammar.I32} {
		for n := 2; n <= len(pointAxes); n++ {
			point, matrix := fmt.Sprintf("Point%dD%s", n, letter), fmt.Sprintf("Matrix%dD%s", n, letter)
			row := grammar.Tuple(point, of, int64(n))
			byName[point] = &elementType{row, of, n, 0}
			byName[matrix] = &elementType{grammar.Tuple(matrix, row, int64(n)), of, n * n, n}
		}
	}
	return byName
}

// number is number i of the element that b begins with.
func (t *elementType) number(b []byte, i int) model.Value {
	return t.of.Decode(b[int64(i)*t.of.Size():], false)
}

var pointAxes = []string{"x", "y", "z", "w"}

// numberName names number i: ".x" of points, "[1][2]" of matrices, "" of scalars.
func (t *elementType) numberName(i int) string {
	switch {
	case t.numbers == 1:
		return ""
	case t.rows == 0:
		return "." + pointAxes[i]
	}
	return model.IndexName(int64(i/t.rows)) + model.IndexName(int64(i%t.rows))
}
