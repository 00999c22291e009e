package hexview

import (
	"image/color"
	"slices"
)

// A Kept is bytes that a person has marked. The line above them is of the colour, as far from the background's as is seen well;
// nil: the usual one.
type Kept struct {
	Range
	Color color.Color
}

// keptSet is the marks of one colour, which has no alpha where it is the usual one.
type keptSet struct {
	color color.RGBA
	spans spanSet
}

// mostKept is how many colours of marks are told apart.
const mostKept = 255

// newKeptSets parts marks by their colours.
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

// plainColor is a colour of a mark; without alpha where there is none.
func plainColor(c color.Color) color.RGBA {
	if c == nil {
		return color.RGBA{}
	}
	return opaque(c)
}

// keptInk is what a mark's colour is drawn in.
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
