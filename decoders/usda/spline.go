package usda

import "slices"

// Words of splines: each is at its number in crates.
var (
	Extrapolations = []string{"value block", "held", "linear", "sloped", "loop repeat", "loop reset", "loop oscillate"}
	Interpolations = []string{"value block", "held", "linear", "curve"}
	CurveTypes     = []string{"bezier", "hermite"}
	TangentRules   = []string{"none", "custom", "auto ease"}
	SplineValues   = []string{"unspecified", "double", "float", "half", "timecode", "duration"}
)

// Numbers of those words.
const (
	Held          = 1 // an extrapolation and an interpolation
	Sloped        = 3
	CustomTangent = 1
	EasedTangent  = 2
)

// Names of the nodes of a spline.
var (
	SplineSides = []string{"pre", "post"} // prefixes of those that it has for both sides of the knots, or of a knot
	LoopFields  = []string{"loopStart", "loopEnd", "loopsBefore", "loopsAfter", "loopValueOffset"}
)

// A spline's words that text spells otherwise than crates.
var splineText = []struct{ crate, text string }{{"value block", "none"}, {"auto ease", "autoEase"}}

// SplineNumber returns the number among words of the one that text spells so, or -1.
func SplineNumber(words []string, text string) int64 {
	for _, w := range splineText {
		if text == w.text && slices.Contains(words, w.crate) {
			text = w.crate
		}
	}
	return int64(slices.Index(words, text))
}

// textOfSpline spells a word of splines as text does.
func textOfSpline(word string) string {
	for _, w := range splineText {
		if word == w.crate {
			return w.text
		}
	}
	return word
}
