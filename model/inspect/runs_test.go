package inspect

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"cutaway/model"
)

// plainRuns finds the runs byte by byte.
func plainRuns(b []byte, least int64, borders ...int64) []Run {
	var all []Run
	for i := int64(0); i < int64(len(b)); {
		n := int64(1)
		for i+n < int64(len(b)) && b[i+n] == b[i] && !slices.Contains(borders, i+n) {
			n++
		}
		if n >= least {
			all = append(all, Run{i, n, b[i]})
		}
		i += n
	}
	return all
}

// patches is n bytes of runs of random lengths, most of them short.
func patches(rng *rand.Rand, n int) []byte {
	b := make([]byte, 0, n)
	for len(b) < n {
		length := 1 + rng.IntN(1<<rng.IntN(19))
		c := byte(rng.IntN(3))
		for range min(length, n-len(b)) {
			b = append(b, c)
		}
	}
	return b
}

func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		b := patches(rng, rng.IntN(3*runWindow))
		least := int64(2 + rng.IntN(100))
		got := Runs(t.Context(), model.NewFileSource("x", model.BytesReader(b)), least, 1<<20, nil, func([]Run) {})
		if want := plainRuns(b, least); !slices.Equal(got, want) {
			t.Fatalf("%d runs of %d bytes in %d, want %d", len(got), least, len(b), len(want))
		}
	}
}

// At most so many are kept: the longest.
func TestRunsAreBounded(t *testing.T) {
	b := patches(rand.New(rand.NewPCG(5, 6)), 8<<20)
	const most = 100
	all := plainRuns(b, 64)
	var told []int
	got := Runs(t.Context(), model.NewFileSource("x", model.BytesReader(b)), 64, most, nil, func(r []Run) { told = append(told, len(r)) })
	if len(got) > most || len(got) == 0 {
		t.Fatalf("%d runs are kept, want at most %d", len(got), most)
	}
	least := slices.MinFunc(got, func(a, b Run) int { return cmp.Compare(a.Len, b.Len) }).Len
	longer := slices.DeleteFunc(all, func(r Run) bool { return r.Len < least })
	if !slices.Equal(got, longer) {
		t.Errorf("of the %d runs of at least %d bytes %d are kept", len(longer), least, len(got))
	}
	if len(told) != 3 {
		t.Errorf("told %d times while 8 MiB were read, want 3: after 1, 2 and 4 MiB", len(told))
	}
}

// Runs end where a file of several does, and where bytes cannot be read.
func TestRunsEndAtBorders(t *testing.T) {
	src := model.NewFileSource("x", model.BytesReader(make([]byte, 1000)))
	src = src.WithSegments([]model.Segment{{File: "a", Length: 300}, {File: "b", Start: 300, Length: 700}})
	want := []Run{{0, 300, 0}, {300, 700, 0}}
	if got := Runs(t.Context(), src, 64, 10, nil, nil); !slices.Equal(got, want) {
		t.Errorf("runs are %v, want %v", got, want)
	}
	src = model.NewFileSource("x", failing{model.BytesReader(make([]byte, 3*runWindow))})
	want = []Run{{0, runWindow, 0}, {2 * runWindow, runWindow, 0}}
	if got := Runs(t.Context(), src, 64, 10, nil, nil); !slices.Equal(got, want) {
		t.Errorf("runs are %v, want %v", got, want)
	}
}

// failing cannot read its second window.
type failing struct{ model.BytesReader }

func (f failing) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off == runWindow {
		return 0, errors.New("bad block")
	}
	return f.BytesReader.ReadAt(ctx, p, off)
}

func BenchmarkRuns(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	p := make([]byte, 64<<20)
	for i := range p {
		p[i] = byte(rng.Uint32())
	}
	for name, p := range map[string][]byte{"random": p, "zero": make([]byte, 64<<20)} {
		b.Run(name, func(b *testing.B) {
			src := model.NewFileSource("x", model.BytesReader(p))
			b.SetBytes(int64(len(p)))
			for b.Loop() {
				Runs(b.Context(), src, 64, 1000, nil, func([]Run) {})
			}
		})
	}
}
