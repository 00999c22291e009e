package ascii

import "cutaway/model"

// Child is a child of a group: a token, or a group where the top bit is set.
type Child uint32

// IsGroup is the bit of a Child that is a group.
const IsGroup = 1 << 31

// Group returns the number of a group, or of a token if ok is false.
func (c Child) Group() (number uint32, ok bool) { return uint32(c &^ IsGroup), c&IsGroup != 0 }

// Walk visits the children of a group in their order.
type Walk struct {
	x          *Index
	Token, Sub uint32 // of the next child
	end        uint32
	Nth        uint32 // values, or entries of a block, before the next child
}

// Walk begins at the first child of a group.
func (x *Index) Walk(g uint32) Walk {
	o := x.Group(g)
	return Walk{x: x, Token: o.First, Sub: g + 1, end: o.End}
}

// Next returns the next child, and its number among the group's values; isValue is false for tokens between these.
func (w *Walk) Next() (c Child, isValue, ok bool) {
	if w.Token >= w.end {
		return 0, false, false
	}
	if int64(w.Sub) < w.x.Groups.Len() {
		if o := w.x.Group(w.Sub); o.First == w.Token {
			c = Child(w.Sub | IsGroup)
			w.Token, w.Sub = o.End, o.After
			w.Nth++
			return c, true, true
		}
	}
	c = Child(w.Token)
	if isValue = w.x.Kind(w.Token).Word(); isValue {
		w.Nth++
	}
	w.Token++
	return c, isValue, true
}

// ChildSpan is the bytes of a child.
func (x *Index) ChildSpan(c Child) model.Span {
	if g, ok := c.Group(); ok {
		return x.GroupSpan(g)
	}
	return x.TokenSpan(uint32(c))
}

// EachValue visits the values of a list.
func (x *Index) EachValue(g uint32, visit func(nth int, c Child)) {
	for w := x.Walk(g); ; {
		nth := w.Nth
		switch c, isValue, ok := w.Next(); {
		case !ok:
			return
		case isValue:
			visit(int(nth), c)
		}
	}
}
