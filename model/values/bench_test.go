package values

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"cutaway/model"
)

// BenchmarkSummarize goes over a million numbers of a kind.
func BenchmarkSummarize(b *testing.B) {
	const n = 1 << 20
	r := rand.New(rand.NewPCG(1, 2))
	for name, kind := range map[string]model.NumberKind{"float": model.NumberF32, "double": model.NumberF64, "int": model.NumberI32, "int64": model.NumberI64} {
		data := make([]byte, n*kind.Size())
		for i := range n {
			at := data[int64(i)*kind.Size():]
			switch kind {
			case model.NumberF32:
				binary.LittleEndian.PutUint32(at, math.Float32bits(float32(r.NormFloat64())))
			case model.NumberF64:
				binary.LittleEndian.PutUint64(at, math.Float64bits(r.NormFloat64()))
			case model.NumberI32:
				binary.LittleEndian.PutUint32(at, uint32(r.IntN(1<<20)))
			default:
				binary.LittleEndian.PutUint64(at, 1<<60+r.Uint64N(1<<30))
			}
		}
		src := model.NewFileSource("numbers", model.BytesReader(data))
		c, err := ArrayColumn(b.Context(), &model.Elements{Type: name, Count: n, Pack: model.Packing{Number: kind, Components: 1, At: src.Whole()}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Summarize(b.Context(), c, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
