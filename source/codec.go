package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"cutaway/model"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// Inflater is the shape of InflateZstd and the others. want is the exact size of the output and atMost a limit for it;
// -1: none. A fault comes with the good part of the output. No memory is taken for what is only claimed.
type Inflater func(ctx context.Context, in []byte, want, atMost int64) ([]byte, *Fault)

// Inflated returns a reader of the size bytes that inflate makes of a span. It reads the span when it is read first.
func Inflated(in model.Span, size int64, inflate Inflater) *CachedReader {
	return Cached(size, func(ctx context.Context, w io.Writer) error {
		b, err := in.Source.Bytes(ctx, in.Off, in.Len)
		if err != nil {
			return fmt.Errorf("the compressed bytes at %s could not be read: %w", in, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		out, fault := inflate(ctx, b, size, -1)
		if _, err := w.Write(out); err != nil {
			return err
		}
		if fault != nil {
			return fault
		}
		return nil
	})
}

// InflateGzip decodes gzip members, one behind the other; want is the exact
// size of the output and atMost a limit for it; -1: none. A fault comes with the good part of the output.
func InflateGzip(_ context.Context, in []byte, want, atMost int64) ([]byte, *Fault) {
	return inflateBytes(openGzip, "gzip", in, want, atMost)
}

// InflateZlib decodes a zlib stream; the arguments are as in InflateGzip.
func InflateZlib(_ context.Context, in []byte, want, atMost int64) ([]byte, *Fault) {
	return inflateBytes(zlib.NewReader, "zlib", in, want, atMost)
}

// InflateDeflate decodes a raw deflate stream; the arguments are as in InflateGzip.
func InflateDeflate(_ context.Context, in []byte, want, atMost int64) ([]byte, *Fault) {
	return inflateBytes(openFlate, "deflate", in, want, atMost)
}

func openGzip(r io.Reader) (io.ReadCloser, error)  { return gzip.NewReader(r) }
func openFlate(r io.Reader) (io.ReadCloser, error) { return flate.NewReader(r), nil }

// CopyGzip writes what gzip members in a span give, at most so many bytes, and returns how many. Neither input nor
// output is held in memory. An error is that of reading or writing.
func CopyGzip(ctx context.Context, w io.Writer, in model.Span, atMost int64) (int64, *Fault, error) {
	r := &spanInput{r: bufio.NewReaderSize(in.Reader(ctx), 64<<10), size: in.Len}
	out := &countedOutput{w: w}
	fault := inflateTo(openGzip, "gzip", r, out, -1, atMost)
	return out.n, fault, cmp.Or(ctx.Err(), r.err, out.err)
}

// input is what a stream decoder reads; left is how many bytes of it are not read.
type input interface {
	io.Reader
	io.ByteReader
	left() int64
}

type bytesInput struct{ *bytes.Reader }

func (r bytesInput) left() int64 { return int64(r.Len()) }

// spanInput reads a span; err is why it could not be read.
type spanInput struct {
	r        *bufio.Reader
	at, size int64
	err      error
}

func (r *spanInput) left() int64 { return r.size - r.at }

func (r *spanInput) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.at += int64(n)
	return n, r.note(err)
}

// ReadByte implements io.ByteReader, so that a decoder does not read beyond the end of its data.
func (r *spanInput) ReadByte() (byte, error) {
	b, err := r.r.ReadByte()
	if err == nil {
		r.at++
	}
	return b, r.note(err)
}

func (r *spanInput) note(err error) error {
	if err != nil && err != io.EOF {
		r.err = err
	}
	return err
}

// countedOutput counts what is written; err is why it could not be.
type countedOutput struct {
	w   io.Writer
	n   int64
	err error
}

func (o *countedOutput) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.n += int64(n); err != nil {
		o.err = err
	}
	return n, err
}

// inflateBytes runs a stream decoder over in.
func inflateBytes(open func(io.Reader) (io.ReadCloser, error), name string, in []byte, want, atMost int64) ([]byte, *Fault) {
	var out bytes.Buffer
	if want > 0 {
		const usualRatio = 8 // a claim of more has to show itself
		out.Grow(int(min(boundOf(want, atMost).size, usualRatio*int64(len(in)))) + bytes.MinRead)
	}
	fault := inflateTo(open, name, bytesInput{bytes.NewReader(in)}, &countedOutput{w: &out}, want, atMost)
	return out.Bytes(), fault
}

// inflateTo runs a stream decoder.
func inflateTo(open func(io.Reader) (io.ReadCloser, error), name string, in input, out *countedOutput, want, atMost int64) *Fault {
	limit, size := boundOf(want, atMost), in.left()
	broken := func(err error) *Fault {
		f := &Fault{In: size - in.left(), Out: out.n, Reason: name + ": " + err.Error()}
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			f.In, f.Err = size, io.ErrUnexpectedEOF
			f.Reason = "the " + name + " data ends too early"
		}
		return f
	}
	d, err := open(in)
	if err != nil {
		return broken(err)
	}
	defer func() { _ = d.Close() }() // of what is only read
	room := int64(math.MaxInt64)
	if limit.size >= 0 {
		room = limit.size
	}
	if _, err = io.Copy(out, io.LimitReader(d, room)); err != nil {
		return broken(err)
	}
	if out.n == room {
		// The end of the data, where checksums stand, is after the last byte of output.
		var one [1]byte
		if n, err := io.ReadFull(d, one[:]); n > 0 {
			return &Fault{In: size - in.left(), Out: room, Reason: limit.exceeded()}
		} else if err != io.EOF {
			return broken(err)
		}
	}
	switch {
	case want >= 0 && out.n < want:
		return &Fault{In: size, Out: out.n, Reason: fmt.Sprintf("the %s data makes %d of %d bytes", name, out.n, want)}
	case in.left() > 0:
		return &Fault{In: size - in.left(), Out: out.n, Reason: fmt.Sprintf("%d bytes follow the end of the %s data", in.left(), name)}
	}
	return nil
}
