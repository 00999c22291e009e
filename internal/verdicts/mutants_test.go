package verdicts

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A mutant is a file of which one or two bytes were changed.
type mutant struct {
	base    string
	changes []change
	within  string // the section whose inflated bytes were changed; empty: the file's own
	data    []byte
}

type change struct {
	off      int
	from, to byte
}

func (m *mutant) String() string {
	s := filepath.Base(m.base)
	if m.within != "" {
		s += " in " + m.within
	}
	for _, c := range m.changes {
		s += fmt.Sprintf(" %#x:%02x>%02x", c.off, c.from, c.to)
	}
	return s
}

// mutants makes so many mutants of files, the same ones for the same seed: the files in turn, at random places; a third with
// two bytes, and where the format has compressed tables, a third with a byte of those.
func mutants(t *testing.T, f *format, files []string, count int, seed uint64) []*mutant {
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
		k, ways := i%len(files), i/len(files)%3
		m := &mutant{base: files[k], data: slices.Clone(bases[k])}
		all[i] = m
		if ways == 2 && f.inflated != nil {
			if data, within, c, ok := f.inflated(random, m.data); ok {
				m.data, m.within, m.changes = data, within, []change{c}
				continue
			}
		}
		for range 1 + ways%2 {
			m.changes = append(m.changes, changeByte(random, m.data))
		}
	}
	return all
}

// changeByte changes a byte in one bit, by one, or to anything.
func changeByte(random *rand.Rand, data []byte) change {
	off := random.IntN(len(data))
	from := data[off]
	to := [...]byte{from ^ 1<<random.IntN(8), from + 1, from - 1, byte(random.IntN(256))}[random.IntN(4)]
	if to == from {
		to = ^from
	}
	data[off] = to
	return change{off, from, to}
}
