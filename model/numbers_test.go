package model

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestNumbers holds numberBlocks lists against slices: lines, steps, small numbers below 0 among others, any numbers, and as long as
// no block, a part of one and several.
func TestNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, number := range map[string]func(i int) int32{
		"none":    func(int) int32 { return -1 },
		"count":   func(i int) int32 { return int32(i) },
		"down":    func(i int) int32 { return int32(-3 * i) },
		"nearly":  func(i int) int32 { return int32(7*i) + random.Int32N(5) },
		"jump":    func(i int) int32 { return int32(i/100) * 1_000_000 },
		"any":     func(int) int32 { return int32(random.Uint32()) },
		"extreme": func(i int) int32 { return []int32{math.MinInt32, math.MaxInt32, 0, -1}[i/13%4] },
		"ends":    func(i int) int32 { return []int32{math.MinInt32, math.MaxInt32}[i/63%2] },
		"some -1": func(int) int32 {
			if random.IntN(4) == 0 {
				return -1
			}
			return random.Int32N(1 << 20)
		},
	} {
		for _, size := range []int{0, 1, 2, 63, 64, 65, 1000, numberChunk, 2*numberChunk + 1} {
			want := make([]int32, size)
			for i := range want {
				want[i] = number(i)
			}
			holdNumbers(t, name, want)
		}
	}
}

func holdNumbers(t *testing.T, name string, want []int32) {
	t.Helper()
	p := NumbersOf(want)
	if p.Len() != int64(len(want)) {
		t.Fatalf("%s: %d numbers of %d", name, p.Len(), len(want))
	}
	seen := 0
	for i, v := range p.All() {
		if seen++; int32(v) != want[i] {
			t.Fatalf("%s: number %d of %d is %d, want %d", name, i, len(want), v, want[i])
		}
	}
	if seen != len(want) {
		t.Errorf("%s: %d numbers of %d seen", name, seen, len(want))
	}
	cursor := p.Cursor()
	for i := int64(len(want)) - 1; i >= 0; i -= 1 + i%7 {
		if v := int32(cursor.At(i)); v != want[i] || int32(p.At(i)) != v {
			t.Fatalf("%s: number %d of %d is %d, want %d", name, i, len(want), v, want[i])
		}
	}
	first, end := int64(len(want)/3), int64(len(want)-len(want)/4)
	part := p.Slice(first, end)
	if part.Len() != end-first {
		t.Fatalf("%s: %d numbers of %d to %d", name, part.Len(), first, end)
	}
	for i, v := range part.All() {
		if int32(v) != want[first+i] {
			t.Fatalf("%s: number %d from %d on is %d, want %d", name, i, first, v, want[first+i])
		}
	}
}

// TestNumbersMemory: what rises evenly takes a fifth of a byte a number, any numbers their own 4 and a fifth.
func TestNumbersMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const n = 64 * 1000
	var even, small, all NumbersBuilder
	for i := range uint32(n) {
		even.Add(3 * i)
		small.Add(random.Uint32N(1 << 11))
		all.Add(random.Uint32())
	}
	for bits, p := range map[int]Numbers{0: even.Numbers(), 11: small.Numbers(), 32: all.Numbers()} {
		if got, most := p.bytes(), n/64*(12+8*bits); got > most+most/4 {
			t.Errorf("%d bytes for %d numbers of %d bits, at most %d", got, n, bits, most)
		}
	}
}

// bytes is the room that a list takes.
func (p Numbers) bytes() (sum int) {
	for _, c := range p.chunks {
		sum += int(unsafe.Sizeof(c)) + cap(c.lines)*int(unsafe.Sizeof(numberLine{})) + cap(c.words)*8
	}
	return sum
}

func BenchmarkNumbersAt(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var p NumbersBuilder
	for range 1 << 20 {
		p.Add(random.Uint32N(1 << 11))
	}
	list, sum := p.Numbers(), uint32(0)
	for i := int64(0); b.Loop(); i++ {
		sum += list.At(i * 0x9E3779B1 & (1<<20 - 1))
	}
	_ = sum
}

func BenchmarkNumbersBuilder(b *testing.B) {
	for b.Loop() {
		var p NumbersBuilder
		for i := range uint32(1 << 20) {
			p.Add(i * 0x9E3779B1 >> 16)
		}
		p.Numbers()
	}
}

func BenchmarkNumbersCursor(b *testing.B) {
	list := NumbersOf(make([]uint32, 1<<20)).Cursor()
	sum := uint32(0)
	for i := int64(0); b.Loop(); i++ {
		sum += list.At(i & (1<<20 - 1))
	}
	_ = sum
}
