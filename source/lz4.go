package source

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"cutaway/model"

	"github.com/pierrec/lz4/v4"
)

// A Fault is a fault of compressed bytes.
type Fault struct {
	In       int64  // offset of the fault in the input, or the input's length if bytes are missing
	Out      int64  // number of valid bytes of output
	Sequence int64  // for LZ4, the number of the faulty sequence in its block, otherwise 0
	Begin    int64  // for a single LZ4 block, the offset of that sequence
	Limit    bool   // the bytes may be valid, but decoding them exceeds the memory limit
	Reason   string // one sentence without the place
	Err      error  // io.ErrUnexpectedEOF if input is missing, an error of reading it, or nil
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s (at input byte %d; %d bytes of output are good)", f.Reason, f.In, f.Out)
}

// Unwrap returns Err.
func (f *Fault) Unwrap() error { return f.Err }

// unread reports whether the input could not be read, so that its faults are unknown.
func (f *Fault) unread() bool { return f.Err != nil && f.Err != io.ErrUnexpectedEOF }

// A Sequence is one sequence of an LZ4 block: literals and, except in the last one, a match. Input offsets count in the
// block, output offsets in the block's output.
type Sequence struct {
	Index      int64
	Token      int64 // input offset of the token
	LiteralsAt int64 // input offset of the literals; bytes between token and literals extend the literal length
	Literals   int64 // bytes
	Out        int64 // output offset of the literals
	OffsetAt   int64 // input offset of the u16 match offset, or -1 in the last sequence
	Distance   int64 // distance of the match in the output
	Match      int64 // bytes of the match, or 0 in the last sequence
	End        int64 // input offset after the sequence; bytes from OffsetAt+2 on extend the match length
}

// MatchOut returns the output offset of the match.
func (s *Sequence) MatchOut() int64 { return s.Out + s.Literals }

// OutEnd returns the output offset after the sequence.
func (s *Sequence) OutEnd() int64 { return s.Out + s.Literals + s.Match }

const (
	minMatch   = 4
	matchReach = 65535 // the greatest distance of a match
)

// MaxLZ4Output returns the greatest output of an LZ4 block of n bytes.
func MaxLZ4Output(n int64) int64 { return 255*n + 64 }

// tooShort returns the fault of a valid block with less output than wanted, or nil.
func tooShort(in, made, want int64) *Fault {
	if made >= want {
		return nil
	}
	reason := fmt.Sprintf("the block ends after %d of %d bytes of output", made, want)
	if most := MaxLZ4Output(in); want > most {
		reason += fmt.Sprintf("; %d bytes of LZ4 make at most %d", in, most)
	}
	return &Fault{In: in, Out: made, Reason: reason}
}

// decodeLZ4 fills out with the first bytes of a block's output, which must be valid.
func decodeLZ4(ctx context.Context, in, history, out []byte) {
	if len(out) == 0 {
		return // the library misreports a block without output
	}
	if n, err := lz4.UncompressBlockWithDict(in, out, history); err != nil || n != len(out) {
		copyLZ4(ctx, in, history, out) // stops at the fault
	}
}

// measureLZ4 returns the size of a block's valid output, and its fault.
func measureLZ4(ctx context.Context, in []byte, history int64, limit outputLimit) (good int64, fault *Fault) {
	w := newWalker(in, limit)
	w.floor = -history
	var s Sequence
	for !w.done && fault == nil {
		fault = w.next(ctx, &s)
		good = s.OutEnd()
	}
	return good, fault
}

// copyLZ4 decodes a block until out is full. That part of the output must be valid.
func copyLZ4(ctx context.Context, in, history, out []byte) {
	w := newWalker(in, outputLimit{int64(len(out)), expectedSize})
	w.floor = -int64(len(history))
	var s Sequence
	for fault := (*Fault)(nil); !w.done && fault == nil; {
		fault = w.next(ctx, &s)
		copy(out[s.Out:], in[s.LiteralsAt:s.LiteralsAt+s.Literals])
		for to := s.MatchOut(); to < s.OutEnd(); to++ {
			if from := to - s.Distance; from < 0 {
				out[to] = history[int64(len(history))+from]
			} else {
				out[to] = out[from]
			}
		}
	}
}

