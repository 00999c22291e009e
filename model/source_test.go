package model

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"testing"
	"testing/iotest"
)

func TestReaders(t *testing.T) {
	data := "some bytes to read at random"
	window := NewWindow(BytesReader("before "+data+" behind"), 7, int64(len(data)))
	for name, r := range map[string]Reader{
		"bytes": BytesReader(data), "window": window, "source": NewFileSource("x", window), "window at the end": NewWindow(BytesReader(data), 0, int64(len(data))),
	} {
		if r.Size() != int64(len(data)) {
			t.Errorf("%s: %d bytes", name, r.Size())
		}
		if err := iotest.TestReader(NewFileSource(name, r).Whole().Reader(t.Context()), []byte(data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n, err := r.ReadAt(t.Context(), make([]byte, 9), r.Size()-4); n != 4 || err != io.EOF {
			t.Errorf("%s: over the end: %d, %v", name, n, err)
		}
		for _, off := range []int64{-1, r.Size(), math.MaxInt64} {
			if n, err := r.ReadAt(t.Context(), make([]byte, 1), off); n != 0 || err == nil {
				t.Errorf("%s: at %d: %d, %v", name, off, n, err)
			}
		}
	}
}

func TestHolds(t *testing.T) {
	src := NewFileSource("x", BytesReader("0123456789"))
	for _, k := range []struct {
		off, n int64
		want   bool
	}{
		{0, 10, true}, {10, 0, true}, {9, 1, true}, {9, 2, false}, {11, 0, false}, {-1, 1, false}, {0, -1, false},
		{math.MaxInt64, math.MaxInt64, false}, {5, math.MaxInt64, false},
	} {
		if got := src.Holds(k.off, k.n); got != k.want {
			t.Errorf("[%d, +%d): %t", k.off, k.n, got)
		}
		b, err := src.Bytes(t.Context(), k.off, k.n)
		if (err == nil) != k.want || err == nil && int64(len(b)) != k.n || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("[%d, +%d): %q, %v", k.off, k.n, b, err)
		}
	}
}

func TestDerivedSources(t *testing.T) {
	file := NewFileSource("x", BytesReader("0123456789"))
	in := Derive("layout/a", "in", "a", BytesReader("abc"), Origin{Parent: file, Spans: []Span{file.Span(1, 2)}, Codec: "fake"})
	inner := Derive(in.LayoutPath()+"/b@c", "in", "b", BytesReader("z"), Origin{Parent: in})
	if in.Name() != "layout/a@in" || in.LayoutPath() != in.Name() || in.Owner() != "layout/a" || in.Title() != "a" {
		t.Errorf("named %s, owner %s", in.Name(), in.Owner())
	}
	if inner.Owner() != "layout/a@in/b@c" || inner.Root() != file || file.Root() != file || file.Owner() != "" {
		t.Errorf("owner %s, root %s", inner.Owner(), inner.Root().Name())
	}
	again := Derive("layout/a", "in", "a", BytesReader("abc"), Origin{Parent: file})
	other := Derive("layout/a", "in", "a", BytesReader("abc"), Origin{Parent: NewFileSource("y", BytesReader(""))})
	if !in.Same(again) || in.Same(other) || in.Same(inner) || in.Same(nil) || file.Same(NewFileSource("x", file.Reader())) || !file.Same(file) {
		t.Error("sources are taken for the same, or not")
	}
	var none *Source
	if none.Same(file) {
		t.Error("no source is the same as one")
	}
}

func TestSpan(t *testing.T) {
	src := NewFileSource("x", BytesReader("0123456789"))
	s := src.Span(2, 3)
	for off := range int64(8) {
		if s.Covers(src, off) != (off >= 2 && off < 5) {
			t.Errorf("byte %d", off)
		}
	}
	if s.String() != "0x2+3" || s.End() != 5 || src.Whole() != src.Span(0, 10) {
		t.Errorf("span %s", s)
	}
}

func TestDocumentCloses(t *testing.T) {
	var doc Document
	count := 0
	first, second := errors.New("first"), errors.New("second")
	doc.OnClose(func() error { count++; return first })
	doc.OnClose(func() error { count++; return second })
	if err := doc.Close(); !errors.Is(err, first) || !errors.Is(err, second) {
		t.Errorf("closed with %v", err)
	}
	if err := doc.Close(); err != nil || count != 2 {
		t.Errorf("closed again with %v, %d calls", err, count)
	}
}

func TestNoFiles(t *testing.T) {
	if _, err := (NoFiles{}).Open("a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened with %v", err)
	}
	if list, err := (NoFiles{}).List(); list != nil || err != nil {
		t.Errorf("listed %v, %v", list, err)
	}
}

func TestProblems(t *testing.T) {
	at := Span{Off: 1, Len: 2}
	p := Problemf(Malformed, "fake.bad", at, "%d is bad", 7).Want("8", nil)
	if p.Error() != "7 is bad (expected 8, found <nil>)" {
		t.Errorf("reads %q", p.Error())
	}
	if q := Problemf(Truncated, "fake.cut", at, "cut"); q.Error() != "cut" {
		t.Errorf("reads %q", q.Error())
	}
	if q := (Problem{Message: "odd", Expected: "even"}); q.Error() != "odd (expected even, found nothing)" {
		t.Errorf("reads %q", q.Error())
	}
	wrapped := errors.Join(errors.New("while reading"), p)
	for _, k := range []struct {
		err  error
		rule string
		kind Kind
	}{
		{wrapped, "fake.bad", Malformed}, {io.ErrUnexpectedEOF, "fake.other", Truncated}, {io.EOF, "fake.other", Truncated},
		{errors.New("no"), "fake.other", Malformed},
	} {
		if got := AsProblem(k.err, "fake.other", at); got.Rule != k.rule || got.Kind != k.kind || got.Span != at || got.Message == "" {
			t.Errorf("%v becomes %+v", k.err, got)
		}
	}
	for kind, want := range map[Kind]string{Malformed: "malformed error", Truncated: "truncated error", Suspicious: "suspicious warning", Assumed: "assumed note"} {
		if got := kind.String() + " " + kind.Severity().String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestErrUnrecognized(t *testing.T) {
	tried := []Tried{{"a", "no A"}, {"b", "no B"}}
	for want, cause := range map[string]Cause{
		"not recognised":                         {},
		"a page in its place":                    {Text: "a page in its place"},
		"a pointer: git lfs pull":                {Text: "a pointer", Hint: "git lfs pull"},
		"no B; --format b opens it all the same": {Text: "no B", Format: "b"},
	} {
		e := &ErrUnrecognized{Cause: cause, Tried: tried, Nearest: "b"}
		if e.Error() != want || e.Reasons() != "  a: no A\n  b: no B\nnearest: b" {
			t.Errorf("reads %q, %q", e.Error(), e.Reasons())
		}
	}
}
