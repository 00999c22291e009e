package inspect

import (
	"context"
	"math"

	"cutaway/model"
)

// A Profile is the composition of a range: shares of kinds of bytes that sum to 1, and the entropy in bits per byte, 0
// to 8. Known is false if the bytes could not be read.
type Profile struct {
	Entropy float32
	Zero    float32 // 0x00
	Text    float32 // printable ASCII, tab, line feed and carriage return
	Low     float32 // others below 0x80
	High    float32 // 0x80 and above
	Known   bool
}

// Profiles divides a source into at most parts equal ranges and returns their profiles, computed from at most sample
// bytes at the beginning of each. It ends early when ctx ends.
func Profiles(ctx context.Context, src *model.Source, parts int, sample int64) []Profile {
	size := src.Size()
	n := int(min(int64(parts), size))
	all := make([]Profile, n)
	buffer := make([]byte, min(sample, size))
	for i := range all {
		if ctx.Err() != nil {
			return nil
		}
		from, to := PartOf(i, n, size)
		b := buffer[:min(to-from, int64(len(buffer)))]
		if got, err := src.ReadScattered(ctx, b, from); err == nil || got > 0 {
			all[i] = profileOf(b[:got])
		}
	}
	return all
}

// PartOf returns the bytes of part i of n.
func PartOf(i, n int, size int64) (from, to int64) {
	whole, rest := size/int64(n), size%int64(n)
	at := func(i int64) int64 { return i*whole + min(i, rest) }
	return at(int64(i)), at(int64(i) + 1)
}

func profileOf(b []byte) Profile {
	if len(b) == 0 {
		return Profile{}
	}
	var counts [256]int
	for _, c := range b {
		counts[c]++
	}
	p := Profile{Known: true}
	for c, n := range counts {
		if n == 0 {
			continue
		}
		share := float64(n) / float64(len(b))
		p.Entropy -= float32(share * math.Log2(share))
		switch {
		case c == 0:
			p.Zero += float32(share)
		case c >= 0x80:
			p.High += float32(share)
		case c >= 0x20 && c < 0x7f, c == '\t', c == '\n', c == '\r':
			p.Text += float32(share)
		default:
			p.Low += float32(share)
		}
	}
	return p
}
