// Package disk asks the file system about the user's files. A dead mount never answers, so nothing in the window asks
// on the UI goroutine. TestNoFileCallOnTheScreen holds this over the source.
package disk

import (
	"sync/atomic"
	"time"
)

// patience is the time that the UI goroutine waits for an answer, so that those of a healthy disk are shown at once.
const patience = 100 * time.Millisecond

// slow is called before each question. Tests set it to imitate a disk that does not answer.
var slow atomic.Pointer[func()]

// SetSlow makes each question wait for f, or for nothing if f is nil. Only tests call it.
func SetSlow(f func()) {
	if f == nil {
		slow.Store(nil)
		return
	}
	slow.Store(&f)
}

// Ask calls ask on a goroutine of its own, and then with its answer on the UI goroutine, where Ask is called. It calls
// then before it returns, or by post if the answer takes longer than a tenth of a second.
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
