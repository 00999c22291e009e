package source

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"cutaway/model"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// InflateZstd decodes zstd frames, one behind the other. want is the exact size of the output and max a limit for
// it; -1: none. A fault comes with the good part of the output.
func InflateZstd(in []byte, want, max int64) ([]byte, *Fault) {
	return inflateBytes(openZstd, "zstd", in, want, max)
}

// InflateGzip decodes gzip members, one behind the other; the arguments are as in InflateZstd.
func InflateGzip(in []byte, want, max int64) ([]byte, *Fault) {
	return inflateBytes(openGzip, "gzip", in, want, max)
}

// InflateZlib decodes a zlib stream; the arguments are as in InflateZstd.
func InflateZlib(in []byte, want, max int64) ([]byte, *Fault) {
	return inflateBytes(zlib.NewReader, "zlib", in, want, max)
}

// InflateDeflate decodes a raw deflate stream; the arguments are as in InflateZstd.
func InflateDeflate(in []byte, want, max int64) ([]byte, *Fault) {
	return inflateBytes(openFlate, "deflate", in, want, max)
}

func openGzip(r io.Reader) (io.ReadCloser, error)  { return gzip.NewReader(r) }
func openFlate(r io.Reader) (io.ReadCloser, error) { return flate.NewReader(r), nil }

// maxZstdWindow is the largest window that is taken memory for: that of zstd --ultra --long=27.
const maxZstdWindow = 128 << 20

var zstdDecoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
}}

// pooledZstd gives its decoder back when it is closed.
type pooledZstd struct{ *zstd.Decoder }

func openZstd(r io.Reader) (io.ReadCloser, error) {
	d := zstdDecoders.Get().(*zstd.Decoder)
	return pooledZstd{d}, d.Reset(r)
}

func (d pooledZstd) Close() error {
	err := d.Reset(nil)
	zstdDecoders.Put(d.Decoder)
	return err
}

// inflateBytes runs a stream decoder over in.
func inflateBytes(open func(io.Reader) (io.ReadCloser, error), name string, in []byte, want, max int64) ([]byte, *Fault) {
	limit := boundOf(want, max)
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
	defer d.Close()
	room := int64(math.MaxInt64)
	if limit.size >= 0 {
		room = limit.size
	}
	if _, err = io.Copy(&out, io.LimitReader(d, room)); err != nil {
		return out.Bytes(), fault(err)
	}
	if int64(out.Len()) == room {
		var one [1]byte
		if n, _ := io.ReadFull(d, one[:]); n > 0 {
			return out.Bytes(), &Fault{In: int64(len(in)) - int64(r.Len()), Out: room, Reason: limit.exceeded()}
		}
	}
	if want >= 0 && int64(out.Len()) < want {
		return out.Bytes(), &Fault{In: int64(len(in)), Out: int64(out.Len()),
			Reason: fmt.Sprintf("the %s data makes %d of %d bytes", name, out.Len(), want)}
	}
	return out.Bytes(), nil
}

// ZstdContentSize reads the size of the output from the header of a zstd frame (RFC 8878, 3.1.1.1): ok is false
// where the frame does not say it, or head does not hold the header.
func ZstdContentSize(head []byte) (size uint64, ok bool) {
	if len(head) < 5 || binary.LittleEndian.Uint32(head) != 0xFD2FB528 {
		return 0, false
	}
	descriptor := head[4]
	single := descriptor>>5&1 == 1
	at := 5 + [4]int{0, 1, 2, 4}[descriptor&3]
	if !single {
		at++
	}
	width := [4]int{0, 2, 4, 8}[descriptor>>6]
	if width == 0 && single {
		width = 1
	}
	if width == 0 || len(head) < at+width {
		return 0, false
	}
	for i := width - 1; i >= 0; i-- {
		size = size<<8 | uint64(head[at+i])
	}
	if width == 2 {
		size += 256
	}
	return size, true
}

// Unit is a run of input that makes a run of output as a whole, such as a zstd frame.
type Unit struct {
	In     model.Span
	Out    int64 // offset of its output in the derived source
	OutLen int64 // bytes
}

type unitMapping struct {
	units  []Unit
	kind   string
	stored bool
}

// NewFrameMapping is the mapping of frames whose inside is not followed: all of a frame made each of its bytes. The
// outputs follow each other.
func NewFrameMapping(frames ...Unit) model.Mapping { return &unitMapping{units: frames, kind: "frame"} }

// NewStoredMapping is the mapping of bytes that were joined as they are.
func NewStoredMapping(in ...model.Span) model.Mapping {
	m := &unitMapping{kind: "stored", stored: true}
	var out int64
	for _, s := range in {
		m.units = append(m.units, Unit{In: s, Out: out, OutLen: s.Len})
		out += s.Len
	}
	return m
}

// From implements model.Mapping.
func (m *unitMapping) From(ctx context.Context, off, length int64) ([]model.Piece, error) {
	var pieces []model.Piece
	for _, u := range m.units {
		from, to := max(off, u.Out), min(off+length, u.Out+u.OutLen)
		if from >= to {
			continue
		}
		p := model.Piece{Off: from, Len: to - from, In: []model.Span{u.In}, Kind: m.kind, Unit: u.In, CopyFrom: -1}
		if m.stored {
			p.In = []model.Span{u.In.Source.Span(u.In.Off+from-u.Out, to-from)}
		}
		pieces = append(pieces, p)
	}
	return pieces, ctx.Err()
}

// To implements model.Mapping.
func (m *unitMapping) To(ctx context.Context, off, length int64) ([]model.OutputRange, error) {
	var ranges []model.OutputRange
	for _, u := range m.units {
		from, to := max(off, u.In.Off), min(off+length, u.In.End())
		switch {
		case from >= to:
		case m.stored:
			ranges = append(ranges, model.OutputRange{Off: u.Out + from - u.In.Off, Len: to - from})
		default:
			ranges = append(ranges, model.OutputRange{Off: u.Out, Len: u.OutLen})
		}
	}
	return ranges, ctx.Err()
}
