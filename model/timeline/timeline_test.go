package timeline

import (
	"context"
	"math"
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
		{[]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14}, []jumpAt{{9, 12, 9}}},
		{[]int64{1, 2, 9, 10, 11, 12}, []jumpAt{{2, 9, 2}}},
		{[]int64{10, 20, 30, 40, 50}, nil},
		{[]int64{5, 5, 5, 5, 5, 5}, nil},
		{[]int64{3, 9, 4, 1, 7, 7, 2}, nil},
		{[]int64{1, 2, 3}, nil},
	} {
		var x counter
		for i, v := range c.values {
			x.next(model.Int(v), int64(i))
		}
		if got := x.found(); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
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
