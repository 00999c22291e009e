package source

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"sync"

	"cutaway/model"

	"github.com/klauspost/compress/zstd"
)

// InflateZstd decodes zstd frames, one behind the other. want is the exact size of the output and atMost a limit for
// it; -1: none. A fault comes with the good part of the output, whole blocks, and the place of the block at fault.
func InflateZstd(_ context.Context, in []byte, want, atMost int64) ([]byte, *Fault) {
	out, fault := inflateBytes(openZstd, "zstd", fitZstdWindows(in), want, atMost)
	if fault != nil && fault.Err == nil && fault.In > 0 {
		// The decoder has taken the block that it could not decode.
		fault.In = zstdPartOver(in, fault.In-1)
	}
	return out, fault
}

// EachZstd decodes zstd frames, one behind the other, and hands over the output in runs, which are valid during the call
// only: no memory is taken for the whole. It ends at the first error: of the data, of each, of ctx.
func EachZstd(ctx context.Context, in []byte, each func(run []byte) error) error {
	d, err := openZstd(bytes.NewReader(fitZstdWindows(in)))
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }() // of what is only read
	_, err = d.(io.WriterTo).WriteTo(writerFunc(func(run []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := each(run); err != nil {
			return 0, err
		}
		return len(run), nil
	}))
	return err
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

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

const (
	maxZstdBlock = 128 << 10 // bytes that a block makes at most

	zstdMagic          = 0xFD2FB528
	zstdSkippable      = 0x184D2A50
	zstdSkippableMask  = 0xFFFFFFF0
	zstdSkippableStart = 8
)

// ZstdFrame is where a zstd frame lies, and what its header says (RFC 8878, chapter 3.1).
type ZstdFrame struct {
	At          int64 // offset in the input
	End         int64 // offset behind the frame
	ContentSize int64 // bytes of output; -1: not given
	Window      int64 // bytes that a decoder must keep
	Checksum    bool
	Skippable   bool // holds no output

	windowAt  int64 // of the window descriptor; -1: a single segment
	sizeAt    int64
	sizeWidth int
}

// ZstdContentSize reads the size of the output from the header of a zstd frame: ok is false where the frame does not
// say it, or head does not hold the header.
func ZstdContentSize(head []byte) (size int64, ok bool) {
	f, _, fault := zstdHeader(head, 0)
	return f.ContentSize, fault == nil && f.ContentSize >= 0
}

// ZstdFrames lists the frames of in, without decoding them. A fault comes with the frames before it.
func ZstdFrames(in []byte) ([]ZstdFrame, *Fault) {
	var frames []ZstdFrame
	for at := int64(0); at < int64(len(in)); {
		f, fault := walkZstdFrame(in, at, func(int64) {})
		if fault != nil {
			return frames, fault
		}
		frames = append(frames, f)
		at = f.End
	}
	return frames, nil
}

// fitZstdWindows returns in, or a copy in which no header claims a window beyond what the blocks can fill: the
// decoder takes memory for it. What the blocks make does not change. The content size of a single segment is its
// window; one that is too large is wrong, and stays so.
func fitZstdWindows(in []byte) []byte {
	fitted := in
	for at := int64(0); at < int64(len(in)); {
		var parts int64
		f, fault := walkZstdFrame(in, at, func(int64) { parts++ })
		enough := parts * maxZstdBlock
		if f.Window > enough {
			if &fitted[0] == &in[0] {
				fitted = bytes.Clone(in)
			}
			if f.windowAt >= 0 {
				// 2 to the power of 10 and the upper five bits.
				fitted[f.windowAt] = byte(bits.Len64(uint64(enough-1))-10) << 3
			} else if f.sizeWidth == 8 {
				binary.LittleEndian.PutUint64(fitted[f.sizeAt:], uint64(enough))
			} else {
				binary.LittleEndian.PutUint32(fitted[f.sizeAt:], uint32(enough))
			}
		}
		if fault != nil {
			break
		}
		at = f.End
	}
	return fitted
}

// zstdPartOver is where the part of a frame begins that the byte at off lies in: a header, block or checksum.
func zstdPartOver(in []byte, off int64) int64 {
	var begin int64
	for at := int64(0); at <= off; {
		f, fault := walkZstdFrame(in, at, func(part int64) {
			if part <= off {
				begin = part
			}
		})
		if fault != nil {
			break
		}
		at = f.End
	}
	return begin
}

