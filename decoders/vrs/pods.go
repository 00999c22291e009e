package vrs

import (
	"encoding/binary"
	"math"

	"cutaway/model"
)

// pod is an element type of data pieces (chapter 7.5).
type pod struct {
	name string
	size int64
	// comps are the numbers that it is made of; 1 for a scalar. Matrices have rows.
	comps int
	rows  int
	read  func(b []byte) model.Value // makes the value, which keeps nothing of b
	num   func(b []byte) float64     // the first number
}

// scalar is the type of a single number.
func scalar(name string, size int64, read func(b []byte) model.Value, num func(b []byte) float64) *pod {
	return &pod{name: name, size: size, comps: 1, read: read, num: num}
}

var le = binary.LittleEndian

func readF64(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }
func readF32(b []byte) float32 { return math.Float32frombits(le.Uint32(b)) }

var (
	podDouble = scalar("double", 8, func(b []byte) model.Value { return model.Float64(readF64(b)) }, readF64)
	podFloat  = scalar("float", 4, func(b []byte) model.Value { return model.Float32(readF32(b)) },
		func(b []byte) float64 { return float64(readF32(b)) })
	podInt32 = scalar("int32_t", 4, func(b []byte) model.Value { return model.Int(int32(le.Uint32(b))) },
		func(b []byte) float64 { return float64(int32(le.Uint32(b))) })
)

var pods = makePods()

func podByName(name string) *pod { return pods[name] }

func makePods() map[string]*pod {
	signed8 := func(b []byte) model.Value { return model.Int(int8(b[0])) }
	number8 := func(b []byte) float64 { return float64(int8(b[0])) }
	list := []*pod{
		scalar("Bool", 1, func(b []byte) model.Value { return model.Bool(b[0] != 0) }, func(b []byte) float64 {
			if b[0] != 0 {
				return 1
			}
			return 0
		}),
		scalar("char", 1, signed8, number8),
		scalar("int8_t", 1, signed8, number8),
		scalar("uint8_t", 1, func(b []byte) model.Value { return model.Uint(b[0]) }, func(b []byte) float64 { return float64(b[0]) }),
		scalar("int16_t", 2, func(b []byte) model.Value { return model.Int(int16(le.Uint16(b))) },
			func(b []byte) float64 { return float64(int16(le.Uint16(b))) }),
		scalar("uint16_t", 2, func(b []byte) model.Value { return model.Uint(le.Uint16(b)) },
			func(b []byte) float64 { return float64(le.Uint16(b)) }),
		podInt32,
		scalar("uint32_t", 4, func(b []byte) model.Value { return model.Uint(le.Uint32(b)) },
			func(b []byte) float64 { return float64(le.Uint32(b)) }),
		scalar("int64_t", 8, func(b []byte) model.Value { return model.Int(le.Uint64(b)) },
			func(b []byte) float64 { return float64(int64(le.Uint64(b))) }),
		scalar("uint64_t", 8, func(b []byte) model.Value { return model.Uint(le.Uint64(b)) },
			func(b []byte) float64 { return float64(le.Uint64(b)) }),
		podFloat, podDouble,
	}
	for _, e := range []struct {
		letter string
		elem   *pod
	}{{"d", podDouble}, {"f", podFloat}, {"i", podInt32}} {
		for n, digit := range map[int]string{2: "2", 3: "3", 4: "4"} {
			list = append(list, tuple("Point"+digit+"D"+e.letter, e.elem, n, 0), tuple("Matrix"+digit+"D"+e.letter, e.elem, n*n, n))
		}
	}
	byName := map[string]*pod{}
	for _, p := range list {
		byName[p.name] = p
	}
	return byName
}

// tuple is the type of a point, or of a matrix that is stored row by row.
func tuple(name string, elem *pod, n, rows int) *pod {
	read := func(b []byte) model.Tuple {
		t := make(model.Tuple, len(b)/int(elem.size))
		for i := range t {
			t[i] = elem.read(b[int64(i)*elem.size:])
		}
		return t
	}
	p := &pod{name: name, size: elem.size * int64(n), comps: n, rows: rows, num: elem.num}
	p.read = func(b []byte) model.Value {
		if rows == 0 {
			return read(b[:p.size])
		}
		t := make(model.Tuple, rows)
		row := p.size / int64(rows)
		for i := range t {
			t[i] = read(b[int64(i)*row : int64(i+1)*row])
		}
		return t
	}
	return p
}

// number is component i of the element that b begins with.
func (p *pod) number(b []byte, i int) float64 {
	return p.num(b[int64(i)*p.size/int64(p.comps):])
}

var pointAxes = []string{"x", "y", "z", "w"}

// compName names component i: "x" of points, "[1][2]" of matrices, "" of scalars.
func (p *pod) compName(i int) string {
	switch {
	case p.comps == 1:
		return ""
	case p.rows == 0:
		return "." + pointAxes[i]
	}
	return model.IndexName(int64(i/p.rows)) + model.IndexName(int64(i%p.rows))
}
