// Package checksum finds checksums that are equal to given bytes of a file.
package checksum

import (
	"hash/adler32"
	"math/bits"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// A hash computes a checksum of bytes.
type hash interface {
	write(p []byte)
	sum() uint64
}

// An Algorithm is a checksum algorithm.
type Algorithm struct {
	Name  string
	begin func() hash
}

// Of returns the algorithms whose checksums have size bytes, 1 to 8, best known first.
func Of(size int) []Algorithm {
	var all []Algorithm
	for i := range CRCs {
		if c := &CRCs[i]; c.Width == 8*size {
			table := sync.OnceValue(c.newTable)
			all = append(all, Algorithm{c.Name, func() hash { return c.begin(table()) }})
		}
	}
	add := func(name string, begin func() hash) { all = append(all, Algorithm{name, begin}) }
	switch size {
	case 2:
		add("Internet checksum (RFC 1071)", func() hash { return &internet{} })
		add("Fletcher-16", func() hash { return &fletcher{size: 1, modulus: 255} })
		add("BSD sum", func() hash { return &bsd{} })
	case 4:
		add("Adler-32", func() hash { return &standard{adler32.New()} })
		add("Fletcher-32", func() hash { return &fletcher{size: 2, modulus: 65535} })
		add("FNV-1 (32 bits)", func() hash { return &fnv{0x811c9dc5, 0x01000193, false} })
		add("FNV-1a (32 bits)", func() hash { return &fnv{0x811c9dc5, 0x01000193, true} })
	case 8:
		add("xxHash64", func() hash { return &standard64{xxhash.New()} })
		add("Fletcher-64", func() hash { return &fletcher{size: 4, modulus: 1<<32 - 1} })
		add("FNV-1 (64 bits)", func() hash { return &fnv{0xcbf29ce484222325, 0x100000001b3, false} })
		add("FNV-1a (64 bits)", func() hash { return &fnv{0xcbf29ce484222325, 0x100000001b3, true} })
	}
	add("sum of bytes", func() hash { return &words{size: 1} })
	add("negated sum of bytes", func() hash { return &words{size: 1, negate: true} })
	if size == 1 {
		add("XOR of bytes", func() hash { return &words{size: 1, xor: true} })
	}
	if size == 2 || size == 4 || size == 8 {
		for _, big := range []bool{false, true} {
			order := map[bool]string{false: "little-endian", true: "big-endian"}[big]
			add("sum of "+order+" words", func() hash { return &words{size: size, big: big} })
			add("negated sum of "+order+" words", func() hash { return &words{size: size, big: big, negate: true} })
			add("XOR of "+order+" words", func() hash { return &words{size: size, big: big, xor: true} })
		}
	}
	return all
}

// standard and standard64 are checksums of the standard library, of at most 32 and of 64 bits.
type standard struct {
	h interface {
		Write(p []byte) (int, error)
		Sum32() uint32
	}
}

func (s *standard) write(p []byte) { _, _ = s.h.Write(p) }
func (s *standard) sum() uint64    { return uint64(s.h.Sum32()) }

type standard64 struct{ h *xxhash.Digest }

func (s *standard64) write(p []byte) { _, _ = s.h.Write(p) }
func (s *standard64) sum() uint64    { return s.h.Sum64() }

// words adds or combines words of some bytes. An incomplete last word is padded with zeros.
type words struct {
	size             int
	big, xor, negate bool
	total, word      uint64
	have             int
}

func (w *words) write(p []byte) {
	for _, b := range p {
		if w.big {
			w.word |= uint64(b) << (8 * (w.size - 1 - w.have))
		} else {
			w.word |= uint64(b) << (8 * w.have)
		}
		if w.have++; w.have == w.size {
			w.total, w.word, w.have = w.with(), 0, 0
		}
	}
}

func (w *words) with() uint64 {
	if w.xor {
		return w.total ^ w.word
	}
	return w.total + w.word
}

func (w *words) sum() uint64 {
	if w.negate {
		return -w.with()
	}
	return w.with()
}

// internet is the complement of the one's complement sum of 16-bit big-endian words.
type internet struct{ words }

func (i *internet) write(p []byte) {
	i.size, i.big = 2, true
	i.words.write(p)
}

func (i *internet) sum() uint64 {
	t := i.with()
	for t > 0xffff {
		t = t>>16 + t&0xffff
	}
	return ^t & 0xffff
}

// fletcher is Fletcher's checksum of little-endian words.
type fletcher struct {
	size    int
	modulus uint64
	a, b    uint64
	word    uint64
	have    int
}

func (f *fletcher) write(p []byte) {
	for _, c := range p {
		f.word |= uint64(c) << (8 * f.have)
		if f.have++; f.have == f.size {
			f.a = (f.a + f.word) % f.modulus
			f.b = (f.b + f.a) % f.modulus
			f.word, f.have = 0, 0
		}
	}
}

func (f *fletcher) sum() uint64 {
	a, b := f.a, f.b
	if f.have > 0 {
		a = (a + f.word) % f.modulus
		b = (b + a) % f.modulus
	}
	return b<<(8*f.size) | a
}

// bsd is the checksum of BSD's sum, which rotates right before it adds each byte.
type bsd struct{ s uint16 }

func (s *bsd) write(p []byte) {
	for _, b := range p {
		s.s = bits.RotateLeft16(s.s, -1) + uint16(b)
	}
}

func (s *bsd) sum() uint64 { return uint64(s.s) }

// fnv is a hash of Fowler, Noll and Vo.
type fnv struct {
	h, prime uint64
	xorFirst bool // FNV-1a
}

func (f *fnv) write(p []byte) {
	for _, b := range p {
		if f.xorFirst {
			f.h = (f.h ^ uint64(b)) * f.prime
		} else {
			f.h = f.h*f.prime ^ uint64(b)
		}
	}
}

func (f *fnv) sum() uint64 { return f.h }
