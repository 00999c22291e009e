package model

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
)

func TestCache(t *testing.T) {
	c := Cache[int, int]{Limit: 3}
	var made []int
	get := func(key int) {
		t.Helper()
		v, err := c.Get(t.Context(), key, func(context.Context) (int, error) {
			made = append(made, key)
			return -key, nil
		})
		if v != -key || err != nil {
			t.Errorf("%d: %d, %v", key, v, err)
		}
	}
	for _, key := range []int{1, 2, 3, 1, 4, 1, 2, 3, 3, 2, 4, 1} {
		get(key)
	}
	if want := []int{1, 2, 3, 4, 2, 3, 4, 1}; !slices.Equal(made, want) {
		t.Errorf("made %v, want %v", made, want)
	}
	if len(c.held) != 3 {
		t.Errorf("%d are kept", len(c.held))
	}
}

func TestCacheForgets(t *testing.T) {
	var c Cache[string, int]
	lost := errors.New("lost")
	if v, err := c.Get(t.Context(), "a", func(context.Context) (int, error) { return 1, lost }); v != 1 || err != lost {
		t.Errorf("%d, %v", v, err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	_, _ = c.Get(ended, "a", func(context.Context) (int, error) { return 2, nil })
	if v := c.Of("a", func() int { return 3 }); v != 3 {
		t.Errorf("what failed was kept: %d", v)
	}
	if v := c.Of("a", func() int { return 4 }); v != 3 {
		t.Errorf("what was made is not kept: %d", v)
	}
}

// Whoever asks for a key gets one and the same value.
func TestCacheAtOnce(t *testing.T) {
	var c Cache[int, *int]
	var all sync.WaitGroup
	got := make([]*int, 8)
	for i := range got {
		all.Go(func() { got[i] = c.Of(1, func() *int { return new(int) }) })
	}
	all.Wait()
	for _, p := range got {
		if p != got[0] {
			t.Error("two values of one key")
		}
	}
}
