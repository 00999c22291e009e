package source

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"cutaway/model"
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
		fuzzCodec(t, inflateLZ4Frame, in)
		span := blockSpan(in)
		out, _ := inflateLZ4Frame(t.Context(), in, -1, fuzzLimit)
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
		fuzzCodec(t, inflateZstd, in)
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

// FuzzStream: zlib, gzip and raw deflate, by one input.
func FuzzStream(f *testing.F) {
	for _, c := range codecs[3:] {
		seeds(f, c.deflate)
	}
	for _, name := range []string{"../testdata/ksy/picture.png", "../testdata/ksy/archive.zip"} {
		file, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for at := range file { // streams of zlib and of deflate in real files
			if at+2 < len(file) && (file[at] == 0x78 && file[at+1] == 0x9c || file[at] == 0x4b && file[at+1] == 0x4c) {
				f.Add(file[at:])
			}
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, c := range codecs[3:] {
			fuzzCodec(t, c.inflate, in)
		}
	})
}

// FuzzPatchList: any list is refused in words, or read; what was read is written as a list that says the same, and changes
// no other bytes than it names.
func FuzzPatchList(f *testing.F) {
	f.Add("# of a file\n\n0x10 00ff 1a # why\n5 AA\n19 07\r\n", uint16(100))
	f.Add("0x10 0000\n0x11 01", uint16(0))
	f.Add("0x7fffffffffffffff 00 00\n18446744073709551615 1", uint16(9))
	f.Fuzz(func(t *testing.T, list string, size uint16) {
		p, err := ReadPatch(strings.NewReader(list))
		if err != nil {
			return
		}
		var text strings.Builder
		if err := p.Write(&text); err != nil {
			t.Fatal(err)
		}
		again, err := ReadPatch(strings.NewReader(text.String()))
		if err != nil || again.Len() != p.Len() {
			t.Fatalf("%d bytes; as it is written %d, %v", p.Len(), again.Len(), err)
		}
		plain := bytes.Repeat([]byte{0xee}, int(size))
		over, err := p.Over(model.BytesReader(plain))
		if err != nil {
			return
		}
		got := make([]byte, size)
		if n, err := over.ReadAt(t.Context(), got, 0); n != len(got) || err != nil && !errors.Is(err, io.EOF) {
			t.Fatalf("%d bytes of %d, %v", n, size, err)
		}
		changed := int64(0)
		again.Each(0, int64(size), func(off int64, now []byte) {
			changed += int64(len(now))
			if !bytes.Equal(got[off:off+int64(len(now))], now) {
				t.Errorf("at %d: %x, want %x", off, got[off:], now)
			}
			copy(got[off:], plain[:len(now)])
		})
		if changed != p.Len() || !bytes.Equal(got, plain) {
			t.Errorf("%d of %d bytes are changed, and others", changed, p.Len())
		}
	})
}
