package usda

import "slices"

// Words of splines, at their number in crates.
var (
	Extrapolations = []string{"value block", "held", "linear", "sloped", "loop repeat", "loop reset", "loop oscillate"}
	Interpolations = []string{"value block", "held", "linear", "curve"}
	CurveTypes     = []string{"bezier", "hermite"}
	TangentRules   = []string{"none", "custom", "auto ease"}
	SplineValues   = []string{"unspecified", "double", "float", "half", "timecode", "duration"}
)

// Numbers of those words.
const (
	Held          = 1 // as extrapolation and as interpolation
	Sloped        = 3
	CustomTangent = 1
	EasedTangent  = 2
)

// Names of nodes of a spline.
var (
	SplineSides = []string{"pre", "post"} // prefixes of those that it has for both sides of the knots, or of a knot
	LoopFields  = []string{"loopStart", "loopEnd", "loopsBefore", "loopsAfter", "loopValueOffset"}
)

// splineText maps words of splines in crates to those of text, if they differ.
var splineText = []struct{ crate, text string }{{"value block", "none"}, {"auto ease", "autoEase"}}

// SplineNumber returns the number of a word as text spells it, or -1.
func SplineNumber(words []string, text string) int64 {
	for _, w := range splineText {
		if text == w.text && slices.Contains(words, w.crate) {
			text = w.crate
		}
	}
	return int64(slices.Index(words, text))
}

// textOfSpline returns the word that text has for a word of crates.
func textOfSpline(word string) string {
	for _, w := range splineText {
		if word == w.crate {
			return w.text
		}
	}
	return word
}
