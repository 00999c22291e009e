package grammar

import (
	"runtime"
	"testing"
)

// TestMemoryOfAllLists holds a session's limit against all that its lists keep: of two lists that each fit alone the second
// is cut, and what nobody holds any more does not count.
func TestMemoryOfAllLists(t *testing.T) {
	const n = 1000
	flags := record("Flags", &Field{Name: "a", Of: Bits(1), Repeat: times("1000")}, &Field{Name: "b", Of: Bits(1), Repeat: times("1000")})
	src := over(make([]byte, n/4))
	read := func(s *Session) (*Object, [2]int64) {
		o := flags.Open(s, src, 0)
		var known [2]int64
		for i := range known {
			if l := o.List(t.Context(), flags.Fields[i]); l != nil { // nil after one that is cut
				known[i] = l.known
			}
		}
		return o, known
	}
	s := &Session{Truncated: "t", Memory: 3 * n * slotBytes / 2}
	first, known := read(s)
	if known[0] != n || known[1] < n/4 || known[1] > n*3/4 {
		t.Errorf("lists have %d elements, want %d and about half of that", known, n)
	}
	if _, known = read(s); known[0] > n/4 {
		t.Errorf("beside two lists that are held, a third has %d elements", known[0])
	}
	runtime.KeepAlive(first)

	s = &Session{Truncated: "t", Memory: 3 * n * slotBytes}
	for range 10 {
		if _, known = read(s); known != [2]int64{n, n} {
			t.Fatalf("after lists that nobody holds, lists have %d elements", known)
		}
	}
}
