package kit

import "math"

// Sight is the range of an axis that is in sight.
type Sight struct {
	From, To    float64
	Least, Most float64 // the whole axis; equal while it is not known
}

// All returns the whole axis.
func (s Sight) All() Sight { return s.Move(s.Least, s.Most-s.Least) }

// Zoom returns a smaller range around a place, or with steps below 0 a larger one, but closest at least.
func (s Sight) Zoom(at, steps, closest float64) Sight {
	span := max((s.To-s.From)*math.Pow(0.8, steps), closest)
	return s.Move(at-(at-s.From)/(s.To-s.From)*span, span)
}

// Pan moves by a part of the range, as a drag to the right does.
func (s Sight) Pan(part float64) Sight {
	span := s.To - s.From
	return s.Move(s.From-part*span, span)
}

// Move returns the range of a length from a place on, within the axis.
func (s Sight) Move(from, span float64) Sight {
	span = min(span, s.Most-s.Least)
	s.From = min(max(from, s.Least), s.Most-span)
	s.To = s.From + span
	return s
}
