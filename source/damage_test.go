package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cutaway/model"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// slowLZ4 decodes the plainest way, to compare with: as far as it can, and whether the block was sound.
func slowLZ4(in []byte, limit int) (out []byte, sound bool) {
	at := 0
	length := func(n int) (int, bool) {
		for ; at < len(in); at++ {
			n += int(in[at])
			if in[at] != 255 {
				at++
				return n, true
			}
		}
		return n, false
	}
	if len(in) == 0 {
		return nil, true
	}
	for at < len(in) {
		token := in[at]
		at++
		n, ok := int(token>>4), true
		if n == 15 {
			n, ok = length(n)
		}
		for ; ok && n > 0; n-- {
			if at >= len(in) || len(out) >= limit {
				return out, false
			}
			out = append(out, in[at])
			at++
		}
		if !ok {
			return out, false
		}
		if at == len(in) {
			return out, true
		}
		if at+2 > len(in) {
			return out, false
		}
		d := int(in[at]) | int(in[at+1])<<8
		at += 2
		if d == 0 || d > len(out) {
			return out, false
		}
		n = int(token & 15)
		if n == 15 {
			if n, ok = length(n); !ok {
				return out, false
			}
		}
		for n += 4; n > 0; n-- {
			if len(out) >= limit {
				return out, false
			}
			out = append(out, out[len(out)-d])
		}
	}
	return out, false
}

// checkLZ4 compares all ways to look at a block, sound or not.
func checkLZ4(t *testing.T, in []byte, limit int64) {
	t.Helper()
	good, sound := slowLZ4(in, int(limit))
	out, fault := InMemory(CopyLZ4)(t.Context(), in, -1, limit)
	if sound != (fault == nil) || !bytes.Equal(out, good) {
		t.Fatalf("%x: %d bytes, fault %v; want %d bytes, sound %t", head(in), len(out), fault, len(good), sound)
	}
	if fault != nil && (fault.Out != int64(len(good)) || fault.In < 0 || fault.In > int64(len(in)) || fault.Reason == "") {
		t.Fatalf("%x: fault %+v for %d good bytes", head(in), fault, len(good))
	}
	if len(in) == 0 {
		return
	}
	span := blockSpan(in)
	m := NewLZ4Mapping([]LZ4Block{{In: span, OutLen: limit}})
	pieces, err := m.From(context.Background(), 0, limit)
	if err != nil {
		t.Fatal(err)
	}
	var end int64
	for _, p := range pieces {
		end = p.Off + p.Len
	}
	if end != int64(len(good)) {
		t.Fatalf("%x: the pieces end at %d, the good part at %d", head(in), end, len(good))
	}
	if end > 0 {
		checkMapping(t, m, span.Source, good, 0, end)
	}
	checkSequences(t, span, limit)
}

func head(in []byte) []byte { return in[:min(len(in), 64)] }

