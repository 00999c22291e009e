package model

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLazyWorksOnce(t *testing.T) {
	var works atomic.Int64
	release := make(chan bool)
	l := NewLazy(func(context.Context, Progress) (Children, error) {
		works.Add(1)
		<-release
		return NewList(Node{Name: "a"}), nil
	})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := l.Resolve(t.Context(), nil); err != nil {
				t.Error(err)
			}
			if n, exact := l.Len(t.Context()); n != 1 || !exact || l.At(t.Context(), 0).Name != "a" {
				t.Errorf("resolved to %d, %t", n, exact)
			}
		})
		group.Go(func() {
			// What is asked meanwhile is answered at once.
			l.Pending()
			l.Len(t.Context())
			IndexOf(t.Context(), l, "a")
		})
	}
	time.Sleep(time.Millisecond)
	close(release)
	group.Wait()
	if works.Load() != 1 {
		t.Errorf("the work was done %d times", works.Load())
	}
}

func TestPendingLazy(t *testing.T) {
	l := NewLazy(func(context.Context, Progress) (Children, error) { return nil, nil })
	src := NewFileSource("x", BytesReader("abc"))
	if n, exact := l.Len(t.Context()); n != 0 || exact || !l.Pending() || l.Resolved() != nil {
		t.Errorf("pending: %d, %t", n, exact)
	}
	if _, ok := IndexOf(t.Context(), l, "a"); ok {
		t.Error("a pending part finds a name")
	}
	if _, ok := Locate(t.Context(), l, src, 0); ok {
		t.Error("a pending part finds a byte")
	}
	if err := l.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if n, exact := l.Len(t.Context()); n != 0 || !exact || l.Pending() {
		t.Errorf("resolved to nothing: %d, %t", n, exact)
	}
}

func TestLazyIsTriedAgain(t *testing.T) {
	tries := 0
	l := NewLazy(func(ctx context.Context, _ Progress) (Children, error) {
		tries++
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return NewList(), nil
	})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Resolve(cancelled, nil); !errors.Is(err, context.Canceled) || !l.Pending() {
		t.Errorf("cancelled: %v", err)
	}
	if err := l.Resolve(t.Context(), nil); err != nil || l.Pending() || tries != 2 {
		t.Errorf("again: %v, %d tries", err, tries)
	}
}

func TestLazyWaiterGivesUp(t *testing.T) {
	started, release := make(chan bool), make(chan bool)
	l := NewLazy(func(context.Context, Progress) (Children, error) {
		close(started)
		<-release
		return NewList(), nil
	})
	worker := make(chan error)
	go func() { worker <- l.Resolve(t.Context(), nil) }()
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Resolve(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a waiter that gives up: %v", err)
	}
	close(release)
	if err := <-worker; err != nil || l.Pending() {
		t.Errorf("the worker: %v", err)
	}
}

// TestLazyTakesOver: the first is cancelled while others wait; one of them does the work.
func TestLazyTakesOver(t *testing.T) {
	started := make(chan bool, 1)
	l := NewLazy(func(ctx context.Context, _ Progress) (Children, error) {
		select {
		case started <- true:
			<-ctx.Done()
			return nil, ctx.Err()
		default:
			return NewList(), nil
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error), make(chan error)
	go func() { first <- l.Resolve(ctx, nil) }()
	for len(started) == 0 {
		time.Sleep(time.Millisecond)
	}
	go func() { second <- l.Resolve(t.Context(), nil) }()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first: %v", err)
	}
	if err := <-second; err != nil || l.Pending() {
		t.Errorf("the second: %v", err)
	}
}

func TestLazyAfterAPanic(t *testing.T) {
	tries := 0
	l := NewLazy(func(context.Context, Progress) (Children, error) {
		if tries++; tries == 1 {
			panic("oh no")
		}
		return NewList(), nil
	})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_ = l.Resolve(t.Context(), nil)
	}()
	if err := l.Resolve(t.Context(), nil); err != nil || l.Pending() {
		t.Errorf("after the panic: %v", err)
	}
}
