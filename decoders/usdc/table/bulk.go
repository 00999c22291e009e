package table

import (
	"context"
	"sync"

	"cutaway/model"
)

// EachRun calls do for the bytes of a span, a run of whole records of size bytes at a time, until it returns false.
func EachRun(ctx context.Context, at model.Span, size int64, do func(off int64, b []byte) bool) error {
	buf := bulks.Get().(*[bulk]byte)
	defer bulks.Put(buf)
	run := bulk / size * size
	for off := at.Off; off < at.End(); off += run {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(run, at.End()-off)]
		if _, err := at.Source.ReadFull(ctx, b, off); err != nil {
			return err
		}
		if !do(off, b) {
			return nil
		}
	}
	return nil
}

// bulk is the number of bytes that are read at once.
const bulk = 32 << 10

var bulks = sync.Pool{New: func() any { return new([bulk]byte) }}

// EachRecord calls do for n records of size bytes from off on.
func EachRecord(ctx context.Context, src *model.Source, off, size, n int64, do func(i int64, b []byte)) error {
	i := int64(0)
	return EachRun(ctx, src.Span(off, n*size), size, func(_ int64, b []byte) bool {
		for ; len(b) > 0; b = b[size:] {
			do(i, b[:size])
			i++
		}
		return true
	})
}
