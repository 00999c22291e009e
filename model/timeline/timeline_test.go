package timeline

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cutaway/model"
)

func track(times ...float64) *model.Track {
	return &model.Track{Name: "t", Path: "view/t", Count: int64(len(times)), Read: func(_ context.Context, first int64, dst []model.Moment) (int, error) {
		n := copy(dst, make([]model.Moment, min(len(dst), len(times)-int(first))))
		for i := range n {
			dst[i] = model.Moment{Time: times[int(first)+i], Index: first + int64(i)}
		}
		return n, nil
	}}
}

func TestOf(t *testing.T) {
	f, err := Of(t.Context(), track(0, 1, 2, 5, 4, 6, math.NaN(), 9))
	if err != nil {
		t.Fatal(err)
	}
	if f.First != 0 || f.Last != 9 || f.Median != 1 {
		t.Errorf("from %g to %g, every %g", f.First, f.Last, f.Median)
	}
	if want := []Gap{{2, 4, "view/t/[4]"}, {6, 9, "view/t/[7]"}}; !slices.Equal(f.Gaps, want) {
		t.Errorf("gaps %v, want %v", f.Gaps, want)
	}
	if want := []Gap{{5, 4, "view/t/[4]"}}; !slices.Equal(f.Unordered, want) {
		t.Errorf("out of order %v, want %v", f.Unordered, want)
	}
	for unit, want := range map[string][]string{"": {"2 long, from 2 to 4", "3 long, from 6 to 9", "4 after 5"}, "s": {"2 s long, from 2 s to 4 s", "3 s long, from 6 s to 9 s", "4 s after 5 s"}} {
		f.Track.Unit = unit
		var got []string
		for _, one := range f.Findings() {
			got = append(got, one.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("in %q: told %q, want %q", unit, got, want)
		}
	}
	for _, few := range []*model.Track{track(), track(3)} {
		if f, err := Of(t.Context(), few); err != nil || f.Median == f.Median || len(f.Gaps) > 0 {
			t.Errorf("%d moments: %+v, %v", few.Count, f, err)
		}
	}
}

func TestCounter(t *testing.T) {
	for _, c := range []struct {
		values []int64
		want   []jumpAt
	}{
		{[]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14}, []jumpAt{{model.Int(9), model.Int(12), 9}}},
		{[]int64{1, 2, 9, 10, 11, 12}, []jumpAt{{model.Int(2), model.Int(9), 2}}},
		{[]int64{10, 20, 30, 40, 50}, nil},
		{[]int64{5, 5, 5, 5, 5, 5}, nil},
		{[]int64{3, 9, 4, 1, 7, 7, 2}, nil},
		{[]int64{1, 2, 3}, nil},
	} {
		var x counter
		for i, v := range c.values {
			x.next(model.Int(v), int64(i))
		}
		if got := x.jumps(); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}

// TestCounterKinds: what is a jump does not depend on how large the numbers are, and steps that spread are no jumps.
func TestCounterKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const n = 500
	for name, c := range map[string]struct {
		step func(i int) int64 // from value i to the next
		want []int64           // the rows after jumps
	}{
		"a counter":                     {func(int) int64 { return 1 }, nil},
		"one that is lost":              {func(i int) int64 { return 1 + b2i(i == 24) }, []int64{25}},
		"one that comes twice":          {func(i int) int64 { return 1 - b2i(i == 24) }, []int64{25}},
		"a third of a second, rounded":  {func(i int) int64 { return 33_333_333 + b2i(i%3 == 2) }, nil},
		"milliseconds, rounded":         {func(i int) int64 { return 33 + b2i(i%3 == 2) }, nil},
		"and a frame that is lost":      {func(i int) int64 { return (33 + b2i(i%3 == 2)) * (1 + b2i(i == 99)) }, []int64{100}},
		"a clock that is set":           {func(i int) int64 { return 10_000_000 + 4000*b2i(i%20 == 3) }, nil},
		"jitter":                        {func(int) int64 { return 10_000_000 + r.Int64N(1_000_000) }, nil},
		"jitter, and ten frames lost":   {func(i int) int64 { return 10_000_000 + r.Int64N(1_000_000) + 10_000_000*b2i(i%50 == 7) }, []int64{8, 58, 108, 158, 208, 258, 308, 358, 408, 458}},
		"a clock that is put back":      {func(i int) int64 { return 10_000_000 - 500_000_000*b2i(i == 300) }, []int64{301}},
		"what is measured":              {func(int) int64 { return r.Int64N(2000) - 1000 }, nil},
		"bytes so far":                  {func(int) int64 { return r.Int64N(100_000) }, nil},
		"what is counted now and then":  {func(i int) int64 { return b2i(i%4 == 0) }, nil},
		"a measure that has few values": {func(i int) int64 { return []int64{1, -1, 0, 2, -2}[i%5] }, nil},
	} {
		for where, first := range map[string]uint64{"from 0": 1 << 20, "from 2^53": 1<<53 - 3, "from 2^60": 1 << 60, "since 1970": 1_700_000_000_000_000_000,
			"below 2^64": math.MaxUint64 - 1<<40, "below 0": 1<<64 - 1<<20} {
			signed := where == "below 0" || where == "since 1970"
			var x counter
			at := first
			for i := range n {
				if v := model.Value(model.Uint(at)); !signed {
					x.next(v, int64(i))
				} else {
					x.next(model.Int(at), int64(i))
				}
				at += uint64(c.step(i))
			}
			var got []int64
			for _, j := range x.jumps() {
				got = append(got, j.row)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: jumps at %v, want %v", name, where, got, c.want)
			}
		}
	}
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// TestCounterGaps: rows without a value are passed over, steps across all 64 bits are told, and what is no counter is not kept.
func TestCounterGaps(t *testing.T) {
	var x counter
	for i, v := range []model.Value{nil, model.Uint(0), model.Uint(1), model.None{}, model.Uint(2), model.Uint(3), model.Uint(4), model.Uint(math.MaxUint64), nil, model.Uint(5)} {
		x.next(v, int64(i))
	}
	for i := range 40 {
		x.next(model.Uint(6+i), int64(10+i))
	}
	want := []jumpAt{{model.Uint(4), model.Uint(math.MaxUint64), 7}, {model.Uint(math.MaxUint64), model.Uint(5), 9}}
	if got := x.jumps(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var mixed, measured counter
	for i := range int64(1000) {
		mixed.next([]model.Value{model.Int(i), model.Uint(i)}[i%2], i)
		measured.next(model.Int(i*i*i%997), i)
	}
	if mixed.values != nil || measured.values != nil {
		t.Errorf("of mixed values %d are kept, of measured ones %d", len(mixed.values), len(measured.values))
	}
}

// TestEnds: what is before all others is written so, and is no gap.
func TestEnds(t *testing.T) {
	tr := track(-math.MaxFloat64, 1, 2, 3, math.MaxFloat64, -math.MaxFloat64)
	tr.Unit = "s"
	f, err := Of(t.Context(), tr)
	if err != nil || len(f.Gaps) > 0 || f.Median != 1 || len(f.Unordered) != 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	if got := f.Findings()[0].Text; got != "start after end" {
		t.Errorf("told %q", got)
	}
}

// TestBetweenNanoseconds: nanoseconds since 1970 drift by as much as they do.
func TestBetweenNanoseconds(t *testing.T) {
	var a []float64
	for i := range 1000 {
		a = append(a, float64(i)/100)
	}
	b := track(a...)
	b.Read = func(_ context.Context, first int64, dst []model.Moment) (int, error) {
		n := min(len(dst), len(a)-int(first))
		for i := range n {
			k := first + int64(i)
			dst[i] = moment(model.Int(1_700_000_000_000_000_001+k*10_000_050), 1e9, k) // 5 ppm
		}
		return n, nil
	}
	d, err := Between(t.Context(), track(a...), b)
	if err != nil || math.Abs(d.Rate-5e-6) > 1e-15 || d.Largest > 1e-12 || d.Offset != 1_700_000_000 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestBetween(t *testing.T) {
	var a, b []float64
	for i := range 1000 {
		a = append(a, float64(i)/30)
		b = append(b, float64(i)/30*(1+50e-6)+0.25)
	}
	d, err := Between(t.Context(), track(a...), track(b...))
	if err != nil || math.Abs(d.Offset-0.25) > 1e-9 || math.Abs(d.Rate-50e-6) > 1e-9 || d.Largest > 1e-9 || d.Pairs != 1000 {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := Between(t.Context(), track(0, 1, 2), track(0, 2, 4)); err == nil {
		t.Error("two rates were held against each other")
	}
	if _, err := Between(t.Context(), track(0), track(0, 2)); err == nil {
		t.Error("one time was enough")
	}
}
