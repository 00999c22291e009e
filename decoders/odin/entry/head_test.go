package entry

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// TestFrequent holds the fast way over entries against the engine, on all files of the binary form and on mutations of
// them: what it takes, the engine reads too, and finds the same in it and nothing wrong outside of its content.
func TestFrequent(t *testing.T) {
	files := decodertest.ReadFiles(t, "../../../testdata/odin/*.odin", "../../../../shared/corpus/odin/*.bin")
	taken := 0
	for _, f := range files {
		if strings.Contains(f.Name, "10000-deep") {
			f.Data = f.Data[:1<<12]
		}
		taken += holdFrequent(t, f.Name, f.Data)
		r := rand.New(rand.NewPCG(1, uint64(len(f.Data))))
		for range 200 {
			b := slices.Clone(f.Data)
			for range 1 + r.IntN(3) {
				if len(b) > 0 {
					b[r.IntN(len(b))] = byte(r.IntN(256) >> r.IntN(8))
				}
			}
			taken += holdFrequent(t, f.Name, b[:len(b)-r.IntN(2)*r.IntN(len(b)+1)])
		}
		if t.Failed() {
			return
		}
	}
	if taken < 10_000 {
		t.Errorf("only %d entries were taken", taken)
	}
}

// holdFrequent goes over a stream from entry to entry, at most 2000, and reports how many the fast way takes.
func holdFrequent(t *testing.T, name string, data []byte) (taken int) {
	src := model.NewFileSource(name, model.BytesReader(data))
	s := New(src.Whole(), Binary, Options{})
	fast, slow := newFrequent(grammar.NewReading(t.Context(), grammar.Far), s), grammar.NewReading(t.Context(), grammar.Near)
	for i, at := int64(0), int64(0); i < 2000; i++ {
		o := s.object(slow, i, at, s.end)
		got := Head{Number: i, off: at, Node: NoNode}
		frequent := fast.read(&got)
		if o == nil || !o.OK() {
			if frequent {
				t.Errorf("%s: %#x is taken, which the engine cannot read", name, at)
			}
			return taken
		}
		want := Head{Number: i, off: at, Node: NoNode, id: idAt(slow, s, at), end: o.End()}
		want.setFrom(o.Scope(slow))
		if frequent {
			taken++
			if got != want {
				t.Errorf("%s: %#x is %+v, not %+v", name, at, got, want)
			}
			if kind.Codes[want.id].Named && !o.Inner(t.Context(), o.Record().Field("name")).Sound(slow) {
				t.Errorf("%s: the name at %#x has a problem", name, at)
			}
		}
		fast.learn(want.id, o.Scope(slow))
		o.Release(slow)
		at = want.end
	}
	return taken
}
