package model

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// table lacks what could not be read.
type table struct{ lacks bool }

func (t *table) LacksBytes() bool { return t.lacks }

// TestOnceAgain: what lacks bytes that could not be read is kept for a while, and then made again, until it lacks none.
func TestOnceAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var once Once[table]
		made := 0
		get := func(ctx context.Context) *table {
			got, _ := once.Get(ctx, nil, func(context.Context, Progress) (*table, error) {
				made++
				return &table{made < 3}, nil
			})
			return got
		}
		for want := 1; want <= 3; want++ {
			for range 10 {
				if got := get(t.Context()); got == nil || made != want {
					t.Fatalf("made %d times, want %d", made, want)
				}
			}
			time.Sleep(time.Minute)
		}
		if get(t.Context()); made != 3 {
			t.Errorf("made %d times, though nothing is lacking", made)
		}
	})
}
