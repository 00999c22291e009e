package coding

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cutaway/internal/handgen"
	"cutaway/model"
)

// codeInts is the integer coding (5.3) of ints with the given common delta.
func codeInts(width int, common int64, ints []int64) []byte {
	var b bytes.Buffer
	var d [8]byte
	binary.LittleEndian.PutUint64(d[:], uint64(common))
	b.Write(d[:width])
	codes := make([]byte, (len(ints)+3)/4)
	var deltas []byte
	prev := int64(0)
	for i, v := range ints {
		delta := v - prev
		if width == 4 {
			delta = int64(int32(delta))
		}
		prev = v
		code := codeOf(width, common, delta)
		codes[i/4] |= code << (2 * (i % 4))
		binary.LittleEndian.PutUint64(d[:], uint64(delta))
		deltas = append(deltas, d[:deltaSize(code, int64(width))]...)
	}
	b.Write(codes)
	b.Write(deltas)
	return b.Bytes()
}

func codeOf(width int, common, delta int64) uint8 {
	if delta == common {
		return 0
	}
	for code := uint8(1); code < 3; code++ {
		if bits := 8 * deltaSize(code, int64(width)); delta >= -1<<(bits-1) && delta < 1<<(bits-1) {
			return code
		}
	}
	return 3
}

// listOf scans coded integers that are all the bytes of a source.
func listOf(t testing.TB, b []byte, n, width int64) *List {
	t.Helper()
	l := newIntList(model.NewFileSource("ints", model.BytesReader(b)), n, width)
	if err := l.scan(context.Background(), nil, 0); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestIntegerCoding is the small check of 5.3.
func TestIntegerCoding(t *testing.T) {
	b := []byte{1, 0, 0, 0, 0xC1, 0x11, 0x7B, 0xA0, 0x86, 1, 0, 0, 0}
	want := []int64{123, 124, 125, 100125, 100125, 100126, 100126}
	if coded := codeInts(4, 1, want); !bytes.Equal(coded, b) {
		t.Errorf("the test's own coder gives % x", coded)
	}
	l := listOf(t, b, 7, 4)
	got := make([]int64, 10)
	if n, _ := l.Read(t.Context(), 0, got); n != 7 || !slices.Equal(got[:n], want) {
		t.Errorf("read %v", got[:n])
	}
	if l.used != int64(len(b)) || len(l.Problems) > 0 {
		t.Errorf("used %d, problems %v", l.used, l.Problems)
	}
}

// TestIntegersAnywhere compares each way to an integer with the others, over lists longer than a checkpoint.
func TestIntegersAnywhere(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int64{4, 8} {
		for _, n := range []int64{1, 4, 1023, 1024, 1025, 5003} {
			ints := make([]int64, n)
			for i := range ints {
				ints[i] = rnd.Int64() >> rnd.IntN(64)
				if width == 4 {
					ints[i] = int64(int32(ints[i]))
				}
			}
			checkIntegers(t, listOf(t, codeInts(int(width), 7, ints), n, width), ints)
		}
	}
}

func checkIntegers(t *testing.T, l *List, want []int64) {
	t.Helper()
	if l.Good != int64(len(want)) || len(l.Problems) > 0 {
		t.Fatalf("%d of %d integers: %v", l.Good, len(want), l.Problems)
	}
	all := make([]int64, len(want))
	if n, _ := l.Read(t.Context(), 0, all); n != len(want) || !slices.Equal(all, want) {
		t.Fatalf("read %d other integers", n)
	}
	end := l.deltas
	for i := range int64(len(want)) {
		w := l.walk(i/markEvery, 1)
		if !w.forward(t.Context(), i+1) || w.prev != want[i] {
			t.Fatalf("integer %d is %d, want %d", i, w.prev, want[i])
		}
		spans := l.Spans(t.Context(), i)
		if walked := int64(len(spans)-1) * spans[len(spans)-1].Len; walked != w.size {
			t.Fatalf("integer %d: spans %v, walked over a delta of %d bytes", i, spans, w.size)
		}
		if found, ok := l.Find(t.Context(), spans[0].Off); !ok || found != i-i%4 {
			t.Fatalf("the codes at %d are found as integer %d", spans[0].Off, found)
		}
		if len(spans) == 1 {
			continue
		}
		delta := spans[1]
		if found, ok := l.Find(t.Context(), delta.End()-1); delta.Off != end || !ok || found != i {
			t.Fatalf("the delta of integer %d is at %v, want %d; it is found as that of %d", i, delta, end, found)
		}
		end = delta.End()
	}
	if end != l.used {
		t.Errorf("deltas end at %d, used are %d", end, l.used)
	}
}

// TestIntegersRun holds integers that are decoded four at a time against single ones, over any bytes, from any integer on.
func TestIntegersRun(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		width, n := 4+4*rnd.Int64N(2), 1+rnd.Int64N(200)
		b := make([]byte, width+(n+3)/4+rnd.Int64N(n*width))
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		l := newIntList(model.NewFileSource("ints", model.BytesReader(b)), n, width)
		single, run := l.walk(0, n), l.walk(0, n)
		first := rnd.Int64N(n)
		single.forward(t.Context(), first)
		run.forward(t.Context(), first)
		got := make([]int64, n-run.i)
		for k, v := range got[:run.run(t.Context(), got)] {
			if !single.next(t.Context()) || v != single.prev {
				t.Fatalf("%d integers of %d bytes: integer %d is %d, want %d", n, width, first+int64(k), v, single.prev)
			}
		}
		if single.i != run.i || single.delta != run.delta || single.i < n && single.next(t.Context()) {
			t.Fatalf("a run ends at integer %d and offset %d, single ones at %d and %d", run.i, run.delta, single.i, single.delta)
		}
	}
}

