package search

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"cutaway/model"
)

// naive is all matches by comparing at every offset.
func naive(data []byte, p *Pattern) []int64 {
	var at []int64
	for i := 0; i+len(p.data) <= len(data); i++ {
		if p.matches(data[i : i+len(p.data)]) {
			at = append(at, int64(i))
		}
	}
	return at
}

func all(t *testing.T, src *model.Source, p *Pattern, from int64) []int64 {
	t.Helper()
	var at []int64
	err := Bytes(t.Context(), src, p, from, -1, nil, func(off, length int64) error {
		if length != int64(len(p.data)) {
			t.Fatalf("length %d", length)
		}
		at = append(at, off)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestBytesEqualsNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 100 {
		letters := 1 + r.IntN(4) // few letters: many overlapping matches
		if round%3 == 0 {
			letters = 256
		}
		data := make([]byte, r.IntN(4*blockSize))
		for i := range data {
			data[i] = byte(r.IntN(letters)) + 'A'
		}
		p := &Pattern{}
		for range 1 + r.IntN(9) {
			mask := []byte{0xff, 0xff, 0xff, 0xf0, 0x0f, 0xdf, 0}[r.IntN(7)]
			p.data, p.mask = append(p.data, (byte(r.IntN(letters))+'A')&mask), append(p.mask, mask)
		}
		p.plan = p.makePlan()
		for _, at := range []int{0, blockSize - 3, blockSize, len(data) - len(p.data)} { // at the borders
			if at >= 0 && at+len(p.data) <= len(data) {
				copy(data[at:], p.data)
			}
		}
		want := naive(data, p)
		src := model.NewFileSource("f", model.BytesReader(data))
		if got := all(t, src, p, 0); !slices.Equal(got, want) {
			t.Fatalf("round %d: %s in %d bytes of %d letters: %d matches, want %d", round, p.Bytes(), len(data), letters, len(got), len(want))
		}
	}
}

// resident is bytes that can be looked at where they are, but for those from bad on.
type resident struct {
	model.BytesReader
	bad int64
}

// LookAt implements model.ResidentReader.
func (r resident) LookAt(off, n int64, look func(b []byte)) bool {
	if off+n > r.bad {
		return false
	}
	look(r.BytesReader[off : off+n])
	return true
}

// TestLookedAtEqualsCopied finds in bytes that are looked at what is found in copies of them: at the borders of what is
// looked at in one, one after the other, and where they can be looked at no more.
func TestLookedAtEqualsCopied(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	data := make([]byte, 9*lookSize+3*blockSize)
	for i := range data {
		data[i] = byte(r.IntN(200))
	}
	word := []byte("\xf0needle\xf1")
	for _, at := range []int{0, 9, 18, lookSize - 4, lookSize + blockSize - 2, 2*lookSize - 11, 5*lookSize - 9, len(data) - len(word)} {
		copy(data[at:], word)
	}
	for _, form := range []Form{UTF8, Auto} {
		p, err := ParsePattern("needle", form, PatternOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []int64{0, 1, 2, lookSize - 3, lookSize} {
			found := func(reader model.Reader) (at [][2]int64) {
				err := Bytes(t.Context(), model.NewFileSource("f", reader), p, from, -1, nil, func(off, length int64) error {
					at = append(at, [2]int64{off, length})
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				return at
			}
			want := found(model.BytesReader(data))
			for _, bad := range []int64{int64(len(data)), 7*lookSize - 1, lookSize + 5, 0} {
				if got := found(resident{data, bad}); len(want) < 2 || !slices.Equal(got, want) {
					t.Errorf("%s from %d, looked at up to %d: %v, copied %v", form, from, bad, got, want)
				}
			}
		}
	}
}

// Each way to find a pattern finds what comparing at every offset finds, from wherever it begins.
func TestWaysEqualNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 3000 {
		others := 1 + r.IntN(60) // one of so many bytes is not the frequent one
		data := make([]byte, r.IntN(300))
		for i := range data {
			if data[i] = 'a'; r.IntN(others) == 0 {
				data[i] = byte(r.IntN(256))
			}
		}
		p := &Pattern{}
		for n := 1 + r.IntN(30); len(p.data) < n; {
			c, mask := byte('a'), byte(0xff)
			if round%2 == 0 && r.IntN(4) == 0 {
				c, mask = byte(r.IntN(256)), []byte{0xff, 0xdf, 0xf0, 0x0f, 0x01}[r.IntN(5)]
			}
			p.data, p.mask = append(p.data, c&mask), append(p.mask, mask)
		}
		for range 3 {
			if room := len(data) - len(p.data); room >= 0 {
				copy(data[r.IntN(room+1):], p.data)
			}
		}
		p.plan = p.makePlan()
		want := naive(data, p)
		last := len(data) - len(p.data)
		x, y := p.plan.anchors[r.IntN(len(p.plan.anchors))], p.plan.anchors[r.IntN(len(p.plan.anchors))]
		ways := map[string]func(from int) int{
			"finder": p.starts(data),
			"pair":   func(from int) int { return p.nextByPair(data, x, y, from, last, false) },
		}
		if vectors {
			ways["wide pair"] = func(from int) int { return p.nextByPair(data, x, y, from, last, true) }
		}
		if x.mask == 0xff {
			ways["byte"] = func(from int) int { return p.nextByByte(data, x, from, last) }
		}
		if bits.OnesCount8(x.mask) == 7 {
			ways["either"] = func(from int) int { return p.nextByEither(data, x, from, last) }
		}
		if p.plan.repeated {
			ways["repeated"] = func(from int) int { return p.nextRepeated(data, from, last) }
		}
		for name, next := range ways {
			var got []int64
			for i := next(0); i >= 0; i = next(i + 1) {
				got = append(got, int64(i))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("round %d: %s: %s in % x: %v, want %v", round, name, p.Bytes(), data, got, want)
			}
		}
	}
}

// holed is a reader that cannot read some bytes.
type holed struct {
	model.BytesReader
	from, to int64
}

var errHole = errors.New("no bytes here")

func (h holed) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off >= h.to || off+int64(len(p)) <= h.from {
		return h.BytesReader.ReadAt(ctx, p, off)
	}
	if off >= h.from {
		return 0, errHole
	}
	n, _ := h.BytesReader.ReadAt(ctx, p[:h.from-off], off)
	return n, errHole
}

func TestUnreadableBytesAreLeftOut(t *testing.T) {
	data := make([]byte, 4*blockSize)
	want := []int64{10, blockSize - 2, 2*blockSize + smallest + 5, 4*blockSize - 4}
	for _, at := range append(want, blockSize+1000, 2*blockSize+10) {
		copy(data[at:], "need")
	}
	src := model.NewFileSource("f", holed{data, blockSize + 2, 2*blockSize + 100})
	p, err := ParsePattern("need", UTF8, PatternOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	err = Bytes(t.Context(), src, p, 0, -1, nil, func(off, _ int64) error {
		got = append(got, off)
		return nil
	})
	var unread *Unread
	if !errors.As(err, &unread) || !errors.Is(err, errHole) || !slices.Equal(got, want) {
		t.Fatalf("%v %v, want %v", got, err, want)
	}
	const end = 2*blockSize + smallest
	if len(unread.Spans) != 1 || unread.Spans[0].Off != blockSize+2 || unread.Spans[0].End() != end || unread.Bytes != unread.Spans[0].Len {
		t.Errorf("%+v", unread)
	}
}

func TestCancelledBytes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	data := make([]byte, 2*blockSize)
	copy(data, "needneed")
	p, _ := ParsePattern("need", UTF8, PatternOptions{})
	n := 0
	err := Bytes(ctx, model.NewFileSource("f", model.BytesReader(data)), p, 0, -1, nil, func(int64, int64) error {
		n++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 2 {
		t.Errorf("%d matches, %v", n, err)
	}
	stop := errors.New("stop")
	err = Bytes(t.Context(), model.NewFileSource("f", model.BytesReader(data)), p, 0, -1, nil, func(int64, int64) error { return stop })
	if err != stop {
		t.Error(err)
	}
}

// TestAutoFindsBothEncodings finds text in UTF-8 and UTF-16, also where blocks meet and at the ends of the source.
func TestAutoFindsBothEncodings(t *testing.T) {
	for _, text := range []string{"Heap", "é", "中", "a"} {
		p, err := ParsePattern(text, Auto, PatternOptions{})
		if err != nil {
			t.Fatal(err)
		}
		wide, err := ParsePattern(text, UTF16LE, PatternOptions{})
		if err != nil {
			t.Fatal(err)
		}
		least, most := p.lengths()
		type match struct {
			off  int64
			form Form
		}
		var want, got []match
		data := make([]byte, 3*blockSize)
		for i, at := range []int{0, blockSize - most - 1, blockSize - 1, blockSize + 40, 2*blockSize + most - 2, len(data) - least} {
			form, b := UTF8, []byte(text)
			if i%2 == 1 {
				form, b = UTF16LE, wide.data
			}
			if at+len(b) <= len(data) {
				copy(data[at:], b)
				want = append(want, match{int64(at), form})
			}
		}
		src := model.NewFileSource("f", model.BytesReader(data))
		err = Bytes(t.Context(), src, p, 0, -1, nil, func(off, length int64) error {
			got = append(got, match{off, p.FormOf(data[off : off+length])})
			return nil
		})
		if text == "a" { // its UTF-16 begins with its UTF-8, which is found
			for i := range want {
				want[i].form = UTF8
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %v, want %v", text, got, err, want)
		}
	}
}
