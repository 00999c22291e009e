package source

import (
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

// inflateBytes runs a stream decoder over in.
func inflateBytes(open func(io.Reader) (io.ReadCloser, error), name string, in []byte, want, atMost int64) ([]byte, *Fault) {
	limit := boundOf(want, atMost)
	r := bytes.NewReader(in)
	var out bytes.Buffer
	fault := func(err error) *Fault {
		f := &Fault{In: int64(len(in)) - int64(r.Len()), Out: int64(out.Len()), Reason: name + ": " + err.Error()}
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			f.In, f.Err = int64(len(in)), io.ErrUnexpectedEOF
			f.Reason = "the " + name + " data ends too early"
		}
		return f
	}
	d, err := open(r)
	if err != nil {
		return nil, fault(err)
	}
	defer func() { _ = d.Close() }() // of what is only read
	room := int64(math.MaxInt64)
	if limit.size >= 0 {
		room = limit.size
	}
	if want > 0 {
		const usualRatio = 8 // a claim of more has to show itself
		out.Grow(int(min(want, usualRatio*int64(len(in)))) + bytes.MinRead)
	}
	if _, err = io.Copy(&out, io.LimitReader(d, room)); err != nil {
		return out.Bytes(), fault(err)
	}
	if int64(out.Len()) == room {
		// The end of the data, where checksums stand, is behind the last byte of output.
		var one [1]byte
		if n, err := io.ReadFull(d, one[:]); n > 0 {
			return out.Bytes(), &Fault{In: int64(len(in)) - int64(r.Len()), Out: room, Reason: limit.exceeded()}
		} else if err != io.EOF {
			return out.Bytes(), fault(err)
		}
	}
	if want >= 0 && int64(out.Len()) < want {
		return out.Bytes(), &Fault{In: int64(len(in)), Out: int64(out.Len()),
			Reason: fmt.Sprintf("the %s data makes %d of %d bytes", name, out.Len(), want)}
	}
	if r.Len() > 0 {
		return out.Bytes(), &Fault{In: int64(len(in)) - int64(r.Len()), Out: int64(out.Len()),
			Reason: fmt.Sprintf("%d bytes follow the end of the %s data", r.Len(), name)}
	}
	return out.Bytes(), nil
}