// BenchmarkIntegers decodes a million integers at once and one after the other, and reports the ratio.
func BenchmarkIntegers(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	ints := make([]int64, 1<<20)
	for i := range ints {
		ints[i] = int64(i) + rnd.Int64N(300)
	}
	l := listOf(b, codeInts(4, 7, ints), int64(len(ints)), 4)
	var runs, singles time.Duration
	for b.Loop() {
		begin := time.Now()
		if n, err := l.Read(b.Context(), 0, ints); n != len(ints) || err != nil {
			b.Fatal(n, err)
		}
		runs += time.Since(begin)
		begin = time.Now()
		if w := l.walk(0, l.n); !w.forward(b.Context(), l.n) {
			b.Fatal(w.err)
		}
		singles += time.Since(begin)
	}
	b.ReportMetric(runs.Seconds()*1e9/float64(b.N)/float64(len(ints)), "ns/integer")
	b.ReportMetric(runs.Seconds()/singles.Seconds(), "x-single")
}

func TestIntegersDamaged(t *testing.T) {
	sound := codeInts(4, 1, []int64{123, 124, 125, 100125, 100125})
	for _, test := range []struct {
		name  string
		bytes []byte
		n     int64
		good  int64
		rule  string
		at    int64
		kind  model.Kind
	}{
		{"no codes", sound[:5], 5, 0, "usdc.integers.truncated", 5, model.Truncated},
		{"no first delta", sound[:6], 5, 0, "usdc.integers.truncated", 6, model.Truncated},
		{"half a delta", sound[:9], 5, 3, "usdc.integers.truncated", 7, model.Truncated},
		{"unused bits", append([]byte{1, 0, 0, 0, 0xC1, 0x0D}, sound[6:]...), 5, 5, "usdc.integers.unused-bits", 5, model.Suspicious},
	} {
		l := listOf(t, test.bytes, test.n, 4)
		if l.Good != test.good || len(l.Problems) != 1 {
			t.Errorf("%s: %d good integers, problems %v", test.name, l.Good, l.Problems)
			continue
		}
		if p := l.Problems[0]; p.Rule != test.rule || p.Span.Off != test.at || p.Kind != test.kind {
			t.Errorf("%s: %s at %s", test.name, p.Rule, p.Span)
		}
	}
}

func TestCodedMax(t *testing.T) {
	if got := codedMax(5, 8); got != 8+2+40 {
		t.Errorf("codedMax(5, 8) = %d", got)
	}
	if got := codedMax(math.MaxInt64, 8); got != -1 {
		t.Errorf("codedMax of too many = %d", got)
	}
}

// TestUnreadIntegers: of integers that can no longer be read there are no values, such as those of others before them.
func TestUnreadIntegers(t *testing.T) {
	want := make([]int64, 3*markEvery)
	for i := range want {
		want[i] = int64(i * i % 100_003)
	}
	file := &handgen.Gone{Reader: model.BytesReader(codeInts(4, 1, want))}
	l := newIntList(model.NewFileSource("ints", file), int64(len(want)), 4)
	if err := l.scan(t.Context(), nil, 0); err != nil || l.Good != int64(len(want)) {
		t.Fatal(l.Good, err)
	}
	i := int64(markEvery + 3)
	if v, err := l.Integer(t.Context(), i); err != nil || v != want[i] {
		t.Errorf("%d, %v", v, err)
	}
	file.Gone = true
	if v, err := l.Integer(t.Context(), i); err == nil {
		t.Errorf("an integer that cannot be read is %d", v)
	}
	for _, i := range []int64{0, 1, i} {
		n := l.Element(t.Context(), i, func(context.Context, int64, int64, *model.Node) { t.Errorf("integer %d is told of", i) })
		if n.Value != nil || len(n.Problems) != 1 || len(n.Spans) == 0 {
			t.Errorf("the node of integer %d: %+v", i, n)
		}
	}
	if n, err := l.Read(t.Context(), i, make([]int64, 5)); n != 0 || err == nil {
		t.Errorf("%d read, %v", n, err)
	}
}
