package source

import (
	"context"
	"io"
)

// copyPiece is how much output CopyLZ4 makes at a time.
const copyPiece = 1 << 20

// CopyLZ4 is InflateLZ4 for large outputs, which it writes to w piece by piece. It takes memory for 1 MiB of output,
// or for that of the longest sequence. The error is that of w or ctx, or else the block's Fault.
func CopyLZ4(ctx context.Context, w io.Writer, in []byte, want int64) error {
	walk := newWalker(in, boundOf(want, -1))
	var (
		s              Sequence
		fault          *Fault
		start, made    int64 // where the piece begins, in the input and the output
		piece, history []byte
		out            []byte
	)
	for !walk.done && fault == nil {
		fault = walk.next(ctx, &s)
		size := s.OutEnd() - made
		ended := walk.done || fault != nil
		if size < copyPiece && !ended {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if int64(cap(out)) < size {
			out = make([]byte, size)
		}
		out = out[:size]
		if ended {
			decodeLZ4(ctx, in[start:], history, out)
		} else {
			// A token without literals ends the piece as a block must end.
			piece = append(append(piece[:0], in[start:s.End]...), 0)
			decodeLZ4(ctx, piece, history, out)
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
		history = append(history[:0], out[max(0, size-matchReach):]...)
		start, made = s.End, s.OutEnd()
	}
	if fault == nil {
		fault = tooShort(in, made, want)
	}
	if fault != nil {
		return fault
	}
	return nil
}
