package odin

import (
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"cutaway/model"
)

// plainness finds the entries of a binary stream whose nodes may have a problem, in one pass. It says the same as the
// nodes would; what it is not sure of it takes as odd, and the nodes tell.
type plainness struct {
	s     *stream
	w     *window
	nodes nodeIDs
	open  []openFrame
	odd   []uint32
}

// openFrame is a container around the present entry.
type openFrame struct {
	entry, last int64
	children    int64
	announced   int64 // of an array
	array       bool
	named       bool // it begins with a named string, which may say what is in it
}

// maxOdd bounds the odd entries that are kept. A stream with more is gone through node by node.
const maxOdd = 1 << 20

// oddEntries are in ascending order. Where they are too many, all is odd.
func (s *stream) oddEntries(ctx context.Context, progress model.Progress) (odd []uint32, all bool, err error) {
	got, err := s.odd.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*[]uint32, error) {
		p := &plainness{s: s}
		if err := s.all(ctx, progress); err != nil {
			return nil, err
		}
		p.w = newWindow(s.src, s.end, scanWindow)
		if err := p.pass(ctx, progress); err != nil {
			return nil, err
		}
		slices.Sort(p.odd)
		return &p.odd, nil
	})
	if err != nil {
		return nil, false, err
	}
	return *got, len(*got) > maxOdd, nil
}

func (p *plainness) pass(ctx context.Context, progress model.Progress) error {
	x := &p.s.x // scanned to its end, so it stays as it is
	var h head
	for i, at := int64(0), x.start; i < x.n && len(p.odd) <= maxOdd; i++ {
		if i%(1<<14) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(i, x.n, "checking the entries")
		}
		if !readHead(ctx, p.w, at, &h) {
			for ; i < x.n && len(p.odd) <= maxOdd; i++ {
				p.add(i)
			}
			return nil
		}
		p.entry(ctx, i, &h)
		at = h.end
	}
	return nil
}

func (p *plainness) add(i int64) { p.odd = append(p.odd, uint32(i)) }

func (p *plainness) entry(ctx context.Context, i int64, h *head) {
	x := &p.s.x
	for n := len(p.open); n > 0 && p.open[n-1].last < i; n-- {
		p.open = p.open[:n-1] // never closed, which is odd
	}
	isEnd := h.code.kind == kEndNode || h.code.kind == kEndArray
	if n := len(p.open); n > 0 {
		top := &p.open[n-1]
		if isEnd && top.last == i {
			p.close(ctx, top)
			p.open = p.open[:n-1]
			return
		}
		if top.children++; top.children == 1 {
			top.named = h.code.kind == kString && h.code.named
		}
	}
	if isEnd || p.oddHead(i, h) || p.oddContent(ctx, i, h) {
		p.add(i)
	}
	if x.class(i) == plain {
		return
	}
	if _, deep := x.deep[i]; deep || x.unclosed[i] {
		p.add(i)
	}
	f := openFrame{entry: i, last: x.last(i), array: x.class(i) == array}
	if f.array {
		f.announced = p.number(ctx, h.body, 8)
	}
	p.open = append(p.open, f)
}

// close compares what an array announces with what it holds.
func (p *plainness) close(ctx context.Context, f *openFrame) {
	switch {
	case !f.array:
	case f.named:
		e := p.s.entry(ctx, f.entry)
		if _, bad := p.s.arrayProblem(ctx, &e, model.Span{}); bad {
			p.add(f.entry)
		}
	case f.children != f.announced:
		p.add(f.entry)
	}
}

// number is a signed number of 4 or 8 bytes.
func (p *plainness) number(ctx context.Context, off int64, size int) int64 {
	switch b := p.w.peek(ctx, off, size); len(b) {
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	case 8:
		return int64(binary.LittleEndian.Uint64(b))
	}
	return -1
}

// oddHead looks at strings, types and ids.
func (p *plainness) oddHead(i int64, h *head) bool {
	x := &p.s.x
	if h.code.named && h.name.flag > 1 {
		return true
	}
	switch h.code.content {
	case contentString:
		return h.value.flag > 1
	case contentNode:
		if h.code.kind == kRefNode && h.node >= 0 {
			p.nodes.add(int64(h.node), i)
		}
		switch h.tag {
		case idTypeName:
			inOrder := h.typeID >= 0 && int(h.typeID) < len(x.defs) && int64(x.defs[h.typeID].entry) == i
			if h.typ.flag > 1 || !inOrder || x.redefined(h.typeID, i) {
				return true
			}
		case idTypeID:
			if d, ok := x.definedBefore(h.typeID, i); !ok || int64(d.entry) == i {
				return true
			}
		}
		return h.code.kind == kRefNode && x.backNodes[i]
	}
	return false
}

// oddContent looks at values.
func (p *plainness) oddContent(ctx context.Context, i int64, h *head) bool {
	switch h.code.kind {
	case kEndStream:
		return true
	case kBoolean:
		b := p.w.peek(ctx, h.body, 1)
		return b == nil || b[0] > 1
	case kInternal:
		_, ok := p.nodes.find(p.number(ctx, h.body, 4))
		return !ok
	case kExternalIndex:
		return p.s.carrier != nil || p.number(ctx, h.body, 4) < 0
	case kArray:
		n := p.number(ctx, h.body, 8)
		return n < 0 || n > p.s.end-h.end
	case kDecimal:
		flags := uint32(p.number(ctx, h.body, 4))
		return flags&^0x80ff0000 != 0 || flags>>16&0xff > 28
	case kPrimitives:
		switch h.size {
		case 1, 2, 4, 8, 16:
		default:
			return true
		}
		return h.count > 0 && p.s.elementKind(ctx, i, int64(h.size)) == kInvalid && p.s.declaredKind(ctx, i) != kInvalid
	}
	return false
}

// Survey implements model.Surveyor.
func (k *kids) Survey(ctx context.Context, progress model.Progress) (c model.Coverage, plain bool, err error) {
	if _, binary := k.s.form.(*binaryForm); !binary || !k.layout || k.Pending() {
		return c, false, nil
	}
	odd, all, err := k.s.oddEntries(ctx, progress)
	if err != nil || all {
		return c, false, err
	}
	x := &k.s.x
	at := k.s.whole()
	first, last := max(k.c, 0), x.last(k.c)
	if k.c != rootEntry {
		at = k.s.span(k.c)
	} else if x.start != at.Off || x.end != at.End() {
		return c, false, nil // what cannot be followed is told behind the entries
	}
	if n := sort.Search(len(odd), func(n int) bool { return int64(odd[n]) >= first }); n < len(odd) && int64(odd[n]) <= last {
		return c, false, nil
	}
	return model.Coverage{Explained: at.Len}, true, nil
}
