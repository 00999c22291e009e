package lang

import (
	"context"
	"fmt"
	"math/bits"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// A Part is some bits of a number.
type Part struct {
	Name  string
	Width uint // bits
	Help  string
	Names []string // of its numbers, from 0 on; "" names none
}

// B describes a part of so many bits; names are those of its numbers from 0 on.
func B(name string, width uint, help string, names ...string) Part {
	return Part{Name: name, Width: width, Help: help, Names: names}
}

// PartNames returns the names of the parts of a field.
func PartNames(f *grammar.Field) (names []string) {
	for _, p := range origin(f).parts {
		names = append(names, p.Name)
	}
	return names
}

// showParts returns the look of a number that is shown as its parts.
func showParts(parts []Part, of Type, hex bool) look {
	scalar, ok := of.(*grammar.Scalar)
	big := ok && scalar.IsBig()
	return func(_ Scope, it Value, n *Node) {
		number, ok := it.Uint()
		if !ok {
			return
		}
		if hex {
			n.Value, n.Brief = nil, fmt.Sprintf("%#0*x", int(2*n.Span().Len), number)
		}
		n.Children = partition{parts, uint(8 * n.Span().Len), big}.nodes(number, n.Span())
	}
}

// PartsOf returns the parts of a little-endian number as nodes, the first in the lowest bits. Bits after the last one are
// padding.
func PartsOf(number uint64, at model.Span, parts []Part) model.Children {
	return partition{parts, uint(8 * at.Len), false}.nodes(number, at)
}

// A partition divides a number of so many bits into parts.
type partition struct {
	parts []Part
	width uint
	big   bool // the number's most significant byte comes first
}

// nodes returns the parts of a number.
func (p partition) nodes(number uint64, at model.Span) model.Children {
	count := p.count()
	return &model.Rows{Count: count, Make: func(_ context.Context, i int64) model.Node {
		n := model.Node{Name: "unused", Type: "bits", Role: model.Padding, Spans: []model.Span{at}}
		mask := p.mask(i)
		n.Spans[0].Mask = p.inBytes(mask)
		value := number & mask >> bits.TrailingZeros64(mask)
		if i == int64(len(p.parts)) {
			n.Value = model.Uint(value)
			return n
		}
		part := &p.parts[i]
		n.Name, n.Help, n.Role, n.Value = part.Name, part.Help, model.Explained, part.value(value)
		if part.Width == 1 {
			n.Type = "bit"
		}
		return n
	}, ByByte: func(_ context.Context, src *model.Source, off int64) (int64, bool) {
		for i := range count {
			if at.Covers(src, off) && p.inBytes(p.mask(i))>>(8*(off-at.Off))&0xFF != 0 {
				return i, true
			}
		}
		return 0, false
	}}
}

// count returns the number of parts, with one for the bits that are left.
func (p partition) count() int64 {
	n := int64(len(p.parts))
	if p.mask(n) != 0 {
		n++
	}
	return n
}

// inBytes returns the bits of a number as those of its bytes, taken as one little-endian number.
func (p partition) inBytes(mask uint64) uint64 {
	if p.big {
		return bits.ReverseBytes64(mask) >> (64 - p.width)
	}
	return mask
}

// mask returns the bits of part i, or those that are left for the one after the last.
func (p partition) mask(i int64) uint64 {
	first := uint(0)
	for _, part := range p.parts[:i] {
		first += part.Width
	}
	width := p.width - min(first, p.width)
	if i < int64(len(p.parts)) {
		width = p.parts[i].Width
	}
	return (uint64(1)<<width - 1) << first
}

// value returns the number of the part as a value.
func (b *Part) value(n uint64) model.Value {
	switch {
	case b.Names != nil:
		s := model.Symbol{Number: int64(n)}
		if n < uint64(len(b.Names)) {
			s.Name = b.Names[n]
		}
		return s
	case b.Width == 1:
		return model.Bool(n != 0)
	}
	return model.Uint(n)
}
