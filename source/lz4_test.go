package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"cutaway/model"

	"github.com/pierrec/lz4/v4"
)

// sample is n bytes that compress into literals and matches of many lengths.
func sample(r *rand.Rand, n int) []byte {
	b := make([]byte, 0, n+70000)
	for len(b) < n {
		switch r.IntN(4) {
		case 0:
			for range r.IntN(300) {
				b = append(b, byte(r.Uint32()))
			}
		case 1:
			b = append(b, bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(600))...)
		default:
			if len(b) > 0 {
				from := r.IntN(len(b))
				b = append(b, b[from:min(len(b), from+r.IntN(400))]...)
			}
		}
	}
	return b[:n]
}

func compressLZ4(t testing.TB, raw []byte) []byte {
	t.Helper()
	out := make([]byte, lz4.CompressBlockBound(len(raw)))
	var c lz4.Compressor
	n, err := c.CompressBlock(raw, out)
	if err != nil {
		t.Fatal(err)
	}
	return out[:n]
}

var lz4Sizes = []int{1, 5, 13, 100, 1000, 70_000, 500_000}

func TestInflateLZ4(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range lz4Sizes {
		raw := sample(r, n)
		in := compressLZ4(t, raw)
		for _, want := range []int64{int64(n), -1} {
			out, fault := inflateLZ4(t.Context(), in, want, -1)
			if fault != nil || !bytes.Equal(out, raw) {
				t.Fatalf("%d bytes, want %d: fault %v, %d bytes", n, want, fault, len(out))
			}
		}
	}
	if out, fault := inflateLZ4(t.Context(), nil, 0, -1); fault != nil || len(out) != 0 {
		t.Errorf("empty: %d bytes, %v", len(out), fault)
	}
}

// derived makes the block a span somewhere inside a source.
func blockSpan(in []byte) model.Span {
	file := append(append([]byte("before"), in...), "behind"...)
	return model.NewFileSource("t", model.BytesReader(file)).Span(6, int64(len(in)))
}

func TestLZ4MappingFrom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range lz4Sizes {
		raw := sample(r, n)
		span := blockSpan(compressLZ4(t, raw))
		m := NewLZ4Mapping([]LZ4Block{{In: span, OutLen: int64(n)}})
		checkMapping(t, m, span.Source, raw, 0, int64(n))
		for range 50 {
			off := r.Int64N(int64(n))
			checkMapping(t, m, span.Source, raw, off, 1+r.Int64N(min(300, int64(n)-off)))
		}
	}
}

// checkMapping checks that the pieces of [off, off+length) tile it, that literals equal their input and matches what
// they were copied from, and that every piece's input leads back to it.
func checkMapping(t *testing.T, m model.Mapping, src *model.Source, raw []byte, off, length int64) {
	t.Helper()
	ctx := context.Background()
	pieces, err := m.From(ctx, off, length)
	if err != nil {
		t.Fatal(err)
	}
	at := off
	for _, p := range pieces {
		if p.Off != at || p.Len <= 0 {
			t.Fatalf("piece at %d+%d, but %d was due", p.Off, p.Len, at)
		}
		at += p.Len
		switch p.Kind {
		case "literal", "stored":
			got, err := src.Bytes(t.Context(), p.In[0].Off, p.In[0].Len)
			if err != nil || !bytes.Equal(got, raw[p.Off:p.Off+p.Len]) {
				t.Fatalf("%s at %d differs from its input: %v", p.Kind, p.Off, err)
			}
		case "match":
			for k := range p.Len {
				if raw[p.Off+k] != raw[p.CopyFrom+k] {
					t.Fatalf("match at %d differs from what it copies at %d", p.Off, p.CopyFrom)
				}
			}
		default:
			t.Fatalf("piece of kind %q", p.Kind)
		}
		if length > 1000 && p.Off%97 != 0 {
			continue
		}
		for _, in := range p.In {
			back, err := m.To(ctx, in.Off, in.Len)
			if err != nil || len(back) != 1 || back[0].Off > p.Off || back[0].Off+back[0].Len < p.Off+p.Len {
				t.Fatalf("input %v of %s %d+%d leads back to %v (%v)", in, p.Kind, p.Off, p.Len, back, err)
			}
			if p.Kind != "match" && back[0] != (model.OutputRange{Off: p.Off, Len: p.Len}) {
				t.Fatalf("%s %d+%d leads back to %v", p.Kind, p.Off, p.Len, back)
			}
		}
	}
	if at != off+length {
		t.Fatalf("pieces end at %d, not %d", at, off+length)
	}
}

func TestLZ4Nodes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	raw := sample(r, 300_000)
	span := blockSpan(compressLZ4(t, raw))
	var want []Sequence
	in, _ := span.Source.Bytes(t.Context(), span.Off, span.Len)
	if fault := walkLZ4(t.Context(), in, -1, func(s Sequence) bool { want = append(want, s); return true }); fault != nil {
		t.Fatal(fault)
	}
	c := LZ4Sequences(LZ4Block{In: span, OutLen: int64(len(raw))}, "t.lz4").(*model.Lazy)
	if err := c.Resolve(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	n, exact := c.Len(t.Context())
	if n != int64(len(want)) || !exact {
		t.Fatalf("%d sequences, %t, want %d", n, exact, len(want))
	}
	for range 200 {
		i := r.Int64N(n)
		node := c.At(t.Context(), i)
		if node.Span() != span.Source.Span(span.Off+want[i].Token, want[i].End-want[i].Token) {
			t.Fatalf("%s at %v", node.Name, node.Span())
		}
		checkTiles(t, &node)
		off := node.Span().Off + r.Int64N(node.Span().Len)
		if got, ok := model.Locate(t.Context(), c, span.Source, off); !ok || got != i {
			t.Fatalf("byte %d lies in %d (%t), want %d", off, got, ok, i)
		}
	}
}

