package omnilive

// measure returns the end of the value's data, and notes its count and the places of its items; false where the layout
// does not fit before the value's end.
func (x *value) measure(sc *scan) (int64, bool) {
	s := x.known().shape
	item, at := s, x.data+8
	switch {
	case x.isArray:
		x.data = at
	case s.form == list:
		item = s.item
	default:
		return x.v.measure(sc, s, x.data, x.end)
	}
	count, ok := sc.Number(at-8, 8)
	if !ok || at > x.end || !fits(count, item.least(), x.end-at) {
		return at, false
	}
	x.count = int64(count)
	return x.v.measureItems(sc, item, at, x.end, x.count, &x.places)
}

// fits reports whether count items of at least size bytes fit into room bytes.
func fits(count uint64, size, room int64) bool {
	return room >= 0 && count <= uint64(room)/uint64(max(size, 1))
}

// least is how many bytes a shape takes at least.
func (s *shape) least() int64 {
	switch s.form {
	case fixed:
		return s.size
	case text:
		return 4
	case list, sized:
		return 8
	case listOp:
		return 1
	case record:
		n := int64(0)
		for _, f := range s.fields {
			n += f.shape.least()
		}
		return n
	}
	return 0
}

// measure returns the end of data of a shape that begins at off; false where it does not fit before end.
func (v *values) measure(sc *scan, s *shape, off, end int64) (int64, bool) {
	switch s.form {
	case fixed:
		return off + s.size, end-off >= s.size
	case nothing:
		return off, true
	case rest, unregistered:
		return end, end > off
	case text, sized:
		width := s.least()
		n, ok := sc.Number(off, width)
		return off + width + int64(n), ok && end-off >= width && n <= uint64(end-off-width)
	case list:
		n, ok := sc.Number(off, 8)
		if !ok || end-off < 8 || !fits(n, s.item.least(), end-off-8) {
			return off, false
		}
		return v.measureItems(sc, s.item, off+8, end, int64(n), nil)
	case record:
		for _, f := range s.fields {
			var ok bool
			if off, ok = v.measure(sc, f.shape, off, end); !ok {
				return off, false
			}
		}
		return off, true
	}
	return v.measureListOp(sc, s, off, end)
}

func (v *values) measureListOp(sc *scan, s *shape, off, end int64) (int64, bool) {
	header, ok := sc.U8(off)
	if !ok || off >= end || header&0x80 != 0 {
		return off, false
	}
	off++
	for _, l := range listOpParts {
		if header>>l.bit&1 == 1 {
			if off, ok = v.measure(sc, &shape{form: list, item: s.item}, off, end); !ok {
				return off, false
			}
		}
	}
	return off, true
}

// measureItems returns the end of count items, and notes the places that rows keeps unless places is nil.
func (v *values) measureItems(sc *scan, s *shape, off, end, count int64, places *[]int64) (int64, bool) {
	if s.form == fixed {
		return off + count*s.size, count <= (end-off)/s.size
	}
	step := placeStep(count)
	for i := range count {
		if places != nil && i%step == 0 {
			*places = append(*places, off)
		}
		var ok bool
		if off, ok = v.measure(sc, s, off, end); !ok || !sc.goesOn(off) {
			return off, false
		}
	}
	return off, true
}
