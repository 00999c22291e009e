package diff

import (
	"cmp"
	"slices"
)

// A run is n equal elements, from number a on in one list and from b on in another.
type run struct{ a, b, n int }

// commonRuns returns the common elements of two lists in order: prefix, suffix, and between them the runs around
// elements that are unique in each list (patience diff).
func commonRuns(a, b []childToMatch) []run {
	s := sequences{a: a, b: b}
	s.between(0, len(a), 0, len(b), 0)
	return s.runs
}

type sequences struct {
	a, b []childToMatch
	runs []run
}

// add appends a run.
func (s *sequences) add(r run) {
	if r.n == 0 {
		return
	}
	if k := len(s.runs) - 1; k >= 0 && s.runs[k].a+s.runs[k].n == r.a && s.runs[k].b+s.runs[k].n == r.b {
		s.runs[k].n += r.n
		return
	}
	s.runs = append(s.runs, r)
}

// between finds the common elements of a[a0:a1] and b[b0:b1].
func (s *sequences) between(a0, a1, b0, b1, depth int) {
	n := 0
	for a0+n < a1 && b0+n < b1 && s.a[a0+n].hash == s.b[b0+n].hash {
		n++
	}
	s.add(run{a0, b0, n})
	a0, b0 = a0+n, b0+n
	n = 0
	for a1-n > a0 && b1-n > b0 && s.a[a1-n-1].hash == s.b[b1-n-1].hash {
		n++
	}
	a1, b1 = a1-n, b1-n
	if a0 < a1 && b0 < b1 {
		s.inside(a0, a1, b0, b1, depth)
	}
	s.add(run{a1, b1, n})
}

// inside finds the common elements of two parts without common prefix or suffix.
func (s *sequences) inside(a0, a1, b0, b1, depth int) {
	const small, deepest = 1 << 20, 64
	anchors := s.anchors(a0, a1, b0, b1)
	if len(anchors) == 0 || depth == deepest {
		if int64(a1-a0)*int64(b1-b0) <= small {
			s.longest(a0, a1, b0, b1)
		}
		return
	}
	for _, at := range anchors {
		if at[0] >= a0 && at[1] >= b0 {
			s.between(a0, at[0], b0, at[1], depth+1)
			s.add(run{at[0], at[1], 1})
			a0, b0 = at[0]+1, at[1]+1
		}
	}
	s.between(a0, a1, b0, b1, depth+1)
}

// anchors returns the longest ascending sequence of elements that are unique in both parts.
func (s *sequences) anchors(a0, a1, b0, b1 int) [][2]int {
	pairs := onceIn(s.a, a0, a1)
	other := onceIn(s.b, b0, b1)
	var both [][2]int
	for i, j := 0, 0; i < len(pairs) && j < len(other); {
		switch x, y := pairs[i], other[j]; {
		case x.hash < y.hash:
			i++
		case x.hash > y.hash:
			j++
		default:
			both = append(both, [2]int{int(x.index), int(y.index)})
			i, j = i+1, j+1
		}
	}
	slices.SortFunc(both, func(x, y [2]int) int { return cmp.Compare(x[0], y[0]) })
	return rising(both)
}

// onceIn returns the unique elements of a part, sorted, with their positions.
func onceIn(list []childToMatch, from, to int) []childToMatch {
	sorted := make([]childToMatch, to-from)
	for i := range sorted {
		sorted[i] = childToMatch{list[from+i].hash, int64(from + i)}
	}
	slices.SortFunc(sorted, func(x, y childToMatch) int { return cmp.Compare(x.hash, y.hash) })
	once := sorted[:0]
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j].hash == sorted[i].hash {
			j++
		}
		if j == i+1 {
			once = append(once, sorted[i])
		}
		i = j
	}
	return once
}

// rising returns the longest subsequence of pairs, sorted by their first numbers, whose second numbers ascend.
func rising(pairs [][2]int) [][2]int {
	var tails []int // for each length, the pair that ends a subsequence with the least second number
	before := make([]int, len(pairs))
	for i, p := range pairs {
		k, _ := slices.BinarySearchFunc(tails, p[1], func(t, want int) int { return cmp.Compare(pairs[t][1], want) })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	row := make([][2]int, len(tails))
	for k, i := len(tails)-1, tails[len(tails)-1]; k >= 0; k, i = k-1, before[i] {
		row[k] = pairs[i]
	}
	return row
}

// longest returns the longest common subsequence of two small parts.
func (s *sequences) longest(a0, a1, b0, b1 int) {
	n, m := a1-a0, b1-b0
	best := make([]int32, (n+1)*(m+1))
	at := func(i, j int) *int32 { return &best[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if s.a[a0+i].hash == s.b[b0+j].hash {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case s.a[a0+i].hash == s.b[b0+j].hash:
			s.add(run{a0 + i, b0 + j, 1})
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
}
