package flatbuffer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// randomTable builds a table of numbers that may look like offsets, texts, vectors and tables.
func randomTable(b *flatbuffers.Builder, rng *rand.Rand, depth int) flatbuffers.UOffsetT {
	slots := make([]flatbuffers.UOffsetT, 1+rng.IntN(6))
	for i := range slots {
		switch rng.IntN(5) {
		case 0:
			slots[i] = b.CreateString(fmt.Sprintf("text %d", rng.IntN(1000)))
		case 1:
			n := rng.IntN(8)
			b.StartVector(4, n, 4)
			for range n {
				b.PrependUint32(uint32(4 * rng.IntN(40)))
			}
			slots[i] = b.EndVector(n)
		case 2:
			if depth > 0 {
				slots[i] = randomTable(b, rng, depth-1)
			}
		}
	}
	b.StartObject(len(slots))
	for i, at := range slots {
		if at != 0 {
			b.PrependUOffsetTSlot(i, at, 0)
		} else {
			b.PrependUint32Slot(i, uint32(4*rng.IntN(60)), 0)
		}
	}
	return b.EndObject()
}

// Without a schema a sound buffer has no errors: what was inferred may be wrong, which is no damage.
func TestInferenceGivesNoErrors(t *testing.T) {
	overlaps := 0
	for seed := range uint64(400) {
		b := flatbuffers.NewBuilder(0)
		b.Finish(randomTable(b, rand.New(rand.NewPCG(seed, 1)), 3))
		doc := decodertest.Open(t, Format, "inferred.bin", model.BytesReader(b.FinishedBytes()))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range report.Problems {
			if p.Kind.Severity() > model.Note {
				t.Errorf("seed %d: %s: %s", seed, p.Rule, p.Message)
			}
			if p.Rule == OwnPrefix+ruleOverlap {
				overlaps++
			}
		}
	}
	if overlaps == 0 {
		t.Error("nothing was taken for what it is not: the buffers are too easy")
	}
}
