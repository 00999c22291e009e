package source

import (
	"context"
	"fmt"
	"io"
	"sync"

	"cutaway/model"
)

// copyPiece bounds the output that CopyLZ4 makes at a time.
const copyPiece = 256 << 10

// copyBuffers are used again: what a small block makes is far less than what is kept for matches.
var copyBuffers = sync.Pool{New: func() any { return new([]byte) }}

// CopyLZ4 decodes the LZ4 block in a span and writes what it makes to w, piece by piece: neither the block nor its
// output is ever held whole. It is a Copier.
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

// lz4Copier has the last output in front of that which is not written yet.
type lz4Copier struct {
	w    io.Writer
	ctx  context.Context // of one CopyLZ4
	in   model.Span
	walk walker
	room int64
	buf  []byte // as much output as matches reach back to, and room for more after it
	used int64  // of buf
}

// sequence makes what is good of a sequence.
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
			// What was copied already is behind what is copied from, so that each turn takes twice as much.
			done += int64(copy(to[done:], c.buf[begin-s.Distance:begin+done]))
		}
		left -= int64(len(to))
	}
	return nil
}

// next is room for at most n bytes of output, which are taken as made.
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

// flush writes the output that is not written, and keeps as much as matches reach back to.
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

// MeasureLZ4 returns how much good output the LZ4 block in a span makes, limit at most, and the fault that ends it. It
// reads the block in windows. The error is that of ctx.
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
