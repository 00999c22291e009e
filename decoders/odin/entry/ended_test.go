package entry

import (
	"context"
	"strings"
	"testing"
	"time"

	"cutaway/model"
)

// Who asks for children under a context that has ended gets what is known, and those who ask later get all of it.
func TestChildrenUnderEndedContext(t *testing.T) {
	src := model.NewFileSource("stray", model.BytesReader("\xff stray bytes"))
	s := New(src.Whole(), Binary, Options{Layout: model.LayoutView})
	if err := s.ScanAll(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	k := &containerChildren{s: s, c: Root, layout: true}
	ended, end := context.WithCancel(t.Context())
	end()
	n, exact := k.Len(ended)
	if !exact || n != 0 || len(k.At(ended, 0).Problems) != 1 {
		t.Errorf("%d children, exact %t", n, exact)
	}
	if n, _ := k.Len(t.Context()); n == 0 || len(k.At(t.Context(), 0).Spans) == 0 {
		t.Errorf("%d children afterwards", n)
	}
}

// faulty panics at the head of one entry, once.
type faulty struct {
	Form
	at int64
}

func (f *faulty) head(p *heads, h *Head) bool {
	if h.Number == f.at {
		f.at = -1
		panic("a fault of the format")
	}
	return f.Form.head(p, h)
}

// A scan that panics leaves the stream to who asks next, with all that is in it.
func TestPanicInScan(t *testing.T) {
	const few = 7 // entries, so that each is read by the format
	src := model.NewFileSource("stray", model.BytesReader(strings.Repeat("\x18\x01\x02\x03\x04", few)))
	count := func(s *Stream) int64 {
		defer func() { _ = recover() }()
		_ = s.ScanAll(t.Context(), nil)
		return s.EntryCount()
	}
	for at := range int64(few) {
		s := New(src.Whole(), &faulty{Binary, at}, Options{Layout: model.LayoutView})
		if got := count(s); got != 0 {
			t.Fatalf("%d entries in place of a panic at %d", got, at)
		}
		again := make(chan int64, 1)
		go func() { again <- count(s) }()
		select {
		case got := <-again:
			if got != few {
				t.Errorf("%d entries after a panic at %d", got, at)
			}
		case <-time.After(time.Minute):
			t.Fatal("the second scan hangs")
		}
	}
}
