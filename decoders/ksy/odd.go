package ksy

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// oddity is a set of properties of an element of a list.
type oddity uint8

const (
	// unsound is an element with a field that may have a problem, be it read elsewhere or computed.
	unsound oddity = 1 << iota
	// scattered is an element whose fields' values do not lie in a row in its bytes, or that has fields elsewhere.
	scattered
)

// maxOddDepth is the most records in each other.
const maxOddDepth = 16

// nextOdd returns the first known element from one on that has one of the properties, or -1. Records deep in each other, and those
// read elsewhere by ones read elsewhere, have them all.
func nextOdd(ctx context.Context, l *grammar.List, from int64, what oddity, progress model.Progress) (int64, error) {
	if oddity(l.Note(0))&what == what {
		return -1, nil // all were looked at
	}
	v := &oddityFinder{what: what}
	v.visit = v.piece
	i, err := l.Find(ctx, from, v.isOdd, progress)
	if i < 0 && err == nil && from == 0 && l.Whole() {
		l.Note(uint8(what))
	}
	return i, err
}

// An oddityFinder looks for properties in an element.
type oddityFinder struct {
	what      oddity
	visit     func(p grammar.Piece) bool // piece
	r         *grammar.Reading
	end       int64 // of the bytes of the fields before
	depth     int   // of records in each other
	elsewhere int   // records around that are read elsewhere
	found     bool
}

// isOdd reports whether an element has one of the properties.
func (v *oddityFinder) isOdd(r *grammar.Reading, p grammar.Piece) bool {
	off, end := p.Range()
	v.r, v.end, v.depth, v.elsewhere, v.found = r, off, 0, 0, false
	v.piece(p)
	return v.found || v.end != end && !p.IsBits() && v.what&scattered != 0
}

// note notes a property, if it is looked for.
func (v *oddityFinder) note(what oddity) { v.found = v.found || v.what&what != 0 }

// piece looks at a field or an element, and reports whether to go on.
func (v *oddityFinder) piece(p grammar.Piece) bool {
	if v.what&unsound != 0 && !p.IsSound() {
		v.found = true
	}
	computed := p.Field.Computed != nil
	if p.HasTail() || !computed && !v.follows(p) {
		v.note(scattered)
	}
	if v.found {
		return false
	}
	leaf := v.inside(p)
	if !computed && (leaf || p.IsDerived() || v.what&scattered == 0) {
		_, end := p.Range()
		v.end = max(v.end, end)
	}
	return !v.found
}

// follows reports whether a piece begins at the end of those before, or bits in their last byte.
func (v *oddityFinder) follows(p grammar.Piece) bool {
	off, _ := p.Range()
	return !p.IsDerived() && (off == v.end || off < v.end && p.IsBits())
}

// inside looks at the fields or elements of a piece. It returns true for a leaf, which has none.
func (v *oddityFinder) inside(p grammar.Piece) (leaf bool) {
	if l := p.List(); l != nil {
		v.list(l)
		return false
	}
	o, before := p.Record(), v.end
	switch {
	case o == nil:
		return true
	case p.IsDerived():
		v.end = 0
		v.record(o)
		v.end = before
	default:
		v.record(o)
	}
	return false
}

func (v *oddityFinder) record(o *grammar.Object) {
	if v.depth++; v.depth > maxOddDepth || !o.OK() {
		v.found = true
		return
	}
	defer func() { v.depth-- }()
	o.Pieces(v.r, v.visit)
	for _, f := range o.Record().Fields {
		if f.Place != nil {
			v.note(scattered)
			v.found = v.found || v.elsewhere > 0
		}
	}
	if v.found || v.what&unsound == 0 {
		return
	}
	v.elsewhere++
	if o.Others(v.r, v.visit) != nil {
		v.found = true
	}
	v.elsewhere--
}

func (v *oddityFinder) list(l *grammar.List) {
	if _, end, ok := l.Row(); ok {
		v.end = max(v.end, end)
		return
	}
	l.Pieces(v.r, func(p grammar.Piece) bool {
		v.piece(p)
		if _, end := p.Range(); v.end != end && !p.IsBits() {
			v.note(scattered)
		}
		return !v.found
	})
}
