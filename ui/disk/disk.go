// Package disk asks the file system about the user's files. A mount that is dead never answers, so nothing in the window asks on
// the UI goroutine: TestNoFileCallOnTheScreen in ui reads the source for that.
package disk

import (
	"sync/atomic"
	"time"
)

// patience is how long the UI goroutine waits for an answer, so that what a healthy disk says is shown at once.
const patience = 100 * time.Millisecond

// slow is called before each question; tests make it a disk that does not answer.
var slow atomic.Pointer[func()]

// SetSlow has each question wait for f, for tests; nil: for nothing.
func SetSlow(f func()) {
	if f == nil {
		slow.Store(nil)
		return
	}
	slow.Store(&f)
}

// Ask calls ask on a goroutine of its own, and then with its answer on the UI goroutine, where Ask is called: before Ask returns,
// or by post where the answer takes longer than a tenth of a second.
func Ask[T any](post func(func()), ask func() T, then func(T)) {
	answer := make(chan T, 1)
	waits := make(chan struct{}) // closed when nobody waits for the answer any more
	go func() {
		if wait := slow.Load(); wait != nil {
			(*wait)()
		}
		answer <- ask()
		<-waits
		select {
		case got := <-answer:
			post(func() { then(got) })
		default: // it was in time
		}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got := <-answer:
		close(waits)
		then(got)
	case <-timer.C:
		close(waits)
	}
}
