package source

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"sync"

	"cutaway/model"

	"github.com/klauspost/compress/zstd"
)

// CopyZstd is a Copier for one or more zstd frames. The valid output before a fault is whole blocks, and the fault has
// the position of the block. A frame whose window needs more memory than the limit is a Fault with Limit.
func CopyZstd(ctx context.Context, w io.Writer, in model.Span, want, atMost int64) error {
	scan := &zstdScan{ctx: ctx, in: in}
	r := &zstdInput{spanInput: newSpanInput(ctx, in), scan: scan}
	out := &countedOutput{w: w}
	fault := inflateTo(openZstd, "zstd", r, out, want, atMost)
	if r.fault != nil {
		r.fault.Out = out.n
		fault = r.fault
	} else if fault != nil && fault.Err == nil && fault.In > 0 {
		// The decoder has consumed the block that it could not decode.
		fault.In = zstdPartOver(scan, fault.In-1)
	}
	return copied(ctx, r.spanInput, out, fault)
}

// EachZstd is like CopyZstd but passes the output to each in runs, which are valid during the call only. It ends at the
// first error: of the data, of each, or of ctx.
func EachZstd(ctx context.Context, in model.Span, each func(run []byte) error) error {
	return CopyZstd(ctx, writerFunc(func(run []byte) (int, error) {
		if err := each(run); err != nil {
			return 0, err
		}
		return len(run), ctx.Err()
	}), in, -1, -1)
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// maxZstdWindow is the largest window that is allocated: that of zstd --ultra --long=27, or as much as fits beside the
// output if memory is short.
const maxZstdWindow = 128 << 20

func zstdWindowLimit() int64 { return min(maxZstdWindow, max(CacheLimit()/2, 1<<20)) }

// A zstdScan reads the headers of frames and blocks of a span.
type zstdScan struct {
	ctx context.Context // of one CopyZstd
	in  model.Span
	buf []byte
	at  int64 // of buf
}

// bytes returns n bytes from off on, or as many as exist; the next call overwrites them.
func (z *zstdScan) bytes(off, n int64) []byte {
	const ahead = 1 << 10
	n = max(0, min(n, z.in.Len-off))
	if i := off - z.at; i < 0 || i+n > int64(len(z.buf)) {
		if z.buf == nil {
			z.buf = make([]byte, ahead)
		}
		z.buf, z.at = z.buf[:max(n, min(ahead, z.in.Len-off))], off
		got, _ := z.in.Source.ReadFull(z.ctx, z.buf, z.in.Off+off) // the decoder reports unreadable bytes
		z.buf = z.buf[:got]
	}
	i := off - z.at
	return z.buf[i:min(i+n, int64(len(z.buf)))]
}

// A zstdInput provides the bytes of a span with the windows of frames reduced to the size that their blocks can fill,
// since the decoder allocates the window. The output does not change. The window of a single segment is its content
// size, which stays as it is, right or wrong.
type zstdInput struct {
	*spanInput
	scan  *zstdScan
	end   int64 // of the current frame
	fit   []byte
	fitAt int64
	fault *Fault // of a frame that the decoder must not read
}

func (r *zstdInput) Read(p []byte) (int, error) {
	if r.at == r.end {
		if r.left() == 0 {
			return 0, io.EOF
		}
		if r.frame(); r.fault != nil {
			return 0, r.fault
		}
	}
	at := r.at
	n, err := r.spanInput.Read(p[:min(int64(len(p)), r.end-at)])
	if from := max(at, r.fitAt); from < min(at+int64(n), r.fitAt+int64(len(r.fit))) {
		copy(p[from-at:n], r.fit[from-r.fitAt:])
	}
	return n, err
}

func (r *zstdInput) ReadByte() (byte, error) {
	var one [1]byte
	_, err := io.ReadFull(r, one[:])
	return one[0], err
}

// frame examines the frame that begins.
func (r *zstdInput) frame() {
	var parts int64
	f, fault := walkZstdFrame(r.scan, r.at, func(int64) { parts++ })
	r.fit, r.end = nil, f.End
	if fault != nil {
		r.end = r.size
	}
	window := f.Window
	if enough := parts * maxZstdBlock; window > enough {
		window = enough
		if f.windowAt >= 0 {
			// 2 to the power of 10 and the upper five bits.
			r.fitAt, r.fit = f.windowAt, []byte{byte(bits.Len64(uint64(enough-1))-10) << 3}
		} else {
			r.fitAt, r.fit = f.sizeAt, binary.LittleEndian.AppendUint64(nil, uint64(enough))[:f.sizeWidth]
		}
	}
	if limit := zstdWindowLimit(); window > limit {
		r.fault = &Fault{In: r.at, Limit: true, Reason: fmt.Sprintf(
			"the zstd frame needs %d bytes of memory for its window, and the limit is %d, which --max-memory raises", window, limit)}
	}
}

// KeepZstdDecoders enables reuse of decoders. Tests in bubbles of synctest disable it: the channels of a decoder must
// not be used outside of its bubble.
var KeepZstdDecoders = true

var zstdDecoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
}}

