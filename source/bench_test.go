package source

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// benchFile is a file of 16 MiB in which no page is empty.
func benchFile(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "f")
	raw := make([]byte, 16<<20)
	for i := range raw {
		raw[i] = byte(i*7 + i>>9)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func benchmarkRead(b *testing.B, opt Options, size int) {
	f, err := Open(benchFile(b), opt)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	p := make([]byte, size)
	r := rand.New(rand.NewPCG(1, 1))
	offs := make([]int64, 1024)
	for i := range offs {
		offs[i] = r.Int64N(2 << 20) // in the block cache, too
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := f.ReadAt(b.Context(), p, offs[i%len(offs)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkMapped64(b *testing.B) { benchmarkRead(b, Options{}, 64) }
func BenchmarkBlocks64(b *testing.B) { benchmarkRead(b, Options{Pread: true}, 64) }
func BenchmarkMapped4K(b *testing.B) { benchmarkRead(b, Options{}, 4096) }
func BenchmarkBlocks4K(b *testing.B) { benchmarkRead(b, Options{Pread: true}, 4096) }

// BenchmarkPread64 is a plain pread, to compare with.
func BenchmarkPread64(b *testing.B) {
	f, err := os.Open(benchFile(b))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	p := make([]byte, 64)
	for b.Loop() {
		if _, err := f.ReadAt(p, 4096); err != nil {
			b.Fatal(err)
		}
	}
}

// Figures of LZ4 are in bytes of output.

func benchLZ4(b *testing.B) (in []byte, size int) {
	raw := sample(rand.New(rand.NewPCG(1, 1)), 8<<20)
	b.SetBytes(int64(len(raw)))
	return compressLZ4(b, raw), len(raw)
}

func BenchmarkInflateLZ4(b *testing.B) {
	in, size := benchLZ4(b)
	for b.Loop() {
		if _, fault := inflateLZ4(b.Context(), in, int64(size), -1); fault != nil {
			b.Fatal(fault)
		}
	}
}

// BenchmarkPierrecLZ4 is the decoder alone, to compare with.
func BenchmarkPierrecLZ4(b *testing.B) {
	in, size := benchLZ4(b)
	for b.Loop() {
		if _, err := lz4.UncompressBlock(in, make([]byte, size)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWalkLZ4(b *testing.B) {
	in, size := benchLZ4(b)
	n := 0
	for b.Loop() {
		n = 0
		if fault := walkLZ4(b.Context(), in, int64(size), func(Sequence) bool { n++; return true }); fault != nil {
			b.Fatal(fault)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/sequence")
}
