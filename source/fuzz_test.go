package source

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

const fuzzLimit = 1 << 16

func seeds(f *testing.F, deflate func(testing.TB, []byte) []byte) {
	r := rand.New(rand.NewPCG(21, 22))
	f.Add([]byte{})
	for _, n := range []int{1, 40, 1500} {
		in := deflate(f, sample(r, n))
		f.Add(in)
		f.Add(in[:len(in)/2])
	}
}

func FuzzLZ4Block(f *testing.F) {
	seeds(f, compressLZ4)
	f.Fuzz(func(t *testing.T, in []byte) { checkLZ4(t, in, fuzzLimit) })
}

// fuzzCodec checks what must hold of any input.
func fuzzCodec(t *testing.T, inflate Inflater, in []byte) {
	out, fault := inflate(t.Context(), in, -1, fuzzLimit)
	if len(out) > fuzzLimit {
		t.Fatalf("%d bytes pass the limit", len(out))
	}
	if fault != nil && (fault.Out != int64(len(out)) || fault.In < 0 || fault.In > int64(len(in)) || fault.Reason == "") {
		t.Fatalf("%+v, %d bytes of %d", fault, len(out), len(in))
	}
	again, second := inflate(t.Context(), in, int64(len(out)), fuzzLimit)
	if fault == nil && second != nil || !bytes.Equal(out, again) {
		t.Fatalf("%d bytes, %v; again, with the size: %d bytes, %v", len(out), fault, len(again), second)
	}
}

func FuzzLZ4Frame(f *testing.F) {
	seeds(f, codecs[1].deflate)
	f.Fuzz(func(t *testing.T, in []byte) {
		fuzzCodec(t, InflateLZ4Frame, in)
		span := blockSpan(in)
		out, _ := InflateLZ4Frame(t.Context(), in, -1, fuzzLimit)
		blocks, err := LZ4FrameBlocks(t.Context(), span, -1, fuzzLimit)
		if err != nil {
			t.Fatal(err)
		}
		if len(out) > 0 {
			checkMapping(t, NewLZ4Mapping(blocks), span.Source, out, 0, int64(len(out)))
		}
	})
}

func FuzzZstd(f *testing.F) {
	seeds(f, codecs[2].deflate)
	f.Fuzz(func(t *testing.T, in []byte) {
		fuzzCodec(t, InflateZstd, in)
		ZstdContentSize(in)
		at := int64(0)
		frames, _ := ZstdFrames(in)
		for _, f := range frames {
			if f.At != at || f.End <= at {
				t.Fatalf("frames %+v", frames)
			}
			at = f.End
		}
	})
}