// A pooledZstd returns its decoder to the pool when it is closed.
type pooledZstd struct{ *zstd.Decoder }

func openZstd(r io.Reader) (io.ReadCloser, error) {
	d := zstdDecoders.Get().(*zstd.Decoder)
	return pooledZstd{d}, d.Reset(r)
}

func (d pooledZstd) Close() error {
	if !KeepZstdDecoders {
		d.Decoder.Close()
		return nil
	}
	err := d.Reset(nil)
	zstdDecoders.Put(d.Decoder)
	return err
}

const (
	maxZstdBlock = 128 << 10 // greatest output of a block, in bytes

	zstdMagic          = 0xFD2FB528
	zstdSkippable      = 0x184D2A50
	zstdSkippableMask  = 0xFFFFFFF0
	zstdSkippableStart = 8
)

// A ZstdFrame holds the range of a zstd frame and the contents of its header (RFC 8878, chapter 3.1).
type ZstdFrame struct {
	At          int64 // offset in the input
	End         int64 // offset after the frame
	ContentSize int64 // bytes of output, or -1 if not given
	Window      int64 // bytes that a decoder must keep
	Checksum    bool
	Skippable   bool // has no output

	windowAt  int64 // of the window descriptor, or -1 in a single segment
	sizeAt    int64
	sizeWidth int
}

// ZstdContentSize returns the output size in the header of a zstd frame. ok is false if the header does not give it, or
// is incomplete in head.
func ZstdContentSize(head []byte) (size int64, ok bool) {
	f, _, fault := zstdHeader(head, int64(len(head)), 0)
	return f.ContentSize, fault == nil && f.ContentSize >= 0
}

// ZstdFrames returns the frames of in without decoding them. With a fault it returns the frames before.
func ZstdFrames(in []byte) ([]ZstdFrame, *Fault) {
	return ZstdFramesOf(context.Background(), model.NewFileSource("", model.BytesReader(in)).Whole()) // it is in memory
}

// ZstdFramesOf is like ZstdFrames, for a span, which is not read as a whole.
func ZstdFramesOf(ctx context.Context, in model.Span) ([]ZstdFrame, *Fault) {
	scan := &zstdScan{ctx: ctx, in: in}
	var frames []ZstdFrame
	for at := int64(0); at < in.Len; {
		f, fault := walkZstdFrame(scan, at, func(int64) {})
		if fault != nil {
			return frames, fault
		}
		frames = append(frames, f)
		at = f.End
	}
	return frames, nil
}

// zstdPartOver returns the beginning of the part of a frame with the byte at off: a header, block or checksum.
func zstdPartOver(in *zstdScan, off int64) int64 {
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

// zstdHeader parses the header of the frame at offset at, which b begins with, in an input of size bytes. blocks is the
// offset of its blocks.
func zstdHeader(b []byte, size, at int64) (f ZstdFrame, blocks int64, fault *Fault) {
	f = ZstdFrame{At: at, ContentSize: -1}
	short := &Fault{In: size, Reason: "the zstd frame ends inside its header", Err: io.ErrUnexpectedEOF}
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
	pos += [4]int{0, 1, 2, 4}[descriptor&3] // the dictionary's id
	width := [4]int{0, 2, 4, 8}[descriptor>>6]
	if width == 0 && single {
		width = 1
	}
	if len(b) < pos+width {
		return f, 0, short
	}
	f.sizeAt, f.sizeWidth = at+int64(pos), width
	var content uint64
	for i := width - 1; i >= 0; i-- {
		content = content<<8 | uint64(b[pos+i])
	}
	if width == 2 {
		content += 256
	}
	if width > 0 {
		f.ContentSize = int64(min(content, 1<<63-1))
	}
	f.Window = f.ContentSize
	if !single {
		f.Window = (8 + int64(b[5]&7)) << (7 + b[5]>>3)
	}
	return f, at + int64(pos+width), nil
}

// walkZstdFrame calls visit with the offset of each part of the frame at offset at.
func walkZstdFrame(in *zstdScan, at int64, visit func(part int64)) (ZstdFrame, *Fault) {
	const longestHeader = 18
	visit(at)
	size := in.in.Len
	f, pos, fault := zstdHeader(in.bytes(at, longestHeader), size, at)
	if fault != nil {
		return f, fault
	}
	cut := &Fault{In: size, Reason: "the zstd frame ends too early", Err: io.ErrUnexpectedEOF}
	if f.Skippable {
		if size < pos {
			return f, cut
		}
		length := in.bytes(pos-4, 4)
		if len(length) < 4 {
			return f, cut
		}
		f.End = pos + int64(binary.LittleEndian.Uint32(length))
		if f.End > size {
			return f, cut
		}
		return f, nil
	}
	for last := false; !last; {
		visit(pos)
		b := in.bytes(pos, 3)
		if len(b) < 3 {
			return f, cut
		}
		head := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
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
