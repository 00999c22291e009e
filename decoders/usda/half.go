package usda

import (
	"math"

	"cutaway/model"
)

// HalfOf returns the binary16 nearest to v, ties to even.
func HalfOf(v float64) model.Half {
	b := math.Float64bits(v)
	sign := uint16(b >> 48 & 0x8000)
	a := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return model.Half(sign | 0x7E00)
	case a >= 65520:
		return model.Half(sign | 0x7C00)
	case a < 1.0/(1<<14): // subnormal: multiples of 2^-24
		return model.Half(sign | uint16(math.RoundToEven(a*(1<<24))))
	}
	frac, exp := math.Frexp(a)                 // a = frac × 2^exp, ½ ≤ frac < 1
	m := math.RoundToEven((frac*2 - 1) * 1024) // 0 … 1024; 1024 carries into the exponent, as it should
	return model.Half(sign | (uint16(exp+14)<<10 + uint16(m)))
}
