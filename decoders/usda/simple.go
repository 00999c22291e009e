package usda

import (
	"context"
	"math"

	"cutaway/model"
)

// simple is a shape that a few numbers describe, as faces.
type simple struct {
	model.CardBase
	points [][3]float64
	counts []int
	corner []int
}

var _ model.Shape = (*simple)(nil)

// simple returns the shape of a prim that is a cube, sphere, cylinder, cone, capsule or plane, or nil.
func (t *traversal) simple(p prim, typ string) model.Shape {
	one := func(name string, otherwise float64) float64 { return t.number(p, name, otherwise)[0] }
	s := &simple{CardBase: model.CardBase{Title: "Shape"}}
	switch typ {
	case "Cube":
		s.box(one(".size", 2) / 2)
		return s
	case "Sphere":
		s.revolve(arc(one(".radius", 1), 0, -90, 90))
		return s
	case "Plane":
		x, y := one(".width", 2)/2, one(".length", 2)/2
		s.points = [][3]float64{{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}}
		s.face(0, 1, 2, 3)
	case "Cylinder":
		radius, half := one(".radius", 1), one(".height", 2)/2
		s.revolve([][2]float64{{0, -half}, {radius, -half}, {radius, half}, {0, half}})
	case "Cone":
		radius, half := one(".radius", 1), one(".height", 2)/2
		s.revolve([][2]float64{{0, -half}, {radius, -half}, {0, half}})
	case "Capsule":
		radius, half := one(".radius", 0.5), one(".height", 1)/2
		s.revolve(append(arc(radius, -half, -90, 0), arc(radius, half, 0, 90)...))
	default:
		return nil
	}
	axis := t.word(p, ".axis")
	for i, v := range s.points { // they are made about Z
		switch axis {
		case "X":
			s.points[i] = [3]float64{v[2], v[0], v[1]}
		case "Y":
			s.points[i] = [3]float64{v[1], v[2], v[0]}
		}
	}
	return s
}

// face adds a face of points.
func (s *simple) face(corners ...int) {
	s.counts = append(s.counts, len(corners))
	s.corner = append(s.corner, corners...)
}

// box makes a cube.
func (s *simple) box(half float64) {
	for i := range 8 {
		at := func(bit int) float64 { return half * float64(2*(i>>bit&1)-1) }
		s.points = append(s.points, [3]float64{at(0), at(1), at(2)})
	}
	for _, f := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		s.face(f[:]...)
	}
}

// around is the number of faces around an axis.
const around = 24

// arc returns the profile of a part of a sphere whose middle is at a height, from one latitude to another.
func arc(radius, height, from, to float64) (profile [][2]float64) {
	const steps = around / 4
	for i := range steps + 1 {
		sin, cos := math.Sincos((from + (to-from)*float64(i)/steps) * math.Pi / 180)
		profile = append(profile, [2]float64{radius * cos, height + radius*sin})
	}
	return profile
}

// revolve turns a profile of radii and heights about Z.
func (s *simple) revolve(profile [][2]float64) {
	for _, p := range profile {
		for k := range around {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / around)
			s.points = append(s.points, [3]float64{p[0] * cos, p[0] * sin, p[1]})
		}
	}
	for i := range len(profile) - 1 {
		for k := range around {
			next := (k + 1) % around
			s.face(i*around+k, i*around+next, (i+1)*around+next, (i+1)*around+k)
		}
	}
}

// Points returns the corners of the faces.
func (s *simple) Points(context.Context) model.Array {
	return &model.Elements{Type: "point", Count: int64(len(s.points)), Make: func(_ context.Context, i int64) (model.Value, error) {
		p := s.points[i]
		return model.Tuple{model.Float64(p[0]), model.Float64(p[1]), model.Float64(p[2])}, nil
	}}
}

// Parts returns the faces.
func (s *simple) Parts(context.Context) (counts, indices model.Array, closed bool) {
	list := func(of []int) model.Array {
		return &model.Elements{Type: "int", Count: int64(len(of)), Make: func(_ context.Context, i int64) (model.Value, error) {
			return model.Int(of[i]), nil
		}}
	}
	return list(s.counts), list(s.corner), true
}
