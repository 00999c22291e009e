package hexview

import (
	"image/color"
	"slices"
)

// A Kept is a range of bytes that the user has marked. The line above the bytes has the given colour, adjusted to be
// visible on the background, or the default one if nil.
type Kept struct {
	Range
	Color color.Color
}

// A keptSet is the marks of one colour, which has no alpha if it is the default one.
type keptSet struct {
	color color.RGBA
	spans spanSet
}

// mostKept is the most colours of marks that are distinguished.
const mostKept = 255

// newKeptSets groups marks by colour.
func newKeptSets(kept []Kept, size int64) (sets []keptSet) {
	of := make([][]Range, 0, mostKept)
	for _, k := range kept {
		c := plainColor(k.Color)
		i := slices.IndexFunc(sets, func(s keptSet) bool { return s.color == c })
		if i < 0 && len(sets) < mostKept {
			i = len(sets)
			sets, of = append(sets, keptSet{color: c}), append(of, nil)
		}
		of[max(i, 0)] = append(of[max(i, 0)], k.Range)
	}
	for i := range sets {
		sets[i].spans = newSpanSet(of[i], size)
	}
	return sets
}

// plainColor returns the colour of a mark, without alpha if it is nil.
func plainColor(c color.Color) color.RGBA {
	if c == nil {
		return color.RGBA{}
	}
	return opaque(c)
}

// keptInk returns the drawn colour of a mark.
func (p *painter) keptInk(c color.RGBA) color.RGBA {
	if c.A == 0 {
		return p.palette.Kept
	}
	ink, known := p.keptInks[c]
	if !known {
		if p.keptInks == nil {
			p.keptInks = make(map[color.RGBA]color.RGBA)
		}
		ink = contrastTo(c, p.palette.Background, visible)
		p.keptInks[c] = ink
	}
	return ink
}
