package model

import (
	"context"
	"errors"
	"testing"
)

// failing reads nothing until it is mended.
type failing struct{ mended bool }

func (f *failing) Size() int64 { return 4 }

func (f *failing) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if !f.mended {
		return 0, errors.New("the wire is cut")
	}
	return BytesReader("abcd").ReadAt(ctx, p, off)
}

// What could not be read for now is read again.
func TestDeferReadsAgain(t *testing.T) {
	wire := &failing{}
	src := NewFileSource("x", wire)
	made := 0
	c := DeferList(func(ctx context.Context) []Node {
		made++
		b, err := src.Bytes(ctx, 0, 4)
		if err != nil {
			return []Node{{Name: "lost", Problems: []Problem{AsProblem(err, "x.read", src.Whole())}}}
		}
		return []Node{{Name: string(b[:2])}, {Name: string(b[2:])}}
	})
	if n, _ := c.Len(t.Context()); n != 1 || len(c.At(t.Context(), 0).Problems) != 1 {
		t.Errorf("%d children of what cannot be read", n)
	}
	wire.mended, made = true, 0
	ended, stop := context.WithCancel(t.Context())
	stop()
	_, _ = c.Len(ended)
	if n, _ := c.Len(t.Context()); n != 2 || c.At(t.Context(), 1).Name != "cd" || made != 2 {
		t.Errorf("%d children, made %d times", n, made)
	}
	if i, ok := IndexOf(t.Context(), c, "cd"); i != 1 || !ok {
		t.Errorf("cd is at %d, %v", i, ok)
	}
}

func TestOnceForgets(t *testing.T) {
	var o Once[int]
	ctx, stop := context.WithCancel(t.Context())
	got, err := o.Get(ctx, nil, func(context.Context, Progress) (*int, error) {
		stop() // it does not notice
		return new(int), nil
	})
	if got != nil || !errors.Is(err, context.Canceled) || o.Made() != nil {
		t.Errorf("%v, %v: what was made under a context that ended is kept", got, err)
	}
	seven := 7
	if got, err = o.Get(t.Context(), nil, func(context.Context, Progress) (*int, error) { return &seven, nil }); err != nil || *got != 7 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestConcat(t *testing.T) {
	src := NewFileSource("x", BytesReader("0123456789"))
	row := func(_ context.Context, i int64) Node {
		return Node{Name: IndexName(i), Spans: []Span{src.Span(1+2*i, 2)}}
	}
	c := Concat(NewList(Node{Name: "head", Spans: []Span{src.Span(0, 1)}}), FixedRows(src, 1, 2, 4, row),
		NewLazy(func(context.Context, Progress) (Children, error) {
			return NewList(Node{Name: "tail", Spans: []Span{src.Span(9, 1)}}), nil
		}))
	n := Node{Children: c}
	if k, exact := c.Len(t.Context()); k != 5 || exact || !n.IsPending() {
		t.Errorf("%d children, %v, before the last is resolved", k, exact)
	}
	if err := n.Resolve(t.Context(), nil); err != nil || n.IsPending() {
		t.Fatal(err)
	}
	for i, name := range []string{"head", "[0]", "[1]", "[2]", "[3]", "tail"} {
		child := c.At(t.Context(), int64(i))
		at, ok := Locate(t.Context(), c, src, child.Span().Off)
		named, found := IndexOf(t.Context(), c, name)
		if child.Name != name || !ok || at != int64(i) || !found || named != int64(i) {
			t.Errorf("child %d is %s, over its first byte is %d, its name leads to %d", i, child.Name, at, named)
		}
	}
	if _, ok := IndexOf(t.Context(), c, "other"); ok {
		t.Error("a name that there is not is found")
	}
}
