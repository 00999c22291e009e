package model

import (
	"slices"
	"sync/atomic"
	"time"
)

// leastPause is the least time until a failed read is tried again.
const leastPause = 5 * time.Second

// A Pause is how long something is kept that lacks what a disk or server did not give, before it is made again when it is
// asked for: a screen that is painted anew asks each time. The zero value is that of something whole, which is kept for good.
type Pause struct{ until atomic.Int64 }

// Begin begins a pause after an attempt that began at a time, which is as long as the attempt took; or ends it, where nothing
// is lacking.
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

// LacksBytes reports whether one of the problems is that bytes could not be read.
func LacksBytes(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Kind == Unread })
}
