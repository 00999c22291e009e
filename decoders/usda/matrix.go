package usda

import (
	"math"
	"strings"
)

// A matrix transforms rows: (x, y, z, 1) times it is where the point goes. Its rows follow each other.
type matrix [16]float64

var identity = matrix{0: 1, 5: 1, 10: 1, 15: 1}

// times returns the transform m followed by o.
func (m matrix) times(o matrix) (p matrix) {
	for i := range 4 {
		for k := range 4 {
			for j := range 4 {
				p[4*i+k] += m[4*i+j] * o[4*j+k]
			}
		}
	}
	return p
}

// inverse returns the inverse of a transform whose last column is (0, 0, 0, 1), or the identity if it has none.
func (m matrix) inverse() matrix {
	minor := func(i, k int) float64 { // of the turned matrix, so that the result is turned back
		a, b, c, d := (i+1)%3, (i+2)%3, (k+1)%3, (k+2)%3
		return m[4*c+a]*m[4*d+b] - m[4*c+b]*m[4*d+a]
	}
	det := m[0]*minor(0, 0) + m[4]*minor(0, 1) + m[8]*minor(0, 2)
	if det == 0 {
		return identity
	}
	inv := identity
	for i := range 3 {
		for k := range 3 {
			inv[4*i+k] = minor(i, k) / det
		}
	}
	for k := range 3 {
		inv[12+k] = -(m[12]*inv[k] + m[13]*inv[4+k] + m[14]*inv[8+k])
	}
	return inv
}

// moved returns a translation.
func moved(x, y, z float64) matrix {
	m := identity
	m[12], m[13], m[14] = x, y, z
	return m
}

// scaled returns a scaling.
func scaled(x, y, z float64) matrix { return matrix{0: x, 5: y, 10: z, 15: 1} }

// turned returns a rotation by degrees about axis 0, 1 or 2.
func turned(axis int, degrees float64) matrix {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	a, b := (axis+1)%3, (axis+2)%3
	m := identity
	m[4*a+a], m[4*a+b], m[4*b+a], m[4*b+b] = cos, sin, -sin, cos
	return m
}

// oriented returns the rotation of a quaternion.
func oriented(w, x, y, z float64) matrix {
	n := w*w + x*x + y*y + z*z
	if n == 0 {
		return identity
	}
	s := 2 / n
	return matrix{
		1 - s*(y*y+z*z), s * (x*y + w*z), s * (x*z - w*y), 0,
		s * (x*y - w*z), 1 - s*(x*x+z*z), s * (y*z + w*x), 0,
		s * (x*z + w*y), s * (y*z - w*x), 1 - s*(x*x+y*y), 0,
		0, 0, 0, 1,
	}
}

// operation returns the transform of an attribute such as xformOp:translate:pivot with a value, or the identity.
func operation(name string, v []float64) matrix {
	parts := strings.Split(name, ":")
	if len(parts) < 2 {
		return identity
	}
	axes, turns := strings.CutPrefix(parts[1], "rotate")
	switch kind := parts[1]; {
	case kind == "translate" && len(v) == 3:
		return moved(v[0], v[1], v[2])
	case kind == "scale" && len(v) == 3:
		return scaled(v[0], v[1], v[2])
	case kind == "orient" && len(v) == 4:
		return oriented(v[0], v[1], v[2], v[3])
	case kind == "transform" && len(v) == 16:
		return matrix(v)
	case turns && len(axes) == len(v):
		return rotation(axes, v)
	}
	return identity
}

// rotation returns the rotations about axes such as "X" or "ZXY", one after the other. Three angles are those about X, Y and Z.
func rotation(axes string, degrees []float64) matrix {
	m := identity
	for _, c := range axes {
		axis := strings.IndexRune("XYZ", c)
		switch {
		case axis < 0:
			return identity
		case len(degrees) == 1:
			m = m.times(turned(axis, degrees[0]))
		case axis < len(degrees):
			m = m.times(turned(axis, degrees[axis]))
		}
	}
	return m
}
