package timeline

import (
	"math"
	"slices"
	"testing"
)

func TestIndex(t *testing.T) {
	x, err := NewIndex(t.Context(), track(0, 1, 2, 5, 4, 6, math.NaN(), 9))
	if err != nil || x.Len() != 7 || x.order == nil {
		t.Fatalf("%d moments, order %v, %v", x.Len(), x.order, err)
	}
	if plain, err := NewIndex(t.Context(), track(0, 1, 1, 3)); err != nil || plain.order != nil {
		t.Errorf("the order of what is in order is kept: %v, %v", plain.order, err)
	}
	counts := make([]int64, 3)
	if err := x.Density(t.Context(), 0, 9, counts); err != nil || !slices.Equal(counts, []int64{3, 2, 2}) {
		t.Errorf("density %v, %v", counts, err)
	}
	s, err := Nearest(t.Context(), []*Index{x}, 4.4)
	if err != nil || s.Moment.Time != 4 || s.Path() != "view/t/[4]" {
		t.Errorf("nearest to 4.4: %+v, %v", s, err)
	}
	if s, err = x.Of(t.Context(), 3); err != nil || s.Moment.Time != 5 || s.Number != 4 {
		t.Errorf("child 3: %+v, %v", s, err)
	}
	if s, err = x.Of(t.Context(), 6); err != nil || s != nil {
		t.Errorf("what has no time is at %+v, %v", s, err)
	}
}

// TestDensityOfMany: what is counted by searching is what is counted one by one.
func TestDensityOfMany(t *testing.T) {
	var times []float64
	want := make([]int64, 7)
	for i := range 20_000 {
		at := math.Pow(float64(i)/20_000, 3)
		times = append(times, at)
		want[min(int(at*7), 6)]++
	}
	x, err := NewIndex(t.Context(), track(times...))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]int64, 7)
	if err := x.Density(t.Context(), 0, 1, got); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v; %v", got, want, err)
	}
}

// TestBeside: going through several tracks meets each moment once, and the same ones on the way back.
func TestBeside(t *testing.T) {
	var all []*Index
	for _, times := range [][]float64{{0, 1, 1, 4}, {1, 2, 4}, {0.5, 1}} {
		x, err := NewIndex(t.Context(), track(times...))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	at, err := Nearest(t.Context(), all, 0)
	var way []Stop
	for ; at != nil && err == nil; at, err = Beside(t.Context(), all, at, false) {
		way = append(way, *at)
	}
	if len(way) != 9 || err != nil {
		t.Fatalf("%d moments of 9, %v", len(way), err)
	}
	for i := len(way) - 2; i >= 0; i-- {
		back, err := Beside(t.Context(), all, &way[i+1], true)
		if err != nil || back == nil || *back != way[i] {
			t.Fatalf("before moment %d of the way: %+v, %v", i+1, back, err)
		}
	}
	if first, err := Beside(t.Context(), all, &way[0], true); first != nil || err != nil {
		t.Errorf("before the first: %+v, %v", first, err)
	}
}

// TestCore: what is written once or at no time of the recording is neither in the first range nor where a time leads.
func TestCore(t *testing.T) {
	index := func(times ...float64) *Index {
		x, err := NewIndex(t.Context(), track(times...))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	config, state := index(5e-324, 88_000), index(0, 0, 0)
	data, other := index(0, 88_000, 88_001, 88_002, 88_003), index(88_001, 88_001.5, 88_002, 88_003, 500_000)
	gap := index(1, 2, 3, 10, 11, 12)
	for _, c := range []struct {
		tracks   []*Index
		from, to float64
	}{
		{[]*Index{config, state, data}, 88_000, 88_003},
		{[]*Index{config, data, other}, 88_000, 88_003},
		{[]*Index{gap}, 1, 12},
		{[]*Index{config, state}, 5e-324, 88_000},
		{[]*Index{index(5e-324), index(88_000, 88_000.5)}, 88_000, 88_000.5},
	} {
		if from, to := Core(c.tracks); from != c.from || to != c.to {
			t.Errorf("the core of %d tracks is %g … %g, want %g … %g", len(c.tracks), from, to, c.from, c.to)
		}
	}
	if from, to := Core(nil); from == from || to == to {
		t.Errorf("the core of nothing is %g … %g", from, to)
	}
	rated := Rated([]*Index{config, state, data, other})
	if len(rated) != 2 {
		t.Fatalf("%d tracks have a rate", len(rated))
	}
	for _, c := range []struct{ time, want float64 }{{88_001.4, 88_001}, {88_001.7, 88_001.5}, {-1, 0}, {1e9, 500_000}} {
		if s, err := Before(t.Context(), rated, c.time); err != nil || s.Moment.Time != c.want {
			t.Errorf("at %g is %+v, %v; want %g", c.time, s, err, c.want)
		}
	}
	if s, err := Before(t.Context(), []*Index{data, gap}, 0.5); err != nil || s.Track != data {
		t.Errorf("before 0.5 is %+v, %v", s, err)
	}
}
