package source

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"cutaway/model"
)

// manySequences is a block of more than 30 checkpoints, with a counter below its source.
func manySequences(t *testing.T) (raw []byte, span model.Span, reads *Counter) {
	t.Helper()
	r := rand.New(rand.NewPCG(31, 32))
	words := sample(r, 1000)
	for len(raw) < 1<<20 {
		from := r.IntN(990)
		raw = append(append(raw, words[from:from+10]...), byte(r.Uint32()), byte(r.Uint32()))
	}
	in := compressLZ4(t, raw)
	sequences := 0
	if fault := walkLZ4(t.Context(), in, -1, func(Sequence) bool { sequences++; return true }); fault != nil {
		t.Fatal(fault)
	}
	if sequences < 30*sequencesPerCheckpoint {
		t.Fatalf("only %d sequences", sequences)
	}
	reads = NewCounter(model.BytesReader(in))
	return raw, model.NewFileSource("t", reads).Whole(), reads
}

func TestLZ4MappingIsLazy(t *testing.T) {
	raw, span, reads := manySequences(t)
	size := int64(len(raw))
	m := NewLZ4Mapping([]LZ4Block{{In: span, OutLen: size}})
	ctx := context.Background()
	look := func(what string, off, most int64) {
		t.Helper()
		reads.Reset()
		pieces, err := m.From(ctx, off, 16)
		if err != nil || len(pieces) == 0 {
			t.Fatal(what, pieces, err)
		}
		if reads.Bytes() > most {
			t.Errorf("%s read %d of %d bytes", what, reads.Bytes(), span.Len)
		}
	}
	look("the first bytes", 0, indexWindow+lookupWindow)
	look("the last bytes, at first,", size-16, span.Len+32<<10)
	for range 50 {
		look("a lookup later", rand.Int64N(size-16), 32<<10)
	}
	for range 20 {
		off := rand.Int64N(span.Len)
		reads.Reset()
		back, err := m.To(ctx, off, 1)
		if err != nil || len(back) != 1 || reads.Bytes() > 32<<10 {
			t.Fatalf("input byte %d made %v (%v), reading %d bytes", off, back, err, reads.Bytes())
		}
	}
	for range 20 {
		checkMapping(t, m, span.Source, raw, rand.Int64N(size-2000), 1500)
	}
}

func TestLZ4MappingCancel(t *testing.T) {
	raw, span, reads := manySequences(t)
	m := NewLZ4Mapping([]LZ4Block{{In: span, OutLen: int64(len(raw))}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 10 {
		if _, err := m.From(ctx, int64(len(raw))-1, 1); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if reads.Bytes() > span.Len {
		t.Errorf("%d bytes of %d were read by cancelled lookups", reads.Bytes(), span.Len)
	}
	checkMapping(t, m, span.Source, raw, int64(len(raw))-100, 100)
}

func TestLZ4SequencesAreLazy(t *testing.T) {
	raw, span, reads := manySequences(t)
	c := LZ4Sequences(LZ4Block{In: span, OutLen: int64(len(raw))}, "t.lz4").(model.Pending)
	if n, exact := c.Len(t.Context()); n != 0 || exact || !c.Pending() || reads.Bytes() != 0 {
		t.Fatalf("%d sequences, %t, after reading %d bytes", n, exact, reads.Bytes())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Resolve(ctx, nil); !errors.Is(err, context.Canceled) || !c.Pending() {
		t.Fatal("cancelled:", err)
	}
	var last int64
	if err := c.Resolve(context.Background(), func(done, total int64, _ string) {
		if done < last || total != span.Len {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}); err != nil || last == 0 {
		t.Fatal(last, err)
	}
	reads.Reset()
	made := model.NodesMade()
	n, _ := c.Len(t.Context())
	for i := range int64(50) {
		c.At(t.Context(), n/2+i)
	}
	if reads.Bytes() > 64<<10 || model.NodesMade()-made > 50*10 {
		t.Errorf("50 rows read %d bytes and made %d nodes", reads.Bytes(), model.NodesMade()-made)
	}
	// Any order gives the same nodes as the walk.
	in, _ := span.Source.Bytes(t.Context(), 0, span.Len)
	var want []Sequence
	if fault := walkLZ4(t.Context(), in, -1, func(s Sequence) bool { want = append(want, s); return true }); fault != nil {
		t.Fatal(fault)
	}
	for range 300 {
		i := rand.Int64N(n)
		for k := i; k < min(n, i+3); k++ {
			if node := c.At(t.Context(), k); node.Span().Off != want[k].Token || node.Span().End() != want[k].End || node.Brief != want[k].brief() {
				t.Fatalf("%s at %v (%s), want %+v", node.Name, node.Span(), node.Brief, want[k])
			}
		}
	}
}

// TestLZ4SequenceFields looks at every field of known bytes.
func TestLZ4SequenceFields(t *testing.T) {
	in := append([]byte{0xFF, 1}, bytes.Repeat([]byte{'x'}, 16)...)
	in = append(in, 8, 0, 2, 0x10, 'y')
	span := blockSpan(in)
	c := LZ4Sequences(LZ4Block{In: span, OutLen: -1}, "t.lz4").(model.Pending)
	if err := c.Resolve(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	first := c.At(t.Context(), 0)
	if n, _ := c.Len(t.Context()); n != 2 || first.Brief != "16 literals, match 21 from -8" {
		t.Fatalf("%d sequences, the first %q", n, first.Brief)
	}
	want := []struct {
		name, value string
		length      int64
	}{{"token", "255", 1}, {"literal length", "+1", 1}, {"literals", "", 16}, {"offset", "8", 2}, {"match length", "+2", 1}}
	if n, _ := first.Children.Len(t.Context()); n != int64(len(want)) {
		t.Fatalf("%d fields", n)
	}
	for i, w := range want {
		f := first.Children.At(t.Context(), int64(i))
		shown := f.Brief
		if _, blob := f.Value.(model.Blob); !blob && f.Value != nil {
			shown = model.Show(t.Context(), f.Value, 50)
		}
		if f.Name != w.name || f.Span().Len != w.length || shown != w.value {
			t.Errorf("field %d: %s %q of %d bytes, want %+v", i, f.Name, shown, f.Span().Len, w)
		}
	}
	token := first.Children.At(t.Context(), 0)
	for i, mask := range []uint64{0x0F, 0xF0} {
		bits := token.Children.At(t.Context(), int64(i))
		if bits.Span().Mask != mask || model.Show(t.Context(), bits.Value, 9) != "15" {
			t.Errorf("%s has mask %#x and value %v", bits.Name, bits.Span().Mask, bits.Value)
		}
	}
	if last := c.At(t.Context(), 1); last.Brief != "1 literal" {
		t.Errorf("the last is %q", last.Brief)
	}
}
