package verdicts

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A mutant is a file with one change.
type mutant struct {
	base string
	kind string
	what string // the change in words
	data []byte
}

func (m *mutant) String() string { return filepath.Base(m.base) + ", " + m.kind + m.what }

// A kind is a kind of change. It returns the changed data, which may be the given one, and what was changed in words. ok is
// false if data has no place for it.
type kind struct {
	name   string
	change func(random *rand.Rand, data []byte) (changed []byte, what string, ok bool)
}

// bytesChanged are the kinds that suit every format.
var bytesChanged = []kind{{"a byte", changeByte}, {"two bytes", twice(changeByte)}}

// textKinds are those of layers that are text.
var textKinds = append([]kind{{"bytes deleted", spliced(removed, splice)}, {"bytes inserted", spliced(added, splice)}}, bytesChanged...)

// mutants makes count mutants of files, the same ones for the same seed: the files in turn, each by one kind after the
// other.
func mutants(t *testing.T, kinds []kind, files []string, count int, seed uint64) []*mutant {
	bases := make([][]byte, len(files))
	for i, name := range files {
		var err error
		if bases[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(11, seed))
	all := make([]*mutant, count)
	for i := range all {
		of, k := i%len(files), kinds[(i/len(files)+i%len(files))%len(kinds)]
		data, what, ok := k.change(random, slices.Clone(bases[of]))
		if !ok || slices.Equal(data, bases[of]) {
			k = kinds[0]
			data, what, _ = k.change(random, slices.Clone(bases[of]))
		}
		all[i] = &mutant{files[of], k.name, what, data}
	}
	return all
}

// twice makes a change two times.
func twice(change func(random *rand.Rand, data []byte) ([]byte, string, bool)) func(random *rand.Rand, data []byte) ([]byte, string, bool) {
	return func(random *rand.Rand, data []byte) ([]byte, string, bool) {
		data, first, _ := change(random, data)
		data, second, ok := change(random, data)
		return data, first + second, ok
	}
}

// changeByte changes a byte in one bit, by one, or to anything.
func changeByte(random *rand.Rand, data []byte) (changed []byte, what string, ok bool) {
	off := random.IntN(len(data))
	from := data[off]
	to := [...]byte{from ^ 1<<random.IntN(8), from + 1, from - 1, byte(random.IntN(256))}[random.IntN(4)]
	if to == from {
		to = ^from
	}
	data[off] = to
	return data, fmt.Sprintf(" %#x:%02x>%02x", off, from, to), true
}

// setWord sets an aligned word of four bytes to a small, a large or any number.
func setWord(random *rand.Rand, data []byte) (changed []byte, what string, ok bool) {
	off := 4 * random.IntN(len(data)/4)
	to := [...]uint32{0, 1, random.Uint32N(256), 1<<31 - 1, 1<<32 - 1, random.Uint32()}[random.IntN(6)]
	binary.LittleEndian.PutUint32(data[off:], to)
	return data, fmt.Sprintf(" %#x:%#x", off, to), true
}

// swapWords swaps two aligned words of four or eight bytes.
func swapWords(random *rand.Rand, data []byte) (changed []byte, what string, ok bool) {
	size := 4 << random.IntN(2)
	a, b := size*random.IntN(len(data)/size), size*random.IntN(len(data)/size)
	for i := range size {
		data[a+i], data[b+i] = data[b+i], data[a+i]
	}
	return data, fmt.Sprintf(" %#x<>%#x (%d bytes)", a, b, size), a != b
}

// removed and added return the bytes that a deletion or an insertion puts in the place of size bytes at off.
func removed(random *rand.Rand, data []byte) (off, size int, with []byte) {
	size = 1 + random.IntN(min(16, len(data)-1))
	return random.IntN(len(data) - size), size, nil
}

func added(random *rand.Rand, data []byte) (off, size int, with []byte) {
	with = make([]byte, 1+random.IntN(16))
	for i := range with {
		with[i] = byte(random.IntN(256) * random.IntN(2))
	}
	return random.IntN(len(data)), 0, with
}

// spliced puts other bytes in the place of some, by replace.
func spliced(part func(*rand.Rand, []byte) (int, int, []byte), replace func(data []byte, at, size int, with []byte) []byte,
) func(random *rand.Rand, data []byte) ([]byte, string, bool) {
	return func(random *rand.Rand, data []byte) ([]byte, string, bool) {
		off, size, with := part(random, data)
		return replace(data, off, size, with), fmt.Sprintf(" %#x-%d+%d", off, size, len(with)), true
	}
}

// splice puts other bytes in the place of some.
func splice(data []byte, at, size int, with []byte) []byte {
	return slices.Concat(data[:at], with, data[at+size:])
}
