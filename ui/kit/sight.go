package kit

import "math"

// Sight is the part of an axis that is in sight.
type Sight struct {
	From, To    float64
	Least, Most float64 // all there is; equal: it is not known yet
}

// All is all there is in sight.
func (s Sight) All() Sight { return s.Move(s.Least, s.Most-s.Least) }

// Zoom has less in sight around a place, or with steps below 0 more, but closest at least.
func (s Sight) Zoom(at, steps, closest float64) Sight {
	span := max((s.To-s.From)*math.Pow(0.8, steps), closest)
	return s.Move(at-(at-s.From)/(s.To-s.From)*span, span)
}

// Pan moves by a part of what is in sight, as a drag to the right does.
func (s Sight) Pan(part float64) Sight {
	span := s.To - s.From
	return s.Move(s.From-part*span, span)
}

// Move has a span in sight from a place on, as far as that is within what there is.
func (s Sight) Move(from, span float64) Sight {
	span = min(span, s.Most-s.Least)
	s.From = min(max(from, s.Least), s.Most-span)
	s.To = s.From + span
	return s
}
