package omnilive

import (
	"context"

	"cutaway/decoders/flatbuffer"
	"cutaway/model"
)

// A scan is a pass over data whose extent only its inside tells. A long one reports progress and ends with its context.
type scan struct {
	*flatbuffer.Reader
	ctx       context.Context // nil: short, never interrupted
	progress  model.Progress
	from, end int64 // what is passed over
	steps     int
	err       error // ctx's, once it has ended
}

// scanStep is after how many items a scan looks at its context.
const scanStep = 1 << 14

// scan begins a short pass; release ends it.
func (v *values) scan(ctx context.Context) *scan { return &scan{Reader: v.b.Reader(ctx)} }

// longScan begins a pass over [off, end); release ends it.
func (v *values) longScan(ctx context.Context, progress model.Progress, off, end int64) *scan {
	return &scan{Reader: v.b.Reader(ctx), ctx: ctx, progress: progress, from: off, end: end}
}

func (v *values) release(sc *scan) { v.b.Release(sc.Reader) }

// goesOn reports whether the scan, which has come to off, may go on.
func (sc *scan) goesOn(off int64) bool {
	sc.steps++
	if sc.ctx == nil || sc.steps%scanStep != 0 {
		return sc.err == nil
	}
	sc.progress.Report(off-sc.from, sc.end-sc.from, "measuring items")
	sc.err = sc.ctx.Err()
	return sc.err == nil
}

// A pendingKey names what is decoded when it is looked at.
type pendingKey struct {
	what     string
	off, end int64
}
