package source

import (
	"context"
	"fmt"
	"io"
	"sync"

	"cutaway/model"
)

// copyPiece is the most output that CopyLZ4 makes at a time.
const copyPiece = 256 << 10

// copyBuffers are reused, since the output of a small block is far smaller than the buffer for matches.
var copyBuffers = sync.Pool{New: func() any { return new([]byte) }}

// CopyLZ4 is a Copier for an LZ4 block.
func CopyLZ4(ctx context.Context, w io.Writer, in model.Span, want, atMost int64) error {
	c := &lz4Copier{w: w, ctx: ctx, in: in}
	if c.walk = newSpanWalker(in, boundOf(want, atMost), indexWindow); !c.walk.done {
		c.room = min(copyPiece, MaxLZ4Output(in.Len))
		buf := copyBuffers.Get().(*[]byte)
		defer copyBuffers.Put(buf)
		if n := int(matchReach + c.room); cap(*buf) < n {
			*buf = make([]byte, n)
		}
		c.buf = (*buf)[:matchReach+c.room]
	}
	c.used = matchReach
	var s Sequence
	var fault *Fault
	for !c.walk.done && fault == nil {
		fault = c.walk.next(ctx, &s)
		if err := c.sequence(&s); err != nil {
			return err
		}
	}
	if err := c.flush(); err != nil {
		return err
	}
	if fault == nil {
		fault = tooShort(in.Len, s.OutEnd(), want)
	}
	if fault != nil {
		return fault
	}
	return nil
}

// An lz4Copier holds the end of the written output, for matches, and the output that is not written yet.
type lz4Copier struct {
	w    io.Writer
	ctx  context.Context // of one CopyLZ4
	in   model.Span
	walk walker
	room int64
	buf  []byte // the output within the reach of matches, and room for more
	used int64  // of buf
}

// sequence makes the output of the valid part of a sequence.
func (c *lz4Copier) sequence(s *Sequence) error {
	for at, end := s.LiteralsAt, s.LiteralsAt+s.Literals; at < end; {
		to, err := c.next(end - at)
		if err != nil {
			return err
		}
		if i := at - c.walk.base; i >= 0 && i+int64(len(to)) <= int64(len(c.walk.buf)) {
			copy(to, c.walk.buf[i:])
		} else if n, err := c.in.Source.ReadFull(c.ctx, to, c.in.Off+at); n < len(to) {
			return fmt.Errorf("the block could not be read: %w", err)
		}
		at += int64(len(to))
	}
	for left := s.Match; left > 0; {
		to, err := c.next(left)
		if err != nil {
			return err
		}
		begin := c.used - int64(len(to))
		for done := int64(0); done < int64(len(to)); {
			// The copied bytes follow their origin, so that each step can copy twice as much.
			done += int64(copy(to[done:], c.buf[begin-s.Distance:begin+done]))
		}
		left -= int64(len(to))
	}
	return nil
}

// next returns room for at most n bytes of output, which count as made.
func (c *lz4Copier) next(n int64) ([]byte, error) {
	if c.used == int64(len(c.buf)) {
		if err := c.flush(); err != nil {
			return nil, err
		}
	}
	n = min(n, int64(len(c.buf))-c.used)
	c.used += n
	return c.buf[c.used-n : c.used], nil
}

// flush writes the unwritten output, and keeps the part within the reach of matches.
func (c *lz4Copier) flush() error {
	if err := c.ctx.Err(); err != nil || c.used == matchReach {
		return err
	}
	if _, err := c.w.Write(c.buf[matchReach:c.used]); err != nil {
		return err
	}
	copy(c.buf, c.buf[c.used-matchReach:c.used])
	c.used = matchReach
	return nil
}

// MeasureLZ4 returns the size of the valid output of the LZ4 block in a span, at most limit, and the fault that ends
// it. It reads the block in windows. The error is that of ctx.
func MeasureLZ4(ctx context.Context, in model.Span, limit int64) (good int64, fault *Fault, err error) {
	w := newSpanWalker(in, outputLimit{limit, expectedSize}, indexWindow)
	var s Sequence
	for turn := 0; !w.done && fault == nil; turn++ {
		if turn%sequencesPerCheckpoint == 0 && ctx.Err() != nil {
			return good, nil, ctx.Err()
		}
		fault = w.next(ctx, &s)
		good = s.OutEnd()
	}
	return good, fault, ctx.Err()
}