// zstdHeader reads the header of the frame at, and returns where its blocks begin.
func zstdHeader(in []byte, at int64) (f ZstdFrame, blocks int64, fault *Fault) {
	f = ZstdFrame{At: at, ContentSize: -1}
	short := &Fault{In: int64(len(in)), Reason: "the zstd frame ends inside its header", Err: io.ErrUnexpectedEOF}
	b := in[at:]
	if len(b) < 5 {
		return f, 0, short
	}
	magic := binary.LittleEndian.Uint32(b)
	if magic&zstdSkippableMask == zstdSkippable {
		f.Skippable = true
		return f, at + zstdSkippableStart, nil
	}
	if magic != zstdMagic {
		return f, 0, &Fault{In: at, Reason: fmt.Sprintf("not a zstd frame: it begins with %#08x, not %#08x", magic, uint32(zstdMagic))}
	}
	descriptor := b[4]
	single := descriptor>>5&1 == 1
	f.Checksum = descriptor>>2&1 == 1
	pos := 5
	f.windowAt = -1
	if !single {
		f.windowAt = at + 5
		pos++
	}
	pos += [4]int{0, 1, 2, 4}[descriptor&3] // the dictionary's number
	width := [4]int{0, 2, 4, 8}[descriptor>>6]
	if width == 0 && single {
		width = 1
	}
	if len(b) < pos+width {
		return f, 0, short
	}
	f.sizeAt, f.sizeWidth = at+int64(pos), width
	var size uint64
	for i := width - 1; i >= 0; i-- {
		size = size<<8 | uint64(b[pos+i])
	}
	if width == 2 {
		size += 256
	}
	if width > 0 {
		f.ContentSize = int64(min(size, 1<<63-1))
	}
	f.Window = f.ContentSize
	if !single {
		f.Window = (8 + int64(b[5]&7)) << (7 + b[5]>>3)
	}
	return f, at + int64(pos+width), nil
}

// walkZstdFrame visits where the parts of the frame at begin.
func walkZstdFrame(in []byte, at int64, visit func(part int64)) (ZstdFrame, *Fault) {
	visit(at)
	f, pos, fault := zstdHeader(in, at)
	if fault != nil {
		return f, fault
	}
	size := int64(len(in))
	cut := &Fault{In: size, Reason: "the zstd frame ends too early", Err: io.ErrUnexpectedEOF}
	if f.Skippable {
		if size < pos {
			return f, cut
		}
		f.End = pos + int64(binary.LittleEndian.Uint32(in[pos-4:]))
		if f.End > size {
			return f, cut
		}
		return f, nil
	}
	for last := false; !last; {
		visit(pos)
		if size-pos < 3 {
			return f, cut
		}
		head := uint32(in[pos]) | uint32(in[pos+1])<<8 | uint32(in[pos+2])<<16
		last = head&1 == 1
		length := int64(head >> 3)
		switch head >> 1 & 3 {
		case 1: // one byte, repeated
			length = 1
		case 3:
			return f, &Fault{In: pos, Reason: "a zstd block has the reserved type 3"}
		}
		if pos += 3 + length; pos > size {
			return f, cut
		}
	}
	if f.Checksum {
		visit(pos)
		if pos += 4; pos > size {
			return f, cut
		}
	}
	f.End = pos
	return f, nil
}

// ZstdUnits lists the frames of the span, whose output has size bytes, for NewFrameMapping. Where a frame does not
// say how much it makes it is decoded, unless it is the last. Broken input gives one unit for the whole.
func ZstdUnits(ctx context.Context, in model.Span, size int64) ([]Unit, error) {
	b, err := in.Source.Bytes(ctx, in.Off, in.Len)
	if err != nil {
		return nil, err
	}
	frames, fault := ZstdFrames(b)
	if fault != nil {
		return []Unit{{In: in, OutLen: size}}, nil
	}
	var units []Unit
	var out int64
	for i, f := range frames {
		made := f.ContentSize
		switch {
		case f.Skippable:
			made = 0
		case i == len(frames)-1:
			made = size - out
		case made < 0:
			whole, _ := InflateZstd(ctx, b[f.At:f.End], -1, size-out)
			made = int64(len(whole))
		}
		made = min(made, size-out)
		units = append(units, Unit{In: in.Source.Span(in.Off+f.At, f.End-f.At), Out: out, OutLen: made})
		out += made
	}
	return units, nil
}
