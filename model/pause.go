package model

import (
	"slices"
	"sync/atomic"
	"time"
)

// leastPause is the least time until a failed read is tried again.
const leastPause = 5 * time.Second

// A Pause is the time until an incomplete value is made again after a disk or server failed: a screen asks whenever it
// is painted. The zero value is for a complete value, which is kept forever.
type Pause struct{ until atomic.Int64 }

// Begin begins a pause after an attempt that began at a time. The pause is as long as the attempt. If nothing is
// lacking, Begin ends the pause.
func (p *Pause) Begin(began time.Time, lacks bool) {
	until := int64(0)
	if now := time.Now(); lacks {
		until = now.Add(max(now.Sub(began), leastPause)).UnixNano()
	}
	p.until.Store(until)
}

// Over reports whether it is time to try again.
func (p *Pause) Over() bool {
	until := p.until.Load()
	return until != 0 && time.Now().UnixNano() >= until
}

// LacksBytes reports whether one of the problems is a failure to read bytes.
func LacksBytes(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Kind == Unread })
}
