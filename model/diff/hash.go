package diff

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"

	"cutaway/model"
)

// hash returns the hash of a node's content: its type, its value and its descendants, without its own name. Nodes with
// equal hashes have equal content. weight is the number of nodes in the hash.
func (c *comparer) hash(ctx context.Context, side int, p *model.Place) (sum uint64, weight int64, err error) {
	if err := c.note(ctx); err != nil {
		return 0, 0, err
	}
	here := c.content(ctx, side, p)
	if here.None || here.Fallback {
		return 0, 0, nil
	}
	if err := p.Resolve(ctx, nil); err != nil {
		return 0, 0, err
	}
	var h maphash.Hash
	h.SetSeed(c.seed)
	h.WriteString(p.Node.Type)
	var named, listed uint64 // the order of nodes with names or keys does not count
	weight = 1
	if isBranch(&p.Node) {
		err = c.each(ctx, side, p, 0, func(kid *model.Place, id identity) error {
			sum, w, err := c.hash(ctx, side, kid)
			weight += w
			switch {
			case err != nil || w == 0:
			case id.plain:
				listed = listed*0x9e3779b97f4a7c15 + sum
			default:
				named += mix(id.hash ^ mix(sum))
			}
			return err
		})
	}
	hashWord(&h, named)
	hashWord(&h, listed)
	if err == nil && !here.Where && (weight == 1 || !sumsUp(p.Node.Value)) {
		err = c.hashValue(ctx, &h, p.Node.Value)
	}
	return h.Sum64(), weight, err
}

// sumsUp reports whether the value of a branch is made of its children's.
func sumsUp(v model.Value) bool {
	switch v.(type) {
	case model.Tuple, model.Seq, model.Array:
		return true
	}
	return false
}

// mix spreads the bits of a number (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func hashWord(h *maphash.Hash, n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	h.Write(b[:])
}

// hashValue adds a value. Values that are equal as numbers have equal hashes.
func (c *comparer) hashValue(ctx context.Context, h *maphash.Hash, v model.Value) error {
	if x, ok := number(v); ok {
		hashNumber(h, v, x)
		return nil
	}
	switch v := v.(type) {
	case model.Text:
		h.WriteByte('t')
		h.WriteString(string(v))
		h.WriteByte(0)
	case model.Symbol:
		h.WriteByte('s')
		h.WriteString(v.Name)
		if v.Name == "" {
			hashWord(h, uint64(v.Number))
		}
	case model.Tuple:
		return c.hashList(ctx, h, '(', v)
	case model.Seq:
		return c.hashList(ctx, h, '[', v)
	case model.Object:
		h.WriteByte('{')
		for _, m := range v {
			h.WriteString(m.Key)
			h.WriteByte(0)
			if err := c.hashValue(ctx, h, m.Value); err != nil {
				return err
			}
		}
	case model.Blob:
		return hashBlob(ctx, h, v.Span)
	case model.Array:
		return c.hashArray(ctx, h, v)
	case model.None:
		h.WriteByte('-')
	}
	return nil
}

// hashNumber adds a scalar whose value as a number is x.
func hashNumber(h *maphash.Hash, v model.Value, x float64) {
	h.WriteByte('n')
	if math.Abs(x) >= 1<<53 {
		if w, ok := wholeOf(v, x); ok {
			hashWord(h, w.size)
		}
	}
	switch {
	case x != x:
		x = math.NaN()
	case x == 0:
		x = 0 // not -0
	}
	hashWord(h, math.Float64bits(x))
}

func (c *comparer) hashList(ctx context.Context, h *maphash.Hash, kind byte, list []model.Value) error {
	h.WriteByte(kind)
	hashWord(h, uint64(len(list)))
	for _, v := range list {
		if err := c.hashValue(ctx, h, v); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparer) hashArray(ctx context.Context, h *maphash.Hash, a model.Array) error {
	if p := model.PackingOf(a); p.Number != model.NoNumber {
		return c.hashPacked(ctx, h, a.Len(), &p)
	}
	const window = 1024
	var vs [window]model.Value
	h.WriteByte('a')
	hashWord(h, uint64(a.Len()))
	for at := int64(0); at < a.Len(); {
		n, err := a.Read(ctx, at, vs[:])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, v := range vs[:n] {
			if err := c.hashValue(ctx, h, v); err != nil {
				return err
			}
		}
		if at += int64(n); err != nil || n == 0 {
			return nil // damaged: elements after the damage do not count
		}
	}
	return nil
}

// hashPacked adds the numbers of an array. Equal arrays of different packings have different hashes, and are then
// compared.
func (c *comparer) hashPacked(ctx context.Context, h *maphash.Hash, n int64, p *model.Packing) error {
	h.WriteByte('p')
	hashWord(h, uint64(n)<<8|uint64(p.Number))
	size := p.Size()
	buf, _ := c.windows(n, size)
	for at := int64(0); at < n; {
		got, err := p.Read(ctx, at, buf[:min(int64(len(buf))/size, n-at)*size])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b := buf[:int64(got)*size]
		if p.Number.Float() {
			plainFloats(b, p.Number)
		}
		h.Write(b)
		if at += int64(got); err != nil || got == 0 {
			return nil // damaged
		}
	}
	return nil
}

// plainFloats replaces -0 by 0, and every NaN by one.
func plainFloats(b []byte, kind model.NumberKind) {
	for width := int(kind.Size()); len(b) >= width; b = b[width:] {
		top := b[width-1]
		if top != 0x80 && top&0x7f < 0x7c {
			continue // neither -0 nor NaN
		}
		if f, _ := number(kind.Value(b)); f == 0 || f != f {
			clear(b[:width])
			if f != f {
				b[width-1] = 0xff
			}
		}
	}
}

func hashBlob(ctx context.Context, h *maphash.Hash, s model.Span) error {
	h.WriteByte('b')
	hashWord(h, uint64(s.Len))
	buf := make([]byte, min(64<<10, s.Len))
	for at := int64(0); at < s.Len; {
		n, err := s.Source.ReadFull(ctx, buf[:min(int64(len(buf)), s.Len-at)], s.Off+at)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		h.Write(buf[:n])
		if at += int64(n); err != nil || n == 0 {
			return nil // damaged
		}
	}
	return nil
}