// checkSequences checks that the nodes of a block tile it, each tiled by its parts, and that a broken one has a
// problem.
func checkSequences(t *testing.T, span model.Span, limit int64) {
	t.Helper()
	in, _ := span.Source.Bytes(t.Context(), span.Off, span.Len)
	fault := walkLZ4(t.Context(), in, limit, func(Sequence) bool { return true })
	c := LZ4Sequences(LZ4Block{In: span, OutLen: limit}, "t.lz4").(model.Pending)
	if !c.Pending() {
		t.Fatal("not pending")
	}
	if err := c.Resolve(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	n, _ := c.Len(t.Context())
	at := span.Off
	for i := range n {
		if n > 100 && i > 20 && i < n-20 {
			node := c.At(t.Context(), i)
			at = node.Span().End()
			continue
		}
		node := c.At(t.Context(), i)
		if node.Span().Off != at {
			t.Fatalf("%s at %v, want %d", node.Name, node.Span(), at)
		}
		at = node.Span().End()
		checkTiles(t, &node)
		if broken := fault != nil && i == n-1; broken != (len(node.Problems) == 1) {
			t.Fatalf("%s of %d has problems %v, fault %v", node.Name, n, node.Problems, fault)
		}
		if found, ok := model.Locate(t.Context(), c, span.Source, at-1); node.Span().Len > 0 && (!ok || found != i) {
			t.Fatalf("byte %d lies in %d, %t; want %d", at-1, found, ok, i)
		}
	}
	if at != span.End() {
		t.Fatalf("the sequences end at %d, the block at %d", at, span.End())
	}
}

func TestLZ4Damage(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{20, 300, 2000} {
		raw := sample(r, n)
		in := compressLZ4(t, raw)
		for cut := range in {
			checkLZ4(t, in[:cut], int64(n))
			out, fault := inflateLZ4(t.Context(), in[:cut], int64(n), -1)
			if fault == nil || !bytes.HasPrefix(raw, out) {
				t.Fatalf("cut at %d: %v", cut, fault)
			}
		}
		for bit := 0; bit < 8*len(in); bit += 1 + r.IntN(n/20) {
			bad := bytes.Clone(in)
			bad[bit/8] ^= 1 << (bit % 8)
			checkLZ4(t, bad, int64(n))
			checkLZ4(t, bad, int64(n)/2)
		}
	}
}

func TestLZ4Faults(t *testing.T) {
	for _, c := range []struct {
		name   string
		in     []byte
		want   int64
		fault  Fault
		reason string
	}{
		{"offset 0", []byte{0x10, 'a', 0, 0, 0}, 9, Fault{In: 2, Out: 1}, "offset is 0"},
		{"offset too far", []byte{0x20, 'a', 'b', 3, 0, 0}, 9, Fault{In: 3, Out: 2}, "reaches 3 bytes back, but only 2"},
		{"second sequence", []byte{0x20, 'a', 'b', 1, 0, 0, 9, 0}, 9, Fault{In: 6, Out: 6, Sequence: 1, Begin: 5}, "reaches 9 bytes back"},
		{"literals missing", []byte{0x50, 'a', 'b'}, 5, Fault{In: 3, Out: 2, Err: io.ErrUnexpectedEOF}, "3 bytes are missing"},
		{"ends after a match", []byte{0x10, 'a', 1, 0}, 5, Fault{In: 4, Out: 5, Sequence: 1, Begin: 4, Err: io.ErrUnexpectedEOF}, "literals only"},
		{"ends in an offset", []byte{0x10, 'a', 1}, 5, Fault{In: 3, Out: 1, Err: io.ErrUnexpectedEOF}, "inside a match offset"},
		{"ends in a length", []byte{0xF0, 255}, 5, Fault{In: 2, Err: io.ErrUnexpectedEOF}, "inside a literal length"},
		{"ends in a match length", []byte{0x1F, 'a', 1, 0, 255}, 500, Fault{In: 5, Out: 1, Err: io.ErrUnexpectedEOF}, "inside a match length"},
		{"literals too long", []byte{0x30, 'a', 'b', 'c'}, 2, Fault{In: 3, Out: 2}, "passes the expected size of 2 bytes"},
		{"match too long", []byte{0x14, 'a', 1, 0, 0}, 4, Fault{In: 2, Out: 4}, "passes the expected size of 4 bytes"},
		{"too short", []byte{0x10, 'a'}, 4, Fault{In: 2, Out: 1}, "ends after 1 of 4 bytes"},
		{"a claim", []byte{0x10, 'a'}, 1 << 40, Fault{In: 2, Out: 1}, "2 bytes of LZ4 make at most 574"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, fault := inflateLZ4(t.Context(), c.in, c.want, -1)
			if fault == nil {
				t.Fatal("no fault")
			}
			if !strings.Contains(fault.Reason, c.reason) {
				t.Errorf("reason %q, want %q", fault.Reason, c.reason)
			}
			got := *fault
			got.Reason = ""
			if got != c.fault {
				t.Errorf("%+v, want %+v", got, c.fault)
			}
		})
	}
	if _, fault := InMemory(CopyLZ4)(t.Context(), []byte{0x30, 'a', 'b', 'c'}, -1, 2); !strings.Contains(fault.Error(), "limit for inflated data of 2") {
		t.Error(fault)
	}
}

// TestLZ4LastToken reads a block whose last token has match bits, which mean nothing there.
func TestLZ4LastToken(t *testing.T) {
	out, fault := inflateLZ4(t.Context(), []byte{0x27, 'a', 'b'}, 2, -1)
	if fault != nil || string(out) != "ab" {
		t.Errorf("%q, %v", out, fault)
	}
}

// codecCase is a codec with a way to make input for it.
type codecCase struct {
	name    string
	inflate Inflater
	deflate func(t testing.TB, raw []byte) []byte
}

func through(open func(w io.Writer) io.WriteCloser) func(testing.TB, []byte) []byte {
	return func(t testing.TB, raw []byte) []byte {
		var b bytes.Buffer
		w := open(&b)
		if _, err := w.Write(raw); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
}

var codecs = []codecCase{
	{"LZ4", inflateLZ4, compressLZ4},
	{"LZ4 frame", inflateLZ4Frame, func(t testing.TB, raw []byte) []byte {
		return compressFrame(t, raw, lz4.BlockSizeOption(lz4.Block64Kb), lz4.BlockChecksumOption(true))
	}},
	{"zstd", inflateZstd, through(func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)); return z })},
	{"gzip", InflateGzip, through(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })},
	{"zlib", inflateZlib, through(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })},
	{"deflate", inflateDeflate, through(func(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 6); return z })},
}