// An outputLimit is the greatest size of the output, and the origin of that limit.
type outputLimit struct {
	size int64 // or -1 for none
	what string
}

const (
	expectedSize = "the expected size"
	callersLimit = "the limit for inflated data"
)

// boundOf returns the lesser of an expected size and a limit, each -1 if none.
func boundOf(want, atMost int64) outputLimit {
	if atMost >= 0 && (want < 0 || atMost < want) {
		return outputLimit{atMost, callersLimit}
	}
	return outputLimit{want, expectedSize}
}

func (l outputLimit) exceeded() string {
	return fmt.Sprintf("the output passes %s of %d bytes", l.what, l.size)
}

// A walker visits the sequences of a block, in memory or read in windows.
type walker struct {
	buf  []byte // the input from base on that was read
	base int64
	more func(ctx context.Context, off int64) ([]byte, error) // reads the input from off on, or is nil if all is in buf
	end  int64                                                // the input's size

	at    int64 // input offset of the next sequence
	out   int64 // output so far
	index int64 // number of the next sequence
	done  bool
	floor int64 // the least output offset that matches may refer to; below 0 with output before the block
	limit outputLimit
}

func newWalker(in []byte, limit outputLimit) walker {
	w := walker{buf: in, end: int64(len(in)), done: len(in) == 0, limit: limit}
	if limit.size < 0 {
		w.limit.size = math.MaxInt64
	}
	return w
}

// newSpanWalker is like newWalker, for a block that is read in windows of window bytes.
func newSpanWalker(in model.Span, limit outputLimit, window int64) walker {
	w := newWalker(nil, limit)
	w.end, w.done = in.Len, in.Len == 0
	var buf []byte
	w.more = func(ctx context.Context, off int64) ([]byte, error) {
		if buf == nil {
			buf = make([]byte, min(window, in.Len))
		}
		want := buf[:min(window, in.Len-off)]
		n, err := in.Source.ReadFull(ctx, want, in.Off+off)
		if n > 0 {
			return want[:n], nil
		}
		return nil, fmt.Errorf("the block could not be read: %w", err)
	}
	return w
}

// next reads the sequence at w.at and advances. With a fault, s holds the valid part and the walk ends.
func (w *walker) next(ctx context.Context, s *Sequence) *Fault {
	if w.short(s) {
		return nil
	}
	*s = Sequence{Index: w.index, Token: w.at, Out: w.out, LiteralsAt: w.at, OffsetAt: -1, End: w.end}
	token, err := w.byte(ctx, w.at)
	if err != nil {
		return w.cut(s, "the block ends after a match; its last sequence must have literals only", err)
	}
	pos := w.at + 1
	literals := int64(token >> 4)
	if literals == 15 {
		if pos, literals, err = w.extend(ctx, pos, literals); err != nil {
			return w.cut(s, "the block ends inside a literal length", err)
		}
	}
	s.LiteralsAt = pos
	s.Literals = min(literals, w.end-pos, w.limit.size-w.out)
	if s.Literals < literals {
		if literals > w.end-pos {
			reason := fmt.Sprintf("the block ends inside literals, of which %d bytes are missing", literals-(w.end-pos))
			return w.cut(s, reason, io.ErrUnexpectedEOF)
		}
		return w.fault(s, pos+s.Literals, w.limit.exceeded(), nil)
	}
	pos += literals
	if pos < w.end {
		if fault := w.match(ctx, s, pos, int64(token&15)); fault != nil {
			return fault
		}
		pos = s.End
	} else {
		w.done = true
	}
	s.End = pos
	w.at, w.out = pos, s.OutEnd()
	w.index++
	return nil
}

