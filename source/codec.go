package source

import (
	"bufio"
	"bytes"
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

// An Inflater is a Copier for bytes in memory. With a fault it returns the valid part of the output. It allocates
// memory only for actual output.
type Inflater func(ctx context.Context, in []byte, want, atMost int64) ([]byte, *Fault)

// InMemory returns an Inflater for a Copier.
func InMemory(copier Copier) Inflater {
	return func(ctx context.Context, in []byte, want, atMost int64) ([]byte, *Fault) {
		var out bytes.Buffer
		err := copier(ctx, &out, model.NewFileSource("", model.BytesReader(in)).Whole(), want, atMost)
		var fault *Fault
		if err != nil && !errors.As(err, &fault) {
			fault = &Fault{Out: int64(out.Len()), Reason: err.Error(), Err: err}
		}
		return out.Bytes(), fault
	}
}

// A Copier decompresses a span to w in pieces, so that neither is held as a whole. want is the exact size of the
// output, atMost a limit, or -1. The error is that of w, of ctx or of reading, or else a Fault, before which the valid
// part was written.
type Copier func(ctx context.Context, w io.Writer, in model.Span, want, atMost int64) error

// Inflated returns a reader of the size bytes that a copier writes for a span, which is read on demand.
func Inflated(in model.Span, size int64, copier Copier) *CachedReader {
	return Cached(size, func(ctx context.Context, w io.Writer) error { return copier(ctx, w, in, size, -1) })
}

// CopyDeflate is a Copier for raw deflate.
func CopyDeflate(ctx context.Context, w io.Writer, in model.Span, want, atMost int64) error {
	return copySpan(ctx, w, openFlate, "deflate", in, want, atMost)
}

// CopyZlib is a Copier for a zlib stream.
func CopyZlib(ctx context.Context, w io.Writer, in model.Span, want, atMost int64) error {
	return copySpan(ctx, w, zlib.NewReader, "zlib", in, want, atMost)
}

// copySpan runs a stream decoder over a span.
func copySpan(ctx context.Context, w io.Writer, open opener, name string, in model.Span, want, atMost int64) error {
	r := newSpanInput(ctx, in)
	out := &countedOutput{w: w}
	fault := inflateTo(open, name, r, out, want, atMost)
	return copied(ctx, r, out, fault)
}

// copied returns the error of a copy: why it stopped, or else the fault of the bytes.
func copied(ctx context.Context, r *spanInput, out *countedOutput, fault *Fault) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case out.err != nil:
		return out.err
	case r.err != nil:
		return fmt.Errorf("the compressed bytes could not be read: %w", r.err)
	case fault != nil:
		return fault
	}
	return nil
}

// An opener creates a stream decoder.
type opener func(io.Reader) (io.ReadCloser, error)

// InflateGzip is CopyGzip for bytes in memory.
var InflateGzip = InMemory(CopyGzip)

func openGzip(r io.Reader) (io.ReadCloser, error)  { return gzip.NewReader(r) }
func openFlate(r io.Reader) (io.ReadCloser, error) { return flate.NewReader(r), nil }

// CopyGzip is a Copier for one or more gzip members.
func CopyGzip(ctx context.Context, w io.Writer, in model.Span, want, atMost int64) error {
	return copySpan(ctx, w, openGzip, "gzip", in, want, atMost)
}

// An input provides the bytes of a stream decoder; left is the number of unread bytes.
type input interface {
	io.Reader
	io.ByteReader
	left() int64
}

// A spanInput reads a span; err is the error of reading.
type spanInput struct {
	r        *bufio.Reader
	at, size int64
	err      error
}

func newSpanInput(ctx context.Context, in model.Span) *spanInput {
	return &spanInput{r: bufio.NewReaderSize(in.Reader(ctx), int(min(64<<10, max(in.Len, 16)))), size: in.Len}
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
	if err == io.EOF && r.left() > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && err != io.EOF {
		r.err = err
	}
	return err
}

// A countedOutput counts the bytes written; err is the error of writing.
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

// inflateTo runs a stream decoder.
func inflateTo(open opener, name string, in input, out *countedOutput, want, atMost int64) *Fault {
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
	defer func() { _ = d.Close() }() // opened for reading only
	room := int64(math.MaxInt64)
	if limit.size >= 0 {
		room = limit.size
	}
	if _, err = io.Copy(out, io.LimitReader(d, room)); err != nil {
		return broken(err)
	}
	if out.n == room {
		// The end of the data, with checksums, follows the last byte of output.
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