func TestCodecs(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, c := range codecs {
		t.Run(c.name, func(t *testing.T) {
			raw := sample(r, 400_000)
			n := int64(len(raw))
			in := c.deflate(t, raw)
			for _, size := range [][2]int64{{n, -1}, {-1, -1}, {-1, n}, {n, n}} {
				if out, fault := c.inflate(t.Context(), in, size[0], size[1]); fault != nil || !bytes.Equal(out, raw) {
					t.Errorf("want %d, max %d: %d bytes, %v", size[0], size[1], len(out), fault)
				}
			}
			out, fault := c.inflate(t.Context(), in, -1, 1000)
			if fault == nil || !bytes.Equal(out, raw[:len(out)]) || len(out) > 1000 || !strings.Contains(fault.Reason, "limit for inflated data") {
				t.Errorf("over the limit: %d bytes, %v", len(out), fault)
			}
			out, fault = c.inflate(t.Context(), in, 1000, -1)
			if fault == nil || !bytes.Equal(out, raw[:len(out)]) || !strings.Contains(fault.Reason, "expected size") {
				t.Errorf("over the expected size: %d bytes, %v", len(out), fault)
			}
			out, fault = c.inflate(t.Context(), in, n+5, -1)
			if fault == nil || !bytes.Equal(out, raw) || fault.Out != n {
				t.Errorf("short of the expected size: %d bytes, %v", len(out), fault)
			}
			for range 60 {
				cut := r.IntN(len(in))
				out, fault := c.inflate(t.Context(), in[:cut], n, -1)
				if fault == nil || !bytes.HasPrefix(raw, out) || fault.Out != int64(len(out)) {
					t.Fatalf("cut at %d of %d: %d bytes, %v", cut, len(in), len(out), fault)
				}
				// An LZ4 block that is cut after literals is a block.
				if cut > 0 && c.name != "LZ4" && !errors.Is(fault, io.ErrUnexpectedEOF) {
					t.Fatalf("cut at %d of %d: %v is not a truncation", cut, len(in), fault)
				}
				if 2*cut > len(in)+2*(150<<10) && len(out) == 0 {
					t.Fatalf("cut at %d of %d: nothing was kept", cut, len(in))
				}
			}
			for range 60 {
				bad := bytes.Clone(in)
				at := r.IntN(len(in))
				bad[at] ^= 1 << r.IntN(8)
				out, fault := c.inflate(t.Context(), bad, n, -1)
				if int64(len(out)) > n || fault != nil && (fault.Out != int64(len(out)) || fault.In < 0 || fault.In > int64(len(in))) {
					t.Fatalf("flipped at %d: %d bytes, %+v", at, len(out), fault)
				}
			}
			if _, fault := c.inflate(t.Context(), []byte("no such thing, by far no such thing"), 10, -1); fault == nil {
				t.Error("nonsense was decoded")
			}
			if c.name != "LZ4" && c.name != "zstd" {
				if _, fault := c.inflate(t.Context(), nil, -1, -1); fault == nil {
					t.Error("nothing was decoded")
				}
			}
		})
	}
}

// TestChecksums breaks the checksum at the end of each codec that has one.
func TestChecksums(t *testing.T) {
	raw := noise(3000)
	for i, fromEnd := range map[int]int{1: 2, 2: 2, 3: 6, 4: 2} {
		c := codecs[i]
		in := c.deflate(t, raw)
		in[len(in)-fromEnd] ^= 1
		for _, want := range []int64{3000, -1} {
			out, fault := c.inflate(t.Context(), in, want, -1)
			if fault == nil || fault.Err != nil || fault.In < int64(len(in)-8) || !bytes.HasPrefix(raw, out) {
				t.Errorf("%s, want %d: %d bytes, %v", c.name, want, len(out), fault)
			}
		}
	}
}

func TestTrailingBytes(t *testing.T) {
	raw := noise(3000)
	for _, c := range codecs[1:] {
		in := c.deflate(t, raw)
		out, fault := c.inflate(t.Context(), append(in, "trailing"...), 3000, -1)
		if fault == nil || !bytes.Equal(out, raw) || fault.In < int64(len(in)) {
			t.Errorf("%s: %d bytes of %d, %v", c.name, len(out), len(in), fault)
		}
	}
}