// checkTiles checks that the children of a node tile it.
func checkTiles(t *testing.T, n *model.Node) {
	t.Helper()
	at := n.Span().Off
	count, _ := n.Children.Len(t.Context())
	for i := range count {
		child := n.Children.At(t.Context(), i)
		if child.Span().Off != at {
			t.Fatalf("%s/%s at %v, want %d", n.Name, child.Name, child.Span(), at)
		}
		at = child.Span().End()
	}
	if at != n.Span().End() {
		t.Fatalf("the children of %s end at %d, not %d", n.Name, at, n.Span().End())
	}
}

func compressFrame(t testing.TB, raw []byte, opts ...lz4.Option) []byte {
	t.Helper()
	var b bytes.Buffer
	w := lz4.NewWriter(&b)
	if err := w.Apply(opts...); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestInflateLZ4Frame(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	raw := sample(r, 300_000)
	for _, n := range []int{0, 1, 1000, 65536, 65537, 300_000} {
		for _, block := range []bool{false, true} {
			in := compressFrame(t, raw[:n], lz4.BlockSizeOption(lz4.Block64Kb), lz4.BlockChecksumOption(block), lz4.SizeOption(uint64(n)))
			out, fault := inflateLZ4Frame(t.Context(), in, int64(n), -1)
			if fault != nil || !bytes.Equal(out, raw[:n]) {
				t.Fatalf("%d bytes: %v, %d", n, fault, len(out))
			}
			oracle, err := io.ReadAll(lz4.NewReader(bytes.NewReader(in)))
			if err != nil || !bytes.Equal(out, oracle) {
				t.Fatal("differs from pierrec's reader", err)
			}
			span := blockSpan(in)
			blocks, err := LZ4FrameBlocks(t.Context(), span, int64(n), -1)
			if err != nil {
				t.Fatal(err)
			}
			if n > 0 {
				checkMapping(t, NewLZ4Mapping(blocks), span.Source, raw[:n], 0, int64(n))
			}
		}
	}
}

// limitedWriter fails once it has taken n bytes.
type limitedWriter struct{ n int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.n -= len(p); w.n < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func wholeOf(b []byte) model.Span {
	return model.NewFileSource("block", model.BytesReader(b)).Whole()
}

func TestCopyLZ4(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	ctx := context.Background()
	raw := append(sample(r, 3<<20), make([]byte, 3<<20)...) // the zeros are one sequence
	raw = append(raw, sample(r, 2<<20)...)
	sound := compressLZ4(t, raw)
	broken := bytes.Clone(sound)
	_ = walkLZ4(t.Context(), sound, -1, func(s Sequence) bool {
		if s.Out < 7<<20 {
			return true
		}
		broken[s.OffsetAt], broken[s.OffsetAt+1] = 0, 0
		return false
	})
	for name, in := range map[string][]byte{"sound": sound, "cut": sound[:len(sound)*3/4], "broken": broken, "small": sound[:100]} {
		for _, want := range []int64{int64(len(raw)), -1, 2 << 20} {
			out, fault := inflateLZ4(t.Context(), in, want, -1)
			var b bytes.Buffer
			err := CopyLZ4(ctx, &b, wholeOf(in), want, -1)
			if !bytes.Equal(b.Bytes(), out) {
				t.Errorf("%s, want %d: %d bytes, not %d", name, want, b.Len(), len(out))
			}
			var got *Fault
			if errors.As(err, &got) != (fault != nil) || fault != nil && *got != *fault {
				t.Errorf("%s, want %d: %v, not %v", name, want, err, fault)
			}
		}
	}
	if err := CopyLZ4(ctx, &limitedWriter{2 << 20}, wholeOf(sound), -1, -1); err != io.ErrShortWrite {
		t.Error("a writer that fails:", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := CopyLZ4(ended, io.Discard, wholeOf(sound), -1, -1); err != context.Canceled {
		t.Error("cancelled:", err)
	}
}

// The codecs between bytes in memory.
var (
	inflateLZ4      = InMemory(CopyLZ4)
	inflateLZ4Frame = InMemory(CopyLZ4Frame)
	inflateZstd     = InMemory(CopyZstd)
	inflateZlib     = InMemory(CopyZlib)
	inflateDeflate  = InMemory(CopyDeflate)
)

// walkLZ4 visits the sequences of an LZ4 block in order until visit returns false, and returns the fault that ends
// the block, if it meets one. It copies nothing. limit is the most output that the block may make; -1: any.
func walkLZ4(ctx context.Context, in []byte, limit int64, visit func(Sequence) bool) *Fault {
	w := newWalker(in, outputLimit{limit, expectedSize})
	var s Sequence
	for !w.done {
		if fault := w.next(ctx, &s); fault != nil {
			return fault
		}
		if !visit(s) {
			return nil
		}
	}
	return nil
}
