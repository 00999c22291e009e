package model

import (
	"runtime"
	"slices"
	"testing"
)

// TestShared: two tables that hold the same are one in memory, as long as somebody has it; others stay what they are.
func TestShared(t *testing.T) {
	table := func(n int, last uint32) []uint32 {
		s := make([]uint32, n)
		for i := range s {
			s[i] = uint32(i)
		}
		s[n-1] = last
		return s
	}
	held := func() (n int) {
		shared.Lock()
		defer shared.Unlock()
		return len(shared.tables)
	}
	before := held()
	a := Shared(table(leastShared, 7))
	for _, c := range []struct {
		what string
		s    []uint32
		same bool
	}{
		{"the same", table(leastShared, 7), true}, {"another element", table(leastShared, 8), false}, {"one more", table(leastShared+1, 7), false},
	} {
		got := Shared(c.s)
		if !slices.Equal(got, c.s) || (&got[0] == &a[0]) != c.same {
			t.Errorf("%s: in one place: %t", c.what, &got[0] == &a[0])
		}
	}
	if short := table(9, 1); &Shared(short)[0] != &short[0] || &Shared(table(9, 1))[0] == &short[0] {
		t.Error("short tables are looked for")
	}
	if signed := Shared(make([]int32, leastShared)); len(signed) != leastShared {
		t.Error("tables of other elements are taken for one another")
	}
	runtime.KeepAlive(a)
	for range 100 {
		if runtime.GC(); held() == before {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d tables are kept that nobody has", held()-before)
}
