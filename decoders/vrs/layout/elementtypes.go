package layout

import (
	"fmt"
	"slices"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// An ElementType is an element type of data pieces (chapter 7.5).
type ElementType struct {
	*grammar.Scalar
	Of *grammar.Scalar // the numbers that it is made of
	// Numbers counts them: 1 for a scalar. Matrices have rows, which are stored one after another.
	Numbers int
	rows    int
	row     int64 // of elementRows
}

// IsFloat reports whether it is made of floats.
func (t *ElementType) IsFloat() bool {
	return slices.Contains([]string{"float", "double", grammar.F32.Name(), grammar.F64.Name()}, t.Of.Name())
}

// TextRow is the row of the element types that stands for texts.
const TextRow = 0

// elementRows are the element types by row, with an empty row for texts.
var elementRows = makeElementRows()

func makeElementRows() []ElementType {
	scalar := func(t *grammar.Scalar) ElementType { return ElementType{Scalar: t, Of: t, Numbers: 1} }
	rows := []ElementType{
		TextRow: {},
		1:       scalar(grammar.U8.As("Bool", func(n uint64) model.Value { return model.Bool(n != 0) })),
	}
	for _, t := range []struct {
		name string
		of   *grammar.Scalar
	}{
		{"char", grammar.I8}, {"int8_t", grammar.I8}, {"uint8_t", grammar.U8}, {"int16_t", grammar.I16}, {"uint16_t", grammar.U16},
		{"int32_t", grammar.I32}, {"uint32_t", grammar.U32}, {"int64_t", grammar.I64}, {"uint64_t", grammar.U64},
		{"float", grammar.F32}, {"double", grammar.F64},
	} {
		rows = append(rows, scalar(t.of.Named(t.name)))
	}
	for n := 2; n <= len(pointAxes); n++ {
		for _, t := range []struct {
			letter string
			of     *grammar.Scalar
		}{{"d", grammar.F64}, {"f", grammar.F32}, {"i", grammar.I32}} {
			point := grammar.Tuple(fmt.Sprintf("Point%dD%s", n, t.letter), t.of, int64(n))
			matrix := grammar.Tuple(fmt.Sprintf("Matrix%dD%s", n, t.letter), point, int64(n))
			rows = append(rows, ElementType{Scalar: point, Of: t.of, Numbers: n}, ElementType{Scalar: matrix, Of: t.of, Numbers: n * n, rows: n})
		}
	}
	for i := range rows {
		rows[i].row = int64(i)
	}
	return rows
}

// typeOfRow returns the type of a row, or nil for texts.
func typeOfRow(e *ElementType) lang.Type {
	if e.Scalar == nil {
		return nil
	}
	return e.Scalar
}

// elementTypes are the element types by name.
var elementTypes = nameElementTypes()

func nameElementTypes() map[string]*ElementType {
	byName := map[string]*ElementType{}
	for i := range elementRows[TextRow+1:] {
		t := &elementRows[TextRow+1+i]
		byName[t.Name()] = t
	}
	return byName
}

// Number returns number i of the element at the start of b.
func (t *ElementType) Number(b []byte, i int) model.Value {
	return t.Of.Decode(b[int64(i)*t.Of.Size():], false)
}

var pointAxes = []string{"x", "y", "z", "w"}

// NumberName names number i: ".x" of points, "[1][2]" of matrices, "" of scalars.
func (t *ElementType) NumberName(i int) string {
	switch {
	case t.Numbers == 1:
		return ""
	case t.rows == 0:
		return "." + pointAxes[i]
	}
	return model.IndexName(int64(i/t.rows)) + model.IndexName(int64(i%t.rows))
}
