package table

import (
	"context"
	"hash/maphash"
)

// Repeats finds the tokens whose text an earlier token has: of each the first with that text. Sound files have none.
// It reads the text twice, the second time for the few tokens whose hash may have been seen; besides those it
// takes 2 bytes a token while it runs.
func (t *Tokens) Repeats(ctx context.Context) (map[uint32]uint32, error) {
	const bitsEach = 16
	seed := maphash.MakeSeed()
	seen := make(Bitset, t.Count*bitsEach/64+1)
	size := uint64(len(seen)) * 64
	maybe := map[uint64]bool{}
	err := t.EachText(ctx, func(_ uint32, text []byte) {
		hash := maphash.Bytes(seed, text)
		if bit := hash % size; seen[bit/64]>>(bit%64)&1 != 0 {
			maybe[bit] = true
		} else {
			seen[bit/64] |= 1 << (bit % 64)
		}
	})
	if err != nil || len(maybe) == 0 {
		return nil, err
	}
	repeats := map[uint32]uint32{}
	first := map[string]uint32{}
	err = t.EachText(ctx, func(i uint32, text []byte) {
		if !maybe[maphash.Bytes(seed, text)%size] {
			return
		}
		if one, is := first[string(text)]; is {
			repeats[i] = one
		} else {
			first[string(text)] = i
		}
	})
	return repeats, err
}

// EachTextSize is the number of bytes of a token's text that EachText gives.
const EachTextSize = 4096

// EachText visits all tokens in order; of a long text only the beginning, so that two may be taken for repeats.
func (t *Tokens) EachText(ctx context.Context, visit func(i uint32, text []byte)) error {
	if t.Count == 0 {
		return nil
	}
	buf := make([]byte, EachTextSize)
	i, lo := uint32(0), t.starts[0]
	// Text that cannot be read ends the search; it is reported with the tokens.
	_ = t.ends(ctx, 0, func(end int64) bool {
		b := buf[:min(end-lo, EachTextSize)]
		if _, err := t.src.ReadFull(ctx, b, lo); err != nil || i&0xFFF == 0 && ctx.Err() != nil {
			return false
		}
		visit(i, b)
		i, lo = i+1, end
		return int64(i) < t.Count
	})
	return ctx.Err()
}