// TestBombs checks that claims take no memory.
func TestBombs(t *testing.T) {
	const claim = 1 << 40
	window := []byte{0x28, 0xB5, 0x2F, 0xFD, 0xC0, 17 << 3, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0} // 128 MiB window, 2^40 bytes
	single := []byte{0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0}
	frame := []byte{4, 0x22, 0x4D, 0x18, 0x68, 0x70, 0, 0, 0, 0, 0, 1, 0, 0}
	frame = append(frame, byte(xxh32(frame[4:])>>8), 2, 0, 0, 0, 0x10, 'a', 0, 0, 0, 0)
	for name, run := range map[string]func() *Fault{
		"LZ4":         func() *Fault { _, f := inflateLZ4(t.Context(), []byte{0x10, 'a'}, claim, -1); return f },
		"LZ4 frame":   func() *Fault { _, f := inflateLZ4Frame(t.Context(), frame, claim, -1); return f },
		"zstd window": func() *Fault { _, f := inflateZstd(t.Context(), window, claim, -1); return f },
		"zstd single": func() *Fault { _, f := inflateZstd(t.Context(), single, claim, -1); return f },
		"deflate":     func() *Fault { _, f := inflateDeflate(t.Context(), []byte{1, 0, 0, 255, 255}, claim, -1); return f },
		"cached": func() *Fault {
			one := make([]byte, 1)
			_, err := Cached(200<<20, func(_ context.Context, _ io.Writer) error { return io.EOF }).ReadAt(t.Context(), one, 0)
			return &Fault{Err: err}
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		fault := run()
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; fault == nil || took > 4<<20 {
			t.Errorf("%s took %d bytes of memory: %v", name, took, fault)
		}
	}
}

func TestZstdFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	first, second := sample(r, 200_000), sample(r, 3000)
	stream := codecs[2].deflate(t, first) // written as a stream: no content size
	z, _ := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
	whole := z.EncodeAll(second, nil)
	skip := []byte{0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3}
	in := append(append(append(bytes.Clone(stream), skip...), whole...), stream...)
	raw := append(append(bytes.Clone(first), second...), first...)
	if out, fault := inflateZstd(t.Context(), in, int64(len(raw)), -1); fault != nil || !bytes.Equal(out, raw) {
		t.Fatal(len(out), fault)
	}
	if size, ok := ZstdContentSize(whole); !ok || size != 3000 {
		t.Errorf("content size %d, %t", size, ok)
	}
	if _, ok := ZstdContentSize(stream); ok {
		t.Error("a content size where there is none")
	}
	span := blockSpan(in)
	frames, fault := ZstdFrames(in)
	if fault != nil || len(frames) != 4 {
		t.Fatal(frames, fault)
	}
	ends := []int64{0, 200_000, 200_000, 203_000, 403_000}
	var units []Unit
	for i, f := range frames {
		units = append(units, Unit{In: span.Source.Span(span.Off+f.At, f.End-f.At), Out: ends[i], OutLen: ends[i+1] - ends[i]})
	}
	m := NewFrameMapping(units...)
	pieces, err := m.From(context.Background(), 199_999, 2)
	if err != nil || len(pieces) != 2 || pieces[1].In[0].Off != 6+int64(len(stream)+len(skip)) || pieces[0].Kind != "frame" {
		t.Errorf("%+v %v", pieces, err)
	}
	back, err := m.To(context.Background(), 6+int64(len(stream)+len(skip)), 1)
	if err != nil || len(back) != 1 || back[0] != (model.OutputRange{Off: 200_000, Len: 3000}) {
		t.Errorf("%+v %v", back, err)
	}
	// A broken block is found by its place, and the frames before it are kept.
	bad := bytes.Clone(in)
	second2 := len(stream) + len(skip)
	bad[second2+9] |= 6 // the type bits of its first block
	out, fault := inflateZstd(t.Context(), bad, int64(len(raw)), -1)
	if fault == nil || !bytes.Equal(out, first) || fault.In < int64(second2) || fault.In > int64(second2+9) {
		t.Errorf("%d bytes, %+v; frame at %d", len(out), fault, second2)
	}
}

func TestStoredMapping(t *testing.T) {
	file := model.NewFileSource("t", model.BytesReader(noise(100)))
	raw := append(noise(100)[50:60], noise(100)[10:40]...)
	m := NewStoredMapping(file.Span(50, 10), file.Span(10, 30))
	checkMapping(t, m, file, raw, 0, 40)
	checkMapping(t, m, file, raw, 5, 20)
}

// corpusFrames are compressed payloads of real recordings.
func TestCorpusFrames(t *testing.T) {
	files, _ := filepath.Glob("../../shared/corpus/vrs/*.vrs")
	if len(files) == 0 {
		t.Skip("no ../shared")
	}
	frames := 0
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at+8 < len(b) && frames < 400; at++ {
			if string(b[at:at+4]) == "\x04\x22\x4D\x18" {
				want, err := io.ReadAll(io.LimitReader(lz4.NewReader(bytes.NewReader(b[at:])), 1<<24))
				out, fault := inflateLZ4Frame(t.Context(), b[at:], -1, 1<<24)
				if err == nil && !bytes.Equal(out, want) {
					t.Errorf("%s at %#x: %d bytes, pierrec gives %d (%v)", path, at, len(out), len(want), fault)
				}
				frames++
			}
		}
	}
	t.Log(frames, "LZ4 frames")
}