// short is like next, for the most frequent sequences: without length bytes, valid, and whole in the buffer. For others it
// does nothing and returns false.
func (w *walker) short(s *Sequence) bool {
	const most = 1 + 14 + 2 // bytes of such a sequence
	i := w.at - w.base
	if uint64(i) >= uint64(len(w.buf)) || len(w.buf)-int(i) < most {
		return false
	}
	b := w.buf[i:]
	literals, match := int64(b[0]>>4), int64(b[0]&15)+minMatch
	if literals == 15 || match == 15+minMatch {
		return false
	}
	distance := int64(binary.LittleEndian.Uint16(b[1+literals:]))
	out := w.out + literals
	if distance == 0 || out-distance < w.floor || out+match > w.limit.size {
		return false
	}
	end := w.at + 1 + literals + 2
	// Assigning field by field saves a copy of the struct, which would double the cost.
	s.Index, s.Token, s.LiteralsAt, s.Literals, s.Out = w.index, w.at, w.at+1, literals, w.out
	s.OffsetAt, s.Distance, s.Match, s.End = end-2, distance, match, end
	w.at, w.out = end, out+match
	w.index++
	return true
}

// match reads the match of a sequence, whose offset is at pos.
func (w *walker) match(ctx context.Context, s *Sequence, pos, length int64) *Fault {
	distance, err := w.uint16(ctx, pos)
	if err != nil {
		return w.cut(s, "the block ends inside a match offset", err)
	}
	s.OffsetAt = pos
	s.Distance = int64(distance)
	if from := s.MatchOut() - s.Distance; s.Distance == 0 || from < w.floor {
		reason := "a match offset is 0"
		if s.Distance > 0 {
			reason = fmt.Sprintf("a match reaches %d bytes back, but only %d were made", s.Distance, s.MatchOut()-w.floor)
		}
		return w.fault(s, pos, reason, nil)
	}
	s.End = pos + 2
	if length == 15 {
		if s.End, length, err = w.extend(ctx, s.End, length); err != nil {
			return w.cut(s, "the block ends inside a match length", err)
		}
	}
	length += minMatch
	if room := w.limit.size - s.MatchOut(); length > room {
		s.Match = room
		return w.fault(s, pos, w.limit.exceeded(), nil)
	}
	s.Match = length
	return nil
}

// cut returns the fault that the input ended or could not be read.
func (w *walker) cut(s *Sequence, reason string, err error) *Fault {
	if err != io.ErrUnexpectedEOF {
		reason = err.Error()
	}
	return w.fault(s, w.end, reason, err)
}

func (w *walker) fault(s *Sequence, in int64, reason string, err error) *Fault {
	w.done = true
	return &Fault{In: in, Out: s.OutEnd(), Sequence: w.index, Begin: w.at, Reason: reason, Err: err}
}

// extend adds the bytes from pos on to a length, up to and including the first that is not 255.
func (w *walker) extend(ctx context.Context, pos, length int64) (int64, int64, error) {
	for {
		b, err := w.byte(ctx, pos)
		if err != nil {
			return pos, length, err
		}
		pos++
		length += int64(b)
		if b != 255 {
			return pos, length, nil
		}
	}
}

func (w *walker) byte(ctx context.Context, off int64) (byte, error) {
	if i := uint64(off - w.base); i < uint64(len(w.buf)) {
		return w.buf[i], nil
	}
	if err := w.fill(ctx, off); err != nil {
		return 0, err
	}
	return w.buf[0], nil
}

func (w *walker) uint16(ctx context.Context, off int64) (uint16, error) {
	if i := uint64(off - w.base); i+1 < uint64(len(w.buf)) {
		return binary.LittleEndian.Uint16(w.buf[i:]), nil
	}
	low, err := w.byte(ctx, off)
	if err != nil {
		return 0, err
	}
	high, err := w.byte(ctx, off+1)
	return uint16(low) | uint16(high)<<8, err
}

// fill makes the byte at off the first of the buffer.
func (w *walker) fill(ctx context.Context, off int64) error {
	if off >= w.end || w.more == nil {
		return io.ErrUnexpectedEOF
	}
	buf, err := w.more(ctx, off)
	if err != nil {
		return err
	}
	w.buf, w.base = buf, off
	return nil
}
